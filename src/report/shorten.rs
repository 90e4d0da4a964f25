//! Names that are too long for their place.

use crate::explain::names_a_machine;

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

/// A user agent of at most so many characters: what browsers of all kinds say goes first, and the word that tells
/// what it is, such as `HeadlessChrome/139.0`, stays wherever it stands.
pub(super) fn agent(text: &str, most: usize) -> String {
    let length = |text: &str| text.chars().count();
    if length(text) <= most {
        return text.to_owned();
    }
    let text = without_engine(text);
    let telling = text.split(' ').find(|word| names_a_machine(word));
    let Some(word) = telling.filter(|_| length(&text) > most) else {
        return shorten(&text, most);
    };
    let (front, back) = text.split_once(word).unwrap_or_default();
    let word = shorten(word, most / 2);
    let back = if back.is_empty() { "" } else { "…" };
    let room = most.saturating_sub(length(&word) + length(back));
    let mut front = front.to_owned();
    if length(&front) > room {
        front = front.chars().take(room.saturating_sub(1)).chain(['…']).collect();
    }
    format!("{front}{word}{back}")
}

/// Without `AppleWebKit/537.36 (KHTML, like Gecko)`, and without the Safari that Chrome is none of.
fn without_engine(text: &str) -> String {
    let parts = text.split_once(" (KHTML, like Gecko) ");
    let Some((front, rest)) =
        parts.and_then(|(front, rest)| Some((front.rsplit_once(' ')?.0, rest)))
    else {
        return text.to_owned();
    };
    match rest.split_once(" Safari/") {
        Some((chrome, safari)) if chrome.contains("Chrome/") => {
            let after = safari.find(' ').map_or("", |place| &safari[place..]);
            format!("{front} … {chrome}{after}")
        }
        _ => format!("{front} … {rest}"),
    }
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

    #[test]
    fn what_a_user_agent_is_stays_in_it() {
        let browser = |kind: &str| {
            format!("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) {kind}")
        };
        let headless = browser("HeadlessChrome/139.0.7258.66 Safari/537.36");
        for (most, wanted) in [
            (200, headless.as_str()),
            (72, "Mozilla/5.0 (X11; Linux x86_64) … HeadlessChrome/139.0.7258.66"),
            (48, "Mozilla/5.0 (X11; Linux…HeadlessChro…9.0.7258.66"),
            (20, "Mozilla/5…Headl…8.66"),
        ] {
            assert_eq!(agent(&headless, most), wanted);
        }
        let edge = browser("Chrome/139.0.0.0 Safari/537.36 Edg/139.0.3405.86");
        let wanted = "Mozilla/5.0 (X11; Linux x86_64) … Chrome/139.0.0.0 Edg/139.0.3405.86";
        assert_eq!(agent(&edge, 72), wanted);
        let bot = "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/about)";
        assert_eq!(agent(bot, 48), "Mozilla/5.0 (compatible; ExampleBot/2.1;…");
        for most in 0..90 {
            for text in [headless.as_str(), &edge, bot, &"ä".repeat(100), &"bot".repeat(40)] {
                assert!(agent(text, most).chars().count() <= most.max(3), "{most} {text}");
            }
        }
    }
}
