//! Which methods are kept apart: those that HTTP knows. Clients may send any token, and a list that
//! took the first so many would depend on the order of lines.

/// The method of requests with a token that is none of the known ones.
pub const OTHER_METHOD: &str = "(other)";

/// The methods in capital letters of the IANA registry of HTTP methods, and `PURGE`, which caches
/// understand.
static KNOWN: [&str; 38] = [
    "GET",
    "POST",
    "HEAD",
    "OPTIONS",
    "PUT",
    "DELETE",
    "PATCH",
    "ACL",
    "BIND",
    "CHECKIN",
    "CHECKOUT",
    "CONNECT",
    "COPY",
    "LABEL",
    "LINK",
    "LOCK",
    "MERGE",
    "MKACTIVITY",
    "MKCALENDAR",
    "MKCOL",
    "MKREDIRECTREF",
    "MKWORKSPACE",
    "MOVE",
    "ORDERPATCH",
    "PRI",
    "PROPFIND",
    "PROPPATCH",
    "PURGE",
    "QUERY",
    "REBIND",
    "REPORT",
    "SEARCH",
    "TRACE",
    "UNBIND",
    "UNCHECKOUT",
    "UNLINK",
    "UNLOCK",
    "UPDATE",
];

/// The method as it is counted: itself if it is known, else [`OTHER_METHOD`].
#[inline]
pub(super) fn counted_method(sent: &[u8]) -> &'static str {
    KNOWN.iter().find(|known| known.as_bytes() == sent).unwrap_or(&OTHER_METHOD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_methods_are_kept_apart() {
        for (sent, counted) in [
            ("GET", "GET"),
            ("PROPFIND", "PROPFIND"),
            ("get", OTHER_METHOD),
            ("", OTHER_METHOD),
            ("XYZZY", OTHER_METHOD),
        ] {
            assert_eq!(counted_method(sent.as_bytes()), counted);
        }
    }
}
