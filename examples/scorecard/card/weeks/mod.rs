//! The kinds of week.

mod mixed;
mod peaceful;
mod untold;
mod wild;

use super::week::{Shape, Week};

/// A kind of week: its name and how one is made.
pub struct Kind {
    pub name: &'static str,
    /// Whether only people, not logs, know who has to pass.
    pub untold: bool,
    pub make: fn(&mut Week),
}

type Named = (&'static str, fn(&mut Week));

/// All kinds: those with nobody to stop, those with runaways, the tangled ones, and what no log tells.
pub fn kinds() -> Vec<Kind> {
    let told = [peaceful::KINDS, wild::KINDS, mixed::KINDS].into_iter().flatten();
    told.map(|kind| (kind, false))
        .chain(untold::KINDS.iter().map(|kind| (kind, true)))
        .map(|(&(name, make), untold)| Kind { name, untold, make })
        .collect()
}

/// Visitors whose busiest spell follows a shape drawn anew for each week.
fn ordinary(week: &mut Week) -> &mut Week {
    let number = week.random.factor(250.0, 2_500.0) as u32;
    let shape = any_shape(week);
    week.visitors(number, shape)
}

fn any_shape(week: &mut Week) -> Shape {
    let random = &mut week.random;
    let median = random.factor(2.0, 12.0);
    match random.whole(0, 2) {
        0 => Shape::LogNormal { median, sigma: random.between(0.7, 1.2) },
        1 => Shape::Pareto { least: median / 2.0, exponent: random.between(1.6, 2.6) },
        _ => Shape::Geometric { mean: median },
    }
}
