//! Random rule sets, full of text that means something in TypeScript, through the compiler and Node: the
//! constructs are made with the very texts that the template holds, and nothing else runs.

use std::fs;
use std::process::Command;

use proptest::prelude::Strategy as _;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use ratewaf::render::{cdk, cloudformation_json};
use serde_json::{Map, Value, json};

use super::cdk::{compile, packages};
use super::random::with_surroundings;
use super::template::worked_out;
use crate::terraform::stack;
use crate::tools;

/// Stands in the place of the CDK: every class records what it is made with. References are texts in brackets, as in
/// [`worked_out`].
const RECORD: &str = "
const Module = require('module');
const fs = require('fs');
const before = Object.keys(globalThis).join();
let said;
const construct = (module, name) => class {
  constructor(scope, id, props) {
    said.push({ id, kind: `${module}.${name}`, props });
    return new Proxy({ applyRemovalPolicy() {}, addDependency() {} }, {
      get: (own, member) => {
        if (member === 'ref') return `⟦${id}⟧`;
        if (String(member).startsWith('attr')) return `⟦${id}.${member.slice(4)}⟧`;
        return own[member];
      },
    });
  }
};
const cdk = {
  __esModule: true,
  Aws: { ACCOUNT_ID: '⟦AWS::AccountId⟧', REGION: '⟦AWS::Region⟧', PARTITION: '⟦AWS::Partition⟧' },
  RemovalPolicy: { RETAIN: 'retain' },
  CfnOutput: construct('cdk', 'CfnOutput'),
};
Module._load = (request) => {
  if (request === 'constructs') return { __esModule: true, Construct: class {} };
  if (request === 'aws-cdk-lib') return cdk;
  const module = request.replace('aws-cdk-lib/aws-', '');
  return new Proxy({}, { get: (_, name) => name === '__esModule' || construct(module, name) });
};
const load = Module.prototype.require;
const out = {};
for (const [name, file, kind] of JSON.parse(fs.readFileSync('cases.json', 'utf8'))) {
  said = [];
  const module = { exports: {} };
  const source = fs.readFileSync(`${name}/${file}.js`, 'utf8');
  new Function('exports', 'require', 'module', source)(module.exports, (n) => Module._load(n), module);
  new module.exports[kind]({}, kind);
  out[`${name}/${file}`] = said;
}
if (Object.keys(globalThis).join() !== before) throw new Error('something ran');
fs.writeFileSync('said.json', JSON.stringify(out));
";

/// Keys without regard to case: the CDK spells them its own way.
fn spelled(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(spelled).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.to_lowercase(), spelled(value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Random, and always the same: what is found once is found again.
#[test]
fn typescript_says_hostile_text_as_text_and_runs_nothing() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    let cases = crate::terraform::random::cases();
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let (mut apps, mut files, mut wanted) = (Vec::new(), Vec::new(), Map::new());
    for case in 0..cases {
        let set = with_surroundings().new_tree(&mut runner).unwrap().current();
        let Ok(stack) = stack(&set) else { continue };
        let Ok(constructs) = cdk(&stack, false) else { continue };
        let name = format!("case{case}");
        let templates = cloudformation_json(&stack).unwrap();
        assert_eq!(templates.len(), constructs.len());
        for ((_, template), (file, _)) in templates.iter().zip(&constructs) {
            let file = file.trim_end_matches(".ts");
            let class = if file == "origin-guard" { "OriginGuard" } else { "RateLimits" };
            files.push(json!([name, file, class]));
            wanted.insert(format!("{name}/{file}"), serde_json::from_str(template).unwrap());
        }
        apps.push((name, constructs));
    }
    assert!(apps.len() > cases as usize / 10, "{} of {cases}", apps.len());
    let folder = tempfile::tempdir().unwrap();
    compile(&packages, folder.path(), &apps, false);
    fs::write(folder.path().join("cases.json"), Value::from(files).to_string()).unwrap();
    tools::run(Command::new(node).current_dir(folder.path()).args(["-e", RECORD]));
    let said = fs::read_to_string(folder.path().join("said.json")).unwrap();
    let said: Map<String, Value> = serde_json::from_str(&said).unwrap();
    assert_eq!(said.len(), wanted.len());
    for (file, template) in &wanted {
        let worked_out = worked_out(template);
        let mut resources = worked_out.as_object().unwrap().clone();
        let made = said[file].as_array().unwrap();
        let (outputs, made): (Vec<&Value>, Vec<&Value>) =
            made.iter().partition(|one| one["kind"] == "cdk.CfnOutput");
        assert_eq!(outputs.len(), template["Outputs"].as_object().map_or(0, Map::len), "{file}");
        for one in made {
            let id = one["id"].as_str().unwrap();
            let resource = resources.remove(id).unwrap();
            let kind = one["kind"].as_str().unwrap().replace(".Cfn", "::");
            let of = resource["Type"].as_str().unwrap().trim_start_matches("AWS::");
            assert_eq!(kind.to_lowercase(), of.to_lowercase());
            assert_eq!(spelled(&one["props"]), spelled(&resource["Properties"]), "{file}: {id}");
        }
        assert!(resources.is_empty(), "{file}: {resources:?}");
    }
}
