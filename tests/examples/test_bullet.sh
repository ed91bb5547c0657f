#!/bin/bash
# Runs a small world of Bullet with its own primitives and with moderncl's. usage: test_bullet.sh CLIENT LIBRARY, one
# that serves nothing. Without CLIENT the test is skipped. MCL_TEST_DEVICE chooses the device.
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "skipped: example_bullet: Bullet 3 was not found (Debian: libbullet-dev g++)"
    exit 77
fi
client=$1 other=$2
# Bullet's own kernels need the whole header of POCL.
[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=("$client" --check --folder "$work" --device "${MCL_TEST_DEVICE:-opencl:portable}")

"${run[@]}" --bodies 300 --steps 30
run+=(--bodies 8 --steps 1)
# What must fail does: a library that serves nothing, and one that is not there.
if said=$("${run[@]}" --library "$other") || [[ $said != *"FAILED: moderncl served no call"* ]]; then
    echo "a library that serves nothing passed: $said"
    exit 1
fi
if said=$("${run[@]}" --library "$work/none" 2>&1) || [[ $said != *"No such file"* ]]; then
    echo "a library that is not there passed: $said"
    exit 1
fi
