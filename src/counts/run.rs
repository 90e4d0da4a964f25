//! All files in parallel, then one result.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use foldhash::fast::RandomState;

use super::agents::AgentTexts;
use super::coverage::{Coverage, RouteTraffic};
use super::grouped::GroupedEvents;
use super::parts::{PartSource, Parts};
use super::rule_hits::{RuleHits, RuleTallies};
use super::selection::Selection;
use super::texts::ShownTexts;
use super::threads;
use super::told_twice::Samples;
use super::worker::{Failure, Worker};
use crate::logs::{self, FileReport, Input, LogReader, Request};

/// How to count.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How to read.
    pub logs: logs::Options,
    /// Count the same request id once.
    pub dedupe: bool,
    /// Threads; at least 1.
    pub threads: usize,
    /// Bytes that what is counted may take in memory; what is beyond goes to a temporary file.
    pub memory: u64,
    /// Count requests of a sampled log several times, to stand for those that were not logged.
    pub scale_sampled: bool,
}

/// Bytes that the program takes by itself.
const OWN: u64 = if cfg!(test) { 0 } else { 48 << 20 };
/// Bytes that a thread needs for what it counts; with less for each, fewer threads do the work.
const LEAST_OF_A_THREAD: u64 = if cfg!(test) { 1 } else { 2 << 20 };

impl Settings {
    /// The same for what there is to do.
    pub(super) fn for_files(&self, files: usize) -> Self {
        let most = usize::try_from(self.to_count() / LEAST_OF_A_THREAD).unwrap_or(usize::MAX);
        Self { threads: self.threads.min(files).min(most).max(1), ..self.clone() }
    }

    /// Half is for what is counted while reading, a quarter for putting together what was written to a
    /// file, and the rest for what comes of it and for the files that are read.
    const fn to_count(&self) -> u64 {
        self.memory.saturating_sub(OWN) / 2
    }

    fn budget_of_a_thread(&self) -> usize {
        usize::try_from(self.to_count()).unwrap_or(usize::MAX) / self.threads
    }

    fn room(&self) -> usize {
        usize::try_from(self.to_count() / 2).unwrap_or(usize::MAX)
    }
}

/// Why counting failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Files that cannot be used, at least one, by name.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Logs(Vec<logs::Error>),
    /// [`Watch::stop`] said so.
    #[error("stopped after {} in {}; nothing was written", crate::units::count(*.lines, "line", "lines"), crate::units::count(*.files, "file", "files"))]
    Stopped {
        /// Lines read so far.
        lines: u64,
        /// Files read so far, as a whole.
        files: u64,
    },
    /// One client's requests are all kept, and there are more of them.
    #[error("the client sent more than {} requests, which do not fit into memory together", crate::units::thousands(*.0))]
    TooManyOfOne(u64),
    /// A survey needs everybody in memory.
    #[error(
        "the clients of these logs, {} and more, do not fit into the memory that a survey may take",
        crate::units::thousands(*.0)
    )]
    Memory(u64),
    /// The temporary file of what does not fit into memory.
    #[error(
        "cannot keep requests in a temporary file in `{}`; set TMPDIR to a folder with more room",
        crate::units::plain(&.folder.display().to_string())
    )]
    Temporary {
        /// The folder for temporary files.
        folder: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
}

/// Everything that was counted.
pub struct Counts {
    /// What was read. Without a survey, masked clients are not counted yet: see [`Parts`].
    pub coverage: Coverage,
    /// How the user agents of everything that was counted read.
    pub agents: Arc<AgentTexts>,
    /// In the order of the selection; without the copies that are dropped when [`Parts`] are handed out.
    pub traffic: Vec<RouteTraffic>,
    /// Everybody, and the requests of all routes; empty for a survey.
    pub parts: Parts,
    /// The survey's groups, if asked for.
    pub groups: Option<GroupedEvents>,
    /// What the rules of a web ACL did, by name; empty where the logs do not tell.
    pub rule_hits: Vec<RuleHits>,
}

impl Counts {
    /// Whether the address of any client is like this.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    pub fn any(&self, is: impl Fn(IpAddr) -> bool) -> io::Result<bool> {
        match &self.groups {
            Some(groups) => Ok(groups.any(is)),
            None => self.parts.any(is),
        }
    }
}

/// Is told how far the reading is, from any thread.
pub trait Watch: Sync {
    /// So many more stored bytes were read.
    fn advance(&self, bytes: u64);

    /// One more file is done.
    fn file_done(&self);

    /// Whether to give up.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Watch for () {
    fn advance(&self, _: u64) {}

    fn file_done(&self) {}
}

/// Reads all inputs and counts.
///
/// # Errors
/// When a file cannot be used (unless `keep_going`).
pub fn run(
    inputs: &[Input],
    selection: &Selection,
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Counts, Error> {
    threads::prepare_pool();
    let shared = Shared::new(inputs, watch);
    let state = RandomState::default();
    let settings = settings.for_files(inputs.len());
    let workers =
        threads::together(settings.threads, || work(&shared, selection, &settings, &state));
    shared.verdict(|| {
        let lines = workers.iter().map(|(worker, _)| worker.lines).sum();
        let files = workers.iter().map(|(_, reports)| reports.len() as u64).sum();
        (lines, files)
    })?;
    let parts = Parts::new(selection.len(), state, settings.room());
    let groups = selection.survey.then(|| GroupedEvents::new(settings.room()));
    let mut counts = merge(inputs, selection, workers, parts, groups)?;
    let completeness = &mut counts.coverage.completeness;
    completeness.scaled = settings.scale_sampled && completeness.sampled_percent.is_some();
    Ok(counts)
}

/// What the threads share.
pub(super) struct Shared<'a> {
    inputs: &'a [Input],
    /// See [`logs::turn`].
    order: Vec<usize>,
    next: AtomicUsize,
    stop: AtomicBool,
    /// The temporary file of the survey cannot be written: no file need be read to its end.
    pub(super) failed: AtomicBool,
    /// Contents seen, to read a copy of a file once.
    contents: Mutex<HashSet<u128>>,
    errors: Mutex<Vec<(usize, logs::Error)>>,
    watch: &'a dyn Watch,
}

impl<'a> Shared<'a> {
    pub(super) fn new(inputs: &'a [Input], watch: &'a dyn Watch) -> Self {
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|&number| logs::turn(inputs[number].size));
        Self {
            inputs,
            order,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            contents: Mutex::new(HashSet::new()),
            errors: Mutex::new(Vec::new()),
            watch,
        }
    }

    /// Why what was read is of no use, if it is; `read` gives the lines and the files so far.
    pub(super) fn verdict(&self, read: impl FnOnce() -> (u64, u64)) -> Result<(), Error> {
        let mut errors =
            self.errors.lock().map(|mut errors| std::mem::take(&mut *errors)).unwrap_or_default();
        // Whoever waited for a file when the end came has nothing to tell.
        let stopped = |error: &logs::Error| matches!(error, logs::Error::Fetch(it) if it.stopped);
        if self.watch.stop() || errors.iter().any(|(_, error)| !stopped(error)) {
            errors.retain(|(_, error)| !stopped(error));
        }
        if !errors.is_empty() {
            errors.sort_by_key(|(number, _)| *number);
            return Err(Error::Logs(errors.into_iter().map(|(_, error)| error).collect()));
        }
        if self.watch.stop() {
            let (lines, files) = read();
            return Err(Error::Stopped { lines, files });
        }
        Ok(())
    }

    /// Whether what is still to be read is of no use.
    fn gives_up(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.stop()
    }

    /// Whether this content is new.
    fn claim(&self, content: u128) -> bool {
        self.contents.lock().is_ok_and(|mut seen| seen.insert(content))
    }
}

/// Lines between two looks at the memory that a thread takes: at most about a megabyte.
const LINES_BETWEEN_LOOKS: u64 = if cfg!(test) { 16 } else { 1 << 12 };

fn work<'a>(
    shared: &'a Shared<'_>,
    selection: &'a Selection,
    settings: &Settings,
    state: &RandomState,
) -> (Worker<'a>, Vec<(usize, FileReport)>) {
    let mut worker = Worker::new(selection, settings.dedupe, &shared.failed, state.clone());
    worker.sampling = settings.logs.sampling.filter(|_| settings.scale_sampled);
    let budget = settings.budget_of_a_thread();
    let reports = read_files(shared, settings, |request| {
        worker.take(request);
        if worker.lines.is_multiple_of(LINES_BETWEEN_LOOKS) {
            worker.keep_within(budget);
        }
    });
    (worker, reports)
}

/// Reads files until there are no more for this thread.
#[inline]
pub(super) fn read_files(
    shared: &Shared<'_>,
    settings: &Settings,
    mut take: impl FnMut(&mut Request<'_>),
) -> Vec<(usize, FileReport)> {
    let mut reader = LogReader::new(settings.logs.clone());
    let mut reports = Vec::new();
    while !shared.stop.load(Ordering::Relaxed) && !shared.gives_up() {
        let Some(&number) = shared.order.get(shared.next.fetch_add(1, Ordering::Relaxed)) else {
            break;
        };
        let input = &shared.inputs[number];
        let wants = |content| !settings.dedupe || shared.claim(content);
        let advance = |bytes| {
            shared.watch.advance(bytes);
            !shared.gives_up()
        };
        match reader.read(input, wants, advance, &mut take) {
            Ok(report) => reports.push((number, report)),
            Err(error) => {
                shared.stop.store(true, Ordering::Relaxed);
                if let Ok(mut errors) = shared.errors.lock() {
                    errors.push((number, error));
                }
            }
        }
        shared.watch.file_done();
    }
    reports
}

fn merge(
    inputs: &[Input],
    selection: &Selection,
    workers: Vec<(Worker<'_>, Vec<(usize, FileReport)>)>,
    mut parts: Parts,
    mut groups: Option<GroupedEvents>,
) -> Result<Counts, Error> {
    let mut coverage = Coverage { period: selection.period, ..Coverage::default() };
    let mut traffic = vec![RouteTraffic::default(); selection.len()];
    let mut agents = AgentTexts::default();
    let mut shown = ShownTexts::default();
    let mut rules = RuleTallies::default();
    let mut samples = Samples::default();
    let mut reports = Vec::new();
    for (mut worker, own_reports) in workers {
        match worker.failure.take() {
            Some(Failure::File(source)) => {
                return Err(Error::Temporary { folder: std::env::temp_dir(), source });
            }
            Some(Failure::Memory(clients)) => return Err(Error::Memory(clients)),
            None => {}
        }
        reports.extend(own_reports);
        coverage.lines += worker.lines;
        coverage.outside += worker.outside;
        coverage.digest += worker.digest;
        for (hour, lines) in worker.take_hours() {
            *coverage.hours.entry(hour).or_insert(0) += lines;
        }
        coverage.first = coverage.first.into_iter().chain(worker.first).min();
        coverage.last = coverage.last.into_iter().chain(worker.last).max();
        agents.absorb(&worker.agents.texts);
        samples.absorb(worker.samples());
        rules.absorb(std::mem::take(&mut worker.rules));
        shown.absorb(worker.clients.take_shown());
        let mut events = Vec::with_capacity(traffic.len());
        for (all, own) in traffic.iter_mut().zip(std::mem::take(&mut worker.routes)) {
            all.add(&own.traffic);
            events.push(own.events.into_parts());
        }
        let sources = PartSource::all(worker.clients.take_parts(), events);
        parts.absorb(sources, worker.overflow.take());
        if let (Some(all), Some(own)) = (&mut groups, worker.survey) {
            all.absorb(own);
        }
    }
    traffic.iter_mut().for_each(RouteTraffic::settle_methods);
    let agents = Arc::new(agents);
    let rule_hits = rules.settle(&shown);
    parts.show(shown);
    if let Some(all) = &mut groups {
        let empty = parts.empty();
        let (clients, numbers) = std::mem::replace(&mut parts, empty).into_clients();
        all.seal(&agents, clients, numbers);
        coverage.masked_clients = all.masked();
    }
    coverage.told_twice = samples.shared();
    note_files(inputs, reports, &mut coverage);
    // A request may be known by its sender, by its word, or by both.
    let of_edges = match &groups {
        Some(groups) => groups.lines_of(logs::is_cloudfront_edge),
        None => parts
            .lines_of(logs::is_cloudfront_edge)
            .map_err(|source| Error::Temporary { folder: std::env::temp_dir(), source })?,
    };
    let completeness = &mut coverage.completeness;
    completeness.edge_lines = completeness.edge_lines.max(of_edges);
    Ok(Counts { coverage, agents, traffic, parts, groups, rule_hits })
}

pub(super) fn note_files(
    inputs: &[Input],
    mut reports: Vec<(usize, FileReport)>,
    coverage: &mut Coverage,
) {
    reports.sort_by_key(|(number, _)| *number);
    // Of files with one content, which was read is chance; the first by name is called the original.
    let copied: HashSet<u128> = reports
        .iter()
        .filter(|(_, report)| report.repeated)
        .filter_map(|(_, report)| report.content)
        .collect();
    let mut originals: HashMap<u128, usize> = HashMap::new();
    for (number, report) in &reports {
        let name = &inputs[*number].name;
        if let Some(content) = report.content.filter(|content| copied.contains(content)) {
            match originals.entry(content) {
                Entry::Occupied(original) => {
                    coverage
                        .repeated_files
                        .push((name.clone(), inputs[*original.get()].name.clone()));
                }
                Entry::Vacant(free) => {
                    free.insert(*number);
                }
            }
        }
        if let Some(reason) = &report.partial {
            coverage.partial_files.push((name.clone(), reason.clone()));
        }
        let (skipped, all) = (report.skipped_lines(), report.skipped_lines() + report.lines);
        if skipped * 20 > all {
            coverage.doubtful_files.push((name.clone(), skipped, all));
        }
        coverage.completeness.add(&report.completeness);
        if !report.repeated {
            coverage.files += 1;
            coverage.bytes += report.bytes;
        }
        if let Some(format) = &report.format {
            *coverage.formats.entry(format.clone()).or_insert(0) += 1;
        }
        for skip in &report.skipped {
            let all = coverage.skipped.entry(skip.reason.as_str()).or_default();
            all.lines += skip.lines;
            all.example.get_or_insert_with(|| (name.clone(), skip.first_line));
        }
    }
}
