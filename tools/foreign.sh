# foreign.sh: what check_windows, check_arm64, check_macos and check_pocl share, read by ".". quick is 1 after --quick;
# root is the build folder.
# shellcheck shell=bash disable=SC2034
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
passed=0 failed=0 quick=0

# Goes to the project's folder. Headers of OpenCL get a folder of their own, since those of this machine's C library
# must not come with them.
foreign_begin() { # DEFAULT_BUILD_DIR ARGUMENT...
    local build=$1
    shift
    expect_arguments 0 2 --quick "$@"
    cd "$(dirname "$(readlink -f "$0")")/.." || exit
    [ "${1:-}" != --quick ] || { quick=1 && shift; }
    mkdir -p "${1:-$build}/headers"
    root=$(readlink -f "${1:-$build}")
    ln -sfn "$(dirname "$(find /usr/include /usr/local/include -path '*/CL/cl.h' | head -n 1)")" "$root/headers/CL"
}

# A step: counted, and its output shown where it fails.
try() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" > "$root/try.log" 2>&1; then
        passed=$((passed + 1))
        echo "ok: $what"
    else
        failed=$((failed + 1))
        echo "ERROR: $what"
        tail -n 30 "$root/try.log"
    fi
}

foreign_end() {
    echo "${0##*/}: $passed passed, $failed failed"
    [ "$failed" = 0 ]
}

# apt-get with lists, archives and sources of its own below root: what this machine has installed stays as it is. The
# packages are those of the Debian that is release, else of this machine's.
own_apt() { # deb|deb-src APT_GET_ARGUMENT...
    local apt=$root/apt own
    own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "$1 http://deb.debian.org/debian ${release:-$own} main" > "$apt/list"
    : > "$apt/status"
    shift
    apt-get -q -o Dir::Etc::SourceList="$apt/list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
        -o Debug::NoLocking=1 "$@"
}
