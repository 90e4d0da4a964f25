//! Two states of one stack: what was, and what is about to be.

use crate::checks::model::{Change, Found};
use serde_json::Value;

/// Tells each resource what it was before; those that are gone are added as taken away.
#[must_use]
pub fn compare(after: Vec<Found>, before: &[Found]) -> Vec<Found> {
    let same = |one: &Found, other: &Found| {
        one.kind == other.kind
            && one.item.address == other.item.address
            && one.item.environment == other.item.environment
    };
    let mut all = after;
    for one in &mut all {
        one.before = before.iter().find(|was| same(one, was)).map(|was| was.values.clone());
        one.item.change = match &one.before {
            None => Change::Create,
            Some(was) if *was == one.values => Change::Nothing,
            Some(_) => Change::Update,
        };
    }
    for was in before {
        if !all.iter().any(|one| same(one, was)) {
            let before = Some(was.values.clone());
            all.push(Found { before, values: Value::Null, ..was.clone() });
        }
    }
    all
}
