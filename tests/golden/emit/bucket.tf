# Rate limits of the web ACL prod in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check bucket.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 1 of 10 rate-based rules and about 68 of 5,000 WCU (an estimate; AWS decides).
# Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
# With as many requests as the logs hold (114,144 in 168 hours): about 6.29 USD a month.
#
# Please note:
# - Route `login`: pinned 30; the lock has no figures for the route.

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
  # acl-login: POST /login
  # Pinned in the policy: 30 requests per 300 s.
  # The lock has no figures for this route.
  acl_login_limit  = 30
  acl_login_window = 300
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
    content_type = "APPLICATION_JSON"
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Rate limit exceeded. Try again later.\"}"
  }

  # acl-login: POST /login
  rule {
    name     = "acl-login"
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
        limit                 = local.acl_login_limit
        evaluation_window_sec = local.acl_login_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              or_statement {
                statement {
                  byte_match_statement {
                    positional_constraint = "EXACTLY"
                    search_string         = "/login"

                    field_to_match {
                      uri_path {}
                    }

                    text_transformation {
                      priority = 0
                      type     = "URL_DECODE"
                    }

                    text_transformation {
                      priority = 1
                      type     = "NORMALIZE_PATH"
                    }

                    text_transformation {
                      priority = 2
                      type     = "LOWERCASE"
                    }
                  }
                }

                statement {
                  byte_match_statement {
                    positional_constraint = "EXACTLY"
                    search_string         = "/login/"

                    field_to_match {
                      uri_path {}
                    }

                    text_transformation {
                      priority = 0
                      type     = "URL_DECODE"
                    }

                    text_transformation {
                      priority = 1
                      type     = "NORMALIZE_PATH"
                    }

                    text_transformation {
                      priority = 2
                      type     = "LOWERCASE"
                    }
                  }
                }
              }
            }

            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = "POST"

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
      metric_name                = "acl-login"
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

data "aws_s3_bucket" "acl_logs" {
  provider = aws.us_east_1

  bucket = "aws-waf-logs-acl-123456789012"
}

# Kept are the requests that a rule acted on, also those that it only counted: the evidence for the
# limits in force.
# Without path and method these records cannot be told apart by route, so ratewaf analyze cannot use
# them.
resource "aws_wafv2_web_acl_logging_configuration" "prod" {
  provider = aws.us_east_1

  resource_arn            = aws_wafv2_web_acl.prod.arn
  log_destination_configs = [data.aws_s3_bucket.acl_logs.arn]

  redacted_fields {
    uri_path {}
  }

  redacted_fields {
    method {}
  }

  logging_filter {
    default_behavior = "DROP"

    filter {
      behavior    = "KEEP"
      requirement = "MEETS_ANY"

      condition {
        action_condition {
          action = "BLOCK"
        }
      }

      condition {
        action_condition {
          action = "COUNT"
        }
      }

      condition {
        action_condition {
          action = "CAPTCHA"
        }
      }

      condition {
        action_condition {
          action = "CHALLENGE"
        }
      }
    }
  }
}
