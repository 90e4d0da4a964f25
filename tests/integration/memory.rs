//! Memory that is bounded: the same answer with little of it, and never a killed process.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use proptest::prelude::*;
use ratewaf::counts::{Selection, Settings, run};
use ratewaf::demo::{self, Plan, Summary};
use ratewaf::logs::{Options, discover};
use ratewaf::profile::{Labels, Names, RouteProfile, build_all};
use ratewaf::proposal::{lock_route, propose_route};
use ratewaf::report::{self, Analysis, ProposalWords, RouteAnalysis, Style};
use ratewaf::rules::{Network, NetworkKind, Route, canonical_cidr};
use ratewaf::units::Window;
use serde_json::Value;

use crate::harness::{HEADER, Outcome, Workspace, line, program, repository};

/// Runs the program with so many bytes of data (`RLIMIT_DATA`), which is what it allocates.
fn limited(folder: &Path, megabytes: u64, arguments: &[&str]) -> Command {
    let own = program(folder);
    let mut command = Command::new("bash");
    command.current_dir(folder).env_clear();
    command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let kilobytes = megabytes * 1_024;
    command.arg("-c").arg(format!("ulimit -d {kilobytes} && exec \"$0\" \"$@\""));
    command.arg(own.get_program()).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn outcome(child: Child) -> Outcome {
    let output = child.wait_with_output().unwrap();
    Outcome {
        status: output.status.code().expect("an exit code, not a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A week in which an attacker changes the address with every request.
fn flood(folder: &Path, lines: u64, clients: u64) -> Summary {
    let plan = Plan { lines, clients: Some(clients), seed: 7, ..Plan::default() };
    demo::generate(&plan, folder, &|_| true).unwrap()
}

fn analyze_flood(folder: &Path, summary: &Summary, megabytes: u64, more: &[&str]) -> Outcome {
    let route = format!("{} {}", summary.truth.route.method, summary.truth.route.path);
    let limit = format!("{megabytes}M");
    let mut arguments = vec!["analyze", "logs", "--route", &route, "--no-write"];
    arguments.extend(["--format", "json", "--memory-limit", &limit]);
    for exempt in &summary.truth.labels.exempt {
        arguments.extend(["--exempt", exempt]);
    }
    arguments.extend(more);
    outcome(limited(folder, megabytes, &arguments).spawn().unwrap())
}

/// The limit is one that the truth calls right, and the clients are all there.
fn assert_right(outcome: &Outcome, summary: &Summary) {
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let route = &report["routes"][0];
    let truth = &summary.truth;
    assert_eq!(route["clients"], truth.clients);
    assert_eq!(route["requests"], truth.requests);
    assert_eq!(route["sum_of_peaks"]["sliding_300"], truth.sum_of_peaks.sliding_300);
    assert_eq!(route["sum_of_peaks"]["clock_60"], truth.sum_of_peaks.clock_60);
    let limit = route["proposal"]["limit"].as_u64().expect("a limit");
    let right = truth.acceptable.expect("a limit that is right");
    assert!((right.lo..=right.hi).contains(&limit), "{limit} of {right:?}");
}

/// Half of the clients call once or twice; the least memory that the program takes. Some of it does not
/// fit, and the answer is that of a run with all the memory there is, to the byte.
#[test]
fn a_flood_under_the_smallest_limit_gets_the_right_answer() {
    let workspace = Workspace::new();
    let summary = flood(&workspace.path().join("logs"), 300_000, 150_000);
    a_full_disk_is_told(&workspace, &summary);
    let outcome = analyze_flood(workspace.path(), &summary, 64, &[]);
    assert_right(&outcome, &summary);
    let spilled = "did not fit into the memory limit of 64 MB and went to a temporary file";
    assert!(outcome.stderr.contains(spilled), "{}", outcome.stderr);
    let roomy = analyze_flood(workspace.path(), &summary, 4_096, &["--threads", "3"]);
    assert!(!roomy.stderr.contains("did not fit"), "{}", roomy.stderr);
    assert_eq!(outcome.stdout, roomy.stdout);
}

/// The case of `docs/benchmarks.md`: minutes, and 1 GB of disk. `cargo test --release -- --ignored five_million`
#[test]
#[ignore = "makes ten million lines"]
fn five_million_clients_within_600_megabytes() {
    let workspace = Workspace::new();
    let summary = flood(&workspace.path().join("logs"), 10_000_000, 5_000_000);
    assert_right(&analyze_flood(workspace.path(), &summary, 600, &[]), &summary);
}

/// There is no folder for temporary files.
fn a_full_disk_is_told(workspace: &Workspace, summary: &Summary) {
    let mut command = limited(
        workspace.path(),
        64,
        &[
            "analyze",
            "logs",
            "--route",
            &format!("GET {}", summary.truth.route.path),
            "--memory-limit",
            "64M",
        ],
    );
    let outcome = outcome(command.env("TMPDIR", workspace.path().join("gone")).spawn().unwrap());
    assert_eq!((outcome.status, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
    for text in ["cannot keep requests in a temporary file", "gone", "TMPDIR"] {
        assert!(outcome.stderr.contains(text), "no `{text}` in {}", outcome.stderr);
    }
    assert_eq!(workspace.names(), ["logs"]);
}

/// Streams a block again and again into the program, until it has had enough.
fn pour(mut command: Command, start: &[u8], block: &[u8], gigabytes: u64) -> (Outcome, u64) {
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let (start, block) = (start.to_vec(), block.to_vec());
    let writer = std::thread::spawn(move || {
        let mut sent = 0;
        let mut ended = pipe.write_all(&start).is_err();
        while !ended && sent < gigabytes << 30 {
            ended = pipe.write_all(&block).is_err();
            sent += block.len() as u64;
        }
        sent
    });
    let outcome = outcome(child);
    (outcome, writer.join().unwrap())
}

#[test]
fn a_line_of_ten_gigabytes_is_an_error_within_memory() {
    let workspace = Workspace::new();
    let command = limited(workspace.path(), 64, &["analyze", "-", "--memory-limit", "64M"]);
    let (outcome, sent) = pour(command, HEADER.as_bytes(), &vec![b'a'; 1 << 20], 10);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("line"), "{}", outcome.stderr);
    assert!(sent < 3 << 30, "it read {sent} bytes before it gave up");
}

#[test]
fn a_gzip_bomb_is_an_error_within_memory() {
    let workspace = Workspace::new();
    // One member, of which a block unpacks to a thousand times its size.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(HEADER.as_bytes()).unwrap();
    let honest = line(1, "192.0.2.1", "/token");
    for _ in 0..(300 << 20) / honest.len() {
        encoder.write_all(honest.as_bytes()).unwrap();
    }
    workspace.write("bomb.log.gz", encoder.finish().unwrap());
    for path in ["bomb.log.gz", "-"] {
        let mut command =
            limited(workspace.path(), 64, &["analyze", path, "--memory-limit", "64M"]);
        command.stdin(std::fs::File::open(workspace.path().join("bomb.log.gz")).unwrap());
        let outcome = outcome(command.spawn().unwrap());
        assert_eq!((outcome.status, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("--max-ratio"), "{}", outcome.stderr);
    }
}

#[test]
fn a_limit_that_cannot_be_meant_is_refused() {
    let workspace = Workspace::new();
    workspace.write("a.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/token")));
    for size in ["1M", "lots", "-2G", "0"] {
        let argument = format!("--memory-limit={size}");
        workspace.refused(&["analyze", "a.log", &argument], &["--memory-limit"]);
    }
}

/// One client's requests: second of the week, kind of answer, agent.
#[derive(Clone, Debug)]
struct Caller {
    name: String,
    requests: Vec<(u32, u8)>,
    other_lines: u8,
}

fn caller(number: usize) -> impl Strategy<Value = Caller> {
    let name = match number % 5 {
        0 | 1 => format!("198.51.100.{}", number % 251),
        2 => format!("2001:db8:{:x}::{number:x}", number % 7),
        3 => format!("2001:db8:ffff:{number:x}::1"),
        _ => format!("masked-{number}"),
    };
    let time = prop_oneof![3 => 0..600_u32, 2 => 0..86_400_u32];
    let few = proptest::collection::vec((time.clone(), any::<u8>()), 1..4);
    let some = proptest::collection::vec((time.clone(), any::<u8>()), 4..14);
    let many = proptest::collection::vec((0..900_u32, Just(1_u8)), 30..90);
    let requests = prop_oneof![20 => few, 6 => some, 1 => many];
    (requests, 0..3_u8).prop_map(move |(requests, other_lines)| Caller {
        name: name.clone(),
        requests,
        other_lines,
    })
}

fn text_of(callers: &[Caller], days: u32) -> String {
    let mut text = HEADER.to_owned();
    for caller in callers {
        for (place, &(second, kind)) in caller.requests.iter().enumerate() {
            let day = 8 + (u32::from(kind) + place as u32) % days;
            let status = ["200", "404", "429", "200"][usize::from(kind) % 4];
            let agent = ["curl/8", "Mozilla/5.0%20(X11)", "-"][usize::from(kind / 4) % 3];
            let referer = ["-", "https://shop.example/"][usize::from(kind / 16) % 2];
            let own = line(second, &caller.name, "/token")
                .replace("2026-09-08", &format!("2026-09-{day:02}"))
                .replace("\t200\t-\tcurl/8\t", &format!("\t{status}\t{referer}\t{agent}\t"))
                .replace("\tid-", &format!("\tid-{place}-"));
            text.push_str(&own);
        }
        for second in 0..caller.other_lines {
            text.push_str(&line(u32::from(second), &caller.name, "/other"));
        }
    }
    text
}

/// Everything that is said about a route: JSON, a screen with bars, Markdown, and the lock.
fn told(
    profile: RouteProfile,
    coverage: &ratewaf::counts::Coverage,
    networks: &[Network],
) -> [String; 4] {
    let proposal = propose_route(&profile, coverage);
    let lock = format!("{:#?}", lock_route(&profile, &proposal, networks));
    let route = RouteAnalysis { profile, proposal, pinned: None };
    let coverage = coverage.clone();
    let analysis = Analysis {
        coverage,
        routes: vec![route],
        survey: None,
        rules: None,
        kept: ratewaf::report::Kept::Written,
    };
    let words = &ProposalWords;
    [
        report::json(&analysis, words),
        report::text(&analysis, words, &Style::new(false, true), 100),
        report::markdown(&analysis, words),
        lock,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Clients that are told together change nothing that anybody reads: neither the limit nor a list, in
    /// any form.
    #[test]
    fn a_crowd_says_what_its_clients_say(
        callers in (0..400_usize).prop_flat_map(|many| (0..many).map(caller).collect::<Vec<_>>()),
        days in 1..8_u32,
        window in prop::sample::select(Window::ALL.to_vec()),
        anonymous in any::<bool>(),
    ) {
        let workspace = Workspace::new();
        workspace.write("logs/a.log", text_of(&callers, days));
        let logs = workspace.path().join("logs").display().to_string();
        let inputs = discover(&[logs], false).unwrap().inputs;
        let route: Route = "GET /token".parse().unwrap();
        let selection = Selection::routes(std::slice::from_ref(&route), &[]).unwrap();
        let networks = vec![Network {
            name: "office".to_owned(),
            cidrs: vec![canonical_cidr("198.51.100.0/28").unwrap()],
            kind: if anonymous { NetworkKind::Tester } else { NetworkKind::KnownGood },
            until: None,
        }];
        let labels = Labels::new(networks.clone());
        let all = [Names::OfLists, Names::OfEverybody].map(|names| {
            let logs = Options { needs: selection.needs(), ..Options::default() };
            let settings = Settings { logs, dedupe: true, threads: 1, memory: 1 << 30, scale_sampled: false };
            let counts = run(&inputs, &selection, &settings, &()).unwrap();
            let mut coverage = counts.coverage;
            let routes = [(route.clone(), window)];
            let mut built = build_all(&routes, counts.parts, &labels, names).unwrap();
            coverage.masked_clients = built.masked_clients;
            let mut profile = built.routes.remove(0);
            profile.traffic = counts.traffic[0].clone();
            profile.agents = Arc::clone(&counts.agents);
            if names == Names::OfEverybody {
                assert!(profile.crowd.is_empty() && profile.slash64_crowd.is_empty());
            }
            told(profile, &coverage, &networks)
        });
        let [lists, everybody] = all;
        for (one, two) in lists.iter().zip(&everybody) {
            prop_assert_eq!(one, two);
        }
    }
}

#[test]
fn the_page_on_bounds_says_what_memory_is_for() {
    let page = std::fs::read_to_string(repository("docs/inputs-and-bounds.md")).unwrap();
    for text in ["--memory-limit", "TMPDIR", "fewer than 10 requests"] {
        assert!(page.contains(text), "no `{text}`");
    }
}
