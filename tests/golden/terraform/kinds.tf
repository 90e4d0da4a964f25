# Rate limits of the web ACL prod in front of CloudFront.
# From ratewaf.yaml and ratewaf.lock.json.
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check waf.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 5 of 10 rate-based rules and about 213 of 5,000 WCU (an estimate; AWS decides).
# Costs 10.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
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
  # acl-strict: GET /Strict/Path
  # 60 requests per 300 s (12 per minute): 1.60x above the busiest normal client (187), 1.56x below
  # the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_strict_limit  = 60
  acl_strict_window = 60

  # acl-regex: POST ~^/v[0-9]+/login$
  # 100 requests per 300 s (20 per minute): 1.60x above the busiest normal client (187), 1.56x below
  # the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_regex_limit  = 100
  acl_regex_window = 120

  # acl-host: GET shop.example/api/*
  # 500 requests per 300 s (1.67 per second): 1.60x above the busiest normal client (187), 1.56x
  # below the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_host_limit  = 500
  acl_host_window = 300

  # acl-php: *.php
  # 10 requests per 300 s (2 per minute): 1.60x above the busiest normal client (187), 1.56x below
  # the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_php_limit  = 10
  acl_php_window = 600

  # acl-report: GET,POST */report/*
  # 1000 requests per 300 s (3.33 per second): 1.60x above the busiest normal client (187), 1.56x
  # below the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_report_limit  = 1000
  acl_report_window = 300
}

resource "aws_wafv2_web_acl" "prod" {
  provider = aws.us_east_1

  name        = "prod"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  default_action {
    allow {}
  }

  # acl-strict: GET /Strict/Path
  rule {
    name     = "acl-strict"
    priority = 10

    action {
      block {
        custom_response {
          response_code = 503
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_strict_limit
        evaluation_window_sec = local.acl_strict_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "EXACTLY"
                search_string         = "/strict/path"

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
      metric_name                = "acl-strict"
      sampled_requests_enabled   = true
    }
  }

  # acl-regex: POST ~^/v[0-9]+/login$
  rule {
    name     = "acl-regex"
    priority = 20

    action {
      block {
        custom_response {
          response_code = 503
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_regex_limit
        evaluation_window_sec = local.acl_regex_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              regex_match_statement {
                regex_string = "^/v[0-9]+/login$"

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
      metric_name                = "acl-regex"
      sampled_requests_enabled   = true
    }
  }

  # acl-host: GET shop.example/api/*
  rule {
    name     = "acl-host"
    priority = 30

    action {
      challenge {}
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_host_limit
        evaluation_window_sec = local.acl_host_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "STARTS_WITH"
                search_string         = "/api/"

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
                search_string         = "shop.example"

                field_to_match {
                  single_header {
                    name = "host"
                  }
                }

                text_transformation {
                  priority = 0
                  type     = "LOWERCASE"
                }
              }
            }
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-host"
      sampled_requests_enabled   = true
    }
  }

  # acl-php: *.php
  rule {
    name     = "acl-php"
    priority = 40

    action {
      captcha {}
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_php_limit
        evaluation_window_sec = local.acl_php_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          or_statement {
            statement {
              byte_match_statement {
                positional_constraint = "ENDS_WITH"
                search_string         = ".php"

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
                positional_constraint = "ENDS_WITH"
                search_string         = ".php/"

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

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-php"
      sampled_requests_enabled   = true
    }
  }

  # acl-report: GET,POST */report/* (counts only, stops nobody)
  rule {
    name     = "acl-report"
    priority = 50

    action {
      count {}
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_report_limit
        evaluation_window_sec = local.acl_report_window
        aggregate_key_type    = "IP"

        scope_down_statement {
          and_statement {
            statement {
              byte_match_statement {
                positional_constraint = "CONTAINS"
                search_string         = "/report/"

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
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-report"
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
resource "aws_cloudwatch_metric_alarm" "acl_strict" {
  provider = aws.us_east_1

  alarm_name        = "acl-strict-over-limit"
  alarm_description = "Requests over the limit of acl-strict were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-strict"
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

resource "aws_cloudwatch_metric_alarm" "acl_regex" {
  provider = aws.us_east_1

  alarm_name        = "acl-regex-over-limit"
  alarm_description = "Requests over the limit of acl-regex were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-regex"
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

resource "aws_cloudwatch_metric_alarm" "acl_host" {
  provider = aws.us_east_1

  alarm_name        = "acl-host-over-limit"
  alarm_description = "Requests over the limit of acl-host were challenged within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "ChallengeRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-host"
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

resource "aws_cloudwatch_metric_alarm" "acl_php" {
  provider = aws.us_east_1

  alarm_name        = "acl-php-over-limit"
  alarm_description = "Requests over the limit of acl-php were given a CAPTCHA within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "CaptchaRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-php"
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

resource "aws_cloudwatch_metric_alarm" "acl_report" {
  provider = aws.us_east_1

  alarm_name        = "acl-report-over-limit"
  alarm_description = "Requests over the limit of acl-report were counted within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "CountedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-report"
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
