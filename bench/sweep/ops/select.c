/* select.c: compaction, runs, partition, buckets and the first element that passes a test. */
#include "../sweep.h"

#include "facts/multisplit.h"

#include <stdlib.h>

#define SELECTIVITY { .name = "percent", .base = 50, .least = 1, .most = 100, .above_n = 1 }

/* ---- what passes a test ----------------------------------------------------------------------------------------- */

/* Makes a test that percent of all random elements pass: an element's first number must be below a limit. */
static mcl_op test_of(const sweep *s, int64_t bytes, uint32_t *limit)
{
    const double all = bytes == 1 ? 256 : bytes == 2 ? 65536 : 4294967296.0;
    const double below = all * (double)s->v[1] / 100;
    *limit = s->v[1] >= 100 ? (uint32_t)(all - 1) : (uint32_t)below;
    mcl_op test = { .role = MCL_ROLE_TEST,
                    .expression = bytes > 8 ? "x.w[0] <= limit" : "(uint32_t)x <= limit",
                    .binding_count = 1 };
    test.bindings[0] = mcl_binding_value("limit", MCL_UINT32, limit);
    return test;
}

static mcl_status compact_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[2]);
    s->bytes = (double)(s->v[0] * s->v[2]) * (1 + (double)s->v[1] / 100);
    SWEEP_TRY(sweep_random(s, 0, type, s->v[0], 1));
    SWEEP_TRY(sweep_output(s, 0, type, s->v[0]));
    return sweep_output(s, 1, MCL_INT64, 1);
}

static mcl_status compact_call(sweep *s)
{
    uint32_t limit = 0;
    const mcl_op test = test_of(s, s->v[2], &limit);
    return mcl_compact(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), &test, sweep_count(s, 1), NULL);
}

static void compact_plain(sweep *s)
{
    uint32_t limit = 0;
    int64_t kept = 0;
    (void)test_of(s, s->v[2], &limit);
#define X(bytes, type, number)                                                                                         \
    if (s->v[2] == (bytes)) {                                                                                          \
        const type *const in = s->in[0].host;                                                                          \
        type *const out = s->out[0].host;                                                                              \
        for (int64_t k = 0; k < s->v[0]; k++) {                                                                        \
            const type x = in[k];                                                                                      \
            if ((number) <= limit) out[kept++] = x;                                                                    \
        }                                                                                                              \
    }
    SWEEP_PLAIN_LIST(X)
#undef X
    *(int64_t *)s->out[1].host = s->out[0].count = kept;
}

const sweep_op sweep_op_compact = {
    .name = "compact",
    .tile = "compact",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.few_words", SWEEP_TILES), SWEEP_TUNED("any.parts", SWEEP_TILES_A_UNIT),
                            SWEEP_TUNED("any.block_tiles", SWEEP_TILES_A_UNIT)),
                    SELECTIVITY,
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes } },
    .prepare = compact_prepare,
    .call = compact_call,
    .plain = compact_plain,
};

static mcl_status partition_prepare(sweep *s)
{
    s->bytes = 8.0 * (double)s->v[0];
    SWEEP_TRY(sweep_random(s, 0, MCL_UINT32, s->v[0], 1));
    SWEEP_TRY(sweep_output(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 1, MCL_UINT32, s->v[0]);
}

static mcl_status partition_call(sweep *s)
{
    uint32_t limit = 0;
    const mcl_op test = test_of(s, 4, &limit);
    return mcl_partition(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), sweep_out(s, 1), &test, mcl_to_nowhere(),
                         NULL);
}

static void partition_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host;
    uint32_t *const kept = s->out[0].host, *const rejected = s->out[1].host;
    uint32_t limit = 0;
    int64_t kept_count = 0, rejected_count = 0;
    (void)test_of(s, 4, &limit);
    for (int64_t k = 0; k < s->v[0]; k++)
        if (in[k] <= limit)
            kept[kept_count++] = in[k];
        else
            rejected[rejected_count++] = in[k];
    s->out[0].count = kept_count;
    s->out[1].count = rejected_count;
}

const sweep_op sweep_op_partition = {
    .name = "partition",
    .tile = "compact",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.few_words", SWEEP_TILES)), SELECTIVITY },
    .prepare = partition_prepare,
    .call = partition_call,
    .plain = partition_plain,
};

static mcl_status find_prepare(sweep *s)
{
    s->units = (double)(s->v[0] * s->v[1] / 100 + 1);
    s->bytes = 4.0 * s->units;
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], SWEEP_SORTED, s->v[0], 1));
    return sweep_output(s, 0, MCL_INT64, 1);
}

static uint32_t place_of(const sweep *s)
{
    return (uint32_t)(s->v[0] * s->v[1] / 100);
}

static mcl_status find_call(sweep *s)
{
    const uint32_t place = place_of(s);
    mcl_op test = { .role = MCL_ROLE_TEST, .expression = "x == place", .binding_count = 1 };
    test.bindings[0] = mcl_binding_value("place", MCL_UINT32, &place);
    return mcl_find_if(s->bench->queue, sweep_in(s, 0), &test, sweep_count(s, 0), NULL);
}

static mcl_status find_by_reduce(sweep *s)
{
    const uint32_t place = place_of(s);
    mcl_binding bindings[] = { mcl_binding_value("place", MCL_UINT32, &place),
                               mcl_binding_buffer("keys", MCL_UINT32, s->in[0].device, 0),
                               mcl_binding_value("none", MCL_INT64, &s->v[0]) };
    return mcl_reduce(s->bench->queue,
                      mcl_from_expression(MCL_INT64, "keys[i] == place ? i : none", NULL, bindings, 3, s->v[0]),
                      MCL_MIN, sweep_count(s, 0), NULL);
}

static void find_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host;
    const uint32_t place = place_of(s);
    int64_t k = 0;
    while (k < s->v[0] && in[k] != place) k++;
    *(int64_t *)s->out[0].host = k;
}

const sweep_op sweep_op_find = {
    .name = "find_if",
    .tile = "find",
    .parameters = { SWEEP_N(SWEEP_TUNED("find.work_items", SWEEP_A_UNIT)), SELECTIVITY },
    .prepare = find_prepare,
    .call = find_call,
    .other = find_by_reduce,
    .plain = find_plain,
};

/* ---- runs ------------------------------------------------------------------------------------------------------- */

static mcl_status unique_prepare(sweep *s)
{
    const int64_t runs = s->v[0] / s->v[1] > 0 ? s->v[0] / s->v[1] : 1;
    s->bytes = 4.0 * (double)(s->v[0] + runs);
    SWEEP_TRY(sweep_runs(s, 0, MCL_UINT32, s->v[0], s->v[1]));
    SWEEP_TRY(sweep_output(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 1, MCL_INT64, 1);
}

static mcl_status unique_call(sweep *s)
{
    return mcl_unique(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), MCL_EQUAL, sweep_count(s, 1), NULL);
}

static void unique_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host;
    uint32_t *const out = s->out[0].host;
    int64_t runs = 0;
    for (int64_t k = 0; k < s->v[0]; k++)
        if (k == 0 || in[k] != in[k - 1]) out[runs++] = in[k];
    *(int64_t *)s->out[1].host = s->out[0].count = runs;
}

const sweep_op sweep_op_unique = {
    .name = "unique",
    .tile = "compact",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.few_words", SWEEP_TILES)),
                    { .name = "length", .base = 10, .least = 1, .most = 1000000 } },
    .prepare = unique_prepare,
    .call = unique_call,
    .plain = unique_plain,
};

/* ---- buckets ---------------------------------------------------------------------------------------------------- */

static const char *const moved_names[] = { "keys", "pairs", NULL };

static mcl_status split_prepare(sweep *s)
{
    s->bytes = (s->v[3] ? 16.0 : 8.0) * (double)s->v[0];
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], s->v[2], SWEEP_ALL_KEYS, 1));
    SWEEP_TRY(sweep_output(s, 0, MCL_UINT32, s->v[0]));
    if (!s->v[3]) return MCL_OK;
    SWEEP_TRY(sweep_random(s, 1, MCL_UINT32, s->v[0], 2));
    return sweep_output(s, 1, MCL_UINT32, s->v[0]);
}

static mcl_status split_call(sweep *s)
{
    const uint64_t buckets = (uint64_t)s->v[1];
    mcl_op bucket = { .role = MCL_ROLE_INDEX,
                      .expression = "(int64_t)((uint64_t)x * buckets >> 32)",
                      .binding_count = 1 };
    bucket.bindings[0] = mcl_binding_value("buckets", MCL_UINT64, &buckets);
    const mcl_output none = { 0 };
    return s->v[3] ? mcl_multisplit_pairs(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0),
                                          sweep_out(s, 1), &bucket, (int)s->v[1], none, none, NULL)
                   : mcl_multisplit(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), &bucket, (int)s->v[1], none, none,
                                    NULL);
}

static mcl_status split_by_sort(sweep *s)
{
    return s->v[3] ? mcl_sort_pairs(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), sweep_out(s, 1),
                                    MCL_LESS, NULL)
                   : mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), MCL_LESS, NULL);
}

static void split_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host, *const values = s->in[1].host;
    uint32_t *const out = s->out[0].host, *const out_values = s->out[1].host;
    const uint64_t buckets = (uint64_t)s->v[1];
    int64_t *const starts = sweep_memory((size_t)(buckets + 1) * sizeof *starts);
    for (int64_t k = 0; k < s->v[0]; k++) starts[(in[k] * buckets >> 32) + 1]++;
    for (uint64_t k = 0; k < buckets; k++) starts[k + 1] += starts[k];
    for (int64_t k = 0; k < s->v[0]; k++) {
        const int64_t place = starts[in[k] * buckets >> 32]++;
        out[place] = in[k];
        if (s->v[3]) out_values[place] = values[k];
    }
    free(starts);
}

const sweep_op sweep_op_multisplit = {
    .name = "multisplit",
    .tile = "multisplit",
    .parameters = { SWEEP_N(SWEEP_TUNED("multisplit.parts_serial", SWEEP_TILES_A_UNIT)),
                    { .name = "buckets",
                      .base = 8,
                      .least = 1,
                      .most = MULTISPLIT_BUCKETS_MOST,
                      .above_n = 1,
                      .limits = { SWEEP_FACT(1 << MULTISPLIT_FEW_BITS) } },
                    { .name = "spread", .names = sweep_spread_names },
                    { .name = "moved", .names = moved_names } },
    .other_differs = 1,
    .prepare = split_prepare,
    .call = split_call,
    .other = split_by_sort,
    .plain = split_plain,
};
