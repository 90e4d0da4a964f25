//! What a real-time log configuration says of its logs: their fields, and how many requests they have.

use crate::logs::fields::FieldList;

/// A real-time log configuration as `aws cloudfront get-realtime-log-config` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealTimeConfig {
    /// The columns.
    pub fields: FieldList,
    /// Percent of the requests that are logged: 1 to 100.
    pub sampling: u8,
}

/// Not such a configuration.
#[derive(Debug, thiserror::Error)]
pub enum RealTimeConfigError {
    /// No JSON, or other keys.
    #[error("it is not what `aws cloudfront get-realtime-log-config` prints: {0}")]
    Shape(#[from] serde_json::Error),
    /// Nonsense.
    #[error("its SamplingRate is {0}, and can only be 1 to 100")]
    Sampling(u64),
    /// An empty list.
    #[error("its Fields name no field of a CloudFront log")]
    Fields,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Printed {
    Wrapped {
        #[serde(rename = "RealtimeLogConfig")]
        config: Config,
    },
    Bare(Config),
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Config {
    sampling_rate: u64,
    fields: Vec<String>,
}

impl RealTimeConfig {
    /// Reads what the AWS CLI prints as JSON.
    ///
    /// # Errors
    /// When it is something else.
    pub fn from_json(text: &str) -> Result<Self, RealTimeConfigError> {
        let (Printed::Wrapped { config } | Printed::Bare(config)) = serde_json::from_str(text)?;
        let sampling = u8::try_from(config.sampling_rate).unwrap_or(0);
        if !(1..=100).contains(&sampling) {
            return Err(RealTimeConfigError::Sampling(config.sampling_rate));
        }
        let fields = FieldList::real_time(&config.fields.join(" "))
            .map_err(|_| RealTimeConfigError::Fields)?;
        Ok(Self { fields, sampling })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::Field;

    #[test]
    fn fields_and_sampling_are_read() {
        let inner = r#"{"ARN":"arn:aws:cloudfront::123456789012:realtime-log-config/all","Name":"all","SamplingRate":25,"EndPoints":[],"Fields":["timestamp","c-ip","cs-host","cs-uri-stem","x-host-header"]}"#;
        for text in [inner.to_owned(), format!("{{\"RealtimeLogConfig\": {inner}}}")] {
            let config = RealTimeConfig::from_json(&text).unwrap();
            assert_eq!((config.sampling, config.fields.named), (25, 5));
            assert_eq!(config.fields.column(Field::Host), Some(2));
        }
        for text in [
            "{}",
            "timestamp c-ip",
            r#"{"SamplingRate":0,"Fields":["c-ip"]}"#,
            r#"{"SamplingRate":300,"Fields":["c-ip"]}"#,
            r#"{"SamplingRate":100,"Fields":[]}"#,
        ] {
            assert!(RealTimeConfig::from_json(text).is_err(), "{text}");
        }
    }
}
