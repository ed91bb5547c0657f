/* sort_columns.c: mcl_sort_columns_indices and mcl_sort_columns. Neighbouring key columns are packed into words, the
 * most significant column first, as bits that have the columns' order. The last word is sorted first. Each further sort
 * is stable, and reads the next word in the order found so far (LSD radix sort with words as digits). A column with an
 * operator of the caller is sorted separately. Each step is a call of another operation. */
#include "operations/sort/sort_operands.h"
#include "operations/transform/transform.h"

#include "moderncl/sort.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORD_BITS = 64, WORD_COLUMNS = WORD_BITS / 8, NAME_BYTES = 40, TERM_BYTES = 128 };

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Operands of a key column, where OUT is the order, and of a column of values. ROWS has as many elements as the first
 * key column. It has no memory but its count slot. */
enum { ROWS = 1, KEYS, BEFORE, OUT };
enum { VALUES = 2, VALUES_OUT };

static const mcl__declaration key_column = {
    .of_steps = 1,
    .operands = (mcl__operands){ [ROWS] = { "keys[0].keys", .kind = MCL__INPUT },
                                 [KEYS] = { "keys", .kind = MCL__INPUT, .as_many = ROWS },
                                 [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = ROWS } },
};

static const mcl__declaration value_column = {
    .of_steps = 1,
    .operands = (mcl__operands){ [ROWS] = { "keys[0].keys", .kind = MCL__INPUT },
                                 [VALUES] = { "in", .kind = MCL__INPUT, .group = 1, .as_many = ROWS },
                                 [VALUES_OUT] = { "out", .kind = MCL__OUTPUT, .group = 1, .in_place = MCL__BIT(VALUES),
                                                  .arrays_only = 1 } },
};

/* A column of values with the call that checks it. */
typedef struct checked_column {
    mcl__call call;
    mcl_column column;
    char names[2][NAME_BYTES];
    const char *label[MCL__DECLARED_MAX];
} checked_column;

typedef struct columns_plan {
    const char *function;
    mcl_queue *queue;
    const mcl_options *options;
    const mcl_key_column *keys;
    const mcl_column *columns;
    int key_count, column_count, gives_order;
    mcl_input rows;
    mcl_output order;  /* the order found so far: the caller's out, or an array of scratch */
    mcl_buffer *owned; /* the scratch array of order, or NULL */
} columns_plan;

static mcl_status check_lists(const columns_plan *plan)
{
    mcl__function_is(plan->function);
    if (plan->key_count < 1 || !plan->keys)
        return mcl__fail(MCL_ERROR_ARGUMENT, "keys is %s and key_count %d; expected at least one key column",
                         plan->keys ? "given" : "NULL", plan->key_count);
    if (plan->column_count < 0 || (plan->column_count > 0 && !plan->columns))
        return mcl__fail(MCL_ERROR_ARGUMENT, "columns is %s and column_count %d; expected 0 or more columns",
                         plan->columns ? "given" : "NULL", plan->column_count);
    return MCL_OK;
}

static mcl_status check_key(columns_plan *plan, int k)
{
    char names[2][NAME_BYTES];
    const char *const label[MCL__DECLARED_MAX] = { [KEYS] = names[0], [BEFORE] = names[1] };
    mcl_input keys = plan->keys[k].keys;
    mcl__call call;
    mcl__call_init(&call, &key_column, plan->function, plan->queue, plan->options);
    (void)snprintf(names[0], NAME_BYTES, "keys[%d].keys", k);
    (void)snprintf(names[1], NAME_BYTES, "keys[%d].before", k);
    call.label = label;
    call.operands[ROWS].input = &plan->rows;
    call.operands[KEYS].input = &keys;
    call.operands[BEFORE].op = plan->keys[k].before;
    if (plan->gives_order) call.operands[OUT].output = &plan->order;
    MCL__TRY(mcl__call_check(&call));
    call.room[OUT] = plan->rows.count;
    return mcl__call_ready(&call);
}

static mcl_status check_value(columns_plan *plan, int k, checked_column *checked)
{
    mcl__call *const call = &checked->call;
    mcl__call_init(call, &value_column, plan->function, plan->queue, plan->options);
    checked->column = plan->columns[k];
    (void)snprintf(checked->names[0], NAME_BYTES, "columns[%d].in", k);
    (void)snprintf(checked->names[1], NAME_BYTES, "columns[%d].out", k);
    checked->label[VALUES] = checked->names[0];
    checked->label[VALUES_OUT] = checked->names[1];
    call->label = checked->label;
    call->operands[ROWS].input = &plan->rows;
    call->operands[VALUES].input = &checked->column.in;
    call->operands[VALUES_OUT].output = &checked->column.out;
    MCL__TRY(mcl__call_check(call));
    call->room[VALUES_OUT] = plan->rows.count;
    return mcl__call_ready(call);
}

/* Checks all columns of values. Each column is moved after the columns before it. So no other column may read or store
 * its output. */
static mcl_status check_values(columns_plan *plan, checked_column *checked)
{
    for (int k = 0; k < plan->column_count; ++k) MCL__TRY(check_value(plan, k, &checked[k]));
    for (int k = 0; k < plan->column_count; ++k)
        for (int other = 0; other < plan->column_count; ++other)
            if (other != k) MCL__TRY(mcl__call_check_apart(&checked[k].call, &checked[other].call));
    return MCL_OK;
}

static mcl_status check_columns(columns_plan *plan)
{
    static const int8_t zero;
    MCL__TRY(check_lists(plan));
    plan->rows = mcl_from_constant(MCL_INT8, &zero, 0);
    mcl__adopt_count(&plan->rows, &plan->keys[0].keys);
    for (int k = 0; k < plan->key_count; ++k) MCL__TRY(check_key(plan, k));
    if (plan->column_count == 0) return MCL_OK;
    checked_column *const checked = calloc((size_t)plan->column_count, sizeof *checked);
    if (!checked) return mcl__fail(MCL_ERROR_MEMORY, "no host memory for %d columns", plan->column_count);
    const mcl_status status = check_values(plan, checked);
    free(checked);
    return status;
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

/* Returns the input with the number of rows as its count. */
static mcl_input counted(const columns_plan *plan, mcl_input input)
{
    mcl__adopt_count(&input, &plan->rows);
    return input;
}

/* Creates an array with one element per row. The next round of steps uses the same memory again. */
static mcl_status create_array(const columns_plan *plan, const mcl_type *type, mcl_buffer **made)
{
    const size_t rows = plan->rows.count > 0 ? (size_t)plan->rows.count : 1;
    return mcl__scratch_hold(plan->queue, rows * type->size, made);
}

static mcl_input array_input(const columns_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    return counted(plan, mcl_from_buffer(type, buffer, 0, plan->rows.count));
}

static mcl_output array_output(const columns_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_to_buffer(type, buffer, 0, plan->rows.count);
}

static mcl_input order_input(const columns_plan *plan)
{
    const mcl_output *const order = &plan->order;
    return counted(plan, mcl_from_buffer(order->type, order->buffer, order->offset, plan->rows.count));
}

/* Turns an input into an array, so that elements can be fetched by the order's indices. An expression is stored in
 * *made, which the caller releases. */
static mcl_status as_array(columns_plan *plan, const mcl_input *in, const mcl_options *options, mcl_buffer **made,
                           mcl_input *array)
{
    const mcl_options own = mcl__beside_options(options);
    *array = *in;
    mcl__adopt_count(array, &plan->rows);
    if (!in->expression) return MCL_OK;
    MCL__TRY(create_array(plan, in->type, made));
    MCL__TRY(mcl__transform(plan->queue, array, array_output(plan, in->type, *made), &own));
    *array = array_input(plan, in->type, *made);
    return MCL_OK;
}

/* Stores out[k] = array[order[k]] for each row. */
static mcl_status gather(columns_plan *plan, const mcl_input *array, mcl_output out, const mcl_options *options)
{
    const mcl_options own = mcl__beside_options(options);
    const mcl_input order = order_input(plan);
    return mcl__gather_rows(plan->queue, &order, array, NULL, out, &own);
}

/* ---- a column with an order of its own -------------------------------------------------------------------------- */

/* Sorts keys in the order found so far, and moves the order's indices with them. If is_first is 1 there is no order
 * yet, and the sort stores the first one. */
static mcl_status sort_own(columns_plan *plan, const mcl_key_column *column, int is_first, const mcl_input *array,
                           const mcl_options *options, mcl_buffer **moved)
{
    const mcl_type *const type = array->type;
    if (is_first) return mcl_sort_indices(plan->queue, *array, plan->order, column->before, options);
    MCL__TRY(create_array(plan, type, moved));
    MCL__TRY(gather(plan, array, array_output(plan, type, *moved), options));
    return mcl_sort_pairs(plan->queue, array_input(plan, type, *moved), order_input(plan),
                          array_output(plan, type, *moved), plan->order, column->before, options);
}

static mcl_status own_round(columns_plan *plan, const mcl_key_column *column, int is_first, const mcl_options *options)
{
    mcl_buffer *made = NULL, *moved = NULL;
    mcl_input array;
    mcl_status status = as_array(plan, &column->keys, options, &made, &array);
    if (status == MCL_OK) status = sort_own(plan, column, is_first, &array, options, &moved);
    mcl_buffer_release(made);
    mcl_buffer_release(moved);
    return status;
}

/* ---- words of columns ------------------------------------------------------------------------------------------- */

/* A word: key columns [first, end) of the call, packed into bits bits. */
typedef struct word {
    int first, end, bits;
    mcl_buffer *made[WORD_COLUMNS]; /* arrays for columns that are expressions */
} word;

/* The text of a function that turns a number's bits into an unsigned integer with the same order. kind: 0 unsigned, 1
 * signed, 2 float, where NaN comes after every number and -0 equals 0. down: 1 reverses the order. The text has no
 * 64-bit literals, since OpenCL C and CUDA C++ write them differently. */
static const char image_source[] =
    "static inline uint64_t mcl_columns_image(const uint64_t x, const int bits, const int exponent_bits,\n"
    "                                         const int kind, const int down)\n"
    "{\n"
    "    const uint64_t top = (uint64_t)1 << (bits - 1), all = top | (top - 1), magnitude = x & (top - 1);\n"
    "    const uint64_t infinity = (((uint64_t)1 << exponent_bits) - 1) << (bits - 1 - exponent_bits);\n"
    "    uint64_t image = kind == 1 ? x ^ top : x;\n"
    "    if (kind == 2)\n"
    "        image = magnitude > infinity ? all : magnitude == 0 ? top : x & top ? x ^ all : x | top;\n"
    "    return down ? image ^ all : image;\n"
    "}\n";

static int is_packed(const mcl_key_column *column)
{
    return mcl__radix_sort_applies(&(mcl__sort_operands){ .keys = column->keys, .before = column->before });
}

static int bits_of(const mcl_key_column *column)
{
    return 8 * (int)column->keys.type->size;
}

/* Returns the word that ends before key column end, with as many columns as fit. A word with 0 bits is a single column
 * with an operator of the caller. */
static word word_before(const columns_plan *plan, int end)
{
    word made = { .first = end - 1, .end = end };
    if (!is_packed(&plan->keys[end - 1])) return made;
    made.bits = bits_of(&plan->keys[end - 1]);
    for (; made.first > 0 && is_packed(&plan->keys[made.first - 1]); --made.first) {
        const int bits = bits_of(&plan->keys[made.first - 1]);
        if (made.bits + bits > WORD_BITS) break;
        made.bits += bits;
    }
    return made;
}

static const mcl_type *word_type(const word *of)
{
    return of->bits > 32 ? MCL_UINT64 : MCL_UINT32;
}

/* Returns the unsigned type for the stored bits of a number. */
static const mcl_type *bits_type(const mcl_type *type)
{
    return type->size == 1 ? MCL_UINT8 : type->size == 2 ? MCL_UINT16 : type->size == 4 ? MCL_UINT32 : MCL_UINT64;
}

/* Appends the expression for a column's bits in the word, shifted left by shift. */
static int term_write(char *text, const mcl_key_column *column, int k, int shift, int is_first)
{
    static const int exponent_bits[] = { 0, 0, 5, 0, 8, 0, 0, 0, 11 };
    const mcl_type *const type = column->keys.type;
    const int kind = type->kind == MCL_KIND_FLOAT ? 2 : type->kind == MCL_KIND_SIGNED;
    return snprintf(text, TERM_BYTES, "%smcl_columns_image(mcl_key_%d[%s], %d, %d, %d, %d) << %d", k ? " | " : "", k,
                    is_first ? "i" : "mcl_order[i]", bits_of(column), kind == 2 ? exponent_bits[type->size] : 0, kind,
                    mcl__same_op(column->before, MCL_GREATER), shift);
}

/* Makes the expression for a row's word, which reads the columns in the order found so far. text has room for
 * WORD_COLUMNS terms. */
static mcl_status word_pack(columns_plan *plan, word *of, int is_first, const mcl_options *options, char *text,
                            mcl_input *packed)
{
    static const char *const names[WORD_COLUMNS] = { "mcl_key_0", "mcl_key_1", "mcl_key_2", "mcl_key_3",
                                                     "mcl_key_4", "mcl_key_5", "mcl_key_6", "mcl_key_7" };
    mcl_binding bound[WORD_COLUMNS + 1];
    int count = 0, shift = of->bits;
    char *at = text + sprintf(text, "(%s)(", word_type(of)->name);
    for (int k = of->first; k < of->end; ++k, ++count) {
        mcl_input array;
        MCL__TRY(as_array(plan, &plan->keys[k].keys, options, &of->made[count], &array));
        shift -= bits_of(&plan->keys[k]);
        at += term_write(at, &plan->keys[k], count, shift, is_first);
        bound[count] = mcl_binding_buffer(names[count], bits_type(array.type), array.buffer, array.offset);
    }
    (void)sprintf(at, ")");
    if (!is_first)
        bound[count++] = mcl_binding_buffer("mcl_order", plan->order.type, plan->order.buffer, plan->order.offset);
    *packed = counted(plan, mcl_from_expression(word_type(of), text, image_source, bound, count, plan->rows.count));
    return MCL_OK;
}

/* Sorts the order by the words. In the first round, the sort computes the words as it reads them. In later rounds the
 * words are stored in an array first. */
static mcl_status sort_words(columns_plan *plan, const word *of, int is_first, mcl_input *packed,
                             const mcl_options *options, mcl_buffer **words)
{
    const mcl_type *const type = word_type(of);
    const mcl_options beside = mcl__beside_options(options);
    mcl_options own = *options;
    /* Limits the bits, which saves passes of a radix sort. */
    if (of->bits < 8 * (int)type->size) own.end_bit = of->bits;
    if (is_first) return mcl_sort_indices(plan->queue, *packed, plan->order, MCL_LESS, &own);
    MCL__TRY(create_array(plan, type, words));
    MCL__TRY(mcl__transform(plan->queue, packed, array_output(plan, type, *words), &beside));
    return mcl_sort_pairs(plan->queue, array_input(plan, type, *words), order_input(plan),
                          array_output(plan, type, *words), plan->order, MCL_LESS, &own);
}

static mcl_status word_round(columns_plan *plan, word *of, int is_first, const mcl_options *options)
{
    char text[WORD_COLUMNS * TERM_BYTES + TERM_BYTES];
    mcl_buffer *words = NULL;
    mcl_input packed;
    mcl_status status = word_pack(plan, of, is_first, options, text, &packed);
    if (status == MCL_OK) status = sort_words(plan, of, is_first, &packed, options, &words);
    for (int k = 0; k < WORD_COLUMNS; ++k) mcl_buffer_release(of->made[k]);
    mcl_buffer_release(words);
    return status;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* Moves a column of values into the order. In place, the values are gathered into another array, then copied back. */
static mcl_status move_values(columns_plan *plan, const mcl_column *column, const mcl_options *options)
{
    const int in_place = mcl__is_in_place(&column->in, &column->out);
    const mcl_type *const type = column->in.type;
    const mcl_options beside = mcl__beside_options(options);
    mcl_buffer *made = NULL, *moved = NULL;
    mcl_input array;
    mcl_status status = as_array(plan, &column->in, options, &made, &array);
    if (status == MCL_OK && in_place) status = create_array(plan, type, &moved);
    if (status == MCL_OK)
        status = gather(plan, &array, in_place ? array_output(plan, type, moved) : column->out, options);
    if (status == MCL_OK && in_place) {
        array = array_input(plan, type, moved);
        status = mcl__transform(plan->queue, &array, column->out, &beside);
    }
    mcl_buffer_release(made);
    mcl_buffer_release(moved);
    return status;
}

static mcl_status columns_steps(void *of, const mcl_options *options)
{
    columns_plan *const plan = of;
    if (!plan->gives_order) {
        const mcl_type *const index = plan->rows.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
        MCL__TRY(create_array(plan, index, &plan->owned));
        plan->order = array_output(plan, index, plan->owned);
    }
    const size_t held = plan->queue->scratch_held;
    for (int end = plan->key_count; end > 0; plan->queue->scratch_held = held) {
        word next = word_before(plan, end);
        const int is_first = end == plan->key_count;
        MCL__TRY(next.bits ? word_round(plan, &next, is_first, options)
                           : own_round(plan, &plan->keys[next.first], is_first, options));
        end = next.first;
    }
    for (int k = 0; k < plan->column_count; ++k, plan->queue->scratch_held = held)
        MCL__TRY(move_values(plan, &plan->columns[k], options));
    return MCL_OK;
}

static void release_order(void *of)
{
    columns_plan *const plan = of;
    mcl__buffer_drop(&plan->owned);
}

static mcl_status columns_run(columns_plan *plan)
{
    MCL__TRY(check_columns(plan));
    return mcl__steps_run(plan->queue, plan->options, columns_steps, release_order, plan);
}

mcl_status mcl_sort_columns_indices(mcl_queue *queue, const mcl_key_column *keys, int key_count, mcl_output out,
                                    const mcl_options *options)
{
    columns_plan plan = { .function = "mcl_sort_columns_indices",
                          .queue = queue,
                          .options = options,
                          .keys = keys,
                          .key_count = key_count,
                          .gives_order = 1,
                          .order = out };
    return columns_run(&plan);
}

mcl_status mcl_sort_columns(mcl_queue *queue, const mcl_key_column *keys, int key_count, const mcl_column *columns,
                            int column_count, const mcl_options *options)
{
    columns_plan plan = { .function = "mcl_sort_columns",
                          .queue = queue,
                          .options = options,
                          .keys = keys,
                          .columns = columns,
                          .key_count = key_count,
                          .column_count = column_count };
    return columns_run(&plan);
}
