#!/bin/bash
# check_pages.py sees each kind of fault in a page made for it. usage: test_pages.sh PYTHON (one that has Playwright)
set -euo pipefail
# shellcheck source=tools/usage.sh
. "$(dirname "$(readlink -f "$0")")/../../tools/usage.sh"
expect_arguments 1 1 "" "$@"
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/index.html" << 'HTML'
<!doctype html><style>body { background: #fff; color: #000 }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd } i { color: #333 } }</style>
<div id="doc-content"><div style="width: 900px">wide</div><b style="color: #aaa">faint</b><i>faint at night</i>
<a href="nowhere.html">a link</a><img src="nothing.png" alt="a picture">
<div class="fragment" style="width: 90px; overflow: auto"><div style="width: 99px">code</div></div>
<div class="textblock"><dl><dd style="width: 90px; overflow: auto"><span style="padding: 50px">prose</span></dd></dl></div>
<details class="program"><pre>int other;</pre><a href="index.c">index.c</a></details></div>
HTML
echo 'int main(void);' > "$work/index.c"
status=0
"$1" "$here/check_pages.py" "$work" "$work/screenshots" > "$work/said" || status=$?
[ $status != 77 ] || { cat "$work/said" && exit 77; }
failures=0
for words in 'index: 420 wide: div  ends at 9' 'light: b : contrast 2' 'dark: i : contrast 1' 'nowhere.html is not' \
    'nothing.png is no picture' 'index: 1 whole programs; expected' 'index.c: the page shows another text' \
    'index.c: its button does not select it' 'there is no menu' 'there is no search' \
    '1280 wide: code is cut by 9: "code"' '420 wide: prose is cut by' 'the page is nearly empty' 'md_docs_start: is not there'; do
    grep -qF "$words" "$work/said" || { echo "test_pages: not seen: $words" && failures=1; }
done
# A search that answers, with the wrong page.
cat >> "$work/index.html" << 'HTML'
<form id="search"><input oninput="found.dataset.query = value.toLowerCase()"><div id="found"><a href="other.html">x</a></div></form>
HTML
"$1" "$here/check_pages.py" "$work" "$work/screenshots" > "$work/searched" || true
grep -qF 'search for "python": other.html is first; expected md_docs_bindings.html' "$work/searched" ||
    { echo "test_pages: not seen: a search that gives another page" && failures=1; }
[ $status = 1 ] || { echo "test_pages: status $status instead of 1" && failures=1; }
[ $failures = 0 ] || cat "$work/said"
[ $failures = 0 ] && echo "test_pages: every planted fault is seen"
