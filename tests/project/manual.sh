#!/bin/bash
# Each tool that is installed has a page of the manual with the options of its --help, and tells the header's version.
# usage: manual.sh TOOL...
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
failures=0
report() {
    echo "$1"
    failures=$((failures + 1))
}

version=$(sed -nE 's/^#define MCL_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/moderncl/moderncl.h | paste -sd.)
for tool in "$@"; do
    name=${tool##*/}
    page=docs/manual/$name.1
    [ -e "$page" ] || { report "$page is not there" && continue; }
    [ "$("$tool" --version)" = "$name $version" ] || report "$name --version is not $name $version"
    found=0
    "$tool" --nothing 2> /dev/null || found=$?
    [ "$found" = 2 ] || report "$name --nothing ends with $found instead of 2"
    while read -r line; do
        report "$page: option $line (<: of --help alone, >: of the page alone)"
    done < <(diff <("$tool" --help | grep -oE -- '--[a-z-]+' | sort -u) \
        <(sed -nE 's/^\.It (Fl [^ ]+ , )?Fl -([a-z-]+).*/--\2/p' "$page" | sort -u) | grep '^[<>]')
    if command -v mandoc > /dev/null; then
        while read -r line; do report "$line"; done < <(mandoc -T lint -W warning "$page")
    fi
done
echo "manual: $# pages, $failures failures"
[ "$failures" = 0 ]
