//! How a request becomes a line: one file a format.

mod balancer;
mod column;
mod combined;
mod json;
#[cfg(feature = "parquet")]
mod table;
mod text;
mod waf;

use super::exchange::Exchange;
use super::record::Record;

/// A format of the logs that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// CloudFront standard logs v1: 33 columns, gzip.
    #[default]
    V1,
    /// CloudFront standard logs v2, `w3c`: 41 columns in no order, Hive partitions.
    V2W3c,
    /// CloudFront standard logs v2, JSON lines, plain partitions.
    V2Json,
    /// CloudFront standard logs v2, `plain`: twelve fields with `;;` between them, no header.
    V2Delimited,
    /// CloudFront standard logs v2, Parquet, Hive partitions. Needs the feature `parquet`.
    Parquet,
    /// CloudFront real-time logs: 43 fields, no header, as Firehose puts them into S3.
    RealTime,
    /// AWS WAF logs, a file for five minutes.
    Waf,
    /// Access logs of an Application Load Balancer, a file for five minutes.
    Alb,
    /// The combined log of a web server.
    Combined,
}

/// What lies between the fields of [`Format::V2Delimited`].
const DELIMITER: &str = ";;";

/// What may be over a limit in an hour; only WAF logs tell.
pub(super) struct Verdicts {
    over_limit: Vec<u64>,
}

impl Format {
    /// Every format there is.
    pub const ALL: [Self; 9] = [
        Self::V1,
        Self::V2W3c,
        Self::V2Json,
        Self::V2Delimited,
        Self::Parquet,
        Self::RealTime,
        Self::Waf,
        Self::Alb,
        Self::Combined,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2W3c => "v2-w3c",
            Self::V2Json => "v2-json",
            Self::V2Delimited => "v2-delimited",
            Self::Parquet => "parquet",
            Self::RealTime => "realtime",
            Self::Waf => "waf",
            Self::Alb => "alb",
            Self::Combined => "combined",
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::V1 => "CloudFront standard logs v1, 33 columns",
            Self::V2W3c => "standard logs v2, w3c: 41 columns in no order, Hive partitions",
            Self::V2Json => "standard logs v2, JSON lines",
            Self::V2Delimited => "standard logs v2, plain: 12 fields with ;; between, no header",
            Self::Parquet => "standard logs v2, Parquet, Hive partitions",
            Self::RealTime => "CloudFront real-time logs, 43 fields, no header",
            Self::Waf => "AWS WAF logs; no status, arrival only",
            Self::Alb => "Application Load Balancer access logs",
            Self::Combined => "combined log of a web server, local time, no request id",
        }
    }

    /// What the reader has to be told besides where the logs are, for a folder of that name.
    #[must_use]
    pub fn reading_flags(self, folder: &str) -> String {
        match self {
            Self::V2Delimited => {
                let names = column::names(&column::V2_FEW, " ");
                format!(" --fields '{names}' --delimiter '{DELIMITER}'")
            }
            Self::RealTime => format!(" --realtime-config {folder}/{REALTIME_CONFIGURATION}"),
            _ => String::new(),
        }
    }

    /// A file that lies beside the logs: its name and what is in it.
    pub(super) fn companion(self) -> Option<(&'static str, String)> {
        (self == Self::RealTime).then(|| (REALTIME_CONFIGURATION, realtime_configuration()))
    }

    /// Judges an hour's requests, for a format that tells verdicts.
    pub(super) fn judge(self, records: &[Record]) -> Verdicts {
        let over_limit = if self == Self::Waf { waf::over_limit(records) } else { Vec::new() };
        Verdicts { over_limit }
    }

    /// What every file begins with.
    pub(super) fn head(self) -> String {
        let of = |columns: &[column::Column]| {
            format!("#Version: 1.0\n#Fields: {}\n", column::names(columns, " "))
        };
        match self {
            Self::V1 => of(&column::V1),
            Self::V2W3c => of(&column::V2_SHUFFLED),
            _ => String::new(),
        }
    }

    /// Appends one line with its end.
    pub(super) fn line(
        self,
        exchange: &Exchange,
        record: &Record,
        verdicts: &Verdicts,
        out: &mut Vec<u8>,
    ) {
        match self {
            Self::V1 => column::line(&column::V1, "\t", exchange, out),
            Self::V2W3c => column::line(&column::V2_SHUFFLED, "\t", exchange, out),
            Self::V2Json => json::line(exchange, out),
            Self::V2Delimited => column::line(&column::V2_FEW, DELIMITER, exchange, out),
            // Parquet has columns instead: see `rows`.
            Self::Parquet => {}
            Self::RealTime => column::line(&column::REALTIME, "\t", exchange, out),
            Self::Waf => {
                let over = verdicts.over_limit.binary_search(&record.noise).is_ok();
                waf::line(exchange, over, out);
            }
            Self::Alb => balancer::line(exchange, out),
            Self::Combined => combined::line(exchange, out),
        }
    }
}

/// A file of columns being filled.
#[cfg(feature = "parquet")]
pub(super) use table::Table;

/// The name of the real-time log configuration beside the logs.
const REALTIME_CONFIGURATION: &str = "realtime-config.json";

/// As `aws cloudfront get-realtime-log-config` prints it.
fn realtime_configuration() -> String {
    let fields: Vec<&str> = column::REALTIME.iter().map(|column| column.name).collect();
    let configuration = serde_json::json!({ "RealtimeLogConfig": {
        "ARN": "arn:aws:cloudfront::123456789012:realtime-log-config/shop",
        "Name": "shop",
        "SamplingRate": 100,
        "EndPoints": [{
            "StreamType": "Kinesis",
            "KinesisStreamConfig": {
                "RoleARN": "arn:aws:iam::123456789012:role/shop-realtime-logs",
                "StreamARN": "arn:aws:kinesis:us-east-1:123456789012:stream/shop-realtime-logs",
            },
        }],
        "Fields": fields,
    } });
    format!("{configuration:#}\n")
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// A name that is no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no format that can be generated; there are {all}", name = .0, all = names())]
pub struct UnknownFormat(pub String);

fn names() -> String {
    Format::ALL.map(Format::as_str).join(", ")
}
