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
<details class="program"><pre>int other;</pre><a href="index.c">index.c</a></details></div>
HTML
echo 'int main(void);' > "$work/index.c"
status=0
"$1" "$here/check_pages.py" "$work" "$work/screenshots" > "$work/said" || status=$?
[ $status != 77 ] || { cat "$work/said" && exit 77; }
failures=0
for words in 'index: 420 wide: div  ends at 9' 'light: b : contrast 2' 'dark: i : contrast 1' 'nowhere.html is not' \
    'nothing.png is no picture' 'index: 1 whole programs; expected' 'index.c: the page shows another text' \
    'index.c: its button does not select it' 'there is no menu' 'the page is nearly empty' 'md_docs_start: is not there'; do
    grep -qF "$words" "$work/said" || { echo "test_pages: not seen: $words" && failures=1; }
done
[ $status = 1 ] || { echo "test_pages: status $status instead of 1" && failures=1; }
[ $failures = 0 ] || cat "$work/said"
[ $failures = 0 ] && echo "test_pages: every planted fault is seen"
