//! Stored bytes to text, in one block where possible and in a stream where not. Compression is told
//! by magic bytes, never by the file's name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::GzDecoder;
use libdeflater::Decompressor;
use xxhash_rust::xxh3::xxh3_128;

use super::discover::{Input, Place};
use super::error::Error;
use super::options::Options;

/// Files up to this size are read as a whole; larger ones are streamed.
const WHOLE_FILE: u64 = 64 << 20;
/// A file that unpacks to no more than this is never taken for a bomb.
const HARMLESS: u64 = 64 << 20;
/// Text handed on at a time while streaming.
const CHUNK: usize = 1 << 20;

const GZIP: [u8; 3] = [0x1f, 0x8b, 0x08];
/// Header and trailer of a gzip member.
const SMALLEST_MEMBER: usize = 18;

/// Unpacks one file after another, reusing its buffers.
pub(super) struct Inflater {
    decompressor: Decompressor,
    packed: Vec<u8>,
    text: Vec<u8>,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Text over packed bytes, beyond the first 64 MB of text.
    pub(super) ratio: u32,
    /// Files up to this size, stored and unpacked, are read as a whole.
    pub(super) block: usize,
}

impl Bounds {
    pub(super) const fn of(options: &Options) -> Self {
        Self { ratio: options.max_ratio, block: options.largest_block }
    }

    /// Stored bytes that are read as a whole.
    fn whole_file(self) -> u64 {
        WHOLE_FILE.min(self.block as u64)
    }
}

/// The first bytes of a Parquet file.
const TABLE: [u8; 4] = *b"PAR1";
/// The largest Parquet file that may come through a pipe: what is where stands at its end.
const PIPED_TABLE: u64 = 256 << 20;

/// A Parquet file, which is no text.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "it is only refused"))]
pub(super) enum Table {
    /// On disk, read in parts.
    File(File),
    /// As it came through a pipe.
    Memory(Vec<u8>),
}

/// What is done with the text: called with one block after another.
pub(super) trait Consumer {
    /// Takes a block. `false`: the file is refused for what it says, and no more text is wanted.
    fn block(&mut self, text: &[u8]) -> bool;

    /// Takes a Parquet file instead of text; gives the number of its bytes.
    fn table(&mut self, table: Table) -> Result<u64, Error>;

    /// Whether to read a file with this content (a 128-bit hash of the stored bytes).
    fn wants(&mut self, content: u128) -> bool;

    /// So many more stored bytes were read. `false` stops the reading.
    fn advance(&mut self, bytes: u64) -> bool;
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self { decompressor: Decompressor::new(), packed: Vec::new(), text: Vec::new() }
    }

    /// Hands the text of a file to a consumer. After an error, what was handed over before it is
    /// good as far as it goes. Gives the number of stored bytes.
    pub(super) fn read(
        &mut self,
        input: &Input,
        bounds: Bounds,
        consumer: &mut impl Consumer,
    ) -> Result<u64, Error> {
        let path = match &input.place {
            Place::StandardInput => {
                let stdin = io::stdin().lock();
                return stream(BufReader::with_capacity(CHUNK, stdin), input, bounds, consumer);
            }
            Place::File(path) => path,
            // The reader has fetched it, and asks for the file.
            Place::Remote(_) => return Err(Error::Missing(input.name.clone())),
        };
        let mut file = crate::fs::open(path)?;
        let is_file = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
        if input.size > bounds.whole_file() {
            let mut start = Vec::with_capacity(TABLE.len());
            let peeked = (&mut file).take(TABLE.len() as u64).read_to_end(&mut start);
            peeked.map_err(|source| Error::Read { file: input.name.clone(), source })?;
            if start == TABLE && is_file(&file) {
                return consumer.table(Table::File(file));
            }
            let rest = Cursor::new(start).chain(file);
            return stream(BufReader::with_capacity(CHUNK, rest), input, bounds, consumer);
        }
        let length = self
            .read_whole(&mut file, input.size as usize, bounds)
            .map_err(|source| Error::Read { file: input.name.clone(), source })?;
        if self.packed[..length].starts_with(&TABLE) && is_file(&file) {
            return consumer.table(Table::File(file));
        }
        if length as u64 > bounds.whole_file() {
            // A pipe, or a file that grew: what was read so far, then the rest.
            let mut start = std::mem::take(&mut self.packed);
            start.truncate(length);
            let rest: std::io::Chain<Cursor<Vec<u8>>, File> = Cursor::new(start).chain(file);
            return stream(BufReader::with_capacity(CHUNK, rest), input, bounds, consumer);
        }
        let size = length as u64;
        let Self { decompressor, packed, text } = self;
        let packed = &packed[..length];
        if size > 0 && !consumer.wants(xxh3_128(packed)) {
            consumer.advance(size);
            return Ok(size);
        }
        let whole = if packed.starts_with(&GZIP) {
            inflate_whole(decompressor, packed, text, bounds)
        } else {
            Some(packed)
        };
        if let Some(text) = whole {
            consumer.block(text);
            consumer.advance(size);
            return Ok(size);
        }
        stream(Cursor::new(packed), input, bounds, consumer)
    }

    /// Reads a file into the start of `packed`, up to one byte more than a whole file has; gives how much
    /// was read. With room for a byte more than is expected, a file takes two calls, of which the second
    /// finds its end.
    fn read_whole(
        &mut self,
        file: &mut File,
        expected: usize,
        bounds: Bounds,
    ) -> io::Result<usize> {
        let whole = bounds.whole_file() as usize;
        let mut length = 0;
        let mut room = expected + 1;
        loop {
            if self.packed.len() < room {
                self.packed.resize(room, 0);
            }
            length += fill(file, &mut self.packed[length..room])?;
            if length < room || length > whole {
                return Ok(length);
            }
            room = (2 * room).clamp(CHUNK.min(whole), whole + 1);
        }
    }
}

/// Unpacks a file of one member in one call: 1.6 times as fast as streaming it. `None` if it has
/// several members, is damaged, or is not what its trailer says: then the stream decides.
fn inflate_whole<'a>(
    decompressor: &mut Decompressor,
    packed: &[u8],
    text: &'a mut Vec<u8>,
    bounds: Bounds,
) -> Option<&'a [u8]> {
    if packed.len() < SMALLEST_MEMBER || has_several_members(packed) {
        return None;
    }
    // The trailer's length is anybody's claim: it sizes the buffer within bounds, no more.
    let trailer = packed.last_chunk::<4>()?;
    let claimed = u32::from_le_bytes(*trailer) as usize;
    let allowed = packed.len().saturating_mul(bounds.ratio as usize).max(HARMLESS as usize);
    if claimed > allowed.min(bounds.block) {
        return None;
    }
    if text.len() < claimed {
        text.resize(claimed, 0);
    }
    let length = decompressor.gzip_decompress(packed, &mut text[..claimed]).ok()?;
    (length == claimed).then_some(&text[..length])
}

/// Whether another member may begin in a file: its first bytes may also be chance, in one of 2^27 places.
fn has_several_members(packed: &[u8]) -> bool {
    // The upper flags are reserved: a member that has any is none that can be read.
    const RESERVED: u8 = 0xe0;
    let rest = &packed[SMALLEST_MEMBER..];
    memchr::memmem::find_iter(rest, &GZIP)
        .any(|start| rest.get(start + GZIP.len()).is_none_or(|flags| flags & RESERVED == 0))
}

/// Counts the bytes that pass.
struct Counted<R> {
    inner: R,
    passed: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.passed += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.passed += amount as u64;
        self.inner.consume(amount);
    }
}

pub(super) fn stream(
    reader: impl BufRead,
    input: &Input,
    bounds: Bounds,
    consumer: &mut impl Consumer,
) -> Result<u64, Error> {
    let mut reader = Counted { inner: reader, passed: 0 };
    let fail = |source: io::Error| Error::Read { file: input.name.clone(), source };
    let damaged =
        |reason: &str| Error::Damaged { file: input.name.clone(), reason: reason.to_owned() };
    let mut buffer = vec![0; CHUNK];
    let mut told = 0;
    let mut advance = |consumer: &mut dyn Consumer, passed: u64| {
        let more = passed - told;
        told = passed;
        consumer.advance(more)
    };
    let magic = fill_at_least(&mut reader, TABLE.len(), &mut buffer).map_err(fail)?;
    let mut reader = Counted { inner: Cursor::new(magic.clone()).chain(reader.inner), passed: 0 };
    if magic == TABLE {
        let mut bytes = Vec::new();
        (&mut reader).take(PIPED_TABLE + 1).read_to_end(&mut bytes).map_err(fail)?;
        if bytes.len() as u64 > PIPED_TABLE {
            let what = format!("more than {} MB come through a pipe", PIPED_TABLE >> 20);
            return Err(Error::Table { file: input.name.clone(), what });
        }
        return consumer.table(Table::Memory(bytes));
    }
    if !magic.starts_with(&GZIP) {
        loop {
            let read = fill(&mut reader, &mut buffer).map_err(fail)?;
            let go_on = advance(consumer, reader.passed);
            if read == 0 || !go_on || !consumer.block(&buffer[..read]) {
                return Ok(reader.passed);
            }
        }
    }
    let mut unpacked = 0;
    // What a damaged file says is not to be judged: one that is refused is read to its end, where its
    // checksums are.
    let mut wanted = true;
    loop {
        let mut member = GzDecoder::new(&mut reader);
        loop {
            let read = match member.read(&mut buffer) {
                Ok(read) => read,
                Err(error) => return Err(inflate_error(input, error, unpacked)),
            };
            if read == 0 {
                break;
            }
            unpacked += read as u64;
            let packed = member.get_ref().passed;
            if !advance(consumer, packed) {
                return Ok(packed);
            }
            if unpacked > HARMLESS && unpacked > packed.saturating_mul(bounds.ratio.into()) {
                let (file, ratio) = (input.name.clone(), bounds.ratio);
                return Err(Error::Ratio { file, ratio, packed, unpacked });
            }
            wanted = wanted && consumer.block(&buffer[..read]);
        }
        drop(member);
        let rest = reader.fill_buf().map_err(fail)?;
        if rest.is_empty() {
            return Ok(reader.passed);
        }
        if rest[0] == GZIP[0] {
            continue;
        }
        // Some tools pad a file with zeros; anything else is not ours to guess at.
        loop {
            let rest = reader.fill_buf().map_err(fail)?;
            if rest.is_empty() {
                return Ok(reader.passed);
            }
            if rest.iter().any(|&byte| byte != 0) {
                return Err(damaged("bytes that are no gzip follow its last member"));
            }
            let length = rest.len();
            reader.consume(length);
        }
    }
}

fn inflate_error(input: &Input, error: io::Error, unpacked: u64) -> Error {
    let file = input.name.clone();
    let at = crate::units::thousands(unpacked);
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::Damaged {
            file,
            reason: format!("it ends in the middle, after {at} bytes of text"),
        },
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Error::Damaged {
            file,
            reason: format!("its compressed data is wrong after {at} bytes of text"),
        },
        _ => Error::Read { file, source: error },
    }
}

/// Up to `wanted` bytes from the start, fewer only at the end of the data.
fn fill_at_least(reader: &mut impl Read, wanted: usize, buffer: &mut [u8]) -> io::Result<Vec<u8>> {
    let read = fill(reader, &mut buffer[..wanted])?;
    Ok(buffer[..read].to_vec())
}

/// Fills the buffer; less only at the end of the data.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
