//! Requests by method and path, with ids and hashes folded to placeholders, for the survey.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::coverage::RouteTraffic;
use super::methods::{OTHER_METHOD, counted_method};
use crate::rules::{PathPattern, Route, Spelling, Variant, slug};
use crate::units::thousands;

/// Stand-ins in a folded path. A path with control characters is never folded, so they are free.
const NUMBER: u8 = 1;
const ID: u8 = 2;
const ASSET: u8 = 3;
const ODD: u8 = 4;
const CROWDED: u8 = 5;

/// What [`NUMBER`] stands for, as an expression: 1 to 15 digits.
const NUMBER_EXPRESSION: &str = "[0-9]{1,15}";
/// What [`ID`] stands for: 16 to 31 hexadecimal digits (a longer number too), or 32 and more
/// letters, digits, `_` and `-` (UUIDs, hashes, tokens).
const ID_EXPRESSION: &str = "([0-9a-f]{16,31}|[0-9a-z_-]{32,})";

/// Groups of paths that are kept apart. Scanners ask for any path; beyond this number those with the
/// largest ranks are one group for each method.
const MOST: usize = if cfg!(test) { 1 << 8 } else { 1 << 20 };
/// Groups before those beyond [`MOST`] are looked for: to do it for each would take too long. Numbers of
/// groups have 24 bits.
const TOO_MANY: usize = MOST + MOST / 4;
/// Longer folded paths are one group: no statement can look for them.
const LONGEST: usize = 200;

/// Letters and digits of an ending behind a number.
const LONGEST_NUMBERED_ENDING: usize = 8;

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

/// Bytes of the longest of them.
const LONGEST_ENDING: usize = 11;

/// Folds a path (in its loosest form) into `out`.
pub fn fold(loose: &[u8], out: &mut Vec<u8>) {
    out.clear();
    if is_odd(loose) {
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
        } else if let Some(ending) = ending_of_number(segment) {
            out.push(NUMBER);
            out.extend_from_slice(ending);
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

fn is_odd(loose: &[u8]) -> bool {
    let is_control = |byte: u8| byte < b' ' || byte == 0x7f;
    // Without an early end, many bytes are looked at together.
    loose.first() != Some(&b'/')
        || loose.len() > 8 * LONGEST
        || loose.iter().fold(false, |found, &byte| found | is_control(byte))
}

/// The ending of an asset's name, by which alone its path is folded.
#[inline]
pub(super) fn folded_by_ending(loose: &[u8]) -> Option<&[u8]> {
    asset_ending(loose).filter(|_| !is_odd(loose))
}

#[inline]
fn asset_ending(path: &[u8]) -> Option<&[u8]> {
    let least = path.len().saturating_sub(LONGEST_ENDING + 1);
    let dot = least + path[least..].iter().rposition(|byte| matches!(byte, b'.' | b'/'))?;
    let (name, ending) = (&path[..dot], &path[dot + 1..]);
    // A name of nothing but an ending is a hidden file.
    let named = path[dot] == b'.' && name.last().is_some_and(|&byte| byte != b'/');
    (named && ASSETS.contains(&ending)).then_some(ending)
}

fn is_number(segment: &[u8]) -> bool {
    (1..=15).contains(&segment.len()) && segment.iter().all(u8::is_ascii_digit)
}

/// `.pdf` of `00123.pdf`: numbered files are one group like numbered pages are. An ending begins with a letter,
/// so versions stay apart.
fn ending_of_number(segment: &[u8]) -> Option<&[u8]> {
    if !segment.first()?.is_ascii_digit() {
        return None;
    }
    let (number, ending) = segment.split_at(memchr::memchr(b'.', segment)?);
    let letters = &ending[1..];
    let fits = is_number(number)
        && (1..=LONGEST_NUMBERED_ENDING).contains(&letters.len())
        && letters[0].is_ascii_alphabetic()
        && letters.iter().all(u8::is_ascii_alphanumeric);
    fits.then_some(ending)
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
    /// The method; [`OTHER_METHOD`] for any that HTTP does not know.
    pub method: &'static str,
    folded: Box<[u8]>,
}

impl GroupKey {
    /// How it reads: `/users/{n}/orders`, `*.js`, `(other paths)`, `(paths beyond 1,048,576)`.
    #[must_use]
    pub fn path_title(&self) -> String {
        match &*self.folded {
            [ASSET, ending @ ..] => format!("*.{}", String::from_utf8_lossy(ending)),
            [ODD] => "(other paths)".to_owned(),
            [CROWDED] => format!("(paths beyond {})", thousands(MOST as u64)),
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
        let no_path = matches!(self.folded.first(), None | Some(&(ASSET | ODD | CROWDED)));
        if no_path || self.method == OTHER_METHOD {
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
            methods: vec![self.method.to_owned()],
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

/// Where a group stands when there are too many: those with small ranks stay. It is made of the key alone,
/// so that it does not matter who asked for what first, and few requests or many make no difference.
/// Assets and odd paths are few and have rank 0. Methods that change something come next: logins,
/// tokens and forms are what a survey is for, and a flood of paths is mostly read.
fn rank(key: &GroupKey) -> u64 {
    if matches!(key.folded.first(), Some(&(ASSET | ODD | CROWDED))) {
        return 0;
    }
    let reads = matches!(key.method, "GET" | "HEAD" | OTHER_METHOD);
    let method = xxh3_64_with_seed(key.method.as_bytes(), 0);
    (xxh3_64_with_seed(&key.folded, method) >> 1).max(1) | u64::from(reads) << 63
}

/// The groups of one worker, or of all of them.
#[derive(Default)]
pub struct Groups {
    keys: Vec<GroupKey>,
    ranks: Vec<u64>,
    traffic: Vec<RouteTraffic>,
    index: HashTable<u32>,
    /// Seeded at random: clients choose the paths.
    state: RandomState,
    /// The largest rank that is kept apart, once there were too many.
    largest: Option<u64>,
    folded: Vec<u8>,
}

fn hash(state: &RandomState, method: &str, folded: &[u8]) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(method.as_bytes());
    hasher.write(folded);
    hasher.finish()
}

impl Groups {
    /// The number of the group of a request, whose path is given in its loosest form.
    #[inline]
    pub(super) fn number(&mut self, method: &[u8], loose: &[u8]) -> u32 {
        let method = counted_method(method);
        let mut folded = std::mem::take(&mut self.folded);
        fold(loose, &mut folded);
        let number = self.find(method, &folded).unwrap_or_else(|| self.open(method, &folded));
        self.folded = folded;
        number
    }

    #[inline]
    fn find(&self, method: &str, folded: &[u8]) -> Option<u32> {
        let is = |&number: &u32| {
            let key = &self.keys[number as usize];
            *key.folded == *folded && key.method == method
        };
        self.index.find(hash(&self.state, method, folded), is).copied()
    }

    #[cold]
    fn open(&mut self, method: &'static str, folded: &[u8]) -> u32 {
        let key = GroupKey { method, folded: folded.into() };
        let rank = rank(&key);
        if self.largest.is_some_and(|largest| rank > largest) {
            self.crowded(method)
        } else {
            self.insert(key, rank)
        }
    }

    /// The group of all paths of a method that are not kept apart.
    fn crowded(&mut self, method: &'static str) -> u32 {
        self.find(method, &[CROWDED])
            .unwrap_or_else(|| self.insert(GroupKey { method, folded: [CROWDED].into() }, 0))
    }

    fn insert(&mut self, key: GroupKey, rank: u64) -> u32 {
        let number = self.keys.len() as u32;
        self.keys.push(key);
        self.ranks.push(rank);
        self.traffic.push(RouteTraffic::default());
        let Self { index, keys, state, .. } = self;
        let of = |number: u32| {
            let key = &keys[number as usize];
            hash(state, key.method, &key.folded)
        };
        index.insert_unique(of(number), number, |&number| of(number));
        number
    }

    /// Whether it is time to [`Self::keep_most`].
    #[inline]
    pub(super) fn are_too_many(&self) -> bool {
        self.keys.len() >= TOO_MANY
    }

    /// Puts the groups beyond the bound together. Gives the new number of each group, if any changed.
    #[cold]
    pub(super) fn keep_most(&mut self) -> Option<Vec<u32>> {
        let mut ranks: Vec<u64> = self.ranks.iter().copied().filter(|&rank| rank > 0).collect();
        if ranks.len() <= MOST {
            return None;
        }
        let (_, &mut largest, _) = ranks.select_nth_unstable(MOST - 1);
        let old = std::mem::take(self);
        self.largest = Some(largest);
        let mut numbers = Vec::with_capacity(old.keys.len());
        for ((key, rank), traffic) in old.keys.into_iter().zip(old.ranks).zip(old.traffic) {
            let number =
                if rank > largest { self.crowded(key.method) } else { self.insert_once(key, rank) };
            self.traffic[number as usize].add(&traffic);
            numbers.push(number);
        }
        Some(numbers)
    }

    fn insert_once(&mut self, key: GroupKey, rank: u64) -> u32 {
        self.find(key.method, &key.folded).unwrap_or_else(|| self.insert(key, rank))
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
    pub(super) fn absorb(&mut self, other: Self) -> Vec<u32> {
        self.largest = self.largest.into_iter().chain(other.largest).min();
        let groups = other.keys.into_iter().zip(other.ranks).zip(other.traffic);
        groups
            .map(|((key, rank), traffic)| {
                let own = if self.largest.is_some_and(|largest| rank > largest) {
                    self.crowded(key.method)
                } else {
                    self.insert_once(key, rank)
                };
                self.traffic[own as usize].add(&traffic);
                own
            })
            .collect()
    }

    /// A group with its traffic.
    #[must_use]
    pub fn get(&self, number: u32) -> (&GroupKey, &RouteTraffic) {
        (&self.keys[number as usize], &self.traffic[number as usize])
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
            ("/files/manuals/00123.pdf", "/files/manuals/{n}.pdf"),
            ("/api/1.2", "/api/1.2"),
            ("/1.tar.gz", "/1.tar.gz"),
            ("/7.", "/7."),
        ] {
            assert_eq!(key(path).path_title(), title, "{path}");
        }
        assert_eq!(key("/{n}").route().unwrap().path, PathPattern::Exactly("/{n}".to_owned()));
        assert_eq!(
            key("/users/42").route().unwrap().path,
            PathPattern::Regex("^/users/[0-9]{1,15}/?$".to_owned())
        );
        assert_eq!(
            key("/m/7.pdf").route().unwrap().path,
            PathPattern::Regex(r"^/m/[0-9]{1,15}\.pdf/?$".to_owned())
        );
        assert_eq!(key("/x.css").route(), None);
    }

    /// Title and requests of every group, sorted.
    fn counts(groups: &Groups) -> Vec<(String, u64)> {
        let all = groups.iter();
        let mut found: Vec<_> = all
            .map(|(_, key, traffic)| {
                (format!("{} {}", key.method, key.path_title()), traffic.matched)
            })
            .collect();
        found.sort();
        found
    }

    fn take(groups: &mut Groups, method: &str, path: &str) {
        if groups.are_too_many() {
            groups.keep_most();
        }
        let number = groups.number(method.as_bytes(), path.as_bytes());
        groups.traffic_mut(number).matched += 1;
    }

    #[test]
    fn which_groups_are_kept_does_not_depend_on_the_order_of_lines() {
        let paths: Vec<String> = (0..5 * MOST).map(|number| format!("/p/x{number}")).collect();
        let mut forwards = Groups::default();
        let (mut even, mut odd) = (Groups::default(), Groups::default());
        for path in &paths {
            take(&mut forwards, "GET", path);
            take(&mut forwards, "POST", "/login");
            take(&mut forwards, "GET", "/a.js");
        }
        for (place, path) in paths.iter().enumerate().rev() {
            let half = if place % 2 == 0 { &mut even } else { &mut odd };
            take(half, "GET", "/a.js");
            take(half, "GET", path);
            take(half, "POST", "/login");
        }
        forwards.keep_most();
        let mut backwards = Groups::default();
        for half in [odd, even] {
            let before = half.len();
            let numbers = backwards.absorb(half);
            assert_eq!(numbers.len(), before);
        }
        backwards.keep_most();
        assert_eq!(counts(&forwards), counts(&backwards));
        let counts = counts(&forwards);
        let of = |title: &str| counts.iter().find(|(own, _)| own == title).map(|(_, count)| *count);
        let all = 5 * MOST as u64;
        assert_eq!(of("POST /login"), Some(all));
        assert_eq!(of("GET *.js"), Some(all));
        // All but the kept ones, of which the login is one.
        assert_eq!(of(&format!("GET (paths beyond {MOST})")), Some(all - (MOST as u64 - 1)));
        assert_eq!(forwards.len(), MOST + 2);
    }

    #[test]
    fn invented_methods_are_one_group_each_path() {
        let mut groups = Groups::default();
        for letter in b'A'..=b'Z' {
            take(&mut groups, &format!("X{}", char::from(letter)), "/a");
        }
        take(&mut groups, "GET", "/a");
        assert_eq!(counts(&groups), [("(other) /a".to_owned(), 26), ("GET /a".to_owned(), 1)]);
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
            let group = GroupKey { method: "GET", folded: folded_one.as_slice().into() };
            if let Some(route) = group.route() {
                let matcher = route.matcher().unwrap();
                prop_assert!(matcher.matches(one.as_bytes()));
                prop_assert_eq!(matcher.matches(two.as_bytes()), folded_one == folded_two);
            }
        }
    }
}
