//! gzip in gzip: what Firehose makes of events that CloudWatch Logs has packed already, when it is told
//! to compress, too.

use std::io::Write;

use flate2::write::MultiGzDecoder;

use super::error::Error;

/// Packed bytes that are unpacked at a time: they become 64 MB at most.
const CHUNK: usize = 64 << 10;
/// Text that is never taken for a bomb.
const HARMLESS: u64 = 64 << 20;

/// Unpacks text that is packed once more.
pub(super) struct Nested {
    decoder: MultiGzDecoder<Vec<u8>>,
    packed: u64,
    unpacked: u64,
}

impl Nested {
    /// Whether a text is none.
    pub(super) fn begins(text: &[u8]) -> bool {
        text.starts_with(&[0x1f, 0x8b, 0x08])
    }

    pub(super) fn new() -> Self {
        Self { decoder: MultiGzDecoder::new(Vec::new()), packed: 0, unpacked: 0 }
    }

    /// Hands over what a block unpacks to; gives whether to go on.
    ///
    /// # Errors
    /// When it is damaged, or unpacks to more than `ratio` times its size.
    pub(super) fn feed(
        &mut self,
        file: &str,
        block: &[u8],
        ratio: u32,
        mut each: impl FnMut(&[u8]) -> bool,
    ) -> Result<bool, Error> {
        for chunk in block.chunks(CHUNK) {
            self.decoder.write_all(chunk).map_err(|_| self.damaged(file, "is wrong"))?;
            self.packed += chunk.len() as u64;
            if !self.hand_over(&mut each) {
                return Ok(false);
            }
            let (packed, unpacked) = (self.packed, self.unpacked);
            if unpacked > HARMLESS && unpacked > packed.saturating_mul(ratio.into()) {
                return Err(Error::Ratio { file: file.to_owned(), ratio, packed, unpacked });
            }
        }
        Ok(true)
    }

    /// Hands over the rest.
    ///
    /// # Errors
    /// When it ends in the middle.
    pub(super) fn finish(
        &mut self,
        file: &str,
        mut each: impl FnMut(&[u8]) -> bool,
    ) -> Result<bool, Error> {
        self.decoder.try_finish().map_err(|_| self.damaged(file, "ends in the middle"))?;
        Ok(self.hand_over(&mut each))
    }

    fn hand_over(&mut self, each: &mut impl FnMut(&[u8]) -> bool) -> bool {
        let text = std::mem::take(self.decoder.get_mut());
        self.unpacked += text.len() as u64;
        let go_on = text.is_empty() || each(&text);
        // The buffer is used again.
        *self.decoder.get_mut() = text;
        self.decoder.get_mut().clear();
        go_on
    }

    fn damaged(&self, file: &str, how: &str) -> Error {
        let at = crate::units::thousands(self.unpacked);
        Error::Damaged {
            file: file.to_owned(),
            reason: format!("the gzip data in its gzip data {how} after {at} bytes of text"),
        }
    }
}
