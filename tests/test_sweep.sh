#!/bin/sh
# The sweep of moderncl-bench: its points, its rule, its random sets and its picture; and curves that keep the rule.
# usage: test_sweep.sh MODERNCL_BENCH
# MCL_TEST_DEVICE chooses the device.
set -u

bench=$1
MCL_DEVICE=${MCL_TEST_DEVICE:-${MCL_DEVICE:-opencl}}
export MCL_DEVICE
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

wrong() {
    echo "$*"
    failed=1
}

# run STATUS ARGUMENT...: what it prints is in out.
run() {
    wanted=$1
    shift
    "$bench" "$@" > "$work/out" 2> "$work/error"
    found=$?
    [ $found = "$wanted" ] && return
    wrong "moderncl-bench $*: status $found instead of $wanted"
    cat "$work/out" "$work/error"
}

# said WORDS FILE: the file has the words.
said() { grep -q -e "$1" "$work/$2" || { wrong "\"$1\" is not said:"; cat "$work/$2"; }; }

# ---- wrong command lines ---------------------------------------------------------------------------------------

run 2 --sweep teapot
said 'sweep teapot: must be all, or some of these' error
said 'histogram: n bins spread' error
run 2 --sweep sort:teapot
run 2 --rule
said 'need --sweep' error
run 2 --sweep sort --random -1
run 2 --sweep sort --op sort_keys
said 'goes without --op' error

# ---- points on both sides of a threshold that the library tells --------------------------------------------------

printf '%s\n' 'reduce "" 64 1 1000' 'reduce.single_tiles "" 54' > "$work/tuning"
MCL_TUNING_FILE="$work/tuning" run 0 --sweep reduce:n --n 2000 --reps 1 --format csv
said '^reduce,n,n=53999 ' out
said '^reduce,n,n=54001 ' out

# ---- random sets are the same for the same seed -----------------------------------------------------------------

sets() { cut -d, -f1-3 "$work/out"; }
run 0 --sweep reduce,unique --random 3 --seed 5 --reps 1 --format csv
sets > "$work/first"
[ "$(wc -l < "$work/first")" -ge 4 ] || wrong "random sets: too few points"
run 0 --sweep reduce,unique --random 3 --seed 5 --reps 1 --format csv
sets | cmp -s - "$work/first" || wrong "random sets: another draw from the same seed"

# ---- the table of curves ----------------------------------------------------------------------------------------

cat > "$work/sweep.csv" << END
op,parameter,values,elements,bytes,ms,memory_ms,other_ms,plain_ms,own_ms
sort,n,n=200000 bytes=4,200000,800000,4,1,8,2,0
sort,n,n=100000 bytes=4,100000,400000,1,1,2,4,0
sort,n,n=200000 bytes=4,200000,800000,3,1,-1,2,0
END
"$(dirname "$0")/../tools/sweep_table" "$work/sweep.csv" > "$work/table" || wrong "sweep_table fails"
grep -qxF '| sort, `n` | 1e5: 10, 2e5: 15 | 0.5 at 1e5 | 1.5 at 2e5 |' "$work/table" ||
    { wrong "sweep_table gives another table:"; cat "$work/table"; }
"$(dirname "$0")/../tools/sweep_table" "$work/table" > "$work/out" 2>&1 && wrong "sweep_table takes what is no sweep"

# ---- a picture --------------------------------------------------------------------------------------------------

run 0 --sweep unique:length --n 3000 --reps 1 --picture "$work/curves.svg"
grep -q '<polyline' "$work/curves.svg" || wrong "the picture has no curve"
tail -n 1 "$work/curves.svg" | grep -q '</svg>' || wrong "the picture does not end"

# ---- the rule: processors have plain C beside them ---------------------------------------------------------------

run 0 --sweep reduce:n --n 1000 --reps 1 --seconds 1
if grep -q 'milliseconds of processor time' "$work/out"; then
    # Other work takes the caches that large inputs need, for seconds at a time: one of three tries must keep the rule.
    curves=reduce:n,scan:n,compact:percent,histogram:n
    kept=0
    for _ in 1 2 3; do
        "$bench" --sweep $curves --n 200000 --seconds 20 --rule > "$work/out" 2> "$work/error" && kept=1 && break
    done
    [ $kept = 1 ] || { wrong "curves break the rule in each of three tries:"; cat "$work/out" "$work/error"; }
    # A tile of one element: many times the time of plain C.
    echo 'scan "" 64 1 1' > "$work/tuning"
    MCL_TUNING_FILE="$work/tuning" run 1 --sweep scan:n --n 100000 --seconds 1 --rule
    said '^breaks the rule: scan n=[0-9]* .* times plain C' out
fi

[ $failed = 0 ] && echo "moderncl-bench --sweep: all right"
exit $failed
