#!/bin/bash
# Looks for circles of files, which take each other's names. X.h and X.c count as one file. It takes names from a file
# that it includes, and from one whose object file defines what its own needs. usage: check_circles.sh BUILD FOLDER...
# BUILD is a folder that CMake has built in, each FOLDER one of sources. Status 77: it has no object files of them.
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
expect_arguments 2 100 "" "$@"
build=$(readlink -f "$1")
shift
cd "$(dirname "$(readlink -f "$0")")/.."
lists=$(mktemp -d)
trap 'rm -r "$lists"' EXIT

# names FOLDER NM_OPTION...: lines "FILE NAME" of what object files define or need. A build may still have others.
names() {
    local folder=$1
    shift
    find "$build" -ignore_readdir_race -name '*.c.o' |
        sed -nE "s|^$build/(.*/)?CMakeFiles/[^/]*\.dir/(.*)\.o\$|\1\2 &|p" |
        while read -r source object; do
            [[ $source != "$folder/"* || ! -e $source ]] || echo "$object"
        done | xargs -r nm -A "$@" |
        sed -E "s|^$build/(.*/)?CMakeFiles/[^/]*\.dir/(.*)\.c\.o:.* |\1\2 |" | sort -u -k 2,2 -k 1,1
}

# includes FOLDER: lines "FILE HEADER". A header lies beside its file, or is named from FOLDER on.
includes() {
    grep -rE '^ *# *include *"' --include='*.[ch]' "$1" |
        awk -F '[:"]' -v folder="$1" -v headers="$(find "$1" -name '*.h')" '
            BEGIN { for (k = split(headers, name, "\n"); k > 0; --k) is_there[name[k]] = 1 }
            {
                header = $1
                if (!sub("[^/]*$", $3, header) || !(header in is_there)) header = folder "/" $3
                if (header in is_there) print substr($1, 1, length($1) - 2), substr(header, 1, length(header) - 2)
            }'
}

failures=0 checked=0
for folder; do
    names "$folder" -g --defined-only > "$lists/defined"
    [ -s "$lists/defined" ] || continue
    checked=$((checked + 1))
    names "$folder" -u | join -1 2 -2 2 -o 1.1,2.1 - "$lists/defined" > "$lists/used"
    includes "$folder" | sort -u - "$lists/used" | awk '$1 != $2' > "$lists/uses"
    tsort "$lists/uses" > "$lists/order" 2> "$lists/loops" || true
    sed -n "/ contains a loop/d; s|^[^:]*: |in a circle: |p" "$lists/loops"
    circles=$(grep -c ' contains a loop' "$lists/loops" || true)
    echo "check_circles: $folder: $(wc -l < "$lists/uses") uses of files, $circles circles"
    [ "$circles" = 0 ] && [ -s "$lists/uses" ] || failures=$((failures + 1))
done
[ "$checked" -gt 0 ] || exit 77
[ "$failures" = 0 ]
