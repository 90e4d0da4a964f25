//! Which groups are worth a rule at all, by method and path.

use super::Advice;
use crate::counts::GroupKey;
use crate::rules::Purpose;

/// A webhook's sender is one machine that has to pass and cannot slow down; a health check's is a
/// load balancer or a monitor; assets come from the cache. A limit on either does harm or nothing.
pub(super) fn advice(key: &GroupKey) -> Advice {
    if key.is_asset() {
        return Advice::StaticAsset;
    }
    match Purpose::of(&[key.method], &key.path_title()) {
        Purpose::Webhook => Advice::Webhook,
        Purpose::HealthCheck => Advice::HealthCheck,
        Purpose::Credentials | Purpose::Change | Purpose::Read => Advice::Look,
    }
}
