#!/bin/bash
# Looks through the pages (README, docs, bench and so on): every public function is named there, every mcl_ and MCL_
# name there exists, every file that is linked to or named as a path is there, and the changelog has the header's
# version. usage: check_docs.sh [FOLDER of a project]
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
expect_arguments 0 1 "" "$@"
cd "${1:-$(dirname "$(readlink -f "$0")")/..}"

failures=0
report() {
    echo "$1"
    failures=$((failures + 1))
}
mapfile -t pages < <(find README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md bench docs -name '*.md' | sort)

# ---- names ---------------------------------------------------------------------------------------------------------

functions=$(sed -nE 's/^MCL_(MPI_)?API .*[ *](mcl_[a-z0-9_]*)\(.*/\2/p' include/moderncl/*.h | sort -u)
[ -n "$functions" ] || report "no public function found in include/moderncl"
named=$(grep -ohE '\bmcl_[a-z0-9_]+' "${pages[@]}" | sort -u)
for name in $(comm -23 <(echo "$functions") <(echo "$named")); do
    report "$name: in no page"
done

# A name that ends in _ stands for a family, one that begins so in README's table for the rest of the name before it.
known=$(grep -ohrE --exclude-dir=docs '\b(mcl|MCL)_[A-Za-z0-9_]+' \
    include src cl mpi tests tools cmake bench examples CMakeLists.txt | sort -u)
# What lists of macros make: MCL_INT32 of X(INT32, ...), mcl_op_add of X(add). The first column of api_changes.md has
# names that are gone.
while IFS=: read -r page line name; do
    case "$name" in
        *_) grep -q "^$name" <<< "$known" && continue ;;
        *) grep -qx -- "$name" <<< "$known" && continue ;;
    esac
    report "$page:$line: there is no $name"
done < <(for page in "${pages[@]}"; do
    if [[ $page == */api_changes.md ]]; then sed 's/^|[^|]*|//' "$page"; else cat "$page"; fi |
        grep -noE '\b(mcl|MCL)_[A-Za-z0-9_]+' | sed "s|^|$page:|"
done | sort -t: -k3 -u)

# ---- links ---------------------------------------------------------------------------------------------------------

links=0
while IFS=: read -r page line link; do
    target=${link#*](}
    target=${target%)}
    [[ $target == http* || $target != *#* ]] || report "$page:$line: $target: the site has other names for places"
    target=${target%%#*}
    links=$((links + 1))
    case "$target" in
        http://* | https://* | '') continue ;;
    esac
    [ -e "$(dirname "$page")/$target" ] || report "$page:$line: there is no $target"
done < <(grep -noE '\]\([^)]*\)' "${pages[@]}")

# Doxygen reads a link whose text is on two lines as something else.
while IFS= read -r message; do
    report "$message"
done < <(awk 'FNR == 1 { open_link = 0 }
    open_link && /^[^[]*\]\(/ { print FILENAME ":" FNR ": the text of a link is on two lines" }
    { open_link = /\[[^]]*$/ }' "${pages[@]}")

# Paths of the project in backquotes, as `cl/kernels/fold/scan.cl` or `src/base`.
# shellcheck disable=SC2016 # backquotes of Markdown
while IFS=: read -r page line path; do
    path=${path//\`/}
    [[ $path == *NAME* ]] || [ -e "${path%/}" ] || report "$page:$line: there is no $path"
done < <(grep -noE '`(src|cl|mpi|tests|tools|docs|cmake|bench|examples|include)/[A-Za-z0-9_./-]+`' "${pages[@]}")

# Every piece of kernels is in the list of them, which names none that is not there.
for piece in cl/pieces/*/*.clh cl/kernels/*/*.clh; do
    grep -qwF "$(basename "$piece")" docs/device_library.md || report "$piece: not in docs/device_library.md"
done
while read -r piece; do
    compgen -G "cl/$piece" > /dev/null || compgen -G "cl/pieces/*/${piece#pieces/}" > /dev/null ||
        report "docs/device_library.md: there is no cl/$piece"
done < <(grep -ohE '\b(pieces|kernels/[a-z_]+)/[a-z0-9_]+\.clh' docs/device_library.md | sort -u)

# ---- version -------------------------------------------------------------------------------------------------------

# The header has the version. The changelog opens with what is not released, then the release that the header names.
version=$(sed -nE 's/^#define MCL_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/moderncl/moderncl.h | paste -sd.)
mapfile -t releases < <(sed -n 's/^## \[\(.*\)\].*/\1/p' CHANGELOG.md)
[ "${releases[0]:-}" != Unreleased ] || releases=("${releases[@]:1}")
[ "${releases[0]:-}" = "$version" ] ||
    report "CHANGELOG.md: the newest release is ${releases[0]:-none}; moderncl.h has version $version"

echo "check_docs: ${#pages[@]} pages, $(wc -w <<< "$functions") functions, $links links, $failures failures"
[ "$failures" = 0 ]
