# Rate limits of the web ACL prod in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --provider 6 --check whole-story-6.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 4 of 10 rate-based rules and about 284 of 5,000 WCU (an estimate; AWS decides).
# Costs 9.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
# With as many requests as the logs hold (114,144 in 168 hours): about 9.29 USD a month.
#
# Never limited:
# - /api/v2/search/webhooks/* (webhooks): left out of acl-search, acl-search-qa-runner
# - /healthz (health): no rule looks at that path
#
# Please note:
# - Route `search`: pinned 600: at or above every peak of these logs (largest 0): it never acts. The
# logs give no limit (too few clients).

terraform {
  required_version = ">= 1.5.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.38.0, < 7.0.0"
    }
    random = {
      source  = "hashicorp/random"
      version = ">= 3.5.0, < 4.0.0"
    }
  }
}

# Every resource names its Region itself. If your configuration has a provider already, remove the
# block.
provider "aws" {
  region = "us-east-1"
}

locals {
  # acl-token: GET /api/v1/token, everybody but qa-runner
  # 300 requests per 300 s (1 per second): 1.60x above the busiest normal client (187), 1.56x below
  # the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  # Warning all-day: 1 client (address withheld) called in at least 90 % of the 168 hours and stayed
  # under the limit, with up to 16,036 requests: listed without a claim, but a limit on peaks does
  # not see slow machines.
  acl_token_limit  = 300
  acl_token_window = 300

  # acl-token-qa-runner: GET /api/v1/token, qa-runner only
  # Counts the network `qa-runner` only. 3,000 (10 per second): 10x the main limit 300.
  # It does not occur in the logs of this route.
  acl_token_qa_runner_limit  = 3000
  acl_token_qa_runner_window = 300

  # acl-search: GET,HEAD /api/v2/search*, everybody but qa-runner
  # Pinned in the policy: 600 requests per 300 s. The logs propose no limit.
  # Grade none; 0 clients and 0 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 0, 90 % 0, 99 % 0, largest 0.
  acl_search_limit  = 600
  acl_search_window = 300

  # acl-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
  # Counts the network `qa-runner` only. 6,000 (20 per second): 10x the main limit 600.
  # It does not occur in the logs of this route.
  acl_search_qa_runner_limit  = 6000
  acl_search_qa_runner_window = 300
}

# qa-runner (tester, until 2027-03-01), not counted by acl-token, acl-search, counted alone by
# acl-token-qa-runner, acl-search-qa-runner
resource "aws_wafv2_ip_set" "acl_qa_runner_v4" {
  region = "us-east-1"

  name               = "acl-qa-runner-v4"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV4"
  addresses          = ["198.51.100.20/32"]
}

resource "aws_wafv2_ip_set" "acl_qa_runner_v6" {
  region = "us-east-1"

  name               = "acl-qa-runner-v6"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV6"
  addresses          = ["2001:db8:7::/64"]
}

resource "aws_wafv2_web_acl" "prod" {
  region = "us-east-1"

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

  # acl-token: GET /api/v1/token, everybody but qa-runner
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

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-token\";q=%d;w=%d", local.acl_token_limit, local.acl_token_window)
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
                    search_string         = "/api/v1/token"

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
                    search_string         = "/api/v1/token/"

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

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v4.arn
                  }
                }
              }
            }

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v6.arn
                  }
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

  # acl-token-qa-runner: GET /api/v1/token, qa-runner only
  rule {
    name     = "acl-token-qa-runner"
    priority = 20

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-token-qa-runner\";q=%d;w=%d", local.acl_token_qa_runner_limit, local.acl_token_qa_runner_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_token_qa_runner_limit
        evaluation_window_sec = local.acl_token_qa_runner_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              or_statement {
                statement {
                  byte_match_statement {
                    positional_constraint = "EXACTLY"
                    search_string         = "/api/v1/token"

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
                    search_string         = "/api/v1/token/"

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

            statement {
              or_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v4.arn
                  }
                }

                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v6.arn
                  }
                }
              }
            }
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-token-qa-runner"
      sampled_requests_enabled   = true
    }
  }

  # acl-search: GET,HEAD /api/v2/search*, everybody but qa-runner
  rule {
    name     = "acl-search"
    priority = 30

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-search\";q=%d;w=%d", local.acl_search_limit, local.acl_search_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_search_limit
        evaluation_window_sec = local.acl_search_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "STARTS_WITH"
                search_string         = "/api/v2/search"

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
              or_statement {
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

                statement {
                  byte_match_statement {
                    positional_constraint = "EXACTLY"
                    search_string         = "HEAD"

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

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v4.arn
                  }
                }
              }
            }

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v6.arn
                  }
                }
              }
            }

            statement {
              not_statement {
                statement {
                  byte_match_statement {
                    positional_constraint = "STARTS_WITH"
                    search_string         = "/api/v2/search/webhooks/"

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
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-search"
      sampled_requests_enabled   = true
    }
  }

  # acl-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
  rule {
    name     = "acl-search-qa-runner"
    priority = 40

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-search-qa-runner\";q=%d;w=%d", local.acl_search_qa_runner_limit, local.acl_search_qa_runner_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_search_qa_runner_limit
        evaluation_window_sec = local.acl_search_qa_runner_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "STARTS_WITH"
                search_string         = "/api/v2/search"

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
              or_statement {
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

                statement {
                  byte_match_statement {
                    positional_constraint = "EXACTLY"
                    search_string         = "HEAD"

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

            statement {
              or_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v4.arn
                  }
                }

                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.acl_qa_runner_v6.arn
                  }
                }
              }
            }

            statement {
              not_statement {
                statement {
                  byte_match_statement {
                    positional_constraint = "STARTS_WITH"
                    search_string         = "/api/v2/search/webhooks/"

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
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-search-qa-runner"
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

resource "aws_cloudwatch_log_group" "acl_logs" {
  region = "us-east-1"

  name              = "aws-waf-logs-acl"
  retention_in_days = 90
}

# Kept are the requests that a rule acted on, also those that it only counted: the evidence for the
# limits in force.
resource "aws_wafv2_web_acl_logging_configuration" "prod" {
  region = "us-east-1"

  resource_arn            = aws_wafv2_web_acl.prod.arn
  log_destination_configs = [aws_cloudwatch_log_group.acl_logs.arn]

  redacted_fields {
    single_header {
      name = "authorization"
    }
  }

  redacted_fields {
    single_header {
      name = "cookie"
    }
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

data "aws_caller_identity" "acl_alarms" {}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "acl_alarms" {
  region = "us-east-1"

  name = "acl-alarms"
}

resource "aws_sns_topic_policy" "acl_alarms" {
  region = "us-east-1"

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
  region = "us-east-1"

  alarm_name        = "acl-token-over-limit"
  alarm_description = "Requests over the limit of acl-token were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-token"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "acl_token_qa_runner" {
  region = "us-east-1"

  alarm_name        = "acl-token-qa-runner-over-limit"
  alarm_description = "Requests over the limit of acl-token-qa-runner were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-token-qa-runner"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "acl_search" {
  region = "us-east-1"

  alarm_name        = "acl-search-over-limit"
  alarm_description = "Requests over the limit of acl-search were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-search"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "acl_search_qa_runner" {
  region = "us-east-1"

  alarm_name        = "acl-search-qa-runner-over-limit"
  alarm_description = "Requests over the limit of acl-search-qa-runner were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-search-qa-runner"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
}

resource "aws_cloudwatch_dashboard" "acl_limits" {
  dashboard_name = "acl-limits"
  dashboard_body = jsonencode({
    widgets = [
      {
        type   = "metric"
        x      = 0
        y      = 0
        width  = 24
        height = 6
        properties = {
          title  = "Blocked requests"
          region = "us-east-1"
          view   = "timeSeries"
          stat   = "Sum"
          period = 60
          metrics = [
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.prod.name,
              "Rule",
              "acl-token",
              {
                label = "acl-token"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.prod.name,
              "Rule",
              "acl-token-qa-runner",
              {
                label = "acl-token-qa-runner"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.prod.name,
              "Rule",
              "acl-search",
              {
                label = "acl-search"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.prod.name,
              "Rule",
              "acl-search-qa-runner",
              {
                label = "acl-search-qa-runner"
              },
            ],
          ]
        }
      },
    ]
  })
}

# The way around CloudFront, closed: CloudFront adds x-origin-verify to what it sends to the origin,
# and this web ACL blocks requests for the limited routes that come without it.
# It is a web ACL of its own because a secret in one rule hides all rules of its web ACL in a plan.
# The secret stands in clear in the state and in saved plans: keep both like the secret.
# The paths are those that clients send. If the distribution has an origin path, or a function that
# rewrites paths, the API gets others, and these rules do not match.
# Costs 7.00 USD a month for the web ACL with 2 rules, and 0.60 USD for a million requests to the
# API.
#
# 1. To exchange the secret, write `rotating: true` under `origin_guard` in the policy, emit and
# apply: the parameter /acl/origin-secret-previous is made, and the web ACL takes either secret.
# 2. Copy the present secret: aws ssm put-parameter --region eu-central-1 --type SecureString
# --overwrite --name /acl/origin-secret-previous --value "$(aws ssm get-parameter --region
# eu-central-1 --with-decryption --name /acl/origin-secret --query Parameter.Value --output text)";
# apply.
# 3. Put a new one in its place: aws ssm put-parameter --region eu-central-1 --type SecureString
# --overwrite --name /acl/origin-secret --value "$(openssl rand -hex 22)"; apply the web ACL first,
# then the distribution.
# 4. Wait until every edge sends it: aws cloudfront wait distribution-deployed --id DISTRIBUTION.
# Until then some send the old one, which the web ACL still takes.
# 5. Write `rotating: false`, emit and apply: the old secret is forgotten.

resource "random_password" "acl_origin" {
  length = 44

  # It stands in a header.
  special = false
}

resource "aws_ssm_parameter" "acl_origin" {
  region = "eu-central-1"

  name        = "/acl/origin-secret"
  description = "What CloudFront sends in x-origin-verify to the origin"
  type        = "SecureString"
  value       = random_password.acl_origin.result

  lifecycle {
    # From here on the parameter has the secret, so that it can be exchanged.
    ignore_changes = [value]
  }
}

resource "aws_wafv2_web_acl" "acl_origin" {
  region = "eu-central-1"

  name        = "acl-origin"
  description = "Demands the secret of CloudFront, written by ratewaf emit"
  scope       = "REGIONAL"

  default_action {
    allow {}
  }

  rule {
    name     = "acl-token-guard"
    priority = 10

    action {
      block {}
    }

    statement {
      and_statement {
        statement {
          or_statement {
            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = "/api/v1/token"

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
                search_string         = "/api/v1/token/"

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

        statement {
          not_statement {
            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = aws_ssm_parameter.acl_origin.value

                field_to_match {
                  single_header {
                    name = "x-origin-verify"
                  }
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
      metric_name                = "acl-token-guard"
      sampled_requests_enabled   = true
    }
  }

  rule {
    name     = "acl-search-guard"
    priority = 20

    action {
      block {}
    }

    statement {
      and_statement {
        statement {
          byte_match_statement {
            positional_constraint = "STARTS_WITH"
            search_string         = "/api/v2/search"

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
          or_statement {
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

            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = "HEAD"

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

        statement {
          not_statement {
            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = aws_ssm_parameter.acl_origin.value

                field_to_match {
                  single_header {
                    name = "x-origin-verify"
                  }
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
      metric_name                = "acl-search-guard"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "acl-origin"
    sampled_requests_enabled   = true
  }
}

resource "aws_wafv2_web_acl_association" "acl_origin_load_balancer_1" {
  region = "eu-central-1"

  resource_arn = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188"
  web_acl_arn  = aws_wafv2_web_acl.acl_origin.arn
}

output "acl_origin_header" {
  description = "The header that CloudFront adds for the origin"
  value       = "x-origin-verify"
}

output "acl_origin_secret" {
  description = "The value of that header"
  value       = aws_ssm_parameter.acl_origin.value
  sensitive   = true
}

data "aws_caller_identity" "acl_permissions" {}

data "aws_partition" "acl_permissions" {}

# What terraform plan reads of prod
# - wafv2:GetWebACL: Terraform compares the web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:GetIPSet: Terraform compares the addresses at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - cloudwatch:DescribeAlarms: Terraform compares the alarms at every plan
# - cloudwatch:ListTagsForResource: and their tags
# - sns:GetTopicAttributes: Terraform compares the topic and its policy
# - sns:ListTagsForResource: and its tags
# - wafv2:GetLoggingConfiguration: Terraform compares where the web ACL is logged
# - logs:ListTagsForResource: Terraform reads the tags at every plan
# LogDelivery: AWS knows no resource for these actions.
# - logs:DescribeLogGroups: finds the log group, for Terraform and for WAF
# - cloudwatch:GetDashboard: Terraform compares the dashboard at every plan
# - wafv2:GetWebACL: Terraform compares the guard's web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# GuardSecret: Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of
# your own needs kms:Decrypt for it, and kms:Encrypt to write.
# - ssm:GetParameter: the rules and the distribution compare with the secret
# - ssm:ListTagsForResource: Terraform reads the tags at every plan
# GuardSecretList: AWS knows no resource for a list.
# - ssm:DescribeParameters: Terraform reads description and tier with it
# GuardAssociations: AWS checks these actions against the web ACL and against what it stands before.
# - wafv2:GetWebACL: asked together with the next
# - wafv2:GetWebACLForResource: Terraform reads which web ACL stands before it
resource "aws_iam_policy" "acl_ci_plan" {
  name        = "acl-ci-plan"
  description = "What terraform plan reads of prod"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid    = "WebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "IpSets"
        Effect = "Allow"
        Action = [
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid    = "Alarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DescribeAlarms",
          "cloudwatch:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid    = "AlarmTopic"
        Effect = "Allow"
        Action = [
          "sns:GetTopicAttributes",
          "sns:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:sns:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:acl-alarms"]
      },
      {
        Sid      = "Logging"
        Effect   = "Allow"
        Action   = ["wafv2:GetLoggingConfiguration"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "LogGroup"
        Effect = "Allow"
        Action = ["logs:ListTagsForResource"]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl",
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl:*",
        ]
      },
      {
        Sid      = "LogDelivery"
        Effect   = "Allow"
        Action   = ["logs:DescribeLogGroups"]
        Resource = ["*"]
      },
      {
        Sid      = "Dashboard"
        Effect   = "Allow"
        Action   = ["cloudwatch:GetDashboard"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch::${data.aws_caller_identity.acl_permissions.account_id}:dashboard/acl-limits"]
      },
      {
        Sid    = "GuardWebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*"]
      },
      {
        Sid    = "GuardSecret"
        Effect = "Allow"
        Action = [
          "ssm:GetParameter",
          "ssm:ListTagsForResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret",
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret-previous",
        ]
      },
      {
        Sid      = "GuardSecretList"
        Effect   = "Allow"
        Action   = ["ssm:DescribeParameters"]
        Resource = ["*"]
      },
      {
        Sid    = "GuardAssociations"
        Effect = "Allow"
        Action = [
          "wafv2:GetWebACL",
          "wafv2:GetWebACLForResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*",
          "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188",
        ]
      },
    ]
  })
}

# What terraform apply reads and writes of prod
# - wafv2:DeleteWebACL: removes it; leave this out to keep it for good
# - wafv2:GetWebACL: Terraform compares the web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:TagResource: sets tags, which the provider's default_tags put on everything
# - wafv2:UntagResource: takes tags away again
# WebAclWrite: AWS checks these actions against the web ACL and against every IP set that a rule
# names.
# - wafv2:CreateWebACL: makes the web ACL
# - wafv2:UpdateWebACL: changes rules, limits and actions
# - wafv2:CreateIPSet: makes the sets of a network
# - wafv2:DeleteIPSet: removes those of a network that left the policy
# - wafv2:GetIPSet: Terraform compares the addresses at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:TagResource: sets tags, which the provider's default_tags put on everything
# - wafv2:UntagResource: takes tags away again
# - wafv2:UpdateIPSet: changes the addresses of a network
# - cloudwatch:DeleteAlarms: removes that of a rule that is gone
# - cloudwatch:DescribeAlarms: Terraform compares the alarms at every plan
# - cloudwatch:ListTagsForResource: and their tags
# - cloudwatch:PutMetricAlarm: makes and changes one for each rule
# - cloudwatch:TagResource: sets tags, which default_tags put on everything
# - cloudwatch:UntagResource: takes tags away again
# - sns:CreateTopic: makes the topic of the alarms
# - sns:DeleteTopic: removes it
# - sns:GetTopicAttributes: Terraform compares the topic and its policy
# - sns:ListTagsForResource: and its tags
# - sns:SetTopicAttributes: writes the policy that lets CloudWatch publish
# - sns:TagResource: sets tags, which default_tags put on everything
# - sns:UntagResource: takes tags away again
# - wafv2:DeleteLoggingConfiguration: stops logging
# - wafv2:GetLoggingConfiguration: Terraform compares where the web ACL is logged
# - wafv2:PutLoggingConfiguration: starts it, and changes filters and redaction
# - logs:CreateLogGroup: makes the log group
# - logs:DeleteLogGroup: removes it, with what it holds
# - logs:DeleteRetentionPolicy: keeps records for good again
# - logs:ListTagsForResource: Terraform reads the tags at every plan
# - logs:PutRetentionPolicy: says how long records are kept
# - logs:TagResource: sets tags, which default_tags put on everything
# - logs:UntagResource: takes tags away again
# LogDelivery: AWS knows no resource for these actions.
# - logs:CreateLogDelivery: WAF starts the delivery in your name
# - logs:DeleteLogDelivery: and stops it
# - logs:DescribeLogGroups: finds the log group, for Terraform and for WAF
# - logs:DescribeResourcePolicies: looks for the one that lets it write
# - logs:PutResourcePolicy: and writes it if there is none
# - cloudwatch:DeleteDashboards: removes it
# - cloudwatch:GetDashboard: Terraform compares the dashboard at every plan
# - cloudwatch:PutDashboard: makes and changes it
# - wafv2:CreateWebACL: makes it
# - wafv2:DeleteWebACL: removes it
# - wafv2:GetWebACL: Terraform compares the guard's web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:TagResource: sets tags, which the provider's default_tags put on everything
# - wafv2:UntagResource: takes tags away again
# - wafv2:UpdateWebACL: changes routes, and secrets when one is exchanged
# GuardSecret: Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of
# your own needs kms:Decrypt for it, and kms:Encrypt to write.
# - ssm:AddTagsToResource: sets tags, which default_tags put on everything
# - ssm:DeleteParameter: forgets a secret that was exchanged
# - ssm:GetParameter: the rules and the distribution compare with the secret
# - ssm:ListTagsForResource: Terraform reads the tags at every plan
# - ssm:PutParameter: keeps the secret
# - ssm:RemoveTagsFromResource: takes tags away again
# GuardSecretList: AWS knows no resource for a list.
# - ssm:DescribeParameters: Terraform reads description and tier with it
# GuardAssociations: AWS checks these actions against the web ACL and against what it stands before.
# - wafv2:AssociateWebACL: puts the web ACL before it
# - wafv2:DisassociateWebACL: takes it away
# - wafv2:GetWebACL: asked together with the next
# - wafv2:GetWebACLForResource: Terraform reads which web ACL stands before it
# GuardAssociationsElasticloadbalancing: AWS knows no resource for this action.
# - elasticloadbalancing:SetWebAcl: the service itself has to agree
resource "aws_iam_policy" "acl_ci_apply" {
  name        = "acl-ci-apply"
  description = "What terraform apply reads and writes of prod"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid    = "WebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:DeleteWebACL",
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
          "wafv2:TagResource",
          "wafv2:UntagResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "WebAclWrite"
        Effect = "Allow"
        Action = [
          "wafv2:CreateWebACL",
          "wafv2:UpdateWebACL",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*",
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*",
        ]
      },
      {
        Sid    = "IpSets"
        Effect = "Allow"
        Action = [
          "wafv2:CreateIPSet",
          "wafv2:DeleteIPSet",
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
          "wafv2:TagResource",
          "wafv2:UntagResource",
          "wafv2:UpdateIPSet",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid    = "Alarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DeleteAlarms",
          "cloudwatch:DescribeAlarms",
          "cloudwatch:ListTagsForResource",
          "cloudwatch:PutMetricAlarm",
          "cloudwatch:TagResource",
          "cloudwatch:UntagResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid    = "AlarmTopic"
        Effect = "Allow"
        Action = [
          "sns:CreateTopic",
          "sns:DeleteTopic",
          "sns:GetTopicAttributes",
          "sns:ListTagsForResource",
          "sns:SetTopicAttributes",
          "sns:TagResource",
          "sns:UntagResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:sns:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:acl-alarms"]
      },
      {
        Sid    = "Logging"
        Effect = "Allow"
        Action = [
          "wafv2:DeleteLoggingConfiguration",
          "wafv2:GetLoggingConfiguration",
          "wafv2:PutLoggingConfiguration",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "LogGroup"
        Effect = "Allow"
        Action = [
          "logs:CreateLogGroup",
          "logs:DeleteLogGroup",
          "logs:DeleteRetentionPolicy",
          "logs:ListTagsForResource",
          "logs:PutRetentionPolicy",
          "logs:TagResource",
          "logs:UntagResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl",
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl:*",
        ]
      },
      {
        Sid    = "LogDelivery"
        Effect = "Allow"
        Action = [
          "logs:CreateLogDelivery",
          "logs:DeleteLogDelivery",
          "logs:DescribeLogGroups",
          "logs:DescribeResourcePolicies",
          "logs:PutResourcePolicy",
        ]
        Resource = ["*"]
      },
      {
        Sid    = "Dashboard"
        Effect = "Allow"
        Action = [
          "cloudwatch:DeleteDashboards",
          "cloudwatch:GetDashboard",
          "cloudwatch:PutDashboard",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch::${data.aws_caller_identity.acl_permissions.account_id}:dashboard/acl-limits"]
      },
      {
        Sid    = "GuardWebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:CreateWebACL",
          "wafv2:DeleteWebACL",
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
          "wafv2:TagResource",
          "wafv2:UntagResource",
          "wafv2:UpdateWebACL",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*"]
      },
      {
        Sid    = "GuardSecret"
        Effect = "Allow"
        Action = [
          "ssm:AddTagsToResource",
          "ssm:DeleteParameter",
          "ssm:GetParameter",
          "ssm:ListTagsForResource",
          "ssm:PutParameter",
          "ssm:RemoveTagsFromResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret",
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret-previous",
        ]
      },
      {
        Sid      = "GuardSecretList"
        Effect   = "Allow"
        Action   = ["ssm:DescribeParameters"]
        Resource = ["*"]
      },
      {
        Sid    = "GuardAssociations"
        Effect = "Allow"
        Action = [
          "wafv2:AssociateWebACL",
          "wafv2:DisassociateWebACL",
          "wafv2:GetWebACL",
          "wafv2:GetWebACLForResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*",
          "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188",
        ]
      },
      {
        Sid      = "GuardAssociationsElasticloadbalancing"
        Effect   = "Allow"
        Action   = ["elasticloadbalancing:SetWebAcl"]
        Resource = ["*"]
      },
    ]
  })
}

# What ratewaf status and apply do to prod
# StatusFind: AWS knows no resource for lists, metrics and capacity.
# - cloudwatch:GetMetricData: status: what each rule counted and blocked
# - cloudwatch:ListMetrics: status: whether the metrics of the rules are there at all
# - wafv2:CheckCapacity: plan: whether the rules fit, before anything is written
# - wafv2:ListIPSets: finds IP sets by their names
# - wafv2:ListWebACLs: finds the web ACL by its name
# - wafv2:GetRateBasedStatementManagedKeys: status: who is over a limit right now
# - wafv2:GetSampledRequests: status: requests that a rule acted on
# - wafv2:GetWebACL: reads the live rules, which plan compares
# - wafv2:ListTagsForResource: which rules apply wrote, and since when they count
# - wafv2:GetIPSet: reads the live addresses, which plan compares
# - wafv2:ListTagsForResource: which sets apply wrote
# - cloudwatch:DescribeAlarms: plan compares the alarms, status tells which is on
# StatusDistribution: Only for --distribution.
# - cloudfront:GetDistributionConfig: which web ACL the distribution has
# StatusLogging: Only for check --live, which says what it may not read.
# - wafv2:GetLoggingConfiguration: check: where the web ACL is logged, and what of it
# StatusEveryAlarm: Only for check --live, which says what it may not read.
# - cloudwatch:DescribeAlarms: check: alarms on the rules, whatever they are called
# StatusProtected: Only for check --live, which says what it may not read.
# - cloudfront:ListDistributionsByWebACLId: check: whether anything is protected, and over which IP
# families
# ApplyWebAcl: Leave out the statements whose Sid begins with Apply where ratewaf only looks. AWS
# checks this action against the web ACL and against everything that its rules name.
# - wafv2:CreateWebACL: apply: makes the web ACL, if it is not there
# - wafv2:UpdateWebACL: apply, promote, demote, rollback: changes our rules
# ApplyRecords: The web ACL's tags tell our rules from others, and edits by hand from changes of the
# policy.
# - wafv2:TagResource: remembers what was written, and when
# - wafv2:UntagResource: forgets rules that are gone
# - wafv2:CreateIPSet: apply: makes the sets of a new network
# - wafv2:DeleteIPSet: apply, rollback: removes the sets of a network that is gone
# - wafv2:TagResource: remembers what was written
# - wafv2:UpdateIPSet: apply, rollback: changes the addresses of a network
# - cloudwatch:DeleteAlarms: removes the alarms of rules that are gone
# - cloudwatch:PutMetricAlarm: makes alarms, and lets them follow count and block
# ApplyDistribution: Only for --distribution.
# - cloudfront:AssociateDistributionWebACL: puts the web ACL before the distribution
resource "aws_iam_policy" "acl_ratewaf" {
  name        = "acl-ratewaf"
  description = "What ratewaf status and apply do to prod"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid    = "StatusFind"
        Effect = "Allow"
        Action = [
          "cloudwatch:GetMetricData",
          "cloudwatch:ListMetrics",
          "wafv2:CheckCapacity",
          "wafv2:ListIPSets",
          "wafv2:ListWebACLs",
        ]
        Resource = ["*"]
      },
      {
        Sid    = "StatusWebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:GetRateBasedStatementManagedKeys",
          "wafv2:GetSampledRequests",
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "StatusIpSets"
        Effect = "Allow"
        Action = [
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid      = "StatusAlarms"
        Effect   = "Allow"
        Action   = ["cloudwatch:DescribeAlarms"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid      = "StatusDistribution"
        Effect   = "Allow"
        Action   = ["cloudfront:GetDistributionConfig"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudfront::${data.aws_caller_identity.acl_permissions.account_id}:distribution/*"]
      },
      {
        Sid      = "StatusLogging"
        Effect   = "Allow"
        Action   = ["wafv2:GetLoggingConfiguration"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid      = "StatusEveryAlarm"
        Effect   = "Allow"
        Action   = ["cloudwatch:DescribeAlarms"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:*"]
      },
      {
        Sid      = "StatusProtected"
        Effect   = "Allow"
        Action   = ["cloudfront:ListDistributionsByWebACLId"]
        Resource = ["*"]
      },
      {
        Sid    = "ApplyWebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:CreateWebACL",
          "wafv2:UpdateWebACL",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*",
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*",
        ]
      },
      {
        Sid    = "ApplyRecords"
        Effect = "Allow"
        Action = [
          "wafv2:TagResource",
          "wafv2:UntagResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "ApplyIpSets"
        Effect = "Allow"
        Action = [
          "wafv2:CreateIPSet",
          "wafv2:DeleteIPSet",
          "wafv2:TagResource",
          "wafv2:UpdateIPSet",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid    = "ApplyAlarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DeleteAlarms",
          "cloudwatch:PutMetricAlarm",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid      = "ApplyDistribution"
        Effect   = "Allow"
        Action   = ["cloudfront:AssociateDistributionWebACL"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudfront::${data.aws_caller_identity.acl_permissions.account_id}:distribution/*"]
      },
    ]
  })
}

output "acl_ci_plan_policy_arn" {
  description = "What terraform plan reads of prod"
  value       = aws_iam_policy.acl_ci_plan.arn
}

output "acl_ci_apply_policy_arn" {
  description = "What terraform apply reads and writes of prod"
  value       = aws_iam_policy.acl_ci_apply.arn
}

output "acl_ratewaf_policy_arn" {
  description = "What ratewaf status and apply do to prod"
  value       = aws_iam_policy.acl_ratewaf.arn
}
