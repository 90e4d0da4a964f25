//! Every AWS limit and price that the program knows, once, with its source.
//!
//! Sources: "API" is the `WAFv2` API reference (the service model of 2019-07-29 as of November 2026),
//! "guide" the AWS WAF developer guide (docs.aws.amazon.com/waf/latest/developerguide).

/// Smallest limit of a rate-based rule (API, `RateLimit`; the floor was 100 until August 2024).
pub const MINIMUM_LIMIT: u32 = 10;
/// Largest limit of a rate-based rule (API, `RateLimit`).
pub const MAXIMUM_LIMIT: u32 = 2_000_000_000;
/// Rate-based rules in one web ACL; cannot be raised (guide, "limits").
pub const RATE_RULES_PER_WEB_ACL: usize = 10;
/// Rate-based rules in one rule group; cannot be raised (guide, "limits").
pub const RATE_RULES_PER_RULE_GROUP: usize = 4;
/// Parts of a custom key (API, `RateBasedStatement`).
pub const CUSTOM_KEYS: usize = 5;
/// Characters of the name of a header, a cookie or a query argument in a custom key (API,
/// `RateLimitHeader`).
pub const CUSTOM_KEY_NAME: usize = 64;
/// Characters of a label namespace in a custom key (API, `LabelNamespace`).
pub const LABEL_NAMESPACE: usize = 1_024;
/// Addresses that one rate-based rule limits at a time, highest rates first
/// (API, `GetRateBasedStatementManagedKeys`).
pub const LIMITED_ADDRESSES_PER_RULE: usize = 10_000;
/// Statements in one web ACL that refer to an IP set, a regex pattern set or a rule group; cannot be
/// raised (guide, "limits").
pub const REFERENCE_STATEMENTS_PER_WEB_ACL: usize = 50;
/// CIDRs in one IP set (guide, "limits").
pub const CIDRS_PER_IP_SET: usize = 10_000;
/// Bytes of the search string of a string match (guide, "limits").
pub const SEARCH_STRING_BYTES: usize = 200;
/// Characters of a regular expression (guide, "limits": 200; the API model allows 512).
pub const REGEX_CHARACTERS: usize = 200;
/// Bytes of one custom response body (guide, "limits": 4 KB; the API model allows 10,240 characters).
pub const RESPONSE_BODY_BYTES: usize = 4_096;
/// Headers of one custom response (guide, "limits").
pub const RESPONSE_HEADERS: usize = 10;
/// Characters of the name of a header of a custom response (API, `CustomHTTPHeader`).
pub const RESPONSE_HEADER_NAME: usize = 64;
/// Characters of the value of a header of a custom response (API, `CustomHTTPHeader`).
pub const RESPONSE_HEADER_VALUE: usize = 255;
/// Bytes of all custom response bodies of a web ACL (guide, "limits").
pub const RESPONSE_BODIES_BYTES: usize = 51_200;
/// Characters of the name of a rule, a web ACL, an IP set or a metric (API, `EntityName`).
pub const NAME_CHARACTERS: usize = 128;
/// Status codes that a custom response may have (guide, "customizing-the-response-status-codes").
pub const RESPONSE_CODES: [u16; 33] = [
    200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409,
    411, 412, 413, 414, 415, 416, 421, 429, 500, 501, 502, 503, 504, 505,
];
/// WCU of a web ACL above which requests cost more (guide, "limits", and the price page).
pub const INCLUDED_WCU: u32 = 1_500;
/// WCU that a web ACL may use (guide, "limits").
pub const WCU_PER_WEB_ACL: u32 = 5_000;
/// Logic levels (`and`, `or`, `not`) in a scope-down statement written as Terraform blocks
/// (internal/service/wafv2/schemas.go of the AWS provider; the API sets no depth).
pub const TERRAFORM_SCOPE_DOWN_LEVELS: usize = 2;
/// Rules that the web ACL of a distribution on a flat-rate plan may have: Free, Pro, Business, Premium
/// (CloudFront guide, "flat-rate-pricing-plan").
pub const RULES_PER_PLAN: [usize; 4] = [5, 25, 50, 75];
/// What the flat-rate plans forbid of what a policy can ask for (CloudFront guide,
/// "flat-rate-pricing-plan").
pub const FORBIDDEN_BY_PLAN: [(&str, &[&str]); 4] = [
    (
        "free",
        &[
            "custom responses: a blocked request is answered 403 without a body",
            "matches on a header: `host`, and keys with a header or a cookie",
            "regular expressions",
            "`challenge` and `captcha`",
            "rule groups: join a web ACL with `form: rules`",
            "more than 5 rules in the web ACL, managed ones included",
        ],
    ),
    (
        "pro",
        &[
            "regular expressions",
            "`challenge`",
            "rule groups: join a web ACL with `form: rules`",
            "more than 25 rules in the web ACL, managed ones included",
        ],
    ),
    (
        "business",
        &[
            "rule groups: join a web ACL with `form: rules`",
            "more than 50 rules in the web ACL, managed ones included",
        ],
    ),
    (
        "premium",
        &[
            "rule groups: join a web ACL with `form: rules`",
            "more than 75 rules in the web ACL, managed ones included",
        ],
    ),
];
