#!/bin/bash
# Runs the examples with kernels of their own in both mappings; each checks its own result against a plain loop.
# usage: test_kernels.sh MERGE_UNIQUE FILTER_SCAN BFS. MCL_TEST_DEVICE chooses the device.
set -euo pipefail

[ -z "${MCL_TEST_DEVICE:-}" ] || export MCL_DEVICE=$MCL_TEST_DEVICE

merge_unique=$1 filter_scan=$2 bfs=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# says TEXT COMMAND...: the command succeeds and prints the text.
says() {
    local text=$1 output
    shift
    if ! output=$("$@" 2>&1) || [[ $output != *"$text"* ]]; then
        echo "$*: expected \"$text\", got:"
        echo "$output"
        failures=$((failures + 1))
    fi
}

# refuses TEXT COMMAND...: the command fails and prints the text.
refuses() {
    local text=$1 output
    shift
    if output=$("$@" 2>&1) || [[ $output != *"$text"* ]]; then
        echo "$*: expected a failure with \"$text\", got:"
        echo "$output"
        failures=$((failures + 1))
    fi
}

# A way through 40 vertices, with a comment; a star, whose middle is reached the other way round.
{
    echo "# a way"
    for k in {0..38}; do echo "$k $((k + 1))"; done
} > "$work/way"
for k in {1..300}; do echo "0 $k"; done > "$work/star"
printf '0 1\n1 x\n' > "$work/bad"

for threads in 0 64; do
    says "0 and 0 numbers have 0" "$merge_unique" --threads $threads 0 0
    says "0 and 1 numbers have 1" "$merge_unique" --threads $threads 0 1
    says "different ones" "$merge_unique" --threads $threads 20000 9001
    says "0 of 0 bookings" "$filter_scan" --threads $threads 0
    says "of 20000 bookings" "$filter_scan" --threads $threads 20000
    says "40 of 40 vertices reached in 40 levels, 39 edges" "$bfs" --threads $threads --runs 1 --source 0 "$work/way"
    says "1 of 40 vertices reached in 1 levels, 0 edges" "$bfs" --threads $threads --runs 1 --source 39 "$work/way"
    says "301 of 301 vertices reached in 3 levels, 600 edges" \
        "$bfs" --threads $threads --runs 1 --source 300 --undirected "$work/star"
    says "of 1024 vertices reached" "$bfs" --threads $threads --runs 2 --rmat 14
done
refuses "bad: line 2 must be two numbers" "$bfs" "$work/bad"
refuses "No such file" "$bfs" "$work/missing"
refuses "the graph has 40 vertices" "$bfs" --source 40 "$work/way"
refuses "usage: bfs" "$bfs"
refuses "no-such" "$bfs" --device no-such --rmat 10

[ "$failures" = 0 ]
