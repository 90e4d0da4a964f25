//! Everything shown is run: each ```console block of README.md, docs/ and examples/ is executed and has
//! to print what stands there. `UPDATE=1` rewrites the blocks.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::repository;

/// All pages with sessions.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![repository("README.md"), repository("CONTRIBUTING.md")];
    for folder in ["docs", "examples"] {
        walk(&repository(folder), &mut pages);
    }
    pages.sort();
    pages
}

fn walk(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, pages);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
}

/// A folder in which a reader of the page would sit: a checkout, with `logs` being the article week.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let desk = tempfile::tempdir().unwrap();
        let link = |from: PathBuf, to: &str| {
            std::os::unix::fs::symlink(from, desk.path().join(to)).unwrap()
        };
        std::fs::create_dir(desk.path().join("bin")).unwrap();
        std::fs::create_dir(desk.path().join("work")).unwrap();
        link(PathBuf::from(env!("CARGO_BIN_EXE_ratewaf")), "bin/ratewaf");
        link(repository("tests"), "work/tests");
        link(repository("tests/fixtures/scenarios/article-week"), "work/logs");
        link(repository("tests/fixtures/scenarios"), "work/scenarios");
        // `cargo run … -- ARGUMENTS` is the program that the tests have built already.
        let shim =
            "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec ratewaf \"$@\"\n";
        let path = desk.path().join("bin/cargo");
        std::fs::write(&path, shim).unwrap();
        let mut mode = std::fs::metadata(&path).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
        std::fs::set_permissions(&path, mode).unwrap();
        Self(desk)
    }

    /// What a command prints on both streams, with `? code` after it if it fails.
    fn run(&self, command: &str) -> String {
        let paths =
            format!("{}:{}", self.0.path().join("bin").display(), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(self.0.path().join("work"))
            .env_clear()
            .env("PATH", paths)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if let Some(code) = output.status.code().filter(|code| *code != 0) {
            let _ = writeln!(text, "? {code}");
        }
        text
    }
}

/// The page with the sessions as they are now.
fn replayed(page: &str) -> String {
    let desk = Desk::new();
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line.trim() != "```console" {
            continue;
        }
        let mut running = true;
        while let Some(line) = lines.next_if(|line| line.trim() != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                out.push_str(line);
                out.push('\n');
                // The tests do not run themselves, and an example takes minutes: what the page shows of
                // these stays.
                running = !command.starts_with("cargo test") && !command.contains(" --example ");
                if running {
                    out.push_str(&desk.run(command));
                }
            } else if !running {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

#[test]
fn sessions_print_what_the_pages_show() {
    let mut wrong = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        // A program without the feature refuses these.
        let is_parquet = |line: &str| line.starts_with("$ ") && line.contains("parquet");
        if cfg!(not(feature = "parquet")) && page.lines().any(is_parquet) {
            continue;
        }
        let now = replayed(&page);
        if page == now {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, now).unwrap();
        } else {
            let name = path.strip_prefix(repository("")).unwrap().display().to_string();
            wrong.push(ratewaf::render::diff(&page, &now, &name).unwrap());
        }
    }
    assert!(wrong.is_empty(), "UPDATE=1 rewrites:\n{}", wrong.join("\n"));
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut wrong = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        for (place, _) in page.match_indices("](") {
            let target = page[place + 2..].split([')', '#', ' ']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            if !path.parent().unwrap().join(target).exists() {
                wrong.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The terminal of the README's picture, drawn from a real run.
#[test]
fn the_picture_is_a_real_run() {
    let mut command = crate::harness::program(&repository(""));
    let output = command
        .args(["--color", "always", "analyze", "tests/fixtures/scenarios/article-week"])
        .args(["--route", "GET /api/v1/token", "--no-write", "--quiet"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let svg = anstyle_svg::Term::new().render_svg(&text);
    crate::golden::check("docs/pictures/terminal.svg", &svg);
}

#[test]
fn help_pages_are_committed() {
    let mut text = String::from(
        "# The commands\n\nWritten by a test from the program's own `--help`; `UPDATE=1 cargo test` rewrites it.\n",
    );
    let help = |arguments: &[&str]| {
        let output = crate::harness::program(&repository(""))
            .args(arguments)
            .arg("--help")
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let _ = write!(text, "\n## ratewaf\n\n```text\n{}```\n", help(&[]));
    for command in [
        "analyze",
        "emit",
        "replay",
        "explain",
        "report",
        "check",
        "explain-check",
        "demo-logs",
        "schema",
        "completions",
        "man",
    ] {
        let _ = write!(text, "\n## ratewaf {command}\n\n```text\n{}```\n", help(&[command]));
    }
    crate::golden::check("docs/cli.md", &text);
}
