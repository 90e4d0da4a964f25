//! The pages of one column of one row group, each looked at before it is unpacked: the library would
//! allocate whatever a page claims.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use super::fault::Fault;
use super::header::{self, PageHeader, PageKind};
use super::store::Store;
use super::thrift;
use super::unpack::Codec;

/// The largest page; those that are written have about a megabyte.
const LARGEST: i64 = 64 << 20;
/// What the pages of all columns may hold at the same time.
const TOGETHER: u64 = 256 << 20;
/// A page's header is looked for in so many bytes, and in more if it does not end in them.
const HEADER: [usize; 2] = [512, 1 << 20];
/// What a value of a dictionary takes in memory.
const ENTRY: u64 = 40;

/// Bytes that the columns of a row group hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget(Arc<AtomicU64>);

/// Hands out the pages of a column.
pub(super) struct Pages {
    store: Store,
    codec: Codec,
    at: u64,
    end: u64,
    /// Values that the column still may have.
    left: i64,
    /// Levels come before the values: the column may have none in a row.
    levels: bool,
    /// The fewest bytes that a value of a dictionary takes.
    width: i64,
    has_dictionary: bool,
    budget: Budget,
    /// The reader keeps the last page of each encoding.
    held: BTreeMap<i64, u64>,
}

impl Pages {
    /// Of a column whose bytes lie before `limit`, with so many values.
    pub(super) fn new(
        store: &Store,
        column: &ColumnChunkMetaData,
        limit: u64,
        rows: i64,
        budget: &Budget,
    ) -> std::result::Result<Self, Fault> {
        let (at, end) = place(column, limit)?;
        if column.num_values() != rows {
            return Err(Fault::damage("its columns have different numbers of values"));
        }
        Ok(Self {
            store: store.clone(),
            codec: Codec::of(column.compression())?,
            at,
            end,
            left: rows,
            levels: column.column_descr().max_def_level() > 0,
            width: match column.column_type() {
                Type::BYTE_ARRAY | Type::INT32 | Type::FLOAT => 4,
                Type::INT64 | Type::DOUBLE => 8,
                Type::INT96 => 12,
                Type::FIXED_LEN_BYTE_ARRAY => i64::from(column.column_descr().type_length()).max(1),
                // Truth values have no dictionary.
                Type::BOOLEAN => i64::MAX,
            },
            has_dictionary: false,
            budget: budget.clone(),
            held: BTreeMap::new(),
        })
    }

    fn header(&self) -> std::result::Result<PageHeader, Fault> {
        for most in HEADER {
            let length = (self.end - self.at).min(most as u64) as usize;
            match header::read(&self.store.bytes(self.at, length)?) {
                Ok(header) => return Ok(header),
                Err(thrift::Fault::Short) if length == most => {}
                Err(_) => break,
            }
        }
        Err(Fault::damage("the header of a page makes no sense"))
    }

    fn next_page(&mut self) -> std::result::Result<Option<Page>, Fault> {
        while self.at < self.end {
            let header = self.header()?;
            let start = self.at + header.length as u64;
            if header.packed < 0 || header.packed as u64 > self.end - start {
                return Err(Fault::damage("a page is longer than its column"));
            }
            if !(0..=LARGEST).contains(&header.unpacked) || header.packed > 2 * LARGEST {
                let most = LARGEST >> 20;
                return Err(Fault::Damage(format!("a page claims more than {most} MB")));
            }
            self.at = start + header.packed as u64;
            if header.kind != PageKind::Other {
                return self.page(&header, start).map(Some);
            }
        }
        Ok(None)
    }

    fn page(&mut self, header: &PageHeader, start: u64) -> std::result::Result<Page, Fault> {
        let impossible = || Fault::damage("the header of a page claims what cannot be");
        let store = self.store.clone();
        let packed = || store.bytes(start, header.packed as usize);
        if header.kind == PageKind::Dictionary {
            // Every value takes some bytes: a dictionary cannot have more of them than that.
            let fits = header.values >= 0 && header.values <= header.unpacked / self.width;
            if self.has_dictionary || !fits || !matches!(header.encoding, 0 | 2) {
                return Err(impossible());
            }
            let size = header.unpacked as u64 + header.values as u64 * ENTRY;
            let buf = self.codec.unpack(packed()?, header.unpacked as usize)?;
            self.hold(-1, size)?;
            self.has_dictionary = true;
            let num_values = header.values as u32;
            return Ok(Page::DictionaryPage {
                buf,
                num_values,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            });
        }
        if header.values < 0 || header.values > self.left {
            return Err(Fault::damage("its pages have more values than its rows"));
        }
        self.left -= header.values;
        let num_values = header.values as u32;
        let encoding = self.encoding(header.encoding)?;
        self.hold(header.encoding, header.unpacked as u64)?;
        let page = match header.kind {
            PageKind::Data { levels } => {
                if self.levels && levels != 3 {
                    return Err(Fault::Unread("its levels are packed in the old way".to_owned()));
                }
                Page::DataPage {
                    buf: self.codec.unpack(packed()?, header.unpacked as usize)?,
                    num_values,
                    encoding,
                    def_level_encoding: Encoding::RLE,
                    rep_level_encoding: Encoding::RLE,
                    statistics: None,
                }
            }
            PageKind::DataV2 {
                nulls,
                rows,
                definition_bytes,
                repetition_bytes,
                packed: is_packed,
            } => {
                let levels = definition_bytes.max(0);
                let plausible = (0..=header.values).contains(&nulls)
                    && rows == header.values
                    && definition_bytes >= 0
                    && repetition_bytes == 0
                    && levels <= header.packed.min(header.unpacked);
                if !plausible {
                    return Err(impossible());
                }
                let bytes = packed()?;
                let (levels, values) =
                    (bytes.slice(..levels as usize), bytes.slice(levels as usize..));
                let codec = if is_packed { self.codec } else { Codec::Nothing };
                let values = codec.unpack(values, header.unpacked as usize - levels.len())?;
                Page::DataPageV2 {
                    buf: [levels, values].concat().into(),
                    num_values,
                    encoding,
                    num_nulls: nulls as u32,
                    num_rows: rows as u32,
                    def_levels_byte_len: definition_bytes as u32,
                    rep_levels_byte_len: 0,
                    is_compressed: false,
                    statistics: None,
                }
            }
            PageKind::Dictionary | PageKind::Other => return Err(impossible()),
        };
        Ok(page)
    }

    /// Of the encodings, those whose decoders allocate no more than they are asked for.
    fn encoding(&self, number: i64) -> std::result::Result<Encoding, Fault> {
        Ok(match number {
            0 => Encoding::PLAIN,
            2 | 8 if self.has_dictionary => Encoding::RLE_DICTIONARY,
            2 | 8 => return Err(Fault::damage("a page refers to a dictionary that is not there")),
            3 => Encoding::RLE,
            5 => Encoding::DELTA_BINARY_PACKED,
            6 => return Err(unread("DELTA_LENGTH_BYTE_ARRAY")),
            7 => return Err(unread("DELTA_BYTE_ARRAY")),
            9 => return Err(unread("BYTE_STREAM_SPLIT")),
            _ => return Err(Fault::damage("a page has an encoding that nobody knows")),
        })
    }

    /// Counts what is held from now on.
    fn hold(&mut self, slot: i64, bytes: u64) -> std::result::Result<(), Fault> {
        let before = self.held.insert(slot, bytes).unwrap_or_default();
        let Budget(total) = &self.budget;
        total.fetch_sub(before, Ordering::Relaxed);
        if total.fetch_add(bytes, Ordering::Relaxed) + bytes > TOGETHER {
            let most = TOGETHER >> 20;
            return Err(Fault::Damage(format!("its pages claim more than {most} MB at once")));
        }
        Ok(())
    }
}

/// Where the bytes of a column begin and end. The library trusts these numbers.
pub(super) fn place(
    column: &ColumnChunkMetaData,
    limit: u64,
) -> std::result::Result<(u64, u64), Fault> {
    let start = column.dictionary_page_offset().map_or(column.data_page_offset(), |dictionary| {
        // Some writers name a dictionary that is not there, at 0.
        if dictionary > 0 {
            dictionary.min(column.data_page_offset())
        } else {
            column.data_page_offset()
        }
    });
    let length = column.compressed_size();
    let end = start.checked_add(length).unwrap_or(-1);
    if start < 4 || length < 0 || end < start || end as u64 > limit {
        return Err(Fault::damage("its footer names a place that is not in the file"));
    }
    Ok((start as u64, end as u64))
}

fn unread(encoding: &str) -> Fault {
    Fault::Unread(format!("it is encoded as {encoding}; plain and dictionary encoding are read"))
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.budget.0.fetch_sub(self.held.values().sum(), Ordering::Relaxed);
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.next_page().map_err(|fault| ParquetError::External(Box::new(Carried(fault))))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(ParquetError::NYI("pages are not looked ahead at".to_owned()))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(ParquetError::NYI("pages are not left out".to_owned()))
    }
}

/// A fault on its way through the library.
#[derive(Debug)]
pub(super) struct Carried(pub(super) Fault);

impl std::fmt::Display for Carried {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", self.0)
    }
}

impl std::error::Error for Carried {}
