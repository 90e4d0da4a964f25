//! `country-unknown`: a country code does not exist.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct CountryUnknown;

const ABOUT: About = About {
    id: "country-unknown",
    title: "A country code does not exist",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/country-unknown.md"),
};

/// ISO 3166-1 alpha-2, and XK, which AWS takes too (`WAFv2` API, `CountryCode`).
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR \
    BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ \
    EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW \
    GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY \
    KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV \
    MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY \
    QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG \
    TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM \
    ZW XK";

impl Check for CountryUnknown {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for rule in context.deployment.acls.iter().flat_map(|acl| &acl.rules) {
            for geo in rule.statement().all_of("GeoMatchStatement") {
                for code in geo["CountryCodes"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|one| one.as_str())
                {
                    if COUNTRIES.split(' ').any(|it| it == code) {
                        continue;
                    }
                    let help = match code.to_ascii_uppercase().as_str() {
                        "UK" => "the United Kingdom is GB",
                        "EU" => "the European Union is no country: list its members",
                        _ => "write the ISO 3166-1 alpha-2 code in capitals",
                    };
                    findings
                        .add(
                            rule.place().member("CountryCodes"),
                            format!(
                                "{} names the country `{code}`, which does not exist",
                                rule.title()
                            ),
                        )
                        .help(help);
                }
            }
        }
    }
}
