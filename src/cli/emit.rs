//! `ratewaf emit`: policy and lock to code.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::failure::{Shown, hinted};
use super::{emitted, emitted_layer, policy_file};
use crate::exit::Exit;
use crate::fs::shown;
use crate::policy::{Lock, Policy, ResolveOptions, resolve};
use crate::render::{self, KnownArns, TerraformOptions};
use crate::rules::Permitted;
use crate::stack::{Origin, Stack, Traffic};
use crate::ui::Ui;
use crate::units::{count, plain};

const RESULT: &str = "Result";

/// Turn policy and lock into Terraform, CloudFormation, CDK or the API's JSON.
///
/// Needs no logs: the lock beside the policy holds what they said. Rules whose limit is only a weak
/// proposal are emitted in count mode and say so; routes without a proposal get no rule and say why.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf emit --out waf.tf
  ratewaf emit --out infra/                  waf.tf, alarms.tf, outputs.tf and so on
  ratewaf emit --env stage --out stage/      what the policy says for this environment
  ratewaf emit --format cloudformation --out waf.yaml
  ratewaf emit --format cdk --out lib/limits/
  ratewaf emit --format iam --out iam/       the permissions that it takes, each with its reason
  ratewaf emit --layer app --out limits/     TypeScript of the limits behind AWS WAF, with its tests
  ratewaf emit --layer edge --out edge/      those at CloudFront's edge; gateway: usage plans and keys
  ratewaf emit --explain                     quotas, capacity and price, and no code
  ratewaf emit --count-mode --out waf.tf     every rule counts, nothing is blocked
  ratewaf emit --check waf.tf                exit code 1 and a diff if the file is not up to date")]
pub(super) struct Arguments {
    #[command(flatten)]
    files: policy_file::Arguments,

    /// The dialect.
    #[arg(long, value_enum, default_value_t, value_name = "DIALECT", help_heading = RESULT)]
    format: Format,

    /// Write a layer behind AWS WAF instead, from `layers` in the policy: TypeScript for Node 22 with tests
    /// of its own, and its infrastructure. Needs no lock.
    #[arg(long, value_enum, value_name = "LAYER", help_heading = RESULT, conflicts_with_all = [
        "format", "count_mode", "accept", "provider", "module", "arn", "explain", "today"])]
    layer: Option<Layer>,

    /// The environment of the policy; the policy as it stands if not given.
    #[arg(long, value_name = "NAME", help_heading = RESULT)]
    env: Option<String>,

    /// Every rule counts, whatever the policy says.
    #[arg(long, help_heading = RESULT)]
    count_mode: bool,

    /// Put weak proposals to use like clear ones.
    #[arg(long, value_enum, value_name = "GRADE", help_heading = RESULT)]
    accept: Option<Accept>,

    /// The version of the AWS provider for Terraform. Without it the text is for 5.100 and 6 alike where
    /// the policy allows.
    #[arg(long, value_enum, value_name = "VERSION", help_heading = RESULT)]
    provider: Option<Provider>,

    /// Write a Terraform module: limits, windows and the topic are variables, providers come from outside.
    #[arg(long, help_heading = RESULT)]
    module: bool,

    /// Write into a file instead of standard output; into several files if it is a folder.
    #[arg(long, value_name = "FILE|DIR/", conflicts_with = "check", help_heading = RESULT)]
    out: Option<PathBuf>,

    /// With --layer: replace files that were edited since ratewaf wrote them.
    #[arg(long, requires_all = ["layer", "out"], help_heading = RESULT)]
    overwrite: bool,

    /// Compare with a file or a folder and write nothing: exit code 1 and a diff if they differ.
    #[arg(long, value_name = "FILE|DIR/", help_heading = RESULT)]
    check: Option<PathBuf>,

    /// The ARN of an IP set or of the web ACL, for --format api-json; may be given several times.
    #[arg(long, value_name = "NAME=ARN", help_heading = RESULT)]
    arn: Vec<String>,

    /// Show what it uses of AWS's quotas and what it costs, and write no code.
    #[arg(long, conflicts_with_all = ["out", "check"], help_heading = RESULT)]
    explain: bool,

    /// The date that `until` of a network and `off_until` of alarms are compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RESULT)]
    today: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Terraform HCL, for the AWS provider 5.100 and later and 6.
    #[default]
    Terraform,
    /// The same in Terraform's JSON syntax.
    TerraformJson,
    /// A CloudFormation template in YAML.
    Cloudformation,
    /// The same in JSON.
    CloudformationJson,
    /// A TypeScript construct for the AWS CDK.
    Cdk,
    /// Inputs for `aws wafv2 …  --cli-input-json`.
    ApiJson,
    /// JSON of the IAM policies that whoever deploys needs: those under `permissions` in the policy, else
    /// of terraform plan, terraform apply and ratewaf itself.
    Iam,
}

impl Format {
    /// As it is typed; `None` for what nobody has to type.
    const fn flag(self) -> Option<&'static str> {
        match self {
            Self::Terraform => None,
            Self::TerraformJson => Some("--format terraform-json"),
            Self::Cloudformation => Some("--format cloudformation"),
            Self::CloudformationJson => Some("--format cloudformation-json"),
            Self::Cdk => Some("--format cdk"),
            Self::ApiJson => Some("--format api-json"),
            Self::Iam => Some("--format iam"),
        }
    }

    const fn is_terraform(self) -> bool {
        matches!(self, Self::Terraform | Self::TerraformJson)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Layer {
    /// Limits inside the application, counted in DynamoDB or Redis.
    App,
    /// Limits at CloudFront's edge: Lambda@Edge on a DynamoDB global table.
    Edge,
    /// Usage plans and keys of a REST API of API Gateway: infrastructure only.
    Gateway,
}

impl Layer {
    /// As it is typed, and as the policy calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Edge => "edge",
            Self::Gateway => "gateway",
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Accept {
    /// Weak ones, too.
    Weak,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Provider {
    /// 5.100 and later of 5.
    #[value(name = "5")]
    Five,
    /// 6.38 and later of 6.
    #[value(name = "6")]
    Six,
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    if let Some(out) = &arguments.out {
        arguments.files.demand_distinct(&[("--out", out)])?;
        demand_ending(arguments.format, out)?;
    }
    check_flags(arguments)?;
    let whole = arguments.files.demand_policy()?;
    let policy = match &arguments.env {
        None => &whole,
        Some(name) => {
            whole.in_environment(name).map_err(|error| hinted(error.to_string(), error.hint()))?
        }
    };
    if let Some(layer) = arguments.layer {
        return emit_layer(layer, policy, arguments, ui);
    }
    let lock = arguments.files.read_lock()?;
    let options = ResolveOptions {
        count_mode: arguments.count_mode,
        accept_weak: arguments.accept.is_some(),
        today: Some(policy_file::today(arguments.today.as_deref())?),
    };
    let rules = resolve(policy, lock.as_ref(), &options).map_err(Shown)?;
    for note in rules.notes.iter().chain(&rules.reminders) {
        ui.note(&format!("note: {note}"));
    }
    let flags = flags(arguments);
    let origin = Origin {
        files: arguments.files.flags(),
        target: arguments.out.as_deref().map(policy_file::shell_word),
        ..origin(policy, lock.as_ref(), flags.clone())
    };
    let stack = Stack::new(&rules, origin)?;
    if arguments.explain {
        policy_file::write(&render::explain(&stack), None, ui)?;
        return Ok(Exit::Done);
    }
    let target = arguments.out.as_ref().or(arguments.check.as_ref());
    let is_split = target.is_some_and(|target| emitted::is_folder(target));
    let files = match arguments.format {
        Format::Terraform | Format::TerraformJson => {
            render::terraform(&stack, &terraform_options(arguments, is_split))?
        }
        Format::Cloudformation => render::cloudformation(&stack)?,
        Format::CloudformationJson => render::cloudformation_json(&stack)?,
        Format::Cdk => render::cdk(&stack, is_split)?,
        Format::ApiJson => render::api_json(&stack, &known_arns(&arguments.arn)?)?,
        Format::Iam => {
            let mut policies = stack.permissions.clone();
            if policies.is_empty() {
                policies = Permitted::ALL.map(|permitted| stack.policy_of(permitted)).into();
            }
            render::iam(&policies, is_split)?
        }
    };
    if files.len() > 1 && !is_split {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        return Err(hinted(
            format!("this becomes several files: {}", names.join(", ")),
            "name a folder: --out DIR/",
        ));
    }
    let Some(committed) = &arguments.check else {
        emitted::write(&files, arguments.out.as_deref(), ui)?;
        return Ok(Exit::Done);
    };
    let words: Vec<String> = std::iter::once("ratewaf emit".to_owned())
        .chain(arguments.files.flags())
        .chain(flags.iter().cloned())
        .collect();
    emitted::check(&files, committed, &words.join(" "), &flags, ui)
}

/// Writes a layer behind AWS WAF, or compares it with what is there.
fn emit_layer(layer: Layer, policy: &Policy, arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let files = match layer {
        Layer::App => render::layers::app(policy),
        Layer::Edge => render::layers::edge(policy),
        Layer::Gateway => render::layers::gateway(policy),
    };
    if files.is_empty() {
        return Err(hinted(
            format!("{} has no `layers.{}`", plain(policy.file_name()), layer.name()),
            "add it to the policy: see docs/layers.md",
        ));
    }
    let Some(folder) = arguments.out.as_ref().or(arguments.check.as_ref()) else {
        return Err(hinted("a layer is a folder of files".to_owned(), "name it: --out DIR/"));
    };
    if folder.exists() && !folder.is_dir() {
        let message = format!("{} is a file, and a layer is a folder", shown(folder));
        return Err(hinted(message, "name a folder: --out DIR/"));
    }
    // With a slash: it is a folder, whether it is there or not.
    let folder = folder.join("");
    if arguments.check.is_none() {
        emitted_layer::write(&files, &folder, arguments.overwrite, ui)?;
        return Ok(Exit::Done);
    }
    let flags = flags(arguments);
    let words = std::iter::once("ratewaf emit".to_owned());
    let words: Vec<String> =
        words.chain(arguments.files.flags()).chain(flags.iter().cloned()).collect();
    emitted_layer::check(&files, &folder, &words.join(" "), &flags, ui)
}

fn terraform_options(arguments: &Arguments, is_split: bool) -> TerraformOptions {
    TerraformOptions {
        provider: match arguments.provider {
            None => render::Provider::Any,
            Some(Provider::Five) => render::Provider::Five,
            Some(Provider::Six) => render::Provider::Six,
        },
        is_module: arguments.module,
        is_split,
        is_json: matches!(arguments.format, Format::TerraformJson),
    }
}

/// `NAME=ARN`, each.
fn known_arns(given: &[String]) -> Result<KnownArns> {
    given
        .iter()
        .map(|one| match one.split_once('=') {
            Some((name, arn)) if arn.starts_with("arn:") => Ok((name.to_owned(), arn.to_owned())),
            _ => Err(hinted(
                format!("--arn {}: not NAME=ARN", plain(one)),
                "for example --arn acl-qa-v4=arn:aws:wafv2:us-east-1:123456789012:global/ipset/acl-qa-v4/ID",
            )),
        })
        .collect()
}

/// Refuses a file whose ending belongs to another dialect: its tool would read it as such.
fn demand_ending(format: Format, out: &Path) -> Result<()> {
    let name = out.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let has = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let known =
        [".tf", ".tofu", ".tf.json", ".json", ".yaml", ".yml", ".template", ".ts", ".js", ".py"];
    let own: &[&str] = match format {
        Format::Terraform => &[".tf", ".tofu"],
        Format::TerraformJson => &[".tf.json", ".tofu.json"],
        Format::Cloudformation => &[".yaml", ".yml", ".template"],
        Format::CloudformationJson => &[".json", ".template"],
        Format::Cdk => &[".ts"],
        Format::ApiJson | Format::Iam => &[".json"],
    };
    let is_terraform = has(&[".tf.json", ".tofu.json"]);
    let fits = has(own) && (!is_terraform || matches!(format, Format::TerraformJson));
    if emitted::is_folder(out) || fits || !has(&known) {
        return Ok(());
    }
    let word =
        format.to_possible_value().map_or_else(String::new, |word| word.get_name().to_owned());
    Err(hinted(
        format!("`{}` has the ending of another dialect than --format {word}", shown(out)),
        format!("name a file that ends in {}, or another --format", own.join(" or ")),
    ))
}

/// Refuses flags that the dialect has no use for.
fn check_flags(arguments: &Arguments) -> Result<()> {
    let format = arguments.format;
    let terraform_only =
        [("--provider", arguments.provider.is_some()), ("--module", arguments.module)];
    if let Some((flag, _)) =
        terraform_only.into_iter().find(|(_, given)| *given && !format.is_terraform())
    {
        return Err(hinted(
            format!("{flag} is about Terraform"),
            "leave it out, or --format terraform",
        ));
    }
    if !arguments.arn.is_empty() && !matches!(format, Format::ApiJson) {
        let message =
            "--arn is about --format api-json: the other dialects refer to what they make";
        return Err(hinted(message.to_owned(), "leave it out"));
    }
    Ok(())
}

/// The flags that change what is emitted, as they were given.
fn flags(arguments: &Arguments) -> Vec<String> {
    let provider = arguments.provider.map(|provider| match provider {
        Provider::Five => "--provider 5".to_owned(),
        Provider::Six => "--provider 6".to_owned(),
    });
    [
        arguments.layer.map(|layer| format!("--layer {}", layer.name())),
        arguments.format.flag().map(str::to_owned),
        arguments.env.as_ref().map(|name| format!("--env {name}")),
        arguments.count_mode.then(|| "--count-mode".to_owned()),
        arguments.accept.map(|_| "--accept weak".to_owned()),
        provider,
        arguments.module.then(|| "--module".to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Where the emitted rules come from. File names only: paths differ between machines.
fn origin(policy: &Policy, lock: Option<&Lock>, flags: Vec<String>) -> Origin {
    let name = std::path::Path::new(policy.file_name())
        .file_name()
        .map_or_else(|| policy.file_name().to_owned(), |name| name.to_string_lossy().into_owned());
    let mut lines = vec![format!("Policy: {name}")];
    if let Some(lock) = lock {
        let dates = match (lock.inputs.first, lock.inputs.last) {
            (Some(first), Some(last)) => {
                format!(" from {} to {}", first.date_in_words(), last.date_in_words())
            }
            _ => String::new(),
        };
        lines.push(format!(
            "Evidence: {}{dates}, fingerprint {}",
            count(lock.inputs.lines, "log line", "log lines"),
            lock.inputs.digest
        ));
    }
    let traffic = lock
        .map(|lock| &lock.inputs)
        .map(|inputs| Traffic { requests: inputs.lines, hours: inputs.hours });
    Origin { lines, flags, traffic, ..Origin::default() }
}
