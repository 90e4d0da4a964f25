//! Who appears in a week of a given size, and how often: everything that is decided before the first
//! line.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::agents;
use super::cast::abuser_address;
use super::error::Error;
use super::random::Random;
use super::role::Role;
use super::schedule::Period;
use super::{Plan, cast::Actor};

/// What an actor does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Visits by this many people, in thousandths of a line an hour.
    People { people: u32, rate: u32 },
    /// Tokens for the pages it renders.
    Rendering { rate: u32 },
    /// So many calls at five past every hour.
    Syncing { calls: u32 },
    /// A health check every so many seconds.
    Probing { every: u32, phase: u32 },
    /// Events, in thousandths an hour.
    Delivering { rate: u32 },
    /// Pages, in thousandths an hour.
    Crawling { agent: u32, rate: u32 },
    /// Holes, in thousandths an hour.
    Scanning { rate: u32 },
    /// Tokens, in thousandths an hour.
    Trickling { rate: u32 },
    /// Nothing but these.
    Bursts { manner: Manner, bursts: Vec<Burst> },
}

/// What a burst is made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// The shop's own tests.
    Tests,
    /// Tokens and nothing else.
    Hammer {
        /// Which tool.
        agent: u32,
        /// A new browser's name for every request.
        disguised: bool,
        /// Refused more often than not.
        refused: bool,
        /// In all spellings.
        spelled: bool,
    },
    /// Passwords.
    Guesses,
}

/// Many requests in a short time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst {
    pub(super) from: u32,
    pub(super) seconds: u32,
    pub(super) requests: u32,
}

/// The script of a period.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) seed: u64,
    pub(super) period: Period,
    pub(super) actors: Vec<Actor>,
    pub(super) visitors: u32,
    pub(super) rotating: u32,
}

/// Fewer lines do not hold everybody.
const LEAST_LINES: u64 = 1_000;
/// Fewer clients are no crowd.
const LEAST_CLIENTS: u64 = 50;
/// Numbers of clients, and seconds, are kept in 32 bits.
const MOST_CLIENTS: u64 = 1 << 31;
const MOST_DAYS: u32 = 400;
/// Weakest of the abusers, if there are lines enough: requests in five minutes.
const WEAKEST: f64 = 440.0;
const STRONGEST: f64 = 7_400.0;

impl Script {
    pub(super) fn new(plan: &Plan) -> Result<Self, Error> {
        let period = period(plan)?;
        if plan.lines < LEAST_LINES {
            return Err(Error::TooFewLines { least: LEAST_LINES });
        }
        let clients = plan.clients.unwrap_or_else(|| (plan.lines / 80).max(LEAST_CLIENTS));
        if clients < LEAST_CLIENTS {
            return Err(Error::TooFewClients { least: LEAST_CLIENTS });
        }
        // Everybody needs a line, and half of the lines are spoken for.
        let most = (plan.lines / 2).min(MOST_CLIENTS);
        if clients > most {
            return Err(Error::TooManyClients { most });
        }
        let writer = Writer { plan, period, random: Random::new(&[plan.seed, 0x5C21]) };
        let actors = writer.actors(clients);
        let others = clients - actors.len() as u64;
        // A shop's visitors make some twenty requests each; whoever is left over is an attacker's.
        let visitors = others.min((plan.lines / 20).max(LEAST_CLIENTS));
        Ok(Self {
            seed: plan.seed,
            period,
            actors,
            visitors: visitors as u32,
            rotating: (others - visitors) as u32,
        })
    }
}

fn period(plan: &Plan) -> Result<Period, Error> {
    if !(1..=MOST_DAYS).contains(&plan.days) {
        return Err(Error::Days { most: MOST_DAYS });
    }
    let end = plan.start.0.saturating_add(i64::from(plan.days) * 86_400);
    let start = u32::try_from(plan.start.0).ok().filter(|start| start.is_multiple_of(3_600));
    match (start, u32::try_from(end)) {
        (Some(start), Ok(_)) => Ok(Period { start, days: plan.days }),
        _ => Err(Error::Start(plan.start)),
    }
}

struct Writer<'a> {
    plan: &'a Plan,
    period: Period,
    random: Random,
}

const fn v4(a: u8, b: u8, c: u8, d: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(a, b, c, d))
}

const fn v6(network: u16, host: u16) -> IpAddr {
    IpAddr::V6(Ipv6Addr::new(0x2001, 0xDB8, network, 0, 0, 0, 0, host))
}

impl Writer<'_> {
    /// A share of all lines, given in tenths of a percent.
    const fn share(&self, thousandths: u64) -> u64 {
        self.plan.lines / 1_000 * thousandths
    }

    /// Thousandths an hour of so many lines, never more than `most` lines an hour.
    fn rate(&self, lines: u64, hours: u32, most: u32) -> u32 {
        (lines * 1_000 / u64::from(hours.max(1))).min(u64::from(most) * 1_000) as u32
    }

    fn actors(mut self, clients: u64) -> Vec<Actor> {
        let mut actors = Vec::new();
        self.people(clients, &mut actors);
        self.machines(&mut actors);
        self.tests(&mut actors);
        self.abusers(&mut actors);
        actors
    }

    fn people(&mut self, clients: u64, actors: &mut Vec<Actor>) {
        let offices = (clients / 400).clamp(2, 40) as u32;
        let working =
            (0..self.period.hours()).filter(|&hour| self.period.is_office_hour(hour)).count();
        for office in 0..offices {
            let address = match office % 3 {
                2 => v6(0x0FF0 + office as u16, 1),
                _ => v4(198, 51, 100, 7 + office as u8),
            };
            let rate = self.rate(self.share(60) / u64::from(offices), working as u32, 1_500);
            let people = self.random.between(12, 60);
            actors.push(Actor { address, role: Role::Office, act: Act::People { people, rate } });
        }
        let rate = self.rate(self.share(15), self.period.hours(), 3_000);
        actors.push(Actor {
            address: v4(192, 0, 2, 200),
            role: Role::CarrierNat,
            act: Act::People { people: 400, rate },
        });
    }

    fn machines(&self, actors: &mut Vec<Actor>) {
        let hours = self.period.hours();
        let mut add = |address, role, act| actors.push(Actor { address, role, act });
        let rate = self.rate(self.share(20), hours, 360);
        add(v4(203, 0, 113, 46), Role::Renderer, Act::Rendering { rate });
        let calls = (self.share(10) / u64::from(hours)).clamp(1, 12) as u32;
        add(v4(192, 0, 2, 77), Role::Partner, Act::Syncing { calls });
        let probes = [30, 60, 120, 300, 900, 3_600]
            .into_iter()
            .find(|every| u64::from(hours * 3_600 / every) <= self.share(7))
            .unwrap_or(7_200);
        for (number, address) in [(0, v4(203, 0, 113, 101)), (1, v6(0x0A11, 2))] {
            let act = Act::Probing { every: probes, phase: number * 17 };
            add(address, Role::Monitor, act);
        }
        let rate = self.rate(self.share(10), hours, 5_000);
        add(v4(192, 0, 2, 80), Role::Webhooks, Act::Delivering { rate });
        for (number, agent) in agents::CRAWLERS.into_iter().enumerate() {
            let rate = self.rate(self.share([25, 10, 5][number]), hours, 20_000);
            let address = v4(192, 0, 2, 10 + number as u8);
            add(address, Role::Crawler, Act::Crawling { agent, rate });
        }
        let rate = self.rate(self.share(4), hours, 2_000);
        add(abuser_address(300), Role::Scanner, Act::Scanning { rate });
        let rate = self.rate(self.share(5), hours, 30);
        add(abuser_address(500), Role::SlowScraper, Act::Trickling { rate });
    }

    /// Every working day at fixed times; every day, if no day is one.
    fn tests(&self, actors: &mut Vec<Actor>) {
        let noons: Vec<u32> =
            (0..self.period.hours()).filter(|&hour| self.period.hour_of_day(hour) == 12).collect();
        let working: Vec<u32> =
            noons.iter().copied().filter(|&hour| self.period.is_workday(hour)).collect();
        let days = if working.is_empty() { noons } else { working };
        let budget = self.share(100) / days.len().max(1) as u64;
        let often = budget > 4_000;
        let requests = budget.clamp(8, 900) as u32;
        let runs = |minutes: &[u32], requests: u32| -> Vec<Burst> {
            let day = |&hour: &u32| self.period.begin(hour);
            days.iter()
                .map(day)
                .flat_map(|noon| minutes.iter().map(move |minute| noon - 18_000 + minute * 60))
                .map(|from| Burst { from, seconds: 240, requests })
                .collect()
        };
        let main: &[u32] = if often { &[90, 305, 525] } else { &[305] };
        let mut add = |address, bursts| {
            let act = Act::Bursts { manner: Manner::Tests, bursts };
            actors.push(Actor { address, role: Role::QaRunner, act });
        };
        add(v4(203, 0, 113, 10), runs(main, requests));
        add(v6(0x0007, 0x10), runs(&[335], requests / 4));
    }

    fn abusers(&mut self, actors: &mut Vec<Actor>) {
        let lines = self.plan.lines;
        let number = match lines {
            0..60_000 => 5,
            60_000..300_000 => 7,
            300_000..3_000_000 => 9,
            _ => 12,
        };
        let budget = self.share(120) as f64;
        let peaks = peaks(number, budget);
        let again = ((budget / peaks.iter().sum::<f64>()) as u32).clamp(1, 4);
        for (place, peak) in peaks.into_iter().enumerate() {
            let place = place as u32;
            let manner = Manner::Hammer {
                agent: place % 8,
                disguised: place % 6 == 3,
                refused: place % 3 == 1,
                spelled: place % 5 == 2,
            };
            let address = if place == 4 { v6(0xBAD, 0x5) } else { abuser_address(place) };
            let peak = peak as u32 * self.random.between(97, 109) / 100;
            let bursts = self.bursts(peak, again);
            let act = Act::Bursts { manner, bursts };
            actors.push(Actor { address, role: Role::Abuser, act });
        }
        let guesses = self.share(10).min(6_000) as u32;
        let bursts = self.bursts(guesses, 1);
        let act = Act::Bursts { manner: Manner::Guesses, bursts };
        actors.push(Actor { address: abuser_address(400), role: Role::PasswordGuesser, act });
    }

    /// The first is the worst; the others follow within two days, hours apart.
    fn bursts(&mut self, peak: u32, number: u32) -> Vec<Burst> {
        let day = self.random.below(self.period.days);
        let hour = self.random.between(1, 14);
        (0..number)
            .map(|burst| {
                let day = (day + burst % 2) % self.period.days;
                let hour = day * 24 + hour + burst / 2 * 3;
                let share = if burst == 0 { 100 } else { self.random.between(55, 90) };
                Burst {
                    from: self.period.begin(hour) + self.random.below(3_600),
                    seconds: self.random.between(120, 270),
                    requests: (peak * share / 100).max(1),
                }
            })
            .collect()
    }
}

/// From [`WEAKEST`] upwards in equal steps, as far apart as the strongest and the budget allow.
fn peaks(number: u32, budget: f64) -> Vec<f64> {
    let ladder = |step: f64| {
        std::iter::successors(Some(WEAKEST), |peak| Some(peak * step))
            .take(number as usize)
            .collect::<Vec<f64>>()
    };
    let sum = |peaks: &[f64]| peaks.iter().sum::<f64>();
    let fitting = [1.6, 1.45, 1.38, 1.32, 1.28, 1.24, 1.2, 1.15]
        .into_iter()
        .map(ladder)
        .find(|peaks| sum(peaks) <= budget && peaks.last().is_some_and(|&last| last <= STRONGEST));
    fitting.unwrap_or_else(|| {
        let smallest = ladder(1.12);
        let scale = (budget / sum(&smallest)).min(1.0);
        smallest.into_iter().map(|peak| peak * scale).collect()
    })
}
