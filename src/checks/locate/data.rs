//! Places in templates and in the API's JSON.

use std::ops::Range;

use serde_json::Value;

use super::hcl;
use crate::checks::finding::Place;
use crate::checks::model::Tool;
use crate::checks::read::yaml::{self, Step};

/// Ranges of those places that are there.
pub(super) fn find<'p>(text: &str, places: &[&'p Place]) -> Vec<(&'p Place, Range<usize>)> {
    let Ok(whole) = yaml::parse(text) else { return Vec::new() };
    let paths: Vec<(&Place, Vec<Step>)> =
        places.iter().filter_map(|place| Some((*place, path(&whole, place)?))).collect();
    let wanted: Vec<Vec<Step>> = paths.iter().map(|(_, path)| path.clone()).collect();
    let found = yaml::places(text, &wanted).unwrap_or_default();
    paths.into_iter().filter_map(|(place, path)| Some((place, found.get(&path)?.clone()))).collect()
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}

fn path(whole: &Value, place: &Place) -> Option<Vec<Step>> {
    let is_terraform = matches!(place.item.tool, Tool::Terraform | Tool::Plan);
    let mut path = match place.item.tool {
        Tool::Terraform | Tool::Plan => {
            let (_, kind, label) = hcl::address(&place.item.address)?;
            terraform(whole, &["resource", kind, label])?
        }
        Tool::CloudFormation => vec![key("Resources"), key(&place.item.address)],
        _ => breadth_first(whole, &|_, value| {
            ["Name", "AlarmName", "ResourceArn"]
                .iter()
                .any(|name| value[*name].as_str() == Some(&place.item.address))
        })
        .unwrap_or_default(),
    };
    let mut here = at(whole, &path)?;
    if let Some(rule) = &place.rule {
        let found = breadth_first(here, &|step, value| {
            let names = || ["Name", "name"].iter().any(|it| value[*it].as_str() == Some(rule));
            matches!(step, Some(Step::Index(_))) && names()
                || matches!(step, Some(Step::Key(key)) if key == "rule" && names())
        });
        path.extend(found.unwrap_or_default());
        here = at(whole, &path)?;
    }
    if let Some(member) = &place.member {
        let found = breadth_first(here, &|step, _| {
            matches!(step, Some(Step::Key(name)) if name.eq_ignore_ascii_case(member)
                    || is_terraform && hcl::is(name, member))
        });
        path.extend(found.unwrap_or_default());
    }
    Some(path)
}

/// Labels one below the other, each perhaps in a list of objects.
fn terraform(whole: &Value, labels: &[&str]) -> Option<Vec<Step>> {
    let Some((first, rest)) = labels.split_first() else { return Some(Vec::new()) };
    let into = |value: &Value, step: Vec<Step>| {
        let below = terraform(value.get(*first)?, rest)?;
        Some(step.into_iter().chain([key(first)]).chain(below).collect())
    };
    match whole {
        Value::Array(values) => values
            .iter()
            .enumerate()
            .find_map(|(place, value)| into(value, vec![Step::Index(place)])),
        value => into(value, Vec::new()),
    }
}

fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}

/// The path to the nearest value that is wanted.
fn breadth_first(
    value: &Value,
    wanted: &dyn Fn(Option<&Step>, &Value) -> bool,
) -> Option<Vec<Step>> {
    let mut level: Vec<(Vec<Step>, &Value)> = vec![(Vec::new(), value)];
    while !level.is_empty() {
        let mut below = Vec::new();
        for (path, value) in level {
            if wanted(path.last(), value) {
                return Some(path);
            }
            let mut add = |step: Step, value| {
                let mut path = path.clone();
                path.push(step);
                below.push((path, value));
            };
            match value {
                Value::Array(values) => {
                    values.iter().enumerate().for_each(|(index, one)| add(Step::Index(index), one));
                }
                Value::Object(members) => {
                    members.iter().for_each(|(name, one)| add(key(name), one));
                }
                _ => {}
            }
        }
        level = below;
    }
    None
}
