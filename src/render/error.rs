//! Why rules cannot be written in a dialect.

/// Something that a dialect cannot express: refused, never dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not in this version of the provider.
    #[error("version 5 of the AWS provider cannot express this: {what}; {way_out}")]
    Provider {
        /// What, and since when it can be.
        what: String,
        /// What to do.
        way_out: &'static str,
    },
    /// A search string that is no text.
    #[error(
        "rule `{rule}`: the path to look for is no UTF-8 text ({text}), and Terraform strings are; match a beginning or an end of it, or use `spelling: strict`"
    )]
    NotText {
        /// The rule.
        rule: String,
        /// The bytes, escaped.
        text: String,
    },
    /// A search string that Terraform would change.
    #[error(
        "rule `{rule}`: Terraform would change `{text}` to Unicode normal form C, and then it would not match; match a beginning or an end of it"
    )]
    NotNormal {
        /// The rule.
        rule: String,
        /// The text.
        text: String,
    },
    /// Two names that would be one in Terraform.
    #[error(
        "`{first}` and `{second}` would both be called `{label}` in Terraform; rename one of them"
    )]
    SameLabel {
        /// One name.
        first: String,
        /// The other.
        second: String,
        /// What both become.
        label: String,
    },
    /// A web ACL joined by single rules.
    #[error(
        "CloudFormation has no resource that adds one rule to a web ACL that it does not own; set `form: rule_group` under `web_acl` in the policy, or emit Terraform"
    )]
    SingleRules,
    /// A text that would be replaced by something else.
    #[error(
        "the resource {resource}: a text holds `{mark}`, which CloudFormation or the CDK would replace when it deploys; take it out of the policy"
    )]
    DynamicReference {
        /// Its logical id.
        resource: String,
        /// What must not stand in it.
        mark: &'static str,
    },
    /// A guard as API JSON.
    #[error(
        "the API's JSON would have to hold the secret of the origin guard in plain; emit Terraform, CloudFormation or CDK, or take `origin_guard` out of the policy"
    )]
    GuardInApi,
    /// An ARN for nothing.
    #[error("--arn {name}=…: no IP set and no web ACL of this name occurs")]
    UnknownArn {
        /// As given.
        name: String,
    },
    /// A permission on a resource that has no name yet.
    #[error(
        "the permissions `{policy}` name a resource by reference, which JSON cannot; write them as Terraform"
    )]
    Reference {
        /// The IAM policy.
        policy: String,
    },
}
