# page_links.awk: a page as Doxygen wants it: links to files that are no pages are text, and pictures are looked for from
# docs on. Under each C block comes its whole program, which tests/docs/extract.awk has made. Doxygen's INPUT_FILTER.
# usage: awk -v root=PROJECT -v blocks=FOLDER_OF_EXTRACT -v charts=FOLDER_OF_CHARTS -f docs/site/page_links.awk PAGE
#
# A line "<!-- charts WORD... -->" becomes charts that tools/charts has made. A word is an operation, for its chart of
# each device, or a chart's whole name, or all:DEVICE. What follows ": " is the text for readers who do not see them.

BEGIN {
    command = "LC_ALL=C ls '" charts "'"
    while ((command | getline name) > 0) if (sub(/\.svg$/, "", name)) names[++name_count] = name
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
            if (list[k] != names[f] && list[k] != operation && list[k] != "all:" device) continue
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
    show_charts(part[1], part[2])
    next
}
!in_fence {
    gsub(/\]\(\.\.\/pictures\//, "](pictures/")
    while (match($0, /\[[^]]*\]\([^)]*\)/)) {
        link = substr($0, RSTART, RLENGTH)
        text = link
        sub(/\]\(.*$/, "", text)
        sub(/^\[/, "", text)
        target = link
        sub(/^[^(]*\(/, "", target)
        if (target !~ /^http/ && target !~ /\.(md|svg|png)(#.*)?\)$/) link = text
        else gsub(/\(/, "\001", link)
        $0 = substr($0, 1, RSTART - 1) link substr($0, RSTART + RLENGTH)
    }
    gsub(/\001/, "(")
}
{ print }
