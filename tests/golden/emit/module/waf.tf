# Rate limits of the web ACL prod in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --module --check module/
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

# qa-runner (tester, until 2027-03-01), not counted by acl-token, acl-search, counted alone by
# acl-token-qa-runner, acl-search-qa-runner
resource "aws_wafv2_ip_set" "acl_qa_runner_v4" {
  provider = aws.us_east_1

  name               = "acl-qa-runner-v4"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV4"
  addresses          = ["198.51.100.20/32"]
  tags               = var.acl_tags
}

resource "aws_wafv2_ip_set" "acl_qa_runner_v6" {
  provider = aws.us_east_1

  name               = "acl-qa-runner-v6"
  scope              = "CLOUDFRONT"
  ip_address_version = "IPV6"
  addresses          = ["2001:db8:7::/64"]
  tags               = var.acl_tags
}

resource "aws_wafv2_web_acl" "prod" {
  provider = aws.us_east_1

  name        = "prod"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"
  tags        = var.acl_tags

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
            value = format("\"acl-token\";q=%d;w=%d", var.acl_token_limit, var.acl_token_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = var.acl_token_limit
        evaluation_window_sec = var.acl_token_window
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
            value = format("\"acl-token-qa-runner\";q=%d;w=%d", var.acl_token_qa_runner_limit, var.acl_token_qa_runner_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = var.acl_token_qa_runner_limit
        evaluation_window_sec = var.acl_token_qa_runner_window
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
            value = format("\"acl-search\";q=%d;w=%d", var.acl_search_limit, var.acl_search_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = var.acl_search_limit
        evaluation_window_sec = var.acl_search_window
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
            value = format("\"acl-search-qa-runner\";q=%d;w=%d", var.acl_search_qa_runner_limit, var.acl_search_qa_runner_window)
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = var.acl_search_qa_runner_limit
        evaluation_window_sec = var.acl_search_qa_runner_window
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

resource "aws_cloudwatch_log_group" "acl_logs" {
  provider = aws.us_east_1

  name              = "aws-waf-logs-acl"
  retention_in_days = 90
  tags              = var.acl_tags
}

# Kept are the requests that a rule acted on, also those that it only counted: the evidence for the
# limits in force.
resource "aws_wafv2_web_acl_logging_configuration" "prod" {
  provider = aws.us_east_1

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
