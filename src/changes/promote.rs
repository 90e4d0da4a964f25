//! Whether a rule may go from count to block.

use serde::Serialize;

use super::changeset::{ChangeSet, Target};
use super::error::Refusal;
use super::live::Live;
use super::record::Mode;
use super::wanted::Wanted;
use crate::rules::Network;
use crate::units::{Client, Timestamp, count};

/// What is known of a rule that counts.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    /// The rule.
    pub rule: String,
    /// What it does; `None`: there is no such rule, or its action is unknown.
    pub mode: Option<Mode>,
    /// Since when, if it is on record.
    pub since: Option<Timestamp>,
    /// Now.
    pub now: Timestamp,
    /// Days that it has to have counted.
    pub days: u32,
    /// Clients that it counted, as far as AWS tells; `None`: AWS tells nobody for its key.
    pub clients: Option<Vec<String>>,
    /// Requests that it counted in that time, if there is a metric.
    pub requests: Option<u64>,
    /// What the logs said; `None`: the lock does not have the route.
    pub prediction: Option<Prediction>,
    /// How many times as many clients as predicted still agree.
    pub band: f64,
    /// Networks that have to pass.
    pub known_good: Vec<&'a Network>,
    /// Whether the rule is as the policy says but for its action.
    pub is_as_written: bool,
}

/// What the logs said of the limit that is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Clients above the limit.
    pub clients: u64,
    /// Days that the logs cover.
    pub days: u32,
}

/// Why a rule should not block yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// A promise to scripts, and what `--force` names.
    pub id: &'static str,
    /// In words.
    pub text: String,
}

/// Clients that more or fewer make no disagreement, however few were predicted.
const SLACK: f64 = 3.0;
const DAY: i64 = 86_400;

/// Why the rule should not block yet; none: it may.
#[must_use]
pub fn reasons(evidence: &Evidence<'_>) -> Vec<Reason> {
    let mut out = Vec::new();
    let mut say = |id, text: String| out.push(Reason { id, text });
    match evidence.since {
        None => {
            say("no-record", "nobody knows since when it counts: apply did not write it".to_owned())
        }
        Some(since) => {
            let days = (evidence.now.0 - since.0).max(0) / DAY;
            if days < i64::from(evidence.days) {
                let has = count(days.max(0) as u64, "day", "days");
                say(
                    "too-soon",
                    format!("it has counted for {has} of {}, since {since}", evidence.days),
                );
            }
        }
    }
    if !evidence.is_as_written {
        say(
            "drift",
            "the live rule is not the one of the policy, and not by its action alone".to_owned(),
        );
    }
    let clients = evidence.clients.as_deref().unwrap_or_default();
    for network in &evidence.known_good {
        let of = |client: &&String| {
            Client::from_text(client).address().is_some_and(|address| network.contains(address))
        };
        let counted: Vec<&str> = clients.iter().filter(of).map(String::as_str).collect();
        if !counted.is_empty() {
            say(
                "known-good",
                format!(
                    "it counted {} of the network {}, which has to pass",
                    counted.join(", "),
                    network.name
                ),
            );
        }
    }
    agreement(evidence, &mut say);
    out
}

fn agreement(evidence: &Evidence<'_>, say: &mut impl FnMut(&'static str, String)) {
    let Some(prediction) = evidence.prediction else {
        say("no-prediction", "the lock has no figures for this limit: run analyze".to_owned());
        return;
    };
    let Some(clients) = &evidence.clients else {
        if evidence.requests.is_none() {
            say("no-data", "AWS tells neither clients nor requests of it".to_owned());
        }
        return;
    };
    let (seen, told) = (clients.len() as f64, prediction.clients as f64);
    let predicted = count(prediction.clients, "client", "clients");
    let days = count(prediction.days.into(), "day", "days");
    if seen > (told * evidence.band).max(told + SLACK) {
        let seen = count(clients.len() as u64, "client", "clients");
        say(
            "too-many",
            format!("it counted {seen}, and the logs had {predicted} above the limit in {days}"),
        );
    }
    if told > SLACK && clients.is_empty() && evidence.requests.unwrap_or(0) == 0 {
        say(
            "nothing-counted",
            format!(
                "it counted nobody, and the logs had {predicted} above the limit in {days}: does traffic reach it?"
            ),
        );
    }
}

impl Wanted {
    /// Count to what the policy says, for the named rules: their action, and the alarms that follow it.
    ///
    /// # Errors
    /// When the web ACL is not one that may be written.
    pub fn promoted(
        &self,
        target: &Target,
        live: &Live,
        names: &[String],
    ) -> Result<ChangeSet, Refusal> {
        super::demote::promoted(self, target, live, names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence<'static> {
        Evidence {
            rule: "acl-token".to_owned(),
            mode: Some(Mode::Count),
            since: Some(Timestamp(0)),
            now: Timestamp(8 * DAY),
            days: 7,
            clients: Some(vec!["192.0.2.1".to_owned(), "192.0.2.2".to_owned()]),
            requests: Some(900),
            prediction: Some(Prediction { clients: 2, days: 7 }),
            band: 2.0,
            known_good: Vec::new(),
            is_as_written: true,
        }
    }

    #[test]
    fn each_reason_has_its_cause() {
        let ids = |evidence: &Evidence<'_>| {
            reasons(evidence).iter().map(|one| one.id).collect::<Vec<_>>()
        };
        assert!(ids(&evidence()).is_empty());
        assert_eq!(ids(&Evidence { now: Timestamp(7 * DAY - 1), ..evidence() }), ["too-soon"]);
        assert_eq!(ids(&Evidence { since: None, ..evidence() }), ["no-record"]);
        assert_eq!(ids(&Evidence { is_as_written: false, ..evidence() }), ["drift"]);
        assert_eq!(ids(&Evidence { prediction: None, ..evidence() }), ["no-prediction"]);
        assert_eq!(ids(&Evidence { clients: None, requests: None, ..evidence() }), ["no-data"]);
        let office = Network {
            name: "office".to_owned(),
            cidrs: vec!["192.0.2.2/32".parse().unwrap()],
            kind: crate::rules::NetworkKind::KnownGood,
            until: None,
        };
        let known_good = Evidence { known_good: vec![&office], ..evidence() };
        assert_eq!(ids(&known_good), ["known-good"]);
        let many = (0..6).map(|last| format!("192.0.2.{last}")).collect();
        assert_eq!(ids(&Evidence { clients: Some(many), ..evidence() }), ["too-many"]);
        let some = Some(Prediction { clients: 9, days: 7 });
        let none =
            Evidence { clients: Some(vec![]), requests: Some(0), prediction: some, ..evidence() };
        assert_eq!(ids(&none), ["nothing-counted"]);
    }
}
