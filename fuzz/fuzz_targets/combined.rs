//! Any bytes as logs of a web server.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{InputFormat, Options};

fuzz_target!(|bytes: &[u8]| {
    let format = Some(InputFormat::Combined);
    ratewaf_fuzz::check(bytes, &Options { format, ..Options::default() });
    ratewaf_fuzz::check(bytes, &Options::default());
});
