# Rate limits of the web ACL prod in front of CloudFront.
# Written by ratewaf emit: change the policy and emit again, not this file. See waf.tf.

output "prod_web_acl_arn" {
  description = "The web_acl_id of a CloudFront distribution"
  value       = aws_wafv2_web_acl.prod.arn
}

output "acl_alarms_topic_arn" {
  description = "The SNS topic of the rate-limit alarms"
  value       = aws_sns_topic.acl_alarms.arn
}

output "acl_origin_header" {
  description = "The header that CloudFront adds for the origin"
  value       = "x-origin-verify"
}

output "acl_origin_secret" {
  description = "The value of that header"
  value       = aws_ssm_parameter.acl_origin.value
  sensitive   = true
}

output "acl_ci_plan_policy_arn" {
  description = "What terraform plan reads of prod"
  value       = aws_iam_policy.acl_ci_plan.arn
}

output "acl_ci_apply_policy_arn" {
  description = "What terraform apply reads and writes of prod"
  value       = aws_iam_policy.acl_ci_apply.arn
}

output "acl_ratewaf_policy_arn" {
  description = "What ratewaf status and apply do to prod"
  value       = aws_iam_policy.acl_ratewaf.arn
}
