//! Any bytes as what CloudWatch Logs, Firehose and Lambda put around records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{FieldList, Options};

fuzz_target!(|bytes: &[u8]| {
    let fields = FieldList::parse("date time c-ip cs-method cs-uri-stem").ok();
    ratewaf_fuzz::check(bytes, &Options { fields, ..Options::default() });
});
