#!/bin/bash
# Installs a build into a folder of its own and builds the consumer against it in 8 ways: pkg-config and CMake,
# shared and static, C and C++. Runs each. Also compiles each public header alone. usage: run.sh BUILD_DIR
set -euo pipefail

build=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
prefix=$work/prefix
# What the target uninstall needs for what is installed in earnest.
find "$build" -maxdepth 1 -name 'install_manifest*.txt' -exec mv -t "$work" {} +
trap 'find "$work" -maxdepth 1 -name "install_manifest*.txt" -exec mv -t "$build" {} +; rm -rf "$work"' EXIT
: "${CC:=cc}" "${CXX:=c++}"

cmake --install "$build" --prefix "$prefix" > "$work/install.log"
pc=$(find "$prefix" -name moderncl.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=${pc%/*}
strict="-Wall -Wextra -Wpedantic -Werror"
passed=0 failed=0

# check NAME COMMAND...: counts it, and shows its output where it fails.
check() {
    local name=$1
    shift
    if "$@" > "$work/output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "consumer: $name failed"
        cat "$work/output"
    fi
}

# The flags of a static link: the archive by its path instead of -lmoderncl.
link_flags() {
    if [ "$1" = shared ]; then
        pkg-config --libs moderncl
    else
        pkg-config --static --libs moderncl | sed "s|-lmoderncl|$libdir/libmoderncl.a|"
    fi
}

by_pkg_config() { # LANGUAGE KIND
    local compile=("$CC" -std=c99 "$here/consumer.c")
    [ "$1" = c ] || compile=("$CXX" -std=c++11 "$here/consumer.cpp")
    # shellcheck disable=SC2046,SC2086
    "${compile[@]}" $strict $(pkg-config --cflags moderncl) -o "$work/$1-$2" $(link_flags "$2") &&
        LD_LIBRARY_PATH=$libdir "$work/$1-$2" && uses_library "$work/$1-$2" "$2"
}

# A shared one needs libmoderncl.so at run time, a static one does not.
uses_library() {
    local needed=0
    if readelf -d "$1" | grep 'NEEDED.*libmoderncl' > /dev/null; then needed=1; fi
    [ "$needed" = "$([ "$2" = shared ] && echo 1 || echo 0)" ]
}

by_cmake() { # KIND
    cmake -S "$here" -B "$work/$1" -DKIND="$1" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$work/$1"
}

# Every piece that a kernel of one's own may include is there to be read.
pieces_installed() {
    local source=$here/../../cl piece
    while read -r piece; do
        cmp "$source/$piece" "$prefix/share/moderncl/cl/$piece" || return 1
    done < <(cd "$source" && find dialect facts pieces kernels -name '*.clh' -o -name '*.h')
}
check "pieces of kernels" pieces_installed

# The block of CMake in README.md, after what it leaves out.
by_readme() {
    mkdir -p "$work/readme"
    {
        echo 'cmake_minimum_required(VERSION 3.21)'
        echo 'project(readme LANGUAGES C)'
        echo "add_executable(program \"$here/consumer.c\")"
        awk '/^```cmake$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$here/../../README.md"
    } > "$work/readme/CMakeLists.txt"
    grep -q target_link_libraries "$work/readme/CMakeLists.txt" &&
        cmake -S "$work/readme" -B "$work/readme/build" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/readme/build" && "$work/readme/build/program"
}

for header in "$prefix"/include/moderncl/*.h; do
    [ "${header##*/}" != mpi.h ] || continue # it needs an MPI: below
    [ "${header##*/}" = cuda.h ] && ! "$CC" -include cuda.h -E -x c /dev/null > /dev/null 2>&1 && continue
    for standard in c99 c11 c++11; do
        compiler=$CC language=c
        [ "$standard" != c++11 ] || compiler=$CXX language=c++
        # shellcheck disable=SC2086
        check "${header##*/} alone as $standard" "$compiler" -std=$standard $strict -fsyntax-only -x $language \
            -include "$header" /dev/null
    done
done

for standard in c++17 c++20; do
    # shellcheck disable=SC2086
    check "moderncl.hpp alone as $standard" "$CXX" -std=$standard $strict -fsyntax-only -x c++ \
        -include "$prefix/include/moderncl/moderncl.hpp" /dev/null
done

for kind in shared static; do
    for language in c cpp; do
        check "pkg-config $kind $language" by_pkg_config "$language" "$kind"
    done
    check "CMake $kind" by_cmake "$kind"
    for language in c cpp kernel; do
        check "CMake $kind $language" "$work/$kind/consumer_$language"
        check "CMake $kind $language links" uses_library "$work/$kind/consumer_$language" "$kind"
    done
done

check "CMake as in README.md" by_readme

# The library over MPI, where it was built.
by_pkg_config_mpi() {
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c99 "$here/mpi/consumer_mpi.c" $strict $(pkg-config --cflags moderncl-mpi) -o "$work/mpi-program" \
        $(pkg-config --libs moderncl-mpi) && LD_LIBRARY_PATH=$libdir "$work/mpi-program"
}
by_cmake_mpi() {
    cmake -S "$here/mpi" -B "$work/mpi" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$work/mpi" &&
        "$work/mpi/consumer_mpi"
}
# Of the second MPI, where it was built; else, and of any other word, a reason.
by_cmake_second_mpi() {
    cmake -S "$here/mpi" -B "$work/mpi-2" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=mpi_mpich &&
        cmake --build "$work/mpi-2" && "$work/mpi-2/consumer_mpi"
}
refuses() { # COMPONENT WORDS
    ! cmake -S "$here/mpi" -B "$work/refused-$1" "-DCMAKE_PREFIX_PATH=$prefix" "-DCOMPONENT=$1" &> "$work/refused" &&
        tr -s '[:space:]' ' ' < "$work/refused" | grep -F "$2"
}
if [ -e "${pc%/*}/moderncl-mpi-mpich.pc" ]; then
    check "CMake, component mpi_mpich" by_cmake_second_mpi
fi
check "CMake, a component of no MPI" refuses mpi_none "the component mpi_none is not installed"
check "CMake, no component" refuses nonsense \
    "there is no component nonsense; expected shared, static, ranks, mpi or mpi_NAME"

if [ -e "${pc%/*}/moderncl-mpi.pc" ]; then
    check "pkg-config moderncl-mpi" by_pkg_config_mpi
    check "CMake, component mpi" by_cmake_mpi
fi

# The same without MPI.
by_pkg_config_ranks() {
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c99 "$here/mpi/consumer_ranks.c" $strict $(pkg-config --cflags moderncl-ranks) \
        -o "$work/ranks-program" $(pkg-config --libs moderncl-ranks) && LD_LIBRARY_PATH=$libdir "$work/ranks-program"
}
by_cmake_ranks() {
    cmake -S "$here/mpi" -B "$work/ranks" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPONENT=ranks &&
        cmake --build "$work/ranks" && "$work/ranks/consumer_ranks"
}
if [ -e "${pc%/*}/moderncl-ranks.pc" ]; then
    check "pkg-config moderncl-ranks" by_pkg_config_ranks
    check "CMake, component ranks" by_cmake_ranks
fi

if [ -x "$prefix/bin/moderncl-info" ]; then
    check "moderncl-info installed" "$prefix/bin/moderncl-info"
fi

# Inside another project, which installs itself alone.
as_subproject() { # KIND BUILD_SHARED_LIBS
    cmake -S "$here/subproject" -B "$work/sub-$1" -DMODERNCL="$here/../.." -DKIND="$1" ${2:+"-DBUILD_SHARED_LIBS=$2"} &&
        ! grep -r 'file(INSTALL' "$work/sub-$1/moderncl"
}
check "subproject" as_subproject SHARED ""
check "subproject, static" as_subproject STATIC OFF

# Each component by itself, then none of them.
uninstalls() {
    local component
    rm -rf "$prefix" "$build"/install_manifest*.txt
    for component in runtime development; do
        cmake --install "$build" --prefix "$prefix" --component $component || return
    done
    [ -e "$prefix/include/moderncl/moderncl.h" ] && [ ! -e "$prefix/share/man" ] || return
    cmake -DBUILD="$build" -P "$here/../../cmake/uninstall.cmake" || return
    [ -z "$(find "$prefix" ! -type d -o -name moderncl)" ]
}
check "uninstall" uninstalls

echo "consumer: $passed passed, $failed failed"
[ "$failed" = 0 ]
