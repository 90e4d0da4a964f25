//! The shapes of `WAFv2` below `Rule`, and what of a rule does not fit into them.

use serde_json::Value;

use super::marker;
use crate::policy::closest;

/// Structures: the members, `:` and the structure that a member is (or is a list of), `=` and the words that it
/// may be. From the service model of 2019-07-29, without what only configures managed rule groups. `Monetize` and
/// Terraform's `excluded_rule` are in the provider's schema.
const STRUCTURES: &[(&str, &str)] = &[
    ("All", ""),
    ("AllQueryArguments", ""),
    ("AllowAction", "CustomRequestHandling:CustomRequestHandling"),
    ("AndStatement", "Statements:Statement"),
    ("AsnMatchStatement", "AsnList ForwardedIPConfig:ForwardedIPConfig"),
    ("BlockAction", "CustomResponse:CustomResponse"),
    ("Body", "OversizeHandling=OversizeHandling"),
    (
        "ByteMatchStatement",
        "FieldToMatch:FieldToMatch PositionalConstraint=PositionalConstraint SearchString \
         TextTransformations:TextTransformation",
    ),
    ("CaptchaAction", "CustomRequestHandling:CustomRequestHandling"),
    ("CaptchaConfig", "ImmunityTimeProperty:ImmunityTimeProperty"),
    ("ChallengeAction", "CustomRequestHandling:CustomRequestHandling"),
    ("ChallengeConfig", "ImmunityTimeProperty:ImmunityTimeProperty"),
    ("CookieMatchPattern", "All:All ExcludedCookies IncludedCookies"),
    (
        "Cookies",
        "MatchPattern:CookieMatchPattern MatchScope=MapMatchScope \
         OversizeHandling=OversizeHandling",
    ),
    ("CountAction", "CustomRequestHandling:CustomRequestHandling"),
    ("CustomHTTPHeader", "Name Value"),
    ("CustomRequestHandling", "InsertHeaders:CustomHTTPHeader"),
    ("CustomResponse", "CustomResponseBodyKey ResponseCode ResponseHeaders:CustomHTTPHeader"),
    ("ExcludedRule", "Name"),
    (
        "FieldToMatch",
        "AllQueryArguments:AllQueryArguments Body:Body Cookies:Cookies \
         HeaderOrder:HeaderOrder Headers:Headers JA3Fingerprint:JA3Fingerprint \
         JA4Fingerprint:JA4Fingerprint JsonBody:JsonBody Method:Method \
         QueryString:QueryString SingleHeader:SingleHeader \
         SingleQueryArgument:SingleQueryArgument UriFragment:UriFragment UriPath:UriPath",
    ),
    ("ForwardedIPConfig", "FallbackBehavior=FallbackBehavior HeaderName"),
    ("GeoMatchStatement", "CountryCodes ForwardedIPConfig:ForwardedIPConfig"),
    ("HeaderMatchPattern", "All:All ExcludedHeaders IncludedHeaders"),
    ("HeaderOrder", "OversizeHandling=OversizeHandling"),
    (
        "Headers",
        "MatchPattern:HeaderMatchPattern MatchScope=MapMatchScope \
         OversizeHandling=OversizeHandling",
    ),
    (
        "IPSetForwardedIPConfig",
        "FallbackBehavior=FallbackBehavior HeaderName Position=ForwardedIPPosition",
    ),
    ("IPSetReferenceStatement", "ARN IPSetForwardedIPConfig:IPSetForwardedIPConfig"),
    ("ImmunityTimeProperty", "ImmunityTime"),
    ("JA3Fingerprint", "FallbackBehavior=FallbackBehavior"),
    ("JA4Fingerprint", "FallbackBehavior=FallbackBehavior"),
    (
        "JsonBody",
        "InvalidFallbackBehavior=BodyParsingFallbackBehavior MatchPattern:JsonMatchPattern \
         MatchScope=JsonMatchScope OversizeHandling=OversizeHandling",
    ),
    ("JsonMatchPattern", "All:All IncludedPaths"),
    ("Label", "Name"),
    ("LabelMatchStatement", "Key Scope=LabelMatchScope"),
    (
        "ManagedRuleGroupStatement",
        "ExcludedRules:ExcludedRule ManagedRuleGroupConfigs Name \
         RuleActionOverrides:RuleActionOverride ScopeDownStatement:Statement VendorName \
         Version",
    ),
    ("Method", ""),
    ("NoneAction", ""),
    ("NotStatement", "Statement:Statement"),
    ("OrStatement", "Statements:Statement"),
    ("OverrideAction", "Count:CountAction None:NoneAction"),
    ("QueryString", ""),
    (
        "RateBasedStatement",
        "AggregateKeyType=RateBasedStatementAggregateKeyType \
         CustomKeys:RateBasedStatementCustomKey EvaluationWindowSec \
         ForwardedIPConfig:ForwardedIPConfig Limit ScopeDownStatement:Statement",
    ),
    (
        "RateBasedStatementCustomKey",
        "ASN:RateLimitAsn Cookie:RateLimitCookie ForwardedIP:RateLimitForwardedIP \
         HTTPMethod:RateLimitHTTPMethod Header:RateLimitHeader IP:RateLimitIP \
         JA3Fingerprint:RateLimitJA3Fingerprint JA4Fingerprint:RateLimitJA4Fingerprint \
         LabelNamespace:RateLimitLabelNamespace QueryArgument:RateLimitQueryArgument \
         QueryString:RateLimitQueryString UriPath:RateLimitUriPath",
    ),
    ("RateLimitAsn", ""),
    ("RateLimitCookie", "Name TextTransformations:TextTransformation"),
    ("RateLimitForwardedIP", ""),
    ("RateLimitHTTPMethod", ""),
    ("RateLimitHeader", "Name TextTransformations:TextTransformation"),
    ("RateLimitIP", ""),
    ("RateLimitJA3Fingerprint", "FallbackBehavior=FallbackBehavior"),
    ("RateLimitJA4Fingerprint", "FallbackBehavior=FallbackBehavior"),
    ("RateLimitLabelNamespace", "Namespace"),
    ("RateLimitQueryArgument", "Name TextTransformations:TextTransformation"),
    ("RateLimitQueryString", "TextTransformations:TextTransformation"),
    ("RateLimitUriPath", "TextTransformations:TextTransformation"),
    (
        "RegexMatchStatement",
        "FieldToMatch:FieldToMatch RegexString TextTransformations:TextTransformation",
    ),
    (
        "RegexPatternSetReferenceStatement",
        "ARN FieldToMatch:FieldToMatch TextTransformations:TextTransformation",
    ),
    (
        "Rule",
        "Action:RuleAction CaptchaConfig:CaptchaConfig ChallengeConfig:ChallengeConfig Name \
         OverrideAction:OverrideAction Priority RuleLabels:Label Statement:Statement \
         VisibilityConfig:VisibilityConfig",
    ),
    (
        "RuleAction",
        "Allow:AllowAction Block:BlockAction Captcha:CaptchaAction Challenge:ChallengeAction \
         Count:CountAction Monetize",
    ),
    ("RuleActionOverride", "ActionToUse:RuleAction Name"),
    (
        "RuleGroupReferenceStatement",
        "ARN ExcludedRule:ExcludedRule ExcludedRules:ExcludedRule \
         RuleActionOverrides:RuleActionOverride",
    ),
    ("SingleHeader", "Name"),
    ("SingleQueryArgument", "Name"),
    (
        "SizeConstraintStatement",
        "ComparisonOperator=ComparisonOperator FieldToMatch:FieldToMatch Size \
         TextTransformations:TextTransformation",
    ),
    (
        "SqliMatchStatement",
        "FieldToMatch:FieldToMatch SensitivityLevel=SensitivityLevel \
         TextTransformations:TextTransformation",
    ),
    (
        "Statement",
        "AndStatement:AndStatement AsnMatchStatement:AsnMatchStatement \
         ByteMatchStatement:ByteMatchStatement GeoMatchStatement:GeoMatchStatement \
         IPSetReferenceStatement:IPSetReferenceStatement \
         LabelMatchStatement:LabelMatchStatement \
         ManagedRuleGroupStatement:ManagedRuleGroupStatement NotStatement:NotStatement \
         OrStatement:OrStatement RateBasedStatement:RateBasedStatement \
         RegexMatchStatement:RegexMatchStatement \
         RegexPatternSetReferenceStatement:RegexPatternSetReferenceStatement \
         RuleGroupReferenceStatement:RuleGroupReferenceStatement \
         SizeConstraintStatement:SizeConstraintStatement \
         SqliMatchStatement:SqliMatchStatement XssMatchStatement:XssMatchStatement",
    ),
    ("TextTransformation", "Priority Type=TextTransformationType"),
    ("UriFragment", "FallbackBehavior=FallbackBehavior"),
    ("UriPath", ""),
    ("VisibilityConfig", "CloudWatchMetricsEnabled MetricName SampledRequestsEnabled"),
    ("XssMatchStatement", "FieldToMatch:FieldToMatch TextTransformations:TextTransformation"),
];

/// Words that a member may be, by the name of their set.
const WORDS: &[(&str, &str)] = &[
    ("BodyParsingFallbackBehavior", "MATCH NO_MATCH EVALUATE_AS_STRING"),
    ("ComparisonOperator", "EQ NE LE LT GE GT"),
    ("FallbackBehavior", "MATCH NO_MATCH"),
    ("ForwardedIPPosition", "FIRST LAST ANY"),
    ("JsonMatchScope", "ALL KEY VALUE"),
    ("LabelMatchScope", "LABEL NAMESPACE"),
    ("MapMatchScope", "ALL KEY VALUE"),
    ("OversizeHandling", "CONTINUE MATCH NO_MATCH"),
    ("PositionalConstraint", "EXACTLY STARTS_WITH ENDS_WITH CONTAINS CONTAINS_WORD"),
    ("RateBasedStatementAggregateKeyType", "IP FORWARDED_IP CUSTOM_KEYS CONSTANT"),
    ("SensitivityLevel", "LOW HIGH"),
    (
        "TextTransformationType",
        "NONE COMPRESS_WHITE_SPACE HTML_ENTITY_DECODE LOWERCASE CMD_LINE URL_DECODE \
         BASE64_DECODE HEX_DECODE MD5 REPLACE_COMMENTS ESCAPE_SEQ_DECODE SQL_HEX_DECODE \
         CSS_DECODE JS_DECODE NORMALIZE_PATH NORMALIZE_PATH_WIN REMOVE_NULLS REPLACE_NULLS \
         BASE64_DECODE_EXT URL_DECODE_UNI UTF8_TO_UNICODE",
    ),
];

/// Deeper rules are not looked at.
const DEPTH: usize = 128;

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit<'a> {
    /// The structure that it stands in, such as `RateBasedStatement`.
    pub within: &'static str,
    /// The member, as it is written in the API's spelling.
    pub member: &'a str,
    /// The word that the member is, where the member is known and its word is not.
    pub word: Option<&'a str>,
    /// What was meant, if something is close.
    pub meant: Option<&'static str>,
}

/// What of a rule AWS does not know: names of members, and words where it takes one of a few.
#[must_use]
pub fn misfits(rule: &Value) -> Vec<Misfit<'_>> {
    let mut found = Vec::new();
    gather(rule, "Rule", &mut found, DEPTH);
    found
}

fn gather<'a>(value: &'a Value, shape: &str, into: &mut Vec<Misfit<'a>>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Value::Array(several) = value {
        several.iter().for_each(|one| gather(one, shape, into, depth));
        return;
    }
    let Some((within, members)) = STRUCTURES.iter().find(|(name, _)| *name == shape) else {
        return;
    };
    if !marker::is_known(value) {
        return;
    }
    for (member, inner) in value.as_object().into_iter().flatten() {
        let known = members.split(' ').find(|one| name(one) == member);
        let Some(known) = known else {
            if !is_foreign(within, member) && !inner.is_null() {
                let meant = nearest(member, members.split(' ').map(name));
                into.push(Misfit { within, member, word: None, meant });
            }
            continue;
        };
        if let Some((_, shape)) = known.split_once(':') {
            gather(inner, shape, into, depth);
        }
        let set = known.split_once('=').map(|(_, set)| set);
        let words = WORDS.iter().find(|(name, _)| Some(*name) == set);
        if let (Some((_, words)), Some(word)) = (words, inner.as_str())
            && !words.split(' ').any(|one| one == word)
        {
            let meant = nearest(word, words.split(' '));
            into.push(Misfit { within, member, word: Some(word), meant });
        }
    }
}

fn name(member: &str) -> &str {
    member.split([':', '=']).next().unwrap_or(member)
}

/// Members of a rule that is a resource of its own, and of a template's own functions.
fn is_foreign(within: &str, member: &str) -> bool {
    let of_resource = within == "Rule" && matches!(member, "Region" | "Timeouts" | "WebACLArn");
    of_resource || member.starts_with('$') || member.starts_with("Fn::")
}

/// The name that is close enough to be meant, whatever the case of its letters.
#[must_use]
pub fn nearest<'w>(written: &str, names: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let plain: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    let words: Vec<&str> = plain.iter().map(String::as_str).collect();
    let found = closest(written, &words)?;
    names.into_iter().find(|name| name.eq_ignore_ascii_case(found))
}
