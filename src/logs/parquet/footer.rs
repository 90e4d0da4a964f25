//! The footer, which tells where everything is: checked here, then read by the library.

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::fault::{Fault, guarded};
use super::store::Store;
use super::thrift::{self, Walk};

/// The largest footer: a week of a busy distribution in one file has one of a few hundred KB.
const LARGEST: u64 = 16 << 20;
/// The most structures in a footer's lists: columns of the schema, columns of all row groups.
const MOST: usize = 100_000;
/// Groups in groups of the schema.
const DEEPEST: usize = 32;
/// The magic bytes at both ends of a file.
pub(super) const MAGIC: [u8; 4] = *b"PAR1";
/// Magic bytes, nothing, the length of the footer, magic bytes.
const SMALLEST: u64 = 12;

/// What the footer says, and where it begins: everything else is before it. Gives its bytes, too.
pub(super) fn read(store: &Store) -> Result<(ParquetMetaData, u64, bytes::Bytes), Fault> {
    let size = store.size();
    if size < SMALLEST {
        return Err(Fault::damage("it is too short for a Parquet file"));
    }
    let tail = store.bytes(size - 8, 8)?;
    let (length, magic) = tail.split_at(4);
    if magic == b"PARE" {
        return Err(Fault::Unread("it is encrypted".to_owned()));
    }
    if magic != MAGIC {
        return Err(Fault::damage("it begins as a Parquet file and does not end as one"));
    }
    let length = length.iter().rev().fold(0, |length, byte| length << 8 | u64::from(*byte));
    if length > size - SMALLEST {
        return Err(Fault::damage("its footer is longer than the file"));
    }
    if length > LARGEST {
        return Err(Fault::Unread(format!("its footer has more than {} MB", LARGEST >> 20)));
    }
    let start = size - 8 - length;
    let bytes = store.bytes(start, length as usize)?;
    check(&bytes).map_err(|_| Fault::damage("its footer makes no sense"))?;
    let metadata = guarded(|| ParquetMetaDataReader::decode_metadata(&bytes))?;
    Ok((metadata, start, bytes))
}

/// Goes through a footer: every length is within it, and its schema is no tower.
fn check(bytes: &[u8]) -> Result<(), thrift::Fault> {
    let mut walk = Walk::new(bytes);
    let mut last = 0;
    while let Some(head) = walk.field(last)? {
        last = head.number;
        // `2: required list<SchemaElement> schema`
        if head.number == 2 && head.is_list() {
            schema(&mut walk)?;
        } else {
            walk.skip(head)?;
        }
        if walk.structures() > MOST {
            return Err(thrift::Fault::Wrong);
        }
    }
    Ok(())
}

/// The schema is a tree, told from its root downwards: each element says how many children follow.
fn schema(walk: &mut Walk<'_>) -> Result<(), thrift::Fault> {
    let elements = walk.list_of_structures()?;
    // Children still to come, for each group that is open.
    let mut open: Vec<i64> = Vec::new();
    for _ in 0..elements {
        let (mut children, mut last) = (0, 0);
        while let Some(head) = walk.field(last)? {
            last = head.number;
            // `5: optional i32 num_children`
            if head.number == 5 && head.is_number() {
                children = walk.number()?;
            } else {
                walk.skip(head)?;
            }
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        open.push(children);
        if open.len() > DEEPEST {
            return Err(thrift::Fault::Wrong);
        }
        while open.last().is_some_and(|left| *left <= 0) {
            open.pop();
        }
    }
    Ok(())
}
