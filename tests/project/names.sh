#!/bin/bash
# The operations have the same names in moderncl-tune, moderncl-bench and the table of docs/tuning.md, and tables keep
# their columns whatever the names are. usage: names.sh MODERNCL_INFO MODERNCL_TUNE MODERNCL_BENCH [TUNING_PAGE]
# MCL_TEST_DEVICE chooses the device.
set -euo pipefail
info=$1 tune=$2 bench=$3
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
page=${4:-$root/docs/tuning.md}
device=${MCL_TEST_DEVICE:-${MCL_DEVICE:-opencl}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
report() {
    echo "names: $1"
    failures=$((failures + 1))
}

# ---- the three lists -----------------------------------------------------------------------------------------------

"$info" --all --device "$device" | sed -n '/^  tiles/,/^  parameters/p' | sed '1,2d;$d' > "$work/tiles"
awk '{ print $1 }' "$work/tiles" | sort > "$work/operations"
"$bench" --list > "$work/list"
sed -n '2,/^types:/p' "$work/list" | sed '$d' | awk '{ print $1, $2 }' > "$work/rows"
sed -n '/^| Page | Operations of its calls |/,/^$/p' "$page" | grep '^| \[' > "$work/table"
# shellcheck disable=SC2016 # the quotes are of Markdown
grep -oE '`[a-z_]+`' "$work/table" | tr -d '`' | sort > "$work/documented"
# shellcheck disable=SC2016
grep -oE '`[a-z_]+` \(no row\)' "$work/table" | sed 's/`\(.*\)`.*/\1/' | sort > "$work/no_rows"
if [ "$(wc -l < "$work/operations")" -lt 20 ] || [ "$(wc -l < "$work/rows")" -lt 50 ]; then
    report "a list is nearly empty"
fi

while read -r line; do
    report "$line in docs/tuning.md, in place of once each (<: moderncl-info alone, >: the page alone or twice)"
done < <(diff "$work/operations" "$work/documented" | grep '^[<>]')
awk '{ print $2 }' "$work/rows" | sort -u > "$work/measured"
while read -r line; do
    report "$line: rows of the bench (<: it has none, >: the page says that it has none)"
done < <(diff <(comm -23 "$work/operations" "$work/measured") "$work/no_rows" | grep '^[<>]')
while read -r row operation; do
    grep -qx -e "$operation" "$work/operations" || report "moderncl-bench: row $row: there is no operation $operation"
done < <(grep -v ' -$' "$work/rows")
for file in "$root"/docs/operations/*.md; do
    grep -qF "(operations/${file##*/})" "$work/table" || report "docs/tuning.md: no line for operations/${file##*/}"
done

# Each operation is taken by the bench, and gives its rows alone.
while read -r operation; do
    "$bench" --list --op "$operation" > "$work/chosen" || continue
    awk -v operation="$operation" '
        NR > 1 && /^  / && $1 != operation && $2 != operation { print $1 " measures " $2; bad = 1 }
        END { exit bad }' "$work/chosen" || report "moderncl-bench --op $operation gives other rows"
done < <(comm -23 "$work/operations" "$work/no_rows")
"$tune" --op "$(paste -sd, "$work/documented")" --budget 0 2> "$work/said" && report "moderncl-tune --budget 0 succeeds"
grep -q 'budget' "$work/said" || report "moderncl-tune: $(cat "$work/said")"

# ---- columns: each begins or ends in one place -------------------------------------------------------------------

column_of_second() { # FILE: where each line's second word begins, each once
    awk '{ match($0, /^ *[^ ]+ +/); print RLENGTH }' "$1" | sort -u
}
sed -n '1p;2,/^types:/p' "$work/list" | grep '^  ' | sed 's/operation of tuning/operation/' > "$work/named"
[ "$(column_of_second "$work/named" | wc -l)" = 1 ] || report "moderncl-bench --list: operations are out of line"
awk '{ print length($0) }' "$work/tiles" | sort -u > "$work/lengths"
[ "$(wc -l < "$work/lengths")" = 1 ] || report "moderncl-info: rows of tiles: $(paste -sd, "$work/lengths") columns"
"$info" --all --device "$device" | sed '1,/^  parameters/d' > "$work/parameters"
[ "$(column_of_second "$work/parameters" | wc -l)" = 1 ] ||
    report "moderncl-info: values of parameters are out of line"
export MCL_DEVICE=$device
"$bench" --op exclusive_scan_sum_deterministic,copy --type float32 --n 3000 --reps 1 --device-counts \
    2> "$work/said" | sed 1d > "$work/times"
[ "$(wc -l < "$work/times")" = 5 ] || report "moderncl-bench gives $(wc -l < "$work/times") lines: $(cat "$work/said")"
awk '{ match($0, / (n|3000) (map|serial|group) /); print RSTART + (/ n map/ ? 2 : 5) }' "$work/times" | sort -u \
    > "$work/ends"
[ "$(wc -l < "$work/ends")" = 1 ] || report "moderncl-bench: numbers of n are out of line: $(cat "$work/times")"

echo "names: $(wc -l < "$work/operations") operations, $(wc -l < "$work/rows") rows, $failures failures"
[ "$failures" = 0 ]
