#!/bin/bash
# shellcheck disable=SC2016 # the backquotes are those of pages
# What extract.awk, check_shell.sh, check_docs.sh, check_words and check_site.sh must find wrong, and that they do.
# Where page_links.awk puts charts.
set -euo pipefail
source=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# finds WORDS COMMAND...: the command fails and says the words.
finds() {
    local words=$1 said
    shift
    if said=$("$@" 2>&1) || [[ $said != *"$words"* ]]; then
        echo "not found: $words; $1 said: ${said:0:500}"
        failures=$((failures + 1))
    fi
}
page() { printf '%b\n' "$1" > page.md; }
mkdir programs functions mpi
extract() {
    awk -v out=. -v frame="$source/tests/docs/program.c" -f "$source/tests/docs/whole.awk" \
        -f "$source/tests/docs/extract.awk" page.md
}
shell() {
    printf 'page.md:1\t%s\t%s\n' "$1" "$2" > list
    "$source/tests/docs/check_shell.sh" "$work/list" "$source" "$work"
}

page '```text\n3\n```' && finds 'page.md:1: a text block without a c block' extract
page '```rust\nfn\n```' && finds 'page.md:1: blocks of rust are not tested' extract
page 'a\n```c\nint x;' && finds 'page.md:2: is not closed' extract
page '<!-- block: skip -->' && finds 'page.md:1: a comment that extract.awk does not know' extract
page '<!-- then\nx();\n-->' && finds 'page.md:1: a "then" without a c block' extract

page '<!-- given\nint a =\n    1;\n-->' && finds 'page.md:2: a given line that is no declaration' extract

# A program has of its page what its block uses, and no more.
given='<!-- given\nint a = 1;\nint b = a;\nint c = 2;\nmcl_buffer *d = doc_ints(context, "3");\n-->\n'
page "$given"'```c\nb += d != NULL;\n```'
extract
for text in 'int a = 1;' 'int b = a;' 'b += d != NULL;' '*doc_ints(' 'mcl_buffer_release(d);' 'return doc_failures'; do
    grep -qF "    $text" programs/page_8.c || grep -q "^static.*$text" programs/page_8.c || {
        echo "not in a program: $text"
        failures=$((failures + 1))
    }
done
for text in 'int c = 2;' 'doc_floats(' 'doc_print(' '```' 'block \*/'; do
    ! grep -F "$text" programs/page_8.c || failures=$((failures + 1))
done
# Readers see main first: the functions of program.c are declared above it and stand below it.
[[ $(tr '\n' ' ' < programs/page_8.c) == *' *doc_ints('*');'*'int main('*'} '*' *doc_ints('*' {'* ]] || {
    echo 'the functions of program.c do not stand below main'
    failures=$((failures + 1))
}

finds 'page.md:1: tools/gone is not there' shell look 'tools/gone x'
finds 'page.md:1: tools/new_primitive has no option --gone' shell look 'tools/new_primitive --gone'
finds 'page.md:1: gone: check_shell.sh does not know it' shell look 'A=1 gone --x # y'
finds 'page.md:1: fails: ls gone' shell run 'ls gone'
finds '0 commands' "$source/tests/docs/check_shell.sh" /dev/null "$source" "$work"

mkdir -p copy/docs copy/src copy/bench copy/examples
cp -r "$source"/{include,cl,mpi,tests,tools,cmake,CMakeLists.txt,README.md,CONTRIBUTING.md,SECURITY.md} copy
sed 's/^## \[[0-9].*/## [9.9.9] - 2000-01-01/' "$source/CHANGELOG.md" > copy/CHANGELOG.md
cp -r "$source/src/operations" copy/src
printf '[x](gone.md) [y](page.md#here) mcl_gone `cl/gone.cl`\n' > copy/docs/page.md
finds "docs/page.md:1: there is no gone.md" "$source/tools/check_docs.sh" copy
finds 'docs/page.md:1: page.md#here: the site has other names' "$source/tools/check_docs.sh" copy
finds 'docs/page.md:1: there is no mcl_gone' "$source/tools/check_docs.sh" copy
finds 'docs/page.md:1: there is no cl/gone.cl' "$source/tools/check_docs.sh" copy
finds 'mcl_queue_flush: in no page' "$source/tools/check_docs.sh" copy
finds 'CHANGELOG.md: the newest release is 9.9.9' "$source/tools/check_docs.sh" copy

printf '/* As so many do,\n * a phrase of\n * which a half is here. */\nint work_item; /* an index */\n' > words.c
finds 'words.c:1: "so many"; use: ' "$source/tools/check_words" "$PWD/words.c"
finds 'words.c:3: "of which"; use: ' "$source/tools/check_words" "$PWD/words.c"
finds ' 2 failures' "$source/tools/check_words" "$PWD/words.c"

# Links to what is not there. Charts that are not there, are empty, have other points than the tables, or are not shown.
mkdir site charts
echo '<svg/>' | tee charts/h200_copy.svg charts/pocl_copy.svg charts/study_merge.svg > site/h200_copy.svg
: > site/study_merge.svg
printf '<a href="gone.html">x</a><a href="b.html#gone">y</a>\n' > site/a.html
printf '<p id="here">\n' > site/b.html
echo '<img src="charts/gone.svg"/><object data="study_merge.svg"/><object data="pocl_copy.svg"/>' > site/c.html
check_site() { cat said && return $status; }
{
    echo '<a class="code hl_variable" href="b.html#here">count</a>, .<a class="code" href="b.html#here">x</a>'
    echo '1 &amp;lt; 2'
} > site/d.html
status=0
"$source/docs/site/check_site.sh" site > said || status=$?
finds 'a.html: there is no gone.html' check_site
finds 'a.html: b.html has no place gone' check_site
finds 'docs/start.md has no page' check_site
finds 'c.html: there is no charts/gone.svg' check_site
finds 'c.html: there is no pocl_copy.svg' check_site
finds 'c.html: study_merge.svg is empty' check_site
finds 'd.html: count is a link to something else, 1 times' check_site
finds 'd.html:2:&amp;lt; is shown as it is written' check_site
finds 'h200_copy.svg has 0 marks' check_site
finds 'h200_copy.svg is not dark on a dark page' check_site
finds 'docs/performance_*.md do not show h200_copy.svg' check_site

page '<!-- charts copy -->\n<!-- charts study_merge: a study -->\n<!-- charts all:pocl gone -->'
made=$(awk -v charts=charts -f "$source/docs/site/page_links.awk" page.md | grep '^!' | tr -d '\n')
expected='![copy, h200](charts/h200_copy.svg)![copy, pocl](charts/pocl_copy.svg)![a study](charts/study_merge.svg)'
expected+='![copy, pocl](charts/pocl_copy.svg)![none](charts/gone.svg)'
[ "$made" = "$expected" ] || { echo "page_links.awk: $made" && failures=$((failures + 1)); }

echo "test_extract.sh: $failures faults were not found"
[ "$failures" = 0 ]
