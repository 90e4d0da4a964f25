//! Places in `.tf` files.

use std::collections::BTreeMap;
use std::ops::Range;

use hcl_edit::Span as _;
use hcl_edit::expr::{Expression, ObjectKey};
use hcl_edit::structure::{Block, Body, Structure};

use super::{Source, line_of};
use crate::checks::finding::Place;
use crate::checks::read::{clean_path, nests_too_deep};
use crate::wafv2::terraform::api_name;

/// Modules inside modules.
const MODULES: usize = 8;
/// Members that the provider calls something else.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("PolicyDocument", "policy"),
    ("Topics", "arn"),
    ("OriginCustomHeaders", "custom_header"),
    ("CacheBehaviors", "ordered_cache_behavior"),
    ("Metrics", "metric_query"),
    ("Rules", "rule"),
];

/// Parsed files, with the place of each among the sources.
#[derive(Debug)]
pub(super) struct Files {
    files: Vec<(usize, String, Body)>,
    root: String,
}

impl Files {
    pub(super) fn of(sources: &[Source], root: &str) -> Self {
        let parsed = sources.iter().enumerate().filter(|(_, source)| source.is_hcl);
        let files = parsed.filter_map(|(place, source)| {
            // What is no HCL has been refused, or is none of the files that were read.
            let body = (!nests_too_deep(&source.text))
                .then(|| source.text.parse::<Body>().ok())
                .flatten()?;
            Some((place, source.path.clone(), body))
        });
        Self { files: files.collect(), root: clean_path(root) }
    }

    pub(super) fn find(&self, place: &Place) -> Option<(usize, Range<usize>)> {
        let (modules, kind, label) = address(&place.item.address)?;
        let directory = self.directory(&self.root, &modules, MODULES);
        let in_directory =
            |path: &str| directory.as_deref().is_some_and(|directory| folder(path) == directory);
        let candidates = || {
            self.files.iter().filter_map(|(source, path, body)| {
                let mut blocks = body.blocks().filter(|block| {
                    block.has_ident("resource") && block.has_exact_labels(&[kind, label])
                });
                Some((*source, path.as_str(), blocks.next()?))
            })
        };
        let (source, _, block) = candidates()
            .find(|(_, path, _)| place.item.file.as_deref() == Some(*path))
            .or_else(|| candidates().find(|(_, path, _)| in_directory(path)))
            .or_else(|| {
                let mut all = candidates();
                let only = all.next()?;
                all.next().is_none().then_some(only)
            })?;
        Some((source, inside(block, place)?))
    }

    /// The folder of a module, if it is a local one.
    fn directory(&self, from: &str, modules: &[&str], depth: usize) -> Option<String> {
        let Some((first, rest)) = modules.split_first() else { return Some(from.to_owned()) };
        let depth = depth.checked_sub(1)?;
        let call = self
            .files
            .iter()
            .filter(|(_, path, _)| folder(path) == from)
            .flat_map(|(_, _, body)| body.blocks())
            .find(|block| block.has_ident("module") && block.has_exact_labels(&[*first]))?;
        let source = call.body.get_attribute("source")?.value.as_str()?;
        self.directory(&clean_path(&format!("{from}/{source}")), rest, depth)
    }

    pub(super) fn blocks(&self, source: usize, text: &str) -> Vec<(usize, usize)> {
        let mut found = BTreeMap::new();
        for (_, _, body) in self.files.iter().filter(|(place, ..)| *place == source) {
            gather(body, text, &mut found);
        }
        found.into_iter().collect()
    }
}

fn gather(body: &Body, text: &str, found: &mut BTreeMap<usize, usize>) {
    for block in body.blocks() {
        if let Some(range) = block.span() {
            let (first, last) =
                (line_of(text, range.start), line_of(text, range.end.min(text.len())));
            let end = found.entry(first).or_default();
            *end = last.max(*end);
        }
        gather(&block.body, text, found);
    }
}

/// `module.a[0].module.b.aws_x.y["z"]` to its modules, type and label.
pub(super) fn address(address: &str) -> Option<(Vec<&str>, &str, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut index) = (0, false, None);
    for (place, character) in address.char_indices().chain([(address.len(), '.')]) {
        match character {
            '"' if index.is_some() => quoted = !quoted,
            '[' if index.is_none() => index = Some(place),
            '.' if !quoted => {
                parts.push(&address[start..index.unwrap_or(place)]);
                (start, index) = (place + 1, None);
            }
            _ => {}
        }
    }
    let [modules @ .., kind, label] = parts.as_slice() else { return None };
    Some((modules.iter().copied().filter(|part| *part != "module").collect(), kind, label))
}

fn inside(block: &Block, place: &Place) -> Option<Range<usize>> {
    let within = place.rule.as_deref().and_then(|name| rule(&block.body, name)).unwrap_or(block);
    if let Some(member) = &place.member {
        let found = member_of(&within.body, member).or_else(|| member_of(&block.body, member));
        if found.is_some() {
            return found;
        }
    }
    header(within)
}

/// The block of a rule: by its name, else the `dynamic` one, which makes rules.
fn rule<'b>(body: &'b Body, name: &str) -> Option<&'b Block> {
    let rules = || body.blocks().filter(|block| block.has_ident("rule"));
    let named = |block: &&Block| {
        block.body.get_attribute("name").is_some_and(|it| it.value.as_str() == Some(name))
    };
    rules().find(named).or_else(|| {
        body.blocks().find(|block| block.has_ident("dynamic") && block.has_exact_labels(&["rule"]))
    })
}

fn header(block: &Block) -> Option<Range<usize>> {
    let start = block.ident.span()?;
    let end =
        block.labels.last().and_then(hcl_edit::Span::span).map_or(start.end, |label| label.end);
    Some(start.start..end)
}

/// The first member of this name, nearest to the outside.
fn member_of(body: &Body, member: &str) -> Option<Range<usize>> {
    let mut level: Vec<&Body> = vec![body];
    while !level.is_empty() {
        let mut below = Vec::new();
        for body in level {
            for structure in body {
                match structure {
                    Structure::Attribute(attribute) if is(attribute.key.as_str(), member) => {
                        return attribute.span();
                    }
                    Structure::Block(block) if is(block.ident.as_str(), member) => {
                        return header(block);
                    }
                    Structure::Block(block) => below.push(&block.body),
                    Structure::Attribute(attribute) => {
                        if let Some(range) = key_of(&attribute.value, member) {
                            return Some(range);
                        }
                    }
                }
            }
        }
        level = below;
    }
    None
}

/// A key of an object, such as a dimension.
fn key_of(value: &Expression, member: &str) -> Option<Range<usize>> {
    let object = value.as_object()?;
    let text = |key: &ObjectKey| match key {
        ObjectKey::Ident(name) => Some(name.as_str().to_owned()),
        ObjectKey::Expression(key) => key.as_str().map(str::to_owned),
    };
    let (key, value) = object.iter().find(|(key, _)| text(key).as_deref() == Some(member))?;
    let start = key.span().or_else(|| value.expr().span())?;
    let end = value.expr().span().map_or(start.end, |range| range.end);
    Some(start.start..end)
}

pub(super) fn is(name: &str, member: &str) -> bool {
    let spelled = api_name(name);
    spelled.eq_ignore_ascii_case(member)
        || format!("{spelled}s").eq_ignore_ascii_case(member)
        || OTHER_NAMES.contains(&(member, name))
}

fn folder(path: &str) -> String {
    clean_path(path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        assert_eq!(
            address("module.a[\"x.y\"].module.b.aws_x.y[0]"),
            Some((vec!["a", "b"], "aws_x", "y"))
        );
        assert_eq!(address("aws_x.y"), Some((vec![], "aws_x", "y")));
        assert_eq!(address("nothing"), None);
    }
}
