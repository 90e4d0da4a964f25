//! How a week is found without listing the rest of the bucket.

use super::wire::{Bucket, Server};
use super::{analyze, log, name};
use crate::harness::Workspace;

const WEEK: [&str; 4] = ["--from", "2026-09-08", "--to", "2026-09-15"];
/// From 1 August to 8 September.
const HOURS_BEFORE: u32 = 38 * 24;
/// A week and a day around it.
const WANTED: std::ops::Range<u32> = HOURS_BEFORE - 24..HOURS_BEFORE + 8 * 24;

fn run(server: &Server, location: &str, arguments: &[&str]) -> (Workspace, String) {
    let workspace = Workspace::new();
    let all = [&[location, "-v", "--no-write"], arguments].concat();
    let outcome = analyze(&workspace, &server.url(), &all);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    (workspace, outcome.stderr)
}

/// Hours of half a year in a folder, by a function of date and hour.
fn serve(key: impl Fn(&str, &str, u32) -> String, hours: std::ops::Range<u32>) -> Server {
    Bucket::new(hours.map(|hour| {
        let name = name(hour, hour);
        let (date, clock) = (&name[3..13], &name[14..16]);
        (key(date, clock, hour), log(hour))
    }))
    .serve()
}

fn wanted(key: impl Fn(&str, &str, u32) -> String) -> Vec<String> {
    let mut keys: Vec<String> = WANTED
        .map(|hour| {
            let name = name(hour, hour);
            key(&name[3..13], &name[14..16], hour)
        })
        .collect();
    keys.sort();
    keys
}

#[test]
fn one_folder_for_all_years_is_skipped_through() {
    // Three distributions with ten files an hour for four months, but one in the days that are wanted.
    let keys = (0..122 * 24_u32).flat_map(|hour| {
        let files = if WANTED.contains(&hour) { 1 } else { 10 };
        (0..files).flat_map(move |file| {
            ["A", "E", "Z"].map(|id| {
                let text = if files == 1 { log(hour) } else { String::new() };
                (format!("cf/{id}{}", name(hour, file)), text)
            })
        })
    });
    let server = Bucket::new(keys).serve();
    let (_workspace, _) = run(&server, "s3://logs/cf/", &WEEK);
    let fetched = server.fetched();
    assert_eq!(fetched.len(), WANTED.len() * 3);
    assert!(fetched.iter().all(|key| key.contains("-09-0") || key.contains("-09-1")));
    // Of 82 pages: two that tell folder and object apart are not needed, and of each distribution its
    // first, those of its week, and its end.
    assert!(server.lists() <= 12, "{} requests", server.lists());
}

#[test]
fn partitions_of_both_kinds_are_entered_by_date() {
    let hive = |date: &str, hour: &str, number: u32| {
        format!(
            "AWSLogs/aws-account-id=123456789012/CloudFront/year={}/month={}/day={}/hour={hour}/{}",
            &date[..4],
            &date[5..7],
            &date[8..],
            name(number, number)
        )
    };
    let server = serve(hive, 0..90 * 24);
    let (_workspace, said) = run(&server, "s3://logs/AWSLogs/", &WEEK);
    assert_eq!(server.fetched(), wanted(hive));
    // Four folders on the way, a month, and nine days, each with all its hours.
    assert!(server.lists() <= 18, "{} requests: {said}", server.lists());

    let plain = |date: &str, hour: &str, number: u32| {
        format!("cf/E1/{}/{hour}/part-{number}.gz", date.replace('-', "/"))
    };
    let server = serve(plain, 0..90 * 24);
    let (_workspace, said) = run(&server, "s3://logs/cf", &WEEK);
    assert_eq!(server.fetched(), wanted(plain));
    assert!(server.lists() <= 18, "{} requests: {said}", server.lists());

    // Without --to, everything from there on; without what lies before.
    server.forget();
    let (_workspace, _) = run(&server, "s3://logs/cf", &["--from", "2026-09-08"]);
    assert_eq!(server.fetched().len() as u32, 90 * 24 - WANTED.start);
    assert!(server.seen().iter().all(|request| !request.target.contains("2026%2F08")));
}

#[test]
fn a_prefix_is_a_folder_an_object_or_a_beginning() {
    let texts = [
        "cf.old/a.gz",
        "cf/a.gz",
        "cf/b.log",
        "cf/c.json",
        "cf/sub/d.gz",
        "cfg.gz",
        "cf/e.odd.name",
    ];
    let server =
        Bucket::new(texts.iter().zip(0..).map(|(key, number)| ((*key).to_owned(), log(number))))
            .serve();
    for (location, expected) in [
        ("s3://logs/cf", &["cf/a.gz", "cf/b.log", "cf/c.json", "cf/sub/d.gz"][..]),
        ("s3://logs/cf/", &["cf/a.gz", "cf/b.log", "cf/c.json", "cf/sub/d.gz"]),
        ("s3://logs/cf/s", &["cf/sub/d.gz"]),
        (
            "s3://logs/c",
            &["cf.old/a.gz", "cf/a.gz", "cf/b.log", "cf/c.json", "cf/sub/d.gz", "cfg.gz"],
        ),
        ("s3://logs/cf/e.odd.name", &["cf/e.odd.name"]),
        ("s3://logs/cf/*.gz", &["cf/a.gz"]),
        ("s3://logs/c*/a.gz", &["cf.old/a.gz", "cf/a.gz"]),
        ("s3://logs/**/*.name", &["cf/e.odd.name"]),
        ("s3://logs/cf/su?", &["cf/sub/d.gz"]),
    ] {
        server.forget();
        run(&server, location, &[]);
        assert_eq!(server.fetched(), expected, "{location}");
    }
}

#[test]
fn several_places_are_read_together_and_once() {
    let server = Bucket::new((0..3).map(|number| (format!("cf/{number}.gz"), log(number)))).serve();
    let workspace = Workspace::new();
    workspace.write("local/x.log", log(7));
    let arguments =
        ["local", "s3://logs/cf", "s3://logs/cf/1.gz", "S3://other/cf/2.gz", "-v", "--no-write"];
    let outcome = analyze(&workspace, &server.url(), &arguments);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert_eq!(server.fetched(), ["cf/0.gz", "cf/1.gz", "cf/2.gz", "cf/2.gz"]);
    assert!(
        outcome.stderr.contains("1 file was given more than once, read once: s3://logs/cf/1.gz")
    );
    assert!(
        outcome.stderr.contains("s3://other/cf/2.gz (as s3://logs/cf/2.gz)"),
        "{}",
        outcome.stderr
    );
}
