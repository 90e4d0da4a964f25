//! All files in parallel, then one result.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::agents::AgentTexts;
use super::clients::{Clients, Translation};
use super::coverage::{Coverage, RouteTraffic};
use super::event::{Event, settle_client};
use super::groups::Groups;
use super::selection::Selection;
use super::spill::Spill;
use super::threads;
use super::worker::{GroupTally, Worker};
use crate::logs::{self, FileReport, Input, LogReader};

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How to read.
    pub logs: logs::Options,
    /// Count the same request id once.
    pub dedupe: bool,
    /// Threads; at least 1.
    pub threads: usize,
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
    /// The temporary file of a large survey.
    #[error(
        "cannot keep the requests of the survey in a temporary file in `{}`; set TMPDIR to a folder with more room",
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

/// The requests of one route.
pub struct RouteCounts {
    /// What the statement covers and what goes past it.
    pub traffic: RouteTraffic,
    /// By client number, then by time; copies dropped.
    pub events: Vec<Event>,
    /// How the user agents of everything that was counted read: one map for all routes.
    pub agents: Arc<AgentTexts>,
}

/// Everything that was counted.
pub struct Counts {
    /// What was read.
    pub coverage: Coverage,
    /// Everybody.
    pub clients: Clients,
    /// In the order of the selection.
    pub routes: Vec<RouteCounts>,
    /// The survey's groups, if asked for.
    pub groups: Option<GroupedEvents>,
}

/// The groups of a survey with their requests.
pub struct GroupedEvents {
    /// The groups.
    pub groups: Groups,
    /// How the user agents of everything that was counted read.
    pub agents: Arc<AgentTexts>,
    sources: Vec<Source>,
}

struct Source {
    spill: Spill,
    translation: Translation,
}

impl GroupedEvents {
    /// The requests of a group, by client number, then by time; copies dropped and counted.
    ///
    /// # Errors
    /// When the temporary file cannot be read.
    pub fn events(&mut self, group: u32) -> io::Result<(Vec<Event>, u64)> {
        let of_source = |source: &Source| source.spill.count(group);
        // One group may hold most of the log: growing by doubling would need twice its room.
        let mut events = Vec::with_capacity(self.sources.iter().map(of_source).sum());
        for source in &mut self.sources {
            source.spill.events(group, &source.translation, &mut events)?;
        }
        let copies = settle(&mut events);
        Ok((events, copies))
    }

    /// Takes over what a worker has.
    fn absorb(&mut self, own: GroupTally, translation: Translation) {
        let GroupTally { groups, mut spill } = own;
        spill.renumber(&self.groups.absorb(groups));
        self.sources.push(Source { spill, translation });
        if self.groups.are_too_many() {
            self.keep_most();
        }
    }

    fn keep_most(&mut self) {
        if let Some(numbers) = self.groups.keep_most() {
            self.sources.iter_mut().for_each(|source| source.spill.renumber(&numbers));
        }
    }

    /// All workers are done.
    fn seal(&mut self, agents: &Arc<AgentTexts>) {
        self.keep_most();
        self.sources.iter_mut().for_each(|source| source.spill.seal());
        self.agents = Arc::clone(agents);
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
    let workers = threads::together(settings.threads.min(inputs.len()), || {
        work(&shared, selection, settings)
    });
    let mut errors =
        shared.errors.lock().map(|mut errors| std::mem::take(&mut *errors)).unwrap_or_default();
    // Whoever waited for a file when the end came has nothing to tell.
    let stopped = |error: &logs::Error| matches!(error, logs::Error::Fetch(it) if it.stopped);
    if watch.stop() || errors.iter().any(|(_, error)| !stopped(error)) {
        errors.retain(|(_, error)| !stopped(error));
    }
    if !errors.is_empty() {
        errors.sort_by_key(|(number, _)| *number);
        return Err(Error::Logs(errors.into_iter().map(|(_, error)| error).collect()));
    }
    if watch.stop() {
        let lines = workers.iter().map(|(worker, _)| worker.lines).sum();
        let files = workers.iter().map(|(_, reports)| reports.len() as u64).sum();
        return Err(Error::Stopped { lines, files });
    }
    merge(inputs, selection, workers)
}

/// What the threads share.
struct Shared<'a> {
    inputs: &'a [Input],
    /// Largest first, so that no thread is left with a large file at the end.
    order: Vec<usize>,
    next: AtomicUsize,
    stop: AtomicBool,
    /// The temporary file of the survey cannot be written: no file need be read to its end.
    failed: AtomicBool,
    /// Contents seen, to read a copy of a file once.
    contents: Mutex<HashSet<u128>>,
    errors: Mutex<Vec<(usize, logs::Error)>>,
    watch: &'a dyn Watch,
}

impl<'a> Shared<'a> {
    fn new(inputs: &'a [Input], watch: &'a dyn Watch) -> Self {
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|&number| std::cmp::Reverse(inputs[number].size));
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

    /// Whether what is still to be read is of no use.
    fn gives_up(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.stop()
    }

    /// Whether this content is new.
    fn claim(&self, content: u128) -> bool {
        self.contents.lock().is_ok_and(|mut seen| seen.insert(content))
    }
}

fn work<'a>(
    shared: &'a Shared<'_>,
    selection: &'a Selection,
    settings: &Settings,
) -> (Worker<'a>, Vec<(usize, FileReport)>) {
    let mut worker = Worker::new(selection, settings.dedupe, &shared.failed);
    let mut reader = LogReader::new(settings.logs);
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
        match reader.read(input, wants, advance, |request| worker.take(request)) {
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
    (worker, reports)
}

fn merge(
    inputs: &[Input],
    selection: &Selection,
    workers: Vec<(Worker<'_>, Vec<(usize, FileReport)>)>,
) -> Result<Counts, Error> {
    let mut coverage = Coverage { period: selection.period, ..Coverage::default() };
    let mut clients = Clients::default();
    let mut routes: Vec<RouteCounts> = (0..selection.len())
        .map(|_| RouteCounts {
            traffic: RouteTraffic::default(),
            events: Vec::new(),
            agents: Arc::default(),
        })
        .collect();
    let mut groups = selection.survey.then(|| GroupedEvents {
        groups: Groups::default(),
        agents: Arc::default(),
        sources: Vec::new(),
    });
    let mut agents = AgentTexts::default();
    let mut reports = Vec::new();
    for (mut worker, own_reports) in workers {
        if let Some(source) = worker.spill_error {
            return Err(Error::Temporary { folder: std::env::temp_dir(), source });
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
        let translation = clients.absorb(&worker.clients);
        for (route, tally) in routes.iter_mut().zip(worker.routes) {
            route.traffic.add(&tally.traffic);
            let translated = tally
                .events
                .iter()
                .map(|event| Event { client: translation.of(event.client), ..*event });
            route.events.extend(translated);
        }
        if let (Some(all), Some(own)) = (&mut groups, worker.survey) {
            all.absorb(own, translation);
        }
    }
    let agents = Arc::new(agents);
    if let Some(all) = &mut groups {
        all.seal(&agents);
    }
    for route in &mut routes {
        route.agents = Arc::clone(&agents);
        route.traffic.duplicates = settle(&mut route.events);
        route.traffic.settle_methods();
    }
    coverage.masked_clients = clients.masked();
    note_files(inputs, reports, &mut coverage);
    Ok(Counts { coverage, clients, routes, groups })
}

/// Fewer events are sorted by the calling thread: a survey has a million groups of a few requests, and
/// waking others takes longer than the work.
const WORTH_SHARING: usize = 1 << 12;

/// Sorts events by client and time and drops copies; gives how many.
fn settle(events: &mut Vec<Event>) -> u64 {
    let same = |one: &Event, two: &Event| one.client == two.client;
    let kept: Vec<usize> = if events.len() < WORTH_SHARING {
        events.sort_unstable_by_key(|event| event.client);
        events.chunk_by_mut(same).map(settle_client).collect()
    } else {
        events.par_sort_unstable_by_key(|event| event.client);
        let clients: Vec<&mut [Event]> = events.chunk_by_mut(same).collect();
        clients.into_par_iter().map(settle_client).collect()
    };
    let before = events.len();
    if kept.iter().sum::<usize>() == before {
        // No copies, as nearly always: everything stands where it belongs.
        return 0;
    }
    let mut chunks = kept.into_iter();
    let (mut from, mut to) = (0, 0);
    while from < before {
        let client = events[from].client;
        let end = from + events[from..].iter().take_while(|event| event.client == client).count();
        let keep = chunks.next().unwrap_or(end - from);
        events.copy_within(from..from + keep, to);
        to += keep;
        from = end;
    }
    events.truncate(to);
    (before - to) as u64
}

fn note_files(inputs: &[Input], mut reports: Vec<(usize, FileReport)>, coverage: &mut Coverage) {
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
