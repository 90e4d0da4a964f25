//! One hour of the log, complete: whatever is done, whoever comes, and what is delivered twice or
//! into the neighbour's file.

use super::act::perform;
use super::agents;
use super::cast::Cast;
use super::random::{Random, blend};
use super::record::{Caller, Record, Resource};
use super::schedule::{Period, split};
use super::stage::{Stage, Wanted};
use super::visit::{glimpse, visit};

/// How many lines each hour holds and who is new in it.
pub(super) struct Hours {
    pub(super) period: Period,
    /// Visitors' lines before each hour.
    before: Vec<u64>,
}

/// One visitor's line in so many is delivered twice.
const COPIES: u64 = 4_000;
/// One in so many comes in the file of the hour before, and as many in that of the hour after.
const STRAYS: u64 = 700;

/// Where a line comes instead of where it belongs.
#[derive(Clone, Copy)]
enum Stray {
    /// The hour after.
    Late,
    /// The hour before.
    Early,
}

impl Hours {
    /// `None` if the actors leave too few lines for the visitors.
    pub(super) fn new(cast: &Cast, period: Period, lines: u64, acted: u64) -> Option<Self> {
        let left = lines.checked_sub(acted + u64::from(cast.rotating))?;
        // Two lines each: one to be there, and room for copies and strays.
        (left >= 2 * u64::from(cast.visitors))
            .then(|| Self { period, before: split(period, cast.seed, left) })
    }

    fn visitor_lines(&self, hour: u32) -> u64 {
        self.before[hour as usize + 1] - self.before[hour as usize]
    }

    /// The part of `whole` that has come when so many of the visitors' lines have.
    fn part(&self, whole: u32, hour: u32) -> u64 {
        let all = self.before[self.before.len() - 1];
        let sum = u128::from(whole) * u128::from(self.before[hour as usize]);
        (sum / u128::from(all)) as u64
    }

    /// Every so many-th of the visitors' lines, if it lies in this hour.
    fn one_in(&self, number: u64, hour: u32) -> u64 {
        self.before[hour as usize + 1] / number - self.before[hour as usize] / number
    }

    /// Lines of visitors of this hour that come in another hour's file.
    fn strays(&self, hour: u32, stray: Stray) -> u64 {
        let none = match stray {
            Stray::Late => hour + 1 == self.period.hours(),
            Stray::Early => hour == 0,
        };
        // Never so many that an hour's newcomers find no line.
        if none { 0 } else { self.one_in(STRAYS, hour).min(self.visitor_lines(hour) / 8) }
    }

    /// All records whose place is in this hour's files.
    pub(super) fn records(&self, cast: &Cast, hour: u32) -> Vec<Record> {
        let mut records = Vec::new();
        perform(cast, self.period, hour, &mut records);
        rotate(cast, self.period, hour, &mut records);
        let copies = self.visitors(cast, hour, &mut records);
        if hour > 0 {
            self.add_strays(cast, hour - 1, Stray::Late, &mut records);
        }
        if hour + 1 < self.period.hours() {
            self.add_strays(cast, hour + 1, Stray::Early, &mut records);
        }
        let mut random = Random::new(&[cast.seed, 0xC0B1, u64::from(hour)]);
        let originals = records.len() as u32;
        for _ in 0..copies {
            let original = records[random.below(originals) as usize];
            records.push(Record { copy: true, ..original });
        }
        records
    }

    /// Plays the visits of an hour and tells how many copies there is room for.
    fn visitors(&self, cast: &Cast, hour: u32, records: &mut Vec<Record>) -> u64 {
        let newcomers = self.part(cast.visitors, hour)..self.part(cast.visitors, hour + 1);
        let all = self.visitor_lines(hour);
        let strays = self.strays(hour, Stray::Late) + self.strays(hour, Stray::Early);
        let spare = all - strays - (newcomers.end - newcomers.start);
        let copies = self.one_in(COPIES, hour).min(spare);
        let mut left = all - strays - copies;
        let mut stage = Stage {
            random: Random::new(&[cast.seed, 0x7157, u64::from(hour)]),
            begin: self.period.begin(hour),
            start: self.period.start,
            room: 0,
            records,
        };
        for number in newcomers.clone() {
            // Whoever is still to come needs a line too.
            let waiting = newcomers.end - number - 1;
            stage.room = left - waiting;
            let client = cast.newcomer(number);
            visit(&mut stage, client, agent_of(cast, client));
            left = stage.room + waiting;
        }
        stage.room = left;
        while stage.room > 0 {
            let client = regular(cast, &mut stage.random);
            visit(&mut stage, client, agent_of(cast, client));
        }
        copies
    }

    fn add_strays(&self, cast: &Cast, hour: u32, stray: Stray, records: &mut Vec<Record>) {
        let mut stage = Stage {
            random: Random::new(&[cast.seed, 0x57A4 + stray as u64, u64::from(hour)]),
            begin: self.period.begin(hour),
            start: self.period.start,
            room: self.strays(hour, stray),
            records,
        };
        while stage.room > 0 {
            let client = regular(cast, &mut stage.random);
            let within = stage.random.below(200);
            let offset = match stray {
                Stray::Late => 3_599 - within,
                Stray::Early => within,
            };
            glimpse(&mut stage, client, agent_of(cast, client), offset);
        }
    }
}

/// Some visitor; some come far more often than others.
fn regular(cast: &Cast, random: &mut Random) -> u32 {
    let unit = random.unit();
    cast.visitor((unit * unit * f64::from(cast.visitors)) as u32)
}

/// A visitor has one device.
fn agent_of(cast: &Cast, client: u32) -> u32 {
    agents::of_person(blend(&[cast.seed, 0xA6E7, u64::from(client)]))
}

/// The part of the rotating attacker's addresses that is used in this hour.
fn rotate(cast: &Cast, period: Period, hour: u32, records: &mut Vec<Record>) {
    let part = |hour: u32| u64::from(cast.rotating) * u64::from(hour) / u64::from(period.hours());
    let mut stage = Stage {
        random: Random::new(&[cast.seed, 0x2074, u64::from(hour)]),
        begin: period.begin(hour),
        start: period.start,
        room: u64::MAX,
        records,
    };
    for number in part(hour)..part(hour + 1) {
        let bits = stage.random.bits();
        let caller = Caller {
            client: cast.rotated(number),
            agent: agents::of_person(bits % 5_000),
            connection: (bits >> 32) as u32,
        };
        let offset = stage.random.below(3_600);
        stage.log(offset, caller, Wanted::new(Resource::Token, 0, 0));
    }
}
