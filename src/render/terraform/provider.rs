//! Versions of the AWS provider, and what each of them has.

use super::super::Error;
use super::super::hcl::{Content, reference, text};
use super::Terraform;
use crate::stack::{Acl, Stack};
use crate::wafv2::{CustomKey, Statement};

/// Which version of the AWS provider the text is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provider {
    /// 5.100 and 6 alike, or 6 alone where the policy asks for what only 6 has.
    #[default]
    Any,
    /// 5.100 and later of 5.
    Five,
    /// 6.38 and later of 6.
    Six,
}

/// Refuses what a version does not have.
pub(super) fn check(stack: &Stack, provider: Provider) -> Result<(), Error> {
    if provider != Provider::Five {
        return Ok(());
    }
    if let Acl::Rules { .. } = &stack.acl {
        return Err(Error::Provider {
            what: "rules that stand alone in somebody else's web ACL (`form: rules`) need aws_wafv2_web_acl_rule, which came with 6.38".to_owned(),
            way_out: "use --provider 6, or write `form: rule_group` under `web_acl`",
        });
    }
    match asn_rule(stack) {
        Some(rule) => Err(Error::Provider {
            what: format!(
                "the rule `{rule}` counts by network operator (`asn`), which came with 6"
            ),
            way_out: "use --provider 6, or another key",
        }),
        None => Ok(()),
    }
}

/// A rule that counts by network operator.
fn asn_rule(stack: &Stack) -> Option<&str> {
    let has_asn = |statement: &Statement| match statement {
        Statement::RateBased(rate) => rate.custom_keys.contains(&CustomKey::Asn {}),
        _ => false,
    };
    stack.rules().find(|rule| has_asn(&rule.statement)).map(|rule| rule.name.as_str())
}

impl Terraform<'_> {
    /// Whether the text is for version 6 alone.
    pub(super) fn is_for_six(&self) -> bool {
        match self.options.provider {
            Provider::Five => false,
            Provider::Six => true,
            Provider::Any => !self.stack.acl.is_own() || asn_rule(self.stack).is_some(),
        }
    }

    /// The range of versions of the AWS provider.
    pub(super) fn aws_versions(&self) -> &'static str {
        match (self.options.provider, self.is_for_six()) {
            (Provider::Five, _) => ">= 5.100.0, < 6.0.0",
            // 6.38 has aws_wafv2_web_acl_rule, and associations that do not race for the lock.
            (_, true) => ">= 6.38.0, < 7.0.0",
            // 5.100 knows limits from 10 and all four windows.
            (_, false) => ">= 5.100.0, < 7.0.0",
        }
    }

    /// The first member of every resource: in which Region it lives.
    pub(super) fn home(&self, resource: &mut Content) {
        self.in_region(&self.stack.home.region, resource);
    }

    /// As [`Terraform::home`], elsewhere.
    pub(super) fn in_region(&self, region: &str, resource: &mut Content) {
        if self.has_region_argument() {
            resource.attribute("region", text(region));
        } else {
            resource.attribute("provider", alias(region));
        }
        resource.blank();
    }

    /// The first member of a resource that has no Region.
    pub(super) fn everywhere(&self, resource: &mut Content) {
        if !self.has_region_argument() {
            resource.attribute("provider", alias(&self.stack.home.region));
            resource.blank();
        }
    }

    /// A data source that has no arguments and no Region.
    pub(super) fn bare_data(&self, kind: &str, label: &str, file: &mut Content) {
        file.block("data", &[kind, label], |data| {
            if !self.has_region_argument() {
                data.attribute("provider", alias(&self.stack.home.region));
            }
        });
    }

    /// Whether the Region is an argument, which version 5 does not have; an alias works in both.
    pub(super) fn has_region_argument(&self) -> bool {
        self.options.provider == Provider::Six
    }

    /// The Regions of the stack.
    pub(super) fn regions(&self) -> Vec<&str> {
        let mut regions = vec![self.stack.home.region.as_str()];
        if let Some(guard) = &self.stack.guard
            && guard.region != regions[0]
        {
            regions.push(&guard.region);
        }
        regions
    }
}

/// What the provider of a Region is called.
pub(super) fn alias_name(region: &str) -> String {
    region.replace('-', "_")
}

fn alias(region: &str) -> ::hcl::Expression {
    reference(&["aws", &alias_name(region)])
}
