//! The clients that the gap statistic is about.

use super::standing::Ranked;

/// Clients, highest peak first; those that are alike may be counted together.
#[derive(Default)]
pub(super) struct Tail {
    clients: Vec<Ranked>,
    /// For each, how many clients end with it.
    ends: Vec<usize>,
}

impl Tail {
    /// So many more clients of the same peak as the last, or of a lower one.
    pub(super) fn push(&mut self, ranked: Ranked, number: u32) {
        let end = self.len() + number as usize;
        self.clients.push(ranked);
        self.ends.push(end);
    }

    /// How many clients there are.
    pub(super) fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Each with its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Ranked, usize)> {
        self.from(0)
    }

    fn from(&self, place: usize) -> impl Iterator<Item = (Ranked, usize)> {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.clients[place..].iter().zip(&self.ends[place..]).scan(
            start,
            |before, (&ranked, &end)| {
                let number = end - *before;
                *before = end;
                Some((ranked, number))
            },
        )
    }

    /// The clients from one rank to another, counted from 0; both lie between two that are not alike.
    pub(super) fn between(
        &self,
        start: usize,
        end: usize,
    ) -> impl Iterator<Item = (Ranked, usize)> {
        let first = self.ends.partition_point(|&other| other <= start);
        let behind = self.ends.partition_point(|&other| other <= end);
        self.from(first).take(behind - first)
    }

    /// The peaks of so many clients from a rank on.
    pub(super) fn peaks(&self, start: usize, number: usize) -> Vec<u32> {
        let first = self.ends.partition_point(|&other| other <= start);
        let peaks =
            self.from(first).flat_map(|(ranked, number)| std::iter::repeat_n(ranked.peak, number));
        // Where the rank lies inside of equal clients, some of them come before it.
        let before = first.checked_sub(1).map_or(0, |before| self.ends[before]);
        peaks.skip(start - before).take(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_that_are_alike_count_as_many() {
        let mut tail = Tail::default();
        for (place, (peak, number)) in
            [(90, 1), (9, 1), (3, 4), (1, 1_000_000)].into_iter().enumerate()
        {
            tail.push(Ranked { peak, place: place as u32 }, number);
        }
        assert_eq!(tail.len(), 1_000_006);
        assert_eq!(tail.iter().map(|(_, number)| number).collect::<Vec<_>>(), [1, 1, 4, 1_000_000]);
        let between: Vec<_> =
            tail.between(1, 6).map(|(ranked, number)| (ranked.place, number)).collect();
        assert_eq!(between, [(1, 1), (2, 4)]);
        assert_eq!(tail.between(2, 2).count(), 0);
        assert_eq!(tail.peaks(1, 6), [9, 3, 3, 3, 3, 1]);
        assert_eq!(tail.peaks(4, 3), [3, 3, 1]);
    }
}
