//! CloudFront's own formats beside the tab-separated one of [`standard`](super::standard).

pub(super) mod delimited;
pub(super) mod json;
pub(super) mod real_time_config;
pub(super) mod rows;
mod sniff;

#[cfg(test)]
mod tests;
