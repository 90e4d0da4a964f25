//! What AWS refuses, by its type, in words, with a way out.

use aws_sdk_wafv2::error::{ProvideErrorMetadata, SdkError};
use serde_json::Value as Json;

use super::pace::ATTEMPTS;
use crate::changes::Refusal;
use crate::cloud::connection::causes;
use crate::units::plain;

/// Why it does not work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No credentials, or nothing to run on.
    #[error(transparent)]
    Cloud(#[from] crate::cloud::Error),
    /// The live web ACL is not one that can be written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Nobody answers.
    #[error("cannot reach AWS for {action}: {reason}")]
    Network {
        /// The call.
        action: &'static str,
        /// What happened.
        reason: String,
    },
    /// AWS said no.
    #[error("{}", said.in_words(action, resource))]
    Said {
        /// The call, as in IAM.
        action: &'static str,
        /// On what.
        resource: String,
        /// What AWS said.
        said: Box<Said>,
    },
    /// What has to be done now is not what was agreed to.
    #[error("the web ACL was changed meanwhile, and this is not what was agreed to: {0}")]
    Departed(String),
    /// Somebody else keeps writing.
    #[error("somebody else keeps changing the web ACL: {0} attempts met a newer version each")]
    Contested(u32),
    /// An answer that cannot be read.
    #[error("what AWS answered to {action} cannot be read: {reason}")]
    Answer {
        /// The call.
        action: &'static str,
        /// Why.
        reason: String,
    },
    /// The undo file cannot be written.
    #[error(transparent)]
    Undo(#[from] crate::fs::Error),
    /// Stopped from outside.
    #[error("stopped after {0}; run it again to finish")]
    Stopped(String),
}

/// What AWS said.
#[derive(Clone, Debug, Default)]
pub struct Said {
    status: u16,
    /// The type of the error.
    code: String,
    message: String,
    body: Json,
}

impl Said {
    pub(super) fn of<E>(error: &SdkError<E>) -> Self
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        let Some(answer) = error.raw_response() else {
            return Self { message: causes(error), ..Self::default() };
        };
        let status = answer.status().as_u16();
        let code = error.code().map_or_else(|| format!("HTTP {status}"), str::to_owned);
        let code = code.rsplit('#').next().unwrap_or_default().to_owned();
        let body = answer.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok());
        let message = error.message().unwrap_or("without a reason").to_owned();
        Self { status, code, message, body: body.unwrap_or_default() }
    }

    fn text(&self, name: &str) -> String {
        plain(self.body.get(name).and_then(Json::as_str).unwrap_or_default()).into_owned()
    }

    fn is_denied(&self) -> bool {
        self.code.starts_with("AccessDenied")
            || matches!(self.code.as_str(), "UnauthorizedOperation" | "NotAuthorized" | "HTTP 403")
    }

    fn is_of_credentials(&self) -> bool {
        matches!(
            self.code.as_str(),
            "ExpiredToken"
                | "ExpiredTokenException"
                | "InvalidClientTokenId"
                | "UnrecognizedClientException"
                | "InvalidSignatureException"
                | "SignatureDoesNotMatch"
                | "IncompleteSignature"
                | "MissingAuthenticationToken"
                | "MissingAuthenticationTokenException"
        )
    }

    fn is_busy(&self) -> bool {
        matches!(
            self.code.as_str(),
            "ThrottlingException"
                | "Throttling"
                | "TooManyRequestsException"
                | "RequestLimitExceeded"
                | "LimitExceededException"
                | "WAFInternalErrorException"
                | "ServiceUnavailable"
        ) || self.status >= 500
            || self.status == 429
    }

    /// Features that the pricing plan does not have.
    fn features(&self) -> String {
        let all = self.body.get("DisallowedFeatures").and_then(Json::as_array);
        let one = |feature: &Json| {
            let text =
                |name| plain(feature.get(name).and_then(Json::as_str).unwrap_or("?")).into_owned();
            format!("{} (from {})", text("Feature"), text("RequiredPricingPlan"))
        };
        all.map(|all| all.iter().map(one).collect::<Vec<_>>().join(", ")).unwrap_or_default()
    }

    /// The action and the resource that the message names, or else those of the call.
    fn missing(&self, action: &str, resource: &str) -> (String, String) {
        let after = |start: &str| {
            let rest = self.message.split_once(start)?.1;
            let word = rest.split_whitespace().next()?;
            Some(plain(word.trim_matches(['"', '\'', ',', '.'])).into_owned())
        };
        (
            after("is not authorized to perform: ").unwrap_or_else(|| action.to_owned()),
            after(" on resource: ").unwrap_or_else(|| plain(resource).into_owned()),
        )
    }

    fn in_words(&self, action: &str, resource: &str) -> String {
        let (code, message, resource_text) =
            (plain(&self.code), plain(&self.message), plain(resource));
        if self.is_denied() {
            let (action, resource) = self.missing(action, resource);
            return format!("AWS denies {action} on {resource}: {message}");
        }
        if self.is_of_credentials() {
            return format!("AWS does not accept the credentials for {action}: {code}: {message}");
        }
        if self.is_busy() {
            return format!(
                "AWS keeps refusing {action} after {ATTEMPTS} attempts: {code}: {message}"
            );
        }
        match self.code.as_str() {
            "WAFInvalidParameterException" => format!(
                "WAF does not take the field {} of {resource_text}: {}: {} ({message})",
                self.text("Field"),
                self.text("Reason"),
                self.text("Parameter"),
            ),
            "WAFFeatureNotIncludedInPricingPlanException" => {
                format!(
                    "the pricing plan of the distribution does not have {}: {message}",
                    self.features()
                )
            }
            "WAFLimitsExceededException" => {
                let of = self.text("SourceType");
                let of = if of.is_empty() { of } else { format!(" of {of}") };
                format!("a quota of WAF{of} is used up at {resource_text}: {message}")
            }
            "WAFUnavailableEntityException" => {
                format!(
                    "something that {resource_text} refers to is not to be seen everywhere yet: {message}"
                )
            }
            "WAFNonexistentItemException" => format!("{resource_text} is not there: {message}"),
            "WAFAssociatedItemException" => format!("{resource_text} is still in use: {message}"),
            "WAFOptimisticLockException" | "PreconditionFailed" | "InvalidIfMatchVersion" => {
                format!("{resource_text} was changed by somebody else meanwhile: {message}")
            }
            _ => format!("AWS refuses {action} on {resource_text}: {code}: {message}"),
        }
    }

    fn hint(&self, action: &str, resource: &str) -> String {
        if self.is_denied() {
            let (action, resource) = self.missing(action, resource);
            return format!(
                "allow {action} on {resource} (`ratewaf emit --format iam` writes a policy with all that is needed), or use another --profile"
            );
        }
        if self.is_of_credentials() {
            return "renew them (`aws sso login`), or use others with --profile; `aws sts get-caller-identity` shows who you are".to_owned();
        }
        if self.is_busy() {
            return "run it again in a few minutes: what is done is not done twice".to_owned();
        }
        match self.code.as_str() {
            "WAFInvalidParameterException" if self.text("Field") == "WEB_ACL" => {
                "capacity may be used up: `ratewaf plan` shows it; leave out a route or a text transformation".to_owned()
            }
            "WAFInvalidParameterException" => {
                "the rule may be one of somebody else's: every write sends them all; if it is one of ours, please report it".to_owned()
            }
            "WAFFeatureNotIncludedInPricingPlanException" => {
                "write the plan as `pricing_plan` into the policy, which then leaves out what it does not have (docs/policy-file.md)".to_owned()
            }
            "WAFLimitsExceededException" => "ask for a higher quota in the Service Quotas console, or remove what is not used".to_owned(),
            "WAFUnavailableEntityException" => "wait a few minutes and run it again: what is done is not done twice".to_owned(),
            "WAFNonexistentItemException" | "NoSuchDistribution" => {
                "check the name, --profile and the scope in the policy; somebody may have removed it".to_owned()
            }
            "WAFDuplicateItemException" => "somebody made one of that name meanwhile: run it again".to_owned(),
            "WAFAssociatedItemException" => "look what refers to it, in the console, and run it again".to_owned(),
            "WAFOptimisticLockException" | "PreconditionFailed" | "InvalidIfMatchVersion" => {
                "run it again: it reads anew and compares anew".to_owned()
            }
            "WAFConfigurationWarningException" => {
                "a rule that looks at bodies, headers or cookies has to say what happens to oversized ones; it is one of somebody else's".to_owned()
            }
            "WAFSubscriptionNotFoundException" => {
                "a managed rule group of somebody else's in this web ACL is not subscribed to any more: renew it in the Marketplace or remove it".to_owned()
            }
            "WAFExpiredManagedRuleGroupVersionException" => {
                "a managed rule group of somebody else's in this web ACL has an expired version: its owner has to choose another one".to_owned()
            }
            "WAFTagOperationException" | "WAFTagOperationInternalErrorException" => {
                "run it again: the tags that tell our rules from others were not written".to_owned()
            }
            "WAFInvalidResourceException" | "WAFInvalidOperationException" => {
                "look at the web ACL in the console; `ratewaf rollback FILE` puts back what was there".to_owned()
            }
            "InvalidWebACLId" => {
                "CloudFront wants to see that you may read the web ACL: allow wafv2:GetWebACL on it".to_owned()
            }
            // AWS's own endpoints know every call that is made here.
            "HTTP 404" | "HTTP 405" | "HTTP 501" => {
                "the endpoint does not know this call; an emulator may lack it".to_owned()
            }
            _ => "AWS's page on this error says more; nothing else was changed".to_owned(),
        }
    }
}

impl Error {
    pub(super) fn of(said: Said, action: &'static str, resource: &str) -> Self {
        if said.status == 0 {
            return Self::Network { action, reason: said.message };
        }
        Self::Said { action, resource: resource.to_owned(), said: Box::new(said) }
    }

    fn code(&self) -> &str {
        match self {
            Self::Said { said, .. } => &said.code,
            _ => "",
        }
    }

    /// Somebody else was faster, or we were, and did not hear of it: read again.
    pub(super) fn is_stale(&self) -> bool {
        matches!(
            self.code(),
            "WAFOptimisticLockException"
                | "WAFDuplicateItemException"
                | "PreconditionFailed"
                | "InvalidIfMatchVersion"
        )
    }

    /// Just made, and not to be seen everywhere.
    pub(super) fn is_unseen(&self) -> bool {
        self.code() == "WAFUnavailableEntityException"
    }

    /// It is not there.
    pub(super) fn is_missing(&self) -> bool {
        matches!(
            self.code(),
            "WAFNonexistentItemException" | "ResourceNotFound" | "ResourceNotFoundException"
        )
    }

    /// The account may not do that.
    pub(super) fn is_denied(&self) -> bool {
        matches!(self, Self::Said { said, .. } if said.is_denied())
    }

    /// Still referred to, perhaps only in places that have not heard yet.
    pub(super) fn is_in_use(&self) -> bool {
        self.code() == "WAFAssociatedItemException"
    }

    /// AWS has no such figures for the rule: by its key, or because it is not there yet.
    pub(super) fn is_unsupported(&self) -> bool {
        self.code() == "WAFUnsupportedAggregateKeyTypeException" || self.is_missing()
    }

    /// A call that a plan can do without: it was refused for no fault of the rules.
    pub(super) fn is_of_the_call(&self) -> bool {
        match self {
            Self::Said { said, .. } => {
                said.is_denied()
                    || said.is_busy()
                    || said.code.starts_with("HTTP ")
                    || self.is_unseen()
                    || self.is_missing()
            }
            Self::Network { .. } | Self::Answer { .. } => true,
            _ => false,
        }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Cloud(error) => return error.hint(),
            Self::Refused(refusal) => refusal.hint(),
            Self::Said { action, resource, said } => said.hint(action, resource),
            Self::Network { .. } => {
                "check the network, HTTPS_PROXY, --region and --endpoint-url, and run it again: what is done is not done twice".to_owned()
            }
            Self::Departed(_) => "look at `ratewaf plan` and decide anew".to_owned(),
            Self::Contested(_) => {
                "find out who: CloudTrail has UpdateWebACL with names; run it again when they are done".to_owned()
            }
            Self::Answer { .. } => "update ratewaf; with --endpoint-url, check what answers there".to_owned(),
            Self::Undo(_) => "name another place with --undo: nothing was written to AWS".to_owned(),
            Self::Stopped(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests;
