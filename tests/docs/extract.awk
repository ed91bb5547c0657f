# extract.awk: from the fenced blocks of pages to C files and lists, which test_docs and check_shell.sh run.
#
# usage, in the project's folder: awk -v out=FOLDER -v frame=tests/docs/program.c -f tests/docs/whole.awk
#        -f tests/docs/extract.awk PAGE.md...
#
# A c block with a main function is a program. Any other is a fragment: whole.awk makes a program of it, which has a
# context and a queue. The site shows that program under the block, and test_docs runs it. A text block holds what the c
# block before it prints. Blocks of cpp and python, and the text after them, are left to tests/cpp/page.sh and
# python/test. HTML comments, which readers do not see, say the rest; each stands alone, before the block that it is for:
#
#   <!-- given          declarations, one a line, of what blocks after it use; doc_ints, doc_bytes of program.c
#   <!-- given file     C lines in front of the program's functions
#   <!-- given source FILE   the text of a file of the project in front of the program's functions
#   <!-- then           after a block: C lines at its end, which print what it made; doc_print of program.c
#   <!-- block: file    the block stands in front of the functions: types, operators
#   <!-- block: fails   the block's calls fail; what they say is printed
#   <!-- block: compile PARAMETERS   it is compiled alone, in a function with these parameters, and not run
#   <!-- block: mpi     the block is a program that runs with three ranks; the lines that it prints are sorted
#   <!-- block: run     a sh block is run; others are only looked through for tools and options that are not there
#   <!-- block: skip REASON
#
# A program has the given lines and the blocks in front that it uses, and no other block: so none may need what an earlier
# one has done.
#
# FOLDER gets PAGE.c for each page, pages.inc, shell.txt, skipped.txt; its folder programs PAGE_LINE.c for each program,
# and its folder functions the same for what is only compiled; mpi has programs and what they print. All three must be
# there.

function quoted(text)
{
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n\"\n        \"", text)
    return "\"" text "\""
}

function complain(line, text)
{
    printf "%s:%d: %s\n", page, line, text > "/dev/stderr"
    failed = 1
}

# Ends the block that waits for its "then" and its text.
function flush_pending()
{
    if (!pending) return
    if (pending_is_mpi) {
        write("mpi", pending_line, ".c", pending)
        write("mpi", pending_line, ".txt", expected)
    } else if (pending ~ /(^|\n)int main\(/) {
        add_program(pending)
    } else {
        add_program(whole_program(id "_" pending_line, page, pending, pending_then))
    }
    pending = pending_then = expected = ""
    has_expected = 0
}

function finish_page(    file)
{
    if (page == "") return
    flush_pending()
    if (in_fence || in_comment) complain(start, "is not closed")
    if (body == "" && file_part == "") return
    file = out "/" id ".c"
    printf "/* The blocks of %s. Written by extract.awk. */\n#include \"blocks.h\"\n\n%s\n", page, file_part > file
    printf "void page_%s(void);\nvoid page_%s(void)\n{\n%s}\n", id, id, body > file
    close(file)
    printf "PAGE(%s, \"%s\")\n", id, page > (out "/pages.inc")
}

function at(line) { return "#line " line " \"" page "\"\n" }

function write(folder, line, ending, text,    file)
{
    file = out "/" folder "/" id "_" line ending
    printf "%s", text > file
    close(file)
}

function add_program(text)
{
    write("programs", pending_line, ".c", text)
    file_part = file_part "int program_" id "_" pending_line "(void);\n"
    body = body "    doc_begin(\"" page "\", " pending_line ");\n    doc_end(program_" id "_" pending_line "(), " \
           (has_expected ? quoted(expected) : "NULL") ", " pending_fails ");\n"
}

function add_c(line)
{
    flush_pending()
    pending_fails = 0
    if (mode ~ /^skip/) {
        printf "%s:%d: %s\n", page, line - 1, substr(mode, 6) > (out "/skipped.txt")
    } else if (mode ~ /^compile/) {
        write("functions", line, ".c", whole_function(id "_" line, page, code, substr(mode, 9)))
    } else if (mode == "file") {
        file_part = file_part at(line) code
        add_part("file", code)
    } else {
        pending_fails = mode == "fails"
        pending_is_mpi = mode == "mpi"
        pending = code
        pending_line = line
    }
}

function add_shell(line,    text, count, lines, k)
{
    text = code
    gsub(/\\\n */, "", text)
    count = split(text, lines, "\n")
    for (k = 1; k <= count; ++k)
        if (lines[k] ~ /[^ ]/ && lines[k] !~ /^ *#/)
            printf "%s:%d\t%s\t%s\n", page, line + k - 1, mode ? mode : "look", lines[k] > (out "/shell.txt")
}

function end_block()
{
    if (language == "c") {
        add_c(start + 1)
    } else if (language == "cpp" || language == "python") {
        flush_pending()
    } else if (language == "text" && (last == "cpp" || last == "python")) {
        last = ""
    } else if (language == "text") {
        if (!pending) complain(start, "a text block without a c block before it")
        expected = code
        has_expected = 1
        flush_pending()
    } else if (language == "sh") {
        flush_pending()
        add_shell(start + 1)
    } else if (language != "" && language != "cmake") {
        complain(start, "blocks of " language " are not tested: extract.awk knows c, text, sh, cmake, cpp and python")
    }
    mode = ""
    last = language
}

function source_text(path,    line, text)
{
    text = ""
    while ((getline line < path) > 0) text = text line "\n"
    close(path)
    if (text == "") complain(start, "there is no " path)
    return text
}

function end_comment()
{
    if (comment == "given") {
        flush_pending()
        add_given(code)
    } else if (comment == "given file") {
        flush_pending()
        file_part = file_part at(start + 1) code
        add_part("file", code)
    } else if (comment ~ /^given source /) {
        flush_pending()
        code = source_text(substr(comment, 14))
        file_part = file_part "#line 1 \"" substr(comment, 14) "\"\n" code
        add_part("file", code)
    } else if (comment == "then") {
        if (!pending) complain(start, "a \"then\" without a c block before it")
        pending_then = pending_then code
    } else if (comment ~ /^block: (file|fails|mpi|run|skip .+|compile.*)$/) {
        mode = substr(comment, 8)
    } else {
        complain(start, "a comment that extract.awk does not know: " comment)
    }
}

FNR == 1 {
    finish_page()
    page = id = FILENAME
    gsub(/\.md$/, "", id)
    gsub(/[^A-Za-z0-9]/, "_", id)
    body = file_part = code = mode = last = pending = pending_then = expected = ""
    in_fence = in_comment = has_expected = part_count = 0
}

in_fence && /^```$/ { in_fence = 0; end_block(); next }
in_fence { code = code $0 "\n"; next }
in_comment && /^ *-->$/ { in_comment = 0; end_comment(); next }
in_comment { code = code $0 "\n"; next }
/^```/ { in_fence = 1; start = FNR; code = ""; language = substr($0, 4); next }
/^<!-- (given|then|block)/ {
    start = FNR
    code = ""
    comment = substr($0, 6)
    if (sub(/ *-->$/, "", comment)) end_comment()
    else in_comment = 1
}

END {
    finish_page()
    exit failed
}
