//! What holds for every list of clients.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::made::clients;
use crate::profile::Label;
use crate::proposal::{Behaviour, Decision, Observation, decide, decide_together, propose};
use crate::units::Window;

/// Quiet, busy and wild clients, with a share of every kind of column.
fn peak() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 1..12u32, 2 => 10..60u32, 2 => 50..5_000u32, 1 => 1..3_000_000_000u32]
}

fn behaviour() -> impl Strategy<Value = Option<Behaviour>> {
    let share = || prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    let known = (1..8u32, 1..169u32, 1..600u32, 0.0..1.0, share(), share()).prop_map(
        |(near_days, hours, windows, middle, referer, browser)| {
            // The middle becomes a share of the peak in `client`.
            let middle = (f64::from(u16::MAX) * middle) as u32;
            let (near_days, hours) =
                if hours < 140 { (1, hours % 12 + 1) } else { (near_days, hours) };
            Behaviour { near_days, hours, windows, middle, referer, browser }
        },
    );
    option::weighted(0.9, known)
}

fn client() -> impl Strategy<Value = Observation> {
    let label = prop_oneof![
        40 => Just(None),
        1 => Just(Some(Label::Exempt)),
        1 => Just(Some(Label::Good)),
        1 => Just(Some(Label::Bad)),
    ];
    let agents = prop_oneof![9 => 1..3u32, 1 => 8..65u32];
    let errors = prop_oneof![8 => Just(0.0), 1 => 0.0..0.2, 1 => 0.5..1.0];
    (peak(), 1..6u32, agents, errors, 0.05..1.0, behaviour(), label).prop_map(
        |(peak, times, agents, share_4xx, focus, behaviour, label)| Observation {
            peak,
            requests: peak.saturating_mul(times),
            agents,
            share_4xx,
            focus,
            behaviour: behaviour.map(|mut known| {
                let middle = u64::from(peak) * u64::from(known.middle) / u64::from(u16::MAX);
                known.middle = (middle as u32).max(1);
                known
            }),
            label,
        },
    )
}

/// A decision with everything that is per client brought into the order of `places`.
fn reordered(mut decision: Decision, places: &[usize]) -> Decision {
    decision.established = places.iter().map(|&place| decision.established[place]).collect();
    decision.shared = places.iter().map(|&place| decision.shared[place]).collect();
    decision.signs = places.iter().map(|&place| decision.signs[place]).collect();
    for question in &mut decision.questions {
        question.clients =
            (0..places.len()).filter(|&at| question.clients.contains(&places[at])).collect();
    }
    decision
}

fn window() -> impl Strategy<Value = Window> {
    prop::sample::select(Window::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A flood is a handful of rows: to count them is to look at each.
    #[test]
    fn clients_that_are_alike_are_decided_on_together(
        list in vec((client(), prop_oneof![3 => Just(1_u32), 1 => 2..40_u32]), 0..60),
        days in 0..8u32,
        window in window(),
    ) {
        let (kinds, numbers): (Vec<Observation>, Vec<u32>) = list.into_iter().unzip();
        let all = || kinds.iter().zip(&numbers).enumerate();
        let places: Vec<usize> =
            all().flat_map(|(place, (_, &number))| std::iter::repeat_n(place, number as usize)).collect();
        let everybody: Vec<Observation> = places.iter().map(|&place| kinds[place]).collect();
        let mut naive = decide(&everybody, days, window);
        let together = decide_together(&kinds, &numbers, days, window);
        for (own, place) in places.iter().enumerate() {
            prop_assert_eq!(naive.established[own], together.established[*place]);
            prop_assert_eq!(naive.shared[own], together.shared[*place]);
            prop_assert_eq!(naive.signs[own], together.signs[*place]);
        }
        for question in &mut naive.questions {
            question.clients = question.clients.iter().map(|&own| places[own]).collect();
            question.clients.dedup();
        }
        let naive = Decision {
            established: together.established.clone(),
            shared: together.shared.clone(),
            signs: together.signs.clone(),
            ..naive
        };
        prop_assert_eq!(naive, together);
    }

    #[test]
    fn the_order_of_clients_does_not_matter(
        (list, places) in vec(client(), 0..90).prop_flat_map(|list| {
            let places: Vec<usize> = (0..list.len()).collect();
            (Just(list), Just(places).prop_shuffle())
        }),
        days in 0..9u32,
        window in window(),
    ) {
        let other: Vec<Observation> = places.iter().map(|&place| list[place]).collect();
        let wanted = reordered(decide(&list, days, window), &places);
        prop_assert_eq!(decide(&other, days, window), wanted);
    }

    #[test]
    fn a_limit_lies_in_its_gap_and_above_everybody_who_has_to_pass(
        list in vec(client(), 0..90),
        days in 0..9u32,
        window in window(),
    ) {
        let decision = decide(&list, days, window);
        let highest = list
            .iter()
            .filter(|client| client.label != Some(Label::Exempt))
            .map(|client| client.peak)
            .max()
            .unwrap_or(0);
        prop_assert!(u64::from(decision.ceiling.requests()) >= (2 * u64::from(highest)).min(2_000_000_000));
        if let Some(limit) = decision.limit {
            let limit = limit.requests();
            let (lower, upper) = (decision.lower.unwrap(), decision.upper.unwrap());
            prop_assert!(lower < limit && limit < upper, "{lower} {limit} {upper}");
            for (place, client) in list.iter().enumerate() {
                let must = client.label == Some(Label::Good) || decision.established[place];
                prop_assert!(!must || client.peak < limit, "{place} is above {limit}");
            }
        } else {
            prop_assert!(decision.reason.is_some() && decision.evidence.is_none());
        }
        for question in &decision.questions {
            prop_assert!(Some(question.limit) != decision.limit && !question.clients.is_empty());
        }
    }

    #[test]
    fn an_exempt_client_more_changes_nothing(
        list in vec(client(), 0..60),
        mut more in client(),
        days in 0..9u32,
    ) {
        let window = Window::FIVE_MINUTES;
        more.label = Some(Label::Exempt);
        let with: Vec<Observation> = list.iter().copied().chain([more]).collect();
        let (with, without) = (decide(&with, days, window), decide(&list, days, window));
        prop_assert_eq!(with.limit, without.limit);
        prop_assert_eq!(with.questions, without.questions);
        prop_assert_eq!(with.evidence, without.evidence);
    }

    #[test]
    fn lists_of_a_proposal_agree_with_its_limit(
        list in vec(client(), 0..90),
        days in 0..9u32,
    ) {
        let window = Window::FIVE_MINUTES;
        let clients = clients(&list);
        let proposal = propose(&clients, days, window);
        let counted = || clients.iter().filter(|client| {
            client.label.as_ref().is_none_or(|labelled| labelled.label != Label::Exempt)
        });
        for (rung, above) in &proposal.ladder {
            let really = counted().filter(|client| client.peak(window) > rung.requests()).count();
            prop_assert_eq!(*above, really);
        }
        if let Some(limit) = proposal.limit {
            let peak = |place: usize| clients[place].peak(window);
            prop_assert!(proposal.ladder.contains(&(limit, proposal.above.len())));
            prop_assert_eq!(proposal.busiest_below.map(peak), proposal.lower);
            prop_assert_eq!(proposal.weakest_above.map(peak), proposal.upper);
            prop_assert!(proposal.above.contains(&proposal.weakest_above.unwrap()));
            prop_assert!(proposal.headroom.unwrap() > 1.0 && proposal.margin.unwrap() > 1.0);
        }
        let mut listed: Vec<usize> = (0..clients.len()).filter(|&place| {
            counted().any(|client| client.client == clients[place].client)
        }).collect();
        listed.sort_by_key(|&place| {
            (std::cmp::Reverse(clients[place].peak(window)), clients[place].client.to_string())
        });
        listed.truncate(proposal.above.len() + 5);
        prop_assert_eq!([proposal.above, proposal.below].concat(), listed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn one_repeated_value_has_no_gap(client in client(), times in 1..200usize, days in 0..9u32) {
        let decision = decide(&vec![client; times], days, Window::FIVE_MINUTES);
        prop_assert_eq!(decision.limit, None);
    }
}
