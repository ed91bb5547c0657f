# page_links.awk: a page as Doxygen wants it. Links to files that are no pages are text, public headers are links to their
# reference, and pictures are looked for from docs on. A list of contents comes under the title. Under each C block comes
# its whole program, which tests/docs/extract.awk has made. Doxygen's INPUT_FILTER.
# usage: awk -v root=PROJECT -v blocks=FOLDER_OF_EXTRACT -v charts=FOLDER_OF_CHARTS -f docs/site/page_links.awk PAGE
#
# A line "<!-- charts WORD... -->" becomes charts that tools/charts has made. A word is an operation, for its chart of
# each device, or a chart's whole name, in which * stands for any text, or all:DEVICE. What follows ": " is the text for
# readers who do not see them.

BEGIN {
    command = charts ? "LC_ALL=C ls '" charts "'" : "true"
    while ((command | getline name) > 0) if (sub(/\.svg$/, "", name)) names[++name_count] = name
}

function fits(name, pattern)
{
    gsub(/\*/, ".*", pattern)
    return name ~ ("^" pattern "$")
}

function show_charts(words, text,    list, count, k, f, operation, device, found)
{
    count = split(words, list, " ")
    for (k = 1; k <= count; ++k) {
        found = 0
        for (f = 1; f <= name_count; ++f) {
            device = operation = names[f]
            sub(/_.*/, "", device)
            sub(/^[^_]*_/, "", operation)
            if (!fits(names[f], list[k]) && list[k] != operation && list[k] != "all:" device) continue
            print "\n![" (text ? text : operation ", " device) "](charts/" names[f] ".svg)"
            found = 1
        }
        if (!found) print "\n![none](charts/" list[k] ".svg)" # which check_site.sh finds missing
    }
}

# The text of a file as HTML shows it, empty where there is none.
function shown(path,    line, text)
{
    text = ""
    while ((getline line < path) > 0) text = text line "\n"
    close(path)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function whole_program(line,    name, title, text)
{
    name = FILENAME
    sub("^" root "/", "", name)
    sub(/\.md$/, "", name)
    gsub(/[^A-Za-z0-9]/, "_", name)
    name = name "_" line ".c"
    title = has_main ? "The same, to copy" : "The whole program"
    text = shown(blocks "/programs/" name)
    if (text == "") text = shown(blocks "/mpi/" name)
    if (text == "") {
        title = "The whole function"
        text = shown(blocks "/functions/" name)
    }
    if (text == "") return
    print "\n\\htmlonly[block]\n<details class=\"program\"><summary>" title "</summary>"
    printf "<pre>%s</pre>\n", text
    print "<p><a href=\"programs/" name "\">" name "</a></p></details>"
    if (!has_programs++) print "<script src=\"copy.js\" defer></script>"
    print "\\endhtmlonly\n"
}

/^```/ {
    in_fence = !in_fence
    if (in_fence) {
        block_line = FNR + 1
        is_c = $0 == "```c"
        has_main = 0
    } else if (is_c) {
        print
        whole_program(block_line)
        is_c = 0
        next
    }
}
/^int main\(/ { has_main = 1 }
!in_fence && /^<!-- charts .* -->$/ {
    gsub(/^<!-- charts | -->$/, "")
    split($0, part, /: /)
    print "\n\\htmlonly[block]\n<div class=\"charts\">\n\\endhtmlonly\n"
    show_charts(part[1], part[2])
    print "\n\\htmlonly[block]\n</div>\n\\endhtmlonly\n"
    next
}
# A public header's page, the reference of its names.
function header_page(name)
{
    gsub(/_/, "__", name)
    sub(/\./, "_8", name)
    return name ".html"
}

!in_fence {
    while (match($0, /\]\((\.\.\/)*include\/moderncl\/[a-z_]+\.h(pp)?\)/)) {
        link = substr($0, RSTART, RLENGTH)
        name = link
        gsub(/.*\/|\)$/, "", name)
        before = substr($0, 1, RSTART - 1)
        text = before
        sub(/.*\[/, "", text)
        $0 = substr(before, 1, length(before) - length(text) - 1) "<a href=\"" header_page(name) "\">" text "</a>" \
             substr($0, RSTART + RLENGTH)
    }
    while (match($0, /`moderncl\/[a-z_]+\.h(pp)?`/)) {
        name = substr($0, RSTART + 10, RLENGTH - 11)
        $0 = substr($0, 1, RSTART - 1) "<a href=\"" header_page(name) "\">moderncl/" name "</a>" \
             substr($0, RSTART + RLENGTH)
    }
    gsub(/\]\(\.\.\/pictures\//, "](pictures/")
    while (match($0, /\[[^]]*\]\([^)]*\)/)) {
        link = substr($0, RSTART, RLENGTH)
        text = link
        sub(/\]\(.*$/, "", text)
        sub(/^\[/, "", text)
        target = link
        sub(/^[^(]*\(/, "", target)
        gsub(/`/, "", text) # which Doxygen would show
        sub(/^\[[^]]*/, "[" text, link)
        if (target !~ /^http/ && target !~ /\.(md|svg|png)(#.*)?\)$/) link = text
        else gsub(/\(/, "\001", link)
        $0 = substr($0, 1, RSTART - 1) link substr($0, RSTART + RLENGTH)
    }
    gsub(/\001/, "(")
}
/^## / { in_functions = FILENAME ~ /README\.md$/ && /^## Functions/ }
# In the table of functions each whole name leads to its reference.
in_functions && /^\| / {
    rest = substr($0, index(substr($0, 2), "|") + 1)
    first = substr($0, 1, length($0) - length(rest))
    while (match(first, /`mcl_[a-z_]+`/))
        first = substr(first, 1, RSTART - 1) "\\ref " substr(first, RSTART + 1, RLENGTH - 2) " " \
                substr(first, RSTART + RLENGTH)
    gsub(/ ,/, ",", first)
    $0 = first rest
}
{ print }
/^# / && !in_fence && !has_contents++ && FILENAME !~ /README\.md$/ { print "\n[TOC]\n" } # site.css hides short ones
