//! A request spelled out: every value that any log format may want.

use std::fmt::Write as _;

use super::agents;
use super::cast::Cast;
use super::random::{blend, mix};
use super::record::{Record, Resource};
use super::site;

const EDGES: [&str; 24] = [
    "FRA56-P4", "FRA60-P1", "FRA2-C1", "AMS1-P2", "AMS58-P5", "CDG52-C1", "CDG55-P3", "LHR61-P4",
    "LHR50-P7", "MXP64-C2", "MAD53-P1", "ARN56-P2", "WAW51-P3", "VIE50-P1", "ZRH55-P1", "DUB56-P1",
    "IAD89-C3", "IAD66-P2", "JFK52-P6", "DFW57-P7", "SFO53-P2", "ORD58-P9", "NRT57-P1", "SIN2-P4",
];

/// One request as any log may tell it. Texts are as the client sent them; a format escapes them.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    /// When the answer was complete, in seconds since 1970.
    pub(super) end: i64,
    /// Milliseconds beyond that second, which only some logs tell.
    pub(super) fraction: u16,
    /// From the first byte received to the last one sent, in milliseconds.
    pub(super) taken: u32,
    /// To the first byte sent, in milliseconds.
    pub(super) first_byte: u32,
    pub(super) edge: &'static str,
    /// The client's country.
    pub(super) country: &'static str,
    /// Number of the client's autonomous system, one of those for documentation.
    pub(super) network: u32,
    pub(super) client: String,
    pub(super) port: u16,
    pub(super) scheme: &'static str,
    pub(super) method: &'static str,
    pub(super) path: String,
    /// Empty: none.
    pub(super) query: String,
    /// Empty: none.
    pub(super) referer: String,
    pub(super) agent: String,
    /// 0: the viewer left before an answer.
    pub(super) status: u16,
    pub(super) result: &'static str,
    pub(super) detail: &'static str,
    pub(super) request_id: String,
    pub(super) version: &'static str,
    pub(super) tls: &'static str,
    pub(super) cipher: &'static str,
    pub(super) request_bytes: u64,
    pub(super) response_bytes: u64,
    pub(super) content_type: &'static str,
    pub(super) content_length: Option<u64>,
    /// First and last byte of a part of a file.
    pub(super) range: Option<(u64, u64)>,
}

/// Which of the edge locations a client reaches.
pub(super) const fn edge_of(client: u32) -> usize {
    // The small ones at the end of the list are rarely the nearest.
    let bits = mix(client as u64 ^ 0xED6E);
    let (one, other) = (bits as u32 as usize % EDGES.len(), (bits >> 32) as usize % EDGES.len());
    if one < other { one } else { other }
}

/// The country of an edge location, whose code is that of an airport.
const fn country_of(edge: &str) -> &'static str {
    match edge.as_bytes() {
        [b'F', b'R', b'A', ..] => "DE",
        [b'A', b'M', b'S', ..] => "NL",
        [b'C', b'D', b'G', ..] => "FR",
        [b'L', b'H', b'R', ..] => "GB",
        [b'M', b'X', b'P', ..] => "IT",
        [b'M', b'A', b'D', ..] => "ES",
        [b'A', b'R', b'N', ..] => "SE",
        [b'W', b'A', b'W', ..] => "PL",
        [b'V', b'I', b'E', ..] => "AT",
        [b'Z', b'R', b'H', ..] => "CH",
        [b'D', b'U', b'B', ..] => "IE",
        [b'N', b'R', b'T', ..] => "JP",
        [b'S', b'I', b'N', ..] => "SG",
        _ => "US",
    }
}

impl Exchange {
    /// When it arrived, in whole seconds since 1970: the end without its fraction, less the whole
    /// seconds it took.
    pub(super) const fn arrival(&self) -> i64 {
        self.end - self.taken as i64 / 1_000
    }

    /// Tells a record; what was told before is forgotten.
    pub(super) fn tell(&mut self, record: &Record, cast: &Cast) {
        self.texts(record, cast);
        self.answer(record);
        self.connection(record);
    }

    fn texts(&mut self, record: &Record, cast: &Cast) {
        let texts =
            [&mut self.client, &mut self.path, &mut self.query, &mut self.referer, &mut self.agent];
        texts.into_iter().for_each(String::clear);
        let _ = write!(self.client, "{}", cast.address(record.caller.client));
        site::path(record, &mut self.path);
        site::query(record, &mut self.query);
        site::referer(record, &mut self.referer);
        agents::write(record.caller.agent, &mut self.agent);
        self.request_id.clear();
        request_id(record.noise, &mut self.request_id);
        self.method = site::method(record.resource);
    }

    fn answer(&mut self, record: &Record) {
        let noise = mix(record.noise ^ 0xA45);
        let (resource, status) = (record.resource, record.status);
        self.end = i64::from(record.end);
        self.fraction = ((record.noise >> 20) % 1_000) as u16;
        self.taken = record.taken;
        self.status = status;
        let chance = noise as u32 % 100;
        (self.result, self.detail) = match status {
            0 => ("Error", "ClientCommError"),
            502 => ("Error", "OriginConnectError"),
            504 => ("Error", "OriginCommError"),
            400.. => ("Error", "Error"),
            301 => ("Redirect", "Redirect"),
            _ if resource.is_static() && chance < 91 => ("Hit", "Hit"),
            _ if resource.is_static() && chance < 95 => ("RefreshHit", "RefreshHit"),
            _ if resource.is_static() && chance < 97 => ("Miss", "OriginShieldHit"),
            _ => ("Miss", "Miss"),
        };
        // A cache answers at once, an origin after most of the time that was taken.
        self.first_byte = match self.result {
            "Hit" => (noise >> 8) as u32 % 4,
            _ => record.taken - record.taken / (8 + (noise >> 8) as u32 % 24),
        }
        .min(record.taken);
        let has_content = !matches!(status, 0 | 101 | 204 | 301 | 304);
        let failed = status >= 400;
        let length = match (has_content, failed) {
            (false, _) => 0,
            (true, true) => 90 + noise as u32 % 40,
            (true, false) => site::content_length(record),
        };
        self.range = (status == 206).then(|| {
            let part = u64::from(length.min(262_144));
            let start = u64::from((noise >> 32) as u32 % (length / 262_144 + 1)) * 262_144;
            (start, start + part - 1)
        });
        let sent = self.range.map_or(u64::from(length), |(start, end)| end + 1 - start);
        self.content_type = match (has_content, failed) {
            (false, _) => "-",
            (true, true) => "application/json",
            (true, false) => site::content_type(resource),
        };
        // Compressed on the way, a page has no length beforehand.
        let chunked = self.content_type.starts_with("text/html") && !failed;
        self.content_length = (has_content && !chunked).then_some(sent);
        let body = if chunked { sent / 4 } else { sent };
        let content = if self.method == "HEAD" || status == 0 { 0 } else { body };
        let head = if status == 0 { 0 } else { 310 + (noise >> 48) % 64 };
        // A WebSocket carries its traffic in the same two columns.
        let traffic = if resource == Resource::Live { u64::from(record.taken) / 40 } else { 0 };
        self.response_bytes = head + content + traffic;
    }

    fn connection(&mut self, record: &Record) {
        let caller = record.caller;
        let line = mix(u64::from(caller.connection) ^ 0xC0);
        let noise = mix(record.noise ^ 0xC0);
        self.edge = EDGES[edge_of(caller.client)];
        self.country = country_of(self.edge);
        self.network = 64_496 + mix(u64::from(caller.client) ^ 0xA5) as u32 % 16;
        self.port = 1_024 + (line >> 16) as u16 % 64_000;
        let tool = agents::is_tool(caller.agent);
        let live = record.resource == Resource::Live;
        self.scheme = if live { "wss" } else { "https" };
        self.version = match line as u32 % 10 {
            _ if live => "HTTP/1.1",
            0..7 if tool => "HTTP/1.1",
            0..4 if !tool => "HTTP/3.0",
            _ => "HTTP/2.0",
        };
        (self.tls, self.cipher) = match (line >> 40) as u32 % 50 {
            _ if self.version == "HTTP/3.0" => ("TLSv1.3", "TLS_AES_128_GCM_SHA256"),
            0..3 => ("TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256"),
            3..6 => ("TLSv1.3", "TLS_AES_256_GCM_SHA384"),
            _ => ("TLSv1.3", "TLS_AES_128_GCM_SHA256"),
        };
        // Header compression makes the later requests of a connection small.
        let head = if self.version == "HTTP/1.1" { 320 } else { 34 };
        let texts = self.path.len() + self.query.len();
        self.request_bytes = head + texts as u64 + noise % 96 + traffic_up(record);
    }
}

fn traffic_up(record: &Record) -> u64 {
    match record.resource {
        Resource::Login => 74,
        Resource::Webhook => 600 + (record.noise >> 9) % 700,
        Resource::Live => u64::from(record.taken) / 300,
        _ => 0,
    }
}

/// 54 characters and `==`, as CloudFront writes 40 bytes.
fn request_id(noise: u64, out: &mut String) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for part in 0..6 {
        let mut bits = blend(&[noise, part]);
        for _ in 0..9 {
            out.push(char::from(LETTERS[(bits & 63) as usize]));
            bits >>= 6;
        }
    }
    out.push_str("==");
}
