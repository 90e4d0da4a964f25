//! Field names to columns: by the `#Fields:` line of each file, never by a fixed place.

use super::options::Needs;
use super::request::MAXIMUM_COLUMNS;
use super::source::Source;

/// The fields that the analysis uses, by their CloudFront names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// `date`: day of the end of the response, UTC.
    Date,
    /// `time`: time of day of the end of the response, UTC.
    Time,
    /// `timestamp`: end of the response in seconds since 1970 (v2).
    Timestamp,
    /// `timestamp(ms)`: the same in milliseconds (v2).
    TimestampMilliseconds,
    /// `c-ip`: the viewer's address.
    ClientAddress,
    /// `cs-method`.
    Method,
    /// `cs-uri-stem`: the path without the query.
    Path,
    /// `sc-status`.
    Status,
    /// `cs(Referer)`.
    Referer,
    /// `cs(User-Agent)`.
    UserAgent,
    /// `x-edge-request-id`.
    RequestId,
    /// `x-host-header`: the Host header the viewer sent.
    Host,
    /// `time-taken`: seconds from the request's arrival to the end of the response.
    TimeTaken,
    /// `x-forwarded-for`.
    ForwardedFor,
    /// `cache-behavior-path-pattern`: stands in for a path that the log's owner left out (v2, real-time).
    PathPattern,
    /// `cs-protocol-version`, such as `HTTP/2.0`.
    Protocol,
    /// `c-country`: the viewer's country by its address (v2, real-time).
    Country,
    /// `asn`: the number of the viewer's network operator (v2, real-time).
    Asn,
}

impl Field {
    /// All of them, in the order of their declaration.
    pub(super) const ALL: [Self; 18] = [
        Self::Date,
        Self::Time,
        Self::Timestamp,
        Self::TimestampMilliseconds,
        Self::ClientAddress,
        Self::Method,
        Self::Path,
        Self::Status,
        Self::Referer,
        Self::UserAgent,
        Self::RequestId,
        Self::Host,
        Self::TimeTaken,
        Self::ForwardedFor,
        Self::PathPattern,
        Self::Protocol,
        Self::Country,
        Self::Asn,
    ];

    /// How many there are.
    pub(super) const COUNT: usize = Self::ALL.len();

    /// The CloudFront name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::TimestampMilliseconds => "timestamp(ms)",
            Self::ClientAddress => "c-ip",
            Self::Method => "cs-method",
            Self::Path => "cs-uri-stem",
            Self::Status => "sc-status",
            Self::Referer => "cs(Referer)",
            Self::UserAgent => "cs(User-Agent)",
            Self::RequestId => "x-edge-request-id",
            Self::Host => "x-host-header",
            Self::TimeTaken => "time-taken",
            Self::ForwardedFor => "x-forwarded-for",
            Self::PathPattern => "cache-behavior-path-pattern",
            Self::Protocol => "cs-protocol-version",
            Self::Country => "c-country",
            Self::Asn => "asn",
        }
    }

    /// Whether it only tells about a client what no count needs.
    #[must_use]
    pub const fn is_detail(self) -> bool {
        matches!(self, Self::Protocol | Self::Country | Self::Asn)
    }

    /// By name, in the layout of a source: in real-time logs `cs-host` is the Host header that the viewer
    /// sent, and `x-host-header` the distribution's own name (CloudFront Developer Guide, "Use real-time
    /// access logs"); in standard logs it is the other way round.
    pub(super) fn in_layout(name: &str, source: Source) -> Option<Self> {
        if source == Source::RealTime {
            if name.eq_ignore_ascii_case("cs-host") {
                return Some(Self::Host);
            }
            if name.eq_ignore_ascii_case("x-host-header") {
                return None;
            }
        }
        Self::from_name(name)
    }

    /// By name, without regard to case and punctuation (`cs(User-Agent)`, `cs-user-agent`,
    /// `cs_user_agent`).
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let bare: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        Some(match bare.as_str() {
            "date" => Self::Date,
            "time" => Self::Time,
            "timestamp" => Self::Timestamp,
            "timestampms" => Self::TimestampMilliseconds,
            "cip" => Self::ClientAddress,
            "csmethod" => Self::Method,
            "csuristem" => Self::Path,
            "scstatus" => Self::Status,
            "csreferer" => Self::Referer,
            "csuseragent" => Self::UserAgent,
            "xedgerequestid" => Self::RequestId,
            "xhostheader" => Self::Host,
            "timetaken" => Self::TimeTaken,
            "xforwardedfor" => Self::ForwardedFor,
            "cachebehaviorpathpattern" => Self::PathPattern,
            "csprotocolversion" => Self::Protocol,
            "ccountry" => Self::Country,
            "asn" | "casn" => Self::Asn,
            _ => return None,
        })
    }
}

/// The column of each field in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldList {
    /// What writes such columns.
    pub(super) source: Source,
    /// There is no path, and the path pattern of the cache behaviour stands in for it.
    pub(super) path_is_pattern: bool,
    columns: [u16; Field::COUNT],
    /// Columns that have a name.
    pub(super) named: u16,
    /// Columns up to and including the last one that is used.
    used: u16,
    /// Columns up to and including the last one that every line is asked for: client, time, method,
    /// path.
    pub(super) first: u16,
}

/// 128 names, and some.
const LONGEST_HEADER: usize = 8 << 10;

const ABSENT: u16 = u16::MAX;

impl Default for FieldList {
    fn default() -> Self {
        Self {
            source: Source::default(),
            path_is_pattern: false,
            columns: [ABSENT; Field::COUNT],
            named: 0,
            used: 0,
            first: 0,
        }
    }
}

/// No field name in a list is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no field of a CloudFront log")]
pub struct UnknownFields(String);

impl FieldList {
    /// From names separated by blanks, tabs or commas, in column order. Unknown names keep their
    /// column; of a name that is given twice the first counts.
    ///
    /// # Errors
    /// When no name is known.
    pub fn parse(names: &str) -> Result<Self, UnknownFields> {
        let list = Self::of(names);
        if list.used == 0 { Err(UnknownFields(names.trim().to_owned())) } else { Ok(list) }
    }

    /// As [`Self::parse`], for real-time logs, whose names mean other things in places.
    ///
    /// # Errors
    /// When no name is known.
    pub fn real_time(names: &str) -> Result<Self, UnknownFields> {
        let list = Self::in_layout_of(names, Some(Source::RealTime));
        if list.used == 0 { Err(UnknownFields(names.trim().to_owned())) } else { Ok(list) }
    }

    /// The names in a header line: `#Fields: …`, or the names alone, as tools write them that turn logs into
    /// tables. `None` for any other line.
    pub(super) fn names_in(line: &[u8]) -> Option<&[u8]> {
        if line.get(..8).is_some_and(|key| key.eq_ignore_ascii_case(b"#Fields:")) {
            return Some(&line[8..]);
        }
        let like_names = line.first().is_some_and(u8::is_ascii_alphabetic)
            && line.len() < LONGEST_HEADER
            && !line.iter().any(|byte| b"/%.".contains(byte));
        let known = |list: Self| list.column(Field::ClientAddress).is_some() && list.known() > 2;
        (like_names && known(Self::of(std::str::from_utf8(line).ok()?))).then_some(line)
    }

    /// From the names of a directive, known or not.
    pub(super) fn of(names: &str) -> Self {
        Self::in_layout_of(names, None)
    }

    /// From names, in the layout of a source; without one, of the source that the names tell of.
    #[must_use]
    pub(super) fn in_layout_of(names: &str, source: Option<Source>) -> Self {
        let mut list = Self::default();
        let names = names.replace(['\u{200b}', '\u{feff}'], "");
        // A header may be separated by what separates the values: names have no such characters.
        let names: Vec<&str> =
            names.split(|c| !is_of_name(c)).filter(|name| !name.is_empty()).collect();
        list.source = source.unwrap_or_else(|| source_of(&names));
        for name in names {
            // A field beyond the columns that are looked at is as good as absent.
            let seen = usize::from(list.named) < MAXIMUM_COLUMNS;
            if let Some(field) = Field::in_layout(name, list.source).filter(|_| seen) {
                let column = &mut list.columns[field as usize];
                if *column == ABSENT {
                    *column = list.named;
                    list.used = list.named + 1;
                }
            }
            list.named = list.named.saturating_add(1);
            if list.named == ABSENT - 1 {
                break;
            }
        }
        list.settle_path();
        // Of several times, only the first of these is read.
        let has = |field| list.column(field).is_some();
        let stamps: &[Field] = if has(Field::TimestampMilliseconds) {
            &[Field::TimestampMilliseconds]
        } else if has(Field::Date) && has(Field::Time) {
            &[Field::Date, Field::Time]
        } else {
            &[Field::Timestamp]
        };
        let always = [Field::ClientAddress, Field::Path, Field::Method];
        let last = always.iter().chain(stamps).filter_map(|field| list.column(*field)).max();
        list.first = last.map_or(0, |column| column as u16 + 1);
        list
    }

    /// The column set of a file without a `#Fields:` line, by its number of columns: the historical sets of
    /// v1 (AWS only ever appended to the list, and only these lengths were ever written), and the two sets
    /// that v2 writes if its owner chooses none, by the API (35) and by the console (39).
    #[must_use]
    pub(super) fn guess(columns: usize) -> Option<Self> {
        match columns {
            12 | 15 | 18 | 19 | 23 | 24 | 26 | 33 => {
                let names: Vec<&str> = V1_FIELDS.split(' ').take(columns).collect();
                Self::parse(&names.join(" ")).ok()
            }
            35 => Self::parse(&format!("{V1_FIELDS} c-country cache-behavior-path-pattern")).ok(),
            39 => {
                let first = "timestamp DistributionId";
                let last = "timestamp(ms) origin-fbl origin-lbl asn";
                Self::parse(&format!("{first} {V1_FIELDS} {last}")).ok()
            }
            _ => None,
        }
    }

    /// The fields that have a column, in the order of the columns.
    pub(super) fn in_order(&self) -> Vec<(usize, Field)> {
        let mut fields: Vec<(usize, Field)> =
            Field::ALL.into_iter().filter_map(|field| Some((self.column(field)?, field))).collect();
        fields.sort_by_key(|(column, _)| *column);
        fields
    }

    /// No field has a column yet.
    pub(super) fn of_source(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// Where there is no path, lets the path pattern stand in.
    pub(super) fn settle_path(&mut self) {
        let pattern = self.columns[Field::PathPattern as usize];
        let path = &mut self.columns[Field::Path as usize];
        if *path == ABSENT && pattern != ABSENT {
            *path = pattern;
            self.path_is_pattern = true;
        }
    }

    /// Gives a field the next column; `false` if it has one.
    pub(super) fn append(&mut self, field: Field) -> bool {
        let column = &mut self.columns[field as usize];
        let free = *column == ABSENT;
        if free {
            *column = self.named;
            self.named += 1;
        }
        free
    }

    /// How many fields that the analysis uses have a column.
    pub(super) fn known(&self) -> usize {
        let used = Field::ALL.into_iter().filter(|field| !field.is_detail());
        let known = used.filter(|field| self.columns[*field as usize] != ABSENT).count();
        known - usize::from(self.path_is_pattern)
    }

    /// The column of a field, from 0.
    #[inline]
    #[must_use]
    pub(super) fn column(&self, field: Field) -> Option<usize> {
        let column = self.columns[field as usize];
        (column != ABSENT).then_some(usize::from(column))
    }

    /// Whether there is a column for the time in milliseconds, which is better than any other.
    #[inline]
    pub(super) fn has_milliseconds(&self) -> bool {
        self.columns[Field::TimestampMilliseconds as usize] != ABSENT
    }

    /// The first field without which nothing can be counted, and why it is needed.
    /// `stamped`: the time is known without a column.
    pub(super) fn missing(&self, needs: Needs, stamped: bool) -> Option<(Field, &'static str)> {
        let has = |field| self.column(field).is_some();
        let stamped = stamped || has(Field::Timestamp) || has(Field::TimestampMilliseconds);
        if !has(Field::ClientAddress) {
            return Some((
                Field::ClientAddress,
                "without the client's address nothing can be counted per client",
            ));
        }
        if !stamped && !has(Field::Date) {
            return Some((
                Field::Date,
                "without the time of a request there are no windows to count in",
            ));
        }
        if !stamped && !has(Field::Time) {
            return Some((
                Field::Time,
                "without the time of a request there are no windows to count in",
            ));
        }
        if !has(Field::Path) {
            return Some((Field::Path, "without the path no request can be told to be of a route"));
        }
        if needs.method && !has(Field::Method) {
            return Some((Field::Method, "a route names a method"));
        }
        if needs.host && !has(Field::Host) {
            return Some((Field::Host, "a route names a host"));
        }
        None
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '(' | ')')
}

/// Who names columns like that: legacy logs have the beginning of one list, real-time logs have names of
/// their own, and v2 has whatever its owner likes.
pub(super) fn source_of(names: &[&str]) -> Source {
    let real_time = |name: &&str| {
        let own = ["cs-host", "cs-user-agent", "c-ip-version", "cs-headers", "cs-header-names"];
        own.iter().any(|own| name.eq_ignore_ascii_case(own))
    };
    let legacy = V1_FIELDS.split(' ').chain(["distribution-tenant-id", "connection-id"]);
    if names.iter().any(real_time) {
        Source::RealTime
    } else if names.iter().zip(legacy).all(|(name, legacy)| name.eq_ignore_ascii_case(legacy))
        && names.len() <= LONGEST_LEGACY
    {
        Source::Standard
    } else {
        Source::StandardV2
    }
}

/// 33 fields, and two that the reference page lists behind them.
const LONGEST_LEGACY: usize = 35;

/// The 33 fields of v1 in their order (CloudFront Developer Guide, "standard logs reference").
const V1_FIELDS: &str = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem \
sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id \
x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher \
x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port \
time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start \
sc-range-end";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_follow_the_names() {
        let list = FieldList::parse("cs-uri-stem\tfoo c-ip date time c-ip").unwrap();
        assert_eq!(list.column(Field::Path), Some(0));
        assert_eq!(list.column(Field::ClientAddress), Some(2));
        assert_eq!(list.column(Field::Time), Some(4));
        assert_eq!((list.named, list.used), (6, 5));
        assert!(FieldList::parse("a b c").is_err());
    }

    #[test]
    fn historical_sets_are_prefixes_of_the_last() {
        for columns in [12, 15, 18, 19, 23, 24, 26, 33] {
            let list = FieldList::guess(columns).unwrap();
            assert_eq!(usize::from(list.named), columns);
            assert_eq!(list.column(Field::Path), Some(7));
            assert_eq!(list.column(Field::TimeTaken).is_some(), columns >= 19);
        }
        assert_eq!(FieldList::guess(17), None);
    }
}
