//! Any bytes as CloudFront's JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{InputFormat, Options};

fuzz_target!(|bytes: &[u8]| {
    let format = Some(InputFormat::Json);
    ratewaf_fuzz::check(bytes, &Options { format, ..Options::default() });
});
