//! The text transformations of AWS WAF that our statements use, as pure functions on bytes.
//!
//! AWS describes them in a sentence each (guide, "waf-rule-statement-transformation"); they follow the
//! `ModSecurity` functions of the same names. What AWS does not state: `URL_DECODE` leaves `+` alone here.

use std::borrow::Cow;

use wide::u8x16;

/// A text transformation, by its name in the `WAFv2` API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transformation {
    /// `NONE`.
    None,
    /// `LOWERCASE`: A to Z.
    Lowercase,
    /// `URL_DECODE`: one pass over valid `%XX`.
    UrlDecode,
    /// `NORMALIZE_PATH`: no double slashes, no `.` and `..` segments.
    NormalizePath,
}

impl Transformation {
    /// Its name in the `WAFv2` API and in Terraform.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Lowercase => "LOWERCASE",
            Self::UrlDecode => "URL_DECODE",
            Self::NormalizePath => "NORMALIZE_PATH",
        }
    }
}

/// Applies transformations in order. Borrows when nothing changes, which is the case for nearly
/// every path of a log.
#[must_use]
pub fn transform<'a>(text: &'a [u8], transformations: &[Transformation]) -> Cow<'a, [u8]> {
    let mut out = Cow::Borrowed(text);
    for transformation in transformations {
        let changed = match transformation {
            Transformation::None => None,
            Transformation::Lowercase => {
                out.iter().any(u8::is_ascii_uppercase).then(|| out.to_ascii_lowercase())
            }
            Transformation::UrlDecode => into_owned(url_decode(&out)),
            Transformation::NormalizePath => into_owned(normalize_path(&out)),
        };
        if let Some(changed) = changed {
            out = Cow::Owned(changed);
        }
    }
    out
}

fn into_owned(text: Cow<'_, [u8]>) -> Option<Vec<u8>> {
    match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(owned) => Some(owned),
    }
}

/// Replaces each valid `%XX` by its byte, once; anything else stays as it is.
#[must_use]
pub fn url_decode(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'%', text) else {
        return Cow::Borrowed(text);
    };
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(&text[..first]);
    let mut place = first;
    while place < text.len() {
        let escape = (text[place] == b'%')
            .then(|| Some((hex(*text.get(place + 1)?)?, hex(*text.get(place + 2)?)?)))
            .flatten();
        if let Some((high, low)) = escape {
            out.push(high << 4 | low);
            place += 3;
        } else {
            out.push(text[place]);
            place += 1;
        }
    }
    Cow::Owned(out)
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Removes empty segments, `.` segments and, with the segment before them, `..` segments. A slash
/// at the end stays if there was one; `..` never leaves an absolute path.
#[must_use]
pub fn normalize_path(path: &[u8]) -> Cow<'_, [u8]> {
    if !needs_normalizing(path) {
        return Cow::Borrowed(path);
    }
    let absolute = path.first() == Some(&b'/');
    let trailing = path.len() > 1 && path.last() == Some(&b'/');
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => match segments.last() {
                Some(&last) if last != b".." => {
                    segments.pop();
                }
                _ if absolute => {}
                _ => segments.push(segment),
            },
            _ => segments.push(segment),
        }
    }
    let mut out = Vec::with_capacity(path.len());
    if absolute {
        out.push(b'/');
    }
    out.extend_from_slice(&segments.join(&b'/'));
    if trailing && out.last().is_some_and(|&byte| byte != b'/') {
        out.push(b'/');
    }
    Cow::Owned(out)
}

fn needs_normalizing(path: &[u8]) -> bool {
    path.first() == Some(&b'.')
        || memchr::memchr_iter(b'/', path)
            .any(|slash| matches!(path.get(slash + 1), Some(b'/' | b'.')))
}

/// Whether [`url_decode`] and the transformations of a loose spelling would change nothing, however often:
/// true of nearly every path of a log, and much cheaper to see than to do them.
#[inline]
#[must_use]
pub fn is_plain_path(path: &[u8]) -> bool {
    let Some((last, before)) = path.split_last().filter(|_| path[0] == b'/') else {
        return false;
    };
    let odd = |at: usize| match (path[at..].first_chunk(), path[at + 1..].first_chunk()) {
        (Some(here), Some(next)) => any_odd(here, next),
        _ => true,
    };
    if before.len() < AT_ONCE {
        let odd = match (ends_of::<8>(before), ends_of::<8>(&path[1..])) {
            (Some(here), Some(next)) => any_odd(&here, &next),
            _ => match (ends_of::<4>(before), ends_of::<4>(&path[1..])) {
                (Some(here), Some(next)) => any_odd(&here, &next),
                _ => before.iter().zip(&path[1..]).any(|(&byte, &next)| is_odd(byte, next)),
            },
        };
        return !odd && !is_odd(*last, 0);
    }
    // Those at the end once more with some that were looked at, instead of one by one.
    let rest = before.len() - AT_ONCE;
    !((0..rest).step_by(AT_ONCE).any(odd) || odd(rest) || is_odd(*last, 0))
}

/// Whether a byte of a path is changed by a transformation, or begins what is.
#[inline]
const fn is_odd(byte: u8, next: u8) -> bool {
    byte == b'%' || byte.is_ascii_uppercase() || (byte == b'/' && (next == b'/' || next == b'.'))
}

/// Bytes of a path that are looked at together.
const AT_ONCE: usize = 16;

/// The first and the last so many bytes of a text, which has at least these and at most both, and nothing
/// odd behind them; `None` of a shorter one.
#[inline]
fn ends_of<const N: usize>(text: &[u8]) -> Option<[u8; AT_ONCE]> {
    let (first, last) = (text.first_chunk::<N>()?, text.last_chunk::<N>()?);
    let mut ends = [b'a'; AT_ONCE];
    ends[..N].copy_from_slice(first);
    ends[N..2 * N].copy_from_slice(last);
    Some(ends)
}

/// [`is_odd`] of sixteen bytes.
#[inline]
fn any_odd(here: &[u8; AT_ONCE], next: &[u8; AT_ONCE]) -> bool {
    let (here, next) = (u8x16::new(*here), u8x16::new(*next));
    let is = |bytes: u8x16, byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let uppercase = here.simd_gt(u8x16::splat(b'A' - 1)) & here.simd_lt(u8x16::splat(b'Z' + 1));
    let slashes = is(here, b'/') & (is(next, b'/') | is(next, b'.'));
    (is(here, b'%') | uppercase | slashes).any()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sixteen_bytes_at_a_time_see_what_one_by_one_do(path in "/?[a-z0-9/.%A@\\[Z-]{0,6}[a-z_]{0,50}[a-z/.%]{0,4}") {
            let path = path.as_bytes();
            let mut neighbours = path.iter().zip(path.iter().skip(1).chain([&0]));
            let plain = path.first() == Some(&b'/')
                && !neighbours.any(|(&byte, &next)| is_odd(byte, next));
            prop_assert_eq!(is_plain_path(path), plain);
        }
    }

    fn normalized(path: &str) -> String {
        String::from_utf8(normalize_path(path.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn paths_are_normalised() {
        for (from, to) in [
            ("/a/b", "/a/b"),
            ("//a///b/", "/a/b/"),
            ("/a/./b/.", "/a/b"),
            ("/a/../b", "/b"),
            ("/../../a", "/a"),
            ("/a/..", "/"),
            ("/", "/"),
            ("//", "/"),
            ("/.well-known/x", "/.well-known/x"),
            ("../a", "../a"),
            ("", ""),
        ] {
            assert_eq!(normalized(from), to, "{from}");
        }
    }

    #[test]
    fn escapes_are_undone_once() {
        let decoded =
            |text: &str| String::from_utf8(url_decode(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(decoded("/api/v2/%2572eport"), "/api/v2/%72eport");
        assert_eq!(decoded("/api/v2/%72eport"), "/api/v2/report");
        assert_eq!(decoded("%%32%65"), "%2e");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("a+b%zz"), "a+b%zz");
    }

    #[test]
    fn a_clean_path_is_borrowed() {
        let all =
            [Transformation::UrlDecode, Transformation::NormalizePath, Transformation::Lowercase];
        assert!(matches!(transform(b"/oauth/token", &all), Cow::Borrowed(_)));
        assert_eq!(transform(b"//OAuth/%54oken", &all).as_ref(), b"/oauth/token");
    }
}
