//! Limits by windows.

use super::{Anchor, Chart, named, rect, text};
use crate::report::view::Picture;
use crate::units::{Window, count, thousands};

const LEFT: f64 = 92.0;
const TOP: f64 = 34.0;
const CELL: f64 = 134.0;
const ROW: f64 = 28.0;

/// The grid of a replay; `None` without limits.
pub(super) fn grid(route: &str, picture: &Picture) -> Option<Chart> {
    let grid = &picture.grid;
    if grid.limits.is_empty() {
        return None;
    }
    let mut out = String::new();
    for window in Window::ALL {
        let x = LEFT + (window.index() as f64 + 0.5) * CELL;
        text(&mut out, (x, TOP - 10.0), Anchor::Middle, "tick", &format!("{} s", window.seconds()));
    }
    for (row, (limit, cells)) in grid.limits.iter().zip(&grid.cells).enumerate() {
        let y = TOP + row as f64 * ROW;
        let words = thousands(limit.requests().into());
        text(&mut out, (LEFT - 8.0, y + 18.0), Anchor::End, "tick", &words);
        for (window, cell) in Window::ALL.into_iter().zip(cells) {
            let x = LEFT + window.index() as f64 * CELL;
            let is_knee = grid.knee(window) == Some(row);
            let class = class(cell.hit, is_knee);
            let tip = format!(
                "{words} in {} s: {} caught, {} hit",
                window.seconds(),
                count(cell.caught, "client", "clients"),
                count(cell.hit, "other", "others")
            );
            let place = [x + 1.0, y + 1.0, CELL - 2.0, ROW - 2.0];
            rect(&mut out, &format!("cell {class}"), place, Some(&tip));
            let others = match cell.hit {
                0 => String::new(),
                hit => format!(" + {}", thousands(hit)),
            };
            let knee = if is_knee { " *" } else { "" };
            let words = format!("{}{others}{knee}", thousands(cell.caught));
            text(&mut out, (x + CELL / 2.0, y + 18.0), Anchor::Middle, "in-cell", &words);
        }
    }
    let bottom = TOP + grid.limits.len() as f64 * ROW;
    let words = "clients above the limit in force + others; * lowest that hits nobody else";
    text(&mut out, (LEFT, bottom + 18.0), Anchor::Start, "tick", words);
    Some(Chart {
        name: "grid",
        width: 640,
        height: (bottom + 30.0) as u32,
        title: format!("Limits and windows for {}", named(route)),
        description: "Each cell: clients of the limit in force that this limit would catch in this window, and others that it would hit.".to_owned(),
        body: out,
        attributes: String::new(),
    })
}

/// The class of a cell.
pub(in crate::report) const fn class(hit: u64, is_knee: bool) -> &'static str {
    match (hit, is_knee) {
        (_, true) => "knee",
        (0, _) => "free",
        _ => "costly",
    }
}
