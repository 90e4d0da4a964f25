//! How much of an answer is kept in memory. Whoever stands behind an endpoint may send for ever.

use aws_sdk_s3::primitives::SdkBody;
use aws_sdk_wafv2::config::interceptors::BeforeDeserializationInterceptorContextMut;
use aws_sdk_wafv2::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_wafv2::error::BoxError;
use http_body_util::Limited;

/// No answer of the APIs that are asked is as large as this: a page of a listing has a thousand keys of a
/// kilobyte each, a web ACL a hundred rules.
const MOST_BYTES: usize = 16 << 20;

/// Gives up on an answer that is larger. Objects of S3 are not kept in memory and have their own bound, the
/// size that the listing said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded {
    /// Whether answers that are no errors stream.
    pub(super) streams: bool,
}

impl Intercept for Bounded {
    fn name(&self) -> &'static str {
        "Bounded"
    }

    fn modify_before_deserialization(
        &self,
        context: &mut BeforeDeserializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let answer = context.response_mut();
        if self.streams && answer.status().is_success() {
            return Ok(());
        }
        let body = std::mem::replace(answer.body_mut(), SdkBody::taken());
        *answer.body_mut() = SdkBody::from_body_1_x(Limited::new(body, MOST_BYTES));
        Ok(())
    }
}
