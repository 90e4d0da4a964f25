//! A complete set of rate rules with everything around them, still free of AWS shapes.

use crate::units::{Limit, Window};

use super::around::Surroundings;
use super::key::AggregationKey;
use super::network::Network;
use super::path::{PathPattern, Spelling};
use super::route::Route;

/// Where the web ACL lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In front of CloudFront; all calls go to us-east-1.
    CloudFront,
    /// In front of an ALB or API Gateway of one Region.
    Regional {
        /// Such as `eu-central-1`.
        region: String,
    },
}

/// Whose web ACL it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebAclTarget {
    /// Ours, by this name.
    Create(String),
    /// Somebody else's; our rules join it.
    Attach(Attachment),
}

impl WebAclTarget {
    /// The web ACL's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Create(name) => name,
            Self::Attach(attachment) => &attachment.web_acl,
        }
    }
}

/// How rules join a web ACL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The web ACL's name.
    pub web_acl: String,
    /// In which form.
    pub form: AttachedAs,
    /// The priority of the first of them in that web ACL.
    pub priority: u32,
}

/// In which form rules join a web ACL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttachedAs {
    /// A rule group of ours, and one rule that refers to it.
    #[default]
    RuleGroup,
    /// One rule each.
    Rules,
}

/// What happens to requests above the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Counted, let through.
    Count,
    /// Answered by the rule's response.
    Block,
    /// A silent browser challenge.
    Challenge,
    /// A CAPTCHA.
    Captcha,
}

/// The answer to a blocked request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// One of [`crate::quotas::RESPONSE_CODES`].
    pub status: u16,
    /// Seconds in the `Retry-After` header; none if `None`.
    pub retry_after: Option<u32>,
    /// The body; JSON unless it says otherwise.
    pub body: String,
    /// Whether a `RateLimit-Policy` header tells the limit and the window.
    pub tells_policy: bool,
    /// Further headers, in the order of the policy.
    pub headers: Vec<(String, String)>,
}

impl Response {
    /// What AWS WAF answers by itself to a blocked request: 403 without a body.
    #[must_use]
    pub const fn plain_block() -> Self {
        Self {
            status: 403,
            retry_after: None,
            body: String::new(),
            tells_policy: false,
            headers: Vec::new(),
        }
    }

    /// Whether it is what AWS WAF answers by itself. Then no custom response may be emitted: the Free
    /// plan of CloudFront refuses any.
    #[must_use]
    pub fn is_plain_block(&self) -> bool {
        *self == Self::plain_block()
    }
}

/// Main rule or twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Counts everybody but the tester networks.
    Main,
    /// Counts one network only.
    Twin {
        /// That network's name.
        network: String,
    },
    /// Counts one network only, on any of several routes: a twin of them all, for one rule slot.
    SharedTwin {
        /// That network's name.
        network: String,
        /// The routes.
        routes: Vec<Route>,
    },
    /// Counts what the main rule of its route counts, with a higher limit, before it: so that an alarm
    /// can tell an attack from a keen client.
    Second {
        /// That rule's name.
        main: String,
    },
}

impl Role {
    /// The network that the rule counts alone, if it does.
    #[must_use]
    pub fn network(&self) -> Option<&str> {
        match self {
            Self::Twin { network } | Self::SharedTwin { network, .. } => Some(network),
            Self::Main | Self::Second { .. } => None,
        }
    }
}

/// One rate-based rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateRule {
    /// Rule and metric name, unique in the set.
    pub name: String,
    /// Its place in the web ACL; lower goes first.
    pub priority: u32,
    /// Main rule or twin.
    pub role: Role,
    /// What it protects.
    pub route: Route,
    /// Requests per window.
    pub limit: Limit,
    /// The evaluation window.
    pub window: Window,
    /// Whose requests are counted together.
    pub key: AggregationKey,
    /// What it does.
    pub action: Action,
    /// Networks (by name) whose requests it does not count; empty for a twin.
    pub except_networks: Vec<String>,
    /// The evidence for the limit, one line each, for comments beside it. Holds no addresses.
    pub evidence: Vec<String>,
}

/// A path that no rule counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exemption {
    /// Its name in the policy.
    pub name: String,
    /// The path.
    pub path: PathPattern,
    /// Which spellings of it.
    pub spelling: Spelling,
}

/// Alarms on what the rules do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alarms {
    /// Where they report; `None`: an SNS topic is made for them.
    pub topic_arn: Option<String>,
    /// An alarm fires when more requests than this are blocked (or counted) per period.
    pub threshold: u32,
    /// Which rules have one.
    pub on: AlarmedRules,
    /// Whether they look at the second rules ([`Role::Second`]) in place of the main ones.
    pub on_second: bool,
    /// Until when they tell nobody, and why.
    pub off: Option<AlarmsOff>,
}

/// Which rules have an alarm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlarmedRules {
    /// All: on what they block, or what they count while they only count.
    #[default]
    All,
    /// Those that only count: for a trial.
    Counting,
}

/// Alarms that tell nobody for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlarmsOff {
    /// The last day (UTC), as `YYYY-MM-DD`.
    pub until: String,
    /// Why.
    pub reason: String,
}

/// Everything that is emitted or applied together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Prefix of rules, metrics, IP sets and alarms.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// Whose web ACL.
    pub web_acl: WebAclTarget,
    /// By priority.
    pub rules: Vec<RateRule>,
    /// The networks that rules name, by name, and the testers that none names (any more): their IP
    /// sets have to outlive the last reference to them.
    pub networks: Vec<Network>,
    /// Paths that no rule counts.
    pub exemptions: Vec<Exemption>,
    /// The answer of blocking rules.
    pub response: Response,
    /// `None`: no alarms.
    pub alarms: Option<Alarms>,
    /// What stands around the rules.
    pub around: Surroundings,
    /// The flat-rate pricing plan that covers the web ACL; `None`: pay as you go.
    pub flat_rate_plan: Option<&'static str>,
    /// What was left out and why, one line each: emitted as comments, never silent.
    pub notes: Vec<String>,
    /// What will change soon, one line each: for the terminal only, as it differs from day to day.
    pub reminders: Vec<String>,
}
