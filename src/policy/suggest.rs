//! "Did you mean …?"

/// The allowed word that is closest to what was written, if it is close enough to be meant: at most a
/// third of its letters differ, or one begins with the other.
#[must_use]
pub fn closest<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    // Longer texts are no misspelt key, and the distance takes quadratic time.
    if written.len() > 40 {
        return None;
    }
    let written = written.to_ascii_lowercase().replace('-', "_");
    let nearest = words.iter().map(|word| {
        let plain = word.replace('-', "_");
        let related = written.len() >= 3
            && plain.len() >= 3
            && (plain.starts_with(&written) || written.starts_with(&plain));
        (if related { 1 } else { distance(&written, &plain) }, *word)
    });
    let (distance, word) = nearest.min_by_key(|(distance, _)| *distance)?;
    (distance <= word.len().max(3) / 3).then_some(word)
}

/// Letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let replace = rows[i][j] + usize::from(from != to);
            let mut best = replace.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *to && *from == b[j - 1] {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_are_found_and_others_are_not() {
        let words = ["name", "methods", "host", "path", "starts_with", "retry_after", "limit"];
        for (written, word) in [
            ("method", "methods"),
            ("Methods", "methods"),
            ("paht", "path"),
            ("starts-with", "starts_with"),
            ("retry", "retry_after"),
            ("limits", "limit"),
        ] {
            assert_eq!(closest(written, &words), Some(word), "{written}");
        }
        for written in ["", "x", "threshold", "<<", &"limit".repeat(20)] {
            assert_eq!(closest(written, &words), None, "{written}");
        }
        assert_eq!(distance("abcd", "acbd"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
