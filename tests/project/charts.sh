#!/bin/bash
# usage: charts.sh FOLDER. tools/charts draws the recorded tables and the studies, and refuses what is no table; the
# summary of docs/performance.md is up to date.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
rm -rf "$1"
mkdir -p "$1"
export CHARTS_FOLDER=$1/charts
fail() {
    echo "charts.sh: $1"
    exit 1
}

tools/charts h200 --from bench/results/0.1.0/h200_cuda_1e8.csv --from bench/results/0.1.0/h200_cuda_queued_1e6_1e7.csv
tools/charts --studies
for svg in h200_merge_keys h200_reduce_sum study_merge study_retrieve; do
    file=$CHARTS_FOLDER/$svg.svg
    [ -s "$file" ] || fail "$file is not there"
    [ "$(grep -o '<g\b' "$file" | wc -l)" = "$(grep -o '</g>' "$file" | wc -l)" ] || fail "$file: groups are not closed"
    [ "$(wc -c < "$file")" -lt 16000 ] || fail "$file has $(wc -c < "$file") bytes, less than 16000 are expected"
done
# bars of four phases for each of five operations; the model's lines, and points of two GPUs
if [ -x build/release/mpi/moderncl-mpi-predict ]; then
    tools/charts --ranks bench/results/mpi/h100_x2.txt
    for text in local splitters exchange merge "sort_keys, 2e+09" "join, 1e+09"; do
        grep -qF "<text>$text</text>" "$CHARTS_FOLDER/ranks_phases.svg" || fail "ranks_phases.svg has no $text"
    done
    grep -q "not measured beyond" "$CHARTS_FOLDER/ranks_model.svg" ||
        fail "ranks_model.svg does not say that it is a model"
else
    echo "skipped: charts of ranks (moderncl-mpi-predict is not built)"
fi
# ours and the peer's, for both types, each with a point for each of three sizes and one for its name
merge=$CHARTS_FOLDER/h200_merge_keys.svg
[ "$(grep -c '<text>.*int\(32\|64\)</text>' "$merge")" = 4 ] || fail "four lines are expected"
[ "$(grep -o "<use[^>]*scale" "$merge" | wc -l)" = 16 ] || fail "16 marks are expected"
! grep -q 'nan\|NaN' "$CHARTS_FOLDER"/*.svg || fail "a number is none"

# the summary of docs/performance.md is that of the recorded tables
for tables in bench/results/cub-3.6-h100 bench/results/charts/pocl.csv; do
    find $tables -name '*.csv' -print0 | sort -z | xargs -0 tools/peer_table --summary > "$1/summary"
    [ "$(wc -l < "$1/summary")" -ge 5 ] || fail "$tables: the summary has $(wc -l < "$1/summary") lines"
    while read -r line; do
        grep -qxF "$line" docs/performance.md || fail "docs/performance.md: not of $tables, where it is: $line"
    done < "$1/summary"
done

printf 'a,b\n1,2\n' > "$1/none.csv"
head -n 1 bench/results/0.1.0/h200_cuda_1e8.csv > "$1/empty.csv"
for bad in none.csv empty.csv missing.csv; do
    ! tools/charts bad --from "$1/$bad" 2> "$1/said" || fail "$bad is drawn"
    grep -q "$bad" "$1/said" || fail "$bad is not named: $(cat "$1/said")"
done
echo "charts.sh: charts are drawn, and bad tables refused"
