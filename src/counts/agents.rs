//! User agents: a short hash of each, whether it is a browser's, and how it reads.

use std::borrow::Cow;
use std::collections::{BTreeMap, btree_map::Entry};

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::remembered::Remembered;
use crate::rules::{url_decode, without_addresses};

/// What is kept of a user agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Agent {
    /// Never 0. The same for one agent, however often the log escaped it.
    pub(super) hash: u32,
    /// Looks like a browser.
    pub(super) browser: bool,
}

/// Remembers the agents seen last: a log has few, and they are long.
#[derive(Default)]
pub(super) struct Agents {
    recent: Remembered<Agent>,
    /// What was forgotten, too, by the same hashes: nobody waits for this memory but for an agent that is
    /// rare, and to look closely at one takes ten times as long.
    met: HashTable<(u128, Agent)>,
    pub(super) texts: AgentTexts,
}

/// Agents that were met before all are forgotten: 1 MB.
const MOST_MET: usize = if cfg!(test) { 3 } else { 28 << 10 };

impl Agents {
    #[inline]
    pub(super) fn look(&mut self, logged: &[u8]) -> Agent {
        let hash = self.recent.hash(b"", logged);
        match self.recent.get(hash) {
            Some(agent) => agent,
            None => {
                let agent = self.met(hash).unwrap_or_else(|| self.look_closely(logged, hash));
                self.recent.put(hash, agent);
                agent
            }
        }
    }

    fn met(&self, hash: u128) -> Option<Agent> {
        self.met.find(hash as u64, |(known, _)| *known == hash).map(|(_, agent)| *agent)
    }

    #[cold]
    fn look_closely(&mut self, logged: &[u8], hash: u128) -> Agent {
        let sent = as_sent(logged);
        let agent = classify(&sent);
        self.texts.note(agent.hash, &sent);
        if self.met.len() == MOST_MET {
            self.met.clear();
        }
        self.met.insert_unique(hash as u64, (hash, agent), |(known, _)| *known as u64);
        agent
    }
}

/// Logs of 2013 to 2019 escape agents twice; the same browser is one agent in all of them.
fn as_sent(logged: &[u8]) -> Cow<'_, [u8]> {
    let once = url_decode(logged);
    match url_decode(&once) {
        Cow::Borrowed(_) => once,
        Cow::Owned(twice) => Cow::Owned(twice),
    }
}

fn classify(sent: &[u8]) -> Agent {
    let hash = (xxh3_64(sent) as u32).max(1);
    Agent { hash, browser: is_browser(sent) }
}

/// How user agents read, by their hash: text that clients chose.
///
/// Bounded: of many agents those with the smallest hashes are kept, of two with one hash the smaller
/// text. So it is the same whoever saw what first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentTexts {
    texts: BTreeMap<u32, Box<str>>,
}

/// Texts that are kept.
const MOST_TEXTS: usize = 1 << 14;
/// Bytes of each that are kept.
const TEXT_BYTES: usize = 256;

impl AgentTexts {
    /// Remembers a text, cut to 256 bytes.
    pub fn note(&mut self, hash: u32, sent: &[u8]) {
        if self.has_no_room_for(hash) {
            return;
        }
        let text = String::from_utf8_lossy(&sent[..sent.len().min(TEXT_BYTES)]);
        self.keep(hash, &text[..text.floor_char_boundary(TEXT_BYTES)]);
    }

    /// Takes over what another saw.
    pub(super) fn absorb(&mut self, other: &Self) {
        for (&hash, text) in &other.texts {
            if self.has_no_room_for(hash) {
                break;
            }
            self.keep(hash, text);
        }
    }

    /// The text with this hash, as sent, at most 256 bytes of it; `None` for 0 and for those that were
    /// too many.
    #[must_use]
    pub fn text(&self, hash: u32) -> Option<&str> {
        self.texts.get(&hash).map(AsRef::as_ref)
    }

    /// These texts as others may read them: an address that stands free in one is left out.
    #[must_use]
    pub fn without_addresses(&self) -> Self {
        let texts = self.texts.iter().map(|(&hash, text)| (hash, without_addresses(text).into()));
        Self { texts: texts.collect() }
    }

    fn has_no_room_for(&self, hash: u32) -> bool {
        self.texts.len() >= MOST_TEXTS
            && self.texts.last_key_value().is_some_and(|(&largest, _)| hash > largest)
    }

    fn keep(&mut self, hash: u32, text: &str) {
        match self.texts.entry(hash) {
            Entry::Occupied(mut known) => {
                if text < &**known.get() {
                    known.insert(text.into());
                }
            }
            Entry::Vacant(free) => {
                free.insert(text.into());
                if self.texts.len() > MOST_TEXTS {
                    self.texts.pop_last();
                }
            }
        }
    }
}

/// Starts with `mozilla/` and names no machine.
fn is_browser(agent: &[u8]) -> bool {
    const MACHINES: [&[u8]; 6] = [b"bot", b"crawl", b"spider", b"headless", b"probe", b"monitor"];
    let lower = agent.to_ascii_lowercase();
    lower.starts_with(b"mozilla/")
        && !MACHINES.iter().any(|word| memchr::memmem::find(&lower, word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_from_machines() {
        let mut agents = Agents::default();
        let once = agents.look(b"Mozilla/5.0%20(X11;%20Linux)%20Firefox/140.0");
        let twice = agents.look(b"Mozilla/5.0%2520(X11;%2520Linux)%2520Firefox/140.0");
        assert!(once.browser);
        assert_eq!(once, twice);
        for agent in [
            "curl/8.9",
            "Mozilla/5.0%20(compatible;%20GoogleBot/2.1)",
            "Mozilla/5.0%20HeadlessChrome",
        ] {
            assert!(!agents.look(agent.as_bytes()).browser, "{agent}");
        }
    }

    #[test]
    fn a_flood_of_agents_is_not_kept() {
        let mut agents = Agents::default();
        for number in 0..3 * MOST_TEXTS {
            agents.look(format!("agent/{number}").as_bytes());
        }
        assert_eq!(agents.texts.texts.len(), MOST_TEXTS);
    }

    #[test]
    fn texts_are_the_same_whoever_saw_what_first() {
        let agent = |number: usize| format!("agent/{number}%20{}", "x".repeat(number % 400));
        let many = MOST_TEXTS + 500;
        let mut forwards = Agents::default();
        for number in 0..many {
            forwards.look(agent(number).as_bytes());
        }
        let (mut even, mut odd) = (Agents::default(), Agents::default());
        for number in (0..many).rev() {
            let half = if number % 2 == 0 { &mut even } else { &mut odd };
            half.look(agent(number).as_bytes());
        }
        odd.texts.absorb(&even.texts);
        assert_eq!(forwards.texts, odd.texts);
        assert!(odd.texts.texts.values().all(|text| text.len() <= TEXT_BYTES));
    }

    #[test]
    fn a_text_is_what_was_sent_and_ends_between_characters() {
        let mut agents = Agents::default();
        let hash = agents.look(b"ssr-renderer/4.2%20(node)").hash;
        assert_eq!(agents.texts.text(hash), Some("ssr-renderer/4.2 (node)"));
        let wide = agents.look("\u{fc}%ff".repeat(200).as_bytes()).hash;
        let text = agents.texts.text(wide).unwrap();
        assert!(text.len() <= TEXT_BYTES && text.starts_with("\u{fc}\u{fffd}\u{fc}"), "{text}");
        assert_eq!(agents.texts.text(0), None);
        let mut same = AgentTexts::default();
        same.note(7, b"b");
        same.note(7, b"a");
        same.note(7, b"c");
        assert_eq!(same.text(7), Some("a"));
    }
}
