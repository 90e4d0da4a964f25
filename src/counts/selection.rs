//! Which requests are counted for which route.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::logs::{Needs, Period, RuleMatch};
use crate::rules::{
    Condition, Exemption, PathMatch, PathMatcher, PatternError, RequestPart, Route, Spelling,
    Variant, is_plain_path, transform, url_decode,
};

/// The routes to count, and the paths that no rule counts.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    routes: Vec<(Route, PathMatcher)>,
    /// Conditions of a web ACL, counted behind the routes.
    conditions: Vec<Condition>,
    never: Vec<PathMatcher>,
    /// Whether to group all requests, to see which routes are worth a rule.
    pub survey: bool,
    /// Rules of a web ACL that are of interest beside all rate-based ones.
    rules: BTreeSet<String>,
    /// Requests of other times are not counted; nor are their clients, lines and hours.
    pub(super) period: Period,
    days: Days,
}

/// Of which UTC days requests are counted, by the number of the day since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Days {
    /// All.
    #[default]
    All,
    /// Of this one.
    Only(i64),
    /// Of all others.
    AllBut(i64),
}

/// How a request relates to a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Counted.
    Counted(PathMatch),
    /// The statement would match, but a `never_limited` path takes it out.
    Exempted,
    /// A spelling that the statement misses.
    MissedSpelling,
    /// The path, by another method.
    OtherMethod,
    /// The path and method, on another host.
    OtherHost,
}

impl Selection {
    /// Counts these routes.
    ///
    /// # Errors
    /// When a path cannot be a WAF statement.
    pub fn routes(routes: &[Route], never: &[Exemption]) -> Result<Self, PatternError> {
        let routes = routes
            .iter()
            .map(|route| Ok((route.clone(), route.matcher()?)))
            .collect::<Result<_, PatternError>>()?;
        Ok(Self { routes, ..Self::survey(never)?.without_survey() })
    }

    /// Counts what meets these conditions of a web ACL, each in the place of a route.
    #[must_use]
    pub fn conditions(conditions: Vec<Condition>) -> Self {
        Self { conditions, ..Self::default() }
    }

    /// Surveys everything but the paths that no rule counts.
    ///
    /// # Errors
    /// When a path cannot be a WAF statement.
    pub fn survey(never: &[Exemption]) -> Result<Self, PatternError> {
        let never = never
            .iter()
            .map(|exemption| PathMatcher::new(&exemption.path, exemption.spelling))
            .collect::<Result<_, PatternError>>()?;
        Ok(Self { never, survey: true, ..Self::default() })
    }

    /// Looks at what these rules did, too: rate-based ones are looked at anyway.
    #[must_use]
    pub fn with_rules(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.rules.extend(names);
        self
    }

    /// Whether what a rule of a web ACL did is of interest.
    pub(super) fn wants_rule(&self, rule: &RuleMatch<'_>) -> bool {
        rule.rate_based.is_some() || self.rules.contains(rule.name)
    }

    fn without_survey(self) -> Self {
        Self { survey: false, ..self }
    }

    /// Counts requests of this period only.
    #[must_use]
    pub fn within(self, period: Period) -> Self {
        Self { period, ..self }
    }

    /// Counts requests of these days only.
    #[must_use]
    pub fn of_days(self, days: Days) -> Self {
        Self { days, ..self }
    }

    /// Whether a request that ended then is counted.
    #[inline]
    pub(super) fn is_of_time(&self, second: i64) -> bool {
        self.period.contains(second)
            && match self.days {
                Days::All => true,
                Days::Only(day) => second.div_euclid(86_400) == day,
                Days::AllBut(day) => second.div_euclid(86_400) != day,
            }
    }

    /// How many routes and conditions are counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.routes.len() + self.conditions.len()
    }

    /// Whether no route and no condition is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fields a log must have for these routes.
    #[must_use]
    pub fn needs(&self) -> Needs {
        let asked = |part| self.conditions.iter().any(|condition| condition.looks_at(part));
        Needs {
            method: self.survey
                || self.routes.iter().any(|(route, _)| !route.methods.is_empty())
                || asked(RequestPart::Method),
            host: self.routes.iter().any(|(route, _)| route.host.is_some())
                || asked(RequestPart::Host),
        }
    }

    pub(super) fn is_exempt(&self, sent: &[u8]) -> bool {
        self.never.iter().any(|never| never.matches(sent))
    }

    /// Relates a request to each route; routes that it has nothing to do with are not told.
    #[inline]
    pub(super) fn relate(
        &self,
        path: &SentPath<'_>,
        method: &[u8],
        host: Option<&[u8]>,
        mut each: impl FnMut(usize, Relation),
    ) {
        for (number, (route, matcher)) in self.routes.iter().enumerate() {
            let Some(found) = matcher.compare_with(&path.sent, &path.loose) else { continue };
            let own_host = route.host.is_none() || host.is_some_and(|host| route.has_host(host));
            let relation = match (route.has_method(method), own_host) {
                (true, false) => Relation::OtherHost,
                (false, false) => continue,
                (false, true) => Relation::OtherMethod,
                (true, true) if !found.covered => Relation::MissedSpelling,
                (true, true) if self.is_exempt(&path.sent) => Relation::Exempted,
                (true, true) => Relation::Counted(found),
            };
            each(number, relation);
        }
        for (condition, number) in self.conditions.iter().zip(self.routes.len()..) {
            if condition.matches(&path.sent, method, host) {
                let found = PathMatch { covered: true, variant: Variant::default() };
                each(number, Relation::Counted(found));
            }
        }
    }
}

/// A path of a log, undone once and in its loosest form.
pub(super) struct SentPath<'a> {
    /// As the client sent it.
    pub(super) sent: Cow<'a, [u8]>,
    /// After the transformations of [`Spelling::Loose`].
    pub(super) loose: Cow<'a, [u8]>,
}

impl<'a> SentPath<'a> {
    /// From the path as logged: a log escapes what the client sent once more, so one decoding gives
    /// back what AWS WAF looked at.
    #[inline]
    pub(super) fn new(logged: &'a [u8]) -> Self {
        if is_plain_path(logged) {
            return Self { sent: Cow::Borrowed(logged), loose: Cow::Borrowed(logged) };
        }
        let sent = url_decode(logged);
        let loose = transform(&sent, Spelling::Loose.transformations()).into_owned();
        Self { sent, loose: Cow::Owned(loose) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_cut_never_skips_a_transformation() {
        for path in [
            "/a/b", "/", "/a//b", "/./a", "/A", "/%2561", "a", "", "/a/.b", "/a.b/c", "//", "/x/..",
        ] {
            let found = SentPath::new(path.as_bytes());
            let sent = url_decode(path.as_bytes());
            assert_eq!(found.sent, sent, "{path}");
            assert_eq!(found.loose, transform(&sent, Spelling::Loose.transformations()), "{path}");
        }
    }

    #[test]
    fn requests_around_a_route_are_told_apart() {
        let route: Route = "GET shop.example/token".parse().unwrap();
        let webhooks = Exemption {
            name: "x".into(),
            path: crate::rules::PathPattern::EndsWith("token/".into()),
            spelling: Spelling::Strict,
        };
        let selection = Selection::routes(&[route], &[webhooks]).unwrap();
        let relate = |path: &str, method: &str, host: &'static str| {
            let mut seen = None;
            selection.relate(
                &SentPath::new(path.as_bytes()),
                method.as_bytes(),
                Some(host.as_bytes()),
                |_, relation| seen = Some(relation),
            );
            seen
        };
        assert!(matches!(relate("/token", "GET", "SHOP.example"), Some(Relation::Counted(_))));
        assert_eq!(relate("/token", "OPTIONS", "shop.example"), Some(Relation::OtherMethod));
        assert_eq!(relate("/token", "GET", "stage.example"), Some(Relation::OtherHost));
        assert_eq!(relate("/token", "PUT", "stage.example"), None);
        assert_eq!(relate("/token/", "GET", "shop.example"), Some(Relation::Exempted));
        assert_eq!(relate("/other", "GET", "shop.example"), None);
    }
}
