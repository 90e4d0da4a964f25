//! What the flat-rate pricing plans of CloudFront forbid (CloudFront guide, "flat-rate-pricing-plan").

use super::document::{ActionWord, AttachedWord, Document, Path, PricingPlan, ScopeWord};
use super::problem::{Problem, Span};
use super::reader::Located;
use crate::quotas;
use crate::rules::{KeyPart, PathPattern};

impl ActionWord {
    /// Its spelling in a policy.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

impl PricingPlan {
    /// Its spelling in a policy.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Its spelling if it is one of the flat-rate plans, which include AWS WAF.
    #[must_use]
    pub const fn flat_rate(self) -> Option<&'static str> {
        if matches!(self, Self::Payg) { None } else { Some(self.as_str()) }
    }

    /// Whether blocked requests may get an answer of their own.
    #[must_use]
    pub const fn has_custom_response(self) -> bool {
        !matches!(self, Self::Free)
    }

    /// Whether a rule may look at the Host header.
    #[must_use]
    pub const fn has_header_match(self) -> bool {
        !matches!(self, Self::Free)
    }

    /// Whether a rule may use a regular expression.
    #[must_use]
    pub const fn has_regex(self) -> bool {
        !matches!(self, Self::Free | Self::Pro)
    }

    /// Whether a rule may take this action.
    #[must_use]
    pub const fn has_action(self, action: ActionWord) -> bool {
        match action {
            ActionWord::Count | ActionWord::Block => true,
            ActionWord::Captcha => !matches!(self, Self::Free),
            ActionWord::Challenge => !matches!(self, Self::Free | Self::Pro),
        }
    }

    /// Rules in the web ACL; `None`: as many as the capacity allows.
    #[must_use]
    pub const fn most_rules(self) -> Option<usize> {
        let [free, pro, business, premium] = quotas::RULES_PER_PLAN;
        match self {
            Self::Payg => None,
            Self::Free => Some(free),
            Self::Pro => Some(pro),
            Self::Business => Some(business),
            Self::Premium => Some(premium),
        }
    }
}

/// Notes everything in a document that a plan forbids. `place` is where the plan is chosen.
pub fn check(document: &Document, plan: PricingPlan, place: Span, problems: &mut Vec<Problem>) {
    let name = plan.as_str();
    let chosen = format!("the plan `{name}` is chosen here");
    let mut forbid = |span: Span, what: &str, help: &str| {
        problems.push(
            Problem::new(format!("the pricing plan `{name}` has no {what}"))
                .at(span)
                .found("not possible on this plan")
                .help(help)
                .related(place, chosen.as_str()),
        );
    };
    let defaults = document.defaults.as_ref().map(|defaults| &defaults.value);
    if let Some(response) = defaults.and_then(|defaults| defaults.response.as_ref())
        && !plan.has_custom_response()
    {
        forbid(
            response.span,
            "custom response",
            "remove `response`: AWS WAF then answers 403 without a body",
        );
    }
    let mut action = |action: &Option<Located<ActionWord>>| {
        if let Some(action) = action
            && !plan.has_action(action.value)
        {
            forbid(
                action.span,
                &format!("`{}`", action.value.as_str()),
                "allowed on every plan: `count`, `block`",
            );
        }
    };
    if let Some(defaults) = defaults {
        action(&defaults.action);
    }
    let routes = document.routes.iter().flat_map(|routes| &routes.value);
    routes.clone().for_each(|route| action(&route.value.action));
    for route in routes {
        if let Some(host) = &route.value.host
            && !plan.has_header_match()
        {
            forbid(
                host.span,
                "match on a header",
                "remove `host`: the rule then counts every host",
            );
        }
        regex(route.value.path.as_ref(), plan, &mut forbid);
    }
    let keys = document.routes.iter().flat_map(|routes| &routes.value);
    let keys = keys.filter_map(|route| route.value.key.as_ref());
    let keys = keys.chain(defaults.and_then(|defaults| defaults.key.as_ref()));
    for key in keys {
        let has_header = key.value.0.iter().any(|part| {
            matches!(part, KeyPart::Header(_) | KeyPart::Cookie(_) | KeyPart::ForwardedIp)
        });
        if has_header && !plan.has_header_match() {
            forbid(key.span, "look at a header", "count by `ip`");
        }
    }
    let is_regional =
        document.scope.as_ref().is_some_and(|scope| scope.value == ScopeWord::Regional);
    if let (Some(web_acl), false) = (&document.web_acl, is_regional)
        && let (Some(form), Some(_)) = (&web_acl.value.0.form, plan.flat_rate())
        && form.value == AttachedWord::RuleGroup
    {
        forbid(form.span, "rule groups", "write `form: rules`: one rule each");
    }
    for entry in document.never_limited.iter().flat_map(|entries| &entries.value) {
        regex(entry.value.path.as_ref(), plan, &mut forbid);
    }
}

fn regex(
    path: Option<&Located<Path>>,
    plan: PricingPlan,
    forbid: &mut impl FnMut(Span, &str, &str),
) {
    if let Some(Located { value: Path { meant: PathPattern::Regex(_), text_span }, .. }) = path
        && !plan.has_regex()
    {
        forbid(
            *text_span,
            "regular expressions",
            "use `exactly`, `starts_with`, `ends_with` or `contains`; `regex` needs `business`",
        );
    }
}
