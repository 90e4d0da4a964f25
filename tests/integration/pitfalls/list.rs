//! The list of the reports: `docs/pitfalls.md`, written from the tests' names.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::harness::repository;

/// Where users reported each: issues of other readers on GitHub unless something else is named.
const REPORTS: [(u8, &str); 54] = [
    (1, "snowplow/snowplow#2933, #3816"),
    (2, "snowplow/snowplow#707, rkalla/cloudfront-log-parser#12"),
    (3, "logstash-plugins/logstash-input-s3#158"),
    (4, "code-dot-org/code-dot-org#41594"),
    (5, "honeycombio/agentless-integrations-for-aws#166"),
    (6, "snowplow/snowplow#1416, cherweg/logstash-input-s3-sns-sqs#7"),
    (7, "turbot/tailpipe-plugin-aws#247"),
    (8, "allinurl/goaccess#76, #108"),
    (9, "allinurl/goaccess#1830"),
    (10, "matomo-org/matomo-log-analytics#59, #228"),
    (11, "mapbox/aws-log-replay#20"),
    (12, "trezor/trezor-suite#22907"),
    (13, "snowplow/enrich#234"),
    (14, "a test of a fork of fluent-plugin-cloudfront-log"),
    (15, "elastic/integrations#10216"),
    (16, "the CloudFront pipeline of elastic/integrations"),
    (17, "snowplow/snowplow#2859"),
    (18, "GSA/data.gov#5813"),
    (19, "aws-samples/siem-on-amazon-opensearch-service#46"),
    (
        20,
        "allinurl/goaccess#2557, shinsaka/fluent-plugin-elb-log#12, turbot/tailpipe-plugin-aws#295",
    ),
    (21, "aws-samples/siem-on-amazon-opensearch-service#31"),
    (22, "elastic/integrations#3491"),
    (23, "allinurl/goaccess#952"),
    (24, "elastic/integrations#3285, jwodder/apachelogs#2"),
    (25, "vectordotdev/vrl#861, vectordotdev/vector#23631, simnalamburt/elb-log-parser#11"),
    (
        26,
        "logstash-plugins/logstash-input-s3#101, vectordotdev/vector#7138, opensearch-project/data-prepper#1568",
    ),
    (27, "aws/aws-sdk-java-v2#7046"),
    (28, "logmatic/s3-log-streamer#2"),
    (29, "aws-solutions/aws-waf-security-automations#188"),
    (30, "aws-solutions/aws-waf-security-automations#278"),
    (31, "aws-samples/amazon-cloudfront-access-logs-queries#21"),
    (32, "aws-samples/amazon-cloudfront-access-logs-queries#7, #16"),
    (33, "amazon-archives/aws-waf-sample#28"),
    (34, "aws-samples/amazon-cloudfront-access-logs-queries#23"),
    (
        35,
        "elastic/integrations#6219, claygregory/node-cloudfront-log-parser#4, newrelic/docs-website#1315",
    ),
    (36, "DataDog/documentation#9091"),
    (37, "elastic/integrations#15677"),
    (38, "SumoLogic/sumologic-documentation#6189"),
    (39, "highlight/highlight#9722"),
    (40, "duckdb/duckdb#780, #13043, #25827"),
    (41, "cboscolo/elb2loggly#22"),
    (42, "winebarrel/fluent-plugin-elb-access-log#7"),
    (43, "wazuh/wazuh#7947"),
    (44, "aws-solutions/aws-waf-security-automations#149, dimagi/open-chat-studio#4101"),
    (45, "panther-labs/panther#2403, #2341"),
    (46, "LogentriesCommunity/le-aws-cloudwatch#11"),
    (47, "trade-tariff/trade-tariff-backend#3706"),
    (48, "the Athena guide's page on Parquet, and a user who copied its example"),
    (49, "the same user's query"),
    (50, "a table of nillbryan/cloudfront-logs-analytics"),
    (51, "cboettig/s3-log-parse#1"),
    (52, "asaaki/cloudfront-logs"),
    (53, "the CloudFront parser of crowdsecurity/hub"),
    (54, "GoAccess, commit c7d3506"),
];

/// File and words of each test that is named after a report.
fn tests() -> BTreeMap<u8, Vec<(String, String)>> {
    let mut found: BTreeMap<u8, Vec<(String, String)>> = BTreeMap::new();
    let folder = repository("tests/integration/pitfalls");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let names = text.lines().filter_map(|line| line.strip_prefix("fn pitfall_"));
        for name in names {
            let name = name.split('(').next().unwrap();
            let (number, words) = name.split_once('_').unwrap();
            let test = (file.clone(), words.replace('_', " "));
            found.entry(number.parse().unwrap()).or_default().push(test);
        }
    }
    found
}

#[test]
fn the_list_of_pitfalls_is_committed() {
    let mut text = String::from(
        "# Pitfalls of log readers\n\nWhat users of other readers of these logs stumbled over, and what `ratewaf` does. Each has a test of\n\
         that name with a fixture in [tests/fixtures/pitfalls](../tests/fixtures/pitfalls). Written by a test; `UPDATE=1 cargo test` rewrites it.\n\n\
         | # | what holds | reported by |\n|---|---|---|\n",
    );
    let tests = tests();
    for (number, report) in REPORTS {
        for (file, words) in tests.get(&number).into_iter().flatten() {
            let link = format!("../tests/integration/pitfalls/{file}");
            let _ = writeln!(text, "| {number} | [{words}]({link}) | {report} |");
        }
    }
    crate::golden::check("docs/pitfalls.md", &text);
    assert!(tests.keys().all(|number| (1..=54).contains(number)), "{tests:?}");
}
