//! Where an address is, by the databases that MaxMind and others write (`.mmdb`), on this machine.

use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::Result;
use maxminddb::Reader;
use serde::Deserialize;

use super::failure::hinted;
use crate::fs::{self, shown};
use crate::units::plain;

/// The largest databases have some hundred megabytes.
const MOST_BYTES: u64 = 2 << 30;

/// What is asked for of a record; other members are left alone.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow, default)]
    country: Place<'a>,
    #[serde(borrow, default)]
    city: Place<'a>,
    autonomous_system_number: Option<u32>,
    autonomous_system_organization: Option<&'a str>,
}

#[derive(Default, Deserialize)]
struct Place<'a> {
    iso_code: Option<&'a str>,
    #[serde(borrow, default)]
    names: Names<'a>,
}

#[derive(Default, Deserialize)]
struct Names<'a> {
    en: Option<&'a str>,
}

impl Record<'_> {
    /// `Berlin, Germany (DE)`, `AS64496 Example Net`.
    fn in_words(&self) -> Vec<String> {
        let country = match (self.country.names.en, self.country.iso_code) {
            (Some(name), Some(code)) => Some(format!("{name} ({code})")),
            (one, other) => one.or(other).map(str::to_owned),
        };
        let place: Vec<String> =
            self.city.names.en.map(str::to_owned).into_iter().chain(country).collect();
        let operator = self.autonomous_system_number.map(|number| {
            let name = self.autonomous_system_organization.unwrap_or_default();
            format!("AS{number} {name}").trim_end().to_owned()
        });
        (!place.is_empty()).then(|| place.join(", ")).into_iter().chain(operator).collect()
    }
}

/// What the databases say of an address, in their order.
pub(super) fn locate(databases: &[PathBuf], address: IpAddr) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for path in databases {
        let bytes = fs::read_bytes(path, MOST_BYTES)?;
        let unusable = |error: maxminddb::MaxMindDbError| {
            let message =
                format!("cannot use `{}` as --geo: {}", shown(path), plain(&error.to_string()));
            let hint = "give a database in MaxMind's format, such as GeoLite2-Country.mmdb";
            hinted(message, hint)
        };
        let reader = Reader::from_source(bytes).map_err(unusable)?;
        let result = reader.lookup(address).map_err(unusable)?;
        let record = result.decode::<Record<'_>>().map_err(unusable)?;
        found.extend(record.iter().flat_map(Record::in_words));
    }
    Ok(found)
}
