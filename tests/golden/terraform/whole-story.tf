# Rate limits of the web ACL prod in front of CloudFront.
# From ratewaf.yaml and ratewaf.lock.json.
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check waf.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.prod.arn
#
# Uses 3 of 10 rate-based rules and about 212 of 5,000 WCU (an estimate; AWS decides).
# Costs 8.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
#
# Never limited:
# - /api/webhooks/* (webhooks): left out of acl-api
# - /healthz (health): no rule looks at that path
#
# Please note:
# - GET /feed.json: no rule, as there is no gap (two classes of clients).

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
  # acl-token-qa-runner: GET,HEAD /oauth/token, qa-runner only
  # The larger of 10x the main limit and 2x the busiest tester.
  acl_token_qa_runner_limit  = 3000
  acl_token_qa_runner_window = 300

  # acl-token: GET,HEAD /oauth/token, everybody but qa-runner
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

  # acl-api: /api/*, everybody but qa-runner
  # 2000 requests per 300 s (6.67 per second): 1.60x above the busiest normal client (187), 1.56x
  # below the weakest abusive one (468)
  # Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.
  # Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383.
  # The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin 1.56x; 11
  # clients above it; clients above the proposed limit sent 36 % of the requests.
  # Peaks just below the proposed limit: 187, 128, 103, 99, 88.
  # Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.
  acl_api_limit  = 2000
  acl_api_window = 300

  # Where the alarms report.
  acl_alarm_topic_arn = "arn:aws:sns:us-east-1:123456789012:alerts"
}

# qa-runner (tester, until 2027-03-01), not counted by acl-token, acl-api, counted alone by
# acl-token-qa-runner
resource "aws_wafv2_ip_set" "acl_qa_runner_v4" {
  provider = aws.us_east_1

  name               = "acl-qa-runner-v4"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV4"
  addresses          = ["203.0.113.10/31"]
}

resource "aws_wafv2_ip_set" "acl_qa_runner_v6" {
  provider = aws.us_east_1

  name               = "acl-qa-runner-v6"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV6"
  addresses          = ["2001:db8:7::/64"]
}

# unused (tester, until 2027-03-01): no rule names it now. AWS deletes no set that is still in use,
# and Terraform deletes it before it updates the rules; so it stays while the policy has it. Apply
# this, then remove the network from the policy.
resource "aws_wafv2_ip_set" "acl_unused_v4" {
  provider = aws.us_east_1

  name               = "acl-unused-v4"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV4"
  addresses          = ["192.0.2.0/24"]
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

  # acl-token-qa-runner: GET,HEAD /oauth/token, qa-runner only
  rule {
    name     = "acl-token-qa-runner"
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

  # acl-token: GET,HEAD /oauth/token, everybody but qa-runner
  rule {
    name     = "acl-token"
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

  # acl-api: /api/*, everybody but qa-runner
  rule {
    name     = "acl-api"
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
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.acl_api_limit
        evaluation_window_sec = local.acl_api_window
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
                    search_string         = "/api/webhooks/"

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
      metric_name                = "acl-api"
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

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
resource "aws_cloudwatch_metric_alarm" "acl_token_qa_runner" {
  provider = aws.us_east_1

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
  alarm_actions       = [local.acl_alarm_topic_arn]
  ok_actions          = [local.acl_alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "acl_token" {
  provider = aws.us_east_1

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
  alarm_actions       = [local.acl_alarm_topic_arn]
  ok_actions          = [local.acl_alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "acl_api" {
  provider = aws.us_east_1

  alarm_name        = "acl-api-over-limit"
  alarm_description = "Requests over the limit of acl-api were blocked within 5 minutes"
  namespace         = "AWS/WAFV2"
  metric_name       = "BlockedRequests"
  dimensions = {
    WebACL = aws_wafv2_web_acl.prod.name
    Rule   = "acl-api"
  }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  treat_missing_data  = "notBreaching"
  alarm_actions       = [local.acl_alarm_topic_arn]
  ok_actions          = [local.acl_alarm_topic_arn]
}
