/* group_by_sorted.c: groups equal keys by sorting. Built-in keys are sorted as integers, and the runs of equal keys are
 * folded. Keys of other types stay where they are. Their indices are sorted by the keys' bytes, which form one or two
 * unsigned numbers. The steps are calls of other operations. */
#include "operations/group_by/group_plan.h"
#include "operations/transform/transform.h"

#include "moderncl/by_key.h"
#include "moderncl/compact.h"
#include "moderncl/sort.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORD_BYTES = 8 };

typedef mcl__group_sort sorted_plan;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static mcl_status buffer_of(const sorted_plan *plan, size_t element_bytes, mcl_buffer **made)
{
    const int64_t count = plan->keys.count > 0 ? plan->keys.count : 1;
    if (*made) return MCL_OK;
    return mcl__scratch_hold(plan->queue, (size_t)count * element_bytes, made);
}

void mcl__group_sort_release(void *of)
{
    mcl__group_sort *const plan = of;
    mcl_buffer **const owned[] = { &plan->stored, &plan->sorted,  &plan->order,  &plan->swapped,
                                   &plan->values, &plan->ordered, &plan->firsts, &plan->slot };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; ++k) mcl__buffer_drop(owned[k]);
}

static const mcl_type *order_type(const sorted_plan *plan)
{
    return plan->keys.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_status count_slot(sorted_plan *plan, mcl_result *count)
{
    MCL__TRY(mcl__group_count_slot(plan->group->call, plan->queue, &plan->slot, count));
    plan->count_at = mcl__result_span(count);
    return MCL_OK;
}

/* Returns an input that reads an array of the call, which has one element per key. */
static mcl_input array_input(const sorted_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    mcl_input array = mcl_from_buffer(type, buffer, 0, plan->keys.count);
    mcl__adopt_slot(&array, &plan->keys);
    return array;
}

static mcl_output array_output(const sorted_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_to_buffer(type, buffer, 0, plan->keys.count);
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* Gives an input the count of the keys. An expression is stored in an array, from which the input then reads. */
static mcl_status store(const sorted_plan *plan, mcl_input *input, mcl_buffer **made, size_t bytes,
                        const mcl_options *options)
{
    input->count = plan->keys.count;
    mcl__adopt_slot(input, &plan->keys);
    if (!input->expression) return MCL_OK;
    MCL__TRY(buffer_of(plan, bytes, made));
    MCL__TRY(mcl__transform(plan->queue, input, array_output(plan, input->type, *made), options));
    *input = array_input(plan, input->type, *made);
    return MCL_OK;
}

/* Returns an integer type itself, and for other types the unsigned integer of the same size. So floats are equal where
 * their bits are equal. */
const mcl_type *mcl__group_word(const mcl_type *type)
{
    static const mcl_type *const words[] = { MCL_UINT8, MCL_UINT16, MCL_UINT32, MCL_UINT64 };
    int k = 0;
    if (mcl__is_integer(type)) return type;
    while (words[k]->size < type->size) ++k;
    return words[k];
}

/* Returns the size of the words in which keys are read. The type's alignment allows such words, and a key is a whole
 * number of them. */
static size_t unit_bytes(const mcl_type *type)
{
    size_t unit = type->alignment > 0 ? type->alignment : 1;
    if (unit > WORD_BYTES) unit = WORD_BYTES;
    while (type->size % unit) unit /= 2;
    return unit;
}

static mcl_binding bind_units(const sorted_plan *plan)
{
    const size_t size = plan->keys.type->size, unit = unit_bytes(plan->keys.type);
    const mcl_type *const type = unit == 1 ? MCL_UINT8 : unit == 2 ? MCL_UINT16 : unit == 4 ? MCL_UINT32 : MCL_UINT64;
    return mcl_binding_buffer("mcl_units", type, plan->keys.buffer, plan->keys.offset * (int64_t)(size / unit));
}

/* Writes an expression to plan->text: key number index as a number, from byte word * WORD_BYTES on, at most WORD_BYTES
 * bytes. */
static void write_word(sorted_plan *plan, int word, const char *index)
{
    const size_t size = plan->keys.type->size, unit = unit_bytes(plan->keys.type);
    const size_t begin = (size_t)word * WORD_BYTES, end = begin + WORD_BYTES < size ? begin + WORD_BYTES : size;
    int used = 0;
    for (size_t byte = begin; byte < end; byte += unit)
        used += snprintf(plan->text + used, (size_t)(MCL__GROUP_TEXT_BYTES - used),
                         "%s(uint64_t)mcl_units[(int64_t)%s * %zu + %zu] << %zu", byte == begin ? "" : " | ", index,
                         size / unit, byte / unit, 8 * (byte - begin));
}

/* Returns an equality of two keys that are given by their indices. */
static mcl_op same_key(sorted_plan *plan)
{
    const size_t size = plan->keys.type->size, unit = unit_bytes(plan->keys.type);
    mcl_op same = { .role = MCL_ROLE_EQUALITY, .expression = plan->text, .binding_count = 1 };
    int used = 0;
    for (size_t k = 0; k < size / unit; ++k)
        used += snprintf(plan->text + used, (size_t)(MCL__GROUP_TEXT_BYTES - used),
                         "%smcl_units[(int64_t)p * %zu + %zu] == mcl_units[(int64_t)q * %zu + %zu]",
                         k == 0 ? "" : " && ", size / unit, k, size / unit, k);
    same.bindings[0] = bind_units(plan);
    return same;
}

/* ---- sorting ----------------------------------------------------------------------------------------------------- */

static mcl_input counting(const sorted_plan *plan)
{
    const int64_t zero = 0;
    return mcl_from_counting(order_type(plan), &zero, plan->keys.count);
}

/* Sorts the keys as numbers of type, together with carried. If carried is NULL, their indices are carried. Without
 * folds only the keys are sorted. */
static mcl_status sort_plain(sorted_plan *plan, const mcl_type *type, const mcl_input *carried,
                             const mcl_options *options)
{
    const mcl_output sorted = array_output(plan, type, plan->sorted);
    mcl_input keys = plan->keys, indices;
    keys.type = type;
    if (plan->wanted == 0) return mcl_sort(plan->queue, keys, sorted, MCL_LESS, options);
    mcl_output beside;
    if (carried) {
        beside = array_output(plan, carried->type, plan->ordered);
    } else {
        MCL__TRY(buffer_of(plan, order_type(plan)->size, &plan->order));
        beside = array_output(plan, order_type(plan), plan->order);
        indices = counting(plan);
    }
    return mcl_sort_pairs(plan->queue, keys, carried ? *carried : indices, sorted, beside, MCL_LESS, options);
}

/* Sorts the indices by one word of the keys. from has the indices after an earlier sort, or is NULL for the first
 * sort. */
static mcl_status sort_word(sorted_plan *plan, int word, mcl_buffer *from, mcl_buffer *to, const mcl_options *options)
{
    const mcl_type *const type = plan->keys.type->size <= sizeof(uint32_t) ? MCL_UINT32 : MCL_UINT64;
    const mcl_type *const order = order_type(plan);
    mcl_binding bound[2] = { bind_units(plan) };
    if (from) bound[1] = mcl_binding_buffer("mcl_order", order, from, 0);
    write_word(plan, word, from ? "mcl_order[i]" : "i");
    mcl_input words = mcl_from_expression(type, plan->text, NULL, bound, from ? 2 : 1, plan->keys.count);
    mcl__adopt_slot(&words, &plan->keys);
    return mcl_sort_pairs(plan->queue, words, from ? array_input(plan, order, from) : counting(plan),
                          array_output(plan, type, plan->sorted), array_output(plan, order, to), MCL_LESS, options);
}

/* Sorts the indices by both words of the keys: first by the low word, since the second sort keeps the order of equal
 * high words. */
static mcl_status sort_indices(sorted_plan *plan, const mcl_options *options)
{
    MCL__TRY(buffer_of(plan, order_type(plan)->size, &plan->order));
    MCL__TRY(sort_word(plan, 0, NULL, plan->order, options));
    if (plan->keys.type->size <= WORD_BYTES) return MCL_OK;
    MCL__TRY(buffer_of(plan, order_type(plan)->size, &plan->swapped));
    return sort_word(plan, 1, plan->order, plan->swapped, options);
}

static mcl_buffer *last_order(const sorted_plan *plan)
{
    return plan->swapped ? plan->swapped : plan->order;
}

/* ---- folding ----------------------------------------------------------------------------------------------------- */

/* The operands that find runs of equal keys: input and equality of keys, output for the first key of each run, and the
 * count. */
typedef struct heads {
    mcl_input in;
    mcl_output out;
    const mcl_op *same;
    mcl_result count;
} heads;

/* Sets *ordered to the values of an aggregate in the order of the sorted keys. */
static mcl_status order_values(sorted_plan *plan, const mcl_input *given, mcl_input *ordered, size_t bytes,
                               const mcl_options *options)
{
    const mcl_type *const type = given->type;
    const int is_carried = plan->is_plain && plan->wanted == 1;
    if (!is_carried) {
        mcl_input values = *given;
        const mcl_input order = array_input(plan, order_type(plan), last_order(plan));
        MCL__TRY(store(plan, &values, &plan->values, bytes, options));
        values.count_slot = NULL;
        MCL__TRY(
            mcl__gather_rows(plan->queue, &order, &values, NULL, array_output(plan, type, plan->ordered), options));
    }
    *ordered = array_input(plan, type, plan->ordered);
    return MCL_OK;
}

/* Returns the bytes of the widest value among the wanted aggregates. */
static size_t widest_value(const sorted_plan *plan)
{
    size_t bytes = 1;
    for (int k = 0; k < plan->group->part_count; ++k) {
        const size_t own = plan->group->parts[k].given.values.type->size;
        if (mcl__grouped_is_wanted(&plan->group->parts[k]) && own > bytes) bytes = own;
    }
    return bytes;
}

/* Folds the values of each run. The first wanted fold stores keys and count too. Without folds only the first key of
 * each run is kept. */
static mcl_status fold_steps(sorted_plan *plan, heads *by, const mcl_options *own, const mcl_options *beside)
{
    const size_t bytes = widest_value(plan);
    if (plan->wanted == 0)
        return mcl_unique(plan->queue, by->in, by->out, by->same ? by->same : MCL_EQUAL, by->count, own);
    for (int k = 0; k < plan->group->part_count; ++k) {
        const mcl__call *const part = &plan->group->parts[k].call;
        mcl_input ordered;
        if (!mcl__grouped_is_wanted(&plan->group->parts[k])) continue;
        MCL__TRY(order_values(plan, part->operands[VALUES].input, &ordered, bytes, beside));
        MCL__TRY(mcl_reduce_by_key(plan->queue, by->in, ordered, by->out, *part->operands[OUT].output,
                                   part->operands[OP].op, by->same, by->count, own));
        by->out = (mcl_output){ 0 };
        by->count = mcl_to_nowhere();
    }
    return MCL_OK;
}

/* ---- the ways ---------------------------------------------------------------------------------------------------- */

static mcl_status plain_steps(sorted_plan *plan, heads *by, const mcl_options *own, const mcl_options *beside)
{
    const mcl_type *const type = mcl__group_word(plan->keys.type);
    const mcl_input *carried = NULL;
    for (int k = 0; k < plan->group->part_count && plan->wanted == 1; ++k)
        if (mcl__grouped_is_wanted(&plan->group->parts[k])) carried = plan->group->parts[k].call.operands[VALUES].input;
    MCL__TRY(sort_plain(plan, type, carried, beside));
    by->in = array_input(plan, type, plan->sorted);
    by->out = mcl__group_output(plan->group->call, OUT_KEYS);
    if (by->out.type) by->out.type = type;
    return fold_steps(plan, by, own, beside);
}

/* Groups by sorted indices. At the end the keys are fetched by the index of each group's first key. */
static mcl_status index_steps(sorted_plan *plan, heads *by, const mcl_options *own, const mcl_options *beside)
{
    const mcl_output out = mcl__group_output(plan->group->call, OUT_KEYS);
    const int64_t room = out.type ? plan->group->call->room[OUT_KEYS] : 0;
    const mcl_result count = by->count;
    MCL__TRY(sort_indices(plan, beside));
    const mcl_op same = same_key(plan);
    by->same = &same;
    by->in = array_input(plan, order_type(plan), last_order(plan));
    if (room > 0) {
        MCL__TRY(buffer_of(plan, order_type(plan)->size, &plan->firsts));
        by->out = mcl_to_buffer(order_type(plan), plan->firsts, 0, room);
    }
    MCL__TRY(fold_steps(plan, by, own, beside));
    if (room == 0) return MCL_OK;
    mcl_input keys = plan->keys;
    keys.count_slot = NULL;
    const mcl_input firsts = mcl_with_count_of(mcl_from_buffer(order_type(plan), plan->firsts, 0, room), count.type,
                                               count.buffer, count.offset);
    return mcl__gather_rows(plan->queue, &firsts, &keys, NULL, out, beside);
}

mcl_status mcl__group_sort_steps(void *of, const mcl_options *options)
{
    sorted_plan *const plan = of;
    const size_t key_bytes = plan->is_plain ? plan->keys.type->size : WORD_BYTES;
    /* The caller's tile is left out, since it is meant for the folds alone. */
    const mcl_options beside = mcl__beside_options(options);
    heads by = { .same = NULL };
    plan->keys = *plan->group->call->operands[KEYS].input;
    MCL__TRY(mcl__group_look_at_texts(plan->group));
    MCL__TRY(count_slot(plan, &by.count));
    MCL__TRY(store(plan, &plan->keys, &plan->stored, plan->keys.type->size, &beside));
    MCL__TRY(buffer_of(plan, key_bytes, &plan->sorted));
    if (plan->wanted > 0) MCL__TRY(buffer_of(plan, widest_value(plan), &plan->ordered));
    return (plan->is_plain ? plain_steps : index_steps)(plan, &by, options, &beside);
}

static mcl_status sorted_run(sorted_plan *plan)
{
    const mcl__call *const call = plan->group->call;
    MCL__TRY(mcl__steps_run(plan->queue, call->options, mcl__group_sort_steps, mcl__group_sort_release, plan));
    return mcl__call_read(call, COUNT, plan->count_at);
}

void mcl__group_sort_init(mcl__group_sort *sort, const mcl__group_plan *group)
{
    static const mcl__group_sort none;
    *sort = none;
    sort->group = group;
    sort->queue = group->call->queue;
    sort->keys = *group->call->operands[KEYS].input;
    sort->is_plain = sort->keys.type->kind != MCL_KIND_STRUCT;
    for (int k = 0; k < group->part_count; ++k) sort->wanted += mcl__grouped_is_wanted(&group->parts[k]);
}

mcl_status mcl__group_sorted(const mcl__group_plan *group)
{
    sorted_plan *plan = NULL;
    MCL__TRY(mcl__plan_new(sizeof *plan, &plan));
    mcl__group_sort_init(plan, group);
    const mcl_status status = sorted_run(plan);
    free(plan);
    return status;
}
