//! An endpoint that never stops sending.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{Scene, command, outcome};

/// Answers every request without an end; counts the answers, and the bytes of the longest.
fn endless(head: &'static str) -> (String, Arc<AtomicUsize>, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (answers, longest) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
    let (counted, most) = (Arc::clone(&answers), Arc::clone(&longest));
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let (counted, most) = (Arc::clone(&counted), Arc::clone(&most));
            std::thread::spawn(move || {
                let mut connection = connection.unwrap();
                let _ = connection.read(&mut [0; 8192]);
                counted.fetch_add(1, Ordering::SeqCst);
                let mut sent = 0;
                let mut chunk = b"10000\r\n".to_vec();
                chunk.extend([b' '; 65_536]);
                chunk.extend(b"\r\n");
                let _ = connection.write_all(head.as_bytes());
                while connection.write_all(&chunk).is_ok() {
                    sent += 65_536;
                    most.fetch_max(sent, Ordering::SeqCst);
                }
            });
        }
    });
    (url, answers, longest)
}

/// The largest answer that is kept, and what may lie in the buffers of two sockets beside it.
const MOST: u64 = (16 << 20) + (16 << 20);

#[test]
fn an_answer_without_an_end_does_not_fill_the_memory() {
    for status in ["200 OK", "503 Slow Down"] {
        let head = match status {
            "200 OK" => {
                "HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.1\r\ntransfer-encoding: chunked\r\n\r\n"
            }
            _ => "HTTP/1.1 503 Slow Down\r\ntransfer-encoding: chunked\r\n\r\n",
        };
        for arguments in
            [&["plan"][..], &["replay", "s3://logs/cf/"], &["replay", "s3://logs/cf/a.gz"]]
        {
            let scene = Scene::own();
            let (url, answers, longest) = endless(head);
            let told = outcome(command(&scene.workspace, &url, arguments));
            assert_eq!(told.status, 2, "{arguments:?}: {}{}", told.stdout, told.stderr);
            assert!(answers.load(Ordering::SeqCst) > 0, "{arguments:?}: {}", told.stderr);
            let longest = longest.load(Ordering::SeqCst);
            assert!(longest < MOST, "{arguments:?}, {status}: {longest} bytes were read");
        }
    }
}
