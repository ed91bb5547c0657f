#!/bin/bash
# moderncl-prebuild: after it a program compiles nothing, in a cache that was empty before; without it the same program
# does. What it cannot do it says. usage: test_prebuild.sh MODERNCL_PREBUILD MODERNCL_DEMO
# MCL_TEST_DEVICE chooses the device.
set -u

prebuild=$1
demo=$2
MCL_DEVICE=${MCL_TEST_DEVICE:-${MCL_DEVICE:-opencl}}
export MCL_DEVICE
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/texts" "$work/empty" "$work/other"
failed=0

wrong() {
    echo "$*"
    failed=1
}

# in_cache FOLDER PROGRAM ARGUMENT...: with caches there, of POCL and of the library.
in_cache() {
    local folder=$work/$1
    shift
    mkdir -p -m 0700 "$folder" "$folder/pocl"
    MCL_CACHE_DIR=$folder POCL_CACHE_DIR=$folder/pocl "$@" > "$work/out" 2> "$work/error"
}

# What was compiled: the library's programs, and POCL's objects of programs and kernels.
compiled() {
    (cd "$work/$1" && find . -type f \( -name '*.bin' -o -name '*.bc' -o -name '*.so' \) | sort)
}

run_demo() { in_cache "$1" "$demo" sort-keys; }

MCL_DUMP_SOURCE=$work/texts run_demo first || { wrong "the demonstration fails:"; cat "$work/error"; }
texts=$(find "$work/texts" -name '*.cl' | wc -l)
[ "$texts" -gt 0 ] || wrong "the demonstration wrote no text"
[ -n "$(compiled first)" ] || wrong "what is compiled is not seen, so that nothing is tested"

"$prebuild" --cache "$work/built" "$work/texts" > "$work/out" 2> "$work/error" ||
    { wrong "moderncl-prebuild fails:"; cat "$work/error"; }
grep -q ": $texts programs: $texts built, 0 were there, 0 failed" "$work/out" ||
    { wrong "another number of programs than $texts:"; cat "$work/out"; }
compiled built > "$work/before"
run_demo built || { wrong "the demonstration fails with the cache that was filled:"; cat "$work/error"; }
compiled built > "$work/after"
cmp -s "$work/before" "$work/after" || { wrong "the program compiled:"; diff "$work/before" "$work/after"; }

# The same from a list of calls, which people write.
cat > "$work/calls" << 'END'
# what the demonstration does
sort_keys --type int32 --n 100 --in-place   # one call

reduce_sum --type int32,float32 --n 1e2
END
"$prebuild" --cache "$work/listed" --calls "$work/calls" > "$work/out" 2> "$work/error" ||
    { wrong "moderncl-prebuild --calls fails:"; cat "$work/error"; }
grep -q ': 3 calls: [1-9][0-9]* programs, 0 calls failed' "$work/out" ||
    { wrong "not three calls were made:"; cat "$work/out"; }
compiled listed > "$work/before"
run_demo listed || { wrong "the demonstration fails with the cache of the list:"; cat "$work/error"; }
compiled listed > "$work/after"
cmp -s "$work/before" "$work/after" || { wrong "the program compiled:"; diff "$work/before" "$work/after"; }

# A text that does not compile, one of another device, none.
cp "$work/texts"/*.cl "$work/other"
one=$(find "$work/other" -name '*.cl' | sort | head -n 1)
{ cat "$one"; echo 'this is no kernel'; } > "$work/other/broken.cl"
sed '1s/.*/#define MCL_SUB_GROUP_PATH 77/' "$one" > "$work/other/foreign.cl"
in_cache built "$prebuild" "$work/other"
[ $? = 1 ] || wrong "a text that is not built is no failure"
grep -q ' 2 failed' "$work/out" || { wrong "not two texts failed:"; cat "$work/out" "$work/error"; }
grep -q 'program broken.cl' "$work/error" || wrong "the compiler's words are missing"
grep -q 'foreign.cl is not for .*MCL_DUMP_SOURCE' "$work/error" || wrong "a foreign text is not told"

# must_fail WORDS ARGUMENT...: status 2 and a sentence that has the words.
must_fail() {
    local words=$1
    shift
    in_cache built "$prebuild" "$@"
    [ $? = 2 ] || wrong "moderncl-prebuild $*: the status is not 2"
    grep -q -e "$words" "$work/error" || { wrong "moderncl-prebuild $*: \"$words\" is not said:"; cat "$work/error"; }
}

must_fail 'no text is there' "$work/empty"
must_fail 'No such file' "$work/missing"
must_fail 'expected --calls FILE, or the folder TEXTS'
must_fail 'not expected' "$work/texts" "$work/texts"
must_fail 'device is "opencl:none"' --device opencl:none "$work/texts"
must_fail 'File exists\|Not a directory' --cache "$one" "$work/texts"

# line_fails WORDS LINE: status 2 and a sentence with the line's number and the words, before any call is made.
line_fails() {
    printf '%s\n' 'sort_keys --type int32 --n 100' "$2" > "$work/lines"
    must_fail "moderncl-prebuild: $work/lines:2: $1" --calls "$work/lines"
}

line_fails 'shuffle: there is no such operation; --list names them' 'shuffle --type int32 --n 100'
line_fails '--type int33: there is no such type' 'sort_keys --type int33 --n 100'
line_fails '--n few: must be a whole number' 'sort_keys --type int32 --n few'
line_fails 'expected ROW --type' 'sort_keys --type int32'
line_fails '--help: unknown option' 'sort_keys --help'
line_fails 'x: not expected' 'sort_keys --type int32 --n 100 x'
line_fails 'the row is no call of such a type' 'join_inner --type float32 --n 100'
line_fails 'the row is no call' 'host_overhead --type int32 --n 100'
must_fail 'no call is there' --calls /dev/null
"$prebuild" --list > "$work/out" 2> "$work/error" || wrong "--list fails"
grep -q '^  sort_keys ' "$work/out" || wrong "--list has no sort_keys"
grep -q '^types: .*int32' "$work/out" || wrong "--list has no types"
[ ! -s "$work/error" ] || wrong "--list says something else"
must_fail 'No such file' --calls "$work/missing"
echo 'multisplit_keys_8 --type int32 --n 100 --in-place' > "$work/lines"
in_cache built "$prebuild" --calls "$work/lines"
[ $? = 1 ] || wrong "a call that is not made is no failure"
grep -q 'multisplit_keys_8 --in-place: the results of this row cannot' "$work/error" || wrong "its sentence is missing"

exit $failed
