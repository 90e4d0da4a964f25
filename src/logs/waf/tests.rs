use crate::logs::{Error, Field, FileReport, Needs, Options, RuleAction, SkipReason, read_bytes};

/// A record as AWS WAF writes it, with some values to be replaced.
fn record(replace: &[(&str, &str)]) -> String {
    let mut text = r#"{"timestamp":1788826912186,"formatVersion":1,"webaclId":"arn:aws:wafv2:us-east-1:123456789012:global/webacl/shop/1","terminatingRuleId":"Default_Action","terminatingRuleType":"REGULAR","action":"ALLOW","terminatingRuleMatchDetails":[],"httpSourceName":"CF","httpSourceId":"E123","ruleGroupList":[],"rateBasedRuleList":[],"nonTerminatingMatchingRules":[],"requestHeadersInserted":null,"responseCodeSent":null,"httpRequest":{"clientIp":"192.0.2.7","country":"-","headers":[{"name":"hOsT","value":"shop.example"},{"name":"User-Agent","value":"x y"},{"name":"x-empty"}],"uri":"/a%2Fb","args":"c=d","httpVersion":"HTTP/2.0","httpMethod":"GET","requestId":"id-1"},"labels":[]}"#.to_owned();
    for (from, to) in replace {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

struct Seen {
    client: String,
    path: String,
    method: String,
    host: Option<String>,
    agent: Option<String>,
    has_referer: bool,
    id: Option<String>,
    arrival: i64,
    status: Option<u16>,
    rules: Vec<(String, RuleAction, bool)>,
}

fn read(text: &str, needs: Needs) -> Result<(Vec<Seen>, FileReport), Error> {
    let mut seen = Vec::new();
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let report = read_bytes(text.as_bytes(), Options { needs, ..Options::default() }, |request| {
        let rules = request.rule_matches();
        let rules =
            rules.map(|rule| (rule.name.to_owned(), rule.action, rule.rate_based.is_some()));
        seen.push(Seen {
            client: text_of(request.client),
            path: text_of(request.path),
            method: text_of(request.method),
            rules: rules.collect(),
            host: request.field(Field::Host).map(text_of),
            agent: request.field(Field::UserAgent).map(text_of),
            has_referer: request.has(Field::Referer),
            id: request.field(Field::RequestId).map(text_of),
            arrival: request.arrival(),
            status: request.status(),
        });
    })?;
    Ok((seen, report))
}

#[test]
fn a_record_is_a_request_that_arrived() {
    let (seen, report) = read(&record(&[]), Needs::default()).unwrap();
    let seen = &seen[0];
    assert_eq!(report.format.as_deref(), Some("AWS WAF log of CloudFront"));
    assert_eq!((&*seen.client, &*seen.path, &*seen.method), ("192.0.2.7", "/a%252Fb", "GET"));
    assert_eq!(
        (seen.host.as_deref(), seen.agent.as_deref()),
        (Some("shop.example"), Some("x%20y"))
    );
    assert_eq!(
        (seen.id.as_deref(), seen.arrival, seen.status),
        (Some("id-1"), 1_788_826_912, None)
    );
    // It was not sent, which is known.
    assert!(seen.has_referer);
    assert!(seen.rules.is_empty());
    assert_eq!((report.completeness.waf_records, report.completeness.waf_allowed), (1, 1));
}

#[test]
fn records_may_be_lines_glued_together_or_spread_over_lines() {
    let one = record(&[]);
    let pretty = one.replace(',', ",\n  ").replace('{', "{\n  ");
    for text in [format!("{one}\n{one}\n"), format!("{one}{one}"), format!("{pretty}\n{pretty}")] {
        assert_eq!(read(&text, Needs::default()).unwrap().0.len(), 2, "{text}");
    }
}

#[test]
fn rules_come_with_what_they_did() {
    let text = record(&[
        (
            "\"rateBasedRuleList\":[]",
            r#""rateBasedRuleList":[{"rateBasedRuleId":"x","rateBasedRuleName":"acl-token","limitKey":"IP","maxRateAllowed":300,"evaluationWindowSec":"300","limitValue":"192.0.2.7"}]"#,
        ),
        (
            "\"nonTerminatingMatchingRules\":[]",
            r#""nonTerminatingMatchingRules":[{"ruleId":"acl-token","action":"COUNT","ruleMatchDetails":[]},{"ruleId":"audit","action":"COUNT"}]"#,
        ),
    ]);
    let (seen, _) = read(&text, Needs::default()).unwrap();
    let own = |name: &str, rate| (name.to_owned(), RuleAction::Count, rate);
    assert_eq!(seen[0].rules, [own("acl-token", true), own("audit", false)]);
}

#[test]
fn hidden_values_are_counted_where_they_matter() {
    let needs = Needs { method: true, host: true };
    let path = record(&[("/a%2Fb", "REDACTED")]);
    let method = record(&[("\"GET\"", "\"REDACTED\"")]);
    let host = record(&[("shop.example", "REDACTED")]);
    let agent = record(&[("x y", "REDACTED")]);
    let good = [record(&[]), record(&[]), record(&[])].join("\n");
    let text = [path, method, host, agent, good].join("\n");

    let (seen, report) = read(&text, needs).unwrap();
    assert_eq!(seen.len(), 4);
    assert_eq!((report.skipped[0].reason, report.skipped[0].lines), (SkipReason::Redacted, 3));
    let hidden: Vec<_> = report.completeness.redacted.into_iter().collect();
    assert_eq!(hidden, [("host", 1), ("method", 1), ("path", 1), ("user agent", 1)]);

    let (seen, report) = read(&text, Needs::default()).unwrap();
    assert_eq!(seen.len(), 6);
    let hidden: Vec<_> = report.completeness.redacted.into_iter().collect();
    assert_eq!(hidden, [("path", 1), ("user agent", 1)]);
}

#[test]
fn actions_are_read_by_their_key() {
    let blocked = record(&[("\"ALLOW\"", "\"BLOCK\""), ("c=d", "action=ALLOW")]);
    let (_, report) = read(&format!("{blocked}\n{}", record(&[])), Needs::default()).unwrap();
    assert_eq!((report.completeness.waf_records, report.completeness.waf_allowed), (2, 1));
}

#[test]
fn behind_cloudfront_the_clients_of_a_load_balancer_are_edges() {
    let via = [("\"x-empty\"", "\"Via\",\"value\":\"2.0 abc.cloudfront.net (CloudFront)\"")];
    let alb = [via[0], ("\"CF\"", "\"ALB\"")];
    let (_, report) = read(&record(&alb), Needs::default()).unwrap();
    assert_eq!(report.completeness.edge_lines, 1);
    assert_eq!(report.format.as_deref(), Some("AWS WAF log of a load balancer"));
    // In front of CloudFront the header is a viewer's, who may write what he likes.
    let (_, report) = read(&record(&via), Needs::default()).unwrap();
    assert_eq!(report.completeness.edge_lines, 0);
}

#[test]
fn what_is_no_record_is_skipped() {
    let good = [record(&[]), record(&[]), record(&[]), record(&[])].join("\n");
    let no_client = record(&[("\"clientIp\":\"192.0.2.7\",", "")]);
    let no_time = record(&[("1788826912186", "\"-\"")]);
    let text = format!("{good}\n{{\"webaclId\":1}}\n{no_client}\n{no_time}\n");
    let (seen, report) = read(&text, Needs::default()).unwrap();
    assert_eq!(seen.len(), 4);
    let skipped: Vec<_> = report.skipped.iter().map(|skip| skip.reason).collect();
    assert_eq!(skipped, [SkipReason::NoTime, SkipReason::NoClient, SkipReason::Malformed]);
}
