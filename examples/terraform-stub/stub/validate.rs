//! The checks that the real provider makes of values it knows.

use super::behaviour::Behaviour;
use super::schema::Block;
use super::value::Value;
use super::wire::{AttributePath, Diagnostic, Selector, Severity, Step};

/// Every value that the provider would refuse, with its place.
pub fn validate(
    behaviour: &Behaviour,
    kind: &str,
    block: &Block,
    config: &Value,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    walk(behaviour, kind, block, config, &mut Vec::new(), &mut found);
    found
}

fn walk(
    behaviour: &Behaviour,
    path: &str,
    block: &Block,
    value: &Value,
    steps: &mut Vec<Step>,
    found: &mut Vec<Diagnostic>,
) {
    let step = |selector| Step { selector: Some(selector) };
    for name in block.attributes.keys().chain(block.blocks.keys()) {
        let path = format!("{path}.{name}");
        let value = value.member(name);
        steps.push(step(Selector::Attribute(name.clone())));
        for fault in behaviour.faults(&path, value) {
            found.push(Diagnostic {
                severity: Severity::Error as i32,
                summary: format!("expected {name} to be valid"),
                detail: fault,
                attribute: Some(AttributePath { steps: steps.clone() }),
            });
        }
        match block.blocks.get(name).map(|nested| &nested.block) {
            Some(nested) if matches!(value, Value::Map(_)) => {
                walk(behaviour, &path, nested, value, steps, found);
            }
            Some(nested) => {
                for (place, item) in value.items().iter().enumerate() {
                    steps.push(step(Selector::Index(i64::try_from(place).unwrap_or_default())));
                    walk(behaviour, &path, nested, item, steps, found);
                    steps.pop();
                }
            }
            // Checks of texts hold for each of a list of them.
            None => {
                for item in value.items() {
                    for fault in behaviour.faults(&path, item) {
                        found.push(Diagnostic {
                            severity: Severity::Error as i32,
                            summary: format!("expected each of {name} to be valid"),
                            detail: fault,
                            attribute: Some(AttributePath { steps: steps.clone() }),
                        });
                    }
                }
            }
        }
        steps.pop();
    }
}
