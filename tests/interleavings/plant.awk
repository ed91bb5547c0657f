# plant.awk: writes a copy of a text of cl with one fault of the file faults. Variables: name, of the fault; from, the
# folder cl; to, the folder of the copy. Exit status 1: the text does not have the lines that the fault replaces.
function fail(message) {
    print "faults: " name ": " message > "/dev/stderr"
    failed = 1
    exit 1
}
function replace(at) {
    if (old == "") return
    at = index(text, old)
    if (!at) fail(path " has no lines\n" old)
    text = substr(text, 1, at - 1) new substr(text, at + length(old))
    old = new = ""
}
$1 == "fault" { replace(); is_mine = $2 == name; next }
!is_mine || /^#/ || /^$/ { next }
$1 == "file" {
    path = $2
    while ((getline line < (from "/" path)) > 0) text = text line "\n"
    next
}
/^- / {
    if (new != "") replace()
    old = old substr($0, 3) "\n"
    next
}
/^\+ / { new = new substr($0, 3) "\n" }
END {
    if (failed) exit 1
    replace()
    if (path == "") fail("there is none of that name")
    folder = to "/" path
    sub("/[^/]*$", "", folder)
    if (system("mkdir -p '" folder "'") != 0) exit 1
    printf "%s", text > (to "/" path)
}
