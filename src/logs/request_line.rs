//! `GET https://shop.example:443/a?b HTTP/1.1` to what matters of it.

/// The parts of a request line, as the client sent them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestLine<'a> {
    pub(super) method: &'a [u8],
    /// The host of an absolute address, without its port.
    pub(super) host: Option<&'a [u8]>,
    /// Without the query.
    pub(super) path: &'a [u8],
}

impl<'a> RequestLine<'a> {
    /// The first word is the method, a last one that is a version or `-` is none of the address, and what
    /// is between may hold spaces. `None` for what is no HTTP request: `-`, the greeting of a TLS client,
    /// `- http://shop.example:80- -`.
    pub(super) fn parse(text: &'a [u8]) -> Option<Self> {
        let text = text.trim_ascii();
        let space = memchr::memchr(b' ', text)?;
        let (method, rest) = (&text[..space], text[space..].trim_ascii_start());
        if method == b"-" || !method.iter().all(|&byte| is_token(byte)) {
            return None;
        }
        let target = match memchr::memrchr(b' ', rest) {
            Some(last) if is_version(&rest[last + 1..]) => rest[..last].trim_ascii_end(),
            None if is_version(rest) => return None,
            _ => rest,
        };
        let (host, path) = split_target(target)?;
        Some(Self { method, host, path })
    }
}

/// What a method may be made of (RFC 9110, 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn is_version(word: &[u8]) -> bool {
    word == b"-" || word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
}

/// The host of an absolute address and the path without the query; `None` for nothing at all.
pub(super) fn split_target(target: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    if target.is_empty() || target == b"-" {
        return None;
    }
    let scheme = memchr::memmem::find(target, b"://").filter(|&at| {
        at > 0 && target[..at].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'+')
    });
    let Some(scheme) = scheme else { return Some((None, without_query(target))) };
    let rest = &target[scheme + 3..];
    let end = memchr::memchr2(b'/', b'?', rest).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = without_query(path);
    Some((Some(without_port(authority)), if path.is_empty() { b"/" } else { path }))
}

pub(super) fn without_query(path: &[u8]) -> &[u8] {
    &path[..memchr::memchr(b'?', path).unwrap_or(path.len())]
}

/// `shop.example:443` and `[2001:db8::1]:443` without the port.
pub(super) fn without_port(authority: &[u8]) -> &[u8] {
    let authority = match memchr::memrchr(b'@', authority) {
        Some(at) => &authority[at + 1..],
        None => authority,
    };
    if authority.starts_with(b"[") {
        let end = memchr::memchr(b']', authority).map_or(authority.len(), |at| at + 1);
        return &authority[..end];
    }
    &authority[..memchr::memrchr(b':', authority).unwrap_or(authority.len())]
}

/// `192.0.2.1:49152` and `2001:db8::1:49152` without the port: the colon before it is the last one. Text
/// without a port is left whole.
pub(super) fn without_client_port(client: &[u8]) -> &[u8] {
    let Some(at) = memchr::memrchr(b':', client) else { return client };
    let port = &client[at + 1..];
    let is_port = port == b"-" || (!port.is_empty() && port.iter().all(u8::is_ascii_digit));
    let bare = client[..at].strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
    if is_port { bare.unwrap_or(&client[..at]) } else { client }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<(String, Option<String>, String)> {
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        RequestLine::parse(text.as_bytes())
            .map(|line| (text_of(line.method), line.host.map(text_of), text_of(line.path)))
    }

    #[test]
    fn request_lines_of_all_shapes_are_read() {
        let of = |method: &str, host: Option<&str>, path: &str| {
            Some((method.to_owned(), host.map(str::to_owned), path.to_owned()))
        };
        for (text, expected) in [
            ("GET /a?b=/c HTTP/1.1", of("GET", None, "/a")),
            (
                "GET https://shop.example:443/a/b?c HTTP/2.0",
                of("GET", Some("shop.example"), "/a/b"),
            ),
            ("GET https://shop.example:443?c HTTP/2.0", of("GET", Some("shop.example"), "/")),
            (
                "GET https://[::ffff:a9fe:a9fe]:443/ HTTP/1.1",
                of("GET", Some("[::ffff:a9fe:a9fe]"), "/"),
            ),
            (
                "GET http://shop.example:80/a b/ c HTTP/1.1",
                of("GET", Some("shop.example"), "/a b/ c"),
            ),
            ("GET /old", of("GET", None, "/old")),
            ("GET /old -", of("GET", None, "/old")),
            ("POST //xmlrpc.php HTTP/1.1", of("POST", None, "//xmlrpc.php")),
            ("OPTIONS * HTTP/1.1", of("OPTIONS", None, "*")),
            ("CONNECT shop.example:443 HTTP/1.1", of("CONNECT", None, "shop.example:443")),
            ("GET /go?to=http://other.example/ HTTP/1.1", of("GET", None, "/go")),
            ("PROPFIND / HTTP/1.1", of("PROPFIND", None, "/")),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
        for text in [
            "",
            "-",
            "- - -",
            "- http://shop.example:80- -",
            "- http://shop.example:80-/ ",
            "\u{16}\u{3}\u{1} x",
            "GET",
            "GET HTTP/1.1",
            "GET -",
            "quote\" / HTTP/1.1",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn ports_go_with_the_last_colon() {
        for (text, bare) in [
            ("192.0.2.1:49152", "192.0.2.1"),
            ("2001:db8::1:49152", "2001:db8::1"),
            ("[2001:db8::1]:49152", "2001:db8::1"),
            ("192.0.2.1:-", "192.0.2.1"),
            ("192.0.2.1", "192.0.2.1"),
            ("x.0.0.0:50337", "x.0.0.0"),
            ("12.34.178.90.32:1", "12.34.178.90.32"),
            ("-", "-"),
        ] {
            assert_eq!(without_client_port(text.as_bytes()), bare.as_bytes(), "{text}");
        }
    }
}
