use serde_json::json;

use super::*;

fn read(files: &[(&str, &str)]) -> Reading {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let folder = Folder { name: "infra".into(), root: "infra".into(), files, environment: None };
    read_folder(&folder).unwrap()
}

const ACL: &str = r#"
locals {
  limits = { token = 300, search = 600 }
}
resource "aws_wafv2_ip_set" "qa" {
  for_each           = toset(["v4", "v6"])
  name               = "qa-${each.key}"
  scope              = "CLOUDFRONT"
  ip_address_version = upper("ip${each.value}")
  addresses          = []
}
resource "aws_wafv2_web_acl" "this" {
  provider = aws.us
  name     = var.name
  scope    = "CLOUDFRONT"
  dynamic "rule" {
    for_each = local.limits
    iterator = one
    content {
      name     = one.key
      priority = one.value
      statement {
        rate_based_statement {
          limit = one.value
          scope_down_statement {
            not_statement {
              statement {
                ip_set_reference_statement { arn = aws_wafv2_ip_set.qa["v4"].arn }
              }
            }
          }
        }
      }
    }
  }
}
variable "name" { default = "none" }
output "arn" { value = aws_wafv2_web_acl.this.arn }
output "name" { value = aws_wafv2_web_acl.this.name }
"#;

#[test]
fn modules_repetitions_and_references_are_worked_out() {
    let root = r#"
provider "aws" {
  region = "eu-central-1"
}
provider "aws" {
  alias  = "us"
  region = "us-east-1"
}
module "edge" {
  source    = "./modules/waf"
  name      = "prod"
  providers = { aws.us = aws.us }
}
resource "aws_cloudwatch_metric_alarm" "a" {
  dimensions = { WebACL = module.edge.name, Other = module.edge.arn }
}
module "far" {
  source = "terraform-aws-modules/waf/aws"
}
"#;
    let reading = read(&[("infra/main.tf", root), ("infra/modules/waf/main.tf", ACL)]);
    let at = |address: &str| {
        reading.found.iter().find(|one| one.item.address == address).unwrap_or_else(|| {
            panic!("{:?}", reading.found.iter().map(|it| &it.item.address).collect::<Vec<_>>())
        })
    };
    let acl = at("module.edge.aws_wafv2_web_acl.this");
    assert_eq!(acl.values["Name"], "prod");
    assert_eq!(acl.item.file.as_deref(), Some("infra/modules/waf/main.tf"));
    let rules = acl.values["Rules"].as_array().unwrap();
    assert_eq!(rules.len(), 2);
    let rate = &rules[0]["Statement"]["RateBasedStatement"];
    assert_eq!((&rules[0]["Name"], &rate["Limit"]), (&json!("token"), &json!(300)));
    let set = &rate["ScopeDownStatement"]["NotStatement"]["Statement"]["IPSetReferenceStatement"];
    let set = crate::checks::marker::resource(&set["ARN"]).unwrap();
    assert_eq!(set, ("module.edge.aws_wafv2_ip_set.qa[\"v4\"]", "Arn"));
    assert_eq!(at(set.0).values["IPAddressVersion"], "IPV4");
    let alarm = at("aws_cloudwatch_metric_alarm.a");
    assert_eq!(alarm.values["Dimensions"][0], json!({"Name": "WebACL", "Value": "prod"}));
    let arn = crate::checks::marker::resource(&alarm.values["Dimensions"][1]["Value"]).unwrap();
    assert_eq!(arn, ("module.edge.aws_wafv2_web_acl.this", "Arn"));
    assert_eq!(alarm.item.region.as_deref(), Some("eu-central-1"));
    let blind: Vec<&str> = reading.blind.iter().map(|(item, _)| item.address.as_str()).collect();
    assert_eq!(blind, ["module.far"]);
}

#[test]
fn what_only_a_plan_knows_is_said() {
    let text = r#"
resource "aws_wafv2_web_acl" "this" {
  count = length(data.aws_regions.all.names)
  name  = "a"
  dynamic "rule" {
    for_each = var.rules
    content { name = rule.key }
  }
}
variable "rules" {}
"#;
    let reading = read(&[("infra/main.tf", text)]);
    assert_eq!(reading.found.len(), 1);
    assert_eq!(reading.found[0].values["$incomplete"], true);
    assert_eq!(reading.blind.len(), 2);
}

#[test]
fn bombs_and_rubbish_are_errors() {
    let fails = |text: String| {
        let files = vec![("infra/a.tf".to_owned(), text)];
        read_folder(&Folder { files, root: "infra".into(), ..Folder::default() }).unwrap_err()
    };
    let deep = fails(format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)));
    assert!(deep.to_string().contains("levels deep in line 1"), "{deep}");
    let half = fails("resource \"a\" \"b\" {\n  name = \n".to_owned());
    assert!(half.to_string().starts_with("`infra/a.tf` is no Terraform: line"), "{half}");
}

#[test]
fn repetitions_are_bounded() {
    let text = "resource \"aws_x\" \"y\" {\n count = 4000000000\n}\n";
    assert_eq!(read(&[("infra/a.tf", text)]).found.len(), EXPANDED);
}

/// Ten lines that ask for more than a machine has: what they stand for stays unknown.
#[test]
fn strangers_cannot_ask_for_more_than_there_is() {
    let started = std::time::Instant::now();
    let set = |addresses: &str| {
        format!(
            "resource \"aws_wafv2_ip_set\" \"a\" {{\n  name = \"a\"\n  addresses = {addresses}\n}}\n"
        )
    };
    let digits = "d = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let nested = (0..8).fold("1".to_owned(), |inner, _| format!("[for x in local.d : {inner}]"));
    let long = "x".repeat(60_000);
    let repeated = "${local.a}".repeat(20_000);
    let list = vec!["1"; 300_000].join(",");
    let wide: String = (0..90).map(|one| format!("w{one} = \"{}\"\n", &long[..20_000])).collect();
    for text in [
        set(
            "[aws_wafv2_ip_set.a.addresses, aws_wafv2_ip_set.a.addresses, aws_wafv2_ip_set.a.addresses]",
        ),
        set("[aws_wafv2_ip_set.a.addresses[0], \"${aws_wafv2_ip_set.a.addresses}\"]"),
        format!("locals {{\n  a = [local.a, local.a]\n}}\n{}", set("local.a")),
        format!(
            "locals {{\n  a = [local.b, local.b]\n  b = {{ x = local.a, y = local.a }}\n}}\n{}",
            set("local.a")
        ),
        format!("locals {{\n  {digits}\n  x = {nested}\n}}\n{}", set("local.x")),
        format!("locals {{\n  {digits}\n}}\n{}", set(&nested)),
        format!("locals {{\n  a = \"{long}\"\n}}\n{}", set(&format!("[\"{repeated}\"]"))),
        format!(
            "locals {{\n{wide}}}\nresource \"aws_wafv2_web_acl\" \"a\" {{\n  dynamic \"rule\" {{\n    for_each = [{list}]\n    content {{\n      name = local.w1\n    }}\n  }}\n}}\n"
        ),
        format!(
            "locals {{\n{wide}}}\nresource \"aws_wafv2_ip_set\" \"a\" {{\n  count = 20000\n  name = \"a${{count.index}}${{local.w1}}\"\n}}\n"
        ),
    ] {
        read(&[("infra/main.tf", &text)]);
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

#[test]
fn what_is_bearable_is_worked_out() {
    let reading = read(&[(
        "infra/main.tf",
        r#"
locals {
  offices = [{ name = "a", cidrs = ["192.0.2.0/25", "192.0.2.128/25"] }, { name = "b", cidrs = ["198.51.100.0/24"] }]
  all     = [for office in local.offices : [for cidr in office.cidrs : "${cidr}"]]
  names   = join_is_unknown(local.offices)
}
variable "secret" {
  default   = "hunter2"
  sensitive = true
}
resource "aws_wafv2_ip_set" "a" {
  for_each    = { for office in local.offices : office.name => office.cidrs }
  name        = "set-${each.key}%{ if each.key == "b" }-last%{ endif }"
  addresses   = concat(each.value, ["203.0.113.${length(each.value)}/32"])
  description = "x ${var.secret}"
}
"#,
    )]);
    let told: Vec<String> = reading
        .found
        .iter()
        .map(|found| format!("{} {}", found.values["Name"], found.values["Addresses"]))
        .collect();
    assert_eq!(
        told,
        [
            r#""set-a" ["192.0.2.0/25","192.0.2.128/25","203.0.113.2/32"]"#,
            r#""set-b-last" ["198.51.100.0/24","203.0.113.1/32"]"#
        ]
    );
    assert!(!format!("{:?}", reading.found).contains("hunter2"));
}
