//! Collecting what is granted.

use super::{Grant, GrantedAction, IamResource};
use crate::stack::Stack;
use crate::wafv2::Scope;

/// Grants for a stack, for somebody who only reads or who writes as well.
pub(super) struct Access<'a> {
    pub stack: &'a Stack,
    writes: bool,
    pub grants: Vec<Grant>,
}

/// An action and why it is there.
type Reason = (&'static str, &'static str);

impl<'a> Access<'a> {
    pub fn new(stack: &'a Stack, writes: bool) -> Self {
        Self { stack, writes, grants: Vec::new() }
    }

    /// Actions on some resources: those that read, and for a writer those that write.
    pub fn grant(
        &mut self,
        sid: &str,
        resources: Vec<IamResource>,
        about: Option<&str>,
        reads: &[Reason],
        writes: &[Reason],
    ) {
        let written = if self.writes { writes } else { &[] };
        let mut actions: Vec<GrantedAction> = reads
            .iter()
            .chain(written)
            .map(|(action, reason)| GrantedAction {
                action: (*action).to_owned(),
                reason: (*reason).to_owned(),
            })
            .collect();
        if actions.is_empty() {
            return;
        }
        actions.sort_by(|a, b| a.action.cmp(&b.action));
        self.grants.push(Grant {
            sid: sid.to_owned(),
            actions,
            resources,
            conditions: Vec::new(),
            about: about.map(str::to_owned),
        });
    }

    /// Something of WAF's in the stack's own Region and scope: `webacl/prod/*`.
    pub fn waf(&self, resource: &str) -> IamResource {
        let home = &self.stack.home;
        waf(home.scope, &home.region, resource)
    }

    /// Something in the stack's own Region.
    pub fn regional(&self, service: &'static str, resource: impl Into<String>) -> IamResource {
        in_region(service, &self.stack.home.region, resource)
    }

    /// How the names of a kind look: all that begin with the stack's own prefix, and others by themselves.
    /// So a new route needs no new permission.
    pub fn names(&self, names: impl Iterator<Item = String>) -> Vec<String> {
        let prefix = format!("{}-", self.stack.name);
        let mut patterns = Vec::new();
        for name in names {
            let pattern = if name.starts_with(&prefix) { format!("{prefix}*") } else { name };
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        patterns.sort();
        patterns
    }
}

/// Something of WAF's.
pub(super) fn waf(scope: Scope, region: &str, resource: &str) -> IamResource {
    let place = match scope {
        Scope::CloudFront => "global",
        Scope::Regional => "regional",
    };
    in_region("wafv2", region, format!("{place}/{resource}"))
}

/// Something in a Region.
pub(super) fn in_region(
    service: &'static str,
    region: &str,
    resource: impl Into<String>,
) -> IamResource {
    IamResource::Pattern {
        service,
        region: region.to_owned(),
        has_account: true,
        resource: resource.into(),
    }
}
