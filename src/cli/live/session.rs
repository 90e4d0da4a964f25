//! Policy, lock and an account: what all these commands begin with.

use anyhow::Result;

use super::super::failure::{Shown, hinted};
use super::super::policy_file;
use super::arguments::{Login, Target, Wish};
use crate::changes::{Live, Options, Wanted, through_the_api};
use crate::cloud::live::{self, Account, Sought};
use crate::policy::{Lock, Policy, ResolveOptions, resolve};
use crate::rules::{self, RuleSet, WebAclTarget};
use crate::stack::{CLOUDFRONT_REGION, Origin, Stack};
use crate::ui::Ui;
use crate::units::{Timestamp, plain};
use crate::wafv2::Scope;

/// What the policy wants, without AWS.
pub(super) struct Intent {
    pub(super) policy: Policy,
    pub(super) lock: Option<Lock>,
    pub(super) rules: RuleSet,
    pub(super) wanted: Wanted,
}

/// The policy in its environment.
pub(super) fn policy(files: &policy_file::Arguments, target: &Target) -> Result<Policy> {
    let whole = files.demand_policy()?;
    match &target.env {
        None => Ok(whole),
        Some(name) => whole
            .in_environment(name)
            .cloned()
            .map_err(|error| hinted(error.to_string(), error.hint())),
    }
}

impl Intent {
    pub(super) fn read(
        files: &policy_file::Arguments,
        target: &Target,
        options: Options,
        today: Option<&str>,
        ui: &Ui,
    ) -> Result<Self> {
        let policy = policy(files, target)?;
        let lock = files.read_lock()?;
        let how = ResolveOptions {
            count_mode: options.count_mode,
            accept_weak: options.accept_weak,
            today: Some(policy_file::today(today)?),
        };
        let rules = resolve(&policy, lock.as_ref(), &how).map_err(Shown)?;
        for note in rules.notes.iter().chain(&rules.reminders) {
            ui.note(&format!("note: {note}"));
        }
        let is_own = matches!(rules.web_acl, WebAclTarget::Create(_));
        let stack = Stack::new(&through_the_api(&rules), Origin::default())?;
        let wanted = Wanted::of(&stack, is_own).map_err(live::Error::from)?;
        Ok(Self { policy, lock, rules, wanted })
    }
}

impl Wish {
    pub(super) const fn options(self) -> Options {
        Options {
            take_over: self.take_over,
            count_mode: self.count_mode,
            accept_weak: self.accept.is_some(),
        }
    }
}

/// Scope and region of a policy.
pub(in super::super) fn home(policy: &Policy) -> (Scope, String) {
    match &policy.scope {
        rules::Scope::CloudFront => (Scope::CloudFront, CLOUDFRONT_REGION.to_owned()),
        rules::Scope::Regional { region } => (Scope::Regional, region.clone()),
    }
}

/// An account, and what to look for in it.
pub(super) struct Session {
    pub(super) account: Account,
    pub(super) sought: Sought,
}

impl Session {
    /// Logs in for a web ACL of a policy.
    pub(super) fn open(policy: &Policy, target: &Target, login: &Login, ui: &Ui) -> Result<Self> {
        let (scope, region) = home(policy);
        let web_acl = policy.web_acl.name().to_owned();
        if target.distribution.is_some() && scope == Scope::Regional {
            let hint = "leave --distribution out, or write `scope: cloudfront` into the policy";
            return Err(hinted("a distribution has no regional web ACL", hint));
        }
        if let Some(arn) = &target.web_acl {
            check_arn(arn, &web_acl, scope)?;
        }
        let account = open_account(login, scope, &region, &web_acl, ui)?;
        let mut sought = Sought {
            scope,
            web_acl,
            arn: target.web_acl.clone(),
            owner: policy.name.clone(),
            distribution: target.distribution.clone(),
        };
        if let (Some(id), None) = (&target.distribution, &sought.arn) {
            let arn = account.distribution(id)?.web_acl;
            if name_in(&arn) == Some(sought.web_acl.as_str()) {
                sought.arn = Some(arn);
            }
        }
        Ok(Self { account, sought })
    }

    pub(super) fn read(&self) -> Result<Live, live::Error> {
        self.account.read(&self.sought)
    }
}

/// Logs in where a web ACL lives.
pub(super) fn open_account(
    login: &Login,
    scope: Scope,
    region: &str,
    web_acl: &str,
    ui: &Ui,
) -> Result<Account> {
    if let Some(given) = login.region.as_deref().filter(|given| *given != region) {
        match scope {
            Scope::CloudFront => ui.note(&format!(
                "--region {} is of no use here: what belongs to CloudFront is in {region}",
                plain(given)
            )),
            Scope::Regional => {
                let message =
                    format!("the policy is for {region}, and --region says {}", plain(given));
                return Err(hinted(
                    message,
                    "leave --region out, or change `region` in the policy",
                ));
            }
        }
    }
    Ok(ui.asking(|| login.open(region, &format!("the web ACL {web_acl}")))?)
}

impl Login {
    /// Logs in for calls to a region; `what` is for messages.
    pub(in super::super) fn open(&self, region: &str, what: &str) -> Result<Account, live::Error> {
        let login = live::Login {
            profile: self.profile.clone(),
            endpoint_url: self.endpoint_url.clone(),
            assume_role: self.assume_role.clone(),
        };
        Account::open(&login, region, what)
    }
}

/// `prod` of `arn:aws:wafv2:us-east-1:123456789012:global/webacl/prod/ID`.
fn name_in(arn: &str) -> Option<&str> {
    arn.split_once("/webacl/")?.1.split('/').next()
}

fn check_arn(arn: &str, web_acl: &str, scope: Scope) -> Result<()> {
    let place = match scope {
        Scope::CloudFront => ":global/webacl/",
        Scope::Regional => ":regional/webacl/",
    };
    if arn.starts_with("arn:") && arn.contains(place) && name_in(arn) == Some(web_acl) {
        return Ok(());
    }
    Err(hinted(
        format!("--web-acl {} is not the ARN of the policy's web ACL {web_acl}", plain(arn)),
        "`aws wafv2 list-web-acls` shows ARNs; the name and the scope stand in the policy",
    ))
}

/// Now, or the beginning of the day that was typed.
pub(super) fn now(today: Option<&str>) -> Result<Timestamp> {
    match today {
        Some(_) => policy_file::today(today),
        None => {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            Ok(Timestamp(since.map_or(0, |since| since.as_secs() as i64)))
        }
    }
}
