//! What can be typed for the commands that speak to AWS.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::policy_file;

const RESULT: &str = "Result";

/// Who asks.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "AWS")]
#[group(id = "aws")]
pub(crate) struct Login {
    /// Profile of the AWS configuration; else the AWS tools' own order: environment, AWS_PROFILE,
    /// single sign-on, the machine's role.
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,

    /// The region of a regional web ACL, which the policy has too; one for CloudFront is always in us-east-1.
    #[arg(long, value_name = "REGION")]
    pub(super) region: Option<String>,

    /// A role to take on, by its ARN.
    #[arg(long, value_name = "ARN")]
    pub(super) assume_role: Option<String>,

    /// An AWS elsewhere, such as http://127.0.0.1:5000; AWS_ENDPOINT_URL does the same.
    #[arg(long, value_name = "URL")]
    pub(super) endpoint_url: Option<String>,
}

impl Login {
    /// The flags that were typed.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let all = [
            ("--profile", &self.profile),
            ("--region", &self.region),
            ("--assume-role", &self.assume_role),
            ("--endpoint-url", &self.endpoint_url),
        ];
        all.into_iter().filter(|(_, value)| value.is_some()).map(|(flag, _)| flag).collect()
    }

    /// The region that was typed.
    pub(crate) fn region(&self) -> Option<&str> {
        self.region.as_deref()
    }
}

/// Which web ACL.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Web ACL")]
#[group(id = "target")]
pub(crate) struct Target {
    /// The environment of the policy; the policy as it stands if not given.
    #[arg(long, value_name = "NAME")]
    pub(super) env: Option<String>,

    /// The web ACL of the policy by its ARN, so that lists need not be allowed.
    #[arg(long, value_name = "ARN")]
    pub(super) web_acl: Option<String>,

    /// A CloudFront distribution: its web ACL has to be that of the policy, or none: then apply puts the
    /// policy's before it.
    #[arg(long, value_name = "ID")]
    pub(super) distribution: Option<String>,
}

/// What of the policy is wanted.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Rules")]
#[group(id = "wanted")]
pub(crate) struct Wish {
    /// Every rule counts, whatever the policy says; alarms look at what is counted.
    #[arg(long)]
    pub(super) count_mode: bool,

    /// Put weak proposals to use like clear ones.
    #[arg(long, value_enum, value_name = "GRADE")]
    pub(super) accept: Option<Accept>,

    /// Also change rules and IP sets of ours that somebody edited by hand, or that apply did not write.
    #[arg(long)]
    pub(super) take_over: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Accept {
    /// Weak ones, too.
    Weak,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts.
    Json,
}

/// How the result is told, and how it is agreed to.
#[derive(Clone, Debug, Args)]
#[group(id = "writing")]
pub(crate) struct Writing {
    /// How the result is told.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    pub(super) format: Format,

    /// Do it without asking.
    #[arg(long, short, help_heading = RESULT)]
    pub(super) yes: bool,

    /// Where what was there before is kept; if not given, ratewaf-undo-TIME.json beside the policy.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    pub(super) undo: Option<PathBuf>,
}

/// Show what apply would change in the live web ACL. Writes nothing.
///
/// Compares what the rules mean with what is live: limits, windows, keys, actions, IP sets, alarms. Rules of
/// others are left alone, and told by name.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf plan --count-mode
  ratewaf plan --count-mode --out change.json        for `ratewaf apply --change-set change.json`
  ratewaf plan --detailed-exitcode                   exit code 1 if there is something to do
  ratewaf plan --distribution E2EXAMPLE123 --env prod")]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(super) files: policy_file::Arguments,
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) wish: Wish,
    #[command(flatten)]
    pub(super) login: Login,

    /// How the result is told.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    pub(super) format: Format,

    /// Keep the change set in a file.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    pub(super) out: Option<PathBuf>,

    /// End with exit code 1 if there is something to do, or somebody edited a rule of ours by hand.
    #[arg(long, help_heading = RESULT)]
    pub(super) detailed_exitcode: bool,

    /// The date that `until` of a network and `off_until` of alarms are compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RESULT)]
    pub(super) today: Option<String>,
}

/// Write the rules into the live web ACL.
///
/// Shows the change set, asks, keeps what is there in an undo file, and writes, one write a second.
/// Rules and settings of others go back byte for byte. Run it again after anything that went wrong: what is
/// done is not done twice.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf apply --count-mode                  count first
  ratewaf apply --yes --format json           in a script
  ratewaf apply --change-set change.json      exactly what plan showed, or nothing
  ratewaf apply --distribution E2EXAMPLE123   and put the web ACL before the distribution")]
pub(crate) struct Apply {
    #[command(flatten)]
    pub(super) files: policy_file::Arguments,
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) wish: Wish,
    #[command(flatten)]
    pub(super) login: Login,
    #[command(flatten)]
    pub(super) writing: Writing,

    /// A change set of `ratewaf plan --out`: it is executed if it still means the same, and nothing else is.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count_mode", "accept", "take_over"], help_heading = RESULT)]
    pub(super) change_set: Option<PathBuf>,

    /// The date that `until` of a network and `off_until` of alarms are compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RESULT)]
    pub(super) today: Option<String>,
}

/// Show what the live rules do: counting or blocking, since when, whom, and what differs from the policy.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf status
  ratewaf status --hours 168 --format json")]
pub(crate) struct Status {
    #[command(flatten)]
    pub(super) files: policy_file::Arguments,
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) login: Login,

    /// How many hours to look back.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=360), help_heading = RESULT)]
    pub(super) hours: u32,

    /// How the result is told.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    pub(super) format: Format,

    /// The date that dates are compared with, and until whose beginning figures are taken; now if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RESULT)]
    pub(super) today: Option<String>,
}

/// Let rules that count do what the policy says, if the evidence agrees.
///
/// A rule has to have counted for some days, to have counted no known-good network, and about as many clients
/// as the lock predicts. Else nothing is written, the reasons are told, and the exit code is 1. Only
/// the action changes: what WAF has counted stays.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf promote
  ratewaf promote acl-token --days 3
  ratewaf promote acl-token --force too-soon --force no-record")]
pub(crate) struct Promote {
    /// Rules to promote; all that count and should not if none is named.
    #[arg(value_name = "RULE")]
    pub(super) rules: Vec<String>,

    #[command(flatten)]
    pub(super) files: policy_file::Arguments,
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) login: Login,
    #[command(flatten)]
    pub(super) writing: Writing,

    /// Days that a rule has to have counted.
    #[arg(long, value_name = "N", default_value_t = 7, help_heading = "Evidence")]
    pub(super) days: u32,

    /// How many times as many clients as the lock predicts still agree with it.
    #[arg(long, value_name = "TIMES", default_value_t = 2.0, value_parser = times, help_heading = "Evidence")]
    pub(super) band: f64,

    /// Put a reason aside, by its name; may be given several times. What is not named still holds.
    #[arg(long, value_name = "REASON", value_parser = REASONS, help_heading = "Evidence")]
    pub(super) force: Vec<String>,

    /// Put weak proposals to use like clear ones.
    #[arg(long, value_enum, value_name = "GRADE", help_heading = "Evidence")]
    pub(super) accept: Option<Accept>,

    /// Today; the days in count are counted until its beginning. Now if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = "Evidence")]
    pub(super) today: Option<String>,
}

/// The names of reasons, as `changes` gives them.
const REASONS: [&str; 8] = [
    "no-record",
    "too-soon",
    "drift",
    "known-good",
    "no-prediction",
    "no-data",
    "too-many",
    "nothing-counted",
];

fn times(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(times) if times.is_finite() && times >= 1.0 => Ok(times),
        _ => Err("a number of at least 1, such as 2 or 1.5".to_owned()),
    }
}

/// Put back what an undo file holds. Needs no policy.
///
/// Only what that apply touched goes back: rules of others, and what they did since, stay.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  ratewaf rollback ratewaf-undo-20261130T071000Z.json")]
pub(crate) struct Rollback {
    /// The file that apply, promote or demote wrote.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    #[command(flatten)]
    pub(super) login: Login,
    #[command(flatten)]
    pub(super) writing: Writing,
}

/// Let rules count that block: for the night shift. Needs no lock.
///
/// Only the action changes, and the alarms that follow it; what WAF has counted stays. `ratewaf promote` is
/// the way back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf demote
  ratewaf demote acl-token --yes")]
pub(crate) struct Demote {
    /// Rules to demote; all of ours if none is named.
    #[arg(value_name = "RULE")]
    pub(super) rules: Vec<String>,

    #[command(flatten)]
    pub(super) files: policy_file::Arguments,
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) login: Login,
    #[command(flatten)]
    pub(super) writing: Writing,
}
