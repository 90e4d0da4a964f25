//! The provider-neutral vocabulary: routes, networks, rate rules. No I/O, no foreign formats.
//!
//! Everything here is meaning, not spelling: `wafv2` turns it into AWS shapes, `counts` matches log
//! lines with the very same [`PathMatcher`], so that what was counted is what will be limited.

mod around;
mod condition;
mod key;
mod name;
mod network;
mod path;
mod purpose;
mod route;
mod set;
mod transform;
mod withheld;

pub use around::{
    LogDestination, LoggedRequests, LoggingPlan, OriginGuard, Permitted, RedactedPart, Surroundings,
};
pub use condition::{Condition, RequestPart, TextTest};
pub use key::{AggregationKey, Fallback, ForwardedIp, KeyPart};
pub use name::{is_name, slug};
pub use network::{Network, NetworkKind, canonical_cidr, merge};
pub use path::{PathMatch, PathMatcher, PathPattern, PatternError, Spelling, Variant};
pub use purpose::Purpose;
pub use route::{Route, RouteError, is_host, is_method};
pub use set::{
    Action, AlarmedRules, Alarms, AlarmsOff, AttachedAs, Attachment, Exemption, RateRule, Response,
    Role, RuleSet, Scope, WebAclTarget,
};
pub use transform::{Transformation, is_plain_path, normalize_path, transform, url_decode};
pub use withheld::without_addresses;
