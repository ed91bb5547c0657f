#!/bin/sh
# moderncl-tune on little data: the file that it writes is read back and its rows apply; what it cannot do it says.
# usage: test_tune.sh MODERNCL_TUNE MODERNCL_INFO KERNELS    KERNELS: the folder cl. MCL_TEST_DEVICE chooses the device.
set -u

tune=$1
info=$2
kernels=$3
MCL_DEVICE=${MCL_TEST_DEVICE:-${MCL_DEVICE:-opencl}}
export MCL_DEVICE
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
quick='--n 3000 --quick --spread 1000000' # the machine of a test may be busy

wrong() {
    echo "$*"
    failed=1
}

# must_fail STATUS WORDS ARGUMENT...: ends with this status and a sentence that has the words; nothing else is printed.
must_fail() {
    status=$1
    words=$2
    shift 2
    PATH=${tune_path:-$PATH} "$tune" "$@" > "$work/out" 2> "$work/error"
    found=$?
    [ $found = "$status" ] || wrong "moderncl-tune $*: status $found instead of $status"
    [ -s "$work/out" ] && wrong "moderncl-tune $*: the reason belongs on stderr, and nothing on stdout"
    grep -q -e "$words" "$work/error" || { wrong "moderncl-tune $*: \"$words\" is not said:"; cat "$work/error"; }
}

"$tune" --op reduce,merge --type int32 $quick --output "$work/rows" > "$work/out" 2> "$work/error" ||
    { wrong "moderncl-tune fails:"; cat "$work/error"; }
cmp "$work/rows" "$work/out" || wrong "the file and what is printed differ"
for operation in reduce merge; do
    count=$(grep -c -E "^$operation +\"[^\"]+\" 4 +[0-9]+ +[0-9]+ +# [0-9.]+ times the speed" "$work/rows")
    [ "$count" = 1 ] || wrong "$operation has $count rows instead of 1"
done
[ "$(grep -c '^[^#]' "$work/rows")" = 2 ] || wrong "there are rows of what was not asked for"

# The tile that moderncl-info shows for merge and elements of 4 bytes, with a file's rows.
shown() { MCL_TUNING_FILE=$1 "$info" --all --device "$MCL_DEVICE" | awk '$1 == "merge" { print $5 $6 $7 }'; }
sed -n 's/^merge *"[^"]*" 4 *\([0-9]*\) *\([0-9]*\).*/\1x\2/p' "$work/rows" > "$work/tile"
[ "$(shown "$work/rows")" = "$(cat "$work/tile")" ] || wrong "the row of merge does not apply: $(shown "$work/rows")"
sed 's/^\(merge *"[^"]*" 4 *\).*/\11 777/' "$work/rows" > "$work/changed"
[ "$(shown "$work/changed")" = 1x777 ] || wrong "a changed row of merge does not apply: $(shown "$work/changed")"
MCL_FEATURES=tuning_key=unknown
export MCL_FEATURES
[ "$(shown "$work/changed")" != 1x777 ] || wrong "rows of a device apply to one that is made unknown"
unset MCL_FEATURES

MCL_TUNING_FILE=$work/changed "$tune" --compare-unknown --op merge --type int32 $quick > "$work/out" \
    2> "$work/error" || { wrong "moderncl-tune --compare-unknown fails:"; cat "$work/error"; }
grep -q -E '^merge_keys +int32 +[0-9.]+ +[0-9.]+ +[0-9.]+$' "$work/out" || wrong "merge is not compared"
grep -q '^speed without rows: mean' "$work/out" || wrong "the comparison has no mean"

# A machine that is busy: here each is, since no spread is allowed. What the file had stays.
cp "$work/rows" "$work/kept"
must_fail 1 'the machine is busy, and no row is written; expected at most 0 %' --op merge --type int32 $quick \
    --spread 0 --output "$work/rows"
cmp "$work/rows" "$work/kept" || wrong "rows of a busy machine are written"
grep -q "own tile, whose runs spread by [0-9]* %" "$work/rows" || wrong "rows do not tell the spread"

# A parameter: each of its values is told, the row applies, and what is out of range is left out.
"$tune" --list > "$work/out" 2> "$work/error" || { wrong "moderncl-tune --list fails:"; cat "$work/error"; }
grep -q -E '^reduce\.single_tiles +2$' "$work/out" || wrong "--list has no reduce.single_tiles"
"$tune" --parameter reduce.single_tiles=1,7,9999 --type int32 $quick --output "$work/value" > "$work/out" \
    2> "$work/error" || { wrong "moderncl-tune --parameter fails:"; cat "$work/error"; }
cmp "$work/value" "$work/out" || wrong "the file and what is printed differ for a parameter"
grep -q -E '^reduce\.single_tiles +"[^"]+" (1|2|7) +# [0-9.]+ times the speed' "$work/value" ||
    wrong "there is no row"
for value in 1 7; do
    grep -q -E "^# reduce\.single_tiles = $value: [0-9.]+ of the time" "$work/value" ||
        wrong "$value has no time"
done
grep -q 'reduce.single_tiles = 9999 is left out: reduce_sum: .*from 1 to 4096' "$work/error" ||
    wrong "9999 is not named"
sed 's/^\(reduce\.single_tiles *"[^"]*"\) [0-9]*/\1 77/' "$work/value" > "$work/changed"
MCL_TUNING_FILE=$work/changed "$info" --all --device "$MCL_DEVICE" > "$work/out" 2>&1 ||
    wrong "the row is not read back"
grep -q -E '^ *reduce\.single_tiles +77$' "$work/out" || wrong "the row of a parameter does not apply"

# Kernels of reduce that one tile cannot be built with, and that are wrong with another.
if "$info" --all --device "$MCL_DEVICE" | grep -q '^ *mapping  *serial'; then
    cp -r "$kernels" "$work/cl"
    {
        printf '#if TILE_ITEMS == 2048\n#error no such tile\n#endif\n'
        sed 's/sum = fold_range(env, in, begin, end);/sum = fold_range(env, in, begin, end - (TILE_ITEMS == 65536));/' \
            "$kernels/kernels/fold/reduce.cl"
    } > "$work/cl/kernels/fold/reduce.cl"
    MCL_KERNEL_DIR=$work/cl "$tune" --op reduce --type int32 $quick > "$work/out" 2> "$work/error"
    status=$?
    [ $status = 1 ] || wrong "a wrong result gives status $status instead of 1"
    grep -q "reduce of 4 bytes: 1 x 2048 is left out: reduce_sum" "$work/error" || wrong "the failed build is not named"
    grep -q 'no such tile' "$work/error" || wrong "the failed build has no reason"
    grep -q '1 x 65536 is left out: reduce_sum: output 0 differs' "$work/error" || wrong "the wrong result is not named"
    grep -q -E '^reduce .* 4 +1 +16384 +# 1.00 times' "$work/out" || wrong "reduce has another tile: $(cat "$work/out")"
fi

must_fail 2 '--op shuffle: there is no such operation' --op shuffle
must_fail 2 '--parameter reduce.sugar: there is no such parameter' --parameter reduce.sugar=1
must_fail 2 'must be a whole number' --parameter reduce.parts=1x
must_fail 2 '--type int33: there is no such type' --op merge --type int33
must_fail 2 '--n 1.5: must be a whole number' --op merge --n 1.5
must_fail 2 '--budget 0: must be more than 0 seconds' --op merge --budget 0
must_fail 2 '--spread -1: must be 0 percent or more' --op merge --spread=-1
must_fail 2 'only one of them' --quick --full
must_fail 2 'teapot' --device teapot --op merge
must_fail 2 "$work/no/rows: cannot be written" --op merge --output "$work/no/rows"
must_fail 2 'merge: not expected' merge
mkdir "$work/bin"
printf '#!/bin/sh\nexit 0\n' > "$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
tune_path=$work/bin:$PATH
must_fail 2 "--chart $work/no/chart.svg: cannot be written" --chart "$work/no/chart.svg"
must_fail 2 '^moderncl-tune:   float32$' --type int33
if [ -c /dev/full ]; then
    "$tune" --list > /dev/full 2> "$work/error" && wrong "moderncl-tune --list: a full disk ends with 0"
fi
tune_path=/nonexistent
must_fail 1 'gnuplot was not found' --chart "$work/chart.svg"
must_fail 1 'gnuplot was not found' --op merge --output "$work/none" --chart "$work/chart.svg"
[ -e "$work/none" ] && wrong "gnuplot is looked for after the tuning"

[ $failed = 0 ] && echo "moderncl-tune: all right"
exit $failed
