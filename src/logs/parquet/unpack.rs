//! Packed bytes of a page to as many bytes as its header says, and never to more.

use std::io::Read;

use bytes::Bytes;
use parquet::basic::Compression;

use super::fault::Fault;

/// How the pages of a column are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Nothing,
    Snappy,
    Gzip,
    Zstandard,
    Lz4,
}

impl Codec {
    /// Of those that Parquet knows, the ones that are written today.
    pub(super) fn of(compression: Compression) -> Result<Self, Fault> {
        Ok(match compression {
            Compression::UNCOMPRESSED => Self::Nothing,
            Compression::SNAPPY => Self::Snappy,
            Compression::GZIP(_) => Self::Gzip,
            Compression::ZSTD(_) => Self::Zstandard,
            Compression::LZ4_RAW => Self::Lz4,
            Compression::BROTLI(_) => return Err(unread("Brotli")),
            Compression::LZO => return Err(unread("LZO")),
            Compression::LZ4 => return Err(unread("LZ4 of the old kind")),
        })
    }

    /// Unpacks to exactly `length` bytes.
    pub(super) fn unpack(self, packed: Bytes, length: usize) -> Result<Bytes, Fault> {
        if self == Self::Nothing {
            return if packed.len() == length { Ok(packed) } else { Err(wrong()) };
        }
        // A page without a value may be packed to nothing at all.
        if length == 0 {
            return Ok(Bytes::new());
        }
        let mut text = vec![0; length];
        let written = match self {
            Self::Nothing => packed.len(),
            Self::Snappy => {
                snap::raw::Decoder::new().decompress(&packed, &mut text).map_err(|_| wrong())?
            }
            Self::Gzip => {
                let mut reader = flate2::read::MultiGzDecoder::new(packed.as_ref());
                reader.read_exact(&mut text).map_err(|_| wrong())?;
                // One more byte would be one too many.
                if reader.read(&mut [0]).map_err(|_| wrong())? > 0 {
                    return Err(wrong());
                }
                length
            }
            Self::Zstandard => {
                zstd::bulk::decompress_to_buffer(&packed, &mut text).map_err(|_| wrong())?
            }
            Self::Lz4 => {
                lz4_flex::block::decompress_into(&packed, &mut text).map_err(|_| wrong())?
            }
        };
        if written == length { Ok(text.into()) } else { Err(wrong()) }
    }
}

fn wrong() -> Fault {
    Fault::damage("a page of it does not unpack to what its header says")
}

fn unread(name: &str) -> Fault {
    Fault::Unread(format!("it is packed with {name}; Snappy, gzip, Zstandard and LZ4 are read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_unpacks_to_what_its_header_says_or_not_at_all() {
        let text = b"a text that repeats, a text that repeats, a text that repeats".repeat(9);
        let packed = [
            (Codec::Nothing, text.clone()),
            (Codec::Snappy, snap::raw::Encoder::new().compress_vec(&text).unwrap()),
            (Codec::Zstandard, zstd::bulk::compress(&text, 3).unwrap()),
            (Codec::Lz4, lz4_flex::block::compress(&text)),
            (Codec::Gzip, {
                let mut reader =
                    flate2::read::GzEncoder::new(&text[..], flate2::Compression::fast());
                let mut packed = Vec::new();
                reader.read_to_end(&mut packed).unwrap();
                packed
            }),
        ];
        for (codec, packed) in packed {
            let unpack = |length| codec.unpack(packed.clone().into(), length);
            assert_eq!(unpack(text.len()).unwrap(), text, "{codec:?}");
            for length in [text.len() - 1, text.len() + 1, 1] {
                assert!(unpack(length).is_err(), "{codec:?} {length}");
            }
            let cut = codec.unpack(packed[..packed.len() - 3].to_vec().into(), text.len());
            assert!(cut.is_err(), "{codec:?}");
        }
    }
}
