//! The lock: its bytes, and what a damaged one is told.

use ratewaf::policy::{Lock, LockError};

use super::sample::{lock, no_limit, token};
use super::{assert_golden, golden};

/// As versions before there was one wrote it.
fn without_checksum(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("  \"checksum\""));
    lines.map(|line| format!("{line}\n")).collect()
}

fn two_routes() -> Lock {
    let mut other = no_limit();
    other.name = "api".to_owned();
    other.route = "/\u{202e}api/*".to_owned();
    lock(vec![token(), other])
}

#[test]
fn the_bytes_are_always_the_same() {
    let text = two_routes().to_json(false);
    assert_golden(&golden("lock.json"), &text);
    let mut shuffled = two_routes();
    shuffled.routes.reverse();
    for route in &mut shuffled.routes {
        route.near_misses.below.reverse();
        route.near_misses.above.reverse();
        // What differs between machines is rounded away.
        route.share_above += 1e-12;
    }
    assert_eq!(shuffled.to_json(false), text);
    let read = Lock::parse(&text, "ratewaf.lock.json").unwrap();
    assert_eq!(read.to_json(false), text);
    assert_eq!(read.route("api").unwrap().route, "/\u{202e}api/*");
}

#[test]
fn addresses_stay_out_unless_asked_for() {
    let without = two_routes().to_json(false);
    let with = two_routes().to_json(true);
    for address in ["192.0.2.", "198.51.100.9", "2001:db8::9"] {
        assert!(!without.contains(address), "{address}");
        assert!(with.contains(address), "{address}");
    }
    let read = Lock::parse(&with, "ratewaf.lock.json").unwrap();
    assert_eq!(read.to_json(true), with);
    assert_eq!(read.to_json(false), without);
}

#[test]
fn fractions_that_are_no_numbers_do_not_spoil_the_file() {
    let mut route = token();
    route.share_above = f64::NAN;
    route.margin = Some(f64::INFINITY);
    let text = lock(vec![route]).to_json(false);
    let read = Lock::parse(&text, "ratewaf.lock.json").unwrap();
    assert_eq!(read.routes[0].margin, None);
    assert!(text.contains("\"share_above\": 0.0"), "{text}");
}

#[test]
fn a_newer_lock_is_refused_and_newer_members_are_not() {
    let text = two_routes().to_json(false);
    let newer = text.replacen("\"version\": 1", "\"version\": 2, \"routes\": 7", 1);
    let error = Lock::parse(&newer, "ratewaf.lock.json").unwrap_err();
    assert!(matches!(error, LockError::Version { found: 2, .. }));
    assert_eq!(
        error.to_string(),
        "ratewaf.lock.json: this lock has version 2, and this ratewaf knows version 1 only\n  \
         help: update ratewaf, or run `ratewaf analyze` to write the lock anew"
    );
    let more =
        without_checksum(&text).replacen("\"version\": 1", "\"version\": 1, \"later\": [1]", 1);
    assert_eq!(Lock::parse(&more, "ratewaf.lock.json").unwrap().to_json(false), text);
}

#[test]
fn a_damaged_lock_is_told_the_place() {
    let text = two_routes().to_json(false);
    for (from, to, told) in [
        ("\"limit\": 300", "\"limit\": 5", "5 is no limit that AWS WAF accepts"),
        ("\"window\": 300", "\"window\": 90", "`90` is no evaluation window"),
        ("\"clients\": 8921", "\"clients\": \"many\"", "invalid type: string \"many\""),
        ("\"grade\": \"clear\"", "\"grade\": \"certain\"", "unknown variant `certain`"),
        ("\"first\": \"2026", "\"first\": \"x026", "is no instant"),
        ("\"spelling\": \"loose\"", "\"spelling\": \"wild\"", "`wild` is no spelling"),
        ("\"name\": \"api\",", "", "missing field `name`"),
        ("\"name\": \"api\"", "\"name\": \"token\"", "two routes have the name `token`"),
        ("\"grade\": \"clear\"", "\"grade\": \"none\"", "the grade `none` and a limit"),
    ] {
        assert!(text.contains(from), "{from}");
        let damaged = text.replacen(from, to, 1);
        let error = Lock::parse(&damaged, "ratewaf.lock.json").unwrap_err();
        let shown = error.to_string();
        assert!(shown.contains(told), "{shown}");
        assert!(
            shown.ends_with("help: do not edit it by hand; run `ratewaf analyze` to write it anew")
        );
        match error {
            LockError::Json { line, .. } => {
                assert!(shown.starts_with(&format!("ratewaf.lock.json:{line}:")), "{shown}");
                assert_eq!(shown.matches(" line ").count(), 0, "{shown}");
            }
            _ => assert!(shown.starts_with("ratewaf.lock.json: this lock contradicts itself")),
        }
    }
}

#[test]
fn a_lock_changed_by_hand_is_refused() {
    let text = two_routes().to_json(false);
    let refused = |text: &str| Lock::parse(text, "a.lock.json").unwrap_err();
    for (from, to) in [
        ("\"max\": 7383", "\"max\": 99"),
        ("\"clients\": 8921", "\"clients\": 8922"),
        ("The logs cover 4 days.", "The logs cover 40 days."),
        ("\"peak\": 187", "\"peak\": 18"),
        ("\"checksum\": \"", "\"checksum\": \"0"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = refused(&text.replacen(from, to, 1));
        assert_eq!(error, LockError::Changed { file: "a.lock.json".to_owned() }, "{from}");
    }
    let told = LockError::Changed { file: "a.lock.json".to_owned() }.to_string();
    assert!(
        told.contains("run `ratewaf analyze`") && told.contains("pin it in the policy"),
        "{told}"
    );
    // What another tool did to its layout changes nothing that it says.
    let crlf = text.replace('\n', "\r\n").replace("  ", "\t");
    assert_eq!(Lock::parse(&crlf, "a.lock.json").unwrap().to_json(false), text);
}

#[test]
fn a_lock_without_a_checksum_has_to_agree_with_itself() {
    let text = without_checksum(&lock(vec![token()]).to_json(false));
    assert_eq!(Lock::parse(&text, "a.lock.json").unwrap(), {
        let sealed = lock(vec![token()]).to_json(false);
        Lock::parse(&sealed, "a.lock.json").unwrap()
    });
    for (from, to, told) in [
        (
            "\"limit\": 300",
            "\"limit\": 450",
            "headroom of the route `token` is 1.6043, and its limit and peaks make it 2.4064",
        ),
        ("\"margin\": 1.56", "\"margin\": 9.9", "margin of the route `token`"),
        ("\"lower\": 187", "\"lower\": 301", "not between the peaks"),
        ("\"sentence\": \"300", "\"sentence\": \"200", "the sentence beside it is about another"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Lock::parse(&text.replacen(from, to, 1), "a.lock.json").unwrap_err();
        assert!(matches!(error, LockError::Meaning { .. }), "{error}");
        assert!(error.to_string().contains(told), "{error}");
    }
}

#[test]
fn a_lock_that_git_could_not_merge_is_told_as_such() {
    let text = two_routes().to_json(false).replacen(
        "      \"limit\": 300,\n",
        "<<<<<<< HEAD\n      \"limit\": 300,\n=======\n      \"limit\": 200,\n>>>>>>> other\n",
        1,
    );
    let error = Lock::parse(&text, "a.lock.json").unwrap_err();
    let line = text.lines().position(|line| line.starts_with("<<<<")).unwrap() + 1;
    assert_eq!(error, LockError::Unmerged { file: "a.lock.json".to_owned(), line });
    assert!(error.to_string().contains("run `ratewaf analyze` to write the lock anew"), "{error}");
}
