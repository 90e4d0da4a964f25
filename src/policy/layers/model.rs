//! What the section `layers` means.

use super::edge::EdgeLayer;
use super::gateway::GatewayLayer;

/// The layers behind AWS WAF that the policy has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// Inside the application.
    pub app: AppLayer,
    /// At CloudFront's edge.
    pub edge: Option<EdgeLayer>,
    /// At API Gateway.
    pub gateway: Option<GatewayLayer>,
}

/// Limits inside the application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppLayer {
    /// Those that a DynamoDB table counts.
    pub dynamodb: Option<TableLayer>,
    /// Those that Redis counts.
    pub redis: Option<RedisLayer>,
}

impl AppLayer {
    /// Whether the policy has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.dynamodb.is_none() && self.redis.is_none()
    }
}

/// Limits that a DynamoDB table counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLayer {
    /// Where the table is.
    pub region: String,
    /// Its name.
    pub table: String,
    /// Milliseconds that a decision may take.
    pub timeout: u32,
    /// In the order of the file.
    pub limits: Vec<TableLimit>,
}

/// One limit that a DynamoDB table counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLimit {
    /// Its name.
    pub name: String,
    /// How it is counted.
    pub algorithm: TableAlgorithm,
    /// Requests per window and client.
    pub limit: u32,
    /// Seconds.
    pub window: u32,
    /// Who is one client.
    pub client: Identity,
    /// What happens while the store does not answer.
    pub fail: FailMode,
}

/// How a DynamoDB table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAlgorithm {
    /// Tokens that come back one by one, of which this many may be taken at once.
    TokenBucket {
        /// Requests that may come at once.
        burst: u32,
    },
    /// A counter that starts anew with each window of the clock.
    FixedWindow,
}

/// Who is one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The subject of the verified token, else the source address.
    Subject,
    /// The source address.
    Address,
}

/// What happens to requests while the store does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailMode {
    /// They pass.
    Open,
    /// They are refused.
    Closed,
}

/// Limits that Redis counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedisLayer {
    /// What all its keys begin with.
    pub prefix: String,
    /// Milliseconds that a decision may take.
    pub timeout: u32,
    /// In the order of the file.
    pub scenarios: Vec<Scenario>,
    /// For all requests together.
    pub total: Option<Total>,
}

/// Limits that are asked for together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// In the order of the file.
    pub dimensions: Vec<Dimension>,
    /// Different users of one device, and the window in seconds.
    pub accounts_per_device: Option<(u32, u32)>,
    /// What happens while the store does not answer.
    pub fail: FailMode,
    /// What whoever is refused is told.
    pub answer: Answer,
}

/// A sliding window over one combination of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// What requests are told apart by, sorted.
    pub by: Vec<Part>,
    /// Requests in any window.
    pub limit: u32,
    /// Seconds.
    pub window: u32,
}

/// What requests are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The verified user.
    User,
    /// The device, as the client says.
    Device,
    /// The source address.
    Ip,
    /// What is done.
    Activity,
}

/// What whoever is refused is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// That there is a limit.
    Refuse,
    /// The same as everybody.
    Silent,
}

/// A token bucket for all requests together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// Requests per window.
    pub limit: u32,
    /// Seconds.
    pub window: u32,
    /// Requests that may come at once.
    pub burst: u32,
    /// What happens while the store does not answer.
    pub fail: FailMode,
}
