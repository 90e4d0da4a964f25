//! Clients for one account and one region.

use aws_config::sts::AssumeRoleProvider;
use tokio::runtime::Runtime;

use super::error::Error;
use super::pace::Pace;
use crate::cloud::bounded::Bounded;
use crate::cloud::connection::{self, load};

const BOUNDED: Bounded = Bounded { streams: false };

/// Who asks, and where.
#[derive(Clone, Debug, Default)]
pub struct Login {
    /// A profile of `~/.aws/config`.
    pub profile: Option<String>,
    /// An AWS elsewhere.
    pub endpoint_url: Option<String>,
    /// A role to be.
    pub assume_role: Option<String>,
}

/// Clients, and the thread of the async code.
pub struct Account {
    pub(super) runtime: Runtime,
    pub(super) waf: aws_sdk_wafv2::Client,
    pub(super) cloudwatch: aws_sdk_cloudwatch::Client,
    pub(super) cloudfront: aws_sdk_cloudfront::Client,
    pub(super) pace: Pace,
}

impl Account {
    /// Finds credentials. Every call goes to `region`; `what` is for messages.
    ///
    /// # Errors
    /// When there are none.
    pub fn open(login: &Login, region: &str, what: &str) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(crate::cloud::Error::Start)?;
        let options = connection::Options {
            profile: login.profile.clone(),
            region: Some(region.to_owned()),
            endpoint_url: login.endpoint_url.clone(),
            request_payer: false,
        };
        let pace = Pace::new();
        let shared = runtime.block_on(async {
            let (shared, region) = load(&options, what).await?;
            let mut builder =
                shared.to_builder().retry_config(pace.retries()).timeout_config(pace.timeouts());
            if let Some(role) = &login.assume_role {
                let provider = AssumeRoleProvider::builder(role.clone())
                    .session_name("ratewaf")
                    .region(region)
                    .configure(&shared)
                    .build()
                    .await;
                builder = builder.credentials_provider(
                    aws_sdk_wafv2::config::SharedCredentialsProvider::new(provider),
                );
            }
            Ok::<_, crate::cloud::Error>(builder.build())
        })?;
        Ok(Self {
            waf: aws_sdk_wafv2::Client::from_conf(
                aws_sdk_wafv2::config::Builder::from(&shared).interceptor(BOUNDED).build(),
            ),
            cloudwatch: aws_sdk_cloudwatch::Client::from_conf(
                aws_sdk_cloudwatch::config::Builder::from(&shared).interceptor(BOUNDED).build(),
            ),
            cloudfront: aws_sdk_cloudfront::Client::from_conf(
                aws_sdk_cloudfront::config::Builder::from(&shared).interceptor(BOUNDED).build(),
            ),
            runtime,
            pace,
        })
    }
}
