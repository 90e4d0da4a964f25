//! What is counted, against counting one line after the other; in memory, and by way of a file.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Counts, Error, Selection, Settings, run};
use crate::logs::{Options, discover};
use crate::rules::Route;
use crate::units::Window;

const HEADER: &str = "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(Referer) cs(User-Agent) x-edge-request-id\n";

/// A request: second, client, whether it is for the route, request id (0: none).
type Line = (u32, u8, bool, u16);

/// Addresses of both kinds, several in one /64, and texts.
fn name(client: u8) -> String {
    match client % 4 {
        0 => format!("192.0.2.{client}"),
        1 => format!("2001:db8:7:{:x}:1:2:3:{client:x}", client % 3),
        2 => format!("2001:db8:9:{:x}:1:2:3:{client:x}", client / 16),
        _ => format!("client-{client}-{}", "x".repeat(usize::from(client) / 3)),
    }
}

fn text(lines: &[Line]) -> String {
    let mut text = HEADER.to_owned();
    for &(second, client, on_route, id) in lines {
        let (path, client) = (if on_route { "/token" } else { "/other" }, name(client));
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        let id = if id == 0 { "-".to_owned() } else { format!("id-{client}-{id}") };
        text.push_str(&format!(
            "2026-09-08\t{hour:02}:{minute:02}:{second:02}\t{client}\tGET\t{path}\t200\t-\tcurl/8\t{id}\n"
        ));
    }
    text
}

/// For each client its lines and, ascending, the times of its requests on the route.
type Naive = BTreeMap<String, (u32, Vec<u32>)>;

const MIDNIGHT: u32 = 1_788_825_600;

fn naive(lines: &[Line]) -> (Naive, u64) {
    let mut clients = Naive::new();
    let mut ids: BTreeMap<(u8, u16), u32> = BTreeMap::new();
    let mut copies = 0;
    for &(second, client, on_route, id) in lines {
        let own = clients.entry(name(client)).or_default();
        own.0 += 1;
        if on_route && id == 0 {
            own.1.push(MIDNIGHT + second);
        } else if on_route {
            // Of copies the earliest stays.
            ids.entry((client, id))
                .and_modify(|time| {
                    copies += 1;
                    *time = (*time).min(second);
                })
                .or_insert(second);
        }
    }
    for ((client, _), second) in ids {
        if let Some(own) = clients.get_mut(&name(client)) {
            own.1.push(MIDNIGHT + second);
        }
    }
    clients.values_mut().for_each(|(_, times)| times.sort_unstable());
    (clients, copies)
}

fn count(
    lines: &[Line],
    files: usize,
    threads: usize,
    memory: u64,
    survey: bool,
) -> Result<Counts, Error> {
    let folder = tempfile::tempdir().unwrap();
    for (place, part) in lines.chunks(lines.len().div_ceil(files).max(1)).enumerate() {
        std::fs::write(folder.path().join(format!("{place}.log")), text(part)).unwrap();
    }
    let inputs = discover(&[folder.path().display().to_string()], false).unwrap().inputs;
    let route: Route = "GET /token".parse().unwrap();
    let selection =
        if survey { Selection::survey(&[]) } else { Selection::routes(&[route], &[]) }.unwrap();
    let logs = Options { needs: selection.needs(), ..Options::default() };
    run(
        &inputs,
        &selection,
        &Settings { logs, dedupe: true, threads, memory, scale_sampled: false },
        &(),
    )
}

/// What the parts hold, the number of copies, and of bytes that went to a file.
fn counted(counts: Counts) -> (Naive, u64, u64) {
    let overflowed = counts.parts.overflowed();
    let found = counts.parts.map(|part| {
        let mut own = Naive::new();
        for number in part.clients.numbers() {
            let lines = part.clients.lines(number);
            own.insert(part.clients.client(number).to_string(), (lines, Vec::new()));
        }
        for event in &part.events[0] {
            let client = part.clients.client(event.client).to_string();
            own.get_mut(&client).unwrap().1.push(event.time);
        }
        (own, part.duplicates[0])
    });
    let mut all = Naive::new();
    let mut copies = 0;
    for (own, of_part) in found.unwrap() {
        for (client, figures) in own {
            assert!(all.insert(client, figures).is_none(), "a client of two parts");
        }
        copies += of_part;
    }
    (all, copies, overflowed)
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let id = prop_oneof![1 => Just(0_u16), 4 => 1..400_u16];
    proptest::collection::vec((0..86_400_u32, any::<u8>(), any::<bool>(), id), 1..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn counting_equals_a_naive_count(
        lines in lines(),
        files in 1..5_usize,
        threads in 1..4_usize,
        in_memory in any::<bool>(),
    ) {
        let (expected, copies) = naive(&lines);
        let memory = if in_memory { 1 << 30 } else { 2 * threads as u64 };
        let (found, dropped, overflowed) = counted(count(&lines, files, threads, memory, false).unwrap());
        for (client, (sent, times)) in &expected {
            prop_assert_eq!(&found[client], &(*sent, times.clone()), "{}", client);
            for window in Window::ALL {
                let peak = super::sliding(times, window.seconds()).peak;
                prop_assert_eq!(super::sliding(&found[client].1, window.seconds()).peak, peak);
            }
        }
        prop_assert_eq!(found.len(), expected.len());
        prop_assert_eq!(dropped, copies);
        // Every thread looks at its memory after 16 lines.
        if in_memory {
            prop_assert_eq!(overflowed, 0);
        } else if lines.len() > 16 * threads {
            prop_assert!(overflowed > 0);
        }
    }
}

#[test]
fn a_survey_of_too_many_clients_says_so() {
    let lines: Vec<Line> = (0..200).map(|number| (number, number as u8, true, 0)).collect();
    let error = count(&lines, 1, 1, 2, true).err().expect("no room");
    assert!(error.to_string().contains("do not fit into the memory"), "{error}");
    assert!(count(&lines, 1, 1, 1 << 30, true).is_ok());
}
