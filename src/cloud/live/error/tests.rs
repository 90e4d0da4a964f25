use super::*;

fn error(status: u16, code: &str, message: &str, body: &str) -> Error {
    let body = serde_json::from_str(body).unwrap_or_default();
    let said = Said { status, code: code.to_owned(), message: message.to_owned(), body };
    Error::of(said, "wafv2:UpdateWebACL", "arn:x")
}

/// Each kind of refusal says what it is about and what to do.
#[test]
fn what_aws_says_becomes_what_to_do() {
    let denied = "User: u is not authorized to perform: wafv2:GetIPSet on resource: arn:aws:wafv2:us-east-1:123456789012:global/ipset/a/b because no policy allows it";
    let invalid = r#"{"Field":"RATE_BASED_STATEMENT","Parameter":"9","Reason":"too small"}"#;
    let full = r#"{"Field":"WEB_ACL","Parameter":"5001","Reason":"capacity"}"#;
    let plan =
        r#"{"DisallowedFeatures":[{"Feature":"CustomResponse","RequiredPricingPlan":"PRO"}]}"#;
    for (status, code, message, body, words, hint) in [
        (
            400,
            "AccessDeniedException",
            denied,
            "",
            "AWS denies wafv2:GetIPSet on arn:aws:wafv2",
            "allow wafv2:GetIPSet on arn:aws:wafv2:us-east-1:123456789012:global/ipset/a/b",
        ),
        (
            400,
            "AccessDeniedException",
            "no",
            "",
            "AWS denies wafv2:UpdateWebACL on arn:x",
            "allow wafv2:UpdateWebACL on arn:x",
        ),
        (
            400,
            "ExpiredTokenException",
            "old",
            "",
            "does not accept the credentials",
            "aws sso login",
        ),
        (
            400,
            "ThrottlingException",
            "Rate exceeded",
            "",
            "after 6 attempts: ThrottlingException",
            "not done twice",
        ),
        (500, "WAFInternalErrorException", "oops", "", "keeps refusing", "not done twice"),
        (
            400,
            "WAFInvalidParameterException",
            "m",
            invalid,
            "field RATE_BASED_STATEMENT of arn:x: too small: 9",
            "somebody else's",
        ),
        (400, "WAFInvalidParameterException", "m", full, "field WEB_ACL", "capacity"),
        (
            400,
            "WAFFeatureNotIncludedInPricingPlanException",
            "m",
            plan,
            "CustomResponse (from PRO)",
            "pricing_plan",
        ),
        (
            400,
            "WAFLimitsExceededException",
            "m",
            r#"{"SourceType":"IP_SET"}"#,
            "a quota of WAF of IP_SET",
            "Service Quotas",
        ),
        (
            400,
            "WAFUnavailableEntityException",
            "m",
            "",
            "not to be seen everywhere",
            "a few minutes",
        ),
        (400, "WAFNonexistentItemException", "m", "", "arn:x is not there", "--profile"),
        (400, "WAFDuplicateItemException", "m", "", "WAFDuplicateItemException", "run it again"),
        (400, "WAFAssociatedItemException", "m", "", "still in use", "refers to it"),
        (400, "WAFOptimisticLockException", "m", "", "changed by somebody else", "compares anew"),
        (412, "PreconditionFailed", "m", "", "changed by somebody else", "compares anew"),
        (400, "WAFConfigurationWarningException", "m", "", "WAFConfigurationWarning", "oversized"),
        (400, "WAFSubscriptionNotFoundException", "m", "", "WAFSubscription", "Marketplace"),
        (400, "WAFExpiredManagedRuleGroupVersionException", "m", "", "WAFExpired", "its owner"),
        (400, "WAFTagOperationException", "m", "", "WAFTagOperation", "tags"),
        (400, "WAFInvalidOperationException", "m", "", "WAFInvalidOperation", "rollback"),
        (400, "InvalidWebACLId", "m", "", "InvalidWebACLId", "wafv2:GetWebACL"),
        (404, "NoSuchDistribution", "m", "", "NoSuchDistribution", "check the name"),
        (418, "Odd", "m", "", "AWS refuses wafv2:UpdateWebACL on arn:x: Odd: m", "AWS's page"),
    ] {
        let error = error(status, code, message, body);
        assert!(error.to_string().contains(words), "{code}: {error}");
        let own = error.hint().unwrap_or_default();
        assert!(own.contains(hint), "{code}: {own}");
    }
    let silent = error(0, "", "connection refused", "");
    assert!(silent.to_string().contains("cannot reach AWS for wafv2:UpdateWebACL"));
    assert!(silent.hint().unwrap_or_default().contains("HTTPS_PROXY"));
}

#[test]
fn texts_of_aws_do_not_run_in_the_terminal() {
    let error = error(400, "Odd\u{1b}[2J", "x\u{1b}[31m", "");
    assert!(!error.to_string().contains('\u{1b}'));
}
