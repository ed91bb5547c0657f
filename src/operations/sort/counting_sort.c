/* counting_sort.c: sorts keys of 8 or 16 bits without values (H. Seward, 1954: counting sort). A histogram counts each
 * value of a key. A scan finds the index at which each value begins, and an expansion stores each value as often as it
 * occurs. Each step is a call of another operation. */
#include "operations/sort/sort_operands.h"
#include "tuning/cost.h"

#include "moderncl/histogram.h"
#include "moderncl/interval.h"
#include "moderncl/scan.h"

typedef struct counting_plan {
    mcl_queue *queue;
    const mcl__sort_operands *given;
    int64_t values;        /* number of different values of a key */
    mcl_buffer *counts[2]; /* count of each value; index where each value begins */
} counting_plan;

static int64_t value_count(const mcl_type *type)
{
    return (int64_t)1 << 8 * type->size;
}

int mcl__counting_sort_applies(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    const mcl_context *const context = queue->context;
    const mcl_type *const type = given->keys.type;
    const int has_bits = options && (options->first_bit != 0 || options->end_bit != 0);
    const int is_whole = type->kind == MCL_KIND_SIGNED || type->kind == MCL_KIND_UNSIGNED;
    if (!is_whole || type->size > 2 || given->has_values || has_bits) return 0;
    if (options && options->sort_method != MCL_SORT_AUTO) return 0;
    return mcl__radix_sort_applies(given) &&
           given->keys.count >= mcl__tuned(context, type->size == 1 ? MCL__PARAMETER_sort_counted_keys_8
                                                                    : MCL__PARAMETER_sort_counted_keys_16);
}

/* Counts how often each value occurs. Bin k has the count of the k-th value in the sort order. */
static mcl_status count_step(const counting_plan *plan, const mcl_type *index, int32_t first, int is_rising,
                             const mcl_options *options)
{
    const mcl_op bin = { .role = MCL_ROLE_INDEX,
                         .expression = is_rising ? "(int32_t)x - mcl_first" : "mcl_first - (int32_t)x",
                         .binding_count = 1,
                         .bindings = { mcl_binding_value("mcl_first", MCL_INT32, &first) } };
    return mcl_histogram(plan->queue, plan->given->keys, &bin, NULL,
                         mcl_to_buffer(index, plan->counts[0], 0, plan->values), options);
}

static mcl_status scan_step(const counting_plan *plan, const mcl_type *index, const mcl_options *options)
{
    return mcl_scan(plan->queue, mcl_from_buffer(index, plan->counts[0], 0, plan->values),
                    mcl_to_buffer(index, plan->counts[1], 0, plan->values), MCL_ADD, MCL_EXCLUSIVE, mcl_to_nowhere(),
                    options);
}

static mcl_status expand_step(const counting_plan *plan, const mcl_type *index, int32_t first, int is_rising,
                              const mcl_options *options)
{
    const mcl_input *const keys = &plan->given->keys;
    const mcl_work work = { keys->count, keys->count_slot, keys->count_slot_index, keys->count_slot_type };
    const mcl_binding bound = mcl_binding_value("mcl_first", MCL_INT32, &first);
    const mcl_input values =
        mcl_from_expression(keys->type, is_rising ? "mcl_first + i" : "mcl_first - i", NULL, &bound, 1, plan->values);
    return mcl_interval_expand(plan->queue, work, values, mcl_from_buffer(index, plan->counts[1], 0, plan->values),
                               plan->given->out, options);
}

static mcl_status counting_steps(void *of, const mcl_options *options)
{
    counting_plan *const plan = of;
    const mcl_options beside = mcl__beside_options(options);
    const mcl_type *const type = plan->given->keys.type;
    const mcl_type *const index = plan->given->keys.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
    const int is_rising = mcl__same_op(plan->given->before, MCL_LESS);
    const int32_t values = (int32_t)plan->values, least = type->kind == MCL_KIND_SIGNED ? -values / 2 : 0;
    const int32_t first = is_rising ? least : least + values - 1;
    for (int k = 0; k < 2; ++k)
        MCL__TRY(mcl__scratch_hold(plan->queue, (size_t)plan->values * index->size, &plan->counts[k]));
    MCL__TRY(count_step(plan, index, first, is_rising, &beside));
    MCL__TRY(scan_step(plan, index, &beside));
    return expand_step(plan, index, first, is_rising, &beside);
}

static void release_memory(void *of)
{
    counting_plan *const plan = of;
    for (int k = 0; k < 2; ++k) mcl__buffer_drop(&plan->counts[k]);
}

mcl_status mcl__counting_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    counting_plan plan = { .queue = queue, .given = given, .values = value_count(given->keys.type) };
    return mcl__steps_run(queue, options, counting_steps, release_memory, &plan);
}
