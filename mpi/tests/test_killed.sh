#!/bin/bash
# Kills a rank during a sort, and checks that the job ends within 10 seconds, with a message. usage: test_killed.sh
# MPIRUN TEST_MPI
set -uo pipefail
mpirun=$1 program=$2
log=$(mktemp)
trap 'rm -f "$log" "$log.start"' EXIT
options=()
[[ $mpirun != *openmpi ]] || options=(--oversubscribe --bind-to none)

# the time counts from the first sort on, since four processes take long to start and compile
timeout 100 "$mpirun" -n 4 "${options[@]}" "$program" killed 2>&1 | while IFS= read -r line; do
    [[ $line != sorting* ]] || date +%s > "$log.start"
    echo "$line"
done > "$log"
status=${PIPESTATUS[0]}
took=$(($(date +%s) - $(cat "$log.start" 2> /dev/null || echo 0)))

failures=0
report() { # WHAT
    echo "test_killed: $1 ($took s, exit status $status)"
    failures=$((failures + 1))
}
if [ "$status" = 0 ] || [ "$status" = 124 ]; then report "the job does not end by itself"; fi
grep -q '^sorting' "$log" || report "no rank sorts"
grep -qiE 'signal|killed|terminat' "$log" || report "there is no message"
[ $took -le 10 ] || report "the job ends too late"
[ $failures = 0 ] || cat "$log"
echo "test_killed: $((4 - failures)) passed, $failures failed"
[ $failures = 0 ]
