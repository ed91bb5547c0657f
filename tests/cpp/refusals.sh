#!/bin/bash
# What moderncl.hpp refuses does not compile, and the compiler says why in words of the library. usage: refusals.sh CXX
set -euo pipefail
compiler=$1
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0 failures=0

# compiles STATEMENT: in a function that has a queue, a buffer and an array of floats.
compiles() {
    cat > "$work/case.cpp" << END
#include <moderncl/moderncl.hpp>
struct unknown { float x; };
bool less(float p, float q);
void run(const mcl::queue &queue, const mcl::buffer &buffer, const mcl::array<float> &numbers);
void run(const mcl::queue &queue, const mcl::buffer &buffer, const mcl::array<float> &numbers)
{
    (void)buffer;
    (void)numbers;
    $1;
}
END
    cases=$((cases + 1))
    "$compiler" -std=c++17 -Wall -Wextra -Iinclude -fsyntax-only "$work/case.cpp" > "$work/messages" 2>&1
}

refused() {
    local count
    if compiles "$2"; then
        echo "$2: compiles; expected: $1" && failures=$((failures + 1))
        return
    fi
    count=$(grep -c 'error:' "$work/messages")
    if [ "$count" != 1 ] || ! grep 'error:' "$work/messages" | grep -qF "$1"; then
        cat "$work/messages"
        echo "$2: $count errors; expected one with: $1" && failures=$((failures + 1))
    fi
}

# The frame itself is right, or every case would fail for another reason.
compiles 'mcl::sort(queue, numbers, numbers, MCL_LESS)' || { cat "$work/messages" && failures=1; }

refused 'no operator: expected one of' 'mcl::sort(queue, numbers, numbers, [](float p, float q) { return p < q; })'
refused 'no operator: expected one of' 'mcl::sort(queue, numbers, numbers, less)'
refused 'no operator: expected one of' 'mcl::sort(queue, numbers, numbers, "p < q")'
refused 'no operand: memory of the host' 'mcl::sort(queue, std::vector<float>(3), numbers, MCL_LESS)'
refused 'no operand: memory of the host' 'std::vector<float> v(3); mcl::sort(queue, numbers, v, MCL_LESS)'
refused 'no operator: an operand is given for it' 'mcl::sort(queue, numbers, numbers, numbers)'
refused 'no output: a span of const' 'mcl::sort(queue, numbers, mcl::span<const float>{ buffer, 0, 8 }, MCL_LESS)'
refused 'no output: a span of const' 'mcl::sort(queue, numbers, mcl::from_counting(1.0F, 8), MCL_LESS)'
refused 'no output: expected an array' 'float x = 0; mcl::sort(queue, numbers, x, MCL_LESS)'
refused 'no input: expected an array' 'mcl::transform(queue, [](int i) { return i; }, numbers)'
refused 'no input: expected an array' 'mcl::sort(queue, nullptr, numbers, MCL_LESS)'
refused 'no result: expected' 'mcl::reduce(queue, numbers, MCL_ADD, mcl::span<const float>{ buffer, 0, 8 }[0])'
refused 'no result: expected' 'float sum = 0; mcl::reduce(queue, numbers, MCL_ADD, &sum)'
refused 'too few arguments' 'mcl::sort(queue, numbers, numbers)'
refused 'no element type of moderncl' '(void)mcl::type_of<unknown>()'

echo "cpp_refusals: $cases cases, $failures failures"
[ "$failures" = 0 ]
