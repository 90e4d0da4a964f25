# Rate limits of the web ACL prod in front of CloudFront.
# From ratewaf.yaml and ratewaf.lock.json.
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check waf.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 1 of 10 rate-based rules and about 68 of 5,000 WCU (an estimate; AWS decides).
# Costs 6.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
#
# Please note:
# - acl-token counts only: its grade is weak.

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
  # acl-token: POST /login
  # 120 requests per 300 s (24 per minute): 1.60x above the busiest normal client (187), 1.56x below
  # the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_token_limit  = 120
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

  # acl-token: POST /login (counts only, stops nobody)
  rule {
    name     = "acl-token"
    priority = 10

    action {
      count {}
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

data "aws_caller_identity" "acl_alarms" {
  provider = aws.us_east_1
}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "acl_alarms" {
  provider = aws.us_east_1

  name = "acl-alarms"
}

resource "aws_sns_topic_policy" "acl_alarms" {
  provider = aws.us_east_1

  arn = aws_sns_topic.acl_alarms.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid    = "CloudWatchAlarmsOfThisAccount"
        Effect = "Allow"
        Principal = {
          Service = "cloudwatch.amazonaws.com"
        }
        Action   = "sns:Publish"
        Resource = aws_sns_topic.acl_alarms.arn
        Condition = {
          StringEquals = {
            "aws:SourceAccount" = data.aws_caller_identity.acl_alarms.account_id
          }
        }
      },
    ]
  })
}

output "acl_alarms_topic_arn" {
  description = "The SNS topic of the rate-limit alarms"
  value       = aws_sns_topic.acl_alarms.arn
}

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
resource "aws_cloudwatch_metric_alarm" "acl_token" {
  provider = aws.us_east_1

  alarm_name        = "acl-token-over-limit"
  alarm_description = "More than 20 requests over the limit of acl-token were counted within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "CountedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-token"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 20
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
}
