//! The templates for CI: what they run is run here, as far as a machine without GitHub and GitLab can.

use std::process::{Command, Output};

use ratewaf::checks::read::yaml;
use serde_json::Value;

use crate::harness::{Workspace, repository};
use crate::tools;

fn template(name: &str) -> Value {
    let text = std::fs::read_to_string(repository("templates").join(name)).unwrap();
    yaml::parse(&text).unwrap()
}

/// A repository with a web ACL whose limit is 500 or 5, and what CI would set.
fn checkout(limit: u32) -> Workspace {
    let workspace = Workspace::new();
    let text =
        std::fs::read_to_string(repository("tests/fixtures/checks/pull-request/main/waf.tf"))
            .unwrap();
    workspace.write("infra/waf.tf", text.replace("_limit  = 500", &format!("_limit  = {limit}")));
    workspace
}

fn shell(workspace: &Workspace, script: &str, variables: &[(&str, &str)]) -> Output {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_ratewaf"));
    let paths =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .current_dir(workspace.path())
        .env("PATH", paths)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn the_action_of_github_annotates_comments_and_fails() {
    let action = template("github/action.yml");
    let steps = action["runs"]["steps"].as_array().unwrap();
    for (limit, fails) in [(500, false), (5, true)] {
        let workspace = checkout(limit);
        let summary = workspace.path().join("summary.md");
        let mut last = None;
        for step in steps {
            let mut variables = vec![("GITHUB_STEP_SUMMARY", summary.to_str().unwrap().to_owned())];
            for (name, value) in step["env"].as_object().into_iter().flatten() {
                // `${{ inputs.x }}` is the default of the input.
                let input = value
                    .as_str()
                    .unwrap()
                    .trim_start_matches("${{ inputs.")
                    .trim_end_matches(" }}");
                let value = match input {
                    "input" => "infra".to_owned(),
                    "fail-on" => "error".to_owned(),
                    "sarif" => "out.sarif".to_owned(),
                    other => action["inputs"][other]["default"].as_str().unwrap().to_owned(),
                };
                variables.push((name, value));
            }
            let variables: Vec<(&str, &str)> =
                variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
            last = Some(shell(&workspace, step["run"].as_str().unwrap(), &variables));
        }
        let output = last.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            !output.status.success(),
            fails,
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(text.contains("::error file=infra/waf.tf,line="), fails, "{text}");
        assert!(workspace.read("summary.md").starts_with("## "));
        assert_eq!(workspace.read("summary.md"), workspace.read("ratewaf-comment.md"));
        let log: Value = serde_json::from_str(&workspace.read("out.sarif")).unwrap();
        assert_eq!(log["version"], "2.1.0");
    }
}

/// What GitHub pastes into a script would run there.
#[test]
fn no_expression_stands_in_a_script() {
    for name in ["github/action.yml", "github/workflow.yml"] {
        let file = template(name);
        let jobs = file["jobs"].as_object().into_iter().flatten().map(|(_, job)| job);
        let steps: Vec<&Value> = jobs
            .flat_map(|job| job["steps"].as_array().unwrap())
            .chain(file["runs"]["steps"].as_array().into_iter().flatten())
            .collect();
        assert!(!steps.is_empty(), "{name}");
        for step in steps {
            let script = step["run"].as_str().unwrap_or_default();
            assert!(!script.contains("${{"), "{name}: {script}");
        }
    }
    let workflow = template("github/workflow.yml");
    assert!(workflow["on"].is_string() || workflow["on"].is_object());
}

/// What a pull request changes was told only by plans: nothing in the workflow fetched the base branch.
#[test]
fn the_workflow_compares_with_the_base_branch() {
    if tools::find_optional("git").is_none() {
        return;
    }
    let workflow = template("github/workflow.yml");
    let job = &workflow["jobs"]["check"];
    let steps = job["steps"].as_array().unwrap();
    let before = steps.iter().find(|step| step["id"] == "before").unwrap();
    let action = steps.iter().find(|step| step["uses"] == "./.github/actions/ratewaf").unwrap();
    assert_eq!(action["with"]["before"], "${{ steps.before.outputs.input }}");
    assert_eq!(action["with"]["input"], "${{ env.RATEWAF_INPUT }}");
    // A first parent is there only if more than the newest commit is fetched.
    assert_eq!(steps[0]["with"]["fetch-depth"], 2);
    let plan = job["env"]["RATEWAF_INPUT"].as_str().unwrap();
    let of = |name: &str| steps.iter().find(|step| step["name"] == name).unwrap()["if"].clone();
    assert_eq!(of("plan"), format!("${{{{ env.RATEWAF_INPUT == '{plan}' }}}}"));
    assert_eq!(of("before"), format!("${{{{ env.RATEWAF_INPUT != '{plan}' }}}}"));

    let workspace = checkout(500);
    let commit = "git add -A && git -c user.name=a -c user.email=a@example.com commit -qm a";
    let merge = "git -c user.name=a -c user.email=a@example.com merge -q --no-ff --no-edit change";
    let run = |script: &str, variables: &[(&str, &str)]| {
        let output = shell(&workspace, script, variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run(&format!("git init -qb main . && {commit} && git checkout -qb change"), &[]);
    let text = workspace.read("infra/waf.tf").replace("_limit  = 500", "_limit  = 200");
    workspace.write("infra/waf.tf", text);
    workspace.write("new/waf.tf", "locals {}\n");
    run(&format!("{commit} && git checkout -q main && {merge}"), &[]);
    let elsewhere = Workspace::new();
    let path = |name: &str| elsewhere.path().join(name).to_str().unwrap().to_owned();
    let (temporary, output) = (path("temp"), path("output"));
    for (input, is_there) in [("infra", true), ("new", false)] {
        elsewhere.write("output", "");
        let variables = [
            ("RATEWAF_INPUT", input),
            ("RUNNER_TEMP", temporary.as_str()),
            ("GITHUB_OUTPUT", output.as_str()),
        ];
        let told = run(before["run"].as_str().unwrap(), &variables);
        assert_eq!(told.contains("::notice::"), !is_there, "{told}");
        let written = elsewhere.read("output");
        let folder = written.trim_end().strip_prefix("input=");
        assert_eq!(folder.is_some(), is_there, "{written}");
        if let Some(folder) = folder {
            let check = "ratewaf check infra --before \"$BEFORE\" --only change-resets-counters";
            let told = run(check, &[("BEFORE", folder)]);
            assert!(told.contains("from 500 per 5 minutes to 200 per 5 minutes"), "{told}");
        }
        // The next job of a runner of one's own finds an empty folder, and git's memory of the last one.
        std::fs::remove_dir_all(&temporary).unwrap();
    }
}

/// `gh pr comment --edit-last` edited whatever a workflow had written last, a plan for instance.
#[test]
fn the_workflow_edits_no_comment_but_its_own() {
    let workflow = template("github/workflow.yml");
    let steps = workflow["jobs"]["check"]["steps"].as_array().unwrap();
    let comment = steps.iter().find(|step| step["name"] == "comment").unwrap();
    for (found, wanted) in [
        (
            "17\n42\n",
            "api --method PATCH repos/example/shop/issues/comments/42 --field body=@ratewaf-comment.md\n",
        ),
        ("", "pr comment 7 --body-file ratewaf-comment.md\n"),
    ] {
        let workspace = Workspace::new();
        workspace.write("found", found);
        workspace.write("ratewaf-comment.md", "## ✅ Rate limits: no findings\n");
        let stand_in = "#!/bin/sh\ncase \"$*\" in *--paginate*) cat found ;; *) echo \"$@\" >> called ;; esac\n";
        workspace.write("bin/gh", stand_in);
        let script = format!(
            "chmod +x bin/gh; PATH=\"$PWD/bin:$PATH\"; {}",
            comment["run"].as_str().unwrap()
        );
        let variables = [("GITHUB_REPOSITORY", "example/shop"), ("PULL_REQUEST", "7")];
        let output = shell(&workspace, &script, &variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(workspace.read("called"), wanted);
    }
    // The heading is that of every comment.
    let script = comment["run"].as_str().unwrap();
    let heading = script.split("test(\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let heading = regex::Regex::new(heading).unwrap();
    for sign in ["✅", "⚠️", "❌"] {
        assert!(heading.is_match(&format!("## {sign} Rate limits: 1 error")), "{sign}");
    }
}

#[test]
fn the_job_of_gitlab_reports_and_fails() {
    let file = template("gitlab/rate-limits.gitlab-ci.yml");
    let job = &file["rate-limits"];
    let lines: Vec<&str> =
        job["script"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    for (limit, fails) in [(500, false), (5, true)] {
        let workspace = checkout(limit);
        let variables =
            [("RATEWAF_INPUT", "infra"), ("RATEWAF_SOURCE", "infra"), ("RATEWAF_FAIL_ON", "error")];
        let output = shell(&workspace, &lines.join("\n"), &variables);
        assert_eq!(!output.status.success(), fails, "{}", String::from_utf8_lossy(&output.stderr));
        let report = job["artifacts"]["reports"]["junit"].as_str().unwrap();
        assert!(workspace.read(report).starts_with("<?xml"));
        assert!(workspace.read("ratewaf-comment.md").starts_with("## "));
    }
}

#[test]
fn the_hook_of_pre_commit_runs() {
    let file = template("pre-commit/.pre-commit-config.yaml");
    let hook = &file["repos"][0]["hooks"][0];
    let entry = hook["entry"].as_str().unwrap();
    let files = regex::Regex::new(hook["files"].as_str().unwrap()).unwrap();
    assert!(files.is_match("infra/waf.tf") && !files.is_match("infra/readme.md"));
    for (limit, fails) in [(500, false), (5, true)] {
        let workspace = checkout(limit);
        assert_eq!(!shell(&workspace, entry, &[]).status.success(), fails);
    }
    if tools::find_optional("pre-commit").is_none() {
        return;
    }
    let workspace = checkout(5);
    let text = std::fs::read(repository("templates/pre-commit/.pre-commit-config.yaml")).unwrap();
    workspace.write(".pre-commit-config.yaml", text);
    let output =
        shell(&workspace, "git init -q . && git add -A && pre-commit run --all-files", &[]);
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
