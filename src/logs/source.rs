//! What wrote a log: requests that two of them tell of are the same requests, told twice.

/// The service and delivery behind a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// CloudFront standard logs (legacy).
    #[default]
    Standard,
    /// CloudFront standard logs v2, as text: w3c, plain or raw.
    StandardV2,
    /// CloudFront standard logs v2, as JSON.
    StandardV2Json,
    /// CloudFront standard logs v2, as Parquet.
    StandardV2Parquet,
    /// CloudFront real-time logs.
    RealTime,
    /// AWS WAF logs.
    Waf,
    /// Access logs of an Application Load Balancer.
    Alb,
    /// Access logs of a web server.
    WebServer,
    /// Access logs of an API Gateway.
    Gateway,
}

impl Source {
    /// All of them, in the order of their declaration.
    pub const ALL: [Self; 9] = [
        Self::Standard,
        Self::StandardV2,
        Self::StandardV2Json,
        Self::StandardV2Parquet,
        Self::RealTime,
        Self::Waf,
        Self::Alb,
        Self::WebServer,
        Self::Gateway,
    ];

    /// In words, in the plural.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "CloudFront standard logs (legacy)",
            Self::StandardV2 => "CloudFront standard logs v2",
            Self::StandardV2Json => "CloudFront standard logs v2 in JSON",
            Self::StandardV2Parquet => "CloudFront standard logs v2 in Parquet",
            Self::RealTime => "CloudFront real-time logs",
            Self::Waf => "AWS WAF logs",
            Self::Alb => "load balancer access logs",
            Self::WebServer => "web server access logs",
            Self::Gateway => "API Gateway access logs",
        }
    }
}
