//! Where the bytes of a Parquet file are: in a file, of which only parts are wanted, or in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use bytes::Bytes;

use super::fault::Fault;

/// A Parquet file.
#[derive(Clone, Debug)]
pub(in crate::logs) struct Store {
    size: u64,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    File(Arc<File>),
    Memory(Bytes),
    /// Parts of a file, by the place where they begin.
    Parts(Arc<Vec<(u64, Bytes)>>),
}

impl Store {
    /// A file.
    pub(in crate::logs) fn of_file(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { size, place: Place::File(Arc::new(file)) })
    }

    /// A file's content.
    pub(in crate::logs) fn of_memory(bytes: Vec<u8>) -> Self {
        Self { size: bytes.len() as u64, place: Place::Memory(bytes.into()) }
    }

    pub(super) const fn size(&self) -> u64 {
        self.size
    }

    /// The same file, of which only these parts will be asked for (or parts of them). They are read now.
    pub(super) fn only(&self, ranges: &[(u64, u64)]) -> Result<Self, Fault> {
        let mut sorted = ranges.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut parts = Vec::with_capacity(sorted.len());
        for (start, length) in sorted {
            parts.push((start, self.bytes(start, length as usize)?));
        }
        Ok(Self { size: self.size, place: Place::Parts(Arc::new(parts)) })
    }

    /// A part. Whoever asks has made sure that it is not too large.
    pub(super) fn bytes(&self, start: u64, length: usize) -> Result<Bytes, Fault> {
        let short = || Fault::damage("it ends in the middle");
        if start.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(short());
        }
        match &self.place {
            Place::Memory(bytes) => {
                let start = start as usize;
                Ok(bytes.slice(start..start + length))
            }
            Place::Parts(parts) => {
                let after = parts.partition_point(|(begin, _)| *begin <= start);
                let (begin, bytes) = after.checked_sub(1).map(|at| &parts[at]).ok_or_else(short)?;
                let from = (start - begin) as usize;
                if from + length > bytes.len() {
                    return Err(short());
                }
                Ok(bytes.slice(from..from + length))
            }
            Place::File(file) => {
                // One thread reads a file, so nobody else moves its position.
                let mut file: &File = file;
                file.seek(SeekFrom::Start(start)).map_err(Fault::Read)?;
                let mut bytes = Vec::with_capacity(length);
                file.take(length as u64).read_to_end(&mut bytes).map_err(Fault::Read)?;
                if bytes.len() < length { Err(short()) } else { Ok(bytes.into()) }
            }
        }
    }
}
