//! `ratewaf.yaml` as it is written. Its keys, words and descriptions stand here and nowhere else; the
//! JSON Schema is made from them.

use super::collection::{ByName, NonEmpty};
use super::grammar::{mapping, one_key, words};
use super::layers::LayersDocument;
use super::reader::Located;
use super::surroundings::{GuardDocument, LoggingDocument, PermittedWord};
use super::value::{
    AlarmChoice, Arn, Body, Cidr, Date, Flag, HeaderName, Headers, Host, KeyChoice, LimitChoice,
    LogChoice, Method, Name, Priority, Region, ResourceArn, RetryAfter, SecondLimit, Sentence,
    Status, Threshold, TwinLimit, Version, WebAcl, WebAclName, WindowSeconds,
};
use crate::rules::PathPattern;

mapping! {
    /// What people decide about rate limits. `ratewaf analyze` writes the first one; from then on it is
    /// yours to edit.
    Document, "the policy" {
        /// The version of this format.
        required version: Version,
        /// Prefix of the names of rules, metrics, IP sets and alarms.
        required name: Name,
        /// Where the web ACL lives. Default: cloudfront.
        optional scope: ScopeWord,
        /// The AWS Region of a regional web ACL, such as eu-central-1.
        optional region: Region,
        /// The pricing plan of the CloudFront distribution, because the flat-rate plans forbid some
        /// features. Default: payg, pay as you go.
        optional pricing_plan: PricingPlan,
        /// The web ACL: `create` makes and owns it, `attach` puts the rules into one that is there.
        required web_acl: WebAcl,
        /// Addresses with a name: who tests, who has to pass, who need not.
        optional networks: ByName<NetworkDocument>,
        /// What routes have in common.
        optional defaults: Defaults,
        /// What is limited. At most ten rules in all, twins included.
        required routes: Vec<Located<RouteDocument>>,
        /// A rule for all requests to the site, whatever their path, behind those of the routes.
        optional site_wide: SiteWideDocument,
        /// Twins of all routes at once: each counts one tester network on any of the routes, for one rule
        /// in place of one a route.
        optional shared_twins: Vec<Located<TwinDocument>>,
        /// Paths that no rule counts, on any route.
        optional never_limited: Vec<Located<NeverLimited>>,
        /// CloudWatch alarms on the rules, or `off`. Default: off.
        optional alarms: AlarmChoice,
        /// Which header holds the client's address, for keys with `forwarded_ip`. Default: the first
        /// address in x-forwarded-for.
        optional forwarded_ip: ForwardedIpDocument,
        /// ARNs of the load balancers and API stages that a regional web ACL stands before.
        optional associations: NonEmpty<ResourceArn>,
        /// Where the web ACL is logged. Default: nowhere.
        optional logging: LoggingDocument,
        /// Whether there is a CloudWatch dashboard of what the rules do. Default: false.
        optional dashboard: Flag,
        /// The way around CloudFront, closed. Default: it is not.
        optional origin_guard: GuardDocument,
        /// Limits of the layers behind AWS WAF. Default: none.
        optional layers: LayersDocument,
        /// Whose permissions are written out as IAM policies: plan, apply, ratewaf. Default: nobody's.
        optional permissions: NonEmpty<PermittedWord>,
        /// What is different elsewhere, by the environment's name.
        optional environments: ByName<EnvironmentDocument>,
    }
}

mapping! {
    /// A named set of addresses.
    NetworkDocument, "a network" {
        /// Addresses and CIDRs, IPv4 and IPv6.
        required cidrs: NonEmpty<Cidr>,
        /// What these addresses are.
        required kind: KindWord,
        /// Last day (UTC) on which they are treated specially, as YYYY-MM-DD. Default: no end.
        optional until: Date,
    }
}

mapping! {
    /// What routes have in common unless they say otherwise.
    Defaults, "`defaults`" {
        /// Evaluation window in seconds. Default: 300.
        optional window: WindowSeconds,
        /// What happens above the limit. Default: block.
        optional action: ActionWord,
        /// The answer to a blocked request.
        optional response: ResponseDocument,
        /// Which spellings of a path count. Default: loose.
        optional spelling: SpellingWord,
        /// What requests are counted by: `ip`, `forwarded_ip`, `path`, `asn`, `{ header: x-api-key }` and
        /// the like, or a list of up to five. Default: ip.
        optional key: KeyChoice,
    }
}

mapping! {
    /// Which header holds the client's address.
    ForwardedIpDocument, "`forwarded_ip`" {
        /// Its name, in lower case. Default: x-forwarded-for.
        optional header: HeaderName,
        /// What a request counts as whose header holds no address: `match`, all of them are one client, or
        /// `no_match`, they are not counted. Default: match.
        optional fallback: FallbackWord,
    }
}

mapping! {
    /// A rule for all requests to the site.
    SiteWideDocument, "`site_wide`" {
        /// Evaluation window in seconds. Default: as in `defaults`.
        optional window: WindowSeconds,
        /// What happens above the limit. Default: as in `defaults`.
        optional action: ActionWord,
        /// Requests per window and client: `auto` takes the limit of the lock, a number pins it.
        /// Default: auto.
        optional limit: LimitChoice,
        /// What requests are counted by. Default: as in `defaults`.
        optional key: KeyChoice,
        /// `weak`: a weak proposal is put to use like a clear one.
        optional accept: AcceptWord,
        /// Rules beside this one, each of which counts one tester network only.
        optional twins: Vec<Located<TwinDocument>>,
    }
}

mapping! {
    /// The answer to a blocked request.
    ResponseDocument, "`response`" {
        /// HTTP status. Default: 429.
        optional status: Status,
        /// Seconds in the Retry-After header, or `off`. Default: the window of `defaults`.
        optional retry_after: RetryAfter,
        /// The body, as JSON text; empty for none. Default: a short JSON message.
        optional body: Body,
        /// Whether a RateLimit-Policy header tells the limit and the window. Default: false.
        optional rate_limit_policy: Flag,
        /// Further headers, by name.
        optional headers: Headers,
    }
}

mapping! {
    /// One thing that is limited.
    RouteDocument, "a route" {
        /// Its name, part of the names of its rules.
        required name: Name,
        /// HTTP methods in capital letters. Default: all.
        optional methods: NonEmpty<Method>,
        /// The Host header. Default: all.
        optional host: Host,
        /// The path, without the query.
        required path: Path,
        /// Which spellings of the path count. Default: as in `defaults`.
        optional spelling: SpellingWord,
        /// Evaluation window in seconds. Default: as in `defaults`.
        optional window: WindowSeconds,
        /// What happens above the limit. Default: as in `defaults`.
        optional action: ActionWord,
        /// Requests per window and client: `auto` takes the limit of the lock, a number pins it.
        /// Default: auto.
        optional limit: LimitChoice,
        /// What requests are counted by. Default: as in `defaults`.
        optional key: KeyChoice,
        /// `weak`: a weak proposal is put to use like a clear one. Without it, it only counts.
        optional accept: AcceptWord,
        /// Rules beside this one, each of which counts one tester network only.
        optional twins: Vec<Located<TwinDocument>>,
        /// Names of routes that may match the same requests as this one. Such a request is counted by
        /// both rules.
        optional overlaps: Vec<Located<Name>>,
    }
}

mapping! {
    /// A rule that counts one tester network only.
    TwinDocument, "a twin" {
        /// A network of kind `tester`.
        required network: Name,
        /// `auto` is the larger of ten times the main limit and twice the busiest peak of the network;
        /// `10x` and the like are multiples of the main limit; a number pins it. Default: auto.
        optional limit: TwinLimit,
    }
}

mapping! {
    /// Requests that no rule counts.
    NeverLimited, "a `never_limited` entry" {
        /// Its name, for comments.
        required name: Name,
        /// The path, without the query.
        required path: Path,
        /// Which spellings of the path count. Default: as in `defaults`.
        optional spelling: SpellingWord,
    }
}

mapping! {
    /// CloudWatch alarms, one for each rule.
    AlarmSettings, "`alarms`" {
        /// The SNS topic that is told. Default: a topic is made.
        optional topic_arn: Arn,
        /// Which rules have one: `blocked`, all of them, on what they block, or count while they only
        /// count; `counted`, those that only count. Default: blocked.
        optional on: AlarmWord,
        /// The alarm fires above this number of requests in five minutes. Default: 0.
        optional threshold: Threshold,
        /// A second rule before each main rule, with a higher limit, which the alarm looks at in place of
        /// the main one: `2x` and the like, or a number. It takes a rule of its own.
        optional second_limit: SecondLimit,
        /// Last day (UTC) on which the alarms tell nobody, as YYYY-MM-DD; with `reason`.
        optional off_until: Date,
        /// Why they tell nobody until then.
        optional reason: Sentence,
    }
}

mapping! {
    /// What is different in one environment; everything else stays.
    EnvironmentDocument, "an environment" {
        /// Another prefix of names: two environments in one account need it.
        optional name: Name,
        /// Another web ACL.
        optional web_acl: WebAcl,
        /// Other alarms.
        optional alarms: AlarmChoice,
        /// Another pricing plan.
        optional pricing_plan: PricingPlan,
        /// Another action for every rule.
        optional action: ActionWord,
        /// Other limits, by route.
        optional limits: ByName<LimitChoice>,
        /// Other networks, and further ones, by name.
        optional networks: ByName<NetworkDocument>,
        /// Other load balancers and API stages.
        optional associations: NonEmpty<ResourceArn>,
        /// Another log, or `off`.
        optional logging: LogChoice,
        /// Whether there is a dashboard.
        optional dashboard: Flag,
        /// Another guard of the origin.
        optional origin_guard: GuardDocument,
    }
}

one_key! {
    /// Which paths are meant: one of exactly, starts_with, ends_with, contains and regex.
    Path(PathPattern), "a path", "the path as text", {
        "exactly" => PathPattern::Exactly,
        "starts_with" => PathPattern::StartsWith,
        "ends_with" => PathPattern::EndsWith,
        "contains" => PathPattern::Contains,
        "regex" => PathPattern::Regex,
    }
}

mapping! {
    /// A web ACL by its name: create it, or attach the rules to one that is there.
    WebAclDocument, "`web_acl`" {
        /// The name of the web ACL that is made and owned here.
        optional create: WebAclName,
        /// The name of somebody else's web ACL that the rules join.
        optional attach: WebAclName,
        /// How the rules join it: as a rule group of ours that one rule refers to, or as one rule each.
        /// Default: rule_group, on a flat-rate plan rules.
        optional form: AttachedWord,
        /// The priority of our first rule in somebody else's web ACL. Default: 10.
        optional priority: Priority,
    }
}

words! {
    /// How rules join somebody else's web ACL.
    AttachedWord, "form" {
        /// A rule group, and one rule that refers to it.
        RuleGroup = "rule_group",
        /// One rule each.
        Rules = "rules",
    }
}

words! {
    /// Where the web ACL lives: in front of CloudFront, or of something in one AWS Region.
    ScopeWord, "scope" {
        /// In front of CloudFront.
        CloudFront = "cloudfront",
        /// In front of an ALB or API Gateway.
        Regional = "regional",
    }
}

words! {
    /// How CloudFront is paid: as you go, or by a flat-rate plan.
    PricingPlan, "pricing plan" {
        /// Pay as you go.
        Payg = "payg",
        /// Flat rate, Free.
        Free = "free",
        /// Flat rate, Pro.
        Pro = "pro",
        /// Flat rate, Business.
        Business = "business",
        /// Flat rate, Premium.
        Premium = "premium",
    }
}

words! {
    /// tester: left out of the evidence and of the main rules; known-good: has to pass; known-bad: need
    /// not pass.
    KindWord, "kind of network" {
        /// A test runner.
        Tester = "tester",
        /// Has to pass.
        KnownGood = "known-good",
        /// Need not pass.
        KnownBad = "known-bad",
    }
}

words! {
    /// What happens to requests above a limit.
    ActionWord, "action" {
        /// Let through and counted.
        Count = "count",
        /// Answered by `response`.
        Block = "block",
        /// A silent browser challenge; nothing but a browser passes it.
        Challenge = "challenge",
        /// A CAPTCHA; nothing but a person passes it.
        Captcha = "captcha",
    }
}

words! {
    /// loose: other cases, escapes, double slashes and a slash at the end count as the same path;
    /// strict: other cases only.
    SpellingWord, "spelling" {
        /// No spelling slips by.
        Loose = "loose",
        /// Other cases only.
        Strict = "strict",
    }
}

words! {
    /// Which rules have an alarm.
    AlarmWord, "alarm" {
        /// All, on what they block, or count while they only count.
        Blocked = "blocked",
        /// Those that only count.
        Counted = "counted",
    }
}

words! {
    /// What a request counts as whose header holds no address.
    FallbackWord, "fallback" {
        /// All of them are one client.
        Match = "match",
        /// They are not counted.
        NoMatch = "no_match",
    }
}

words! {
    /// Which proposals are put to use although they are not clear.
    AcceptWord, "grade" {
        /// Weak ones.
        Weak = "weak",
    }
}
