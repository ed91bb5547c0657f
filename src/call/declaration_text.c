/* declaration_text.c: the text that a declaration adds to its program. It has the parameters of each kernel,
 * definitions for absent operands, and the struct of all operands. docs/kernel_dialect.md shows an example. */
#include "call/call.h"
#include "program/generate.h"

/* ---- absent operands ------------------------------------------------------------------------------------ */

static const char absent_input[] =
    "#define ARRAY_$1 0\n"
    "typedef struct {\n    index_type count;\n} input_$1;\n"
    "static inline input_$1 make_$1(void)\n{\n    input_$1 made;\n    made.count = 0;\n    return made;\n}\n"
    "static inline $1_type load_$1(const input_$1 $1, const index_type k$2)\n{\n"
    "    (void)$1;\n    (void)k;\n$3    return 0;\n}\n";
static const char absent_output[] =
    "#define WANTED_$1 0\n#define $1_HAS_VECTORS 0\n"
    "typedef struct {\n    int unused;\n} output_$1;\n"
    "static inline output_$1 make_$1(void)\n{\n    output_$1 made;\n    made.unused = 0;\n    return made;\n}\n"
    "static inline void store_$1(const output_$1 $1, const index_type k, const $1_type v)\n{\n"
    "    (void)$1;\n    (void)k;\n    (void)v;\n}\n";
static const char absent_shift[] =
    "static inline $2_$1 shift_$1(const $2_$1 $1, const index_type k)\n{\n    (void)k;\n    return $1;\n}\n";

/* Writes definitions for an absent operand: a small type, and functions that do nothing. Kernels call them exactly as
 * they call the functions of a present operand. */
static void write_absent(const mcl__operand *p, mcl__text *out)
{
    const int is_input = p->kind == MCL__INPUT;
    mcl__generate_fill(out, "#define HAS_$1 0\n", p->name, NULL, NULL);
    if (p->kind == MCL__OPERATOR) return;
    mcl__generate_fill(out, "typedef int32_t $1_type;\n#define MAKE_$1 make_$1()\n", p->name, NULL, NULL);
    if (!is_input)
        mcl__generate_fill(out, absent_output, p->name, NULL, NULL);
    else if (!p->placed)
        mcl__generate_fill(out, absent_input, p->name, "", "");
    else
        mcl__generate_fill(out, absent_input, p->name, ", const index_type segment, const index_type rank",
                           "    (void)segment;\n    (void)rank;\n");
    if (is_input) mcl__generate_fill(out, "#define PLACED_$1 $2\n", p->name, p->placed ? "1" : "0", NULL);
    mcl__generate_fill(out, absent_shift, p->name, is_input ? "input" : "output", NULL);
}

static int is_given(const mcl__call *call, int k)
{
    return call->operands[k].input != NULL;
}

/* Returns 1 where operand k is the one that its name stands for. Operands of the same name are alternatives. The name
 * stands for the one that is present or, if none is, for the first. */
static int is_named(const mcl__call *call, int k)
{
    const mcl__operand *const named = mcl__call_operand(call, k);
    if (named->unused) return 0;
    for (int other = mcl__call_next(call, 0); other; other = mcl__call_next(call, other)) {
        const mcl__operand *const p = mcl__call_operand(call, other);
        if (other == k || p->unused || strcmp(p->name, named->name) != 0) continue;
        if (is_given(call, other) || (other < k && !is_given(call, k))) return 0;
    }
    return 1;
}

/* ---- parameters ----------------------------------------------------------------------------------------- */

/* Writes the comma or blank before a parameter. PARAMS_env contains its own comma. */
static void separate(mcl__text *out, int *count)
{
    mcl__text_append(out, (*count)++ > 0 ? ", " : " ");
}

static void write_parameter(const mcl__call *call, unsigned word, mcl__text *out, int *count)
{
    const mcl__declaration *const table = call->declaration;
    const int k = (int)(word & 31u);
    const unsigned kind = word & ~31u;
    if (kind == MCL__ENVIRONMENT) {
        mcl__text_append(out, " PARAMS_env");
        return;
    }
    if (((kind == MCL__OPERAND || kind == MCL__LIMIT) && !is_given(call, k)) ||
        (kind == MCL__SCRATCH && (call->without & MCL__BIT(k))) ||
        (kind == MCL__BY_VALUE && !call->by_value[k].bytes) ||
        (kind == MCL__STATES && (call->without & MCL__NO_STATES)))
        return;
    separate(out, count);
    if (kind == MCL__OPERAND) mcl__text_format(out, "PARAMS_%s", mcl__call_operand(call, k)->name);
    if (kind == MCL__SCRATCH)
        mcl__text_format(out, "ARRAY_PARAM(%s, %s)", table->scratch[k].type, table->scratch[k].name);
    if (kind == MCL__INDEX) mcl__text_format(out, "index_type %s", table->scalars[k]);
    if (kind == MCL__INT) mcl__text_format(out, "int %s", table->scalars[k]);
    if (kind == MCL__LONG) mcl__text_format(out, "int64_t %s", table->scalars[k]);
    if (kind == MCL__BY_VALUE) mcl__text_format(out, "%s %s", table->by_value[k].type, table->by_value[k].name);
    if (kind == MCL__HAS_RESULT) mcl__text_format(out, "int has_%s", mcl__call_operand(call, k)->name);
    if (kind == MCL__LIMIT) mcl__text_format(out, "index_type %s_limit", mcl__call_operand(call, k)->name);
    if (kind == MCL__STATES) mcl__text_append(out, "ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters)");
}

static void write_parameters(const mcl__call *call, const mcl__pass *pass, mcl__text *out)
{
    int count = 0;
    mcl__text_format(out, "#define PARAMS_%s", pass->name);
    for (int k = 0; k < MCL__PASS_ARGUMENTS_MAX && pass->arguments[k]; ++k)
        write_parameter(call, pass->arguments[k], out, &count);
    mcl__text_append(out, "\n");
}

/* ---- the struct of all operands ------------------------------------------------------------------------- */

static int is_member(const mcl__call *call, int k)
{
    return mcl__call_operand(call, k)->kind != MCL__OPERATOR && is_named(call, k);
}

static int has_word(const mcl__pass *pass, unsigned word)
{
    for (int k = 0; k < MCL__PASS_ARGUMENTS_MAX && pass->arguments[k]; ++k)
        if (pass->arguments[k] == word) return 1;
    return 0;
}

static int has_number(const mcl__pass *pass, int k)
{
    const unsigned number = (unsigned)k;
    return has_word(pass, MCL__INDEX + number) || has_word(pass, MCL__INT + number) ||
           has_word(pass, MCL__LONG + number);
}

/* Returns the type of scalar k as a member of the struct, or NULL if no pass has this scalar. An int64_t becomes an
 * index_type, since registers are few. */
static const char *number_type(const mcl__declaration *table, int k)
{
    const unsigned number = (unsigned)k;
    for (int pass = 0; pass < MCL__KERNELS_MAX; ++pass) {
        if (has_word(&table->passes[pass], MCL__INT + number)) return "int";
        if (has_number(&table->passes[pass], k)) return "index_type";
    }
    return NULL;
}

/* Returns 1 where a pass of the declaration has the argument with code word. */
static int is_passed(const mcl__declaration *table, unsigned word)
{
    for (int pass = 0; pass < MCL__KERNELS_MAX; ++pass)
        if (has_word(&table->passes[pass], word)) return 1;
    return 0;
}

/* Writes the members that accompany an operand: whether a result has memory, and how much room an output has. */
static void write_beside(const mcl__call *call, int k, mcl__text *out)
{
    const mcl__declaration *const table = call->declaration;
    const unsigned operand = (unsigned)k;
    if (is_passed(table, MCL__HAS_RESULT + operand))
        mcl__text_format(out, "    int has_%s;\n", mcl__call_operand(call, k)->name);
    if (is_passed(table, MCL__LIMIT + operand))
        mcl__text_format(out, "    index_type %s_limit;\n", mcl__call_operand(call, k)->name);
}

static void write_struct(const mcl__call *call, mcl__text *out)
{
    const mcl__declaration *const table = call->declaration;
    mcl__text_append(out, "typedef struct {\n");
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        if (!is_member(call, k)) continue;
        const mcl__operand *const p = mcl__call_operand(call, k);
        mcl__text_format(out, "    %s_%s %s;\n", p->kind == MCL__INPUT ? "input" : "output", p->name, p->name);
        write_beside(call, k, out);
    }
    for (int k = 0; k < MCL__SCALARS_MAX; ++k)
        if (table->scalars[k] && number_type(table, k))
            mcl__text_format(out, "    %s %s;\n", number_type(table, k), table->scalars[k]);
    mcl__text_append(out, "} operands_type;\n");
}

/* Writes the assignments to the members that write_beside declares. The room of an absent output is 0. */
static void write_take_beside(const mcl__call *call, const mcl__pass *pass, int k, mcl__text *out, int *count)
{
    const char *const name = mcl__call_operand(call, k)->name;
    const unsigned operand = (unsigned)k;
    if (has_word(pass, MCL__HAS_RESULT + operand)) {
        separate(out, count);
        mcl__text_format(out, "(o).has_%s = has_%s", name, name);
    }
    if (!has_word(pass, MCL__LIMIT + operand)) return;
    separate(out, count);
    if (is_given(call, k))
        mcl__text_format(out, "(o).%s_limit = %s_limit", name, name);
    else
        mcl__text_format(out, "(o).%s_limit = 0", name);
}

/* Writes the macro TAKE_kernel(o). It sets the members of o that are parameters of the kernel, and the members of
 * absent operands. */
static void write_take(const mcl__call *call, const mcl__pass *pass, mcl__text *out)
{
    const mcl__declaration *const table = call->declaration;
    int count = 0;
    mcl__text_format(out, "#define TAKE_%s(o)", pass->name);
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        if (!is_member(call, k) || (is_given(call, k) && !has_word(pass, MCL__OPERAND + (unsigned)k))) continue;
        separate(out, &count);
        const char *const name = mcl__call_operand(call, k)->name;
        mcl__text_format(out, "(o).%s = MAKE_%s", name, name);
        write_take_beside(call, pass, k, out, &count);
    }
    for (int k = 0; k < MCL__SCALARS_MAX; ++k) {
        if (!table->scalars[k] || !has_number(pass, k)) continue;
        separate(out, &count);
        mcl__text_format(out, "(o).%s = (%s)%s", table->scalars[k], number_type(table, k), table->scalars[k]);
    }
    mcl__text_append(out, "\n");
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

/* Returns 1 where an earlier pass of the program uses the same kernel. */
static int is_repeated(const mcl__call *call, int pass)
{
    const mcl__pass *const list = call->declaration->passes;
    for (int k = 0; k < pass; ++k)
        if (mcl__call_has_pass(call, k) && strcmp(list[k].name, list[pass].name) == 0) return 1;
    return 0;
}

void mcl__call_text(const void *described, mcl__text *out)
{
    const mcl__call *const call = described;
    const mcl__declaration *const table = call->declaration;
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        if (!is_named(call, k)) continue;
        if (is_given(call, k))
            mcl__text_format(out, "#define HAS_%s 1\n", mcl__call_operand(call, k)->name);
        else
            write_absent(mcl__call_operand(call, k), out);
    }
    write_struct(call, out);
    for (int k = 0; k < MCL__KERNELS_MAX; ++k) {
        const mcl__pass *const pass = &table->passes[k];
        if (!mcl__call_has_pass(call, k) || !pass->arguments[0] || is_repeated(call, k)) continue;
        write_parameters(call, pass, out);
        write_take(call, pass, out);
    }
}
