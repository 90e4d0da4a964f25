//! `json-member-unknown`: a member of a rule in JSON has a name that AWS does not know, and is dropped.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::model::Tool;
use crate::checks::shapes::{self, nearest};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct JsonMemberUnknown;

const ABOUT: About = About {
    id: "json-member-unknown",
    title: "A member of a rule in JSON has a name that AWS does not know, and is dropped",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/json-member-unknown.md"),
};

impl Check for JsonMemberUnknown {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            let is_api = acl.item.tool == Tool::Api;
            if !acl.is_from_json && !is_api {
                continue;
            }
            let what = if is_api { "" } else { ": it is dropped without a word" };
            for rule in &acl.rules {
                let mut unknown = Vec::new();
                gather(&rule.raw, &mut unknown, DEPTH);
                let misfits = shapes::misfits(&rule.raw);
                let misplaced = misfits.iter().filter(|misfit| misfit.word.is_none());
                for misfit in misplaced.clone() {
                    if !unknown.contains(&misfit.member) {
                        unknown.push(misfit.member);
                    }
                }
                for name in unknown {
                    let within = misplaced.clone().find(|misfit| misfit.member == name);
                    let place = within.map(|it| format!(" in its {}", it.within));
                    let message = format!(
                        "{} has the member `{name}`{}, which AWS does not know{what}",
                        rule.title(),
                        place.unwrap_or_default()
                    );
                    let meant = match within {
                        Some(misfit) => misfit.meant,
                        None => nearest(name, MEMBERS.split(' ')),
                    };
                    findings.add(rule.place().member(name), message).help(match meant {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => "spell it as the API does".to_owned(),
                    });
                }
            }
        }
    }
}

/// Deeper JSON is not looked at.
const DEPTH: usize = 128;

/// Members of rules at any depth (`WAFv2` API, service model of 2019-07-29, the shapes below `Rule`).
const MEMBERS: &str = "ARN ASN AWSManagedRulesACFPRuleSet AWSManagedRulesATPRuleSet AWSManagedRulesAntiDDoSRuleSet \
    AWSManagedRulesBotControlRuleSet Action ActionToUse AddressFields AggregateKeyType All \
    AllQueryArguments Allow AndStatement AsnList AsnMatchStatement Block Body BodyContains \
    ByteMatchStatement Captcha CaptchaConfig Challenge ChallengeConfig ClientSideActionConfig \
    CloudWatchMetricsEnabled ComparisonOperator Cookie Cookies Count CountryCodes CreationPath \
    CustomKeys CustomRequestHandling CustomResponse CustomResponseBodyKey EmailField \
    EnableMachineLearning EnableRegexInPath EvaluationWindowSec ExcludedCookies ExcludedHeaders \
    ExcludedRules ExemptUriRegularExpressions FailureCodes FailureStrings FailureValues \
    FallbackBehavior FieldToMatch ForwardedIP ForwardedIPConfig GeoMatchStatement HTTPMethod \
    Header HeaderName HeaderOrder Headers IP IPSetForwardedIPConfig IPSetReferenceStatement \
    Identifier ImmunityTime ImmunityTimeProperty IncludedCookies IncludedHeaders IncludedPaths \
    InsertHeaders InspectionLevel InvalidFallbackBehavior JA3Fingerprint JA4Fingerprint Json \
    JsonBody Key LabelMatchStatement LabelNamespace Limit LoginPath ManagedRuleGroupConfigs \
    ManagedRuleGroupStatement MatchPattern MatchScope Method MetricName Monetize Name Namespace \
    None NotStatement OrStatement OverrideAction OversizeHandling PasswordField PayloadType \
    PhoneNumberFields Position PositionalConstraint PreParseTextTransformations Priority \
    QueryArgument QueryString RateBasedStatement RegexMatchStatement \
    RegexPatternSetReferenceStatement RegexString RegistrationPagePath RequestInspection \
    ResponseCode ResponseHeaders ResponseInspection RuleActionOverrides \
    RuleGroupReferenceStatement RuleLabels SampledRequestsEnabled Scope ScopeDownStatement \
    SearchString Sensitivity SensitivityLevel SensitivityToBlock SingleHeader \
    SingleQueryArgument Size SizeConstraintStatement SqliMatchStatement Statement Statements \
    StatusCode SuccessCodes SuccessStrings SuccessValues TextTransformations Type UriFragment \
    UriPath UsageOfAction UsernameField Value VendorName Version VisibilityConfig \
    XssMatchStatement";

fn gather<'a>(value: &'a Value, into: &mut Vec<&'a str>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Array(values) => values.iter().for_each(|one| gather(one, into, depth)),
        Value::Object(_) if !marker::is_known(value) => {}
        Value::Object(members) => {
            for (name, inner) in members {
                if !MEMBERS.split(' ').any(|it| it == name) && !into.contains(&name.as_str()) {
                    into.push(name);
                }
                gather(inner, into, depth);
            }
        }
        _ => {}
    }
}
