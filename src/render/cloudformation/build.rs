//! A stack to templates.

use std::collections::BTreeMap;

use super::super::Error;
use super::super::preamble::{Own, preamble};
use super::node::{Node, member};
use super::template::{Ids, Kind, Output, Resource, Setting, Template};
use super::{alarms, guard, logging, permissions, waf};
use crate::stack::{self, Acl, Attribute, Stack, Value};
use crate::wafv2::Scope;

/// What the parts of a template are made with.
pub(in super::super) struct Builder<'a> {
    pub(super) stack: &'a Stack,
    pub(super) ids: Ids,
    /// The logical ids of what is named by others.
    known: BTreeMap<stack::Resource, String>,
    /// Under the names of their rules.
    pub(super) settings: Vec<(String, Setting)>,
    pub(super) resources: Vec<Resource>,
    pub(super) outputs: Vec<Output>,
}

impl<'a> Builder<'a> {
    fn new(stack: &'a Stack) -> Self {
        Self {
            stack,
            ids: Ids::default(),
            known: BTreeMap::new(),
            settings: Vec::new(),
            resources: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// A logical id for something that others name.
    pub(super) fn name(&mut self, of: stack::Resource, name: &str, what: &str) -> String {
        let id = self.ids.of(name, what);
        self.known.insert(of, id.clone());
        id
    }

    /// A value as a template has it.
    pub(super) fn value(&self, value: &Value) -> Node {
        let (of, attribute) = match value {
            Value::Plain(text) => return Node::Text(text.clone()),
            Value::Of(of, attribute) => (of, *attribute),
        };
        match (of, attribute) {
            (stack::Resource::Account, _) => Node::Ref("AWS::AccountId".to_owned()),
            // Names are ours: a reference to one would say nothing more.
            (stack::Resource::WebAcl, Attribute::Name) => {
                Node::Text(self.stack.acl.web_acl().to_owned())
            }
            (
                stack::Resource::IpSet(name)
                | stack::Resource::RuleGroup(name)
                | stack::Resource::Secret(name),
                Attribute::Name,
            ) => Node::Text(name.clone()),
            (stack::Resource::LogDestination, _) => logging::destination_arn(self.stack),
            // `Ref` of a topic is its ARN.
            (stack::Resource::Topic, _) => Node::Ref(self.id(of)),
            (_, _) => Node::Attribute(self.id(of), "Arn"),
        }
    }

    /// The logical id of something that was named before.
    pub(super) fn id(&self, of: &stack::Resource) -> String {
        self.known.get(of).cloned().unwrap_or_default()
    }

    pub(super) fn add(&mut self, resource: Resource) {
        self.resources.push(resource);
    }
}

/// The templates of a stack, each under its name.
pub(in super::super) fn templates(stack: &Stack) -> Result<Vec<(&'static str, Template)>, Error> {
    if let Acl::Rules { .. } = stack.acl {
        return Err(Error::SingleRules);
    }
    let mut builder = Builder::new(stack);
    waf::build(&mut builder);
    logging::build(&mut builder);
    alarms::build(&mut builder);
    permissions::build(&mut builder);
    let mut after = vec![format!("Deploy it in {}.", stack.home.region)];
    if stack.acl.is_own() && stack.home.scope == Scope::CloudFront {
        after.push("For a distribution: WebACLId is the output WebAclArn.".to_owned());
    }
    let mut templates = vec![(
        "waf",
        Template {
            about: preamble(
                stack,
                &Own { target: "FILE", after: &after, without_rules: "There is no rule in it." },
            ),
            description: format!("Rate limits of the web ACL {}", stack.acl.web_acl()),
            region: stack.home.region.clone(),
            settings: builder.settings.into_iter().map(|(_, setting)| setting).collect(),
            resources: builder.resources,
            outputs: builder.outputs,
        },
    )];
    if let Some(guarded) = &stack.guard {
        let mut builder = Builder::new(stack);
        guard::build(guarded, &mut builder);
        let mut about = guarded.about.clone();
        about.push(format!("Deploy it in {}.", guarded.region));
        templates.push((
            "guard",
            Template {
                about,
                description: format!("The way around CloudFront closed, for {}", stack.name),
                region: guarded.region.clone(),
                settings: Vec::new(),
                resources: builder.resources,
                outputs: builder.outputs,
            },
        ));
    }
    for (_, template) in &templates {
        check(template)?;
    }
    Ok(templates)
}

/// Refuses texts that CloudFormation, or the CDK, would replace by something else, wherever they stand.
fn check(template: &Template) -> Result<(), Error> {
    let mut bad = None;
    for resource in &template.resources {
        for property in &resource.properties {
            property.value.texts(&mut |text| {
                for mark in ["{{resolve:", "${Token["] {
                    if text.contains(mark) && !guard::is_ours(text) {
                        bad = Some((resource.id.clone(), mark));
                    }
                }
            });
        }
    }
    match bad {
        Some((resource, mark)) => Err(Error::DynamicReference { resource, mark }),
        None => Ok(()),
    }
}

/// An association of a web ACL with a load balancer or an API.
pub(super) fn associations(
    builder: &mut Builder<'_>,
    prefix: &str,
    list: &[stack::Association],
    acl: &Value,
) {
    for association in list {
        let id = builder.ids.of(&format!("{prefix}-{}", association.name), "Association");
        let properties = vec![
            member("ResourceArn", association.resource_arn.clone()),
            member("WebACLArn", builder.value(acl)),
        ];
        builder.add(Resource::new(&id, Kind::ASSOCIATION, properties));
    }
}
