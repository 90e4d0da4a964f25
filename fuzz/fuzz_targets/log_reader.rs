//! Any bytes as a log: the reader says what it thinks of them, and neither panics nor swallows memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{Field, Needs, Options, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let needs =
        Needs { method: bytes.len().is_multiple_of(2), host: bytes.len().is_multiple_of(3) };
    for keep_going in [false, true] {
        let options = Options { needs, keep_going, ..Options::default() };
        let mut requests = 0;
        let report = read_bytes(bytes, options, |request| {
            requests += 1;
            assert!((0..=i64::from(u32::MAX)).contains(&request.ended));
            assert!((0..=request.ended).contains(&request.arrival()));
            assert!(!request.client.is_empty() && !request.path.is_empty());
            let _ = request.status();
            let _ = request.field(Field::UserAgent);
            let _ = request.field(Field::ForwardedFor);
        });
        if let Ok(report) = report {
            assert_eq!(report.lines, requests);
        }
    }
});
