//! Labels from the command line: a CIDR, a name with a CIDR, or the name of a network of the policy.

use std::io;

use anyhow::Result;
use clap::Args;
use ipnet::IpNet;

use super::failure::hinted;
use crate::counts::Counts;
use crate::rules::{Network, NetworkKind, canonical_cidr, is_name, merge};
use crate::ui::Ui;

/// Rule names hold a network's name behind the route's, and have to stay short enough for AWS.
const LONGEST_NAME: usize = 32;

/// Who has to pass, and who has not.
#[derive(Debug, Args)]
#[command(next_help_heading = "Labels")]
#[group(id = "labels")]
pub(super) struct Arguments {
    /// A test runner: left out of the evidence, gets a twin rule. A CIDR, NAME=CIDR, or the name of a
    /// network of the policy. May be given more than once.
    #[arg(long, value_name = "NETWORK")]
    exempt: Vec<String>,

    /// Has to pass: no limit is proposed at or below its peak.
    #[arg(long, value_name = "NETWORK")]
    good: Vec<String>,

    /// Need not pass.
    #[arg(long, value_name = "NETWORK")]
    bad: Vec<String>,
}

impl Arguments {
    /// Warns of networks of the command line that no client of the logs belongs to: a typo, most of
    /// the time.
    ///
    /// # Errors
    /// When the counts are in a temporary file that cannot be read.
    pub(super) fn tell_strangers(
        &self,
        counts: &Counts,
        networks: &[Network],
        ui: &Ui,
    ) -> io::Result<()> {
        for (flag, texts) in
            [("--exempt", &self.exempt), ("--good", &self.good), ("--bad", &self.bad)]
        {
            for text in texts {
                let cidr = text.split_once('=').map_or(text.as_str(), |(_, cidr)| cidr);
                let known = match canonical_cidr(cidr) {
                    Some(net) => counts.any(|address| net.contains(&address))?,
                    None => counts.any(|address| {
                        let own = networks.iter().filter(|network| network.name == *text);
                        own.into_iter().any(|network| network.contains(address))
                    })?,
                };
                if !known {
                    ui.warn(&format!("{flag} {text} matches no client of these logs"));
                }
            }
        }
        Ok(())
    }

    /// As [`Self::apply`], where rules say themselves whom they do not count.
    pub(super) fn apply_to_names(&self, known: Vec<Network>) -> Result<Vec<Network>> {
        if self.exempt.is_empty() {
            return self.apply(known);
        }
        let hint = "they say themselves whom they leave out; --good and --bad only name addresses";
        Err(hinted("--exempt has no effect on the rules of a web ACL", hint))
    }

    /// The networks of a policy, changed and added to by the command line.
    pub(super) fn apply(&self, known: Vec<Network>) -> Result<Vec<Network>> {
        let mut networks = known;
        let given = [
            (&self.exempt, NetworkKind::Tester),
            (&self.good, NetworkKind::KnownGood),
            (&self.bad, NetworkKind::KnownBad),
        ];
        let mut seen: Vec<(String, NetworkKind)> = Vec::new();
        for (texts, kind) in given {
            for text in texts {
                let name = add(&mut networks, text, kind)?;
                // One cannot be both; which of them would win is nobody's to guess.
                if let Some((_, other)) =
                    seen.iter().find(|(own, other)| *own == name && *other != kind)
                {
                    let message = format!(
                        "`{}` is labelled {} and {}",
                        crate::units::plain(text),
                        other.as_str(),
                        kind.as_str()
                    );
                    return Err(hinted(
                        message,
                        "give each network one of --exempt, --good and --bad",
                    ));
                }
                seen.push((name, kind));
            }
        }
        Ok(networks)
    }
}

/// Adds or relabels a network; gives its name.
fn add(networks: &mut Vec<Network>, text: &str, kind: NetworkKind) -> Result<String> {
    let (name, cidr) = match text.split_once('=') {
        Some((name, cidr)) => (Some(name.trim()), cidr.trim()),
        None => (None, text.trim()),
    };
    if let Ok(net) = cidr.parse::<IpNet>()
        && net != net.trunc()
    {
        let hint = format!("write {} or {}/{}", net.trunc(), net.addr(), net.max_prefix_len());
        return Err(hinted(format!("`{net}` has bits set behind its prefix"), hint));
    }
    let Some(cidr) = canonical_cidr(cidr) else {
        return match networks.iter_mut().find(|network| network.name == text) {
            Some(network) => {
                network.kind = kind;
                Ok(network.name.clone())
            }
            None => Err(unknown(text, networks)),
        };
    };
    if cidr.prefix_len() == 0 {
        let hint = "name the addresses that are meant; AWS WAF refuses /0 in an IP set";
        return Err(hinted(format!("`{cidr}` is everybody"), hint));
    }
    let name = match name {
        Some(name) if !is_name(name) || name.len() > LONGEST_NAME => {
            let hint =
                "at most 32 letters, digits, `-` and `_`, as in --exempt qa-runner=203.0.113.10/32";
            return Err(hinted(
                format!("`{}` is no name for a network", crate::units::plain(name)),
                hint,
            ));
        }
        Some(name) => name.to_owned(),
        None => own_name(networks, &cidr, kind),
    };
    match networks.iter_mut().find(|network| network.name == name) {
        Some(network) => {
            network.kind = kind;
            network.cidrs.push(cidr);
            network.cidrs = merge(&network.cidrs);
        }
        None => {
            networks.push(Network { name: name.clone(), cidrs: vec![cidr], kind, until: None });
        }
    }
    Ok(name)
}

/// The name of a network that was given without one: it must not tell the address where addresses are
/// withheld.
fn own_name(networks: &[Network], cidr: &IpNet, kind: NetworkKind) -> String {
    if let Some(same) = networks.iter().find(|network| network.cidrs == [*cidr]) {
        return same.name.clone();
    }
    let kind = match kind {
        NetworkKind::Tester => "tester",
        NetworkKind::KnownGood => "good",
        NetworkKind::KnownBad => "bad",
    };
    let free = |name: &String| networks.iter().all(|network| network.name != *name);
    (1..).map(|number| format!("{kind}-{number}")).find(free).unwrap_or_default()
}

fn unknown(text: &str, networks: &[Network]) -> anyhow::Error {
    let names: Vec<&str> = networks.iter().map(|network| network.name.as_str()).collect();
    let known = if names.is_empty() {
        "the policy has no networks yet".to_owned()
    } else {
        format!("the policy's networks are: {}", names.join(", "))
    };
    let text = crate::units::plain(text);
    hinted(
        format!("`{text}` is neither a CIDR nor a network of the policy"),
        format!("write 203.0.113.10/32 or qa-runner=203.0.113.10/32; {known}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(exempt: &[&str], bad: &[&str]) -> Result<Vec<Network>> {
        let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        Arguments { exempt: strings(exempt), good: vec![], bad: strings(bad) }.apply(vec![])
    }

    #[test]
    fn networks_are_named_or_name_themselves() {
        let networks =
            apply(&["qa=203.0.113.10/32", "qa=2001:db8:7::/64", "198.51.100.1"], &[]).unwrap();
        assert_eq!(networks.len(), 2);
        assert_eq!((networks[0].name.as_str(), networks[0].cidrs.len()), ("qa", 2));
        assert_eq!(networks[1].name, "tester-1");
    }

    /// Found by a hostile tester: the name was the address, and stood where addresses were withheld.
    #[test]
    fn a_name_never_tells_the_address() {
        let networks = apply(&["198.51.100.1", "198.51.100.2"], &["203.0.113.0/24"]).unwrap();
        let names: Vec<&str> = networks.iter().map(|network| network.name.as_str()).collect();
        assert_eq!(names, ["tester-1", "tester-2", "bad-1"]);
    }

    #[test]
    fn a_name_that_is_unknown_is_refused() {
        assert!(apply(&["office"], &[]).is_err());
        assert!(apply(&["a b=192.0.2.1/32"], &[]).is_err());
        assert!(apply(&["10.0.0.1/8"], &[]).is_err());
        assert!(apply(&["::/0"], &[]).is_err());
    }

    /// Found by a hostile tester: the last of two labels won, and a client that had to pass was blocked.
    #[test]
    fn contradicting_labels_are_refused() {
        assert!(apply(&["192.0.2.1"], &["192.0.2.1/32"]).is_err());
        assert!(apply(&["a=192.0.2.1"], &["a=192.0.2.2"]).is_err());
        assert!(apply(&["192.0.2.1"], &["192.0.2.2"]).is_ok());
    }
}
