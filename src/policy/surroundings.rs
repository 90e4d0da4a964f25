//! What a policy says about what stands around its rules, and what that means.

use super::collection::NonEmpty;
use super::document::Document;
use super::grammar::{mapping, words};
use super::problem::{Problem, Span};
use super::reader::{Field, Located};
use super::validate::value;
use super::value::{
    Flag, HeaderName, LogName, ParameterName, Redacted, Region, ResourceArn, RetentionDays,
};
use crate::rules::{
    LogDestination, LoggedRequests, LoggingPlan, OriginGuard, Permitted, RedactedPart, Scope,
    Surroundings,
};

mapping! {
    /// Where the web ACL is logged: one of log_group, bucket and firehose.
    LoggingDocument, "`logging`" {
        /// A CloudWatch log group, which is made.
        optional log_group: LogName,
        /// A bucket that is there.
        optional bucket: LogName,
        /// A Firehose stream that is there.
        optional firehose: LogName,
        /// Days that the log group keeps its records. Default: 30.
        optional retention_days: RetentionDays,
        /// What is left out of every record. Default: the headers authorization and cookie.
        optional redact: Vec<Located<Redacted>>,
        /// Which requests are kept: `limited`, those that a rule acted on or counted, or `all`. Default:
        /// limited.
        optional keep: KeepWord,
    }
}

mapping! {
    /// The way around CloudFront, closed: CloudFront adds a secret header, and a web ACL of its own, on
    /// the API behind it, demands it for the routes of this policy.
    GuardDocument, "`origin_guard`" {
        /// The Region of the API.
        required region: Region,
        /// ARNs of the load balancers and API stages behind CloudFront.
        required associations: NonEmpty<ResourceArn>,
        /// The header that CloudFront adds. Default: x-origin-verify.
        optional header: HeaderName,
        /// The SSM parameter that keeps the secret. Default: /NAME/origin-secret.
        optional parameter: ParameterName,
        /// Whether the secret before the present one is taken as well, for the hours of a rotation.
        /// Default: false.
        optional rotating: Flag,
        /// What happens to a request without the secret: `count` at first. Default: block.
        optional action: GuardWord,
    }
}

words! {
    /// Which requests stand in the log.
    KeepWord, "choice of requests" {
        /// Those that a rule acted on or counted.
        Limited = "limited",
        /// All.
        All = "all",
    }
}

words! {
    /// What happens to a request without the secret.
    GuardWord, "action of the guard" {
        /// Counted, let through.
        Count = "count",
        /// Refused.
        Block = "block",
    }
}

words! {
    /// Whose permissions are written out.
    PermittedWord, "set of permissions" {
        /// The CI user when it plans.
        Plan = "plan",
        /// The CI user when it applies.
        Apply = "apply",
        /// ratewaf itself: status, plan, apply, promote, rollback.
        Ratewaf = "ratewaf",
    }
}

/// Days that a log group keeps its records unless the policy says otherwise.
const RETENTION_DAYS: u32 = 30;
/// The header of the guard unless the policy says otherwise.
const GUARD_HEADER: &str = "x-origin-verify";

/// What the policy asks for around its rules.
pub fn surroundings(
    document: &Document,
    scope: Option<&Scope>,
    problems: &mut Vec<Problem>,
) -> Surroundings {
    let name = document.name.as_ref().map(|name| name.value.0.as_str()).unwrap_or_default();
    let permissions = document.permissions.iter().flat_map(|list| &list.value.0);
    let mut permissions: Vec<Permitted> = permissions
        .map(|word| match word.value {
            PermittedWord::Plan => Permitted::Plan,
            PermittedWord::Apply => Permitted::Apply,
            PermittedWord::Ratewaf => Permitted::Ratewaf,
        })
        .collect();
    permissions.sort();
    permissions.dedup();
    Surroundings {
        environment: None,
        associations: associations(document, scope, problems),
        logging: logging(document, problems),
        dashboard: value(&document.dashboard).is_some_and(|flag| flag.0),
        guard: guard(name, &document.origin_guard, problems),
        permissions,
    }
}

fn associations(
    document: &Document,
    scope: Option<&Scope>,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let Some(list) = &document.associations else { return Vec::new() };
    if scope == Some(&Scope::CloudFront) {
        problems.push(
            Problem::new("a web ACL for CloudFront has no associations")
                .at(list.span)
                .found("these are of a regional web ACL")
                .help("set `web_acl_id` of the distribution, or write `scope: regional`"),
        );
    }
    if document.web_acl.as_ref().is_some_and(|acl| acl.value.0.attach.is_some()) {
        problems.push(
            Problem::new("somebody else's web ACL has its own associations")
                .at(list.span)
                .found("`web_acl` attaches to it")
                .help("remove `associations`: its owner says what it stands before"),
        );
    }
    unique(&list.value, problems)
}

fn unique(list: &NonEmpty<ResourceArn>, problems: &mut Vec<Problem>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(list.0.len());
    for arn in &list.0 {
        if out.contains(&arn.value.0) {
            let problem = Problem::new("this ARN comes twice").at(arn.span);
            problems.push(problem.found("the second one").help("remove it"));
        } else {
            out.push(arn.value.0.clone());
        }
    }
    out
}

fn logging(document: &Document, problems: &mut Vec<Problem>) -> Option<LoggingPlan> {
    let Located { value: written, span } = document.logging.as_ref()?;
    if document.web_acl.as_ref().is_some_and(|acl| acl.value.0.attach.is_some()) {
        problems.push(
            Problem::new("somebody else's web ACL has its own log")
                .at(*span)
                .found("`web_acl` attaches to it, and a web ACL has one log")
                .help("remove `logging`"),
        );
    }
    let redact = written.redact.as_ref().map(|parts| &parts.value);
    let redacted = redact.map_or_else(
        || ["authorization", "cookie"].map(|name| RedactedPart::Header(name.to_owned())).into(),
        |parts| parts.iter().map(|part| part.value.0.clone()).collect(),
    );
    let keep = match value(&written.keep) {
        Some(KeepWord::All) => LoggedRequests::All,
        Some(KeepWord::Limited) | None => LoggedRequests::Limited,
    };
    let destination = destination(written, *span, problems)?;
    Some(LoggingPlan { destination, redacted, keep })
}

fn destination(
    written: &LoggingDocument,
    span: Span,
    problems: &mut Vec<Problem>,
) -> Option<LogDestination> {
    let LoggingDocument { log_group, bucket, firehose, retention_days, .. } = written;
    let given: Vec<&Located<LogName>> =
        [log_group, bucket, firehose].into_iter().flatten().collect();
    let mut refuse = |span: Span, found: &str| {
        let problem = Problem::new("`logging` has one destination").at(span).found(found);
        problems.push(problem.help("one of: `log_group`, `bucket`, `firehose`"));
    };
    match given.as_slice() {
        // A faulty one leaves none, too; the help is right for it as well.
        [] => {
            refuse(span, "there is none that can be used");
            return None;
        }
        [_] => {}
        [_, second, ..] => {
            refuse(second.span, "this is one too many");
            return None;
        }
    }
    if let (Some(days), None) = (retention_days, log_group) {
        let problem = Problem::new("only a log group has a retention").at(days.span);
        problems.push(problem.found("this is no log group").help("remove `retention_days`"));
    }
    let name = |field: &Field<LogName>| field.as_ref().map(|name| name.value.0.clone());
    if let Some(name) = name(log_group) {
        let retention_days = value(retention_days).map_or(RETENTION_DAYS, |days| days.0);
        return Some(LogDestination::LogGroup { name, retention_days });
    }
    name(bucket).map(LogDestination::Bucket).or(name(firehose).map(LogDestination::Firehose))
}

fn guard(
    name: &str,
    written: &Field<GuardDocument>,
    problems: &mut Vec<Problem>,
) -> Option<OriginGuard> {
    let written = &written.as_ref()?.value;
    let associations = unique(&written.associations.as_ref()?.value, problems);
    Some(OriginGuard {
        header: written
            .header
            .as_ref()
            .map_or_else(|| GUARD_HEADER.to_owned(), |header| header.value.0.clone()),
        parameter: written
            .parameter
            .as_ref()
            .map_or_else(|| format!("/{name}/origin-secret"), |name| name.value.0.clone()),
        region: written.region.as_ref()?.value.0.clone(),
        associations,
        rotating: value(&written.rotating).is_some_and(|flag| flag.0),
        counts_only: value(&written.action) == Some(GuardWord::Count),
    })
}
