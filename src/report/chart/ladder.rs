//! Whom other limits would hit, from half to double.

use super::{Anchor, Chart, named, rect, text};
use crate::report::view::{Picture, Step};
use crate::units::Limit;
use crate::units::{count, rate_in_words, thousands};

const LEFT: f64 = 194.0;
const RIGHT: f64 = 510.0;
const TOP: f64 = 10.0;
const ROW: f64 = 24.0;

/// Round limits around the one in force, as bars.
pub(in crate::report) fn ladder(route: &str, picture: &Picture) -> Chart {
    let own = picture.limit.requests();
    let rungs = rungs(picture);
    let most = rungs.iter().map(|step| step.clients).max().unwrap_or_default().max(1);
    let mut out = String::new();
    for (row, step) in rungs.iter().enumerate() {
        let y = TOP + row as f64 * ROW;
        let is_own = step.limit == own;
        let class = if is_own { "tick own" } else { "tick" };
        let rate = Limit::new(step.limit.into())
            .map(|limit| rate_in_words(limit, picture.window))
            .unwrap_or_default();
        let limit = thousands(step.limit.into());
        text(&mut out, (60.0, y + 15.0), Anchor::End, class, &limit);
        text(&mut out, (70.0, y + 15.0), Anchor::Start, "tick faint", &rate);
        let width = step.clients as f64 / most as f64 * (RIGHT - LEFT);
        let clients = count(step.clients, "client", "clients");
        let tip = format!("{clients} above {limit}");
        let bar = [LEFT, y + 3.0, width.max(1.0), ROW - 6.0];
        rect(&mut out, if is_own { "bar own" } else { "bar" }, bar, Some(&tip));
        text(&mut out, (LEFT + width + 6.0, y + 15.0), Anchor::Start, class, &clients);
    }
    Chart {
        name: "ladder",
        width: 640,
        height: (TOP * 2.0 + rungs.len() as f64 * ROW) as u32,
        title: format!("Other limits for {}", named(route)),
        description: rungs
            .iter()
            .map(|step| {
                format!("{} above {}", count(step.clients, "client", "clients"), step.limit)
            })
            .collect::<Vec<_>>()
            .join(", "),
        body: out,
        attributes: String::new(),
    }
}

/// Limits from half to double that the steps hold. Below a ceiling, which nobody is above, those down to a
/// hundredth of it: each says whom a limit would hit.
fn rungs(picture: &Picture) -> Vec<&Step> {
    if picture.limit_is == "ceiling" {
        return below_ceiling(picture);
    }
    let own = picture.limit.requests();
    let mut wanted: Vec<u32> = [50, 60, 70, 80, 90, 100, 110, 120, 140, 160, 180, 200]
        .into_iter()
        .filter_map(|share| u32::try_from(u64::from(own) * share / 100).ok())
        .collect();
    wanted.retain(|limit| picture.step(*limit).is_some());
    if wanted.len() < 8 {
        // Between two steps of an odd limit: the nearest ones.
        let near = picture.steps.iter().map(|step| step.limit);
        wanted = near.filter(|limit| *limit >= own / 2 && *limit / 2 <= own).collect();
        let thin = wanted.len().div_ceil(10).max(1);
        let own_place = wanted.iter().position(|limit| *limit == own).unwrap_or_default();
        wanted = (wanted.into_iter().enumerate())
            .filter(|(place, _)| place.abs_diff(own_place) % thin == 0)
            .map(|(_, limit)| limit)
            .collect();
    }
    wanted.dedup();
    wanted.into_iter().filter_map(|limit| picture.step(limit)).collect()
}

fn below_ceiling(picture: &Picture) -> Vec<&Step> {
    let own = u64::from(picture.limit.requests());
    let wanted = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100].map(|share| own * share / 100);
    let at = |wanted: u64| picture.steps.iter().find(|step| u64::from(step.limit) >= wanted);
    let mut rungs: Vec<&Step> = wanted.into_iter().filter_map(at).collect();
    rungs.dedup();
    rungs
}
