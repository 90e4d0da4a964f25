//! Whether two routes match the same requests.

use crate::rules::{PathMatcher, PathPattern, Route, Spelling};

/// How two routes lie to each other, as far as it can be decided from their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Nothing is known to be counted by both.
    Apart,
    /// The same paths, and methods and hosts in common.
    Same,
    /// All paths of the second are paths of the first.
    FirstCovers,
    /// All paths of the first are paths of the second.
    SecondCovers,
}

/// Compares two routes. Two prefixes, suffixes or parts of which none contains the other, and regular
/// expressions, may still meet in some path that nobody sends; that is not called an overlap.
#[must_use]
pub fn relation(first: &Route, second: &Route) -> Relation {
    let methods = first.methods.is_empty()
        || second.methods.is_empty()
        || first.methods.iter().any(|method| second.methods.contains(method));
    let hosts = match (&first.host, &second.host) {
        (Some(first), Some(second)) => first.eq_ignore_ascii_case(second),
        _ => true,
    };
    if !methods || !hosts {
        return Relation::Apart;
    }
    match (covers(first, second), covers(second, first)) {
        (true, true) => Relation::Same,
        (true, false) => Relation::FirstCovers,
        (false, true) => Relation::SecondCovers,
        (false, false) => Relation::Apart,
    }
}

/// Whether every path of `inner`, as it is usually spelled, is one of `outer`.
#[must_use]
pub fn covers(outer: &Route, inner: &Route) -> bool {
    if let (PathPattern::Regex(outer), PathPattern::Regex(inner)) = (&outer.path, &inner.path) {
        return outer == inner;
    }
    if let PathPattern::Exactly(path) = &inner.path {
        return outer.matcher().is_ok_and(|matcher: PathMatcher| matcher.matches(path.as_bytes()));
    }
    // Case never tells paths apart, so the loose form is right for both spellings.
    let plain = |route: &Route| route.path.search_strings(Spelling::Loose).swap_remove(0);
    let (large, small) = (plain(outer), plain(inner));
    match (&outer.path, &inner.path) {
        (PathPattern::StartsWith(_), PathPattern::StartsWith(_)) => small.starts_with(&large),
        (PathPattern::EndsWith(_), PathPattern::EndsWith(_)) => small.ends_with(&large),
        (
            PathPattern::Contains(_),
            PathPattern::StartsWith(_) | PathPattern::EndsWith(_) | PathPattern::Contains(_),
        ) => memchr::memmem::find(&small, &large).is_some(),
        // Every path begins with a slash.
        (PathPattern::StartsWith(_), _) => large == b"/",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(first: &str, second: &str) -> Relation {
        relation(&first.parse().unwrap(), &second.parse().unwrap())
    }

    #[test]
    fn what_is_counted_twice_is_seen() {
        use Relation::{Apart, FirstCovers, Same, SecondCovers};
        for (first, second, expected) in [
            ("GET /a", "GET /a", Same),
            ("GET /a", "/A/", Same),
            ("GET /a", "POST /a", Apart),
            ("GET,HEAD /a", "HEAD,PUT /a", Same),
            ("x.example/a", "y.example/a", Apart),
            ("x.example/a", "/a", Same),
            ("GET /api/*", "GET /api/v1/token", FirstCovers),
            ("GET /api/v1/token", "/api/*", SecondCovers),
            ("/api/*", "/api/v1/*", FirstCovers),
            ("/api/*", "/apix/*", Apart),
            ("/*", "*.php", FirstCovers),
            ("*.php", "/login.php", FirstCovers),
            ("*.php", "*/x.php", FirstCovers),
            ("*token*", "/oauth/token", FirstCovers),
            ("*token*", "/token/*", FirstCovers),
            ("/api/*", "*.php", Apart),
            ("~^/v[0-9]+/t$", "/v2/t", FirstCovers),
            ("~^/v[0-9]+/t$", "~^/v[0-9]+/t$", Same),
            ("~^/v[0-9]+/t$", "/v2/*", Apart),
        ] {
            assert_eq!(between(first, second), expected, "{first} {second}");
        }
    }
}
