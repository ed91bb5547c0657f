#!/bin/bash
# Checks that the example logs prints the same with 1, 3 and 4 ranks, and the counts of other tools. usage: test_logs.sh
# MPIRUN LOGS FILE...
set -uo pipefail
mpirun=$1 program=$2
shift 2
options=()
[[ $mpirun != *openmpi ]] || options=(--oversubscribe --bind-to none)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

failures=0
report() { # WHAT
    echo "test_logs: $1"
    failures=$((failures + 1))
}
for ranks in 1 3 4; do
    "$mpirun" -n "$ranks" "${options[@]}" "$program" --top 20 --device "${MCL_TEST_DEVICE:-opencl:portable}" "$@" \
        > "$folder/$ranks" || report "$ranks ranks fail"
    cmp "$folder/1" "$folder/$ranks" || report "1 and $ranks ranks differ"
done

# counts by other tools: all words, distinct words, and the most frequent words
export LC_ALL=C
for file in "$@"; do tr -cs 'A-Za-z0-9' '\n' < "$file"; done | tr '[:upper:]' '[:lower:]' | grep . | sort | uniq -c |
    sort -rn > "$folder/counts"
awk '{ words += $1 } END { print words " words, " NR " distinct" }' "$folder/counts" > "$folder/expected"
head -n 20 "$folder/counts" | awk '{ print $1 }' >> "$folder/expected"
{ head -n 1 "$folder/1"; tail -n +2 "$folder/1" | awk '{ print $1 }'; } > "$folder/have"
diff "$folder/expected" "$folder/have" || report "the counts are not those of other tools"
echo "test_logs: $((6 - failures)) passed, $failures failed"
[ $failures = 0 ]
