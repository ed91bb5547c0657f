#!/bin/sh
# moderncl-info --litmus: a verdict for each test, the same in JSON, and planted faults that must be told. usage:
# test_litmus.sh INFO KERNELS, the folder of the library's kernels.
set -u

info=$1 kernels=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
# Only values are looked at, so a processor's compiler need not optimise.
plain=-cl-opt-disable
export MCL_CACHE_DIR='' MCL_BUILD_OPTIONS=$plain

wrong() {
    echo "$@"
    failed=1
}

# litmus NAME EXPECTED OPTION...: what it prints, in $work/NAME; its exit status must be EXPECTED.
litmus() {
    name=$1 expected=$2
    shift 2
    "$info" --litmus --seconds 0.05 "$@" > "$work/$name" 2> "$work/error"
    status=$?
    [ $status = "$expected" ] || wrong "$name ends with $status, not $expected: $(cat "$work/$name" "$work/error")"
}

litmus plain 0
devices=$(grep -c -E '^(opencl|cuda):[0-9]' "$work/plain")
[ "$devices" -gt 0 ] || { echo "skipped: litmus (there is no device)"; exit 77; }
litmus json 0 --json
while read -r test; do
    line="^    (passed|allowed|not seen|not tried) +$test(, by [a-z0-9]+)?\$"
    [ "$(grep -c -E "$line" "$work/plain")" -ge "$devices" ] ||
        wrong "$test has no verdict"
    [ "$(grep -c "\"test\": \"$test\"" "$work/json")" -ge "$devices" ] || wrong "$test is not in the JSON"
done << 'END'
atomics of 64 bits
a group waits for the one before it
shuffles and ballots of sub-groups
flag and value in one word
data, then flag, relaxed
data, then flag, with fences
data, then flag, release and acquire
two groups store, then load, relaxed
two groups store, then load, with fences
END
if grep -q ' runs, ' "$work/plain"; then
    grep -A 1 '"outcome": "runs"' "$work/json" | grep -q -E '"count": [1-9]' || wrong "the JSON has no numbers"
fi
[ "$(grep -c '^  chosen$' "$work/plain")" = "$devices" ] || wrong "it does not say what is chosen"
awk '/^    (passed|allowed)  / { name = $0; getline; if ($1 + 0 < 1 || !/ (runs|rounds), /) { print name; bad = 1 } }
     END { exit bad }' "$work/plain" || wrong "tests have no numbers"

# finds FAULT TEST: where the device can say the test, it failed.
finds() {
    if grep -q -E "^    (passed|not seen) +$2" "$work/plain"; then
        grep -q -E "^    failed +$2" "$work/$1" || wrong "$1: '$2' did not fail: $(cat "$work/$1")"
    fi
}

# can TEST: prints 1 where a device can say the test, so that its fault ends the program with 1.
can() {
    grep -c -m 1 -E "^    (passed|not seen) +$1" "$work/plain"
}

# Half of the word, or the data, comes a round after its flag.
MCL_BUILD_OPTIONS="$plain -DLITMUS_LATE_HALF" litmus late_half "$(can 'flag and value in one word')"
finds late_half 'flag and value in one word'
MCL_BUILD_OPTIONS="$plain -DLITMUS_LATE_DATA" litmus late_data "$(can 'data, then flag, with fences')"
finds late_data 'data, then flag, with fences'
finds late_data 'data, then flag, release and acquire'

# A group publishes the wrong sum: the library's own probe finds it, and so scans do not look back.
cp -R "$kernels" "$work/cl"
sed 's/status << 32 | (sum + mine))/status << 32 | (sum + mine + 1))/' "$kernels/kernels/device/probe.cl" \
    > "$work/cl/kernels/device/probe.cl"
cmp -s "$kernels/kernels/device/probe.cl" "$work/cl/kernels/device/probe.cl" && wrong "no fault was planted in probe.cl"
MCL_KERNEL_DIR=$work/cl MCL_FEATURES=probe=1 litmus wrong_sum "$(can 'a group waits for the one before it')"
finds wrong_sum 'a group waits for the one before it'
grep -q 'scans read their input once' "$work/wrong_sum" && wrong "scans look back although the probe fails"

"$info" --litmus --seconds -1 > "$work/out" 2> "$work/error"
[ $? = 2 ] || wrong "a wrong --seconds does not end with 2"
grep -q 'seconds is -1; expected 0 to ' "$work/error" || wrong "a wrong --seconds is not told"
"$info" --json | grep -q '"litmus": null' || wrong "JSON without --litmus has no null"

[ $failed = 0 ] && echo "litmus: all right"
exit $failed
