#!/bin/sh
# Compares what moderncl-demo prints with the printed text of the book, blank lines and trailing blanks aside.
# usage: test_demo.sh MODERNCL_DEMO FOLDER [NAME]...    FOLDER holds demo-NAME.out or NAME.out; no NAME: bad calls are
# tried instead.
# MCL_TEST_DEVICE chooses the device.
set -u

demo=$1
folder=$2
shift 2
if [ -n "${MCL_TEST_DEVICE:-}" ]; then
    MCL_DEVICE=$MCL_TEST_DEVICE
    export MCL_DEVICE
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

plain() { sed -e 's/[[:space:]]*$//' -e '/^$/d' "$@"; }

must_fail() {
    if "$demo" "$@" > "$work/out" 2> "$work/error"; then
        echo "moderncl-demo $* succeeds and must not"
        failed=1
    elif [ -s "$work/out" ] || ! [ -s "$work/error" ]; then
        echo "moderncl-demo $*: the reason belongs on stderr, and nothing on stdout"
        failed=1
    fi
}

if [ $# = 0 ]; then
    must_fail
    must_fail no-such-demo
    must_fail scan merge-keys
    must_fail --no-such-option scan
    must_fail --device no-such-device scan
fi
for name in "$@"; do
    text=$folder/demo-$name.out
    [ -e "$text" ] || text=$folder/$name.out
    if ! "$demo" "$name" > "$work/out"; then
        failed=1
    elif ! { plain "$work/out" > "$work/got" && plain "$text" > "$work/expected" &&
             diff "$work/expected" "$work/got"; }; then
        echo "moderncl-demo $name prints something else (< expected, > printed)"
        failed=1
    fi
done
exit $failed
