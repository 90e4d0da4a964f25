//! Fresh made weeks, each with the truth known, and how the method judges them.
//!
//! `cargo run --release --example scorecard -- --seed 1 --weeks 10`: ten weeks of every kind, drawn with
//! seed 1. The same seed gives the same card. How to read it: `docs/how-limits-are-chosen.md`.

#![allow(clippy::print_stdout, clippy::print_stderr)] // An example talks to whoever runs it.

mod card;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut seed, mut weeks) = (1, 10);
    while let Some(flag) = arguments.next() {
        let value = arguments.next().and_then(|text| text.parse::<u32>().ok());
        match (flag.as_str(), value) {
            ("--seed", Some(value)) => seed = value,
            ("--weeks", Some(value)) => weeks = value,
            _ => {
                eprintln!("usage: scorecard [--seed NUMBER] [--weeks NUMBER]");
                return ExitCode::from(2);
            }
        }
    }
    print!("{}", card::table(&card::run(card::kinds(), seed.into(), weeks)));
    ExitCode::SUCCESS
}
