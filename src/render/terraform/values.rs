//! How one resource names another.

use super::super::hcl::{reference, text};
use super::Terraform;
use crate::rules::LogDestination;
use crate::stack::{Attribute, Resource, Value};

impl Terraform<'_> {
    /// A text, or a reference.
    pub(super) fn value(&self, value: &Value) -> ::hcl::Expression {
        match value {
            Value::Plain(plain) => text(plain),
            Value::Of(resource, attribute) => self.refer(resource, *attribute),
        }
    }

    fn refer(&self, resource: &Resource, attribute: Attribute) -> ::hcl::Expression {
        let member = match (attribute, resource) {
            (Attribute::Id, Resource::Account) => "account_id",
            (Attribute::Arn, _) => "arn",
            (Attribute::Name, _) => "name",
            (Attribute::Id, _) => "id",
            (Attribute::Value, _) => "value",
        };
        let labels = &self.labels;
        match resource {
            Resource::IpSet(name) => reference(&["aws_wafv2_ip_set", labels.of(name), member]),
            Resource::WebAcl if self.stack.acl.is_own() => {
                reference(&["aws_wafv2_web_acl", &labels.web_acl, member])
            }
            Resource::WebAcl => reference(&["data", "aws_wafv2_web_acl", &labels.web_acl, member]),
            Resource::RuleGroup(name) => {
                reference(&["aws_wafv2_rule_group", labels.of(name), member])
            }
            Resource::Topic => reference(&["aws_sns_topic", &labels.alarms(), member]),
            Resource::LogDestination => self.log_destination(member),
            Resource::Secret(name) => reference(&["aws_ssm_parameter", labels.of(name), member]),
            Resource::GuardWebAcl => reference(&["aws_wafv2_web_acl", &labels.guard, member]),
            Resource::Account => {
                reference(&["data", "aws_caller_identity", &labels.alarms(), member])
            }
        }
    }

    fn log_destination(&self, member: &str) -> ::hcl::Expression {
        let label = self.labels.logs();
        match self.stack.logging.as_ref().map(|logging| &logging.destination) {
            Some(LogDestination::Bucket(_)) => {
                reference(&["data", "aws_s3_bucket", &label, member])
            }
            Some(LogDestination::Firehose(_)) => {
                reference(&["data", "aws_kinesis_firehose_delivery_stream", &label, member])
            }
            Some(LogDestination::LogGroup { .. }) | None => {
                reference(&["aws_cloudwatch_log_group", &label, member])
            }
        }
    }
}
