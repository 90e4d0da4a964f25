//! `check --live`: what is deployed now, instead of files.

use anyhow::Result;
use clap::Args;

use super::inputs::Loaded;
use crate::cli::failure::hinted;
use crate::cli::live::Login;
use crate::policy::Policy;
use crate::ui::Ui;

/// Where to look, if not into files.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is live")]
#[group(id = "looking")]
pub(super) struct Arguments {
    /// Check what is live, instead of files: web ACLs with their IP sets, rule groups, alarms, logs and
    /// distributions. Writes nothing. Without --web-acl and --distribution the policy's web ACL, and without
    /// a policy all of those in front of CloudFront, or the regional ones of --region.
    #[arg(long, conflicts_with_all = ["inputs", "before", "source"])]
    pub(super) live: bool,

    /// A web ACL, by its ARN; may be given several times. ENVIRONMENT= before it tells several environments
    /// apart.
    #[arg(long, value_name = "[ENVIRONMENT=]ARN", requires = "live")]
    pub(super) web_acl: Vec<String>,

    /// The web ACL of a CloudFront distribution; may be given several times.
    #[arg(long, value_name = "ID", requires = "live")]
    pub(super) distribution: Vec<String>,

    /// The web ACL of an environment of the policy; may be given several times, and the environments are then
    /// compared.
    #[arg(long, value_name = "NAME", requires = "live", conflicts_with_all = ["web_acl", "distribution"])]
    pub(super) env: Vec<String>,

    #[command(flatten)]
    pub(super) login: Login,
}

impl Arguments {
    /// Refuses flags that only mean something with --live.
    pub(super) fn check(&self) -> Result<()> {
        match self.login.given().first() {
            Some(flag) if !self.live => Err(hinted(
                format!("{flag} is of no use without --live: files are read here"),
                "add --live, or leave it out",
            )),
            _ => Ok(()),
        }
    }
}

/// Refuses: this program was built without what it takes.
#[cfg(not(feature = "cloud"))]
pub(super) fn load(_: &Arguments, _: Option<&Policy>, _: &Ui) -> Result<Loaded> {
    Err(hinted(
        "`ratewaf check --live` speaks to AWS, and this ratewaf was built without that",
        "install it with its feature `cloud`, which is on by default, or check what `aws wafv2 get-web-acl` prints",
    ))
}

#[cfg(feature = "cloud")]
pub(super) use with_cloud::load;

#[cfg(feature = "cloud")]
mod with_cloud {
    use std::collections::BTreeMap;

    use super::*;
    use crate::checks::model::{Change, Item, Tool};
    use crate::checks::read::{self, Input};
    use crate::cli::live::home;
    use crate::cloud::live::{Account, Arn, Estate};
    use crate::stack::CLOUDFRONT_REGION;
    use crate::units::plain;
    use crate::wafv2::Scope;

    /// Web ACLs that belong together: one environment's, of one scope and region.
    type Group = (Option<String>, Scope, String);

    /// Reads what is live.
    pub(in super::super) fn load(
        arguments: &Arguments,
        policy: Option<&Policy>,
        ui: &Ui,
    ) -> Result<Loaded> {
        let mut reader = Reader { login: &arguments.login, ui, accounts: BTreeMap::new() };
        let mut groups: BTreeMap<Group, (Vec<Arn>, Option<Vec<String>>)> = BTreeMap::new();
        let mut add = |environment: Option<String>, arn: Arn, others: Option<Vec<String>>| {
            let group = (environment, arn.scope, arn.region.clone());
            let (arns, known) = groups.entry(group).or_default();
            if !arns.contains(&arn) {
                arns.push(arn);
            }
            *known = others;
        };
        for given in &arguments.web_acl {
            let (environment, arn) = named(given)?;
            reader.check_region(&arn)?;
            add(environment, arn, None);
        }
        for id in &arguments.distribution {
            add(None, reader.of_distribution(id)?, None);
        }
        if arguments.web_acl.is_empty() && arguments.distribution.is_empty() {
            for (environment, policy) in wanted(arguments, policy)? {
                match policy {
                    Some(policy) => {
                        let (arn, others) = reader.of_policy(policy)?;
                        add(environment, arn, Some(others));
                    }
                    None => {
                        let (arns, others) = reader.all()?;
                        arns.into_iter().for_each(|arn| add(None, arn, Some(others.clone())));
                    }
                }
            }
        }
        let mut loaded = Loaded::default();
        for ((environment, scope, region), (arns, others)) in groups {
            let place = match scope {
                Scope::CloudFront => "CloudFront".to_owned(),
                Scope::Regional => region.clone(),
            };
            let of = environment.as_ref().map(|it| format!(" {it}")).unwrap_or_default();
            let name = format!("live {place}{of}");
            let account = reader.account(scope, &region)?;
            let estate = ui.asking(|| account.estate(&arns))?;
            take(&mut loaded, Input { name, environment, text: String::new() }, estate, others);
        }
        Ok(loaded)
    }

    fn take(loaded: &mut Loaded, input: Input, estate: Estate, others: Option<Vec<String>>) {
        let found = read::read_live(&input, &estate.resources, others.as_deref());
        let has = |kind: &str| found.iter().any(|one| one.kind == kind);
        let topics = found.iter().any(|one| {
            let actions = one.values["AlarmActions"].as_array().into_iter().flatten();
            actions.filter_map(|it| it.as_str()).any(|it| it.contains(":sns:"))
        });
        let mut said: Vec<(&str, String)> =
            estate.unread.iter().map(|(kind, why)| (words(kind), why.clone())).collect();
        if topics {
            said.push(("topics of alarms", "who may publish to them is not asked".to_owned()));
        }
        if has("AWS::CloudFront::Distribution") {
            let what = "whether they can be called around CloudFront is not asked";
            said.push(("origins of distributions", what.to_owned()));
        }
        if has("AWS::WAFv2::WebACLAssociation") {
            let what = "whether CloudFront stands before them is not asked";
            said.push(("resources behind regional web ACLs", what.to_owned()));
        }
        let item = |address: &str| Item {
            input: input.name.clone(),
            environment: input.environment.clone(),
            file: None,
            address: address.to_owned(),
            tool: Tool::Live,
            change: Change::NotTold,
            region: None,
        };
        loaded.blind.extend(said.into_iter().map(|(what, why)| (item(what), why)));
        let unread = estate.unread.into_iter();
        loaded.unread.extend(unread.map(|(kind, _)| (input.name.clone(), kind.to_owned())));
        loaded.found.extend(found);
    }

    fn words(kind: &str) -> &'static str {
        match kind {
            "AWS::WAFv2::IPSet" => "IP sets",
            "AWS::WAFv2::RuleGroup" => "rule groups",
            "AWS::WAFv2::LoggingConfiguration" => "logging",
            "AWS::CloudWatch::Alarm" => "alarms",
            "AWS::CloudFront::Distribution" => "distributions",
            _ => "resources behind regional web ACLs",
        }
    }

    /// `prod=arn:…`, or an ARN.
    fn named(given: &str) -> Result<(Option<String>, Arn)> {
        let (environment, arn) = match given.split_once('=') {
            Some((environment, arn)) if !environment.contains(':') => {
                (Some(environment.to_owned()), arn)
            }
            _ => (None, given),
        };
        let parsed = Arn::parse(arn, "webacl").ok_or_else(|| {
            hinted(
                format!("--web-acl {} is not the ARN of a web ACL", plain(arn)),
                "`aws wafv2 list-web-acls --scope CLOUDFRONT --region us-east-1` shows ARNs",
            )
        })?;
        Ok((environment, parsed))
    }

    /// The policies whose web ACLs are looked for; one that is none: all web ACLs.
    fn wanted<'a>(
        arguments: &Arguments,
        policy: Option<&'a Policy>,
    ) -> Result<Vec<(Option<String>, Option<&'a Policy>)>> {
        if arguments.env.is_empty() {
            return Ok(vec![(None, policy)]);
        }
        let Some(whole) = policy else {
            let hint = "environments stand in a policy; name it with --policy, or the web ACLs with --web-acl NAME=ARN";
            return Err(hinted("--env without a policy", hint));
        };
        let one = |name: &String| match whole.in_environment(name) {
            Ok(policy) => Ok((Some(name.clone()), Some(policy))),
            Err(error) => Err(hinted(error.to_string(), error.hint())),
        };
        arguments.env.iter().map(one).collect()
    }

    /// Logs in once for each region.
    struct Reader<'a> {
        login: &'a Login,
        ui: &'a Ui,
        accounts: BTreeMap<String, Account>,
    }

    impl Reader<'_> {
        fn account(&mut self, scope: Scope, region: &str) -> Result<&Account> {
            if !self.accounts.contains_key(region) {
                if let (Scope::CloudFront, Some(given)) = (scope, self.login.region())
                    && given != region
                {
                    self.ui.note(&format!(
                        "--region {} is of no use here: what belongs to CloudFront is in {region}",
                        plain(given)
                    ));
                }
                let account = self.ui.asking(|| self.login.open(region, "what is live"))?;
                self.accounts.insert(region.to_owned(), account);
            }
            Ok(&self.accounts[region])
        }

        fn check_region(&self, arn: &Arn) -> Result<()> {
            match self.login.region() {
                Some(given) if arn.scope == Scope::Regional && given != arn.region => Err(hinted(
                    format!(
                        "the web ACL {} is in {}, and --region says {}",
                        plain(&arn.name),
                        plain(&arn.region),
                        plain(given)
                    ),
                    "leave --region out: the ARN has it",
                )),
                _ => Ok(()),
            }
        }

        fn of_distribution(&mut self, id: &str) -> Result<Arn> {
            let account = self.account(Scope::CloudFront, CLOUDFRONT_REGION)?;
            let web_acl = account.distribution(id)?.web_acl;
            Arn::parse(&web_acl, "webacl").ok_or_else(|| {
                let id = plain(id);
                if web_acl.is_empty() {
                    let hint = "`ratewaf apply --distribution` puts one before it";
                    hinted(
                        format!("the distribution {id} has no web ACL: nothing limits there"),
                        hint,
                    )
                } else {
                    hinted(
                        format!(
                            "the distribution {id} has a web ACL of AWS WAF Classic, {}",
                            plain(&web_acl)
                        ),
                        "only web ACLs of WAFV2 are read",
                    )
                }
            })
        }

        /// The web ACL of a policy, and the names of all others.
        fn of_policy(&mut self, policy: &Policy) -> Result<(Arn, Vec<String>)> {
            let (scope, region) = home(policy);
            if let (Scope::Regional, Some(given)) = (scope, self.login.region())
                && given != region
            {
                return Err(hinted(
                    format!("the policy is for {region}, and --region says {}", plain(given)),
                    "leave --region out, or change `region` in the policy",
                ));
            }
            let (mut arns, mut others) = self.listed(scope, &region)?;
            let name = policy.web_acl.name();
            let Some(place) = arns.iter().position(|arn| arn.name == name) else {
                let there =
                    format!("there is no web ACL {} {}", plain(name), in_words(scope, &region));
                return Err(hinted(
                    there,
                    "`ratewaf apply` makes it; --web-acl names another one, --profile another account",
                ));
            };
            let found = arns.remove(place);
            others.extend(arns.into_iter().map(|arn| arn.name));
            Ok((found, others))
        }

        /// All web ACLs in front of CloudFront, or those of a region, and the names of the others there.
        fn all(&mut self) -> Result<(Vec<Arn>, Vec<String>)> {
            let (scope, region) = match self.login.region() {
                Some(region) => (Scope::Regional, region.to_owned()),
                None => (Scope::CloudFront, CLOUDFRONT_REGION.to_owned()),
            };
            let (arns, others) = self.listed(scope, &region)?;
            if arns.is_empty() {
                return Err(hinted(
                    format!("there is no web ACL {}", in_words(scope, &region)),
                    "--region looks at the regional ones there, and no --region at those in front of CloudFront; --profile names another account",
                ));
            }
            Ok((arns, others))
        }

        /// Those of a scope, and the names of those that live in the same region with another scope: they share
        /// the region's alarms.
        fn listed(&mut self, scope: Scope, region: &str) -> Result<(Vec<Arn>, Vec<String>)> {
            let account = self.account(scope, region)?;
            let arns = account.web_acls(scope)?;
            let other = match scope {
                Scope::CloudFront => Scope::Regional,
                Scope::Regional if region == CLOUDFRONT_REGION => Scope::CloudFront,
                Scope::Regional => return Ok((arns, Vec::new())),
            };
            let others = account.web_acls(other)?;
            Ok((arns, others.into_iter().map(|arn| arn.name).collect()))
        }
    }

    fn in_words(scope: Scope, region: &str) -> String {
        match scope {
            Scope::CloudFront => "in front of CloudFront".to_owned(),
            Scope::Regional => format!("of scope REGIONAL in {}", plain(region)),
        }
    }
}
