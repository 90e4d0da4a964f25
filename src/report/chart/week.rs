//! Requests of each hour: when the route is called, and when the log is silent.

use super::{Anchor, Chart, named, rect, text};
use crate::report::view::{Day, Picture};
use crate::units::{Timestamp, count, thousands};

const LEFT: f64 = 112.0;
const TOP: f64 = 26.0;
const CELL: f64 = 22.0;
const ROW: f64 = 21.0;
const SHADES: f64 = 6.0;
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// The heat map; `None` if there is no day.
pub(in crate::report) fn week(route: &str, picture: &Picture) -> Option<Chart> {
    let days = &picture.days;
    let most = days.iter().flat_map(|day| day.hours.iter().flatten()).copied().max()?;
    let mut out = String::new();
    for hour in (0..24).step_by(3) {
        let x = LEFT + hour as f64 * CELL;
        text(&mut out, (x + 1.0, TOP - 8.0), Anchor::Start, "tick", &format!("{hour:02}"));
    }
    for (row, day) in days.iter().enumerate() {
        let y = TOP + row as f64 * ROW;
        text(&mut out, (LEFT - 8.0, y + 14.0), Anchor::End, "tick", &day.in_words());
        for (hour, requests) in day.hours.iter().enumerate() {
            let shade = requests.map(|requests| shade(requests, most));
            let class = shade.map_or("cell no-log".to_owned(), |shade| format!("cell h{shade}"));
            let told = requests.map_or("nothing logged".to_owned(), requests_in_words);
            let tip = format!("{}, {hour:02} to {:02} h UTC: {told}", day.in_words(), hour + 1);
            let place = [LEFT + hour as f64 * CELL + 1.0, y + 1.0, CELL - 2.0, ROW - 2.0];
            rect(&mut out, &class, place, Some(&tip));
        }
    }
    let bottom = TOP + days.len() as f64 * ROW;
    legend(&mut out, bottom + 12.0, most);
    let earlier = match picture.earlier_days {
        0 => String::new(),
        days => format!(" {} before these are not shown.", count(days, "day", "days")),
    };
    Some(Chart {
        name: "week",
        width: 640,
        height: (bottom + 36.0) as u32,
        title: format!("Requests of {} by hour (UTC)", named(route)),
        description: format!(
            "{} by hour of the day. The busiest hour had {}.{earlier}",
            count(days.len() as u64, "day", "days"),
            requests_in_words(most)
        ),
        body: out,
        attributes: String::new(),
    })
}

fn requests_in_words(requests: u64) -> String {
    count(requests, "request", "requests")
}

/// 0 for nothing, else 1 to 6: by the root, so that quiet hours differ, too.
fn shade(requests: u64, most: u64) -> u32 {
    if requests == 0 {
        return 0;
    }
    let share = (requests as f64 / most.max(1) as f64).sqrt();
    ((share * SHADES).ceil() as u32).clamp(1, SHADES as u32)
}

fn legend(out: &mut String, y: f64, most: u64) {
    let mut x = LEFT;
    for (class, words) in [("no-log", "not logged"), ("h0", "none")] {
        rect(out, &format!("cell {class}"), [x + 1.0, y, CELL - 2.0, 14.0], None);
        text(out, (x + CELL + 4.0, y + 11.0), Anchor::Start, "tick", words);
        x += CELL + 22.0 + 8.6 * words.len() as f64;
    }
    for shade in 1..=SHADES as u32 {
        rect(out, &format!("cell h{shade}"), [x + 1.0, y, CELL - 2.0, 14.0], None);
        x += CELL;
    }
    let words = format!("1 to {} an hour", thousands(most));
    text(out, (x + 6.0, y + 11.0), Anchor::Start, "tick", &words);
}

impl Day {
    /// `Tue 8 Sep`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let date = Timestamp(self.day * 86_400).date_in_words();
        let short = date.rsplit_once(' ').map_or(date.as_str(), |(short, _)| short);
        format!("{} {short}", WEEKDAYS[self.day.rem_euclid(7) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_names_and_hours_shades() {
        let day = Timestamp::from_date(2026, 9, 8).unwrap().day();
        assert_eq!(Day { day, hours: [None; 24] }.in_words(), "Tue 8 Sep");
        assert_eq!([0, 1, 25, 100, 99].map(|requests| shade(requests, 100)), [0, 1, 3, 6, 6]);
    }
}
