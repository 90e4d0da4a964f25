//! What the rules of a web ACL did with a request, as its WAF log says.

/// What a rule did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleAction {
    /// Counted it and let the next rule look.
    Count,
    /// Refused it.
    Block,
    /// Asked for a puzzle.
    Captcha,
    /// Asked for a silent challenge.
    Challenge,
    /// Let it pass.
    Allow,
    /// An action of a later day.
    Other,
}

impl RuleAction {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::Count, Self::Block, Self::Captcha, Self::Challenge, Self::Allow, Self::Other];

    /// As a WAF log writes it: `COUNT`, `BLOCK`, `EXCLUDED_AS_COUNT` (the older word of rule groups) …
    #[must_use]
    pub fn from_log(text: &str) -> Self {
        let is = |word: &str| text.eq_ignore_ascii_case(word);
        match text {
            _ if is("COUNT") || is("EXCLUDED_AS_COUNT") => Self::Count,
            _ if is("BLOCK") => Self::Block,
            _ if is("CAPTCHA") => Self::Captcha,
            _ if is("CHALLENGE") => Self::Challenge,
            _ if is("ALLOW") => Self::Allow,
            _ => Self::Other,
        }
    }

    /// `count`, `block`, `captcha`, `challenge`, `allow` or `other`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Block => "block",
            Self::Captcha => "captcha",
            Self::Challenge => "challenge",
            Self::Allow => "allow",
            Self::Other => "other",
        }
    }
}

/// How a rate-based rule tells clients apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LimitKey {
    /// By the address that connected.
    Ip,
    /// By an address in a header.
    ForwardedIp,
    /// By keys of its owner's choice.
    CustomKeys,
    /// Not at all.
    Constant,
    /// The log does not say, or says something new.
    Unknown,
}

impl LimitKey {
    /// As a WAF log writes it.
    #[must_use]
    pub fn from_log(text: &str) -> Self {
        match text {
            "IP" => Self::Ip,
            "FORWARDED_IP" | "FORWARDEDIP" => Self::ForwardedIp,
            "CUSTOMKEYS" | "CUSTOM_KEYS" => Self::CustomKeys,
            "CONSTANT" => Self::Constant,
            _ => Self::Unknown,
        }
    }
}

/// One rule that matched a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleMatch<'a> {
    /// The rule's name: of a rule group's rule its own, not the group's.
    pub name: &'a str,
    /// What it did.
    pub action: RuleAction,
    /// How it tells clients apart if it is rate-based, else `None`.
    pub rate_based: Option<LimitKey>,
}

/// Characters of a name that are kept. AWS WAF allows 128 (`EntityName` in its API).
const LONGEST_NAME: usize = 128;
/// Rules kept of one request; a web ACL holds ten rate-based ones, its groups four each.
const MOST: usize = 256;

/// The rules that matched one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleMatches {
    names: String,
    list: Vec<(usize, RuleAction, Option<LimitKey>)>,
}

impl RuleMatches {
    /// Forgets the last request.
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.list.clear();
    }

    /// Adds a rule. Of one that stands in several lists of the log, whatever is known is kept together.
    pub(super) fn add(&mut self, found: RuleMatch<'_>) {
        let name = match found.name.char_indices().nth(LONGEST_NAME) {
            Some((end, _)) => &found.name[..end],
            None => found.name,
        };
        if name.is_empty() {
            return;
        }
        let held = self.iter().position(|held| held.name == name);
        if let Some(place) = held {
            let (_, action, key) = &mut self.list[place];
            // Being rate-based says nothing of what it did.
            if *action == RuleAction::Other {
                *action = found.action;
            }
            *key = match (*key, found.rate_based) {
                (Some(LimitKey::Unknown) | None, better @ Some(_)) => better,
                (held, _) => held,
            };
        } else if self.list.len() < MOST {
            self.names.push_str(name);
            self.list.push((self.names.len(), found.action, found.rate_based));
        }
    }

    /// All of them, in the order of the log.
    pub(super) fn iter(&self) -> impl Iterator<Item = RuleMatch<'_>> {
        self.list.iter().scan(0, |start, &(end, action, rate_based)| {
            let name = &self.names[*start..end];
            *start = end;
            Some(RuleMatch { name, action, rate_based })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rule_in_several_lists_is_one() {
        let mut matches = RuleMatches::default();
        let rule = |name, action, rate_based| RuleMatch { name, action, rate_based };
        matches.add(rule("token", RuleAction::Other, Some(LimitKey::Ip)));
        matches.add(rule("other", RuleAction::Count, None));
        matches.add(rule("token", RuleAction::Count, Some(LimitKey::Unknown)));
        matches.add(rule("", RuleAction::Count, None));
        let found: Vec<_> = matches.iter().collect();
        assert_eq!(
            found,
            [
                rule("token", RuleAction::Count, Some(LimitKey::Ip)),
                rule("other", RuleAction::Count, None)
            ]
        );
        matches.clear();
        assert_eq!(matches.iter().count(), 0);
    }

    #[test]
    fn names_and_numbers_are_bounded() {
        let mut matches = RuleMatches::default();
        for number in 0..1_000 {
            let name = format!("{number}-{}", "ä".repeat(1_000));
            matches.add(RuleMatch { name: &name, action: RuleAction::Count, rate_based: None });
        }
        assert_eq!(matches.list.len(), MOST);
        assert!(matches.iter().all(|found| found.name.chars().count() == LONGEST_NAME));
    }
}
