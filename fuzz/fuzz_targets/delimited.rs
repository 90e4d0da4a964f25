//! Any bytes as a standard log with any delimiter, given or sniffed: the first line is the delimiter.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{Delimiter, FieldList, Options};

fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().take(24).position(|&byte| byte == b'\n') else { return };
    let (first, bytes) = (&bytes[..end], &bytes[end + 1..]);
    let delimiter = std::str::from_utf8(first).ok().and_then(|text| Delimiter::parse(text).ok());
    let fields = FieldList::parse("date time c-ip cs-method cs-uri-stem sc-status").ok();
    for fields in [None, fields] {
        for delimiter in [None, delimiter] {
            ratewaf_fuzz::check(bytes, &Options { fields, delimiter, ..Options::default() });
        }
    }
});
