//! Permissions.

use super::build::Builder;
use super::node::{Item, Member, Node, member};
use super::template::{Kind, Resource};
use crate::stack::{Grant, GrantCondition, IamPolicy, IamResource};

pub(super) fn build(builder: &mut Builder<'_>) {
    for policy in &builder.stack.permissions {
        let properties = vec![
            member("ManagedPolicyName", policy.name.clone()),
            member("Description", policy.description.clone()),
            member("PolicyDocument", Node::Verbatim(Box::new(document(builder, policy)))),
        ];
        let id = builder.ids.of(&policy.name, "Policy");
        builder.add(Resource::new(&id, Kind::MANAGED_POLICY, properties));
    }
}

fn document(builder: &Builder<'_>, policy: &IamPolicy) -> Node {
    let statements = policy.grants.iter().map(|grant| Item {
        about: grant.about.iter().cloned().collect(),
        value: statement(builder, grant),
    });
    Node::Map(vec![
        member("Version", "2012-10-17"),
        member("Statement", Node::List(statements.collect())),
    ])
}

fn statement(builder: &Builder<'_>, grant: &Grant) -> Node {
    let actions = grant
        .actions
        .iter()
        .map(|one| Item { about: vec![one.reason.clone()], value: Node::Text(one.action.clone()) });
    let resources = grant.resources.iter().map(|one| resource(builder, one));
    let mut members = vec![
        member("Sid", grant.sid.clone()),
        member("Effect", "Allow"),
        member("Action", Node::List(actions.collect())),
        member("Resource", Node::list(resources)),
    ];
    let key = |condition: &GrantCondition| {
        let values = Node::list(condition.values.iter().map(|value| builder.value(value)));
        member(&condition.key, values)
    };
    let operators: Vec<Member> = grant
        .operators()
        .into_iter()
        .map(|(name, keys)| member(name, keys.into_iter().map(key).collect::<Vec<_>>()))
        .collect();
    if !operators.is_empty() {
        members.push(member("Condition", operators));
    }
    Node::Map(members)
}

fn resource(builder: &Builder<'_>, resource: &IamResource) -> Node {
    match resource {
        IamResource::Any => "*".into(),
        IamResource::One(value) => builder.value(value),
        IamResource::Pattern { service, region, has_account, resource } => {
            let mut parts = vec![
                Node::Text("arn:".to_owned()),
                Node::Ref("AWS::Partition".to_owned()),
                Node::Text(format!(":{service}:{region}:")),
            ];
            if *has_account {
                parts.push(Node::Ref("AWS::AccountId".to_owned()));
            }
            parts.push(Node::Text(format!(":{resource}")));
            Node::Join(parts)
        }
    }
}
