#!/usr/bin/env python3
"""ratewaf and others on the same logs, in interleaved rounds: `compare.py --lines 1000000`.

Makes logs with `ratewaf demo-logs`, runs every program on them round after round, checks that all
found the same peaks of every client, and prints a Markdown table. `docs/benchmarks.md` says how to
read it. Python's standard library only; what it installs and makes goes into a cache folder. Exit
code 1 if an answer is wrong, 2 if something needed is missing.
"""

import argparse
import json
import os
import platform
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
ROUTE = "GET /oauth/token"
TOP = 20
UNPACK = "unpack"


class Fail(Exception):
    """Something needed is missing."""


class Late(Exception):
    """A program took too long."""


# ---------------------------------------------------------------- what is run


class Program:
    """One row of the table."""

    def __init__(self, name, title, command, check=None, missing=None, slow=False):
        self.name = name
        self.title = title
        self.command = command  # of the file for its answer
        self.check = check  # of that file and the truth: complaints
        self.missing = missing  # why it cannot run
        self.slow = slow  # far from the floor: --slow-rounds are enough
        self.runs = []
        self.complaints = []


def programs(setting):
    """All rows, in the order of the table."""
    folder, threads = str(setting.folder), str(setting.threads)
    ratewaf = [str(setting.ratewaf), "analyze", folder, "--quiet", "--no-write", "--format", "json"]
    ratewaf += ["--threads", threads, "--out"]
    files = f"find -L {shlex.quote(folder)} -name '*.gz' -print0 | xargs -0 zcat"
    awk = f"{files} | LC_ALL=C awk -f {shlex.quote(str(HERE / 'peaks.awk'))} >"
    goaccess = f"{files} | goaccess --no-global-config --no-progress --log-format=CLOUDFRONT - -o"

    def shell(text, ending):
        return lambda out: ["sh", "-c", f"{text} {shlex.quote(out + ending)}"]

    def peer(name):
        script = [setting.python, str(HERE / "peers.py"), name, folder, threads]
        return lambda out: script + [out]

    return [
        Program(UNPACK, "unpack only (libdeflate)", lambda out: [str(setting.unpack), folder, threads]),
        Program(
            "bare",
            "`ratewaf-bare`, four peaks and nothing else",
            lambda out: [str(setting.bare), folder, threads, out],
            check_table,
        ),
        Program(
            "ratewaf",
            f"`ratewaf analyze --route '{ROUTE}'`, everything",
            lambda out: ratewaf + [out, "--route", ROUTE],
            check_route,
        ),
        Program("survey", "`ratewaf analyze`, the survey", lambda out: ratewaf + [out], check_survey),
        Program("chdb", "chdb, one clock window, lines", peer("chdb"), check_table),
        Program("chdb-columns", "chdb, one clock window, columns", peer("chdb-columns"), check_table, slow=True),
        Program("chdb-four", "chdb, four peaks, lines", peer("chdb-four"), check_table),
        Program("duckdb", "DuckDB, one clock window", peer("duckdb"), check_table, slow=True),
        Program("polars", "Polars, one clock window", peer("polars"), check_table, slow=True),
        Program("awk", "zcat + awk, one clock window", shell(awk, ""), check_table, slow=True),
        Program(
            "goaccess",
            "zcat + GoAccess, its own report",
            shell(goaccess, ".json"),
            slow=True,
            missing=None if shutil.which("goaccess") else "goaccess is not installed",
        ),
    ]


PEERS = {"chdb", "chdb-columns", "chdb-four", "duckdb", "polars"}


# ---------------------------------------------------------------- whether it is right


def differ(what, found, wanted):
    return [] if found == wanted else [f"{what}: {found}, not {wanted}"]


def check_top(peaks, truth):
    """Clock peaks of the truth's busiest clients."""
    found = {client: peaks.get(client) for client in truth["top"]}
    wrong = {client: peak for client, peak in found.items() if peak != truth["top"][client]}
    return [f"peak of {client}: {peak}, not {truth['top'][client]}" for client, peak in wrong.items()]


def check_analysis(found, truth):
    top = {row["client"]: row["clock_300"] for row in found["top"]}
    return (
        differ("clients", found["clients"], truth["clients"])
        + differ("requests", found["requests"], truth["requests"])
        + differ("sums of peaks", found["sum_of_peaks"], truth["sums"])
        + check_top(top, truth)
    )


def check_route(out, truth):
    found = json.loads(Path(out).read_text())
    return differ("lines", found["coverage"]["lines"], truth["lines"]) + check_analysis(found["routes"][0], truth)


def check_survey(out, truth):
    found = json.loads(Path(out).read_text())
    groups = [group for group in found["survey"]["groups"] if group["title"] == ROUTE]
    if len(groups) != 1:
        return [f"{len(groups)} groups {ROUTE}"]
    [group] = groups
    return (
        differ("lines", found["coverage"]["lines"], truth["lines"])
        + differ("clients", group["clients"], truth["clients"])
        + differ("requests", group["requests"], truth["requests"])
        + differ("peak", group["peak"], truth["largest"])
    )


def check_table(out, truth):
    """A client and its peaks a line: clock 300, and perhaps clock 60, sliding 60, sliding 300."""
    rows = [line.split("\t") for line in Path(out).read_text().splitlines()]
    peaks = {row[0]: int(row[1]) for row in rows}
    complaints = (
        differ("clients", len(peaks), truth["clients"])
        + differ("sum of clock peaks", sum(peaks.values()), truth["sums"]["clock_300"])
        + check_top(peaks, truth)
    )
    if rows and len(rows[0]) == 5:
        complaints += differ("sum of clock peaks in 60 s", sum(int(row[2]) for row in rows), truth["sums"]["clock_60"])
        complaints += differ("sum of sliding peaks", sum(int(row[4]) for row in rows), truth["sums"]["sliding_300"])
    # The truth names twenty clients; between each other, the tables have to agree on all.
    first = truth.setdefault("table", (Path(out).stem, peaks))
    different = [client for client in peaks if peaks[client] != first[1].get(client)]
    if different:
        complaints.append(f"{len(different)} peaks are not those of {first[0]}, {different[0]}'s among them")
    return complaints


def truth_of(folder):
    """What the generator says of its logs; it counts with code of its own."""
    path = folder / "truth.json"
    if not path.is_file():
        raise Fail(f"there is no {path}: the folder is not one of `ratewaf demo-logs`")
    told = json.loads(path.read_text())
    return {
        "files": told["files"],
        "lines": told["lines"],
        "addresses": told["addresses"],
        "clients": told["clients"],
        "requests": told["requests"],
        "sums": told["sum_of_peaks"],
        "top": {row["client"]: row["clock_300"] for row in told["top"][:TOP]},
        "largest": max(row["sliding_300"] for row in told["top"]),
    }


# ---------------------------------------------------------------- what is needed


def run_quietly(command, what):
    print(f"{what} ...", file=sys.stderr, flush=True)
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError as error:
        raise Fail(f"{what}: {error}") from error
    if done.returncode != 0:
        raise Fail(f"{what} failed:\n{done.stderr[-2000:]}")


def build(manifest, target, names, features=()):
    """Programs of one package, in one go; gives the folder they are in."""
    command = ["cargo", "build", "--release", "--locked", "--manifest-path", str(manifest)]
    command += ["--target-dir", str(target), *features]
    for name in names:
        command += ["--bin", name]
    run_quietly(command, f"building {' and '.join(names)}")
    return target / "release"


def python_with_peers(cache):
    """A virtual environment with the peers, made anew when their versions change."""
    wanted = (HERE / "requirements.txt").read_text()
    folder = cache / "venv"
    python, marker = folder / "bin" / "python", folder / "requirements.txt"
    if not marker.is_file() or marker.read_text() != wanted:
        run_quietly([sys.executable, "-m", "venv", "--clear", str(folder)], "making a virtual environment")
        install = [str(python), "-m", "pip", "install", "--quiet", "-r", str(HERE / "requirements.txt")]
        run_quietly(install, "installing chdb, DuckDB and Polars")
        marker.write_text(wanted)
    return str(python)


def logs(options, ratewaf, cache):
    """The folder of the logs, made if it is not there. The truth is written last."""
    if options.folder:
        return options.folder.resolve()
    clients = f"-clients-{options.clients}" if options.clients else ""
    folder = cache / f"logs-{options.lines}-seed-{options.seed}{clients}"
    if not (folder / "truth.json").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        command = [str(ratewaf), "demo-logs", "--out", str(folder)]
        command += ["--lines", str(options.lines), "--seed", str(options.seed)]
        command += ["--clients", str(options.clients)] if options.clients else []
        run_quietly(command, f"making {options.lines} lines")
    return folder


def warm(folder):
    """Reads everything once, so that the first round does not wait for the disk; gives the bytes."""
    size = 0
    for path in folder.glob("*.gz"):
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                size += len(part)
    return size


# ---------------------------------------------------------------- one run


def measure(command, cwd, timeout, log):
    """Wall and processor seconds, peak memory in MB, and what went wrong."""
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    late = threading.Event()

    def end():
        late.set()
        os.killpg(child.pid, signal.SIGKILL)

    watchdog = threading.Timer(timeout, end)
    watchdog.start()
    # wait4 tells what this child and those it waited for used, and of nobody else.
    _, status, usage = os.wait4(child.pid, 0)
    watchdog.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    unit = 1 if sys.platform == "darwin" else 1024
    found = {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss * unit / 1e6}
    if late.is_set():
        raise Late(f"not done after {timeout:.0f} s")
    return found, None if child.returncode == 0 else f"exit code {child.returncode}"


def one_run(program, folder, timeout):
    out = str(Path(folder) / program.name)
    log_path = Path(folder) / f"{program.name}.log"
    try:
        with log_path.open("wb") as log:
            found, problem = measure(program.command(out), folder, timeout, log)
    except Late as late:
        # Slow is no wrong answer; it is just not asked again.
        program.missing = str(late)
        return
    if problem:
        text = log_path.read_text(errors="replace").strip().splitlines()
        program.missing = f"{problem}: {text[-1]}" if text else problem
        program.complaints.append(program.missing)
        return
    program.runs.append(found)


def rounds(chosen, options, truth, cache):
    with tempfile.TemporaryDirectory(dir=cache, prefix="run-") as folder:
        for number in range(options.rounds):
            # Another one goes first each time: who follows whom should not matter.
            turn = number % len(chosen)
            for program in chosen[turn:] + chosen[:turn]:
                enough = program.slow and number >= (options.slow_rounds or options.rounds)
                if program.missing or enough:
                    continue
                print(f"round {number + 1}: {program.name}", file=sys.stderr, flush=True)
                one_run(program, folder, options.timeout)
        # Not before the last run: a child's peak memory starts at what this script uses when it starts it.
        for program in chosen:
            if program.check and program.runs and not program.missing:
                program.complaints += program.check(str(Path(folder) / program.name), truth)


# ---------------------------------------------------------------- the table


def median(program, key):
    return statistics.median(run[key] for run in program.runs)


def ratio(program, floor, key):
    """The median of the rounds' own ratios: what slows a round down slows both sides."""
    if not floor or not floor.runs:
        return "–"
    pairs = zip(program.runs, floor.runs)
    return f"{statistics.median(run[key] / base[key] for run, base in pairs):.2f}"


def table(chosen):
    floor = next((program for program in chosen if program.name == UNPACK), None)
    yield "| program | wall s | × unpack | CPU s | × unpack | peak MB | answer |"
    yield "|---|---:|---:|---:|---:|---:|---|"
    for program in chosen:
        if not program.runs:
            yield f"| {program.title} | | | | | | skipped: {program.missing} |"
            continue
        answer = "wrong" if program.complaints else "right" if program.check else "not checked"
        numbers = [
            f"{median(program, 'wall'):.2f}",
            ratio(program, floor, "wall"),
            f"{median(program, 'cpu'):.2f}",
            ratio(program, floor, "cpu"),
            f"{max(run['memory'] for run in program.runs):.0f}",
        ]
        yield f"| {program.title} | {' | '.join(numbers)} | {answer} |"


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def head(setting, options, truth, packed):
    load = os.getloadavg()[0]
    rounds_text = str(options.rounds)
    if options.slow_rounds and options.slow_rounds < options.rounds:
        rounds_text += f" ({options.slow_rounds} of those far from the floor)"
    yield (
        f"{truth['lines']:,} lines, {truth['addresses']:,} clients, {truth['files']:,} files of "
        f"{packed / 1e6:,.0f} MB together; rounds: {rounds_text}, threads: {setting.threads}; "
        f"{os.cpu_count()} cores ({processor()}), load {load:.1f} at the start."
    )
    yield ""


def arguments():
    parser = argparse.ArgumentParser(description="Run ratewaf and others on the same logs.")
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines to make (1000000)")
    parser.add_argument("--clients", type=int, help="distinct addresses; beyond the shop's own, an attacker's")
    parser.add_argument("--seed", type=int, default=7, help="of the generator (7)")
    parser.add_argument("--folder", type=Path, help="logs that `ratewaf demo-logs` made before")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--slow-rounds", type=int, help="runs of each program that is far from the floor; --rounds")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="for every program; all cores")
    parser.add_argument("--only", help="names, with commas: unpack,ratewaf,survey,chdb,awk ...")
    parser.add_argument("--timeout", type=float, default=240, help="seconds for one run (240)")
    parser.add_argument("--ratewaf", type=Path, help="a program built before; ratewaf-bare beside it")
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ratewaf-compare"
    parser.add_argument("--cache", type=Path, default=default, help=f"for what is made ({default})")
    return parser


def parsed(parser, given=None):
    options = parser.parse_args(given)
    if options.rounds < 1 or options.lines < 1 or options.threads < 1:
        parser.error("--rounds, --lines and --threads have to be at least 1")
    return options


def choose(every, only):
    if not only:
        return every
    names = [name.strip() for name in only.split(",")]
    known = {program.name for program in every}
    for name in names:
        if name not in known:
            raise Fail(f"there is no {name!r}; there are {', '.join(program.name for program in every)}")
    return [program for program in every if program.name in names]


def prepare(options):
    """Builds and installs what the chosen programs need."""
    options.cache.mkdir(parents=True, exist_ok=True)
    cache = options.cache.resolve()
    setting = argparse.Namespace(threads=options.threads, python=sys.executable)
    setting.folder = setting.unpack = setting.ratewaf = setting.bare = Path()
    chosen = {program.name for program in choose(programs(setting), options.only)}
    built = Path()
    if options.ratewaf:
        setting.ratewaf = options.ratewaf.resolve()
        built = setting.ratewaf.parent
    elif {"bare", "ratewaf", "survey"} & chosen or not options.folder:
        names = ["ratewaf", "ratewaf-bare"]
        built = build(REPOSITORY / "Cargo.toml", REPOSITORY / "target", names, ["--features", "bare"])
        setting.ratewaf = built / "ratewaf"
    setting.bare = built / "ratewaf-bare"
    if "bare" in chosen and not setting.bare.is_file():
        raise Fail(f"there is no {setting.bare}; build it with --features bare --bin ratewaf-bare")
    if UNPACK in chosen:
        setting.unpack = build(HERE / "unpack" / "Cargo.toml", cache / "unpack", ["ratewaf-unpack"])
        setting.unpack /= "ratewaf-unpack"
    if PEERS & chosen:
        setting.python = python_with_peers(cache)
    setting.folder = logs(options, setting.ratewaf, cache)
    return setting, cache


def compare(options):
    """Lines of the table, what is wrong, and the programs with their runs."""
    setting, cache = prepare(options)
    truth = truth_of(setting.folder)
    chosen = choose(programs(setting), options.only)
    lines = list(head(setting, options, truth, warm(setting.folder)))
    rounds(chosen, options, truth, cache)
    wrong = [f"{program.name}: {text}" for program in chosen for text in program.complaints]
    return lines + list(table(chosen)), wrong, chosen


def main():
    try:
        lines, wrong, _ = compare(parsed(arguments()))
        print("\n".join(lines))
        for text in wrong[:20]:
            print(text, file=sys.stderr)
        return 1 if wrong else 0
    except Fail as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
