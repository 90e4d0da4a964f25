# Rate limits of the web ACL api-acl in eu-central-1.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check regional.tf
#
# Uses 3 of 10 rate-based rules and about 236 of 5,000 WCU (an estimate; AWS decides).
# Costs 8.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to what it
# stands before (pay as you go, prices of 2026-06-01).
# With as many requests as the logs hold (114,144 in 168 hours): about 8.29 USD a month.
#
# Please note:
# - Route `login`: pinned 30; the lock has no figures for the route.
# - Route `search`: pinned 300; the lock has no figures for the route.
# - Route `search`: no rule counts the tester network `load-test`, because it has no twin here.
# - Route `login`: a request without the header x-real-ip is not counted at all; let nothing but
# your proxy reach it.
# - Route `search`: a request without the header x-real-ip is not counted at all; let nothing but
# your proxy reach it.

terraform {
  required_version = ">= 1.5.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100.0, < 7.0.0"
    }
  }
}

# An alias names the Region in versions 5 and 6 of the provider alike.
# If your configuration has this alias already, remove the block; with --module, or with --provider
# 6 where that is yours, ratewaf emit writes none, and emit --check stays quiet.
# In a module: remove the block and write configuration_aliases = [aws.eu_central_1] above.
provider "aws" {
  alias  = "eu_central_1"
  region = "eu-central-1"
}

locals {
  # api-login: POST /login, everybody but load-test, by forwarded address
  # Pinned in the policy: 30 requests per 300 s.
  # The lock has no figures for this route.
  api_login_limit  = 30
  api_login_window = 300

  # api-login-load-test: POST /login, load-test only, by forwarded address
  # Counts the network `load-test` only. 300 (1 per second): 10x the main limit 30.
  # The logs were read without this network, so its peak is not known.
  api_login_load_test_limit  = 300
  api_login_load_test_window = 300

  # api-search: /search*, everybody but load-test, by forwarded address and path
  # Pinned in the policy: 300 requests per 300 s.
  # The lock has no figures for this route.
  api_search_limit  = 300
  api_search_window = 300
}

# load-test (tester), not counted by api-login, api-search, counted alone by api-login-load-test
resource "aws_wafv2_ip_set" "api_load_test_v4" {
  provider = aws.eu_central_1

  name               = "api-load-test-v4"
  scope              = "REGIONAL"
  ip_address_version = "IPV4"
  addresses          = ["192.0.2.0/28"]
}

resource "aws_wafv2_ip_set" "api_load_test_v6" {
  provider = aws.eu_central_1

  name               = "api-load-test-v6"
  scope              = "REGIONAL"
  ip_address_version = "IPV6"
  addresses          = ["2001:db8:9::/64"]
}

resource "aws_wafv2_web_acl" "api_acl" {
  provider = aws.eu_central_1

  name        = "api-acl"
  description = "Rate limits, written by ratewaf emit"
  scope       = "REGIONAL"

  default_action {
    allow {}
  }

  custom_response_body {
    key          = "api-limited"
    content_type = "APPLICATION_JSON"
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Rate limit exceeded. Try again later.\"}"
  }

  # api-login: POST /login, everybody but load-test, by forwarded address
  rule {
    name     = "api-login"
    priority = 10

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "api-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.api_login_limit
        evaluation_window_sec = local.api_login_window
        aggregate_key_type    = "FORWARDED_IP"

        forwarded_ip_config {
          fallback_behavior = "NO_MATCH"
          header_name       = "x-real-ip"
        }

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

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.api_load_test_v4.arn

                    ip_set_forwarded_ip_config {
                      fallback_behavior = "NO_MATCH"
                      header_name       = "x-real-ip"
                      position          = "FIRST"
                    }
                  }
                }
              }
            }

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.api_load_test_v6.arn

                    ip_set_forwarded_ip_config {
                      fallback_behavior = "NO_MATCH"
                      header_name       = "x-real-ip"
                      position          = "FIRST"
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
      metric_name                = "api-login"
      sampled_requests_enabled   = true
    }
  }

  # api-login-load-test: POST /login, load-test only, by forwarded address
  rule {
    name     = "api-login-load-test"
    priority = 20

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "api-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.api_login_load_test_limit
        evaluation_window_sec = local.api_login_load_test_window
        aggregate_key_type    = "FORWARDED_IP"

        forwarded_ip_config {
          fallback_behavior = "NO_MATCH"
          header_name       = "x-real-ip"
        }

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

            statement {
              or_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.api_load_test_v4.arn

                    ip_set_forwarded_ip_config {
                      fallback_behavior = "NO_MATCH"
                      header_name       = "x-real-ip"
                      position          = "FIRST"
                    }
                  }
                }

                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.api_load_test_v6.arn

                    ip_set_forwarded_ip_config {
                      fallback_behavior = "NO_MATCH"
                      header_name       = "x-real-ip"
                      position          = "FIRST"
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
      metric_name                = "api-login-load-test"
      sampled_requests_enabled   = true
    }
  }

  # api-search: /search*, everybody but load-test, by forwarded address and path
  rule {
    name     = "api-search"
    priority = 30

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "api-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.api_search_limit
        evaluation_window_sec = local.api_search_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
          forwarded_ip {}
        }

        custom_key {
          uri_path {
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

        forwarded_ip_config {
          fallback_behavior = "NO_MATCH"
          header_name       = "x-real-ip"
        }

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "STARTS_WITH"
                search_string         = "/search"

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
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.api_load_test_v4.arn

                    ip_set_forwarded_ip_config {
                      fallback_behavior = "NO_MATCH"
                      header_name       = "x-real-ip"
                      position          = "FIRST"
                    }
                  }
                }
              }
            }

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.api_load_test_v6.arn

                    ip_set_forwarded_ip_config {
                      fallback_behavior = "NO_MATCH"
                      header_name       = "x-real-ip"
                      position          = "FIRST"
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
      metric_name                = "api-search"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "api-acl"
    sampled_requests_enabled   = true
  }
}

output "api_acl_web_acl_arn" {
  description = "The web ACL, for what it stands before"
  value       = aws_wafv2_web_acl.api_acl.arn
}

resource "aws_wafv2_web_acl_association" "api_acl_load_balancer_1" {
  provider = aws.eu_central_1

  resource_arn = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188"
  web_acl_arn  = aws_wafv2_web_acl.api_acl.arn
}

resource "aws_wafv2_web_acl_association" "api_acl_api_2" {
  provider = aws.eu_central_1

  resource_arn = "arn:aws:apigateway:eu-central-1::/restapis/a1b2c3d4e5/stages/prod"
  web_acl_arn  = aws_wafv2_web_acl.api_acl.arn
}

data "aws_kinesis_firehose_delivery_stream" "api_logs" {
  provider = aws.eu_central_1

  name = "aws-waf-logs-api"
}

resource "aws_wafv2_web_acl_logging_configuration" "api_acl" {
  provider = aws.eu_central_1

  resource_arn            = aws_wafv2_web_acl.api_acl.arn
  log_destination_configs = [data.aws_kinesis_firehose_delivery_stream.api_logs.arn]

  redacted_fields {
    query_string {}
  }

  redacted_fields {
    single_header {
      name = "authorization"
    }
  }
}

data "aws_caller_identity" "api_alarms" {
  provider = aws.eu_central_1
}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "api_alarms" {
  provider = aws.eu_central_1

  name = "api-alarms"
}

resource "aws_sns_topic_policy" "api_alarms" {
  provider = aws.eu_central_1

  arn = aws_sns_topic.api_alarms.arn
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
        Resource = aws_sns_topic.api_alarms.arn
        Condition = {
          StringEquals = {
            "aws:SourceAccount" = data.aws_caller_identity.api_alarms.account_id
          }
        }
      },
    ]
  })
}

output "api_alarms_topic_arn" {
  description = "The SNS topic of the rate-limit alarms"
  value       = aws_sns_topic.api_alarms.arn
}

# A regional web ACL has metrics with a Region dimension: without it, an alarm sees no data and
# stays green. Figures are sent only when there is something to count.
resource "aws_cloudwatch_metric_alarm" "api_login" {
  provider = aws.eu_central_1

  alarm_name        = "api-login-over-limit"
  alarm_description = "More than 10 requests over the limit of api-login were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.api_acl.name
    Region = "eu-central-1"
    Rule   = "api-login"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 10
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.api_alarms.arn]
  ok_actions          = [aws_sns_topic.api_alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "api_login_load_test" {
  provider = aws.eu_central_1

  alarm_name        = "api-login-load-test-over-limit"
  alarm_description = "More than 10 requests over the limit of api-login-load-test were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.api_acl.name
    Region = "eu-central-1"
    Rule   = "api-login-load-test"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 10
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.api_alarms.arn]
  ok_actions          = [aws_sns_topic.api_alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "api_search" {
  provider = aws.eu_central_1

  alarm_name        = "api-search-over-limit"
  alarm_description = "More than 10 requests over the limit of api-search were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.api_acl.name
    Region = "eu-central-1"
    Rule   = "api-search"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 10
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.api_alarms.arn]
  ok_actions          = [aws_sns_topic.api_alarms.arn]
}

resource "aws_cloudwatch_dashboard" "api_limits" {
  provider = aws.eu_central_1

  dashboard_name = "api-limits"
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
          region = "eu-central-1"
          view   = "timeSeries"
          stat   = "Sum"
          period = 60
          metrics = [
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.api_acl.name,
              "Region",
              "eu-central-1",
              "Rule",
              "api-login",
              {
                label = "api-login"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.api_acl.name,
              "Region",
              "eu-central-1",
              "Rule",
              "api-login-load-test",
              {
                label = "api-login-load-test"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "WebACL",
              aws_wafv2_web_acl.api_acl.name,
              "Region",
              "eu-central-1",
              "Rule",
              "api-search",
              {
                label = "api-search"
              },
            ],
          ]
        }
      },
    ]
  })
}
