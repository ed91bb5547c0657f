# shellcheck shell=sh
# expect.sh: what the tests of examples that print tables read by ".": a folder of their own, and expect.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

failures=0
# expect WHAT: what was printed is what stands in the file expected
expect() {
    if cmp -s printed expected; then return; fi
    echo "$1: unlike what is expected:"
    diff printed expected || true
    failures=$((failures + 1))
}
