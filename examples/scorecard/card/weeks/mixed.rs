//! Weeks in which runaways and clients that have to pass stand close together, and short logs.

use ratewaf::profile::Label;

use super::super::runaways::{Guise, Run};
use super::super::trace::MINUTE;
use super::super::week::Week;
use super::{Named, ordinary};

pub const KINDS: &[Named] = &[
    ("scripts above an office", |week| {
        ordinary(week);
        let at_nine = week.busiest() * 2.0;
        week.office(80, at_nine).runaways(6, Guise::Script, Run::Short, (3.0, 20.0));
    }),
    ("scripts below an office", |week| {
        ordinary(week);
        let busy = week.busiest();
        week.runaways_at(6, Guise::Script, Run::Short, (busy * 4.0, busy * 10.0));
        week.office(250, busy * 15.0);
    }),
    ("scripts below an hourly job", |week| {
        ordinary(week);
        let busy = week.busiest();
        week.runaways_at(6, Guise::Script, Run::Short, (busy * 4.0, busy * 10.0));
        week.cron(1, busy * 18.0);
    }),
    ("scripts below a labelled server", |week| {
        ordinary(week);
        let busy = week.busiest();
        week.runaways_at(6, Guise::Script, Run::Short, (busy * 4.0, busy * 10.0));
        week.one_off(busy * 14.0).label_last(Label::Good);
    }),
    ("scripts below an exempt tester", |week| {
        ordinary(week);
        let busy = week.busiest();
        week.runaways_at(6, Guise::Script, Run::Short, (busy * 4.0, busy * 10.0));
        week.one_off(busy * 100.0).label_last(Label::Exempt);
    }),
    ("scripts and a sale", |week| {
        ordinary(week);
        let busy = week.busiest();
        week.storm(80, 60 * MINUTE, (busy * 0.3, busy * 1.5)).runaways(
            7,
            Guise::Script,
            Run::Short,
            (4.0, 20.0),
        );
    }),
    ("scripts, monitors and slow scrapers", |week| {
        ordinary(week);
        week.monitor(10).slow_scrapers(4).runaways(6, Guise::Script, Run::Short, (4.0, 20.0));
    }),
    ("two days of log: visitors and test runners", |week| {
        week.days = 2;
        ordinary(week);
        let rate = week.busiest() * 6.0;
        week.workdays(5, 3, rate).workdays(5, 2, rate);
    }),
    ("two days of log: scripts", |week| {
        week.days = 2;
        ordinary(week).runaways(6, Guise::Script, Run::Short, (4.0, 20.0));
    }),
    ("one day of log: an office and scripts", |week| {
        week.days = 1;
        ordinary(week);
        let at_nine = week.busiest() * 2.0;
        week.office(80, at_nine).runaways(6, Guise::Script, Run::Short, (4.0, 20.0));
    }),
];

impl Week {
    fn label_last(&mut self, label: Label) -> &mut Self {
        if let Some((client, _)) = self.clients.last_mut() {
            client.label = Some(label);
        }
        self
    }
}
