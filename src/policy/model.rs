//! A policy that has been checked: what it means, not how it is written.

use std::sync::Arc;

use super::document::PricingPlan;
use super::problem::{Problem, Problems, Source, Span};
use super::value::{LimitChoice, TwinLimit};
use crate::rules::{Action, Alarms, Exemption, Network, Response, Route, Scope, WebAclTarget};
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
    /// `None`: no alarms.
    pub alarms: Option<Alarms>,
    /// By name.
    pub environments: Vec<Environment>,
    /// Where `scope` and `web_acl` stand.
    pub(super) places: Places,
}

/// Places of a policy that a later refusal points at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    /// The value of `scope`.
    pub scope: Span,
    /// The value of `web_acl`.
    pub web_acl: Span,
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

/// What is different in one environment; `None` is as in the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Its name.
    pub name: String,
    /// Another web ACL.
    pub web_acl: Option<WebAclTarget>,
    /// Other alarms, or none.
    pub alarms: Option<Option<Alarms>>,
    /// Another pricing plan.
    pub pricing_plan: Option<PricingPlan>,
    /// Another action for every rule.
    pub action: Option<Action>,
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
