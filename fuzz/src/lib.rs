//! What every log must hold to, whatever its bytes.

use ratewaf::logs::{Field, Options, read_bytes};

/// Reads bytes as a log, strictly and with `keep_going`, and checks what is said of them.
pub fn check(bytes: &[u8], options: &Options) {
    for keep_going in [false, true] {
        let options = Options { keep_going, ..options.clone() };
        let mut requests = 0;
        let report = read_bytes(bytes, options, |request| {
            requests += 1;
            assert!((0..=i64::from(u32::MAX)).contains(&request.ended));
            assert!((0..=request.ended).contains(&request.arrival()));
            assert!(!request.client.is_empty() && !request.path.is_empty());
            let _ = request.status();
            for field in [Field::UserAgent, Field::ForwardedFor, Field::RequestId, Field::Host] {
                let value = request.field(field);
                assert!(value.is_none_or(|value| request.has(field) && !value.is_empty()));
            }
        });
        if let Ok(report) = report {
            assert_eq!(report.lines, requests);
            assert!(report.format.is_some() || requests == 0);
        }
    }
}
