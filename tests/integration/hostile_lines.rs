//! Lines that hold the route's text where it does not belong, read by the shortcuts that most lines take
//! and counted by hand: split at every tab, decoded and compared as the emitted statement is.

use proptest::prelude::*;
use ratewaf::counts::{Selection, Settings, run};
use ratewaf::logs::{Options, discover};
use ratewaf::rules::{PathMatcher, Route, url_decode};

use crate::counted::{Counted, whole};

const HEADER: &str = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status \
cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes \
time-taken x-forwarded-for\n";
const CLIENT: usize = 4;
const METHOD: usize = 5;
const PATH: usize = 7;

/// Texts of clients, the route's among them, in every column that they choose.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("/oauth/token".to_owned()),
        1 => Just("GET%09/oauth/token".to_owned()),
        1 => Just("https://shop.example/oauth/token?a=/oauth/token".to_owned()),
        1 => Just("-".to_owned()),
        1 => Just(String::new()),
        2 => "[ -~]{0,30}",
        1 => "[a-z/]{60,140}",
    ]
}

fn path() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "/oauth/token", "/oauth/token/", "/OAuth/Token", "/oauth//token", "/oauth/%74oken", "/oauth/%2574oken",
            "/oauth/./token", "/static/../oauth/token", "/oauth/token/x", "/oauth/tokens", "oauth/token", "/a/oauth/token",
            "/oauth/token%2f", "/oauth/token%00", "/oauth/toke%6E", "//oauth/token", "/oauth/token//", "/oauth/token/.",
            "/oauth/..%2foauth/token", "/oauth/\u{fc}token", "/oauth /token",
        ]).prop_map(str::to_owned),
        1 => "/[a-zA-Z0-9%/._-]{0,70}",
        1 => text(),
    ]
}

#[derive(Clone, Debug)]
struct Line {
    text: String,
    counted: Option<String>,
    read: bool,
}

fn line(route: &Route, matcher: &PathMatcher) -> impl Strategy<Value = Line> + use<> {
    let (route, matcher) = (route.clone(), matcher.clone());
    let client = prop::sample::select(vec![
        "192.0.2.1",
        "192.0.2.11",
        "2001:db8::1",
        "2001:0DB8::1",
        "x.x.x.x",
    ]);
    let method = prop::sample::select(vec!["GET", "POST", "OPTIONS", "get", "-"]);
    let end = prop::sample::select(vec!["\n", "\r\n", "\n\n", "\n\r\n"]);
    // As many columns as there are, or fewer, or more.
    let columns = prop_oneof![6 => Just(20), 1 => 1_usize..20, 1 => 21_usize..24];
    (client, method, path(), prop::collection::vec(text(), 24), columns, end).prop_map(
        move |(client, method, path, mut texts, columns, end)| {
            for (column, value) in [
                (0, "2026-09-08"),
                (1, "00:00:01"),
                (CLIENT, client),
                (METHOD, method),
                (PATH, path.as_str()),
                (18, "0.1"),
            ] {
                texts[column] = value.to_owned();
            }
            let text = texts[..columns].join("\t");
            let columns: Vec<&str> = text.split('\t').collect();
            let path = columns.get(PATH).filter(|path| !matches!(**path, "" | "-"));
            let read = path.is_some();
            let counted = path
                .filter(|path| {
                    route.has_method(columns[METHOD].as_bytes())
                        && matcher.matches(&url_decode(path.as_bytes()))
                })
                .map(|_| client.to_lowercase().replace(":0db8", ":db8"));
            Line { text: text + end, counted, read }
        },
    )
}

fn count(text: &str, route: &Route) -> Counted {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("access.log"), text).unwrap();
    let found = discover(&[folder.path().display().to_string()], false).unwrap();
    let selection = Selection::routes(std::slice::from_ref(route), &[]).unwrap();
    let logs = Options { needs: selection.needs(), keep_going: true, ..Options::default() };
    let settings =
        Settings { logs, dedupe: false, threads: 1, memory: 1 << 30, scale_sampled: false };
    whole(run(&found.inputs, &selection, &settings, &()).unwrap())
}

fn compare(route: &str, seeds: u32) {
    let route: Route = route.parse().unwrap();
    let matcher = route.matcher().unwrap();
    let lines = prop::collection::vec(line(&route, &matcher), 1..60);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(seeds));
    let check = |(lines, ends): (Vec<Line>, bool)| {
        let mut text = HEADER.to_owned();
        lines.iter().for_each(|line| text.push_str(&line.text));
        if !ends {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        let counts = count(&text, &route);
        let read = lines.iter().filter(|line| line.read).count() as u64;
        prop_assert_eq!(counts.coverage.lines, read);
        let mut expected: Vec<String> =
            lines.iter().filter_map(|line| line.counted.clone()).collect();
        let events = counts.routes[0].events.iter();
        let mut found: Vec<String> =
            events.map(|event| counts.clients.client(event.client).to_string()).collect();
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
        Ok(())
    };
    runner.run(&(lines, any::<bool>()), check).unwrap();
}

#[test]
fn a_whole_path_is_found_in_its_own_column_only() {
    compare("GET /oauth/token", 64);
}

#[test]
fn beginnings_ends_parts_and_expressions_are_too() {
    for route in ["GET /oauth/*", "*/token", "GET,POST */oauth/*", "GET ~^/oauth/[a-z]+$"] {
        compare(route, 16);
    }
}
