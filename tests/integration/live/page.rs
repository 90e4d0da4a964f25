//! The sessions of docs/live.md are run, one after the other, against one AWS. `UPDATE=1` rewrites them.

use std::process::Command;

use ratewaf::units::Timestamp;
use regex::Regex;

use super::{POLICY, Scene};
use crate::fake_aws::Visit;
use crate::harness::repository;

const START: &str = "```text live\n";
/// When the page writes to AWS, each time with an undo file: the clock of the tests says otherwise.
const MOMENTS: [&str; 4] = [
    "2026-11-30T07:10:00Z",
    "2026-12-08T09:30:00Z",
    "2026-12-09T02:14:00Z",
    "2026-12-09T02:31:00Z",
];

/// The name of an undo file in the page, by its number.
fn undo(number: usize) -> String {
    format!("ratewaf-undo-{}.json", MOMENTS[number].replace(['-', ':'], ""))
}

/// What happens between two commands.
struct Time {
    days: i64,
}

impl Time {
    fn today(&self, scene: &Scene) -> Timestamp {
        let start = Timestamp(scene.aws.now().day() * 86_400);
        Timestamp(start.0 + self.days * 86_400)
    }

    /// `# Eight days later …`: the only line of a session that the test acts out.
    fn pass(&mut self, scene: &Scene) {
        let today = Timestamp(self.today(scene).0 + 8 * 86_400);
        let start = today.0 - 1_800;
        let mut visits = Vec::new();
        for last in 1..=3 {
            let client = format!("192.0.2.{last}");
            visits.extend((0..900).map(|number| {
                Visit::new(Timestamp(start + number * 290 / 900), &client, "GET", "/api/v1/token")
            }));
        }
        visits.sort_by_key(|visit| visit.time);
        scene.aws.replay("prod", &visits);
        scene.aws.set_clock(Timestamp(start + 300));
        self.days = 0;
    }
}

fn run(scene: &Scene, command: &str, time: &Time) -> String {
    let mut words = command.replacen("ratewaf", env!("CARGO_BIN_EXE_ratewaf"), 1);
    for (number, file) in scene.undo_files().iter().enumerate() {
        words = words.replace(&undo(number), file);
    }
    let dated =
        ["status", "promote"].iter().any(|name| command.starts_with(&format!("ratewaf {name}")));
    if dated && time.days == 0 {
        // The clock of the fake stands shortly before this midnight.
        let today = Timestamp((scene.aws.now().day() + 1) * 86_400);
        words.push_str(&format!(" --today {}", today.date_text()));
    }
    let plain = scene.command(&[]);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec 2>&1; {words}")])
        .current_dir(scene.workspace.path())
        .env_clear();
    for (name, value) in plain.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    let output = shell.stdin(std::process::Stdio::null()).output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    if let Some(code) = output.status.code().filter(|code| *code != 0) {
        text.push_str(&format!("? {code}\n"));
    }
    let files = scene.undo_files();
    for (number, file) in files.iter().enumerate() {
        text = text.replace(file, &undo(number));
    }
    let time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ";
    let written = MOMENTS[files.len().saturating_sub(1)];
    let text = Regex::new(&format!("(?m)^{time}")).unwrap().replace_all(&text, written);
    // Rules count since the first one.
    let since = format!("since {}", MOMENTS[0]);
    Regex::new(&format!("since {time}")).unwrap().replace_all(&text, since).into_owned()
}

#[test]
fn the_sessions_are_as_they_are_shown() {
    let path = repository("docs/live.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let scene = Scene::own();
    let office = POLICY.lines().find(|line| line.contains("office")).unwrap();
    let search = &POLICY[POLICY.find("  - name: search").unwrap()..POLICY.find("alarms:").unwrap()];
    scene.edit(&format!("{office}\n"), "");
    scene.edit(search, "");
    let mut time = Time { days: 1 };
    let mut out = String::new();
    let mut rest = page.as_str();
    let mut sessions = 0;
    while let Some(place) = rest.find(START) {
        let (before, block) = rest.split_at(place + START.len());
        out.push_str(before);
        let end = block.find("```").unwrap();
        for line in block[..end].lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                out.push_str(&format!("{line}\n{}", run(&scene, command, &time)));
            } else if line.starts_with("# Eight days later") {
                time.pass(&scene);
                out.push_str(&format!("{line}\n"));
            }
        }
        sessions += 1;
        rest = &block[end..];
    }
    out.push_str(rest);
    assert!(sessions >= 4);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &out).unwrap();
    }
    assert_eq!(out, if std::env::var_os("UPDATE").is_some() { out.clone() } else { page });
}
