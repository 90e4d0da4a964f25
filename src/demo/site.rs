//! The shop whose week it is: its paths, queries and content.

use std::fmt::Write as _;

use super::random::mix;
use super::record::{Record, Resource};

/// The viewer's `Host`.
pub(super) const HOST: &str = "shop.example";
/// The distribution's own name.
pub(super) const DISTRIBUTION_HOST: &str = "d2ratewafdemo.cloudfront.net";
/// The distribution's id, which begins every file name.
pub(super) const DISTRIBUTION: &str = "E2RATEWAFDEMO";
/// The path of the route that the truth is about.
pub(super) const TOKEN: &str = "/oauth/token";
/// Products in the shop.
pub(super) const PRODUCTS: u32 = 4_000;

/// Other spellings of [`TOKEN`] as clients send them. URL decoding, path normalisation and lower
/// case, with or without a slash at the end, make all of them the same path.
pub(super) const SPELLINGS: [&str; 6] = [
    "/oauth/token/",
    "/OAuth/Token",
    "/oauth//token",
    "/oauth/%74oken",
    "/oauth/./token",
    "/static/../oauth/token",
];

/// What scanners for holes ask for.
pub(super) const HOLES: [&str; 14] = [
    "/wp-login.php",
    "/.env",
    "/.git/config",
    "/admin/../../etc/passwd",
    "/cgi-bin/%2e%2e/%2e%2e/bin/sh",
    "/phpmyadmin/index.php",
    "/search/<script>alert(1)</script>",
    "/actuator/env",
    "/api/v1/users/1'%20or%20'1'='1",
    "/backup.sql",
    "/{{7*7}}",
    "/solr/admin/info/system",
    "/\u{fc}ber\tuns",
    "/server-status",
];

const CATEGORIES: [&str; 12] = [
    "shoes",
    "jackets",
    "bags",
    "kitchen",
    "garden",
    "lamps",
    "toys",
    "books",
    "bikes",
    "sale",
    "new-arrivals",
    "gift-cards",
];

const WORDS: [&str; 24] = [
    "red", "blue", "leather", "winter", "running", "kids", "oak", "steel", "travel", "small",
    "large", "boots", "lamp", "table", "chair", "mug", "tent", "scarf", "watch", "rug", "bottle",
    "backpack", "sofa", "desk",
];

const CAMPAIGNS: [&str; 6] =
    ["autumn-sale", "back-to-school", "newsletter-36", "newsletter-37", "retarget", "brand"];

/// The method of a request.
pub(super) const fn method(resource: Resource) -> &'static str {
    match resource {
        Resource::TokenPreflight => "OPTIONS",
        Resource::Login | Resource::Webhook => "POST",
        Resource::Health => "HEAD",
        _ => "GET",
    }
}

/// The path as the client sent it, without the query.
pub(super) fn path(record: &Record, out: &mut String) {
    let item = record.item;
    // Build hashes change with a release, not from request to request.
    let build = mix(u64::from(item) ^ 0xB01D) as u32;
    let _ = match record.resource {
        Resource::Home => write!(out, "/"),
        Resource::Category => write!(out, "/c/{}", one(&CATEGORIES, item)),
        Resource::Product => write!(out, "/products/{}", 10_000 + item),
        Resource::Search => write!(out, "/search"),
        Resource::Script => write!(out, "/assets/js/chunk-{}.{build:08x}.js", item % 40),
        Resource::Style => write!(out, "/assets/css/main-{}.{build:08x}.css", item % 6),
        Resource::Font => write!(out, "/assets/fonts/inter-{}.woff2", 400 + item % 4 * 100),
        Resource::Image => {
            let width = [160, 320, 640, 1_280][build as usize % 4];
            write!(out, "/images/products/{}/{width}-{build:08x}.webp", 10_000 + item)
        }
        Resource::Token | Resource::TokenPreflight => match record.spelling {
            0 => write!(out, "{TOKEN}"),
            other => write!(out, "{}", one(&SPELLINGS, u32::from(other) - 1)),
        },
        Resource::Login => write!(out, "/api/v1/login"),
        Resource::Cart => write!(out, "/api/v1/cart"),
        Resource::Reviews => write!(out, "/api/v1/products/{}/reviews", 10_000 + item),
        Resource::Suggestions => write!(out, "/api/v1/suggest"),
        Resource::Webhook => write!(out, "/webhooks/payments"),
        Resource::Health => write!(out, "/healthz"),
        Resource::Robots => write!(out, "/robots.txt"),
        Resource::Sitemap => write!(out, "/sitemaps/products-{}.xml", item % 9),
        Resource::Live => write!(out, "/live"),
        Resource::Hole => write!(out, "{}", one(&HOLES, item)),
        Resource::Download => write!(out, "/files/manuals/{}.pdf", 10_000 + item),
    };
}

/// The query without its `?`; nothing if there is none.
pub(super) fn query(record: &Record, out: &mut String) {
    let noise = mix(record.noise ^ 0x09E4);
    let (first, second) = (noise as u32 >> 4, (noise >> 40) as u32);
    let _ = match record.resource {
        Resource::Search => {
            write!(out, "q={}+{}&page={}", one(&WORDS, first), one(&WORDS, second), 1 + first % 4)
        }
        Resource::Suggestions => {
            let word = one(&WORDS, first);
            let typed = (2 + second as usize % 5).min(word.len());
            write!(out, "q={}&locale=en-GB&limit=8", &word[..typed])
        }
        Resource::Hole if first.is_multiple_of(4) => write!(out, "id=1\" OR {}=`x`--", first % 99),
        Resource::Category => write!(out, "sort=price&page={}", 1 + first % 7),
        Resource::Token => write!(out, "client_id=shop-web&scope=cart+catalog&nonce={noise:016x}"),
        Resource::Reviews => write!(out, "limit=20&offset={}", first % 5 * 20),
        Resource::Home | Resource::Product if first.is_multiple_of(9) => {
            let campaign = one(&CAMPAIGNS, second);
            write!(out, "utm_source=mail&utm_campaign={campaign}&cid={noise:016x}")
        }
        _ => Ok(()),
    };
}

/// The number of a page, for what it links to. 0 is no page.
pub(super) const fn page(resource: Resource, item: u32) -> u32 {
    match resource {
        Resource::Home => 1,
        Resource::Search => 2,
        Resource::Category => 3 + item % CATEGORIES.len() as u32,
        _ => FIRST_PRODUCT + item,
    }
}

/// The number of the first product's page.
const FIRST_PRODUCT: u32 = 3 + CATEGORIES.len() as u32;

/// The address of the page that linked here; nothing if there is none.
pub(super) fn referer(record: &Record, out: &mut String) {
    if record.page == 0 {
        return;
    }
    // One for a visit, as a page keeps its query while it loads what belongs to it.
    let visit = mix(u64::from(record.caller.connection) ^ 0x2EF);
    let (first, second) = (visit as u32 >> 4, (visit >> 40) as u32);
    out.push_str("https://");
    out.push_str(HOST);
    let _ = match record.page {
        1 => write!(out, "/"),
        2 => write!(out, "/search?q={}+{}", one(&WORDS, first), one(&WORDS, second)),
        category if category < FIRST_PRODUCT => {
            write!(out, "/c/{}?sort=price&page={}", one(&CATEGORIES, category - 3), 1 + first % 7)
        }
        product => write!(out, "/products/{}", 10_000 + product - FIRST_PRODUCT),
    };
    if record.page != 2 && first.is_multiple_of(3) {
        let sign = if out.contains('?') { '&' } else { '?' };
        let campaign = one(&CAMPAIGNS, second);
        let _ = write!(out, "{sign}utm_source=mail&utm_campaign={campaign}&cid={visit:016x}");
    }
}

/// The type of the content that is asked for.
pub(super) const fn content_type(resource: Resource) -> &'static str {
    match resource {
        Resource::Home | Resource::Category | Resource::Product | Resource::Search => {
            "text/html;charset=utf-8"
        }
        Resource::Script => "text/javascript",
        Resource::Style => "text/css",
        Resource::Font => "font/woff2",
        Resource::Image => "image/webp",
        Resource::Robots | Resource::Health => "text/plain",
        Resource::Sitemap => "application/xml",
        Resource::Download => "application/pdf",
        Resource::TokenPreflight | Resource::Live => "-",
        _ => "application/json",
    }
}

/// The length of the content in bytes. A file's is always the same; a page's is not.
pub(super) fn content_length(record: &Record) -> u32 {
    let same = mix(u64::from(record.item) << 8 | record.resource as u64) as u32;
    let varies = mix(record.noise ^ 0x512E) as u32;
    match record.resource {
        Resource::Home => 48_000 + varies % 900,
        Resource::Category => 61_000 + same % 20_000 + varies % 700,
        Resource::Product => 34_000 + same % 24_000 + varies % 400,
        Resource::Search => 20_000 + varies % 30_000,
        Resource::Script => 4_000 + same % 180_000,
        Resource::Style => 9_000 + same % 40_000,
        Resource::Font => 28_000 + same % 9_000,
        Resource::Image => 6_000 + same % 140_000,
        Resource::Token => 1_180 + varies % 90,
        Resource::Login => 240 + varies % 60,
        Resource::Cart => 180 + varies % 2_400,
        Resource::Reviews => 2_000 + same % 6_000 + varies % 200,
        Resource::Suggestions => 300 + varies % 900,
        Resource::Webhook | Resource::Health => 2,
        Resource::Robots => 412,
        Resource::Sitemap => 180_000 + same % 60_000,
        Resource::Download => 900_000 + same % 9_000_000,
        Resource::TokenPreflight | Resource::Live | Resource::Hole => 0,
    }
}

fn one(list: &[&'static str], number: u32) -> &'static str {
    list[number as usize % list.len()]
}
