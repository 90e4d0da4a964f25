//! Where the logs are and how they are read: the arguments that every reading command shares.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::failure::hinted;
use super::memory;
use super::signals::Signals;
use super::{period, s3};
use crate::counts::{Counts, Coverage, Error, Selection, Settings, Study, Watch, Whom, run, study};
use crate::fs::{self, same_file, shown};
use crate::logs::{
    Delimiter, Discovered, FieldList, Input, InputFormat, KeyMap, Options, Period, Place,
    RealTimeConfig, discover,
};
use crate::ui::{Progress, Ui, input_is_terminal};
use crate::units::{count, percent, plain, plural, thousands};

/// Which logs, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
#[group(id = "reading")]
pub(super) struct Arguments {
    /// Log files, folders of them (with everything below), patterns like 'logs/*.gz', or - for
    /// standard input; s3://BUCKET/PREFIX for logs in S3. Plain text or gzip, told by content.
    #[arg(value_name = "PATH", required = true, help_heading = None)]
    paths: Vec<String>,

    #[command(flatten)]
    period: period::Arguments,

    /// Count requests again that were delivered twice (same x-edge-request-id), and files that were
    /// given twice.
    #[arg(long)]
    no_dedupe: bool,

    /// Read on where a file is damaged, of another kind, or mostly unreadable, and say so in the
    /// result.
    #[arg(long)]
    keep_going: bool,

    /// How many times its stored size a gzip file may unpack to, beyond 64 MB.
    #[arg(long, value_name = "N", default_value_t = Options::MAXIMUM_RATIO, value_parser = clap::value_parser!(u32).range(1..))]
    max_ratio: u32,

    /// What the logs are; told by the content of each file if not given.
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    input_format: Option<InputFormat>,

    /// Column names, in order, for files without a #Fields: line: standard logs v2 in plain or raw,
    /// real-time logs.
    #[arg(long, value_name = "NAMES")]
    fields: Option<String>,

    /// Which keys of JSON access logs hold what, as of API Gateway: client=KEY,path=KEY,time=KEY, and
    /// if they are there method, host, status, agent, referer and id. KEY is a name or a path like
    /// identity.sourceIp.
    #[arg(long, value_name = "NAME=KEY,…", value_delimiter = ',')]
    map: Vec<String>,

    /// What separates the columns of standard logs v2: 1 to 5 characters, \t for a tab. Told by the first
    /// line if not given.
    #[arg(long, value_name = "TEXT", value_parser = Delimiter::parse)]
    delimiter: Option<Delimiter>,

    /// The configuration of real-time logs, as aws cloudfront get-realtime-log-config prints it: the
    /// fields and the sampling rate of files without a #Fields: line.
    #[arg(long, value_name = "FILE", conflicts_with = "fields")]
    realtime_config: Option<PathBuf>,

    /// Let each request of a sampled real-time log stand for the ones that were not logged. The limit is
    /// graded weak at most, either way.
    #[arg(long, requires = "realtime_config")]
    scale_sampled: bool,

    /// Threads that read; all processors if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory that a run may take, as 512M or 2G; a quarter of what there is if not given. Requests that
    /// do not fit are kept in a temporary file (TMPDIR); the result is the same.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory_limit: Option<u64>,
    #[command(flatten)]
    s3: s3::Arguments,
}

/// What is to be read, and what of it.
struct Wanted<'a> {
    selection: &'a Selection,
    outputs: &'a [&'a Path],
    /// With what no count needs.
    details: bool,
    /// Everything there is to say was said.
    again: bool,
}

/// Files named in warnings before the rest is only counted.
const NAMED: usize = 3;

impl Arguments {
    /// What there is to read, here and in S3, and the progress of fetching.
    fn find(
        &self,
        period: Period,
        signals: &Signals,
        ui: &Ui,
    ) -> Result<(Discovered, Option<s3::Fetching>)> {
        let (remote, local): (Vec<String>, Vec<String>) =
            self.paths.iter().cloned().partition(|path| s3::is_location(path));
        let mut found = discover(&local, self.no_dedupe)?;
        keep_days(&mut found, period, ui)?;
        if remote.is_empty() {
            return Ok((found, None));
        }
        let there = self.s3.find(&remote, period, self.no_dedupe, signals, ui)?;
        found.inputs.extend(there.inputs);
        found.inputs.sort_by(|a, b| a.name.cmp(&b.name));
        found.ignored.extend(there.ignored);
        found.repeated.extend(there.repeated);
        Ok((found, Some(there.fetching)))
    }

    /// Reads everything and counts what the selection asks for.
    pub(super) fn count(
        &self,
        selection: &Selection,
        outputs: &[&Path],
        ui: &Ui,
    ) -> Result<Counts> {
        let wanted = Wanted { selection, outputs, details: false, again: false };
        let counts = self.read(&wanted, ui, run)?;
        let overflow = counts.parts.overflowed();
        if overflow > 0 {
            ui.note(&format!(
                "{} MB of counted requests did not fit into the memory limit of {} MB and went to a temporary file in {}; the result is the same",
                thousands(overflow.div_ceil(1 << 20)),
                thousands(self.memory() >> 20),
                plain(&std::env::temp_dir().display().to_string()),
            ));
        }
        self.tell(&counts.coverage, ui)?;
        Ok(counts)
    }

    /// Reads everything once more, of which everything was said the first time.
    pub(super) fn count_again(&self, selection: &Selection, ui: &Ui) -> Result<Counts> {
        let wanted = Wanted { selection, outputs: &[], details: false, again: true };
        self.read(&wanted, ui, run)
    }

    /// Whether standard input is one of the logs, which can be read once only.
    pub(super) fn is_piped(&self) -> bool {
        self.paths.iter().any(|path| path == "-")
    }

    /// Reads everything and keeps what one client sent.
    pub(super) fn study(
        &self,
        whom: &Whom,
        selection: &Selection,
        outputs: &[&Path],
        ui: &Ui,
    ) -> Result<Study> {
        let wanted = Wanted { selection, outputs, details: true, again: false };
        let found = self.read(&wanted, ui, |inputs, selection, settings, watch| {
            study(inputs, whom, selection, settings, watch)
        })?;
        self.tell(&found.coverage, ui)?;
        Ok(found)
    }

    /// Bytes that a run may take.
    fn memory(&self) -> u64 {
        self.memory_limit.unwrap_or_else(memory::default_limit)
    }

    /// Finds the logs and has them read.
    fn read<T>(
        &self,
        wanted: &Wanted<'_>,
        ui: &Ui,
        read: impl FnOnce(&[Input], &Selection, &Settings, &dyn Watch) -> Result<T, Error>,
    ) -> Result<T> {
        let Wanted { selection, outputs, details, again } = *wanted;
        let period = self.period.period()?;
        let signals = Signals::watch()?;
        let (found, fetching) = self.find(period, &signals, ui)?;
        for output in outputs {
            let read = |input: &Input| match &input.place {
                Place::File(path) => same_file(path, output),
                Place::StandardInput | Place::Remote(_) => false,
            };
            if found.inputs.iter().any(read) {
                let message = format!("`{}` is one of the logs that are read", shown(output));
                return Err(hinted(message, "write the result somewhere else"));
            }
        }
        if found.inputs.iter().any(|input| input.place == Place::StandardInput)
            && input_is_terminal()
        {
            ui.note("reading from the terminal; end with Ctrl-D");
        }
        if !again {
            tell_discovered(&found, ui);
            tell_distributions(&found, ui);
        }
        let (fields, sampling) = self.columns()?;
        let threads = match self.threads {
            Some(threads) => threads.into(),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let memory = self.memory();
        let logs = Options {
            needs: selection.needs(),
            details,
            max_ratio: self.max_ratio,
            keep_going: self.keep_going,
            fields,
            map: self.map()?,
            delimiter: self.delimiter,
            format: self.input_format,
            sampling,
            largest_block: largest_block(memory, threads),
        };
        let settings = Settings {
            logs,
            dedupe: !self.no_dedupe,
            threads,
            memory,
            scale_sampled: self.scale_sampled,
        };
        let bytes: u64 = found.inputs.iter().map(|input| input.size).sum();
        let progress = ui.progress((bytes > 0).then_some(bytes), found.inputs.len() as u64);
        let watched = Watched { progress: &progress, signals: &signals };
        let selection = selection.clone().within(period);
        let counted = read(&found.inputs, &selection, &settings, &watched);
        progress.finish();
        if let Some(fetching) = fetching {
            fetching.finish(ui);
        }
        match counted {
            Err(error @ Error::Memory(_)) => {
                let hint = "name routes with --route, of which any number of clients can be counted, or allow more with --memory-limit";
                Err(hinted(error.to_string(), hint))
            }
            Err(error @ Error::TooManyOfOne(_)) => {
                let hint =
                    "look at fewer days with --from and --to, or allow more with --memory-limit";
                Err(hinted(error.to_string(), hint))
            }
            counted => counted.map_err(|error| signals.explain(error)),
        }
    }

    /// Says what was read; nothing to read is an error.
    fn tell(&self, coverage: &Coverage, ui: &Ui) -> Result<()> {
        tell_coverage(coverage, ui);
        self.tell_told_twice(coverage, ui);
        tell_without_ids(coverage, ui);
        tell_late(coverage, ui);
        if coverage.lines == 0 {
            let files = crate::units::count(coverage.files, "file", "files");
            if coverage.outside > 0 {
                let others = count(coverage.outside, "request", "requests");
                let message = format!("not one of the {others} in {files} is of that time");
                return Err(hinted(message, "widen --from and --to; times are in UTC"));
            }
            return Err(hinted(
                format!("there is not one request in {files}"),
                "CloudFront delivers logs up to 24 hours late; check that logging is switched on and the folder is the right one",
            ));
        }
        Ok(())
    }
}

/// What a thread may unpack at once: an eighth of the memory for all of them.
fn largest_block(memory: u64, threads: usize) -> usize {
    let share = usize::try_from(memory / 8).unwrap_or(usize::MAX) / threads.max(1);
    share.clamp(SMALLEST_BLOCK, Options::LARGEST_BLOCK)
}

/// Most files of a distribution are smaller when unpacked.
const SMALLEST_BLOCK: usize = 4 << 20;

impl Arguments {
    /// The first of the logs that is called like an address.
    pub(super) fn first_address(&self) -> Option<&str> {
        let mut paths = self.paths.iter().map(String::as_str);
        paths.find(|path| {
            path.parse::<std::net::IpAddr>().is_ok() || path.parse::<ipnet::IpNet>().is_ok()
        })
    }

    /// Files beside the logs that are read.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        self.realtime_config.iter().map(|path| ("--realtime-config", path.as_path()))
    }

    /// `--map`, if it was given.
    fn map(&self) -> Result<Option<Arc<KeyMap>>> {
        if self.map.is_empty() {
            return Ok(None);
        }
        let map = KeyMap::parse(&self.map.join(",")).context("cannot use --map")?;
        Ok(Some(Arc::new(map)))
    }

    /// The columns of files that do not name them, and how many per cent of the requests they have.
    fn columns(&self) -> Result<(Option<FieldList>, Option<u8>)> {
        if let Some(path) = &self.realtime_config {
            let text = fs::read_text(path, MOST_CONFIG)?;
            let config = RealTimeConfig::from_json(&text)
                .with_context(|| format!("cannot use `{}` as --realtime-config", shown(path)))?;
            return Ok((Some(config.fields), Some(config.sampling)));
        }
        let Some(names) = &self.fields else { return Ok((None, None)) };
        let fields = match self.input_format {
            Some(InputFormat::RealTime) => FieldList::real_time(names),
            _ => FieldList::parse(names),
        };
        Ok((Some(fields.context("cannot use --fields")?), None))
    }

    fn tell_told_twice(&self, coverage: &Coverage, ui: &Ui) {
        for pair in &coverage.told_twice {
            let what =
                if self.no_dedupe { "each is counted twice" } else { "each is counted once" };
            ui.warn(&format!(
                "the {} and the {} tell of the same requests (same request id; about {} of the smaller of the two): {what}; give only one of them",
                pair.one.as_str(),
                pair.other.as_str(),
                percent(pair.share)
            ));
        }
    }
}

/// Logs behind CloudFront have none of its request ids, so nothing tells whether they are of the same requests.
fn tell_without_ids(coverage: &Coverage, ui: &Ui) {
    let has_ids = |format: &&String| format.starts_with("CloudFront") || format.contains("WAF");
    let (with, without): (Vec<&String>, Vec<&String>) = coverage.formats.keys().partition(has_ids);
    if let (Some(edge), Some(origin)) = (with.first(), without.first()) {
        ui.warn(&format!(
            "logs of two places are read together ({} and {}): a request that both tell of is counted twice, as they share no request ids; give only one of them if they are of one site",
            plain(edge),
            plain(origin)
        ));
    }
}

/// A larger file is no configuration of logs.
const MOST_CONFIG: u64 = 1 << 20;

/// The formats by name.
fn input_format() -> impl TypedValueParser<Value = InputFormat> {
    let names = InputFormat::ALL.iter().map(|format| format.name());
    PossibleValuesParser::new(names).try_map(|name| {
        InputFormat::from_name(&name).ok_or_else(|| format!("`{name}` is no format"))
    })
}

/// Leaves files out whose names tell of other days.
fn keep_days(found: &mut Discovered, period: Period, ui: &Ui) -> Result<()> {
    let before = found.inputs.len();
    found.inputs.retain(|input| match &input.place {
        Place::File(path) => {
            path.file_name().is_none_or(|name| period.may_hold(&name.to_string_lossy()))
        }
        Place::StandardInput | Place::Remote(_) => true,
    });
    let left = (before - found.inputs.len()) as u64;
    if left > 0 && found.inputs.is_empty() {
        let files = count(left, "file is", "files are");
        return Err(hinted(
            format!("by their names, all {files} of other days"),
            "widen --from and --to",
        ));
    }
    if left > 0 {
        let files = count(left, "file is", "files are");
        ui.detail(&format!("{files} of other days by name, and not opened"));
    }
    Ok(())
}

/// The reading as a progress bar that a signal stops.
struct Watched<'a> {
    progress: &'a Progress,
    signals: &'a Signals,
}

impl Watch for Watched<'_> {
    fn advance(&self, bytes: u64) {
        self.progress.add(bytes);
    }

    fn file_done(&self) {
        self.progress.file_done();
    }

    fn stop(&self) -> bool {
        self.signals.came()
    }
}

fn tell_discovered(found: &Discovered, ui: &Ui) {
    if !found.repeated.is_empty() {
        let files = count(found.repeated.len() as u64, "file was", "files were");
        ui.warn(&format!("{files} given more than once, read once: {}", named(&found.repeated)));
    }
    if !found.ignored.is_empty() {
        let files = count(found.ignored.len() as u64, "file", "files");
        let verb = plural(found.ignored.len() as u64, "does", "do");
        ui.detail(&format!(
            "{files} {verb} not look like a log by name: {}",
            named(&found.ignored)
        ));
    }
}

/// Standard logs are named `<distribution>.<hour>.<hash>.gz`, with any prefix before.
fn tell_distributions(found: &Discovered, ui: &Ui) {
    let distribution = |input: &Input| {
        let name = Path::new(&input.name).file_name()?.to_str()?;
        let mut parts = name.split('.');
        let (first, hour) = (parts.next()?, parts.next()?);
        let dated =
            hour.len() == 13 && hour.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        let like_id =
            first.starts_with('E') && first.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (dated && like_id).then(|| first.to_owned())
    };
    let names: BTreeSet<String> = found.inputs.iter().filter_map(distribution).collect();
    if names.len() > 1 {
        let names: Vec<String> = names.into_iter().collect();
        ui.note(&format!(
            "logs of {} distributions ({}) are counted together, as a web ACL that protects them all would; name the files of one to look at it alone",
            thousands(names.len() as u64),
            named(&names)
        ));
    }
}

/// A log that reaches into the last day may still grow.
fn tell_late(coverage: &Coverage, ui: &Ui) {
    let now =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
    if coverage.last.is_some_and(|last| last.0 > now - 86_400) {
        ui.warn(
            "the log reaches into the last 24 hours, and logs are delivered up to 24 hours late: its last requests may be missing",
        );
    }
}

fn tell_coverage(coverage: &Coverage, ui: &Ui) {
    let formats: Vec<String> = coverage
        .formats
        .iter()
        .map(|(format, files)| format!("{format} ({})", count(*files, "file", "files")))
        .collect();
    ui.detail(&format!(
        "read {} in {}: {}",
        count(coverage.lines, "line", "lines"),
        count(coverage.files, "file", "files"),
        formats.join("; ")
    ));
    let pairs: Vec<String> = coverage
        .repeated_files
        .iter()
        .map(|(copy, original)| format!("{copy} (as {original})"))
        .collect();
    if !pairs.is_empty() {
        let files = count(pairs.len() as u64, "file has", "files have");
        ui.warn(&format!("{files} the content of another, read once: {}", named(&pairs)));
    }
    for (name, reason) in coverage.partial_files.iter().take(NAMED) {
        // The reason names the file already, but not always the way it was given.
        let reason = reason.replace(&format!("`{}` ", plain(name)), "it ");
        ui.warn(&format!("{} was read in part: {reason}", plain(name)));
    }
    if let Some(more) = coverage.partial_files.len().checked_sub(NAMED).filter(|more| *more > 0) {
        ui.warn(&format!("{} more files were read in part", thousands(more as u64)));
    }
    for (name, skipped, all) in coverage.doubtful_files.iter().take(NAMED) {
        ui.warn(&format!(
            "{}: {} of {} lines ({}) were skipped",
            plain(name),
            thousands(*skipped),
            thousands(*all),
            percent(*skipped as f64 / *all as f64)
        ));
    }
    if let Some(more) = coverage.doubtful_files.len().checked_sub(NAMED).filter(|more| *more > 0) {
        let files = count(more as u64, "more file", "more files");
        ui.warn(&format!("{files} with over 5 % of the lines skipped"));
    }
    for (reason, skipped) in &coverage.skipped {
        if let Some((file, line)) = &skipped.example {
            let lines = count(skipped.lines, "line", "lines");
            ui.note(&format!("skipped {lines}: {reason} (first: {}:{line})", plain(file)));
        }
    }
}

fn named(names: &[String]) -> String {
    let mut text = names.iter().take(NAMED).map(|name| plain(name)).collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        text.push_str(&format!(" and {} more", thousands((names.len() - NAMED) as u64)));
    }
    text
}
