#!/bin/bash
# usage: check_shell.sh LIST SOURCE BUILD. Looks through the commands of sh blocks in docs, a line "PAGE:LINE<tab>HOW
# <tab>COMMAND" each: the tools must be there and have the options named. Those with "run" are run and must succeed.
set -euo pipefail
list=$1
source=$2
build=$3
export PATH=$build/tools:$build/bench:$PATH
cd "$source"
checked=0 failures=0 skipped=0

report() {
    echo "$where: $1"
    failures=$((failures + 1))
}

# The long options of a tool's own must be in what it says of itself.
check_options() { # TOOL WORD...
    local tool=$1 help word option
    shift
    help=$("$tool" --help 2>&1) || true
    for word in "$@"; do
        [[ $word == --* ]] || continue
        option=${word%%=*}
        grep -q -- "$option\b" <<< "$help" || report "$tool has no option $option"
    done
}

while IFS=$'\t' read -r where how command; do
    checked=$((checked + 1))
    command=${command%% #*}
    # assignments in front of a command are no tool
    read -ra words <<< "${command%% |*}"
    while [[ ${words[0]:-} =~ ^[A-Za-z_][A-Za-z_0-9]*= ]]; do words=("${words[@]:1}"); done
    [ ${#words[@]} -gt 0 ] || continue
    tool=${words[0]}
    if [[ $tool == moderncl-* ]] && ! command -v "$tool" > /dev/null; then
        echo "skipped: $where: $tool is not built"
        skipped=$((skipped + 1))
        continue
    fi
    if [ "$how" = run ]; then
        log=$(cd "$build" && bash -euc "$command" 2>&1) || report "fails: $command"$'\n'"$log"
    fi
    case "$tool" in
        moderncl-*) check_options "$tool" "${words[@]:1}" ;;
        ./* | tools/* | .ci/* | tests/* | examples/* | python/*)
            [ -x "$tool" ] || report "$tool is not there"
            for word in "${words[@]:1}"; do
                [ "$word" != -- ] || break # what follows is for another tool
                [[ $word != --* ]] || grep -q -- "${word%%=*}" "$tool" || report "$tool has no option ${word%%=*}"
            done
            ;;
        build/* | intel/* | my_program) ;; # what is made here, and what a reader has
        mpirun) ;; # starts what is made here
        cc | cmake | cp | cpack | ctest | git | mkdir | ls | python3)
            command -v "$tool" > /dev/null || report "$tool is not there"
            ;;
        # tools that a page says may be installed; none is needed to build or test
        cuobjdump | nvdisasm | ptxas | compute-sanitizer | oclgrind | gdb | doxygen | gnuplot | dpkg-buildpackage) ;;
        *) report "$tool: check_shell.sh does not know it" ;;
    esac
done < "$list"

echo "check_shell.sh: $checked commands, $failures failures, $skipped skipped"
[ "$failures" = 0 ] && [ "$checked" -gt 0 ]
