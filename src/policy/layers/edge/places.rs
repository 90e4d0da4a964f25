//! What the edge can do and where: the same lists stand in `assets/layers/edge`, and a test compares them.

/// Regions of which `regions.ts` knows where they are.
pub(super) const REGIONS: [&str; 34] = [
    "af-south-1",
    "ap-east-1",
    "ap-east-2",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-northeast-3",
    "ap-south-1",
    "ap-south-2",
    "ap-southeast-1",
    "ap-southeast-2",
    "ap-southeast-3",
    "ap-southeast-4",
    "ap-southeast-5",
    "ap-southeast-6",
    "ap-southeast-7",
    "ca-central-1",
    "ca-west-1",
    "eu-central-1",
    "eu-central-2",
    "eu-north-1",
    "eu-south-1",
    "eu-south-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "il-central-1",
    "me-central-1",
    "me-south-1",
    "mx-central-1",
    "sa-east-1",
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
];

/// Headers that functions at the edge may not touch; `*` at the end stands for anything. CloudFront
/// Developer Guide, "Restrictions on edge functions".
const UNTOUCHABLE: [&str; 24] = [
    "connection",
    "expect",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "trailer",
    "upgrade",
    "x-accel-buffering",
    "x-accel-charset",
    "x-accel-limit-rate",
    "x-accel-redirect",
    "x-amz-cf-*",
    "x-amzn-*",
    "x-cache",
    "x-edge-*",
    "x-forwarded-proto",
    "x-real-ip",
    "content-length",
    "host",
    "transfer-encoding",
    "via",
    "warning",
    "content-encoding",
];

/// Whether functions at the edge may not touch a header; its name in lower case.
pub(super) fn is_untouchable(name: &str) -> bool {
    is_among(&UNTOUCHABLE, name)
}

/// Headers that have a meaning already: viewers send them for it, and where nobody is trusted the limiter
/// removes both headers from what they send.
const TAKEN: [&str; 25] = [
    "accept",
    "accept-*",
    "authorization",
    "cache-control",
    "cloudfront-*",
    "content-*",
    "cookie",
    "date",
    "dnt",
    "forwarded",
    "from",
    "if-*",
    "max-forwards",
    "origin",
    "pragma",
    "priority",
    "range",
    "referer",
    "sec-*",
    "te",
    "user-agent",
    "x-forwarded-*",
    "x-http-method-override",
    // The limiter's own, from viewer-request to viewer-response.
    "x-limiter-standing",
    "x-requested-with",
];

/// Whether a header is one of `known`, whose entries may end in `*`, which stands for anything.
fn is_among(known: &[&str], name: &str) -> bool {
    known.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *known == name,
    })
}

/// Whether a header has another meaning already; its name in lower case.
pub(super) fn is_taken(name: &str) -> bool {
    is_among(&TAKEN, name)
}

/// Whether a path can be seen: they are compared percent-decoded, without empty and dot segments and without
/// parameters.
pub(super) fn is_seen(path: &str) -> bool {
    let Some(rest) = path.strip_prefix('/') else { return false };
    let segments: Vec<&str> = rest.split('/').collect();
    let last = segments.len() - 1;
    !rest.contains(|character: char| character.is_control() || "%?#;\\".contains(character))
        && segments.iter().enumerate().all(|(place, segment)| match *segment {
            "." | ".." => false,
            "" => place == last,
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Texts in double quotes between two words of a file.
    fn quoted<'t>(text: &'t str, from: &str, to: &str) -> BTreeSet<&'t str> {
        let start = text.find(from).unwrap() + from.len();
        let part = &text[start..start + text[start..].find(to).unwrap()];
        part.split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_code_that_is_emitted_knows_the_same() {
        let regions = include_str!("../../../../assets/layers/edge/src/regions.ts");
        assert_eq!(quoted(regions, "PLACES", "};"), REGIONS.into());
        let limits = include_str!("../../../../assets/layers/edge/tools/check-limits.ts");
        let mut known = quoted(limits, "const DISALLOWED = [", "];");
        known.extend(quoted(limits, "const READ_ONLY = [", "];"));
        assert_eq!(known, UNTOUCHABLE.into());
    }

    #[test]
    fn paths_that_no_request_has_are_told() {
        for path in ["/", "/a", "/a/", "/ä b/c.d"] {
            assert!(is_seen(path), "{path}");
        }
        for path in
            ["", "a", "//", "/a//b", "/./a", "/a/..", "/a%20b", "/a?b", "/a\n", "/a;b", "/a\\b"]
        {
            assert!(!is_seen(path), "{path}");
        }
    }
}
