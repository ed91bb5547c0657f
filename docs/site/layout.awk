# layout.awk: Doxygen's layout with the navigation of order.txt: the groups of pages, then the reference, where each
# header stands under the title of the operation page that names it. Others follow under their own names, then the page
# that python/reference.py writes. Pages of operations that the order leaves out follow those that it names.
# usage, in the project's folder: doxygen -l FILE; awk -f docs/site/layout.awk docs/site/order.txt FILE

function attribute(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/"/, "\\&quot;", text)
    gsub(/`/, "", text)
    return text
}

# Reads the page's title, and the header that it documents.
function read_page(path,    line)
{
    title = header = ""
    while ((getline line < path) > 0) {
        if (title == "" && line ~ /^# /) title = substr(line, 3)
        if (header == "" && match(line, /`moderncl\/[a-z0-9_]+\.h`/)) header = substr(line, RSTART + 10, RLENGTH - 11)
    }
    close(path)
    if (title == "") {
        print "layout.awk: " path " has no title" > "/dev/stderr"
        exit 1
    }
}

function tab(label, url) { return "      <tab type=\"user\" url=\"" url "\" title=\"" attribute(label) "\"/>\n" }

function header_url(name)
{
    gsub(/_/, "__", name)
    sub(/\./, "_8", name)
    return name ".html"
}

function add_page(path,    name)
{
    read_page(path)
    listed[path] = 1
    name = path
    sub(/\.md$/, "", name)
    gsub(/\//, "_", name)
    menu = menu tab(title, "md_" name ".html")
    if (is_operations && header != "" && !(header in seen)) {
        seen[header] = 1
        reference = reference tab(title ": " header, header_url(header))
    }
}

# Adds the pages of operations that the list does not name, after those that it names.
function add_other_operations(    command, path)
{
    command = "ls docs/operations/*.md"
    while ((command | getline path) > 0)
        if (!(path in listed)) add_page(path)
    close(command)
}

function end_group() { if (in_group) menu = menu "    </tab>\n" }

FNR == NR && FNR == 1 { next } # what the list is
FNR == NR && /^# / {
    if (is_operations && !/^# Operations/) add_other_operations()
    end_group()
    in_group = 1
    menu = menu "    <tab type=\"usergroup\" title=\"" attribute(substr($0, 3)) "\">\n"
    is_operations = /^# Operations/
    next
}
FNR == NR {
    add_page($0)
    next
}
/<navindex>/ {
    end_group()
    print
    print "    <tab type=\"mainpage\" visible=\"yes\" title=\"moderncl\"/>"
    printf "%s    <tab type=\"usergroup\" title=\"Reference\">\n%s", menu, reference
    command = "ls include/moderncl"
    while ((command | getline file) > 0)
        if (file ~ /\.h(pp)?$/ && !(file in seen)) printf "%s", tab(file, header_url(file))
    close(command)
    printf "%s", tab("The Python module", "python_reference.html")
    print "      <tab type=\"globals\" visible=\"yes\" title=\"All names\" intro=\"\"/>"
    print "    </tab>"
    skipping = 1
    next
}
/<\/navindex>/ { skipping = 0 }
!skipping { print }
