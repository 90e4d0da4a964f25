//! Weeks with runaways above everybody who has to pass.

use super::super::runaways::{Guise, Run};
use super::super::week::{Shape, Site, Week};
use super::{Named, ordinary};

pub const KINDS: &[Named] = &[
    ("scripts", |week| {
        let number = week.random.whole(3, 12);
        ordinary(week).runaways(number, Guise::Script, Run::Short, (4.0, 40.0));
    }),
    ("scripts on a big site", |week| {
        week.visitors(9_000, Shape::LogNormal { median: 3.0, sigma: 0.9 }).runaways(
            15,
            Guise::Script,
            Run::Short,
            (3.0, 40.0),
        );
    }),
    ("one script far above", |week| {
        let times = week.random.factor(12.0, 60.0);
        ordinary(week).runaways(1, Guise::Script, Run::Short, (times, times));
    }),
    ("two scripts somewhat above", |week| {
        ordinary(week).runaways(2, Guise::Script, Run::Short, (3.0, 6.0));
    }),
    ("weak scripts, 2 to 4 times above", |week| {
        let number = week.random.whole(5, 12);
        ordinary(week).runaways(number, Guise::Script, Run::Short, (2.2, 4.0));
    }),
    ("weak and strong scripts", |week| {
        ordinary(week).runaways(5, Guise::Script, Run::Short, (3.5, 5.0)).runaways_far(3);
    }),
    ("scripts for half a day at one rate", |week| {
        let number = week.random.whole(2, 6);
        ordinary(week).runaways(number, Guise::Script, Run::Long, (2.5, 8.0));
    }),
    ("scripts in pulses", |week| {
        let number = week.random.whole(3, 8);
        ordinary(week).runaways(number, Guise::Script, Run::Pulsing, (3.5, 15.0));
    }),
    ("headless browsers", |week| {
        let number = week.random.whole(3, 10);
        ordinary(week).runaways(number, Guise::Headless, Run::Short, (4.0, 20.0));
    }),
    ("scrapers that browse like visitors", |week| {
        let number = week.random.whole(6, 10);
        ordinary(week).runaways(number, Guise::Mimic, Run::Short, (8.0, 30.0));
    }),
    ("scrapers that rotate agents", |week| {
        let number = week.random.whole(4, 10);
        ordinary(week).runaways(number, Guise::Rotating, Run::Short, (6.0, 25.0));
    }),
    ("password guessers", |week| {
        week.visitors(1_200, Shape::LogNormal { median: 1.6, sigma: 0.5 }).runaways(
            6,
            Guise::Guesser,
            Run::Long,
            (4.0, 40.0),
        );
    }),
    ("scripts on an app's interface", |week| {
        week.site = Site::App;
        ordinary(week).runaways(6, Guise::Script, Run::Short, (5.0, 30.0));
    }),
    ("customers out of control on an interface", |week| {
        week.site = Site::Api;
        ordinary(week).runaways(5, Guise::Customer, Run::Short, (8.0, 40.0));
    }),
    ("a small site with two scripts", |week| {
        week.visitors(30, Shape::LogNormal { median: 5.0, sigma: 0.7 }).runaways(
            2,
            Guise::Script,
            Run::Short,
            (12.0, 50.0),
        );
    }),
    ("a botnet of a hundred, one of them known", |week| {
        ordinary(week).runaways(100, Guise::Headless, Run::Short, (3.0, 5.0)).tell_one();
    }),
    ("a botnet of a hundred", |week| {
        ordinary(week).runaways(100, Guise::Headless, Run::Short, (3.0, 5.0));
    }),
    ("scripts that return every day", |week| {
        ordinary(week).runaways(4, Guise::Script, Run::Daily, (4.0, 10.0));
    }),
    ("scripts in a log without referers and agents", |week| {
        week.known = false;
        ordinary(week).runaways(8, Guise::Script, Run::Short, (4.0, 30.0));
    }),
];

impl Week {
    /// A second group far above the first.
    fn runaways_far(&mut self, number: u32) -> &mut Self {
        self.runaways(number, Guise::Script, Run::Short, (30.0, 60.0))
    }
}
