//! IP sets, the web ACL or the rule groups, and what they stand before.

use serde_json::Value as Json;

use super::super::comment::effect;
use super::build::{Builder, associations};
use super::node::{Item, Member, Node, member};
use super::spelling::from_api;
use super::template::{Ids, Kind, Output, Resource, Setting};
use crate::stack::{self, Acl, Attribute, JoinedGroup, Numbers, Stack, Value};
use crate::wafv2::{Arn, POLICY_HEADER, RuleAction, WebAcl, policy_header};

pub(super) fn build(builder: &mut Builder<'_>) {
    let stack = builder.stack;
    ip_sets(builder);
    builder.settings = settings(stack);
    match &stack.acl {
        Acl::Own(acl) => {
            own(builder, acl);
            associations(
                builder,
                &acl.name,
                &stack.associations,
                &Value::arn(stack::Resource::WebAcl),
            );
        }
        Acl::Groups { web_acl, groups } => {
            groups.iter().for_each(|joined| group(builder, web_acl, joined));
        }
        // Refused before.
        Acl::Rules { .. } => {}
    }
}

/// Limits and windows, if an answer tells them beside the statement that has them.
fn settings(stack: &Stack) -> Vec<(String, Setting)> {
    let tells = stack.rules().any(|rule| match &rule.action {
        RuleAction::Block(block) => block.custom_response.as_ref().is_some_and(|response| {
            response.response_headers.iter().any(|header| header.name == POLICY_HEADER)
        }),
        _ => false,
    });
    if !tells {
        return Vec::new();
    }
    let mut ids = Ids::default();
    let setting = |numbers: &Numbers| {
        let about = std::iter::once(&numbers.subject).chain(&numbers.evidence).cloned().collect();
        let Numbers { limit, window, .. } = *numbers;
        let id = ids.of(&numbers.rule, "");
        (numbers.rule.clone(), Setting { id, about, limit, window })
    };
    stack.numbers.iter().map(setting).collect()
}

fn ip_sets(builder: &mut Builder<'_>) {
    for network in &builder.stack.networks {
        for (place, set) in network.sets.iter().enumerate() {
            let id = builder.name(stack::Resource::IpSet(set.name.clone()), &set.name, "IpSet");
            let addresses = set.addresses.iter().map(|cidr| Node::Text(cidr.to_string()));
            let properties = vec![
                member("Name", set.name.clone()),
                member("Scope", set.scope.api_name()),
                member("IPAddressVersion", set.ip_address_version.api_name()),
                member("Addresses", Node::list(addresses)),
            ];
            let about = (place == 0).then(|| network.about.clone());
            builder.add(Resource::new(&id, Kind::IP_SET, properties).about(about));
        }
    }
}

fn own(builder: &mut Builder<'_>, acl: &WebAcl) {
    let id = builder.name(stack::Resource::WebAcl, "", "WebAcl");
    let properties = web_acl(builder, acl);
    builder.add(Resource::new(&id, Kind::WEB_ACL, properties));
    builder.outputs.push(Output {
        id: "WebAclArn".to_owned(),
        description: format!("The web ACL {}", acl.name),
        value: Node::Attribute(id, "Arn"),
    });
}

/// The properties of a web ACL, its rules with their evidence.
pub(super) fn web_acl(builder: &Builder<'_>, acl: &WebAcl) -> Vec<Member> {
    // A typed shape of ours always becomes JSON.
    members(builder, serde_json::to_value(acl).unwrap_or_default())
}

fn group(builder: &mut Builder<'_>, web_acl: &str, joined: &JoinedGroup) {
    let group = &joined.group;
    let of = stack::Resource::RuleGroup(group.name.clone());
    let id = builder.name(of.clone(), &group.name, "RuleGroup");
    let mut properties = members(builder, serde_json::to_value(group).unwrap_or_default());
    if let Some(rules) = properties.iter_mut().find(|member| member.key == "Rules")
        && let Node::List(rules) = &mut rules.value
    {
        rules.iter_mut().for_each(|rule| untyped_actions(&mut rule.value));
    }
    if let Some(capacity) = properties.iter_mut().find(|member| member.key == "Capacity") {
        capacity.about.push(
            "More than the rules use: the capacity cannot be changed without a new group, which AWS refuses \
             while a web ACL uses the old one."
                .to_owned(),
        );
    }
    let about = [
        format!(
            "CloudFormation cannot add a rule to a web ACL that it does not own. The owner of {web_acl} adds \
             one that refers to this group, with the ARN of the output:"
        ),
        format!(
            "Name {}, Priority {}, OverrideAction None, Statement RuleGroupReferenceStatement with this Arn.",
            joined.rule, joined.priority
        ),
    ];
    builder.add(Resource::new(&id, Kind::RULE_GROUP, properties).about(about));
    builder.outputs.push(Output {
        id: format!("{id}Arn"),
        description: "The rule group, for rules that refer to it".to_owned(),
        value: builder.value(&Value::Of(of, Attribute::Arn)),
    });
}

/// The actions of a rule group are documents to CloudFormation, unlike those of a web ACL.
fn untyped_actions(rule: &mut Node) {
    if let Some(Node::Map(actions)) = at(rule, &["Action"]) {
        actions.iter_mut().for_each(untyped);
    }
}

fn untyped(member: &mut Member) {
    let had = std::mem::replace(&mut member.value, Node::Bool(false));
    member.value = Node::Verbatim(Box::new(had));
}

/// API JSON as properties: spelled as CloudFormation does, with references for the stand-ins.
fn members(builder: &Builder<'_>, mut json: Json) -> Vec<Member> {
    from_api(&mut json);
    let mut node = Node::of(json);
    refer(builder, &mut node);
    if let Some(bodies) = node.get_mut("CustomResponseBodies")
        && let Node::Map(names) = std::mem::replace(&mut bodies.value, Node::Bool(false))
    {
        bodies.value = Node::Names(names);
    }
    if let Some(Member { value: Node::List(rules), .. }) = node.get_mut("Rules") {
        rules.iter_mut().for_each(|rule| evidence(builder, rule));
    }
    match node {
        Node::Map(members) => members,
        _ => Vec::new(),
    }
}

/// Puts references where the names of sets and secrets stand, and marks what CloudFormation leaves
/// untyped: the kinds of `FieldToMatch` are documents to it.
fn refer(builder: &Builder<'_>, node: &mut Node) {
    match node {
        Node::List(items) => items.iter_mut().for_each(|item| refer(builder, &mut item.value)),
        Node::Map(members) => {
            for Member { key, value, .. } in members.iter_mut() {
                match (key.as_str(), &mut *value) {
                    ("Arn", Node::Text(name)) => {
                        if let Some(name) = Arn(name.clone()).ip_set_name() {
                            let set = stack::Resource::IpSet(name.to_owned());
                            *value = builder.value(&Value::arn(set));
                        }
                    }
                    ("SearchString", Node::Text(name)) => {
                        if let Some(secret) = super::guard::secret(builder, name) {
                            *value = secret;
                        }
                    }
                    ("FieldToMatch", Node::Map(kinds)) => {
                        kinds.iter_mut().for_each(untyped);
                    }
                    ("CustomResponseBodies", _) => {}
                    (_, value) => refer(builder, value),
                }
            }
        }
        _ => {}
    }
}

/// Says what a rule is about before it, and puts the evidence before its limit.
fn evidence(builder: &Builder<'_>, item: &mut Item) {
    let Some(Member { value: Node::Text(name), .. }) = item.value.get_mut("Name") else { return };
    let name = name.clone();
    let Some(numbers) = builder.stack.numbers_of(&name) else { return };
    let rule = builder.stack.rules().find(|rule| rule.name == name);
    let effect = rule.map_or("", |rule| effect(&rule.action));
    item.about.push(format!("{}{effect}", numbers.subject));
    let settings = &builder.settings;
    let own = settings.iter().find(|(rule, _)| *rule == name).map(|(_, setting)| setting);
    if let Some(rate) = at(&mut item.value, &["Statement", "RateBasedStatement"]) {
        match (own, rate.get_mut("Limit")) {
            (None, Some(limit)) => limit.about.extend(numbers.evidence.iter().cloned()),
            (Some(setting), Some(limit)) => limit.value = of(setting, Setting::LIMIT),
            (_, None) => {}
        }
        if let (Some(setting), Some(window)) = (own, rate.get_mut("EvaluationWindowSec")) {
            window.value = of(setting, Setting::WINDOW);
        }
    }
    let headers = ["Action", "Block", "CustomResponse", "ResponseHeaders"];
    if let Some(Node::List(headers)) = at(&mut item.value, &headers) {
        headers.iter_mut().for_each(|header| tell(settings, &mut header.value));
    }
}

fn of(setting: &Setting, which: &'static str) -> Node {
    Node::Setting(setting.id.clone(), which)
}

/// What stands under keys.
fn at<'a>(node: &'a mut Node, path: &[&str]) -> Option<&'a mut Node> {
    path.iter().try_fold(node, |node, key| node.get_mut(key).map(|member| &mut member.value))
}

/// A header that tells the limit takes it from where it stands.
fn tell(settings: &[(String, Setting)], header: &mut Node) {
    let Some(Member { value: Node::Text(name), .. }) = header.get_mut("Name") else { return };
    if name != POLICY_HEADER {
        return;
    }
    let Some(Member { value, .. }) = header.get_mut("Value") else { return };
    let told = settings.iter().find(|(rule, setting)| {
        *value == Node::Text(policy_header(rule, setting.limit, setting.window))
    });
    let Some((rule, setting)) = told else { return };
    // No name of a rule has a line break.
    let text = policy_header(rule, '\n', '\n');
    let numbers = [Some(Setting::LIMIT), Some(Setting::WINDOW), None];
    let parts = text.split('\n').zip(numbers).flat_map(|(text, number)| {
        [Some(Node::Text(text.to_owned())), number.map(|which| of(setting, which))]
    });
    let parts = parts.flatten().filter(|part| *part != Node::Text(String::new()));
    *value = Node::Join(parts.collect());
}
