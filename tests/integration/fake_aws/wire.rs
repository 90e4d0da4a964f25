//! HTTP/1.1 on loopback, as far as AWS clients need it: connections stay open, many at a time, and an
//! answer can also be none at all.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A request.
pub struct Message {
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Message {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        Some(&found.1)
    }
}

/// An answer.
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// How a request ends.
pub enum Ending {
    Answer(Reply),
    /// The connection breaks off.
    Cut,
    /// Nothing is answered for as long as the other side waits.
    Silence,
}

type Handler = dyn Fn(&Message) -> Ending + Send + Sync;

/// A server that lives as long as the value.
pub struct Server {
    port: u16,
    ended: Arc<AtomicBool>,
}

impl Server {
    pub fn start(handler: impl Fn(&Message) -> Ending + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ended = Arc::new(AtomicBool::new(false));
        let (handler, over): (Arc<Handler>, _) = (Arc::new(handler), Arc::clone(&ended));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (handler, over) = (Arc::clone(&handler), Arc::clone(&over));
                std::thread::spawn(move || converse(stream, &*handler, &over));
            }
        });
        Self { port, ended }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// Everything that one client says on one connection.
fn converse(mut stream: TcpStream, handler: &Handler, ended: &AtomicBool) {
    let _ = stream.set_nodelay(true);
    let mut kept = Vec::new();
    while let Some(message) = read(&mut stream, &mut kept) {
        match handler(&message) {
            Ending::Answer(reply) => {
                if stream.write_all(&bytes(&reply)).is_err() {
                    return;
                }
            }
            Ending::Cut => return,
            Ending::Silence => return wait(&mut stream, ended),
        }
    }
}

/// Until the other side goes, or the server does.
fn wait(stream: &mut TcpStream, ended: &AtomicBool) {
    let _ = stream.set_read_timeout(Some(Duration::from_millis(20)));
    while !ended.load(Ordering::Relaxed) {
        match stream.read(&mut [0; 64]) {
            Ok(0) => return,
            Err(error) if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return;
            }
            Ok(_) | Err(_) => {}
        }
    }
}

/// The next request; `kept` holds what was read beyond the last one.
fn read(stream: &mut TcpStream, kept: &mut Vec<u8>) -> Option<Message> {
    let end = loop {
        if let Some(end) = kept.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        more(stream, kept)?;
    };
    let head = String::from_utf8_lossy(&kept[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ').map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let mut message = Message { method, target, headers, body: Vec::new() };
    let length = message.header("content-length").map_or(0, |text| text.parse().unwrap());
    let whole = end + 4 + length;
    while kept.len() < whole {
        more(stream, kept)?;
    }
    message.body = kept[end + 4..whole].to_vec();
    kept.drain(..whole);
    Some(message)
}

fn more(stream: &mut TcpStream, kept: &mut Vec<u8>) -> Option<()> {
    let mut buffer = [0; 16_384];
    match stream.read(&mut buffer) {
        Ok(0) | Err(_) => None,
        Ok(read) => {
            kept.extend_from_slice(&buffer[..read]);
            Some(())
        }
    }
}

fn bytes(reply: &Reply) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {} -\r\n", reply.status);
    for (name, value) in &reply.headers {
        out += &format!("{name}: {value}\r\n");
    }
    out += &format!("Content-Length: {}\r\n\r\n", reply.body.len());
    [out.as_bytes(), &reply.body].concat()
}
