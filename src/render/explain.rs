//! What a stack uses of AWS's quotas and what it costs, as text for people.

use crate::stack::{Acl, Budget, Stack};
use crate::units::{count, plain, thousands};
use crate::wafv2::{CAPACITIES, PRICES, capacity, dollars};

/// The budget of a stack, before AWS says no.
#[must_use]
pub fn explain(stack: &Stack) -> String {
    let mut out = Vec::new();
    quotas(&stack.budget, &mut out);
    wcu(stack, &mut out);
    plan(&stack.budget, &mut out);
    price(stack, &mut out);
    if !stack.duties.is_empty() {
        out.push(String::new());
        out.push("To do by hand".to_owned());
        let duties = stack.duties.iter();
        out.extend(
            duties.map(|duty| plain(&format!("  {}: {}", duty.whose, duty.what)).into_owned()),
        );
    }
    out.push(String::new());
    out.join("\n")
}

fn quotas(budget: &Budget, out: &mut Vec<String>) {
    out.push("Quotas".to_owned());
    let used: Vec<(String, String)> = budget
        .rows
        .iter()
        .map(|row| {
            (row.what.clone(), format!("{} of {}", thousands(row.used), thousands(row.most)))
        })
        .collect();
    let first = used.iter().map(|(what, _)| what.len()).max().unwrap_or_default();
    let second = used.iter().map(|(_, used)| used.len()).max().unwrap_or_default();
    for ((what, used), row) in used.iter().zip(&budget.rows) {
        out.push(format!("  {what:<first$}  {used:>second$}  ({})", row.source));
    }
}

fn wcu(stack: &Stack, out: &mut Vec<String>) {
    out.push(String::new());
    out.push("WCU of each rule, estimated".to_owned());
    let width = stack.rules().map(|rule| rule.name.len()).max().unwrap_or_default();
    for rule in stack.rules() {
        let wcu = thousands(capacity(&rule.statement).into());
        out.push(format!("  {:<width$}  {wcu:>5}", rule.name));
    }
    let parts: Vec<String> = CAPACITIES.iter().map(|(what, wcu)| format!("{what} {wcu}")).collect();
    out.push(format!("  The table: {}.", parts.join(", ")));
    out.push(
        "  AWS WAF developer guide, the page of each statement; only CheckCapacity knows."
            .to_owned(),
    );
}

fn plan(budget: &Budget, out: &mut Vec<String>) {
    let Some(plan) = budget.plan else { return };
    out.push(String::new());
    out.push(format!("The flat-rate plan {plan} forbids"));
    out.extend(budget.forbidden.iter().map(|line| format!("  {line}")));
}

fn price(stack: &Stack, out: &mut Vec<String>) {
    let budget = &stack.budget;
    out.push(String::new());
    out.push("Price".to_owned());
    if let Some(plan) = budget.plan {
        out.push(format!("  Included in the flat-rate plan {plan}."));
        return;
    }
    out.push(format!("  {} a month, before any request", dollars(budget.fixed_cents)));
    if stack.acl.is_own() {
        out.push(format!(
            "  {} per million requests, whatever the rules do with them",
            dollars(budget.waf.cents_per_million)
        ));
    } else {
        out.push("  The requests are paid for by the web ACL's owner.".to_owned());
    }
    if let (Some(cents), Some(traffic), Acl::Own(_)) =
        (budget.monthly_cents, budget.traffic, &stack.acl)
    {
        let month = traffic.a_month().unwrap_or_default();
        out.push(format!(
            "  {} a month with the requests of the logs: {} in {}, so {} a month",
            dollars(cents),
            thousands(traffic.requests),
            count(traffic.hours, "hour", "hours"),
            thousands(month)
        ));
    }
    out.push(format!(
        "  Pay as you go, prices of {}; without CloudWatch, SNS and the logs.",
        PRICES.as_of
    ));
}
