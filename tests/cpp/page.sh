#!/bin/bash
# The C++ programs of docs/bindings.md compile, and print what the page says. usage: page.sh CXX LIBRARY
set -euo pipefail
compiler=$1 library=$2
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
    /^```/ { inside = substr($0, 4); if (inside == "cpp") ++programs; next }
    inside == "cpp" { print > (work "/" programs ".cpp") }
    inside == "text" && programs { print > (work "/" programs ".txt") }
    /^## Python/ { exit }' docs/bindings.md

failures=0 programs=0
for program in "$work"/*.cpp; do
    programs=$((programs + 1))
    "$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude "$program" -o "$work/program" "$library" \
        "-Wl,-rpath,$(dirname "$library")"
    "$work/program" > "$work/said" || failures=$((failures + 1))
    diff "${program%.cpp}.txt" "$work/said" || failures=$((failures + 1))
done
echo "cpp_page: $programs programs, $failures failures"
[ "$failures" = 0 ]
