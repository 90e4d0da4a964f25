//! The web ACL with its rules, and its ARN as an output.

use super::super::hcl::{Content, number, reference, text};
use super::locals::subject;
use super::{Stack, provider, statement};
use crate::wafv2::{BlockAction, Rule, RuleAction, VisibilityConfig};

pub(super) fn write(stack: &Stack<'_>, file: &mut Content) {
    let acl = &stack.waf.web_acl;
    file.block("resource", &["aws_wafv2_web_acl", &stack.labels.web_acl], |resource| {
        provider(resource);
        resource.attribute("name", text(&acl.name));
        if let Some(description) = &acl.description {
            resource.attribute("description", text(description));
        }
        resource.attribute("scope", text(acl.scope.api_name()));
        resource.block("default_action", &[], |action| action.block("allow", &[], |_| {}));
        for (key, body) in &acl.custom_response_bodies {
            resource.block("custom_response_body", &[], |block| {
                block.attribute("key", text(key));
                block.attribute("content_type", text(&body.content_type));
                block.attribute("content", text(&body.content));
            });
        }
        for (rule, meaning) in acl.rules.iter().zip(&stack.rules) {
            resource.comment(&format!("{}{}", subject(meaning), effect(&rule.action)));
            resource.block("rule", &[], |block| write_rule(stack, rule, block));
        }
        visibility(&acl.visibility_config, resource);
    });
    file.block("output", &[&format!("{}_web_acl_arn", stack.labels.web_acl)], |output| {
        output.attribute("description", text("The web_acl_id of a CloudFront distribution"));
        let label = stack.labels.web_acl.as_str();
        output.attribute("value", reference(&["aws_wafv2_web_acl", label, "arn"]));
    });
}

/// What a reader must not overlook: a rule that stops nobody.
const fn effect(action: &RuleAction) -> &'static str {
    match action {
        RuleAction::Count(_) => " (counts only, stops nobody)",
        RuleAction::Block(_) | RuleAction::Captcha(_) | RuleAction::Challenge(_) => "",
    }
}

fn write_rule(stack: &Stack<'_>, rule: &Rule, block: &mut Content) {
    block.attribute("name", text(&rule.name));
    block.attribute("priority", number(rule.priority));
    block.block("action", &[], |action| match &rule.action {
        RuleAction::Count(_) => action.block("count", &[], |_| {}),
        RuleAction::Captcha(_) => action.block("captcha", &[], |_| {}),
        RuleAction::Challenge(_) => action.block("challenge", &[], |_| {}),
        RuleAction::Block(answer) => action.block("block", &[], |block| answer_with(answer, block)),
    });
    block.block("statement", &[], |block| {
        statement::write(stack, &rule.name, &rule.statement, block);
    });
    visibility(&rule.visibility_config, block);
}

fn answer_with(answer: &BlockAction, block: &mut Content) {
    let Some(response) = &answer.custom_response else {
        return;
    };
    block.block("custom_response", &[], |block| {
        block.attribute("response_code", number(response.response_code));
        if let Some(key) = &response.custom_response_body_key {
            block.attribute("custom_response_body_key", text(key));
        }
        for header in &response.response_headers {
            block.block("response_header", &[], |block| {
                block.attribute("name", text(&header.name));
                block.attribute("value", text(&header.value));
            });
        }
    });
}

fn visibility(config: &VisibilityConfig, block: &mut Content) {
    block.block("visibility_config", &[], |block| {
        block.attribute("cloudwatch_metrics_enabled", config.cloud_watch_metrics_enabled);
        block.attribute("metric_name", text(&config.metric_name));
        block.attribute("sampled_requests_enabled", config.sampled_requests_enabled);
    });
}
