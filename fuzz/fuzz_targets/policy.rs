//! Any text as a policy: accepted, or refused with at least one problem that can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::policy::Policy;

fuzz_target!(|text: &str| {
    if let Err(problems) = Policy::parse(text, "ratewaf.yaml") {
        assert!(!problems.list().is_empty());
        let shown = problems.render(false);
        assert!(!shown.is_empty());
        assert!(!shown.chars().any(|character| character.is_control() && character != '\n'));
    }
});
