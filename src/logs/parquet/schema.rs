//! Which columns of a file are needed: by their names, whatever their punctuation.

use parquet::schema::types::SchemaDescriptor;

use super::column::Meaning;
use super::fault::Fault;
use crate::logs::fields::Field;

/// The needed columns: their places, and what they are. `details`: with those that no count needs.
pub(super) fn needed(
    schema: &SchemaDescriptor,
    details: bool,
) -> Result<Vec<(usize, Field)>, Fault> {
    let mut found: Vec<(usize, Field)> = Vec::new();
    for (place, column) in schema.columns().iter().enumerate() {
        let parts = column.path().parts();
        let Some(field) = parts.first().and_then(|name| Field::from_name(name)) else { continue };
        if parts.len() > 1 || column.max_rep_level() > 0 {
            let name = parts.first().cloned().unwrap_or_default();
            return Err(Fault::Column { name, what: "holds lists or structures".to_owned() });
        }
        // Whoever made one column of date and time may have kept a name of one of them.
        let is_moment = matches!(Meaning::of(column), Meaning::Moment(_));
        let field = match field {
            Field::Date | Field::Time if is_moment => Field::Timestamp,
            other => other,
        };
        if (details || !field.is_detail()) && found.iter().all(|(_, other)| *other != field) {
            found.push((place, field));
        }
    }
    // The pattern only stands in for a path.
    if found.iter().any(|(_, field)| *field == Field::Path) {
        found.retain(|(_, field)| *field != Field::PathPattern);
    }
    Ok(found)
}
