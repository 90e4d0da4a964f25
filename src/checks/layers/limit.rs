//! One limit of one layer, and whether a client can reach it that passed the layer before.

use super::Outer;
use crate::checks::check::Confidence;
use crate::checks::finding::Place;
use crate::policy::Throttle;
use crate::units::thousands;

/// From outside to inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// A rule of AWS WAF.
    Waf,
    /// Lambda@Edge.
    Edge,
    /// A usage plan of API Gateway.
    Gateway,
    /// The application's own.
    Application,
}

/// Who has a limit for himself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Client {
    /// An address; in the edge, only those that no header names.
    Address {
        /// Whether known clients are counted apart, so that some clients of an address are not counted.
        known_apart: bool,
    },
    /// The value of a header.
    Header(String),
    /// An API key.
    Key,
    /// The subject of a verified token.
    Subject,
    /// All requests together.
    Everybody,
    /// Something that no layer behind AWS WAF counts by.
    Other,
}

/// One limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Where it stands.
    pub depth: Depth,
    /// For messages.
    pub title: String,
    /// Who has it.
    pub client: Client,
    /// Requests that always pass at once.
    pub burst: i64,
    /// Requests that may pass at once: more around the edge of a fixed window.
    pub peak: i64,
    /// Requests that come back in `window`.
    pub limit: i64,
    /// Seconds.
    pub window: i64,
    /// Whether other clients of this kind may do more, such as those of a dearer tier.
    pub others_have_more: bool,
    /// Where it is written, if it is a rule.
    pub place: Option<Place>,
}

impl Limit {
    /// A limit that lets all of itself pass at once.
    pub(super) fn new(
        depth: Depth,
        title: String,
        client: Client,
        limit: u32,
        window: u32,
    ) -> Self {
        let (limit, window) = (i64::from(limit), i64::from(window));
        Self {
            depth,
            title,
            client,
            burst: limit,
            peak: limit,
            limit,
            window,
            others_have_more: false,
            place: None,
        }
    }

    /// With a bucket of its own.
    pub(super) fn burst(self, burst: u32) -> Self {
        Self { burst: burst.into(), peak: burst.into(), ..self }
    }

    pub(super) fn throttle(depth: Depth, title: String, client: Client, one: Throttle) -> Self {
        Self::new(depth, title, client, one.limit, one.window).burst(one.burst)
    }

    /// That of a rule; `None` if its limit or window is not known.
    pub(super) fn of_rule(outer: &Outer<'_>) -> Option<Self> {
        let (limit, window) = (outer.rate.limit()?, outer.rate.window()?);
        let parts = outer.rate.key_parts();
        let client = match (outer.rate.key_type(), parts.as_slice()) {
            (Some("IP"), _) => Client::Address { known_apart: false },
            (Some("CUSTOM_KEYS"), [one]) if one.kind == "Header" => {
                one.name.map_or(Client::Other, |name| Client::Header(name.to_owned()))
            }
            _ => Client::Other,
        };
        Some(Self {
            depth: Depth::Waf,
            title: format!("AWS WAF's {}", outer.rule.title()),
            client,
            burst: limit,
            peak: limit,
            limit,
            window,
            others_have_more: false,
            place: Some(outer.rule.place().member("Limit")),
        })
    }

    /// Whether nobody reaches this limit whom `outer` lets pass, and how sure that is; `None`: somebody may.
    #[must_use]
    pub fn is_out_of_reach(&self, outer: &Self) -> Option<Confidence> {
        if outer.depth >= self.depth || outer.others_have_more {
            return None;
        }
        let confidence = match (&outer.client, &self.client) {
            (Client::Address { known_apart: false }, Client::Address { .. })
            | (Client::Everybody, Client::Everybody) => Confidence::Medium,
            (Client::Header(one), Client::Header(other)) if one.eq_ignore_ascii_case(other) => {
                Confidence::Medium
            }
            // Unless one client comes from many addresses.
            (
                Client::Address { known_apart: false },
                Client::Header(_) | Client::Key | Client::Subject,
            ) if outer.depth == Depth::Waf => Confidence::Low,
            // Unless the header or the key is of a company, and the token of one of its people.
            (Client::Header(_), Client::Subject) if outer.depth == Depth::Edge => Confidence::Low,
            (Client::Key, Client::Subject) => Confidence::Low,
            _ => return None,
        };
        // Neither all at once, nor at the steady rate that the outer one lets pass.
        let steadily =
            self.limit.saturating_mul(outer.window) >= outer.limit.saturating_mul(self.window);
        (self.burst >= outer.peak && steadily).then_some(confidence)
    }

    /// `300 per 60 seconds`, for messages.
    #[must_use]
    pub fn in_words(&self) -> String {
        let number = |number: i64| thousands(number.unsigned_abs());
        format!("{} per {} seconds", number(self.limit), number(self.window))
    }
}

impl Client {
    /// `an address`, for messages.
    #[must_use]
    pub const fn in_words(&self) -> &'static str {
        match self {
            Self::Address { .. } => "an address",
            Self::Header(_) => "a value of its header",
            Self::Key => "a key",
            Self::Subject => "a user",
            Self::Everybody => "all clients together",
            Self::Other => "a client",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(depth: Depth, client: Client, limit: u32, window: u32) -> Limit {
        Limit::new(depth, String::new(), client, limit, window)
    }

    const ADDRESS: Client = Client::Address { known_apart: false };

    #[test]
    fn a_limit_is_reached_at_once_or_in_the_long_run() {
        let outer = limit(Depth::Waf, ADDRESS, 300, 300);
        for (inner, window, burst, wanted) in [
            (300, 300, 300, true),
            (300, 60, 300, true),
            (60, 60, 60, false),
            // All at once is enough, or a slow stream.
            (299, 1, 299, false),
            (300, 301, 300, false),
            (3_600, 3_600, 299, false),
            (3_600, 3_600, 300, true),
        ] {
            let inner = limit(Depth::Edge, ADDRESS, inner, window).burst(burst);
            assert_eq!(inner.is_out_of_reach(&outer).is_some(), wanted, "{inner:?}");
        }
    }

    #[test]
    fn around_an_edge_twice_as_much_comes_through() {
        let outer = Limit { peak: 120, ..limit(Depth::Edge, ADDRESS, 60, 60) };
        let inner = |burst| limit(Depth::Application, ADDRESS, 60, 60).burst(burst);
        assert_eq!(inner(119).is_out_of_reach(&outer), None);
        assert!(inner(120).is_out_of_reach(&outer).is_some());
    }

    #[test]
    fn only_clients_that_can_be_the_same_are_compared() {
        let header = |name: &str| Client::Header(name.to_owned());
        let apart = Client::Address { known_apart: true };
        for (outer, inner, wanted) in [
            ((Depth::Waf, ADDRESS), (Depth::Edge, ADDRESS), Some(Confidence::Medium)),
            ((Depth::Waf, ADDRESS), (Depth::Edge, apart.clone()), Some(Confidence::Medium)),
            ((Depth::Edge, apart), (Depth::Application, ADDRESS), None),
            ((Depth::Waf, ADDRESS), (Depth::Gateway, Client::Key), Some(Confidence::Low)),
            ((Depth::Edge, ADDRESS), (Depth::Application, Client::Subject), None),
            ((Depth::Waf, header("X-Id")), (Depth::Edge, header("x-id")), Some(Confidence::Medium)),
            ((Depth::Waf, header("x-id")), (Depth::Edge, header("x-key")), None),
            (
                (Depth::Edge, header("x")),
                (Depth::Application, Client::Subject),
                Some(Confidence::Low),
            ),
            ((Depth::Waf, Client::Other), (Depth::Edge, ADDRESS), None),
            ((Depth::Application, ADDRESS), (Depth::Edge, ADDRESS), None),
            ((Depth::Edge, ADDRESS), (Depth::Edge, ADDRESS), None),
        ] {
            let told = format!("{outer:?} {inner:?}");
            let (outer, inner) = (limit(outer.0, outer.1, 5, 60), limit(inner.0, inner.1, 5, 60));
            assert_eq!(inner.is_out_of_reach(&outer), wanted, "{told}");
            let outer = Limit { others_have_more: true, ..outer };
            assert_eq!(inner.is_out_of_reach(&outer), None, "{told}");
        }
    }
}
