//! The fields of CloudFront's logs: what each is called and how its value is written.

use super::text::{date, digits, escaped, number, optional, seconds, text, time_of_day};
use crate::demo::exchange::Exchange;
use crate::demo::site;

/// A field and how its value is written.
#[derive(Clone, Copy)]
pub(super) struct Column {
    /// Its name in the log.
    pub(super) name: &'static str,
    /// Appends its value, `-` for none.
    pub(super) write: fn(&Exchange, &mut Vec<u8>),
}

const fn column(name: &'static str, write: fn(&Exchange, &mut Vec<u8>)) -> Column {
    Column { name, write }
}

/// Appends the values of some columns with a delimiter between them, and the end of the line.
pub(super) fn line(columns: &[Column], delimiter: &str, exchange: &Exchange, out: &mut Vec<u8>) {
    for (place, column) in columns.iter().enumerate() {
        if place > 0 {
            text(delimiter, out);
        }
        (column.write)(exchange, out);
    }
    out.push(b'\n');
}

/// The names of some columns with a delimiter between them.
pub(super) fn names(columns: &[Column], delimiter: &str) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(delimiter)
}

const NOTHING: fn(&Exchange, &mut Vec<u8>) = |_, out| out.push(b'-');
const RESULT: fn(&Exchange, &mut Vec<u8>) = |exchange, out| text(exchange.result, out);

/// The fields of standard logs v1 in their order (CloudFront Developer Guide, "Standard log file
/// fields").
pub(super) const V1: [Column; 33] = [
    column("date", |exchange, out| date(exchange.end, out)),
    column("time", |exchange, out| time_of_day(exchange.end, out)),
    column("x-edge-location", |exchange, out| text(exchange.edge, out)),
    column("sc-bytes", |exchange, out| number(exchange.response_bytes, out)),
    column("c-ip", |exchange, out| text(&exchange.client, out)),
    column("cs-method", |exchange, out| text(exchange.method, out)),
    column("cs(Host)", |_, out| text(site::DISTRIBUTION_HOST, out)),
    column("cs-uri-stem", |exchange, out| escaped(&exchange.path, out)),
    column("sc-status", |exchange, out| digits(u64::from(exchange.status), 3, out)),
    column("cs(Referer)", |exchange, out| escaped(&exchange.referer, out)),
    column("cs(User-Agent)", |exchange, out| escaped(&exchange.agent, out)),
    column("cs-uri-query", |exchange, out| escaped(&exchange.query, out)),
    column("cs(Cookie)", NOTHING),
    column("x-edge-result-type", RESULT),
    column("x-edge-request-id", |exchange, out| text(&exchange.request_id, out)),
    column("x-host-header", |_, out| text(site::HOST, out)),
    column("cs-protocol", |exchange, out| text(exchange.scheme, out)),
    column("cs-bytes", |exchange, out| number(exchange.request_bytes, out)),
    column("time-taken", |exchange, out| seconds(exchange.taken, out)),
    column("x-forwarded-for", NOTHING),
    column("ssl-protocol", |exchange, out| text(exchange.tls, out)),
    column("ssl-cipher", |exchange, out| text(exchange.cipher, out)),
    column("x-edge-response-result-type", RESULT),
    column("cs-protocol-version", |exchange, out| text(exchange.version, out)),
    column("fle-status", NOTHING),
    column("fle-encrypted-fields", NOTHING),
    column("c-port", |exchange, out| number(u64::from(exchange.port), out)),
    column("time-to-first-byte", |exchange, out| seconds(exchange.first_byte, out)),
    column("x-edge-detailed-result-type", |exchange, out| text(exchange.detail, out)),
    column("sc-content-type", |exchange, out| text(exchange.content_type, out)),
    column("sc-content-len", |exchange, out| optional(exchange.content_length, out)),
    column("sc-range-start", |exchange, out| optional(exchange.range.map(|(start, _)| start), out)),
    column("sc-range-end", |exchange, out| optional(exchange.range.map(|(_, end)| end), out)),
];

/// What standard logging v2 can add to the 33 (the same guide, "Configure standard logging (v2)",
/// "Additional fields"; the first two are in every delivery that the console makes).
const V2_MORE: [Column; 8] = [
    column("timestamp", |exchange, out| number(exchange.end as u64, out)),
    column("DistributionId", |_, out| text(site::DISTRIBUTION, out)),
    column("timestamp(ms)", |exchange, out| {
        number(exchange.end as u64, out);
        digits(u64::from(exchange.fraction), 3, out);
    }),
    column("origin-fbl", |exchange, out| origin(exchange, exchange.first_byte, out)),
    column("origin-lbl", |exchange, out| origin(exchange, exchange.taken, out)),
    column("asn", |exchange, out| number(u64::from(exchange.network), out)),
    column("c-country", |exchange, out| text(exchange.country, out)),
    column("cache-behavior-path-pattern", |exchange, out| {
        text(if exchange.path.starts_with("/api/") { "/api/*" } else { "*" }, out);
    }),
];

/// Latency at the origin; a cache hit has none.
fn origin(exchange: &Exchange, milliseconds: u32, out: &mut Vec<u8>) {
    match exchange.result {
        "Miss" => seconds(milliseconds, out),
        _ => out.push(b'-'),
    }
}

/// All fields of v2, in the order of the guide.
pub(super) const V2: [Column; 41] = {
    let mut all = [V1[0]; 41];
    let mut place = 0;
    while place < 41 {
        all[place] = if place < 33 { V1[place] } else { V2_MORE[place - 33] };
        place += 1;
    }
    all
};

/// All fields of v2 as an owner may have put them: in no order that anybody would guess.
pub(super) const V2_SHUFFLED: [Column; 41] = {
    let mut all = [V1[0]; 41];
    let mut place = 0;
    while place < 41 {
        // 41 is a prime: every column comes once.
        all[place] = V2[(place * 17 + 23) % 41];
        place += 1;
    }
    all
};

/// The fields that an owner may have thought enough: all that the analysis uses, and no date.
pub(super) const V2_FEW: [Column; 12] =
    [V2_MORE[2], V1[4], V1[5], V1[15], V1[7], V1[11], V1[8], V1[9], V1[10], V1[14], V1[18], V1[19]];

/// The fields of a real-time log configuration with all of them, in the order in which CloudFront
/// always writes them (the same guide, "Use real-time access logs", "Understand fields"). Beware:
/// `cs-host` and `x-host-header` are the other way round than in standard logs, the path has its query
/// with it, and there is no header line.
pub(super) const REALTIME: [Column; 43] = [
    column("timestamp", |exchange, out| {
        number(exchange.end as u64, out);
        out.push(b'.');
        digits(u64::from(exchange.fraction), 3, out);
    }),
    column("c-ip", V1[4].write),
    column("time-to-first-byte", V1[27].write),
    column("sc-status", V1[8].write),
    column("sc-bytes", V1[3].write),
    column("cs-method", V1[5].write),
    column("cs-protocol", V1[16].write),
    column("cs-host", V1[15].write),
    column("cs-uri-stem", |exchange, out| {
        escaped(&exchange.path, out);
        if !exchange.query.is_empty() {
            out.push(b'?');
            escaped(&exchange.query, out);
        }
    }),
    column("cs-bytes", V1[17].write),
    column("x-edge-location", V1[2].write),
    column("x-edge-request-id", V1[14].write),
    column("x-host-header", V1[6].write),
    column("time-taken", V1[18].write),
    column("cs-protocol-version", V1[23].write),
    column("c-ip-version", |exchange, out| {
        text(if exchange.client.contains(':') { "IPv6" } else { "IPv4" }, out);
    }),
    column("cs-user-agent", V1[10].write),
    column("cs-referer", V1[9].write),
    column("cs-cookie", NOTHING),
    column("cs-uri-query", V1[11].write),
    column("x-edge-response-result-type", RESULT),
    column("x-forwarded-for", NOTHING),
    column("ssl-protocol", V1[20].write),
    column("ssl-cipher", V1[21].write),
    column("x-edge-result-type", RESULT),
    column("fle-encrypted-fields", NOTHING),
    column("fle-status", NOTHING),
    column("sc-content-type", V1[29].write),
    column("sc-content-len", V1[30].write),
    column("sc-range-start", V1[31].write),
    column("sc-range-end", V1[32].write),
    column("c-port", V1[26].write),
    column("x-edge-detailed-result-type", V1[28].write),
    column("c-country", V2_MORE[6].write),
    column("cs-accept-encoding", |_, out| text("gzip,%20br", out)),
    column("cs-accept", |_, out| text("*/*", out)),
    column("cache-behavior-path-pattern", V2_MORE[7].write),
    column("cs-headers", |exchange, out| {
        text("Host:", out);
        text(site::HOST, out);
        text("%0AUser-Agent:", out);
        escaped(&exchange.agent, out);
        text("%0AAccept:*/*%0AAccept-Encoding:gzip,%20br%0A", out);
    }),
    column("cs-header-names", |_, out| {
        text("Host%0AUser-Agent%0AAccept%0AAccept-Encoding%0A", out);
    }),
    column("cs-headers-count", |_, out| text("4", out)),
    column("origin-fbl", V2_MORE[3].write),
    column("origin-lbl", V2_MORE[4].write),
    column("asn", V2_MORE[5].write),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_field_comes_once_in_every_order() {
        let set = |columns: &[Column]| -> BTreeSet<&str> {
            let names: BTreeSet<&str> = columns.iter().map(|column| column.name).collect();
            assert_eq!(names.len(), columns.len());
            names
        };
        assert_eq!(set(&V2), set(&V2_SHUFFLED));
        assert!(set(&V1).is_subset(&set(&V2)));
        assert_eq!(set(&REALTIME).len(), 43);
        let mut pairs = V2_SHUFFLED.iter().zip(&V2);
        assert!(pairs.by_ref().take(5).all(|(one, other)| one.name != other.name));
    }

    #[test]
    fn real_time_fields_have_the_values_of_the_standard_ones_but_for_the_known_traps() {
        let bare = |name: &str| -> String {
            name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
        };
        let exchange = Exchange {
            client: "192.0.2.1".to_owned(),
            path: "/a".to_owned(),
            query: "b=1".to_owned(),
            result: "Miss",
            ..Exchange::default()
        };
        let value = |column: &Column| {
            let mut out = Vec::new();
            (column.write)(&exchange, &mut out);
            String::from_utf8(out).unwrap()
        };
        let mut others = BTreeSet::new();
        for column in &REALTIME {
            let standard = V2.iter().find(|other| bare(other.name) == bare(column.name));
            if standard.is_some_and(|other| value(other) != value(column)) {
                others.insert(column.name);
            }
        }
        let known = ["cs-host", "cs-uri-stem", "timestamp", "x-host-header"];
        assert_eq!(others, BTreeSet::from(known));
        let stem = REALTIME.iter().find(|column| column.name == "cs-uri-stem");
        assert_eq!(value(stem.unwrap()), "/a?b=1");
    }
}
