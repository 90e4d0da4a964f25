//! What can go wrong with a call, and with which.

use std::time::Duration;

use super::call::{Call, Refusal, Service};

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The connection breaks off before anything has happened.
    Before,
    /// It takes effect, and the connection breaks off before the answer.
    After,
    /// Nothing happens, and nothing is answered.
    TimeOut,
    /// It takes effect, and nothing is answered: the moment to kill the client.
    SilentAfter,
    /// `ThrottlingException`.
    Throttle,
    /// Somebody else writes the same thing a moment earlier and changes nothing of it: the lock token
    /// is stale. Does nothing to calls without one.
    StaleToken,
    /// `WAFInternalErrorException` or the service's like of it.
    InternalError,
    /// `WAFUnavailableEntityException`.
    Unavailable,
    /// The caller lacks the permission.
    AccessDenied,
    /// It is answered, but late.
    Delay(Duration),
}

/// Which calls a fault meets.
#[derive(Clone, Debug, PartialEq)]
pub enum On {
    /// The call of that number alone, from 0, since the start or the last [`super::FakeAws::forget`].
    Call(usize),
    /// That call, and every later one that says the same, as a client's retries do.
    CallAndRetries(usize),
    /// The next call of an operation.
    Next(&'static str),
    /// Every call of an operation.
    Every(&'static str),
}

/// The faults that wait for their calls.
#[derive(Debug, Default)]
pub struct Faults {
    waiting: Vec<(On, Fault)>,
    /// Calls that keep failing: what they say.
    lasting: Vec<(String, String, Fault)>,
}

impl Faults {
    pub fn add(&mut self, on: On, fault: Fault) {
        self.waiting.push((on, fault));
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The fault that meets a call of this number.
    pub fn meet(&mut self, number: usize, call: &Call) -> Option<Fault> {
        let same = |(operation, body, _): &&(String, String, Fault)| {
            *operation == call.operation && *body == call.body
        };
        if let Some((_, _, fault)) = self.lasting.iter().find(same) {
            return Some(*fault);
        }
        let place = self.waiting.iter().position(|(on, _)| match on {
            On::Call(wanted) | On::CallAndRetries(wanted) => *wanted == number,
            On::Next(operation) | On::Every(operation) => *operation == call.operation,
        })?;
        let (on, fault) = self.waiting[place].clone();
        match on {
            On::Every(_) => {}
            On::Call(_) | On::Next(_) => drop(self.waiting.remove(place)),
            On::CallAndRetries(_) => {
                self.waiting.remove(place);
                self.lasting.push((call.operation.clone(), call.body.clone(), fault));
            }
        }
        Some(fault)
    }
}

impl Fault {
    /// The answer that a service gives in place of doing anything.
    pub fn refusal(self, call: &Call) -> Option<Refusal> {
        Some(match (self, call.service) {
            (Self::Throttle, Service::Waf | Service::CloudFront | Service::CloudWatch) => {
                Refusal::new(400, "ThrottlingException", "Rate exceeded")
            }
            (Self::Throttle, Service::Sts) => Refusal::new(400, "Throttling", "Rate exceeded"),
            (Self::InternalError, Service::Waf) => Refusal::new(
                500,
                "WAFInternalErrorException",
                "AWS WAF couldn\u{2019}t perform the operation because of a system problem. Retry your request.",
            ),
            (Self::InternalError, Service::CloudWatch) => {
                Refusal::new(500, "InternalServiceFault", "Internal failure")
            }
            (Self::InternalError, Service::CloudFront | Service::Sts) => {
                Refusal::new(500, "InternalFailure", "Internal failure")
            }
            (Self::Unavailable, _) => unavailable(),
            (Self::AccessDenied, service) => {
                let prefix = match service {
                    Service::Waf => "wafv2",
                    Service::CloudWatch => "cloudwatch",
                    Service::CloudFront => "cloudfront",
                    Service::Sts => "sts",
                };
                let code = match service {
                    Service::Waf => "AccessDeniedException",
                    _ => "AccessDenied",
                };
                let status = if service == Service::Waf { 400 } else { 403 };
                let message = format!(
                    "User: arn:aws:iam::123456789012:user/night is not authorized to perform: {prefix}:{} because no identity-based policy allows the {prefix}:{0} action",
                    call.operation
                );
                Refusal::new(status, code, message)
            }
            _ => return None,
        })
    }
}

/// What a thing that was made a moment ago is.
pub fn unavailable() -> Refusal {
    Refusal::new(
        400,
        "WAFUnavailableEntityException",
        "AWS WAF couldn\u{2019}t retrieve the resource that you requested. Retry your request.",
    )
}
