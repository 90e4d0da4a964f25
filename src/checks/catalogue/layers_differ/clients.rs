//! Who is one client, in each layer.

use super::Difference;
use crate::checks::layers::{Client, Depth, Outer, Site};
use crate::policy::{Identity, Part, Policy};

/// Bits of an IPv6 address that the application counts by.
const APPLICATION_PREFIX: u32 = 64;

/// How the clients of a rule are others behind it.
pub(super) fn behind(site: &Site<'_>, outer: &Outer<'_>, name: &str) -> Vec<Difference> {
    let parts = outer.rate.key_parts();
    let kinds = [("Header", "header"), ("Cookie", "cookie"), ("QueryArgument", "query argument")];
    let named: Vec<(&str, &str)> = parts
        .iter()
        .filter_map(|part| {
            let (_, word) = kinds.iter().find(|(kind, _)| *kind == part.kind)?;
            Some((*word, part.name?))
        })
        .collect();
    let is_forwarded = outer.rate.key_type() == Some("FORWARDED_IP")
        || parts.iter().any(|part| part.kind == "ForwardedIP");
    let mut found = Vec::new();
    if is_forwarded && site.edge(name).is_some() {
        found.push((
            "counts by an address that a header names, and the edge by the address of the connection: \
             that of a proxy, for all who come through it"
                .to_owned(),
            "count by the address of the connection in both, or let the edge count by a header that the proxy sets",
        ));
    }
    let Some((word, first)) = named.first() else { return found };
    if let Some(edge) = site.policy.layers.edge.as_ref().filter(|_| site.edge(name).is_some()) {
        let headers = || named.iter().filter(|(word, _)| *word == "header").map(|(_, name)| name);
        match &edge.headers {
            None => found.push((
                format!("counts by the {word} `{first}`, and the edge by address: all clients of one address are one there"),
                "name that header under `headers` of the edge, or count by the address in both",
            )),
            Some(trusted) if !headers().any(|name| name.eq_ignore_ascii_case(&trusted.client)) => {
                found.push((
                    format!("counts by the {word} `{first}`, and the edge by the header `{}`", trusted.client),
                    "count by one header: one client would be two",
                ));
            }
            Some(trusted) if !trusted.trusted => found.push((
                format!("counts by the header `{first}`, which the edge removes as not trusted"),
                "count by the address, or say `trusted: true` where viewers cannot send it",
            )),
            Some(_) => {}
        }
    }
    if let Some(title) = by_address_only(site.policy, name) {
        found.push((
            format!("counts by the {word} `{first}`, and {title} by address: all clients of one address are one there"),
            "let the application count by the subject of the verified token",
        ));
    }
    found
}

/// How clients differ between the layers behind AWS WAF.
pub(super) fn inside(site: &Site<'_>, name: &str) -> Vec<Difference> {
    let Some(title) = by_address_only(site.policy, name) else { return Vec::new() };
    let limits = site.limits(name);
    let mut found = Vec::new();
    let known = limits.iter().filter(|limit| limit.depth == Depth::Edge);
    let known = known.filter_map(|limit| match &limit.client {
        Client::Header(header) => Some(header),
        _ => None,
    });
    for header in known.take(1) {
        found.push((
            format!("the edge counts `{name}` by the header `{header}` where a client has it, and {title} by address"),
            "let the application count by the subject of the verified token: an office is one address",
        ));
    }
    if limits.iter().any(|limit| limit.depth == Depth::Gateway) {
        found.push((
            format!("usage plans count `{name}` by API key, and {title} by address"),
            "let the application count by the subject of the verified token: one key has many addresses, and an \
             address many keys",
        ));
    }
    let edge = site.policy.layers.edge.as_ref().filter(|_| site.edge(name).is_some());
    if let Some(edge) = edge.filter(|edge| edge.ipv6_prefix != APPLICATION_PREFIX) {
        found.push((
            format!(
                "the edge counts `{name}` by the first {} bits of an IPv6 address, and {title} by {APPLICATION_PREFIX}",
                edge.ipv6_prefix
            ),
            "leave `ipv6_prefix` out: a client of IPv6 has a /64",
        ));
    }
    found
}

/// What the application has under this name, if it tells clients apart by nothing but their addresses.
fn by_address_only(policy: &Policy, name: &str) -> Option<String> {
    let app = &policy.layers.app;
    let mut table = app.dynamodb.iter().flat_map(|table| &table.limits);
    if table.any(|one| one.name == name && one.client == Identity::Address) {
        return Some(format!("the application's limit `{name}`"));
    }
    let mut scenarios = app.redis.iter().flat_map(|redis| &redis.scenarios);
    let scenario = scenarios.find(|one| one.name == name)?;
    let only = scenario.dimensions.iter().all(|one| {
        one.by.contains(&Part::Ip)
            && !one.by.contains(&Part::User)
            && !one.by.contains(&Part::Device)
    });
    only.then(|| format!("the application's scenario `{name}`"))
}
