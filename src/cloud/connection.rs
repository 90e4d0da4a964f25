//! Clients of S3: the credential chain of the AWS tools, and the region of each bucket.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use aws_config::environment::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::{ProfileFileCredentialsProvider, ProfileFileRegionProvider};
use aws_config::provider_config::ProviderConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_s3::Client;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{Builder, ProvideCredentials};
use aws_sdk_s3::types::RequestPayer;

use super::bounded::Bounded;
use super::error::Error;
use crate::units::plain;

/// How to speak to S3. What is not given comes from where the AWS tools take it: environment, profile,
/// single sign-on, the machine's role.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A profile of `~/.aws/config`.
    pub profile: Option<String>,
    /// The region of the bucket; found out if not given.
    pub region: Option<String>,
    /// An S3 elsewhere than AWS's own.
    pub endpoint_url: Option<String>,
    /// Whoever reads pays for it.
    pub request_payer: bool,
}

/// CloudFront's home, and the only region that answers for every bucket's whereabouts.
const DEFAULT_REGION: &str = "us-east-1";
/// Attempts of the SDK at one request, with pauses that double; only for what may pass.
const ATTEMPTS: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const CONNECT: Duration = Duration::from_secs(10);
/// Until the first byte of an answer; what follows is watched by the SDK, which gives up on streams that
/// stand still.
const ANSWER: Duration = Duration::from_secs(30);

/// Credentials and settings; a client for each bucket.
pub(super) struct Connection {
    base: aws_sdk_s3::Config,
    pub(super) payer: Option<RequestPayer>,
    /// Tells buckets of the same name at different places apart.
    pub(super) place: String,
    region: String,
    moved: Mutex<BTreeMap<String, (String, Client)>>,
    home: Client,
}

impl Connection {
    /// Finds credentials and region. `what` is to be read with them, for messages.
    pub(super) async fn open(options: &Options, what: &str) -> Result<Self, Error> {
        let (shared, region) = load(options, what).await?;
        let own_place = shared.endpoint_url().map(str::to_owned).or_else(|| {
            // Read by the SDK when a client is made, and not to be seen from here.
            std::env::var("AWS_ENDPOINT_URL_S3").ok().filter(|url| !url.is_empty())
        });
        // Other stores than AWS's own rarely have a host name for each bucket.
        let base = Builder::from(&shared)
            .force_path_style(own_place.is_some())
            .interceptor(Bounded { streams: true })
            .build();
        Ok(Self {
            home: Client::from_conf(base.clone()),
            base,
            payer: options.request_payer.then_some(RequestPayer::Requester),
            place: own_place.unwrap_or_default(),
            region: region.to_string(),
            moved: Mutex::default(),
        })
    }

    /// The client for a bucket, with the region that it asks.
    pub(super) fn client(&self, bucket: &str) -> (Client, String) {
        let moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        match moved.get(bucket) {
            Some((region, client)) => (client.clone(), region.clone()),
            None => (self.home.clone(), self.region.clone()),
        }
    }

    /// From now on the bucket is looked for in that region. `false` if it was there already.
    pub(super) fn follow(&self, bucket: &str, region: &str) -> bool {
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        let known = moved.get(bucket).map_or(&self.region, |(region, _)| region);
        if known == region || !is_region(region) {
            return false;
        }
        let config = self.base.to_builder().region(Region::new(region.to_owned())).build();
        moved.insert(bucket.to_owned(), (region.to_owned(), Client::from_conf(config)));
        true
    }
}

/// Credentials, region and manners, as the AWS tools would find them. `what` is for messages.
pub(super) async fn load(options: &Options, what: &str) -> Result<(SdkConfig, Region), Error> {
    if options.endpoint_url.is_none() && !is_elsewhere() && !has_roots() {
        return Err(Error::NoRoots(what.to_owned()));
    }
    let given = options.region.clone().map(Region::new);
    // The default chain looks into the default profile, not into the one that is named here.
    let mut chain =
        RegionProviderChain::first_try(given).or_else(EnvironmentVariableRegionProvider::new());
    if let Some(profile) = &options.profile {
        let provider = ProfileFileRegionProvider::builder().profile_name(profile).build();
        chain = chain.or_else(provider);
    }
    let chain = chain.or_default_provider().or_else(Region::new(DEFAULT_REGION));
    let region = chain.region().await.unwrap_or_else(|| Region::new(DEFAULT_REGION));
    let retries =
        RetryConfig::standard().with_max_attempts(ATTEMPTS).with_initial_backoff(FIRST_PAUSE);
    let timeouts = TimeoutConfig::builder().connect_timeout(CONNECT).read_timeout(ANSWER).build();
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .region(region.clone())
        .retry_config(retries)
        .timeout_config(timeouts);
    if let Some(profile) = &options.profile {
        // As with the AWS CLI, a profile that is named goes before keys in the environment.
        let provider = ProfileFileCredentialsProvider::builder()
            .configure(&ProviderConfig::without_region().with_region(Some(region.clone())))
            .profile_name(profile)
            .build();
        loader = loader.profile_name(profile).credentials_provider(provider);
    }
    if let Some(url) = &options.endpoint_url {
        loader = loader.endpoint_url(url);
    }
    let shared = loader.load().await;
    let fail = |said: String| Error::NoCredentials { what: what.to_owned(), said };
    let provider =
        shared.credentials_provider().ok_or_else(|| fail("the chain is empty".to_owned()))?;
    provider.provide_credentials().await.map_err(|error| {
        // What each member of the chain says follows on lines of its own, and helps nobody.
        let said = causes(&error);
        let first = said.lines().next().unwrap_or_default();
        let first = first.trim_end_matches(" Attempted:");
        fail(match &options.profile {
            Some(profile) => format!("the profile `{}`: {first}", plain(profile)),
            None => first.to_owned(),
        })
    })?;
    Ok((shared, region))
}

/// Whether the environment sends calls to another AWS, which need not speak TLS.
fn is_elsewhere() -> bool {
    std::env::vars_os().any(|(name, value)| {
        !value.is_empty() && name.to_string_lossy().starts_with("AWS_ENDPOINT_URL")
    })
}

/// Whether there are root certificates. The SDK takes that for granted, and its errors do not tell.
fn has_roots() -> bool {
    !rustls_native_certs::load_native_certs().certs.is_empty()
}

/// An error with its causes, on one line.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(&format!(": {cause}"));
        next = cause.source();
    }
    text
}

/// A name that an answer may put into a host name.
fn is_region(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The ARN of a bucket, in the partition of a region.
pub(super) fn arn(region: &str, bucket: &str) -> String {
    let partition = if region.starts_with("cn-") {
        "aws-cn"
    } else if region.starts_with("us-gov-") {
        "aws-us-gov"
    } else {
        "aws"
    };
    format!("arn:{partition}:s3:::{bucket}")
}
