//! Terraform back to AWS shapes: the resources of HCL text or of a plan, and what their web ACLs mean.
//!
//! Both readers give a [`Resource`]: its values as `terraform show -json` prints them (blocks are always
//! arrays), and what its unknown values refer to. [`web_acl`] turns one into the API's shapes; whatever
//! our types do not know is still there in [`web_acl_json`].

mod blocks;
mod plan;
mod read;
mod references;

use std::collections::BTreeMap;

use serde_json::Value;

use super::ip_set::IpSet;
use super::web_acl::{RuleGroup, WebAcl};

use blocks::Twice;
pub use plan::read_plan;
pub use read::{declare_functions, read_hcl};

/// A resource of a Terraform configuration or plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The address of the module that it stands in, as `module.a.module.b`; empty for the root.
    pub module: String,
    /// Its type, as `aws_wafv2_web_acl`.
    pub kind: String,
    /// Its name inside Terraform, and its index if it has one.
    pub label: String,
    /// Its arguments. Blocks are arrays, also those that may stand there once; unknown values are null.
    pub values: Value,
    /// JSON pointers into `values`, and what Terraform will put there: `aws_wafv2_ip_set.qa.arn`.
    pub references: BTreeMap<String, String>,
}

/// Why Terraform cannot be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Not HCL.
    #[error("this is no Terraform: {0}")]
    Syntax(String),
    /// HCL that only Terraform can evaluate.
    #[error(
        "`{address}` has {what}, which only Terraform can evaluate; read its plan instead (terraform show -json)"
    )]
    Dynamic {
        /// The resource.
        address: String,
        /// What it has.
        what: String,
    },
    /// Not a plan, or not a whole one.
    #[error("this is no plan that can be read: {0}")]
    Plan(String),
    /// A block that stands there more often than AWS has members for it.
    #[error("`{0}` stands there more than once")]
    Twice(String),
    /// A web ACL or an IP set that our types cannot hold.
    #[error("`{address}` holds something that ratewaf does not know: {reason}")]
    Unknown {
        /// The resource.
        address: String,
        /// What.
        reason: String,
    },
}

impl Resource {
    /// Its address, as Terraform prints it.
    #[must_use]
    pub fn address(&self) -> String {
        let Self { module, kind, label, .. } = self;
        if module.is_empty() {
            format!("{kind}.{label}")
        } else {
            format!("{module}.{kind}.{label}")
        }
    }
}

/// An `aws_wafv2_web_acl` in the API's spelling, as `GetWebACL` would give it: rules by priority,
/// transformations in the order in which they run. `all` are the resources that it may refer to; their
/// ARNs become stand-ins, see [`super::Arn`].
///
/// # Errors
/// [`ReadError::Twice`].
pub fn web_acl_json(resource: &Resource, all: &[Resource]) -> Result<Value, ReadError> {
    blocks::web_acl(&references::resolved(resource, all), Twice::Refused)
}

/// The arguments of an `aws_wafv2_web_acl`, an `aws_wafv2_rule_group` or of a rule in the API's spelling, faults
/// and all: a block that stands there too often becomes an array. Objects with a key that starts with `$`
/// stay as they are.
#[must_use]
pub fn members(values: &Value) -> Value {
    // Only a block that stands there twice is an error, and here it is none.
    blocks::web_acl(values, Twice::Kept).unwrap_or_default()
}

/// The arguments of any other resource or block, as [`members`].
#[must_use]
pub fn block_members(values: &Value) -> Value {
    blocks::object("", values, Twice::Kept).unwrap_or_default()
}

/// An argument's name as the API spells it.
#[must_use]
pub fn api_name(name: &str) -> String {
    blocks::api_name(name)
}

/// As [`web_acl_json`], in our types.
///
/// # Errors
/// When it holds something that they cannot.
pub fn web_acl(resource: &Resource, all: &[Resource]) -> Result<WebAcl, ReadError> {
    typed(resource, web_acl_json(resource, all)?)
}

/// An `aws_wafv2_rule_group`.
///
/// # Errors
/// When it holds something that our types cannot.
pub fn rule_group(resource: &Resource, all: &[Resource]) -> Result<RuleGroup, ReadError> {
    typed(resource, blocks::rule_group(&references::resolved(resource, all), Twice::Refused)?)
}

/// An `aws_wafv2_ip_set`.
///
/// # Errors
/// When it holds something that our types cannot, such as an address that is no CIDR.
pub fn ip_set(resource: &Resource) -> Result<IpSet, ReadError> {
    typed(resource, blocks::ip_set(&resource.values))
}

fn typed<T: serde::de::DeserializeOwned>(resource: &Resource, json: Value) -> Result<T, ReadError> {
    serde_json::from_value(json).map_err(|error| ReadError::Unknown {
        address: resource.address(),
        reason: error.to_string(),
    })
}
