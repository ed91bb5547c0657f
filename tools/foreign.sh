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

# Prints a line of sources.list without its "deb": the archive of a release. Ubuntu has its key in its archive, so
# the key's sum is fixed here.
archive_of() { # RELEASE
    local key=ubuntu-keyring_2023.11.28.1_all.deb keys=$root/keys archive=http://archive.ubuntu.com/ubuntu
    case $1 in
        noble)
            mkdir -p "$keys"
            curl -fsS -o "$keys/$key" "$archive/pool/main/u/ubuntu-keyring/$key" || return
            echo "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8  $keys/$key" |
                sha256sum -c >&2 || return
            dpkg -x "$keys/$key" "$keys" || return
            echo "[signed-by=$keys/usr/share/keyrings/ubuntu-archive-keyring.gpg] $archive $1 main universe"
            ;;
        *) echo "http://deb.debian.org/debian $1 main" ;;
    esac
}

# apt-get with lists, archives and sources of its own below root: what this machine has installed stays as it is. The
# packages are those of release, else of this machine's Debian.
own_apt() { # deb|deb-src APT_GET_ARGUMENT...
    local apt=$root/apt own
    own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    own=$(archive_of "${release:-$own}") || return
    echo "$1 $own" > "$apt/list"
    : > "$apt/status"
    shift
    apt-get -q -o Dir::Etc::SourceList="$apt/list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
        -o Debug::NoLocking=1 "$@"
}
