//! Distributions, as far as their web ACL goes.

use serde_json::{Value, json};

use super::account::Account;
use super::call::{Call, Refusal};
use super::wire::Reply;
use super::{ACCOUNT, xml};

#[derive(Debug)]
pub struct Distribution {
    /// An ARN, or nothing.
    pub web_acl: String,
    pub etag: String,
    /// Whatever else it has, as CloudFormation spells it.
    pub config: Value,
}

impl Distribution {
    pub fn of(web_acl: String, etag: String) -> Self {
        Self { web_acl, etag, config: json!({ "Aliases": ["shop.example"] }) }
    }

    /// What is told of it in XML, between its comment and its web ACL.
    fn xml(&self) -> String {
        let list = |name: &str, items: Vec<String>| {
            let (count, items) = (items.len(), items.concat());
            format!("<{name}><Quantity>{count}</Quantity><Items>{items}</Items></{name}>")
        };
        let all = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let aliases = all(&self.config["Aliases"]);
        let aliases = aliases.iter().map(|one| format!("<CNAME>{}</CNAME>", text(one))).collect();
        let origins = all(&self.config["Origins"]);
        let origins = origins.iter().map(|origin| {
            let headers = all(&origin["OriginCustomHeaders"]);
            let headers = headers.iter().map(|one| {
                let name = text(&one["HeaderName"]);
                format!("<OriginCustomHeader><HeaderName>{name}</HeaderName><HeaderValue>hush</HeaderValue></OriginCustomHeader>")
            });
            format!(
                "<Origin><Id>{}</Id><DomainName>{}</DomainName>{}</Origin>",
                text(&origin["Id"]),
                text(&origin["DomainName"]),
                list("CustomHeaders", headers.collect())
            )
        });
        let ipv6 = self.config["IPV6Enabled"].as_bool().unwrap_or(true);
        format!(
            "{}{}<IsIPV6Enabled>{ipv6}</IsIPV6Enabled>",
            list("Aliases", aliases),
            list("Origins", origins.collect())
        )
    }
}

/// What a method and a path without the version ask for.
pub fn operation(method: &str, path: &str) -> Option<&'static str> {
    let mut parts = path.split('/');
    let (kind, _id, what) = (parts.next()?, parts.next(), parts.next());
    Some(match (method, kind, what) {
        ("GET", "distribution", None) if path == "distribution" => "ListDistributions",
        ("GET", "distribution", None) => "GetDistribution",
        ("GET", "distribution", Some("config")) => "GetDistributionConfig",
        ("PUT", "distribution", Some("associate-web-acl")) => "AssociateDistributionWebACL",
        ("PUT", "distribution", Some("disassociate-web-acl")) => "DisassociateDistributionWebACL",
        ("GET", "distributionsByWebACLId", _) => "ListDistributionsByWebACLId",
        _ => return None,
    })
}

pub fn answer(account: &mut Account, call: &Call) -> Result<Reply, Refusal> {
    let path = call.target.split('?').next().unwrap_or_default();
    // An ARN holds a slash, which a path writes as %2F.
    let id = path.split('/').nth(3).unwrap_or_default();
    let id = id.replace("%3A", ":").replace("%2F", "/");
    match call.operation.as_str() {
        "GetDistribution" => {
            let (distribution, etag) = found(account, &id)?;
            Ok(reply(&whole(&id, distribution), Some(etag)))
        }
        "GetDistributionConfig" => {
            let (distribution, etag) = found(account, &id)?;
            Ok(reply(&config(&id, distribution), Some(etag)))
        }
        "ListDistributions" => Ok(reply(&list(account, |_| true), None)),
        "ListDistributionsByWebACLId" => Ok(reply(
            &list(account, |it| it.web_acl == id || (id == "null" && it.web_acl.is_empty())),
            None,
        )),
        "AssociateDistributionWebACL" => associate(account, call, &id),
        _ => disassociate(account, call, &id),
    }
}

fn found<'a>(account: &'a Account, id: &str) -> Result<(&'a Distribution, String), Refusal> {
    let distribution = account.distributions.get(id).ok_or_else(|| {
        Refusal::new(404, "NoSuchDistribution", "The specified distribution does not exist.")
    })?;
    Ok((distribution, distribution.etag.clone()))
}

fn associate(account: &mut Account, call: &Call, id: &str) -> Result<Reply, Refusal> {
    let arn = xml::text(&call.body, "WebACLArn").unwrap_or_default();
    check_version(account, call, id)?;
    if !account.web_acls.iter().any(|acl| acl.arn == arn && acl.scope == "CLOUDFRONT") {
        let message = "The specified web ACL does not exist, or is not one for CloudFront.";
        return Err(Refusal::new(400, "InvalidArgument", message));
    }
    Ok(write(account, id, arn, "AssociateDistributionWebACLResult"))
}

fn disassociate(account: &mut Account, call: &Call, id: &str) -> Result<Reply, Refusal> {
    check_version(account, call, id)?;
    Ok(write(account, id, String::new(), "DisassociateDistributionWebACLResult"))
}

fn check_version(account: &Account, call: &Call, id: &str) -> Result<(), Refusal> {
    let distribution = account.distributions.get(id).ok_or_else(|| {
        Refusal::new(404, "EntityNotFound", "The specified distribution does not exist.")
    })?;
    match &call.if_match {
        None => Err(Refusal::new(
            400,
            "InvalidIfMatchVersion",
            "The If-Match version is missing or not valid for the resource.",
        )),
        Some(etag) if *etag != distribution.etag => Err(Refusal::new(
            412,
            "PreconditionFailed",
            "The request failed because it didn't meet the preconditions in one or more request-header fields.",
        )),
        Some(_) => Ok(()),
    }
}

fn write(account: &mut Account, id: &str, web_acl: String, root: &str) -> Reply {
    let etag = account.new_id();
    let arn = if web_acl.is_empty() {
        String::new()
    } else {
        format!("<WebACLArn>{web_acl}</WebACLArn>")
    };
    let body = format!("<{root}><Id>{id}</Id>{arn}</{root}>");
    let distribution = account.distributions.get_mut(id).unwrap();
    (distribution.web_acl, distribution.etag) = (web_acl, etag.clone());
    reply(&body, Some(etag))
}

fn config(id: &str, distribution: &Distribution) -> String {
    let (acl, more) = (&distribution.web_acl, distribution.xml());
    format!(
        "<DistributionConfig><CallerReference>{id}</CallerReference><Comment>shop</Comment>{more}<Enabled>true</Enabled><WebACLId>{acl}</WebACLId></DistributionConfig>"
    )
}

fn whole(id: &str, distribution: &Distribution) -> String {
    let config = config(id, distribution);
    format!(
        "<Distribution><Id>{id}</Id><ARN>arn:aws:cloudfront::{ACCOUNT}:distribution/{id}</ARN><Status>Deployed</Status><LastModifiedTime>2026-01-01T00:00:00Z</LastModifiedTime><InProgressInvalidationBatches>0</InProgressInvalidationBatches><DomainName>d1.cloudfront.net</DomainName>{config}</Distribution>"
    )
}

fn list(account: &Account, wanted: impl Fn(&Distribution) -> bool) -> String {
    let items: Vec<String> = account
        .distributions
        .iter()
        .filter(|(_, distribution)| wanted(distribution))
        .map(|(id, distribution)| {
            format!(
                "<DistributionSummary><Id>{id}</Id><ARN>arn:aws:cloudfront::{ACCOUNT}:distribution/{id}</ARN><ETag>{}</ETag><Status>Deployed</Status><LastModifiedTime>2026-01-01T00:00:00Z</LastModifiedTime><DomainName>d1.cloudfront.net</DomainName><Comment>shop</Comment>{}<Enabled>true</Enabled><WebACLId>{}</WebACLId></DistributionSummary>",
                distribution.etag, distribution.xml(), distribution.web_acl
            )
        })
        .collect();
    format!(
        "<DistributionList><Marker></Marker><MaxItems>100</MaxItems><IsTruncated>false</IsTruncated><Quantity>{}</Quantity><Items>{}</Items></DistributionList>",
        items.len(),
        items.concat()
    )
}

fn reply(body: &str, etag: Option<String>) -> Reply {
    let mut headers = vec![("Content-Type", "text/xml".to_owned())];
    headers.extend(etag.map(|etag| ("ETag", etag)));
    Reply { status: 200, headers, body: body.as_bytes().to_vec() }
}
