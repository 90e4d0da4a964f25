//! Requests by method and path, with ids and hashes folded to placeholders, for the survey.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::coverage::RouteTraffic;
use crate::rules::{PathPattern, Route, Spelling, Variant, slug};

/// Stand-ins in a folded path. A path with control characters is never folded, so they are free.
const NUMBER: u8 = 1;
const ID: u8 = 2;
const ASSET: u8 = 3;
const ODD: u8 = 4;

/// What [`NUMBER`] stands for, as an expression: 1 to 15 digits.
const NUMBER_EXPRESSION: &str = "[0-9]{1,15}";
/// What [`ID`] stands for: 16 to 31 hexadecimal digits (a longer number too), or 32 and more
/// letters, digits, `_` and `-` (UUIDs, hashes, tokens).
const ID_EXPRESSION: &str = "([0-9a-f]{16,31}|[0-9a-z_-]{32,})";

/// Groups that are kept apart. Scanners ask for any path; beyond this number their paths are one group.
const MOST: usize = 1 << 20;
/// Longer folded paths are one group: no statement can look for them.
const LONGEST: usize = 200;

/// Endings of files that pages load by the dozen and that are served from the cache.
const ASSETS: [&[u8]; 26] = [
    b"css",
    b"js",
    b"mjs",
    b"map",
    b"png",
    b"jpg",
    b"jpeg",
    b"gif",
    b"svg",
    b"ico",
    b"webp",
    b"avif",
    b"bmp",
    b"woff",
    b"woff2",
    b"ttf",
    b"otf",
    b"eot",
    b"mp4",
    b"webm",
    b"mp3",
    b"ogg",
    b"wasm",
    b"webmanifest",
    b"ts",
    b"m4s",
];

/// Folds a path (in its loosest form) into `out`.
pub fn fold(loose: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let odd = loose.first() != Some(&b'/')
        || loose.len() > 8 * LONGEST
        || loose.iter().any(|&byte| byte < b' ' || byte == 0x7f);
    if odd {
        out.push(ODD);
        return;
    }
    if let Some(ending) = asset_ending(loose) {
        out.push(ASSET);
        out.extend_from_slice(ending);
        return;
    }
    for segment in loose[1..].split(|&byte| byte == b'/') {
        out.push(b'/');
        if is_number(segment) {
            out.push(NUMBER);
        } else if is_id(segment) {
            out.push(ID);
        } else {
            out.extend_from_slice(segment);
        }
    }
    while out.len() > 1 && out.last() == Some(&b'/') {
        out.pop();
    }
    if out.len() > LONGEST || std::str::from_utf8(out).is_err() {
        out.clear();
        out.push(ODD);
    }
}

fn asset_ending(path: &[u8]) -> Option<&[u8]> {
    let name = path.rsplit(|&byte| byte == b'/').next()?;
    let dot = memchr::memrchr(b'.', name)?;
    let ending = &name[dot + 1..];
    (dot > 0 && ASSETS.contains(&ending)).then_some(ending)
}

fn is_number(segment: &[u8]) -> bool {
    (1..=15).contains(&segment.len()) && segment.iter().all(u8::is_ascii_digit)
}

fn is_id(segment: &[u8]) -> bool {
    match segment.len() {
        0..16 => false,
        16..32 => segment.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')),
        _ => segment.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'_' | b'-')),
    }
}

/// A group of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupKey {
    /// The method; `(other)` for anything that is no token of capital letters.
    pub method: String,
    folded: Vec<u8>,
}

impl GroupKey {
    /// How it reads: `/users/{n}/orders`, `*.js`, `(other paths)`.
    #[must_use]
    pub fn path_title(&self) -> String {
        match self.folded.as_slice() {
            [ASSET, ending @ ..] => format!("*.{}", String::from_utf8_lossy(ending)),
            [ODD] => "(other paths)".to_owned(),
            folded => {
                let mut title = String::new();
                for character in String::from_utf8_lossy(folded).chars() {
                    match character as u32 {
                        1 => title.push_str("{n}"),
                        2 => title.push_str("{id}"),
                        _ => title.push(character),
                    }
                }
                title
            }
        }
    }

    /// Whether these are static assets.
    #[must_use]
    pub fn is_asset(&self) -> bool {
        self.folded.first() == Some(&ASSET)
    }

    /// The route that matches just these requests. `None` for those that no statement can tell from
    /// others.
    #[must_use]
    pub fn route(&self) -> Option<Route> {
        if matches!(self.folded.first(), None | Some(&(ASSET | ODD))) || self.method == OTHER_METHOD
        {
            return None;
        }
        let text = std::str::from_utf8(&self.folded).ok()?;
        let path = if self.folded.iter().any(|byte| matches!(*byte, NUMBER | ID)) {
            let mut expression = String::from("^");
            for character in text.chars() {
                match character as u32 {
                    1 => expression.push_str(NUMBER_EXPRESSION),
                    2 => expression.push_str(ID_EXPRESSION),
                    _ => expression.push_str(&regex::escape(character.encode_utf8(&mut [0; 4]))),
                }
            }
            expression.push_str("/?$");
            PathPattern::Regex(expression)
        } else {
            PathPattern::Exactly(text.to_owned())
        };
        let route = Route {
            name: slug(&self.path_title()),
            methods: vec![self.method.clone()],
            host: None,
            path,
            spelling: Spelling::Loose,
        };
        route.matcher().is_ok().then_some(route)
    }

    /// Whether both are the same path.
    #[must_use]
    pub fn same_path(&self, other: &Self) -> bool {
        self.folded == other.folded
    }
}

/// The method of requests that have none we would write into a rule.
pub const OTHER_METHOD: &str = "(other)";

/// The groups of one worker, or of all of them.
#[derive(Default)]
pub struct Groups {
    keys: Vec<GroupKey>,
    traffic: Vec<RouteTraffic>,
    index: HashMap<Vec<u8>, u32, RandomState>,
    key: Vec<u8>,
    folded: Vec<u8>,
}

impl Groups {
    /// The number of the group of a request, whose path is given in its loosest form.
    #[inline]
    pub(super) fn number(&mut self, method: &[u8], loose: &[u8]) -> u32 {
        fold(loose, &mut self.folded);
        let method = if is_method(method) { method } else { OTHER_METHOD.as_bytes() };
        self.key.clear();
        self.key.extend_from_slice(method);
        self.key.push(b' ');
        self.key.extend_from_slice(&self.folded);
        if let Some(&number) = self.index.get(self.key.as_slice()) {
            return number;
        }
        if self.keys.len() >= MOST {
            self.key.truncate(method.len() + 1);
            self.key.push(ODD);
            self.folded.clear();
            self.folded.push(ODD);
        }
        let next = self.keys.len() as u32;
        let number = *self.index.entry(self.key.clone()).or_insert(next);
        if number == next {
            let method = String::from_utf8_lossy(method).into_owned();
            self.keys.push(GroupKey { method, folded: self.folded.clone() });
            self.traffic.push(RouteTraffic::default());
        }
        number
    }

    /// Whether a group holds static assets.
    #[inline]
    pub(super) fn is_asset(&self, number: u32) -> bool {
        self.keys[number as usize].is_asset()
    }

    pub(super) fn traffic_mut(&mut self, number: u32) -> &mut RouteTraffic {
        &mut self.traffic[number as usize]
    }

    /// Takes over another table; gives the translation of its numbers.
    pub(super) fn absorb(&mut self, other: &Self) -> Vec<u32> {
        let mut numbers = vec![0; other.keys.len()];
        for (text, &number) in &other.index {
            let key = &other.keys[number as usize];
            let next = self.keys.len() as u32;
            let own = *self.index.entry(text.clone()).or_insert(next);
            if own == next {
                self.keys.push(key.clone());
                self.traffic.push(RouteTraffic::default());
            }
            self.traffic[own as usize].add(&other.traffic[number as usize]);
            numbers[number as usize] = own;
        }
        numbers
    }

    /// Every group with its number and its traffic, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &GroupKey, &RouteTraffic)> {
        self.keys
            .iter()
            .zip(&self.traffic)
            .enumerate()
            .map(|(number, (key, traffic))| (number as u32, key, traffic))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

fn is_method(method: &[u8]) -> bool {
    (1..=16).contains(&method.len()) && method.iter().all(u8::is_ascii_uppercase)
}

/// In what a path differs from its loosest form.
pub(super) fn variant_of(sent: &[u8], loose: &[u8]) -> Variant {
    if sent == loose {
        let trailing_slash = sent.len() > 1 && sent.ends_with(b"/");
        return Variant { trailing_slash, ..Variant::default() };
    }
    let decoded = crate::rules::url_decode(sent);
    let normal = crate::rules::normalize_path(&decoded);
    Variant {
        case: normal.iter().any(u8::is_ascii_uppercase),
        trailing_slash: normal.len() > 1 && normal.ends_with(b"/"),
        escapes: decoded.as_ref() != sent,
        slashes: normal.as_ref() != decoded.as_ref(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(path: &str) -> GroupKey {
        let mut groups = Groups::default();
        groups.number(b"GET", path.as_bytes());
        groups.keys[0].clone()
    }

    #[test]
    fn ids_and_hashes_fold() {
        for (path, title) in [
            ("/users/42/orders/", "/users/{n}/orders"),
            ("/o/0123456789abcdef/x", "/o/{id}/x"),
            ("/u/6f1c2d3e-0000-4000-8000-00000000abcd", "/u/{id}"),
            ("/t/12345678901234567890", "/t/{id}"),
            ("/assets/app.4f1c.js", "*.js"),
            ("/oauth/token", "/oauth/token"),
            ("/authentication-and-token-refresh", "/{id}"),
            ("/", "/"),
            ("/a\u{1}b", "(other paths)"),
            ("no-slash", "(other paths)"),
            ("/{n}", "/{n}"),
        ] {
            assert_eq!(key(path).path_title(), title, "{path}");
        }
        assert_eq!(key("/{n}").route().unwrap().path, PathPattern::Exactly("/{n}".to_owned()));
        assert_eq!(
            key("/users/42").route().unwrap().path,
            PathPattern::Regex("^/users/[0-9]{1,15}/?$".to_owned())
        );
        assert_eq!(key("/x.css").route(), None);
    }

    proptest! {
        /// What a group counted is what its route counts.
        #[test]
        fn a_groups_route_matches_its_paths_and_no_other(
            one in "(/([a-c]{1,2}|[0-9]{1,17}|[0-9a-f]{15,33}|[a-z-]{31,33}|\\.|[+({]x)){1,3}/?",
            two in "(/([a-c]{1,2}|[0-9]{1,17}|[0-9a-f]{15,33}|[a-z-]{31,33}|\\.|[+({]x)){1,3}/?",
        ) {
            let loose = |path: &str| crate::rules::transform(path.as_bytes(), Spelling::Loose.transformations()).into_owned();
            let (mut folded_one, mut folded_two) = (Vec::new(), Vec::new());
            fold(&loose(&one), &mut folded_one);
            fold(&loose(&two), &mut folded_two);
            let group = GroupKey { method: "GET".to_owned(), folded: folded_one.clone() };
            if let Some(route) = group.route() {
                let matcher = route.matcher().unwrap();
                prop_assert!(matcher.matches(one.as_bytes()));
                prop_assert_eq!(matcher.matches(two.as_bytes()), folded_one == folded_two);
            }
        }
    }
}
