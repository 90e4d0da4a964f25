//! Which groups are worth a rule at all, by method and path.

use super::Advice;
use crate::counts::GroupKey;

const HEALTH: [&str; 14] = [
    "health",
    "healthz",
    "healthcheck",
    "health-check",
    "_health",
    "livez",
    "live",
    "readyz",
    "ready",
    "ping",
    "heartbeat",
    "alive",
    "status",
    "up",
];

const HOOKS: [&str; 6] = ["webhook", "webhooks", "hook", "hooks", "ipn", "callbacks"];

/// A webhook's sender is one machine that has to pass and cannot slow down; a health check's is a
/// load balancer or a monitor; assets come from the cache. A limit on either does harm or nothing.
pub(super) fn advice(key: &GroupKey) -> Advice {
    if key.is_asset() {
        return Advice::StaticAsset;
    }
    let title = key.path_title();
    let mut segments = title.split('/').filter(|segment| !segment.is_empty());
    let posts = matches!(key.method, "POST" | "PUT");
    if posts
        && segments.clone().any(|segment| HOOKS.contains(&segment) || segment.ends_with("-webhook"))
    {
        return Advice::Webhook;
    }
    let reads = matches!(key.method, "GET" | "HEAD");
    if reads && segments.next_back().is_some_and(|segment| HEALTH.contains(&segment)) {
        return Advice::HealthCheck;
    }
    Advice::Look
}
