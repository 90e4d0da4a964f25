//! Clients that have to pass: visitors, offices, machines of the site's own and of its partners.

use super::random::Random;
use super::trace::{DAY, HOUR, MINUTE, Manners, Trace, WINDOW};
use super::week::{Shape, Site, Truth, Week};

/// A moment of a day, seldom at night.
pub fn time_of_day(random: &mut Random) -> u32 {
    loop {
        let second = random.whole(0, DAY - 1);
        let from_afternoon = (f64::from(second) / f64::from(HOUR) - 15.0) / 24.0;
        if random
            .chance(0.55f64.mul_add((std::f64::consts::TAU * from_afternoon).cos(), 0.45).max(0.03))
        {
            return second;
        }
    }
}

pub fn moment(random: &mut Random, days: u32) -> u32 {
    random.whole(0, days - 1) * DAY + time_of_day(random)
}

/// How visitors of a site send their requests.
pub fn visitor_manners(random: &mut Random, site: Site) -> Manners {
    let errors = if random.chance(0.85) { 0.0 } else { random.between(0.0, 0.12) };
    let mut manners = Manners {
        agents: if random.chance(0.95) { 1 } else { 2 },
        errors,
        focus: random.between(0.1, 0.9),
        referer: random.between(0.7, 1.0),
        browser: 1.0,
    };
    match site {
        // A privacy browser, now and then.
        Site::Web if random.chance(0.06) => manners.referer = 0.0,
        Site::Web => {}
        Site::App => (manners.referer, manners.browser) = (0.0, 0.0),
        Site::Api => {
            (manners.referer, manners.browser) = (0.0, 0.0);
            manners.focus = random.between(0.9, 1.0);
        }
    }
    manners
}

/// A tool that calls nothing else.
pub fn tool_manners(random: &mut Random) -> Manners {
    Manners { agents: 1, errors: 0.0, focus: random.between(0.96, 1.0), referer: 0.0, browser: 0.0 }
}

/// Many people behind one address.
fn crowd_manners(random: &mut Random, people: u32) -> Manners {
    Manners {
        agents: random.whole(people / 3, people / 2).clamp(2, 64),
        errors: random.between(0.0, 0.05),
        focus: random.between(0.2, 0.6),
        referer: random.between(0.8, 1.0),
        browser: random.between(0.93, 1.0),
    }
}

impl Week {
    /// Visitors: one busy spell each, and now and then a quieter one.
    pub fn visitors(&mut self, number: u32, shape: Shape) -> &mut Self {
        for _ in 0..number {
            let busy = shape.draw(&mut self.random);
            self.visitor(busy);
        }
        self
    }

    pub fn visitor(&mut self, busy: u32) -> &mut Self {
        let (site, days) = (self.site, self.days);
        let random = &mut self.random;
        let start = moment(random, days);
        let seconds = random.whole(20, 280);
        let mut trace = Trace::default().burst(random, start, seconds, busy);
        let after = random.poisson(f64::from(busy) * 0.3);
        trace = trace.burst(random, start + 280, 20 * MINUTE, after);
        for _ in 0..random.poisson(0.8) {
            let part = (f64::from(busy) * random.between(0.05, 0.8)).ceil() as u32;
            let start = moment(random, days);
            trace = trace.burst(random, start, WINDOW, part);
        }
        let manners = visitor_manners(random, site);
        self.add(trace, manners, Truth::Pass)
    }

    /// An office: people from eight to six on workdays, most of them at nine.
    pub fn office(&mut self, people: u32, at_nine: f64) -> &mut Self {
        let random = &mut self.random;
        let mut trace = Trace::default();
        for day in 0..5 {
            let nine = (at_nine * random.between(0.75, 1.1)) as u32;
            trace = trace.burst(random, day * DAY + 9 * HOUR - 90, WINDOW, nine);
            for hour in 8..18 {
                let number = random.poisson(at_nine * 0.4);
                trace = trace.burst(random, day * DAY + hour * HOUR, HOUR, number);
            }
        }
        let manners = crowd_manners(random, people);
        self.add(trace, manners, Truth::Pass)
    }

    /// A carrier's address: people day and night.
    pub fn carrier(&mut self, busy: f64) -> &mut Self {
        let random = &mut self.random;
        let mut trace = Trace::default();
        for hour in 0..168 {
            let evening = if (17..23).contains(&(hour % 24)) { 1.0 } else { 0.3 };
            let number = random.poisson(busy * 2.0 * evening);
            trace = trace.burst(random, hour * HOUR, HOUR, number);
        }
        for day in 0..7 {
            let number = random.poisson(busy * 0.8);
            trace = trace.burst(random, day * DAY + 20 * HOUR, WINDOW, number);
        }
        let manners = crowd_manners(random, 150);
        self.add(trace, manners, Truth::Pass)
    }

    /// A crowd of two days: a conference, a fair.
    pub fn conference(&mut self, people: u32, busy: f64) -> &mut Self {
        let random = &mut self.random;
        let first = random.whole(0, 4);
        let mut trace = Trace::default();
        for (day, hour) in (first..first + 2).flat_map(|day| (9..17).map(move |hour| (day, hour))) {
            let number = random.poisson(busy * 1.5);
            trace = trace.burst(random, day * DAY + hour * HOUR, HOUR, number);
            let mean = busy * random.between(0.3, 0.9);
            let number = random.poisson(mean);
            trace = trace.burst(random, day * DAY + hour * HOUR, WINDOW, number);
        }
        let manners = crowd_manners(random, people);
        self.add(trace, manners, Truth::Pass)
    }

    /// A job at fixed times, every so many hours.
    pub fn cron(&mut self, every: u32, number: f64) -> &mut Self {
        let random = &mut self.random;
        let minute = random.whole(0, 59);
        let seconds = random.whole(30, 600);
        let mut trace = Trace::default();
        for hour in (random.whole(0, every - 1)..168).step_by(every as usize) {
            let number = random.poisson(number);
            trace = trace.burst(random, hour * HOUR + minute * MINUTE, seconds, number);
        }
        let manners = tool_manners(random);
        self.add(trace, manners, Truth::Pass)
    }

    /// A probe every few seconds, always.
    pub fn monitor(&mut self, seconds_apart: u32) -> &mut Self {
        let trace =
            Trace::default().steady(0, 7 * DAY, f64::from(WINDOW) / f64::from(seconds_apart));
        let manners = tool_manners(&mut self.random);
        self.add(trace, manners, Truth::Pass)
    }

    /// A partner's batch, or a test runner: work on some days of the week, in working hours.
    pub fn workdays(&mut self, days: u32, runs: u32, per_window: f64) -> &mut Self {
        let random = &mut self.random;
        let mut trace = Trace::default();
        for day in 0..days {
            for _ in 0..runs {
                let start = day * DAY + random.whole(8 * HOUR, 18 * HOUR);
                let seconds = random.whole(6 * MINUTE, 25 * MINUTE);
                let rate = per_window * random.between(0.8, 1.0);
                trace = trace.uneven(random, start, seconds, rate);
            }
        }
        let manners = tool_manners(random);
        self.add(trace, manners, Truth::Pass)
    }

    /// A search engine: some hours every night, other pages too.
    pub fn crawler(&mut self, per_window: f64) -> &mut Self {
        let random = &mut self.random;
        let mut trace = Trace::default();
        for day in 0..7 {
            let start = day * DAY + random.whole(0, 3 * HOUR);
            let seconds = random.whole(HOUR, 4 * HOUR);
            let rate = per_window * random.between(0.5, 1.0);
            trace = trace.uneven(random, start, seconds, rate);
        }
        let focus = random.between(0.05, 0.4);
        let manners = Manners { focus, ..tool_manners(random) };
        self.add(trace, manners, Truth::Pass)
    }

    /// A machine of the site's own that runs once: an import, a migration, a load test.
    pub fn one_off(&mut self, per_window: f64) -> &mut Self {
        let random = &mut self.random;
        let start = random.whole(0, 4) * DAY + random.whole(9 * HOUR, 16 * HOUR);
        let seconds = random.whole(15 * MINUTE, 3 * HOUR);
        let trace = Trace::default().uneven(random, start, seconds, per_window);
        let manners = tool_manners(random);
        self.add(trace, manners, Truth::Pass)
    }

    /// Visitors who all come within one spell: a sale, an opening, retries after an outage.
    pub fn storm(&mut self, number: u32, seconds: u32, per_window: (f64, f64)) -> &mut Self {
        let site = self.site;
        let random = &mut self.random;
        let start = random.whole(0, 6) * DAY + random.whole(10 * HOUR, 20 * HOUR);
        for _ in 0..number {
            let random = &mut self.random;
            let rate = random.factor(per_window.0, per_window.1);
            let from = start + random.whole(0, seconds / 3);
            let length = random.whole(seconds / 3, seconds);
            let trace = Trace::default().uneven(random, from, length, rate);
            let manners = visitor_manners(random, site);
            self.add(trace, manners, Truth::Pass);
        }
        self
    }
}
