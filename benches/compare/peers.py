#!/usr/bin/env python3
"""The same count by chdb, DuckDB and Polars: `peers.py NAME FOLDER THREADS OUT`.

Each reads the files of `ratewaf demo-logs` and writes, for every client of GET /oauth/token, its
largest count in windows of the clock: `client <tab> peak in 300 s` a line, and with `-four` also
the clock peak in 60 s and the sliding peaks in 60 and 300 s (in steps of 10 s).

All do what ratewaf does with a request, as cheaply as their languages allow: a request arrives when
it ended less the whole seconds it took, one request id counts once, and the other spellings of the
path are counted. Which spellings those are they are told; ratewaf finds out.
"""

import glob
import os
import sys

COLUMNS = 33
DATE, TIME, CLIENT, METHOD, PATH, REQUEST, TAKEN = 1, 2, 5, 6, 8, 15, 19
SPELLINGS = [
    "/oauth/token",
    "/oauth/token/",
    "/OAuth/Token",
    "/oauth//token",
    "/oauth/%74oken",
    "/oauth/%2574oken",
    "/oauth/./token",
    "/static/../oauth/token",
]
QUOTED = ", ".join(f"'{path}'" for path in SPELLINGS)


def chdb(folder, threads, out, four, lines):
    import chdb as engine

    if lines:
        # Whole lines, a search before anything is split: its fastest way.
        source = f"""(SELECT splitByChar('\t', line) AS f FROM file('{folder}/*.gz', LineAsString, 'line String')
            WHERE positionCaseInsensitive(line, 'oauth/') > 0)"""
        column = lambda number: f"f[{number}]"
        skipped = ""
    else:
        names = ", ".join(f"c{number} String" for number in range(1, COLUMNS + 1))
        source = f"file('{folder}/*.gz', TSVRaw, '{names}')"
        column = lambda number: f"c{number}"
        skipped = "input_format_tsv_skip_first_lines = 2,"
    hits = f"""SELECT {column(CLIENT)} AS client, {column(REQUEST)} AS id,
            toUnixTimestamp(toDateTime(concat({column(DATE)}, ' ', {column(TIME)}), 'UTC'))
                - toUInt32OrZero(splitByChar('.', {column(TAKEN)})[1]) AS arrival
        FROM {source} WHERE {column(METHOD)} = 'GET' AND {column(PATH)} IN ({QUOTED})"""
    if four:
        query = f"""
            WITH bins AS (
                SELECT client, intDiv(arrival, 10) AS bin, uniqExact(id) AS n FROM ({hits}) GROUP BY client, bin),
            rows AS (
                SELECT client, bin, n,
                    sum(n) OVER (PARTITION BY client, intDiv(bin, 30)) AS clock_300,
                    sum(n) OVER (PARTITION BY client, intDiv(bin, 6)) AS clock_60,
                    sum(n) OVER (PARTITION BY client ORDER BY bin RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) AS sliding_60,
                    sum(n) OVER (PARTITION BY client ORDER BY bin RANGE BETWEEN 29 PRECEDING AND CURRENT ROW) AS sliding_300
                FROM bins)
            SELECT client, max(clock_300), max(clock_60), max(sliding_60), max(sliding_300) FROM rows GROUP BY client"""
    else:
        query = f"""
            SELECT client, max(n) FROM (
                SELECT client, intDiv(arrival, 300) AS slot, uniqExact(id) AS n FROM ({hits}) GROUP BY client, slot)
            GROUP BY client"""
    settings = f"SETTINGS {skipped} max_threads = {threads}"
    text = engine.query(f"{query} {settings}", "TSV").bytes()
    with open(out, "wb") as file:
        file.write(text)


def duckdb(folder, threads, out):
    import duckdb as engine

    columns = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(1, COLUMNS + 1))
    engine.execute(f"SET threads = {threads}; SET preserve_insertion_order = false")
    engine.execute(f"""
        COPY (
            SELECT client, max(n) FROM (
                SELECT client, arrival // 300 AS slot, count(DISTINCT id) AS n FROM (
                    SELECT c{CLIENT} AS client, c{REQUEST} AS id,
                        epoch(CAST(c{DATE} || ' ' || c{TIME} AS TIMESTAMP))::BIGINT
                            - coalesce(TRY_CAST(split_part(c{TAKEN}, '.', 1) AS BIGINT), 0) AS arrival
                    FROM read_csv('{folder}/*.gz', delim = '\t', header = false, skip = 2, quote = '',
                        escape = '', auto_detect = false, columns = {{{columns}}})
                    WHERE c{METHOD} = 'GET' AND c{PATH} IN ({QUOTED}))
                GROUP BY ALL)
            GROUP BY client)
        TO '{out}' (FORMAT csv, DELIMITER '\t', HEADER false)""")


def polars(folder, threads, out):
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as engine

    column = lambda number: engine.col(f"column_{number}")
    text = {f"column_{number}": engine.String for number in range(1, COLUMNS + 1)}
    taken = column(TAKEN).str.split(".").list.first().cast(engine.Int64, strict=False).fill_null(0)
    ended = (column(DATE) + " " + column(TIME)).str.to_datetime("%Y-%m-%d %H:%M:%S")
    lines = engine.scan_csv(
        sorted(glob.glob(f"{glob.escape(folder)}/*.gz")),
        separator="\t",
        has_header=False,
        skip_rows=2,
        quote_char=None,
        schema=text,
    )
    peaks = (
        lines.filter((column(METHOD) == "GET") & column(PATH).is_in(SPELLINGS))
        .select(
            column(CLIENT).alias("client"),
            ((ended.dt.epoch("s") - taken) // 300).alias("slot"),
            column(REQUEST).alias("id"),
        )
        .group_by("client", "slot")
        .agg(engine.col("id").n_unique().alias("n"))
        .group_by("client")
        .agg(engine.col("n").max())
    )
    peaks.collect(engine="streaming").write_csv(out, separator="\t", include_header=False)


def main():
    name, folder, threads, out = sys.argv[1:]
    if name.startswith("chdb"):
        chdb(folder, threads, out, "-four" in name, "-columns" not in name)
    else:
        {"duckdb": duckdb, "polars": polars}[name](folder, threads, out)


if __name__ == "__main__":
    main()
