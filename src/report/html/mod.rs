//! One page that needs nothing else: charts, tables and a slider that moves the limit.
//!
//! The page fetches nothing, and its policy (Content-Security-Policy) forbids it to: one script and one
//! style run, known by their hashes. Foreign text passes through [`super::markup`].

mod clients;
mod computed;
mod route;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::drift::Drift;
use super::markup::{escape, json_in_script};
use super::view::{Picture, Report};
use super::{Analysis, Words, chart};
use crate::units::count;

const SCRIPT: &str = include_str!("page.js");
const PAGE_STYLE: &str = include_str!("page.css");

/// The analysis as a page of HTML. `drift`: what changed since an older lock.
#[must_use]
pub fn html(analysis: &Analysis, words: &dyn Words, drift: Option<&Drift>) -> String {
    let report = Report::new(analysis, words);
    let style = format!("\n{}{PAGE_STYLE}", chart::STYLE);
    let script = format!("\n{SCRIPT}");
    let routes = &report.routes;
    let mut out = String::with_capacity(1 << 18);
    let names: Vec<&str> = routes.iter().map(|route| route.route.as_str()).collect();
    let subject = match names.as_slice() {
        [only] => super::shorten::shorten(only, 80),
        several => count(several.len() as u64, "route", "routes"),
    };
    let period = report.coverage.period.clone().unwrap_or_default();
    out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(&format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n",
        hash(&script),
        hash(&style)
    ));
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    out.push_str("<link rel=\"icon\" href=\"data:,\">\n");
    out.push_str(&format!(
        "<title>Rate limit of {}, {}</title>\n",
        escape(&subject),
        escape(&period)
    ));
    out.push_str(&format!("<style>{style}</style>\n</head>\n<body>\n"));
    out.push_str(&format!(
        "<header>\n<h1>ratewaf report</h1>\n<p>{}{}</p>\n</header>\n",
        escape(&period),
        escape(&computed::lines_in_words(&report.coverage))
    ));
    if names.len() > 1 {
        contents(&mut out, routes);
    }
    out.push_str("<main>\n");
    let mut data = Vec::new();
    // All routes together stay below a megabyte in a normal week.
    let named = (2 * chart::NAMED / routes.len().max(1)).clamp(24, chart::NAMED);
    for (place, (route, view)) in analysis.routes.iter().zip(routes).enumerate() {
        let picture = Picture::new(route, &analysis.coverage.hours, named, words);
        let drift = drift.and_then(|drift| drift.of(&view.route));
        route::write(&mut out, place + 1, view, &picture, drift);
        data.push(route::data(&picture));
    }
    out.push_str("</main>\n");
    computed::write(&mut out, &report);
    let data = json_in_script(&serde_json::json!({ "routes": data }));
    out.push_str(&format!("<script type=\"application/json\" id=\"data\">{data}</script>\n"));
    out.push_str(&format!("<script>{script}</script>\n</body>\n</html>\n"));
    out
}

/// Links to the routes.
fn contents(out: &mut String, routes: &[super::view::RouteReport]) {
    out.push_str("<nav aria-label=\"Routes\">\n<ul>\n");
    for (place, route) in routes.iter().enumerate() {
        let place = place + 1;
        out.push_str(&format!(
            "<li><a href=\"#route-{place}\"><code>{}</code></a>: {}</li>\n",
            escape(&route.route),
            escape(route.proposal.grade)
        ));
    }
    out.push_str("</ul>\n</nav>\n");
}

/// The hash by which a policy knows a script or a style.
fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_style_cannot_end_their_elements() {
        for text in [SCRIPT, PAGE_STYLE, chart::STYLE] {
            assert!(!text.contains("</") && !text.contains("<!--") && text.ends_with('\n'));
        }
        for forbidden in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("] {
            assert!(!SCRIPT.contains(forbidden), "{forbidden}");
        }
        for (text, name) in [(PAGE_STYLE, "page"), (chart::STYLE, "chart")] {
            assert!(
                !text.contains("url(") && !text.contains("@import"),
                "{name} fetches something"
            );
        }
    }
}
