#!/usr/bin/env python3
"""All tables of `docs/benchmarks.md` in one go, written between the markers there: `tables.py`.

Makes logs of 1, 10 and 30 million lines and of 10 million lines from 5 million clients (3 GB in the
cache folder, kept for the next time), and runs the programs on them. Takes about 12 minutes on an
idle machine with two cores, and an idle machine is what it needs. Exit code 1 if an answer is wrong.
"""

import datetime
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import compare

PAGE = compare.REPOSITORY / "docs" / "benchmarks.md"
START, END = "<!-- tables: start -->", "<!-- tables: end -->"
OWN = "unpack,bare,ratewaf,survey"
NEAR = f"{OWN},chdb,chdb-four"

# Title and options of compare.py.
TABLES = [
    ("10 million lines", ["--lines", "10000000", "--rounds", "5", "--slow-rounds", "1", "--timeout", "90",
                          "--only", f"{NEAR},chdb-columns,duckdb,polars,awk"]),
    ("10 million lines on one thread", ["--lines", "10000000", "--rounds", "2", "--threads", "1", "--only", OWN]),
    ("1 million lines", ["--lines", "1000000", "--rounds", "5", "--slow-rounds", "2", "--timeout", "60"]),
    ("30 million lines", ["--lines", "30000000", "--rounds", "2", "--only", OWN]),
    ("10 million lines from 5 million clients", ["--lines", "10000000", "--clients", "5000000", "--rounds", "2",
                                                 "--slow-rounds", "1", "--only", f"{OWN},chdb,duckdb"]),
]  # fmt: skip


def wall(chosen, name):
    program = next(program for program in chosen if program.name == name)
    return statistics.median(run["wall"] for run in program.runs) if program.runs else None


def milliseconds(command, folder, times=30):
    """Median wall time of a short command, and its processor time."""
    walls, before = [], os.times()
    for _ in range(times):
        start = time.monotonic()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        walls.append(time.monotonic() - start)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return statistics.median(walls) * 1000, spent / times * 1000


def short_commands(ratewaf, logs):
    """Start-up and what works on files instead of logs."""
    yield "| command | wall ms | CPU ms |"
    yield "|---|---:|---:|"
    with tempfile.TemporaryDirectory(prefix="ratewaf-short-") as folder:
        analyze = [str(ratewaf), "analyze", str(logs), "--quiet", "--route", compare.ROUTE]
        subprocess.run(analyze, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for shown in (["--version"], ["emit"]):
            spent = milliseconds([str(ratewaf), *shown], folder)
            yield f"| `ratewaf {' '.join(shown)}` | {spent[0]:.1f} | {spent[1]:.1f} |"


def derived(found):
    """What follows from several tables."""
    two, one = found["10 million lines"], found["10 million lines on one thread"]
    small, large = found["1 million lines"], found["30 million lines"]
    yield "| program | efficiency of 2 threads | 10 M / 1 M lines | 30 M / 10 M lines |"
    yield "|---|---:|---:|---:|"
    for name in OWN.split(","):
        walls = [wall(chosen, name) for chosen in (one, two, small, large)]
        if None in walls:
            continue
        alone, base, less, more = walls
        yield f"| {name} | {alone / base / 2:.0%} | {base / less:.1f} × | {more / base:.2f} × |"


def commit():
    told = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=compare.REPOSITORY, capture_output=True, text=True)
    return told.stdout.strip() or "unknown"


def write(lines):
    text = PAGE.read_text()
    before, rest = text.split(START, 1)
    _, after = rest.split(END, 1)
    PAGE.write_text(f"{before}{START}\n\n" + "\n".join(lines) + f"\n\n{END}{after}")


def main():
    started = time.monotonic()
    given = sys.argv[1:]  # Further options of compare.py, such as --cache.
    today = datetime.date.today()
    lines = [f"Measured on {today.day} {today:%B %Y} at {commit()}, by `python3 benches/compare/tables.py`."]
    found, wrong = {}, []
    try:
        for title, options in TABLES:
            print(f"{title}, after {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
            table, complaints, chosen = compare.compare(compare.parsed(compare.arguments(), [*options, *given]))
            lines += ["", f"### {title}", "", *table]
            found[title] = chosen
            wrong += [f"{title}: {text}" for text in complaints]
        small = compare.parsed(compare.arguments(), ["--lines", "1000000", *given])
        setting, _ = compare.prepare(small)
        lines += ["", "### Threads and sizes", "", "By wall seconds.", "", *derived(found)]
        lines += ["", "### Short commands", "", *short_commands(setting.ratewaf, setting.folder)]
    except compare.Fail as error:
        print(f"tables: {error}", file=sys.stderr)
        return 2
    write(lines)
    print(f"wrote {PAGE.relative_to(compare.REPOSITORY)} after {time.monotonic() - started:.0f} s", file=sys.stderr)
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
