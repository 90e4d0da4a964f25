//! Who calls, and roles.

use super::ACCOUNT;
use super::call::{Call, Refusal};
use super::wire::Reply;

pub fn answer(call: &Call) -> Result<Reply, Refusal> {
    let inner = match call.operation.as_str() {
        "GetCallerIdentity" => format!(
            "<Arn>arn:aws:iam::{ACCOUNT}:user/night</Arn><UserId>AIDAEXAMPLE</UserId><Account>{ACCOUNT}</Account>"
        ),
        "AssumeRole" => format!(
            "<Credentials><AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>assumed</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials><AssumedRoleUser><AssumedRoleId>AROAEXAMPLE:ratewaf</AssumedRoleId><Arn>arn:aws:sts::{ACCOUNT}:assumed-role/night/ratewaf</Arn></AssumedRoleUser>"
        ),
        other => {
            let message = format!("Could not find operation {other}");
            return Err(Refusal::new(400, "InvalidAction", message));
        }
    };
    let name = &call.operation;
    let body = format!(
        "<{name}Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><{name}Result>{inner}</{name}Result><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></{name}Response>"
    );
    let headers = vec![("Content-Type", "text/xml".to_owned())];
    Ok(Reply { status: 200, headers, body: body.into_bytes() })
}
