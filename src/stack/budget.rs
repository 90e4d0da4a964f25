//! What a stack uses of AWS's quotas, and what it costs, before AWS says so.

use super::Given;
use super::acl::Acl;
use super::origin::{Origin, Traffic};
use crate::quotas;
use crate::wafv2;

/// What a stack uses and costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Slots, capacity and prices of the rules.
    pub waf: wafv2::Budget,
    /// Each use of a quota.
    pub rows: Vec<BudgetRow>,
    /// The flat-rate pricing plan that covers the web ACL; `None`: pay as you go.
    pub plan: Option<&'static str>,
    /// What that plan forbids, one line each.
    pub forbidden: Vec<&'static str>,
    /// US cents a month, before any request.
    pub fixed_cents: u64,
    /// The requests that the logs hold, if the web ACL is ours.
    pub traffic: Option<Traffic>,
    /// US cents a month with as many requests as the logs hold.
    pub monthly_cents: Option<u64>,
}

/// A quota, and how much of it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetRow {
    /// Of what.
    pub what: String,
    /// How much.
    pub used: u64,
    /// Of how much.
    pub most: u64,
    /// Where the number, or the way of counting, comes from.
    pub source: &'static str,
}

pub(super) fn build(given: &Given<'_>, acl: &Acl, origin: &Origin) -> Budget {
    let waf = given.waf.budget;
    let rules = given.waf.web_acl.rules.len();
    let plan = given.set.flat_rate_plan;
    let fixed_cents = fixed(acl, rules);
    // Requests are paid for by whose web ACL it is.
    let traffic = origin.traffic.filter(|_| acl.is_own());
    let monthly_cents = traffic
        .and_then(Traffic::a_month)
        .map(|requests| fixed_cents + per_million(requests, waf.cents_per_million));
    Budget {
        waf,
        rows: rows(given, acl),
        plan,
        forbidden: plan.map(forbidden).unwrap_or_default(),
        fixed_cents,
        traffic,
        monthly_cents,
    }
}

fn forbidden(plan: &str) -> Vec<&'static str> {
    let found = quotas::FORBIDDEN_BY_PLAN.iter().find(|(name, _)| *name == plan);
    found.map(|(_, lines)| lines.to_vec()).unwrap_or_default()
}

/// A web ACL of ours costs, somebody else's does not; a rule group costs like a rule, and its rules too.
fn fixed(acl: &Acl, rules: usize) -> u64 {
    let prices = wafv2::PRICES;
    let (web_acls, groups) = match acl {
        Acl::Own(_) => (1, 0),
        Acl::Groups { groups, .. } => (0, groups.len()),
        Acl::Rules { .. } => (0, 0),
    };
    u64::from(prices.web_acl) * web_acls + u64::from(prices.rule) * (rules + groups) as u64
}

fn per_million(requests: u64, cents: u32) -> u64 {
    let cents = u128::from(requests) * u128::from(cents) / 1_000_000;
    u64::try_from(cents).unwrap_or(u64::MAX)
}

fn rows(given: &Given<'_>, acl: &Acl) -> Vec<BudgetRow> {
    let waf = &given.waf.budget;
    let row = |what: String, used: usize, most: usize, source| BudgetRow {
        what,
        used: used as u64,
        most: most as u64,
        source,
    };
    let mut rows = vec![row(
        "rate-based rules in the web ACL".to_owned(),
        waf.rate_rules,
        quotas::RATE_RULES_PER_WEB_ACL,
        "AWS WAF guide, limits; fixed",
    )];
    if let Acl::Groups { groups, .. } = acl {
        for joined in groups {
            let group = &joined.group;
            rows.push(row(
                format!("rate-based rules in the rule group {}", group.name),
                group.rules.len(),
                quotas::RATE_RULES_PER_RULE_GROUP,
                "AWS WAF guide, limits; fixed",
            ));
            rows.push(row(
                format!("WCU of the rule group {}, of its declared capacity", group.name),
                wafv2::rule_capacity(&group.rules) as usize,
                group.capacity as usize,
                "the capacity is for ever; AWS WAF guide, the page of each statement",
            ));
        }
    }
    rows.push(row(
        "WCU (capacity units), estimated".to_owned(),
        waf.wcu as usize,
        quotas::WCU_PER_WEB_ACL as usize,
        "AWS WAF guide, the page of each statement; CheckCapacity decides",
    ));
    rows.push(row(
        "references to IP sets".to_owned(),
        waf.references,
        quotas::REFERENCE_STATEMENTS_PER_WEB_ACL,
        "AWS WAF guide, limits; fixed",
    ));
    for network in &given.waf.ip_sets {
        rows.push(row(
            format!("CIDRs in the IP set {}", network.set.name),
            network.set.addresses.len(),
            quotas::CIDRS_PER_IP_SET,
            "AWS WAF guide, limits; fixed",
        ));
    }
    for (key, body) in &given.waf.web_acl.custom_response_bodies {
        rows.push(row(
            format!("bytes of the response body {key}"),
            body.content.len(),
            quotas::RESPONSE_BODY_BYTES,
            "AWS WAF guide, limits; fixed",
        ));
    }
    rows
}
