//! Any bytes as a real-time log, with and without a line end after each record.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{FieldList, InputFormat, Options};

const FIELDS: [&str; 3] = [
    "timestamp c-ip cs-uri-stem",
    "timestamp c-ip sc-status cs-method cs-host cs-uri-stem x-edge-request-id time-taken",
    "c-ip timestamp cs-uri-stem cs-user-agent",
];

fuzz_target!(|bytes: &[u8]| {
    let [first, bytes @ ..] = bytes else { return };
    let fields = FieldList::real_time(FIELDS[usize::from(*first) % FIELDS.len()]).ok();
    let (format, sampling) = (Some(InputFormat::RealTime), Some(50));
    ratewaf_fuzz::check(bytes, &Options { fields, format, sampling, ..Options::default() });
});
