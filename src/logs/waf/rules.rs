//! Which rules matched a request, out of the four places where a WAF log tells it.

use super::entry::{Entry, Rule, text};
use crate::logs::json::Text;
use crate::logs::rule_matches::{LimitKey, RuleAction, RuleMatch, RuleMatches};

/// Collects the rules of a record. A rate-based rule that counts ends nothing, so it stands only in
/// `nonTerminatingMatchingRules`, of the web ACL or of a rule group; that it is rate-based is told by
/// `rateBasedRuleList`, or by `terminatingRuleType` where it ended the evaluation.
pub(super) fn collect(entry: &Entry<'_>, matches: &mut RuleMatches) {
    let mut add =
        |name: &str, action, rate_based| matches.add(RuleMatch { name, action, rate_based });
    for rule in entry.rate_based_rule_list.iter().flatten() {
        let key = LimitKey::from_log(text(&rule.limit_key));
        // What it did is told elsewhere.
        add(text(&rule.rate_based_rule_name), RuleAction::Other, Some(key));
    }
    if let Some(terminating) = &entry.terminating_rule_id
        && terminating.0 != "Default_Action"
    {
        let is_rate = text(&entry.terminating_rule_type) == "RATE_BASED";
        let key = is_rate.then_some(LimitKey::Unknown);
        add(&terminating.0, RuleAction::from_log(text(&entry.action)), key);
    }
    let mut add_rule = |rule: &Rule<'_>, ends: bool| {
        let action = match (&rule.action, &rule.exclusion_type) {
            (Some(Text(action)), _) | (None, Some(Text(action))) => RuleAction::from_log(action),
            // A rule that ends the evaluation of a group decides about the request.
            (None, None) if ends => RuleAction::from_log(text(&entry.action)),
            (None, None) => RuleAction::Count,
        };
        add(text(&rule.rule_id), action, None);
    };
    for rule in entry.non_terminating_matching_rules.iter().flatten() {
        add_rule(rule, false);
    }
    for group in entry.rule_group_list.iter().flatten() {
        group.terminating_rule.iter().for_each(|rule| add_rule(rule, true));
        group
            .non_terminating_matching_rules
            .iter()
            .flatten()
            .for_each(|rule| add_rule(rule, false));
        group.excluded_rules.iter().flatten().for_each(|rule| add_rule(rule, false));
    }
    if text(&entry.action) == "ALLOW" {
        // It acted, and did not end the evaluation.
        for rule in entry.rate_based_rule_list.iter().flatten() {
            add(text(&rule.rate_based_rule_name), RuleAction::Count, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str) -> Vec<(String, &'static str, Option<LimitKey>)> {
        let entry: Entry<'_> = serde_json::from_str(json).unwrap();
        let mut matches = RuleMatches::default();
        collect(&entry, &mut matches);
        let one =
            |rule: RuleMatch<'_>| (rule.name.to_owned(), rule.action.as_str(), rule.rate_based);
        matches.iter().map(one).collect()
    }

    #[test]
    fn a_blocking_rate_rule_is_found_with_and_without_its_list() {
        let with = r#"{"action":"BLOCK","terminatingRuleId":"token","terminatingRuleType":"RATE_BASED",
            "rateBasedRuleList":[{"rateBasedRuleName":"token","limitKey":"IP","maxRateAllowed":300,"evaluationWindowSec":"300"}]}"#;
        assert_eq!(found(with), [("token".to_owned(), "block", Some(LimitKey::Ip))]);
        let without =
            r#"{"action":"BLOCK","terminatingRuleId":"token","terminatingRuleType":"RATE_BASED"}"#;
        assert_eq!(found(without), [("token".to_owned(), "block", Some(LimitKey::Unknown))]);
    }

    #[test]
    fn counting_rate_rules_hide_in_nested_lists() {
        let json = r#"{"action":"ALLOW","terminatingRuleId":"Default_Action","terminatingRuleType":"REGULAR",
            "rateBasedRuleList":[{"rateBasedRuleName":"a","limitKey":"IP"},{"rateBasedRuleName":"b","limitKey":"CUSTOMKEYS"},
                {"rateBasedRuleName":"c","limitKey":"FORWARDED_IP"}],
            "nonTerminatingMatchingRules":[{"ruleId":"a","action":"COUNT"}],
            "ruleGroupList":[{"ruleGroupId":"g","terminatingRule":null,
                "nonTerminatingMatchingRules":[{"ruleId":"b","action":"COUNT"}],
                "excludedRules":[{"ruleId":"c","exclusionType":"EXCLUDED_AS_COUNT"},{"ruleId":"d","exclusionType":"EXCLUDED_AS_COUNT"}]}]}"#;
        assert_eq!(
            found(json),
            [
                ("a".to_owned(), "count", Some(LimitKey::Ip)),
                ("b".to_owned(), "count", Some(LimitKey::CustomKeys)),
                ("c".to_owned(), "count", Some(LimitKey::ForwardedIp)),
                ("d".to_owned(), "count", None),
            ]
        );
    }

    #[test]
    fn a_rule_group_blocks_by_a_rule_of_its_own() {
        let json = r#"{"action":"BLOCK","terminatingRuleId":"group","terminatingRuleType":"GROUP",
            "rateBasedRuleList":[{"rateBasedRuleName":"inner","limitKey":"IP"}],
            "ruleGroupList":[{"terminatingRule":{"ruleId":"inner","action":"BLOCK"}}]}"#;
        assert_eq!(
            found(json),
            [
                ("inner".to_owned(), "block", Some(LimitKey::Ip)),
                ("group".to_owned(), "block", None)
            ]
        );
    }

    #[test]
    fn only_keys_count_not_words_in_values() {
        let json = r#"{"action":"ALLOW","terminatingRuleId":"Default_Action",
            "httpRequest":{"uri":"/BLOCK","headers":[{"name":"x","value":"RATE_BASED COUNT"}]}}"#;
        assert_eq!(found(json), []);
    }
}
