//! All checks, one file each.

mod alarm_elsewhere;
mod alarm_metric_follows_action;
mod alarm_missing_data;
mod alarm_never_fires;
mod alarm_on_lower_limit;
mod alarm_region;
mod alarm_rule_dimension;
mod alarm_topic_policy;
mod alarm_web_acl_dimension;
mod alarm_without_action;
mod block_on_weak_evidence;
mod block_without_429;
mod block_without_count;
mod block_without_retry_after;
mod change_resets_counters;
mod counting_too_long;
mod evidence_expired;
mod group_only_counts;
mod group_override_unknown;
mod limit_above_abuser;
mod limit_below_normal;
mod limit_not_for_window;
mod limit_range;
mod metric_name_twice;
mod metrics_off;
mod rate_rule_without_alarm;

use super::check::Check;

/// All checks, by id.
pub const CHECKS: &[&dyn Check] = &[
    &alarm_elsewhere::AlarmElsewhere,
    &alarm_metric_follows_action::AlarmMetricFollowsAction,
    &alarm_missing_data::AlarmMissingData,
    &alarm_never_fires::AlarmNeverFires,
    &alarm_on_lower_limit::AlarmOnLowerLimit,
    &alarm_region::AlarmRegion,
    &alarm_rule_dimension::AlarmRuleDimension,
    &alarm_topic_policy::AlarmTopicPolicy,
    &alarm_web_acl_dimension::AlarmWebAclDimension,
    &alarm_without_action::AlarmWithoutAction,
    &block_on_weak_evidence::BlockOnWeakEvidence,
    &block_without_429::BlockWithout429,
    &block_without_count::BlockWithoutCount,
    &block_without_retry_after::BlockWithoutRetryAfter,
    &change_resets_counters::ChangeResetsCounters,
    &counting_too_long::CountingTooLong,
    &evidence_expired::EvidenceExpired,
    &group_only_counts::GroupOnlyCounts,
    &group_override_unknown::GroupOverrideUnknown,
    &limit_above_abuser::LimitAboveAbuser,
    &limit_below_normal::LimitBelowNormal,
    &limit_not_for_window::LimitNotForWindow,
    &limit_range::LimitRange,
    &metric_name_twice::MetricNameTwice,
    &metrics_off::MetricsOff,
    &rate_rule_without_alarm::RateRuleWithoutAlarm,
];
