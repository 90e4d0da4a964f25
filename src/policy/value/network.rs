//! Addresses, and how long they are special.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use ipnet::IpNet;

use crate::policy::reader::{Read, Reader, short};
use crate::policy::yaml::Node;
use crate::rules::canonical_cidr;
use crate::units::Timestamp;

/// An address or a CIDR in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr(pub IpNet);

schema!(Cidr, json_schema!({ "type": "string", "pattern": "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$" }));

impl Read for Cidr {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, an address or a CIDR")?;
        let short = short(text);
        let help = "allowed: addresses such as `203.0.113.10` and `2001:db8::1`, and CIDRs such as `203.0.113.0/24` and `2001:db8:7::/64`";
        match canonical_cidr(text) {
            Some(net) if net.prefix_len() == 0 => reader.refuse(
                Problem::new(format!("`{short}` is everybody"))
                    .at(node.span)
                    .found("AWS WAF refuses `/0` in an IP set")
                    .help(help),
            ),
            // A CIDR whose address has bits behind the prefix is a slip more often than not: refuse it
            // rather than guess which of the two was meant.
            Some(net) if text.contains('/') && host_bits(text) => reader.refuse(
                Problem::new(format!("`{short}` has bits set behind its prefix"))
                    .at(node.span)
                    .found(format!("the network is `{net}`"))
                    .help(format!(
                        "write `{net}` for the network, or the address alone for one client"
                    )),
            ),
            Some(net) => Some(Self(net)),
            None => reader.refuse(
                Problem::new(format!("`{short}` is no address and no CIDR"))
                    .at(node.span)
                    .found("cannot be read")
                    .help(help),
            ),
        }
    }
}

fn host_bits(text: &str) -> bool {
    text.trim().parse::<IpNet>().is_ok_and(|net| net.trunc() != net)
}

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date(pub Timestamp);

schema!(Date, json_schema!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }));

impl Read for Date {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a date as YYYY-MM-DD")?;
        parse_date(text).map(Self).or_else(|| {
            let short = short(text);
            let problem = Problem::new(format!("`{short}` is no date")).at(node.span);
            reader.refuse(problem.found("not a day of the calendar").help("such as `2027-03-01`"))
        })
    }
}

/// Reads `YYYY-MM-DD`.
#[must_use]
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| {
        let part = text.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    Timestamp::from_date(digits(0, 4)?.into(), digits(5, 7)?, digits(8, 10)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        let leap_day = parse_date("2028-02-29").map(Timestamp::date_text);
        assert_eq!(leap_day.as_deref(), Some("2028-02-29"));
        for date in ["2027-02-29", "2027-3-1", "+027-03-01", "2027-03-1é", "20270301", ""] {
            assert_eq!(parse_date(date), None, "{date}");
        }
    }
}
