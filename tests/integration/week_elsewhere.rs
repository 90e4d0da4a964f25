//! One week as CloudFront logs it and as AWS WAF, a load balancer, a web server and an API Gateway would:
//! what each format carries has to lead to the same figures and the same proposal.

use ratewaf::logs::{Field, Options, Place, discover, read_bytes};
use ratewaf::units::Timestamp;
use serde_json::{Value, json};

use crate::harness::{Workspace, scenario};

/// A request with everything that any of the formats carries, in the escaping of CloudFront's logs.
struct Row {
    arrival: i64,
    client: String,
    method: String,
    path: String,
    status: String,
    referer: String,
    agent: String,
    id: String,
}

fn rows(week: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for input in discover(&[scenario(week)], false).unwrap().inputs {
        let Place::File(path) = &input.place else { continue };
        let bytes = std::fs::read(path).unwrap();
        let _ = read_bytes(&bytes, Options::default(), |request| {
            let mut text = |field| {
                let value = request.field(field).unwrap_or(b"-");
                String::from_utf8(value.to_vec()).unwrap()
            };
            let (status, referer) = (text(Field::Status), text(Field::Referer));
            let (agent, id) = (text(Field::UserAgent), text(Field::RequestId));
            let own = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let (client, method, path) =
                (own(request.client), own(request.method), own(request.path));
            let arrival = request.arrival();
            rows.push(Row { arrival, client, method, path, status, referer, agent, id });
        });
    }
    rows
}

/// What the client sent: one decoding.
fn sent(logged: &str) -> Vec<u8> {
    ratewaf::rules::url_decode(logged.as_bytes()).into_owned()
}

/// The same with `\xNN` for what a web server would not write.
fn quoted(logged: &str) -> String {
    let escape = |byte: &u8| match byte {
        b' '..=b'~' if !matches!(byte, b'"' | b'\\') => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    sent(logged).iter().map(escape).collect()
}

fn header(fields: &str) -> String {
    format!("#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem {fields}\n")
}

/// CloudFront's log of the same, with only some of the columns.
fn cloudfront(rows: &[Row], fields: &str) -> String {
    let mut out = header(fields);
    for row in rows {
        let time = Timestamp(row.arrival).to_string();
        let (date, time) = time.trim_end_matches('Z').split_once('T').unwrap();
        let more: Vec<&str> = fields
            .split(' ')
            .filter(|name| !name.is_empty())
            .map(|name| match name {
                "sc-status" => &*row.status,
                "cs(Referer)" => &*row.referer,
                "cs(User-Agent)" => &*row.agent,
                "x-edge-request-id" => &*row.id,
                other => unreachable!("{other}"),
            })
            .collect();
        let columns = [date, time, &row.client, &row.method, &row.path];
        out.push_str(&[&columns[..], &more].concat().join("\t"));
        out.push('\n');
    }
    out
}

fn waf(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let text = |logged: &str| String::from_utf8(sent(logged)).unwrap();
        let mut headers = vec![json!({"name": "Host", "value": "shop.example"})];
        for (name, value) in [("user-agent", &row.agent), ("Referer", &row.referer)] {
            if value != "-" {
                headers.push(json!({"name": name, "value": text(value)}));
            }
        }
        let request = json!({
            "clientIp": row.client, "headers": headers, "uri": text(&row.path), "args": "a=b",
            "httpMethod": row.method, "requestId": row.id
        });
        let record = json!({
            "timestamp": row.arrival * 1_000 + 7, "webaclId": "arn", "action": "ALLOW",
            "terminatingRuleId": "Default_Action", "httpSourceName": "CF", "httpRequest": request
        });
        format!("{record}\n")
    };
    rows.iter().map(one).collect()
}

fn alb(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let (created, ended) =
            (Timestamp(row.arrival).to_string(), Timestamp(row.arrival + 5).to_string());
        let times = created.trim_end_matches('Z').to_owned() + ".250000Z";
        let agent = if row.agent == "-" { "-".to_owned() } else { quoted(&row.agent) };
        format!(
            "https {ended} app/shop/50dc {}:4711 10.0.0.1:80 0.001 5.0 0.000 {} 200 1 2 \"{} https://shop.example:443{}?a=b HTTP/1.1\" \"{agent}\" - - arn \"Root=1\" \"shop.example\" \"arn\" 1 {times} \"waf,forward\" \"-\" \"-\" \"10.0.0.1:80\" \"200\" \"-\" \"-\" TID_1\n",
            row.client,
            row.status,
            row.method,
            quoted(&row.path),
        )
    };
    rows.iter().map(one).collect()
}

fn combined(rows: &[Row]) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let one = |row: &Row| {
        // Two hours east.
        let time = Timestamp(row.arrival + 7_200);
        let (year, month, day) = time.date();
        let clock = &time.to_string()[11..19];
        let text = |logged: &str| if logged == "-" { "-".to_owned() } else { quoted(logged) };
        format!(
            "{} - - [{day:02}/{}/{year}:{clock} +0200] \"{} {}?a=b HTTP/1.1\" {} 12 \"{}\" \"{}\"\n",
            row.client,
            MONTHS[month as usize - 1],
            row.method,
            quoted(&row.path),
            row.status,
            text(&row.referer),
            text(&row.agent),
        )
    };
    rows.iter().map(one).collect()
}

fn gateway(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let text = |logged: &str| String::from_utf8(sent(logged)).unwrap();
        let agent = if row.agent == "-" { "-".to_owned() } else { text(&row.agent) };
        let record = json!({
            "requestId": row.id, "identity": {"sourceIp": row.client, "userAgent": agent},
            "httpMethod": row.method, "path": text(&row.path), "status": row.status,
            "requestTimeEpoch": (row.arrival * 1_000 + 999).to_string()
        });
        format!("{record}\n")
    };
    rows.iter().map(one).collect()
}

const MAP: &str = "client=identity.sourceIp,path=$.path,time=requestTimeEpoch,method=httpMethod,status=status,agent=identity.userAgent,id=requestId";

/// The route of a week as it is told.
fn told(name: &str, text: &str, route: &str, more: &[&str]) -> Value {
    let workspace = Workspace::new();
    workspace.write(name, text);
    let mut arguments = vec!["analyze", name, "--no-write", "--route", route, "--format", "json"];
    arguments.extend(more);
    let found: Value = serde_json::from_str(&workspace.ok(&arguments).stdout).unwrap();
    found["routes"][0].clone()
}

#[test]
fn every_format_leads_to_the_same_figures_and_proposal() {
    for (week, route) in
        [("twelve-clients", "GET /partner/v1/stock"), ("path-variants", "GET /api/v2/report")]
    {
        let rows = rows(week);
        let cases: [(&str, String, &str, &[&str]); 4] = [
            ("waf", waf(&rows), "cs(User-Agent) cs(Referer) x-edge-request-id", &[]),
            ("alb", alb(&rows), "sc-status cs(User-Agent)", &[]),
            ("combined", combined(&rows), "sc-status cs(Referer) cs(User-Agent)", &[]),
            (
                "gateway",
                gateway(&rows),
                "sc-status cs(User-Agent) x-edge-request-id",
                &["--map", MAP],
            ),
        ];
        for (format, text, carried, more) in cases {
            let wanted = told("v1.log", &cloudfront(&rows, carried), route, &[]);
            assert!(wanted["requests"].as_u64().unwrap() > 1_000, "{week}");
            let found = told("other.log", &text, route, more);
            assert_eq!(found, wanted, "{week} as {format}");
        }
    }
}
