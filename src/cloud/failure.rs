//! What the SDK reports, put into our words: whose fault it is, and whether another attempt makes sense.

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};

use super::connection::{arn, causes};
use super::error::Error;
use super::location::url;

/// What was asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) bucket: &'a str,
    /// The object's key; for a listing, the prefix.
    pub(super) key: &'a str,
    pub(super) listing: bool,
    /// The region whose S3 was asked.
    pub(super) region: &'a str,
}

/// A refused or unanswered request.
#[derive(Debug)]
pub(super) struct Failure {
    /// 0 without an answer.
    status: u16,
    code: String,
    said: String,
    /// The region that the answer names.
    pub(super) region: Option<String>,
}

impl Failure {
    pub(super) fn of<E>(error: &SdkError<E>) -> Self
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        let Some(answer) = error.raw_response() else {
            let said = causes(error);
            return Self { status: 0, code: String::new(), said, region: None };
        };
        let status = answer.status().as_u16();
        let code = error.code().map_or_else(|| format!("HTTP {status}"), str::to_owned);
        let said = error.message().unwrap_or("without a reason").to_owned();
        let body = answer.body().bytes().map(String::from_utf8_lossy).unwrap_or_default();
        let region = answer
            .headers()
            .get("x-amz-bucket-region")
            .or_else(|| body.split_once("<Region>")?.1.split_once("</Region>").map(|it| it.0))
            .map(str::to_owned);
        Self { status, code, said, region }
    }

    /// Whether the bucket lies in another region than the one asked.
    pub(super) fn is_of_region(&self) -> bool {
        matches!(
            self.code.as_str(),
            "PermanentRedirect"
                | "AuthorizationHeaderMalformed"
                | "IllegalLocationConstraintException"
        ) || self.status == 301
    }

    /// The object is another one than the one listed.
    pub(super) fn is_changed(&self) -> bool {
        self.status == 412
    }

    /// Whether the same may go well later; the SDK has tried it a few times already.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self.status, 429 | 500 | 502 | 503 | 504)
            || matches!(self.code.as_str(), "SlowDown" | "RequestTimeout" | "InternalError")
    }

    pub(super) fn in_words(&self) -> String {
        format!("{}: {}", self.code, self.said)
    }

    pub(super) fn into_error(self, asked: Asked<'_>, attempts: u32) -> Error {
        let what = url(asked.bucket, asked.key);
        if self.status == 0 {
            return Error::Network { what, reason: self.said };
        }
        if self.is_passing() {
            return Error::Busy { what, attempts, said: self.in_words() };
        }
        if self.is_of_region() {
            let (bucket, asked) = (asked.bucket.to_owned(), asked.region.to_owned());
            return Error::Region { bucket, asked, actual: self.region };
        }
        let Self { status, code, said, .. } = self;
        match code.as_str() {
            "NoSuchBucket" => Error::NoBucket(asked.bucket.to_owned()),
            "NoSuchKey" => Error::Vanished { what },
            "InvalidObjectState" => Error::Archived {
                what,
                bucket: asked.bucket.to_owned(),
                key: asked.key.to_owned(),
                class: None,
            },
            "ExpiredToken"
            | "InvalidAccessKeyId"
            | "InvalidToken"
            | "SignatureDoesNotMatch"
            | "TokenRefreshRequired"
            | "RequestTimeTooSkewed"
            | "RequestExpired" => Error::Credentials { what, code, said },
            _ if code.starts_with("KMS.") || said.to_ascii_lowercase().contains("kms:decrypt") => {
                Error::Key { what, said }
            }
            "AccessDenied" | "AllAccessDisabled" | "AccountProblem" | "Forbidden" => {
                denied(asked, said)
            }
            _ if status == 403 => denied(asked, format!("{code}: {said}")),
            _ if status == 404 && !asked.listing => Error::Vanished { what },
            _ => Error::Service { what, code, said },
        }
    }
}

fn denied(asked: Asked<'_>, said: String) -> Error {
    let bucket = arn(asked.region, asked.bucket);
    if asked.listing {
        Error::Denied { action: "s3:ListBucket", resource: bucket, said }
    } else {
        Error::Denied { action: "s3:GetObject", resource: format!("{bucket}/{}", asked.key), said }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(status: u16, code: &str, said: &str, listing: bool) -> Error {
        let asked = Asked { bucket: "logs", key: "cf/a.gz", listing, region: "us-east-1" };
        let (code, said) = (code.to_owned(), said.to_owned());
        Failure { status, code, said, region: None }.into_error(asked, 4)
    }

    #[test]
    fn what_aws_says_becomes_what_to_do() {
        for (status, code, said, listing, message, hint) in [
            (
                403,
                "AccessDenied",
                "no",
                true,
                "s3:ListBucket on arn:aws:s3:::logs: no",
                "allow s3:ListBucket",
            ),
            (
                403,
                "AccessDenied",
                "no",
                false,
                "s3:GetObject on arn:aws:s3:::logs/cf/a.gz",
                "--request-payer",
            ),
            (
                403,
                "AccessDenied",
                "User x is not authorized to perform: kms:Decrypt on y",
                false,
                "kms:Decrypt",
                "key policy",
            ),
            (400, "KMS.DisabledException", "key is disabled", false, "kms:Decrypt", "key policy"),
            (
                403,
                "InvalidObjectState",
                "",
                false,
                "is archived",
                "restore-object --bucket logs --key 'cf/a.gz'",
            ),
            (404, "NoSuchKey", "", false, "is gone now", "lifecycle"),
            (404, "NoSuchBucket", "", true, "no bucket `logs`", "check the name"),
            (400, "ExpiredToken", "expired", true, "ExpiredToken: expired", "aws sso login"),
            (403, "RequestTimeTooSkewed", "late", true, "RequestTimeTooSkewed", "renew"),
            (301, "PermanentRedirect", "", true, "not in the region us-east-1", "--region"),
            (503, "SlowDown", "reduce", false, "after 4 attempts: SlowDown: reduce", "cache"),
            (403, "HTTP 403", "", false, "s3:GetObject", "docs/s3.md"),
        ] {
            let error = error(status, code, said, listing);
            assert!(error.to_string().contains(message), "{code}: {error}");
            let own = error.hint().unwrap_or_default();
            assert!(own.contains(hint), "{code}: {own}");
        }
        assert!(error(400, "InvalidRequest", "odd", true).hint().is_none());
        assert!(error(404, "NoSuchKey", "", false).is_of_one_object());
        assert!(!error(403, "AccessDenied", "", false).is_of_one_object());
    }
}
