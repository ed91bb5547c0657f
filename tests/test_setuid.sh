#!/bin/sh
# Environment variables in a setuid program: none is read. usage: test_setuid.sh READ_ENVIRONMENT
set -u

names="MCL_DEVICE MCL_VALIDATE MCL_DUMP_SOURCE MCL_KERNEL_DIR MCL_BUILD_OPTIONS MCL_CACHE_DIR MCL_CACHE_BYTES
MCL_TUNING_FILE MCL_FEATURES MCL_LOG XDG_CACHE_HOME HOME"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

skip() {
    echo "skipped: setuid ($*)"
    exit 77
}

for name in $names; do
    export "$name=/planted"
done

# With the caller's own rights all are read.
"$1" $names > "$work/read"
[ $? = 3 ] || { echo "a plain program does not know that its rights are its caller's"; failed=1; }
[ "$(grep -c ' /planted$' "$work/read")" = 12 ] || { echo "variables are not read:"; cat "$work/read"; failed=1; }

[ "$(id -u)" = 0 ] || skip "only root can make a program of another user's"
cp "$1" "$work/program" && chmod 0755 "$work" && chown 65534 "$work/program" && chmod 4755 "$work/program" ||
    skip "a setuid program cannot be made"
"$work/program" $names > "$work/secure"
status=$?
[ $status = 3 ] && skip "programs of this file system run without setuid"
[ $status = 0 ] || { echo "the setuid program gives status $status"; failed=1; }
[ "$(grep -c '(not read)$' "$work/secure")" = 12 ] || { echo "a setuid program reads:"; cat "$work/secure"; failed=1; }

[ $failed = 0 ] && echo "setuid: all right"
exit $failed
