//! Lists and figures around a decision.

use super::made::{body, client, clients, days, labelled, office, route, script};
use crate::profile::{ClientProfile, Label};
use crate::proposal::{Grade, lock_route, propose, propose_route};
use crate::rules::{Network, NetworkKind};
use crate::units::{Limit, Window};

fn names(clients: &[ClientProfile], places: &[usize]) -> Vec<String> {
    places.iter().map(|&place| clients[place].client.to_string()).collect()
}

#[test]
fn the_lists_hold_who_is_above_and_who_is_just_below() {
    let mut list = clients(&body());
    for (name, peak) in [("198.51.100.9", 400), ("198.51.100.10", 400), ("198.51.100.11", 60)] {
        list.push(client(name, &script(peak)));
    }
    list.push(client("198.51.100.12", &script(75)));
    list.push(client("203.0.113.9", &labelled(script(9_000), Label::Exempt)));
    let proposal = propose(&list, 7, Window::FIVE_MINUTES);
    assert_eq!(proposal.limit.map(Limit::requests), Some(20));
    // Ties by text; the exempt client is not counted by this rule.
    assert_eq!(
        names(&list, &proposal.above),
        ["198.51.100.10", "198.51.100.9", "198.51.100.12", "198.51.100.11"]
    );
    // Peaks 9, 8, 7 and two of the three with 6: 192.0.2.118 to .120.
    assert_eq!(
        names(&list, &proposal.below),
        ["192.0.2.123", "192.0.2.122", "192.0.2.121", "192.0.2.118", "192.0.2.119"]
    );
    assert_eq!(proposal.busiest_below, Some(123));
    assert_eq!(proposal.weakest_above, Some(126));
    assert_eq!((proposal.lower, proposal.upper), (Some(9), Some(60)));
    assert_eq!(proposal.range, Some((11, 50)));
    assert!((proposal.headroom.unwrap() - 20.0 / 9.0).abs() < 1e-12);
    assert!((proposal.margin.unwrap() - 3.0).abs() < 1e-12);
    let last = list.len() - 1;
    let requests: u32 = list[..last].iter().map(|client| client.requests).sum();
    assert!((proposal.share_above - 3.0 * 935.0 / f64::from(requests)).abs() < 1e-12);
    let ladder: Vec<(u32, usize)> =
        proposal.ladder.iter().map(|(limit, above)| (limit.requests(), *above)).collect();
    assert_eq!(ladder, [(10, 4), (12, 4), (15, 4), (20, 4), (25, 4), (30, 4), (40, 4)]);
}

#[test]
fn without_a_limit_the_busiest_five_are_listed() {
    let list = clients(&body());
    let proposal = propose(&list, 7, Window::FIVE_MINUTES);
    assert_eq!((proposal.limit, proposal.grade), (None, Grade::None));
    assert!(proposal.above.is_empty());
    assert_eq!(proposal.below, [123, 122, 121, 118, 119]);
    assert!(proposal.ladder.is_empty());
    assert_eq!(proposal.busiest_below, None);
}

#[test]
fn a_window_that_is_clear_stands_beside_one_that_is_not() {
    let mut list = clients(&body());
    for (number, peak) in [60, 75, 130, 400].into_iter().enumerate() {
        list.push(client(&format!("198.51.100.{number}"), &script(peak)));
    }
    let mut in_the_way = client("198.51.100.99", &office(100));
    in_the_way.sliding = [5, 5, 100, 5];
    list.push(in_the_way);
    let proposed = propose_route(&route(list.clone()), &days(7));
    assert_eq!(proposed.proposal.grade, Grade::None);
    let other = proposed.other_window.unwrap();
    // Equal evidence in all of them: the shortest.
    assert_eq!((other.window, other.grade), (Window::ONE_MINUTE, Grade::Clear));
    assert_eq!(other.limit.map(Limit::requests), Some(20));
    assert_eq!(other.above.len(), 4);

    list.pop();
    let proposed = propose_route(&route(list), &days(7));
    assert_eq!(proposed.proposal.grade, Grade::Clear);
    assert_eq!(proposed.other_window, None);
    assert_eq!(proposed.slash64, None);
    assert_eq!(proposed.warnings, []);
}

#[test]
fn a_lock_counts_whom_the_main_rule_counts() {
    let mut list = clients(&body());
    list.extend((1..=4).map(|number| client(&format!("198.51.100.{number}"), &script(400))));
    let without = route(list.clone());
    list.push(client("203.0.113.9", &labelled(script(9_000), Label::Exempt)));
    let with = route(list);
    let locked = |profile| lock_route(profile, &propose_route(profile, &days(7)), &[]);
    let (without, with) = (locked(&without), locked(&with));
    assert_eq!((with.clients, with.requests), (without.clients, without.requests));
    assert_eq!(with.distribution, without.distribution);
    assert_eq!(with.share_above, without.share_above);
    assert_eq!(with.exempt_peaks, [("office".to_owned(), 9_000)].into());
    assert_eq!(with.good_peaks, [].into());
}

#[test]
fn a_lock_holds_the_peaks_of_networks_and_the_floors_of_twins() {
    let mut list = clients(&body());
    list.push(client("203.0.113.9", &labelled(script(9_000), Label::Exempt)));
    let network = |name: &str| Network {
        name: name.to_owned(),
        cidrs: Vec::new(),
        kind: NetworkKind::Tester,
        until: None,
    };
    let locked = |list: &[ClientProfile]| {
        let profile = route(list.to_vec());
        let networks = [network("office"), network("silent")];
        lock_route(&profile, &propose_route(&profile, &days(7)), &networks)
    };
    let floors = locked(&list).twin_floors;
    assert_eq!(floors, [("office".to_owned(), Limit::new(18_000).unwrap())].into());
    list.pop();
    list.push(client("203.0.113.9", &labelled(script(19), Label::Good)));
    list.push(client("203.0.113.8", &labelled(script(12), Label::Good)));
    let with = locked(&list);
    assert_eq!(with.good_peaks, [("office".to_owned(), 19)].into());
    assert_eq!((with.exempt_peaks, with.twin_floors), ([].into(), [].into()));
}
