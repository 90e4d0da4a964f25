//! What a person could decide that the logs cannot, each with the limit that would follow.

use super::decide::{Context, Outcome, run};
use super::gap::Gap;
use super::result::{Question, QuestionKind};
use super::round::limit_in_gap;
use super::signs::RUNAWAY;
use super::standing::Norms;
use crate::profile::Label;
use crate::units::Limit;

/// More than three questions are not read.
const MOST: usize = 3;

/// The questions of an outcome, at most three, only those whose limit exists and differs from the
/// proposal.
pub(super) fn questions(
    context: &Context<'_>,
    labels: &[Option<Label>],
    outcome: &Outcome<'_>,
) -> Vec<Question> {
    let proposed = outcome.limit;
    exempt(context, labels, outcome)
        .into_iter()
        .chain(regular(context, labels, outcome))
        .chain(unwanted(context, outcome))
        .filter(|question| Some(question.limit) != proposed)
        .take(MOST)
        .collect()
}

/// The limit if some clients, who are not exempt, had another label.
fn limit_with(
    context: &Context<'_>,
    labels: &[Option<Label>],
    norms: &Norms,
    places: &[usize],
    label: Label,
) -> Option<Limit> {
    let mut relabelled = labels.to_vec();
    for &place in places {
        relabelled[place] = Some(label);
    }
    if label == Label::Exempt {
        let norms = Norms::of(context.clients, context.numbers, &relabelled, &context.order);
        run(context, &relabelled, &norms).limit
    } else {
        run(context, &relabelled, norms).limit
    }
}

/// Those who have to pass and fill or overtop a gap: exempt them?
fn exempt(
    context: &Context<'_>,
    labels: &[Option<Label>],
    outcome: &Outcome<'_>,
) -> Option<Question> {
    let way = outcome.findings.in_the_way?;
    if outcome.findings.cut.is_some_and(|cut| way.above < cut.above) {
        return None;
    }
    let standing = &outcome.standing;
    let clients: Vec<usize> = (0..context.clients.len())
        .filter(|&place| labels[place] != Some(Label::Exempt))
        .filter(|&place| {
            let peak = context.clients[place].peak;
            let must = labels[place] == Some(Label::Good) || standing.established[place];
            let between = way.lower < peak && peak < way.upper;
            (must && peak >= way.upper) || ((must || standing.shared[place]) && between)
        })
        .collect();
    let limit = limit_with(context, labels, standing.norms, &clients, Label::Exempt)?;
    Some(Question { kind: QuestionKind::Exempt, clients, more: 0, limit })
}

/// Machines that keep coming and look like runaways, the busiest of them: unwanted?
fn regular(
    context: &Context<'_>,
    labels: &[Option<Label>],
    outcome: &Outcome<'_>,
) -> Option<Question> {
    let standing = &outcome.standing;
    let is_regular = |place: &usize| {
        standing.established[*place]
            && labels[*place] != Some(Label::Good)
            && standing.norms.signs[*place].len() >= RUNAWAY
    };
    let peak = |place: usize| u64::from(context.clients[place].peak);
    let all = || (0..context.clients.len()).filter(is_regular);
    let busiest = all().map(peak).max()?;
    let clients: Vec<usize> = all().filter(|&place| 2 * peak(place) >= busiest).collect();
    let limit = limit_with(context, labels, standing.norms, &clients, Label::Bad)?;
    Some(Question { kind: QuestionKind::Regular, clients, more: 0, limit })
}

/// Those above a gap that was not accepted: unwanted?
fn unwanted(context: &Context<'_>, outcome: &Outcome<'_>) -> Vec<Question> {
    let findings = &outcome.findings;
    let accepted = findings.cut.map_or(0, |cut| cut.above);
    let mut rejected = findings.rejected.clone();
    rejected.sort_by(|a, b| b.evidence.total_cmp(&a.evidence).then(a.above.cmp(&b.above)));
    let question = |gap: Gap| {
        let mut clients: Vec<usize> = outcome
            .standing
            .tail
            .between(accepted, gap.above)
            .map(|(ranked, _)| ranked.at())
            .collect();
        clients.sort_unstable();
        let limit = limit_in_gap(gap.lower, gap.upper, context.window);
        // Below the smallest limit AWS WAF accepts there is none that would stop them.
        (limit.requests() < gap.upper).then_some(Question {
            kind: QuestionKind::Unwanted,
            clients,
            more: 0,
            limit,
        })
    };
    findings
        .two_classes
        .into_iter()
        .chain(rejected)
        .filter(|gap| gap.above > accepted)
        .filter_map(question)
        .collect()
}
