//! The section `layers` as it is written.

use super::edge::EdgeDocument;
use super::gateway::GatewayDocument;
use crate::policy::collection::NonEmpty;
use crate::policy::grammar::{mapping, words};
use crate::policy::value::{Milliseconds, Name, Region, RequestCount, Seconds, TableName};

mapping! {
    /// Limits of the layers behind AWS WAF, which know more of a client than its address.
    LayersDocument, "`layers`" {
        /// Limits inside the application.
        optional app: AppDocument,
        /// Limits at CloudFront's edge: Lambda@Edge on a DynamoDB global table.
        optional edge: EdgeDocument,
        /// Usage plans and keys of a REST API of API Gateway.
        optional gateway: GatewayDocument,
    }
}

mapping! {
    /// Limits inside the application, by the store that counts.
    AppDocument, "`app`" {
        /// Token buckets and quotas in a DynamoDB table.
        optional dynamodb: TableDocument,
        /// Sliding windows in Redis.
        optional redis: RedisDocument,
    }
}

mapping! {
    /// A DynamoDB table that counts.
    TableDocument, "`dynamodb`" {
        /// The Region of the table: that of the application.
        required region: Region,
        /// Its name. Default: NAME-limits.
        optional table: TableName,
        /// Milliseconds after which a decision is given up and `fail` says what happens. Default: 250.
        optional timeout: Milliseconds,
        /// What is limited.
        required limits: NonEmpty<TableLimitDocument>,
    }
}

mapping! {
    /// One limit that a DynamoDB table counts.
    TableLimitDocument, "a limit of the table" {
        /// Its name, by which the application asks for it.
        required name: Name,
        /// How it is counted. Default: token_bucket.
        optional algorithm: AlgorithmWord,
        /// Requests per window and client.
        required limit: RequestCount,
        /// Seconds.
        required window: Seconds,
        /// Requests that may come at once, with token_bucket. Default: the limit.
        optional burst: RequestCount,
        /// Who is one client. Default: subject.
        optional client: ClientWord,
        /// What happens when the table does not answer. Default: open.
        optional fail: FailWord,
    }
}

mapping! {
    /// A Redis that counts.
    RedisDocument, "`redis`" {
        /// What all its keys begin with. Default: the name of the policy.
        optional prefix: Name,
        /// Milliseconds after which a decision is given up and `fail` says what happens. Default: 250.
        optional timeout: Milliseconds,
        /// What is limited.
        required scenarios: NonEmpty<ScenarioDocument>,
        /// A token bucket for all requests together. Default: none.
        optional total: TotalDocument,
    }
}

mapping! {
    /// Limits that are asked for together: all of them have room, or none counts.
    ScenarioDocument, "a scenario" {
        /// Its name, by which the application asks for it.
        required name: Name,
        /// Sliding windows.
        required limits: NonEmpty<DimensionDocument>,
        /// Different users of one device. Default: any number.
        optional accounts_per_device: AccountsDocument,
        /// What happens when Redis does not answer. Default: open.
        optional fail: FailWord,
        /// What whoever is refused is told. Default: refuse.
        optional answer: AnswerWord,
    }
}

mapping! {
    /// A sliding window over one combination of parts.
    DimensionDocument, "a limit of a scenario" {
        /// What requests are told apart by: user, device, ip, activity.
        required by: NonEmpty<PartWord>,
        /// Requests in any window.
        required limit: RequestCount,
        /// Seconds.
        required window: Seconds,
    }
}

mapping! {
    /// Different users of one device.
    AccountsDocument, "`accounts_per_device`" {
        /// Users in any window.
        required limit: RequestCount,
        /// Seconds.
        required window: Seconds,
    }
}

mapping! {
    /// A token bucket for all requests together.
    TotalDocument, "`total`" {
        /// Requests per window.
        required limit: RequestCount,
        /// Seconds.
        required window: Seconds,
        /// Requests that may come at once. Default: the limit.
        optional burst: RequestCount,
        /// What happens when Redis does not answer. Default: open.
        optional fail: FailWord,
    }
}

words! {
    /// What requests are told apart by.
    PartWord, "part" {
        /// The user of a verified token.
        User = "user",
        /// The device, as the client says.
        Device = "device",
        /// The source address; of IPv6 the /64.
        Ip = "ip",
        /// What is done.
        Activity = "activity",
    }
}

words! {
    /// What whoever is refused is told.
    AnswerWord, "answer" {
        /// That there is a limit: 429.
        Refuse = "refuse",
        /// The same as everybody, for limits that nobody may learn of.
        Silent = "silent",
    }
}

words! {
    /// How requests are counted.
    AlgorithmWord, "algorithm" {
        /// Tokens that come back one by one.
        TokenBucket = "token_bucket",
        /// A counter that starts anew with each window of the clock (UTC): a quota.
        FixedWindow = "fixed_window",
    }
}

words! {
    /// Who is one client.
    ClientWord, "kind of client" {
        /// The subject of the verified token; who has none, by the source address.
        Subject = "subject",
        /// The source address; of IPv6 the /64.
        Address = "address",
    }
}

words! {
    /// What happens to requests while the store does not answer.
    FailWord, "way to fail" {
        /// They pass.
        Open = "open",
        /// They are answered 503.
        Closed = "closed",
    }
}
