//! Random applies and rollbacks in a web ACL full of what a careless client loses.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::Command;

use ratewaf::changes::{ChangeSet, Live, Options, Refusal, Undo, Wanted, compare, through_the_api};
use ratewaf::cloud::live::{Account, Audit, Error, Login, Sought, Told, execute};
use ratewaf::policy::{Policy, ResolveOptions, resolve};
use ratewaf::stack::{Origin, Stack};
use ratewaf::wafv2::Scope;

use crate::fake_aws::FakeAws;

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }

    fn chance(&mut self, of_ten: u64) -> bool {
        self.below(10) < of_ten
    }
}

const STATEMENTS: [&str; 8] = [
    r#"{"GeoMatchStatement":{"CountryCodes":["DE" ,"FR"]}}"#,
    r#"{"LabelMatchStatement":{"Scope":"LABEL","Key":"awswaf:managed:aws:bot-control:bot:verified"}}"#,
    r#"{"ByteMatchStatement":{"SearchString":"L2FkbWlu\u002b\/8=","FieldToMatch":{"Body":{"OversizeHandling":"CONTINUE"}},"TextTransformations":[{"Priority":0,"Type":"NONE"}],"PositionalConstraint":"CONTAINS"}}"#,
    r#"{"FutureStatement":{"Weight":1.50,"Big":123456789012345678901234567890,"Nested":[null,true,{"\u00fc":"\ud83d\ude00"}]}}"#,
    r#"{"AndStatement":{"Statements":[{"SizeConstraintStatement":{"FieldToMatch":{"QueryString":{}},"ComparisonOperator":"GT","Size":2048,"TextTransformations":[{"Priority":0,"Type":"NONE"}]}},{"NotStatement":{"Statement":{"GeoMatchStatement":{"CountryCodes":["US"],"ForwardedIPConfig":{"HeaderName":"X-Real","FallbackBehavior":"MATCH"}}}}}]}}"#,
    r#"{"RegexPatternSetReferenceStatement":{"ARN":"arn:aws:wafv2:us-east-1:210987654321:global/regexpatternset/theirs/1","FieldToMatch":{"UriPath":{}},"TextTransformations":[{"Priority":0,"Type":"URL_DECODE"}]}}"#,
    r#"{"AsnMatchStatement":{"AsnList":[64496,64511]}}"#,
    r#"{ "XssMatchStatement" : { "FieldToMatch":{"AllQueryArguments":{}}, "TextTransformations":[ {"Priority":1e0,"Type":"HTML_ENTITY_DECODE"} ], "SensitivityLevel":"HIGH" } }"#,
];
const ACTIONS: [&str; 6] = [
    r#"{"Block":{"CustomResponse":{"ResponseCode":503,"CustomResponseBodyKey":"theirs"}}}"#,
    r#"{"Count":{"CustomRequestHandling":{"InsertHeaders":[{"Name":"seen","Value":"1\/2"}]}}}"#,
    r#"{"Monetize":{"Price":{"Amount":0.10,"Currency":"USD"}}}"#,
    r#"{"Teleport":{"To":"m\u0061rs"}}"#,
    r#"{"Captcha":{}}"#,
    r#"{"Allow":{}}"#,
];
const MORE: [&str; 4] = [
    "",
    r#","RuleLabels":[{"Name":"team:a"},{"Name":"team:b"}]"#,
    r#","CaptchaConfig":{"ImmunityTimeProperty":{"ImmunityTime":1.2e2}}"#,
    r#","Future":{"x":[1,  2,3]}"#,
];

/// A rule of somebody else's; `version` is what they edit.
fn foreign_rule(dice: &mut Dice, name: &str, priority: u64, version: u64) -> String {
    let metrics = format!(
        r#""VisibilityConfig":{{"SampledRequestsEnabled":false,"CloudWatchMetricsEnabled":true,"MetricName":"{name}-{version}"}}"#
    );
    // A few, that are there from the start: each takes a seventh of all capacity.
    if version == 0 && dice.chance(1) {
        let overrides = r#"[{"Name":"SizeRestrictions_BODY","ActionToUse":{"Warp":{}}}]"#;
        return format!(
            r#"{{"Name":"{name}","Priority":{priority},"Statement":{{"ManagedRuleGroupStatement":{{"VendorName":"AWS","Name":"Common{version}","RuleActionOverrides":{overrides},"Version":"Version_1.1"}}}},"OverrideAction":{{"None":{{}}}},{metrics}}}"#
        );
    }
    let (statement, action, more) = (dice.one(&STATEMENTS), dice.one(&ACTIONS), dice.one(&MORE));
    let priority = if dice.chance(5) { format!("{priority}") } else { format!("{priority}.0") };
    format!(
        r#"{{"Statement":{statement},"Name":"{name}", "Priority":{priority},"Action":{action},{metrics}{more}}}"#
    )
}

/// The web ACL, with 40 rules of others on both sides of ours; two have names that begin like ours, and
/// are not.
struct Hostile {
    rules: Vec<String>,
}

const SETTINGS: [&str; 8] = [
    r#""DefaultAction":{"Allow":{"CustomRequestHandling":{"InsertHeaders":[{"Name":"a","Value":"\u0062"}]}}}"#,
    r#""Description":"of the team""#,
    r#""VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"prod"}"#,
    r#""AnalyticsConfig":{"Mode":"DISABLED"}"#,
    r#""TokenDomains":[ "shop.example" ]"#,
    r#""CaptchaConfig":{"ImmunityTimeProperty":{"ImmunityTime":3.00e2}}"#,
    r#""OnSourceDDoSProtectionConfig":{"ALBLowReputationMode":"ACTIVE_UNDER_DDOS"}"#,
    r#""AssociationConfig":{"RequestBody":{"CLOUDFRONT":{"DefaultSizeInspectionLimit":"KB_64"}}}"#,
];
const BODY: &str = r#""theirs":{"ContentType":"TEXT_PLAIN","Content":"back soon \u00fc \/ "}"#;

impl Hostile {
    fn new(dice: &mut Dice) -> Self {
        let mut rules: Vec<String> = (0..38)
            .map(|number| {
                let priority = if number < 20 { number } else { 1_000 + number };
                foreign_rule(dice, &format!("their-{number}"), priority, 0)
            })
            .collect();
        rules.push(foreign_rule(dice, "acl-by-hand", 2_000, 0));
        rules.push(r#"{"Name":"acl-rate-by-hand","Priority":2001,"Statement":{"RateBasedStatement":{"Limit":100,"EvaluationWindowSec":300,"AggregateKeyType":"IP"}},"Action":{"Block":{}},"VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"by-hand"}}"#.to_owned());
        Self { rules }
    }

    fn text(&self) -> String {
        let (settings, rules) = (SETTINGS.join(","), self.rules.join(","));
        format!(
            r#"{{"Name":"prod",{settings},"CustomResponseBodies":{{{BODY}}},"Rules":[{rules}]}}"#
        )
    }

    /// Whether everything that is not ours is there, in bytes.
    fn check(&self, aws: &FakeAws, place: &str) {
        let theirs: Vec<String> =
            aws.rules("prod").into_iter().filter(|text| !is_ours(text)).collect();
        assert_eq!(theirs, self.rules, "{place}");
        let whole = aws.web_acl("prod").unwrap();
        for setting in SETTINGS.iter().chain(&[BODY]) {
            assert!(whole.contains(setting), "{place}: {setting} is gone");
        }
        let arn = aws.web_acl_arn("prod").unwrap();
        assert_eq!(aws.tags(&arn)["team"], "platform", "{place}");
        assert!(aws.ip_sets().contains_key("acl-theirs-v4"), "{place}: a set that is not ours");
    }
}

fn is_ours(text: &str) -> bool {
    text.contains(r#""Name":"acl-"#) && !text.contains("by-hand")
}

/// Any policy of one owner.
fn policy(dice: &mut Dice) -> String {
    let mut routes = String::new();
    for name in ["token", "search", "login", "cart", "feed"] {
        if dice.chance(6) {
            let limit = 10 + dice.below(5_000);
            let window = dice.one(&["60", "120", "300", "600"]);
            let action = dice.one(&["count", "block"]);
            let twins = if dice.chance(3) { ", twins: [{ network: qa, limit: 10x }]" } else { "" };
            routes += &format!(
                "  - {{ name: {name}, path: {{ exactly: /{name} }}, limit: {limit}, window: {window}, action: {action}{twins} }}\n"
            );
        }
    }
    if routes.is_empty() {
        routes = "  - { name: token, path: { exactly: /token }, limit: 100 }\n".to_owned();
    }
    let address = dice.below(250);
    let response = dice.one(&[
        "{ status: 429, retry_after: 60, body: '{\"error\":\"slow down\"}' }",
        "{ status: 429, retry_after: 60, body: '{\"later\":true}' }",
        "{ status: 403 }",
    ]);
    let alarms = if dice.chance(5) {
        "alarms: { topic_arn: \"arn:aws:sns:us-east-1:123456789012:alerts\", threshold: 0 }\n"
    } else {
        ""
    };
    format!(
        "version: 1\nname: acl\nweb_acl: {{ attach: prod, priority: 100 }}\nnetworks:\n  qa: {{ cidrs: [198.51.100.{address}/32, \"2001:db8:{address}::/64\"], kind: tester }}\ndefaults:\n  response: {response}\nroutes:\n{routes}{alarms}"
    )
}

fn wanted(text: &str) -> Wanted {
    let policy =
        Policy::parse(text, "ratewaf.yaml").unwrap_or_else(|problems| panic!("{text}{problems}"));
    let how = ResolveOptions { count_mode: false, accept_weak: false, today: None };
    let rules =
        resolve(&policy, None, &how).unwrap_or_else(|problems| panic!("{text}{problems:?}"));
    let stack = Stack::new(&through_the_api(&rules), Origin::default()).unwrap();
    Wanted::of(&stack, false).unwrap()
}

/// Keeps what the program keeps in files.
struct Keeper<'a> {
    plan: &'a dyn Fn(&Live) -> Result<ChangeSet, Refusal>,
    undo: RefCell<Option<String>>,
}

impl Told for Keeper<'_> {
    fn plan(&self, live: &Live) -> Result<ChangeSet, Refusal> {
        (self.plan)(live)
    }

    fn keep(&self, live: &Live, changes: &ChangeSet) -> Result<(), ratewaf::fs::Error> {
        *self.undo.borrow_mut() = Some(Undo::of("acl", live, changes).to_json());
        Ok(())
    }

    fn written(&self, _: &Audit) {}

    fn note(&self, _: &str) {}

    fn stop(&self) -> bool {
        false
    }
}

struct Rounds {
    aws: FakeAws,
    account: Account,
    sought: Sought,
    hostile: Hostile,
    undo: Vec<String>,
    told: BTreeMap<&'static str, usize>,
}

impl Rounds {
    fn new(dice: &mut Dice) -> Self {
        let aws = FakeAws::start();
        let hostile = Hostile::new(dice);
        let arn = aws.put_web_acl(&hostile.text());
        aws.put_tags(&arn, &[("team", "platform")]);
        aws.put_ip_set(
            r#"{"Name":"acl-theirs-v4","IPAddressVersion":"IPV4","Addresses":["203.0.113.0/24"]}"#,
        );
        let login = Login { endpoint_url: Some(aws.url()), ..Login::default() };
        let account = Account::open(&login, "us-east-1", "the web ACL prod").unwrap();
        let sought = Sought {
            scope: Scope::CloudFront,
            web_acl: "prod".to_owned(),
            arn: None,
            owner: "acl".to_owned(),
            distribution: None,
        };
        Self { aws, account, sought, hostile, undo: Vec::new(), told: BTreeMap::new() }
    }

    fn carry_out(
        &mut self,
        plan: &dyn Fn(&Live) -> Result<ChangeSet, Refusal>,
    ) -> Result<usize, Error> {
        let agreed = plan(&self.account.read(&self.sought)?)?;
        let keeper = Keeper { plan, undo: RefCell::default() };
        let done = execute(&self.account, &self.sought, &agreed, &keeper);
        self.undo.extend(keeper.undo.into_inner());
        done
    }

    fn apply(&mut self, dice: &mut Dice, place: &str) {
        let text = policy(dice);
        let wanted = wanted(&text);
        let plan = |live: &Live| compare(&wanted, live, Options::default());
        let done = self.carry_out(&plan).unwrap_or_else(|error| panic!("{place}: {error}\n{text}"));
        *self.told.entry("writes").or_default() += done;
        let ours = self.aws.rules("prod").iter().filter(|rule| is_ours(rule)).count();
        assert_eq!(ours, wanted.rules.len(), "{place}");
        let again = plan(&self.account.read(&self.sought).unwrap()).unwrap();
        assert!(again.is_done(), "{place}: {}\n{text}", again.in_words());
    }

    /// Goes back by any file there is, of an old apply as well.
    fn rollback(&mut self, dice: &mut Dice, place: &str) {
        let Some(last) = self.undo.len().checked_sub(1) else { return };
        let number = if dice.chance(7) {
            last
        } else {
            usize::try_from(dice.below(last as u64 + 1)).unwrap()
        };
        let undo = Undo::parse(&self.undo[number]).unwrap();
        match self.carry_out(&|live| undo.way_back(live)) {
            Ok(writes) => *self.told.entry("writes back").or_default() += writes,
            // An old one may have no place any more, and says so before it writes.
            Err(Error::Refused(_)) if number != last => {
                *self.told.entry("refused").or_default() += 1
            }
            Err(error) => panic!("{place}: {error}"),
        }
    }

    /// Somebody else changes a rule of theirs, or the order.
    fn edit(&mut self, dice: &mut Dice, round: u64) {
        let number = dice.below(38);
        let name = format!("their-{number}");
        let place = self
            .hostile
            .rules
            .iter()
            .position(|rule| rule.contains(&format!("\"{name}\"")))
            .unwrap();
        let priority = if number < 20 { number } else { 1_000 + number };
        let edited = foreign_rule(dice, &name, priority, round);
        let mut rules = self.aws.rules("prod");
        let there = rules.iter().position(|rule| *rule == self.hostile.rules[place]).unwrap();
        rules[there].clone_from(&edited);
        self.hostile.rules[place] = edited;
        // What they send holds the bodies that are there.
        let whole = self.aws.web_acl("prod").unwrap();
        let before = format!("[{}]", self.aws.rules("prod").join(","));
        assert!(whole.contains(&before));
        self.aws.put_web_acl(&whole.replace(&before, &format!("[{}]", rules.join(","))));
    }
}

/// Run by the test below, in a process of its own that has credentials.
#[test]
#[ignore = "run by a_hostile_web_acl_survives_random_rounds"]
fn rounds() {
    let Some(number) = std::env::var("RATEWAF_TEST_ROUNDS").ok() else { return };
    let mut dice = Dice(20_261_130);
    let mut rounds = Rounds::new(&mut dice);
    for round in 1..=number.parse::<u64>().unwrap() {
        let place = format!("round {round}");
        match dice.below(10) {
            0..=5 => rounds.apply(&mut dice, &place),
            6..=8 => rounds.rollback(&mut dice, &place),
            _ => rounds.edit(&mut dice, round),
        }
        rounds.hostile.check(&rounds.aws, &place);
        rounds.aws.forget();
    }
    println!("{number} rounds: {:?}, {} undo files", rounds.told, rounds.undo.len());
    assert!(rounds.told["writes"] > 100 && rounds.told["writes back"] > 20);
}

#[test]
fn a_hostile_web_acl_survives_random_rounds() {
    // RATEWAF_TEST_ROUNDS=1000 asks for more, which takes minutes.
    let rounds = std::env::var("RATEWAF_TEST_ROUNDS").unwrap_or_else(|_| "100".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["live::hostile::rounds", "--exact", "--ignored", "--nocapture"])
        .env_clear()
        .env("AWS_ACCESS_KEY_ID", "testing")
        .env("AWS_SECRET_ACCESS_KEY", "testing")
        .env("HOME", folder.path())
        .env("RATEWAF_TEST_PAUSE_MS", "0")
        .env("RATEWAF_TEST_ROUNDS", &rounds)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(&format!("{rounds} rounds: ")), "{said}");
}
