//! What a person does in a shop: pages with what belongs to them, a sign-in, an app, a page that asks
//! for tokens again and again.

use super::agents;
use super::random::Random;
use super::record::{Caller, Resource};
use super::site::{PRODUCTS, SPELLINGS, page};
use super::stage::{Stage, Wanted};

/// Plays one visit, beginning anywhere in the hour.
pub(super) fn visit(stage: &mut Stage<'_>, client: u32, agent: u32) {
    let connection = stage.random.bits() as u32;
    let at = stage.random.below(3_600);
    let mut visit = Visit { stage, at, caller: Caller { client, agent, connection }, page: 0 };
    if agents::is_app(agent) {
        return visit.app();
    }
    match visit.stage.random.below(100) {
        0..3 => visit.stuck(),
        3..11 => visit.sign_in(),
        _ => visit.browse(),
    }
}

/// A request of a passer-by, `offset` seconds into the hour: for lines that come in the wrong file.
pub(super) fn glimpse(stage: &mut Stage<'_>, client: u32, agent: u32, offset: u32) {
    let connection = stage.random.bits() as u32;
    let mut visit =
        Visit { stage, at: offset, caller: Caller { client, agent, connection }, page: 1 };
    if visit.stage.random.one_in(3) { visit.token() } else { visit.show_product() }
}

struct Visit<'v, 's> {
    stage: &'v mut Stage<'s>,
    /// Seconds into the hour.
    at: u32,
    caller: Caller,
    /// Where the visitor is, as `site::page` numbers it.
    page: u32,
}

impl Visit<'_, '_> {
    fn random(&mut self) -> &mut Random {
        &mut self.stage.random
    }

    fn wait(&mut self, low: u32, high: u32) {
        self.at += self.stage.random.between(low, high);
    }

    fn log(&mut self, wanted: Wanted) {
        self.stage.log(self.at, self.caller, wanted);
    }

    fn ask(&mut self, resource: Resource, item: u32) {
        let page = if agents::is_app(self.caller.agent) { 0 } else { self.page };
        let status = match self.random().below(400) {
            0 => 0,
            1 => 503,
            2 => 502,
            3 => 504,
            4..8 if !resource.is_static() => 404,
            8..70 if resource.is_static() => 304,
            _ => 200,
        };
        self.log(Wanted::new(resource, item, page).answered(status));
    }

    /// Goes to a page.
    fn open(&mut self, resource: Resource, item: u32) {
        self.ask(resource, item);
        self.page = page(resource, item);
    }

    fn token(&mut self) {
        let page = if agents::is_app(self.caller.agent) { 0 } else { self.page };
        if page > 0 && self.random().one_in(8) {
            self.log(Wanted::new(Resource::TokenPreflight, 0, page).answered(204));
        }
        let spelling = match self.random().below(150) {
            0 => 1 + self.random().below(SPELLINGS.len() as u32) as u8,
            _ => 0,
        };
        let status = match self.random().below(200) {
            0..5 => 401,
            5 => 503,
            6 => 0,
            _ => 200,
        };
        self.log(Wanted { spelling, ..Wanted::new(Resource::Token, 0, page).answered(status) });
    }

    /// The popular products are looked at most.
    fn product(&mut self) -> u32 {
        let unit = self.random().unit();
        (unit * unit * unit * f64::from(PRODUCTS)) as u32
    }

    fn show_product(&mut self) {
        let product = self.product();
        self.open(Resource::Product, product);
        if self.random().one_in(2) {
            self.ask(Resource::Reviews, product);
        }
    }

    fn show(&mut self, first: bool) {
        let home = first && self.random().below(10) < 3;
        match self.random().below(10) {
            _ if home => {
                self.open(Resource::Home, 0);
            }
            0..2 => {
                let category = self.random().below(12);
                self.open(Resource::Category, category);
            }
            2..4 => {
                for _ in 0..self.random().below(5) {
                    self.ask(Resource::Suggestions, 0);
                }
                self.open(Resource::Search, 0);
            }
            _ => self.show_product(),
        }
        let files = if first { self.random().between(4, 11) } else { self.random().below(4) };
        for _ in 0..files {
            self.file(first);
        }
    }

    fn file(&mut self, first: bool) {
        self.at += self.stage.random.below(3) / 2;
        match self.random().below(10) {
            0..3 if first => {
                let chunk = self.random().below(40);
                self.ask(Resource::Script, chunk);
            }
            3 if first => {
                let sheet = self.random().below(6);
                self.ask(Resource::Style, sheet);
            }
            4 if first => {
                let face = self.random().below(4);
                self.ask(Resource::Font, face);
            }
            _ => {
                let product = self.product();
                self.ask(Resource::Image, product);
            }
        }
    }

    fn browse(&mut self) {
        let mut first = true;
        while first || !self.random().one_in(4) {
            self.show(first);
            if first || self.random().one_in(3) {
                self.token();
            }
            if self.random().one_in(3) {
                self.ask(Resource::Cart, 0);
            }
            first = false;
            self.wait(4, 75);
        }
        match self.random().below(180) {
            0..4 => self.log(Wanted::new(Resource::Live, 0, self.page).answered(101)),
            4 => self.download(),
            5 => self.log(Wanted::new(Resource::Category, 3, 0).answered(301)),
            _ => {}
        }
    }

    fn download(&mut self) {
        let product = self.product();
        for _ in 0..self.random().between(1, 6) {
            self.log(Wanted::new(Resource::Download, product, self.page).answered(206));
            self.wait(0, 3);
        }
    }

    fn sign_in(&mut self) {
        self.show(true);
        self.wait(5, 20);
        while self.random().one_in(5) {
            self.log(Wanted::new(Resource::Login, 0, self.page).answered(401));
            self.wait(4, 15);
        }
        self.ask(Resource::Login, 0);
        self.token();
        self.ask(Resource::Cart, 0);
        self.browse();
    }

    /// The shop's own app: no pages, no referer.
    fn app(&mut self) {
        for _ in 0..self.random().between(1, 4) {
            self.token();
            for _ in 0..self.random().between(1, 6) {
                let product = self.product();
                let resource = self.random().pick(&[
                    Resource::Reviews,
                    Resource::Image,
                    Resource::Image,
                    Resource::Suggestions,
                    Resource::Cart,
                ]);
                self.ask(resource, product);
                self.wait(0, 9);
            }
            self.wait(2, 60);
        }
    }

    /// A page whose script asks again and again, until it is closed.
    fn stuck(&mut self) {
        self.show(true);
        let tokens = self.random().heavy(5, 110);
        for _ in 0..tokens {
            self.token();
            self.wait(1, 5);
        }
    }
}
