//! What one thread makes of the requests it is given.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::RandomState;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::agents::Agents;
use super::chunks::PartedEvents;
use super::clients::{ClientKey, ClientTable};
use super::coverage::RouteTraffic;
use super::event::{Event, flags};
use super::groups::{Groups, folded_by_ending, variant_of};
use super::overflow::Overflow;
use super::remembered::Remembered;
use super::rule_hits::RuleTallies;
use super::selection::{Relation, Selection, SentPath};
use super::spill::{Spill, Use};
use super::told_twice::Samples;
use crate::logs::{Field, Request, Source};
use crate::rules::Variant;
use crate::units::Timestamp;

/// One route as one worker saw it.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) traffic: RouteTraffic,
    pub(super) events: PartedEvents,
}

/// The survey as one worker saw it.
pub(super) struct GroupTally {
    pub(super) groups: Groups,
    pub(super) spill: Spill,
    /// Groups by method and path: to fold a path and look for its group takes longer.
    recent: Remembered<u32>,
}

impl GroupTally {
    fn new(folder: PathBuf) -> Self {
        Self { groups: Groups::default(), spill: Spill::new(folder), recent: Remembered::default() }
    }

    /// Puts groups together if they are too many.
    #[cold]
    fn keep_most(&mut self) {
        if let Some(numbers) = self.groups.keep_most() {
            self.spill.renumber(&numbers);
            self.recent.clear();
        }
    }

    /// The group of a request.
    #[inline]
    fn group(&mut self, method: &[u8], loose: &[u8]) -> u32 {
        // Paths of assets seldom come twice; their endings, which are no paths, do.
        let text = folded_by_ending(loose).unwrap_or(loose);
        if loose.first() != Some(&b'/') {
            return self.groups.number(method, loose);
        }
        let hash = self.recent.hash(method, text);
        self.recent.get(hash).unwrap_or_else(|| {
            let number = self.groups.number(method, loose);
            self.recent.put(hash, number);
            number
        })
    }
}

pub(super) struct Worker<'a> {
    selection: &'a Selection,
    ids: Ids,
    /// Per cent of the requests that a real-time log has, if they are to stand for all.
    pub(super) sampling: Option<u8>,
    /// A route names a host.
    wants_host: bool,
    pub(super) agents: Agents,
    pub(super) clients: ClientTable,
    pub(super) routes: Vec<Tally>,
    pub(super) survey: Option<GroupTally>,
    pub(super) rules: RuleTallies,
    pub(super) lines: u64,
    /// Lines outside the period that is asked for.
    pub(super) outside: u64,
    hours: BTreeMap<i64, u64>,
    /// The hour of the last line and the lines in a row that fell into it: not yet in `hours`, as a
    /// search for every line would cost too much.
    last_hour: i64,
    last_hour_lines: u64,
    pub(super) first: Option<Timestamp>,
    pub(super) last: Option<Timestamp>,
    pub(super) digest: u128,
    /// Is set when it fails.
    failed: &'a AtomicBool,
    /// Why what was read is of no use.
    pub(super) failure: Option<Failure>,
    /// What did not fit into memory.
    pub(super) overflow: Option<Overflow>,
}

/// Why a worker gave up.
pub(super) enum Failure {
    /// The temporary file could not be written.
    File(io::Error),
    /// So many clients of a survey do not fit into memory.
    Memory(u64),
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        selection: &'a Selection,
        dedupe: bool,
        failed: &'a AtomicBool,
        state: RandomState,
    ) -> Self {
        Self {
            selection,
            ids: Ids { dedupe, copy: 0, samples: Samples::default() },
            sampling: None,
            wants_host: selection.needs().host,
            agents: Agents::default(),
            clients: ClientTable::new(state),
            routes: std::iter::repeat_with(Tally::default).take(selection.len()).collect(),
            survey: selection.survey.then(|| GroupTally::new(std::env::temp_dir())),
            rules: RuleTallies::default(),
            lines: 0,
            outside: 0,
            hours: BTreeMap::new(),
            last_hour: i64::MIN,
            last_hour_lines: 0,
            first: None,
            last: None,
            digest: 0,
            failed,
            failure: None,
            overflow: None,
        }
    }

    /// Counts one request.
    #[inline]
    pub(super) fn take(&mut self, request: &mut Request<'_>) {
        if !self.selection.is_of_time(request.ended) {
            self.outside += 1;
            return;
        }
        self.lines += 1;
        let client = self.clients.count_line(request.client);
        self.note_time(request.ended);
        let fingerprint = fingerprint_of_line(request);
        self.digest += u128::from(fingerprint);
        for rule in request.rule_matches().filter(|rule| self.selection.wants_rule(rule)) {
            let Event { time, fingerprint, .. } = bare_event(request, client, &mut self.ids);
            self.rules.note(rule, ClientKey::of(request.client), time, fingerprint);
        }
        match self.sampling {
            Some(percent) if request.source() == Source::RealTime => {
                for copy in 0..copies(percent, request, fingerprint) {
                    self.ids.copy = copy;
                    self.count(request, client);
                }
                self.ids.copy = 0;
            }
            _ => self.count(request, client),
        }
    }

    /// Counts it for whom it concerns.
    #[inline]
    fn count(&mut self, request: &mut Request<'_>, client: u32) {
        let path = SentPath::new(request.path);
        let (agents, ids) = (&mut self.agents, &mut self.ids);
        let routes = &mut self.routes;
        let host = if self.wants_host { request.field(Field::Host) } else { None };
        let method = request.method;
        self.selection.relate(&path, method, host, |number, relation| {
            let Tally { traffic, events } = &mut routes[number];
            match relation {
                Relation::Counted(found) => {
                    traffic.note_spelling(found.variant);
                    events.push(event(request, client, found.variant, ids, agents, traffic));
                }
                Relation::Exempted => traffic.exempted += 1,
                Relation::MissedSpelling => traffic.missed_spellings += 1,
                Relation::OtherMethod => traffic.note_method(method),
                Relation::OtherHost => traffic.other_hosts += 1,
            }
        });
        if self.survey.is_some() {
            self.take_for_survey(request, client, &path);
        }
    }

    fn take_for_survey(&mut self, request: &mut Request<'_>, client: u32, path: &SentPath<'_>) {
        let Some(survey) = &mut self.survey else { return };
        if survey.groups.are_too_many() {
            survey.keep_most();
        }
        let group = survey.group(request.method, &path.loose);
        let is_asset = survey.groups.is_asset(group);
        let traffic = survey.groups.traffic_mut(group);
        if self.selection.is_exempt(&path.sent) {
            traffic.exempted += 1;
            return;
        }
        let variant = variant_of(&path.sent, &path.loose);
        traffic.note_spelling(variant);
        // Assets are counted and never analysed: who asks for them does not matter.
        let mut event = if is_asset {
            bare_event(request, client, &mut self.ids)
        } else {
            event(request, client, variant, &mut self.ids, &mut self.agents, traffic)
        };
        event.packed |= group << 8;
        let of = if is_asset { Use::Counted } else { Use::Analysed };
        if let Err(error) = survey.spill.push(event, of) {
            // The survey would lack these requests.
            self.fail(Failure::File(error));
        }
    }

    /// Whatever is still read is of no use.
    #[cold]
    fn fail(&mut self, failure: Failure) {
        self.failed.store(true, Ordering::Relaxed);
        self.failure.get_or_insert(failure);
        self.survey = None;
    }

    /// Writes what was counted to a temporary file if it takes more than so many bytes of memory.
    pub(super) fn keep_within(&mut self, budget: usize) {
        let events: usize = self.routes.iter().map(|route| route.events.bytes()).sum();
        if self.failure.is_some()
            || (self.clients.bytes() + events <= budget && !self.clients.is_full())
        {
            return;
        }
        if self.survey.is_some() {
            return self.fail(Failure::Memory(self.clients.len() as u64));
        }
        if let Err(error) = self.write_overflow() {
            self.fail(Failure::File(error));
        }
    }

    #[cold]
    fn write_overflow(&mut self) -> io::Result<()> {
        let overflow = match &mut self.overflow {
            Some(overflow) => overflow,
            none => none.insert(Overflow::new(&std::env::temp_dir())?),
        };
        let routes = self.routes.iter_mut();
        let events = routes.map(|route| std::mem::take(&mut route.events).into_parts()).collect();
        overflow.write(self.clients.take_parts(), events)
    }

    /// The request ids of each source.
    pub(super) fn samples(&self) -> &Samples {
        &self.ids.samples
    }

    /// Lines by UTC hour, all of them.
    pub(super) fn take_hours(&mut self) -> BTreeMap<i64, u64> {
        self.settle_hour();
        std::mem::take(&mut self.hours)
    }

    fn settle_hour(&mut self) {
        if self.last_hour_lines > 0 {
            *self.hours.entry(self.last_hour).or_insert(0) += self.last_hour_lines;
            self.last_hour_lines = 0;
        }
    }

    #[inline]
    fn note_time(&mut self, ended: i64) {
        let time = Timestamp(ended);
        if time.hour() != self.last_hour {
            self.settle_hour();
            self.last_hour = time.hour();
        }
        self.last_hour_lines += 1;
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}

/// What becomes of request ids.
struct Ids {
    dedupe: bool,
    /// Which of the requests that a sampled one stands for is being counted, from 0.
    copy: u32,
    samples: Samples,
}

impl Ids {
    /// 0 for a request that is never taken for a copy of another.
    #[inline]
    fn fingerprint(&mut self, request: &mut Request<'_>) -> u64 {
        let Some(id) = request.field(Field::RequestId) else { return 0 };
        let hash = xxh3_64(id);
        self.samples.note(request.source(), hash);
        // Copies are told apart, and remain the copies of one another if the request is read twice.
        let apart = u64::from(self.copy).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.dedupe { (hash ^ apart).max(1) } else { 0 }
    }
}

/// For how many requests one of a sample stands: 3 at 33 %, and at 40 % 2 or 3, by a hash of what it is, so
/// that it is the same whenever the request is read.
fn copies(percent: u8, request: &mut Request<'_>, fingerprint: u64) -> u32 {
    let percent = u32::from(percent.clamp(1, 100));
    let hash = request.field(Field::RequestId).map_or(fingerprint, xxh3_64);
    let more = hash % u64::from(percent) < u64::from(100 % percent);
    100 / percent + u32::from(more)
}

/// A hash of what makes a request, the same in every format and on every machine.
#[inline]
fn fingerprint_of_line(request: &Request<'_>) -> u64 {
    let seed = xxh3_64_with_seed(request.client, request.ended as u64);
    xxh3_64_with_seed(request.path, xxh3_64_with_seed(request.method, seed))
}

fn event(
    request: &mut Request<'_>,
    client: u32,
    variant: Variant,
    ids: &mut Ids,
    agents: &mut Agents,
    traffic: &mut RouteTraffic,
) -> Event {
    let mut bits = 0;
    let mut agent = 0;
    // The last column first, so that all of them are found in one go.
    let forwarded = request.field(Field::ForwardedFor);
    if let Some(text) = request.field(Field::UserAgent) {
        let look = agents.look(text);
        agent = look.hash;
        bits |= if look.browser { flags::BROWSER } else { 0 };
    }
    match request.status() {
        Some(429) => {
            bits |= flags::ERROR | flags::LIMITED;
            traffic.limited += 1;
        }
        Some(400..=499) => bits |= flags::ERROR,
        _ => {}
    }
    if request.field(Field::Referer).is_some() {
        bits |= flags::REFERER;
    }
    if forwarded.is_some_and(|other| names_another(other, request.client)) {
        bits |= flags::FORWARDED;
        traffic.forwarded += 1;
    }
    if variant.is_plain() {
        bits |= flags::PLAIN;
    }
    if request.has(Field::UserAgent) && request.has(Field::Referer) && request.has(Field::Status) {
        bits |= flags::KNOWN;
    }
    Event { agent, packed: u32::from(bits), ..bare_event(request, client, ids) }
}

/// An event of which only the time and the copies matter.
fn bare_event(request: &mut Request<'_>, client: u32, ids: &mut Ids) -> Event {
    // The later column first, so that both are found in one go. The reader keeps arrivals within 32 bits.
    let time = request.arrival() as u32;
    let fingerprint = ids.fingerprint(request);
    Event { client, time, fingerprint, agent: 0, packed: 0 }
}

/// Whether a forwarded-for list holds anything but the client itself.
fn names_another(forwarded: &[u8], client: &[u8]) -> bool {
    forwarded != client
        && match (std::str::from_utf8(forwarded), std::str::from_utf8(client)) {
            (Ok(one), Ok(two)) => {
                crate::units::Client::from_text(one.trim()) != crate::units::Client::from_text(two)
            }
            _ => true,
        }
}
