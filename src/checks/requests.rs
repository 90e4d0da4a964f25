//! Requests made of what statements look for, to see which rules look at the same ones.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

use super::marker;
use super::model::{Deployment, Item, Rate, Rule, Sample, Statement, all};
use super::paths::{Field, text_matches};
use crate::wafv2;

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
pub(in crate::checks) const ANYWHERE: &str = "/qzxj-7193/vk";

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

    /// Those of one client: each path, method and host once.
    pub fn of_one_client(&self) -> impl Iterator<Item = &Sample> {
        let address = self.samples.first().map(|sample| sample.address);
        self.samples.iter().filter(move |sample| Some(sample.address) == address)
    }

    /// Whether every request that `inner` looks at is one that `outer` looks at too, and there are some. `None`:
    /// nobody knows.
    #[must_use]
    pub fn covers(&self, outer: &Rule, inner: &Rule) -> Option<bool> {
        let (outer, inner) = (Looks::of(self.deployment, outer), Looks::of(self.deployment, inner));
        let mut any = false;
        let mut open = false;
        for sample in &self.samples {
            match (inner.counts(sample), outer.counts(sample)) {
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

/// Whether a rule looks at a request: what a rate-based one counts, what another one matches. Use [`Looks`] for many
/// requests.
#[must_use]
pub fn counts(deployment: &Deployment, rule: &Rule, sample: &Sample) -> Option<bool> {
    Looks::of(deployment, rule).counts(sample)
}

/// What a rule looks at, read once and tried on many requests.
#[derive(Debug)]
pub struct Looks(Node);

#[derive(Debug)]
enum Node {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Text {
        leaf: Box<wafv2::Statement>,
        field: Field,
        last: RefCell<Option<(String, bool)>>,
    },
    /// `None`: nobody knows what is in the set.
    Networks(Option<Vec<IpNet>>),
    Everything,
    Unknown,
}

impl Looks {
    /// Reads a rule.
    #[must_use]
    pub fn of(deployment: &Deployment, rule: &Rule) -> Self {
        let node = |statement| Node::of(deployment, rule, statement, DEPTH);
        Self(match rule.rate() {
            Some(rate) if !rate.is_scoped() => Node::Everything,
            Some(rate) => rate.scope_down().map_or(Node::Unknown, node),
            None => node(rule.statement()),
        })
    }

    /// The same for somebody whom no IP set holds, whatever is in it.
    #[must_use]
    pub fn of_strangers(deployment: &Deployment, rule: &Rule) -> Self {
        let Self(mut node) = Self::of(deployment, rule);
        node.empty_sets();
        Self(node)
    }

    /// Whether the rule looks at this request; `None`: nobody knows.
    #[must_use]
    pub fn counts(&self, sample: &Sample) -> Option<bool> {
        self.0.decide(sample)
    }
}

impl Node {
    fn of(deployment: &Deployment, rule: &Rule, statement: Statement<'_>, depth: usize) -> Self {
        let Some(depth) = depth.checked_sub(1) else { return Self::Unknown };
        let [kind] = statement.kinds()[..] else { return Self::Unknown };
        let parts = || {
            let parts = statement.parts().into_iter();
            parts.map(|part| Self::of(deployment, rule, part, depth)).collect()
        };
        match kind {
            "AndStatement" => Self::All(parts()),
            "OrStatement" => Self::Any(parts()),
            "NotStatement" => Self::Not(Box::new(Self::All(parts()))),
            "IPSetReferenceStatement" => Self::Networks(
                statement
                    .of(kind)
                    .and_then(|reference| networks(deployment, reference, &rule.item)),
            ),
            "ByteMatchStatement" | "RegexMatchStatement" => {
                let field = text_matches(statement).into_iter().next().map(|found| found.field);
                let leaf = serde_json::from_value(statement.0.clone()).ok().map(Box::new);
                match (leaf, field) {
                    (Some(leaf), Some(field @ (Field::Path | Field::Method))) => {
                        Self::Text { leaf, field, last: RefCell::default() }
                    }
                    (Some(leaf), Some(Field::Header(name))) if name == "host" => {
                        Self::Text { leaf, field: Field::Header(name), last: RefCell::default() }
                    }
                    _ => Self::Unknown,
                }
            }
            _ => Self::Unknown,
        }
    }

    fn empty_sets(&mut self) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter_mut().for_each(Self::empty_sets),
            Self::Not(part) => part.empty_sets(),
            Self::Networks(sets) => *sets = Some(Vec::new()),
            Self::Text { .. } | Self::Everything | Self::Unknown => {}
        }
    }

    fn decide(&self, sample: &Sample) -> Option<bool> {
        match self {
            Self::All(parts) => all(parts.iter().map(|part| part.decide(sample))),
            Self::Any(parts) => {
                all(parts.iter().map(|part| part.decide(sample).map(|it| !it))).map(|it| !it)
            }
            Self::Not(part) => part.decide(sample).map(|it| !it),
            Self::Networks(sets) => {
                let sets = sets.as_ref()?;
                Some(sets.iter().any(|set| set.contains(&sample.address)))
            }
            Self::Everything => Some(true),
            Self::Unknown => None,
            Self::Text { leaf, field, last } => {
                let text = match field {
                    Field::Path => &sample.path,
                    Field::Method => &sample.method,
                    Field::Header(_) | Field::Other => &sample.host,
                };
                if let Some((seen, found)) = &*last.borrow()
                    && seen == text
                {
                    return Some(*found);
                }
                // An expression is compiled for each text, so the answer is kept.
                let found = wafv2::matches(leaf, &sample.as_request(), &[]);
                last.replace(Some((text.clone(), found)));
                Some(found)
            }
        }
    }
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
