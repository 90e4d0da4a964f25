# Rate limits of the web ACL stage in front of CloudFront, environment stage.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --env stage --check whole-story-stage.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.stage.arn
#
# Uses 4 of 10 rate-based rules and about 280 of 5,000 WCU (an estimate; AWS decides).
# Costs 9.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
# With as many requests as the logs hold (114,144 in 168 hours): about 9.29 USD a month.
#
# Never limited:
# - /api/v2/search/webhooks/* (webhooks): left out of acl-stage-search, acl-stage-search-qa-runner
# - /healthz (health): no rule looks at that path
#
# Please note:
# - Route `token`: the networks changed since the logs were read (qa-runner changed): run `ratewaf
# analyze` again.
# - Route `search`: the networks changed since the logs were read (qa-runner changed): run `ratewaf
# analyze` again.
# - Route `search`: pinned 100: at or above every peak of these logs (largest 0): it never acts. The
# logs give no limit (too few clients).

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
  # acl-stage-token: GET /api/v1/token, everybody but qa-runner
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
  acl_stage_token_limit  = 300
  acl_stage_token_window = 300

  # acl-stage-token-qa-runner: GET /api/v1/token, qa-runner only
  # Counts the network `qa-runner` only. 3,000 (10 per second): 10x the main limit 300.
  # Before it changed, it did not occur in the logs of this route.
  acl_stage_token_qa_runner_limit  = 3000
  acl_stage_token_qa_runner_window = 300

  # acl-stage-search: GET,HEAD /api/v2/search*, everybody but qa-runner
  # Pinned in the policy: 100 requests per 300 s. The logs propose no limit.
  # Grade none; 0 clients and 0 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 0, 90 % 0, 99 % 0, largest 0.
  acl_stage_search_limit  = 100
  acl_stage_search_window = 300

  # acl-stage-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
  # Counts the network `qa-runner` only. 1,000 (3.33 per second): 10x the main limit 100.
  # Before it changed, it did not occur in the logs of this route.
  acl_stage_search_qa_runner_limit  = 1000
  acl_stage_search_qa_runner_window = 300
}

# qa-runner (tester), not counted by acl-stage-token, acl-stage-search, counted alone by
# acl-stage-token-qa-runner, acl-stage-search-qa-runner
resource "aws_wafv2_ip_set" "acl_stage_qa_runner_v4" {
  provider = aws.us_east_1

  name               = "acl-stage-qa-runner-v4"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV4"
  addresses          = ["203.0.113.9/32"]
}

resource "aws_wafv2_web_acl" "stage" {
  provider = aws.us_east_1

  name        = "stage"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  default_action {
    allow {}
  }

  custom_response_body {
    key          = "acl-stage-limited"
    content_type = "APPLICATION_JSON"
    content      = "{\"error\":\"too_many_requests\",\"message\":\"Rate limit exceeded. Try again later.\"}"
  }

  # acl-stage-token: GET /api/v1/token, everybody but qa-runner
  rule {
    name     = "acl-stage-token"
    priority = 10

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-stage-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-stage-token\";q=%d;w=%d", local.acl_stage_token_limit, local.acl_stage_token_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_stage_token_limit
        evaluation_window_sec = local.acl_stage_token_window
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
                    arn = aws_wafv2_ip_set.acl_stage_qa_runner_v4.arn
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
      metric_name                = "acl-stage-token"
      sampled_requests_enabled   = true
    }
  }

  # acl-stage-token-qa-runner: GET /api/v1/token, qa-runner only
  rule {
    name     = "acl-stage-token-qa-runner"
    priority = 20

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-stage-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-stage-token-qa-runner\";q=%d;w=%d", local.acl_stage_token_qa_runner_limit, local.acl_stage_token_qa_runner_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_stage_token_qa_runner_limit
        evaluation_window_sec = local.acl_stage_token_qa_runner_window
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
              ip_set_reference_statement {
                arn = aws_wafv2_ip_set.acl_stage_qa_runner_v4.arn
              }
            }
          }
        }
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "acl-stage-token-qa-runner"
      sampled_requests_enabled   = true
    }
  }

  # acl-stage-search: GET,HEAD /api/v2/search*, everybody but qa-runner
  rule {
    name     = "acl-stage-search"
    priority = 30

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-stage-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-stage-search\";q=%d;w=%d", local.acl_stage_search_limit, local.acl_stage_search_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_stage_search_limit
        evaluation_window_sec = local.acl_stage_search_window
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
                    arn = aws_wafv2_ip_set.acl_stage_qa_runner_v4.arn
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
      metric_name                = "acl-stage-search"
      sampled_requests_enabled   = true
    }
  }

  # acl-stage-search-qa-runner: GET,HEAD /api/v2/search*, qa-runner only
  rule {
    name     = "acl-stage-search-qa-runner"
    priority = 40

    action {
      block {
        custom_response {
          response_code            = 429
          custom_response_body_key = "acl-stage-limited"

          response_header {
            name  = "Retry-After"
            value = "300"
          }

          response_header {
            name  = "RateLimit-Policy"
            value = format("\"acl-stage-search-qa-runner\";q=%d;w=%d", local.acl_stage_search_qa_runner_limit, local.acl_stage_search_qa_runner_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_stage_search_qa_runner_limit
        evaluation_window_sec = local.acl_stage_search_qa_runner_window
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
              ip_set_reference_statement {
                arn = aws_wafv2_ip_set.acl_stage_qa_runner_v4.arn
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
      metric_name                = "acl-stage-search-qa-runner"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "stage"
    sampled_requests_enabled   = true
  }
}

output "stage_web_acl_arn" {
  description = "The web_acl_id of a CloudFront distribution"
  value       = aws_wafv2_web_acl.stage.arn
}

data "aws_caller_identity" "acl_stage_alarms" {
  provider = aws.us_east_1
}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "acl_stage_alarms" {
  provider = aws.us_east_1

  name = "acl-stage-alarms"
}

resource "aws_sns_topic_policy" "acl_stage_alarms" {
  provider = aws.us_east_1

  arn = aws_sns_topic.acl_stage_alarms.arn
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
        Resource = aws_sns_topic.acl_stage_alarms.arn
        Condition = {
          StringEquals = {
            "aws:SourceAccount" = data.aws_caller_identity.acl_stage_alarms.account_id
          }
        }
      },
    ]
  })
}

output "acl_stage_alarms_topic_arn" {
  description = "The SNS topic of the rate-limit alarms"
  value       = aws_sns_topic.acl_stage_alarms.arn
}

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
# Tells nobody until the end of 2027-01-31: the login loop, bug 4711
resource "aws_cloudwatch_metric_alarm" "acl_stage_token" {
  provider = aws.us_east_1

  alarm_name        = "acl-stage-token-over-limit"
  alarm_description = "Requests over the limit of acl-stage-token were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.stage.name
    Rule   = "acl-stage-token"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  actions_enabled     = false
  alarm_actions       = [aws_sns_topic.acl_stage_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_stage_alarms.arn]
}

# Tells nobody until the end of 2027-01-31: the login loop, bug 4711
resource "aws_cloudwatch_metric_alarm" "acl_stage_token_qa_runner" {
  provider = aws.us_east_1

  alarm_name        = "acl-stage-token-qa-runner-over-limit"
  alarm_description = "Requests over the limit of acl-stage-token-qa-runner were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.stage.name
    Rule   = "acl-stage-token-qa-runner"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  actions_enabled     = false
  alarm_actions       = [aws_sns_topic.acl_stage_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_stage_alarms.arn]
}

# Tells nobody until the end of 2027-01-31: the login loop, bug 4711
resource "aws_cloudwatch_metric_alarm" "acl_stage_search" {
  provider = aws.us_east_1

  alarm_name        = "acl-stage-search-over-limit"
  alarm_description = "Requests over the limit of acl-stage-search were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.stage.name
    Rule   = "acl-stage-search"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  actions_enabled     = false
  alarm_actions       = [aws_sns_topic.acl_stage_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_stage_alarms.arn]
}

# Tells nobody until the end of 2027-01-31: the login loop, bug 4711
resource "aws_cloudwatch_metric_alarm" "acl_stage_search_qa_runner" {
  provider = aws.us_east_1

  alarm_name        = "acl-stage-search-qa-runner-over-limit"
  alarm_description = "Requests over the limit of acl-stage-search-qa-runner were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.stage.name
    Rule   = "acl-stage-search-qa-runner"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  actions_enabled     = false
  alarm_actions       = [aws_sns_topic.acl_stage_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_stage_alarms.arn]
}

data "aws_caller_identity" "acl_stage_permissions" {
  provider = aws.us_east_1
}

data "aws_partition" "acl_stage_permissions" {
  provider = aws.us_east_1
}

# What terraform plan reads of stage
# - wafv2:GetWebACL: Terraform compares the web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:GetIPSet: Terraform compares the addresses at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - cloudwatch:DescribeAlarms: Terraform compares the alarms at every plan
# - cloudwatch:ListTagsForResource: and their tags
# - sns:GetTopicAttributes: Terraform compares the topic and its policy
# - sns:ListTagsForResource: and its tags
resource "aws_iam_policy" "acl_stage_ci_plan" {
  provider = aws.us_east_1

  name        = "acl-stage-ci-plan"
  description = "What terraform plan reads of stage"
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*"]
      },
      {
        Sid    = "IpSets"
        Effect = "Allow"
        Action = [
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/ipset/acl-stage-*/*"]
      },
      {
        Sid    = "Alarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DescribeAlarms",
          "cloudwatch:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:alarm:acl-stage-*"]
      },
      {
        Sid    = "AlarmTopic"
        Effect = "Allow"
        Action = [
          "sns:GetTopicAttributes",
          "sns:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:sns:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:acl-stage-alarms"]
      },
    ]
  })
}

# What terraform apply reads and writes of stage
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
resource "aws_iam_policy" "acl_stage_ci_apply" {
  provider = aws.us_east_1

  name        = "acl-stage-ci-apply"
  description = "What terraform apply reads and writes of stage"
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*"]
      },
      {
        Sid    = "WebAclWrite"
        Effect = "Allow"
        Action = [
          "wafv2:CreateWebACL",
          "wafv2:UpdateWebACL",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*",
          "arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/ipset/acl-stage-*/*",
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/ipset/acl-stage-*/*"]
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:alarm:acl-stage-*"]
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:sns:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:acl-stage-alarms"]
      },
    ]
  })
}

# What ratewaf status and apply do to stage
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
resource "aws_iam_policy" "acl_stage_ratewaf" {
  provider = aws.us_east_1

  name        = "acl-stage-ratewaf"
  description = "What ratewaf status and apply do to stage"
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*"]
      },
      {
        Sid    = "StatusIpSets"
        Effect = "Allow"
        Action = [
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/ipset/acl-stage-*/*"]
      },
      {
        Sid      = "StatusAlarms"
        Effect   = "Allow"
        Action   = ["cloudwatch:DescribeAlarms"]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:alarm:acl-stage-*"]
      },
      {
        Sid      = "StatusDistribution"
        Effect   = "Allow"
        Action   = ["cloudfront:GetDistributionConfig"]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudfront::${data.aws_caller_identity.acl_stage_permissions.account_id}:distribution/*"]
      },
      {
        Sid      = "StatusLogging"
        Effect   = "Allow"
        Action   = ["wafv2:GetLoggingConfiguration"]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*"]
      },
      {
        Sid      = "StatusEveryAlarm"
        Effect   = "Allow"
        Action   = ["cloudwatch:DescribeAlarms"]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:alarm:*"]
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
          "arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*",
          "arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/ipset/acl-stage-*/*",
        ]
      },
      {
        Sid    = "ApplyRecords"
        Effect = "Allow"
        Action = [
          "wafv2:TagResource",
          "wafv2:UntagResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/webacl/stage/*"]
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
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:global/ipset/acl-stage-*/*"]
      },
      {
        Sid    = "ApplyAlarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DeleteAlarms",
          "cloudwatch:PutMetricAlarm",
        ]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_stage_permissions.account_id}:alarm:acl-stage-*"]
      },
      {
        Sid      = "ApplyDistribution"
        Effect   = "Allow"
        Action   = ["cloudfront:AssociateDistributionWebACL"]
        Resource = ["arn:${data.aws_partition.acl_stage_permissions.partition}:cloudfront::${data.aws_caller_identity.acl_stage_permissions.account_id}:distribution/*"]
      },
    ]
  })
}

output "acl_stage_ci_plan_policy_arn" {
  description = "What terraform plan reads of stage"
  value       = aws_iam_policy.acl_stage_ci_plan.arn
}

output "acl_stage_ci_apply_policy_arn" {
  description = "What terraform apply reads and writes of stage"
  value       = aws_iam_policy.acl_stage_ci_apply.arn
}

output "acl_stage_ratewaf_policy_arn" {
  description = "What ratewaf status and apply do to stage"
  value       = aws_iam_policy.acl_stage_ratewaf.arn
}
