#!/bin/bash
# usage: check_site.sh SITE. Every page, place in a page and picture that the site's pages link to must be there, every
# page of docs and every public header must have one, and the front page must lead to all of docs. The charts must be
# those of the tables in bench/results/charts.
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/../../tools/usage.sh"
expect_arguments 1 1 "" "$@"
source=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
cd "$1"
failures=0
report() {
    echo "$1"
    failures=$((failures + 1))
}

[ ! -s warnings.txt ] || report "$(cat warnings.txt)"
# shellcheck disable=SC2035 # the names are of Doxygen, none begins with a dash
while read -r message; do
    report "$message"
done < <(awk '
    {
        rest = $0
        while (match(rest, /(id|name|href|src|data)="[^"]*"/)) {
            text = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            key = text
            sub(/=.*/, "", key)
            sub(/^[^"]*"/, "", text)
            sub(/"$/, "", text)
            if (key == "id" || key == "name") places[FILENAME "#" text] = 1
            else if (text !~ /^(https?:|mailto:|javascript:|\$|data:)/ && text != "" && text != "#") links[FILENAME "\t" text] = 1
        }
    }
    FNR == 1 { pages[FILENAME] = 1 }
    END {
        for (link in links) {
            split(link, part, "\t")
            target = part[2]
            file = target
            sub(/#.*/, "", file)
            place = index(target, "#") ? substr(target, index(target, "#") + 1) : ""
            if (file == "") file = part[1]
            lines = file in pages ? 1 : (getline line < file)
            if (lines < 0) print part[1] ": there is no " file
            else if (lines == 0) print part[1] ": " file " is empty"
            else if (place != "" && (file in pages) && !((file "#" place) in places))
                print part[1] ": " file " has no place " place
            if (!(file in pages)) close(file)
        }
    }' *.html | sort -u)

# A name in a code block or declaration that is a link is a public one: a local variable that is called as something
# else is must not lead there. Members of public structs stand after a dot.
while read -r page count name; do
    report "$page: $name is a link to something else, $count times"
done < <(grep -oE '[^ ]?<a class="(code|el)[^"]*" href="[^"]*">[^<]*<' -- *.html |
    sed -E 's/^([^:]*):(.?)<a class="(code|el)[^>]*>([^<]*)<$/\1 \3 \2\4/; s/&gt;$/>/' |
    awk '$2 == "code" && $3 !~ /^[^A-Za-z]*(mcl_|mcl::|MCL_|moderncl\/)|^\.[a-z_]+$|\.h$/ { ++count[$1 " " $3] }
        END {
            for (key in count) {
                split(key, part, " ")
                sub(/^[^A-Za-z]*/, "", part[2])
                print part[1], count[key], part[2]
            }
        }' | sort)

# An entity that stands there as text was escaped twice.
while read -r place; do
    report "$place is shown as it is written"
done < <(grep -onE '&amp;(lt|gt|amp|quot);' -- *.html || true)

# Each operation in a device's tables has a chart on a page of performance. Each point has a mark, and each line has
# one in the legend. There is a line of ours for each type and backend, and one of the fastest peers for each type.
charts=0
while read -r chart marks; do
    charts=$((charts + 1))
    grep -qsF "\"$chart.svg\"" md_docs_performance*.html || report "docs/performance_*.md do not show $chart.svg"
    drawn=$(grep -os '<use [^>]*scale(' "$chart.svg" | wc -l) || true
    grep -qs 'prefers-color-scheme: dark' "$chart.svg" || report "$chart.svg is not dark on a dark page"
    [ "$drawn" = "$marks" ] || report "$chart.svg has $drawn marks; its tables have $marks"
done < <(awk -F, '
    function count(line) {
        marks[chart] += !(line in seen) + !((line, $3) in seen)
        seen[line] = seen[line, $3] = 1
    }
    { gsub(/"[^"]*"/, "quoted") } # texts with commas
    FNR > 1 && $2 ~ /^(int|float)(32|64)$/ && $10 != "" {
        chart = FILENAME
        sub(/.*\//, "", chart)
        sub(/[_.].*/, "_" $1, chart)
        count(chart ($4 ~ /NVIDIA.*\(opencl/ ? " opencl " : " ") $2)
        if ($12 != "" && $13 > 0) count(chart " peer " $2)
    }
    END { for (chart in marks) print chart, marks[chart] }' "$source"/bench/results/charts/*.csv | sort)
[ "$charts" -gt 0 ] || report "bench/results/charts: no tables of charts"

# Each page is in the navigation, once: layout.awk adds pages of operations that the list leaves out.
while read -r message; do
    report "docs/site/order.txt: $message"
done < <(diff <(grep '\.md$' "$source/docs/site/order.txt" | sort) \
    <(cd "$source" && find docs bench CONTRIBUTING.md CHANGELOG.md SECURITY.md -name '*.md' | sort) |
    sed -n 's/^< \(.*\)/\1 is there twice, or is no page/p; /^> docs\/operations\//d; s/^> \(.*\)/\1 is missing/p')

pages=0
while read -r page; do
    name=md_docs_${page%.md}
    [ -e "${name//\//_}.html" ] || report "docs/$page has no page in the site"
    pages=$((pages + 1))
done < <(cd "$source/docs" && find . -name '*.md' | sed 's|^\./||')
[ -e python_reference.html ] || report "the Python module has no page in the site"
for header in "$source"/include/moderncl/*.{h,hpp}; do
    name=$(basename "$header")
    name=${name//_/__}
    [ -e "${name/./_8}.html" ] || report "$header has no page in the site"
done

echo "check_site.sh: $pages pages of docs, $(find . -name '*.html' | wc -l) pages in all, $charts charts of tables," \
    "$failures failures"
[ "$failures" = 0 ]
