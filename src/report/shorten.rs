//! Names that are too long for their place.

/// At most so many characters, with `…` in the middle of what was longer: a path is known by both ends.
pub(super) fn shorten(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let front = kept.div_ceil(2);
    let start: String = text.chars().take(front).collect();
    let end: String = text.chars().skip(length - (kept - front)).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_keeps_both_ends() {
        assert_eq!(shorten("/a/b", 10), "/a/b");
        assert_eq!(shorten("/api/v1/customers/orders", 11), "/api/…rders");
        assert_eq!(shorten("äöüäöüäöü", 4).chars().count(), 4);
    }
}
