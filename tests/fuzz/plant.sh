#!/bin/sh
# Shows that the random caller finds faults: copies of the library with one fault planted each, and how long each takes
# to be found. tests/fuzz/plant.sh [arguments of fuzz, such as --skip CLASS]. Exit status 1: one was not found within
# LIMIT seconds, or the library as it is gives a finding.
set -eu
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/../../tools/usage.sh"
show_help "$@"
cd "$(dirname "$0")/../.."

LIMIT=60
here=$PWD/build/plant
mkdir -p "$here/cache" "$here/pocl"
MCL_CACHE_DIR=${MCL_CACHE_DIR:-$here/cache}
POCL_CACHE_DIR=${POCL_CACHE_DIR:-$here/pocl}
OMP_WAIT_POLICY=passive
export MCL_CACHE_DIR POCL_CACHE_DIR OMP_WAIT_POLICY
failures=0

# plant FILE TEXT OTHER: in the copy of the tree, once at least.
plant() {
    rm -rf "$here/tree"
    mkdir -p "$here/tree"
    tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$here/tree"
    sed -i "s/$2/$3/" "$here/tree/$1"
    if cmp -s "$1" "$here/tree/$1"; then
        echo "plant: $1 has no \"$2\""
        exit 2
    fi
}

# find NAME PROGRAM MAPPING ARGUMENTS...: until the first finding.
find_it() {
    name=$1
    program=$2
    mapping=$3
    shift 3
    start=$(date +%s)
    if "$program" --mapping "$mapping" --seconds "$LIMIT" --findings 1 "$@" > "$here/log" 2>&1; then
        echo "NOT FOUND within $LIMIT s, $mapping: $name"
        failures=1
    else
        echo "found after $(($(date +%s) - start)) s, $mapping: $name"
        sed -n 's/^FINDING 1: /    /p' "$here/log"
    fi
}

cmake --preset release > /dev/null
cmake --build --preset release --parallel "$(nproc)" --target fuzz > /dev/null
fuzz=build/release/tests/fuzz/fuzz
for mapping in serial group; do
    if "$fuzz" --mapping "$mapping" --seconds "$LIMIT" --findings 1 "$@" > "$here/log" 2>&1; then
        echo "the library as it is, $mapping: $(tail -n 1 "$here/log")"
    else
        echo "the library as it is, $mapping, has findings: name their classes with --skip"
        cat "$here/log"
        failures=1
    fi
done

plant cl/kernels/transform/transform.cl 'place < (uint64_t)capacity' 'place <= (uint64_t)capacity'
for mapping in serial group; do
    MCL_KERNEL_DIR=$here/tree/cl find_it "a scatter stores one element past its output" "$fuzz" "$mapping" "$@"
done

plant cl/pieces/merge/merge_path.clh 'takes_a = !before(env, B_AT(b, diagonal - 1 - middle), A_AT(a, middle))' \
    'takes_a = before(env, A_AT(a, middle), B_AT(b, diagonal - 1 - middle))'
for mapping in serial group; do
    MCL_KERNEL_DIR=$here/tree/cl find_it "a merge path takes equal keys of b first" "$fuzz" "$mapping" "$@"
done

plant src/call/check/check_memory.c 'return mcl__buffers_overlap(' 'return 0 \&\& mcl__buffers_overlap('
(cd "$here/tree" &&
    cmake -S . -B "$here/build" -DCMAKE_BUILD_TYPE=Release '-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG' > /dev/null &&
    cmake --build "$here/build" --parallel "$(nproc)" --target fuzz > /dev/null)
for mapping in serial group; do
    find_it "overlaps are not looked for" "$here/build/tests/fuzz/fuzz" "$mapping" "$@"
done
exit "$failures"
