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
