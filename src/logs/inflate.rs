//! Stored bytes to text, in one block where possible and in a stream where not. Compression is told
//! by magic bytes, never by the file's name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::GzDecoder;
use libdeflater::Decompressor;
use xxhash_rust::xxh3::xxh3_128;

use super::discover::{Input, Place};
use super::error::Error;

/// Files up to this size are read as a whole; larger ones are streamed.
const WHOLE_FILE: u64 = 64 << 20;
/// A file that unpacks to no more than this is never taken for a bomb.
const HARMLESS: u64 = 64 << 20;
/// The largest block that a whole file may unpack to; beyond it, it is streamed.
const WHOLE_TEXT: usize = 256 << 20;
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
}

/// What is done with the text: called with one block after another.
pub(super) trait Consumer {
    /// Takes a block. `false`: the file is refused for what it says, and no more text is wanted.
    fn block(&mut self, text: &[u8]) -> bool;

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
        if input.size > WHOLE_FILE {
            return stream(BufReader::with_capacity(CHUNK, file), input, bounds, consumer);
        }
        self.packed.clear();
        let read = (&mut file).take(WHOLE_FILE + 1).read_to_end(&mut self.packed);
        read.map_err(|source| Error::Read { file: input.name.clone(), source })?;
        if self.packed.len() as u64 > WHOLE_FILE {
            // A pipe, or a file that grew: what was read so far, then the rest.
            let start = Cursor::new(std::mem::take(&mut self.packed));
            let rest: std::io::Chain<Cursor<Vec<u8>>, File> = start.chain(file);
            return stream(BufReader::with_capacity(CHUNK, rest), input, bounds, consumer);
        }
        let size = self.packed.len() as u64;
        if size > 0 && !consumer.wants(xxh3_128(&self.packed)) {
            consumer.advance(size);
            return Ok(size);
        }
        let whole = if self.packed.starts_with(&GZIP) {
            self.inflate_whole(bounds).map(|length| &self.text[..length])
        } else {
            Some(self.packed.as_slice())
        };
        if let Some(text) = whole {
            consumer.block(text);
            consumer.advance(size);
            return Ok(size);
        }
        stream(Cursor::new(self.packed.as_slice()), input, bounds, consumer)
    }

    /// Unpacks a file of one member in one call: 1.6 times as fast as streaming it. `None` if it has
    /// several members, is damaged, or is not what its trailer says: then the stream decides.
    fn inflate_whole(&mut self, bounds: Bounds) -> Option<usize> {
        let packed = self.packed.as_slice();
        if packed.len() < SMALLEST_MEMBER
            || memchr::memmem::find(&packed[SMALLEST_MEMBER..], &GZIP).is_some()
        {
            return None;
        }
        // The trailer's length is anybody's claim: it sizes the buffer within bounds, no more.
        let trailer = packed.last_chunk::<4>()?;
        let claimed = u32::from_le_bytes(*trailer) as usize;
        let allowed = packed.len().saturating_mul(bounds.ratio as usize).max(HARMLESS as usize);
        if claimed > allowed.min(WHOLE_TEXT) {
            return None;
        }
        if self.text.len() < claimed {
            self.text.resize(claimed, 0);
        }
        let length = self.decompressor.gzip_decompress(packed, &mut self.text[..claimed]).ok()?;
        (length == claimed).then_some(length)
    }
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
    let magic = fill_at_least(&mut reader, 3, &mut buffer).map_err(fail)?;
    let mut reader = Counted { inner: Cursor::new(magic.clone()).chain(reader.inner), passed: 0 };
    if magic != GZIP {
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
