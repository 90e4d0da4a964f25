//! What a rule protects: methods, a path, optionally a host.

use std::fmt;
use std::str::FromStr;

use super::name::slug;
use super::path::{PathMatcher, PathPattern, PatternError, Spelling};

/// A route. An empty list of methods means every method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Its name in the policy; part of rule and metric names.
    pub name: String,
    /// Methods in capital letters; empty for all.
    pub methods: Vec<String>,
    /// The Host header, in lower case; `None` for all.
    pub host: Option<String>,
    /// The path.
    pub path: PathPattern,
    /// Which spellings of the path count.
    pub spelling: Spelling,
}

/// Why a text is no route.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// No `/` and no `~` anywhere.
    #[error(
        "`{0}` has no path; write a route like 'GET /oauth/token', 'GET,HEAD /api/*' or 'POST ~^/v[0-9]+/login$'"
    )]
    NoPath(String),
    /// A method that is no token.
    #[error("`{0}` is no method; methods are separated by commas, as in 'GET,HEAD /path'")]
    Method(String),
    /// A host that is no host name.
    #[error("`{0}` is no host name")]
    Host(String),
    /// A path without its slash would be taken for a host.
    #[error(
        "`{0}` does not start with `/`, and every request path does; a host before the path has a dot in it, as in 'GET shop.example/token'"
    )]
    NoSlash(String),
    /// A URL.
    #[error(
        "`{0}` is a URL; write the host and the path without the scheme, as in 'GET shop.example/token'"
    )]
    Scheme(String),
    /// A blank in the path.
    #[error("the path `{0}` holds a blank; write it as %20")]
    Blank(String),
    /// A star in the middle.
    #[error(
        "`{0}` has a `*` in the middle; a star stands for any text only at the beginning or the end of a path. An expression can say it: ~^/a/[^/]+/b$"
    )]
    Star(String),
    /// The path cannot be a statement.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl Route {
    /// Whether the method is one of the route's. Methods are compared with case, as HTTP does.
    #[must_use]
    pub fn has_method(&self, method: &[u8]) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|own| own.as_bytes() == method)
    }

    /// Whether a Host header is the route's, without regard to case.
    #[must_use]
    pub fn has_host(&self, host: &[u8]) -> bool {
        self.host.as_ref().is_none_or(|own| own.as_bytes().eq_ignore_ascii_case(host))
    }

    /// The compiled path.
    ///
    /// # Errors
    /// When the path cannot be a WAF statement.
    pub fn matcher(&self) -> Result<PathMatcher, PatternError> {
        PathMatcher::new(&self.path, self.spelling)
    }
}

/// A method is a token of capital letters, digits and dashes for us; WAF compares it with case.
#[must_use]
pub fn is_method(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-' || byte == b'_')
}

/// Whether a text may be a Host header: letters, digits and `-._:[]`, 1 to 253 of them.
#[must_use]
pub fn is_host(text: &str) -> bool {
    (1..=253).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte))
}

/// The way it is written after `--route`: `GET /oauth/token`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.methods.is_empty() {
            write!(f, "{} ", self.methods.join(","))?;
        }
        if let Some(host) = &self.host {
            f.write_str(host)?;
        }
        self.path.fmt(f)
    }
}

/// `[METHODS ][host]/path`, where the path may end in `*` (a beginning), start with `*` (an end),
/// do both (a part), or be `~regex`.
impl FromStr for Route {
    type Err = RouteError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.contains("://") && !text.contains('~') {
            return Err(RouteError::Scheme(text.to_owned()));
        }
        let start =
            text.find(['/', '~', '*']).ok_or_else(|| RouteError::NoPath(text.to_owned()))?;
        let (front, path) = text.split_at(start);
        // `* /path`: every method, by a star.
        let (front, path) = match path.strip_prefix("* ") {
            Some(rest) if front.is_empty() => {
                let place = rest
                    .find(['/', '~', '*'])
                    .ok_or_else(|| RouteError::NoPath(text.to_owned()))?;
                rest.split_at(place)
            }
            _ => (front, path),
        };
        let (methods, host) = match front.rsplit_once(char::is_whitespace) {
            Some((methods, host)) => (methods.trim(), host),
            None => ("", front),
        };
        let methods = parse_methods(methods)?;
        let host = match host.to_ascii_lowercase() {
            host if host.is_empty() => None,
            host if is_host(&host) && !host.contains(['.', ':']) && host != "localhost" => {
                return Err(RouteError::NoSlash(format!("{host}{path}")));
            }
            host if is_host(&host) => Some(host),
            host => return Err(RouteError::Host(host)),
        };
        let path = parse_path(path);
        if !matches!(path, PathPattern::Regex(_)) {
            if path.text().contains(char::is_whitespace) {
                return Err(RouteError::Blank(path.to_string()));
            }
            if path.text().contains('*') {
                return Err(RouteError::Star(path.to_string()));
            }
        }
        let route =
            Self { name: slug(path.text()), methods, host, path, spelling: Spelling::default() };
        route.matcher()?;
        Ok(route)
    }
}

fn parse_methods(text: &str) -> Result<Vec<String>, RouteError> {
    if text.is_empty() || text.eq_ignore_ascii_case("any") {
        return Ok(Vec::new());
    }
    let mut methods = Vec::new();
    for method in text.split(',').map(str::trim) {
        let method = method.to_ascii_uppercase();
        if !is_method(&method) {
            return Err(RouteError::Method(method));
        }
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    Ok(methods)
}

fn parse_path(text: &str) -> PathPattern {
    if let Some(regex) = text.strip_prefix('~') {
        return PathPattern::Regex(regex.to_owned());
    }
    match (text.strip_prefix('*'), text.strip_suffix('*')) {
        (Some(_), Some(_)) => PathPattern::Contains(text.trim_matches('*').to_owned()),
        (Some(end), None) => PathPattern::EndsWith(end.to_owned()),
        (None, Some(beginning)) => PathPattern::StartsWith(beginning.to_owned()),
        (None, None) => PathPattern::Exactly(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_read_and_written_back() {
        for text in [
            "GET /oauth/token",
            "GET,HEAD /api/*",
            "POST ~^/v[0-9]+/login$",
            "/feed.json",
            "GET shop.example/api/v1/token",
            "*.php",
            "GET */report/*",
        ] {
            let route: Route = text.parse().unwrap();
            assert_eq!(route.to_string(), text);
        }
        let route: Route = "get,get  /A".parse().unwrap();
        assert_eq!(route.methods, ["GET"]);
        assert_eq!("* /a".parse::<Route>().unwrap().methods, Vec::<String>::new());
    }

    #[test]
    fn what_is_no_route_says_why() {
        assert!(matches!("GET".parse::<Route>(), Err(RouteError::NoPath(_))));
        assert!(matches!("G{T /a".parse::<Route>(), Err(RouteError::Method(_))));
        assert!(matches!("GET $host/a".parse::<Route>(), Err(RouteError::Host(_))));
        assert!(matches!("GET /a?b=c".parse::<Route>(), Err(RouteError::Pattern(_))));
        assert!(matches!("GET api/v1/token".parse::<Route>(), Err(RouteError::NoSlash(_))));
        assert!(matches!("GET /api/*/x".parse::<Route>(), Err(RouteError::Star(_))));
        assert!(matches!("GET https://a.example/x".parse::<Route>(), Err(RouteError::Scheme(_))));
        assert!(matches!("* * /x".parse::<Route>(), Err(RouteError::Blank(_))));
        assert!("GET localhost/a".parse::<Route>().is_ok());
    }
}
