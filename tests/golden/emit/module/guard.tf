# Rate limits of the web ACL prod in front of CloudFront.
# Written by ratewaf emit: change the policy and emit again, not this file. See waf.tf.

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
  provider = aws.eu_central_1

  name        = "/acl/origin-secret"
  description = "What CloudFront sends in x-origin-verify to the origin"
  type        = "SecureString"
  value       = random_password.acl_origin.result
  tags        = var.acl_tags

  lifecycle {
    # From here on the parameter has the secret, so that it can be exchanged.
    ignore_changes = [value]
  }
}

resource "aws_wafv2_web_acl" "acl_origin" {
  provider = aws.eu_central_1

  name        = "acl-origin"
  description = "Demands the secret of CloudFront, written by ratewaf emit"
  scope       = "REGIONAL"
  tags        = var.acl_tags

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
  provider = aws.eu_central_1

  resource_arn = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188"
  web_acl_arn  = aws_wafv2_web_acl.acl_origin.arn
}
