//! Alarms, their topic, logs, the dashboard, associations and the guard.

use super::access::{Access, in_region, waf};
use super::rules::{TAG, TAGS, UNTAG};
use super::{GrantCondition, IamResource};
use crate::rules::LogDestination;
use crate::stack::{Association, Guard, Topic, Value};
use crate::wafv2::Scope;

pub(super) fn grant(access: &mut Access<'_>) {
    alarms(access);
    logging(access);
    if let Some(dashboard) = &access.stack.dashboard {
        // A dashboard belongs to no Region.
        access.grant(
            "Dashboard",
            vec![in_region("cloudwatch", "", format!("dashboard/{}", dashboard.name))],
            None,
            &[("cloudwatch:GetDashboard", "Terraform compares the dashboard at every plan")],
            &[
                ("cloudwatch:DeleteDashboards", "removes it"),
                ("cloudwatch:PutDashboard", "makes and changes it"),
            ],
        );
    }
    let stack = access.stack;
    let web_acl = access.waf(&format!("webacl/{}/*", stack.acl.web_acl()));
    associations(access, "Associations", &stack.associations, web_acl);
    if let Some(guard) = &stack.guard {
        self::guard(access, guard);
    }
}

fn alarms(access: &mut Access<'_>) {
    let names = access.names(access.stack.alarms.iter().map(|alarm| alarm.name.clone()));
    if !names.is_empty() {
        let alarms =
            names.iter().map(|name| access.regional("cloudwatch", format!("alarm:{name}")));
        access.grant(
            "Alarms",
            alarms.collect(),
            None,
            &[
                ("cloudwatch:DescribeAlarms", "Terraform compares the alarms at every plan"),
                ("cloudwatch:ListTagsForResource", "and their tags"),
            ],
            &[
                ("cloudwatch:DeleteAlarms", "removes that of a rule that is gone"),
                ("cloudwatch:PutMetricAlarm", "makes and changes one for each rule"),
                ("cloudwatch:TagResource", "sets tags, which default_tags put on everything"),
                ("cloudwatch:UntagResource", "takes tags away again"),
            ],
        );
    }
    if let Some(Topic::Made { name }) = &access.stack.topic {
        access.grant(
            "AlarmTopic",
            vec![access.regional("sns", name.clone())],
            None,
            &[
                ("sns:GetTopicAttributes", "Terraform compares the topic and its policy"),
                ("sns:ListTagsForResource", "and its tags"),
            ],
            &[
                ("sns:CreateTopic", "makes the topic of the alarms"),
                ("sns:DeleteTopic", "removes it"),
                ("sns:SetTopicAttributes", "writes the policy that lets CloudWatch publish"),
                ("sns:TagResource", "sets tags, which default_tags put on everything"),
                ("sns:UntagResource", "takes tags away again"),
            ],
        );
    }
}

fn logging(access: &mut Access<'_>) {
    let Some(logging) = &access.stack.logging else { return };
    access.grant(
        "Logging",
        vec![access.waf(&format!("webacl/{}/*", access.stack.acl.web_acl()))],
        None,
        &[("wafv2:GetLoggingConfiguration", "Terraform compares where the web ACL is logged")],
        &[
            ("wafv2:DeleteLoggingConfiguration", "stops logging"),
            ("wafv2:PutLoggingConfiguration", "starts it, and changes filters and redaction"),
        ],
    );
    match &logging.destination {
        LogDestination::LogGroup { name, .. } => {
            access.grant(
                "LogGroup",
                vec![
                    access.regional("logs", format!("log-group:{name}")),
                    access.regional("logs", format!("log-group:{name}:*")),
                ],
                None,
                &[("logs:ListTagsForResource", "Terraform reads the tags at every plan")],
                &[
                    ("logs:CreateLogGroup", "makes the log group"),
                    ("logs:DeleteLogGroup", "removes it, with what it holds"),
                    ("logs:DeleteRetentionPolicy", "keeps records for good again"),
                    ("logs:PutRetentionPolicy", "says how long records are kept"),
                    ("logs:TagResource", "sets tags, which default_tags put on everything"),
                    ("logs:UntagResource", "takes tags away again"),
                ],
            );
            access.grant(
                "LogDelivery",
                vec![IamResource::Any],
                Some("AWS knows no resource for these actions."),
                &[("logs:DescribeLogGroups", "finds the log group, for Terraform and for WAF")],
                &[
                    ("logs:CreateLogDelivery", "WAF starts the delivery in your name"),
                    ("logs:DeleteLogDelivery", "and stops it"),
                    ("logs:DescribeResourcePolicies", "looks for the one that lets it write"),
                    ("logs:PutResourcePolicy", "and writes it if there is none"),
                ],
            );
        }
        LogDestination::Bucket(name) => {
            let bucket = IamResource::Pattern {
                service: "s3",
                region: String::new(),
                has_account: false,
                resource: name.clone(),
            };
            access.grant(
                "LogBucket",
                vec![bucket],
                None,
                &[
                    ("s3:GetBucketLocation", "the bucket is looked up by its name"),
                    ("s3:ListBucket", "which asks whether it is there"),
                ],
                &[
                    ("s3:GetBucketPolicy", "WAF looks whether it may write"),
                    ("s3:PutBucketPolicy", "and lets itself in"),
                ],
            );
            access.grant(
                "LogDelivery",
                vec![IamResource::Any],
                Some("AWS knows no resource for these actions."),
                &[],
                &[
                    ("logs:CreateLogDelivery", "WAF starts the delivery in your name"),
                    ("logs:DeleteLogDelivery", "and stops it"),
                ],
            );
        }
        LogDestination::Firehose(name) => {
            access.grant(
                "LogStream",
                vec![access.regional("firehose", format!("deliverystream/{name}"))],
                None,
                &[("firehose:DescribeDeliveryStream", "the stream is looked up by its name")],
                &[],
            );
            access.grant(
                "LogRole",
                vec![IamResource::Pattern {
                    service: "iam",
                    region: String::new(),
                    has_account: true,
                    resource:
                        "role/aws-service-role/wafv2.amazonaws.com/AWSServiceRoleForWAFV2Logging"
                            .to_owned(),
                }],
                None,
                &[],
                &[("iam:CreateServiceLinkedRole", "WAF writes to a stream with a role of its own")],
            );
            if let Some(grant) = access.grants.last_mut().filter(|grant| grant.sid == "LogRole") {
                grant.conditions.push(GrantCondition {
                    operator: "StringEquals".to_owned(),
                    key: "iam:AWSServiceName".to_owned(),
                    values: vec![Value::plain("wafv2.amazonaws.com")],
                });
            }
        }
    }
}

/// What each kind of resource asks for besides WAF's own actions: the service in its ARN, what reading
/// needs, and what writing needs (service authorization reference, dependent actions of
/// `AssociateWebACL`). `*`: the action has no resource.
type Kind = (&'static str, &'static [&'static str], &'static [&'static str], bool);
const KINDS: [Kind; 6] = [
    ("elasticloadbalancing", &[], &["elasticloadbalancing:SetWebAcl"], true),
    ("apigateway", &[], &["apigateway:SetWebACL"], false),
    ("appsync", &[], &["appsync:SetWebACL"], true),
    (
        "cognito-idp",
        &["cognito-idp:GetWebACLForResource"],
        &["cognito-idp:AssociateWebACL", "cognito-idp:DisassociateWebACL"],
        false,
    ),
    (
        "apprunner",
        &["apprunner:DescribeWebAclForService"],
        &["apprunner:AssociateWebAcl", "apprunner:DisassociateWebAcl"],
        false,
    ),
    (
        "ec2",
        &["ec2:GetVerifiedAccessInstanceWebAcl"],
        &[
            "ec2:AssociateVerifiedAccessInstanceWebAcl",
            "ec2:DisassociateVerifiedAccessInstanceWebAcl",
        ],
        false,
    ),
];

fn associations(
    access: &mut Access<'_>,
    sid: &str,
    associations: &[Association],
    web_acl: IamResource,
) {
    if associations.is_empty() {
        return;
    }
    let one = |association: &Association| IamResource::One(Value::plain(&association.resource_arn));
    let mut checked = vec![web_acl.clone()];
    checked.extend(associations.iter().map(one));
    access.grant(
        sid,
        checked,
        Some("AWS checks these actions against the web ACL and against what it stands before."),
        &[
            ("wafv2:GetWebACL", "asked together with the next"),
            ("wafv2:GetWebACLForResource", "Terraform reads which web ACL stands before it"),
        ],
        &[
            ("wafv2:AssociateWebACL", "puts the web ACL before it"),
            ("wafv2:DisassociateWebACL", "takes it away"),
        ],
    );
    for (service, reads, writes, anywhere) in KINDS {
        let of_kind: Vec<&Association> = associations
            .iter()
            .filter(|it| it.resource_arn.split(':').nth(2) == Some(service))
            .collect();
        if of_kind.is_empty() {
            continue;
        }
        let with = |actions: &'static [&'static str], reason| -> Vec<(&str, &str)> {
            actions.iter().map(|action| (*action, reason)).collect()
        };
        let mut resources: Vec<IamResource> = of_kind.into_iter().map(one).collect();
        if anywhere {
            resources = vec![IamResource::Any];
        } else if matches!(service, "cognito-idp" | "apprunner") {
            resources.push(web_acl.clone());
        }
        access.grant(
            &format!("{sid}{}", letters(service)),
            resources,
            anywhere.then_some("AWS knows no resource for this action."),
            &with(reads, "the service itself is asked as well"),
            &with(writes, "the service itself has to agree"),
        );
    }
}

/// A service's name as a part of a Sid.
fn letters(service: &str) -> String {
    let mut letters: String = service.chars().filter(char::is_ascii_alphanumeric).collect();
    if let Some(first) = letters.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    letters
}

fn guard(access: &mut Access<'_>, guard: &Guard) {
    let web_acl = waf(Scope::Regional, &guard.region, &format!("webacl/{}/*", guard.web_acl.name));
    access.grant(
        "GuardWebAcl",
        vec![web_acl.clone()],
        None,
        &[("wafv2:GetWebACL", "Terraform compares the guard's web ACL at every plan"), TAGS],
        &[
            ("wafv2:CreateWebACL", "makes it"),
            ("wafv2:DeleteWebACL", "removes it"),
            TAG,
            UNTAG,
            ("wafv2:UpdateWebACL", "changes routes, and secrets when one is exchanged"),
        ],
    );
    // With the one that comes and goes when the secret is exchanged.
    let parameters = guard.secrets.first().map(|secret| secret.parameter.as_str());
    let parameters = parameters.into_iter().flat_map(|name| {
        let name = name.strip_prefix('/').unwrap_or(name);
        ["", "-previous"]
            .map(|end| in_region("ssm", &guard.region, format!("parameter/{name}{end}")))
    });
    access.grant(
        "GuardSecret",
        parameters.collect(),
        Some(
            "Whoever plans reads the secret. With the key aws/ssm nothing more is needed; a key of your own \
             needs kms:Decrypt for it, and kms:Encrypt to write.",
        ),
        &[
            ("ssm:GetParameter", "the rules and the distribution compare with the secret"),
            ("ssm:ListTagsForResource", "Terraform reads the tags at every plan"),
        ],
        &[
            ("ssm:AddTagsToResource", "sets tags, which default_tags put on everything"),
            ("ssm:DeleteParameter", "forgets a secret that was exchanged"),
            ("ssm:PutParameter", "keeps the secret"),
            ("ssm:RemoveTagsFromResource", "takes tags away again"),
        ],
    );
    access.grant(
        "GuardSecretList",
        vec![IamResource::Any],
        Some("AWS knows no resource for a list."),
        &[("ssm:DescribeParameters", "Terraform reads description and tier with it")],
        &[],
    );
    associations(access, "GuardAssociations", &guard.associations, web_acl);
}
