//! Rules as blocks.

use super::super::comment::effect;
use super::super::hcl::{Content, format, number, quoted, text};
use super::{Terraform, statement};
use crate::stack::Numbers;
use crate::wafv2::{
    BlockAction, CustomHttpHeader, POLICY_HEADER, Rule, RuleAction, VisibilityConfig, policy_header,
};

impl Terraform<'_> {
    /// A rule of ours in a web ACL or a rule group, under a line that says what it is about.
    pub(super) fn inline_rule(&self, rule: &Rule, block: &mut Content) {
        if let Some(numbers) = self.stack.numbers_of(&rule.name) {
            block.comment(&format!("{}{}", numbers.subject, effect(&rule.action)));
        }
        block.block("rule", &[], |block| {
            block.attribute("name", text(&rule.name));
            block.attribute("priority", number(rule.priority));
            self.rule_body(rule, statement::Form::Inline, block);
        });
    }

    /// What follows name and priority.
    pub(super) fn rule_body(&self, rule: &Rule, form: statement::Form, block: &mut Content) {
        block.block("action", &[], |action| match &rule.action {
            RuleAction::Count(_) => action.block("count", &[], |_| {}),
            RuleAction::Captcha(_) => action.block("captcha", &[], |_| {}),
            RuleAction::Challenge(_) => action.block("challenge", &[], |_| {}),
            RuleAction::Block(answer) => {
                action.block("block", &[], |block| self.answer(answer, block));
            }
        });
        block.block("statement", &[], |block| {
            statement::write(self, &rule.name, &rule.statement, form, block);
        });
        visibility(&rule.visibility_config, block);
    }

    fn answer(&self, answer: &BlockAction, block: &mut Content) {
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
                    block.attribute("value", self.header_value(header));
                });
            }
        });
    }

    /// A header that tells the limit takes it from where it stands, so that a changed limit is one
    /// changed line.
    fn header_value(&self, header: &CustomHttpHeader) -> ::hcl::Expression {
        let tells = |numbers: &&Numbers| {
            header.name == POLICY_HEADER
                && header.value == policy_header(&numbers.rule, numbers.limit, numbers.window)
        };
        match self.stack.numbers.iter().find(tells) {
            Some(Numbers { rule, .. }) => format(
                &policy_header(rule, "%d", "%d"),
                ["limit", "window"].map(|which| self.number(rule, which)),
            ),
            None => text(&header.value),
        }
    }
}

pub(super) fn visibility(config: &VisibilityConfig, block: &mut Content) {
    block.block("visibility_config", &[], |block| {
        block.attribute("cloudwatch_metrics_enabled", config.cloud_watch_metrics_enabled);
        block.attribute("metric_name", text(&config.metric_name));
        block.attribute("sampled_requests_enabled", config.sampled_requests_enabled);
    });
}

/// The rule that the owner of a web ACL adds to it, so that it refers to a rule group of ours: text for
/// a comment, a line each.
pub(super) fn owners_rule(name: &str, priority: u32, group: &str) -> Vec<String> {
    let name = quoted(name);
    let lines = [
        "rule {",
        "  name     = NAME",
        "  priority = PRIORITY",
        "  override_action {",
        "    none {}",
        "  }",
        "  statement {",
        "    rule_group_reference_statement {",
        "      arn = GROUP",
        "    }",
        "  }",
        "  visibility_config {",
        "    cloudwatch_metrics_enabled = true",
        "    metric_name                = NAME",
        "    sampled_requests_enabled   = true",
        "  }",
        "}",
    ];
    let fill = |line: &str| {
        line.replace("NAME", &name)
            .replace("PRIORITY", &priority.to_string())
            .replace("GROUP", group)
    };
    lines.into_iter().map(fill).collect()
}
