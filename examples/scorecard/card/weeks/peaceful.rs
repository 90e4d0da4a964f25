//! Weeks with nobody whom a limit should stop: no limit is the right answer.

use ratewaf::profile::Label;

use super::super::trace::MINUTE;
use super::super::week::{Shape, Site};
use super::{Named, ordinary};

pub const KINDS: &[Named] = &[
    ("visitors only", |week| {
        ordinary(week);
    }),
    ("visitors with a very heavy tail", |week| {
        let exponent = week.random.between(1.0, 1.5);
        week.visitors(1_500, Shape::Pareto { least: 2.0, exponent });
    }),
    ("offices", |week| {
        ordinary(week);
        for _ in 0..week.random.whole(1, 6) {
            let at_nine = week.busiest() * week.random.factor(0.7, 2.5);
            let people = week.random.whole(20, 400);
            week.office(people, at_nine);
        }
    }),
    ("a carrier's addresses", |week| {
        ordinary(week);
        let busy = week.busiest();
        for _ in 0..week.random.whole(2, 5) {
            let busy = busy * week.random.factor(1.0, 6.0);
            week.carrier(busy);
        }
    }),
    ("a conference of two days", |week| {
        ordinary(week);
        let busy = week.busiest() * week.random.factor(1.5, 4.0);
        week.conference(120, busy);
    }),
    ("monitors and crons", |week| {
        ordinary(week);
        week.monitor(30).monitor(10).monitor(2);
        let number = week.busiest() * 2.0;
        week.cron(1, number).cron(6, number * 1.5).cron(24, number * 2.0);
    }),
    ("a partner's batch on workdays", |week| {
        ordinary(week);
        let rate = week.busiest() * week.random.factor(3.0, 20.0);
        week.workdays(5, 1, rate);
    }),
    ("test runners, not labelled", |week| {
        ordinary(week);
        let rate = week.busiest() * week.random.factor(3.0, 12.0);
        for _ in 0..week.random.whole(2, 4) {
            week.workdays(5, 3, rate);
        }
    }),
    ("a search engine", |week| {
        ordinary(week);
        let rate = week.busiest() * week.random.factor(1.5, 6.0);
        for _ in 0..week.random.whole(2, 6) {
            week.crawler(rate);
        }
    }),
    ("a webhook sender with busy days", |week| {
        ordinary(week);
        let number = week.busiest() * week.random.factor(2.0, 8.0);
        week.cron(3, number);
    }),
    ("our load test, labelled exempt", |week| {
        ordinary(week);
        let rate = week.busiest() * week.random.factor(4.0, 20.0);
        let visitors = week.clients.len();
        week.one_off(rate).one_off(rate).one_off(rate).one_off(rate);
        for (client, _) in &mut week.clients[visitors..] {
            client.label = Some(Label::Exempt);
        }
    }),
    ("a sale", |week| {
        ordinary(week);
        let busy = week.busiest();
        let number = (week.clients.len() as f64 * week.random.between(0.05, 0.2)) as u32;
        week.storm(number, 60 * MINUTE, (busy * 0.2, busy * 1.3));
    }),
    ("an opening that people reload for", |week| {
        ordinary(week);
        let busy = week.busiest();
        let number = week.random.whole(40, 250);
        week.storm(number, 30 * MINUTE, (busy * 0.4, busy * 4.0));
    }),
    ("retries after an outage", |week| {
        ordinary(week);
        let busy = week.busiest();
        let number = week.random.whole(5, 25);
        week.storm(number, 15 * MINUTE, (busy * 2.0, busy * 5.0));
    }),
    ("tabs that poll", |week| {
        ordinary(week);
        for rate in [10.0, 20.0, 30.0, 60.0] {
            let number = week.random.whole(10, 60);
            week.storm(number, 180 * MINUTE, (rate * 0.98, rate * 1.02));
        }
    }),
    ("a small site", |week| {
        let number = week.random.whole(8, 40);
        let sigma = week.random.between(0.7, 1.3);
        week.visitors(number, Shape::LogNormal { median: 5.0, sigma });
    }),
    ("an interface for servers", |week| {
        week.site = Site::Api;
        for _ in 0..week.random.whole(12, 45) {
            let number = week.random.factor(4.0, 400.0);
            let every = week.random.whole(1, 12);
            week.cron(every, number);
        }
    }),
    ("everybody behind a few proxies", |week| {
        for _ in 0..week.random.whole(5, 25) {
            let busy = week.random.factor(60.0, 900.0);
            week.carrier(busy);
        }
    }),
    ("an app of our own", |week| {
        week.site = Site::App;
        ordinary(week);
        week.monitor(5);
    }),
    ("slow scrapers", |week| {
        ordinary(week);
        let number = week.random.whole(2, 10);
        week.slow_scrapers(number);
    }),
    ("a quiet botnet", |week| {
        ordinary(week);
        let number = week.random.whole(30, 200);
        week.quiet_botnet(number);
    }),
];
