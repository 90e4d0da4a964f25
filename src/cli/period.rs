//! `--from` and `--to`.

use anyhow::Result;
use clap::Args;

use super::failure::hinted;
use crate::logs::Period;
use crate::units::{Timestamp, plain};

/// The stretch of time that counts.
#[derive(Debug, Args)]
#[group(id = "period")]
pub(super) struct Arguments {
    /// Count only requests from this day or instant on, UTC, by the time that the log gives.
    /// 2026-09-08 is its first second; 2026-09-08T07:30 is read, too.
    #[arg(long, value_name = "TIME", value_parser = instant)]
    from: Option<Timestamp>,

    /// Count only requests before this day or instant, UTC: --from 2026-09-08 --to 2026-09-15 is a week,
    /// and the 15th is not in it. Files whose names or folders tell of other days are not opened, but
    /// for a day before and after, as logs come late.
    #[arg(long, value_name = "TIME", value_parser = instant)]
    to: Option<Timestamp>,
}

impl Arguments {
    /// What was asked for.
    pub(super) fn period(&self) -> Result<Period> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from >= to
        {
            return Err(hinted(
                format!("nothing lies from {from} to before {to}"),
                "--to is the first day that does not count: one day is --from 2026-09-08 --to 2026-09-09",
            ));
        }
        Ok(Period { from: self.from, to: self.to })
    }
}

/// Reads `2026-09-08`, `2026-09-08T07`, `2026-09-08T07:30`, `2026-09-08T07:30:15`, with or without `Z`.
fn instant(text: &str) -> Result<Timestamp, String> {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let fail = || {
        format!("`{}` is no date; write one like 2026-09-08 or 2026-09-08T07:30 (UTC)", plain(text))
    };
    let bare = if text.len() > 10 { text.strip_suffix('Z').unwrap_or(text) } else { text };
    let fits = matches!(bare.len(), 10 | 13 | 16 | 19)
        && bare.bytes().zip(SHAPE).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            other => byte == *other,
        });
    if !fits {
        return Err(fail());
    }
    let number = |from: usize, to: usize| {
        bare.get(from..to).map_or(Some(0), |part| part.parse::<u32>().ok())
    };
    let read = || {
        let day = Timestamp::from_date(number(0, 4)?.into(), number(5, 7)?, number(8, 10)?)?;
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let inside = hour < 24 && minute < 60 && second < 60;
        inside.then(|| Timestamp(day.0 + i64::from(hour * 3_600 + minute * 60 + second)))
    };
    read().ok_or_else(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_instants_are_read() {
        for (text, expected) in [
            ("2026-09-08", "2026-09-08T00:00:00Z"),
            ("2026-09-08T07", "2026-09-08T07:00:00Z"),
            ("2026-09-08T07:30Z", "2026-09-08T07:30:00Z"),
            ("2026-09-08T07:30:15", "2026-09-08T07:30:15Z"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
        ] {
            assert_eq!(instant(text).unwrap().to_string(), expected);
        }
        for text in [
            "",
            "yesterday",
            "2026-9-8",
            "08.09.2026",
            "2026-02-29",
            "2026-09-08T24",
            "2026-09-08T07:60",
            "2026-09-08 07:00",
            "2026-09-08T07:30:15+02:00",
            "2026-09-0ä",
        ] {
            assert!(instant(text).unwrap_err().contains("is no date"), "{text}");
        }
    }
}
