//! All checks, one file each.

mod alarm_region;
mod limit_range;

use super::check::Check;

/// All checks, by id.
pub const CHECKS: &[&dyn Check] = &[&alarm_region::AlarmRegion, &limit_range::LimitRange];
