//! A policy that has been checked: what it means, not how it is written.

use std::sync::Arc;

use super::document::PricingPlan;
use super::layers::Layers;
use super::problem::{Problem, Problems, Source, Span};
use super::value::{LimitChoice, SecondLimit, TwinLimit};
use crate::rules::{
    Action, AggregationKey, Alarms, Exemption, Network, Response, Route, Scope, Surroundings,
    WebAclTarget,
};
use crate::units::Window;

/// A checked policy. Its parts are in the order of the file, networks and environments by name.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The text it was read from.
    pub(super) source: Arc<Source>,
    /// Prefix of the names of rules, metrics, IP sets and alarms.
    pub name: String,
    /// Where the web ACL lives.
    pub scope: Scope,
    /// How CloudFront is paid.
    pub pricing_plan: PricingPlan,
    /// Whose web ACL it is.
    pub web_acl: WebAclTarget,
    /// By name.
    pub networks: Vec<Network>,
    /// The answer to blocked requests.
    pub response: Response,
    /// What is limited.
    pub routes: Vec<PolicyRoute>,
    /// What no rule counts.
    pub never_limited: Vec<Exemption>,
    /// Twins of all routes at once.
    pub shared: SharedTwins,
    /// `None`: no alarms.
    pub alarms: Option<Alarms>,
    /// The limit of the rules that alarms look at in place of the main ones.
    pub second_limit: Option<SecondLimit>,
    /// What stands around the rules.
    pub around: Surroundings,
    /// The layers behind AWS WAF.
    pub layers: Layers,
    /// By name; an environment has none of its own.
    pub environments: Vec<Environment>,
}

/// Rules that count one tester network each, on any route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTwins {
    /// In the order of the file.
    pub twins: Vec<Twin>,
    /// Their evaluation window.
    pub window: Window,
    /// What they count by.
    pub key: AggregationKey,
}

/// A route with what people decided about it, defaults filled in.
#[derive(Clone, Debug)]
pub struct PolicyRoute {
    /// What is protected.
    pub route: Route,
    /// The evaluation window.
    pub window: Window,
    /// What happens above the limit.
    pub action: Action,
    /// The limit, or that the lock has it.
    pub limit: LimitChoice,
    /// What requests are counted by.
    pub key: AggregationKey,
    /// Whether a weak proposal is put to use like a clear one.
    pub accept_weak: bool,
    /// Rules beside it, in the order of the file.
    pub twins: Vec<Twin>,
    /// The place of its name.
    pub(super) span: Span,
}

/// A rule that counts one tester network only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The network's name.
    pub network: String,
    /// Its limit.
    pub limit: TwinLimit,
}

/// The policy as it is in one environment.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Its name.
    pub name: String,
    /// All of it, with what is different there.
    pub policy: Policy,
}

/// An environment that the policy does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the policy has no environment `{name}`; it has {}", if known.is_empty() { "none at all".to_owned() } else { known.join(", ") })]
pub struct UnknownEnvironment {
    /// What was asked for.
    pub name: String,
    /// Those that there are.
    pub known: Vec<String>,
}

impl UnknownEnvironment {
    /// What to do.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        if self.known.is_empty() {
            "leave --env out, or add `environments` to the policy: docs/policy-file.md"
        } else {
            "the names stand under `environments` in the policy"
        }
    }
}

impl Policy {
    /// Reads and checks a policy. `file_name` is for messages only.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once, each with its place and what is allowed.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, Problems> {
        let source = Arc::new(Source { name: file_name.to_owned(), text: text.to_owned() });
        super::validate::policy(&source).map_err(|list| Problems::new(Arc::clone(&source), list))
    }

    /// The file's name as it was given to [`Policy::parse`].
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.source.name
    }

    /// The policy in an environment.
    ///
    /// # Errors
    /// When there is no environment of that name, with those that there are.
    pub fn in_environment(&self, name: &str) -> Result<&Self, UnknownEnvironment> {
        let found = self.environments.iter().find(|environment| environment.name == name);
        found.map(|environment| &environment.policy).ok_or_else(|| UnknownEnvironment {
            name: name.to_owned(),
            known: self.environments.iter().map(|one| one.name.clone()).collect(),
        })
    }

    /// A network by its name.
    #[must_use]
    pub fn network(&self, name: &str) -> Option<&Network> {
        self.networks.iter().find(|network| network.name == name)
    }

    /// Problems that point into this policy.
    pub(super) fn problems(&self, list: Vec<Problem>) -> Problems {
        Problems::new(Arc::clone(&self.source), list)
    }
}
