//! Requests to try statements on.

use std::net::{IpAddr, Ipv4Addr};

use crate::rules::{PathPattern, Route};
use crate::wafv2::Request;

/// A request to try statements on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The Host header.
    pub host: String,
    /// The client.
    pub address: IpAddr,
}

impl Sample {
    /// A request from an address that is in no network of anybody's (192.0.2.0/24 is for documentation).
    #[must_use]
    pub fn new(method: &str, path: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            host: "www.example.com".to_owned(),
            address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 254)),
        }
    }

    /// As the evaluator takes it.
    #[must_use]
    pub fn as_request(&self) -> Request<'_> {
        Request {
            method: self.method.as_bytes(),
            path: self.path.as_bytes(),
            host: Some(self.host.as_bytes()),
            address: self.address,
            forwarded: None,
        }
    }
}

/// A request that a route is about; `None` for an expression, as nothing tells what it matches.
#[must_use]
pub fn sample(route: &Route) -> Option<Sample> {
    let path = match &route.path {
        PathPattern::Exactly(path) | PathPattern::StartsWith(path) => path.clone(),
        PathPattern::EndsWith(end) | PathPattern::Contains(end) if end.starts_with('/') => {
            end.clone()
        }
        PathPattern::EndsWith(end) | PathPattern::Contains(end) => format!("/{end}"),
        PathPattern::Regex(_) => return None,
    };
    let method = route.methods.first().map_or("GET", String::as_str);
    let mut sample = Sample::new(method, &path);
    if let Some(host) = &route.host {
        sample.host.clone_from(host);
    }
    Some(sample)
}
