//! CloudFront standard logs v2 as Parquet: columns named as the fields are, with underscores, and all
//! of them texts (Athena user guide, "Create a table for CloudFront logs in Athena using partition
//! projection with Parquet"); tables that somebody made of them, with numbers and times.
//!
//! Only the columns that are needed are read, some rows at a time. The files are strangers': what
//! footers and pages claim is checked before the library sees it, and bounded.

mod column;
mod fault;
mod footer;
mod header;
mod pages;
mod schema;
mod store;
mod thrift;
mod unpack;

use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use xxhash_rust::xxh3::Xxh3;

use super::fields::Field;
use column::Column;
use fault::Fault;
use pages::{Budget, Pages};

pub(super) use store::Store;

use super::error::Error;

/// Rows that are held at a time.
const ROWS: usize = 1_024;
/// The needed columns of a file up to this size are read at once, and compared with those of others.
const WHOLE: u64 = 64 << 20;
/// A file that unpacks to no more than this is never taken for a bomb.
const HARMLESS: u64 = 64 << 20;
/// A row counts as so many unpacked bytes at least, even if there is nothing in it.
const LEAST: u64 = 16;
/// The most columns that are needed.
const COLUMNS: usize = 16;

/// What is done with a file's rows.
pub(super) trait Rows {
    /// Whether to read a file with this content (a 128-bit hash of the columns that are needed).
    fn wants(&mut self, content: u128) -> bool;

    /// So many more stored bytes were read. `false` stops the reading.
    fn advance(&mut self, bytes: u64) -> bool;

    /// Before the first row: how many columns the file has.
    fn columns(&mut self, all: usize);

    /// A row: its number from 1, and its values. `false`: no more are wanted.
    fn row(&mut self, number: u64, values: &[(Field, &[u8])]) -> bool;
}

/// Hands the rows of a file on. `ratio`: how many times its stored size it may unpack to, beyond
/// 64 MB. Gives the number of stored bytes.
///
/// # Errors
/// When the file is damaged, claims what it cannot hold, or is of a kind that is not read; what was
/// handed on before is good as far as it goes.
pub(super) fn read(
    name: &str,
    store: Store,
    ratio: u32,
    details: bool,
    rows: &mut impl Rows,
) -> Result<u64, Error> {
    let size = store.size();
    match Reading::start(store, ratio, details).and_then(|mut reading| reading.run(rows)) {
        Ok(()) | Err(Fault::Stopped) => Ok(size),
        Err(fault) => Err(fault.of_file(name, size, ratio)),
    }
}

/// A file that is being read.
struct Reading {
    store: Store,
    metadata: ParquetMetaData,
    needed: Vec<(usize, Field)>,
    /// Where the footer begins.
    limit: u64,
    footer: bytes::Bytes,
    ratio: u32,
    /// Rows so far.
    number: u64,
    /// Bytes that they came to.
    unpacked: u64,
}

impl Reading {
    fn start(store: Store, ratio: u32, details: bool) -> Result<Self, Fault> {
        let (metadata, limit, footer) = footer::read(&store)?;
        let mut needed = schema::needed(metadata.file_metadata().schema_descr(), details)?;
        needed.truncate(COLUMNS);
        Ok(Self { store, metadata, needed, limit, footer, ratio, number: 0, unpacked: 0 })
    }

    fn run(&mut self, rows: &mut impl Rows) -> Result<(), Fault> {
        rows.columns(self.metadata.file_metadata().schema_descr().num_columns());
        let mut told = 0;
        let size = self.store.size();
        if !self.prefetch(rows)? {
            rows.advance(size);
            return Ok(());
        }
        // Without a column that is needed there is nothing to read a row from, and a row to be told so.
        if self.needed.is_empty() {
            rows.row(1, &[]);
            return Ok(());
        }
        let groups = self.metadata.num_row_groups();
        for place in 0..groups {
            self.group(place, rows)?;
            let passed = (u128::from(size) * (place as u128 + 1) / groups as u128) as u64;
            if !rows.advance(passed - told) {
                return Err(Fault::Stopped);
            }
            told = passed;
        }
        Ok(())
    }

    /// Reads what is needed of a small file at once; gives whether its content is wanted.
    fn prefetch(&mut self, rows: &mut impl Rows) -> Result<bool, Fault> {
        let mut ranges = Vec::new();
        let mut sum = 0_u64;
        // Where the columns of no rows are may be anything.
        for group in self.metadata.row_groups().iter().filter(|group| group.num_rows() != 0) {
            for (place, _) in &self.needed {
                let (start, end) = pages::place(chunk(group, *place)?, self.limit)?;
                sum = sum.saturating_add(end - start);
                ranges.push((start, end - start));
            }
        }
        if sum > WHOLE {
            return Ok(true);
        }
        let store = self.store.only(&ranges)?;
        let mut hash = Xxh3::new();
        hash.update(&self.footer);
        for (start, length) in ranges {
            hash.update(&store.bytes(start, length as usize)?);
        }
        self.store = store;
        Ok(rows.wants(hash.digest128()))
    }

    fn group(&mut self, place: usize, rows: &mut impl Rows) -> Result<(), Fault> {
        let group = self.metadata.row_group(place);
        let mut left = u64::try_from(group.num_rows())
            .map_err(|_| Fault::damage("it has fewer rows than none"))?;
        if left == 0 {
            return Ok(());
        }
        let budget = Budget::default();
        let mut columns = Vec::with_capacity(self.needed.len());
        for (place, field) in &self.needed {
            let chunk = chunk(group, *place)?;
            let pages = Pages::new(&self.store, chunk, self.limit, group.num_rows(), &budget)?;
            columns.push(Column::new(*field, &chunk.column_descr_ptr(), pages));
        }
        while left > 0 {
            let count = left.min(ROWS as u64) as usize;
            for column in &mut columns {
                column.read(count)?;
            }
            for _ in 0..count {
                let mut values = [(Field::Date, &[][..]); COLUMNS];
                let mut length = 0;
                for (value, column) in values.iter_mut().zip(&mut columns) {
                    *value = (column.field, column.next());
                    length += value.1.len() as u64;
                }
                self.number += 1;
                self.unpacked += length.max(LEAST);
                if !rows.row(self.number, &values[..self.needed.len()]) {
                    return Err(Fault::Stopped);
                }
            }
            let most = self.store.size().saturating_mul(self.ratio.into()).max(HARMLESS);
            if self.unpacked > most {
                return Err(Fault::Ratio { unpacked: self.unpacked });
            }
            left -= count as u64;
        }
        Ok(())
    }
}

/// A column of a row group, which need not have as many as the schema says.
fn chunk(
    group: &RowGroupMetaData,
    place: usize,
) -> Result<&parquet::file::metadata::ColumnChunkMetaData, Fault> {
    let chunk = group.columns().get(place);
    chunk
        .filter(|chunk| chunk.file_path().is_none())
        .ok_or_else(|| Fault::damage("its row groups lack columns of its schema"))
}

#[cfg(test)]
mod tests;
