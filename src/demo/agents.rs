//! User agents. A number stands for one: the tools first, everything above is a browser or an app
//! whose versions and devices follow from the number.

use std::fmt::Write as _;

use super::random::mix;

/// Agents of machines, by their number.
pub(super) const TOOLS: [&str; 18] = [
    "python-requests/2.32.3",
    "curl/8.7.1",
    "Go-http-client/2.0",
    "okhttp/4.12.0",
    "axios/1.7.9",
    "python-httpx/0.27.2",
    "Java-http-client/21.0.4",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
     HeadlessChrome/139.0.7258.66 Safari/537.36",
    "shop-renderer/4.2",
    "shop-partner-sync/1.9 (Java/21.0.4)",
    "payments-webhook/3",
    "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://search.example/bot)",
    "Mozilla/5.0 (compatible; OtherBot/2.0; +https://crawl.example/about)",
    "Mozilla/5.0 (compatible; uptime-probe/1.4; +https://monitor.example)",
    "pricewatch-spider/0.8",
    "() { :; }; echo \"{x}|^~\"",
    "",
];

pub(super) const HEADLESS: u32 = 8;
pub(super) const RENDERER: u32 = 9;
pub(super) const PARTNER: u32 = 10;
pub(super) const PAYMENTS: u32 = 11;
pub(super) const CRAWLERS: [u32; 3] = [12, 13, 15];
pub(super) const MONITOR: u32 = 14;
/// One is an attack of its own, the other says nothing.
pub(super) const SCANNERS: [u32; 2] = [16, 17];

const ANDROID: [&str; 20] = [
    "SM-S918B",
    "SM-S921B",
    "SM-A546B",
    "SM-A155F",
    "SM-G991B",
    "SM-A346B",
    "Pixel 6a",
    "Pixel 7",
    "Pixel 8",
    "Pixel 8 Pro",
    "2201116SG",
    "23021RAA2Y",
    "M2101K6G",
    "CPH2451",
    "CPH2581",
    "XQ-DC54",
    "moto g84 5G",
    "RMX3771",
    "V2250",
    "TECNO BG6",
];

/// Whether the number stands for the shop's own app, which sends no referer.
pub(super) const fn is_app(agent: u32) -> bool {
    agent >= TOOLS.len() as u32 && agent % 100 >= 86
}

/// Whether it is a tool that sends no referer either.
pub(super) const fn is_tool(agent: u32) -> bool {
    agent < TOOLS.len() as u32
}

/// The number of the agent that a random number stands for: never a tool's.
pub(super) const fn of_person(bits: u64) -> u32 {
    (bits as u32) | 0x8000_0000
}

/// The agent's text as the client sends it.
pub(super) fn write(agent: u32, out: &mut String) {
    if is_tool(agent) {
        out.push_str(TOOLS[agent as usize]);
        return;
    }
    let bits = mix(u64::from(agent));
    // Most people run the newest version or the one before.
    let old = (bits as u32 & 0xFF).pow(2) / 2_300;
    let major = 140 - old;
    let (patch, detail) = ((bits >> 8) as u32 % 160, (bits >> 16) as u32 % 97);
    let device = ANDROID[(bits >> 32) as usize % ANDROID.len()];
    let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
    let _ = match agent % 100 {
        0..27 => write!(
            out,
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/{major}.0.0.0 Safari/537.36"
        ),
        27..37 => write!(
            out,
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {webkit} Chrome/{major}.0.0.0 \
             Safari/537.36"
        ),
        37..44 => write!(
            out,
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/{major}.0.0.0 \
             Safari/537.36 Edg/{major}.0.{}.{patch}",
            3_400 + detail
        ),
        44..50 => write!(
            out,
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:{major}.0) Gecko/20100101 \
             Firefox/{major}.0"
        ),
        50..66 => {
            let (system, minor) = (18 - old / 12, detail % 7);
            write!(
                out,
                "Mozilla/5.0 (iPhone; CPU iPhone OS {system}_{minor} like Mac OS X) \
                 AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{system}.{minor} \
                 Mobile/15E148 Safari/604.1"
            )
        }
        66..80 => write!(
            out,
            "Mozilla/5.0 (Linux; Android {}; {device}) {webkit} Chrome/{major}.0.{}.{patch} \
             Mobile Safari/537.36",
            15 - old / 9,
            7_100 + detail
        ),
        80..86 => write!(
            out,
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like \
             Gecko) Version/18.{} Safari/605.1.15",
            detail % 7
        ),
        86..93 => write!(out, "ShopApp/7.{}.{} (Android {}; {device})", detail % 9, patch % 4, 15),
        _ => write!(
            out,
            "ShopApp/7.{}.{} CFNetwork/3826.{}.{} Darwin/24.{}.0",
            detail % 9,
            patch % 4,
            patch % 6 * 100,
            detail % 3 + 1,
            detail % 7
        ),
    };
}
