//! Why rules cannot be a web ACL.

use ipnet::IpNet;

use crate::quotas;
use crate::rules::PatternError;

/// Something that AWS WAF would refuse, or that we cannot say in its terms: found before anything is
/// written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// More rate-based rules than one web ACL takes.
    #[error(
        "{0} rate-based rules, and one web ACL takes {max} (a fixed quota; a twin is a rule of its own); leave out routes or twins",
        max = quotas::RATE_RULES_PER_WEB_ACL
    )]
    TooManyRateRules(usize),
    /// More capacity than one web ACL has.
    #[error(
        "the rules use about {0} WCU, and one web ACL has {max}; use fewer spellings (`spelling: strict`), routes or exemptions",
        max = quotas::WCU_PER_WEB_ACL
    )]
    Capacity(u32),
    /// More references to IP sets than one web ACL takes.
    #[error(
        "{0} references to IP sets, and one web ACL takes {max}; merge networks",
        max = quotas::REFERENCE_STATEMENTS_PER_WEB_ACL
    )]
    TooManyReferences(usize),
    /// Not a name.
    #[error(
        "`{name}` cannot name {of}: AWS takes letters, digits, `-` and `_`, at most {max} of them",
        max = quotas::NAME_CHARACTERS
    )]
    Name {
        /// What it should name.
        of: &'static str,
        /// The text.
        name: String,
    },
    /// A name that AWS keeps for itself, or that two things of ours share.
    #[error("{what} has the metric name `{name}`, which is {taken}; rename it")]
    MetricName {
        /// Whose name it is.
        what: &'static str,
        /// The name.
        name: String,
        /// By whom it is taken.
        taken: &'static str,
    },
    /// Two rules with one priority.
    #[error("the rules `{first}` and `{second}` have the same priority {priority}")]
    Priority {
        /// One of them.
        first: String,
        /// The other.
        second: String,
        /// The priority.
        priority: u32,
    },
    /// A rule names a network that is not there.
    #[error("the rule `{rule}` names the network `{network}`, which does not exist")]
    UnknownNetwork {
        /// The rule.
        rule: String,
        /// The name.
        network: String,
    },
    /// A twin of nobody.
    #[error("the rule `{rule}` is for the network `{network}` alone, which has no addresses")]
    EmptyNetwork {
        /// The rule.
        rule: String,
        /// The network.
        network: String,
    },
    /// An IP set that holds everybody.
    #[error("the network `{network}` holds {cidr}, and AWS WAF takes no /0 in an IP set")]
    Everybody {
        /// The network.
        network: String,
        /// The CIDR.
        cidr: IpNet,
    },
    /// More CIDRs than an IP set takes.
    #[error(
        "the network `{network}` has {count} CIDRs of one family, and an IP set takes {max}",
        max = quotas::CIDRS_PER_IP_SET
    )]
    TooManyCidrs {
        /// The network.
        network: String,
        /// How many, merged.
        count: usize,
    },
    /// A path that cannot be a statement.
    #[error("{of} `{name}`: {source}")]
    Pattern {
        /// `rule` or `exemption`.
        of: &'static str,
        /// Its name.
        name: String,
        /// Why.
        source: PatternError,
    },
    /// A method or a host that cannot be a search string.
    #[error(
        "rule `{rule}`: the {part} has {length} bytes; AWS WAF looks for 1 to {max}",
        max = quotas::SEARCH_STRING_BYTES
    )]
    SearchString {
        /// The rule.
        rule: String,
        /// `method` or `host`.
        part: &'static str,
        /// Its length in bytes.
        length: usize,
    },
    /// Deeper logic than a scope-down takes.
    #[error(
        "the scope-down of the rule `{rule}` has {levels} levels of and, or, not; Terraform takes {max}",
        max = quotas::TERRAFORM_SCOPE_DOWN_LEVELS
    )]
    Levels {
        /// The rule.
        rule: String,
        /// How deep it is.
        levels: usize,
    },
    /// A status code that a custom response cannot have.
    #[error("AWS WAF cannot answer with status {0}; 429 is the one for a rate limit")]
    Status(u16),
    /// A header that a custom response cannot have.
    #[error("the response header `{name}` cannot be sent: {reason}")]
    Header {
        /// Its name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A key that AWS WAF does not take.
    #[error("rule `{rule}` cannot count by {key}: {reason}")]
    Key {
        /// The rule.
        rule: String,
        /// The key in words.
        key: String,
        /// Why.
        reason: &'static str,
    },
    /// A body that is too long.
    #[error(
        "the response body has {0} bytes, and AWS WAF takes {max}",
        max = quotas::RESPONSE_BODY_BYTES
    )]
    Body(usize),
}
