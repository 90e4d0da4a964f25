# Rate limits of the web ACL prod in front of CloudFront.
# From ratewaf.yaml and ratewaf.lock.json.
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check waf.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 1 of 10 rate-based rules and about 68 of 5,000 WCU (an estimate; AWS decides).
# Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).

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
  # acl-token: GET /oauth/token
  # 300 requests per 300 s (1 per second): 1.60x above the busiest normal client (187), 1.56x below
  # the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_token_limit  = 300
  acl_token_window = 300
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
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Please slow down.\"}"
  }

  # acl-token: GET /oauth/token
  rule {
    name     = "acl-token"
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
        limit                 = local.acl_token_limit
        evaluation_window_sec = local.acl_token_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              or_statement {
                statement {
                  byte_match_statement {
                    positional_constraint = "EXACTLY"
                    search_string         = "/oauth/token"

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
                    search_string         = "/oauth/token/"

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
      metric_name                = "acl-token"
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
