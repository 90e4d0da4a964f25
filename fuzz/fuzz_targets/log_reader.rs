//! Any bytes as a log: the reader says what it thinks of them, and neither panics nor swallows memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{Needs, Options};

fuzz_target!(|bytes: &[u8]| {
    let needs =
        Needs { method: bytes.len().is_multiple_of(2), host: bytes.len().is_multiple_of(3) };
    ratewaf_fuzz::check(bytes, &Options { needs, ..Options::default() });
});
