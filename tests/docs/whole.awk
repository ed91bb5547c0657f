# whole.awk: makes the whole program of a block, as readers paste it. extract.awk and this file run as one.
#
# A page's parts are the lines of its "given" comments, and its texts that stand in front of functions. A program has the
# parts that its block uses, main, and after it the functions of program.c that it uses.

function add_part(kind, text)
{
    part_text[++part_count] = text
    part_kind[part_count] = kind
}

function add_given(text,    lines, count, k)
{
    count = split(text, lines, "\n")
    for (k = 1; k < count; ++k) {
        if (lines[k] !~ /^[a-z].*;$/) complain(start + k, "a given line that is no declaration")
        add_part("given", lines[k] "\n")
    }
}

function uses(text, name) { return text ~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)") }

# 1: text needs a name that a line of the part declares: the last one before "=", ";", "[" or "(".
function needs(text, part,    lines, count, k, name)
{
    count = split(part, lines, "\n")
    for (k = 1; k <= count; ++k) {
        name = lines[k]
        if (name !~ /^[A-Za-z#]/ || name ~ /^#include/) continue
        if (sub(/^MCL_SOURCE\(/, "", name)) sub(/,.*/, "", name)
        else if (sub(/^#define /, "", name)) sub(/[^A-Za-z0-9_].*/, "", name)
        else sub(/ *[=;[(].*/, "", name)
        sub(/.*[^A-Za-z0-9_]/, "", name)
        if (name != "" && uses(text, name)) return 1
    }
    return 0
}

# Says in is_kept which parts the text needs, and which these need in turn.
function keep_parts(text,    k)
{
    for (k = part_count; k >= 1; --k)
        if ((is_kept[k] = needs(text, part_text[k]))) text = part_text[k] text
    return text
}

function kept(kind,    k, text)
{
    text = ""
    for (k = 1; k <= part_count; ++k)
        if (is_kept[k] && part_kind[k] == kind) text = text part_text[k] (kind == "file" ? "\n" : "")
    return text
}

# Releases of the buffers that are given, the last one first.
function releases(    k, name, text)
{
    text = ""
    for (k = part_count; k >= 1; --k) {
        if (!is_kept[k] || part_text[k] !~ /^mcl_buffer \*/) continue
        name = part_text[k]
        sub(/^mcl_buffer \*/, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
        text = text "mcl_buffer_release(" name ");\n"
    }
    return text
}

function indented(text)
{
    gsub(/\n/, "\n    ", text)
    sub(/    $/, "", text)
    gsub(/\n    \n/, "\n\n", text)
    gsub(/\n    \n/, "\n\n", text)
    return text == "" ? "" : "    " text
}

# Parts text into its #include lines, in included, and the others, without empty ones at the front.
function without_includes(text,    lines, count, k, rest)
{
    included = rest = ""
    count = split(text, lines, "\n")
    for (k = 1; k < count; ++k)
        if (lines[k] ~ /^#include/) included = included lines[k] "\n"
        else rest = rest lines[k] "\n"
    sub(/^\n+/, "", rest)
    return rest
}

# The functions of program.c that text uses. Their declarations go to declared, the text of main to main_text.
function frame_functions(text,    line, chunk, first, name, found)
{
    found = chunk = declared = ""
    while ((getline line < frame) > 0) {
        if (line ~ /^(#include|\/\* program\.c)/ || (line == "" && chunk == "")) continue
        if (line ~ /^static .*;$/) declared = declared line "\n"
        if (line ~ /^static .*;$/) continue
        chunk = chunk line "\n"
        if (line ~ /^[a-z].*\(/) {
            first = name = line
            sub(/\(.*/, "", name)
            sub(/.*[^A-Za-z0-9_]/, "", name)
        }
        if (line != "}") continue
        if (name == "main") main_text = chunk
        else if (name == "doc_failed" || uses(text, name)) {
            found = found "\n" chunk
            declared = declared first ";\n"
        }
        chunk = ""
    }
    close(frame)
    return found
}

function head(page, command)
{
    return "/* An example of " page " of moderncl, complete. Compile it with\n *     " command " moderncl) */\n"
}

function whole_program(file, page, code, then,    all, given, functions, before, text)
{
    code = without_includes(code)
    all = keep_parts(code then)
    functions = frame_functions(all)
    before = main_text
    sub(/    \/\* block \*\/\n.*/, "", before)
    given = kept("given")
    text = (given == "" ? "" : given "\n") code then "\n" releases()
    main_text = substr(main_text, length(before) + 1)
    sub(/^[^\n]*\n/, "", main_text)
    return head(page, "cc " file ".c $(pkg-config --cflags --libs") "#include <moderncl/moderncl.h>\n#include <stdio.h>\n" \
           (functions ~ /memset/ || uses(all, "mem[a-z]+") ? "#include <string.h>\n" : "") included "\n" \
           kept("file") "/* What all programs of the documentation share. It stands below main. */\n" declared "\n" \
           before indented(text) main_text functions
}

# A block that is compiled alone. What stands in front of it may be what its #include lines need.
function whole_function(file, page, code, parameters,    parts)
{
    code = without_includes(code)
    keep_parts(code parameters)
    parts = kept("file")
    return head(page, "cc -c " file ".c $(pkg-config --cflags") parts "#include <moderncl/moderncl.h>\n" included \
           "\nvoid example(" parameters ")\n{\n" indented(code) "}\n"
}
