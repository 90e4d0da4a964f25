# Rate limits of the web ACL prod in front of CloudFront.
# Written by ratewaf emit: change the policy and emit again, not this file. See waf.tf.

data "aws_caller_identity" "acl_alarms" {
  provider = aws.us_east_1
}

# Subscribe to it where you keep subscriptions; it has none of its own.
resource "aws_sns_topic" "acl_alarms" {
  provider = aws.us_east_1

  name = "acl-alarms"
  tags = var.acl_tags
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

# A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data
# and stays green. Figures are sent only when there is something to count.
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
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
  tags                = var.acl_tags
}

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
  alarm_actions       = [aws_sns_topic.acl_alarms.arn]
  ok_actions          = [aws_sns_topic.acl_alarms.arn]
  tags                = var.acl_tags
}

resource "aws_cloudwatch_metric_alarm" "acl_search" {
  provider = aws.us_east_1

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
  tags                = var.acl_tags
}

resource "aws_cloudwatch_metric_alarm" "acl_search_qa_runner" {
  provider = aws.us_east_1

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
  tags                = var.acl_tags
}

resource "aws_cloudwatch_dashboard" "acl_limits" {
  provider = aws.us_east_1

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
