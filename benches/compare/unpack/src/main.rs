//! Unpacks the `.gz` files of a folder with libdeflate and does nothing else: the floor that the other
//! programs are compared with. `unpack FOLDER THREADS` prints files, packed and unpacked bytes.
//!
//! As good as it gets without reading ahead: whole files into buffers that are used again, largest
//! first from a counter that the threads share.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use libdeflater::{DecompressionError, Decompressor};

/// Header and trailer of a gzip member.
const SMALLEST_MEMBER: usize = 18;
/// No generated file unpacks to more.
const MOST_TEXT: usize = 1 << 30;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, threads) = match arguments.as_slice() {
        [folder, threads] => (folder.as_str(), threads.parse::<usize>().unwrap_or(0)),
        _ => ("", 0),
    };
    if threads == 0 {
        eprintln!("usage: unpack FOLDER THREADS");
        return ExitCode::from(2);
    }
    match unpack(Path::new(folder), threads) {
        Ok((files, packed, text)) => {
            println!("{{\"files\": {files}, \"packed\": {packed}, \"unpacked\": {text}}}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("unpack: {error}");
            ExitCode::from(2)
        }
    }
}

/// Files, packed bytes and unpacked bytes.
fn unpack(folder: &Path, threads: usize) -> Result<(usize, u64, u64), String> {
    let files = largest_first(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let next = AtomicUsize::new(0);
    let texts: Vec<Result<u64, String>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&files, &next))).collect();
        let lost = |_| Err("a thread was lost".to_owned());
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(lost)).collect()
    });
    let text = texts.into_iter().sum::<Result<u64, String>>()?;
    Ok((files.len(), files.iter().map(|(size, _)| size).sum(), text))
}

fn largest_first(folder: &Path) -> std::io::Result<Vec<(u64, PathBuf)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "gz") {
            files.push((path.metadata()?.len(), path));
        }
    }
    files.sort_unstable_by(|one, two| two.cmp(one));
    Ok(files)
}

fn work(files: &[(u64, PathBuf)], next: &AtomicUsize) -> Result<u64, String> {
    let mut decompressor = Decompressor::new();
    let (mut packed, mut text) = (Vec::new(), Vec::new());
    let mut sum = 0;
    while let Some((_, path)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        packed.clear();
        File::open(path)
            .and_then(|mut file| file.read_to_end(&mut packed))
            .map_err(|error| fail(&error))?;
        if packed.len() < SMALLEST_MEMBER {
            return Err(fail(&"too short for gzip"));
        }
        // The trailer holds the length of the last member, which here is the only one: libdeflate
        // says so if the text does not fit.
        let trailer = &packed[packed.len() - 4..];
        let length = trailer.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        if length > MOST_TEXT {
            return Err(fail(&"unpacks to over 1 GB"));
        }
        if text.len() < length {
            text.resize(length, 0);
        }
        let found =
            decompressor.gzip_decompress(&packed, &mut text[..length]).map_err(|error| {
                fail(match error {
                    DecompressionError::BadData => &"damaged",
                    DecompressionError::InsufficientSpace => &"several members",
                })
            })?;
        sum += found as u64;
    }
    Ok(sum)
}
