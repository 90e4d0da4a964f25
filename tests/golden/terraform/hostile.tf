# Rate limits of the web ACL prod in front of CloudFront.
# From ratewaf.yaml and ratewaf.lock.json.
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check waf.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 1 of 10 rate-based rules and about 16 of 5,000 WCU (an estimate; AWS decides).
# Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
#
# Please note:
# - note\u{0}\u{a}locals {}

terraform {
  required_version = ">= 1.5.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100.0, < 7.0.0"
    }
  }
}

# A web ACL for CloudFront, its IP sets and its alarms exist in us-east-1 only, wherever the rest
# lives. An alias says so in versions 5 and 6 of the provider alike.
# If your configuration has this alias already, remove the block; with --module, or with --provider
# 6 where that is yours, ratewaf emit writes none, and emit --check stays quiet.
# In a module: remove the block and write configuration_aliases = [aws.us_east_1] above.
provider "aws" {
  alias  = "us_east_1"
  region = "us-east-1"
}

locals {
  # acl-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:
  # GET /${file("/etc/passwd")}/$${b}/%{if true}\"*
  # ends here\u{a}}\u{a}resource "null_resource" "x" {\u{d}\u{2028}
  # agent \u{1b}[2J\u{202e}gnp.exe ${path.module} */ <<EOT
  acl_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_limit  = 300
  acl_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_window = 300
}

resource "aws_wafv2_web_acl" "prod" {
  provider = aws.us_east_1

  name        = "prod"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  default_action {
    allow {}
  }

  custom_response_body {
    key          = "acl-limited"
    content_type = "TEXT_HTML"
    content      = "<p>$${local.x} %%{ for a in b }\n\"quoted\"\tCafé </p>\nEOT\n"
  }

  # acl-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:
  # GET /${file("/etc/passwd")}/$${b}/%{if true}\"*
  rule {
    name     = "acl-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    priority = 10

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_limit
        evaluation_window_sec = local.acl_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "STARTS_WITH"
                search_string         = "/$${file(\"/etc/passwd\")}/\u0024\u0024{b}/%%{if true}\\\""

                field_to_match {
                  uri_path {}
                }

                text_transformation {
                  priority = 0
                  type     = "LOWERCASE"
                }
              }
            }

            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = "GET"

                field_to_match {
                  method {}
                }

                text_transformation {
                  priority = 0
                  type     = "NONE"
                }
              }
            }
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "prod"
    sampled_requests_enabled   = true
  }
}

output "prod_web_acl_arn" {
  description = "The web_acl_id of a CloudFront distribution"
  value       = aws_wafv2_web_acl.prod.arn
}
