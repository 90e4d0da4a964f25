//! Everything that gets deployed, in AWS's own terms and free of any dialect: the web ACL or what joins
//! somebody else's, IP sets, alarms, logs, a dashboard, associations, the guard of the origin,
//! permissions, and what people have to know and do.
//!
//! [`Stack::new`] makes it, one step a part. A dialect prints it and adds no meaning: where one resource
//! names another, [`Value::Of`] says which, and each dialect has its own way to write that. What a
//! reader needs to know about a part stands in its `about`, to be printed beside it.

mod acl;
mod alarms;
mod associations;
mod budget;
mod dashboard;
mod duties;
mod error;
mod guard;
mod home;
mod ip_sets;
mod logging;
mod numbers;
mod origin;
mod permissions;
mod reference;

pub use acl::{Acl, JoinedGroup};
pub use alarms::{Alarm, Dimension, Topic, WafMetric};
pub use associations::Association;
pub use budget::{Budget, BudgetRow};
pub use dashboard::{Dashboard, Graph};
pub use duties::Duty;
pub use error::Error;
pub use guard::{Guard, Secret};
pub use home::{CLOUDFRONT_REGION, Home};
pub use ip_sets::NamedNetwork;
pub use logging::Logging;
pub use numbers::Numbers;
pub use origin::{HOURS_A_MONTH, Origin, Traffic};
pub use permissions::{Grant, GrantCondition, GrantedAction, IamPolicy, IamResource};
pub use reference::{Attribute, Resource, Value};

use crate::rules::{RateRule, RuleSet};
use crate::wafv2::{self, Translated};

/// Everything that gets deployed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Prefix of the names of rules, metrics, IP sets and alarms.
    pub name: String,
    /// The environment of the policy that this is; `None`: the policy as it stands.
    pub environment: Option<String>,
    /// Which policy and which logs it was made from.
    pub origin: Origin,
    /// Where it lives.
    pub home: Home,
    /// The numbers of each rule beside their evidence, by priority.
    pub numbers: Vec<Numbers>,
    /// The networks that have IP sets, by name.
    pub networks: Vec<NamedNetwork>,
    /// The web ACL, or what joins one.
    pub acl: Acl,
    /// Where alarms report; `None`: there are no alarms.
    pub topic: Option<Topic>,
    /// The alarms, in the order of their rules.
    pub alarms: Vec<Alarm>,
    /// What a regional web ACL stands before.
    pub associations: Vec<Association>,
    /// Where the web ACL is logged.
    pub logging: Option<Logging>,
    /// The dashboard.
    pub dashboard: Option<Dashboard>,
    /// The way around CloudFront, closed: a second web ACL, on the API.
    pub guard: Option<Guard>,
    /// Permissions of those who deploy it, one policy each.
    pub permissions: Vec<IamPolicy>,
    /// What it uses of AWS's quotas, and what it costs.
    pub budget: Budget,
    /// Which rules leave out which paths that are never limited, one line each.
    pub never_limited: Vec<String>,
    /// What was left out and why, and what to keep in mind; one line each.
    pub notes: Vec<String>,
    /// What people have to do, because no file of ours can.
    pub duties: Vec<Duty>,
}

impl Stack {
    /// Makes the stack of a rule set.
    ///
    /// # Errors
    /// When AWS WAF would refuse a part, or when it cannot be said in its terms.
    pub fn new(set: &RuleSet, origin: Origin) -> Result<Self, Error> {
        let home = Home::of(set);
        let waf = wafv2::translate(set)?;
        let mut rules: Vec<&RateRule> = set.rules.iter().collect();
        rules.sort_by_key(|rule| rule.priority);
        let given = Given { set, rules, waf, home };
        let acl = acl::build(&given)?;
        let topic = alarms::topic(&given)?;
        let alarms = alarms::build(&given, &acl, topic.as_ref());
        let associations = associations::build(&given)?;
        let logging = logging::build(&given)?;
        let dashboard = dashboard::build(&given, &acl);
        let guard = guard::build(&given)?;
        let mut stack = Self {
            name: set.name.clone(),
            environment: set.around.environment.clone(),
            numbers: numbers::build(&given),
            networks: ip_sets::build(&given),
            budget: budget::build(&given, &acl, &origin),
            never_limited: numbers::never_limited(&given),
            notes: set.notes.clone(),
            permissions: Vec::new(),
            duties: Vec::new(),
            home: given.home.clone(),
            origin,
            acl,
            topic,
            alarms,
            associations,
            logging,
            dashboard,
            guard,
        };
        // These look at the whole of it.
        stack.permissions = permissions::build(&stack, set);
        stack.duties = duties::build(&stack);
        Ok(stack)
    }

    /// The rules, by priority, wherever they stand.
    pub fn rules(&self) -> impl Iterator<Item = &wafv2::Rule> {
        self.acl.rules()
    }

    /// The numbers of a rule.
    #[must_use]
    pub fn numbers_of(&self, rule: &str) -> Option<&Numbers> {
        self.numbers.iter().find(|numbers| numbers.rule == rule)
    }
}

/// What the parts are made from.
struct Given<'a> {
    set: &'a RuleSet,
    /// By priority, as in `waf`.
    rules: Vec<&'a RateRule>,
    waf: Translated,
    home: Home,
}
