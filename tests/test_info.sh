#!/bin/sh
# moderncl-info: short by default, --all for everything, and what it says of the environment. usage: test_info.sh INFO
set -u

info=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

wrong() {
    echo "$@"
    failed=1
}

"$info" > "$work/short" 2> "$work/error" || wrong "moderncl-info fails: $(cat "$work/error")"
devices=$(grep -c -E '^(opencl|cuda):[0-9]' "$work/short")
[ "$devices" -gt 0 ] || { echo "skipped: info (there is no device)"; exit 77; }
[ "$(wc -l < "$work/short")" -le $((12 * devices + 3)) ] || wrong "it is not short: $(wc -l < "$work/short") lines"
[ "$(grep -c '(the default)$' "$work/short")" = 1 ] || wrong "no device is the default, or several are"
grep -q -E '^  calls +(one work-item|a work-group) does a tile' "$work/short" || wrong "it has no way in words"
grep -q -E '^  programs +(kept|not kept)' "$work/short" || wrong "it does not say where programs are"
grep -q '^  tiles' "$work/short" && wrong "tiles are shown without --all"

"$info" --all > "$work/all" || wrong "--all fails"
for part in '  tiles, ' '  parameters' '  look-back '; do
    [ "$(grep -c "^$part" "$work/all")" -ge 1 ] || wrong "--all lacks '$part'"
done

MCL_DEVICE=abacus "$info" > "$work/out" 2> "$work/error" || wrong "a wrong MCL_DEVICE ends it"
grep -q '^moderncl-info: the default device: .*abacus' "$work/error" || wrong "a wrong MCL_DEVICE is not told"
MCL_CACHE_DIR=/dev/null/cache "$info" > "$work/out" 2> "$work/error"
grep -q '^moderncl-info: .*/dev/null/cache' "$work/error" || wrong "a cache that cannot be used is not told"
MCL_FEATURE=x "$info" > "$work/out" 2> "$work/error"
[ "$(grep -c '^moderncl-info: .*MCL_FEATURE, .*MCL_FEATURES$' "$work/error")" = 1 ] ||
    wrong "MCL_FEATURE is not told once"

"$info" --seconds 1 > "$work/out" 2> "$work/error" && wrong "--seconds without --litmus is passed over"
grep -q '^moderncl-info: --seconds: needs --litmus$' "$work/error" || wrong "--seconds alone: the reason is not told"
for format in "" --json; do
    [ -c /dev/full ] || continue
    # shellcheck disable=SC2086 # none or one
    "$info" $format > /dev/full 2> "$work/error" && wrong "moderncl-info $format: a full disk ends with 0"
    grep -q '^moderncl-info: the output cannot be written' "$work/error" || wrong "$format: a full disk is not told"
done

# Where CUDA is there too, it is not without devices.
if OCL_ICD_VENDORS="$work/none/" "$info" > "$work/out" 2> "$work/error" && grep -q ' 0 devices' "$work/out"; then
    grep -q 'there is no device: .*CUDA.*OpenCL.*Debian: ' "$work/out" || wrong "a missing driver is not told"
fi

[ $failed = 0 ] && echo "info: all right"
exit $failed
