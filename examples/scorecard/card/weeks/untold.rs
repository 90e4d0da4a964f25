//! Weeks in which machines of the site's own run once and nobody labelled them. They look like runaways
//! in every column; no log can tell, so these kinds show what labels are for.

use super::super::runaways::{Guise, Run};
use super::{Named, ordinary};

pub const KINDS: &[Named] = &[
    ("one migration of ours", |week| {
        ordinary(week);
        let rate = week.busiest() * week.random.factor(4.0, 30.0);
        week.one_off(rate);
    }),
    ("our load test from four machines", |week| {
        ordinary(week);
        let rate = week.busiest() * week.random.factor(4.0, 20.0);
        week.one_off(rate).one_off(rate).one_off(rate).one_off(rate);
    }),
    ("scripts above a migration of ours", |week| {
        ordinary(week);
        let busy = week.busiest();
        week.one_off(busy * 4.0).runaways(6, Guise::Script, Run::Short, (3.0, 10.0));
    }),
];
