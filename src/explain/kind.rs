//! What kind of client it looks like, and what speaks for it. A guess, said as one: before a block is called
//! an attack, somebody looks whose address it is.

use super::Explained;
use crate::units::{Window, count, percent, thousands};

/// A kind of client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Many people behind one address.
    Office,
    /// A search engine or the like.
    Crawler,
    /// A program that asks for one thing over and over.
    Loop,
    /// Something that looks every so often whether all is well.
    Monitor,
    /// A server that asks for many people.
    Gateway,
    /// A test runner.
    TestRunner,
    /// One person or a few.
    Person,
    /// Nothing speaks clearly for any of these.
    #[default]
    Unknown,
}

impl Kind {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Office => "office",
            Self::Crawler => "crawler",
            Self::Loop => "script in a loop",
            Self::Monitor => "monitor",
            Self::Gateway => "gateway",
            Self::TestRunner => "test runner",
            Self::Person => "person",
            Self::Unknown => "unknown",
        }
    }
}

/// A guess with its reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guess {
    /// The kind.
    pub kind: Kind,
    /// What speaks for it, or what was looked at.
    pub reasons: Vec<String>,
}

/// What test runners and load generators call themselves.
const RUNNERS: [&str; 12] = [
    "headlesschrome",
    "playwright",
    "cypress",
    "selenium",
    "webdriver",
    "puppeteer",
    "k6/",
    "jmeter",
    "newman",
    "postman",
    "gatling",
    "locust",
];
/// What crawlers call themselves.
const CRAWLERS: [&str; 6] = ["bot", "crawl", "spider", "slurp", "archiver", "facebookexternalhit"];
/// What monitors call themselves.
const MONITORS: [&str; 9] = [
    "monitor",
    "uptime",
    "pingdom",
    "statuscake",
    "healthcheck",
    "health-check",
    "probe",
    "nagios",
    "route 53",
];

/// Whether a text has a word in it by which test runners, crawlers or monitors call themselves.
#[must_use]
pub fn names_a_machine(text: &str) -> bool {
    let text = text.to_lowercase();
    RUNNERS.iter().chain(&CRAWLERS).chain(&MONITORS).any(|word| text.contains(word))
}

impl Guess {
    /// Looks for the first kind that enough speaks for, surest first.
    pub(super) fn of(client: &Explained) -> Self {
        let tries: [fn(&Explained) -> Option<Self>; 7] =
            [test_runner, monitor, crawler, gateway, looping, office, person];
        tries.iter().find_map(|look| look(client)).unwrap_or_else(|| Self {
            kind: Kind::Unknown,
            reasons: vec![
                said(client),
                format!(
                    "{} on {}",
                    rate(client),
                    count(client.paths.distinct as u64, "path", "paths")
                ),
            ],
        })
    }
}

/// Share of the requests whose agent has one of these words, of the agents that are listed.
fn share_of_agents(client: &Explained, words: &[&str]) -> f64 {
    let own = client.agents.top.iter().filter(|agent| {
        let text = agent.text.to_lowercase();
        words.iter().any(|word| text.contains(word))
    });
    own.map(|agent| agent.requests).sum::<u64>() as f64 / client.requests as f64
}

fn test_runner(client: &Explained) -> Option<Guess> {
    let share = share_of_agents(client, &RUNNERS);
    (share >= 0.5).then(|| Guess {
        kind: Kind::TestRunner,
        reasons: vec![
            format!("{} of its requests name a test tool as their user agent", percent(share)),
            visits(client),
        ],
    })
}

fn monitor(client: &Explained) -> Option<Guess> {
    let says = share_of_agents(client, &MONITORS);
    let gap = client.rhythm.gap?;
    let ticks = gap >= 5 && client.rhythm.regular >= 0.8 && client.paths.distinct <= 5;
    let lasts = client.hours >= 6 || client.hours * 4 >= client.hours_of_log * 3;
    (client.requests >= 20 && ((ticks && lasts) || (says >= 0.5 && client.rhythm.regular >= 0.5)))
        .then(|| Guess {
            kind: Kind::Monitor,
            reasons: [
                format!(
                    "{} of the gaps between two requests are about {} s",
                    percent(client.rhythm.regular),
                    thousands(gap.into())
                ),
                hours(client),
            ]
            .into_iter()
            .chain((says >= 0.5).then(|| "its user agent says so".to_owned()))
            .collect(),
        })
}

fn crawler(client: &Explained) -> Option<Guess> {
    let says = share_of_agents(client, &CRAWLERS);
    let wanders = client.paths.distinct >= 20 && client.paths.top_share() < 0.3;
    let spoken = format!("{} of its requests say so in their user agent", percent(says));
    let wandering = format!(
        "{}, none with more than {} of its requests",
        paths(client),
        percent(client.paths.top_share())
    );
    match (says >= 0.5, wanders && client.browsers < 0.1 && client.referers < 0.1) {
        (true, _) => Some(Guess {
            kind: Kind::Crawler,
            reasons: vec![
                spoken,
                paths(client),
                "anybody may say so: look whose address it is".to_owned(),
            ],
        }),
        (false, true) => Some(Guess {
            kind: Kind::Crawler,
            reasons: vec![wandering, "no browser and no referer".to_owned()],
        }),
        _ => None,
    }
}

/// Requests at random, day and night, more by day: a server whose people are behind one address.
fn gateway(client: &Explained) -> Option<Guess> {
    let hours = &client.rhythm.by_hour;
    let (quiet, loud) = (hours.iter().min().copied()?, hours.iter().max().copied()?);
    let always = client.hours * 10 >= client.hours_of_log * 8 && client.hours >= 24;
    let follows_the_day = loud >= 2 * quiet.max(1);
    let at_random = client.rhythm.regular < 0.5 && client.browsers < 0.5;
    (always && follows_the_day && at_random && client.agents.distinct <= 3).then(|| Guess {
        kind: Kind::Gateway,
        reasons: vec![
            self::hours(client),
            format!(
                "as people come: {} in the loudest hour of the day, {} in the quietest",
                count(loud, "request", "requests"),
                thousands(quiet)
            ),
            format!(
                "{}, no browser: many may stand behind it",
                count(client.agents.distinct as u64, "user agent", "user agents")
            ),
        ],
    })
}

fn looping(client: &Explained) -> Option<Guess> {
    let five = client.busiest(Window::FIVE_MINUTES).requests;
    let quick = client.rhythm.gap.is_some_and(|gap| gap <= 3) || five >= 100;
    let hurried = five >= 100 && client.rhythm.regular >= 0.9;
    let one_thing = client.paths.top_share() >= 0.9 || (client.paths.distinct <= 10 && hurried);
    let agents = client.agents.distinct;
    // So many user agents in so short a time are made up.
    let made_up = agents >= 10 && client.hours <= 4 && five >= 100;
    (client.requests >= 50 && one_thing && (agents <= 2 || made_up) && quick).then(|| {
        let what = client.paths.top.first().map_or("", |path| path.text.as_str());
        let mut reasons = vec![
            format!("{} of its requests are {what}", percent(client.paths.top_share())),
            format!(
                "{} with {}",
                rate(client),
                count(client.agents.distinct as u64, "user agent", "user agents")
            ),
            hours(client),
        ];
        if let Some(gap) = client.rhythm.gap.filter(|_| client.rhythm.regular >= 0.5) {
            reasons.push(format!(
                "{} of the gaps between two requests are about {gap} s",
                percent(client.rhythm.regular)
            ));
        }
        if made_up {
            reasons.push("so many user agents in so short a time: it makes them up".to_owned());
        }
        let refused = share_of_statuses(client);
        if refused >= 0.2 {
            reasons.push(format!("{} of them were answered 4xx, and it went on", percent(refused)));
        }
        Guess { kind: Kind::Loop, reasons }
    })
}

fn office(client: &Explained) -> Option<Guess> {
    let agents = client.agents.distinct;
    (agents >= 5 && client.browsers >= 0.7 && client.requests >= 50 && client.hours >= 6).then(
        || {
            let (share, start) = client.rhythm.busiest_hours(11);
            let mut reasons = vec![format!(
                "{} user agents, {} of the requests from browsers",
                thousands(agents as u64),
                percent(client.browsers)
            )];
            if share >= 0.7 {
                reasons.push(format!(
                    "{} of the requests come between {start:02}:00 and {:02}:00 UTC",
                    percent(share),
                    (start + 11) % 24
                ));
            }
            reasons.push(paths(client));
            Guess { kind: Kind::Office, reasons }
        },
    )
}

fn person(client: &Explained) -> Option<Guess> {
    let five = client.busiest(Window::FIVE_MINUTES).requests;
    let few_agents = (1..=4).contains(&client.agents.distinct);
    (few_agents && client.browsers >= 0.9 && five < 100 && client.rhythm.hours_of_day() <= 18).then(
        || Guess {
            kind: Kind::Person,
            reasons: vec![
                format!(
                    "{} of a browser",
                    count(client.agents.distinct as u64, "user agent", "user agents")
                ),
                visits(client),
                rate(client),
            ],
        },
    )
}

fn share_of_statuses(client: &Explained) -> f64 {
    let refused = client.statuses.top.iter().filter(|status| status.text.starts_with('4'));
    refused.map(|status| status.requests).sum::<u64>() as f64 / client.requests as f64
}

fn said(client: &Explained) -> String {
    let agents = count(client.agents.distinct as u64, "user agent", "user agents");
    format!("{agents}, {} of the requests from browsers", percent(client.browsers))
}

fn rate(client: &Explained) -> String {
    let five = client.busiest(Window::FIVE_MINUTES).requests;
    format!("up to {} in 5 minutes", count(five.into(), "request", "requests"))
}

fn paths(client: &Explained) -> String {
    count(client.paths.distinct as u64, "path", "different paths")
}

fn hours(client: &Explained) -> String {
    format!(
        "active in {} of the log's {}",
        thousands(client.hours as u64),
        count(client.hours_of_log as u64, "hour", "hours")
    )
}

fn visits(client: &Explained) -> String {
    format!("it came {}", count(client.rhythm.visits() as u64, "time", "times"))
}
