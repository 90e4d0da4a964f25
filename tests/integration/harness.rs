//! Runs the program in a folder of its own and shows what it did.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is gone with the value.
pub struct Workspace(tempfile::TempDir);

/// What a run left.
#[derive(Debug)]
pub struct Outcome {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Workspace {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        Self::names_of(self.path())
    }

    /// Names of all files of a folder, sorted.
    pub fn names_of(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, b"")
    }

    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Outcome {
        let mut child = program(self.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        let writer = std::thread::spawn(move || {
            // The program may end without reading it all.
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Outcome {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs and expects success.
    pub fn ok(&self, arguments: &[&str]) -> Outcome {
        let outcome = self.run(arguments);
        assert_eq!(outcome.status, 0, "{arguments:?}: {}", outcome.stderr);
        outcome
    }

    /// Runs, expects exit code 2, nothing on standard output, and every text in the message.
    pub fn refused(&self, arguments: &[&str], texts: &[&str]) -> Outcome {
        let outcome = self.run(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        for text in texts {
            assert!(outcome.stderr.contains(text), "no `{text}` in: {}", outcome.stderr);
        }
        outcome
    }
}

/// The program, in an environment that does not depend on who runs the tests.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratewaf"));
    command.current_dir(folder).env_clear();
    for kept in ["PATH", "TMPDIR", "LLVM_PROFILE_FILE"] {
        if let Some(value) = std::env::var_os(kept) {
            command.env(kept, value);
        }
    }
    command
}

/// A file of the repository.
pub fn repository(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A labelled week of the fixtures, as an argument.
pub fn scenario(name: &str) -> String {
    repository("tests/fixtures/scenarios").join(name).display().to_string()
}

/// One line of a v1 log with 33 columns.
pub fn line(second: u32, client: &str, path: &str) -> String {
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!(
        "2026-09-08\t{hour:02}:{minute:02}:{second:02}\tFRA53\t1\t{client}\tGET\td1.cloudfront.net\t{path}\t200\t-\tcurl/8\t-\t-\tMiss\tid-{client}-{second}-{hour}-{minute}\tshop.example\thttps\t1\t0.1\t-\t-\t-\tMiss\tHTTP/2.0\t-\t-\t1\t0.1\tMiss\t-\t-\t-\t-\n"
    )
}

/// The two header lines of a v1 log with 33 columns.
pub const HEADER: &str = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end\n";

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

pub fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(bytes), &mut text).unwrap();
    text
}
