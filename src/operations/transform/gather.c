/* gather.c: fetches elements by their indices, for mcl_join_gather and for operations that move indices instead of wide
 * elements. It also copies elements from scratch to an output. Kernels: cl/kernels/transform/gather.cl. */
#include "operations/transform/gather.h"
#include "operations/transform/transform.h"

#include "moderncl/join.h"

#include <stdio.h>

enum { IN = 1, INDICES, STAGED, OUT }; /* operands */
enum { BY_INDICES, BACK };             /* passes */

static const mcl__declaration gather_passes = {
    .file = "kernels/transform/gather.cl",
    .operands = (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT },
                                 [INDICES] = { "indices", .kind = MCL__INPUT },
                                 [STAGED] = { "staged", .kind = MCL__INPUT },
                                 [OUT] = { "out", .kind = MCL__ARRAY } },
    .passes = (mcl__passes){ [BY_INDICES] = { "gather_indices",
                                              .arguments = { OPERAND(IN), OPERAND(INDICES), OPERAND(OUT) } },
                             [BACK] = { "gather_back", .arguments = { OPERAND(STAGED), OPERAND(OUT) } } },
};

size_t mcl__gather_staging(const mcl__gather *gather)
{
    return gather->in_place ? (size_t)gather->in.count * gather->in.type->size : 0;
}

/* Returns an array of this type with as many elements as in. */
static mcl_input array_like(const mcl_input *in, const mcl_type *type)
{
    mcl_input array = { .type = type };
    mcl__adopt_count(&array, in);
    return array;
}

mcl_status mcl__gather_plan(mcl_queue *queue, const mcl_options *options, mcl__gather *gather)
{
    const mcl__tile_need need = { .element_bytes = gather->in.type->size };
    mcl__call *const call = &gather->call;
    mcl__call_init(call, &gather_passes, NULL, queue, options);
    gather->indices = array_like(&gather->in, gather->index_type);
    gather->staged = array_like(&gather->in, gather->in.type);
    call->operands[IN].input = &gather->in;
    call->operands[INDICES].input = &gather->indices;
    call->operands[STAGED].input = &gather->staged;
    call->operands[OUT].scratch = gather->in.type;
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_transform, need),
                             mcl__index_bits(gather->in.count, options));
}

mcl_status mcl__gather_launch(mcl__gather *gather, mcl__span indices, mcl__span out, mcl__span staging)
{
    mcl__call *const call = &gather->call;
    const int64_t groups = mcl__call_tiles(call, gather->in.count);
    mcl__call_put(call, INDICES, indices);
    mcl__call_put(call, STAGED, staging);
    mcl__call_put(call, OUT, gather->in_place ? staging : out);
    MCL__TRY(mcl__call_launch(call, BY_INDICES, groups));
    if (!gather->in_place) return MCL_OK;
    mcl__call_put(call, OUT, out);
    return mcl__call_launch(call, BACK, groups);
}

/* ---- copies ------------------------------------------------------------------------------------------------- */

mcl_status mcl__copy_plan(mcl_queue *queue, const mcl_options *options, const mcl_type *type, int64_t most,
                          mcl__span count, mcl__copy *copy)
{
    const mcl__tile_need need = { .element_bytes = type->size };
    mcl__call *const call = &copy->call;
    mcl__call_init(call, &gather_passes, NULL, queue, options);
    copy->staged = (mcl_input){ .type = type, .count = most };
    copy->staged.count_slot = count.buffer;
    copy->staged.count_slot_index = (int64_t)(count.offset / sizeof(int64_t));
    call->passes = MCL__BIT(BACK);
    call->operands[STAGED].input = &copy->staged;
    call->operands[OUT].scratch = type;
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_transform, need),
                             mcl__index_bits(most, options));
}

mcl_status mcl__copy_launch(mcl__copy *copy, mcl__span from, mcl__span out)
{
    mcl__call_put(&copy->call, STAGED, from);
    mcl__call_put(&copy->call, OUT, out);
    return copy->staged.count > 0 ? mcl__call_launch_tiles(&copy->call, BACK, copy->staged.count) : MCL_OK;
}

/* ---- by rows of a join ---------------------------------------------------------------------------------------- */

enum { ROWS = 1, COLUMN, FETCHED }; /* operands of mcl_join_gather, which calls mcl_transform */

static const mcl__declaration join_gather = {
    .operands = (mcl__operands){ [ROWS] = { "rows", .kind = MCL__INPUT, .types = MCL__INDICES },
                                 [COLUMN] = { "column", .kind = MCL__INPUT, .group = 1 },
                                 [FETCHED] = { "out", .kind = MCL__OUTPUT, .group = 1 } },
};

static mcl_status gather_check(mcl__call *call)
{
    const mcl_input *const rows = call->operands[ROWS].input, *const column = call->operands[COLUMN].input;
    MCL__TRY(mcl__call_check(call));
    if ((rows->expression && rows->count > 0) || (column->expression && column->count > 0))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s is an expression; expected a buffer (mcl_transform stores an expression in one)",
                         rows->expression ? "rows" : "column");
    call->room[FETCHED] = rows->count;
    return mcl__call_ready(call);
}

enum { FETCH_BYTES = 256 };

/* Returns the expression of a fetched element. A number is always loaded; a function in source then returns it or the
 * null value. So no branch depends on a row, and compilers vectorize. A struct gets no function, since that would copy
 * the struct once more. */
static const char *fetched_expression(const mcl_type *type, int64_t count, char *source)
{
#define IS_THERE "(uint64_t)(int64_t)mcl_rows[i] < (uint64_t)mcl_count"
    if (count == 0) return "mcl_null";
    if (type->kind == MCL_KIND_STRUCT) return IS_THERE " ? mcl_column[mcl_rows[i]] : mcl_null";
    (void)snprintf(source, FETCH_BYTES,
                   "static inline %s mcl_fetched(const %s x, const int is_there, const %s none)\n"
                   "{\n"
                   "    return is_there ? x : none;\n"
                   "}\n",
                   type->name, type->name, type->name);
    return "mcl_fetched(mcl_column[" IS_THERE " ? mcl_rows[i] : 0], " IS_THERE ", mcl_null)";
}

/* Makes the input of column's elements at the indices in rows, as an expression. Elements of type half are fetched as
 * their bits. source has room for the text of the expression's function. */
static void fetched_input(const mcl_input *rows, const mcl_input *column, const void *null_value, char *source,
                          mcl_input *fetched)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    const mcl_type *const type = mcl__same_type(column->type, MCL_HALF) ? MCL_UINT16 : column->type;
    const int64_t count = column->buffer ? column->count : 0;
    const mcl_input *const bound_to = count > 0 ? column : rows; /* rows will do: an empty column is never read */
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_rows", rows->type, rows->buffer, rows->offset),
                                  mcl_binding_buffer("mcl_column", type, bound_to->buffer,
                                                     count > 0 ? column->offset : 0),
                                  mcl_binding_value("mcl_null", type, null_value ? null_value : zeros),
                                  mcl_binding_value("mcl_count", MCL_INT64, &count) };
    source[0] = '\0';
    const char *const expression = fetched_expression(type, count, source);
    *fetched = mcl_from_expression(type, expression, source[0] ? source : NULL, bound, 4, rows->count);
    mcl__adopt_slot(fetched, rows);
}

mcl_status mcl__gather_rows(mcl_queue *queue, const mcl_input *rows, const mcl_input *column, const void *null_value,
                            mcl_output out, const mcl_options *options)
{
    char source[FETCH_BYTES];
    mcl_input fetched;
    if (mcl__same_type(out.type, MCL_HALF)) out.type = MCL_UINT16;
    if (rows->count == 0)
        fetched = mcl_from_buffer(out.type, NULL, 0, 0);
    else
        fetched_input(rows, column, null_value, source, &fetched);
    return mcl__transform(queue, &fetched, out, options);
}

mcl_status mcl_join_gather(mcl_queue *queue, mcl_input rows, mcl_input column, const void *null_value, mcl_output out,
                           const mcl_options *options)
{
    mcl__call call = { &join_gather, "mcl_join_gather", queue, options,
                       .operands = { [ROWS].input = &rows, [COLUMN].input = &column, [FETCHED].output = &out } };
    MCL__TRY(gather_check(&call));
    return mcl__gather_rows(queue, &rows, &column, null_value, out, options);
}
