//! A web ACL of somebody else's lives through a thousand applies and rollbacks.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::record::key_of;
use super::*;
use crate::units::Timestamp;
use crate::wafv2::Scope;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

const FOREIGN: usize = 40;

/// Spellings that a client which reads and writes would change.
fn hostile() -> String {
    let kinds = [
        r#"{"ManagedRuleGroupStatement":{"VendorName":"AWS","Name":"N","Version" : "1.0","ManagedRuleGroupConfigs":[{"New":{"x":[1.0,2e0]}}]}},"OverrideAction":{"None":{ }}"#,
        r#"{"ByteMatchStatement":{"SearchString":"L2E\u002b\/w==","FieldToMatch":{"NewField":{}},"TextTransformations":[{"Type":"NONE","Priority":0}],"PositionalConstraint":"EXACTLY"}},"Action":{"Monetize":{"Price":0.10}}"#,
        r#"{"RateBasedStatement":{"Limit":1e3,"AggregateKeyType":"IP"}},"Action":{"Teapot":{}},"RuleLabels":[{"Name":"a:b"}]"#,
        r#"{"GeoMatchStatement":{"CountryCodes":["DE" , "FR"]}},"Action":{"Block":{"CustomResponse":{"ResponseCode":451,"CustomResponseBodyKey":"theirs"}}},"Unknown":null"#,
    ];
    let rules: Vec<String> = (0..FOREIGN)
        .map(|number| {
            // Six rate-based ones are all that is left beside four of ours.
            let statement = kinds[if number % 7 == 2 { 2 } else { [0, 1, 3][number % 3] }];
            format!(
                "{{ \"Priority\":{}, \"Name\":\"team-{number}\",\"Statement\":{statement}}}",
                1_000 + number
            )
        })
        .collect();
    format!(
        r#"{{"Name":"prod","Id":"1","ARN":"arn:aws:wafv2:us-east-1:123456789012:global/webacl/prod/1","Capacity":900,"AnalyticsConfig":{{"Mode":"DISABLED"}},"DefaultAction":{{"Allow":{{}}}},"Description":"","VisibilityConfig":{{"MetricName":"prod"}},"CustomResponseBodies":{{"theirs":{{"ContentType":"TEXT_PLAIN","Content":"\u00fc\/"}}}},"Rules":[ {} ],"ManagedByFirewallManager":false,"MonetizationConfig":{{"Rate":1.50}}}}"#,
        rules.join(" , ")
    )
}

fn rule(name: &str, priority: u64, limit: u64, blocks: bool) -> WantedRule {
    let action = if blocks {
        json!({"Block": {"CustomResponse": {"ResponseCode": 429, "CustomResponseBodyKey": "acl-limited"}}})
    } else {
        json!({"Count": {}})
    };
    let json = json!({"Name": name, "Priority": priority, "Statement": {"RateBasedStatement": {
        "Limit": limit, "EvaluationWindowSec": 300, "AggregateKeyType": "IP", "ScopeDownStatement":
        {"NotStatement": {"Statement": {"IPSetReferenceStatement": {"ARN": "ip-set:acl-qa-v4"}}}}}},
        "Action": action, "VisibilityConfig": {"SampledRequestsEnabled": true,
        "CloudWatchMetricsEnabled": true, "MetricName": name}});
    WantedRule { name: name.to_owned(), json }
}

fn wanted(dice: &mut Dice) -> Wanted {
    let blocks = dice.roll(2) == 0;
    let names = ["acl-token", "acl-search", "acl-login", "acl-cart"];
    let rules: Vec<WantedRule> = names
        .iter()
        .zip(1..)
        .flat_map(|(name, place)| {
            (dice.roll(4) > 0).then(|| rule(name, place * 10, 10 * (1 + dice.roll(5)), blocks))
        })
        .collect();
    let body = json!({"ContentType": "TEXT_PLAIN", "Content": "slow"});
    Wanted {
        owner: "acl".to_owned(),
        scope: Scope::CloudFront,
        region: "us-east-1".to_owned(),
        web_acl: "prod".to_owned(),
        new_acl: None,
        bodies: if blocks { [("acl-limited".to_owned(), body)].into() } else { BTreeMap::new() },
        rules,
        ip_sets: Vec::new(),
        alarms: Vec::new(),
        notes: Vec::new(),
    }
}

/// What AWS does with these steps.
fn done(live: &Live, steps: &[Step], now: i64) -> Live {
    let mut live = live.clone();
    for step in steps {
        let acl = live.acl.clone().unwrap();
        match step {
            Step::UpdateWebAcl { rules, bodies } => {
                let sent = update_body(&live, &acl, Scope::CloudFront, rules, bodies).unwrap();
                let sent = Members::parse(&sent).unwrap();
                assert_eq!(sent.string("LockToken").unwrap(), acl.lock_token);
                let mut next = Members::default();
                for (name, text) in acl.members.iter() {
                    // What is not sent is gone, but for what AWS makes up.
                    let text = match name {
                        "Id" | "ARN" | "Capacity" | "ManagedByFirewallManager" => Some(text),
                        // An empty description comes back as it was.
                        "Description" => Some(sent.get(name).unwrap_or(text)),
                        _ => sent.get(name),
                    };
                    if let Some(text) = text {
                        next.set(name, text);
                    }
                }
                if let Some(text) = sent.get("CustomResponseBodies") {
                    next.set("CustomResponseBodies", text);
                }
                live.acl = Some(LiveAcl::of(&next.text(), format!("token {now}")).unwrap());
            }
            Step::Remember { set: None, digests } => {
                for (name, one) in digests {
                    let since = Timestamp(one.since.unwrap_or(now));
                    let (mode, digest) = (one.mode.unwrap(), one.digest.clone());
                    let record = Record { owner: "acl".to_owned(), mode, since, digest };
                    live.tags.insert(key_of(name), record.text());
                }
            }
            Step::Forget { rules } => {
                rules.iter().for_each(|name| drop(live.tags.remove(&key_of(name))))
            }
            other => panic!("{other:?}"),
        }
    }
    live
}

/// All that is not ours, in bytes.
fn foreign(live: &Live) -> (Vec<String>, Vec<(String, String)>, Option<String>) {
    let acl = live.acl.as_ref().unwrap();
    let rules = acl.rules.iter().filter(|rule| rule.name.starts_with("team-"));
    let settings =
        acl.members.iter().filter(|(name, _)| *name != "Rules" && *name != "CustomResponseBodies");
    (
        rules.map(|rule| rule.text.clone()).collect(),
        settings.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
        acl.bodies().get("theirs").cloned(),
    )
}

fn ours(live: &Live) -> Vec<Json> {
    let acl = live.acl.as_ref().unwrap();
    acl.rules
        .iter()
        .filter(|rule| rule.name.starts_with("acl-"))
        .map(|rule| rule.json.clone())
        .collect()
}

#[test]
fn a_hostile_web_acl_survives_a_thousand_applies_and_rollbacks() {
    let mut dice = Dice(0x0dd_ba11);
    let set =
        LiveIpSet { arn: "arn:qa".to_owned(), version: "IPV4".to_owned(), ..LiveIpSet::default() };
    let mut live = Live {
        acl: Some(LiveAcl::of(&hostile(), "token".to_owned()).unwrap()),
        ip_sets: [("acl-qa-v4".to_owned(), set)].into(),
        ..Live::default()
    };
    let before = foreign(&live);
    assert_eq!(before.0.len(), FOREIGN);
    let (mut changed, mut back) = (0, 0);
    for now in 0..1_000 {
        let wanted = wanted(&mut dice);
        let set = compare(&wanted, &live, Options::default()).unwrap();
        assert!(set.drift.is_empty(), "{:?}", set.drift);
        assert_eq!(set.left_alone.len(), FOREIGN);
        let parsed = ChangeSet::parse(&set.to_json()).unwrap();
        assert_eq!(parsed, set);
        let after = done(&live, &set.steps, now);
        changed += usize::from(!set.is_done());
        let again = compare(&wanted, &after, Options::default()).unwrap();
        assert!(again.is_done(), "{}", again.in_words());
        assert_eq!(foreign(&after), before);
        if dice.roll(3) == 0 {
            let undo = Undo::of("acl", &live, &set);
            let undo = Undo::parse(&undo.to_json()).unwrap();
            let restored = done(&after, &undo.way_back(&after).unwrap().steps, now);
            assert!(undo.way_back(&restored).unwrap().is_done());
            assert_eq!(ours(&restored), ours(&live));
            assert_eq!(restored.tags, live.tags);
            assert_eq!(foreign(&restored), before);
            back += 1;
            live = restored;
        } else {
            live = after;
        }
    }
    assert!(changed > 900 && back > 250, "{changed} {back}");
}

#[test]
fn what_would_get_lost_stops_the_write() {
    let live = |text: &str| Live {
        acl: Some(LiveAcl::of(text, "token".to_owned()).unwrap()),
        tags: BTreeMap::new(),
        ..Live::default()
    };
    let changes = |limit| {
        vec![RuleChange {
            name: "acl-token".to_owned(),
            change: Change::Changed,
            counters: Counters::Reset,
            fields: Vec::new(),
            rule: rule("acl-token", 10, limit, false).json,
            taken_over: false,
        }]
    };
    let refusal = |text: &str| {
        let live = live(text);
        update_body(
            &live,
            live.acl.as_ref().unwrap(),
            Scope::CloudFront,
            &changes(10),
            &BTreeMap::new(),
        )
    };
    let own = r#"{"Name":"acl-token","Priority":10,"Statement":{"RateBasedStatement":{"Limit":9,"Burst":2}}}"#;
    let head = r#"{"Name":"prod","Id":"1","ARN":"a""#;
    assert_eq!(
        refusal(&format!(r#"{head},"NewSetting":{{}},"Rules":[]}}"#)),
        Err(Refusal::UnknownSetting("NewSetting".to_owned()))
    );
    let unknown = refusal(&format!(r#"{head},"Rules":[{own}]}}"#)).unwrap_err();
    assert!(unknown.to_string().contains("`Statement.RateBasedStatement.Burst`"), "{unknown}");
    let plain = own.replace(r#","Burst":2"#, "");
    refusal(&format!(r#"{head},"Rules":[{plain}]}}"#)).unwrap();
    assert!(!unknown.hint().is_empty());
}

/// Only the action: all other bytes of the rule stay, also those that nobody knows.
#[test]
fn another_action_changes_nothing_else_of_a_rule() {
    let text = r#"{"Name":"prod","Id":"1","ARN":"a","Rules":[{"Name":"acl-token" ,"Priority":1e1,"Statement":{"RateBasedStatement":{"Limit":300,"Burst" : 2}},"Action":{"Block":{"CustomResponse":{"ResponseCode":429}}},"New":[ ]}]}"#;
    let record = Record {
        owner: "acl".to_owned(),
        mode: Mode::Block,
        since: Timestamp(5),
        digest: "x".to_owned(),
    };
    let live = Live {
        acl: Some(LiveAcl::of(text, "token".to_owned()).unwrap()),
        tags: [(key_of("acl-token"), record.text())].into(),
        ..Live::default()
    };
    let target = Target {
        web_acl: "prod".to_owned(),
        arn: None,
        scope: "CLOUDFRONT".to_owned(),
        region: "us-east-1".to_owned(),
        distribution: None,
    };
    let set = demoted(&target, "acl", &live, &[]).unwrap();
    let after = done(&live, &set.steps, 9);
    let rule = &after.acl.as_ref().unwrap().rules[0].text;
    assert_eq!(
        rule,
        r#"{"Name":"acl-token","Priority":1e1,"Statement":{"RateBasedStatement":{"Limit":300,"Burst" : 2}},"Action":{"Count":{}},"New":[ ]}"#
    );
    assert!(demoted(&target, "acl", &after, &[]).unwrap().is_done());
}
