#!/bin/bash
# Every program and script ends as the table of CONTRIBUTING.md says. usage: exit_codes.sh PROGRAM...
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
looked_at=0

# expect STATUS COMMAND...: ends so within 20 seconds; where it is not 0, stderr says why, and where it is 2 stdout has
# nothing.
expect() {
    local wanted=$1 found=0
    shift
    timeout 20 "$@" > "$work/out" 2> "$work/said" < /dev/null || found=$?
    looked_at=$((looked_at + 1))
    if [ $found != "$wanted" ]; then
        echo "exit_codes: $*: ends with $found instead of $wanted"
        failures=$((failures + 1))
    elif [ "$wanted" = 2 ] && { [ ! -s "$work/said" ] || [ -s "$work/out" ]; }; then
        echo "exit_codes: $*: the reason belongs on stderr, and nothing on stdout"
        failures=$((failures + 1))
    fi
}

# Scripts: an option that nobody knows; and --help, which prints something, starts nothing and is quick.
mapfile -t scripts < <(find tools packaging/check_recipes bench/peers/fetch_cccl docs/site docs/ci examples \
    tests/readers/run tests/mutants/run -maxdepth 2 -type f -perm -u+x | sort)
for script in "${scripts[@]}" ./quickstart .ci/run python/wheel; do expect 2 "$script" --no-such-option; done
for script in "${scripts[@]}" ./quickstart .ci/run tests/fuzz/run tests/fuzz/plant.sh python/test python/wheel; do
    expect 0 timeout 5 "$script" --help
    [ -s "$work/out" ] || { echo "exit_codes: $script --help prints nothing" && failures=$((failures + 1)); }
done
for program in "$@"; do
    expect 2 "$program" --no-such-option
    case ${program##*/} in
        moderncl-demo) expect 2 "$program" --device teapot scan ;;
        moderncl-study) expect 2 "$program" --device teapot merge ;;
        moderncl-*)
            expect 2 "$program" --device teapot
            expect 0 "$program" --version
            ;;
    esac
done

# A check that fails, in a copy.
mkdir -p "$work/tools" && cp tools/check_words tools/usage.sh tools/words.txt "$work/tools"
expect 0 "$work/tools/check_words" "$PWD/CONTRIBUTING.md"
word=$(sed -nE 's/^([a-z ]+) \| .*/\1/p' tools/words.txt | head -n 1)
[ -n "$word" ] || { echo "exit_codes: tools/words.txt has no plain word" && exit 1; }
echo "A text with $word in it." > "$work/page.md"
expect 1 "$work/tools/check_words" "$work/page.md"

echo "exit_codes: $looked_at commands, $failures failures"
[ $failures = 0 ]
