//! An hour's records to files of uneven sizes, each packed and written as a whole.

use std::path::Path;

use libdeflater::{CompressionLvl, Compressor};

use super::cast::Cast;
use super::error::Error;
use super::exchange::Exchange;
use super::format::{Format, Verdicts};
use super::layout::{self, Hour};
use super::record::Record;
use crate::fs;

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

/// Writes the files of an hour.
pub(super) fn write(
    cast: &Cast,
    format: Format,
    hour: Hour,
    records: Vec<Record>,
    folder: &Path,
) -> Result<Written, Error> {
    let mut written = Written::default();
    let mut packer = Packer::new();
    let verdicts = format.judge(&records);
    let files = layout::deal(format, cast.seed, hour, records);
    for (place, mut file) in files.into_iter().enumerate() {
        if file.is_empty() {
            continue;
        }
        file.sort_unstable_by_key(|record| (layout::delivered(record), record.noise, record.copy));
        let path = folder.join(layout::name(format, cast.seed, hour, place));
        if let Some(parent) = path.parent().filter(|parent| *parent != folder) {
            fs::create_folder(parent)?;
        }
        let unpacked = packer
            .pack(cast, format, &file, &verdicts)
            .ok_or_else(|| Error::Packing(path.clone()))?;
        fs::create_bytes(&path, &packer.packed)?;
        written.files += 1;
        written.lines += file.len() as u64;
        written.packed += packer.packed.len() as u64;
        written.unpacked += unpacked as u64;
    }
    Ok(written)
}

/// Makes the bytes of one file after another, reusing its buffers.
struct Packer {
    compressor: Compressor,
    exchange: Exchange,
    text: Vec<u8>,
    packed: Vec<u8>,
}

impl Packer {
    fn new() -> Self {
        Self {
            compressor: Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default()),
            exchange: Exchange::default(),
            text: Vec::new(),
            packed: Vec::new(),
        }
    }

    /// Leaves the bytes of a file in `packed`; gives the number of them unpacked.
    fn pack(
        &mut self,
        cast: &Cast,
        format: Format,
        records: &[Record],
        verdicts: &Verdicts,
    ) -> Option<usize> {
        self.packed.clear();
        #[cfg(feature = "parquet")]
        if format == Format::Parquet {
            let mut table = super::format::Table::default();
            for record in records {
                self.exchange.tell(record, cast);
                table.push(&self.exchange);
            }
            return table.pack(&mut self.packed);
        }
        self.text.clear();
        self.text.extend_from_slice(format.head().as_bytes());
        for record in records {
            self.exchange.tell(record, cast);
            format.line(&self.exchange, record, verdicts, &mut self.text);
        }
        // A load balancer writes gzip files of several members.
        let members = if format == Format::Alb { 2 } else { 1 };
        for part in self.text.chunks(self.text.len().div_ceil(members).max(1)) {
            let start = self.packed.len();
            self.packed.resize(start + self.compressor.gzip_compress_bound(part.len()), 0);
            let length = self.compressor.gzip_compress(part, &mut self.packed[start..]).ok()?;
            self.packed.truncate(start + length);
        }
        Some(self.text.len())
    }
}
