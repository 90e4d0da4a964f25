//! The rhythm against the same said naively, and tallies.

use proptest::prelude::*;

use super::{Rhythm, Tally};
use crate::units::Window;

proptest! {
    #[test]
    fn the_busiest_windows_are_as_said_naively(
        gaps in prop::collection::vec(prop_oneof![5 => 0u32..4, 1 => 0u32..2_000], 1..120),
    ) {
        let mut now = 1_788_825_600;
        let times: Vec<u32> = gaps.iter().map(|gap| { now += gap; now }).collect();
        let rhythm = Rhythm::of(&times);
        for (window, busiest) in Window::ALL.iter().zip(rhythm.busiest) {
            let within = |start: u32| {
                let end = start + window.seconds();
                times.iter().filter(|time| (start..end).contains(*time)).count() as u32
            };
            let most = times.iter().map(|&time| within(time)).max().unwrap();
            prop_assert_eq!(busiest.requests, most);
            prop_assert_eq!(within(u32::try_from(busiest.start.0).unwrap()), most);
        }
        prop_assert_eq!(rhythm.five_minutes.values().sum::<u32>() as usize, times.len());
        prop_assert_eq!(rhythm.by_hour.iter().sum::<u64>() as usize, times.len());
    }
}

#[test]
fn gaps_of_a_clock_are_regular_and_those_of_people_are_not() {
    let clock: Vec<u32> = (0..100).map(|tick| 1_788_825_600 + tick * 60 + tick % 2).collect();
    let rhythm = Rhythm::of(&clock);
    assert!((59..=61).contains(&rhythm.gap.unwrap()) && rhythm.regular > 0.99, "{rhythm:?}");
    let people: Vec<u32> = (0..100u32).map(|n| 1_788_825_600 + n * n * 7).collect();
    assert!(Rhythm::of(&people).regular < 0.3);
    assert_eq!(Rhythm::of(&clock[..1]).gap, None);
}

#[test]
fn the_most_frequent_come_first_and_ties_by_text() {
    let texts = ["b", "a", "c", "a", "", "b"];
    let tally = Tally::by_text(0..6, |place| texts[place as usize].to_owned());
    let shown: Vec<(&str, u64)> =
        tally.top.iter().map(|one| (one.text.as_str(), one.requests)).collect();
    assert_eq!(shown, [("a", 2), ("b", 2), ("c", 1)]);
    assert_eq!((tally.distinct, tally.all), (3, 5));
    let many = Tally::of(0..100u32, |number| format!("{number:03}"));
    assert_eq!((many.distinct, many.top.len(), many.top[0].text.as_str()), (100, 12, "000"));
}
