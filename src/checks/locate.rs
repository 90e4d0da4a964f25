//! Where a place stands in a text: file, line and column.

mod data;
mod hcl;

use std::collections::BTreeMap;

use super::finding::Place;
use super::model::Tool;

/// A text that places may stand in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
    /// `.tf`, or an input that was read as it is.
    pub is_hcl: bool,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The file.
    pub file: String,
    /// Which of the sources.
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// One after the last byte; in the line of `start`.
    pub end: usize,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// From 1, in characters; one after the last.
    pub end_column: usize,
}

/// Finds places.
#[derive(Debug)]
pub struct Locator<'a> {
    sources: &'a [Source],
    hcl: hcl::Files,
    found: BTreeMap<Place, Option<Spot>>,
}

impl<'a> Locator<'a> {
    /// Looks for all of these places at once. `root` is the folder of the root module of `.tf` files.
    #[must_use]
    pub fn new(sources: &'a [Source], root: &str, places: &[&Place]) -> Self {
        let mut locator =
            Self { sources, hcl: hcl::Files::of(sources, root), found: BTreeMap::new() };
        let mut in_data: BTreeMap<usize, Vec<&Place>> = BTreeMap::new();
        for place in places {
            match place.item.tool {
                Tool::Terraform | Tool::Plan => {
                    let range = locator.hcl.find(place);
                    let spot = range.map(|(source, range)| spot(sources, source, range));
                    if spot.is_none()
                        && let Some(source) = in_json(sources, place)
                    {
                        in_data.entry(source).or_default().push(place);
                    }
                    locator.found.insert((*place).clone(), spot);
                }
                // What is live stands in no file.
                Tool::Live => {}
                Tool::CloudFormation | Tool::Api => {
                    let source =
                        sources.iter().position(|one| !one.is_hcl && one.path == place.item.input);
                    if let Some(source) = source {
                        in_data.entry(source).or_default().push(place);
                    }
                }
            }
        }
        for (source, places) in in_data {
            for (place, range) in data::find(&sources[source].text, &places) {
                locator.found.insert(place.clone(), Some(spot(sources, source, range)));
            }
        }
        locator
    }

    /// Where a place stands; `None` if no source has it.
    #[must_use]
    pub fn spot(&self, place: &Place) -> Option<&Spot> {
        self.found.get(place)?.as_ref()
    }

    /// The first and last line of each block of a `.tf` file, by its first line.
    #[must_use]
    pub fn blocks(&self, source: usize) -> Vec<(usize, usize)> {
        self.hcl.blocks(source, &self.sources[source].text)
    }
}

/// The `.tf.json` file that a place is in, if its file is known to be one.
fn in_json(sources: &[Source], place: &Place) -> Option<usize> {
    let file = place.item.file.as_deref().filter(|file| file.ends_with(".json"))?;
    sources.iter().position(|one| one.is_hcl && one.path == file)
}

fn spot(sources: &[Source], source: usize, range: std::ops::Range<usize>) -> Spot {
    let Source { path, text, .. } = &sources[source];
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let line_start = text[..start].rfind('\n').map_or(0, |place| place + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |place| start + place);
    // A mapping begins somewhere and is as wide as its line.
    let end = if range.is_empty() { line_end } else { range.end };
    let end = text.floor_char_boundary(end.clamp(start, line_end));
    let inside = text[start..end].trim_end();
    let column = 1 + text[line_start..start].chars().count();
    Spot {
        file: path.clone(),
        source,
        start,
        end: start + inside.len(),
        line: line_of(text, start),
        column,
        end_column: column + inside.chars().count(),
    }
}

/// The line of a byte, from 1.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte].iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests;
