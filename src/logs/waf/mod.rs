//! AWS WAF logs: a JSON object a request, with what the rules of the web ACL did about it.

mod entry;
mod rules;

use super::completeness::Completeness;
use super::error::Error;
use super::fields::Field;
use super::file_report::SkipReason;
use super::format::{Format, Framing, Kind, Sample};
use super::json::keys;
use super::options::{InputFormat, Needs, Options};
use super::record::Record;
use super::source::Source;
use super::stamp::epoch_seconds;
use entry::{Entry, Header, text};

pub(super) const KIND: Kind =
    Kind { name: InputFormat::Waf, framing: Framing::Objects, fits, open };

/// It tells of a request and of a web ACL or of how it ended. A record that is cut off in the sample may
/// have shown only some of its keys.
fn fits(sample: &Sample<'_>, _: &Options) -> bool {
    let keys = keys(sample.text);
    let has = |wanted: &str| keys.iter().any(|key| key == wanted);
    sample.is_object()
        && ["httpRequest", "webaclId", "terminatingRuleId", "httpSourceName"]
            .into_iter()
            .filter(|key| has(key))
            .count()
            >= 2
}

fn open(_: &Sample<'_>, options: &Options) -> Result<Box<dyn Format>, Error> {
    let needs = options.needs;
    Ok(Box::new(Waf { needs, completeness: Completeness::default(), sources: Vec::new() }))
}

struct Waf {
    needs: Needs,
    completeness: Completeness,
    /// What the web ACL stands in front of, as the log calls it (`CF`, `ALB` …), of the first record.
    sources: Vec<u8>,
}

/// What AWS WAF writes in place of a value that its logging configuration hides.
const REDACTED: &str = "REDACTED";

impl Format for Waf {
    fn describe(&self) -> String {
        let source = match &*self.sources {
            b"CF" => "CloudFront",
            b"ALB" => "a load balancer",
            b"APIGW" => "an API Gateway",
            b"APPSYNC" => "AppSync",
            b"COGNITOIDP" => "a Cognito user pool",
            b"APPRUNNER" => "App Runner",
            b"VERIFIED_ACCESS" => "Verified Access",
            _ => return "AWS WAF log".to_owned(),
        };
        format!("AWS WAF log of {source}")
    }

    fn source(&self) -> Source {
        Source::Waf
    }

    fn parse(&mut self, piece: &[u8], record: &mut Record) -> Result<(), SkipReason> {
        let entry: Entry<'_> = serde_json::from_slice(piece).map_err(|_| SkipReason::Malformed)?;
        let request = entry.http_request.as_ref().ok_or(SkipReason::Malformed)?;
        let source = text(&entry.http_source_name);
        if self.sources.is_empty() {
            self.sources.extend_from_slice(source.as_bytes());
        }
        self.completeness.waf_records += 1;
        self.completeness.waf_allowed += u64::from(text(&entry.action) == "ALLOW");
        if let Some(seconds) =
            entry.timestamp.as_ref().and_then(|text| epoch_seconds(text.0.as_bytes()))
        {
            record.set_arrival(seconds);
        }
        let headers = request.headers.as_deref().unwrap_or_default();
        put(record, Field::ClientAddress, text(&request.client_ip));
        put(record, Field::RequestId, text(&request.request_id));
        let mut hidden = Hidden { redacted: &mut self.completeness.redacted, needed: false };
        let method = text(&request.http_method);
        if hidden.shows(method, "method", self.needs.method) {
            put(record, Field::Method, method);
        }
        let host = header(headers, "host").or_else(|| Some(text(&request.host)));
        for (field, value, part, needed) in [
            (Field::Host, host, "host", self.needs.host),
            (Field::UserAgent, header(headers, "user-agent"), "user agent", false),
            (Field::Referer, header(headers, "referer"), "referer", false),
            (Field::ForwardedFor, header(headers, "x-forwarded-for"), "", false),
        ] {
            let value = value.unwrap_or_default();
            if hidden.shows(value, part, needed) {
                put(record, field, value);
            }
        }
        let uri = text(&request.uri);
        let shown = hidden.shows(uri, "path", true);
        if hidden.needed || !shown {
            return Err(SkipReason::Redacted);
        }
        put(record, Field::Path, uri);
        rules::collect(&entry, record.rules());
        if source != "CF" && headers.iter().any(is_mark_of_an_edge) {
            self.completeness.edge_lines += 1;
        }
        Ok(())
    }

    fn completeness(&self) -> Completeness {
        self.completeness.clone()
    }
}

/// A value as the client sent it; `-` for none.
fn put(record: &mut Record, field: Field, value: &str) {
    if value.is_empty() {
        record.put(field, b"-");
    } else {
        record.put_sent(field, value.as_bytes());
    }
}

/// The values that a record hides.
struct Hidden<'a> {
    redacted: &'a mut std::collections::BTreeMap<&'static str, u64>,
    /// One of them is needed to tell whether the request is of a route.
    needed: bool,
}

impl Hidden<'_> {
    fn shows(&mut self, value: &str, part: &'static str, needed: bool) -> bool {
        if value != REDACTED {
            return true;
        }
        // Nothing is lost by a host or method that no route names.
        let matters = needed || matches!(part, "user agent" | "referer");
        if matters {
            *self.redacted.entry(part).or_insert(0) += 1;
        }
        self.needed |= needed;
        false
    }
}

/// A header by its name in any case: HTTP/1 clients write it as they like.
fn header<'a>(headers: &'a [Header<'_>], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|header| text(&header.name).eq_ignore_ascii_case(name))
        .map(|header| text(&header.value))
}

/// CloudFront adds `x-amz-cf-id` and itself to `via` on the way to an origin.
fn is_mark_of_an_edge(header: &Header<'_>) -> bool {
    let name = text(&header.name);
    name.eq_ignore_ascii_case("x-amz-cf-id")
        || (name.eq_ignore_ascii_case("via")
            && text(&header.value).to_ascii_lowercase().contains("cloudfront"))
        || (name.eq_ignore_ascii_case("user-agent") && text(&header.value) == "Amazon CloudFront")
}

#[cfg(test)]
mod tests;
