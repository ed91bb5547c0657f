#!/bin/sh
# POCL without a folder for its cache, without HOME, without PATH: sentences that name the cause, and no crash.
# usage: test_pocl_surroundings.sh MODERNCL_INFO MODERNCL_DEMO
set -u

skip() {
    echo "skipped: pocl_surroundings ($*)"
    exit 77
}

work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
chmod 0755 "$work"
cp "$1" "$work/info" && cp "$2" "$work/demo" || exit 1
mkdir "$work/read_only" "$work/writable"
failed=0

# Root may write everywhere, so another user runs the programs.
user=
if [ "$(id -u)" = 0 ]; then
    chown 65534 "$work/read_only" "$work/writable"
    user="setpriv --reuid 65534 --regid 65534 --clear-groups"
    $user true 2> "$work/error" || skip "setpriv does not work here"
    $user test -x "$work/info" || skip "another user cannot run the programs"
fi
chmod 0555 "$work/read_only"
vendors=${OCL_ICD_VENDORS:+OCL_ICD_VENDORS=$OCL_ICD_VENDORS}
# The system's own drivers where another user cannot read these, or another /tmp below hides them.
case ${OCL_ICD_VENDORS:-} in
/tmp/*) vendors= ;;
?*) $user test -r "$OCL_ICD_VENDORS" || vendors= ;;
esac

# in_place VARIABLE=VALUE... PROGRAM ARGUMENT...: nothing else is in the environment.
in_place() {
    (cd / && $user env -i ASAN_OPTIONS=detect_leaks=0 MCL_CACHE_DIR= $vendors "$@") > "$work/out" 2> "$work/error"
}

in_place PATH="$PATH" HOME="$work/writable" "$work/info" --device opencl:portable || skip "there is no POCL"

# says STATUS WORDS WHAT: the last program ended with this status (any but 0: "not 0") and said the words.
says() {
    [ "$1" = "$status" ] || { [ "$1" = "not 0" ] && [ "$status" != 0 ] && [ "$status" -lt 126 ]; } ||
        { echo "$3: status $status instead of $1"; failed=1; }
    grep -q -e "$2" "$work/out" "$work/error" || { echo "$3: \"$2\" is not said:"; cat "$work/error"; failed=1; }
}

in_place PATH="$PATH" HOME="$work/read_only" "$work/info" --device opencl:portable
status=$?
says "not 0" 'there is no device' "a read-only HOME"
says "not 0" 'Portable Computing Language (clGetDeviceIDs gave' "a read-only HOME"
says "not 0" 'set POCL_CACHE_DIR or HOME' "a read-only HOME"

in_place PATH="$PATH" HOME="$work/read_only" POCL_CACHE_DIR="$work/writable" "$work/demo" --device opencl:portable scan
status=$?
says 0 'Scan total' "a read-only HOME with POCL_CACHE_DIR, as the sentence says"

in_place HOME="$work/writable" "$work/demo" --device opencl:portable scan
status=$?
# A POCL with a linker of its own needs none.
[ $status = 0 ] || says "not 0" 'PATH is not set' "no PATH"

in_place PATH="$PATH" HOME="$work/writable" POCL_WORK_GROUP_METHOD=cbs "$work/info" --device opencl:portable
status=$?
# Others than version 6 take it, or do not know it.
[ $status = 0 ] || says "not 0" 'POCL_WORK_GROUP_METHOD is cbs' "POCL's method cbs"

in_place PATH="$PATH" POCL_CACHE_DIR="$work/read_only" "$work/demo" --device opencl:portable scan
status=$?
says "not 0" 'mcl_[a-z_]*: opencl: clBuildProgram gave .* no log' "a read-only POCL_CACHE_DIR"
says "not 0" 'POCL_CACHE_DIR' "a read-only POCL_CACHE_DIR"

# Without HOME the folder is /tmp/pocl: ours, or another user's. A /tmp of the test's own needs root.
if [ "$(id -u)" = 0 ] && unshare -m true 2> "$work/error"; then
    cat > "$work/foreign" <<END
mount -t tmpfs none /tmp && chmod 1777 /tmp && mkdir -m 0700 /tmp/pocl || exit 99
cd / && exec $user env -i PATH='$PATH' ASAN_OPTIONS=detect_leaks=0 MCL_CACHE_DIR= $vendors "\$@"
END
    mkdir /var/tmp/moderncl_pocl.$$ && cp "$work/info" "$work/foreign" /var/tmp/moderncl_pocl.$$/
    chmod 0755 /var/tmp/moderncl_pocl.$$
    unshare -m sh /var/tmp/moderncl_pocl.$$/foreign /var/tmp/moderncl_pocl.$$/info --device opencl:portable \
        > "$work/out" 2> "$work/error"
    status=$?
    rm -r /var/tmp/moderncl_pocl.$$
    if [ $status = 99 ]; then
        echo "skipped: a /tmp/pocl of another user (no tmpfs can be mounted)"
    else
        says "not 0" 'look who owns /tmp/pocl' "a /tmp/pocl of another user"
    fi
else
    echo "skipped: a /tmp/pocl of another user (needs root and a mount namespace)"
fi

[ $failed = 0 ] && echo "pocl_surroundings: all right"
exit $failed
