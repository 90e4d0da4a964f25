//! Requests made of what statements look for, to see which rules look at the same ones.

use std::collections::BTreeSet;
use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

use super::marker;
use super::model::{Deployment, Item, Rate, Rule, Sample, Statement};
use super::paths::{Field, text_matches};

/// So many requests are tried at most; more would make a gate slow.
const MOST: usize = 4_000;
/// Deeper logic is not looked at.
const DEPTH: usize = 64;
/// Addresses that stand for everybody: the first that no set holds is taken, of each family.
const ANYBODY: [&str; 6] = [
    "203.0.113.254",
    "198.51.100.254",
    "192.0.2.254",
    "2001:db8:ffff:ffff::fe",
    "2001:db8:7fff:ffff::fe",
    "2001:db8:1:ffff::fe",
];
/// A path that nobody looks for.
const ANYWHERE: &str = "/qzxj-7193/vk";

/// Requests to try rules on.
#[derive(Debug)]
pub struct Requests<'a> {
    deployment: &'a Deployment,
    samples: Vec<Sample>,
}

impl<'a> Requests<'a> {
    /// Requests that these rules may tell apart: each path, method, host and network that one of them looks for, and
    /// one of each that none does.
    #[must_use]
    pub fn of(deployment: &'a Deployment, rules: &[&Rule]) -> Self {
        let (mut paths, mut methods, mut hosts) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut sets: Vec<IpNet> = Vec::new();
        for rule in rules {
            let statement = rule.statement();
            for found in text_matches(statement) {
                match found.field {
                    Field::Path => paths.extend(found.paths()),
                    Field::Method => methods.extend(found.text.clone()),
                    Field::Header(name) if name == "host" => hosts.extend(found.text.clone()),
                    _ => {}
                }
            }
            for reference in statement.all_of("IPSetReferenceStatement") {
                sets.extend(networks(deployment, reference, &rule.item).unwrap_or_default());
            }
        }
        paths.insert(ANYWHERE.to_owned());
        methods.extend(["GET".to_owned(), "POST".to_owned()]);
        hosts.insert("www.example.com".to_owned());
        let mut addresses = BTreeSet::new();
        for family in [true, false] {
            let anybody = ANYBODY.iter().filter_map(|text| text.parse::<IpAddr>().ok());
            addresses.extend(
                anybody
                    .filter(|address| address.is_ipv4() == family)
                    .find(|address| !sets.iter().any(|set| set.contains(address))),
            );
        }
        addresses.extend(sets.iter().take(40).map(IpNet::network));
        let mut samples = Vec::new();
        'all: for path in &paths {
            for method in &methods {
                for host in &hosts {
                    for &address in &addresses {
                        if samples.len() == MOST {
                            break 'all;
                        }
                        let mut sample = Sample::new(method, path);
                        sample.host.clone_from(host);
                        sample.address = address;
                        samples.push(sample);
                    }
                }
            }
        }
        Self { deployment, samples }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Sample] {
        &self.samples
    }

    /// Whether every request that `inner` looks at is one that `outer` looks at too, and there are some. `None`:
    /// nobody knows.
    #[must_use]
    pub fn covers(&self, outer: &Rule, inner: &Rule) -> Option<bool> {
        let mut any = false;
        let mut open = false;
        for sample in &self.samples {
            match (counts(self.deployment, inner, sample), counts(self.deployment, outer, sample)) {
                (Some(false), _) => {}
                (Some(true), Some(false)) => return Some(false),
                (Some(true), Some(true)) => any = true,
                _ => open = true,
            }
        }
        if open { None } else { Some(any) }
    }

    /// Whether both look at exactly the same requests.
    #[must_use]
    pub fn same(&self, one: &Rule, other: &Rule) -> bool {
        self.covers(one, other) == Some(true) && self.covers(other, one) == Some(true)
    }
}

/// Whether a rule looks at a request: what a rate-based one counts, what another one matches.
#[must_use]
pub fn counts(deployment: &Deployment, rule: &Rule, sample: &Sample) -> Option<bool> {
    match rule.rate() {
        Some(rate) => counted(deployment, rule, rate, sample),
        None => decide(deployment, rule, rule.statement(), sample, DEPTH),
    }
}

fn counted(deployment: &Deployment, rule: &Rule, rate: Rate<'_>, sample: &Sample) -> Option<bool> {
    if !rate.is_scoped() {
        return Some(true);
    }
    decide(deployment, rule, rate.scope_down()?, sample, DEPTH)
}

fn decide(
    deployment: &Deployment,
    rule: &Rule,
    statement: Statement<'_>,
    sample: &Sample,
    depth: usize,
) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    let [kind] = statement.kinds()[..] else { return None };
    let parts =
        || statement.parts().into_iter().map(|part| decide(deployment, rule, part, sample, depth));
    match kind {
        "AndStatement" => all(parts()),
        "OrStatement" => all(parts().map(|one| one.map(|it| !it))).map(|it| !it),
        "NotStatement" => all(parts()).map(|it| !it),
        "IPSetReferenceStatement" => {
            let sets = networks(deployment, statement.of(kind)?, &rule.item)?;
            Some(sets.iter().any(|set| set.contains(&sample.address)))
        }
        _ => statement.matches(&sample.as_request()),
    }
}

/// Three-valued `and`.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
}

/// What an IP set holds; `None` if it is not part of the deployment or not known yet.
fn networks(deployment: &Deployment, reference: &Value, from: &Item) -> Option<Vec<IpNet>> {
    let set = deployment.ip_set(&reference["ARN"], from)?;
    let addresses = set.addresses.as_ref()?;
    Some(addresses.iter().filter_map(|text| text.parse().ok()).collect())
}

/// What makes up a count of its own, as text that can be compared; `None` if it is not known.
#[must_use]
pub fn key(rate: Rate<'_>) -> Option<String> {
    let kind = rate.key_type()?;
    let parts = &rate.raw["CustomKeys"];
    let forwarded = &rate.raw["ForwardedIPConfig"];
    if marker::any(parts) || marker::any(forwarded) {
        return None;
    }
    Some(format!("{kind} {} {}", canonical(parts), canonical(forwarded)))
}

/// A value as text, whatever the order of its lists: Terraform keeps most of them as sets.
#[must_use]
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let mut texts: Vec<String> = values.iter().map(canonical).collect();
            texts.sort_unstable();
            format!("[{}]", texts.join(","))
        }
        Value::Object(members) => {
            let known = members.iter().filter(|(_, value)| !value.is_null());
            let mut texts: Vec<String> =
                known.map(|(name, value)| format!("{name}:{}", canonical(value))).collect();
            texts.sort_unstable();
            format!("{{{}}}", texts.join(","))
        }
        other => other.to_string(),
    }
}

/// Whether one rule that has acted on a client leaves so few of its requests that the other, which comes after it and
/// looks at no more, never reaches its limit. Counts are of the same key.
#[must_use]
pub fn starves(first: Rate<'_>, second: Rate<'_>) -> Option<bool> {
    let (limit, window) = (first.limit()?, first.window()?);
    let (later, later_window) = (second.limit()?, second.window()?);
    if limit <= 0 || window <= 0 || later_window <= 0 {
        return None;
    }
    // So many windows of the first lie in one of the second at most.
    let windows = later_window.checked_add(window - 1)? / window;
    Some(later >= limit.checked_mul(windows.max(1))?)
}

/// Requests per second, to compare limits of different windows.
#[must_use]
pub fn speed(rate: Rate<'_>) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "limits and windows are small")]
    let speed = |limit: i64, window: i64| limit as f64 / window as f64;
    Some(speed(rate.limit()?, rate.window().filter(|window| *window > 0)?))
}
