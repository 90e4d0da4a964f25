//! Which file of an hour a record goes to, and what that file is called and where it lies: as AWS lays
//! out each kind of log in a bucket.

use std::path::PathBuf;

use super::format::Format;
use super::random::{Random, blend, mix};
use super::record::Record;
use super::site::DISTRIBUTION;
use crate::units::Timestamp;

/// Lines of a file, about, and the most files of an hour: a busier distribution has larger files.
const LINES: usize = 2_700;
const MOST: usize = 96;
/// Seconds of a file of AWS WAF and of a load balancer.
const SLOT: u32 = 300;
const ACCOUNT: &str = "123456789012";

/// One hour of the logs: its number in the period, and its first second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hour {
    pub(super) number: u32,
    pub(super) begin: u32,
}

/// Deals an hour's records to its files; some may stay empty.
pub(super) fn deal(
    format: Format,
    seed: u64,
    hour: Hour,
    records: Vec<Record>,
) -> Vec<Vec<Record>> {
    match format {
        Format::Waf | Format::Alb => by_arrival(hour, records),
        _ => unevenly(seed, hour.number, records),
    }
}

/// A file for every five minutes. What arrived before this hour, and is logged in it, is in its first.
fn by_arrival(hour: Hour, records: Vec<Record>) -> Vec<Vec<Record>> {
    let slots = 3_600 / SLOT;
    let mut files = vec![Vec::new(); slots as usize];
    for record in records {
        let slot = record.arrival().saturating_sub(hour.begin) / SLOT;
        files[slot.min(slots - 1) as usize].push(record);
    }
    files
}

fn unevenly(seed: u64, hour: u32, records: Vec<Record>) -> Vec<Vec<Record>> {
    let number = (1 + records.len() / LINES + usize::from(records.len() > 40)).min(MOST);
    let mut random = Random::new(&[seed, 0xF17E, u64::from(hour)]);
    let mut sum = 0;
    let ends: Vec<u32> = (0..number)
        .map(|_| {
            sum += random.between(1, 16);
            sum
        })
        .collect();
    let mut files: Vec<Vec<Record>> = vec![Vec::new(); number];
    for record in records {
        // One server logs what one client asks of it; sometimes it is another one.
        let alone = record.copy || record.noise.is_multiple_of(16);
        let key = if alone {
            mix(record.noise ^ u64::from(record.copy))
        } else {
            blend(&[u64::from(record.caller.client), u64::from(hour)])
        };
        let ticket = ((u64::from(sum) * (key >> 32)) >> 32) as u32;
        files[ends.partition_point(|&end| end <= ticket)].push(record);
    }
    files
}

/// When a record reaches its file: most soon, some late, so that a file is in no order.
pub(super) fn delivered(record: &Record) -> u32 {
    let delay = mix(record.noise ^ 0xDE1A) as u32;
    record.end + if delay.is_multiple_of(40) { delay / 40 % 900 } else { delay / 40 % 45 }
}

/// The name of the hour's file with that place, with the folders that it lies in.
pub(super) fn name(format: Format, seed: u64, hour: Hour, place: usize) -> PathBuf {
    // An odd factor makes all products different, in 32 bits too.
    let unique = (hour.number * 128 + place as u32).wrapping_mul(0x9E37_79B1) ^ mix(seed) as u32;
    let begin = Timestamp(i64::from(hour.begin));
    let (year, month, day) = begin.date();
    let clock = begin.hour().rem_euclid(24);
    // E….2026-09-07-00.0a1b2c3d: the last part is another one for every file.
    let standard = format!("{DISTRIBUTION}.{}-{clock:02}.{unique:08x}", begin.date_text());
    let hive = format!(
        "AWSLogs/aws-account-id={ACCOUNT}/CloudFront/DistributionId={DISTRIBUTION}/\
         year={year:04}/month={month:02}/day={day:02}/hour={clock:02}"
    );
    // Five-minute files: the first minute of WAF's, the end of the load balancer's.
    let slot = place as i64 * i64::from(SLOT);
    PathBuf::from(match format {
        Format::V1 => format!("{standard}.gz"),
        Format::V2W3c => format!("{hive}/{standard}.gz"),
        Format::Parquet => format!("{hive}/{standard}.parquet"),
        Format::V2Json => format!(
            "AWSLogs/{ACCOUNT}/CloudFront/{DISTRIBUTION}/{year:04}/{month:02}/{day:02}/{clock:02}/\
             {standard}.gz"
        ),
        Format::V2Delimited => format!("AWSLogs/{ACCOUNT}/CloudFront/{standard}.gz"),
        Format::RealTime => format!(
            "{year:04}/{month:02}/{day:02}/{clock:02}/shop-realtime-logs-1-{}-{clock:02}-{:02}-00-\
             {unique:08x}-5a4b-4c58-9d3e-{unique:08x}0e0f.gz",
            begin.date_text(),
            place % 60,
        ),
        Format::Waf => {
            let time = moment(Timestamp(begin.0 + slot));
            let minute = slot / 60;
            format!(
                "aws-waf-logs-shop/AWSLogs/{ACCOUNT}/WAFLogs/cloudfront/shop/{year:04}/{month:02}/\
                 {day:02}/{clock:02}/{minute:02}/{ACCOUNT}_waflogs_cloudfront_shop_{time}_\
                 {unique:08x}.log.gz"
            )
        }
        Format::Alb => {
            let end = Timestamp(begin.0 + slot + i64::from(SLOT));
            let (year, month, day) = end.date();
            let time = moment(end);
            format!(
                "AWSLogs/{ACCOUNT}/elasticloadbalancing/eu-central-1/{year:04}/{month:02}/{day:02}/\
                 {ACCOUNT}_elasticloadbalancing_eu-central-1_app.shop.50dc6c495c0c9188_{time}_\
                 192.0.2.250_{unique:08x}.log.gz"
            )
        }
        Format::Combined => {
            format!("web-{}/access.log-{year:04}{month:02}{day:02}{clock:02}.gz", place + 1)
        }
    })
}

/// `20260907T0005Z`.
fn moment(time: Timestamp) -> String {
    let (year, month, day) = time.date();
    let minute = time.0.div_euclid(60).rem_euclid(60);
    format!("{year:04}{month:02}{day:02}T{:02}{minute:02}Z", time.hour().rem_euclid(24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_as_aws_calls_them() {
        let hour = Hour { number: 23, begin: 1_788_739_200 + 23 * 3_600 };
        let names = Format::ALL.map(|format| {
            name(format, 1, hour, 11).display().to_string().replace("4a71e6a8", "HASH")
        });
        for (found, wanted) in names.iter().zip([
            "E2RATEWAFDEMO.2026-09-07-23.",
            "AWSLogs/aws-account-id=123456789012/CloudFront/DistributionId=E2RATEWAFDEMO/year=2026/month=09/day=07/hour=23/E2RATEWAFDEMO.2026-09-07-23.",
            "AWSLogs/123456789012/CloudFront/E2RATEWAFDEMO/2026/09/07/23/E2RATEWAFDEMO.2026-09-07-23.",
            "AWSLogs/123456789012/CloudFront/E2RATEWAFDEMO.2026-09-07-23.",
            "AWSLogs/aws-account-id=123456789012/CloudFront/DistributionId=E2RATEWAFDEMO/year=2026/month=09/day=07/hour=23/E2RATEWAFDEMO.2026-09-07-23.",
            "2026/09/07/23/shop-realtime-logs-1-2026-09-07-23-11-00-",
            "aws-waf-logs-shop/AWSLogs/123456789012/WAFLogs/cloudfront/shop/2026/09/07/23/55/123456789012_waflogs_cloudfront_shop_20260907T2355Z_",
            "AWSLogs/123456789012/elasticloadbalancing/eu-central-1/2026/09/08/123456789012_elasticloadbalancing_eu-central-1_app.shop.50dc6c495c0c9188_20260908T0000Z_192.0.2.250_",
            "web-12/access.log-2026090723.gz",
        ]) {
            assert!(found.starts_with(wanted), "{found}");
        }
    }
}
