/* explain.c: explains an error in a user's text. A compiler reports a line of the assembled text. The user has written
 * only a part of that line, and knows neither the line nor the names that this part may use. */
#include "program/explain.h"
#include "program/generate.h"

#include <string.h>

enum { UNKNOWN_MAX = 4, COLUMNS_MOST = 100 };

/* A range of characters in the log or in the source. */
typedef struct piece {
    const char *start;
    size_t length;
} piece;

/* An error that the log reports. */
typedef struct build_error {
    piece file;
    int line;
    int column; /* 0 if the compiler gives none */
    piece message;
} build_error;

/* The position of an error: a line of the source, with the file and number that the last #line mark gives the line. */
typedef struct place {
    piece file;
    int line;
    int column;
    piece text;
    int at_end; /* 1 if something is missing at the end of the text */
} place;

static piece line_at(const char *start)
{
    return (piece){ start, strcspn(start, "\n") };
}

/* Returns the start of the next line, or NULL after the last line. */
static const char *line_after(piece line)
{
    const char *const end = line.start + line.length;
    return *end ? end + 1 : NULL;
}

static int same(piece a, piece b)
{
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

static int is_text(piece a, const char *text)
{
    return same(a, (piece){ text, strlen(text) });
}

static int begins(piece a, const char *text)
{
    return a.length >= strlen(text) && memcmp(a.start, text, strlen(text)) == 0;
}

static piece without(piece a, size_t count)
{
    return (piece){ a.start + count, a.length - count };
}

/* ---- the log ------------------------------------------------------------------------------------------------ */

/* Reads a number that mark follows. Returns the length of both, or 0 where they are not there. */
static size_t number_before(piece a, const char *mark, int *number)
{
    size_t digits = 0;
    *number = 0;
    for (; digits < a.length && digits < 9 && a.start[digits] >= '0' && a.start[digits] <= '9'; ++digits)
        *number = 10 * *number + (a.start[digits] - '0');
    return digits > 0 && begins(without(a, digits), mark) ? digits + strlen(mark) : 0;
}

/* Returns the length of " <Spelling=FILE:LINE:COLUMN>:", which POCL adds where a name is one of POCL's macros. Returns
 * 0 for other text. */
static size_t spelling_length(piece a)
{
    static const char opening[] = " <Spelling=", closing[] = ">:";
    if (!begins(a, opening)) return 0;
    for (size_t k = 0; k < a.length; ++k)
        if (begins(without(a, k), closing)) return k + strlen(closing);
    return 0;
}

/* Reads a position at the beginning of a: ":LINE:COLUMN:" of clang, or "(LINE):" of NVRTC. Returns its length, or 0. */
static size_t read_place(piece a, build_error *error)
{
    error->column = 0;
    if (begins(a, "(")) {
        const size_t length = number_before(without(a, 1), "):", &error->line);
        return length ? 1 + length : 0;
    }
    if (!begins(a, ":")) return 0;
    const size_t first = number_before(without(a, 1), ":", &error->line);
    const size_t second = first ? number_before(without(a, 1 + first), "", &error->column) : 0;
    const piece rest = without(a, 1 + first + second);
    const size_t closing = begins(rest, ":") ? 1 : spelling_length(rest);
    return second && closing ? 1 + first + second + closing : 0;
}

/* Moves past the word "error:". Returns 1 where the word is there. POCL writes it before the file and line, other
 * compilers after them. */
static int pass_error(piece *line)
{
    static const char *const words[] = { "error: ", " error: ", " fatal error: ", " catastrophic error: " };
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k) {
        if (!begins(*line, words[k])) continue;
        *line = without(*line, strlen(words[k]));
        return 1;
    }
    return 0;
}

/* Returns the column of the caret, or 0 where there is none. NVRTC gives no column as a number: it writes the source
 * line after two blanks, and a caret in the next line. */
static int caret_column(piece line)
{
    const size_t indent = 2;
    const char *const shown = line_after(line);
    const char *const below = shown ? line_after(line_at(shown)) : NULL;
    if (!below) return 0;
    const piece marks = line_at(below);
    const size_t blanks = strspn(below, " \t");
    return blanks >= indent && blanks < marks.length && below[blanks] == '^' ? (int)(blanks - indent) + 1 : 0;
}

/* Reads a line of the log. Returns 1 where the line reports an error with file and line. */
static int read_error(piece line, build_error *error)
{
    piece rest = line;
    int is_error = pass_error(&rest);
    for (size_t k = 0; k < rest.length; ++k) {
        const size_t length = read_place(without(rest, k), error);
        if (length == 0) continue;
        error->file = (piece){ rest.start, k };
        error->message = without(rest, k + length);
        is_error |= pass_error(&error->message);
        while (begins(error->message, " ")) error->message = without(error->message, 1);
        if (error->column == 0) error->column = caret_column(line);
        return is_error;
    }
    return 0;
}

/* ---- the source ---------------------------------------------------------------------------------------------- */

/* Reads a mark. Returns 1 where the line is #line NUMBER "FILE". */
static int read_mark(piece line, int *number, piece *file)
{
    if (!begins(line, "#line ")) return 0;
    const piece rest = without(line, strlen("#line "));
    const size_t length = number_before(rest, " \"", number);
    if (!length) return 0;
    file->start = rest.start + length;
    file->length = strcspn(file->start, "\"\n");
    return 1;
}

/* Finds the error's line in the source. oclgrind and NVIDIA's OpenCL ignore #line marks and count all lines of the
 * text. */
static int find_line(const char *source, const build_error *error, place *found)
{
    const int counts_all = is_text(error->file, "input.cl") || is_text(error->file, "<kernel>");
    place at = { .file = { "", 0 }, .column = error->column };
    int number = 1;
    for (const char *next = source; next; ++number, ++at.line) {
        const piece line = line_at(next);
        next = line_after(line);
        const int is_mark = read_mark(line, &at.line, &at.file);
        if (is_mark) --at.line; /* -1, since a mark gives the number of the next line */
        at.text = line;
        const int is_here = counts_all ? number == error->line : at.line == error->line && same(at.file, error->file);
        if (is_mark || !is_here) continue;
        *found = at;
        return 1;
    }
    return 0;
}

/* Returns the line before start in the source. */
static piece line_before(const char *source, const char *start)
{
    const char *begin = start - 1;
    while (begin > source && begin[-1] != '\n') --begin;
    return (piece){ begin, (size_t)(start - 1 - begin) };
}

/* Removes the text that the library has written around an expression (mcl__generate_expression). */
static void trim_expression(const char *source, place *at)
{
    static const char *const openings[] = { "    return !!(", "    return (" };
    static const char closing[] = "    );";
    if (is_text(at->text, closing) && begins(line_at(at->text.start + sizeof closing), "}") && at->line > 1) {
        at->text = line_before(source, at->text.start);
        at->column = (int)at->text.length + 1;
        at->at_end = 1;
        --at->line;
    }
    for (size_t k = 0; k < sizeof openings / sizeof openings[0] && at->line == 1; ++k) {
        const int length = (int)strlen(openings[k]);
        if (!begins(at->text, openings[k])) continue;
        at->text = without(at->text, (size_t)length);
        at->column = at->column > length ? at->column - length : 0;
        return;
    }
}

/* Removes the text that mcl_count_if has written around a test. */
static void trim_counted_test(place *at)
{
    const size_t opening = strlen(MCL__COUNTED_TEST_OPENING), closing = strlen(MCL__COUNTED_TEST_CLOSING);
    if (at->line == 1 && begins(at->text, MCL__COUNTED_TEST_OPENING)) {
        at->text = without(at->text, opening);
        at->column = at->column > (int)opening ? at->column - (int)opening : 0;
    }
    if (at->text.length >= closing && begins(without(at->text, at->text.length - closing), MCL__COUNTED_TEST_CLOSING))
        at->text.length -= closing;
}

/* Replaces the line of a user's kernel by the line that the user wrote, without MCL_ENTER (source.c). */
static void trim_kernel(const mcl__spec *spec, place *at)
{
    static const char enter[] = " MCL_ENTER(";
    const char *own = spec->text;
    for (int k = 1; k < at->line && own; ++k) own = line_after(line_at(own));
    if (!own) return;
    const piece line = line_at(own);
    const int added = (int)at->text.length - (int)line.length;
    int before = 0; /* number of characters before MCL_ENTER */
    while ((size_t)before < at->text.length && !begins(without(at->text, (size_t)before), enter)) ++before;
    if (at->column > before + added) at->column -= added;
    at->text = line;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* The operator or input, and its part, that contain the error. */
typedef struct owner {
    piece name;
    const char *label; /* name of the parameter in error sentences */
    piece part;        /* name of the part, such as "expression" or "source" */
    const char *text;  /* the user's expression; NULL where the part is a source */
    const char *names;
    const char *needed; /* one-letter names that nearly every such expression uses */
    const mcl_binding *bindings;
    int binding_count;
    int is_counted_test; /* 1 if text is the extract that mcl_count_if has made from a test */
} owner;

static const char *const role_names[] = {
    [MCL_ROLE_FOLD] = "a fold has p and q, two accumulated values",
    [MCL_ROLE_ORDER] = "an order has p and q, two elements",
    [MCL_ROLE_EQUALITY] = "an equality has p and q, two elements",
    [MCL_ROLE_TEST] = "a test has x, the element, and i, its index",
    [MCL_ROLE_FUNCTION] = "a function has p and q",
    [MCL_ROLE_INDEX] = "an index has x, the element, and i, its index",
};

/* Makes the owner the test that the caller gave to mcl_count_if, instead of the extract made from it. */
static void own_counted_test(owner *own)
{
    own->is_counted_test = 1;
    own->label = "test";
    own->part = (piece){ "expression", strlen("expression") };
    own->names = role_names[MCL_ROLE_TEST];
}

static void own_operator(owner *own, const mcl_op *op, mcl_role role)
{
    const int of_element = role == MCL_ROLE_TEST || role == MCL_ROLE_INDEX;
    own->bindings = op->bindings;
    own->binding_count = op->binding_count;
    if (is_text(own->part, "expression")) {
        own->text = op->expression;
        own->names = role_names[role];
        own->needed = of_element ? "x" : "pq";
    } else if (is_text(own->part, "extract")) {
        own->text = op->extract;
        own->names = "an extract has x, the element, and i, its index";
        own->needed = "x";
        if (begins((piece){ op->extract, strlen(op->extract) }, MCL__COUNTED_TEST_OPENING)) own_counted_test(own);
    } else if (is_text(own->part, "combine")) {
        own->text = op->combine;
        own->names = "a combine has x, the element, and v, the value of the fold";
        own->needed = "v";
    } else if (is_text(own->part, "identity")) {
        own->text = op->identity;
        own->names = "an identity has no names of its own";
        own->needed = "";
    }
}

static void own_input(owner *own, const mcl_input *input, int placed)
{
    if (!is_text(own->part, "input")) return;
    own->text = input->expression;
    own->names = placed ? "an input has i, the element's index, and segment (or object) and rank"
                        : "an input has i, the element's index";
    own->needed = "i";
    own->bindings = input->bindings;
    own->binding_count = input->binding_count;
}

/* Finds the owner for the file name "<name: part>". Returns 1 where the file is a user's text. */
static int find_owner(const mcl__spec *spec, piece file, owner *own)
{
    const char *const colon = begins(file, "<") ? memchr(file.start, ':', file.length) : NULL;
    *own = (owner){ .needed = "" };
    if (!colon) return spec->text && is_text(file, spec->file);
    own->name = (piece){ file.start + 1, (size_t)(colon - file.start) - 1 };
    own->part = (piece){ colon + 2, file.length - own->name.length - 4 };
    for (int k = 0; k < MCL__OPS_MAX; ++k) {
        if (!spec->ops[k].op || !is_text(own->name, spec->ops[k].name)) continue;
        own->label = spec->ops[k].label;
        own_operator(own, spec->ops[k].op, spec->ops[k].role);
    }
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k) {
        if (!spec->inputs[k].input || !is_text(own->name, spec->inputs[k].name)) continue;
        own->label = spec->inputs[k].label;
        own_input(own, spec->inputs[k].input, spec->inputs[k].placed);
    }
    return 1;
}

/* Names that the compiler does not know: each once, in the order of the log. */
typedef struct unknown_names {
    int count;
    piece list[UNKNOWN_MAX];
} unknown_names;

static void add_unknown(piece message, unknown_names *names)
{
    static const char *const words[] = { "use of undeclared identifier '", "implicit declaration of function '",
                                         "unknown type name '", "identifier \"" };
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k) {
        if (!begins(message, words[k])) continue;
        const piece rest = without(message, strlen(words[k]));
        const piece name = { rest.start, strcspn(rest.start, "'\"\n") };
        for (int seen = 0; seen < names->count; ++seen)
            if (same(name, names->list[seen])) return;
        if (names->count < UNKNOWN_MAX) names->list[names->count++] = name;
        return;
    }
}

/* ---- sentences -------------------------------------------------------------------------------------------------- */

static void put(mcl__text *out, piece a)
{
    mcl__text_bytes(out, a.start, a.length);
}

static const char *joint(int k, int count)
{
    return k == 0 ? "" : k == count - 1 ? " and " : ", ";
}

static void tell_place(const place *at, const owner *own, mcl__text *out)
{
    const int is_own = own->name.start != NULL;
    if (!is_own || !own->text || at->line > 1) mcl__text_format(out, "line %d of ", at->line);
    if (!is_own) {
        put(out, at->file);
        return;
    }
    mcl__text_append(out, "the ");
    put(out, is_text(own->part, "input") ? (piece){ "expression", strlen("expression") } : own->part);
    mcl__text_append(out, " of ");
    if (own->label)
        mcl__text_append(out, own->label);
    else
        put(out, own->name);
}

static void tell_names(const owner *own, mcl__text *out)
{
    if (!own->names) return;
    mcl__text_format(out, "; %s", own->names);
    for (int k = 0; k < own->binding_count; ++k)
        mcl__text_format(out, "%s%s", k == 0 ? ", and the bound " : joint(k, own->binding_count),
                         own->bindings[k].name);
}

/* Words of other languages, and the advice to use C's operator or word instead. */
static const struct {
    const char *word, *advice;
} other_words[] = {
    { "and", "write && for and" },
    { "or", "write || for or" },
    { "not", "write ! for not" },
    { "if", "write c ? a : b for a if c else b" },
    { "True", "write 1 for True" },
    { "False", "write 0 for False" },
    { "np", "write sqrt for np.sqrt" },
    { "math", "write sqrt for math.sqrt" },
    { "abs", "write fabs where x is a float" },
};

/* Messages of compilers for frequent mistakes, with advice for each. */
static const struct {
    const char *words, *also, *advice; /* also: other words that the message must contain */
    char at;                           /* the text's character at the error; 0: any character */
} mistakes[] = {
    { "is ambiguous", "", "convert the arguments to one type that the function takes, as in (float)x", 0 },
    { "more than one instance of", "", "convert the arguments to one type that the function takes, as in (float)x", 0 },
    { "cannot assign to", "", "write == to compare", 0 },
    { "must be a modifiable lvalue", "", "write == to compare", 0 },
    { "indirection requires pointer operand", "", "write pow(x, y) for x ** y", 0 },
    { "type-id cannot have a name", "", "write (int)(x) for int(x)", 0 },
    { "invalid operands to binary", " *const", "write NAME[i] for an element of a bound array", 0 },
    { "invalid operands to binary", "", "write fmod(x, y) for floats", '%' },
    { "invalid operands to binary", "", "write pow(x, y) for a power", '^' },
    { "expected", "", "a function in source makes a struct", '{' },
    { "subscripted value is not", "", "only a name that is bound to a buffer has an index", 0 },
};

static int contains(piece a, const char *text)
{
    for (size_t k = 0; k < a.length; ++k)
        if (begins(without(a, k), text)) return 1;
    return strlen(text) == 0;
}

/* Returns the length of the name at the beginning of a, or 0. */
static size_t name_length(piece a)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const size_t length = strspn(a.start, letters);
    return length < a.length ? length : a.length;
}

/* Returns advice on the error, or NULL. */
static const char *advice_for(const place *at, const build_error *error)
{
    const size_t before = at->column > 0 ? (size_t)at->column - 1 : 0;
    const int is_inside = at->column > 0 && before < at->text.length;
    if (is_inside) {
        piece word = without(at->text, before);
        word.length = name_length(word);
        for (size_t k = 0; k < sizeof other_words / sizeof other_words[0]; ++k)
            if (is_text(word, other_words[k].word)) return other_words[k].advice;
    }
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; ++k)
        if (contains(error->message, mistakes[k].words) && contains(error->message, mistakes[k].also) &&
            (!mistakes[k].at || (is_inside && at->text.start[before] == mistakes[k].at)))
            return mistakes[k].advice;
    return NULL;
}

/* Returns 1 where the text calls a function of this name. */
static int calls(const char *text, piece name)
{
    for (piece rest = { text, strlen(text) }; rest.length > 0;) {
        const size_t length = name_length(rest);
        const int is_called = length > 0 && rest.start[length + strspn(rest.start + length, " ")] == '(';
        if (is_called && same((piece){ rest.start, length }, name)) return 1;
        rest = without(rest, length > 0 ? length : 1);
    }
    return 0;
}

/* Names the needed names that the text lacks, if the number of unknown names is the same. */
static void tell_replacement(const owner *own, const unknown_names *unknown, mcl__text *out)
{
    char missing[UNKNOWN_MAX];
    int count = 0;
    for (const char *name = own->needed; *name; ++name)
        if (!mcl__text_names(own->text, *name)) missing[count++] = *name;
    if (count == 0 || count != unknown->count) return;
    for (int k = 0; k < count; ++k)
        if (calls(own->text, unknown->list[k])) return;
    mcl__text_append(out, ": write ");
    for (int k = 0; k < count; ++k) {
        mcl__text_format(out, "%s%c for ", joint(k, count), missing[k]);
        put(out, unknown->list[k]);
    }
}

/* Writes the line and a caret below it. A long line, such as MCL_SOURCE makes, is cut at both ends. */
static void tell_line(const place *at, mcl__text *out)
{
    const size_t column = at->column > 0 ? (size_t)at->column - 1 : 0;
    const size_t first = column > COLUMNS_MOST / 2 && at->text.length > COLUMNS_MOST ? column - COLUMNS_MOST / 2 : 0;
    piece shown = without(at->text, first < at->text.length ? first : at->text.length);
    const int is_cut = shown.length > COLUMNS_MOST;
    if (is_cut) shown.length = COLUMNS_MOST;
    mcl__text_append(out, first ? "\n    ..." : "\n    ");
    put(out, shown);
    mcl__text_append(out, is_cut ? "...\n    " : "\n    ");
    if (at->column == 0) return;
    if (first) mcl__text_append(out, "   ");
    for (size_t k = first; k < column; ++k) {
        const unsigned c = k - first < shown.length ? (unsigned char)shown.start[k - first] : ' ';
        const int goes_on = (c & 0xc0) == 0x80; /* a later byte of a UTF-8 character takes no column */
        if (!goes_on) mcl__text_append(out, c == '\t' ? "\t" : " ");
    }
    mcl__text_append(out, "^");
}

/* Writes the compiler's message. Removes prefixes of names, so that users know the names: _cl_ of POCL's functions, and
 * the prefix of functions that have a name of the library's. */
static void tell_message(piece message, mcl__text *out)
{
    static const char *const prefixes[] = { "'_cl_", "'" MCL__OWN_NAMES, "\"" MCL__OWN_NAMES };
    for (size_t k = 0; k < message.length; ++k) {
        put(out, (piece){ message.start + k, 1 });
        for (size_t j = 0; j < sizeof prefixes / sizeof prefixes[0]; ++j)
            if (begins(without(message, k), prefixes[j])) k += strlen(prefixes[j]) - 1;
    }
}

static void tell(const place *at, const owner *own, const build_error *error, const unknown_names *unknown,
                 mcl__text *out)
{
    tell_place(at, own, out);
    if (unknown->count > 0) {
        mcl__text_append(out, unknown->count > 1 ? " has the unknown names " : " has the unknown name ");
        for (int k = 0; k < unknown->count; ++k) {
            mcl__text_append(out, joint(k, unknown->count));
            put(out, unknown->list[k]);
        }
    } else {
        mcl__text_append(out, " does not compile: ");
        tell_message(error->message, out);
        if (at->at_end) mcl__text_append(out, " at its end");
    }
    tell_names(own, out);
    const char *const advice = own->text ? advice_for(at, error) : NULL;
    if (advice)
        mcl__text_format(out, ": %s", advice);
    else if (own->text)
        tell_replacement(own, unknown, out);
    tell_line(at, out);
}

void mcl__explain(const mcl__spec *spec, const char *source, const char *log, mcl__text *out)
{
    build_error first = { .line = 0 };
    place found = { .line = 0 };
    owner own = { .needed = "" };
    unknown_names unknown = { .count = 0 };
    for (const char *next = log; next;) {
        const piece line = line_at(next);
        build_error error;
        place at;
        owner of;
        next = line_after(line);
        if (!read_error(line, &error) || !find_line(source, &error, &at) || !find_owner(spec, at.file, &of)) continue;
        if (found.line > 0 && !same(at.file, found.file)) continue;
        if (found.line == 0) {
            first = error;
            found = at;
            own = of;
            add_unknown(error.message, &unknown);
        } else if (unknown.count > 0) {
            add_unknown(error.message, &unknown);
        }
    }
    if (found.line == 0) {
        mcl__own_types_tell(spec, log, out);
        return;
    }
    if (own.text) trim_expression(source, &found);
    if (own.is_counted_test) trim_counted_test(&found);
    if (!own.name.start) trim_kernel(spec, &found);
    tell(&found, &own, &first, &unknown, out);
}
