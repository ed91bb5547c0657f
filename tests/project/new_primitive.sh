#!/bin/bash
# usage: new_primitive.sh FOLDER. Runs tools/new_primitive in a copy of the project in FOLDER: what it makes must build
# without a warning, keep to the style and the layers, pass, and fail where its kernel computes something else.
set -euo pipefail
source=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
folder=$1
name=made_by_the_tool # as long as a name may be

expect() { # STATUS WORDS COMMAND...
    local wanted=$1 words=$2 status=0 said
    shift 2
    said=$("$@" 2>&1) || status=$?
    if [ "$status" = "$wanted" ] && [[ $said == *"$words"* ]]; then return 0; fi
    printf 'new_primitive.sh: %s\n  gave %d, not %d, and said, without "%s":\n%s\n' \
        "$*" "$status" "$wanted" "$words" "$said"
    exit 1
}

mkdir -p "$folder/copy"
# What was compiled for an earlier run stays: files keep their times. Nothing else stays.
parts=(CMakeLists.txt CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md bench cl cmake docs examples include
    mpi packaging python src tests tools)
(cd "$source" && tar -cf - "${parts[@]}") |
    tar -C "$folder/copy" -xf - --recursive-unlink
cd "$folder/copy"

expect 2 usage tools/new_primitive
expect 2 'Two-Words is no name' tools/new_primitive Two-Words
expect 2 'is there already; a name' tools/new_primitive scan
expect 2 'mcl_set_union is there' tools/new_primitive set_union
expect 2 'characters' tools/new_primitive a_name_that_is_much_too_long_for_a_line
expect 0 "made include/moderncl/$name.h" tools/new_primitive $name
# One line more, and the list that a tool makes; all else is new files.
edited=$({ diff -rq "$source" . || true; } | sed -nE 's|^Files .* and \./(.*) differ$|\1|p' | sort | xargs)
expect 0 '=include/moderncl/functions.hpp include/moderncl/moderncl.h=' echo "=$edited="
expect 1 "> #include \"$name.h\"" diff "$source/include/moderncl/moderncl.h" include/moderncl/moderncl.h
expect 0 "X($name)" cat include/moderncl/functions.hpp
expect 2 'is there already' tools/new_primitive $name
expect 0 ' 0 failures' tools/check_style.sh
expect 0 ' 0 in the wrong direction' tools/check_layers.sh
expect 0 ' 0 failures' tools/check_docs.sh

cmake -S . -B ../build -DCMAKE_BUILD_TYPE=Debug -DMCL_TOOLS=OFF -DMCL_BENCH=OFF -DMCL_EXAMPLES=OFF \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -O0 -g0" > ../configure.log
cmake --build ../build --parallel "$(getconf _NPROCESSORS_ONLN)" --target test_$name > ../build.log ||
    { tail -n 40 ../build.log; exit 1; }

# Tests of every operation, and compilers of GPUs, get its plain call.
expect 0 PLAIN_CASE_LIST grep "X($name)" ../build/tests/cases/case_list.h
export MCL_CACHE_DIR=$folder/cache MCL_TEST_SMALL=1
../build/tests/test_$name
# One round of the same with another operation in the kernel.
mkdir -p ../changed
cp -r cl/. ../changed
sed -i 's/earlier + x/earlier - x/' "../changed/kernels/$name/$name.cl"
MCL_KERNEL_DIR=$folder/changed MCL_TEST_SAMPLE=6 MCL_TEST_ROUNDS_ONLY=1 \
    expect 1 "$name of " ../build/tests/test_$name
echo "new_primitive.sh: $name builds and passes, and fails where it should"
