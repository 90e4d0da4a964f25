//! Formats side by side: what no report has a number for, but every owner of two deliveries has.

use crate::harness::{HEADER, Workspace, gzip, line};

/// The same requests as v1 and as v2 in JSON.
fn both(workspace: &Workspace) {
    let rows: Vec<String> =
        (0..40).map(|number| line(number, &format!("192.0.2.{}", number % 3), "/a")).collect();
    workspace.write("v1/a.gz", gzip(format!("{HEADER}{}", rows.concat()).as_bytes()));
    let names: Vec<&str> = HEADER.lines().nth(1).unwrap()[9..].split(' ').collect();
    let object = |row: &String| {
        let pairs = names.iter().zip(row.trim_end().split('\t'));
        let pairs: Vec<String> =
            pairs.map(|(name, value)| format!("\"{name}\":\"{value}\"")).collect();
        format!("{{{}}}\n", pairs.join(","))
    };
    workspace.write("v2/a.json", rows.iter().map(object).collect::<String>());
}

fn matched(stdout: &str) -> u64 {
    let json: serde_json::Value = serde_json::from_str(stdout).unwrap();
    json["routes"][0]["requests"].as_u64().unwrap()
}

#[test]
fn two_deliveries_of_the_same_requests_are_counted_once_and_told() {
    let workspace = Workspace::new();
    both(&workspace);
    let run = |more: &[&str]| {
        let mut all = vec!["analyze", "--route", "GET /a", "--no-write", "--format", "json"];
        all.extend(more);
        workspace.ok(&all)
    };
    let (one, other, together) = (run(&["v1"]), run(&["v2"]), run(&["v1", "v2"]));
    assert_eq!(matched(&one.stdout), 40);
    assert_eq!(matched(&other.stdout), 40);
    assert_eq!(matched(&together.stdout), 40);
    let told = "CloudFront standard logs (legacy) and the CloudFront standard logs v2 in JSON tell of the same requests";
    assert!(together.stderr.contains(told), "{}", together.stderr);
    assert!(together.stderr.contains("each is counted once"), "{}", together.stderr);
    assert!(!one.stderr.contains("tell of the same"), "{}", one.stderr);
    let twice = run(&["v1", "v2", "--no-dedupe"]);
    assert_eq!(matched(&twice.stdout), 80);
    assert!(twice.stderr.contains("each is counted twice"), "{}", twice.stderr);
}

/// Found by a fresh user: the WAF log beside the standard one took the statuses away, and with them what told a
/// runaway; a load balancer's log beside it doubled every peak without a word.
#[test]
fn a_poorer_log_of_the_same_week_takes_nothing_away() {
    let workspace = Workspace::new();
    for format in ["v1", "waf", "alb"] {
        let made = ["demo-logs", "--quiet", "--lines", "20000", "--days", "7", "--format", format];
        workspace.ok(&[&made[..], &["--out", format]].concat());
    }
    let run = |logs: &[&str]| {
        let asked = ["analyze", "--route", "POST /api/v1/login", "--no-write", "--format", "json"];
        workspace.ok(&[&asked[..], logs].concat())
    };
    let proposal = |stdout: &str| {
        let json: serde_json::Value = serde_json::from_str(stdout).unwrap();
        let (route, proposal) = (&json["routes"][0], &json["routes"][0]["proposal"]);
        let found = ["grade", "limit", "lower", "upper", "questions", "caps", "clients_above_cut"];
        let found = found.map(|member| proposal[member].clone());
        (route["requests"].clone(), route["clients"].clone(), found)
    };
    let (one, waf, both) = (run(&["v1"]), run(&["waf"]), run(&["v1", "waf"]));
    assert_eq!(proposal(&both.stdout), proposal(&one.stdout));
    assert_ne!(proposal(&waf.stdout), proposal(&one.stdout));
    let doubled = run(&["v1", "alb"]);
    assert!(doubled.stderr.contains("logs of two places are read together"), "{}", doubled.stderr);
    assert!(!both.stderr.contains("of two places"), "{}", both.stderr);
}

#[test]
fn two_deliveries_of_one_kind_in_two_forms_are_told_as_well() {
    let workspace = Workspace::new();
    let row = |number: u32| {
        let (time, client) = (1_788_850_800 + number, format!("192.0.2.{}", number % 3));
        let json = format!(
            "{{\"timestamp\":\"{time}\",\"c-ip\":\"{client}\",\"cs-method\":\"GET\",\"cs-uri-stem\":\"/a\",\"x-edge-request-id\":\"id{number}\"}}\n"
        );
        (json, format!("{time}\t{client}\tGET\t/a\tid{number}\n"))
    };
    let (json, text): (Vec<String>, Vec<String>) = (0..40).map(row).unzip();
    workspace.write("json/a.log", json.concat());
    let header = "#Version: 1.0\n#Fields: timestamp c-ip cs-method cs-uri-stem x-edge-request-id\n";
    workspace.write("w3c/a.log", header.to_owned() + &text.concat());
    let arguments =
        ["analyze", "json", "w3c", "--route", "GET /a", "--no-write", "--format", "json"];
    let together = workspace.ok(&arguments);
    assert_eq!(matched(&together.stdout), 40);
    let told = "CloudFront standard logs v2 and the CloudFront standard logs v2 in JSON tell of the same requests";
    assert!(together.stderr.contains(told), "{}", together.stderr);
}

#[test]
fn a_damaged_first_line_does_not_hide_what_the_others_are() {
    let workspace = Workspace::new();
    let v1: String = (0..30).map(|second| line(second, "192.0.2.1", "/a")).collect();
    let alb = "https 2026-09-08T07:00:05.000000Z app/shop/50dc 192.0.2.1:4711 10.0.0.1:80 0.001 5.0 0.000 200 200 1 2 \"GET https://shop.example:443/a?a=b HTTP/1.1\" \"curl/8\" - - arn \"Root=1\" \"shop.example\" \"arn\" 1 2026-09-08T07:00:00.250000Z \"waf,forward\" \"-\" \"-\" \"10.0.0.1:80\" \"200\" \"-\" \"-\" TID_1\n".repeat(30);
    let combined =
        "192.0.2.1 - - [08/Sep/2026:07:00:00 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"curl/8\"\n"
            .repeat(30);
    let json = "{\"timestamp\":\"1788850800\",\"c-ip\":\"192.0.2.1\",\"cs-method\":\"GET\",\"cs-uri-stem\":\"/a\"}\n".repeat(30);
    for (name, text, cut) in
        [("v1", &v1, 40), ("alb", &alb, 30), ("combined", &combined, 20), ("json", &json, 20)]
    {
        for begin in [text[cut..].to_owned(), format!("copied by hand\n{text}")] {
            workspace.write("a.log", &begin);
            let arguments =
                ["analyze", "a.log", "--route", "GET /a", "--no-write", "--format", "json"];
            let outcome = workspace.ok(&arguments);
            let lines = if begin.starts_with("copied") { 30 } else { 29 };
            assert_eq!(matched(&outcome.stdout), lines, "{name}: {}", outcome.stdout);
            let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
            let skipped = json["coverage"]["skipped"].to_string();
            assert!(name == "json" || skipped.len() > 4, "{name}: {skipped}");
        }
    }
}

#[test]
fn a_folder_of_all_formats_is_one_log() {
    let workspace = Workspace::new();
    both(&workspace);
    let fields = "[\"timestamp\",\"c-ip\",\"cs-method\",\"cs-uri-stem\",\"x-edge-request-id\"]";
    let config = format!("{{\"RealtimeLogConfig\":{{\"SamplingRate\":100,\"Fields\":{fields}}}}}");
    workspace.write("config.json", config);
    let real_time = |number: u32| {
        format!("{}.000\t192.0.2.{}\tGET\t/a?b\tnew{number}\n", 1_788_850_800 + number, number % 3)
    };
    let rows: Vec<String> = (0..20).map(real_time).collect();
    workspace.write("real-time/a.log", rows[..10].concat());
    workspace.write("real-time/b.log", rows[10..].concat().replace('\n', ""));
    let headed = HEADER.lines().nth(1).unwrap().to_owned();
    let semicolons = line(50_000, "192.0.2.9", "/a").replace('\t', ";;");
    workspace.write("v2/semicolons.log", format!("{headed}\n{semicolons}"));
    // A legacy log without a header stays what it is beside them.
    workspace.write("v1/headless.log", line(60_000, "192.0.2.9", "/a"));
    let shown = workspace.ok(&[
        "analyze",
        ".",
        "--realtime-config",
        "config.json",
        "--route",
        "GET /a",
        "--no-write",
        "--format",
        "json",
        "--verbose",
    ]);
    assert_eq!(matched(&shown.stdout), 40 + 20 + 1 + 1);
    for format in [
        "CloudFront standard log, 33 columns (2 files)",
        "CloudFront v2, JSON, 12 of 33 fields (1 file)",
        "CloudFront v2, separated by `;;`, 12 of 33 fields (1 file)",
        "CloudFront real-time log, 5 of 5 fields (1 file)",
        "CloudFront real-time log, 5 of 5 fields, records without line ends (1 file)",
    ] {
        assert!(shown.stderr.contains(format), "{format}: {}", shown.stderr);
    }
}

/// A quarter of a flood, and what it stands for.
#[test]
fn a_sample_is_scaled_only_when_that_is_asked_for_and_never_clear() {
    let workspace = Workspace::new();
    let rows: String = (0..200)
        .map(|number| {
            let seconds = 1_788_850_800 + number / 10;
            format!("{seconds}.000\t192.0.2.1\tGET\t/a?n={number}\tid{number}\n")
        })
        .collect();
    workspace.write("real-time.log", rows);
    let fields = "[\"timestamp\",\"c-ip\",\"cs-method\",\"cs-uri-stem\",\"x-edge-request-id\"]";
    let config = |rate: u32| {
        let text =
            format!("{{\"RealtimeLogConfig\":{{\"SamplingRate\":{rate},\"Fields\":{fields}}}}}");
        workspace.write("config.json", text);
    };
    let run = |more: &[&str]| {
        let mut all = vec!["analyze", "real-time.log", "--realtime-config", "config.json"];
        all.extend(["--route", "GET /a", "--no-write", "--format", "json"]);
        all.extend(more);
        workspace.ok(&all)
    };
    for (rate, scaled) in [(100, 200..=200), (25, 800..=800), (40, 450..=550), (1, 20_000..=20_000)]
    {
        config(rate);
        let plain = run(&[]);
        assert_eq!(matched(&plain.stdout), 200, "{rate}");
        assert_eq!(plain.stdout.contains("--scale-sampled"), rate < 100);
        let more = run(&["--scale-sampled"]);
        let found = matched(&more.stdout);
        assert!(scaled.contains(&found), "{rate}: {found}");
        assert_eq!(more.stdout.contains("estimates from a sample"), rate < 100);
        // Whoever reads a file twice has the same requests.
        std::fs::copy(workspace.path().join("real-time.log"), workspace.path().join("copy.log"))
            .unwrap();
        let copied = run(&["--scale-sampled", "copy.log"]);
        assert_eq!(matched(&copied.stdout), found, "{rate}");
    }
}

#[test]
fn a_format_that_is_asked_for_is_not_guessed() {
    let workspace = Workspace::new();
    both(&workspace);
    let json = ["analyze", "v2/a.json", "--route", "GET /a", "--no-write", "--input-format"];
    workspace.ok(&[&json[..], &["cloudfront-json"]].concat());
    workspace.refused(&[&json[..], &["cloudfront-realtime"]].concat(), &["real-time log"]);
    workspace.refused(&[&json[..], &["cloudfront-v3"]].concat(), &["cloudfront-realtime"]);
}

#[test]
fn flags_that_cannot_be_used_are_refused_with_the_way_out() {
    let workspace = Workspace::new();
    workspace.write("a.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/a")));
    workspace.write("config.json", "{\"a\":1}");
    let refused = |more: &[&str], texts: &[&str]| {
        workspace.refused(&[&["analyze", "a.log"], more].concat(), texts);
    };
    refused(&["--delimiter", ""], &["without a delimiter nothing tells"]);
    refused(&["--delimiter", "123456"], &["at most 5 characters"]);
    refused(&["--realtime-config", "config.json"], &["config.json", "get-realtime-log-config"]);
    refused(&["--realtime-config", "none.json"], &["none.json"]);
    refused(&["--scale-sampled"], &["--realtime-config"]);
    refused(&["--fields", "one two"], &["--fields", "names no field"]);
}
