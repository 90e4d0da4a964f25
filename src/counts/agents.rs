//! User agents: a short hash of each, and whether it is a browser's.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use xxhash_rust::xxh3::xxh3_64;

use crate::rules::url_decode;

/// What is kept of a user agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agent {
    /// Never 0. The same for one agent, however often the log escaped it.
    pub(super) hash: u32,
    /// Looks like a browser.
    pub(super) browser: bool,
}

/// Remembers the agents seen: a log has few, and they are long. Bounded, because clients choose them.
#[derive(Default)]
pub(super) struct Agents {
    seen: HashMap<Box<[u8]>, Agent, RandomState>,
}

const MOST: usize = 1 << 14;
/// Longer agents are not remembered, only looked at.
const LONGEST: usize = 1 << 10;

impl Agents {
    #[inline]
    pub(super) fn look(&mut self, logged: &[u8]) -> Agent {
        if let Some(agent) = self.seen.get(logged) {
            return *agent;
        }
        let agent = classify(logged);
        if logged.len() <= LONGEST {
            if self.seen.len() >= MOST {
                self.seen.clear();
            }
            self.seen.insert(logged.into(), agent);
        }
        agent
    }
}

fn classify(logged: &[u8]) -> Agent {
    // Logs of 2013 to 2019 escape agents twice; the same browser is one agent in all of them.
    let once = url_decode(logged);
    let sent = match url_decode(&once) {
        Cow::Borrowed(_) => once,
        Cow::Owned(twice) => Cow::Owned(twice),
    };
    let hash = (xxh3_64(&sent) as u32).max(1);
    Agent { hash, browser: is_browser(&sent) }
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
        for number in 0..3 * MOST {
            agents.look(format!("agent/{number}").as_bytes());
        }
        assert!(agents.seen.len() <= MOST);
    }
}
