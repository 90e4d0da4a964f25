//! An HTTP client that keeps its connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::fake_aws::cloudwatch::cbor;

pub struct Client {
    address: String,
    stream: Option<TcpStream>,
    pub region: &'static str,
}

/// Status and body; status 0: the connection broke off.
#[derive(Debug)]
pub struct Told {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Told {
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The body as JSON, of whatever status.
    pub fn json(&self) -> Value {
        if self.head.to_ascii_lowercase().contains("application/cbor") {
            return cbor::read(&self.body);
        }
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.json());
        self.json()
    }

    /// The kind of error, without its namespace.
    pub fn code(&self) -> String {
        let json = self.json();
        json["__type"].as_str().unwrap_or_default().rsplit('#').next().unwrap().to_owned()
    }
}

impl Client {
    pub fn new(url: &str) -> Self {
        let address = url.trim_start_matches("http://").to_owned();
        Self { address, stream: None, region: "us-east-1" }
    }

    pub fn waf(&mut self, operation: &str, body: &Value) -> Told {
        self.waf_text(operation, &body.to_string())
    }

    pub fn waf_text(&mut self, operation: &str, body: &str) -> Told {
        let target = format!("X-Amz-Target: AWSWAF_20190729.{operation}\r\n");
        self.send("POST", "/", &target, body.as_bytes())
    }

    pub fn cloudwatch(&mut self, operation: &str, body: &Value) -> Told {
        let path = format!("/service/GraniteServiceVersion20100801/operation/{operation}");
        self.send("POST", &path, "smithy-protocol: rpc-v2-cbor\r\n", &cbor::written(body))
    }

    pub fn send(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) -> Told {
        let (region, length) = (self.region, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: aws\r\nAuthorization: AWS4-HMAC-SHA256 Credential=KEY/20260914/{region}/wafv2/aws4_request, SignedHeaders=host, Signature=0\r\n{headers}Content-Length: {length}\r\n\r\n"
        );
        let mut stream = self.stream.take().unwrap_or_else(|| {
            let stream = TcpStream::connect(&self.address).unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
            stream
        });
        let told = exchange(&mut stream, &[head.as_bytes(), body].concat());
        match told {
            Some(told) => {
                self.stream = Some(stream);
                told
            }
            None => Told { status: 0, head: String::new(), body: Vec::new() },
        }
    }
}

fn exchange(stream: &mut TcpStream, request: &[u8]) -> Option<Told> {
    stream.write_all(request).ok()?;
    let (mut raw, mut buffer) = (Vec::new(), [0; 65_536]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => raw.extend_from_slice(&buffer[..read]),
        }
        let Some(end) = raw.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&raw[..end]).into_owned();
        let length =
            head.split("Content-Length: ").nth(1)?.lines().next()?.parse::<usize>().ok()?;
        if raw.len() == end + 4 + length {
            let status = head.split(' ').nth(1)?.parse().ok()?;
            return Some(Told { status, head, body: raw[end + 4..].to_vec() });
        }
    }
}
