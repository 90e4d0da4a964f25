//! Where the web ACL is logged.

use super::super::hcl::{Content, list, number, text};
use super::Terraform;
use super::files::{File, Files};
use super::statement::field_kind;
use crate::rules::LogDestination;
use crate::stack::{Logging, Resource, Value};
use crate::wafv2::{FieldToMatch, LoggingFilter};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    let Some(logging) = &terraform.stack.logging else { return };
    files.part(File::Waf, |file| {
        destination(terraform, &logging.destination, file);
        configuration(terraform, logging, file);
    });
}

fn destination(terraform: &Terraform<'_>, destination: &LogDestination, file: &mut Content) {
    let label = terraform.labels.logs();
    match destination {
        LogDestination::LogGroup { name, retention_days } => {
            file.block("resource", &["aws_cloudwatch_log_group", &label], |resource| {
                terraform.home(resource);
                resource.attribute("name", text(name));
                resource.attribute("retention_in_days", number(*retention_days));
                terraform.tags(resource);
            });
        }
        LogDestination::Bucket(name) => {
            file.block("data", &["aws_s3_bucket", &label], |data| {
                terraform.home(data);
                data.attribute("bucket", text(name));
            });
        }
        LogDestination::Firehose(name) => {
            file.block("data", &["aws_kinesis_firehose_delivery_stream", &label], |data| {
                terraform.home(data);
                data.attribute("name", text(name));
            });
        }
    }
}

fn configuration(terraform: &Terraform<'_>, logging: &Logging, file: &mut Content) {
    logging.about.iter().for_each(|line| file.comment(line));
    let label = &terraform.labels.web_acl;
    file.block("resource", &["aws_wafv2_web_acl_logging_configuration", label], |resource| {
        terraform.home(resource);
        resource.attribute("resource_arn", terraform.value(&Value::arn(Resource::WebAcl)));
        let to = terraform.value(&Value::arn(Resource::LogDestination));
        resource.attribute("log_destination_configs", list([to]));
        for field in &logging.redacted {
            // One kind a block: the provider sends no more.
            resource.block("redacted_fields", &[], |block| redacted(field, block));
        }
        if let Some(kept) = &logging.filter {
            resource.block("logging_filter", &[], |block| filter(kept, block));
        }
    });
}

fn redacted(field: &FieldToMatch, block: &mut Content) {
    block.block(field_kind(field), &[], |block| {
        if let FieldToMatch::SingleHeader { name } = field {
            block.attribute("name", text(name));
        }
    });
}

fn filter(kept: &LoggingFilter, block: &mut Content) {
    block.attribute("default_behavior", text(kept.default_behavior.api_name()));
    for one in &kept.filters {
        block.block("filter", &[], |block| {
            block.attribute("behavior", text(one.behavior.api_name()));
            block.attribute("requirement", text(one.requirement.api_name()));
            for condition in &one.conditions {
                block.block("condition", &[], |block| {
                    block.block("action_condition", &[], |block| {
                        let action = condition.action_condition.action;
                        block.attribute("action", text(action.api_name()));
                    });
                });
            }
        });
    }
}
