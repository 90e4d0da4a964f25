//! `secret-in-clear`: a SecureString is given a value that Terraform shows.

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct SecretInClear;

const ABOUT: About = About {
    id: "secret-in-clear",
    title: "A SecureString is given a value that Terraform shows",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/secret-in-clear.md"),
};

impl Check for SecretInClear {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for parameter in context.deployment.of_kind("AWS::SSM::Parameter") {
            let values = &parameter.values;
            let is_given = ["InsecureValue", "insecure_value"].iter().any(|name| {
                let value = &values[*name];
                marker::is_known(value) || marker::is_unknown(value)
            });
            if values["Type"] == "SecureString" && is_given {
                findings
                    .add(
                        parameter.place().member("InsecureValue"),
                        format!(
                            "`{}` is a SecureString whose value Terraform shows in clear",
                            parameter.item.address
                        ),
                    )
                    .help("use `value` or `value_wo`");
            }
        }
    }
}
