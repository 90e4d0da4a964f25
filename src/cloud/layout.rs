//! Dates in folders: Hive partitions (`year=2026/month=09/day=08/hour=07/`), plain ones
//! (`2026/09/08/07/`), and whole dates (`dt=2026-09-08/`, `20260908/`).

use crate::units::Timestamp;

/// What the folders of a key tell so far.
#[derive(Clone, Copy, Debug, Default)]
struct Partial {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    hour: Option<u32>,
}

/// The time that the folders of a key stand for, its end left out; `None` if they tell of none. What
/// follows the last slash is a name, not a folder.
pub(super) fn stretch(key: &str) -> Option<(Timestamp, Timestamp)> {
    let folders = &key[..key.rfind('/')?];
    let mut partial = Partial::default();
    folders.split('/').for_each(|folder| partial.read(folder));
    partial.stretch()
}

impl Partial {
    fn read(&mut self, folder: &str) {
        let Some((name, value)) = folder.split_once('=') else {
            self.read_plain(folder);
            return;
        };
        let number = || digits(value).filter(|_| value.len() <= 4);
        match name.to_ascii_lowercase().as_str() {
            "year" | "yyyy" | "y" => *self = Self { year: number(), ..Self::default() },
            "month" | "mm" | "m" => self.month = number(),
            "day" | "dd" | "d" if value.len() <= 2 => self.day = number(),
            "hour" | "hh" | "h" => self.hour = number(),
            _ => self.read_date(value),
        }
    }

    fn read_plain(&mut self, folder: &str) {
        let number = digits(folder);
        match (folder.len(), number) {
            (4, Some(year @ 2_000..=2_099)) if self.month.is_none() => self.year = Some(year),
            (2, Some(month @ 1..=12)) if self.year.is_some() && self.month.is_none() => {
                self.month = Some(month);
            }
            (2, Some(day @ 1..=31)) if self.month.is_some() && self.day.is_none() => {
                self.day = Some(day);
            }
            (2, Some(hour @ 0..=23)) if self.day.is_some() && self.hour.is_none() => {
                self.hour = Some(hour);
            }
            _ => self.read_date(folder),
        }
    }

    /// `2026-09-08`, `20260908`, `2026-09-08-07`.
    fn read_date(&mut self, text: &str) {
        let bare: String = text.chars().filter(|character| *character != '-').collect();
        let dashes = text.len() - bare.len();
        let fits = matches!((bare.len(), dashes), (8, 0 | 2) | (10, 0 | 3));
        if !fits || digits(&bare).is_none() {
            return;
        }
        let part = |from: usize, to: usize| bare.get(from..to).and_then(digits);
        if part(0, 4).is_some_and(|year| (2_000..=2_099).contains(&year)) {
            *self =
                Self { year: part(0, 4), month: part(4, 6), day: part(6, 8), hour: part(8, 10) };
        }
    }

    fn stretch(self) -> Option<(Timestamp, Timestamp)> {
        let year = i64::from(self.year?);
        let Some(month) = self.month else {
            return Some((
                Timestamp::from_date(year, 1, 1)?,
                Timestamp::from_date(year + 1, 1, 1)?,
            ));
        };
        let Some(day) = self.day else {
            let next = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            let end = Timestamp::from_date(next.0, next.1, 1)?;
            return Some((Timestamp::from_date(year, month, 1)?, end));
        };
        let start = Timestamp::from_date(year, month, day)?;
        Some(match self.hour.filter(|hour| *hour < 24) {
            None => (start, Timestamp(start.0 + 86_400)),
            Some(hour) => {
                let start = start.0 + i64::from(hour) * 3_600;
                (Timestamp(start), Timestamp(start + 3_600))
            }
        })
    }
}

fn digits(text: &str) -> Option<u32> {
    let only_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_tell_their_time() {
        for (key, expected) in [
            ("a/2026/", Some(("2026-01-01T00:00:00Z", 365 * 24))),
            ("a/2026/09/x.gz", Some(("2026-09-01T00:00:00Z", 30 * 24))),
            ("a/2026/12/", Some(("2026-12-01T00:00:00Z", 31 * 24))),
            ("a/2026/09/08/", Some(("2026-09-08T00:00:00Z", 24))),
            ("a/2026/09/08/07/x.gz", Some(("2026-09-08T07:00:00Z", 1))),
            ("acl/2026/09/08/07/05/x.gz", Some(("2026-09-08T07:00:00Z", 1))),
            ("year=2026/month=9/day=08/hour=23/x", Some(("2026-09-08T23:00:00Z", 1))),
            ("Year=2026/free/MONTH=09/", Some(("2026-09-01T00:00:00Z", 30 * 24))),
            ("{x}/2026/free/09/08/", Some(("2026-09-08T00:00:00Z", 24))),
            ("dt=2026-09-08/x", Some(("2026-09-08T00:00:00Z", 24))),
            ("date=20260908/", Some(("2026-09-08T00:00:00Z", 24))),
            ("2026-09-08-07/x", Some(("2026-09-08T07:00:00Z", 1))),
            ("2020/backup/2026/09/", Some(("2026-09-01T00:00:00Z", 30 * 24))),
            ("AWSLogs/123456789012/CloudFront/", None),
            ("AWSLogs/aws-account-id=123456789012/x", None),
            ("year=2026/month=13/", None),
            ("a/2026/02/30/", None),
            ("09/08/x", None),
            ("E1.2026-09-08-07.ab.gz", None),
            ("day=99999999999999999999/", None),
            ("a/20269908/", None),
            ("", None),
        ] {
            let found = stretch(key);
            let found = found.map(|(start, end)| (start.to_string(), (end.0 - start.0) / 3_600));
            let expected = expected.map(|(start, hours)| (start.to_owned(), hours));
            assert_eq!(found, expected, "{key}");
        }
    }
}
