//! How much memory a run may take: what was typed, else a share of what the machine has for it.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use crate::units::thousands;

/// The least that a run gets along with.
const LEAST: u64 = 64 << 20;
/// Of what there is, without being asked for more.
const SHARE: u64 = 4;
/// Where nobody says how much there is.
const UNKNOWN: u64 = 512 << 20;

/// `512M`, `2G`, `1500000000`: bytes, in multiples of 1,024.
pub(super) fn parse(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let number = lower.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let shift = match &lower[number.len()..] {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err("write 512M or 2G".to_owned()),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return Err("write 512M or 2G".to_owned());
    }
    let bytes = number.parse::<f64>().map_or(0.0, |number| number * (1_u64 << shift) as f64);
    // A limit beyond all memory is none.
    let bytes = bytes as u64;
    if bytes < LEAST {
        return Err(format!("at least {} bytes, as 64M, are needed", thousands(LEAST)));
    }
    Ok(bytes)
}

/// A quarter of the memory of this machine, or of what the control group or `ulimit` of this process
/// leaves of it.
pub(super) fn default_limit() -> u64 {
    let read = |path: &Path| read_to_string(path).ok();
    (available(read).map_or(UNKNOWN, |bytes| bytes / SHARE)).max(LEAST)
}

/// What there is, as Linux tells it (`proc(5)`, `cgroups(7)`); `None` elsewhere.
fn available(read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let read = |path: &str| read(Path::new(path));
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.saturating_mul(1_024))
    });
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let of_groups = groups.lines().flat_map(group_files).filter_map(|file| number(&read(&file)?));
    let limits = read("/proc/self/limits").unwrap_or_default();
    let of_process = ["Max data size", "Max address space"].into_iter().filter_map(|name| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        number(line.split_whitespace().next()?)
    });
    machine.into_iter().chain(of_groups).chain(of_process).min()
}

/// Files with the limits of a control group and of those that it is in.
fn group_files(line: &str) -> Vec<String> {
    let mut columns = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (columns.next(), columns.next()) else {
        return Vec::new();
    };
    let (root, file) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    let groups = PathBuf::from(path);
    let names = groups.ancestors().map(|group| {
        let group = group.display().to_string();
        format!("{root}{}/{file}", group.trim_end_matches('/'))
    });
    names.collect()
}

fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("512M", 512 << 20),
            ("2g", 2 << 30),
            ("1.5GiB", 3 << 29),
            ("100000000", 100_000_000),
            ("65536k", 64 << 20),
            ("1T", 1 << 40),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "-1G", "1e9", "2X", "63M", "0", "1.G", "many", "inf"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_smallest_limit_counts() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \nMax data size             900000000            unlimited            bytes     \nMax address space         unlimited            unlimited            bytes     \n";
        let files = |with: &'static [(&'static str, &'static str)]| {
            move |path: &Path| {
                let found = with.iter().find(|(name, _)| Path::new(name) == path);
                found.map(|(_, text)| (*text).to_owned())
            }
        };
        assert_eq!(available(files(&[])), None);
        let machine = ("/proc/meminfo", "MemTotal:        2000000 kB\nMemFree: 1 kB\n");
        assert_eq!(available(files(Box::leak(Box::new([machine])))), Some(2_048_000_000));
        let second = [
            machine,
            ("/proc/self/cgroup", "0::/user/app\n"),
            ("/sys/fs/cgroup/user/app/memory.max", "max\n"),
            ("/sys/fs/cgroup/user/memory.max", "1000000000\n"),
        ];
        assert_eq!(available(files(Box::leak(Box::new(second)))), Some(1_000_000_000));
        let first = [
            machine,
            ("/proc/self/cgroup", "3:cpu,cpuacct:/a\n7:memory:/a\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "700000000\n"),
        ];
        assert_eq!(available(files(Box::leak(Box::new(first)))), Some(700_000_000));
        let process = [machine, ("/proc/self/limits", limits)];
        assert_eq!(available(files(Box::leak(Box::new(process)))), Some(900_000_000));
    }
}
