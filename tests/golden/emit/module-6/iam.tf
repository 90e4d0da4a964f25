# Rate limits of the web ACL prod in front of CloudFront.
# Written by ratewaf emit: change the policy and emit again, not this file. See waf.tf.

data "aws_caller_identity" "acl_permissions" {}

data "aws_partition" "acl_permissions" {}

# What terraform plan reads of prod
# - wafv2:GetWebACL: Terraform compares the web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:GetIPSet: Terraform compares the addresses at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - cloudwatch:DescribeAlarms: Terraform compares the alarms at every plan
# - cloudwatch:ListTagsForResource: and their tags
# - sns:GetTopicAttributes: Terraform compares the topic and its policy
# - sns:ListTagsForResource: and its tags
# - wafv2:GetLoggingConfiguration: Terraform compares where the web ACL is logged
# - logs:ListTagsForResource: Terraform reads the tags at every plan
# LogDelivery: AWS knows no resource for these actions.
# - logs:DescribeLogGroups: finds the log group, for Terraform and for WAF
# - cloudwatch:GetDashboard: Terraform compares the dashboard at every plan
# - wafv2:GetWebACL: Terraform compares the guard's web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# GuardSecret: Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of
# your own needs kms:Decrypt for it, and kms:Encrypt to write.
# - ssm:GetParameter: the rules and the distribution compare with the secret
# - ssm:ListTagsForResource: Terraform reads the tags at every plan
# GuardSecretList: AWS knows no resource for a list.
# - ssm:DescribeParameters: Terraform reads description and tier with it
# GuardAssociations: AWS checks these actions against the web ACL and against what it stands before.
# - wafv2:GetWebACL: asked together with the next
# - wafv2:GetWebACLForResource: Terraform reads which web ACL stands before it
resource "aws_iam_policy" "acl_ci_plan" {
  name        = "acl-ci-plan"
  description = "What terraform plan reads of prod"
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "IpSets"
        Effect = "Allow"
        Action = [
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid    = "Alarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DescribeAlarms",
          "cloudwatch:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid    = "AlarmTopic"
        Effect = "Allow"
        Action = [
          "sns:GetTopicAttributes",
          "sns:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:sns:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:acl-alarms"]
      },
      {
        Sid      = "Logging"
        Effect   = "Allow"
        Action   = ["wafv2:GetLoggingConfiguration"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "LogGroup"
        Effect = "Allow"
        Action = ["logs:ListTagsForResource"]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl",
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl:*",
        ]
      },
      {
        Sid      = "LogDelivery"
        Effect   = "Allow"
        Action   = ["logs:DescribeLogGroups"]
        Resource = ["*"]
      },
      {
        Sid      = "Dashboard"
        Effect   = "Allow"
        Action   = ["cloudwatch:GetDashboard"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch::${data.aws_caller_identity.acl_permissions.account_id}:dashboard/acl-limits"]
      },
      {
        Sid    = "GuardWebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*"]
      },
      {
        Sid    = "GuardSecret"
        Effect = "Allow"
        Action = [
          "ssm:GetParameter",
          "ssm:ListTagsForResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret",
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret-previous",
        ]
      },
      {
        Sid      = "GuardSecretList"
        Effect   = "Allow"
        Action   = ["ssm:DescribeParameters"]
        Resource = ["*"]
      },
      {
        Sid    = "GuardAssociations"
        Effect = "Allow"
        Action = [
          "wafv2:GetWebACL",
          "wafv2:GetWebACLForResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*",
          "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188",
        ]
      },
    ]
  })
  tags = var.acl_tags
}

# What terraform apply reads and writes of prod
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
# - wafv2:DeleteLoggingConfiguration: stops logging
# - wafv2:GetLoggingConfiguration: Terraform compares where the web ACL is logged
# - wafv2:PutLoggingConfiguration: starts it, and changes filters and redaction
# - logs:CreateLogGroup: makes the log group
# - logs:DeleteLogGroup: removes it, with what it holds
# - logs:DeleteRetentionPolicy: keeps records for good again
# - logs:ListTagsForResource: Terraform reads the tags at every plan
# - logs:PutRetentionPolicy: says how long records are kept
# - logs:TagResource: sets tags, which default_tags put on everything
# - logs:UntagResource: takes tags away again
# LogDelivery: AWS knows no resource for these actions.
# - logs:CreateLogDelivery: WAF starts the delivery in your name
# - logs:DeleteLogDelivery: and stops it
# - logs:DescribeLogGroups: finds the log group, for Terraform and for WAF
# - logs:DescribeResourcePolicies: looks for the one that lets it write
# - logs:PutResourcePolicy: and writes it if there is none
# - cloudwatch:DeleteDashboards: removes it
# - cloudwatch:GetDashboard: Terraform compares the dashboard at every plan
# - cloudwatch:PutDashboard: makes and changes it
# - wafv2:CreateWebACL: makes it
# - wafv2:DeleteWebACL: removes it
# - wafv2:GetWebACL: Terraform compares the guard's web ACL at every plan
# - wafv2:ListTagsForResource: Terraform reads the tags at every plan
# - wafv2:TagResource: sets tags, which the provider's default_tags put on everything
# - wafv2:UntagResource: takes tags away again
# - wafv2:UpdateWebACL: changes routes, and secrets when one is exchanged
# GuardSecret: Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of
# your own needs kms:Decrypt for it, and kms:Encrypt to write.
# - ssm:AddTagsToResource: sets tags, which default_tags put on everything
# - ssm:DeleteParameter: forgets a secret that was exchanged
# - ssm:GetParameter: the rules and the distribution compare with the secret
# - ssm:ListTagsForResource: Terraform reads the tags at every plan
# - ssm:PutParameter: keeps the secret
# - ssm:RemoveTagsFromResource: takes tags away again
# GuardSecretList: AWS knows no resource for a list.
# - ssm:DescribeParameters: Terraform reads description and tier with it
# GuardAssociations: AWS checks these actions against the web ACL and against what it stands before.
# - wafv2:AssociateWebACL: puts the web ACL before it
# - wafv2:DisassociateWebACL: takes it away
# - wafv2:GetWebACL: asked together with the next
# - wafv2:GetWebACLForResource: Terraform reads which web ACL stands before it
# GuardAssociationsElasticloadbalancing: AWS knows no resource for this action.
# - elasticloadbalancing:SetWebAcl: the service itself has to agree
resource "aws_iam_policy" "acl_ci_apply" {
  name        = "acl-ci-apply"
  description = "What terraform apply reads and writes of prod"
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "WebAclWrite"
        Effect = "Allow"
        Action = [
          "wafv2:CreateWebACL",
          "wafv2:UpdateWebACL",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*",
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*",
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:sns:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:acl-alarms"]
      },
      {
        Sid    = "Logging"
        Effect = "Allow"
        Action = [
          "wafv2:DeleteLoggingConfiguration",
          "wafv2:GetLoggingConfiguration",
          "wafv2:PutLoggingConfiguration",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "LogGroup"
        Effect = "Allow"
        Action = [
          "logs:CreateLogGroup",
          "logs:DeleteLogGroup",
          "logs:DeleteRetentionPolicy",
          "logs:ListTagsForResource",
          "logs:PutRetentionPolicy",
          "logs:TagResource",
          "logs:UntagResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl",
          "arn:${data.aws_partition.acl_permissions.partition}:logs:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:log-group:aws-waf-logs-acl:*",
        ]
      },
      {
        Sid    = "LogDelivery"
        Effect = "Allow"
        Action = [
          "logs:CreateLogDelivery",
          "logs:DeleteLogDelivery",
          "logs:DescribeLogGroups",
          "logs:DescribeResourcePolicies",
          "logs:PutResourcePolicy",
        ]
        Resource = ["*"]
      },
      {
        Sid    = "Dashboard"
        Effect = "Allow"
        Action = [
          "cloudwatch:DeleteDashboards",
          "cloudwatch:GetDashboard",
          "cloudwatch:PutDashboard",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch::${data.aws_caller_identity.acl_permissions.account_id}:dashboard/acl-limits"]
      },
      {
        Sid    = "GuardWebAcl"
        Effect = "Allow"
        Action = [
          "wafv2:CreateWebACL",
          "wafv2:DeleteWebACL",
          "wafv2:GetWebACL",
          "wafv2:ListTagsForResource",
          "wafv2:TagResource",
          "wafv2:UntagResource",
          "wafv2:UpdateWebACL",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*"]
      },
      {
        Sid    = "GuardSecret"
        Effect = "Allow"
        Action = [
          "ssm:AddTagsToResource",
          "ssm:DeleteParameter",
          "ssm:GetParameter",
          "ssm:ListTagsForResource",
          "ssm:PutParameter",
          "ssm:RemoveTagsFromResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret",
          "arn:${data.aws_partition.acl_permissions.partition}:ssm:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:parameter/acl/origin-secret-previous",
        ]
      },
      {
        Sid      = "GuardSecretList"
        Effect   = "Allow"
        Action   = ["ssm:DescribeParameters"]
        Resource = ["*"]
      },
      {
        Sid    = "GuardAssociations"
        Effect = "Allow"
        Action = [
          "wafv2:AssociateWebACL",
          "wafv2:DisassociateWebACL",
          "wafv2:GetWebACL",
          "wafv2:GetWebACLForResource",
        ]
        Resource = [
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:eu-central-1:${data.aws_caller_identity.acl_permissions.account_id}:regional/webacl/acl-origin/*",
          "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188",
        ]
      },
      {
        Sid      = "GuardAssociationsElasticloadbalancing"
        Effect   = "Allow"
        Action   = ["elasticloadbalancing:SetWebAcl"]
        Resource = ["*"]
      },
    ]
  })
  tags = var.acl_tags
}

# What ratewaf status and apply do to prod
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
resource "aws_iam_policy" "acl_ratewaf" {
  name        = "acl-ratewaf"
  description = "What ratewaf status and apply do to prod"
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid    = "StatusIpSets"
        Effect = "Allow"
        Action = [
          "wafv2:GetIPSet",
          "wafv2:ListTagsForResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid      = "StatusAlarms"
        Effect   = "Allow"
        Action   = ["cloudwatch:DescribeAlarms"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid      = "StatusDistribution"
        Effect   = "Allow"
        Action   = ["cloudfront:GetDistributionConfig"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudfront::${data.aws_caller_identity.acl_permissions.account_id}:distribution/*"]
      },
      {
        Sid      = "StatusLogging"
        Effect   = "Allow"
        Action   = ["wafv2:GetLoggingConfiguration"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
      },
      {
        Sid      = "StatusEveryAlarm"
        Effect   = "Allow"
        Action   = ["cloudwatch:DescribeAlarms"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:*"]
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
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*",
          "arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*",
        ]
      },
      {
        Sid    = "ApplyRecords"
        Effect = "Allow"
        Action = [
          "wafv2:TagResource",
          "wafv2:UntagResource",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/webacl/prod/*"]
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
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:wafv2:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:global/ipset/acl-*/*"]
      },
      {
        Sid    = "ApplyAlarms"
        Effect = "Allow"
        Action = [
          "cloudwatch:DeleteAlarms",
          "cloudwatch:PutMetricAlarm",
        ]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudwatch:us-east-1:${data.aws_caller_identity.acl_permissions.account_id}:alarm:acl-*"]
      },
      {
        Sid      = "ApplyDistribution"
        Effect   = "Allow"
        Action   = ["cloudfront:AssociateDistributionWebACL"]
        Resource = ["arn:${data.aws_partition.acl_permissions.partition}:cloudfront::${data.aws_caller_identity.acl_permissions.account_id}:distribution/*"]
      },
    ]
  })
  tags = var.acl_tags
}
