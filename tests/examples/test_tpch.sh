#!/bin/bash
# Answers TPC-H's queries at a small scale and compares them with DuckDB's; a wrong answer must be found.
# usage: test_tpch.sh TPCH. MCL_TEST_DEVICE chooses the device. Exit status 77: DuckDB is not installed.
set -euo pipefail

[ -z "${MCL_TEST_DEVICE:-}" ] || export MCL_DEVICE=$MCL_TEST_DEVICE

program=$(readlink -f "$1")
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
if ! "$root/build/tpch/venv/bin/python" -c 'import duckdb, duckdb_extension_tpch, numpy' 2> /dev/null; then
    echo "skipped: DuckDB is not installed in build/tpch/venv (PyPI: examples/tpch/requirements.txt)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { "$root/examples/tpch/run" --scale 0.01 --check --runs 1 --program "$1"; }

# The program, whose answers are kept; and one that gives these answers, with other digits at the end of query 5.
cat > "$work/right" << END
#!/bin/bash
"$program" "\$@" && cp -r "\$4" "$work/kept"
END
cat > "$work/wrong" << END
#!/bin/bash
cp "$work"/kept/* "\$4" && sed -i '\$y/0123456789/1234567890/' "\$4/query_05"
END
chmod +x "$work/right" "$work/wrong"

run "$work/right" | tee "$work/told"
[ "$(grep -c 'the same$' "$work/told")" = 5 ]
status=0
run "$work/wrong" > "$work/told" || status=$?
cat "$work/told"
[ "$status" = 1 ]
[ "$(grep -c 'the same$' "$work/told")" = 4 ]
grep -qE '^ *5 .*DIFFERENT' "$work/told"

# Columns that do not fit together: a sentence that names the column, and exit status 1. refused COLUMN WORDS: after the
# file of the column was changed.
data=$root/build/tpch/scale-0.01/columns
refused() {
    local status=0
    "$program" --data "$work/columns" --answers "$work/none" --runs 1 > "$work/told" 2>&1 || status=$?
    grep -F "column ${1%.*}: " "$work/told" | grep -F "$2" || { cat "$work/told" && echo "expected: $1: $2" && exit 1; }
    [ "$status" = 1 ]
}
# fresh: the columns as they were; put COLUMN ELEMENT BYTES...: one element of four bytes anew.
fresh() { rm -rf "$work/columns" && cp -r "$data" "$work/columns"; }
put() { printf '%b' "$3" | dd of="$work/columns/$1" bs=4 seek="$2" conv=notrunc status=none; }
mkdir "$work/none"
fresh && truncate -s -8 "$work/columns/l_tax.int64" && refused l_tax.int64 'as l_discount has'
fresh && put l_shipdate.int32 5 '\xff\xff\xff\x7f' && refused l_shipdate.int32 '2147483647; expected 0 to 47481'
fresh && put l_suppkey.int32 7 '\xff\xff\xff\x00' && refused l_suppkey.int32 '16777215; expected 1 to'
fresh && put o_custkey.int32 7 '\xff\xff\xff\xff' && refused o_custkey.int32 'values from -1'
fresh && put o_orderkey.int32 9 '\x01\x00\x00\x00' && refused o_orderkey.int32 'keys descend'
fresh && for name in "$work"/columns/s_*; do truncate -s 0 "$name"; done && refused s_suppkey 'no elements'
