/* sort_columns.c: mcl_sort_columns_indices and mcl_sort_columns. Neighbouring key columns are packed into words, the
 * most significant first, as bits that have the columns' order. The last word is sorted first. Each further sort is
 * stable and takes the word through the order so far (LSD radix sort with words for digits). A column with an order of
 * its own is a round by itself. The steps are calls of their own. */
#include "operations/sort/sort_call.h"
#include "operations/transform/transform.h"

#include "moderncl/sort.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORD_BITS = 64, WORD_COLUMNS = WORD_BITS / 8, NAME_BYTES = 40, TERM_BYTES = 128 };

/* ---- checks ------------------------------------------------------------------------------------------------- */

enum { ROWS = 1, KEYS, BEFORE, OUT };   /* operands of a key column; out is the order's */
enum { VALUES = KEYS, VALUES_OUT = 3 }; /* of a column of values */

/* An operand with as many elements as the first key column. It has no memory but its count slot. */
#define ROWS_OPERAND [ROWS] = { "keys[0].keys", .kind = MCL__INPUT }

static const mcl__declaration key_column = {
    .operands = { ROWS_OPERAND, [KEYS] = { "keys", .kind = MCL__INPUT, .as_many = ROWS },
                  [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = ROWS } },
};

static const mcl__declaration value_column = {
    .operands = { ROWS_OPERAND, [VALUES] = { "in", .kind = MCL__INPUT, .group = 1, .as_many = ROWS },
                  [VALUES_OUT] = { "out", .kind = MCL__OUTPUT, .group = 1, .in_place = MCL__BIT(VALUES),
                                   .arrays_only = 1 } },
};

/* A column of values as it is checked. */
typedef struct checked_column {
    mcl__run run;
    mcl_column column;
    char names[2][NAME_BYTES];
    const char *said[MCL__DECLARED_MAX];
} checked_column;

typedef struct columns_call {
    const char *function;
    mcl_queue *queue;
    const mcl_options *options;
    const mcl_key_column *keys;
    const mcl_column *columns;
    int key_count, column_count, gives_order;
    mcl_input rows;
    mcl_output order;  /* the order so far: out, or an array of the call's own */
    mcl_buffer *owned; /* that array */
} columns_call;

static mcl_status check_lists(const columns_call *call)
{
    mcl__function_is(call->function);
    if (call->key_count < 1 || !call->keys)
        return mcl__fail(MCL_ERROR_ARGUMENT, "keys is %s and key_count %d; expected at least one key column",
                         call->keys ? "given" : "NULL", call->key_count);
    if (call->column_count < 0 || (call->column_count > 0 && !call->columns))
        return mcl__fail(MCL_ERROR_ARGUMENT, "columns is %s and column_count %d; expected 0 or more columns",
                         call->columns ? "given" : "NULL", call->column_count);
    return MCL_OK;
}

static mcl_status check_key(columns_call *call, int k)
{
    char names[2][NAME_BYTES];
    const char *const said[MCL__DECLARED_MAX] = { [KEYS] = names[0], [BEFORE] = names[1] };
    mcl_input keys = call->keys[k].keys;
    mcl__run run;
    mcl__run_init(&run, &key_column, call->function, call->queue, call->options);
    (void)snprintf(names[0], NAME_BYTES, "keys[%d].keys", k);
    (void)snprintf(names[1], NAME_BYTES, "keys[%d].before", k);
    run.said = said;
    run.given[ROWS].input = &call->rows;
    run.given[KEYS].input = &keys;
    run.given[BEFORE].op = call->keys[k].before;
    if (call->gives_order) run.given[OUT].output = &call->order;
    MCL__TRY(mcl__run_check(&run));
    run.room[OUT] = call->rows.count;
    return mcl__run_ready(&run);
}

static mcl_status check_value(columns_call *call, int k, checked_column *checked)
{
    mcl__run *const run = &checked->run;
    mcl__run_init(run, &value_column, call->function, call->queue, call->options);
    checked->column = call->columns[k];
    (void)snprintf(checked->names[0], NAME_BYTES, "columns[%d].in", k);
    (void)snprintf(checked->names[1], NAME_BYTES, "columns[%d].out", k);
    checked->said[VALUES] = checked->names[0];
    checked->said[VALUES_OUT] = checked->names[1];
    run->said = checked->said;
    run->given[ROWS].input = &call->rows;
    run->given[VALUES].input = &checked->column.in;
    run->given[VALUES_OUT].output = &checked->column.out;
    MCL__TRY(mcl__run_check(run));
    run->room[VALUES_OUT] = call->rows.count;
    return mcl__run_ready(run);
}

/* A column is moved after the ones before it: no output may be read or stored by another one. */
static mcl_status check_values(columns_call *call, checked_column *checked)
{
    for (int k = 0; k < call->column_count; ++k) MCL__TRY(check_value(call, k, &checked[k]));
    for (int k = 0; k < call->column_count; ++k)
        for (int other = 0; other < call->column_count; ++other)
            if (other != k) MCL__TRY(mcl__run_check_apart(&checked[k].run, &checked[other].run));
    return MCL_OK;
}

static mcl_status check_columns(columns_call *call)
{
    static const int8_t zero;
    MCL__TRY(check_lists(call));
    call->rows = mcl_from_constant(MCL_INT8, &zero, 0);
    mcl__adopt_count(&call->rows, &call->keys[0].keys);
    for (int k = 0; k < call->key_count; ++k) MCL__TRY(check_key(call, k));
    if (call->column_count == 0) return MCL_OK;
    checked_column *const checked = calloc((size_t)call->column_count, sizeof *checked);
    if (!checked) return mcl__fail(MCL_ERROR_MEMORY, "no host memory for %d columns", call->column_count);
    const mcl_status status = check_values(call, checked);
    free(checked);
    return status;
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

/* Gives the input as many elements as there are rows. */
static mcl_input counted(const columns_call *call, mcl_input input)
{
    mcl__adopt_count(&input, &call->rows);
    return input;
}

/* Creates an array for a value of each row. It may be released once its last step is enqueued: its block is kept until
 * the work is done. */
static mcl_status create_array(const columns_call *call, const mcl_type *type, mcl_buffer **made)
{
    return mcl__buffer_create_for(call->queue, (size_t)call->rows.count * type->size, made);
}

static mcl_input array_input(const columns_call *call, const mcl_type *type, mcl_buffer *buffer)
{
    return counted(call, mcl_from_buffer(type, buffer, 0, call->rows.count));
}

static mcl_output array_output(const columns_call *call, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_to_buffer(type, buffer, 0, call->rows.count);
}

static mcl_input order_input(const columns_call *call)
{
    const mcl_output *const order = &call->order;
    return counted(call, mcl_from_buffer(order->type, order->buffer, order->offset, call->rows.count));
}

/* Makes an array of an input, in which indices of the order find their elements: an expression is stored first. made:
 * the caller releases it. */
static mcl_status as_array(columns_call *call, const mcl_input *in, const mcl_options *options, mcl_buffer **made,
                           mcl_input *array)
{
    const mcl_options own = mcl__beside_options(options);
    *array = *in;
    mcl__adopt_count(array, &call->rows);
    if (!in->expression) return MCL_OK;
    MCL__TRY(create_array(call, in->type, made));
    MCL__TRY(mcl__transform(call->queue, array, array_output(call, in->type, *made), &own));
    *array = array_input(call, in->type, *made);
    return MCL_OK;
}

/* made[k] = in[order[k]] */
static mcl_status gather(columns_call *call, const mcl_input *array, mcl_output out, const mcl_options *options)
{
    const mcl_options own = mcl__beside_options(options);
    const mcl_input order = order_input(call);
    return mcl__gather_rows(call->queue, &order, array, out, &own);
}

/* ---- a column with an order of its own -------------------------------------------------------------------------- */

/* Sorts keys in their present order, and the order with them; is_first: the order is what comes of it. */
static mcl_status sort_own(columns_call *call, const mcl_key_column *column, int is_first, const mcl_input *array,
                           const mcl_options *options, mcl_buffer **moved)
{
    const mcl_type *const type = array->type;
    if (is_first) return mcl_sort_indices(call->queue, *array, call->order, column->before, options);
    MCL__TRY(create_array(call, type, moved));
    MCL__TRY(gather(call, array, array_output(call, type, *moved), options));
    return mcl_sort_pairs(call->queue, array_input(call, type, *moved), order_input(call),
                          array_output(call, type, *moved), call->order, column->before, options);
}

static mcl_status own_round(columns_call *call, const mcl_key_column *column, int is_first, const mcl_options *options)
{
    mcl_buffer *made = NULL, *moved = NULL;
    mcl_input array;
    mcl_status status = as_array(call, &column->keys, options, &made, &array);
    if (status == MCL_OK) status = sort_own(call, column, is_first, &array, options, &moved);
    mcl_buffer_release(made);
    mcl_buffer_release(moved);
    return status;
}

/* ---- words of columns ------------------------------------------------------------------------------------------- */

/* Key columns [first, end) of the call, of bits bits together. */
typedef struct word {
    int first, end, bits;
    mcl_buffer *made[WORD_COLUMNS]; /* of expressions */
} word;

/* Bits of a number as bits that have its order. kind: 0 unsigned, 1 signed, 2 float, which has NaN after every number
 * and -0 equal to 0. down turns the order round. The text has no 64-bit literals, which the two languages spell
 * otherwise. */
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
    return mcl__radix_sort_applies(&(mcl__sort_call){ .keys = column->keys, .before = column->before });
}

static int bits_of(const mcl_key_column *column)
{
    return 8 * (int)column->keys.type->size;
}

/* Returns the word that ends before key column end: as many columns as fit. Without bits: the one column has its own
 * order. */
static word word_before(const columns_call *call, int end)
{
    word made = { .first = end - 1, .end = end };
    if (!is_packed(&call->keys[end - 1])) return made;
    made.bits = bits_of(&call->keys[end - 1]);
    for (; made.first > 0 && is_packed(&call->keys[made.first - 1]); --made.first) {
        const int bits = bits_of(&call->keys[made.first - 1]);
        if (made.bits + bits > WORD_BITS) break;
        made.bits += bits;
    }
    return made;
}

static const mcl_type *word_type(const word *of)
{
    return of->bits > 32 ? MCL_UINT64 : MCL_UINT32;
}

/* Returns the stored bits of a number. */
static const mcl_type *bits_type(const mcl_type *type)
{
    return type->size == 1 ? MCL_UINT8 : type->size == 2 ? MCL_UINT16 : type->size == 4 ? MCL_UINT32 : MCL_UINT64;
}

/* Appends a column's part of the word, shift bits up. */
static int term_write(char *text, const mcl_key_column *column, int k, int shift, int is_first)
{
    static const int exponent_bits[] = { 0, 0, 5, 0, 8, 0, 0, 0, 11 };
    const mcl_type *const type = column->keys.type;
    const int kind = type->kind == MCL_KIND_FLOAT ? 2 : type->kind == MCL_KIND_SIGNED;
    return snprintf(text, TERM_BYTES, "%smcl_columns_image(mcl_key_%d[%s], %d, %d, %d, %d) << %d", k ? " | " : "", k,
                    is_first ? "i" : "mcl_order[i]", bits_of(column), kind == 2 ? exponent_bits[type->size] : 0, kind,
                    mcl__same_op(column->before, MCL_GREATER), shift);
}

/* Packs the word of a row as an expression, through the order so far. text has room for WORD_COLUMNS terms. */
static mcl_status word_pack(columns_call *call, word *of, int is_first, const mcl_options *options, char *text,
                            mcl_input *packed)
{
    static const char *const names[WORD_COLUMNS] = { "mcl_key_0", "mcl_key_1", "mcl_key_2", "mcl_key_3",
                                                     "mcl_key_4", "mcl_key_5", "mcl_key_6", "mcl_key_7" };
    mcl_binding bound[WORD_COLUMNS + 1];
    int count = 0, shift = of->bits;
    char *at = text + sprintf(text, "(%s)(", word_type(of)->name);
    for (int k = of->first; k < of->end; ++k, ++count) {
        mcl_input array;
        MCL__TRY(as_array(call, &call->keys[k].keys, options, &of->made[count], &array));
        shift -= bits_of(&call->keys[k]);
        at += term_write(at, &call->keys[k], count, shift, is_first);
        bound[count] = mcl_binding_buffer(names[count], bits_type(array.type), array.buffer, array.offset);
    }
    (void)sprintf(at, ")");
    if (!is_first)
        bound[count++] = mcl_binding_buffer("mcl_order", call->order.type, call->order.buffer, call->order.offset);
    *packed = counted(call, mcl_from_expression(word_type(of), text, image_source, bound, count, call->rows.count));
    return MCL_OK;
}

/* Sorts the order by the words. Those of a first round are made where they are read; later ones are gathered once. */
static mcl_status sort_words(columns_call *call, const word *of, int is_first, mcl_input *packed,
                             const mcl_options *options, mcl_buffer **words)
{
    const mcl_type *const type = word_type(of);
    const mcl_options beside = mcl__beside_options(options);
    mcl_options own = *options;
    if (of->bits < 8 * (int)type->size) own.end_bit = of->bits; /* fewer passes of a radix sort */
    if (is_first) return mcl_sort_indices(call->queue, *packed, call->order, MCL_LESS, &own);
    MCL__TRY(create_array(call, type, words));
    MCL__TRY(mcl__transform(call->queue, packed, array_output(call, type, *words), &beside));
    return mcl_sort_pairs(call->queue, array_input(call, type, *words), order_input(call),
                          array_output(call, type, *words), call->order, MCL_LESS, &own);
}

static mcl_status word_round(columns_call *call, word *of, int is_first, const mcl_options *options)
{
    char text[WORD_COLUMNS * TERM_BYTES + TERM_BYTES];
    mcl_buffer *words = NULL;
    mcl_input packed;
    mcl_status status = word_pack(call, of, is_first, options, text, &packed);
    if (status == MCL_OK) status = sort_words(call, of, is_first, &packed, options, &words);
    for (int k = 0; k < WORD_COLUMNS; ++k) mcl_buffer_release(of->made[k]);
    mcl_buffer_release(words);
    return status;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* In place the values go through an array of their own. */
static mcl_status move_values(columns_call *call, const mcl_column *column, const mcl_options *options)
{
    const int in_place = mcl__is_in_place(&column->in, &column->out);
    const mcl_type *const type = column->in.type;
    const mcl_options beside = mcl__beside_options(options);
    mcl_buffer *made = NULL, *moved = NULL;
    mcl_input array;
    mcl_status status = as_array(call, &column->in, options, &made, &array);
    if (status == MCL_OK && in_place) status = create_array(call, type, &moved);
    if (status == MCL_OK)
        status = gather(call, &array, in_place ? array_output(call, type, moved) : column->out, options);
    if (status == MCL_OK && in_place) {
        array = array_input(call, type, moved);
        status = mcl__transform(call->queue, &array, column->out, &beside);
    }
    mcl_buffer_release(made);
    mcl_buffer_release(moved);
    return status;
}

static mcl_status columns_steps(void *of, const mcl_options *options)
{
    columns_call *const call = of;
    if (call->rows.count == 0) return MCL_OK;
    if (!call->gives_order) {
        const mcl_type *const index = call->rows.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
        MCL__TRY(create_array(call, index, &call->owned));
        call->order = array_output(call, index, call->owned);
    }
    for (int end = call->key_count; end > 0;) {
        word next = word_before(call, end);
        const int is_first = end == call->key_count;
        MCL__TRY(next.bits ? word_round(call, &next, is_first, options)
                           : own_round(call, &call->keys[next.first], is_first, options));
        end = next.first;
    }
    for (int k = 0; k < call->column_count; ++k) MCL__TRY(move_values(call, &call->columns[k], options));
    return MCL_OK;
}

static void release_order(void *of)
{
    columns_call *const call = of;
    mcl_buffer_release(call->owned);
    call->owned = NULL;
}

static mcl_status columns_run(columns_call *call)
{
    MCL__TRY(check_columns(call));
    const mcl_status status = mcl__steps_run(call->queue, call->options, columns_steps, release_order, call);
    release_order(call);
    return status;
}

mcl_status mcl_sort_columns_indices(mcl_queue *queue, const mcl_key_column *keys, int key_count, mcl_output out,
                                    const mcl_options *options)
{
    columns_call call = { .function = "mcl_sort_columns_indices",
                          .queue = queue,
                          .options = options,
                          .keys = keys,
                          .key_count = key_count,
                          .gives_order = 1,
                          .order = out };
    return columns_run(&call);
}

mcl_status mcl_sort_columns(mcl_queue *queue, const mcl_key_column *keys, int key_count, const mcl_column *columns,
                            int column_count, const mcl_options *options)
{
    columns_call call = { .function = "mcl_sort_columns",
                          .queue = queue,
                          .options = options,
                          .keys = keys,
                          .columns = columns,
                          .key_count = key_count,
                          .column_count = column_count };
    return columns_run(&call);
}
