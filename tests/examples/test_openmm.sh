#!/bin/bash
# Runs OpenMM's sorter and a small box of water with OpenMM's own sorts and with moderncl's. usage: test_openmm.sh
# COMPARE_RUNS PROGRAMS LIBRARY, one that serves nothing. Without arguments the test is skipped.
set -euo pipefail

if [ $# -lt 3 ]; then
    echo "skipped: example_openmm: OpenMM 7.7 or 8.6 was not found (Debian: libopenmm-dev libopenmm-plugins g++)"
    exit 77
fi
compare=$1 programs=$2 other=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# OpenMM chooses a device by itself; here POCL is the one that there is.
[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd

"$compare" "$programs" "$work" --check --edge 8 --steps 10
# What must fail does: a library that serves nothing, and one that is not there.
if said=$("$compare" "$programs" "$work" --check --edge 8 --steps 2 --library "$other") ||
    [[ $said != *"FAILED: moderncl served no sort"* ]]; then
    echo "a library that serves nothing passed: $said"
    exit 1
fi
if said=$("$compare" "$programs" "$work" --library "$work/none" 2>&1) || [[ $said != *"no such file"* ]]; then
    echo "a library that is not there passed: $said"
    exit 1
fi
