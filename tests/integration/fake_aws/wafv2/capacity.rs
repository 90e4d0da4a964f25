//! What rules cost: ours as the program says, others by the same public table.

use ratewaf::wafv2;
use serde_json::Value;

use crate::fake_aws::account::Account;

/// The capacity of one statement of a rule.
pub fn of(account: &Account, statement: &Value) -> u64 {
    if let Ok(ours) = serde_json::from_value::<wafv2::Statement>(statement.clone()) {
        return wafv2::capacity(&ours).into();
    }
    let Some((kind, inner)) = statement.as_object().and_then(|it| it.iter().next()) else {
        return 0;
    };
    let parts = || inner["Statements"].as_array().into_iter().flatten();
    let scope_down = || match &inner["ScopeDownStatement"] {
        Value::Null => 0,
        inner => of(account, inner),
    };
    match kind.as_str() {
        "AndStatement" | "OrStatement" => parts().map(|part| of(account, part)).sum(),
        "NotStatement" => of(account, &inner["Statement"]),
        "RateBasedStatement" => {
            2 + 30 * inner["CustomKeys"].as_array().map_or(0, Vec::len) as u64 + scope_down()
        }
        "RuleGroupReferenceStatement" => {
            let group = account.rule_groups.iter().find(|group| inner["ARN"] == group.arn.as_str());
            group.and_then(|it| it.members.value("Capacity")?.as_u64()).unwrap_or(0)
        }
        // The capacities of managed groups are the vendors'; this one is the Core rule set's.
        "ManagedRuleGroupStatement" => 700 + scope_down(),
        "GeoMatchStatement"
        | "LabelMatchStatement"
        | "SizeConstraintStatement"
        | "IPSetReferenceStatement" => 1,
        "RegexPatternSetReferenceStatement" => 25,
        "SqliMatchStatement" => 20 + transformations(inner),
        "XssMatchStatement" => 40 + transformations(inner),
        _ => 2 + transformations(inner),
    }
}

fn transformations(inner: &Value) -> u64 {
    let list = inner["TextTransformations"].as_array();
    10 * list.into_iter().flatten().filter(|it| it["Type"] != "NONE").count() as u64
}
