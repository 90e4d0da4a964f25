# Rate limits of the web ACL loud-acl in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check second-limit.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.loud_acl.arn
#
# Uses 2 of 10 rate-based rules and about 136 of 5,000 WCU (an estimate; AWS decides).
# Costs 7.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
# With as many requests as the logs hold (114,144 in 168 hours): about 7.29 USD a month.
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
  # loud-login-second: POST /login
  # 2 times the main limit 30: its alarm is about clients that are far above the limit, not just
  # keen.
  loud_login_second_limit  = 60
  loud_login_second_window = 300

  # loud-login: POST /login
  # Pinned in the policy: 30 requests per 300 s.
  # The lock has no figures for this route.
  loud_login_limit  = 30
  loud_login_window = 300
}

resource "aws_wafv2_web_acl" "loud_acl" {
  provider = aws.us_east_1

  name        = "loud-acl"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  default_action {
    allow {}
  }

  custom_response_body {
    key          = "loud-limited"
    content_type = "APPLICATION_JSON"
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Rate limit exceeded. Try again later.\"}"
  }

  # loud-login-second: POST /login
  rule {
    name     = "loud-login-second"
    priority = 5

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "loud-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"loud-login\";q=%d;w=%d", local.loud_login_limit, local.loud_login_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.loud_login_second_limit
        evaluation_window_sec = local.loud_login_second_window
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
      metric_name                = "loud-login-second"
      sampled_requests_enabled   = true
    }
  }

  # loud-login: POST /login
  rule {
    name     = "loud-login"
    priority = 10

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "loud-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"loud-login\";q=%d;w=%d", local.loud_login_limit, local.loud_login_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.loud_login_limit
        evaluation_window_sec = local.loud_login_window
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
      metric_name                = "loud-login"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "loud-acl"
    sampled_requests_enabled   = true
  }
}

output "loud_acl_web_acl_arn" {
  description = "The web_acl_id of a CloudFront distribution"
  value       = aws_wafv2_web_acl.loud_acl.arn
}

data "aws_caller_identity" "loud_alarms" {
  provider = aws.us_east_1
}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "loud_alarms" {
  provider = aws.us_east_1

  name = "loud-alarms"
}

resource "aws_sns_topic_policy" "loud_alarms" {
  provider = aws.us_east_1

  arn = aws_sns_topic.loud_alarms.arn
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
        Resource = aws_sns_topic.loud_alarms.arn
        Condition = {
          StringEquals = {
            "aws:SourceAccount" = data.aws_caller_identity.loud_alarms.account_id
          }
        }
      },
    ]
  })
}

output "loud_alarms_topic_arn" {
  description = "The SNS topic of the rate-limit alarms"
  value       = aws_sns_topic.loud_alarms.arn
}

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
# Tells nobody until the end of 2027-01-31: the login loop, bug 4711
resource "aws_cloudwatch_metric_alarm" "loud_login_second" {
  provider = aws.us_east_1

  alarm_name        = "loud-login-second-over-limit"
  alarm_description = "Requests over the limit of loud-login-second were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.loud_acl.name
    Rule   = "loud-login-second"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  actions_enabled     = false
  alarm_actions       = [aws_sns_topic.loud_alarms.arn]
  ok_actions          = [aws_sns_topic.loud_alarms.arn]
}
