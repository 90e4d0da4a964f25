//! What stands around the rules of a web ACL: logs, a dashboard, associations, the way around
//! CloudFront, permissions.

/// Everything around the rules that a policy may ask for; nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The environment of the policy that this is; `None`: the policy as it stands.
    pub environment: Option<String>,
    /// ARNs of the load balancers and API stages that a regional web ACL stands before.
    pub associations: Vec<String>,
    /// Where WAF logs go.
    pub logging: Option<LoggingPlan>,
    /// Whether there is a CloudWatch dashboard.
    pub dashboard: bool,
    /// The way around CloudFront, closed.
    pub guard: Option<OriginGuard>,
    /// Whose permissions are written out, in the order of [`Permitted`].
    pub permissions: Vec<Permitted>,
}

/// How a web ACL is logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggingPlan {
    /// Where to.
    pub destination: LogDestination,
    /// What is left out of every record.
    pub redacted: Vec<RedactedPart>,
    /// Which requests are kept.
    pub keep: LoggedRequests,
}

/// Where WAF logs go. Every name begins with `aws-waf-logs-` (guide, "logging-destinations").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogDestination {
    /// A CloudWatch log group, made with the rest.
    LogGroup {
        /// Its name.
        name: String,
        /// How long records are kept.
        retention_days: u32,
    },
    /// A bucket that is there.
    Bucket(String),
    /// A Firehose stream that is there.
    Firehose(String),
}

impl LogDestination {
    /// The name of the log group, the bucket or the stream.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::LogGroup { name, .. } | Self::Bucket(name) | Self::Firehose(name) => name,
        }
    }
}

/// A part of the request that WAF can leave out of its records; there are four kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedactedPart {
    /// The method.
    Method,
    /// The path.
    Path,
    /// The query string.
    QueryString,
    /// A header, by its name in lower case.
    Header(String),
}

/// Which requests stand in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoggedRequests {
    /// Those that a rule acted on, counting included: the evidence for a limit in force.
    #[default]
    Limited,
    /// All.
    All,
}

/// How the API behind CloudFront refuses who goes around it: CloudFront adds a secret header, and a
/// web ACL of its own, on the API, demands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginGuard {
    /// The header, in lower case.
    pub header: String,
    /// The name of the SSM parameter that keeps the secret.
    pub parameter: String,
    /// The Region of the API.
    pub region: String,
    /// ARNs of the load balancers and API stages that are guarded.
    pub associations: Vec<String>,
    /// Whether the secret before the present one is accepted as well: for the hours of a rotation.
    pub rotating: bool,
    /// Whether requests without the secret are only counted.
    pub counts_only: bool,
}

/// Whose permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permitted {
    /// The CI user when it plans: reading only.
    Plan,
    /// The CI user when it applies.
    Apply,
    /// `ratewaf status`, `plan`, `apply` and the rest.
    Ratewaf,
}

impl Permitted {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plan, Self::Apply, Self::Ratewaf];

    /// Its spelling in a policy, and the end of the policy's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Apply => "apply",
            Self::Ratewaf => "ratewaf",
        }
    }
}
