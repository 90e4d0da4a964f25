//! How one resource names another.

/// A text that is known, or that another resource has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// This text. No dialect may read anything in it.
    Plain(String),
    /// What a resource of the stack, or one that is looked up, is called by.
    Of(Resource, Attribute),
}

impl Value {
    /// A text that is known.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    /// The ARN of a resource: never put together by hand.
    #[must_use]
    pub const fn arn(of: Resource) -> Self {
        Self::Of(of, Attribute::Arn)
    }
}

/// A resource that another one names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// An IP set, by its name.
    IpSet(String),
    /// The web ACL: ours, or the one that the rules join, which is looked up by its name.
    WebAcl,
    /// A rule group of ours, by its name.
    RuleGroup(String),
    /// The SNS topic that is made for the alarms.
    Topic,
    /// The destination of the logs; a bucket or a stream is looked up by its name.
    LogDestination,
    /// A secret of the guard, by its name.
    Secret(String),
    /// The guard's web ACL.
    GuardWebAcl,
    /// The account in which all this is deployed.
    Account,
}

/// What a resource is named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attribute {
    /// Its ARN.
    Arn,
    /// Its name.
    Name,
    /// Its id; of an account its number.
    Id,
    /// Its value, which may be secret.
    Value,
}
