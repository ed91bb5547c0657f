#!/bin/bash
# With three ranks, the program of docs/mpi.md prints the lines of the page. usage: mpi_page.sh MPIRUN PROGRAM LINES
set -euo pipefail
options=()
[[ $1 != *openmpi ]] || options=(--oversubscribe --bind-to none -q)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 POCL_MAX_PTHREAD_COUNT=1
[ -s "$3" ]
"$1" -n 3 "${options[@]}" "$2" | sort | diff "$3" -
