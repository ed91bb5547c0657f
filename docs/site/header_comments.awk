# header_comments.awk: a public header with its plain comments as Doxygen wants them. Doxygen's INPUT_FILTER.
#
# The comment at the top, and each that a blank line follows, belong to the file; others to the declaration after them.
# A comment keeps its line breaks and columns, since lists of parameters are laid out by hand: its first paragraph is
# text, the rest stands between <pre> tags. A comment after a member belongs to that member.

# Between <pre> tags only what would be a tag or a command is one.
function escaped_pre(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/\\/, "\\\\", text)
    gsub(/@/, "\\@", text)
    gsub(/#/, "\\#", text)
    gsub(/%/, "\\%", text)
    return text
}

function escaped(text)
{
    text = escaped_pre(text)
    gsub(/"/, "\\\"", text)
    gsub(/::/, "\\::", text)
    return text
}

# As many lines as before, so that Doxygen's line numbers are right.
function write_comment(of_file,    k, in_first, line, open)
{
    open = 0
    in_first = 1
    for (k = 1; k <= count; ++k) {
        line = lines[k]
        if (in_first && k > 1 && line ~ /^ *$/) {
            in_first = 0
            if (k < count) {
                line = "<pre>"
                open = 1
            }
        } else {
            line = in_first ? escaped(line) : escaped_pre(line)
        }
        if (k == 1) line = (of_file ? "/** \\file\n" : "/** ") line
        if (k == count) line = line (open ? "</pre>" : "") " */"
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
