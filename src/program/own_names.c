/* own_names.c: names that users' sources give to functions, macros and types, where the library's texts have the same
 * names. Such a function gets another name in all texts of users. A user's macro ends with users' texts. A type of such
 * a name is told where it does not compile. */
#include "program/generate.h"

#include <string.h>

enum { NAMES_MAX = 32 };

/* A line, or a name, in a text. */
typedef struct piece {
    const char *start;
    size_t length;
} piece;

typedef struct name_list {
    int count;
    piece names[NAMES_MAX];
} name_list;

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

static void add_name(name_list *list, piece name)
{
    for (int k = 0; k < list->count; ++k)
        if (list->names[k].length == name.length && memcmp(list->names[k].start, name.start, name.length) == 0) return;
    if (name.length > 0 && name.start[0] != '_' && list->count < NAMES_MAX) list->names[list->count++] = name;
}

static int begins(piece line, const char *text)
{
    return line.length >= strlen(text) && memcmp(line.start, text, strlen(text)) == 0;
}

static piece line_at(const char *start)
{
    return (piece){ start, strcspn(start, "\n") };
}

/* Returns the start of the line after this one; NULL where there is none. */
static const char *line_after(piece line)
{
    const char *const end = line.start + line.length;
    return *end && end[1] ? end + 1 : NULL;
}

/* Returns 1 where the line is the mark of a user's text, as #line 1 "<before: source>" is. */
static int is_users_mark(piece line)
{
    return begins(line, "#line 1 \"<") && memchr(line.start, ':', line.length);
}

/* Returns 1 where the line ends a user's text. */
static int is_librarys_mark(piece line)
{
    static const char file[] = "\"<generated>\"";
    const size_t length = strlen(file);
    return begins(line, "#line ") && line.length > length &&
           memcmp(line.start + line.length - length, file, length) == 0;
}

/* ---- what users define --------------------------------------------------------------------------------------- */

/* Returns the length of a literal at the start of text; 0 where there is none. */
static size_t literal_length(const char *text)
{
    size_t length = 1;
    if (text[0] != '"' && text[0] != '\'') return 0;
    while (text[length] && text[length] != text[0] && text[length] != '\n')
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    return text[length] ? length + 1 : length;
}

/* Returns the length of a comment at the start of text; 0 where there is none. */
static size_t comment_length(const char *text)
{
    if (text[0] != '/') return 0;
    if (text[1] == '/') return strcspn(text, "\n");
    const char *const end = text[1] == '*' ? strstr(text + 2, "*/") : NULL;
    return end ? (size_t)(end + 2 - text) : 0;
}

/* A macro with the text of its definition. */
typedef struct macro {
    piece name, text;
    int times; /* number of definitions */
} macro;

typedef struct macro_list {
    int count;
    macro macros[NAMES_MAX];
} macro_list;

static void add_macro(macro_list *list, macro added)
{
    for (int k = 0; k < list->count; ++k) {
        const piece name = list->macros[k].name;
        if (name.length != added.name.length || memcmp(name.start, added.name.start, name.length) != 0) continue;
        list->macros[k].times += added.times;
        return;
    }
    if (added.name.length > 0 && added.name.start[0] != '_' && list->count < NAMES_MAX)
        list->macros[list->count++] = added;
}

/* Returns the length of a line of the preprocessor, with the lines that go on with it. Adds the macro that it defines.
 * A macro that is ended, or defined under a condition, counts as defined twice. conditions: number of those that are
 * open. */
static size_t directive_length(const char *text, macro_list *macros, int *conditions)
{
    const char *const word = text + 1 + strspn(text + 1, " \t");
    const size_t named = strspn(word, letters);
    const piece directive = { word, named };
    size_t length = strcspn(text, "\n");
    while (text[length] && text[length - 1] == '\\') length += 1 + strcspn(text + length + 1, "\n");
    *conditions += begins(directive, "if") - begins(directive, "endif");
    const int defines = begins(directive, "define"), ends = begins(directive, "undef");
    if (defines || ends) {
        const char *const at = word + named + strspn(word + named, " \t");
        const int times = ends || *conditions > 0 ? 2 : 1;
        add_macro(macros, (macro){ .name = { at, strspn(at, letters) }, .text = { text, length }, .times = times });
    }
    return length;
}

/* What users' sources define. */
typedef struct definitions {
    name_list functions;
    macro_list macros;
} definitions;

/* Adds what a text defines or declares. A function's name stands before a bracket, and outside all others. */
static void add_defined(piece text, definitions *found)
{
    int depth = 0, conditions = 0;
    for (const char *at = text.start; at < text.start + text.length;) {
        const size_t word = strspn(at, letters);
        const size_t skipped =
            *at == '#' ? directive_length(at, &found->macros, &conditions) : comment_length(at) + literal_length(at);
        if (word > 0 && depth == 0 && at[word + strspn(at + word, " \t\n")] == '(')
            add_name(&found->functions, (piece){ at, word });
        depth += (*at == '{' || *at == '(' || *at == '[') - (*at == '}' || *at == ')' || *at == ']');
        at += word > 0 ? word : skipped > 0 ? skipped : 1;
    }
}

/* Adds what all sources in the text define. A source goes from its mark to the next mark. */
static void collect(const char *text, definitions *found)
{
    for (const char *next = text; next;) {
        const piece mark = line_at(next);
        next = line_after(mark);
        if (!is_users_mark(mark) || !next) continue;
        const char *const start = next;
        while (next && !begins(line_at(next), "#line ")) next = line_after(line_at(next));
        add_defined((piece){ start, next ? (size_t)(next - start) : strlen(start) }, found);
    }
}

/* ---- what the library defines -------------------------------------------------------------------------------- */

/* Returns 1 where the line has the whole word. after: the character after the word; 0: any. */
static int has_word(piece line, piece word, char after)
{
    for (size_t k = 0; k + word.length <= line.length; ++k) {
        const char *const at = line.start + k;
        char next = '\n';
        if (k + word.length < line.length) next = at[word.length];
        const int is_whole = (k == 0 || !strchr(letters, at[-1])) && !strchr(letters, next);
        if (is_whole && (!after || next == after) && memcmp(at, word.start, word.length) == 0) return 1;
    }
    return 0;
}

static int has_name(piece line, piece name)
{
    return has_word(line, name, 0);
}

/* Returns 1 where the line is #define, a macro without parameters, and only the name. */
static int is_macro_for(piece line, piece name)
{
    static const char opening[] = "#define ";
    const size_t before = strlen(opening), word = begins(line, opening) ? strspn(line.start + before, letters) : 0;
    return word > 0 && line.length == before + word + 1 + name.length && line.start[before + word] == ' ' &&
           memcmp(line.start + line.length - name.length, name.start, name.length) == 0;
}

/* Returns 1 where the line declares a function, or ends a type, of this name. Some functions get their names from a
 * macro, as in #define BINARY_SEARCH lower_bound. */
static int declares(piece line, piece name)
{
    if (is_macro_for(line, name)) return 1;
    if (begins(line, "static ") || begins(line, "MCL_")) return has_word(line, name, '(');
    return begins(line, "} ") && has_word(line, name, ';');
}

static int defines_macro(piece line, piece name)
{
    static const char opening[] = "#define ";
    piece defined = line;
    if (!begins(line, opening)) return 0;
    defined.start += strlen(opening);
    defined.length = strspn(defined.start, letters);
    return defined.length == name.length && memcmp(defined.start, name.start, name.length) == 0;
}

/* Returns 1 where a line of the library's in the text passes the test. */
static int library_has(const char *text, piece name, int (*test)(piece line, piece name))
{
    int is_users = 0;
    for (const char *next = text; next;) {
        const piece line = line_at(next);
        next = line_after(line);
        is_users = begins(line, "#line ") ? is_users_mark(line) : is_users;
        if (!is_users && test(line, name)) return 1;
    }
    return 0;
}

/* ---- the text -------------------------------------------------------------------------------------------------- */

/* Names that users' texts and the library's use for different things. */
typedef struct conflicts {
    name_list functions; /* users' functions that need another name */
    macro_list between;  /* users' macros that the text between users' texts must not see */
    name_list after;     /* users' other macros, which end with users' texts */
} conflicts;

/* Returns 1 where the definition may stand in the text once more: there is one, and no comment goes on after it. */
static int can_repeat(const macro *defined)
{
    int is_open = 0;
    for (size_t k = 0; k + 1 < defined->text.length; ++k) {
        const char *const at = defined->text.start + k;
        if (begins((piece){ at, 2 }, is_open ? "*/" : "/*")) is_open = !is_open;
    }
    return defined->times == 1 && !is_open;
}

/* Finds the conflicts. text: the whole text before the kernel file; begin: where its generated part begins. */
static void find_conflicts(const char *text, size_t begin, const char *file, conflicts *found)
{
    definitions own = { .functions = { 0 } };
    collect(text + begin, &own);
    for (int k = 0; k < own.functions.count; ++k) {
        const piece name = own.functions.names[k];
        if (library_has(text, name, declares) || library_has(file, name, declares)) add_name(&found->functions, name);
    }
    for (int k = 0; k < own.macros.count; ++k) {
        const macro *const defined = &own.macros.macros[k];
        if (library_has(text, defined->name, defines_macro)) continue; /* the dialect's, which the library needs */
        if (!library_has(text + begin, defined->name, has_name))
            add_name(&found->after, defined->name);
        else if (can_repeat(defined))
            add_macro(&found->between, *defined);
    }
}

/* Writes a line for each name, after the text before. */
static void put_lines(mcl__text *out, const name_list *list, const char *before)
{
    for (int k = 0; k < list->count; ++k) {
        mcl__text_append(out, before);
        mcl__text_bytes(out, list->names[k].start, list->names[k].length);
        mcl__text_append(out, "\n");
    }
}

/* Writes macros that give functions other names. They change no member and no binding of these names. */
static void put_functions(mcl__text *out, const name_list *list)
{
    for (int k = 0; k < list->count; ++k) {
        const piece name = list->names[k];
        mcl__text_append(out, "#define ");
        mcl__text_bytes(out, name.start, name.length);
        mcl__text_append(out, "(...) " MCL__OWN_NAMES);
        mcl__text_bytes(out, name.start, name.length);
        mcl__text_append(out, "(__VA_ARGS__)\n");
    }
}

/* Ends macros before a text of the library's, or defines them again before a text of a user's. end: macros whose
 * definition comes later are not touched. */
static void put_macros(mcl__text *out, const macro_list *list, const char *end, int defines)
{
    for (int k = 0; k < list->count; ++k) {
        const macro *const put = &list->macros[k];
        const piece what = defines ? put->text : put->name;
        if (put->text.start >= end) continue;
        if (!defines) mcl__text_append(out, "#undef ");
        mcl__text_bytes(out, what.start, what.length);
        mcl__text_append(out, "\n");
    }
}

/* Appends the generated part. Macros around users' texts give their functions other names. */
static void append_part(mcl__text *out, const char *text, const conflicts *found)
{
    int is_users = 0;
    for (const char *next = text; next;) {
        const piece line = line_at(next);
        next = line_after(line);
        const int ends = is_users && is_librarys_mark(line), starts = !is_users && is_users_mark(line);
        if (ends) {
            put_lines(out, &found->functions, "#undef ");
            put_macros(out, &found->between, line.start, 0);
        }
        if (starts) put_macros(out, &found->between, line.start, 1);
        if (starts) put_functions(out, &found->functions);
        is_users = starts || (is_users && !ends);
        if (ends) {
            mcl__generate_mark(out);
        } else {
            mcl__text_bytes(out, line.start, line.length);
            mcl__text_append(out, "\n");
        }
    }
    put_lines(out, &found->after, "#undef ");
}

void mcl__own_names(mcl__text *out, size_t begin, const char *file)
{
    mcl__text whole = { 0 };
    conflicts found = { .functions = { 0 } };
    if (out->failed) return;
    mcl__text_bytes(&whole, out->data, out->length);
    if (whole.failed) {
        out->failed = 1;
        mcl__text_free(&whole);
        return;
    }
    find_conflicts(whole.data, begin, file, &found);
    if (found.functions.count + found.between.count + found.after.count > 0) {
        out->length = begin;
        append_part(out, whole.data + begin, &found);
    }
    mcl__text_free(&whole);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* Returns the sentence of the line that says that two things have one name; no length where there is none. It comes
 * after the last ": " in front of its words. */
static piece conflict_told(piece line)
{
    static const char *const words[] = { "redefinition", "redeclaration", "already been defined" };
    piece sentence = line;
    for (; line.length > 0; ++line.start, --line.length) {
        if (begins(line, ": ")) sentence = (piece){ line.start + 2, line.length - 2 };
        for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
            if (begins(line, words[k])) return sentence;
    }
    return line;
}

static int tells_of_type(piece told, const mcl_type *type)
{
    return type && type->kind == MCL_KIND_STRUCT && has_name(told, (piece){ type->name, strlen(type->name) });
}

/* Returns the user's type that is told of; NULL where there is none. */
static const mcl_type *type_told(const mcl__spec *spec, piece told)
{
    for (int k = 0; k < MCL__TYPES_MAX; ++k)
        if (tells_of_type(told, spec->types[k].type)) return spec->types[k].type;
    for (int k = 0; k < MCL__OPS_MAX; ++k)
        if (spec->ops[k].op && tells_of_type(told, spec->ops[k].element)) return spec->ops[k].element;
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k) {
        const mcl_input *const input = spec->inputs[k].input;
        if (input && tells_of_type(told, input->type)) return input->type;
        if (tells_of_type(told, spec->outputs[k].type)) return spec->outputs[k].type;
    }
    return NULL;
}

void mcl__own_types_tell(const mcl__spec *spec, const char *log, mcl__text *out)
{
    for (const char *next = log; next;) {
        const piece line = line_at(next);
        next = line_after(line);
        const piece told = conflict_told(line);
        const mcl_type *const type = told.length > 0 ? type_told(spec, told) : NULL;
        if (!type) continue;
        mcl__text_format(out, "the library's own text has a type named %s; expected another name of the struct type",
                         type->name);
        return;
    }
}
