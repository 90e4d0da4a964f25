//! What one thread makes of the requests it is given.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::agents::Agents;
use super::clients::Clients;
use super::coverage::RouteTraffic;
use super::event::{Event, flags};
use super::groups::{Groups, variant_of};
use super::selection::{Relation, Selection, SentPath};
use super::spill::Spill;
use crate::logs::{Field, Request};
use crate::rules::Variant;
use crate::units::Timestamp;

/// One route as one worker saw it.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) traffic: RouteTraffic,
    pub(super) events: Vec<Event>,
}

/// The survey as one worker saw it.
pub(super) struct GroupTally {
    pub(super) groups: Groups,
    pub(super) spill: Spill,
}

impl GroupTally {
    fn new(folder: PathBuf) -> Self {
        Self { groups: Groups::default(), spill: Spill::new(folder) }
    }

    /// Puts groups together if they are too many.
    #[cold]
    fn keep_most(&mut self) {
        if let Some(numbers) = self.groups.keep_most() {
            self.spill.renumber(&numbers);
        }
    }
}

pub(super) struct Worker<'a> {
    selection: &'a Selection,
    dedupe: bool,
    /// A route names a host.
    wants_host: bool,
    pub(super) agents: Agents,
    pub(super) clients: Clients,
    pub(super) routes: Vec<Tally>,
    pub(super) survey: Option<GroupTally>,
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
    /// The temporary file of the survey could not be written; there is no survey any more.
    pub(super) spill_error: Option<io::Error>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(selection: &'a Selection, dedupe: bool, failed: &'a AtomicBool) -> Self {
        Self {
            selection,
            dedupe,
            wants_host: selection.needs().host,
            agents: Agents::default(),
            clients: Clients::default(),
            routes: std::iter::repeat_with(Tally::default).take(selection.len()).collect(),
            survey: selection.survey.then(|| GroupTally::new(std::env::temp_dir())),
            lines: 0,
            outside: 0,
            hours: BTreeMap::new(),
            last_hour: i64::MIN,
            last_hour_lines: 0,
            first: None,
            last: None,
            digest: 0,
            failed,
            spill_error: None,
        }
    }

    /// Counts one request.
    #[inline]
    pub(super) fn take(&mut self, request: &mut Request<'_>) {
        if !self.selection.period.contains(request.ended) {
            self.outside += 1;
            return;
        }
        self.lines += 1;
        let client = self.clients.count_line(request.client);
        self.note_time(request.ended);
        self.digest += u128::from(fingerprint_of_line(request));
        let path = SentPath::new(request.path);
        let (agents, dedupe) = (&mut self.agents, self.dedupe);
        let routes = &mut self.routes;
        let host = if self.wants_host { request.field(Field::Host) } else { None };
        let method = request.method;
        self.selection.relate(&path, method, host, |number, relation| {
            let Tally { traffic, events } = &mut routes[number];
            match relation {
                Relation::Counted(found) => {
                    traffic.note_spelling(found.variant);
                    events.push(event(request, client, found.variant, dedupe, agents, traffic));
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
        let group = survey.groups.number(request.method, &path.loose);
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
            bare_event(request, client, self.dedupe)
        } else {
            event(request, client, variant, self.dedupe, &mut self.agents, traffic)
        };
        event.packed |= group << 8;
        let groups = &survey.groups;
        if let Err(error) = survey.spill.push(event, |group| groups.rank(group)) {
            // Whatever is still read is of no use: the survey would lack these requests.
            self.failed.store(true, Ordering::Relaxed);
            self.spill_error = Some(error);
            self.survey = None;
        }
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
    dedupe: bool,
    agents: &mut Agents,
    traffic: &mut RouteTraffic,
) -> Event {
    let mut bits = 0;
    let mut agent = 0;
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
    if request.field(Field::ForwardedFor).is_some_and(|other| names_another(other, request.client))
    {
        bits |= flags::FORWARDED;
        traffic.forwarded += 1;
    }
    if variant.is_plain() {
        bits |= flags::PLAIN;
    }
    if request.has(Field::UserAgent) && request.has(Field::Referer) && request.has(Field::Status) {
        bits |= flags::KNOWN;
    }
    Event { agent, packed: u32::from(bits), ..bare_event(request, client, dedupe) }
}

/// An event of which only the time and the copies matter.
fn bare_event(request: &mut Request<'_>, client: u32, dedupe: bool) -> Event {
    let fingerprint = match request.field(Field::RequestId) {
        Some(id) if dedupe => xxh3_64(id).max(1),
        _ => 0,
    };
    // The reader keeps arrivals within 32 bits.
    Event { client, time: request.arrival() as u32, fingerprint, agent: 0, packed: 0 }
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
