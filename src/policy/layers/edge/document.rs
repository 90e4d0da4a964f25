//! The section `layers.edge` as it is written.

use super::model::EdgePattern;
use crate::policy::collection::{ByName, NonEmpty};
use crate::policy::grammar::{mapping, one_key, words};
use crate::policy::layers::document::FailWord;
use crate::policy::value::{
    Cidr, Flag, FlushSeconds, HeaderName, Method, MetricNamespace, Milliseconds, Name, PagePath,
    PrefixLength, Region, RequestCount, Seconds, TableName,
};

mapping! {
    /// Limits at CloudFront's edge: Lambda@Edge on a DynamoDB global table.
    EdgeDocument, "`edge`" {
        /// The name of the table. Default: NAME-edge-limits.
        optional table: TableName,
        /// Regions besides us-east-1 that hold a copy of the table and count on their own. Default: none,
        /// every edge counts in us-east-1.
        optional replicas: NonEmpty<Region>,
        /// Milliseconds after which a call to the table is given up and `fail` says what happens; up to
        /// 1,000. Default: 250.
        optional timeout: Milliseconds,
        /// Seconds in which requests are counted. Default: 60.
        optional window: Seconds,
        /// Addresses of IPv6 are counted by this prefix. Default: 64.
        optional ipv6_prefix: PrefixLength,
        /// Tiers of known clients besides `authenticated`, as the tier header names them. Default: none.
        optional plans: NonEmpty<Name>,
        /// The tier of a known client whose tier header is missing or unknown. Default: free if that is a
        /// plan, else authenticated.
        optional default_plan: Name,
        /// Headers that say who a client is. Default: none, everybody is anonymous.
        optional headers: TierHeadersDocument,
        /// Paths that are never limited, besides the policy's `never_limited`: signed webhooks, health checks.
        optional never: NonEmpty<EdgePath>,
        /// Networks that are never limited, besides those that the table lists.
        optional allow: NonEmpty<Cidr>,
        /// What holds where no route does.
        required global: EdgeLimitDocument,
        /// Limits of paths; the longest path wins.
        optional routes: NonEmpty<EdgeRouteDocument>,
        /// A page with a CAPTCHA, for browsers between one and two times the limit. Default: none.
        optional captcha: CaptchaDocument,
        /// Metrics in CloudWatch's embedded format.
        optional metrics: MetricsDocument,
    }
}

mapping! {
    /// Headers that an authorizer in front of the distribution sets.
    TierHeadersDocument, "`headers`" {
        /// The header with the client's name.
        required client: HeaderName,
        /// The header with the client's tier.
        required tier: HeaderName,
        /// Whether what stands in front removes these headers from what viewers send. If not they are
        /// removed here and everybody is anonymous. Default: false.
        optional trusted: Flag,
    }
}

mapping! {
    /// A limit of the edge.
    EdgeLimitDocument, "a limit of the edge" {
        /// Requests in a window, by tier.
        required limits: ByName<RequestCount>,
        /// How they are counted. Default: sliding_window.
        optional algorithm: EdgeAlgorithmWord,
        /// What happens when the table does not answer. Default: open.
        optional fail: FailWord,
    }
}

mapping! {
    /// A limit of some paths at the edge.
    EdgeRouteDocument, "a route of the edge" {
        /// Its name: part of keys, headers and metrics.
        required name: Name,
        /// Which paths, as they are after percent-decoding. Default: that of the policy's route of this name.
        optional path: EdgePath,
        /// Which methods. Default: with a path of its own all, else those of that route.
        optional methods: NonEmpty<Method>,
        /// Requests in a window, by tier.
        required limits: ByName<RequestCount>,
        /// How they are counted. Default: sliding_window.
        optional algorithm: EdgeAlgorithmWord,
        /// What happens when the table does not answer. Default: open.
        optional fail: FailWord,
    }
}

mapping! {
    /// A page of the site that shows a CAPTCHA.
    CaptchaDocument, "`captcha`" {
        /// Its path. It is never limited.
        required page: PagePath,
        /// Seconds for which a solved CAPTCHA lifts the limit. Default: 1800.
        optional pass: Seconds,
        /// Seconds for which the page takes the ticket that the redirect brings along. Default: 600.
        optional ticket: Seconds,
    }
}

mapping! {
    /// Metrics of the edge.
    MetricsDocument, "`metrics`" {
        /// Their namespace in CloudWatch. Default: RateLimit/Edge.
        optional namespace: MetricNamespace,
        /// Seconds for which an instance adds up before it writes a line; 0 writes one a request.
        /// Default: 10.
        optional every: FlushSeconds,
    }
}

one_key! {
    /// Which paths are meant: exactly or starts_with.
    EdgePath(EdgePattern), "a path of the edge", "the path as text", {
        "exactly" => EdgePattern::Exactly,
        "starts_with" => EdgePattern::StartsWith,
    }
}

words! {
    /// How the edge counts.
    EdgeAlgorithmWord, "algorithm of the edge" {
        /// Windows of the clock; around an edge up to twice the limit passes.
        FixedWindow = "fixed_window",
        /// This window's count, and the share of the one before that is still in sight.
        SlidingWindow = "sliding_window",
    }
}
