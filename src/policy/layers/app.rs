//! The meaning of `layers.app`, and what is wrong with it.

use super::document::{
    AlgorithmWord, AppDocument, ClientWord, FailWord, TableDocument, TableLimitDocument,
};
use super::model::{AppLayer, FailMode, Identity, TableAlgorithm, TableLayer, TableLimit};
use super::redis::redis;
use crate::policy::problem::{Problem, Span};
use crate::policy::reader::{Field, short};
use crate::policy::validate::value;

/// Milliseconds that a decision may take unless the policy says otherwise.
pub(super) const TIMEOUT: u32 = 250;

/// The limits inside the application; `name` is the policy's.
pub(super) fn app(
    name: &str,
    written: &Field<AppDocument>,
    problems: &mut Vec<Problem>,
) -> AppLayer {
    let mut names = Names::default();
    let app = written.as_ref().map(|app| AppLayer {
        dynamodb: app
            .value
            .dynamodb
            .as_ref()
            .and_then(|written| table(name, &written.value, &mut names, problems)),
        redis: app
            .value
            .redis
            .as_ref()
            .and_then(|written| redis(name, &written.value, &mut names, problems)),
    });
    let has_none = |app: &AppDocument| app.dynamodb.is_none() && app.redis.is_none();
    if let Some(app) = written.as_ref().filter(|app| has_none(&app.value)) {
        let problem = Problem::new("`app` has no store").at(app.span);
        problems.push(problem.found("nothing that counts").help("add `dynamodb` or `redis`"));
    }
    app.unwrap_or_default()
}

/// Names of limits, each of which may come once.
#[derive(Default)]
pub(super) struct Names(Vec<(String, Span)>);

impl Names {
    pub(super) fn add(&mut self, name: &str, span: Span, problems: &mut Vec<Problem>) {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((_, first)) => problems.push(
                Problem::new(format!("two limits have the name `{}`", short(name)))
                    .at(span)
                    .found("the second one")
                    .help("the application asks for a limit by its name: give it another")
                    .related(*first, "it is here already"),
            ),
            None => self.0.push((name.to_owned(), span)),
        }
    }
}

fn table(
    name: &str,
    written: &TableDocument,
    names: &mut Names,
    problems: &mut Vec<Problem>,
) -> Option<TableLayer> {
    let limits = written.limits.as_ref()?;
    let limits: Vec<TableLimit> = limits
        .value
        .0
        .iter()
        .filter_map(|limit| table_limit(&limit.value, names, problems))
        .collect();
    Some(TableLayer {
        region: written.region.as_ref()?.value.0.clone(),
        table: written
            .table
            .as_ref()
            .map_or_else(|| format!("{name}-limits"), |table| table.value.0.clone()),
        timeout: value(&written.timeout).map_or(TIMEOUT, |timeout| timeout.0),
        limits,
    })
}

fn table_limit(
    written: &TableLimitDocument,
    names: &mut Names,
    problems: &mut Vec<Problem>,
) -> Option<TableLimit> {
    if let Some(name) = &written.name {
        names.add(&name.value.0, name.span, problems);
    }
    let algorithm = value(&written.algorithm).unwrap_or(AlgorithmWord::TokenBucket);
    if let (AlgorithmWord::FixedWindow, Some(burst)) = (algorithm, &written.burst) {
        let problem = Problem::new("a fixed window has no burst").at(burst.span);
        problems.push(
            problem
                .found("all of its limit may come at once")
                .help("remove `burst`, or write `algorithm: token_bucket`"),
        );
    }
    let limit = value(&written.limit)?.0;
    Some(TableLimit {
        name: written.name.as_ref()?.value.0.clone(),
        algorithm: match algorithm {
            AlgorithmWord::TokenBucket => TableAlgorithm::TokenBucket {
                burst: value(&written.burst).map_or(limit, |burst| burst.0),
            },
            AlgorithmWord::FixedWindow => TableAlgorithm::FixedWindow,
        },
        limit,
        window: value(&written.window)?.0,
        client: match value(&written.client) {
            Some(ClientWord::Address) => Identity::Address,
            Some(ClientWord::Subject) | None => Identity::Subject,
        },
        fail: fail(&written.fail),
    })
}

pub(super) fn fail(word: &Field<FailWord>) -> FailMode {
    match value(word) {
        Some(FailWord::Closed) => FailMode::Closed,
        Some(FailWord::Open) | None => FailMode::Open,
    }
}
