//! Counting and nothing else: the peaks of every client of one route, by `ratewaf`'s reader and its
//! matcher. `ratewaf-bare FOLDER THREADS OUT` writes a client and its peaks a line: clock 300, clock 60, sliding
//! 60, sliding 300.
//!
//! What the analysis does beyond this is what its answers cost: a counter of lines for every client, the
//! digest and the hours of all lines, agents, statuses, referers, networks, the proposal.

#![allow(clippy::print_stderr)] // A program of its own, without `ui`.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv6Addr};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use ratewaf::counts::{address_number, clock_counts, sliding};
use ratewaf::logs::{Field, Input, LogReader, Options, Request, discover, turn};
use ratewaf::rules::{PathMatcher, PathPattern, Spelling, is_plain_path, url_decode};
use xxhash_rust::xxh3::xxh3_64;

const METHOD: &[u8] = b"GET";
const PATH: &str = "/oauth/token";

/// A counted request: client in two halves, hash of its id, arrival.
type Record = (u64, u64, u64, u32);

/// Records are divided by their clients, to be sorted in so many small parts.
const PARTS: usize = 64;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, threads, out) = match arguments.as_slice() {
        [folder, threads, out] => (folder, threads.parse::<usize>().unwrap_or(0), out),
        _ => {
            eprintln!("usage: bare FOLDER THREADS OUT");
            return ExitCode::from(2);
        }
    };
    match count(folder, threads.max(1))
        .and_then(|table| std::fs::write(out, table).map_err(|error| format!("{out}: {error}")))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bare: {error}");
            ExitCode::from(2)
        }
    }
}

fn count(folder: &str, threads: usize) -> Result<String, String> {
    let found = discover(&[folder.to_owned()], false).map_err(|error| error.to_string())?;
    let mut inputs = found.inputs;
    inputs.sort_by_key(|input| turn(input.size));
    let next = AtomicUsize::new(0);
    let threads = 0..threads;
    let read: Vec<Result<Vec<Vec<Record>>, String>> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            threads.clone().map(|_| scope.spawn(|| read(&inputs, &next))).collect();
        let lost = |_| Err("a thread was lost".to_owned());
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(lost)).collect()
    });
    let read = read.into_iter().collect::<Result<Vec<_>, _>>()?;
    let next = AtomicUsize::new(0);
    let tables: Vec<Option<String>> = std::thread::scope(|scope| {
        let of_parts = || {
            let mut text = String::new();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= PARTS {
                    return text;
                }
                let mut all: Vec<Record> =
                    read.iter().flat_map(|parts| parts[part].iter().copied()).collect();
                all.sort_unstable();
                table(&all, &mut text);
            }
        };
        let handles: Vec<_> = threads.map(|_| scope.spawn(of_parts)).collect();
        handles.into_iter().map(|handle| handle.join().ok()).collect()
    });
    tables.into_iter().collect::<Option<String>>().ok_or_else(|| "a thread was lost".to_owned())
}

/// Records by part.
fn read(inputs: &[Input], next: &AtomicUsize) -> Result<Vec<Vec<Record>>, String> {
    let pattern = PathPattern::Exactly(PATH.to_owned());
    let matcher = PathMatcher::new(&pattern, Spelling::Loose).map_err(|error| error.to_string())?;
    let mut reader = LogReader::new(Options::default());
    let mut records = vec![Vec::new(); PARTS];
    while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
        let each = |request: &mut Request<'_>| {
            if request.method == METHOD && is_of_route(request.path, &matcher) {
                records_of(request, &mut records);
            }
        };
        reader.read(input, |_| true, |_| true, each).map_err(|error| error.to_string())?;
    }
    Ok(records)
}

fn is_of_route(logged: &[u8], matcher: &PathMatcher) -> bool {
    if is_plain_path(logged) {
        let slashless = logged.strip_suffix(b"/").unwrap_or(logged);
        return slashless == PATH.as_bytes();
    }
    matcher.matches(&url_decode(logged))
}

/// Nothing for a client that is no address.
fn records_of(request: &mut Request<'_>, records: &mut [Vec<Record>]) {
    let Some(client) = address_number(request.client) else { return };
    // The last column first, so that all of them are found in one go.
    let arrival = request.arrival() as u32;
    let id = request.field(Field::RequestId).map_or(0, |id| xxh3_64(id).max(1));
    let (high, low) = ((client >> 64) as u64, client as u64);
    let part = (high ^ low).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
    records[part as usize].push((high, low, id, arrival));
}

/// From records in order.
fn table(records: &[Record], table: &mut String) {
    let mut times = Vec::new();
    for client in records.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        times.clear();
        // One id counts once, where it arrived first.
        let copies = client.chunk_by(|one, two| one.2 != 0 && one.2 == two.2);
        times.extend(copies.map(|copies| copies[0].3));
        times.sort_unstable();
        let clock = |width| {
            let mut largest = 0;
            clock_counts(&times, width, |_, count| largest = largest.max(count));
            largest
        };
        let address = u128::from(client[0].0) << 64 | u128::from(client[0].1);
        let address = IpAddr::V6(Ipv6Addr::from(address)).to_canonical();
        let (minute, five) = (sliding(&times, 60).peak, sliding(&times, 300).peak);
        let _ = writeln!(table, "{address}\t{}\t{}\t{minute}\t{five}", clock(300), clock(60));
    }
}
