//! Any bytes as AWS WAF logs, and their rules through the counting.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::{InputFormat, Needs, Options, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let needs =
        Needs { method: bytes.len().is_multiple_of(2), host: bytes.len().is_multiple_of(3) };
    let format = Some(InputFormat::Waf);
    let options = Options { format, needs, keep_going: true, ..Options::default() };
    ratewaf_fuzz::check(bytes, &options);
    let read = read_bytes(bytes, options, |request| {
        let mut names: Vec<&str> = request.rule_matches().map(|rule| rule.name).collect();
        assert!(names.iter().all(|name| !name.is_empty() && name.chars().count() <= 128));
        // Whatever lists a rule stands in, it matched a request once.
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), all.min(256)), (all, all));
    });
    if let Ok(report) = read {
        let found = &report.completeness;
        assert!(found.waf_allowed <= found.waf_records && found.edge_lines <= report.lines);
    }
});
