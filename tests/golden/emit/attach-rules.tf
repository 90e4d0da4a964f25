# Rate limits for somebody else's web ACL theirs in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check attach-rules.tf
#
# Uses 2 of 10 rate-based rules and about 108 of 5,000 WCU (an estimate; AWS decides).
# Costs 2.00 USD a month for the rules (pay as you go, prices of 2026-06-01).
#
# Please note:
# - Route `search`: pinned 300; the lock has no figures for the route.
# - Route `report`: pinned 60; the lock has no figures for the route.
# - Route `search`: it counts by address and header x-api-key. A request without header x-api-key is
# not counted at all, and a client that makes up a new one each time is never limited: a missing key
# is a bypass. Let something behind demand it, or add a route that counts by address.
#
# To do by hand:
# - For the owner of the web ACL: If the web ACL theirs is a Terraform resource anywhere, it needs
# lifecycle { ignore_changes = [rule] }; without it the owner's next apply removes our rules.
# - For you: A rule of the same name that is in theirs already is taken over, not refused; and the
# provider drops the web ACL's data_protection_config when it writes a rule
# (hashicorp/terraform-provider-aws#49388): check that it has none.

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
  # guest-search: /search*, by address and header x-api-key
  # Pinned in the policy: 300 requests per 300 s.
  # The lock has no figures for this route.
  guest_search_limit  = 300
  guest_search_window = 300

  # guest-report: /report*
  # Pinned in the policy: 60 requests per 300 s.
  # The lock has no figures for this route.
  guest_report_limit  = 60
  guest_report_window = 300
}

# Somebody else's web ACL. If it is a Terraform resource anywhere, it needs lifecycle {
# ignore_changes = [rule] }: without it the owner's next apply removes what is added here.
data "aws_wafv2_web_acl" "theirs" {
  provider = aws.us_east_1

  name  = "theirs"
  scope = "CLOUDFRONT"
}

# guest-search: /search*, by address and header x-api-key
resource "aws_wafv2_web_acl_rule" "guest_search" {
  provider = aws.us_east_1

  name        = "guest-search"
  priority    = 100
  web_acl_arn = data.aws_wafv2_web_acl.theirs.arn

  action {
    block {
      custom_response {
        response_code = 429

        response_header {
          name  = "Retry-After"
          value = "300"
        }
      }
    }
  }

  statement {
    rate_based_statement {
      limit                 = local.guest_search_limit
      evaluation_window_sec = local.guest_search_window
      aggregate_key_type    = "CUSTOM_KEYS"

      custom_keys {
        ip {}
      }

      custom_keys {
        header {
          name = "x-api-key"

          text_transformation {
            priority = 0
            type     = "NONE"
          }
        }
      }

      scope_down_statement {
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
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "guest-search"
    sampled_requests_enabled   = true
  }
}

# guest-report: /report* (counts only, stops nobody)
resource "aws_wafv2_web_acl_rule" "guest_report" {
  provider = aws.us_east_1

  name        = "guest-report"
  priority    = 110
  web_acl_arn = data.aws_wafv2_web_acl.theirs.arn

  action {
    count {}
  }

  statement {
    rate_based_statement {
      limit                 = local.guest_report_limit
      evaluation_window_sec = local.guest_report_window
      aggregate_key_type    = "IP"

      scope_down_statement {
        byte_match_statement {
          positional_constraint = "STARTS_WITH"
          search_string         = "/report"

          field_to_match {
            uri_path {}
          }

          text_transformation {
            priority = 0
            type     = "LOWERCASE"
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

data "aws_caller_identity" "guest_alarms" {
  provider = aws.us_east_1
}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "guest_alarms" {
  provider = aws.us_east_1

  name = "guest-alarms"
}

resource "aws_sns_topic_policy" "guest_alarms" {
  provider = aws.us_east_1

  arn = aws_sns_topic.guest_alarms.arn
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
        Resource = aws_sns_topic.guest_alarms.arn
        Condition = {
          StringEquals = {
            "aws:SourceAccount" = data.aws_caller_identity.guest_alarms.account_id
          }
        }
      },
    ]
  })
}

output "guest_alarms_topic_arn" {
  description = "The SNS topic of the rate-limit alarms"
  value       = aws_sns_topic.guest_alarms.arn
}

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
resource "aws_cloudwatch_metric_alarm" "guest_search" {
  provider = aws.us_east_1

  alarm_name        = "guest-search-over-limit"
  alarm_description = "Requests over the limit of guest-search were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = data.aws_wafv2_web_acl.theirs.name
    Rule   = "guest-search"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.guest_alarms.arn]
  ok_actions          = [aws_sns_topic.guest_alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "guest_report" {
  provider = aws.us_east_1

  alarm_name        = "guest-report-over-limit"
  alarm_description = "Requests over the limit of guest-report were counted within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "CountedRequests"
  dimensions = {
    WebACL = data.aws_wafv2_web_acl.theirs.name
    Rule   = "guest-report"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.guest_alarms.arn]
  ok_actions          = [aws_sns_topic.guest_alarms.arn]
}
