//! JSON past the types of the SDK: the body that is signed and sent is ours, byte for byte, and the one that
//! came is kept as it came.

use std::sync::{Arc, Mutex, PoisonError};

use aws_sdk_wafv2::config::interceptors::{
    AfterDeserializationInterceptorContextRef, BeforeTransmitInterceptorContextMut,
};
use aws_sdk_wafv2::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_wafv2::error::{BoxError, ProvideErrorMetadata, SdkError};

use super::error::{Error, Said};

/// One call.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    send: Arc<str>,
    came: Arc<Mutex<Option<String>>>,
}

impl Wire {
    pub(super) fn new(send: impl Into<Arc<str>>) -> Self {
        Self { send: send.into(), came: Arc::default() }
    }

    /// What came, or what went wrong. An answer that the types cannot take is an answer all the same.
    pub(super) fn outcome<T, E>(
        &self,
        sent: Result<T, SdkError<E>>,
        action: &'static str,
        resource: &str,
    ) -> Result<String, Error>
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        let came = self.came.lock().unwrap_or_else(PoisonError::into_inner).take();
        match sent {
            Ok(_) => Ok(came.unwrap_or_default()),
            Err(error) => {
                match (error.raw_response().map(|answer| answer.status().is_success()), came) {
                    (Some(true), Some(came)) => Ok(came),
                    _ => Err(Error::of(Said::of(&error), action, resource)),
                }
            }
        }
    }
}

impl Intercept for Wire {
    fn name(&self) -> &'static str {
        "Wire"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request_mut();
        request.headers_mut().insert("content-length", self.send.len().to_string());
        *request.body_mut() = self.send.as_bytes().to_vec().into();
        Ok(())
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let text =
            context.response().body().bytes().and_then(|bytes| std::str::from_utf8(bytes).ok());
        *self.came.lock().unwrap_or_else(PoisonError::into_inner) = text.map(str::to_owned);
        Ok(())
    }
}

/// Calls an operation of WAF with a body of JSON; gives the JSON that came.
macro_rules! call {
    ($account:expr, $operation:ident, $action:literal, $resource:expr, $body:expr) => {{
        let wire = $crate::cloud::live::wire::Wire::new($body);
        let sent = $account
            .runtime
            .block_on($account.waf.$operation().customize().interceptor(wire.clone()).send());
        wire.outcome(sent, $action, $resource)
    }};
}
pub(super) use call;
