//! What can go wrong between S3 and this machine, answered on the wire as S3 does.

use std::collections::HashMap;
use std::process::Command;
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use super::wire::{Bucket, Request, Server, refusal, reply};
use super::{analyze, command, log, name, outcome, refused};
use crate::harness::{Workspace, gzip};

fn bucket(objects: u32) -> Bucket {
    Bucket::new((0..objects).map(|number| (format!("cf/{}", name(0, number)), log(number))))
}

/// A bucket in front of which something answers first.
fn behind(
    objects: u32,
    fault: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> Server {
    let bucket = bucket(objects);
    Server::new(move |request| fault(request).unwrap_or_else(|| bucket.answer(request)))
}

fn denied(what: &'static str) -> Vec<u8> {
    refusal("403 Forbidden", "AccessDenied", what)
}

#[test]
fn denied_names_the_action_and_the_resource() {
    let workspace = Workspace::new();
    let list = behind(3, |request| request.is_list().then(|| denied("User x is not authorized")));
    refused(
        &workspace,
        &list.url(),
        &["s3://logs/cf/"],
        &[
            "AWS denies s3:ListBucket on arn:aws:s3:::logs: User x",
            "allow s3:ListBucket",
            "docs/s3.md",
        ],
    );
    assert_eq!(list.seen().len(), 1, "denied is not tried again");
    let get = behind(300, |request| request.is_get().then(|| denied("Access Denied")));
    refused(
        &workspace,
        &get.url(),
        &["s3://logs/cf/"],
        &["AWS denies s3:GetObject on arn:aws:s3:::logs/cf/E1.2026-08-01-00.", "--request-payer"],
    );
    assert!(get.fetched().len() < 150, "{} requests after the first no", get.fetched().len());
    let key = behind(1, |request| {
        let said = "User x is not authorized to perform: kms:Decrypt on resource y";
        request.is_get().then(|| denied(said))
    });
    refused(&workspace, &key.url(), &["s3://logs/cf/"], &["kms:Decrypt on the key", "key policy"]);
    let expired = behind(1, |_| {
        Some(refusal("400 Bad Request", "ExpiredToken", "The provided token has expired."))
    });
    refused(&workspace, &expired.url(), &["s3://logs/"], &["ExpiredToken", "aws sso login"]);
}

/// CI met two errors where readers on two threads were refused in the same moment.
#[test]
fn two_readers_denied_at_once_are_one_error() {
    let workspace = Workspace::new();
    let both = Barrier::new(2);
    let get = behind(2, move |request| {
        request.is_get().then(|| {
            both.wait();
            denied("Access Denied")
        })
    });
    let texts = ["AWS denies s3:GetObject on arn:aws:s3:::logs/cf/E1."];
    refused(&workspace, &get.url(), &["s3://logs/cf/", "--threads", "2"], &texts);
}

#[test]
fn a_bucket_in_another_region_is_followed() {
    let signed_for = |request: &Request, region: &str| {
        request.headers.contains(&format!("/{region}/s3/aws4_request"))
    };
    let moved = move |request: &Request| {
        (!signed_for(request, "eu-central-1")).then(|| {
            let body = "<Error><Code>PermanentRedirect</Code><Message>elsewhere</Message></Error>";
            reply("301 Moved Permanently", "x-amz-bucket-region: eu-central-1\r\n", body)
        })
    };
    let malformed = move |request: &Request| {
        (!signed_for(request, "eu-central-1")).then(|| {
            let body = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>wrong</Message><Region>eu-central-1</Region></Error>";
            reply("400 Bad Request", "", body)
        })
    };
    for server in [behind(3, moved), behind(3, malformed)] {
        let workspace = Workspace::new();
        let outcome = analyze(&workspace, &server.url(), &["s3://logs/cf/", "-v"]);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("the bucket `logs` is in eu-central-1"));
        assert_eq!((server.lists(), server.fetched().len()), (2, 3));
    }
    let nowhere =
        behind(3, |_| Some(refusal("301 Moved Permanently", "PermanentRedirect", "elsewhere")));
    let workspace = Workspace::new();
    let texts = ["the bucket `logs` is not in the region us-east-1", "--region"];
    refused(&workspace, &nowhere.url(), &["s3://logs/cf/"], &texts);
    let right = behind(3, moved);
    let arguments = ["s3://logs/cf/", "--region", "eu-central-1"];
    assert_eq!(analyze(&workspace, &right.url(), &arguments).status, 0);
    assert_eq!(right.lists(), 1);
}

#[test]
fn an_object_that_never_arrives_whole_is_an_error_and_never_a_gap() {
    let cut = |request: &Request, bucket: &Bucket, honest: bool| {
        let whole = bucket.answer(request);
        if !request.is_get() || !request.key().ends_with("00000002.gz") {
            return whole;
        }
        if honest {
            // The connection breaks off.
            return whole[..whole.len() - 5].to_vec();
        }
        // Something in between has cut it and says that this is all.
        let body = gzip(log(2).as_bytes());
        let etag = String::from_utf8_lossy(&whole).split("ETag: ").nth(1).unwrap()[..18].to_owned();
        reply("200 OK", &format!("ETag: {etag}\r\n"), &body[..body.len() - 5])
    };
    for honest in [true, false] {
        let workspace = Workspace::new();
        let own = bucket(4);
        let server = Server::new(move |request| cut(request, &own, honest));
        let texts = [
            "E1.2026-08-01-00.00000002.gz` does not arrive whole, after 4 attempts",
            "bytes came",
            "--keep-going",
        ];
        refused(&workspace, &server.url(), &["s3://logs/cf/"], &texts);
        let arguments = ["s3://logs/cf/", "--keep-going", "--format", "json"];
        let outcome = analyze(&workspace, &server.url(), &arguments);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("00000002.gz was read in part"), "{}", outcome.stderr);
    }
}

#[test]
fn an_object_that_is_torn_in_the_bucket_is_told_and_not_kept() {
    let bytes = gzip(log(1).as_bytes());
    let half = bytes[..bytes.len() / 2].to_vec();
    let server = Server::new(move |request| {
        if request.is_list() {
            let body = format!(
                "<ListBucketResult><Contents><Key>a.gz</Key><ETag>\"e\"</ETag><Size>{}</Size></Contents></ListBucketResult>",
                half.len()
            );
            return reply("200 OK", "", body);
        }
        reply("200 OK", "ETag: \"e\"\r\n", &half)
    });
    let workspace = Workspace::new();
    for _ in 0..2 {
        server.forget();
        let texts = ["`s3://logs/a.gz` is damaged: it ends in the middle", "fetch the file again"];
        refused(&workspace, &server.url(), &["s3://logs/"], &texts);
        assert_eq!(server.fetched(), ["a.gz"]);
    }
}

#[test]
fn objects_that_go_change_or_are_archived_between_listing_and_fetching() {
    let workspace = Workspace::new();
    let one = |answer: fn() -> Vec<u8>| {
        move |request: &Request| (request.is_get() && request.key().ends_with("1.gz")).then(answer)
    };
    let gone = behind(3, one(|| refusal("404 Not Found", "NoSuchKey", "no such key")));
    refused(
        &workspace,
        &gone.url(),
        &["s3://logs/cf/"],
        &["00000001.gz` was there when", "lifecycle"],
    );
    let outcome =
        analyze(&workspace, &gone.url(), &["s3://logs/cf/", "--keep-going", "--no-write"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("is gone now"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("read only in part"), "{}", outcome.stdout);
    let archived = behind(
        3,
        one(|| refusal("403 Forbidden", "InvalidObjectState", "not valid for the class")),
    );
    let texts = ["00000001.gz` is archived", "restore-object --bucket logs --key 'cf/E1."];
    refused(&workspace, &archived.url(), &["s3://logs/cf/"], &texts);

    // Replaced: what is there now is read, by its own size.
    let newer = gzip(log(77).as_bytes());
    let replaced = behind(3, move |request| {
        if !request.is_get() || !request.key().ends_with("1.gz") {
            return None;
        }
        Some(if request.headers.to_ascii_lowercase().contains("if-match:") {
            refusal("412 Precondition Failed", "PreconditionFailed", "changed")
        } else {
            reply("200 OK", "ETag: \"newer\"\r\n", &newer)
        })
    });
    let outcome = analyze(&workspace, &replaced.url(), &["s3://logs/cf/", "-v", "--no-write"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("was replaced since it was listed"), "{}", outcome.stderr);
}

#[test]
fn trouble_that_does_not_pass_ends_and_what_came_is_kept() {
    let server = behind(6, |request| {
        let busy = request.is_get() && request.key().ends_with("3.gz");
        busy.then(|| refusal("503 Slow Down", "SlowDown", "Please reduce your request rate."))
    });
    let workspace = Workspace::new();
    let texts = ["S3 keeps refusing `s3://logs/cf/", "after 4 attempts: SlowDown", "in the cache"];
    refused(&workspace, &server.url(), &["s3://logs/cf/"], &texts);
    // The others have come, or do now: the next run asks for no more than is missing.
    let before = server.fetched().iter().filter(|key| !key.ends_with("3.gz")).count();
    server.forget();
    refused(&workspace, &server.url(), &["s3://logs/cf/"], &texts);
    let again = server.fetched().iter().filter(|key| !key.ends_with("3.gz")).count();
    assert_eq!((before, again), (5, 0));

    refused(
        &workspace,
        "http://127.0.0.1:9",
        &["s3://logs/cf/"],
        &["cannot reach S3 for `s3://logs/cf/`", "--endpoint-url"],
    );
    let mut bare = command(&workspace, "http://127.0.0.1:9");
    bare.env_remove("AWS_ACCESS_KEY_ID").args(["analyze", "s3://logs/cf/", "--no-write"]);
    let outcome = outcome(&mut bare);
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("there are no AWS credentials"), "{}", outcome.stderr);
}

#[test]
fn options_reach_the_wire() {
    let server = bucket(2).serve();
    let workspace = Workspace::new();
    workspace
        .write("aws/config", "[profile ops]\nregion = eu-west-1\n[default]\nregion = eu-north-1\n");
    workspace.write(
        "aws/credentials",
        "[ops]\naws_access_key_id = OPSKEY\naws_secret_access_key = secret\n",
    );
    let mut command = command(&workspace, "http://127.0.0.1:9");
    command
        .env_remove("AWS_REGION")
        .env_remove("AWS_ACCESS_KEY_ID")
        .env_remove("AWS_SECRET_ACCESS_KEY")
        .env("AWS_CONFIG_FILE", workspace.path().join("aws/config"))
        .env("AWS_SHARED_CREDENTIALS_FILE", workspace.path().join("aws/credentials"))
        .args(["analyze", "s3://logs/cf/", "--no-write", "--profile", "ops", "--request-payer"])
        .args(["--endpoint-url", &server.url()]);
    let outcome = outcome(&mut command);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    for request in server.seen() {
        let headers = request.headers.to_ascii_lowercase();
        assert!(headers.contains("x-amz-request-payer: requester"), "{headers}");
        assert!(headers.contains("credential=opskey/") && headers.contains("/eu-west-1/s3/"));
    }
}

/// Downloads at a time are bounded, however many objects there are.
#[test]
fn downloads_at_a_time_are_bounded() {
    let open = std::sync::Arc::new(Mutex::new((0_u32, 0_u32)));
    let (own, counted) = (bucket(300), std::sync::Arc::clone(&open));
    let server = Server::new(move |request| {
        if request.is_get() {
            let mut open = counted.lock().unwrap();
            open.0 += 1;
            open.1 = open.1.max(open.0);
            drop(open);
            std::thread::sleep(Duration::from_millis(20));
            counted.lock().unwrap().0 -= 1;
        }
        own.answer(request)
    });
    let workspace = Workspace::new();
    assert_eq!(analyze(&workspace, &server.url(), &["s3://logs/cf/"]).status, 0);
    let most = open.lock().unwrap().1;
    // 32, and one for each thread that reads.
    assert!(most > 4 && most <= 32 + 16, "{most} at a time");
}

#[test]
fn ctrl_c_stops_a_download_and_a_listing() {
    for listing in [false, true] {
        let server = behind(40, move |request| {
            if request.is_list() == listing {
                std::thread::sleep(Duration::from_secs(20));
            }
            None
        });
        let workspace = Workspace::new();
        let mut command = command(&workspace, &server.url());
        command.args(["analyze", "s3://logs/cf/"]);
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while server.seen().iter().all(|request| request.is_list() != listing) {
            assert!(begun.elapsed() < Duration::from_secs(15), "it asked for nothing");
            std::thread::sleep(Duration::from_millis(20));
        }
        let stopped = Instant::now();
        let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(status.success());
        let status = child.wait().unwrap();
        assert!(stopped.elapsed() < Duration::from_secs(10), "{:?}", stopped.elapsed());
        assert_eq!(status.code(), Some(130));
        let mut said = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
        assert!(said.contains("nothing was written"), "{said}");
        assert!(!workspace.path().join("ratewaf.lock.json").exists());
        // No half of anything is taken for a copy.
        let copies = workspace.path().join("xdg/ratewaf/objects");
        let copies = std::fs::read_dir(copies).map_or(0, Iterator::count);
        assert_eq!(copies, 0);
    }
}

/// Bytes that lie in the cache are not trusted blindly: a copy of another size is fetched again.
#[test]
fn a_cut_off_copy_is_fetched_again() {
    let server = bucket(5).serve();
    let workspace = Workspace::new();
    let arguments = ["s3://logs/cf/", "--no-write", "--format", "json"];
    let first = analyze(&workspace, &server.url(), &arguments);
    let mut copies: HashMap<std::path::PathBuf, u64> = HashMap::new();
    for folder in std::fs::read_dir(workspace.path().join("xdg/ratewaf/objects")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let file = file.unwrap();
            copies.insert(file.path(), file.metadata().unwrap().len());
        }
    }
    assert_eq!(copies.len(), 5);
    std::fs::write(copies.keys().next().unwrap(), "cut").unwrap();
    server.forget();
    let second = analyze(&workspace, &server.url(), &arguments);
    assert_eq!(first.stdout, second.stdout, "{}", second.stderr);
    assert_eq!(server.fetched().len(), 1);
}

/// A container without the package ca-certificates.
#[test]
fn no_root_certificates_are_told_before_anything_is_asked() {
    let workspace = Workspace::new();
    for arguments in [&["analyze", "s3://logs/cf/"][..], &["plan"]] {
        workspace.write("ratewaf.yaml", "version: 1\nname: acl\nweb_acl: { attach: prod }\nroutes:\n  - { name: token, path: { exactly: /token }, limit: 100 }\n");
        let mut bare = command(&workspace, "");
        bare.args(arguments).env_remove("AWS_ENDPOINT_URL").env_remove("AWS_ENDPOINT_URL_S3");
        bare.env("SSL_CERT_FILE", "/nonexistent").env("SSL_CERT_DIR", "/nonexistent");
        let told = outcome(&mut bare);
        assert_eq!(told.status, 2, "{}", told.stderr);
        for text in ["has no root certificates", "hint: install the package ca-certificates"] {
            assert!(told.stderr.contains(text), "{text}: {}", told.stderr);
        }
    }
}
