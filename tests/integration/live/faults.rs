//! Whatever goes wrong with whatever call: a second run finishes the job, and nothing of others changes.

use std::time::Duration;

use regex::Regex;

use super::{Scene, outcome};
use crate::fake_aws::{Fault, On};

/// All that is there, without moments and ids.
fn state(scene: &Scene) -> String {
    let text = scene.aws.everything();
    let text = Regex::new("since [^ ]+Z").unwrap().replace_all(&text, "since T").into_owned();
    Regex::new("[0-9a-f]{8}-aaaa-4aaa-8aaa-[0-9a-f]{12}")
        .unwrap()
        .replace_all(&text, "ID")
        .into_owned()
}

const APPLY: [&str; 2] = ["apply", "--yes"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    Once(Fault),
    Always(Fault),
    Killed(Fault),
}

/// One cell: trouble at a call, then a run without. Gives the exit code of the first.
fn cell(make: fn() -> Scene, call: usize, trouble: Trouble, wanted: &str) -> i32 {
    let scene = make();
    let foreign = scene.foreign();
    let status = match trouble {
        Trouble::Once(fault) => {
            scene.aws.fail(On::Call(call), fault);
            scene.run(&APPLY).status
        }
        Trouble::Always(fault) => {
            scene.aws.fail(On::CallAndRetries(call), fault);
            scene.run(&APPLY).status
        }
        Trouble::Killed(fault) => {
            scene.aws.fail(On::CallAndRetries(call), fault);
            let mut child = scene.command(&APPLY).spawn().unwrap();
            assert!(scene.aws.wait_for_silence(Duration::from_secs(60)), "{call} {trouble:?}");
            child.kill().unwrap();
            child.wait().unwrap();
            -9
        }
    };
    scene.aws.heal();
    assert_eq!(scene.foreign(), foreign, "{call} {trouble:?}: at once");
    let second = scene.run(&APPLY);
    assert_eq!(second.status, 0, "{call} {trouble:?}: {}{}", second.stdout, second.stderr);
    assert_eq!(scene.foreign(), foreign, "{call} {trouble:?}: afterwards");
    assert_eq!(state(&scene), wanted, "{call} {trouble:?}");
    scene.aws.forget();
    scene.ok(&APPLY);
    assert!(scene.aws.writes().is_empty(), "{call} {trouble:?}: {:?}", scene.aws.writes());
    status
}

fn changed() -> Scene {
    let scene = Scene::attached();
    scene.ok(&APPLY);
    // A limit and a network change, a route goes and one comes.
    scene.edit("limit: 600", "limit: 500");
    scene.edit("198.51.100.20/32", "198.51.100.21/32");
    scene.edit("  - name: search\n", "  - name: look\n");
    scene.aws.forget();
    scene
}

#[allow(clippy::print_stdout, reason = "the matrix is to be looked at")]
fn matrix(name: &str, make: fn() -> Scene, is_whole: bool) {
    let clean = make();
    clean.ok(&APPLY);
    let wanted = state(&clean);
    let calls: Vec<(String, bool)> =
        clean.aws.seen().iter().map(|call| (call.operation.clone(), call.is_write())).collect();
    let writes = calls.iter().filter(|(_, is_write)| *is_write).count();
    assert!(writes >= 5, "{calls:?}");
    let of_writes = [
        Trouble::Once(Fault::Before),
        Trouble::Once(Fault::After),
        Trouble::Once(Fault::Throttle),
        Trouble::Once(Fault::StaleToken),
        Trouble::Once(Fault::SilentAfter),
        Trouble::Always(Fault::Before),
        Trouble::Always(Fault::After),
        Trouble::Always(Fault::AccessDenied),
        Trouble::Killed(Fault::TimeOut),
        Trouble::Killed(Fault::SilentAfter),
    ];
    // The way through the code is the same: of the other two, the moments that decide.
    let of_writes: Vec<Trouble> = of_writes
        .into_iter()
        .filter(|trouble| {
            is_whole
                || matches!(
                    trouble,
                    Trouble::Once(Fault::StaleToken)
                        | Trouble::Always(Fault::After)
                        | Trouble::Killed(Fault::SilentAfter)
                )
        })
        .collect();
    let of_reads = [Trouble::Once(Fault::Before), Trouble::Always(Fault::AccessDenied)];
    let cells: Vec<(usize, Trouble)> = calls
        .iter()
        .enumerate()
        .flat_map(|(call, (_, is_write))| {
            let list: &[Trouble] = match (*is_write, is_whole) {
                (true, _) => &of_writes,
                (false, true) => &of_reads,
                (false, false) => &[],
            };
            list.iter().map(move |trouble| (call, *trouble))
        })
        .collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let ends = std::sync::Mutex::new(std::collections::BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((call, trouble)) =
                    cells.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let status = cell(make, *call, *trouble, &wanted);
                    ends.lock().unwrap().insert((*call, format!("{trouble:?}")), status);
                }
            });
        }
    });
    let ends = ends.into_inner().unwrap();
    assert_eq!(ends.len(), cells.len());
    println!("{name}: exit code of the run in trouble; a second one always finished it");
    for (call, (operation, _)) in calls.iter().enumerate() {
        let own = ends.iter().filter(|((number, _), _)| *number == call);
        let own: Vec<String> =
            own.map(|((_, trouble), status)| format!("{trouble} {status}")).collect();
        println!("{call:>3} {operation:<24} {}", own.join(", "));
    }
    // A run in trouble ends well or says so: it never panics.
    assert!(ends.values().all(|status| [-9, 0, 2].contains(status)), "{ends:?}");
}

#[test]
fn every_call_of_a_first_apply_in_trouble() {
    matrix("first apply", Scene::attached, true);
}

#[test]
fn every_call_of_a_change_in_trouble() {
    matrix("change", changed, false);
}

#[test]
fn a_web_acl_of_our_own_in_trouble() {
    matrix("own web ACL", Scene::own, false);
}

#[test]
fn what_is_slow_to_be_seen_everywhere_is_waited_for() {
    let scene = Scene::attached();
    scene.aws.settle_after(3);
    scene.ok(&APPLY);
    assert!(scene.rule("acl-token").is_some());
}

/// AWS takes one write a second.
#[test]
fn writes_keep_their_distance() {
    let scene = Scene::attached();
    let mut command = scene.command(&APPLY);
    command.env("RATEWAF_TEST_PAUSE_MS", "150");
    scene.aws.throttle_writes_within(Duration::from_millis(120));
    assert_eq!(outcome(command).status, 0);
    let calls = scene.aws.seen();
    let writes: Vec<_> = calls.iter().filter(|call| call.is_write()).map(|call| call.at).collect();
    assert!(writes.len() >= 5);
    assert!(
        writes.windows(2).all(|two| two[1] - two[0] >= Duration::from_millis(140)),
        "{writes:?}"
    );
}

#[test]
fn two_at_once_lose_nothing() {
    for round in 0..6 {
        let scene = Scene::attached();
        let foreign = scene.foreign();
        // Another team's policy for the same web ACL.
        let theirs = scene
            .workspace
            .read("ratewaf.yaml")
            .replace("name: acl\n", "name: shop\n")
            .replace("priority: 100", "priority: 300");
        scene.workspace.write("shop.yaml", theirs.replace("alarms:", "#"));
        scene.workspace.write("shop.lock.json", scene.workspace.read("ratewaf.lock.json"));
        let run = |arguments: &[&str]| {
            scene.command(arguments).stdout(std::process::Stdio::null()).spawn().unwrap()
        };
        let mut all = vec![run(&APPLY), run(&["apply", "--yes", "--policy", "shop.yaml"])];
        if round % 2 == 0 {
            all.push(run(&APPLY));
        }
        for mut child in all {
            child.wait().unwrap();
        }
        // One won; whoever refused says it once more.
        scene.ok(&APPLY);
        scene.ok(&["apply", "--yes", "--policy", "shop.yaml"]);
        let ours = |text: &&String| !text.contains("\"shop-");
        assert_eq!(scene.foreign().iter().filter(ours).cloned().collect::<Vec<_>>(), foreign);
        for rule in ["acl-token", "acl-search", "shop-token", "shop-search"] {
            assert!(scene.rule(rule).is_some(), "{round}: {rule}");
        }
        assert_eq!(scene.aws.rules("prod").len(), foreign.len() + 6);
    }
}
