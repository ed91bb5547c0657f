#!/bin/bash
# usage: check_site.sh SITE. Every page, place in a page and picture that the site's pages link to must be there, every
# page of docs and every public header must have one, and the front page must lead to all of docs.
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
        while (match(rest, /(id|name|href|src)="[^"]*"/)) {
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
            if (!(file in pages) && (getline line < file) < 0) print part[1] ": there is no " file
            else if (place != "" && (file in pages) && !((file "#" place) in places))
                print part[1] ": " file " has no place " place
            if (!(file in pages)) close(file)
        }
    }' *.html | sort -u)

# Each page is in the navigation, once.
while read -r message; do
    report "docs/site/order.txt: $message"
done < <(diff <(grep '\.md$' "$source/docs/site/order.txt" | sort) \
    <(cd "$source" && find docs bench CONTRIBUTING.md CHANGELOG.md SECURITY.md -name '*.md' | sort) |
    sed -n 's/^< \(.*\)/\1 is there twice, or is no page/p; s/^> \(.*\)/\1 is missing/p')

pages=0
while read -r page; do
    name=md_docs_${page%.md}
    [ -e "${name//\//_}.html" ] || report "docs/$page has no page in the site"
    pages=$((pages + 1))
done < <(cd "$source/docs" && find . -name '*.md' | sed 's|^\./||')
for header in "$source"/include/moderncl/*.h; do
    name=$(basename "$header" .h)
    [ -e "${name//_/__}_8h.html" ] || report "$header has no page in the site"
done

echo "check_site.sh: $pages pages of docs, $(find . -name '*.html' | wc -l) pages in all, $failures failures"
[ "$failures" = 0 ]
