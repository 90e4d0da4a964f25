//! Distributions and their web ACL.

use aws_sdk_cloudfront::types::{Aliases, DistributionSummary, Origins};
use serde_json::{Value as Json, json};

use super::account::Account;
use super::error::{Error, Said};
use crate::changes::Distribution;

/// Pages of distributions that are asked for before something must be wrong.
const PAGES: usize = 100;

impl Account {
    /// Which web ACL a distribution has.
    ///
    /// # Errors
    /// When there is no such distribution, or it may not be read.
    pub fn distribution(&self, id: &str) -> Result<Distribution, Error> {
        let sent = self.cloudfront.get_distribution_config().id(id).send();
        let answer = self.runtime.block_on(sent);
        let answer = answer.map_err(|error| {
            Error::of(
                Said::of(&error),
                "cloudfront:GetDistributionConfig",
                &format!("distribution/{id}"),
            )
        })?;
        let configuration = answer.distribution_config();
        Ok(Distribution {
            id: id.to_owned(),
            etag: answer.e_tag().unwrap_or_default().to_owned(),
            web_acl: configuration.and_then(|it| it.web_acl_id()).unwrap_or_default().to_owned(),
        })
    }

    /// Puts a web ACL before a distribution, unless somebody changed the latter since it was read.
    pub(super) fn associate(
        &self,
        distribution: &Distribution,
        web_acl_arn: &str,
    ) -> Result<(), Error> {
        let sent = self
            .cloudfront
            .associate_distribution_web_acl()
            .id(&distribution.id)
            .web_acl_arn(web_acl_arn)
            .if_match(&distribution.etag)
            .send();
        let action = "cloudfront:AssociateDistributionWebACL";
        let resource = format!("distribution/{}", distribution.id);
        self.runtime
            .block_on(sent)
            .map_err(|error| Error::of(Said::of(&error), action, &resource))?;
        Ok(())
    }

    /// The distributions that have a web ACL, as CloudFormation spells them.
    pub(super) fn distributions_of(&self, web_acl_arn: &str) -> Result<Vec<Json>, Error> {
        let mut all = Vec::new();
        let mut marker = None;
        for _ in 0..PAGES {
            let sent = self
                .cloudfront
                .list_distributions_by_web_acl_id()
                .web_acl_id(web_acl_arn)
                .set_marker(marker)
                .send();
            let answer = self.runtime.block_on(sent).map_err(|error| {
                Error::of(
                    Said::of(&error),
                    "cloudfront:ListDistributionsByWebACLId",
                    "distribution/*",
                )
            })?;
            let Some(list) = answer.distribution_list() else { break };
            all.extend(list.items().iter().map(spelled));
            marker = list.next_marker().filter(|it| !it.is_empty()).map(str::to_owned);
            if marker.is_none() || !list.is_truncated() {
                break;
            }
        }
        Ok(all)
    }
}

/// What checks look at. The values of an origin's headers are secrets, and nobody's business.
fn spelled(one: &DistributionSummary) -> Json {
    json!({
        "Id": one.id(), "ARN": one.arn(),
        "DistributionConfig": {
            "Aliases": one.aliases().map(Aliases::items), "IPV6Enabled": one.is_ipv6_enabled(),
            "Origins": one.origins().map(origins), "WebACLId": one.web_acl_id(),
        },
    })
}

fn origins(origins: &Origins) -> Vec<Json> {
    let one = |origin: &aws_sdk_cloudfront::types::Origin| {
        let headers = origin.custom_headers().map(|it| it.items()).unwrap_or_default();
        let headers: Vec<Json> =
            headers.iter().map(|it| json!({ "HeaderName": it.header_name() })).collect();
        json!({
            "Id": origin.id(), "DomainName": origin.domain_name(), "OriginCustomHeaders": headers,
            "VpcOriginConfig": origin.vpc_origin_config().map(|it| json!({ "VpcOriginId": it.vpc_origin_id() })),
        })
    };
    origins.items().iter().map(one).collect()
}
