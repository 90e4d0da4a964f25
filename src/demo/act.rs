//! What the actors do in an hour.

use super::agents;
use super::cast::Cast;
use super::random::{Random, blend};
use super::record::{Caller, Record, Resource};
use super::schedule::Period;
use super::script::{Act, Burst, Manner};
use super::site::{HOLES, PRODUCTS, SPELLINGS};
use super::stage::{Stage, Wanted};
use super::visit::visit;

/// Appends what all actors do in an hour.
pub(super) fn perform(cast: &Cast, period: Period, hour: u32, records: &mut Vec<Record>) {
    for (number, actor) in cast.actors.iter().enumerate() {
        let client = number as u32;
        let mut stage = Stage {
            random: Random::new(&[cast.seed, 0xAC7, u64::from(client), u64::from(hour)]),
            begin: period.begin(hour),
            start: period.start,
            room: u64::MAX,
            records,
        };
        let office = actor.role == super::Role::Office;
        match &actor.act {
            Act::People { .. } if office && !period.is_office_hour(hour) => {}
            Act::People { people, rate } => visits(&mut stage, cast, client, *people, *rate),
            Act::Rendering { rate } => rendering(&mut stage, client, *rate),
            Act::Syncing { calls } => syncing(&mut stage, client, *calls),
            Act::Probing { every, phase } => probing(&mut stage, client, *every, *phase),
            Act::Delivering { rate } => delivering(&mut stage, client, *rate),
            Act::Crawling { agent, rate } => crawling(&mut stage, client, *agent, *rate),
            Act::Scanning { rate } => scanning(&mut stage, client, *rate),
            Act::Trickling { rate } => trickling(&mut stage, client, *rate),
            Act::Bursts { manner, bursts } => {
                for (number, burst) in bursts.iter().enumerate() {
                    // The same chance in every hour that the burst reaches into.
                    let parts = [cast.seed, 0xB025, u64::from(client), number as u64];
                    stage.random = Random::new(&parts);
                    storm(&mut stage, client, *manner, *burst);
                }
            }
        }
    }
}

/// How many in this hour, of so many thousandths on average.
fn number(stage: &mut Stage<'_>, rate: u32) -> u32 {
    (rate + stage.random.below(1_000)) / 1_000
}

fn visits(stage: &mut Stage<'_>, cast: &Cast, client: u32, people: u32, rate: u32) {
    stage.room = u64::from(number(stage, rate));
    while stage.room > 0 {
        let person = u64::from(stage.random.below(people));
        let agent = agents::of_person(blend(&[cast.seed, u64::from(client), person]));
        visit(stage, client, agent);
    }
}

/// One request of a machine, on one of its few connections.
fn machine(stage: &mut Stage<'_>, client: u32, agent: u32, offset: u32, wanted: Wanted) {
    let connection = blend(&[u64::from(client), u64::from(stage.random.below(4))]) as u32;
    stage.log(offset, Caller { client, agent, connection }, wanted);
}

fn rendering(stage: &mut Stage<'_>, client: u32, rate: u32) {
    for _ in 0..number(stage, rate) {
        let offset = stage.random.below(3_600);
        let resource = if stage.random.one_in(5) { Resource::Reviews } else { Resource::Token };
        let wanted = Wanted::new(resource, stage.random.below(PRODUCTS), 0);
        machine(stage, client, agents::RENDERER, offset, wanted);
    }
}

fn syncing(stage: &mut Stage<'_>, client: u32, calls: u32) {
    for call in 0..calls {
        let resource = if call % 3 == 0 { Resource::Token } else { Resource::Reviews };
        let wanted = Wanted::new(resource, stage.random.below(PRODUCTS), 0);
        machine(stage, client, agents::PARTNER, 300 + call * 2, wanted);
    }
}

fn probing(stage: &mut Stage<'_>, client: u32, every: u32, phase: u32) {
    let since = stage.begin - stage.start + every - phase % every;
    let mut offset = (every - since % every) % every;
    while offset < 3_600 {
        let status = if stage.random.one_in(500) { 503 } else { 200 };
        let wanted = Wanted::new(Resource::Health, 0, 0).answered(status);
        machine(stage, client, agents::MONITOR, offset, wanted);
        offset += every;
    }
}

fn delivering(stage: &mut Stage<'_>, client: u32, rate: u32) {
    for _ in 0..number(stage, rate) {
        let offset = stage.random.below(3_600);
        let status = if stage.random.one_in(200) { 500 } else { 200 };
        let wanted = Wanted::new(Resource::Webhook, 0, 0).answered(status);
        machine(stage, client, agents::PAYMENTS, offset, wanted);
    }
}

fn crawling(stage: &mut Stage<'_>, client: u32, agent: u32, rate: u32) {
    for _ in 0..number(stage, rate) {
        let offset = stage.random.below(3_600);
        let item = stage.random.below(PRODUCTS);
        let (resource, status) = match stage.random.below(40) {
            0 => (Resource::Robots, 200),
            1 => (Resource::Sitemap, 200),
            2..5 => (Resource::Category, 200),
            5..8 => (Resource::Product, 404),
            8..12 => (Resource::Image, 304),
            _ => (Resource::Product, 200),
        };
        machine(stage, client, agent, offset, Wanted::new(resource, item, 0).answered(status));
    }
}

fn scanning(stage: &mut Stage<'_>, client: u32, rate: u32) {
    for _ in 0..number(stage, rate) {
        let offset = stage.random.below(3_600);
        let agent = stage.random.pick(&agents::SCANNERS);
        let hole = stage.random.below(HOLES.len() as u32);
        let status = if stage.random.one_in(9) { 403 } else { 404 };
        let wanted = Wanted::new(Resource::Hole, hole, 0).answered(status);
        machine(stage, client, agent, offset, wanted);
    }
}

fn trickling(stage: &mut Stage<'_>, client: u32, rate: u32) {
    for _ in 0..number(stage, rate) {
        let offset = stage.random.below(3_600);
        let resource = if stage.random.one_in(3) { Resource::Reviews } else { Resource::Token };
        let wanted = Wanted::new(resource, stage.random.below(PRODUCTS), 0);
        machine(stage, client, 5, offset, wanted);
    }
}

/// The part of a burst that falls into the hour.
fn storm(stage: &mut Stage<'_>, client: u32, manner: Manner, burst: Burst) {
    let (begin, end) = (stage.begin, stage.begin + 3_600);
    if burst.from >= end || burst.from + burst.seconds < begin {
        return;
    }
    for number in 0..burst.requests {
        let after = u64::from(number) * u64::from(burst.seconds) / u64::from(burst.requests);
        let at = burst.from + after as u32;
        let (agent, wanted) = stormy(stage, manner);
        let inside = (begin..end).contains(&at);
        // Logged or not, a request takes the same numbers from chance.
        stage.room = 1;
        let before = stage.records.len();
        machine(stage, client, agent, at.max(begin) - begin, wanted);
        if !inside {
            stage.records.truncate(before);
        }
    }
    stage.room = u64::MAX;
}

fn stormy(stage: &mut Stage<'_>, manner: Manner) -> (u32, Wanted) {
    let random = &mut stage.random;
    match manner {
        Manner::Tests => {
            let resource = match random.below(20) {
                0..15 => Resource::Token,
                15..17 => Resource::Login,
                17..19 => Resource::Cart,
                _ => Resource::Home,
            };
            let status = if random.one_in(25) { 401 } else { 200 };
            (agents::HEADLESS, Wanted::new(resource, 0, 0).answered(status))
        }
        Manner::Hammer { agent, disguised, refused, spelled } => {
            let name = random.bits();
            let agent = if disguised { agents::of_person(name % 60) } else { agent };
            let status = if refused && random.below(100) < 62 { 401 } else { 200 };
            let spelling = random.below(3 * SPELLINGS.len() as u32) as u8;
            let odd = spelled && usize::from(spelling) < SPELLINGS.len();
            let spelling = if odd { spelling + 1 } else { 0 };
            let wanted = Wanted::new(Resource::Token, 0, 0).answered(status);
            (agent, Wanted { spelling, ..wanted })
        }
        Manner::Guesses => {
            let status = if random.one_in(300) { 200 } else { 401 };
            (1, Wanted::new(Resource::Login, 0, 0).answered(status))
        }
    }
}
