#!/bin/sh
# A program linked by -static is told that it can load no driver. usage: test_static_program.sh CC INCLUDE LIBRARY
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat > "$work/empty.c" << 'END'
#include <pthread.h>
int main(void) { return pthread_self() == 0; }
END
if ! "$1" -static -o "$work/empty" "$work/empty.c" -lm -lpthread 2> "$work/errors" || ! "$work/empty"; then
    echo "skipped: static_program (no static C library)"
    exit 77
fi
cat > "$work/program.c" << 'END'
#include <moderncl/moderncl.h>
#include <stdio.h>
int main(void)
{
    mcl_device_info infos[4];
    mcl_context *context = NULL;
    int count = -1;
    if (mcl_device_list(infos, 4, &count) != MCL_OK || count != 0) return 3;
    if (mcl_context_create(NULL, &context) != MCL_ERROR_DEVICE) return 4;
    puts(mcl_last_error());
    return 0;
}
END
# Linkers warn of dlopen in a static program.
if ! "$1" -static -I"$2" -o "$work/program" "$work/program.c" "$3" -lm -ldl -lpthread 2> "$work/errors"; then
    cat "$work/errors"
    exit 1
fi
MCL_DEVICE='' "$work/program" > "$work/said"
status=$?
cat "$work/said"
[ $status = 0 ] || { echo "the program's exit status is $status; expected 0"; exit 1; }
grep -q 'mcl_context_create: .*the program is linked by -static' "$work/said"
