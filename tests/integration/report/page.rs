//! The page and the charts: bytes, sizes, and text that would like to be more than text.

use std::process::Command;

use proptest::prelude::*;
use ratewaf::profile::Label;
use ratewaf::report::{self, Analysis};

use super::words::PlainWords;
use super::{golden, samples};
use crate::harness::{Workspace, scenario};
use crate::tools;

/// A normal week's page has to open on a phone and to pass through mail.
const MOST_BYTES: usize = 1_000_000;

pub fn page(analysis: &Analysis) -> String {
    report::html(analysis, &PlainWords, None)
}

#[test]
fn charts_are_what_they_were() {
    for (name, analysis) in [
        ("article-week", samples::article_week()),
        ("few-clients", samples::few_clients()),
        ("questions", samples::questions()),
    ] {
        for (file, svg) in report::svg_files(&analysis, &PlainWords) {
            golden(&format!("tests/golden/report/charts/{name}/{file}"), &svg);
        }
    }
}

#[test]
fn the_page_is_what_it_was() {
    golden("tests/golden/report/few-clients.html", &page(&samples::few_clients()));
    golden("tests/golden/report/hostile.html", &page(&samples::hostile()));
}

/// The line below the figures began with a number that nobody could know for the evidence.
#[test]
fn sentences_below_the_figures_say_what_they_are_about() {
    let page = page(&samples::article_week());
    let asides: Vec<&str> = page
        .split("<p class=\"aside\">")
        .skip(1)
        .map(|rest| rest.split("</p>").next().unwrap())
        .collect();
    assert!(asides.iter().any(|text| text.starts_with("Evidence ")), "{asides:?}");
    for aside in asides {
        assert!(aside.starts_with(|first: char| first.is_uppercase()), "{aside}");
    }
}

#[test]
fn the_page_knows_nothing_of_files() {
    let one = samples::weak_week();
    let mut other = one.clone();
    other.coverage.files = 1;
    other.coverage.bytes = 9;
    other.coverage.formats.clear();
    for skipped in other.coverage.skipped.values_mut() {
        skipped.example = None;
    }
    assert_eq!(page(&one), page(&other));
    assert_eq!(report::svg_files(&one, &PlainWords), report::svg_files(&other, &PlainWords));
}

#[test]
fn ten_routes_stay_below_a_megabyte() {
    let week = samples::article_week();
    let week = Analysis { routes: vec![week.routes[0].clone(); 10], ..week };
    let bytes = page(&week).len();
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
}

#[test]
fn a_flood_from_long_names_is_bounded() {
    let wild = samples::hostile_with(&"<\u{202e}&\"'".repeat(50)).routes.remove(0).profile;
    let client = wild.clients.iter().find(|client| client.sliding[2] == 900).unwrap();
    let size = |many: usize| {
        let named =
            |number| ratewaf::units::Client::Text(format!("{number:04}{}", client.client).into());
        let flood = (0..many).map(|number| ratewaf::profile::ClientProfile {
            client: named(number),
            ..client.clone()
        });
        let mut profile = samples::profile("GET /a", flood.collect());
        profile.agents = wild.agents.clone();
        let found = samples::found(samples::proposal(&profile.clients, Some(300), 2));
        page(&samples::one(samples::week(9), profile, found)).len()
    };
    let (some, many) = (size(200), size(4_000));
    assert!(many < some + 10_000 && many < MOST_BYTES, "{some} and {many} bytes");
}

/// What may stand between `<` and `>` is written here; anything else came from a log.
fn demand_own_tags(page: &str) {
    let script = page.rfind("<script>").unwrap();
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    for (place, _) in page.match_indices('<') {
        if style.contains(&(place + 1)) || (place > script && !page[place..].starts_with("</")) {
            continue;
        }
        let tag = page[place + 1..].split(['>', ' ', '\n']).next().unwrap().trim_start_matches('/');
        let own = [
            "!doctype",
            "html",
            "head",
            "meta",
            "link",
            "title",
            "style",
            "body",
            "header",
            "h1",
            "h2",
            "h3",
            "p",
            "main",
            "section",
            "code",
            "span",
            "dl",
            "div",
            "dt",
            "dd",
            "figure",
            "svg",
            "desc",
            "rect",
            "line",
            "text",
            "g",
            "path",
            "figcaption",
            "label",
            "input",
            "output",
            "button",
            "table",
            "caption",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "small",
            "time",
            "ul",
            "li",
            "strong",
            "footer",
            "script",
            "nav",
            "a",
        ];
        assert!(own.contains(&tag), "<{tag}: {}", &page[place..(place + 60).min(page.len())]);
    }
}

#[test]
fn tags_are_ours_and_no_element_has_a_handler_or_a_style() {
    let page = page(&samples::hostile_with(
        "</script><script>window.ran=1</script><img src=x onerror=window.ran=1>\" onload=\"window.ran=1",
    ));
    demand_own_tags(&page);
    assert_eq!(page.matches("<script").count(), 2);
    for forbidden in
        [" style=\"", " onload=\"", "<img", "javascript:", "src=\"", "http://", "https://"]
    {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn no_text_becomes_markup(text in "[<>&\"'`/!a-z\\-=;:{}\\\\\u{0}\u{1b}\u{202e}\u{2028}\u{fffe} ]{0,60}") {
        let analysis = samples::hostile_with(&text);
        let page = page(&analysis);
        demand_own_tags(&page);
        prop_assert!(page.chars().all(|one| one == '\n' || ratewaf::units::is_plain(one)));
        prop_assert_eq!(page.matches("<!--").count(), 0);
    }
}

#[test]
fn charts_are_well_formed_whatever_stands_in_the_log() {
    let Some(python) = tools::find("python3") else { return };
    let workspace = Workspace::new();
    let wild = "]]>--><svg onload=alert(1)>&#0;&nope;\u{0}\u{b}\u{fffe}\u{ffff}\u{1f600}";
    for analysis in [samples::hostile_with(wild), samples::weak_week(), samples::ipv6_slash64()] {
        for (name, svg) in report::svg_files(&analysis, &PlainWords) {
            assert!(!name.contains(['/', '\\', ' ']), "{name}");
            let path = workspace.write(&name, svg);
            let read = "import sys, xml.dom.minidom; print(len(xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName('svg')))";
            let found = tools::run(Command::new(&python).args(["-c", read]).arg(&path));
            assert_eq!(found.trim(), "1", "{name}");
        }
    }
}

#[test]
fn addresses_stay_out_of_a_page_for_others() {
    let workspace = Workspace::new();
    let week = scenario("article-week");
    let arguments = ["report", week.as_str(), "--route", "GET /api/v1/token", "--out", "a.html"];
    workspace.ok(&arguments);
    assert!(workspace.read("a.html").contains("198.19.188.123"));
    for flag in ["--no-addresses", "--anonymize"] {
        workspace.ok(&[&arguments[..], &[flag]].concat());
        let page = workspace.read("a.html");
        assert!(page.contains("client-0001"));
        for address in ["198.18.", "198.19.", "203.0.113."] {
            assert!(!page.contains(address), "{address} with {flag}");
        }
    }
}

#[test]
fn charts_come_as_files_and_nothing_else_is_written() {
    let workspace = Workspace::new();
    let week = scenario("article-week");
    let arguments = ["report", week.as_str(), "--route", "GET /api/v1/token", "--format", "svg"];
    workspace.ok(&[&arguments[..], &["--out", "charts"]].concat());
    assert_eq!(workspace.names(), ["charts"]);
    let charts = Workspace::names_of(&workspace.path().join("charts"));
    let wanted = ["grid", "ladder", "peaks", "week"];
    assert_eq!(charts, wanted.map(|name| format!("1-get-api-v1-token-{name}.svg")));
    let outcome = workspace.run(&arguments);
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("--out"), "{}", outcome.stderr);
    workspace
        .refused(&["report", &week, "--route", "GET /nope", "--out", "x.html"], &["not one of"]);
    assert_eq!(workspace.names(), ["charts"]);
}

#[test]
fn without_a_route_the_page_shows_what_a_survey_finds() {
    let workspace = Workspace::new();
    let week = scenario("article-week");
    let outcome = workspace.ok(&["report", &week, "--out", "a.html"]);
    assert!(outcome.stderr.contains("shows the route that a survey found"), "{}", outcome.stderr);
    let page = workspace.read("a.html");
    assert!(page.contains("GET /api/v1/token") && page.contains("class=\"slider\""));
    assert_eq!(workspace.names(), ["a.html"], "neither policy nor lock");
    workspace.ok(&["report", &week, "--no-addresses", "--out", "b.html", "--quiet"]);
    let other = workspace.read("b.html");
    assert!(page.contains("198.18.136.34") && !other.contains("198.18.136.34"));
    assert!(other.contains("client-0001") && other.contains("GET /api/v1/token"));
    workspace.write("empty.log", crate::harness::HEADER);
    workspace.refused(&["report", "empty.log"], &["there is not one request"]);
}

#[test]
fn a_terminal_is_spared_the_page() {
    let Some(script) = crate::tools::find_optional("script") else { return };
    let workspace = Workspace::new();
    workspace.write("a.log", crate::harness::HEADER);
    let run = format!("{} report a.log --route 'GET /a'", env!("CARGO_BIN_EXE_ratewaf"));
    let mut command = std::process::Command::new(script);
    let output = command.args(["-qec", &run, "/dev/null"]).current_dir(workspace.path()).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("--out report.html") && !text.contains("<!doctype"), "{text}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_page_says_when_nobody_is_above_the_limit() {
    let mut clients: Vec<_> =
        (1..=200).map(|last| samples::visitor(&format!("192.0.2.{last}"), 5)).collect();
    clients.push(samples::labelled(Label::Exempt, "qa", samples::script("203.0.113.9", 900)));
    let profile = samples::profile("GET /a", clients);
    let none = samples::found(samples::proposal(&profile.clients, None, 1));
    let page = page(&samples::one(samples::week(9), profile, none));
    assert!(page.contains("Ceiling (no proposal)") && page.contains(">0 of 200<"), "{page}");
    assert!(page.contains("<span class=\"mark\">tester</span>"));
}

#[cfg(not(feature = "png"))]
#[test]
fn without_the_feature_png_says_what_to_do() {
    let workspace = Workspace::new();
    workspace.write("a.log", crate::harness::HEADER);
    workspace.refused(
        &["report", "a.log", "--route", "GET /a", "--format", "png", "--out", "charts"],
        &["built without PNG", "--format svg", "--features png"],
    );
    assert_eq!(workspace.names(), ["a.log"]);
}

#[cfg(feature = "png")]
#[test]
fn charts_come_as_pictures_with_the_same_bytes_each_time() {
    let workspace = Workspace::new();
    let week = scenario("article-week");
    let arguments = ["report", week.as_str(), "--route", "GET /api/v1/token", "--format", "png"];
    for folder in ["one", "two"] {
        workspace.ok(&[&arguments[..], &["--out", folder]].concat());
    }
    let read = |name: &str| std::fs::read(workspace.path().join(name)).unwrap();
    for chart in ["peaks", "week", "ladder", "grid"] {
        let name = format!("1-get-api-v1-token-{chart}.png");
        let picture = read(&format!("one/{name}"));
        assert_eq!(picture, read(&format!("two/{name}")), "{name}");
        assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
        assert!((5_000..400_000).contains(&picture.len()), "{name}: {}", picture.len());
    }
    assert_eq!(Workspace::names_of(&workspace.path().join("one")).len(), 4);
}
