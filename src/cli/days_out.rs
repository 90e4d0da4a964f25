//! `--leave-one-day-out`: each day under the limit that the others propose. The logs are read twice a day.

use anyhow::{Context, Result};

use super::failure::UNREADABLE;
use super::input;
use crate::counts::{Coverage, Days, Selection};
use crate::profile::{Labels, Names, build_all};
use crate::proposal::propose_route;
use crate::replay::{DayOut, Outcome, Rule, Settings, replay_each};
use crate::rules::{Network, Route};
use crate::ui::Ui;
use crate::units::{Limit, Timestamp, Window};

/// What the days are held against.
pub(super) struct Held<'a> {
    pub(super) input: &'a input::Arguments,
    pub(super) selection: &'a Selection,
    pub(super) routes: &'a [Route],
    pub(super) networks: &'a [Network],
    pub(super) settings: &'a Settings,
}

/// For each rule the days of the log; none for a rule whose limit no log proposes, as that of a twin.
pub(super) fn days_out(
    held: &Held<'_>,
    rules: &[Rule],
    coverage: &Coverage,
    ui: &Ui,
) -> Result<Vec<Vec<DayOut>>> {
    let mut found = vec![Vec::new(); rules.len()];
    for day in coverage.utc_days() {
        let start = Timestamp(day * 86_400);
        ui.detail(&format!("leaving out {}", start.date_text()));
        let limits = held.propose(rules, Days::AllBut(day), ui)?;
        let changed: Vec<Rule> = (rules.iter().zip(&limits))
            .map(|(rule, limit)| rule.with_limit(limit.flatten().unwrap_or(rule.limit)))
            .collect();
        let [own, other] = held.replay([rules.to_vec(), changed], day, ui)?;
        for (place, limit) in limits.into_iter().enumerate() {
            let Some(limit) = limit else { continue };
            let nobody = Outcome::default();
            let other = if limit.is_some() { &other[place] } else { &nobody };
            found[place].push(DayOut::new(start, limit, &own[place], other));
        }
    }
    Ok(found)
}

impl Held<'_> {
    /// For each rule the limit that these days propose; `None` for a rule that counts no route alone.
    fn propose(&self, rules: &[Rule], days: Days, ui: &Ui) -> Result<Vec<Option<Option<Limit>>>> {
        let selection = self.selection.clone().of_days(days);
        let counts = self.input.count_again(&selection, ui)?;
        let labels = Labels::new(self.networks.to_vec());
        let wanted: Vec<(Route, Window)> = (self.routes.iter().enumerate())
            .map(|(place, route)| (route.clone(), window_of(rules, place)))
            .collect();
        let mut coverage = counts.coverage;
        let built =
            build_all(&wanted, counts.parts, &labels, Names::OfLists).context(UNREADABLE)?;
        coverage.masked_clients += built.masked_clients;
        let profiles = built.into_profiles(counts.traffic, &counts.agents);
        let limits: Vec<Option<Limit>> = (profiles.iter())
            .map(|profile| propose_route(profile, &coverage).proposal.limit)
            .collect();
        Ok(rules.iter().map(|rule| rule.main_route().map(|route| limits[route])).collect())
    }

    /// What two sets of the same rules do on one day, in the order in which they were given.
    fn replay(&self, sets: [Vec<Rule>; 2], day: i64, ui: &Ui) -> Result<[Vec<Outcome>; 2]> {
        let selection = self.selection.clone().of_days(Days::Only(day));
        let counts = self.input.count_again(&selection, ui)?;
        let names: Vec<String> = sets[0].iter().map(|rule| rule.name.clone()).collect();
        let found = replay_each(sets.into(), counts.parts, self.settings).context(UNREADABLE)?;
        let mut found = found.into_iter().map(|mut set| {
            set.sort_by_key(|one| names.iter().position(|name| *name == one.rule.name));
            set.into_iter().map(|one| one.outcome).collect()
        });
        Ok([(); 2].map(|()| found.next().unwrap_or_default()))
    }
}

/// The window of the rule that counts a route alone.
fn window_of(rules: &[Rule], route: usize) -> Window {
    let own = rules.iter().find(|rule| rule.main_route() == Some(route));
    own.map_or_else(Window::default, |rule| rule.window)
}
