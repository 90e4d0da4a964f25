//! What is replayed.

use crate::rules::{Action, AggregationKey, Network, RateRule, Role, Route};
use crate::units::{Client, Limit, Window};

/// One rate rule, with the places of its routes in the selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Places of its routes among the counted ones; requests of several are counted together.
    pub routes: Vec<usize>,
    /// What it protects, for people.
    pub title: String,
    /// Requests per window.
    pub limit: Limit,
    /// The evaluation window.
    pub window: Window,
    /// What it does.
    pub action: Action,
    /// Its place; lower goes first.
    pub priority: u32,
    /// Whom it counts.
    pub who: Who,
    /// Why it may in truth see fewer requests than here, in one sentence each.
    pub careful: Vec<String>,
}

/// Whose requests a rule counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// Only of clients that are in one network of each of these lists.
    pub only: Vec<Vec<Network>>,
    /// Not of clients that are in one of these.
    pub but: Vec<Network>,
}

/// Why a rule is not replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReplayed {
    /// It does not count by the address that connected.
    OtherKey,
    /// Its network is not there, or has expired.
    NoNetwork,
    /// A rule of a web ACL asks for something that cannot be decided here: what.
    Statement(String),
}

impl NotReplayed {
    /// In words, to stand behind `not replayed:`.
    #[must_use]
    pub fn in_words(&self) -> &str {
        match self {
            Self::OtherKey => {
                "it does not count by the address that connected, and requests are told apart by that here"
            }
            Self::NoNetwork => "the network that it counts is not there",
            Self::Statement(why) => why,
        }
    }
}

impl Rule {
    /// A rule of a rule set with that set's networks; `routes` are the counted ones.
    ///
    /// # Errors
    /// Where it cannot be replayed: why.
    pub fn new(
        rule: &RateRule,
        networks: &[Network],
        routes: &[Route],
    ) -> Result<Self, NotReplayed> {
        if rule.key != AggregationKey::Ip {
            return Err(NotReplayed::OtherKey);
        }
        let network = |name: &str| networks.iter().find(|network| network.name == name);
        let who = match rule.role.network() {
            Some(name) => Who {
                only: vec![vec![network(name).ok_or(NotReplayed::NoNetwork)?.clone()]],
                but: Vec::new(),
            },
            None => Who {
                only: Vec::new(),
                but: rule
                    .except_networks
                    .iter()
                    .filter_map(|name| network(name))
                    .cloned()
                    .collect(),
            },
        };
        let own: Vec<&Route> = own_routes(rule);
        let places = own.iter().filter_map(|own| routes.iter().position(|route| route == *own));
        Ok(Self {
            name: rule.name.clone(),
            routes: places.collect(),
            title: own.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            limit: rule.limit,
            window: rule.window,
            action: rule.action.clone(),
            priority: rule.priority,
            who,
            careful: Vec::new(),
        })
    }

    /// The same with another limit.
    #[must_use]
    pub fn with_limit(&self, limit: Limit) -> Self {
        Self { limit, ..self.clone() }
    }

    /// The place of the route that it counts for everybody; `None` for a twin, or a rule of several.
    #[must_use]
    pub fn main_route(&self) -> Option<usize> {
        match self.routes.as_slice() {
            [route] if self.who.only.is_empty() => Some(*route),
            _ => None,
        }
    }

    /// Whether it counts the requests of a client.
    #[must_use]
    pub fn counts(&self, client: &Client) -> bool {
        let inside =
            |network: &Network| client.address().is_some_and(|address| network.contains(address));
        self.who.only.iter().all(|networks| networks.iter().any(inside))
            && !self.who.but.iter().any(inside)
    }

    /// Whether a request that it acts on goes no further.
    #[must_use]
    pub fn terminates(&self) -> bool {
        self.action != Action::Count
    }
}

/// The routes whose requests a rule counts together.
pub fn own_routes(rule: &RateRule) -> Vec<&Route> {
    match &rule.role {
        Role::SharedTwin { routes, .. } => routes.iter().collect(),
        Role::Main | Role::Twin { .. } | Role::Second { .. } => vec![&rule.route],
    }
}
