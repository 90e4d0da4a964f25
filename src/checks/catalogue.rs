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
mod capacity;
mod change_resets_counters;
mod cloudfront_association;
mod cloudfront_region;
mod counting_too_long;
mod country_unknown;
mod custom_response;
mod edge_function;
mod environments_differ;
mod evidence_expired;
mod exempt_one_family;
mod exemption_expired;
mod exemption_too_wide;
mod forwarded_ip_fallback;
mod forwarded_ip_forged;
mod group_only_counts;
mod group_override_unknown;
mod hidden_by_allow;
mod ip_set_address;
mod json_hides_drift;
mod json_member_unknown;
mod key_left_out;
mod key_per_path;
mod key_shared;
mod layer_never_acts;
mod layers_differ;
mod limit_above_abuser;
mod limit_below_normal;
mod limit_not_for_window;
mod limit_range;
mod limit_removed;
mod logging_absent;
mod logging_destination;
mod logging_drops_evidence;
mod logging_redacts_evidence;
mod match_never;
mod member_unknown;
mod metric_name_twice;
mod metrics_off;
mod nested_too_deep;
mod origin_reachable;
mod path_anchored;
mod path_case;
mod path_not_decoded;
mod path_not_normalized;
mod pricing_plan;
mod priority_twice;
mod rate_key_shape;
mod rate_rule_never_acts;
mod rate_rule_without_alarm;
mod rate_rules_quota;
mod reference_undeclared;
mod regional_behind_cloudfront;
mod replica_without_stream;
mod resource_type_unknown;
mod route_not_limited;
mod rule_action_shape;
mod rule_name_twice;
mod rule_resource_undone;
mod samples_off;
mod scope_unknown;
mod scope_widened;
mod secret_beside_limits;
mod secret_in_clear;
mod site_wide_counts_machines;
mod statement_shape;
mod tester_counted;
mod trailing_slash;
mod transformations_out_of_order;
mod twin_limit_too_low;
mod twin_overlap;
mod web_acl_absent;
mod web_acl_unattached;
mod window_not_offered;

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
    &capacity::Capacity,
    &change_resets_counters::ChangeResetsCounters,
    &cloudfront_association::CloudfrontAssociation,
    &cloudfront_region::CloudfrontRegion,
    &counting_too_long::CountingTooLong,
    &country_unknown::CountryUnknown,
    &custom_response::CustomResponse,
    &edge_function::EdgeFunction,
    &environments_differ::EnvironmentsDiffer,
    &evidence_expired::EvidenceExpired,
    &exempt_one_family::ExemptOneFamily,
    &exemption_expired::ExemptionExpired,
    &exemption_too_wide::ExemptionTooWide,
    &forwarded_ip_fallback::ForwardedIpFallback,
    &forwarded_ip_forged::ForwardedIpForged,
    &group_only_counts::GroupOnlyCounts,
    &group_override_unknown::GroupOverrideUnknown,
    &hidden_by_allow::HiddenByAllow,
    &ip_set_address::IpSetAddress,
    &json_hides_drift::JsonHidesDrift,
    &json_member_unknown::JsonMemberUnknown,
    &key_left_out::KeyLeftOut,
    &key_per_path::KeyPerPath,
    &key_shared::KeyShared,
    &layer_never_acts::LayerNeverActs,
    &layers_differ::LayersDiffer,
    &limit_above_abuser::LimitAboveAbuser,
    &limit_below_normal::LimitBelowNormal,
    &limit_not_for_window::LimitNotForWindow,
    &limit_range::LimitRange,
    &limit_removed::LimitRemoved,
    &logging_absent::LoggingAbsent,
    &logging_destination::LoggingDestination,
    &logging_drops_evidence::LoggingDropsEvidence,
    &logging_redacts_evidence::LoggingRedactsEvidence,
    &match_never::MatchNever,
    &member_unknown::MemberUnknown,
    &metric_name_twice::MetricNameTwice,
    &metrics_off::MetricsOff,
    &nested_too_deep::NestedTooDeep,
    &origin_reachable::OriginReachable,
    &path_anchored::PathAnchored,
    &path_case::PathCase,
    &path_not_decoded::PathNotDecoded,
    &path_not_normalized::PathNotNormalized,
    &pricing_plan::PricingPlan,
    &priority_twice::PriorityTwice,
    &rate_key_shape::RateKeyShape,
    &rate_rule_never_acts::RateRuleNeverActs,
    &rate_rule_without_alarm::RateRuleWithoutAlarm,
    &rate_rules_quota::RateRulesQuota,
    &reference_undeclared::ReferenceUndeclared,
    &regional_behind_cloudfront::RegionalBehindCloudfront,
    &replica_without_stream::ReplicaWithoutStream,
    &resource_type_unknown::ResourceTypeUnknown,
    &route_not_limited::RouteNotLimited,
    &rule_action_shape::RuleActionShape,
    &rule_name_twice::RuleNameTwice,
    &rule_resource_undone::RuleResourceUndone,
    &samples_off::SamplesOff,
    &scope_unknown::ScopeUnknown,
    &scope_widened::ScopeWidened,
    &secret_beside_limits::SecretBesideLimits,
    &secret_in_clear::SecretInClear,
    &site_wide_counts_machines::SiteWideCountsMachines,
    &statement_shape::StatementShape,
    &tester_counted::TesterCounted,
    &trailing_slash::TrailingSlash,
    &transformations_out_of_order::TransformationsOutOfOrder,
    &twin_limit_too_low::TwinLimitTooLow,
    &twin_overlap::TwinOverlap,
    &web_acl_absent::WebAclAbsent,
    &web_acl_unattached::WebAclUnattached,
    &window_not_offered::WindowNotOffered,
];
