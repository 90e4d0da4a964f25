//! Distributions and their web ACL.

use super::account::Account;
use super::error::{Error, Said};
use crate::changes::Distribution;

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
}
