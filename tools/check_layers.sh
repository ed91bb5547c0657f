#!/bin/bash
# Checks the direction of #include lines (docs/architecture.md): each part includes only what stands below it.
# usage: check_layers.sh
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
expect_arguments 0 0 "" "$@"
cd "$(dirname "$(readlink -f "$0")")/.."

# may_include FILE HEADER: FILE in the repository, HEADER as written between quotes or angle brackets.
may_include() {
    case "$1" in
        include/moderncl/opencl.h) [[ $2 == CL/cl.h || $2 == device.h ]] ;;
        include/moderncl/*.hpp) [[ $2 =~ ^((moderncl|status)\.h|errors\.hpp|[a-z_]+)$ ]] ;; # C++ has names without .h
        include/moderncl/cuda.h) [[ $2 == cuda.h || $2 == device.h ]] ;;
        include/*) [[ $2 != */* && $2 != cuda.h ]] ;;
        src/base/*) [[ $2 == base/* || $2 == moderncl/status.h ]] ;;
        src/device/*) [[ $2 == device/* || $2 == base/* || $2 == moderncl/* ]] ;;
        src/backends/opencl/*) [[ $2 == backends/opencl/* || $2 == CL/* || $2 =~ ^(device|base|moderncl)/ ]] ;;
        src/backends/cuda/*) [[ $2 == backends/cuda/* || $2 =~ ^(device|base|moderncl)/ ]] ;;
        src/tuning/*) [[ $2 =~ ^(tuning|device|base|moderncl)/ ]] ;;
        src/program/*) [[ $2 =~ ^(program|tuning|device|base|moderncl)/ ]] ;;
        src/context/*) [[ $2 =~ ^(context|program|tuning|device|base|moderncl)/ ]] ;;
        src/call/*) [[ $2 =~ ^(call|program|tuning|device|base|moderncl)/ ]] ;;
        src/primitives/*) [[ $2 =~ ^(primitives|call|program|tuning|device|base|moderncl)/ ]] ;;
        mpi/src/*) [[ $2 == moderncl/* || $2 == pieces/*.clh || $2 == mpi.h || $2 == *.cl.h || -e mpi/src/$2 ]] ;;
        cl/facts/*) false ;;
        cl/dialect/*) [[ $2 == facts/*.h || $2 == dialect/*.clh ]] ;;
        cl/pieces/*) [[ $2 == pieces/*.clh || $2 == facts/*.h ]] ;;
        cl/kernels/*/*) [[ $2 == facts/*.h || $2 == pieces/*.clh || $2 == "$(cut -d/ -f2-3 <<< "$1")"/*.clh ]] ;;
        cl/kernels/*) [[ $2 == facts/*.h || $2 == pieces/*.clh || $2 == kernels/*/*.clh ]] ;;
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
[ "$failures" = 0 ]
