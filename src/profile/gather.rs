//! The clients of one list, while they are found: by name where a name can matter, else by kind.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::ClientProfile;
use super::crowd::{Crowd, Kind, STRATA};

/// Of the clients of a stratum so many are kept by name: more than any list shows.
const FIRST: usize = 24;

/// Which clients are kept by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// All that can stand on a list, which is all that a proposal and a report need.
    #[default]
    OfLists,
    /// All.
    OfEverybody,
}

/// A client that is one of the first of some strata.
#[derive(Clone)]
struct Candidate {
    text: Box<[u8]>,
    client: ClientProfile,
    kind: Kind,
    /// How many strata.
    strata: u8,
}

/// Clients by name and by kind. What comes of it does not depend on their order.
#[derive(Clone)]
pub(super) struct Gathered {
    names: Names,
    named: Vec<ClientProfile>,
    crowd: HashMap<Kind, u32, RandomState>,
    /// Places in `candidates`; those that are free hold nobody.
    first: Vec<Vec<u32>>,
    candidates: Vec<Option<Candidate>>,
    free: Vec<u32>,
    text: Vec<u8>,
}

impl Gathered {
    pub(super) fn new(names: Names) -> Self {
        Self {
            names,
            named: Vec::new(),
            crowd: HashMap::default(),
            first: vec![Vec::new(); STRATA],
            candidates: Vec::new(),
            free: Vec::new(),
            text: Vec::new(),
        }
    }

    /// Takes a client in.
    pub(super) fn take(&mut self, client: ClientProfile) {
        let kind = match self.names {
            Names::OfEverybody => None,
            Names::OfLists => Kind::of(&client),
        };
        match kind {
            None => self.named.push(client),
            Some(kind) => self.take_small(client, kind),
        }
    }

    fn take_small(&mut self, client: ClientProfile, kind: Kind) {
        self.text.clear();
        client.client.with_text(|text| self.text.extend_from_slice(text));
        self.take_named(client, kind);
    }

    /// Takes in a small client whose name is in `text`.
    fn take_named(&mut self, client: ClientProfile, kind: Kind) {
        let strata = kind.strata();
        let is_first = strata.map(|stratum| self.is_first(stratum));
        let count = is_first.iter().filter(|first| **first).count() as u8;
        if count == 0 {
            *self.crowd.entry(kind).or_insert(0) += 1;
            return;
        }
        let candidate =
            Candidate { text: self.text.as_slice().into(), client, kind, strata: count };
        let place = self.keep(candidate);
        for (stratum, _) in strata.into_iter().zip(is_first).filter(|(_, first)| *first) {
            self.put(place, stratum);
        }
    }

    /// Whether the text is one of the first of a stratum.
    fn is_first(&self, stratum: usize) -> bool {
        let first = &self.first[stratum];
        first.len() < FIRST || first.last().is_some_and(|&last| *self.text < *self.text_of(last))
    }

    fn text_of(&self, place: u32) -> &[u8] {
        self.candidates[place as usize].as_ref().map_or(&[], |candidate| &candidate.text)
    }

    fn keep(&mut self, candidate: Candidate) -> u32 {
        if let Some(place) = self.free.pop() {
            self.candidates[place as usize] = Some(candidate);
            return place;
        }
        self.candidates.push(Some(candidate));
        self.candidates.len() as u32 - 1
    }

    fn put(&mut self, place: u32, stratum: usize) {
        let at = self.first[stratum].partition_point(|&other| *self.text_of(other) < *self.text);
        self.first[stratum].insert(at, place);
        if self.first[stratum].len() > FIRST
            && let Some(last) = self.first[stratum].pop()
        {
            self.let_go(last);
        }
    }

    /// A candidate is not among the first of a stratum any more.
    fn let_go(&mut self, place: u32) {
        let slot = &mut self.candidates[place as usize];
        let Some(candidate) = slot else { return };
        candidate.strata -= 1;
        if candidate.strata == 0 {
            *self.crowd.entry(candidate.kind).or_insert(0) += 1;
            *slot = None;
            self.free.push(place);
        }
    }

    /// Takes over what another has.
    pub(super) fn absorb(&mut self, mut other: Self) {
        self.named.append(&mut other.named);
        for candidate in other.candidates.into_iter().flatten() {
            self.text.clear();
            self.text.extend_from_slice(&candidate.text);
            self.take_named(candidate.client, candidate.kind);
        }
        for (kind, clients) in other.crowd {
            *self.crowd.entry(kind).or_insert(0) += clients;
        }
    }

    /// Those with names, in no order, and the kinds of the others.
    pub(super) fn into_lists(self) -> (Vec<ClientProfile>, Vec<Crowd>) {
        let Self { mut named, candidates, crowd, .. } = self;
        named.extend(candidates.into_iter().flatten().map(|candidate| candidate.client));
        let mut crowd: Vec<(Kind, u32)> = crowd.into_iter().collect();
        crowd.sort_unstable();
        (named, crowd.into_iter().map(|(kind, clients)| Crowd::new(kind, clients)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Habit;
    use crate::units::{Client, Timestamp};

    fn client(number: u32) -> ClientProfile {
        let peak = 1 + number % 2;
        ClientProfile {
            client: Client::from_text(&std::net::Ipv4Addr::from(number).to_string()),
            label: None,
            requests: 2,
            lines: 2,
            sliding: [peak; 4],
            clock: [1; 4],
            plain_sliding: [1; 4],
            busiest: [Timestamp(number.into()); 4],
            habits: [Habit { near_days: 1, windows: 2, middle: 1 }; 4],
            hours: 1,
            agents: 1,
            top_agent: 7,
            errors: 0,
            limited: 0,
            referers: 0,
            browsers: 0,
            forwarded: 0,
            known: true,
            first: Timestamp(1),
            last: Timestamp(2),
        }
    }

    /// The names that are kept, sorted as text, and the crowd.
    fn lists(gathered: Gathered) -> (Vec<String>, Vec<Crowd>) {
        let (named, crowd) = gathered.into_lists();
        let mut names: Vec<String> = named.iter().map(|one| one.client.to_string()).collect();
        names.sort();
        (names, crowd)
    }

    #[test]
    fn the_first_of_each_stratum_keep_their_names_whatever_the_order() {
        let many = 5_000_u32;
        let mut forwards = Gathered::new(Names::OfLists);
        (0..many).for_each(|number| forwards.take(client(number)));
        let (mut odd, mut even) = (Gathered::new(Names::OfLists), Gathered::new(Names::OfLists));
        for number in (0..many).rev() {
            let half = if number % 3 == 0 { &mut odd } else { &mut even };
            half.take(client(number));
        }
        odd.absorb(even);
        let (names, crowd) = lists(forwards);
        let mut expected = Vec::new();
        for peak in 0..2 {
            let mut texts: Vec<String> = (0..many)
                .filter(|number| number % 2 == peak)
                .map(|number| client(number).client.to_string())
                .collect();
            texts.sort();
            expected.extend(texts.into_iter().take(FIRST));
        }
        expected.sort();
        assert_eq!(names, expected);
        assert_eq!(crowd.iter().map(|crowd| crowd.clients).collect::<Vec<_>>(), [2_476; 2]);
        assert_eq!((names, crowd), lists(odd));
    }

    #[test]
    fn everybody_is_kept_where_that_is_asked_for() {
        let mut gathered = Gathered::new(Names::OfEverybody);
        (0..100).for_each(|number| gathered.take(client(number)));
        let (named, crowd) = gathered.into_lists();
        assert_eq!((named.len(), crowd.len()), (100, 0));
    }
}
