//! An hour's records to files of uneven sizes, each compressed and written as a whole.

use std::path::Path;

use libdeflater::{CompressionLvl, Compressor};

use super::cast::Cast;
use super::error::Error;
use super::exchange::Exchange;
use super::format::Format;
use super::random::{Random, blend, mix};
use super::record::Record;
use super::site::DISTRIBUTION;
use crate::fs;
use crate::units::Timestamp;

/// Lines of a file, about, and the most files of an hour: a busier distribution has larger files.
const LINES: usize = 2_700;
const MOST: usize = 96;
/// CloudFront packs about this well; a higher level costs time and saves little.
const LEVEL: i32 = 6;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) files: u64,
    pub(super) lines: u64,
    pub(super) packed: u64,
    pub(super) unpacked: u64,
}

/// Writes the files of the hour that begins at `begin`.
pub(super) fn write(
    cast: &Cast,
    format: Format,
    (number, begin): (u32, u32),
    records: Vec<Record>,
    folder: &Path,
) -> Result<Written, Error> {
    let mut written = Written::default();
    let mut exchange = Exchange::default();
    let mut compressor = Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default());
    let (mut text, mut packed) = (Vec::new(), Vec::new());
    for (place, mut file) in deal(cast.seed, number, records).into_iter().enumerate() {
        if file.is_empty() {
            continue;
        }
        file.sort_unstable_by_key(|record| (delivered(record), record.noise, record.copy));
        text.clear();
        text.extend_from_slice(format.head().as_bytes());
        for record in &file {
            exchange.tell(record, cast);
            format.line(&exchange, &mut text);
        }
        let path = folder.join(name(cast.seed, (number, begin), place));
        packed.resize(compressor.gzip_compress_bound(text.len()), 0);
        let Ok(length) = compressor.gzip_compress(&text, &mut packed) else {
            return Err(Error::Packing(path));
        };
        fs::create_bytes(&path, &packed[..length])?;
        written.files += 1;
        written.lines += file.len() as u64;
        written.packed += length as u64;
        written.unpacked += text.len() as u64;
    }
    Ok(written)
}

/// Deals an hour's records to its files.
fn deal(seed: u64, hour: u32, records: Vec<Record>) -> Vec<Vec<Record>> {
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
fn delivered(record: &Record) -> u32 {
    let delay = mix(record.noise ^ 0xDE1A) as u32;
    record.end + if delay.is_multiple_of(40) { delay / 40 % 900 } else { delay / 40 % 45 }
}

/// `E….2026-09-07-00.0a1b2c3d.gz`. The last part is another one for every file.
fn name(seed: u64, (hour, begin): (u32, u32), place: usize) -> String {
    let begin = Timestamp(i64::from(begin));
    // An odd factor makes all products different, in 32 bits too.
    let unique = (hour * 128 + place as u32).wrapping_mul(0x9E37_79B1) ^ mix(seed) as u32;
    format!(
        "{DISTRIBUTION}.{}-{:02}.{unique:08x}.gz",
        begin.date_text(),
        begin.hour().rem_euclid(24)
    )
}
