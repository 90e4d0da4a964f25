//! Any bytes as JSON under any map: the first line is the map.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{InputFormat, KeyMap, Options};

fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().take(256).position(|&byte| byte == b'\n') else { return };
    let (first, bytes) = (&bytes[..end], &bytes[end + 1..]);
    let map = std::str::from_utf8(first).ok().and_then(|text| KeyMap::parse(text).ok());
    let format = Some(InputFormat::Gateway);
    ratewaf_fuzz::check(bytes, &Options { map: map.map(Arc::new), format, ..Options::default() });
});
