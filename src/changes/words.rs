//! A change set in people's words.

use serde_json::Value as Json;

use super::changeset::ChangeSet;
use super::fields::Field;
use super::meaning::mode_of;
use super::step::{Change, Counters, RuleChange, Step};
use crate::units::{count, plain, thousands};
use crate::wafv2::dollars;

/// Names of others that are told one by one.
const NAMED: usize = 5;
/// Characters of a value that are shown.
const SHOWN: usize = 60;
/// Of these, before the place where two values begin to differ.
const LEAD: usize = 20;

impl Step {
    /// In a line: for audits and refusals.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::CreateIpSet { name, addresses, .. } => {
                format!("make the IP set {name} with {}", addresses_in_words(addresses.len()))
            }
            Self::UpdateIpSet { name, added, removed, .. } => {
                format!("IP set {name}: {} more, {} fewer", added.len(), removed.len())
            }
            Self::CreateWebAcl { acl } => {
                format!("make the web ACL {}", plain(acl["Name"].as_str().unwrap_or_default()))
            }
            Self::UpdateWebAcl { rules, bodies } => {
                let mut parts: Vec<String> = rules.iter().map(RuleChange::in_words).collect();
                parts.extend(bodies.iter().map(|(key, body)| {
                    let what = if body.is_null() { "goes" } else { "is written" };
                    format!("body {key} {what}")
                }));
                parts.join("; ")
            }
            Self::Remember { set: None, digests } => {
                let names: Vec<&str> = digests.keys().map(String::as_str).collect();
                format!("remember what was written: {}", names.join(", "))
            }
            Self::Remember { set: Some(name), .. } => format!("remember what was written: {name}"),
            Self::Forget { rules } => format!("forget {}", rules.join(", ")),
            Self::PutAlarm { name, fields, .. } if fields.is_empty() => {
                format!("make the alarm {name}")
            }
            Self::PutAlarm { name, .. } => format!("change the alarm {name}"),
            Self::DeleteAlarm { name } => format!("remove the alarm {name}"),
            Self::DeleteIpSet { name } => format!("remove the IP set {name}"),
            Self::Associate { distribution } => {
                format!("put it before the distribution {distribution}")
            }
        }
    }
}

fn addresses_in_words(number: usize) -> String {
    count(number as u64, "range of addresses", "ranges of addresses")
}

impl RuleChange {
    fn in_words(&self) -> String {
        let name = &self.name;
        match self.change {
            Change::Added => format!("rule {name} is new"),
            Change::Removed => format!("rule {name} goes"),
            Change::Action => {
                format!(
                    "rule {name} {}",
                    mode_of(&self.rule).map_or("acts otherwise", |mode| mode.verb())
                )
            }
            Change::Changed => format!("rule {name} changes"),
        }
    }

    fn summary(&self) -> String {
        let rate = self.rule.pointer("/Statement/RateBasedStatement");
        let number =
            |name: &str| rate.and_then(|rate| rate.get(name)).and_then(Json::as_u64).unwrap_or(0);
        let verb = mode_of(&self.rule).map_or("acts", |mode| mode.verb());
        format!(
            "{verb} above {} requests in {} s",
            thousands(number("Limit")),
            number("EvaluationWindowSec")
        )
    }
}

/// A value on one line.
fn value(value: &Json) -> String {
    match value {
        Json::Null => "nothing".to_owned(),
        Json::String(text) => plain(text).into_owned(),
        other => plain(&other.to_string()).into_owned(),
    }
}

/// Two values; of long ones, the part in which they differ.
fn difference(from: &Json, to: &Json) -> (String, String) {
    let (from, to) = (value(from), value(to));
    let is_long = |text: &str| text.chars().count() > SHOWN;
    if !is_long(&from) && !is_long(&to) {
        return (from, to);
    }
    let alike = from.chars().zip(to.chars()).take_while(|(one, other)| one == other).count();
    // A difference that begins within sight is shown from the start.
    let start = if alike < SHOWN / 2 { 0 } else { alike - LEAD };
    let part = |text: &str| {
        let shown: String = text.chars().skip(start).take(SHOWN).collect();
        let before = if start > 0 { "…" } else { "" };
        let after = if text.chars().count() > start + SHOWN { "…" } else { "" };
        format!("{before}{shown}{after}")
    };
    (part(&from), part(&to))
}

fn fields(out: &mut String, fields: &[Field]) {
    // Actions are two members of which one goes and one comes: a reader wants one line.
    let of_action =
        |field: &&Field| field.path.starts_with("Action.") && field.path.matches('.').count() == 1;
    let gone = fields.iter().filter(of_action).find(|field| field.to.is_null());
    let come = fields.iter().filter(of_action).find(|field| field.from.is_null());
    if let (Some(gone), Some(come)) = (gone, come) {
        let name = |field: &Field| field.path.trim_start_matches("Action.").to_ascii_lowercase();
        out.push_str(&format!("      action: {} -> {}\n", name(gone), name(come)));
    }
    for field in fields {
        if gone.is_some() && come.is_some() && of_action(&field) {
            continue;
        }
        let name = field.name_in_words();
        let (from, to) = difference(&field.from, &field.to);
        out.push_str(&format!("      {}: {from} -> {to}\n", plain(&name)));
    }
}

impl ChangeSet {
    /// The whole of it, as `plan` prints it.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut out = String::new();
        let target = &self.target;
        out.push_str(&format!(
            "Web ACL {} ({}, {})\n\n",
            plain(&target.web_acl),
            target.scope,
            target.region
        ));
        for step in &self.steps {
            step_in_lines(&mut out, step);
        }
        for drift in &self.drift {
            out.push_str(&format!(
                "  ! {}: {}; it stays (--take-over puts it right)\n",
                plain(&drift.what),
                drift.why
            ));
            fields(&mut out, &drift.fields);
        }
        if self.steps.is_empty() {
            let what = if self.drift.is_empty() { "nothing to do" } else { "nothing else to do" };
            out.push_str(&format!("  {what}\n"));
        }
        out.push_str(&self.others());
        for note in &self.notes {
            out.push_str(&format!("  note: {}\n", plain(note)));
        }
        if self.steps.is_empty() {
            return out;
        }
        let capacity = &self.capacity;
        let how = if capacity.told_by_aws { "told by AWS" } else { "estimated" };
        out.push_str(&format!(
            "\nCapacity: {} WCU of 5,000 ({how}), {} before\nRate-based rules: {} of {}\nPrice: {}\n",
            thousands(capacity.wcu_after),
            thousands(capacity.wcu_before),
            capacity.rate_rules_after,
            capacity.rate_rules_allowed,
            price(capacity.cents_a_month),
        ));
        out
    }

    fn others(&self) -> String {
        let shield = self
            .left_alone
            .iter()
            .filter(|name| name.starts_with("ShieldMitigationRuleGroup_"))
            .count();
        let names: Vec<_> =
            self.left_alone.iter().take(NAMED).map(|name| plain(name).into_owned()).collect();
        let more = self.left_alone.len().saturating_sub(NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        if names.is_empty() {
            return String::new();
        }
        let shield = if shield == 0 { "" } else { " (AWS Shield's own among them)" };
        let rules = count(
            self.left_alone.len() as u64,
            "other rule stays as it is",
            "other rules stay as they are",
        );
        format!("  = {rules}: {}{more}{shield}\n", names.join(", "))
    }
}

fn price(cents: i64) -> String {
    match cents {
        0 => "as before".to_owned(),
        more if more > 0 => {
            format!("{} more each month, before any request", dollars(more.unsigned_abs()))
        }
        less => format!("{} less each month", dollars(less.unsigned_abs())),
    }
}

fn step_in_lines(out: &mut String, step: &Step) {
    match step {
        Step::UpdateWebAcl { rules, bodies } => {
            for rule in rules {
                rule_in_lines(out, rule);
            }
            for (key, body) in bodies {
                let sign = if body.is_null() { '-' } else { '+' };
                out.push_str(&format!("  {sign} body of answers {}\n", plain(key)));
            }
        }
        Step::CreateIpSet { name, addresses, .. } => {
            out.push_str(&format!("  + IP set {name}: {}\n", addresses_in_words(addresses.len())));
        }
        Step::UpdateIpSet { name, added, removed, .. } => {
            out.push_str(&format!("  ~ IP set {name}\n"));
            for (sign, list) in [('+', added), ('-', removed)] {
                list.iter().for_each(|one| out.push_str(&format!("      {sign} {}\n", plain(one))));
            }
        }
        Step::CreateWebAcl { acl } => {
            out.push_str(&format!(
                "  + web ACL {}\n",
                plain(acl["Name"].as_str().unwrap_or_default())
            ));
        }
        Step::PutAlarm { name, fields: changed, .. } => {
            let sign = if changed.is_empty() { '+' } else { '~' };
            out.push_str(&format!("  {sign} alarm {name}\n"));
            fields(out, changed);
        }
        Step::DeleteAlarm { name } => out.push_str(&format!("  - alarm {name}\n")),
        Step::DeleteIpSet { name } => out.push_str(&format!("  - IP set {name}\n")),
        Step::Associate { distribution } => {
            out.push_str(&format!(
                "  + the distribution {} gets the web ACL\n",
                plain(distribution)
            ));
        }
        Step::Remember { .. } | Step::Forget { .. } => {
            out.push_str(&format!("  . tags: {}\n", step.in_words()));
        }
    }
}

fn rule_in_lines(out: &mut String, rule: &RuleChange) {
    let name = plain(&rule.name);
    let counters = match rule.counters {
        Counters::New | Counters::Gone => "",
        Counters::Reset => "; WAF counts anew",
        Counters::Survive => "; what WAF has counted stays",
    };
    let taken = if rule.taken_over { "; an edit by hand is undone" } else { "" };
    match rule.change {
        Change::Added => out.push_str(&format!("  + rule {name}: {}\n", rule.summary())),
        Change::Removed => out.push_str(&format!("  - rule {name}{taken}\n")),
        Change::Action | Change::Changed => {
            out.push_str(&format!("  ~ rule {name}{counters}{taken}\n"));
            fields(out, &rule.fields);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::difference;

    /// Found by a fresh user: both sides were cut before the place where they differed.
    #[test]
    fn long_values_show_where_they_differ() {
        let text =
            |end: &str| json!(format!("{}: the requests that qa-runner {end}", "x".repeat(60)));
        let (from, to) = difference(&text("were blocked"), &text("were counted"));
        assert_eq!(from, "…that qa-runner were blocked");
        assert_eq!(to, "…that qa-runner were counted");
        let (from, to) =
            difference(&json!("a".repeat(100)), &json!(format!("b{}", "a".repeat(10))));
        assert_eq!((from.chars().count(), to.as_str()), (61, "baaaaaaaaaa"));
        let (from, to) = difference(&json!(null), &json!("é".repeat(61)));
        assert_eq!((from.as_str(), to.chars().last()), ("nothing", Some('…')));
        assert_eq!(difference(&json!(300), &json!(500)), ("300".into(), "500".into()));
    }
}
