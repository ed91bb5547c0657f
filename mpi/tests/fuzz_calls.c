/* fuzz_calls.c: the operations of random calls. Each runs on ranks, or by the core. */
#include "fuzz_calls.h"

enum { BINS = 16 };

static const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "((int64_t)x + i) % 3 != 0" };

static mcl_result count_of(side *s)
{
    return mcl_to_host(MCL_INT64, &s->count);
}

static mcl_result whole_of(side *s)
{
    return mcl_to_host(MCL_INT64, &s->whole);
}

/* Returns the first element of an output as a slot. */
static mcl_result slot_of(mcl_output out)
{
    return mcl_to_slot(out.type, out.buffer, out.offset);
}

static mcl_status run_redistribute(const drawing *d, side *s)
{
    s->count = s->a.count;
    return s->mpi ? mcl_mpi_redistribute(s->mpi, s->a, d->share, s->out[0], count_of(s), NULL)
                  : mcl_transform(s->queue, s->a, s->out[0], NULL);
}

/* Moves elements to ranks by an expression. The core's call has one bucket for each rank. */
static mcl_status run_multisplit(const drawing *d, side *s)
{
    static const mcl_op bucket = { .role = MCL_ROLE_INDEX, .expression = "((int64_t)x * 5 + i) % 9 - 1" };
    const mcl_output nowhere = { 0 };
    s->count = s->a.count;
    return s->mpi
               ? mcl_mpi_multisplit_pairs(s->mpi, s->a, s->a_values, s->out[0], s->out[1], &bucket, count_of(s), NULL)
               : mcl_multisplit_pairs(s->queue, s->a, s->a_values, s->out[0], s->out[1], &bucket, d->ranks, nowhere,
                                      nowhere, NULL);
}

static mcl_status run_reduce(const drawing *d, side *s)
{
    s->count = 1;
    return s->mpi ? mcl_mpi_reduce(s->mpi, s->a, d->fold->op, slot_of(s->out[0]), NULL)
                  : mcl_reduce(s->queue, s->a, d->fold->op, slot_of(s->out[0]), NULL);
}

static mcl_status run_scan(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_scan(s->mpi, s->a, s->out[0], d->fold->op, d->kind, mcl_to_nowhere(), NULL)
                  : mcl_scan(s->queue, s->a, s->out[0], d->fold->op, d->kind, mcl_to_nowhere(), NULL);
}

static mcl_status run_sort(const drawing *d, side *s)
{
    s->count = s->a.count;
    return s->mpi ? mcl_mpi_sort_pairs(s->mpi, s->a, s->a_values, d->share, s->out[0], s->out[1], d->order, count_of(s),
                                       NULL)
                  : mcl_sort_pairs(s->queue, s->a, s->a_values, s->out[0], s->out[1], d->order, NULL);
}

static mcl_status run_merge(const drawing *d, side *s)
{
    s->count = s->a.count + s->b.count;
    return s->mpi
               ? mcl_mpi_merge_pairs(s->mpi, s->a, s->a_values, s->b, s->b_values, MCL_MPI_EVEN, s->out[0], s->out[1],
                                     d->order, count_of(s), NULL)
               : mcl_merge_pairs(s->queue, s->a, s->a_values, s->b, s->b_values, s->out[0], s->out[1], d->order, NULL);
}

#define SET_RUN(name)                                                                                                  \
    static mcl_status run_##name(const drawing *d, side *s)                                                            \
    {                                                                                                                  \
        return s->mpi ? mcl_mpi_set_##name##_pairs(s->mpi, s->a, s->a_values, s->b, s->b_values, s->out[0], s->out[1], \
                                                   d->order, count_of(s), whole_of(s), NULL)                           \
                      : mcl_set_##name##_pairs(s->queue, s->a, s->a_values, s->b, s->b_values, s->out[0], s->out[1],   \
                                               d->order, count_of(s), NULL);                                           \
    }
SET_RUN(intersection)
SET_RUN(union)
SET_RUN(difference)
SET_RUN(symmetric_difference)

/* Joins by a kind whose rows are in the core's order. */
static mcl_status run_join(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_join_unsorted(s->mpi, d->join, s->a, s->b, s->out[0], s->out[1], d->order, count_of(s),
                                          whole_of(s), NULL)
                  : mcl_join_unsorted(s->queue, d->join, s->a, s->b, s->out[0], s->out[1], d->order, count_of(s), NULL);
}

static mcl_status run_unordered_join(const drawing *d, side *s)
{
    const mcl_options any_order = { .flags = MCL_UNORDERED };
    return s->mpi ? mcl_mpi_join_unsorted(s->mpi, d->any_join, s->a, s->b, s->out[0], s->out[1], d->order, count_of(s),
                                          whole_of(s), &any_order)
                  : mcl_join_unsorted(s->queue, d->any_join, s->a, s->b, s->out[0], s->out[1], d->order, count_of(s),
                                      NULL);
}

static mcl_status run_top_k(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_top_k_pairs(s->mpi, s->a, s->a_values, d->number, s->out[0], s->out[1], d->order,
                                        count_of(s), NULL)
                  : mcl_top_k_pairs(s->queue, s->a, s->a_values, mcl_amount_of(d->number), s->out[0], s->out[1],
                                    d->order, count_of(s), NULL);
}

static mcl_status run_nth_element(const drawing *d, side *s)
{
    s->count = 1;
    return s->mpi ? mcl_mpi_nth_element(s->mpi, s->a, d->number, slot_of(s->out[0]), d->order, NULL)
                  : mcl_nth_element(s->queue, s->a, mcl_amount_of(d->number), slot_of(s->out[0]), d->order, NULL);
}

/* Finds the keys at few or many indices, from before the first element to after the last one. */
static mcl_status run_nth_elements(const drawing *d, side *s)
{
    const int64_t first = d->number - 40, step = d->number % 23 - 7;
    s->count = d->number % 5 == 0 ? 200 : 1 + d->number % 9;
    const mcl_input indices = mcl_from_step(MCL_INT64, &first, &step, s->count);
    return s->mpi ? mcl_mpi_nth_elements(s->mpi, s->a, indices, s->out[0], d->order, NULL)
                  : mcl_nth_elements(s->queue, s->a, indices, s->out[0], d->order, NULL);
}

static mcl_status run_quantiles(const drawing *d, side *s)
{
    const float first = 1.1f, step = -0.001f * (float)(1 + d->number);
    const mcl_interpolation nearest = MCL_INTERPOLATION_NEAREST;
    s->count = 1 + d->number % 9;
    const mcl_input fractions = mcl_from_step(MCL_FLOAT, &first, &step, s->count);
    return s->mpi ? mcl_mpi_quantiles(s->mpi, s->a, fractions, s->out[0], d->order, nearest, NULL)
                  : mcl_quantiles(s->queue, s->a, fractions, s->out[0], d->order, nearest, NULL);
}

static mcl_status run_compact(const drawing *d, side *s)
{
    (void)d;
    return s->mpi ? mcl_mpi_compact(s->mpi, s->a, s->out[0], &odd, count_of(s), whole_of(s), NULL)
                  : mcl_compact(s->queue, s->a, s->out[0], &odd, count_of(s), NULL);
}

static mcl_status run_unique(const drawing *d, side *s)
{
    const mcl_op *const same = d->equal ? d->equal : MCL_EQUAL;
    return s->mpi ? mcl_mpi_unique(s->mpi, s->a, s->out[0], same, count_of(s), whole_of(s), NULL)
                  : mcl_unique(s->queue, s->a, s->out[0], same, count_of(s), NULL);
}

static mcl_status run_reduce_by_key(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_reduce_by_key(s->mpi, s->a, s->a, s->out[0], s->out[1], d->fold->op, d->equal, count_of(s),
                                          whole_of(s), NULL)
                  : mcl_reduce_by_key(s->queue, s->a, s->a, s->out[0], s->out[1], d->fold->op, d->equal, count_of(s),
                                      NULL);
}

static mcl_status run_scan_by_key(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_scan_by_key(s->mpi, s->a, s->a, s->out[0], d->fold->op, d->equal, d->kind, NULL)
                  : mcl_scan_by_key(s->queue, s->a, s->a, s->out[0], d->fold->op, d->equal, d->kind, NULL);
}

/* Folds groups with values that differ in a group. A second fold, whose result is not wanted, comes first. */
static mcl_status run_group_by(const drawing *d, side *s)
{
    const int64_t step = 1 + d->number % 90;
    const mcl_binding bindings[] = { mcl_binding_value("first", MCL_INT64, &s->first),
                                     mcl_binding_value("step", MCL_INT64, &step) };
    const char *const text = d->value == MCL_INT32    ? "(int32_t)((i + first) * step % 97)"
                             : d->value == MCL_DOUBLE ? "(double)((i + first) * step % 97)"
                                                      : "(float)((i + first) * step % 97)";
    const mcl_input values = mcl_from_expression(d->value, text, NULL, bindings, 2, s->a.count);
    const mcl_aggregate list[] = { { values, MCL_MIN, { 0 } }, { values, d->fold->op, s->out[1] } };
    return s->mpi ? mcl_mpi_group_by(s->mpi, s->a, s->out[0], list, 2, count_of(s), whole_of(s), NULL)
                  : mcl_group_by(s->queue, s->a, s->out[0], list, 2, count_of(s), NULL);
}

static mcl_status run_distinct(const drawing *d, side *s)
{
    (void)d;
    return s->mpi ? mcl_mpi_distinct(s->mpi, s->a, s->out[0], count_of(s), whole_of(s), NULL)
                  : mcl_distinct(s->queue, s->a, s->out[0], count_of(s), NULL);
}

static mcl_status run_segmented_reduce(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_segmented_reduce(s->mpi, s->a, s->segments, s->out[0], d->fold->op, count_of(s),
                                             whole_of(s), NULL)
                  : mcl_segmented_reduce(s->queue, s->a, s->segments, s->out[0], d->fold->op, count_of(s), NULL);
}

static mcl_status run_segmented_scan(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_segmented_scan(s->mpi, s->a, s->segments, s->out[0], d->fold->op, d->kind, NULL)
                  : mcl_segmented_scan(s->queue, s->a, s->segments, s->out[0], d->fold->op, d->kind, NULL);
}

static mcl_status run_histogram(const drawing *d, side *s)
{
    (void)d;
    s->count = s->out[0].capacity = BINS;
    return s->mpi ? mcl_mpi_histogram_even(s->mpi, s->a, 0, 50, NULL, s->out[0], NULL)
                  : mcl_histogram_even(s->queue, s->a, 0, 50, NULL, s->out[0], NULL);
}

/* Inserts the keys of b, each with itself as its value, and finds the keys of a. */
static mcl_status map_ranks(const drawing *d, side *s, const mcl_map_config *config)
{
    const uint64_t missing = 0;
    mcl_mpi_map *map = NULL;
    (void)d;
    mcl_status status = mcl_mpi_map_create(s->mpi, config, &map);
    if (status == MCL_OK) status = mcl_mpi_map_insert(s->mpi, map, s->b, s->b, NULL);
    if (status == MCL_OK) status = mcl_mpi_map_find(s->mpi, map, s->a, s->out[0], &missing, s->out[1], NULL);
    mcl_mpi_map_release(map);
    return status;
}

static mcl_status run_map(const drawing *d, side *s)
{
    const mcl_map_config config = { .key = s->a.type, .value = s->a.type };
    const uint64_t missing = 0;
    mcl_map *map = NULL;
    if (s->mpi) return map_ranks(d, s, &config);
    mcl_status status = mcl_map_create(mcl_queue_context(s->queue), &config, &map);
    if (status == MCL_OK) status = mcl_map_insert(s->queue, map, s->b, s->b, NULL);
    if (status == MCL_OK) status = mcl_map_find(s->queue, map, s->a, s->out[0], &missing, s->out[1], NULL);
    mcl_map_release(map);
    return status;
}

const operation fuzz_operations[] = {
    { "redistribute", run_redistribute, KEPT, 0, { ELEMENTS, NOTHING } },
    { "multisplit_pairs", run_multisplit, KEPT, 0, { ELEMENTS, NUMBERS } },
    { "reduce", run_reduce, EVERYWHERE, ONE_FOLD | FOLDS_ALL, { FOLDS, NOTHING } },
    { "scan", run_scan, ALIGNED, ONE_FOLD, { FOLDS, NOTHING } },
    { "sort_pairs", run_sort, KEPT, 0, { ELEMENTS, NUMBERS } },
    { "merge_pairs", run_merge, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_intersection_pairs", run_intersection, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_union_pairs", run_union, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_difference_pairs", run_difference, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_symmetric_difference_pairs", run_symmetric_difference, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "join_unsorted", run_join, KEPT, JOINS, { NUMBERS, NUMBERS } },
    { "join_unsorted in any order", run_unordered_join, ANYHOW, JOINS, { NUMBERS, NUMBERS } },
    { "top_k_pairs", run_top_k, EVERYWHERE, 0, { ELEMENTS, NUMBERS } },
    { "nth_element", run_nth_element, EVERYWHERE, NOT_EMPTY, { ELEMENTS, NOTHING } },
    { "nth_elements", run_nth_elements, EVERYWHERE, 0, { ELEMENTS, NOTHING } },
    { "quantiles", run_quantiles, EVERYWHERE, 0, { ELEMENTS, NOTHING } },
    { "compact", run_compact, KEPT, 0, { ELEMENTS, NOTHING } },
    { "unique", run_unique, KEPT, 0, { ELEMENTS, NOTHING } },
    { "reduce_by_key", run_reduce_by_key, KEPT, ONE_FOLD, { ELEMENTS, FOLDS } },
    { "scan_by_key", run_scan_by_key, ALIGNED, ONE_FOLD, { FOLDS, NOTHING } },
    { "group_by", run_group_by, OWNED, GROUPS, { ELEMENTS, FOLDS } },
    { "distinct", run_distinct, OWNED, 0, { ELEMENTS, NOTHING } },
    { "segmented_reduce", run_segmented_reduce, KEPT, ONE_FOLD | HAS_SEGMENTS, { FOLDS, NOTHING } },
    { "segmented_scan", run_segmented_scan, ALIGNED, ONE_FOLD | HAS_SEGMENTS, { FOLDS, NOTHING } },
    { "histogram_even", run_histogram, EVERYWHERE, 0, { NUMBERS, NOTHING } },
    { "map_find", run_map, ALIGNED, WHOLE_WORDS, { ELEMENTS, BYTES } },
};

const int fuzz_operation_count = sizeof fuzz_operations / sizeof fuzz_operations[0];
