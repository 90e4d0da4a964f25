//! Charts as SVG, from the numbers of [`Picture`]. Inside a page they take the page's style; as files they
//! bring it along.

mod axis;
pub(super) mod grid;
mod ladder;
mod peaks;
#[cfg(feature = "png")]
mod png;
mod week;

use std::fmt::Write as _;

use super::markup::escape;
use super::view::{Picture, Report};
use super::{Analysis, Words};
use crate::units::plain;

pub(super) use axis::{Axis, number};
pub(super) use ladder::ladder;
pub(super) use peaks::{kind_in_words, peaks};
#[cfg(feature = "png")]
pub use png::{Error as PngError, png};
pub(super) use week::week;

/// Colours and lines of all charts, light and dark.
pub(super) const STYLE: &str = include_str!("chart.css");

/// One chart, still without its frame.
pub(super) struct Chart {
    /// `peaks`, `week` and so on.
    pub(super) name: &'static str,
    width: u32,
    height: u32,
    title: String,
    description: String,
    body: String,
    /// More attributes of the element, which the page's script reads.
    attributes: String,
}

impl Chart {
    /// The element; `id` keeps several of one page apart.
    pub(super) fn inline(&self, id: &str) -> String {
        let Self { name, width, height, attributes, .. } = self;
        format!(
            "<svg class=\"chart {name}\" id=\"{id}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\"{attributes}>\n{}</svg>\n",
            self.inside(id)
        )
    }

    /// A file of its own.
    fn file(&self) -> String {
        let Self { name, width, height, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {name}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"c-t c-d\">\n<style>\n{STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.inside("c")
        )
    }

    fn inside(&self, id: &str) -> String {
        format!(
            "<title id=\"{id}-t\">{}</title>\n<desc id=\"{id}-d\">{}</desc>\n{}",
            escape(&self.title),
            escape(&self.description),
            self.body
        )
    }
}

/// All charts of all routes, each with a file name: `1-token-peaks.svg`.
#[must_use]
pub fn svg_files(analysis: &Analysis, words: &dyn Words) -> Vec<(String, String)> {
    let report = Report::new(analysis, words);
    let mut files = Vec::new();
    for (place, (route, view)) in analysis.routes.iter().zip(&report.routes).enumerate() {
        let picture = Picture::new(route, &analysis.coverage.hours, NAMED, words);
        let slug = slug(&view.route);
        for chart in all(&view.route, &picture) {
            files.push((format!("{}-{slug}-{}.svg", place + 1, chart.name), chart.file()));
        }
    }
    files
}

/// Clients that a chart names.
pub(super) const NAMED: usize = 120;

fn all(route: &str, picture: &Picture) -> Vec<Chart> {
    let mut charts = vec![peaks(route, picture)];
    charts.extend(week(route, picture));
    charts.push(ladder(route, picture));
    charts.extend(grid::grid(route, picture));
    charts
}

/// A route in a file name: letters and digits of the first 40 characters.
fn slug(route: &str) -> String {
    let mut out = String::new();
    for character in route.chars().take(40) {
        if character.is_ascii_alphanumeric() {
            out.push(character.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "route".to_owned() } else { out.to_owned() }
}

/// The route in a title: the longest paths would fill it.
fn named(route: &str) -> String {
    super::shorten::shorten(&plain(route), 80)
}

/// Where text stands, in relation to its place.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// Some text of a chart, already escaped here.
fn text(out: &mut String, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>",
        number(x),
        number(y),
        escape(text)
    );
}

/// A rectangle with an optional tooltip.
fn rect(out: &mut String, class: &str, [x, y, width, height]: [f64; 4], tip: Option<&str>) {
    let tip = tip.map(|tip| format!("<title>{}</title>", escape(tip))).unwrap_or_default();
    let _ = writeln!(
        out,
        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{tip}</rect>",
        number(x),
        number(y),
        number(width),
        number(height)
    );
}

/// A straight line.
fn line(out: &mut String, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
    let _ =
        writeln!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_holds_letters_and_digits_only() {
        for (route, name) in
            [("GET /oauth/token", "get-oauth-token"), ("../../etc", "etc"), ("\u{202e}<>", "route")]
        {
            assert_eq!(slug(route), name);
        }
    }
}
