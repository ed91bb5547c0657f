#!/bin/bash
# Counts what CONTRIBUTING.md limits: lines to 120 characters, functions to 50 lines, files to 600, no tabs or trailing
# blanks. usage: check_style.sh
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/usage.sh"
expect_arguments 0 0 "" "$@"
cd "$(dirname "$(readlink -f "$0")")/.."

failures=0
report() {
    echo "$1"
    failures=$((failures + 1))
}

mapfile -t files < <(find include src cl mpi tests bench tools examples python -type f \
    -regex '.*\.\(c\|h\|inc\|cl\|clh\|hpp\|cpp\|cu\|sh\)' | sort)

for file in "${files[@]}"; do
    while read -r message; do
        report "$file:$message"
    done < <(awk '
        { text = $0; gsub(/[\200-\277]/, "", text) } # characters, not bytes
        length(text) > 120 { print FNR ": " length(text) " characters, at most 120" }
        /\t/ { print FNR ": a tab" }
        /[ \t]$/ { print FNR ": trailing blanks" }
        /^{/ { start = FNR }
        /^}/ { if (start && FNR - start > 51) print start ": a function of " FNR - start - 1 " lines, at most 50"
               start = 0 }
        END { if (FNR > 600) print FNR ": lines in the file, at most 600" }' "$file")
done

echo "check_style: ${#files[@]} files, $failures failures"
[ "$failures" = 0 ]
