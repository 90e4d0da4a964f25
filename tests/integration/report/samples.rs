//! Analyses made by hand: populations, proposals and warnings as the stages before would hand them on.

use std::collections::BTreeMap;
use std::sync::Arc;

use ratewaf::counts::{AgentTexts, Coverage, RouteTraffic, Skipped};
use ratewaf::profile::{ClientProfile, Habit, Label, Labelled, RouteProfile};
use ratewaf::proposal::{
    Grade, Proposal, Question, QuestionKind, Reason, RouteProposal, SignSet, Warning,
};
use ratewaf::report::{Analysis, RouteAnalysis};
use ratewaf::rules::Route;
use ratewaf::survey::{Advice, Group, Survey};
use ratewaf::units::{Client, Limit, Timestamp, Window};

/// 2026-09-08T00:00:00Z.
const START: i64 = 1_788_825_600;

pub fn limit(requests: u64) -> Limit {
    Limit::new(requests).unwrap()
}

/// A client that browses: habits and shares of an ordinary visitor.
pub fn visitor(client: &str, peak: u32) -> ClientProfile {
    let time = Timestamp(START + i64::from(peak) * 60);
    ClientProfile {
        client: Client::from_text(client),
        label: None,
        requests: peak * 3,
        lines: peak * 6,
        sliding: [peak.div_ceil(3), peak.div_ceil(2), peak, peak],
        clock: [peak.div_ceil(3), peak.div_ceil(2), peak - peak / 27, peak],
        plain_sliding: [peak.div_ceil(3), peak.div_ceil(2), peak, peak],
        busiest: [time; 4],
        habits: [Habit { near_days: 1, windows: 2, middle: peak.div_ceil(2) }; 4],
        hours: 2,
        agents: 1,
        top_agent: BROWSER,
        errors: 0,
        limited: 0,
        referers: peak * 3,
        browsers: peak * 3,
        forwarded: 0,
        known: true,
        first: time,
        last: Timestamp(time.0 + 600),
    }
}

/// A tool that calls nothing else.
pub fn script(client: &str, peak: u32) -> ClientProfile {
    ClientProfile {
        lines: peak * 3,
        referers: 0,
        browsers: 0,
        top_agent: TOOL,
        hours: 4,
        clock: [peak / 2, peak / 2, peak, peak],
        ..visitor(client, peak)
    }
}

pub fn labelled(label: Label, network: &str, client: ClientProfile) -> ClientProfile {
    ClientProfile { label: Some(Labelled { label, network: network.to_owned() }), ..client }
}

/// So many visitors with peaks from 1 to 60, most of them small.
fn everybody(count: u32) -> Vec<ClientProfile> {
    (0..count)
        .map(|number| {
            // 1, 2, 3 … of a list in which n stands for 1 / n of all.
            let peak = (count / (number + 1)).clamp(1, 24) + number % 4;
            visitor(&format!("198.18.{}.{}", number / 250, number % 250 + 1), peak)
        })
        .collect()
}

pub fn profile(route: &str, mut clients: Vec<ClientProfile>) -> RouteProfile {
    let route: Route = route.parse().unwrap();
    clients.sort_by(|a, b| b.sliding[2].cmp(&a.sliding[2]).then_with(|| a.client.cmp(&b.client)));
    let requests = clients.iter().map(|client| u64::from(client.requests)).sum();
    let traffic = RouteTraffic { matched: requests, plain: requests, ..RouteTraffic::default() };
    RouteProfile {
        route,
        window: Window::FIVE_MINUTES,
        clients,
        crowd: Vec::new(),
        slash64: Vec::new(),
        slash64_crowd: Vec::new(),
        by_hour: by_hour(requests),
        requests,
        traffic,
        agents: agents(),
    }
}

/// Hashes of agents.
const BROWSER: u32 = 2;
const TOOL: u32 = 3;
const RENDERER: u32 = 5;
const WILD: u32 = 7;

/// A week that sleeps at night.
fn by_hour(requests: u64) -> BTreeMap<i64, u64> {
    let hours = 0..7 * 24;
    let weight = |hour: i64| [1, 0, 0, 0, 1, 2, 4, 7, 9, 9, 8, 7][(hour % 24) as usize / 2];
    let whole: u64 = hours.clone().map(weight).sum();
    let of_hours = hours.map(|hour| (START / 3600 + hour, requests * weight(hour) / whole));
    of_hours.filter(|(_, requests)| *requests > 0).collect()
}

fn agents() -> Arc<AgentTexts> {
    let mut agents = AgentTexts::default();
    let browser = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
    agents.note(BROWSER, browser.as_bytes());
    agents.note(TOOL, b"python-requests/2.32.3");
    agents.note(RENDERER, b"ssr-renderer/4.2");
    Arc::new(agents)
}

/// A proposal over the clients, cut below the `cut`-th.
pub fn proposal(clients: &[ClientProfile], chosen: Option<u64>, cut: usize) -> Proposal {
    let peak = |place: usize| clients[place].sliding[2];
    let chosen = chosen.map(limit);
    let over = |limit: Limit| {
        let places = (0..clients.len()).filter(|&place| {
            let exempt = clients[place].label.as_ref().is_some_and(|l| l.label == Label::Exempt);
            peak(place) > limit.requests() && !exempt
        });
        places.collect::<Vec<_>>()
    };
    let above = chosen.map(over).unwrap_or_default();
    let all: u32 = clients.iter().map(|client| client.requests).sum();
    let theirs: u32 = above.iter().map(|&place| clients[place].requests).sum();
    let ladder = [150u64, 200, 250, 300, 400, 500, 600].map(limit);
    let edges = chosen.map(|limit| (limit, peak(cut), peak(cut - 1)));
    Proposal {
        ordinary_peak: 0,
        window: Window::FIVE_MINUTES,
        grade: if chosen.is_some() { Grade::Clear } else { Grade::None },
        limit: chosen,
        reason: if chosen.is_some() { None } else { Some(Reason::NoGap) },
        ceiling: limit(u64::from((2 * peak(0)).div_ceil(100) * 100)),
        lower: edges.map(|(_, lower, _)| lower),
        upper: edges.map(|(_, _, upper)| upper),
        headroom: edges.map(|(limit, lower, _)| f64::from(limit.requests()) / f64::from(lower)),
        margin: edges.map(|(limit, _, upper)| f64::from(upper) / f64::from(limit.requests())),
        range: edges.map(|(_, lower, upper)| (lower * 6 / 5 + 1, upper * 5 / 6)),
        clients_above_cut: if chosen.is_some() { cut } else { 0 },
        evidence: chosen.map(|_| 13.623_456_789_123),
        weight: 0.0,
        weaknesses: Vec::new(),
        fewest_signs: chosen.map(|_| 3),
        cautious_limit: None,
        questions: Vec::new(),
        days: 7,
        sign_sets: vec![SignSet::default(); clients.len()],
        signs: clients.iter().map(|client| if client.referers == 0 { 3 } else { 0 }).collect(),
        established: clients.iter().map(|client| client.hours >= 24).collect(),
        shared: clients.iter().map(|client| client.agents >= 8).collect(),
        busiest_below: chosen.map(|_| cut),
        weakest_above: chosen.map(|_| cut - 1),
        below: match chosen {
            Some(_) => (cut..clients.len().min(cut + 5)).collect(),
            None => Vec::new(),
        },
        ladder: match chosen {
            Some(_) => ladder.iter().map(|&step| (step, over(step).len())).collect(),
            None => Vec::new(),
        },
        share_above: f64::from(theirs) / f64::from(all.max(1)),
        above,
        caps: Vec::new(),
    }
}

pub fn found(proposal: Proposal) -> RouteProposal {
    RouteProposal { proposal, other_window: None, slash64: None, warnings: Vec::new() }
}

pub fn warning(id: &'static str, text: &str) -> Warning {
    Warning { id, text: text.to_owned() }
}

pub fn week(lines: u64) -> Coverage {
    Coverage {
        lines,
        files: 182,
        bytes: 2_500_000,
        formats: BTreeMap::from([("CloudFront standard log, 33 columns".to_owned(), 182)]),
        hours: (START / 3600..START / 3600 + 168).map(|hour| (hour, 595)).collect(),
        first: Some(Timestamp(START + 12)),
        last: Some(Timestamp(START + 7 * 86_400 - 9)),
        ..Coverage::default()
    }
}

pub fn one(coverage: Coverage, profile: RouteProfile, proposal: RouteProposal) -> Analysis {
    Analysis {
        coverage,
        routes: vec![RouteAnalysis { profile, proposal, pinned: None }],
        survey: None,
        kept: ratewaf::report::Kept::Written,
        rules: None,
    }
}

/// The week of the story: eleven above a wide gap.
pub fn article_week() -> Analysis {
    let peaks = [7_383, 5_120, 3_275, 2_310, 1_904, 1_420, 1_100, 866, 640, 512, 468];
    let mut clients = everybody(8_907);
    clients.extend(
        peaks
            .iter()
            .enumerate()
            .map(|(at, &peak)| script(&format!("198.19.188.{}", at + 23), peak)),
    );
    clients.push(visitor("198.19.223.129", 187));
    clients.push(visitor("198.19.7.30", 121));
    clients.push(labelled(
        Label::Good,
        "ssr",
        ClientProfile {
            hours: 168,
            agents: 64,
            top_agent: RENDERER,
            ..visitor("203.0.113.46", 46)
        },
    ));
    let mut profile = profile("GET /api/v1/token", clients);
    profile.traffic.matched += 1_204;
    profile.traffic.other_case = 1_004;
    profile.traffic.other_trailing_slash = 200;
    profile.traffic.other_methods = BTreeMap::from([("OPTIONS".to_owned(), 3_912)]);
    let proposal = proposal(&profile.clients, Some(300), 11);
    one(week(114_144), profile, found(proposal))
}

/// A weak limit with a careful one beside it, warnings, and trouble in the logs.
pub fn weak_week() -> Analysis {
    let mut clients = everybody(240);
    clients.extend((0..43).map(|at| script(&format!("198.51.100.{}", at + 1), 900 + at * 40)));
    for (at, peak) in [480, 510, 560].into_iter().enumerate() {
        clients.push(visitor(&format!("192.0.2.{}", at + 7), peak));
    }
    clients.push(labelled(Label::Good, "partner", script("203.0.113.9", 640)));
    clients.push(labelled(Label::Exempt, "qa-runner", script("203.0.113.10", 19_000)));
    let profile = profile("POST /login", clients);
    let mut weak = proposal(&profile.clients, Some(200), 48);
    weak.grade = Grade::Weak;
    weak.evidence = Some(6.2);
    weak.cautious_limit = Some(limit(600));
    let mut other = proposal(&profile.clients, Some(80), 48);
    other.window = Window::ONE_MINUTE;
    let mut route = found(weak);
    route.other_window = Some(other);
    route.warnings = vec![
        warning("coverage", "31 of 199 hours between the first and the last request have no file."),
        warning("short-log", "This log covers 2 days; habits show in a week."),
        warning(
            "together",
            "40 of 47 clients above the limit peak within the same half hour: a sale or an attack. Look before you block.",
        ),
    ];
    let mut coverage = week(61_003);
    coverage.hours.retain(|hour, _| hour % 6 != 0);
    coverage.skipped = BTreeMap::from([
        ("no client address", Skipped { lines: 3, example: Some(("logs/b.gz".to_owned(), 9)) }),
        ("too few columns", Skipped { lines: 1, example: Some(("logs/a.gz".to_owned(), 1_023)) }),
    ]);
    coverage.partial_files = vec![("logs/c.gz".to_owned(), "the gzip ends early".to_owned())];
    coverage.repeated_files =
        (1..=5).map(|at| (format!("logs/copy{at}.gz"), "logs/a.gz".to_owned())).collect();
    one(coverage, profile, route)
}

/// No limit, but three things a person could decide.
pub fn questions() -> Analysis {
    let mut clients = everybody(120);
    clients
        .extend([60, 75, 130, 400].map(|peak| script(&format!("198.51.100.{}", peak % 250), peak)));
    clients.push(ClientProfile { hours: 52, ..visitor("203.0.113.200", 900) });
    let profile = profile("GET /search", clients);
    let mut none = proposal(&profile.clients, None, 1);
    none.reason = Some(Reason::InTheWay);
    none.questions = vec![
        Question { kind: QuestionKind::Exempt, clients: vec![0], more: 0, limit: limit(50) },
        Question {
            kind: QuestionKind::Unwanted,
            clients: vec![1, 2, 3, 4],
            more: 0,
            limit: limit(40),
        },
    ];
    one(week(4_000), profile, found(none))
}

/// Three clients on one day.
pub fn few_clients() -> Analysis {
    let clients = vec![visitor("192.0.2.1", 1), visitor("192.0.2.2", 4), script("192.0.2.3", 31)];
    let profile = profile("/reports/*", clients);
    let mut none = proposal(&profile.clients, None, 1);
    none.reason = Some(Reason::TooFewClients);
    let coverage = Coverage {
        lines: 112,
        files: 1,
        hours: BTreeMap::from([(START / 3600, 40)]),
        first: Some(Timestamp(START)),
        last: Some(Timestamp(START + 3_000)),
        ..Coverage::default()
    };
    let mut route = found(none);
    route.warnings = vec![warning("short-log", "This log covers 1 day; habits show in a week.")];
    one(coverage, profile, route)
}

/// Walkers through IPv6 networks that only show by /64.
pub fn ipv6_slash64() -> Analysis {
    let mut clients = everybody(400);
    clients.extend(
        (1..=9).map(|at| script(&format!("2001:db8:85a3:1:8a2e:370:7334:{at:x}f0{at}"), 620 + at)),
    );
    clients.push(visitor("2001:db8:ffff:2::1", 120));
    let mut profile = profile("GET /api/v2/prices", clients);
    let mut by_slash64 = everybody(400);
    by_slash64.extend([4_100, 2_600, 1_700].map(|peak| ClientProfile {
        client: Client::from_text(&format!("2001:db8:85a3:{peak}::1")).slash64(),
        ..script("::1", peak)
    }));
    by_slash64.sort_by_key(|client| std::cmp::Reverse(client.sliding[2]));
    profile.slash64 = by_slash64;
    let mut route = found(proposal(&profile.clients, Some(250), 9));
    route.slash64 = Some(proposal(&profile.slash64, Some(250), 3));
    route.warnings = vec![warning(
        "slash64",
        "By /64, 2001:db8:85a3:4100::/64 peaks at 4,100 though no address of it is above the limit: a limit by address does not see it.",
    )];
    one(week(9_000), profile, route)
}

/// Text that runs, links, mentions and breaks tables wherever it is not escaped.
pub const HOSTILE: &str = "x`|\u{1b}[2J\u{9b}31m\r\n</details><img src=x onerror=alert(1)> [a](http://evil.example) @admin #1 www.evil.example \u{202e}|\\|`";

/// [`HOSTILE`] wherever a log or a policy can put text.
pub fn hostile() -> Analysis {
    hostile_with(HOSTILE)
}

pub fn hostile_with(text: &str) -> Analysis {
    let mut clients = everybody(40);
    let wild = |peak| ClientProfile {
        client: Client::Text(text.into()),
        agents: 30,
        top_agent: WILD,
        ..script("::1", peak)
    };
    clients.push(wild(900));
    clients.push(wild(20));
    clients.push(labelled(Label::Good, text, wild(400)));
    clients.push(labelled(Label::Exempt, text, wild(401)));
    let mut profile = profile("GET /a", clients);
    Arc::make_mut(&mut profile.agents).note(WILD, text.as_bytes());
    profile.route.path =
        ratewaf::rules::PathPattern::Exactly(format!("/{text}/{}", "a".repeat(120)));
    profile.traffic.other_methods = BTreeMap::from([(text.to_owned(), 7_000)]);
    let mut weak = proposal(&profile.clients, Some(300), 3);
    weak.questions = vec![Question {
        kind: QuestionKind::Unwanted,
        clients: vec![0, 1],
        more: 0,
        limit: limit(40),
    }];
    let mut route = found(weak);
    route.warnings = vec![warning("all-day", text)];
    let groups = vec![Group {
        route: Some(profile.route.clone()),
        title: format!("GET /{text}"),
        requests: 4_000,
        clients: 40,
        peak: 900,
        peak_slash64: 900,
        busiest: Client::Text(text.into()),
        advice: Advice::Look,
        analysis: Some((profile.clone(), route.clone())),
    }];
    let mut coverage = week(5_000);
    coverage.skipped = BTreeMap::from([(
        "too few columns",
        Skipped { lines: 2, example: Some((text.to_owned(), 1)) },
    )]);
    coverage.masked_clients = 1;
    Analysis {
        coverage,
        routes: vec![RouteAnalysis { profile, proposal: route, pinned: None }],
        survey: Some(Survey { groups, more_groups: 3, more_requests: 17 }),
        kept: ratewaf::report::Kept::Written,
        rules: Some(super::rule_samples::rules(text)),
    }
}

/// No route asked for: groups with a limit, without one, and not worth one.
pub fn survey() -> Analysis {
    let group = |title: &str, peak, advice, analysis: Option<Analysis>| {
        let analysis = analysis.map(|mut found| {
            let route = found.routes.remove(0);
            (route.profile, route.proposal)
        });
        Group {
            // What no statement can tell from others has none.
            route: title.parse().ok().filter(|_| !title.contains('{')),
            title: title.to_owned(),
            requests: u64::from(peak) * 14,
            clients: u64::from(peak) / 3 + 1,
            peak,
            peak_slash64: peak,
            busiest: Client::from_text("198.19.188.23"),
            advice,
            analysis,
        }
    };
    let mut by_network = ipv6_slash64();
    let walkers = &mut by_network.routes[0];
    walkers.proposal.proposal = proposal(&walkers.profile.clients, None, 1);
    let mut groups = vec![
        group("GET /api/v1/token", 7_383, Advice::Look, Some(article_week())),
        group("GET /api/v2/prices", 629, Advice::Look, Some(by_network)),
        group("POST /hooks/payment", 2_900, Advice::Webhook, None),
        group("POST /login", 2_580, Advice::Look, Some(weak_week())),
        group("GET /search", 900, Advice::Look, Some(questions())),
        group("GET /healthz", 300, Advice::HealthCheck, None),
        group("GET /static/{hash}.js", 160, Advice::StaticAsset, None),
        group("GET /users/{id}/orders/{id}/positions/{id}/invoice.pdf", 31, Advice::Look, None),
    ];
    groups[1].peak_slash64 = 4_100;
    // Said of every group: about the log but for one sentence.
    for (place, group) in groups.iter_mut().enumerate() {
        if let Some((_, found)) = &mut group.analysis {
            found.warnings.retain(|warning| warning.id != "coverage" && warning.id != "short-log");
            let copies =
                format!("31 of 199 hours have no line. {} copies were dropped.", place + 2);
            let short = "This log covers 2 days; habits show in a week.";
            found
                .warnings
                .splice(0..0, [warning("coverage", &copies), warning("short-log", short)]);
        }
    }
    Analysis {
        coverage: week(200_000),
        routes: Vec::new(),
        survey: Some(Survey { groups, more_groups: 214, more_requests: 8_120 }),
        kept: ratewaf::report::Kept::Written,
        rules: None,
    }
}
