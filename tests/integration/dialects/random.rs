//! Random rule sets in every dialect: refused with a reason, or read back as the same rules.

use proptest::prelude::*;
use ratewaf::render::cloudformation;

use super::read;
use crate::terraform::random::rule_set;
use crate::terraform::stack;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::terraform::random::cases()))]

    #[test]
    fn random_rules_are_refused_or_said_in_every_dialect(set in rule_set()) {
        let Ok(stack) = stack(&set) else { return Ok(()) };
        if cloudformation(&stack).is_err() {
            return Ok(());
        }
        read::assert_same_rules("random", &stack);
    }
}
