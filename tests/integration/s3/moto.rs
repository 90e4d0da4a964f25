//! Against moto, which answers as S3 does.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::wire::{Server, encoded, forward, refusal};
use super::{analyze, log, name, refused};
use crate::harness::{Workspace, gzip};
use crate::tools;

/// One moto for all tests of this process; it ends with it, when its standard input does.
pub fn port() -> Option<u16> {
    static MOTO: OnceLock<Option<(u16, ChildStdin)>> = OnceLock::new();
    MOTO.get_or_init(start).as_ref().map(|(port, _)| *port)
}

#[allow(clippy::zombie_processes, reason = "it ends when its pipe closes, with this process")]
fn start() -> Option<(u16, ChildStdin)> {
    let program = tools::find("moto_server")?;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let script =
        "\"$0\" -H 127.0.0.1 -p \"$1\" </dev/null >/dev/null 2>&1 & cat >/dev/null; kill $!";
    let mut child = Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .arg(port.to_string())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if Instant::now() > patience {
            tools::skip("`moto_server` does not start (it needs moto[server])");
            assert!(!tools::required());
            return None;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Some((port, child.stdin.take().unwrap()))
}

/// Puts something: a bucket, or an object in one.
fn put(port: u16, path: &str, body: &[u8]) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!(
        "PUT /{} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {}\r\nConnection: close\r\nAuthorization: AWS4-HMAC-SHA256 Credential=testing/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0\r\n\r\n",
        encoded(path),
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    assert!(first.contains(" 200 "), "{path}: {first}");
    // It is done when it has answered.
    std::io::copy(&mut reader, &mut std::io::sink()).unwrap();
}

/// A bucket with these objects, packed.
pub fn upload(port: u16, bucket: &str, objects: &[(String, String)]) {
    put(port, bucket, b"");
    std::thread::scope(|scope| {
        for part in objects.chunks(objects.len().div_ceil(4).max(1)) {
            scope.spawn(move || {
                for (key, text) in part {
                    put(port, &format!("{bucket}/{key}"), &gzip(text.as_bytes()));
                }
            });
        }
    });
}

#[test]
fn two_thousand_objects_are_what_the_folder_is_and_a_second_run_is_free() {
    let Some(moto) = port() else { return };
    let from = 38 * 24;
    let objects: Vec<(String, String)> = (0..2_000)
        .map(|number| (format!("cf/{}", name(from + number % 168, number)), log(number)))
        .chain((0..5).map(|number| (format!("cf/{}", name(3, number)), log(number))))
        .collect();
    upload(moto, "two-thousand", &objects);
    let workspace = Workspace::new();
    for (key, text) in &objects {
        workspace.write(&format!("disk/{key}"), gzip(text.as_bytes()));
    }
    let server = Server::before(moto, |_| None);
    let week = ["--from", "2026-09-08", "--to", "2026-09-15", "--format", "json", "-v"];
    let run = |place: &str, more: &[&str]| {
        let policy = workspace.path().join("ratewaf.yaml");
        let _ = std::fs::remove_file(policy);
        let outcome = analyze(&workspace, &server.url(), &[&[place], &week[..], more].concat());
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        (outcome.stdout, workspace.read("ratewaf.lock.json"), outcome.stderr)
    };
    let local = run("disk", &[]);
    assert!(local.2.contains("5 files are of other days by name"), "{}", local.2);
    let first = run("s3://two-thousand/cf", &[]);
    assert_eq!((&first.0, &first.1), (&local.0, &local.1));
    assert_eq!(server.fetched().len(), 2_000);
    // Object or folder, then three pages.
    assert_eq!(server.lists(), 5, "{}", first.2);
    assert!(first.2.contains("2,000 logs of"), "{}", first.2);

    server.forget();
    let second = run("s3://two-thousand/cf", &[]);
    assert_eq!((&second.0, &second.1), (&local.0, &local.1));
    assert_eq!(server.seen().len(), 5);
    assert!(second.2.contains("2,000 of them are in"), "{}", second.2);

    // Without copies, everything comes again and nothing stays.
    server.forget();
    let temporary = workspace.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = super::command(&workspace, &server.url());
    command.env("TMPDIR", &temporary).args(["analyze", "s3://two-thousand/cf", "--no-cache"]);
    command.args(["--route", "GET /token", "--no-write"]).args(week);
    let third = super::outcome(&mut command);
    assert_eq!(third.stdout, local.0, "{}", third.stderr);
    assert_eq!(server.fetched().len(), 2_000);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn busy_answers_and_torn_bodies_are_tried_again() {
    let Some(moto) = port() else { return };
    let objects: Vec<(String, String)> =
        (0..12).map(|number| (name(38 * 24, number), log(number))).collect();
    upload(moto, "faulty", &objects);
    let workspace = Workspace::new();
    for (key, text) in &objects {
        workspace.write(&format!("disk/{key}"), gzip(text.as_bytes()));
    }
    let tried = Arc::new(Mutex::new(std::collections::HashMap::<String, u32>::new()));
    let server = Server::before(moto, move |request| {
        let mut tried = tried.lock().unwrap();
        let times = tried.entry(request.target.clone()).or_default();
        *times += 1;
        let times = *times;
        drop(tried);
        if times == 1 && request.key().len() % 2 == 0 || request.is_list() && times < 3 {
            return Some(refusal("503 Slow Down", "SlowDown", "Please reduce your request rate."));
        }
        let torn = request.is_get() && times == 2;
        torn.then(|| {
            let whole = forward(moto, request);
            whole[..whole.len() - 7].to_vec()
        })
    });
    let local = analyze(&workspace, &server.url(), &["disk", "--format", "json", "--no-write"]);
    let there = analyze(
        &workspace,
        &server.url(),
        &["s3://faulty", "--format", "json", "--no-write", "-v"],
    );
    assert_eq!(there.status, 0, "{}", there.stderr);
    assert_eq!(there.stdout, local.stdout);
    assert!(there.stderr.contains("bytes came"), "{}", there.stderr);
    let per_object = server.fetched().len() as f64 / 12.0;
    assert!(per_object > 1.0, "nothing was tried again");
}

#[test]
fn moto_refuses_as_s3_does() {
    let Some(moto) = port() else { return };
    upload(moto, "some-bucket", &[(name(0, 1), log(1))]);
    let server = Server::before(moto, |_| None);
    let workspace = Workspace::new();
    let refused = |arguments: &[&str], texts: &[&str]| {
        refused(&workspace, &server.url(), arguments, texts);
    };
    refused(
        &["s3://no-such-bucket/cf"],
        &["there is no bucket `no-such-bucket`", "check the name"],
    );
    refused(
        &["s3://some-bucket/nothing/"],
        &["no log in `s3://some-bucket/nothing/`", "no key begins like that", "aws s3 ls"],
    );
    refused(
        &["s3://some-bucket/", "--from", "2026-09-08", "--to", "2026-09-09"],
        &[
            "from 2026-09-08T00:00:00Z to before 2026-09-09T00:00:00Z: 1 object was listed, 1 of other days",
            "widen",
        ],
    );
    refused(
        &["s3://some-bucket/", "--profile", "nobody"],
        &["no AWS credentials", "nobody", "--profile"],
    );
    refused(&["s3://x"], &["no bucket is called `x`"]);
}

#[test]
fn hostile_keys_stay_in_the_cache_and_out_of_the_terminal() {
    let Some(moto) = port() else { return };
    let keys = ["a/../../../escaped.gz", "a/\u{1b}[2J red.gz", "a/b c+d%2F.gz", "a/ä\u{202e}.gz"];
    let objects: Vec<(String, String)> =
        keys.iter().zip(1..).map(|(key, number)| ((*key).to_owned(), log(number))).collect();
    upload(moto, "hostile", &objects);
    let server = Server::before(moto, |_| None);
    let workspace = Workspace::new();
    let outcome =
        analyze(&workspace, &server.url(), &["s3://hostile/a/", "-v", "--cache", "deep/cache"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let mut expected: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    expected.sort();
    assert_eq!(server.fetched(), expected);
    assert!(!outcome.stderr.contains('\u{1b}') && !outcome.stdout.contains('\u{1b}'));
    assert_eq!(workspace.names(), ["deep", "ratewaf.lock.json", "ratewaf.yaml"]);
    assert!(!workspace.path().parent().unwrap().join("escaped.gz").exists());
}
