//! What each stage costs, on logs that `ratewaf demo-logs` makes: `cargo bench --bench ingest`.
//!
//! Every stage of `ingest` contains the one before it, on one thread and the same files, so the
//! differences are what the stages cost. `docs/benchmarks.md` says how to read it.

#![allow(missing_docs)] // criterion's macros make public functions.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use libdeflater::Decompressor;
use ratewaf::counts::{self, Counts, Coverage, Selection};
use ratewaf::demo::{Plan, generate};
use ratewaf::logs::{Input, LogReader, Options, Place, discover};
use ratewaf::policy::{Lock, Policy, ResolveOptions, resolve};
use ratewaf::profile::{Labels, Names, RouteProfile, build_all};
use ratewaf::proposal::{METHOD, lock_inputs, lock_route, propose_route};
use ratewaf::render::{TerraformOptions, diff, terraform};
use ratewaf::rules::Route;
use ratewaf::stack::{Origin, Stack};
use ratewaf::survey::survey;
use ratewaf::units::{Timestamp, Window};

const LINES: u64 = 200_000;
const SEED: u64 = 7;
const ROUTE: &str = "GET /oauth/token";
const WINDOW: Window = Window::FIVE_MINUTES;

const POLICY: &str = "\
version: 1
name: acl
web_acl: { create: prod }
networks:
  qa-runner: { cidrs: [203.0.113.10/32, \"2001:db8:7::10/128\"], kind: tester }
  office: { cidrs: [203.0.113.46/32], kind: known-good }
routes:
  - name: oauth-token
    methods: [GET]
    path: { exactly: /oauth/token }
    limit: auto
    twins: [{ network: qa-runner, limit: auto }]
  - { name: login, methods: [POST], path: { starts_with: /api/v1/login }, limit: 100 }
never_limited:
  - { name: webhooks, path: { starts_with: /webhooks/ } }
  - { name: health, path: { exactly: /healthz } }
";

/// The logs of all benchmarks, gone with it.
struct Week {
    _folder: tempfile::TempDir,
    inputs: Vec<Input>,
    unpacked: u64,
}

fn week() -> Week {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plan = Plan { lines: LINES, seed: SEED, ..Plan::default() };
    let made = generate(&plan, folder.path(), &|_| true).expect("demo logs");
    let found = discover(&[folder.path().display().to_string()], false).expect("the demo logs");
    Week { _folder: folder, inputs: found.inputs, unpacked: made.unpacked }
}

fn selection() -> Selection {
    let route: Route = ROUTE.parse().expect("a route");
    Selection::routes(&[route], &[]).expect("a statement")
}

fn count(week: &Week, selection: &Selection) -> Counts {
    let logs = Options { needs: selection.needs(), ..Options::default() };
    let settings =
        counts::Settings { logs, dedupe: true, threads: 1, memory: 1 << 30, scale_sampled: false };
    counts::run(&week.inputs, selection, &settings, &()).expect("readable logs")
}

/// Whole files into buffers that are used again: nothing can read these files in less.
fn unpack(week: &Week, packed: &mut Vec<u8>, text: &mut Vec<u8>) -> usize {
    let mut decompressor = Decompressor::new();
    let mut sum = 0;
    for input in &week.inputs {
        let Place::File(path) = &input.place else { continue };
        read_whole(path, packed);
        let trailer = packed.last_chunk::<4>().expect("a gzip trailer");
        let length = u32::from_le_bytes(*trailer) as usize;
        if text.len() < length {
            text.resize(length, 0);
        }
        sum += decompressor.gzip_decompress(packed, &mut text[..length]).expect("one gzip member");
    }
    sum
}

fn read_whole(path: &Path, packed: &mut Vec<u8>) {
    use std::io::Read as _;
    packed.clear();
    std::fs::File::open(path)
        .and_then(|mut file| file.read_to_end(packed))
        .expect("a readable file");
}

fn ingest(criterion: &mut Criterion) {
    let week = week();
    let mut group = criterion.benchmark_group("ingest");
    group.throughput(Throughput::Bytes(week.unpacked));

    let (mut packed, mut text) = (Vec::new(), Vec::new());
    assert_eq!(unpack(&week, &mut packed, &mut text) as u64, week.unpacked);
    group.bench_function("unpack only", |bencher| {
        bencher.iter(|| unpack(&week, &mut packed, &mut text));
    });

    let mut reader = LogReader::new(Options::default());
    group.bench_function("read lines", |bencher| {
        bencher.iter(|| {
            let mut lines = 0;
            for input in &week.inputs {
                let report = reader.read(
                    input,
                    |_| true,
                    |_| true,
                    |request| {
                        black_box(request);
                    },
                );
                lines += report.expect("a readable file").lines;
            }
            assert_eq!(lines, LINES);
        });
    });

    let one = selection();
    group.bench_function("count one route", |bencher| bencher.iter(|| count(&week, &one)));

    let everything = Selection::survey(&[]).expect("no exemptions");
    group.bench_function("count for a survey", |bencher| {
        bencher.iter(|| count(&week, &everything));
    });
    group.finish();

    let labels = Labels::new(Vec::new());
    let mut group = criterion.benchmark_group("decide");
    let route: Route = ROUTE.parse().expect("a route");
    group.throughput(Throughput::Elements(count(&week, &one).traffic[0].matched));
    group.bench_function("profile and propose", |bencher| {
        bencher.iter_batched(
            || count(&week, &one),
            |counts| {
                let (profile, coverage) = profile(counts, &route, &labels);
                propose_route(&profile, &coverage)
            },
            BatchSize::PerIteration,
        );
    });
    group.throughput(Throughput::Elements(LINES));
    group.bench_function("survey", |bencher| {
        bencher.iter_batched(
            || count(&week, &everything),
            |counts| {
                let groups = counts.groups.expect("a survey");
                survey(groups, &labels, &counts.coverage, WINDOW)
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn profile(counts: Counts, route: &Route, labels: &Labels) -> (RouteProfile, Coverage) {
    let Counts { coverage, traffic, parts, agents, .. } = counts;
    let routes = [(route.clone(), WINDOW)];
    let built = build_all(&routes, parts, labels, Names::OfLists).expect("nothing in files");
    let profile = built.routes.into_iter().next().expect("the route");
    let traffic = traffic.into_iter().next().expect("the route");
    (RouteProfile { traffic, agents, ..profile }, coverage)
}

fn emit(criterion: &mut Criterion) {
    let policy = Policy::parse(POLICY, "ratewaf.yaml").expect("a policy");
    let week = week();
    let counts = count(&week, &selection());
    let route = policy.routes[0].route.clone();
    let labels = Labels::new(policy.networks.clone());
    let (profile, coverage) = profile(counts, &route, &labels);
    let locked = lock_route(&profile, &propose_route(&profile, &coverage), &policy.networks);
    let lock = Lock::new(METHOD, lock_inputs(&coverage, &policy.networks), vec![locked]);
    let text = lock.to_json(false);
    assert_eq!(Lock::parse(&text, "ratewaf.lock.json").expect("a lock"), lock);

    let mut group = criterion.benchmark_group("emit");
    group.throughput(Throughput::Bytes(POLICY.len() as u64));
    group.bench_function("parse the policy", |bencher| {
        bencher.iter(|| Policy::parse(black_box(POLICY), "ratewaf.yaml"));
    });
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse the lock", |bencher| {
        bencher.iter(|| Lock::parse(black_box(&text), "ratewaf.lock.json"));
    });

    let options = ResolveOptions { today: Some(Timestamp(1_790_000_000)), ..Default::default() };
    let emit = || {
        let rules = resolve(&policy, Some(&lock), &options).expect("rules");
        let stack = Stack::new(&rules, Origin::default()).expect("a stack");
        terraform(&stack, &TerraformOptions::default()).expect("Terraform")
    };
    let wanted: String = emit().into_iter().map(|(_, text)| text).collect();
    assert!(wanted.contains("aws_wafv2_web_acl"), "nothing was emitted");
    group.throughput(Throughput::Bytes(wanted.len() as u64));
    group.bench_function("resolve and emit", |bencher| bencher.iter(emit));
    let committed = wanted.replacen("300", "301", 1);
    group.bench_function("compare with a committed file", |bencher| {
        bencher.iter(|| diff(black_box(&committed), &wanted, "waf.tf"));
    });
    group.finish();
}

fn few_samples() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4))
}

criterion_group! { name = benches; config = few_samples(); targets = ingest, emit }
criterion_main!(benches);
