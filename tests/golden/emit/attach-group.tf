# Rate limits for somebody else's web ACL theirs in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check attach-group.tf
#
# Uses 5 of 10 rate-based rules and about 243 of 5,000 WCU (an estimate; AWS decides).
# Costs 7.00 USD a month for the rule group and its rules (pay as you go, prices of 2026-06-01).
#
# Please note:
# - Route `login`: pinned 30; the lock has no figures for the route.
# - Route `search`: pinned 300; the lock has no figures for the route.
# - Route `report`: pinned 60; the lock has no figures for the route.
# - Route `report`: no rule counts the tester network `load-test`, because it has no twin here.
#
# To do by hand:
# - For the owner of the web ACL: If our group is added from outside, and the web ACL theirs is a
# Terraform resource anywhere, it needs lifecycle { ignore_changes = [rule] }; without it the
# owner's next apply removes our rules. Where the owner writes the reference to our group into that
# resource, it must not have that line: Terraform would never add the rule.

terraform {
  required_version = ">= 1.5.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.38.0, < 7.0.0"
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
  # guest-login: POST /login, everybody but load-test
  # Pinned in the policy: 30 requests per 300 s.
  # The lock has no figures for this route.
  guest_login_limit  = 30
  guest_login_window = 300

  # guest-login-load-test: POST /login, load-test only
  # Counts the network `load-test` only. 300 (1 per second): 10x the main limit 30.
  # The logs were read without this network, so its peak is not known.
  guest_login_load_test_limit  = 300
  guest_login_load_test_window = 300

  # guest-search: /search*, everybody but load-test
  # Pinned in the policy: 300 requests per 300 s.
  # The lock has no figures for this route.
  guest_search_limit  = 300
  guest_search_window = 300

  # guest-search-load-test: /search*, load-test only
  # Counts the network `load-test` only. 3,000 (10 per second): 10x the main limit 300.
  # The logs were read without this network, so its peak is not known.
  guest_search_load_test_limit  = 3000
  guest_search_load_test_window = 300

  # guest-report: /report*, everybody but load-test
  # Pinned in the policy: 60 requests per 300 s.
  # The lock has no figures for this route.
  guest_report_limit  = 60
  guest_report_window = 300

  # Where the alarms report.
  guest_alarm_topic_arn = "arn:aws:sns:us-east-1:123456789012:alerts"
}

# load-test (tester), not counted by guest-login, guest-search, guest-report, counted alone by
# guest-login-load-test, guest-search-load-test
resource "aws_wafv2_ip_set" "guest_load_test_v4" {
  provider = aws.us_east_1

  name               = "guest-load-test-v4"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV4"
  addresses          = ["192.0.2.0/28"]
}

# Somebody else's web ACL. If it is a Terraform resource anywhere, it needs lifecycle {
# ignore_changes = [rule] }: without it the owner's next apply removes what is added here.
data "aws_wafv2_web_acl" "theirs" {
  provider = aws.us_east_1

  name  = "theirs"
  scope = "CLOUDFRONT"
}

resource "aws_wafv2_rule_group" "guest_limits" {
  provider = aws.us_east_1

  name        = "guest-limits"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  # More than the rules use: the capacity cannot be changed without a new group, which AWS refuses
  # while a web ACL uses the old one.
  capacity = 500

  custom_response_body {
    key          = "guest-limited"
    content_type = "APPLICATION_JSON"
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Rate limit exceeded. Try again later.\"}"
  }

  # guest-login: POST /login, everybody but load-test
  rule {
    name     = "guest-login"
    priority = 10

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "guest-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.guest_login_limit
        evaluation_window_sec = local.guest_login_window
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

            statement {
              not_statement {
                statement {
                  ip_set_reference_statement {
                    arn = aws_wafv2_ip_set.guest_load_test_v4.arn
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
      metric_name                = "guest-login"
      sampled_requests_enabled   = true
    }
  }

  # guest-login-load-test: POST /login, load-test only
  rule {
    name     = "guest-login-load-test"
    priority = 20

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "guest-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.guest_login_load_test_limit
        evaluation_window_sec = local.guest_login_load_test_window
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

            statement {
              ip_set_reference_statement {
                arn = aws_wafv2_ip_set.guest_load_test_v4.arn
              }
            }
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "guest-login-load-test"
      sampled_requests_enabled   = true
    }
  }

  # guest-search: /search*, everybody but load-test (counts only, stops nobody)
  rule {
    name     = "guest-search"
    priority = 30

    action {
      count {}
    }

    statement {
      rate_based_statement {
        limit                 = local.guest_search_limit
        evaluation_window_sec = local.guest_search_window
        aggregate_key_type    = "IP"

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
                    arn = aws_wafv2_ip_set.guest_load_test_v4.arn
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
      metric_name                = "guest-search"
      sampled_requests_enabled   = true
    }
  }

  # guest-search-load-test: /search*, load-test only (counts only, stops nobody)
  rule {
    name     = "guest-search-load-test"
    priority = 40

    action {
      count {}
    }

    statement {
      rate_based_statement {
        limit                 = local.guest_search_load_test_limit
        evaluation_window_sec = local.guest_search_load_test_window
        aggregate_key_type    = "IP"

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
              ip_set_reference_statement {
                arn = aws_wafv2_ip_set.guest_load_test_v4.arn
              }
            }
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "guest-search-load-test"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "guest-limits"
    sampled_requests_enabled   = true
  }
}

resource "aws_wafv2_web_acl_rule_group_association" "guest_limits" {
  provider = aws.us_east_1

  rule_name   = "guest-limits"
  priority    = 100
  web_acl_arn = data.aws_wafv2_web_acl.theirs.arn

  # Each rule acts as it says itself.
  override_action = "none"

  rule_group_reference {
    arn = aws_wafv2_rule_group.guest_limits.arn
  }
}

output "guest_limits_arn" {
  description = "The rule group, for rules that refer to it"
  value       = aws_wafv2_rule_group.guest_limits.arn
}

resource "aws_wafv2_rule_group" "guest_limits_2" {
  provider = aws.us_east_1

  name        = "guest-limits-2"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  # More than the rules use: the capacity cannot be changed without a new group, which AWS refuses
  # while a web ACL uses the old one.
  capacity = 250

  custom_response_body {
    key          = "guest-limited"
    content_type = "APPLICATION_JSON"
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Rate limit exceeded. Try again later.\"}"
  }

  # guest-report: /report*, everybody but load-test
  rule {
    name     = "guest-report"
    priority = 50

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "guest-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.guest_report_limit
        evaluation_window_sec = local.guest_report_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "STARTS_WITH"
                search_string         = "/report"

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
                    arn = aws_wafv2_ip_set.guest_load_test_v4.arn
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
      metric_name                = "guest-report"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "guest-limits-2"
    sampled_requests_enabled   = true
  }
}

resource "aws_wafv2_web_acl_rule_group_association" "guest_limits_2" {
  provider = aws.us_east_1

  rule_name   = "guest-limits-2"
  priority    = 110
  web_acl_arn = data.aws_wafv2_web_acl.theirs.arn

  # Each rule acts as it says itself.
  override_action = "none"

  rule_group_reference {
    arn = aws_wafv2_rule_group.guest_limits_2.arn
  }
}

output "guest_limits_2_arn" {
  description = "The rule group, for rules that refer to it"
  value       = aws_wafv2_rule_group.guest_limits_2.arn
}

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
resource "aws_cloudwatch_metric_alarm" "guest_login" {
  provider = aws.us_east_1

  alarm_name        = "guest-login-over-limit"
  alarm_description = "Requests over the limit of guest-login were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    RuleGroup = aws_wafv2_rule_group.guest_limits.name
    Rule      = "guest-login"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [local.guest_alarm_topic_arn]
  ok_actions          = [local.guest_alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "guest_login_load_test" {
  provider = aws.us_east_1

  alarm_name        = "guest-login-load-test-over-limit"
  alarm_description = "Requests over the limit of guest-login-load-test were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    RuleGroup = aws_wafv2_rule_group.guest_limits.name
    Rule      = "guest-login-load-test"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [local.guest_alarm_topic_arn]
  ok_actions          = [local.guest_alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "guest_search" {
  provider = aws.us_east_1

  alarm_name        = "guest-search-over-limit"
  alarm_description = "Requests over the limit of guest-search were counted within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "CountedRequests"
  dimensions = {
    RuleGroup = aws_wafv2_rule_group.guest_limits.name
    Rule      = "guest-search"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [local.guest_alarm_topic_arn]
  ok_actions          = [local.guest_alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "guest_search_load_test" {
  provider = aws.us_east_1

  alarm_name        = "guest-search-load-test-over-limit"
  alarm_description = "Requests over the limit of guest-search-load-test were counted within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "CountedRequests"
  dimensions = {
    RuleGroup = aws_wafv2_rule_group.guest_limits.name
    Rule      = "guest-search-load-test"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [local.guest_alarm_topic_arn]
  ok_actions          = [local.guest_alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "guest_report" {
  provider = aws.us_east_1

  alarm_name        = "guest-report-over-limit"
  alarm_description = "Requests over the limit of guest-report were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    RuleGroup = aws_wafv2_rule_group.guest_limits_2.name
    Rule      = "guest-report"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [local.guest_alarm_topic_arn]
  ok_actions          = [local.guest_alarm_topic_arn]
}

resource "aws_cloudwatch_dashboard" "guest_limits" {
  provider = aws.us_east_1

  dashboard_name = "guest-limits"
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
              "RuleGroup",
              aws_wafv2_rule_group.guest_limits.name,
              "Rule",
              "guest-login",
              {
                label = "guest-login"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "RuleGroup",
              aws_wafv2_rule_group.guest_limits.name,
              "Rule",
              "guest-login-load-test",
              {
                label = "guest-login-load-test"
              },
            ],
            [
              "AWS/WAFV2",
              "BlockedRequests",
              "RuleGroup",
              aws_wafv2_rule_group.guest_limits_2.name,
              "Rule",
              "guest-report",
              {
                label = "guest-report"
              },
            ],
          ]
        }
      },
      {
        type   = "metric"
        x      = 0
        y      = 6
        width  = 24
        height = 6
        properties = {
          title  = "Counted requests: over the limit of a rule that stops nobody"
          region = "us-east-1"
          view   = "timeSeries"
          stat   = "Sum"
          period = 60
          metrics = [
            [
              "AWS/WAFV2",
              "CountedRequests",
              "RuleGroup",
              aws_wafv2_rule_group.guest_limits.name,
              "Rule",
              "guest-search",
              {
                label = "guest-search"
              },
            ],
            [
              "AWS/WAFV2",
              "CountedRequests",
              "RuleGroup",
              aws_wafv2_rule_group.guest_limits.name,
              "Rule",
              "guest-search-load-test",
              {
                label = "guest-search-load-test"
              },
            ],
          ]
        }
      },
    ]
  })
}
