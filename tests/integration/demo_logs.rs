//! Generated logs: the same plan makes the same bytes, and the product finds what is true of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ratewaf::counts::{Counts, Parts, Selection, Settings, run};
use ratewaf::demo::{self, Plan, Role, Summary, Treatment};
use ratewaf::logs::{Options, discover};
use ratewaf::profile::{ClientProfile, Labels, Names, RouteProfile, build_all};
use ratewaf::rules::{Network, NetworkKind, Route, canonical_cidr};
use ratewaf::units::Window;

const LINES: u64 = 30_000;

fn make(plan: &Plan, folder: &Path) -> Summary {
    demo::generate(plan, folder, &|_| true).unwrap()
}

fn plan(seed: u64) -> Plan {
    Plan { lines: LINES, seed, ..Plan::default() }
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect()
}

fn read(folder: &Path, route: &Route, dedupe: bool) -> Counts {
    let selection = Selection::routes(std::slice::from_ref(route), &[]).unwrap();
    let logs = folder.join("*.gz").display().to_string();
    let found = discover(&[logs], !dedupe).unwrap();
    let logs = Options { needs: selection.needs(), ..Options::default() };
    let settings = Settings { logs, dedupe, threads: 2, memory: 1 << 30, scale_sampled: false };
    run(&found.inputs, &selection, &settings, &()).unwrap()
}

fn route(summary: &Summary) -> Route {
    let route = &summary.truth.route;
    format!("{} {}", route.method, route.path).parse().unwrap()
}

fn profile(folder: &Path, summary: &Summary) -> RouteProfile {
    let route = route(summary);
    let counts = read(folder, &route, true);
    assert_eq!(counts.coverage.lines, summary.truth.lines);
    assert_eq!(counts.coverage.skipped_lines(), 0);
    assert_eq!(counts.coverage.files, summary.truth.files);
    assert_eq!(counts.coverage.days(), 7);
    // Lines by hour: each thread keeps the count of its last hour aside.
    assert_eq!(counts.coverage.hours.values().sum::<u64>(), counts.coverage.lines);
    let labels = Labels::new(vec![Network {
        name: "qa".to_owned(),
        cidrs: summary.truth.labels.exempt.iter().filter_map(|cidr| canonical_cidr(cidr)).collect(),
        kind: NetworkKind::Tester,
        until: None,
    }]);
    let routes = [(route, Window::FIVE_MINUTES)];
    build_all(&routes, counts.parts, &labels, Names::OfEverybody).unwrap().routes.remove(0)
}

#[test]
fn a_seed_makes_the_same_bytes_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["one", "two", "three"].map(|name| folder.path().join(name));
    make(&plan(7), &one);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| make(&plan(7), &two));
    make(&plan(8), &three);
    let (one, two, three) = (contents(&one), contents(&two), contents(&three));
    assert!(one == two, "the same plan made different files");
    let logs = |files: &BTreeMap<String, Vec<u8>>| files.values().cloned().collect::<BTreeSet<_>>();
    assert!(logs(&one).is_disjoint(&logs(&three)), "another seed made a file of this one");
}

#[test]
fn the_product_finds_the_figures_of_the_truth() {
    for seed in [7, 2026] {
        let folder = tempfile::tempdir().unwrap();
        let summary = make(&plan(seed), folder.path());
        let profile = profile(folder.path(), &summary);
        let truth = &summary.truth;
        assert_eq!(truth.lines, LINES);
        assert_eq!(profile.clients.len() as u64, truth.clients);
        assert_eq!(profile.requests, truth.requests);
        let sum = |column: fn(&ClientProfile) -> u32| {
            profile.clients.iter().map(|client| u64::from(column(client))).sum::<u64>()
        };
        assert_eq!(sum(|client| client.clock[0]), truth.sum_of_peaks.clock_60);
        assert_eq!(sum(|client| client.clock[2]), truth.sum_of_peaks.clock_300);
        assert_eq!(sum(|client| client.sliding[2]), truth.sum_of_peaks.sliding_300);
        assert_eq!(truth.top.len(), 20);
        for (row, client) in truth.top.iter().zip(&profile.clients) {
            let found = (
                client.client.to_string(),
                u64::from(client.requests),
                [client.clock[0], client.clock[2], client.sliding[2]].map(u64::from),
            );
            let peaks = [row.peaks.clock_60, row.peaks.clock_300, row.peaks.sliding_300];
            assert_eq!(found, (row.client.clone(), row.requests, peaks), "seed {seed}");
        }
    }
}

fn events(parts: Parts) -> u64 {
    parts.map(|part| part.events[0].len() as u64).unwrap().into_iter().sum()
}

#[test]
fn copies_spellings_and_preflights_are_in_the_logs() {
    let folder = tempfile::tempdir().unwrap();
    // Enough lines for several copies on the route.
    let big = Plan { lines: 200_000, seed: 5, ..Plan::default() };
    let summary = make(&big, folder.path());
    let truth = &summary.truth;
    let route = route(&summary);
    let once = read(folder.path(), &route, true);
    let all = read(folder.path(), &route, false);
    let traffic = &once.traffic[0];
    let (once_events, all_events) = (events(once.parts), events(all.parts));
    assert_eq!(once_events, truth.requests);
    let copies = all_events - truth.requests;
    assert!((1..=truth.copies).contains(&copies), "{copies} of {}", truth.copies);
    let other_spellings = traffic.matched - traffic.plain;
    assert!(truth.other_spellings > 100 && truth.preflights > 100);
    // The traffic around a route is told as it was read, copies included.
    let with_copies = |number: u64| number..=number + truth.copies;
    assert!(with_copies(truth.other_spellings).contains(&other_spellings));
    assert!(with_copies(truth.preflights).contains(&traffic.other_methods["OPTIONS"]));
    let kinds = [traffic.other_case, traffic.other_trailing_slash, traffic.other_escapes];
    assert!(kinds.iter().chain([&traffic.other_slashes]).all(|&number| number > 0));
    assert_eq!(once.coverage.lines, 200_000);
}

fn unpacked(bytes: &[u8]) -> String {
    use std::io::Read as _;
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn lines_are_as_untidy_as_those_of_cloudfront() {
    let folder = tempfile::tempdir().unwrap();
    make(&Plan { lines: 60_000, seed: 3, ..Plan::default() }, folder.path());
    let (mut strays, mut backwards, mut sessions, mut left, mut sixes) = (0, 0, 0, 0, 0);
    let mut sizes = BTreeSet::new();
    for (name, bytes) in contents(folder.path()).iter().filter(|(name, _)| name.ends_with(".gz")) {
        let text = unpacked(bytes);
        assert!(text.is_ascii());
        let rows: Vec<Vec<&str>> =
            text.lines().skip(2).map(|line| line.split('\t').collect()).collect();
        sizes.insert(rows.len());
        let mut before = String::new();
        for row in &rows {
            assert_eq!(row.len(), 33, "{row:?}");
            assert!(
                row.iter().all(|column| !column.is_empty() && !column.contains(' ')),
                "{row:?}"
            );
            let moment = format!("{}-{}", row[0], row[1].replace(':', "-"));
            strays += u32::from(!name.contains(&format!(".{}.", &moment[..13])));
            backwards += u32::from(moment < before);
            before = moment;
            let taken: f64 = row[18].parse().unwrap();
            let first_byte: f64 = row[27].parse().unwrap();
            assert!(first_byte <= taken, "{row:?}");
            sessions += u32::from(row[16] == "wss" && taken > 3_600.0);
            left += u32::from(row[8] == "000");
            sixes += u32::from(row[4].starts_with("2001:db8:"));
        }
    }
    assert!(strays > 50, "{strays} lines in a neighbour's file");
    assert!(backwards > 10_000, "{backwards} lines before their predecessor");
    assert!(sessions > 0 && left > 0, "{sessions} long sessions, {left} without an answer");
    assert!((6_000..40_000).contains(&sixes), "{sixes} lines of IPv6 clients");
    assert!(sizes.len() > 50, "files of the same size");
}

#[test]
fn there_is_a_limit_between_those_who_pass_and_the_abusers() {
    for seed in 1..=6 {
        let folder = tempfile::tempdir().unwrap();
        let truth = make(&plan(seed), folder.path()).truth;
        let interval = truth.acceptable.expect("a limit that is right");
        let (pass, stop) = (truth.busiest_to_pass.unwrap(), truth.weakest_abusive.unwrap());
        assert_eq!(pass.treatment, Treatment::Pass);
        assert_eq!(stop.role, Role::Abuser);
        assert!(2 * pass.peaks.sliding_300 < stop.peaks.sliding_300, "seed {seed}: {interval:?}");
        assert!(interval.lo > pass.peaks.sliding_300 && interval.hi < stop.peaks.sliding_300);
    }
}

#[test]
fn as_many_lines_and_clients_as_asked_for() {
    for (lines, clients, days) in
        [(1_000, None, 7), (12_345, Some(60), 1), (40_000, Some(15_000), 3)]
    {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan { lines, clients, days, ..Plan::default() };
        let truth = make(&plan, folder.path()).truth;
        assert_eq!(truth.lines, lines);
        let counts = read(folder.path(), &"GET /oauth/token".parse().unwrap(), true);
        assert_eq!(counts.coverage.lines, lines);
        let addresses = counts.parts.map(|part| part.clients.len() as u64).unwrap();
        assert_eq!(addresses.into_iter().sum::<u64>(), truth.addresses);
        if let Some(clients) = clients {
            assert_eq!(truth.addresses, clients, "{lines} lines");
        }
    }
}

#[test]
fn a_folder_with_something_in_it_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let error = demo::generate(&plan(1), folder.path(), &|_| true).unwrap_err();
    assert!(error.to_string().contains("is not empty"), "{error}");
    assert_eq!(contents(folder.path()).len(), 1);
}

#[test]
fn plans_that_cannot_be_met_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let start = ratewaf::units::Timestamp(1_788_739_201);
    for (plan, words) in [
        (Plan { lines: 10, ..Plan::default() }, "1,000 lines at least"),
        (Plan { clients: Some(3), ..Plan::default() }, "50 clients at least"),
        (Plan { lines: 9_000, clients: Some(5_000), ..Plan::default() }, "room for 4,500"),
        (Plan { days: 0, ..Plan::default() }, "1 to 400"),
        (Plan { start, ..Plan::default() }, "full hour"),
    ] {
        let out = folder.path().join("out");
        let error = demo::generate(&plan, &out, &|_| true).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(!out.exists());
    }
}
