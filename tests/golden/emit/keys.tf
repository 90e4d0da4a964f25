# Rate limits of the web ACL keys-acl in front of CloudFront.
# Policy: ratewaf.yaml
# Evidence: 114,144 log lines from 8 Sep 2026 to 14 Sep 2026, fingerprint 13c34bc40acce337
# Written by ratewaf emit: change the policy and emit again, not this file.
# To compare the two: ratewaf emit --check keys.tf
# For a distribution: web_acl_id = aws_wafv2_web_acl.keys_acl.arn
#
# Uses 6 of 10 rate-based rules and about 534 of 5,000 WCU (an estimate; AWS decides).
# Costs 11.00 USD a month for the web ACL and its rules, and 0.60 USD per million requests to the
# distribution (pay as you go, prices of 2026-06-01).
# With as many requests as the logs hold (114,144 in 168 hours): about 11.29 USD a month.
#
# Please note:
# - Route `header`: pinned 100; the lock has no figures for the route.
# - Route `cookie`: pinned 100; the lock has no figures for the route.
# - Route `argument`: pinned 100; the lock has no figures for the route.
# - Route `path`: pinned 100; the lock has no figures for the route.
# - Route `tls`: pinned 100; the lock has no figures for the route.
# - Route `label`: pinned 100; the lock has no figures for the route.
# - Route `header`: it counts by header x-api-key. A request without header x-api-key is not counted
# at all, and a client that makes up a new one each time is never limited: a missing key is a
# bypass. Let something behind demand it, or add a route that counts by address.
# - Route `cookie`: it counts by address and cookie Session. A request without cookie Session is not
# counted at all, and a client that makes up a new one each time is never limited: a missing key is
# a bypass. Let something behind demand it, or add a route that counts by address.
# - Route `argument`: it counts by query argument id and query string. A request without query
# argument id or without query string is not counted at all, and a client that makes up a new one
# each time is never limited: a missing key is a bypass. Let something behind demand it, or add a
# route that counts by address.
# - Route `label`: only requests that an earlier rule of the web ACL has labelled are counted.

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
  # keys-header: /header/*, by header x-api-key
  # Pinned in the policy: 100 requests per 300 s.
  # The lock has no figures for this route.
  keys_header_limit  = 100
  keys_header_window = 300

  # keys-cookie: /cookie/*, by address and cookie Session
  # Pinned in the policy: 100 requests per 300 s.
  # The lock has no figures for this route.
  keys_cookie_limit  = 100
  keys_cookie_window = 300

  # keys-argument: /argument/*, by query argument id and query string
  # Pinned in the policy: 100 requests per 300 s.
  # The lock has no figures for this route.
  keys_argument_limit  = 100
  keys_argument_window = 300

  # keys-path: /path/*, by address and path and method
  # Pinned in the policy: 100 requests per 300 s.
  # The lock has no figures for this route.
  keys_path_limit  = 100
  keys_path_window = 300

  # keys-tls: /tls/*, by JA3 fingerprint and JA4 fingerprint
  # Pinned in the policy: 100 requests per 300 s.
  # The lock has no figures for this route.
  keys_tls_limit  = 100
  keys_tls_window = 300

  # keys-label: /label/*, by labels of awswaf:managed:aws:bot-control:bot:name:
  # Pinned in the policy: 100 requests per 300 s.
  # The lock has no figures for this route.
  keys_label_limit  = 100
  keys_label_window = 300
}

resource "aws_wafv2_web_acl" "keys_acl" {
  provider = aws.us_east_1

  name        = "keys-acl"
  description = "Rate limits, written by ratewaf emit"
  scope       = "CLOUDFRONT"

  default_action {
    allow {}
  }

  # keys-header: /header/*, by header x-api-key
  rule {
    name     = "keys-header"
    priority = 10

    action {
      block {
        custom_response {
          response_code = 429

          response_header {
            name  = "X-Contact"
            value = "sre@example.com"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.keys_header_limit
        evaluation_window_sec = local.keys_header_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
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
            search_string         = "/header/"

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
      metric_name                = "keys-header"
      sampled_requests_enabled   = true
    }
  }

  # keys-cookie: /cookie/*, by address and cookie Session
  rule {
    name     = "keys-cookie"
    priority = 20

    action {
      block {
        custom_response {
          response_code = 429

          response_header {
            name  = "X-Contact"
            value = "sre@example.com"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.keys_cookie_limit
        evaluation_window_sec = local.keys_cookie_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
          ip {}
        }

        custom_key {
          cookie {
            name = "Session"

            text_transformation {
              priority = 0
              type     = "NONE"
            }
          }
        }

        scope_down_statement {
          byte_match_statement {
            positional_constraint = "STARTS_WITH"
            search_string         = "/cookie/"

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
      metric_name                = "keys-cookie"
      sampled_requests_enabled   = true
    }
  }

  # keys-argument: /argument/*, by query argument id and query string
  rule {
    name     = "keys-argument"
    priority = 30

    action {
      block {
        custom_response {
          response_code = 429

          response_header {
            name  = "X-Contact"
            value = "sre@example.com"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.keys_argument_limit
        evaluation_window_sec = local.keys_argument_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
          query_argument {
            name = "id"

            text_transformation {
              priority = 0
              type     = "NONE"
            }
          }
        }

        custom_key {
          query_string {
            text_transformation {
              priority = 0
              type     = "NONE"
            }
          }
        }

        scope_down_statement {
          byte_match_statement {
            positional_constraint = "STARTS_WITH"
            search_string         = "/argument/"

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
      metric_name                = "keys-argument"
      sampled_requests_enabled   = true
    }
  }

  # keys-path: /path/*, by address and path and method
  rule {
    name     = "keys-path"
    priority = 40

    action {
      block {
        custom_response {
          response_code = 429

          response_header {
            name  = "X-Contact"
            value = "sre@example.com"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.keys_path_limit
        evaluation_window_sec = local.keys_path_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
          ip {}
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

        custom_key {
          http_method {}
        }

        scope_down_statement {
          byte_match_statement {
            positional_constraint = "STARTS_WITH"
            search_string         = "/path/"

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
      metric_name                = "keys-path"
      sampled_requests_enabled   = true
    }
  }

  # keys-tls: /tls/*, by JA3 fingerprint and JA4 fingerprint
  rule {
    name     = "keys-tls"
    priority = 50

    action {
      block {
        custom_response {
          response_code = 429

          response_header {
            name  = "X-Contact"
            value = "sre@example.com"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.keys_tls_limit
        evaluation_window_sec = local.keys_tls_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
          ja3_fingerprint {
            fallback_behavior = "MATCH"
          }
        }

        custom_key {
          ja4_fingerprint {
            fallback_behavior = "MATCH"
          }
        }

        scope_down_statement {
          byte_match_statement {
            positional_constraint = "STARTS_WITH"
            search_string         = "/tls/"

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
      metric_name                = "keys-tls"
      sampled_requests_enabled   = true
    }
  }

  # keys-label: /label/*, by labels of awswaf:managed:aws:bot-control:bot:name:
  rule {
    name     = "keys-label"
    priority = 60

    action {
      block {
        custom_response {
          response_code = 429

          response_header {
            name  = "X-Contact"
            value = "sre@example.com"
          }
        }
      }
    }

    statement {
      rate_based_statement {
        limit                 = local.keys_label_limit
        evaluation_window_sec = local.keys_label_window
        aggregate_key_type    = "CUSTOM_KEYS"

        custom_key {
          label_namespace {
            namespace = "awswaf:managed:aws:bot-control:bot:name:"
          }
        }

        scope_down_statement {
          byte_match_statement {
            positional_constraint = "STARTS_WITH"
            search_string         = "/label/"

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
      metric_name                = "keys-label"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "keys-acl"
    sampled_requests_enabled   = true
  }
}

output "keys_acl_web_acl_arn" {
  description = "The web_acl_id of a CloudFront distribution"
  value       = aws_wafv2_web_acl.keys_acl.arn
}
