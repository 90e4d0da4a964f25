//! Names that AWS accepts everywhere we use them.

use crate::quotas;

/// Whether a text may name a rule, a metric, an IP set or a web ACL: letters, digits, `_` and `-`,
/// 1 to 128 of them (`WAFv2` API, `EntityName`; the strict form of metric names).
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=quotas::NAME_CHARACTERS).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// A name made of any text: lower-case letters, digits and single dashes, at most 48 characters;
/// `route` where nothing is left.
#[must_use]
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if out.len() >= 48 {
            break;
        }
        if character.is_ascii_alphanumeric() {
            out.push(character.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let trimmed = out.trim_end_matches('-');
    if trimmed.is_empty() { "route".to_owned() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_names() {
        assert_eq!(slug("/oauth/token"), "oauth-token");
        assert_eq!(slug("/"), "route");
        assert_eq!(slug("/API//v2/{id}/x.json"), "api-v2-id-x-json");
        for text in ["", "ä", "a b", &"x".repeat(300)] {
            assert!(is_name(&slug(text)), "{text}");
        }
        assert!(!is_name("a b") && !is_name("") && !is_name("${x}"));
    }
}
