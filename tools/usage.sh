# shellcheck shell=sh
# usage.sh: what the scripts read by "." to answer --help and to refuse a wrong command line. Their first comment says
# "usage: NAME [ARGUMENT]".

# show_help ARGUMENT...: where one is --help, prints the script's first comment and ends it with status 0.
show_help() {
    for usage_argument; do
        [ "$usage_argument" = --help ] || continue
        awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"
        exit 0
    done
}

# expect_arguments LEAST MOST "OPTION..." ARGUMENT...: ends the script with status 2 where the number of arguments is
# out of range, or where one begins with a dash and is none of the options.
expect_arguments() {
    usage_least=$1 usage_most=$2 usage_options=$3
    shift 3
    show_help "$@"
    usage_wrong=
    if [ $# -lt "$usage_least" ] || [ $# -gt "$usage_most" ]; then usage_wrong="$# arguments"; fi
    for usage_argument; do
        case $usage_argument in
        -*)
            case " $usage_options " in
            *" $usage_argument "*) ;;
            *) usage_wrong=$usage_argument ;;
            esac
            ;;
        esac
    done
    [ -n "$usage_wrong" ] || return 0
    echo "${0##*/}: $usage_wrong: not expected" >&2
    sed -n 's/^#.*\(usage: .*\)/\1/p' "$0" >&2
    exit 2
}
