//! The stretch of time that is asked for, and the hours that names of log files tell of.

use crate::units::Timestamp;

/// From one instant to another, the second left out. Either may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// The first second that counts.
    pub from: Option<Timestamp>,
    /// The first second that does not count any more.
    pub to: Option<Timestamp>,
}

impl Period {
    /// Seconds before and after the period of which files are still opened. CloudFront delivers some
    /// or all entries of an hour up to 24 hours late, and long responses are logged when they end.
    pub const MARGIN: i64 = 86_400;

    /// Whether everything counts.
    #[must_use]
    pub const fn is_open(self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Whether a request of this second counts.
    #[inline]
    #[must_use]
    pub fn contains(self, second: i64) -> bool {
        self.from.is_none_or(|from| second >= from.0) && self.to.is_none_or(|to| second < to.0)
    }

    /// Whether a file of the seconds from `start` up to `end` may hold requests of the period: within
    /// [`Period::MARGIN`] it may.
    #[must_use]
    pub fn may_touch(self, start: Timestamp, end: Timestamp) -> bool {
        self.from.is_none_or(|from| end.0 > from.0 - Self::MARGIN)
            && self.to.is_none_or(|to| start.0 < to.0 + Self::MARGIN)
    }

    /// Whether a file of this name (without folders) may hold requests of the period. One that tells
    /// of no hour may.
    #[must_use]
    pub fn may_hold(self, name: &str) -> bool {
        DatedName::find(name).is_none_or(|dated| self.may_touch(dated.time, dated.end()))
    }
}

/// The hour in the name of a log file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatedName {
    /// Where in the name the date begins; names that share what stands before it sort by time.
    pub at: usize,
    /// The time that the name tells of.
    pub time: Timestamp,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `E123.2026-09-08-07.4f3a2b1c.gz`: CloudFront, the hour of the requests.
    Hour,
    /// `…_20260908T0705Z_…`: load balancers and AWS WAF, the end or the beginning of five minutes.
    Minute,
}

impl DatedName {
    /// Looks for one of the shapes that log deliveries use.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let bytes = name.as_bytes();
        (0..bytes.len()).find_map(|place| {
            let at = place + 1;
            let (time, shape) = match bytes[place] {
                b'.' => (read(bytes.get(at..)?, b"0000-00-00-00.")?, Shape::Hour),
                b'_' => (read(bytes.get(at..)?, b"00000000T0000Z_")?, Shape::Minute),
                _ => return None,
            };
            Some(Self { at, time, shape })
        })
    }

    /// The second after the stretch that the name stands for.
    #[must_use]
    pub const fn end(self) -> Timestamp {
        Timestamp(self.time.0 + 3_600)
    }

    /// How names of the same shape write that day: names of it and of later days sort after this text.
    #[must_use]
    pub fn day_text(self, time: Timestamp) -> String {
        match self.shape {
            Shape::Hour => time.date_text(),
            Shape::Minute => time.date_text().replace('-', ""),
        }
    }
}

/// Reads a date by a shape of which `0` stands for a digit.
fn read(text: &[u8], shape: &[u8]) -> Option<Timestamp> {
    let text = text.get(..shape.len())?;
    let fits = text.iter().zip(shape).all(|(byte, wanted)| match wanted {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    });
    if !fits {
        return None;
    }
    let digits: Vec<u8> =
        text.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect();
    let number = |from: usize, to: usize| {
        digits[from..to].iter().fold(0_u32, |number, digit| number * 10 + u32::from(*digit))
    };
    let day = Timestamp::from_date(number(0, 4).into(), number(4, 6), number(6, 8))?;
    let hour = number(8, 10);
    let minute = if digits.len() >= 12 { number(10, 12) } else { 0 };
    (hour < 24 && minute < 60).then(|| Timestamp(day.0 + i64::from(hour * 3_600 + minute * 60)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Option<String> {
        DatedName::find(name).map(|dated| format!("{} {}", &name[..dated.at], dated.time))
    }

    #[test]
    fn names_tell_their_hour() {
        for (name, expected) in [
            ("E123.2026-09-08-07.4f3a2b1c.gz", Some("E123. 2026-09-08T07:00:00Z")),
            ("logs.E123.2026-09-08-23.4f3a2b1c", Some("logs.E123. 2026-09-08T23:00:00Z")),
            (
                "123456789012_waflogs_cloudfront_acl_20260908T0705Z_ab12.log.gz",
                Some("123456789012_waflogs_cloudfront_acl_ 2026-09-08T07:05:00Z"),
            ),
            ("E123.2026-02-30-07.4f3a2b1c.gz", None),
            ("E123.2026-09-08-24.4f3a2b1c.gz", None),
            ("E123.2026-09-08-7.4f3a2b1c.gz", None),
            ("2026-09-08.log", None),
            ("access.log", None),
            ("ä.2026", None),
            ("", None),
        ] {
            assert_eq!(found(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_period_has_its_first_second_and_not_its_last() {
        let day = |day| Timestamp::from_date(2026, 9, day);
        let period = Period { from: day(8), to: day(15) };
        let (from, to) = (day(8).unwrap().0, day(15).unwrap().0);
        assert!(period.contains(from) && period.contains(to - 1));
        assert!(!period.contains(from - 1) && !period.contains(to));
        assert!(Period::default().contains(i64::MIN) && Period::default().is_open());
        let holds = |name: &str| period.may_hold(&format!("E1.{name}.ab.gz"));
        assert!(!holds("2026-09-06-23") && holds("2026-09-07-00"));
        assert!(holds("2026-09-15-23") && !holds("2026-09-16-00"));
        assert!(period.may_hold("access.log"));
    }
}
