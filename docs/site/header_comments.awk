# header_comments.awk: a public header with its plain comments as Doxygen wants them. Doxygen's INPUT_FILTER.
#
# The comment at the top, and each that a blank line follows, belong to the file; others to the declaration after them.
# A comment after a member belongs to that member. Prose is text, which wraps at any width. A line "name  what it is",
# with what goes on below it further to the right, is a term and its description. "- " begins an item of a list. Other
# lines that are indented stay as they are.

# Only what would be a tag, a command or Markdown is another thing in Doxygen's eyes.
function escaped(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/\\/, "\\\\", text)
    gsub(/@/, "\\@", text)
    gsub(/#/, "\\#", text)
    gsub(/%/, "\\%", text)
    gsub(/"/, "\\\"", text)
    gsub(/::/, "\\::", text)
    return text
}

function trimmed(text)
{
    sub(/^ +/, "", text)
    return text
}

# What closes the block that is open, and opens the next one.
function change(next_block,    text)
{
    if (next_block == block) return between[block]
    text = closing[block] opening[next_block]
    block = next_block
    return text
}

# A line of a comment as HTML; before is the line above it.
function shown(line, before,    term, text)
{
    if (line ~ /^ *$/) return change("")
    if (match(line, /^[A-Za-z_][^ ]*( [^ ]+)*  +[^ ]/) && index(line, "  ") <= 40) {
        term = substr(line, 1, index(line, "  ") - 1)
        text = change("terms")
        return text "<dt>" escaped(term) "</dt><dd>" escaped(trimmed(substr(line, length(term) + 1)))
    }
    if (line ~ /^- /) {
        text = change("list")
        return text "<li>" escaped(substr(line, 3))
    }
    if (line ~ /^ / && (block == "code" || (block == "" && before ~ /(^ *|:)$/))) {
        text = block == "code" ? "" : change("code")
        return text escaped(line)
    }
    if (line ~ /^ /) return escaped(trimmed(line))
    text = change("")
    if (line ~ /^[A-Z][a-z]+( [a-z]+)?: / && before !~ /^ *$/) text = text "<p>"
    return text escaped(line)
}

BEGIN {
    opening["terms"] = "<dl class=\"terms\">"
    between["terms"] = "</dd>"
    closing["terms"] = "</dd></dl>"
    opening["list"] = "<ul>"
    between["list"] = "</li>"
    closing["list"] = "</li></ul>"
    opening["code"] = "<pre>"
    closing["code"] = "</pre>"
}

# As many lines as before, so that Doxygen's line numbers are right. The first paragraph is text as it stands.
function write_comment(of_file,    k, in_first, line)
{
    in_first = 1
    block = ""
    for (k = 1; k <= count; ++k) {
        line = lines[k]
        if (line ~ /^ *$/ && k > 1) in_first = 0
        line = in_first ? escaped(line) : shown(line, lines[k - 1])
        if (k == 1) line = (of_file ? "/** \\file\n" : "/** ") line
        if (k == count) line = line change("") " */"
        print line
    }
}

function take(text)
{
    sub(/ *\*\/ *$/, "", text)
    lines[++count] = text
}

waiting { # a whole comment; the next line says whose it is
    write_comment(is_first || $0 ~ /^[ \t]*$/)
    waiting = is_first = 0
}
!in_comment && /^\/\* -+ / { print; next } # a heading
!in_comment && /^\/\*/ && !/\*\/ *[^ ]/ {
    count = 0
    is_first = NR == 1
    text = $0
    sub(/^\/\* ?/, "", text)
    in_comment = text !~ /\*\/ *$/
    take(text)
    waiting = !in_comment
    next
}
in_comment {
    text = $0
    sub(/^ \* ?/, "", text)
    in_comment = text !~ /\*\/ *$/
    take(text)
    waiting = !in_comment
    next
}
/[;,{}] +\/\* .*\*\/ *$/ || /^#define .*\/\* .*\*\/ *$/ {
    match($0, /\/\* .*\*\/ *$/)
    comment = substr($0, RSTART + 3)
    sub(/ *\*\/ *$/, "", comment)
    print substr($0, 1, RSTART - 1) "/**< " escaped(comment) " */"
    next
}
{ print }
