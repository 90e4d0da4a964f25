//! The steps of the docs that use the AWS CLI, as they stand there, against an emulated account (moto).

use std::process::Command;

use crate::harness::{Workspace, program, repository};
use crate::tools;

/// The fenced `sh` blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository(page)).unwrap();
    let found = text.split("```sh\n").skip(1);
    // Inside a list the block is indented.
    found.map(|block| block.split("```").next().unwrap().replace("\n   ", "\n")).collect()
}

/// A folder with the policy of a page, and an account.
struct Account {
    workspace: Workspace,
    moto: tools::Moto,
}

impl Account {
    /// `None`, said or refused, where a tool is missing.
    fn new(policy: &str) -> Option<Self> {
        for tool in ["aws", "jq"] {
            tools::find(tool)?;
        }
        let moto = tools::Moto::start()?;
        let workspace = Workspace::new();
        let golden =
            |name: &str| std::fs::read(repository("tests/golden/emit").join(name)).unwrap();
        workspace.write("ratewaf.yaml", golden(policy));
        workspace.write("ratewaf.lock.json", golden("ratewaf.lock.json"));
        Some(Self { workspace, moto })
    }

    /// What a script prints; it has to end well.
    fn sh(&self, script: &str) -> String {
        let own = program(self.workspace.path());
        let folder = std::path::Path::new(own.get_program()).parent().unwrap().to_owned();
        let mut command = Command::new("bash");
        command.current_dir(self.workspace.path());
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        self.moto.serve(&mut command);
        command.env("PATH", path).env("AWS_PAGER", "").env("AWS_EC2_METADATA_DISABLED", "true");
        command.args(["-euo", "pipefail", "-c", script]);
        let output = command.output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{words}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// docs/api-json.md, from the IP sets to an exchanged web ACL.
#[test]
fn the_api_json_becomes_a_web_acl_by_the_steps_of_its_page() {
    let Some(account) = Account::new("site-wide.yaml") else { return };
    let blocks = blocks("docs/api-json.md");
    let [make, exchange] = blocks.as_slice() else { panic!("{blocks:?}") };
    let (sets, acl) = make.split_once("done\n").unwrap();
    let arns = account.sh(&format!("{sets}done"));
    let named: Vec<String> = arns
        .lines()
        .map(|line| line.trim_matches('"'))
        .map(|arn| format!("--arn {}={arn}", arn.split('/').nth_back(1).unwrap()))
        .collect();
    assert!(!named.is_empty());
    let shown = "--arn site-load-test-v4=arn:aws:wafv2:...";
    assert!(acl.contains(shown), "{acl}");
    account.sh(&acl.replace(shown, &named.join(" ")));
    let find = "aws wafv2 list-web-acls --region us-east-1 --scope CLOUDFRONT --query WebACLs[0]";
    let found: serde_json::Value = serde_json::from_str(&account.sh(find)).unwrap();
    assert_eq!(found["Name"], "site-acl");
    let id = found["Id"].as_str().unwrap();
    let (token, update) = exchange.split_once('\n').unwrap();
    let token = account.sh(&token.replace(" ID ", &format!(" {id} ")));
    let update = update.replace(" ID ", &format!(" {id} ")).replace("TOKEN", token.trim());
    account.sh(&update);
    let read = format!(
        "aws wafv2 get-web-acl --region us-east-1 --scope CLOUDFRONT --name site-acl --id {id}"
    );
    let live: serde_json::Value = serde_json::from_str(&account.sh(&read)).unwrap();
    let wanted: serde_json::Value =
        serde_json::from_str(&account.workspace.read("web-acl.json")).unwrap();
    assert_eq!(
        live["WebACL"]["Rules"].as_array().unwrap().len(),
        wanted["Rules"].as_array().unwrap().len()
    );
    assert_ne!(live["LockToken"], token.trim().trim_matches('"'));
}

/// docs/cloudformation.md: first counting, then for good. moto takes the template and makes no web ACL of it;
/// what the template means is decoded and compared elsewhere.
#[test]
fn the_template_is_deployed_by_the_steps_of_its_page() {
    let Some(account) = Account::new("one-route.yaml") else { return };
    let page = std::fs::read_to_string(repository("docs/cloudformation.md")).unwrap();
    let write = "ratewaf emit --format cloudformation --count-mode --out waf.yaml";
    assert!(page.contains(write));
    let blocks = blocks("docs/cloudformation.md");
    account.sh(&format!("{write}\n{}", blocks[0]));
    let shown = |what: &str| {
        account.sh(&format!(
            "aws cloudformation {what} --region us-east-1 --stack-name acl-rate-limits --output text"
        ))
    };
    assert!(shown("get-template").contains("Count: {}"));
    account.sh(&format!("{}\n{}", write.replace(" --count-mode", ""), blocks[0]));
    assert!(!shown("get-template").contains("Count: {}"));
    assert!(shown("describe-stacks").contains("UPDATE_COMPLETE"));
}
