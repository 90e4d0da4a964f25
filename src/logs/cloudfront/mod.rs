//! CloudFront's own formats beside the tab-separated one of [`standard`](super::standard).

pub(super) mod json;
