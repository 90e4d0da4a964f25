#!/usr/bin/env python3
"""Instructions that a run takes, against the figures in `instructions.json`: a gate that does not
depend on the machine's mood.

    benches/instructions.py             # exit code 1 if a figure grew by more than 5 %
    benches/instructions.py --bless     # writes what it finds, to be committed with a reason

Counts with `valgrind --tool=callgrind` on logs that `ratewaf demo-logs` makes: the same bytes
everywhere. Figures hold for one release of Rust, without its patch number, and one kind of processor;
on another nothing fails, the differences are only told. Python's standard library only. Exit code 2 if
something needed is missing.
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
FIGURES = HERE / "instructions.json"
LINES = 20_000
SEED = 7
GROWTH = 0.05
BUILD = ["cargo", "build", "--release", "--locked", "--no-default-features", "--features", "bare"]
PROGRAMS = ["--bin", "ratewaf", "--bin", "ratewaf-bare"]


class Fail(Exception):
    """Something needed is missing."""


def run(command, **options):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    except FileNotFoundError as error:
        raise Fail(str(error)) from error
    if done.returncode != 0:
        raise Fail(f"{' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return done


def toolchain():
    version = run(["rustc", "--version"]).stdout.split()[1]
    return {"rust": ".".join(version.split(".")[:2]), "machine": platform.machine()}


def instructions(command, folder):
    """All instructions of a program from its start to its end."""
    told = run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}", *map(str, command)],
        cwd=folder,
    ).stderr
    found = re.search(r"Collected : (\d+)", told)
    if not found:
        raise Fail(f"valgrind told no figure:\n{told[-2000:]}")
    return int(found.group(1))


def measure(built, folder):
    ratewaf, bare, logs = built / "ratewaf", built / "ratewaf-bare", folder / "logs"
    run([ratewaf, "demo-logs", "--lines", str(LINES), "--seed", str(SEED), "--out", str(logs)])
    analyze = [ratewaf, "analyze", logs, "--threads", "1", "--quiet", "--no-write", "--format", "json", "--out", "out"]
    commands = {
        "start-up": [ratewaf, "--version"],
        "bare": [bare, logs, "1", "out"],
        "analyze --route": [*analyze, "--route", "GET /oauth/token"],
        "analyze, survey": analyze,
    }
    return {name: instructions(command, folder) for name, command in commands.items()}


def compare(found, known):
    """Prints the table; gives the names of what grew too much."""
    print(f"| run | instructions | committed | change |\n|---|---:|---:|---:|")
    grown = []
    for name, count in found.items():
        before = known.get(name)
        change = "new" if before is None else f"{count / before - 1:+.2%}"
        print(f"| {name} | {count:,} | {'' if before is None else f'{before:,}'} | {change} |")
        if before is None or count > before * (1 + GROWTH):
            grown.append(name)
    return grown


def main():
    parser = argparse.ArgumentParser(description="Count instructions and compare them with the committed figures.")
    parser.add_argument("--bless", action="store_true", help=f"write {FIGURES.name}")
    parser.add_argument("--built", type=Path, help="a folder with ratewaf and ratewaf-bare, instead of building them")
    options = parser.parse_args()
    try:
        here = toolchain()
        built = options.built
        if built is None:
            run([*BUILD, *PROGRAMS], cwd=REPOSITORY)
            built = REPOSITORY / "target" / "release"
        with tempfile.TemporaryDirectory(prefix="ratewaf-instructions-") as folder:
            found = measure(built.resolve(), Path(folder))
        known = json.loads(FIGURES.read_text()) if FIGURES.is_file() else {"instructions": {}}
        grown = compare(found, known["instructions"])
        if options.bless:
            FIGURES.write_text(json.dumps({**here, "lines": LINES, "seed": SEED, "instructions": found}, indent=2) + "\n")
            print(f"wrote {FIGURES.relative_to(REPOSITORY)}")
            return 0
        there = {name: known.get(name) for name in here}
        if there != here:
            print(f"the figures are of {there}, this is {here}: nothing fails; benches/instructions.py --bless writes new ones")
            return 0
        if grown:
            print(f"over {GROWTH:.0%} more instructions: {', '.join(grown)}", file=sys.stderr)
            print("find out why; if it has to be, benches/instructions.py --bless and say so in the commit", file=sys.stderr)
            return 1
        return 0
    except Fail as error:
        print(f"instructions: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
