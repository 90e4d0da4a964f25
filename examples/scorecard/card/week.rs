//! A week under construction: its site, its clients, and who of them has to pass.

use ratewaf::profile::Label;
use ratewaf::proposal::Observation;

use super::random::Random;
use super::trace::{Manners, Trace};

/// What is right for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Blocking it would be wrong.
    Pass,
    /// A limit is there to stop it.
    Unwanted,
    /// Unwanted, but no limit on peaks could stop it; letting it pass is not held against anybody.
    OutOfReach,
}

/// What a site's visitors are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// Browsers on pages.
    Web,
    /// An app of the site's own: no referer, an agent of its own, several routes.
    App,
    /// Scripts of customers that call one route.
    Api,
}

/// How many requests a visitor makes at its busiest.
#[derive(Clone, Copy)]
pub enum Shape {
    LogNormal { median: f64, sigma: f64 },
    Pareto { least: f64, exponent: f64 },
    Geometric { mean: f64 },
}

impl Shape {
    pub fn draw(self, random: &mut Random) -> u32 {
        let value = match self {
            Self::LogNormal { median, sigma } => median * (sigma * random.normal()).exp(),
            Self::Pareto { least, exponent } => least * random.unit().powf(-1.0 / exponent),
            Self::Geometric { mean } => (-mean * random.unit().ln()).floor() + 1.0,
        };
        value.clamp(1.0, 1e6) as u32
    }
}

pub struct Week {
    pub random: Random,
    pub site: Site,
    pub days: u32,
    /// Whether the log says how clients behave.
    pub known: bool,
    pub clients: Vec<(Observation, Truth)>,
}

impl Week {
    pub fn new(random: Random) -> Self {
        Self { random, site: Site::Web, days: 7, known: true, clients: Vec::new() }
    }

    /// Adds a client, unless it made no request.
    pub fn add(&mut self, trace: Trace, manners: Manners, truth: Truth) -> &mut Self {
        self.add_labelled(trace, manners, truth, None)
    }

    pub fn add_labelled(
        &mut self,
        trace: Trace,
        manners: Manners,
        truth: Truth,
        label: Option<Label>,
    ) -> &mut Self {
        if let Some(mut client) = trace.observe(manners, self.days) {
            client.label = label;
            if !self.known {
                client.behaviour = None;
            }
            self.clients.push((client, truth));
        }
        self
    }

    /// Highest peak of a client that has to pass and is not exempt.
    pub fn busiest(&self) -> f64 {
        let peaks = self
            .clients
            .iter()
            .filter(|(client, truth)| *truth == Truth::Pass && client.label != Some(Label::Exempt));
        f64::from(peaks.map(|(client, _)| client.peak).max().unwrap_or(1))
    }
}
