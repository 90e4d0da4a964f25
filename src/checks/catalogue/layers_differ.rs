//! `layers-differ`: AWS WAF and the edge mean different requests or clients by one route.

use crate::checks::layers::{Outer, at_edge, outer};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::EdgeLayer;

/// The check.
#[derive(Debug)]
pub struct LayersDiffer;

const ABOUT: About = About {
    id: "layers-differ",
    title: "AWS WAF and the edge mean different requests, clients or windows by one route",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/layers-differ.md"),
};

impl Check for LayersDiffer {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for outer in outer(context) {
            let Some(edge) = &outer.policy.layers.edge else { continue };
            for (what, help) in differences(&outer, edge) {
                let message = format!("{} {what}", outer.rule.title());
                findings.add(outer.rule.place().member("RateBasedStatement"), message).help(help);
            }
        }
    }
}

fn differences(outer: &Outer<'_>, edge: &EdgeLayer) -> Vec<(String, &'static str)> {
    let own = &outer.route.route;
    let Some(route) = edge.routes.iter().find(|route| route.limit.name == own.name) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if at_edge(&own.path).is_some_and(|path| path != route.path) {
        let what = if route.path.is_exact() { "exactly" } else { "all that begins with" };
        found.push((
            format!(
                "counts another path than the edge's route of its name, which counts {what} `{}`",
                route.path.text()
            ),
            "leave `path` out of the edge's route: it is that of the policy's route then",
        ));
    }
    let mut methods = [own.methods.clone(), route.methods.clone()];
    methods.iter_mut().for_each(|methods| methods.sort());
    if methods[0] != methods[1] {
        let words = |methods: &[String]| match methods {
            [] => "every method".to_owned(),
            some => some.join(", "),
        };
        found.push((
            format!(
                "counts {}, and the edge's route of its name {}",
                words(&methods[0]),
                words(&methods[1])
            ),
            "leave `path` and `methods` out of the edge's route, or write the same",
        ));
    }
    let parts = outer.rate.key_parts();
    let headers: Vec<&str> =
        parts.iter().filter(|part| part.kind == "Header").filter_map(|part| part.name).collect();
    if let (Some(first), Some(trusted)) = (headers.first(), edge.headers.as_ref()) {
        if !headers.iter().any(|header| header.eq_ignore_ascii_case(&trusted.client)) {
            found.push((
                format!("counts by the header `{first}`, and the edge by `{}`", trusted.client),
                "count by one header: one client would be two",
            ));
        } else if !trusted.trusted {
            found.push((
                format!("counts by the header `{first}`, which the edge removes as not trusted"),
                "count by the address, or say `trusted: true` where viewers cannot send it",
            ));
        }
    }
    let window = outer.rate.window();
    if outer.policy.response.tells_policy && window.is_some_and(|own| own != i64::from(edge.window))
    {
        found.push((
            format!(
                "tells clients a window of {} seconds, and the edge one of {} for the same route",
                window.unwrap_or_default(),
                edge.window
            ),
            "give both one window, or leave `rate_limit_policy` out of AWS WAF's response",
        ));
    }
    found
}
