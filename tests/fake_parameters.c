/* fake_parameters.c: calls that take a small number, and the values of the number that are tried. */
#include "fake_parameters.h"

#include "tuning/rows.h"

static mcl_input many(const bench *at, int buffer)
{
    return mcl_from_buffer(at->element->type, at->buffers[buffer], 0, MANY);
}

static mcl_input many_integers(const bench *at, int buffer)
{
    return mcl_from_buffer(MCL_INT32, at->buffers[buffer], 0, MANY);
}

static mcl_output many_integers_to(const bench *at, int buffer)
{
    return mcl_to_buffer(MCL_INT32, at->buffers[buffer], 0, MANY);
}

/* Returns column k of the widest buffer, whatever sizes the other columns have. */
static mcl_output wide_to(const bench *at, const mcl_type *type, int k)
{
    const int64_t bytes = (int64_t)k * MANY * COLUMN_BYTES;
    return mcl_to_buffer(type, at->wide, (bytes + (int64_t)type->size - 1) / (int64_t)type->size, MANY);
}

static int is_struct(const bench *at)
{
    return at->element->type->kind == MCL_KIND_STRUCT;
}

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static void one_to_256(const bench *at, numbers *out)
{
    (void)at;
    numbers_all(out, 256);
}

static void one_to_16(const bench *at, numbers *out)
{
    (void)at;
    numbers_all(out, 16);
}

static void one_and_two(const bench *at, numbers *out)
{
    (void)at;
    numbers_all(out, 2);
}

static void bits(const bench *at, numbers *out)
{
    numbers_all(out, 8 * (int64_t)at->element->type->size);
}

static void bins(const bench *at, numbers *out)
{
    (void)at;
    numbers_of_bins(out, 1 << 20);
}

static void amounts(const bench *at, numbers *out)
{
    numbers_of_amounts(at->queue->context, out, MANY);
}

/* ---- calls --------------------------------------------------------------------------------------------------- */

static const mcl_op *bucket(const bench *at)
{
    static const mcl_op of_number = { .role = MCL_ROLE_INDEX, .expression = "(uint32_t)x % 7" };
    static const mcl_op of_index = { .role = MCL_ROLE_INDEX, .expression = "i % 300" };
    return is_struct(at) ? &of_index : &of_number;
}

static mcl_status multisplit(const bench *at, int64_t buckets)
{
    return mcl_multisplit(at->queue, many(at, 0), to(at, 1, MANY), bucket(at), (int)buckets, (mcl_output){ 0 },
                          (mcl_output){ 0 }, at->options);
}

/* Splits by the index, so that buckets are kept beside the elements. */
static mcl_status multisplit_by_index(const bench *at, int64_t buckets)
{
    static const mcl_op of_index = { .role = MCL_ROLE_INDEX, .expression = "i % 300" };
    return mcl_multisplit(at->queue, many(at, 0), to(at, 1, MANY), &of_index, (int)buckets, (mcl_output){ 0 },
                          (mcl_output){ 0 }, at->options);
}

static mcl_status multisplit_pairs(const bench *at, int64_t buckets)
{
    return mcl_multisplit_pairs(at->queue, many(at, 0), many_integers(at, 2), to(at, 1, MANY), many_integers_to(at, 3),
                                bucket(at), (int)buckets, (mcl_output){ 0 }, (mcl_output){ 0 }, at->options);
}

static mcl_status multisplit_pairs_of_bytes(const bench *at, int64_t buckets)
{
    return mcl_multisplit_pairs(at->queue, mcl_from_buffer(MCL_UINT8, at->buffers[2], 0, MANY), many(at, 0),
                                mcl_to_buffer(MCL_UINT8, at->buffers[3], 0, MANY), to(at, 1, MANY),
                                &(mcl_op){ .role = MCL_ROLE_INDEX, .expression = "x" }, (int)buckets, (mcl_output){ 0 },
                                (mcl_output){ 0 }, at->options);
}

static mcl_status histogram(const bench *at, int64_t bin_count)
{
    return mcl_histogram(at->queue, many(at, 0), bucket(at), NULL,
                         mcl_to_buffer(MCL_INT32, at->buffers[1], 0, bin_count), at->options);
}

static mcl_status histogram_even(const bench *at, int64_t bin_count)
{
    if (is_struct(at)) return MCL_OK;
    return mcl_histogram_even(at->queue, many(at, 0), 0, 100, NULL,
                              mcl_to_buffer(MCL_INT64, at->buffers[1], 0, bin_count), at->options);
}

static mcl_status histogram_sums(const bench *at, int64_t bin_count)
{
    const mcl_input weights = mcl_from_buffer(MCL_INT64, at->buffers[2], 0, MANY);
    return mcl_histogram(at->queue, many(at, 0), bucket(at), &weights,
                         mcl_to_buffer(MCL_INT64, at->buffers[1], 0, bin_count), at->options);
}

static mcl_status histogram_range(const bench *at, int64_t bin_count)
{
    if (is_struct(at)) return MCL_OK;
    return mcl_histogram_range(at->queue, many(at, 0),
                               mcl_from_buffer(at->element->type, at->buffers[2], 0, bin_count + 1), NULL,
                               mcl_to_buffer(MCL_INT32, at->buffers[1], 0, bin_count), at->options);
}

/* Selects k of all elements, in order and in any order, and k of few elements. */
static mcl_status top_k(const bench *at, int64_t k)
{
    mcl_options any = *at->options;
    any.flags |= MCL_UNORDERED;
    MCL__TRY(mcl_top_k(at->queue, many(at, 0), mcl_amount_of(k), to(at, 1, k), at->element->before, mcl_to_nowhere(),
                       at->options));
    MCL__TRY(mcl_top_k_pairs(at->queue, many(at, 0), many_integers(at, 2), mcl_amount_of(k), to(at, 1, k),
                             mcl_to_buffer(MCL_INT32, at->buffers[3], 0, k), at->element->before, mcl_to_nowhere(),
                             at->options));
    MCL__TRY(mcl_nth_element(at->queue, many(at, 0), mcl_amount_of(k - 1),
                             mcl_to_slot(at->element->type, at->buffers[4], 0), at->element->before, at->options));
    return mcl_top_k(at->queue, many(at, 0), mcl_amount_of(k), to(at, 1, k), at->element->before, mcl_to_nowhere(),
                     &any);
}

static mcl_status segmented_top_k(const bench *at, int64_t k)
{
    const int64_t rows = MANY / 65536;
    if (k > 65536) return MCL_OK;
    MCL__TRY(mcl_segmented_top_k(at->queue, many(at, 0), mcl_segments_from_rows(rows, 65536), mcl_amount_of(k),
                                 to(at, 1, rows * k), (mcl_output){ 0 }, at->element->before, at->options));
    MCL__TRY(mcl_segmented_nth_element(at->queue, many(at, 0), mcl_segments_from_rows(rows, 65536),
                                       mcl_amount_of(k - 1), to(at, 1, rows), at->element->before, at->options));
    return mcl_segmented_top_k_indices(at->queue, many(at, 0), mcl_segments_from_rows(2, MANY / 2), mcl_amount_of(k),
                                       mcl_to_buffer(MCL_INT32, at->buffers[3], 0, 2 * k), (mcl_output){ 0 },
                                       at->element->before, at->options);
}

static mcl_status quantiles(const bench *at, int64_t count)
{
    const mcl_input fractions = mcl_from_buffer(MCL_FLOAT, at->buffers[2], 0, count);
    const mcl_segments rows = mcl_segments_from_rows(MANY / 1024, 1024);
    const int ways = is_struct(at) ? 1 : 2;
    for (int way = 0; way < ways; ++way) {
        const mcl_interpolation interpolation = way ? MCL_INTERPOLATION_LINEAR : MCL_INTERPOLATION_NEAREST;
        if (way && at->element->type->kind != MCL_KIND_FLOAT) continue;
        MCL__TRY(mcl_quantiles(at->queue, many(at, 0), fractions, to(at, 1, count), at->element->before, interpolation,
                               at->options));
        MCL__TRY(mcl_segmented_quantiles(at->queue, many(at, 0), rows, fractions, to(at, 1, MANY / 1024 * count),
                                         at->element->before, interpolation, at->options));
    }
    return MCL_OK;
}

/* Makes columns whose sizes go through all sizes. */
static void make_columns(const bench *at, mcl_column *columns, int64_t count)
{
    const mcl_type *const types[] = { at->element->type, MCL_INT32, MCL_UINT8, MCL_INT64 };
    for (int k = 0; k < (int)count; ++k) {
        columns[k].in = mcl_from_buffer(types[k % 4], at->buffers[2], 0, MANY);
        columns[k].out = wide_to(at, types[k % 4], k);
    }
}

static mcl_status sort_columns(const bench *at, int64_t count)
{
    const mcl_type *const types[] = { at->element->type, MCL_INT32, MCL_UINT8, MCL_INT64 };
    mcl_key_column keys[16];
    mcl_column columns[16];
    make_columns(at, columns, count);
    for (int k = 0; k < (int)count; ++k)
        keys[k] = (mcl_key_column){ mcl_from_buffer(types[k % 4], at->buffers[k % 2], 0, MANY),
                                    k % 4 ? MCL_LESS : at->element->before };
    return mcl_sort_columns(at->queue, keys, (int)count, columns, (int)count, at->options);
}

static mcl_status compact_columns(const bench *at, int64_t count)
{
    mcl_column columns[16];
    make_columns(at, columns, count);
    MCL__TRY(mcl_compact_columns(at->queue, many(at, 0), to(at, 1, MANY), columns, (int)count, at->element->keep,
                                 mcl_to_slot(MCL_INT64, at->buffers[5], 0), at->options));
    mcl_partition_column parts[16];
    for (int k = 0; k < (int)count; ++k)
        parts[k] = (mcl_partition_column){ columns[k].in, columns[k].out, (mcl_output){ 0 } };
    return mcl_partition_columns(at->queue, many(at, 0), to(at, 1, MANY), (mcl_output){ 0 }, parts, (int)count,
                                 at->element->keep, mcl_to_slot(MCL_INT64, at->buffers[5], 0), at->options);
}

static mcl_status join_columns(const bench *at, int64_t count)
{
    mcl_column columns[16];
    mcl_join_column of_a[16];
    make_columns(at, columns, count);
    for (int k = 0; k < (int)count; ++k) of_a[k] = (mcl_join_column){ columns[k].in, columns[k].out, NULL };
    return mcl_join_columns(at->queue, MCL_JOIN_LEFT, many_integers(at, 0), many_integers(at, 1), of_a, (int)count,
                            NULL, 0, (mcl_output){ 0 }, MCL_LESS, mcl_to_slot(MCL_INT64, at->buffers[5], 0),
                            at->options);
}

/* Groups with sums, extremes and means of values of all sizes in turn. */
static mcl_status group_by(const bench *at, int64_t count)
{
    const mcl_type *const types[] = { at->element->type, MCL_INT32, MCL_UINT8, MCL_INT64 };
    const mcl_op *const ops[] = { MCL_ADD, MCL_MAX, MCL_MIN };
    mcl_aggregate aggregates[16];
    for (int k = 0; k < (int)count; ++k) {
        const mcl_type *const type = types[k % 4];
        const mcl_op *const op = type->kind == MCL_KIND_STRUCT ? at->element->add : ops[k % 3];
        aggregates[k] = (mcl_aggregate){ mcl_from_buffer(type, at->buffers[2], 0, MANY), op, wide_to(at, type, k) };
    }
    const mcl_input keys = is_struct(at) ? many_integers(at, 0) : many(at, 0);
    return mcl_group_by(at->queue, keys, mcl_to_buffer(keys.type, at->buffers[1], 0, MANY), aggregates, (int)count,
                        mcl_to_nowhere(), at->options);
}

static mcl_status sets(const bench *at, int64_t passes)
{
    mcl_options options = *at->options;
    options.passes = (int)passes;
    MCL__TRY(mcl_set_union(at->queue, many(at, 0), many(at, 1), to(at, 2, 2 * MANY), at->element->before,
                           mcl_to_nowhere(), &options));
    MCL__TRY(mcl_set_intersection(at->queue, many(at, 0), many(at, 1), to(at, 2, MANY), at->element->before,
                                  mcl_to_nowhere(), &options));
    MCL__TRY(mcl_set_symmetric_difference_pairs(at->queue, many(at, 0), many(at, 3), many(at, 1), many(at, 4),
                                                to(at, 2, 2 * MANY), to(at, 5, 2 * MANY), at->element->before,
                                                mcl_to_nowhere(), &options));
    return mcl_set_difference(at->queue, many(at, 0), many(at, 1), to(at, 2, MANY), at->element->before,
                              mcl_to_nowhere(), &options);
}

static mcl_status joins(const bench *at, int64_t passes)
{
    mcl_options options = *at->options;
    options.passes = (int)passes;
    for (int kind = MCL_JOIN_INNER; kind <= MCL_JOIN_ANTI; ++kind) {
        const int has_b = kind < MCL_JOIN_SEMI;
        MCL__TRY(mcl_join(at->queue, (mcl_join_kind)kind, many(at, 0), many(at, 1), many_integers_to(at, 2),
                          has_b ? many_integers_to(at, 3) : (mcl_output){ 0 }, at->element->before, mcl_to_nowhere(),
                          &options));
    }
    return MCL_OK;
}

/* Sorts by the lowest bits, and by the highest bits. */
static mcl_status sort_bits(const bench *at, int64_t number)
{
    const int size = 8 * (int)at->element->type->size;
    mcl_options options = *at->options;
    if (is_struct(at)) return MCL_OK;
    options.sort_method = MCL_SORT_RADIX;
    options.end_bit = (int)number;
    MCL__TRY(mcl_sort(at->queue, many(at, 0), to(at, 1, MANY), MCL_LESS, &options));
    MCL__TRY(mcl_sort_pairs(at->queue, many(at, 0), many_integers(at, 2), to(at, 1, MANY), many_integers_to(at, 3),
                            MCL_GREATER, &options));
    options.first_bit = size - (int)number;
    options.end_bit = size;
    return mcl_sort_indices(at->queue, many(at, 0), many_integers_to(at, 3), MCL_LESS, &options);
}

/* Makes a map whose keys are sorted into parts under the caller's tile, as a GPU does for a large map. */
static mcl_status map_parted(const bench *at, int64_t parts)
{
    const mcl_type *const type = at->element->type;
    const mcl_type *const key = type->kind == MCL_KIND_STRUCT || type->size < 4 ? MCL_INT32 : type;
    const mcl_map_config config = { .key = key, .value = type, .capacity = MANY };
    int *const parameters = at->queue->context->tuning->parameters;
    const int earlier[] = { parameters[MCL__PARAMETER_map_parted_bytes], parameters[MCL__PARAMETER_map_part_bytes] };
    mcl_map *map = NULL;
    if (type->size > 16 || type->kind == MCL_KIND_FLOAT) return MCL_OK;
    MCL__TRY(mcl_map_create(mcl_queue_context(at->queue), &config, &map));
    parameters[MCL__PARAMETER_map_parted_bytes] = 1;
    parameters[MCL__PARAMETER_map_part_bytes] = (int)((int64_t)MANY * 8 / parts);
    mcl_status status =
        mcl_map_insert(at->queue, map, mcl_from_buffer(key, at->buffers[1], 0, MANY), many(at, 0), at->options);
    if (status == MCL_OK && type->kind != MCL_KIND_STRUCT)
        status = mcl_map_insert_or_apply(at->queue, map, mcl_from_buffer(key, at->buffers[1], 0, MANY), many(at, 0),
                                         MCL_ADD, at->options);
    parameters[MCL__PARAMETER_map_parted_bytes] = earlier[0];
    parameters[MCL__PARAMETER_map_part_bytes] = earlier[1];
    mcl_map_release(map);
    return status;
}

const walk walks[] = {
    { "multisplit", multisplit, one_to_256 },
    { "multisplit-by-index", multisplit_by_index, one_to_256 },
    { "multisplit-pairs", multisplit_pairs, one_to_256 },
    { "multisplit-pairs-of-bytes", multisplit_pairs_of_bytes, one_to_256 },
    { "map-parted", map_parted, one_to_256 },
    { "histogram", histogram, bins },
    { "histogram-even", histogram_even, bins },
    { "histogram-sums", histogram_sums, bins },
    { "histogram-range", histogram_range, bins },
    { "top-k", top_k, amounts },
    { "segmented-top-k", segmented_top_k, amounts },
    { "quantiles", quantiles, one_to_16 },
    { "sort-columns", sort_columns, one_to_16 },
    { "compact-columns", compact_columns, one_to_16 },
    { "join-columns", join_columns, one_to_16 },
    { "group-by", group_by, one_to_16 },
    { "sets", sets, one_and_two },
    { "joins", joins, one_and_two },
    { "sort-bits", sort_bits, bits },
};
const int walk_count = sizeof walks / sizeof walks[0];
