//! A week against the lock of an older one, with an exit code for a scheduled job.

use ratewaf::policy::{Lock, LockRoute};
use ratewaf::units::Limit;

use crate::harness::{Outcome, Workspace, scenario};

const ROUTE: &str = "GET /api/v1/token";

/// A folder with the policy of the article week, and its lock.
struct Week(Workspace, Lock);

impl Week {
    fn new() -> Self {
        let workspace = Workspace::new();
        workspace.ok(&["analyze", &scenario("article-week"), "--route", ROUTE, "--out", "out.txt"]);
        let lock = Lock::parse(&workspace.read("ratewaf.lock.json"), "ratewaf.lock.json").unwrap();
        Self(workspace, lock)
    }

    /// What the same week says to the lock, changed.
    fn against(&self, change: impl FnOnce(&mut LockRoute)) -> (Outcome, String) {
        let Self(workspace, lock) = self;
        let mut lock = lock.clone();
        change(&mut lock.routes[0]);
        workspace.write("old.lock.json", lock.to_json(false));
        let week = scenario("article-week");
        let arguments = ["report", &week, "--out", "a.html", "--compare", "old.lock.json"];
        let outcome = workspace.run(&arguments);
        (outcome, workspace.read("a.html"))
    }
}

#[test]
fn the_same_week_is_no_drift() {
    let (outcome, page) = Week::new().against(|_| {});
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(page.contains("Since the older lock"));
    assert!(page.contains("limit in force 300, these logs propose 300"), "{}", outcome.stderr);
    assert!(!page.contains("class=\"finding\""));
}

#[test]
fn a_limit_that_does_not_fit_any_more_is_a_finding() {
    let week = Week::new();
    for (limit, lower, upper, ids) in [
        (260, 180, 468, &["near-the-limit"][..]),
        (170, 120, 300, &["over-the-limit"]),
        (600, 200, 900, &["under-the-limit", "gap-closing"]),
        (300, 60, 468, &["gap-closing"]),
        (268, 187, 468, &[]),
    ] {
        let (outcome, page) = week.against(|route| {
            route.limit = Some(Limit::new(limit).unwrap());
            (route.lower, route.upper) = (Some(lower), Some(upper));
            (route.headroom, route.margin) = (None, None);
        });
        assert_eq!(outcome.status, i32::from(!ids.is_empty()), "{limit}: {}", outcome.stderr);
        assert_eq!(
            page.matches("class=\"finding\"").count(),
            ids.len(),
            "{limit}: {}",
            outcome.stderr
        );
        for id in ids {
            assert!(outcome.stderr.contains(id), "{id}: {}", outcome.stderr);
            assert!(page.contains(&format!("class=\"finding\">{id}: ")), "{id}");
        }
    }
}

#[test]
fn a_lock_of_another_route_cannot_be_compared() {
    let (outcome, _) = Week::new().against(|route| "GET /else".clone_into(&mut route.route));
    assert_eq!(outcome.status, 1);
    assert!(outcome.stderr.contains("not-in-lock"), "{}", outcome.stderr);
    let workspace = Workspace::new();
    let week = scenario("article-week");
    let arguments = ["report", &week, "--route", ROUTE, "--out", "a.html", "--compare"];
    workspace
        .refused(&[&arguments[..], &["nope.json"]].concat(), &["there is no lock `nope.json`"]);
    workspace.write("broken.json", "{");
    workspace.refused(&[&arguments[..], &["broken.json"]].concat(), &["broken.json"]);
    assert!(!workspace.path().join("a.html").exists());
    workspace.write("a.html", "a lock");
    let text = "--out would replace `a.html`, which --compare reads";
    workspace.refused(&[&arguments[..], &["a.html"]].concat(), &[text]);
    assert_eq!(workspace.read("a.html"), "a lock");
}
