//! What somebody in the logs is, and what has to become of them.

use serde::Serialize;

/// What a client of the generated logs is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A person, or a household.
    Visitor,
    /// Many people behind one address, in working hours.
    Office,
    /// Many people behind one address, around the clock.
    CarrierNat,
    /// The shop's own server, which renders pages for visitors.
    Renderer,
    /// A partner's job, every hour.
    Partner,
    /// Asks whether the shop is there.
    Monitor,
    /// Delivers events of payments.
    Webhooks,
    /// A search engine or the like.
    Crawler,
    /// Looks for holes that are not there.
    Scanner,
    /// The shop's own tests.
    QaRunner,
    /// Hammers the route.
    Abuser,
    /// Tries passwords, on another route.
    PasswordGuesser,
    /// Takes tokens day and night, too slowly for any limit.
    SlowScraper,
    /// An address that an attacker uses once, of very many.
    RotatingAddress,
}

/// What has to become of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Treatment {
    /// No limit may touch it.
    Pass,
    /// To be labelled, left out of the evidence and given a twin.
    Exempt,
    /// A right limit stops it.
    Stop,
    /// Unwanted, but no limit on this route can stop it.
    OutOfReach,
}

impl Role {
    /// What has to become of clients of this role.
    #[must_use]
    pub const fn treatment(self) -> Treatment {
        match self {
            Self::QaRunner => Treatment::Exempt,
            Self::Abuser => Treatment::Stop,
            Self::SlowScraper | Self::RotatingAddress | Self::PasswordGuesser | Self::Scanner => {
                Treatment::OutOfReach
            }
            _ => Treatment::Pass,
        }
    }
}
