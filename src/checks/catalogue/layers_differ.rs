//! `layers-differ`: two layers mean different requests, clients or windows by one route.

mod clients;
mod windows;

use crate::checks::layers::{Outer, Site, at_edge, sites};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::EdgeRoute;

/// The check.
#[derive(Debug)]
pub struct LayersDiffer;

const ABOUT: About = About {
    id: "layers-differ",
    title: "Two layers mean different requests, clients or windows by one route",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/layers-differ.md"),
};

/// What is wrong, and what to do.
type Difference = (String, &'static str);

impl Check for LayersDiffer {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for site in sites(context) {
            for name in site.names() {
                for outer in site.outer(name) {
                    let place = outer.rule.place().member("RateBasedStatement");
                    for (what, help) in of_rule(&site, outer, name) {
                        let message = format!("{} {what}", outer.rule.title());
                        findings.add(place.clone(), message).help(help);
                    }
                }
                let inside = clients::inside(&site, name).into_iter();
                for (message, help) in inside.chain(windows::inside(&site, name)) {
                    findings.add(site.place(name), message).help(help);
                }
            }
        }
    }
}

/// How the layers behind a rule differ from it.
fn of_rule(site: &Site<'_>, outer: &Outer<'_>, name: &str) -> Vec<Difference> {
    let mut found = Vec::new();
    if let Some(route) = site.edge(name) {
        found.extend(requests(outer, route));
    }
    found.extend(clients::behind(site, outer, name));
    found.extend(windows::behind(site, outer, name));
    found
}

/// Paths and methods.
fn requests(outer: &Outer<'_>, route: &EdgeRoute) -> Vec<Difference> {
    let own = &outer.route.route;
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
    found
}
