#!/bin/bash
# Checks the direction of #include lines (docs/architecture.md): each part includes only what stands below it. Where the
# object files of src are given, checks their symbols, too: a part may include nothing and still be linked against what
# stands above it. No files may take each other's names (check_circles.sh). usage: check_layers.sh [OBJECTS]
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
expect_arguments 0 1 "" "$@"
objects=${1:+$(readlink -f "$1")}
cd "$(dirname "$(readlink -f "$0")")/.."

# Families of operations, the lowest first: each may take what stands before it, and one that is not listed all of them.
families='transform fold merge select histogram sort segmented_sort balance join top_k group_by map'
# FAMILY OTHER: may take what stands above it, by calls of users alone: counting sort expands intervals, and moves of
# intervals sort by digits. No files are in a circle.
upwards='sort balance'

# is_below FAMILY OTHER: files of FAMILY may take headers and names of OTHER.
is_below() {
    local family
    [ "$1" = "$2" ] || [ "$1 $2" = "$upwards" ] && return
    for family in $families; do
        [ "$family" != "$1" ] || return 1
        [ "$family" != "$2" ] || return 0
    done
    return 1
}

# may_include FILE HEADER: FILE in the repository, HEADER as written between quotes or angle brackets.
may_include() {
    case "$1" in
        include/moderncl/opencl.h) [[ $2 == CL/cl.h || $2 == device.h ]] ;;
        # C++ has names without .h
        include/moderncl/*.hpp) [[ $2 =~ ^((moderncl|status|values)\.h|(errors|functions|types)\.hpp|[a-z_]+)$ ]] ;;
        include/moderncl/cuda.h) [[ $2 == cuda.h || $2 == device.h ]] ;;
        include/*) [[ $2 != */* && $2 != cuda.h ]] ;;
        src/base/*) [[ $2 == base/* || $2 == moderncl/status.h ]] ;;
        src/values/*) [[ $2 == values/* || $2 == base/* || $2 == moderncl/* ]] ;;
        src/device/*) [[ $2 == device/* || $2 == base/* || $2 == moderncl/* ]] ;;
        src/backends/opencl/*) [[ $2 == backends/opencl/* || $2 == CL/* || $2 =~ ^(device|base|moderncl)/ ]] ;;
        src/backends/cuda/*) [[ $2 == backends/cuda/* || $2 =~ ^(device|base|moderncl)/ ]] ;;
        src/tuning/*) [[ $2 =~ ^(tuning|device|base|moderncl)/ ]] ;;
        src/program/*) [[ $2 =~ ^(program|tuning|device|values|base|moderncl)/ ]] ;;
        src/context/*) [[ $2 =~ ^(context|program|tuning|device|values|base|moderncl)/ ]] ;;
        src/interop/opencl_*) [[ $2 =~ ^(interop|backends/opencl|context|program|device|base|moderncl|CL)/ ]] ;;
        src/interop/cuda_*) [[ $2 =~ ^(interop|backends/cuda|context|program|device|base|moderncl)/ ]] ;;
        src/call/*) [[ $2 =~ ^(call|context|program|tuning|device|values|base|moderncl)/ ]] ;;
        src/operations/*)
            [[ $2 =~ ^(call|context|program|tuning|device|values|base|moderncl)/ ]] ||
                { [[ $2 == operations/* ]] && is_below "$(cut -d/ -f3 <<< "$1")" "$(cut -d/ -f2 <<< "$2")"; }
            ;;
        # by calls of users alone
        src/host/*) [[ $2 =~ ^(host|base|moderncl)/ ]] ;;
        mpi/src/*) [[ $2 == moderncl/* || $2 == pieces/*.clh || $2 == mpi.h || $2 == *.cl.h || -e mpi/src/$2 ]] ;;
        cl/facts/*) false ;;
        cl/dialect/*) [[ $2 == facts/*.h || $2 == dialect/*.clh ]] ;;
        cl/pieces/*) [[ $2 == pieces/*/*.clh || $2 == facts/*.h ]] ;;
        cl/kernels/*) [[ $2 == facts/*.h || $2 == pieces/*/*.clh || $2 == "$(cut -d/ -f2-3 <<< "$1")"/*.clh ]] ;;
    esac
}

# Headers of ISO C stand below everything, those of a system below the two files that are one system's alone, and mpi.
is_below_everything() { # FILE HEADER
    case "$2" in
        CL/* | cuda.h) false ;;
        assert.h | ctype.h | errno.h | float.h | inttypes.h | limits.h | math.h | std*.h | string.h | time.h) true ;;
        *) [[ $1 =~ ^(src/base/platform_[a-z]+\.c|mpi/src/.*)$ && ($2 != */* || $2 == sys/*.h) ]] ;;
    esac
}

failures=0 lines=0
while IFS=: read -r file line text; do
    header=$(sed -E 's/^ *# *include *[<"]([^>"]*)[>"].*/\1/' <<< "$text")
    lines=$((lines + 1))
    may_include "$file" "$header" && continue
    [[ $file == src/* && $header == facts/*.h ]] && continue
    [[ $file != cl/* ]] && is_below_everything "$file" "$header" && continue
    [[ $file == src/* && $header != */* && -e $(dirname "$file")/$header ]] && continue
    echo "$file:$line: may not include $header"
    failures=$((failures + 1))
done < <(grep -rnE '^ *# *include *[<"]' include src cl mpi/src)

echo "check_layers: $lines includes, $failures in the wrong direction"
[ -n "$objects" ] || exit "$((failures > 0))"

# may_use FOLDER OTHER NAME: files of src/FOLDER may take a name that src/OTHER defines. Contexts hold each backend's
# table, and calls on host data take public names of all operations.
may_use() {
    [ "$1" = "$2" ] || [[ "$1 $2" == "context backends/"* || "$1 $2" == "interop backends/"* ]] ||
        [[ $1 == host && $3 != mcl__* ]] ||
        may_include "src/$1/file.c" "$2/file.h"
}

# A build folder may still have objects of files that have gone.
object_files=()
while read -r object; do
    source=src/${object#"$objects/"}
    [ ! -e "${source%.o}" ] || object_files+=("$object")
done < <(find "$objects" -name '*.o')
if [ ${#object_files[@]} = 0 ]; then
    echo "check_layers: $objects has no object files of src; expected .../CMakeFiles/moderncl_static.dir/src" >&2
    exit 2
fi

# names NM_OPTION...: lines "FOLDER NAME" of what the object files of each folder define or need.
names() {
    nm -A "$@" "${object_files[@]}" |
        sed -nE "s|^$objects/([a-z]+(/[a-z_]+)?)/[^/]*:.* (mcl_[a-z0-9_]+)\$|\1 \3|p" | sort -u
}

uses=0
while read -r from to name; do
    uses=$((uses + 1))
    may_use "$from" "$to" "$name" && continue
    echo "symbol in the wrong direction: $from $to $name"
    failures=$((failures + 1))
done < <(join -1 2 -2 2 -o 1.1,2.1,0 <(names -u | sort -k 2,2) <(names -g --defined-only | sort -k 2,2) | sort -u)

tools/check_circles.sh "${objects%/CMakeFiles/*}" src || failures=$((failures + 1))
echo "check_layers: $uses uses of symbols of src, $failures failures in all"
[ "$failures" = 0 ] && [ "$uses" -gt 100 ]
