#!/bin/sh
# moderncl-bench on little data: its table, CSV and JSON say what ran where and beside whom; what it cannot do it says.
# usage: test_bench.sh MODERNCL_BENCH [NATIVE_PEER...]    the sorts that the native module has; none: there is no module
# MCL_TEST_DEVICE chooses the device.
set -u

bench=$1
shift
MCL_DEVICE=${MCL_TEST_DEVICE:-${MCL_DEVICE:-opencl}}
export MCL_DEVICE
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

wrong() {
    echo "$*"
    failed=1
}

# run ARGUMENT...: what it prints is in out; it must end well.
run() {
    "$bench" "$@" > "$work/out" 2> "$work/error" || { wrong "moderncl-bench $*: fails:"; cat "$work/error"; }
}

# must_fail WORDS ARGUMENT...: ends with status 2 and a sentence that has the words; nothing else is printed.
must_fail() {
    words=$1
    shift
    "$bench" "$@" > "$work/out" 2> "$work/error"
    found=$?
    [ $found = 2 ] || wrong "moderncl-bench $*: status $found instead of 2"
    [ -s "$work/out" ] && wrong "moderncl-bench $*: the reason belongs on stderr, and nothing on stdout"
    grep -q -e "$words" "$work/error" || { wrong "moderncl-bench $*: \"$words\" is not said:"; cat "$work/error"; }
}

run_little() { run --op reduce_sum,sort_keys --type int32 --n 3000 --reps 3 "$@"; }
count() { grep -c -E "$1" "$work/out"; }

# ---- keys of each spread are sorted: results are compared with the processor's ------------------------------------

for keys in $("$bench" --keys teapot 2>&1 | sed -n 's/^moderncl-bench:  *//p' | grep -v :); do
    run --op sort_keys --type int32,float32 --n 3000 --reps 1 --keys "$keys"
    [ "$(count '^sort_keys')" = 2 ] || wrong "--keys $keys: not two rows"
done

# ---- each format has both rows and the processor -----------------------------------------------------------------

run_little
head -n 1 "$work/out" | grep -q -E '; processor: .+ \(.*[1-9][0-9]* cores\)$' ||
    wrong "the table does not name the processor"
[ "$(count '^(reduce_sum|sort_keys) +int32 +3000 (serial|group) ')" = 2 ] || wrong "the table has not both rows"

run_little --format csv
head -n 1 "$work/out" | grep -q '^op,type,n,.*,peer,peer_ms,ratio,peer_source,peers,processor$' ||
    wrong "CSV: the titles"
[ "$(count '^(reduce_sum|sort_keys),int32,3000,.*,"[^"]* cores\)"$')" = 2 ] ||
    wrong "CSV: the rows end otherwise"

run_little --format json
[ "$(count '"processor": ".* cores\)"')" = 2 ] || wrong "JSON: the rows have no processor"
[ "$(count '"peers": \[\]')" = 2 ] || wrong "JSON: there are peers, and none was asked for"

run --list
grep -q '^ *sort_keys ' "$work/out" || wrong "--list has no sort_keys"
grep -q '^peers: native.* cub.* boost' "$work/out" || wrong "--list does not tell the peers"

# ---- turns: nothing is timed while another program holds the file ------------------------------------------------

if command -v flock > /dev/null; then
    exec 9> "$work/turns"
    flock 9
    "$bench" --op reduce_sum --type int32 --n 3000 --reps 3 --turns "$work/turns" > "$work/out" 2> "$work/error" 9>&- &
    waits=$!
    sleep 3
    [ "$(count '^reduce_sum ')" = 0 ] || wrong "--turns: a row is timed while the file is locked"
    exec 9>&-
    wait $waits || wrong "--turns: fails"
    [ "$(count '^reduce_sum ')" = 1 ] || wrong "--turns: no row after the file is free"
fi
must_fail "cannot be opened" --op reduce_sum --turns "$work/none/turns"

# ---- first calls, which take longer than later ones --------------------------------------------------------------

run --op reduce_sum --type int32 --n 3000 --format csv --cold
awk -F, '/^reduce_sum,int32,3000,/ { good = $12 == "a later call" && $8 > $13 && $13 > 0 } END { exit !good }' \
    "$work/out" || { wrong "--cold: the row is another:"; cat "$work/out"; }

# ---- peers that are recorded, and those that take turns ----------------------------------------------------------

printf '# a comment\nop,type,n,best_peer,ms\nreduce_sum,int32,3000,slow,1000\nreduce_sum,int32,3000,fast,500\n' \
    > "$work/peers"
run_little --format csv --recorded "$work/peers"
[ "$(count '^reduce_sum,.*,fast,500.000000,[0-9.]+,recorded,,')" = 1 ] || wrong "the fastest recorded peer is not named"
[ "$(count '^sort_keys,.*,recorded,')" = 0 ] || wrong "a row that has no record has one"

if [ $# -gt 0 ]; then
    run_little --compare native
    run --op sort_keys,sort_pairs,mergesort_keys --type int32,int64,float32 --n 3000 --reps 3 --compare native
    for peer in std::sort "$@"; do
        # the fastest stands in the row, the others below it: two rows of three types each for sorts of numbers alone
        [ "$(count " (same-run|        ) $peer")" -ge 6 ] || wrong "the table does not name $peer in each row"
    done
    run --op sort_keys --type int32 --n 3000 --reps 3 --compare native --format csv
    for peer in std::sort "$@"; do
        grep -q -E "same-run,\"?([^\"]*; )?${peer}[^;]*=[0-9.]+[;,\"]" "$work/out" || wrong "CSV: $peer has no time"
    done
    run --op sort_keys --type int32 --n 3000 --reps 3 --compare native --format json
    for peer in std::sort "$@"; do
        grep -q "\"peer\": \"$peer" "$work/out" || wrong "JSON: $peer is not named"
    done
elif "$bench" --list | grep -q 'native (not built)'; then
    must_fail 'bench_native.so was not built; cmake -DMCL_BENCH_PEERS=native asks for it' --compare native
fi

# ---- the table of Markdown: both backends in one line, beside the faster time of the peer ------------------------

table=$(dirname "$0")/../tools/peer_table
{
    "$bench" --op reduce_sum --type int32 --n 3000 --reps 1 --format csv 2> /dev/null | head -n 1
    echo 'reduce_sum,int32,1000000,H (cuda:0),group,256,16,0.009,0.009,1,1,cub 3.6.0,0.010,0.9,same-run,cub 3.6.0=1,p'
    echo 'reduce_sum,int32,1000000,H (opencl:0:0),group,256,16,0.012,0.012,1,1,"a, b",0.008,1.5,same-run,"a, b=1",p'
    echo 'copy,int32,1000000,H (cuda:0),group,256,16,0.012,0.012,1,1,,,,,,p'
    echo 'scan,int32,1000000,H (opencl:0:0),group,256,16,0.020,0.020,1,1,,,,,,p' # the peer ran beside CUDA alone
    echo 'scan,int32,1000000,H (cuda:0),group,256,16,0.010,0.010,1,1,cub 3.6.0,0.010,1,same-run,cub 3.6.0=1,p'
} > "$work/rows"
"$table" "$work/rows" > "$work/out" || wrong "peer_table fails"
grep -q '^| reduce_sum int32 | 1e6 | 0.0090 | 0.0120 | a; b 0.0080 | 1.12 | 1.50 |$' "$work/out" ||
    { wrong "peer_table gives another table:"; cat "$work/out"; }
grep -q '^| scan int32 | 1e6 | 0.0100 | 0.0200 | cub 3.6.0 0.0100 | 1.00 | 2.00 |$' "$work/out" ||
    { wrong "peer_table compares OpenCL with no peer:"; cat "$work/out"; }
grep -q '^0 ratios are below 0.97, 1 from 0.97 to 1.03, 3 above' "$work/out" || wrong "peer_table counts otherwise"
[ "$(count '^[|] ')" = 3 ] || wrong "peer_table has a line for a row without a peer"
"$table" "$work/peers" > /dev/null 2> "$work/error" && wrong "peer_table takes another file"
grep -q "$work/peers: is no table of moderncl-bench" "$work/error" || wrong "peer_table does not name the wrong file"

must_fail '--compare teapot: must be some of native, cub, boost' --compare teapot
must_fail '--keys teapot: must be one of' --keys teapot
must_fail 'shuffle: there is no such operation' --op shuffle
must_fail '--type int33: there is no such type' --type int33
must_fail '--n 1.5: must be a whole number' --n 1.5
for list in --op --type --n --threads --items --compare; do
    must_fail 'moderncl-bench: ' "$list" ,
done
must_fail '--n : must be a whole number' --n 1e3,
must_fail '--reps 0: must be from 1 to' --reps 0
must_fail '--threads x: must be a whole number' --threads x
must_fail '--format xml: must be table, csv or json' --format xml
must_fail '--seed and --picture: need --sweep' --seed 3
must_fail "--picture $work/no/x.svg: cannot be written" --sweep reduce --picture "$work/no/x.svg"
for given in --list '--op reduce_sum --n 3000 --reps 1'; do
    [ -c /dev/full ] || continue
    # shellcheck disable=SC2086 # several
    "$bench" $given > /dev/full 2> "$work/error" && wrong "moderncl-bench $given: a full disk ends with 0"
    grep -q '^moderncl-bench: the output cannot be written' "$work/error" || wrong "$given: a full disk is not told"
done
must_fail "--recorded $work/none: No such file" --recorded "$work/none"
must_fail 'teapot' --device teapot

# Under a table for people: where peers come from, and the spread. Other formats have neither.
"$bench" --op reduce_sum --type int32 --n 3000 --reps 3 > "$work/out" 2> "$work/error" ||
    wrong "a table of one row fails"
grep -q 'no peer: --compare .*MCL_BENCH_PEERS' "$work/error" || wrong "the way to a peer is not said"
grep -q 'spread: medians are up to [0-9]* % above' "$work/error" || wrong "the spread is not said"
"$bench" --op reduce_sum --type int32 --n 3000 --reps 3 --format csv > "$work/out" 2> "$work/error"
grep -q 'no peer\|spread' "$work/error" && wrong "notes under a table of CSV"

[ $failed = 0 ] && echo "moderncl-bench: all right"
exit $failed
