//! Clients that a limit is there to stop.

use ratewaf::profile::Label;

use super::people::{moment, tool_manners, visitor_manners};
use super::random::Random;
use super::trace::{DAY, HOUR, MINUTE, Manners, Trace};
use super::week::{Site, Truth, Week};

/// What an unwanted client looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Guise {
    /// A script: no referer, a tool's agent, this route alone.
    Script,
    /// A browser's agent, but no referer and this route alone.
    Headless,
    /// Browses like a visitor.
    Mimic,
    /// A script that draws a new agent for every few requests.
    Rotating,
    /// A guesser whose requests mostly fail.
    Guesser,
    /// As the customers of an interface are.
    Customer,
}

impl Guise {
    fn manners(self, random: &mut Random, site: Site) -> Manners {
        let script = tool_manners(random);
        match self {
            Self::Script => script,
            Self::Headless => Manners { browser: 1.0, ..script },
            Self::Mimic => visitor_manners(random, Site::Web),
            Self::Rotating => Manners { agents: random.whole(9, 40), browser: 1.0, ..script },
            Self::Guesser => Manners { errors: random.between(0.6, 0.98), ..script },
            Self::Customer => visitor_manners(random, site),
        }
    }
}

/// When an unwanted client works.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// Some minutes to an hour, now fast, now slow.
    Short,
    /// Six to eighteen hours at one rate.
    Long,
    /// A few minutes at full speed, then as long a pause, for hours.
    Pulsing,
    /// An hour on each of several days.
    Daily,
}

impl Run {
    fn trace(self, random: &mut Random, days: u32, per_window: f64) -> Trace {
        let start = moment(random, days);
        let trace = Trace::default();
        match self {
            Self::Short => {
                let seconds = random.whole(6 * MINUTE, HOUR);
                trace.uneven(random, start, seconds, per_window)
            }
            Self::Long => {
                let seconds = random.whole(6 * HOUR, 18 * HOUR);
                trace.steady(start.min((days * DAY).saturating_sub(seconds)), seconds, per_window)
            }
            Self::Pulsing => (0..random.whole(4, 12)).fold(trace, |trace, pulse| {
                trace.uneven(random, start + pulse * 12 * MINUTE, 6 * MINUTE, per_window)
            }),
            Self::Daily => (0..days).fold(trace, |trace, day| {
                let start = day * DAY + random.whole(0, 23 * HOUR);
                let rate = per_window * random.between(0.8, 1.0);
                trace.uneven(random, start, 50 * MINUTE, rate)
            }),
        }
    }
}

impl Week {
    /// Unwanted clients at `times` the busiest client that has to pass.
    pub fn runaways(
        &mut self,
        number: u32,
        guise: Guise,
        run: Run,
        times: (f64, f64),
    ) -> &mut Self {
        let busiest = self.busiest();
        self.runaways_at(number, guise, run, (busiest * times.0, busiest * times.1))
    }

    /// Unwanted clients at so many requests a window.
    pub fn runaways_at(
        &mut self,
        number: u32,
        guise: Guise,
        run: Run,
        per_window: (f64, f64),
    ) -> &mut Self {
        for place in 0..number {
            let (site, days) = (self.site, self.days);
            let random = &mut self.random;
            // The weakest is as weak as told, so that kinds of week differ as they say.
            let rate =
                if place == 0 { per_window.0 } else { random.factor(per_window.0, per_window.1) };
            let trace = run.trace(random, days, rate);
            let manners = guise.manners(random, site);
            self.add(trace, manners, Truth::Unwanted);
        }
        self
    }

    /// Scrapers around the clock that stay under the busiest visitor.
    pub fn slow_scrapers(&mut self, number: u32) -> &mut Self {
        let busiest = self.busiest();
        for _ in 0..number {
            let rate = (busiest * self.random.between(0.2, 0.6)).max(2.0);
            let trace = Trace::default().steady(0, 7 * DAY, rate);
            let manners = tool_manners(&mut self.random);
            self.add(trace, manners, Truth::OutOfReach);
        }
        self
    }

    /// Many addresses, each of them as quiet as a visitor.
    pub fn quiet_botnet(&mut self, number: u32) -> &mut Self {
        let busiest = self.busiest();
        for _ in 0..number {
            let random = &mut self.random;
            let rate = (busiest * random.between(0.3, 0.7)).max(2.0);
            let trace = Run::Short.trace(random, 7, rate);
            let manners = tool_manners(random);
            self.add(trace, manners, Truth::OutOfReach);
        }
        self
    }

    /// Labels the busiest unwanted client bad.
    pub fn tell_one(&mut self) -> &mut Self {
        let unwanted = self.clients.iter_mut().filter(|(_, truth)| *truth == Truth::Unwanted);
        if let Some((client, _)) = unwanted.max_by_key(|(client, _)| client.peak) {
            client.label = Some(Label::Bad);
        }
        self
    }
}
