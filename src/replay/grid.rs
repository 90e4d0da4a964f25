//! Other limits and windows, beside the one that was chosen.

use crate::units::{Limit, Window};

/// Limits by windows: whom each would catch of those that the rule limits, and whom else it would hit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Ascending.
    pub limits: Vec<Limit>,
    /// For each limit, one cell for each of [`Window::ALL`].
    pub cells: Vec<[GridCell; 4]>,
}

/// What another limit would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GridCell {
    /// Of the clients that the rule limits, those that it would limit, too.
    pub caught: u64,
    /// Others that it would limit.
    pub hit: u64,
}

/// Limits around one, as parts and multiples of it; none below what AWS WAF takes.
#[must_use]
pub fn ladder(limit: Limit) -> Vec<Limit> {
    let own = u64::from(limit.requests());
    let steps = [(1, 8), (1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1), (4, 1), (8, 1)];
    let mut limits: Vec<Limit> =
        steps.iter().filter_map(|(times, of)| Limit::new(own * times / of).ok()).collect();
    limits.sort_unstable();
    limits.dedup();
    limits
}

impl Grid {
    /// Nobody yet.
    #[must_use]
    pub fn new(limits: Vec<Limit>) -> Self {
        let cells = vec![<[GridCell; 4]>::default(); limits.len()];
        Self { limits, cells }
    }

    /// One more client: its peaks by window, and whether the rule limits it.
    pub fn see(&mut self, peaks: [u32; 4], is_limited: bool) {
        for (limit, cells) in self.limits.iter().zip(&mut self.cells) {
            for (cell, peak) in cells.iter_mut().zip(peaks) {
                let over = u64::from(peak > limit.requests());
                *(if is_limited { &mut cell.caught } else { &mut cell.hit }) += over;
            }
        }
    }

    /// Takes over what another found, of the same limits.
    pub fn absorb(&mut self, other: &Self) {
        for (own, other) in self.cells.iter_mut().zip(&other.cells) {
            for (own, other) in own.iter_mut().zip(other) {
                own.caught += other.caught;
                own.hit += other.hit;
            }
        }
    }

    /// The knee of a window: the place of the lowest limit that hits nobody else; `None` if each does.
    #[must_use]
    pub fn knee(&self, window: Window) -> Option<usize> {
        self.cells.iter().position(|cells| cells[window.index()].hit == 0)
    }
}
