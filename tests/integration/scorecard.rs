//! A small run of the scorecard: the method stays as careful as its page says.

#[path = "../../examples/scorecard/card/mod.rs"]
mod card;

use card::{kinds, run, table, total};

#[test]
fn a_small_run_stays_within_its_bounds() {
    let scores = run(kinds(), 20_261_129, 2);
    let card = table(&scores);
    let told = total(&scores, false);
    assert!(scores.len() >= 50 && told.weeks >= 100, "{card}");
    // A limit that blocks somebody who has to pass: at most 3 of 100 weeks, and none of them clear.
    assert!(100 * told.false_blocks <= 3 * told.weeks, "{card}");
    assert_eq!(told.clear_false_blocks, 0, "{card}");
    // Saying "none" to everything would be right in about half of the weeks.
    assert!(100 * told.right >= 90 * told.weeks, "{card}");
    assert!(10 * (told.clear + told.weak) >= 4 * told.weeks, "{card}");
    // Without labels the machines of the site's own are not told from runaways. If this fails, the
    // method learned something new: say so on its page.
    assert!(total(&scores, true).false_blocks > 0, "{card}");
}

#[test]
fn the_same_seed_gives_the_same_card() {
    let card = |seed| table(&run(kinds().into_iter().skip(20).take(12), seed, 1));
    assert_eq!(card(7), card(7));
    assert_ne!(card(7), card(8));
}
