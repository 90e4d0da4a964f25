//! The AWS CDK: the stack as a TypeScript construct, and an app that deploys it.
//!
//! It is printed from the CloudFormation templates, with the first-level constructs (`Cfn…`), which have
//! their properties one for one; nothing is hidden in between.

mod names;
mod typescript;

pub(super) use typescript::text;

use super::Error;
use super::cloudformation::templates;
use crate::stack::Stack;

/// Writes a stack as TypeScript: `rate-limits.ts` with the construct, `origin-guard.ts` with that of the
/// guard where there is one, and, `with_app`, an app in `app.ts` that deploys them.
///
/// # Errors
/// When CloudFormation cannot express it.
pub fn cdk(stack: &Stack, with_app: bool) -> Result<Vec<(String, String)>, Error> {
    let templates = templates(stack)?;
    let constructs: Vec<typescript::Construct<'_>> = templates
        .iter()
        .map(|(name, template)| {
            let (file, class) = match *name {
                "guard" => ("origin-guard", "OriginGuard"),
                _ => ("rate-limits", "RateLimits"),
            };
            typescript::Construct { file, class, template }
        })
        .collect();
    let mut files: Vec<(String, String)> = constructs
        .iter()
        .map(|construct| (format!("{}.ts", construct.file), typescript::construct(construct)))
        .collect();
    if with_app {
        files.push(("app.ts".to_owned(), typescript::app(&stack.name, &constructs)));
    }
    Ok(files)
}
