//! What everything that was read has: an address, a place, and what will happen to it.

use serde_json::Value;

/// What an input was written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// `.tf` files.
    Terraform,
    /// A Terraform plan.
    Plan,
    /// A CloudFormation template.
    CloudFormation,
    /// The API's JSON in a file: web ACLs, perhaps without what stands around them.
    Api,
    /// The API itself: what is live, with what stands around it.
    Live,
}

/// What the deployment does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nobody said: no plan was read.
    NotTold,
    /// Nothing.
    Nothing,
    /// Makes it.
    Create,
    /// Changes it in place.
    Update,
    /// Makes another one and takes this one away.
    Replace,
}

/// What everything that was read has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// The input that it was read from, as the user named it.
    pub input: String,
    /// The environment that this input is of, if the user said so.
    pub environment: Option<String>,
    /// The file, where it is known.
    pub file: Option<String>,
    /// `module.edge.aws_wafv2_web_acl.this[0]`, a logical id, or a name.
    pub address: String,
    /// What wrote the input.
    pub tool: Tool,
    /// What happens to it.
    pub change: Change,
    /// The region, where it is known: of the resource (`region`), else of its provider or template.
    pub region: Option<String>,
}

/// A resource as a reader found it, in CloudFormation's terms; web ACLs, rule groups and IP sets in the API's.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What it is called.
    pub item: Item,
    /// `AWS::WAFv2::WebACL`. A rule of its own is a `Ratewaf::WebACLRule`, which CloudFormation does not have.
    pub kind: String,
    /// Its members, with markers for what is unknown or sensitive; null if it is taken away.
    pub values: Value,
    /// What they were before, if that is known.
    pub before: Option<Value>,
}
