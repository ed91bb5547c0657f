#!/bin/bash
# usage: charts.sh FOLDER. tools/charts draws tables of the bench and of the pages, and refuses what is no table; the
# summary of docs/performance.md and the model of docs/mpi.md are up to date. That the site has all charts is
# docs/site/check_site.sh's.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
rm -rf "$1"
mkdir -p "$1"
export CHARTS_FOLDER=$1/charts
fail() {
    echo "charts.sh: $1"
    exit 1
}

tools/charts --site
# bars of the rows of studies, squares of tiles, bars of four phases for each of five operations
drawn() { # CHART POLYGONS TEXT...
    local file=$CHARTS_FOLDER/$1.svg count text
    count=$(grep -o '<polygon' "$file" | wc -l) || true
    [ "$count" = "$2" ] || fail "$1 has $count bars or squares; expected $2"
    shift 2
    for text; do grep -qF "<text>$text</text>" "$file" || fail "$file has no $text"; done
}
drawn study_merge 8 "merge path (mcl_merge)"
drawn study_retrieve 9 "sub-group tiles of 32"
drawn tune_h200 125 7.63 26.7 12.5
drawn ranks_phases 24 local splitters exchange merge "sort_keys, 2e+09" "join, 1e+09"
drawn native_1e7 0 "Intel Xeon" "AMD EPYC" "sort_keys int32" "group_by_1e3 int32" "join_columns_1e4 int32"
drawn pocl_join_columns_inner 0 "moderncl int32" "absl::flat_hash_map int32"
drawn ranks_model 0 "A model, not measured beyond 2 GPUs: 1e9 uint32 on each"

# ours and the peer's, for both types, each with a point for each of three sizes and one for its name
tools/charts one --from bench/results/0.1.0/h200_cuda_1e8.csv --from bench/results/0.1.0/h200_cuda_queued_1e6_1e7.csv
merge=$CHARTS_FOLDER/one_merge_keys.svg
[ "$(grep -c '<text>.*int\(32\|64\)</text>' "$merge")" = 4 ] || fail "four lines are expected"
[ "$(grep -o "<use[^>]*scale" "$merge" | wc -l)" = 16 ] || fail "16 marks are expected"
! grep -q 'nan\|NaN' "$CHARTS_FOLDER"/*.svg || fail "a number is none"

# the table of the model in docs/mpi.md is what moderncl-mpi-predict says
predict=build/release/mpi/moderncl-mpi-predict
if [ -x $predict ]; then
    for op in sort_keys sort_pairs reduce_sum; do
        $predict --op $op --n 1e9 --ranks 1024 | awk '$1 ~ /^[0-9]+$/ && $1 > 1 { print $1, $7 }' > "$1/$op"
    done
    paste -d ' ' "$1/sort_keys" "$1/sort_pairs" "$1/reduce_sum" > "$1/model"
    [ "$(wc -l < "$1/model")" = 10 ] || fail "$predict: $(wc -l < "$1/model") rows; expected 10"
    while read -r ranks keys _ pairs _ sum; do
        grep -qE "^\| $ranks \|.*\| $keys \| $pairs \| $sum \|$" docs/mpi.md ||
            fail "docs/mpi.md: not what $predict says: $ranks GPUs, $keys, $pairs and $sum times one"
    done < "$1/model"
else
    echo "skipped: the model in docs/mpi.md ($predict is not built)"
fi

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
