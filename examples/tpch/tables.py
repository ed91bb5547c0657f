#!/usr/bin/env python3
"""Makes TPC-H's data with DuckDB and stores the columns that the queries read; then compares answers and times.

usage: tables.py make --scale S --folder FOLDER
       tables.py compare --folder FOLDER --answers FOLDER [--runs N] [--threads N]
"""
import argparse
import decimal
import functools
import multiprocessing
import os
import shutil
import statistics
import sys
import time

import duckdb
import duckdb_extension_tpch
import numpy

STEPS = 20  # parts in which the data are made, at least: the bar shows them, and processes share them
BAR = 40

# The columns of each table by type of their files. examples/tpch/columns.h has the same list.
NUMBERS = {
    "lineitem": ["l_orderkey", "l_partkey", "l_suppkey"],
    "orders": ["o_orderkey", "o_custkey", "o_shippriority"],
    "customer": ["c_custkey", "c_nationkey"],
    "part": ["p_partkey"],
    "partsupp": ["ps_partkey", "ps_suppkey"],
    "supplier": ["s_suppkey", "s_nationkey"],
}
DAYS = {"lineitem": ["l_shipdate"], "orders": ["o_orderdate"]}
DECIMALS = {
    "lineitem": ["l_quantity", "l_extendedprice", "l_discount", "l_tax"],
    "orders": ["o_totalprice"],
    "partsupp": ["ps_supplycost"],
}
LETTERS = {"lineitem": ["l_returnflag", "l_linestatus"]}
TEXTS = {"customer": [("c_name", 20)], "part": [("p_name", 56)]}
WORDS = {"customer": ["c_mktsegment"]}  # stored as codes, beside a list of the words

# Which columns of an answer it is ordered by. Rows that are equal there may come in any order.
ORDER = {1: [0, 1], 3: [1, 2], 5: [1], 9: [0, 1], 18: [4, 3]}


def show_bar(name, done, total):
    """Draws a bar on a terminal; says nothing elsewhere."""
    if sys.stderr.isatty():
        full = done * BAR // total
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r{name} [{'#' * full}{'.' * (BAR - full)}] {100 * done // total:3d} %{end}")
        sys.stderr.flush()


def connect(path, threads=None):
    """Opens a database with the extension, which lies in a package: nothing is fetched."""
    database = duckdb.connect(path, config={"allow_unsigned_extensions": "true"})
    package = os.path.dirname(duckdb_extension_tpch.__file__)
    database.execute(f"LOAD '{package}/extensions/v{duckdb.__version__}/tpch.duckdb_extension'")
    database.execute("SET enable_progress_bar = false")
    if threads:
        database.execute(f"SET threads = {threads}")
    return database


# ---- columns as files ------------------------------------------------------------------------------------------------


def exports():
    """Lists (table, file, SQL, numpy type, text width) of each column."""
    made = []
    for table, names in NUMBERS.items():
        made += [(table, f"{name}.int32", f"{name}::INTEGER", "int32", 0) for name in names]
    for table, names in DAYS.items():
        made += [(table, f"{name}.int32", f"({name} - DATE '1970-01-01')::INTEGER", "int32", 0) for name in names]
    for table, names in DECIMALS.items():
        made += [(table, f"{name}.int64", f"({name} * 100)::BIGINT", "int64", 0) for name in names]
    for table, names in LETTERS.items():
        made += [(table, f"{name}.uint8", f"ascii({name})::UTINYINT", "uint8", 0) for name in names]
    for table, names in TEXTS.items():
        made += [(table, f"{name}.text{width}", name, None, width) for name, width in names]
    return made


def store(database, folder, export):
    """Writes one column in the order of its table's rows."""
    table, name, sql, number, width = export
    rows = database.execute(f"SELECT {sql} AS x FROM {table}").fetchnumpy()["x"]
    if width:
        encoded = numpy.array(rows.astype(str), dtype=numpy.bytes_)
        if encoded.dtype.itemsize > width:
            raise SystemExit(f"tables.py: {name}: a text has {encoded.dtype.itemsize} bytes")
        encoded.astype(f"S{width}").tofile(f"{folder}/{name}")
        return
    if isinstance(rows, numpy.ma.MaskedArray):
        raise SystemExit(f"tables.py: {name} has nulls")
    if name in ("l_orderkey.int32", "o_orderkey.int32") and (numpy.diff(rows) < 0).any():
        raise SystemExit(f"tables.py: {name} does not ascend, as the queries expect")
    rows.astype(number).tofile(f"{folder}/{name}")


def store_words(database, folder):
    """Columns of few words: a list of the words, and a code for each row. Nations and regions: the words alone."""
    for table, names in WORDS.items():
        for name in names:
            words = [row[0] for row in database.execute(f"SELECT DISTINCT {name} FROM {table} ORDER BY 1").fetchall()]
            database.execute("CREATE OR REPLACE TEMP TABLE words (word VARCHAR, code UTINYINT)")
            database.executemany("INSERT INTO words VALUES (?, ?)", [(word, code) for code, word in enumerate(words)])
            codes = database.execute(
                f"SELECT code AS x FROM {table} JOIN words ON {name} = word ORDER BY {table}.rowid").fetchnumpy()["x"]
            codes.astype("uint8").tofile(f"{folder}/{name}.uint8")
            with open(f"{folder}/{name}.words", "w", encoding="ascii") as to:
                to.writelines(word + "\n" for word in words)
    for table, name, key in (("nation", "n_name", "n_nationkey"), ("nation", "n_regionkey", "n_nationkey"),
                             ("region", "r_name", "r_regionkey")):
        with open(f"{folder}/{name}.words", "w", encoding="ascii") as to:
            rows = database.execute(f"SELECT {name} FROM {table} ORDER BY {key}").fetchall()
            to.writelines(f"{row[0]}\n" for row in rows)


def generate_part(scale, folder, steps, step):
    """Makes one part of the data in a database of its own, with one thread."""
    path = f"{folder}/part-{step}.duckdb"
    database = connect(path, threads=1)
    database.execute(f"CALL dbgen(sf = {scale}, children = {steps}, step = {step})")
    database.close()
    return path


def add_part(database, path):
    """Appends the rows of a part, in their order."""
    database.execute(f"ATTACH '{path}' AS part (READ_ONLY)")
    tables = database.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'part'").fetchall()
    for (table,) in tables:
        database.execute(f"CREATE TABLE IF NOT EXISTS {table} AS FROM part.{table} WITH NO DATA")
        database.execute(f"INSERT INTO {table} FROM part.{table}")
    database.execute("DETACH part")
    os.remove(path)


def generate(database, scale, folder):
    """Makes the tables. All processors make parts, since the generator's calls use few threads well."""
    if scale < 1:
        database.execute(f"CALL dbgen(sf = {scale})")
        show_bar("make", 1, 1)
        return
    processes = len(os.sched_getaffinity(0))
    steps = processes * -(-STEPS // processes)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        parts = pool.imap(functools.partial(generate_part, scale, folder, steps), range(steps))
        for done, path in enumerate(parts):
            add_part(database, path)
            show_bar("make", done + 1, steps)


def store_all(scale, folder):
    """Makes the database and the files of all columns."""
    database = connect(f"{folder}/tpch.duckdb")
    generate(database, scale, folder)
    listed = exports()
    for done, export in enumerate(listed):
        store(database, f"{folder}/columns", export)
        show_bar("export", done + 1, len(listed))
    store_words(database, f"{folder}/columns")
    database.close()


def make(scale, folder):
    """Makes data in a new folder, which gets its name when it is whole."""
    # Below, a supplier may have a part twice. Above, a sum of query 1 may need more than 64 bits.
    if not 0.01 <= scale <= 70:
        raise SystemExit(f"tables.py: scale {scale}; it must be from 0.01 to 70")
    part = f"{folder}.{os.getpid()}"
    try:
        os.makedirs(f"{part}/columns")
        store_all(scale, part)
        os.rename(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)  # what is there if something failed


# ---- answers ---------------------------------------------------------------------------------------------------------


def read_answer(path, kinds):
    """The rows of an answer, each value as DuckDB's column has it."""
    readers = {"decimal": decimal.Decimal, "float": float, "int": int}
    rows = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            words = line.rstrip("\n").split("\t")
            if len(words) != len(kinds):
                raise SystemExit(f"tables.py: {path}: a row of {len(words)} values, expected {len(kinds)}")
            rows.append(tuple(readers.get(kind, str)(word) for kind, word in zip(kinds, words)))
    return rows


def kind_of(value):
    """How a value is compared."""
    if isinstance(value, decimal.Decimal):
        return "decimal"
    if isinstance(value, float):
        return "float"
    return "int" if isinstance(value, int) else "text"


def same_value(p, q):
    """Integers, decimals and texts exactly; means, which are floats, but for rounding."""
    return abs(p - q) <= 1e-12 * abs(q) if isinstance(q, float) else p == q


def difference(query, rows, expected):
    """What differs between two answers, in one sentence; None where nothing does."""
    if len(rows) != len(expected):
        return f"{len(rows)} rows, expected {len(expected)}"
    for k, (row, wanted) in enumerate(zip(rows, expected)):
        if any(not same_value(row[c], wanted[c]) for c in ORDER[query]):
            return f"row {k} is {row}, expected {wanted}"
    for row, wanted in zip(sorted(rows), sorted(expected)):
        if not all(same_value(p, q) for p, q in zip(row, wanted)):
            return f"a row is {row}, expected {wanted}"
    return None


def timed(database, query, runs):
    """DuckDB's answer, and the medians of its times after a first run: by the clock, and of all processors."""
    clock, processors = [], []
    for _ in range(runs + 1):
        begun, worked = time.perf_counter(), time.process_time()
        rows = database.execute(query).fetchall()
        clock.append((time.perf_counter() - begun) * 1e3)
        processors.append((time.process_time() - worked) * 1e3)
    return rows, statistics.median(clock[1:]), statistics.median(processors[1:])


def side_by_side(own, duck):
    """Two times and their ratio."""
    return f"{own:9.2f} {duck:9.2f} {own / duck:6.2f}"


def compare(folder, answers, runs, threads):
    """Prints times side by side; returns how many answers differ."""
    database = connect(f"{folder}/tpch.duckdb", threads)
    with open(f"{answers}/times", encoding="utf-8") as lines:
        device = lines.readline().strip()
        times = [[float(word) for word in line.split()] for line in lines]
    print(f"moderncl: {device}; DuckDB {duckdb.__version__}, {threads} threads; milliseconds, medians of {runs} runs")
    print(f"{'':5}  {'by the clock':^26}  {'of processors':^26}  {'first':>9}")
    print(f"query  {' moderncl    DuckDB  ratio  ' * 2} moderncl  answer")
    failures = 0
    for number, first, clock, processors in times:
        query = int(number)
        sql = database.execute("SELECT query FROM tpch_queries() WHERE query_nr = ?", [query]).fetchone()[0]
        expected, duck_clock, duck_processors = timed(database, sql, runs)
        kinds = [kind_of(value) for value in expected[0]] if expected else []
        expected = [tuple(str(v) if kind == "text" else v for v, kind in zip(row, kinds)) for row in expected]
        found = difference(query, read_answer(f"{answers}/query_{query:02d}", kinds), expected)
        failures += found is not None
        said = "the same" if found is None else f"DIFFERENT: {found}"
        print(f"{query:5d}  {side_by_side(clock, duck_clock)}  {side_by_side(processors, duck_processors)}  "
              f"{first:9.2f}  {said}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=["make", "compare"])
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--answers")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    if given.task == "make":
        make(given.scale, given.folder)
        return 0
    return 1 if compare(given.folder, given.answers, given.runs, given.threads) else 0


if __name__ == "__main__":
    sys.exit(main())
