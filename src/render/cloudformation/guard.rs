//! The way around CloudFront, closed, as a template of its own: it lives where the API does.
//!
//! CloudFormation cannot make an SSM SecureString (user guide, `AWS::SSM::Parameter`), so the secret is
//! made and kept in Secrets Manager, under the name that the parameter has in the other dialects. The
//! web ACL gets it by a dynamic reference, so that no template and no plan holds it.

use super::build::{Builder, associations};
use super::node::{Node, member};
use super::template::{Kind, Output, Resource};
use super::waf::web_acl;
use crate::stack::{self, Guard, Value};

/// How a search string that is a secret begins: see [`crate::wafv2::SearchString::Secret`].
const SECRET: &str = "secret:";
const REFERENCE: &str = "{{resolve:secretsmanager:";
const VALUE: &str = ":SecretString}}";

pub(super) fn build(guard: &Guard, builder: &mut Builder<'_>) {
    for secret in &guard.secrets {
        let of = stack::Resource::Secret(secret.name.clone());
        let id = builder.name(of, &secret.name, "Secret");
        let generated = vec![
            member("PasswordLength", secret.length),
            // It stands in a header.
            member("ExcludePunctuation", true),
        ];
        let properties = vec![
            member("Name", secret.parameter.clone()),
            member("Description", secret.description.clone()),
            member("GenerateSecretString", generated),
        ];
        let mut resource = Resource::new(&id, Kind::SECRET, properties).about([
            "CloudFormation cannot make an SSM SecureString, so this secret lies in Secrets Manager. Exchanging \
             it: see docs/cloudformation.md."
                .to_owned(),
        ]);
        resource.retain = true;
        builder.add(resource);
    }
    let id = builder.name(stack::Resource::GuardWebAcl, "", "GuardWebAcl");
    let properties = web_acl(builder, &guard.web_acl);
    builder.add(Resource::new(&id, Kind::WEB_ACL, properties));
    let arn = Value::arn(stack::Resource::GuardWebAcl);
    associations(builder, &guard.web_acl.name, &guard.associations, &arn);
    builder.outputs.push(Output {
        id: "GuardHeader".to_owned(),
        description: "The header that CloudFront adds for the origin".to_owned(),
        value: guard.header.clone().into(),
    });
    if let Some(secret) = guard.secrets.first() {
        builder.outputs.push(Output {
            id: "GuardSecretArn".to_owned(),
            description: "Where the value of that header lies".to_owned(),
            value: Node::Ref(builder.id(&stack::Resource::Secret(secret.name.clone()))),
        });
    }
}

/// What stands for a secret in a template: a reference that CloudFormation resolves when it deploys.
pub(super) fn secret(builder: &Builder<'_>, search_string: &str) -> Option<Node> {
    let name = search_string.strip_prefix(SECRET)?;
    let known = builder.stack.guard.as_ref()?;
    known.secrets.iter().find(|secret| secret.name == name)?;
    let id = builder.id(&stack::Resource::Secret(name.to_owned()));
    Some(Node::Join(vec![
        Node::Text(REFERENCE.to_owned()),
        Node::Ref(id),
        Node::Text(VALUE.to_owned()),
    ]))
}

/// Whether a text is the beginning of such a reference of ours.
pub(super) fn is_ours(text: &str) -> bool {
    text == REFERENCE
}
