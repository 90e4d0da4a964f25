//! S3 on loopback, as far as its wire goes: a server whose answers are a function of the request, a
//! way to put one in front of moto, and a bucket of keys that need not be uploaded.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::harness::gzip;

/// A request, as far as tests look at it.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// Header lines, without the first line.
    pub headers: String,
    raw: Vec<u8>,
}

impl Request {
    pub fn is_list(&self) -> bool {
        self.target.contains("list-type=2")
    }

    pub fn is_get(&self) -> bool {
        self.method == "GET" && !self.is_list()
    }

    /// A parameter of the query, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let (_, query) = self.target.split_once('?')?;
        let (_, value) = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(key, _)| *key == name)?;
        Some(decoded(value))
    }

    /// The key of an object, decoded.
    pub fn key(&self) -> String {
        let path = self.target.split('?').next().unwrap();
        decoded(path.trim_start_matches('/').split_once('/').map_or("", |(_, key)| key))
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = std::str::from_utf8(&after[..2]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

pub fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            out.push(byte.into());
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

type Handler = dyn Fn(&Request) -> Vec<u8> + Send + Sync;

/// A server that lives as long as the value and remembers what it was asked.
pub struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Request>>>,
    ended: Arc<AtomicBool>,
}

impl Server {
    pub fn new(handler: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let ended = Arc::new(AtomicBool::new(false));
        let handler: Arc<Handler> = Arc::new(handler);
        let (requests, over) = (Arc::clone(&seen), Arc::clone(&ended));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (handler, requests) = (Arc::clone(&handler), Arc::clone(&requests));
                std::thread::spawn(move || answer(stream, &*handler, &requests));
            }
        });
        Self { port, seen, ended }
    }

    /// In front of moto: what the function does not answer goes through.
    pub fn before(
        moto: u16,
        fault: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self::new(move |request| fault(request).unwrap_or_else(|| forward(moto, request)))
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// Keys that were fetched, with repetitions, sorted.
    pub fn fetched(&self) -> Vec<String> {
        let mut keys: Vec<String> =
            self.seen().iter().filter(|it| it.is_get()).map(Request::key).collect();
        keys.sort();
        keys
    }

    pub fn lists(&self) -> usize {
        self.seen().iter().filter(|it| it.is_list()).count()
    }

    pub fn forget(&self) {
        self.seen.lock().unwrap().clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn answer(mut stream: TcpStream, handler: &Handler, seen: &Mutex<Vec<Request>>) {
    let mut raw = Vec::new();
    let mut buffer = [0; 4_096];
    let end = loop {
        if let Some(end) = raw.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => raw.extend_from_slice(&buffer[..read]),
        }
    };
    let head = String::from_utf8_lossy(&raw[..end]).into_owned();
    let (first, headers) = head.split_once("\r\n").unwrap();
    let mut words = first.split(' ').map(str::to_owned);
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let request = Request { method, target, headers: headers.to_owned(), raw };
    seen.lock().unwrap().push(request.clone());
    let _ = stream.write_all(&handler(&request));
}

/// What moto answers.
pub fn forward(moto: u16, request: &Request) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", moto)).unwrap();
    stream.write_all(&request.raw).unwrap();
    let mut out = Vec::new();
    // A cut-off answer is as good as one for these tests.
    let _ = stream.read_to_end(&mut out);
    out
}

/// An answer with a body.
pub fn reply(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// S3's way to say no.
pub fn refusal(status: &str, code: &str, message: &str) -> Vec<u8> {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message><RequestId>1</RequestId></Error>"
    );
    reply(status, "Content-Type: application/xml\r\n", body)
}

/// A bucket whose objects are made when they are asked for.
pub struct Bucket {
    keys: BTreeMap<String, String>,
}

impl Bucket {
    /// Keys with the text of each log.
    pub fn new(keys: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { keys: keys.into_iter().collect() }
    }

    pub fn serve(self) -> Server {
        Server::new(move |request| self.answer(request))
    }

    pub fn answer(&self, request: &Request) -> Vec<u8> {
        if request.is_list() {
            return self.list(request);
        }
        match self.keys.get(&request.key()) {
            Some(text) => {
                let etag = etag(&request.key());
                reply("200 OK", &format!("ETag: {etag}\r\n"), gzip(text.as_bytes()))
            }
            None => refusal("404 Not Found", "NoSuchKey", "The specified key does not exist."),
        }
    }

    fn list(&self, request: &Request) -> Vec<u8> {
        let prefix = request.parameter("prefix").unwrap_or_default();
        let delimiter = request.parameter("delimiter");
        let most: usize = request.parameter("max-keys").unwrap().parse().unwrap();
        let after = request
            .parameter("continuation-token")
            .or_else(|| request.parameter("start-after"))
            .unwrap_or_default();
        let mut body = String::from("<ListBucketResult><EncodingType>url</EncodingType>");
        let (mut found, mut last, mut more) = (0, String::new(), false);
        for (key, text) in self.keys.range(prefix.clone()..) {
            if !key.starts_with(&prefix) {
                break;
            }
            let folder = delimiter.as_ref().and_then(|delimiter| {
                let end = key[prefix.len()..].find(delimiter.as_str())?;
                Some(&key[..=prefix.len() + end])
            });
            let entry = folder.unwrap_or(key);
            if entry <= after.as_str() || (folder.is_some() && last == entry) {
                continue;
            }
            if found == most {
                more = true;
                break;
            }
            let name = encoded(entry);
            let _ = if folder.is_some() {
                write!(body, "<CommonPrefixes><Prefix>{name}</Prefix></CommonPrefixes>")
            } else {
                let (etag, size) = (etag(key), gzip(text.as_bytes()).len());
                write!(
                    body,
                    "<Contents><Key>{name}</Key><ETag>{etag}</ETag><Size>{size}</Size></Contents>"
                )
            };
            entry.clone_into(&mut last);
            found += 1;
        }
        let _ = write!(body, "<IsTruncated>{more}</IsTruncated>");
        if more {
            let _ = write!(body, "<NextContinuationToken>{last}</NextContinuationToken>");
        }
        body.push_str("</ListBucketResult>");
        reply("200 OK", "Content-Type: application/xml\r\n", body)
    }
}

fn etag(key: &str) -> String {
    format!("\"{:016x}\"", xxhash_rust::xxh3::xxh3_64(key.as_bytes()))
}
