//! An AWS on loopback for tests that write: WAF, CloudWatch, CloudFront and STS, as far as a rate limit
//! needs them. It speaks the real wire protocols, refuses what WAF refuses, and limits replayed traffic
//! as WAF does.
//!
//! ```text
//! let aws = FakeAws::start();
//! aws.put_web_acl(r#"{"Name":"shop",…}"#);
//! aws.fail(On::Next("UpdateWebACL"), Fault::After);
//! // run the program with AWS_ENDPOINT_URL = aws.url()
//! aws.web_acl("shop"); aws.seen(); aws.replay(&visits);
//! ```

#![cfg_attr(
    not(feature = "cloud"),
    allow(dead_code, reason = "without the feature there is nobody to use all of it")
)]

mod account;
mod call;
mod cloudfront;
mod cloudwatch;
mod faults;
mod members;
mod sts;
mod traffic;
mod wafv2;
mod wire;
mod xml;

pub mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use ratewaf::units::Timestamp;
use serde_json::Value;

pub use call::{Call, Service};
pub use faults::{Fault, On};
pub use traffic::{Answer, Visit};

use account::Account;
use faults::Faults;
use wire::{Ending, Message, Reply, Server};

/// The account of everything here.
pub const ACCOUNT: &str = "123456789012";

/// An AWS that lives as long as the value.
pub struct FakeAws {
    server: Server,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    account: Mutex<Account>,
    seen: Mutex<Vec<Call>>,
    faults: Mutex<Faults>,
    /// How many calls have been left without an answer.
    silent: Mutex<usize>,
    silenced: Condvar,
}

impl FakeAws {
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        Self { server: Server::start(move |message| own.answer(message)), shared }
    }

    /// For `AWS_ENDPOINT_URL`.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Every call, in the order in which they came; refused and broken ones too.
    pub fn seen(&self) -> Vec<Call> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// The operations of the calls that write.
    pub fn writes(&self) -> Vec<String> {
        self.seen().into_iter().filter(Call::is_write).map(|call| call.operation).collect()
    }

    /// Empties [`Self::seen`] and counts calls from 0 again.
    pub fn forget(&self) {
        self.shared.seen.lock().unwrap().clear();
    }

    /// Lets something go wrong.
    pub fn fail(&self, on: On, fault: Fault) {
        self.shared.faults.lock().unwrap().add(on, fault);
    }

    /// Nothing goes wrong any more.
    pub fn heal(&self) {
        self.shared.faults.lock().unwrap().clear();
    }

    /// Waits until a call has been met by [`Fault::TimeOut`] or [`Fault::SilentAfter`]; false if none
    /// has in that time. Each such call is reported once.
    pub fn wait_for_silence(&self, longest: Duration) -> bool {
        let silent = self.shared.silent.lock().unwrap();
        let waited = self.shared.silenced.wait_timeout_while(silent, longest, |it| *it == 0);
        let (mut silent, _) = waited.unwrap();
        let came = *silent > 0;
        *silent = silent.saturating_sub(1);
        came
    }

    /// Each new IP set and rule group cannot be referred to by that many calls.
    pub fn settle_after(&self, calls: usize) {
        self.account().settle_after = calls;
    }

    /// WAF's own limit: so many writes a second, then `ThrottlingException`. Off at the start.
    pub fn throttle_writes_within(&self, pause: Duration) {
        self.account().least_pause = Some(pause);
    }

    /// The distribution's flat-rate plan refuses custom responses.
    pub fn refuse_custom_responses(&self) {
        self.account().no_custom_responses = true;
    }

    /// Puts a web ACL there, given as `GetWebACL` tells it: `Name`, `DefaultAction`,
    /// `VisibilityConfig`, and whatever else; every byte of the values is kept. One of the same name is
    /// replaced, under the same id and with a new lock token. Gives the ARN.
    pub fn put_web_acl(&self, json: &str) -> String {
        self.account().seed_web_acl(json, "CLOUDFRONT")
    }

    /// The same with the scope REGIONAL, in us-east-1.
    pub fn put_regional_web_acl(&self, json: &str) -> String {
        self.account().seed_web_acl(json, "REGIONAL")
    }

    /// The object `WebACL` of a web ACL, byte for byte as `GetWebACL` tells it.
    pub fn web_acl(&self, name: &str) -> Option<String> {
        let account = self.account();
        Some(account.web_acls.iter().find(|acl| acl.name == name)?.members.written())
    }

    /// The rules of a web ACL, byte for byte, in the order in which they are told.
    pub fn rules(&self, web_acl: &str) -> Vec<String> {
        let account = self.account();
        let acl = account.web_acls.iter().find(|acl| acl.name == web_acl);
        let rules = acl.map(|acl| acl.members.elements("Rules")).unwrap_or_default();
        rules.iter().map(|rule| rule.get().to_owned()).collect()
    }

    pub fn web_acl_arn(&self, name: &str) -> Option<String> {
        let account = self.account();
        Some(account.web_acls.iter().find(|acl| acl.name == name)?.arn.clone())
    }

    /// Puts an IP set there, given as `CreateIPSet` takes it (`Name`, `IPAddressVersion`, `Addresses`)
    /// with the scope CLOUDFRONT unless it says another. Gives the ARN.
    pub fn put_ip_set(&self, json: &str) -> String {
        self.account().seed_ip_set(json)
    }

    /// The IP sets by name: what `GetIPSet` tells.
    pub fn ip_sets(&self) -> BTreeMap<String, Value> {
        let account = self.account();
        account.ip_sets.iter().map(|set| (set.name.clone(), set.told())).collect()
    }

    /// The rule groups by name: what `GetRuleGroup` tells.
    pub fn rule_groups(&self) -> BTreeMap<String, Value> {
        let account = self.account();
        let told = |group: &account::RuleGroup| serde_json::from_str(&group.members.written());
        account.rule_groups.iter().map(|it| (it.name.clone(), told(it).unwrap())).collect()
    }

    /// The alarms by name, as `DescribeAlarms` tells them.
    pub fn alarms(&self) -> BTreeMap<String, Value> {
        let account = self.account();
        account.alarms.iter().map(|(name, it)| (name.clone(), it.settings.clone())).collect()
    }

    /// The tags of a resource.
    pub fn tags(&self, arn: &str) -> BTreeMap<String, String> {
        self.account().tags.get(arn).cloned().unwrap_or_default()
    }

    pub fn put_tags(&self, arn: &str, tags: &[(&str, &str)]) {
        let tags = tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        self.account().tags.entry(arn.to_owned()).or_default().extend(tags);
    }

    /// The logging configuration of a web ACL.
    pub fn logging(&self, arn: &str) -> Option<Value> {
        self.account().logging.get(arn).cloned()
    }

    /// Puts a distribution there, with the ARN of its web ACL or an empty one.
    pub fn put_distribution(&self, id: &str, web_acl_arn: &str) {
        let mut account = self.account();
        let etag = account.new_id();
        account
            .distributions
            .insert(id.to_owned(), cloudfront::Distribution::of(web_acl_arn.to_owned(), etag));
    }

    /// What a distribution that is there has besides: its `DistributionConfig` as CloudFormation spells it
    /// (`Origins` with `Id`, `DomainName` and `OriginCustomHeaders`, `Aliases`, `IPV6Enabled`).
    pub fn configure_distribution(&self, id: &str, config: &Value) {
        self.account().distributions.get_mut(id).unwrap().config = config.clone();
    }

    /// Puts a rule group there as `GetRuleGroup` tells it, unchecked, in us-east-1. Gives the ARN.
    pub fn put_rule_group(&self, json: &str, scope: &str) -> String {
        wafv2::rule_group::seed(&mut self.account(), json, scope)
    }

    /// Puts an IP set there, unchecked. Gives the ARN.
    pub fn put_any_ip_set(&self, told: &Value, scope: &str) -> String {
        wafv2::ip_set::seed(&mut self.account(), told, scope)
    }

    /// Puts an alarm there as `DescribeAlarms` tells it, unchecked.
    pub fn put_alarm(&self, told: &Value, region: &str) {
        cloudwatch::seed(&mut self.account(), told, region);
    }

    /// Puts a logging configuration there, unchecked.
    pub fn put_logging(&self, web_acl_arn: &str, told: Value) {
        self.account().logging.insert(web_acl_arn.to_owned(), told);
    }

    /// Puts a regional web ACL before a resource.
    pub fn associate(&self, web_acl_arn: &str, resource_arn: &str) {
        self.account().associations.insert(resource_arn.to_owned(), web_acl_arn.to_owned());
    }

    /// The ARN of a distribution's web ACL.
    pub fn distribution(&self, id: &str) -> Option<String> {
        Some(self.account().distributions.get(id)?.web_acl.clone())
    }

    /// Everything that can be written, for comparisons: ids are told by the names of what they are of,
    /// so that only what was written shows.
    pub fn everything(&self) -> String {
        self.account().everything()
    }

    /// What AWS's clock says: the machine's, unless it was set.
    pub fn now(&self) -> Timestamp {
        self.account().now()
    }

    /// Sets the clock; it runs on from there.
    pub fn set_clock(&self, now: Timestamp) {
        self.account().set_clock(now);
    }

    /// Sends traffic through a web ACL, in the order of time, and says how each request is answered.
    /// The visits should not be older than those of the last replay. The clock stays where it is.
    pub fn replay(&self, web_acl: &str, visits: &[Visit]) -> Vec<Answer> {
        traffic::replay(&mut self.account(), web_acl, visits)
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.shared.account.lock().unwrap()
    }
}

impl Shared {
    fn answer(&self, message: &Message) -> Ending {
        let Some(call) = Call::of(message) else {
            let body = format!("nothing here answers {} {}", message.method, message.target);
            return Ending::Answer(Reply { status: 404, headers: vec![], body: body.into_bytes() });
        };
        let fault = {
            let mut seen = self.seen.lock().unwrap();
            seen.push(call.clone());
            self.faults.lock().unwrap().meet(seen.len() - 1, &call)
        };
        match fault {
            Some(Fault::Before) => return Ending::Cut,
            Some(Fault::TimeOut) => return self.silence(),
            Some(Fault::Delay(time)) => std::thread::sleep(time),
            Some(Fault::StaleToken) => self.account.lock().unwrap().change_token(&call),
            _ => {}
        }
        if let Some(refusal) = fault.and_then(|fault| fault.refusal(&call)) {
            return Ending::Answer(refusal.reply(call.service));
        }
        let reply = {
            let mut account = self.account.lock().unwrap();
            let answered = match call.service {
                Service::Waf => wafv2::answer(&mut account, &call),
                Service::CloudWatch => cloudwatch::answer(&mut account, &call),
                Service::CloudFront => cloudfront::answer(&mut account, &call),
                Service::Sts => sts::answer(&call),
            };
            answered.unwrap_or_else(|refusal| refusal.reply(call.service))
        };
        match fault {
            Some(Fault::After) => Ending::Cut,
            Some(Fault::SilentAfter) => self.silence(),
            _ => Ending::Answer(reply),
        }
    }

    fn silence(&self) -> Ending {
        *self.silent.lock().unwrap() += 1;
        self.silenced.notify_all();
        Ending::Silence
    }
}
