#!/bin/bash
# Checks the names in the built libraries and what the shared one needs. usage: check_symbols.sh SHARED STATIC
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
expect_arguments 2 2 "" "$@"
shared=$1 static=$2
cd "$(dirname "$(readlink -f "$0")")/.."

failures=0
report() {
    echo "$1"
    failures=$((failures + 1))
}

# Names that start with mcl_ and stand before "(" or "[;" on lines marked MCL_API.
marked() { sed -nE 's/^MCL_API .*[ *](mcl_[a-z0-9_]+)[(;].*/\1/p' "$@" | sort -u; }
exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }' | grep -v '^$' | sort -u)

while read -r name; do
    report "$shared exports $name, which no header declares with MCL_API"
done < <(comm -23 <(echo "$exported" | grep -vE '^mcl_(type|op)_') <(marked include/moderncl/*.h src/*/*.h))

while read -r name; do
    report "$shared lacks $name, which a public header declares"
done < <(comm -13 <(echo "$exported") <(marked include/moderncl/*.h))

while read -r name; do
    report "$static defines $name, which does not start with mcl_"
done < <(nm -g --defined-only "$static" 2> /dev/null | awk 'NF == 3 { print $3 }' | grep -vE '^mcl_' | sort -u)

while read -r name; do
    report "$shared needs $name"
done < <(readelf -d "$shared" | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' |
    grep -vE '^(libc|libm|libdl|libpthread|ld-linux.*)\.so|^lib(asan|ubsan)\.so')

readelf -d "$shared" | grep -E 'SONAME.*libmoderncl\.so\.[0-9]+\]' > /dev/null ||
    report "$shared has no versioned soname"

echo "check_symbols: $(echo "$exported" | wc -l) exported names, $failures failures"
[ "$failures" = 0 ]
