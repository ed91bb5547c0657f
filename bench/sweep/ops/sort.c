/* sort.c: sorts of keys, of pairs, of structs and of segments. */
#include "../sweep.h"

#include <stdlib.h>
#include <string.h>

static const int64_t number_bytes[] = { 1, 2, 4, 8, 0 };
static const int64_t wide_bytes[] = { 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 0 };

#define SORT_LIMITS(operation)                                                                                         \
    SWEEP_TUNED("radix_sort.bucket_keys_serial", SWEEP_AS_IS), SWEEP_TUNED("bucket_sort.keys", SWEEP_AS_IS),           \
        SWEEP_TUNED("bucket_sort.float_keys", SWEEP_AS_IS), SWEEP_TUNED("bucket_sort.wide_keys", SWEEP_AS_IS),         \
        SWEEP_TUNED("bucket_pairs.wide_keys", SWEEP_AS_IS),                                                            \
        SWEEP_TUNED(operation ".radix_count_a_byte", SWEEP_A_BYTE), SWEEP_TUNED("sort.few_tiles", SWEEP_TILES_A_UNIT)

static int64_t bound_of(int64_t key_bytes)
{
    return key_bytes >= 4 ? SWEEP_ALL_KEYS : INT64_C(1) << 8 * key_bytes;
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static mcl_status sort_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[1]);
    s->bytes = 2.0 * (double)(s->v[0] * s->v[1]);
    if (s->v[1] == 8 && s->v[2] == SWEEP_UNIFORM)
        SWEEP_TRY(sweep_random(s, 0, type, s->v[0], 1));
    else
        SWEEP_TRY(sweep_keys(s, 0, type, s->v[0], s->v[2], bound_of(s->v[1]), 1));
    return sweep_output(s, 0, type, s->v[0]);
}

static mcl_status sort_call(sweep *s)
{
    return mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), MCL_LESS, NULL);
}

static mcl_status sort_by_merging(sweep *s)
{
    return mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), MCL_LESS,
                    &(mcl_options){ .sort_method = MCL_SORT_MERGE });
}

static void sort_plain(sweep *s)
{
    memcpy(s->out[0].host, s->in[0].host, (size_t)(s->v[0] * s->v[1]));
    plain_sort(s->out[0].host, NULL, s->v[0], (int)s->v[1]);
}

const sweep_op sweep_op_sort = {
    .name = "sort",
    .tile = "sort",
    .parameters = { SWEEP_N(SORT_LIMITS("sort")),
                    { .name = "bytes", .base = 4, .values = number_bytes },
                    { .name = "spread", .names = sweep_spread_names } },
    .prepare = sort_prepare,
    .call = sort_call,
    .other = sort_by_merging,
    .plain = sort_plain,
};

/* ---- by an order, then a gather --------------------------------------------------------------------------------- */

/* Sorts indices into spare 1 by keys, an expression or an array. Then it fetches the values by these indices. */
static mcl_status sort_and_gather(sweep *s, mcl_input keys, mcl_input values, mcl_output out)
{
    SWEEP_TRY(mcl_sort_indices(s->bench->queue, keys, sweep_to(&s->spare[1]), MCL_LESS, NULL));
    return mcl_join_gather(s->bench->queue, sweep_from(&s->spare[1], s->v[0]), values, NULL, out, NULL);
}

static uint32_t *counting(int64_t n)
{
    uint32_t *const order = sweep_memory((size_t)n * sizeof *order);
    for (int64_t k = 0; k < n; k++) order[k] = (uint32_t)k;
    return order;
}

static void plain_gather(void *out, const void *in, const uint32_t *order, int64_t n, int64_t value_bytes)
{
#define X(bytes, type, number)                                                                                         \
    if (value_bytes == (bytes))                                                                                        \
        for (int64_t k = 0; k < n; k++) ((type *)out)[k] = ((const type *)in)[order[k]];
    SWEEP_PLAIN_LIST(X)
#undef X
}

/* ---- pairs ------------------------------------------------------------------------------------------------------ */

static mcl_status pairs_prepare(sweep *s)
{
    const mcl_type *const value = sweep_bytes_type(s->v[1]), *const key = sweep_bytes_type(s->v[2]);
    s->bytes = 2.0 * (double)(s->v[0] * (s->v[1] + s->v[2]));
    SWEEP_TRY(sweep_keys(s, 0, key, s->v[0], s->v[3], bound_of(s->v[2]), 1));
    SWEEP_TRY(sweep_random(s, 1, value, s->v[0], 2));
    SWEEP_TRY(sweep_spare(s, 1, MCL_INT32, s->v[0]));
    SWEEP_TRY(sweep_output(s, 0, key, s->v[0]));
    return sweep_output(s, 1, value, s->v[0]);
}

static mcl_status pairs_call(sweep *s)
{
    return mcl_sort_pairs(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), sweep_out(s, 1), MCL_LESS,
                          NULL);
}

static mcl_status pairs_by_indices(sweep *s)
{
    SWEEP_TRY(sort_and_gather(s, sweep_in(s, 0), sweep_in(s, 0), sweep_out(s, 0)));
    return mcl_join_gather(s->bench->queue, sweep_from(&s->spare[1], s->v[0]), sweep_in(s, 1), NULL, sweep_out(s, 1),
                           NULL);
}

static void pairs_plain(sweep *s)
{
    uint32_t *const order = counting(s->v[0]);
    memcpy(s->out[0].host, s->in[0].host, (size_t)(s->v[0] * s->v[2]));
    plain_sort(s->out[0].host, order, s->v[0], (int)s->v[2]);
    plain_gather(s->out[1].host, s->in[1].host, order, s->v[0], s->v[1]);
    free(order);
}

const sweep_op sweep_op_sort_pairs = {
    .name = "sort_pairs",
    .tile = "sort_pairs",
    .parameters = { SWEEP_N(SORT_LIMITS("sort_pairs")),
                    { .name = "value_bytes", .base = 4, .values = sweep_element_bytes },
                    { .name = "bytes", .base = 4, .values = number_bytes },
                    { .name = "spread", .names = sweep_spread_names } },
    .most = 30000000,
    .prepare = pairs_prepare,
    .call = pairs_call,
    .other = pairs_by_indices,
    .plain = pairs_plain,
};

/* ---- structs by an order of one's own --------------------------------------------------------------------------- */

static mcl_status structs_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[1]);
    s->bytes = 2.0 * (double)(s->v[0] * s->v[1]);
    SWEEP_TRY(sweep_random(s, 0, type, s->v[0], 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    SWEEP_TRY(sweep_spare(s, 1, MCL_INT32, s->v[0]));
    return sweep_output(s, 0, type, s->v[0]);
}

static mcl_status structs_call(sweep *s)
{
    static const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = "p.w[0] < q.w[0]" };
    return mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), &before, NULL);
}

static mcl_status structs_by_indices(sweep *s)
{
    const mcl_binding elements = mcl_binding_buffer("elements", s->in[0].type, s->in[0].device, 0);
    SWEEP_TRY(mcl_transform(s->bench->queue,
                            mcl_from_expression(MCL_UINT32, "elements[i].w[0]", NULL, &elements, 1, s->v[0]),
                            sweep_to(&s->spare[0]), NULL));
    return sort_and_gather(s, sweep_from(&s->spare[0], s->v[0]), sweep_in(s, 0), sweep_out(s, 0));
}

static void structs_plain(sweep *s)
{
    uint32_t *const order = counting(s->v[0]);
    uint32_t *const keys = sweep_memory((size_t)s->v[0] * sizeof *keys);
    const int64_t words = s->v[1] / 4;
    for (int64_t k = 0; k < s->v[0]; k++) keys[k] = ((const uint32_t *)s->in[0].host)[k * words];
    plain_sort(keys, order, s->v[0], 4);
    plain_gather(s->out[0].host, s->in[0].host, order, s->v[0], s->v[1]);
    free(order);
    free(keys);
}

const sweep_op sweep_op_sort_structs = {
    .name = "sort_structs",
    .tile = "sort",
    .element_bytes = 16,
    .parameters = { SWEEP_N(SWEEP_TUNED("sort.few_tiles", SWEEP_TILES_A_UNIT)),
                    { .name = "bytes", .base = 16, .values = wide_bytes } },
    .most = 10000000,
    .prepare = structs_prepare,
    .call = structs_call,
    .other = structs_by_indices,
    .plain = structs_plain,
};

/* ---- segments and rows ------------------------------------------------------------------------------------------ */

static mcl_status segments_prepare(sweep *s)
{
    int64_t segments = 0;
    s->bytes = 8.0 * (double)s->v[0];
    s->lacks_other = s->v[2] != 0;
    SWEEP_TRY(sweep_random(s, 0, MCL_UINT32, s->v[0], 1));
    SWEEP_TRY(sweep_offsets(s, 1, s->v[0], s->v[1], s->v[2], &segments));
    s->bytes += 4.0 * (double)segments;
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT64, s->v[0]));
    return sweep_output(s, 0, MCL_UINT32, s->v[0]);
}

static mcl_status segments_call(sweep *s)
{
    return mcl_segmented_sort(s->bench->queue, sweep_in(s, 0), mcl_segments_from_offsets(sweep_in(s, 1)),
                              sweep_out(s, 0), MCL_LESS, MCL_UNSTABLE, NULL, NULL);
}

/* Sorts words that have the segment's number and the key. */
static mcl_status rows_by_words(sweep *s)
{
    const int64_t length = s->v[1] < s->v[0] ? s->v[1] : s->v[0];
    const mcl_binding bindings[] = { mcl_binding_buffer("keys", MCL_UINT32, s->in[0].device, 0),
                                     mcl_binding_value("row", MCL_INT64, &length) };
    const mcl_binding sorted = mcl_binding_buffer("sorted", MCL_UINT64, s->spare[0].device, 0);
    SWEEP_TRY(mcl_transform(
        s->bench->queue,
        mcl_from_expression(MCL_UINT64, "(uint64_t)(i / row) << 32 | keys[i]", NULL, bindings, 2, s->v[0]),
        sweep_to(&s->spare[0]), NULL));
    SWEEP_TRY(mcl_sort(s->bench->queue, sweep_from(&s->spare[0], s->v[0]), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    return mcl_transform(s->bench->queue,
                         mcl_from_expression(MCL_UINT32, "(uint32_t)sorted[i]", NULL, &sorted, 1, s->v[0]),
                         sweep_out(s, 0), NULL);
}

static void segments_plain(sweep *s)
{
    enum { SHORT = 64 };
    const int32_t *const offsets = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    memcpy(out, s->in[0].host, (size_t)s->v[0] * sizeof *out);
    for (int64_t k = 0; k + 1 < s->in[1].count; k++) {
        uint32_t *const segment = out + offsets[k];
        const int64_t length = offsets[k + 1] - offsets[k];
        if (length > SHORT) plain_sort(segment, NULL, length, 4);
        for (int64_t i = 1; i < length && length <= SHORT; i++) {
            const uint32_t key = segment[i];
            int64_t place = i;
            for (; place > 0 && segment[place - 1] > key; place--) segment[place] = segment[place - 1];
            segment[place] = key;
        }
    }
}

#define LENGTH                                                                                                         \
    {                                                                                                                  \
        .name = "length", .base = 100, .least = 1, .most = 10000000, .limits = {                                       \
            SWEEP_TUNED("segmented_sort.direct_tiles", SWEEP_TILES_A_UNIT),                                            \
            SWEEP_TUNED("segmented_sort.short_by_vectors", SWEEP_AS_IS)                                                \
        }                                                                                                              \
    }

const sweep_op sweep_op_segmented_sort = {
    .name = "segmented_sort",
    .tile = "segmented_sort",
    .parameters = { SWEEP_N(SWEEP_TUNED("segmented_sort.direct_tiles", SWEEP_TILES_A_UNIT)),
                    LENGTH,
                    { .name = "mix", .names = sweep_mix_names } },
    .prepare = segments_prepare,
    .call = segments_call,
    .other = rows_by_words,
    .plain = segments_plain,
};

/* Makes whole rows. The last elements that do not fill a row are left out. */
static mcl_status rows_prepare(sweep *s)
{
    const int64_t length = s->v[1] < s->v[0] ? s->v[1] : s->v[0];
    s->v[0] = s->v[0] / length * length;
    s->v[2] = 0;
    s->units = (double)s->v[0];
    return segments_prepare(s);
}

static mcl_status rows_call(sweep *s)
{
    return mcl_segmented_sort(s->bench->queue, sweep_in(s, 0), mcl_segments_from_rows(s->v[0] / s->v[1], s->v[1]),
                              sweep_out(s, 0), MCL_LESS, MCL_UNSTABLE, NULL, NULL);
}

const sweep_op sweep_op_segmented_sort_rows = {
    .name = "segmented_sort_rows",
    .tile = "segmented_sort",
    .parameters = { SWEEP_N(SWEEP_TUNED("segmented_sort.direct_tiles", SWEEP_TILES_A_UNIT)), LENGTH },
    .prepare = rows_prepare,
    .call = rows_call,
    .other = rows_by_words,
    .plain = segments_plain,
};
