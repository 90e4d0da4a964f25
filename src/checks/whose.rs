//! Which policy a name belongs to: that of the whole, or that of one of its environments.

use super::context::Context;
use crate::policy::Policy;

/// The policy whose prefix a name has, the longest of them if several.
#[must_use]
pub fn policy_of<'a>(context: &Context<'a>, name: &str) -> Option<&'a Policy> {
    let policy = context.policy?;
    let all = std::iter::once(policy).chain(policy.environments.iter().map(|one| &one.policy));
    all.filter(|one| name.strip_prefix(one.name.as_str()).is_some_and(|rest| rest.starts_with('-')))
        .max_by_key(|one| one.name.len())
}
