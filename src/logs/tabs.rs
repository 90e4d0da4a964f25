//! Where tabs are, 64 bytes at a time.

use wide::u8x16;

/// Bytes that are looked at together.
pub(super) const WINDOW: usize = 64;

/// One bit a byte, the lowest for the first: set where there is a tab.
///
/// A search for one tab after another pays for a call and a wrongly guessed branch each; columns are a
/// few bytes wide, so that costs more than the search.
#[inline]
pub(super) fn tabs_of(window: &[u8; WINDOW]) -> u64 {
    let tab = u8x16::splat(b'\t');
    let (parts, _) = window.as_chunks::<16>();
    parts
        .iter()
        .rev()
        .fold(0, |mask, part| mask << 16 | u64::from(u8x16::new(*part).simd_eq(tab).to_bitmask()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_its_bit() {
        for place in 0..WINDOW {
            for byte in 0..=u8::MAX {
                let mut window = [b'x'; WINDOW];
                window[place] = byte;
                assert_eq!(tabs_of(&window), u64::from(byte == b'\t') << place, "{place} {byte}");
            }
        }
        assert_eq!(tabs_of(&[b'\t'; WINDOW]), u64::MAX);
    }
}
