//! The policy that the first `analyze` writes: commented, ready to edit.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::names;
use super::overlap::{Relation, relation};
use super::quote::{comment, scalar};
use super::routes::rule_name;
use crate::quotas;
use crate::rules::{Network, NetworkKind, Route, Spelling, is_host, is_method, slug};
use crate::units::Window;

/// What goes into a starter policy.
#[derive(Clone, Debug, Default)]
pub struct Starter {
    /// Prefix of AWS names.
    pub name: String,
    /// The web ACL to create.
    pub web_acl: String,
    /// Networks given on the command line. Testers get a twin on every route.
    pub networks: Vec<Network>,
    /// Routes with a clear or weak proposal, the most important first.
    pub routes: Vec<StarterRoute>,
    /// What was left out and why, a line each.
    pub left_out: Vec<String>,
}

/// A route with its proposal.
#[derive(Clone, Debug)]
pub struct StarterRoute {
    /// The route.
    pub route: Route,
    /// The window of the limit.
    pub window: Window,
    /// Where the limit comes from, a line each.
    pub evidence: Vec<String>,
}

impl Starter {
    /// Gives every network and route a name that AWS takes and that nothing else has. The names are to
    /// be used in the lock as well. Doing it again changes nothing.
    pub fn settle_names(&mut self) {
        self.name = allowed(&self.name);
        let mut taken = BTreeSet::new();
        self.networks.sort_by(|a, b| a.name.cmp(&b.name));
        for network in &mut self.networks {
            network.name = free(&allowed(&network.name), |name| taken.insert(name.to_owned()));
        }
        // A rule must not be called like the web ACL.
        let mut rules = BTreeSet::from([self.web_acl.clone()]);
        let testers: Vec<&str> = self.testers().collect();
        let mut names = Vec::new();
        for route in &self.routes {
            let name = free(&allowed(&route.route.name), |name| {
                let main = std::iter::once(rule_name(&self.name, name, None));
                let twins =
                    testers.iter().map(|network| rule_name(&self.name, name, Some(network)));
                let wanted: Vec<String> = main.chain(twins).collect();
                let is_free = !wanted.iter().any(|rule| rules.contains(rule));
                if is_free {
                    rules.extend(wanted);
                }
                is_free
            });
            names.push(name);
        }
        for (route, name) in self.routes.iter_mut().zip(names) {
            route.route.name = name;
        }
    }

    fn testers(&self) -> impl Iterator<Item = &str> {
        let testers = self.networks.iter().filter(|network| network.kind == NetworkKind::Tester);
        testers.map(|network| network.name.as_str())
    }
}

/// A name of at most 32 characters, so that rule names stay short enough.
fn allowed(name: &str) -> String {
    if crate::rules::is_name(name) && name.len() <= names::MOST_CHARACTERS / 2 {
        return name.to_owned();
    }
    let mut short = slug(name);
    short.truncate(names::MOST_CHARACTERS / 2);
    short.trim_end_matches('-').to_owned()
}

/// The name, or the name with the first number behind it that is free.
fn free(name: &str, mut take: impl FnMut(&str) -> bool) -> String {
    if take(name) {
        return name.to_owned();
    }
    let numbered = (2_u32..).map(|number| format!("{name}-{number}"));
    let mut numbered = numbered.skip_while(|candidate| !take(candidate));
    numbered.next().unwrap_or_else(|| name.to_owned())
}

/// Writes the starter policy. It lists as many routes as fit the ten rate rules of a web ACL with their
/// twins, and says which it left out. Texts from logs load back unchanged and stay in their place.
#[must_use]
pub fn starter(input: &Starter) -> String {
    let mut input = input.clone();
    input.settle_names();
    input.networks.retain_mut(|network| {
        // AWS WAF refuses `/0` in an IP set.
        network.cidrs.retain(|cidr| cidr.prefix_len() > 0);
        !network.cidrs.is_empty()
    });
    let testers: Vec<&str> = input.testers().collect();
    let mut left_out = input.left_out.clone();
    let listed = choose(&input.routes, 1 + testers.len(), &mut left_out);
    let mut out = String::new();
    head(&input, &mut out);
    networks(&input.networks, &mut out);
    out.push_str(DEFAULTS);
    routes(&listed, &testers, &left_out, &mut out);
    out.push_str(TAIL);
    out
}

/// What has to be added to a policy for routes and networks that the command line named, to be pasted: `known`
/// are the policy's own networks.
#[must_use]
pub fn additions(input: &Starter, known: &[Network]) -> String {
    let mut input = input.clone();
    input.settle_names();
    let mut out = String::new();
    let new: Vec<Network> =
        input.networks.iter().filter(|network| !known.contains(network)).cloned().collect();
    if !new.is_empty() {
        list_networks(&new, &mut out);
    }
    if !input.routes.is_empty() {
        out.push_str("routes:\n");
        let testers: Vec<&str> = input.testers().collect();
        input.routes.iter().for_each(|route| one(route, &[], &testers, &mut out));
    }
    out
}

/// The routes that can be listed, with the earlier ones that each overlaps.
fn choose<'s>(
    routes: &'s [StarterRoute],
    slots: usize,
    left_out: &mut Vec<String>,
) -> Vec<(&'s StarterRoute, Vec<&'s str>)> {
    let mut listed: Vec<(&StarterRoute, Vec<&str>)> = Vec::new();
    for candidate in routes {
        let route = &candidate.route;
        if let Some(reason) = refused(route) {
            left_out.push(format!("{route}: {reason}"));
            continue;
        }
        let others = listed.iter().map(|(other, _)| (other, relation(&other.route, route)));
        let others: Vec<(&&StarterRoute, Relation)> = others.collect();
        if let Some((same, _)) = others.iter().find(|(_, relation)| *relation == Relation::Same) {
            left_out.push(format!("{route}: `{}` matches the same requests", same.route.name));
            continue;
        }
        if (listed.len() + 1) * slots > quotas::RATE_RULES_PER_WEB_ACL {
            left_out.push(format!(
                "{route}: no room; a web ACL takes {} rate rules, and each route here takes {slots}",
                quotas::RATE_RULES_PER_WEB_ACL
            ));
            continue;
        }
        let overlapping = others.iter().filter(|(_, relation)| *relation != Relation::Apart);
        let names = overlapping.map(|(other, _)| other.route.name.as_str()).collect();
        listed.push((candidate, names));
    }
    listed
}

/// Why a rule cannot be about a route: anybody can send any method and any path.
fn refused(route: &Route) -> Option<String> {
    if let Some(method) = route.methods.iter().find(|method| !is_method(method)) {
        return Some(format!("`{method}` is no method that a policy takes"));
    }
    if let Some(host) = route.host.as_ref().filter(|host| !is_host(host)) {
        return Some(format!("`{host}` is no host name"));
    }
    route.matcher().err().map(|error| error.to_string())
}

fn head(input: &Starter, out: &mut String) {
    let web_acl = if crate::rules::is_name(&input.web_acl) { &input.web_acl } else { "prod" };
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        out,
        "\
# yaml-language-server: $schema=ratewaf.schema.json
# What people decide about rate limits: yours to edit. The figures behind it are in ratewaf.lock.json.
# Editors check this file while you type after: ratewaf schema > ratewaf.schema.json
# Every key is explained in docs/policy-file.md.
version: 1
name: {}  # prefix of the names of rules, metrics, IP sets and alarms
scope: cloudfront
pricing_plan: payg  # or: free, pro, business, premium, which forbid some features
web_acl:
  create: {}  # the web ACL to make and own
",
        scalar(&input.name),
        scalar(web_acl)
    );
}

fn networks(networks: &[Network], out: &mut String) {
    out.push_str(
        "\n# Addresses with a name. A `tester` is left out of the evidence and of the main rules and gets rules
# of its own (twins); a `known-good` one has to pass; a `known-bad` one need not.\n",
    );
    if networks.is_empty() {
        out.push_str(
            "# networks:
#   qa-runner: { cidrs: [203.0.113.10, \"2001:db8:7::/64\"], kind: tester, until: 2027-03-01 }
#   office: { cidrs: [198.51.100.0/24], kind: known-good }\n",
        );
        return;
    }
    list_networks(networks, out);
}

fn list_networks(networks: &[Network], out: &mut String) {
    out.push_str("networks:\n");
    for network in networks {
        let cidrs: Vec<String> = network.cidrs.iter().map(|cidr| format!("\"{cidr}\"")).collect();
        let until = match network.until.as_deref().filter(|until| is_date(until)) {
            Some(until) => format!(", until: {until}"),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "  {}: {{ cidrs: [{}], kind: {}{until} }}",
            scalar(&network.name),
            cidrs.join(", "),
            network.kind.as_str()
        );
    }
}

fn is_date(text: &str) -> bool {
    super::value::parse_date(text).is_some()
}

const DEFAULTS: &str = "
defaults:
  window: 300  # seconds: 60, 120, 300 or 600
  action: block  # or: count, challenge, captcha; `ratewaf emit --count-mode` makes every rule count
  response: { status: 429, retry_after: 300 }
";

const TAIL: &str = "
# Paths that no rule counts, on any route.
# never_limited:
#   - { name: webhooks, path: { starts_with: /webhooks/ } }
#   - { name: health, path: { exactly: /healthz } }

# One alarm for each rule; it fires when more requests than `threshold` are blocked in five minutes.
# An SNS topic is made for them; `topic_arn: arn:aws:sns:us-east-1:123456789012:alerts` names yours.
alarms: { on: blocked, threshold: 0 }
";

fn routes(
    listed: &[(&StarterRoute, Vec<&str>)],
    testers: &[&str],
    left_out: &[String],
    out: &mut String,
) {
    out.push_str(
        "\n# What is limited. `limit: auto` takes the limit from the lock; a number pins it. A weak proposal only
# counts until it is accepted (--accept weak).\n",
    );
    out.push_str(if listed.is_empty() { "routes: []\n" } else { "routes:\n" });
    for (route, overlaps) in listed {
        one(route, overlaps, testers, out);
    }
    if !left_out.is_empty() {
        out.push_str("# Left out:\n");
        for line in left_out {
            let _ = writeln!(out, "#   {}", comment(line));
        }
    }
}

fn one(written: &StarterRoute, overlaps: &[&str], testers: &[&str], out: &mut String) {
    let route = &written.route;
    let _ = writeln!(out, "  - name: {}", scalar(&route.name));
    for line in &written.evidence {
        let _ = writeln!(out, "    # {}", comment(line));
    }
    if !route.methods.is_empty() {
        let methods: Vec<String> = route.methods.iter().map(|method| scalar(method)).collect();
        let _ = writeln!(out, "    methods: [{}]", methods.join(", "));
    }
    if let Some(host) = &route.host {
        let _ = writeln!(out, "    host: {}", scalar(host));
    }
    let _ = writeln!(out, "    path: {{ {}: {} }}", route.path.kind(), scalar(route.path.text()));
    if route.spelling == Spelling::Strict {
        out.push_str("    spelling: strict\n");
    }
    if written.window != Window::default() {
        let _ = writeln!(out, "    window: {}", written.window.seconds());
    }
    out.push_str("    limit: auto\n");
    if !testers.is_empty() {
        let twins: Vec<String> = testers
            .iter()
            .map(|network| format!("{{ network: {}, limit: auto }}", scalar(network)))
            .collect();
        let _ = writeln!(out, "    twins: [{}]", twins.join(", "));
    }
    if !overlaps.is_empty() {
        let names: Vec<String> = overlaps.iter().map(|name| scalar(name)).collect();
        let _ = writeln!(
            out,
            "    overlaps: [{}]  # requests of both are counted by both rules",
            names.join(", ")
        );
    }
}
