/* group_by.c: histograms, groups and distinct keys. */
#include "../sweep.h"

#include "facts/group_by.h"
#include "facts/histogram.h"

#include <stdlib.h>
#include <string.h>

static const int64_t key_sizes[] = { 4, 8, 0 };
static const char *const value_names[] = { "int32", "double", NULL };
static const char *const weight_names[] = { "count", "weights", NULL };
static const char *const bin_names[] = { "even", "levels", "operator", NULL };
static const char *const count_names[] = { "int32", "int64", NULL };

/* ---- histograms ------------------------------------------------------------------------------------------------- */

static mcl_status histogram_prepare(sweep *s)
{
    const int64_t bins = s->v[1];
    const mcl_type *const type = s->v[5] ? MCL_INT64 : MCL_INT32;
    s->bytes = 4.0 * (double)s->v[0] + (double)type->size * (double)bins;
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], s->v[2], bins, 1));
    if (s->v[3]) SWEEP_TRY(sweep_keys(s, 1, MCL_INT32, s->v[0], SWEEP_UNIFORM, 100, 2));
    if (s->v[3]) s->bytes += 4.0 * (double)s->v[0];
    if (s->v[4] == 1) SWEEP_TRY(sweep_keys(s, 2, MCL_UINT32, bins + 1, SWEEP_SORTED, bins + 1, 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    s->lacks_other = s->v[3] && s->v[4] == 1;
    SWEEP_TRY(sweep_spare(s, 1, MCL_INT32, s->v[0] > bins ? s->v[0] : bins + 1));
    SWEEP_TRY(sweep_spare(s, 2, type, bins));
    SWEEP_TRY(sweep_spare(s, 3, MCL_UINT32, bins));
    return sweep_output(s, 0, type, bins);
}

static mcl_status histogram_call(sweep *s)
{
    static const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "(int64_t)x" };
    mcl_queue *const queue = s->bench->queue;
    const mcl_input weights = s->v[3] ? sweep_in(s, 1) : (mcl_input){ 0 };
    const mcl_input *const given = s->v[3] ? &weights : NULL;
    if (s->v[4] == 0)
        return mcl_histogram_even(queue, sweep_in(s, 0), 0, (double)s->v[1], given, sweep_out(s, 0), NULL);
    if (s->v[4] == 1) return mcl_histogram_range(queue, sweep_in(s, 0), sweep_in(s, 2), given, sweep_out(s, 0), NULL);
    return mcl_histogram(queue, sweep_in(s, 0), &bin, given, sweep_out(s, 0), NULL);
}

/* Finds levels by a sort and a search for the levels. */
static mcl_status levels_by_sort(sweep *s)
{
    mcl_queue *const queue = s->bench->queue;
    const mcl_binding found = mcl_binding_buffer("found", MCL_INT32, s->spare[1].device, 0);
    const mcl_type *const type = s->out[0].type;
    SWEEP_TRY(mcl_sort(queue, sweep_in(s, 0), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    SWEEP_TRY(mcl_sorted_search_needles(queue, sweep_in(s, 2), sweep_from(&s->spare[0], s->v[0]), MCL_LOWER,
                                        sweep_to(&s->spare[1]), MCL_LESS, NULL));
    return mcl_transform(queue, mcl_from_expression(type, "found[i + 1] - found[i]", NULL, &found, 1, s->v[1]),
                         sweep_to(&s->spare[2]), NULL);
}

/* Makes a histogram by a sort and a sum of each run. It leaves out bins without elements. */
static mcl_status histogram_by_sort(sweep *s)
{
    mcl_queue *const queue = s->bench->queue;
    const int32_t one = 1;
    if (s->v[4] == 1) return levels_by_sort(s);
    mcl_input values = mcl_from_constant(MCL_INT32, &one, s->v[0]);
    if (s->v[3]) {
        values = sweep_from(&s->spare[1], s->v[0]);
        SWEEP_TRY(mcl_sort_pairs(queue, sweep_in(s, 0), sweep_in(s, 1), sweep_to(&s->spare[0]), sweep_to(&s->spare[1]),
                                 MCL_LESS, NULL));
    } else
        SWEEP_TRY(mcl_sort(queue, sweep_in(s, 0), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    return mcl_reduce_by_key(queue, sweep_from(&s->spare[0], s->v[0]), values, sweep_to(&s->spare[3]),
                             sweep_to(&s->spare[2]), MCL_ADD, MCL_EQUAL, mcl_to_nowhere(), NULL);
}

/* Returns the bin of a key: the bin with the last level that is at most the key. */
static int64_t plain_level(const uint32_t *levels, int64_t bins, uint32_t key)
{
    int64_t low = 0, high = bins;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (levels[middle + 1] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define PLAIN_BINS(type, bin)                                                                                          \
    {                                                                                                                  \
        type *const out = s->out[0].host;                                                                              \
        for (int64_t k = 0; k < s->v[0]; k++) out[bin] += weights ? weights[k] : 1;                                    \
    }

static void histogram_plain(sweep *s)
{
    const uint32_t *const keys = s->in[0].host, *const levels = s->in[2].host;
    const int32_t *const weights = s->v[3] ? s->in[1].host : NULL;
    memset(s->out[0].host, 0, (size_t)s->v[1] * s->out[0].type->size);
    if (s->v[4] == 1 && s->v[5]) PLAIN_BINS(int64_t, plain_level(levels, s->v[1], keys[k]))
    if (s->v[4] == 1 && !s->v[5]) PLAIN_BINS(int32_t, plain_level(levels, s->v[1], keys[k]))
    if (s->v[4] != 1 && s->v[5]) PLAIN_BINS(int64_t, keys[k])
    if (s->v[4] != 1 && !s->v[5]) PLAIN_BINS(int32_t, keys[k])
}

const sweep_op sweep_op_histogram = {
    .name = "histogram",
    .tile = "histogram",
    .parameters = { SWEEP_N(SWEEP_TUNED("histogram.parts", SWEEP_TILES_A_UNIT)),
                    { .name = "bins",
                      .base = 256,
                      .least = 1,
                      .most = 4000000,
                      .limits = { SWEEP_FACT(HISTOGRAM_LOCAL_BINS), SWEEP_FACT(RANGE_BINS_MOST),
                                  SWEEP_FACT(RANGE_BINS_MOST *RANGES_MOST), SWEEP_FACT(HISTOGRAM_FEW_BINS) } },
                    { .name = "spread", .names = sweep_spread_names },
                    { .name = "weights", .names = weight_names },
                    { .name = "by", .names = bin_names },
                    { .name = "counts", .names = count_names } },
    .other_differs = 1,
    .prepare = histogram_prepare,
    .call = histogram_call,
    .other = histogram_by_sort,
    .plain = histogram_plain,
};

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static const mcl_op *aggregate_op(int k)
{
    return k % 2 ? MCL_MAX : MCL_ADD;
}

static mcl_status group_by_prepare(sweep *s)
{
    const mcl_type *const key = sweep_bytes_type(s->v[4]), *const sum = s->v[3] ? MCL_DOUBLE : MCL_INT64;
    const int64_t room = s->v[1] < s->v[0] ? s->v[1] : s->v[0];
    const int aggregates = (int)s->v[5];
    s->lacks_other = aggregates > 1;
    s->bytes =
        (double)s->v[0] * (double)(s->v[4] + (s->v[3] ? 8 : 4)) + (double)room * (double)(s->v[4] + 8 * aggregates);
    SWEEP_TRY(sweep_keys(s, 0, key, s->v[0], s->v[2], s->v[1], 1));
    SWEEP_TRY(sweep_keys(s, 1, s->v[3] ? MCL_DOUBLE : MCL_INT32, s->v[0], SWEEP_UNIFORM, 1000, 2));
    SWEEP_TRY(sweep_output(s, 0, key, room));
    for (int k = 0; k < aggregates; k++) SWEEP_TRY(sweep_output(s, 1 + k, sum, room));
    SWEEP_TRY(sweep_spare(s, 0, key, s->v[0]));
    SWEEP_TRY(sweep_spare(s, 1, s->in[1].type, s->v[0]));
    return sweep_output(s, 1 + aggregates, MCL_INT64, 1);
}

static mcl_status group_by_call(sweep *s)
{
    mcl_aggregate aggregates[SWEEP_ARRAYS];
    const int count = (int)s->v[5];
    for (int k = 0; k < count; k++)
        aggregates[k] = (mcl_aggregate){ sweep_in(s, 1), aggregate_op(k), sweep_out(s, 1 + k) };
    return mcl_group_by(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), aggregates, count, sweep_count(s, 1 + count),
                        NULL);
}

static mcl_status group_by_sort(sweep *s)
{
    SWEEP_TRY(mcl_sort_pairs(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_to(&s->spare[0]),
                             sweep_to(&s->spare[1]), MCL_LESS, NULL));
    return mcl_reduce_by_key(s->bench->queue, sweep_from(&s->spare[0], s->v[0]), sweep_from(&s->spare[1], s->v[0]),
                             sweep_out(s, 0), sweep_out(s, 1), MCL_ADD, MCL_EQUAL, sweep_count(s, 2), NULL);
}

static uint32_t key_at(const sweep *s, int64_t k)
{
    return s->v[4] == 8 ? (uint32_t)((const uint64_t *)s->in[0].host)[k] : ((const uint32_t *)s->in[0].host)[k];
}

/* Gives each key a number, in the order in which keys first appear, and stores it in the table. */
static int64_t number_key(const sweep *s, const plain_table *table, uint32_t key, int64_t *groups)
{
    plain_slot *const slot = plain_table_at(table, key);
    if (slot->key != PLAIN_NONE) return slot->count;
    *slot = (plain_slot){ .key = key, .count = (int32_t)*groups };
    if (s->v[4] == 8)
        ((uint64_t *)s->out[0].host)[*groups] = key;
    else
        ((uint32_t *)s->out[0].host)[*groups] = key;
    return (*groups)++;
}

#define PLAIN_GROUPS(value_type, sum_type)                                                                             \
    {                                                                                                                  \
        const value_type *const values = s->in[1].host;                                                                \
        for (int64_t k = 0; k < s->v[0]; k++) {                                                                        \
            const int64_t before = groups, group = number_key(s, &table, key_at(s, k), &groups);                       \
            for (int a = 0; a < aggregates; a++) {                                                                     \
                sum_type *const to = (sum_type *)s->out[1 + a].host + group;                                           \
                if (groups > before)                                                                                   \
                    *to = (sum_type)values[k];                                                                         \
                else if (a % 2 == 0)                                                                                   \
                    *to += (sum_type)values[k];                                                                        \
                else if (*to < (sum_type)values[k])                                                                    \
                    *to = (sum_type)values[k];                                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

static void group_by_plain(sweep *s)
{
    plain_table table = plain_table_open(s->out[0].room);
    const int aggregates = (int)s->v[5];
    int64_t groups = 0;
    if (s->v[3]) PLAIN_GROUPS(double, double)
    if (!s->v[3]) PLAIN_GROUPS(int32_t, int64_t)
    for (int k = 0; k <= aggregates; k++) s->out[k].count = groups;
    *(int64_t *)s->out[1 + aggregates].host = groups;
    plain_table_close(&table);
}

/* clang-format off */
#define GROUP_PARAMETERS                                                                                               \
    SWEEP_N(SWEEP_TUNED("group_by.table_least", SWEEP_AS_IS),                                                          \
            SWEEP_TUNED("group_by.table_least_serial", SWEEP_AS_IS)),                                                  \
    { .name = "groups",                                                                                                \
      .base = 1000,                                                                                                    \
      .least = 1,                                                                                                      \
      .most = 10000000,                                                                                                \
      .limits = { SWEEP_TUNED("group_by.slot_bits", SWEEP_EXPONENT), SWEEP_FACT(1 << GROUP_BY_SMALL_BITS),             \
                  SWEEP_FACT(1 << GROUP_BY_LARGE_BITS),                                                                \
                  SWEEP_FACT(GROUP_BY_PART_GROUPS(GROUP_BY_LARGE_BITS + 1)) } },                                       \
    { .name = "spread", .names = sweep_spread_names }
/* clang-format on */

const sweep_op sweep_op_group_by = {
    .name = "group_by",
    .tile = "group_by",
    .parameters = { GROUP_PARAMETERS,
                    { .name = "values", .names = value_names },
                    { .name = "bytes", .base = 4, .values = key_sizes },
                    { .name = "aggregates", .base = 1, .least = 1, .most = 5, .above_n = 1 } },
    .any_order = 1,
    .plain_most = 1.0,
    .prepare = group_by_prepare,
    .call = group_by_call,
    .other = group_by_sort,
    .plain = group_by_plain,
};

/* ---- distinct keys ---------------------------------------------------------------------------------------------- */

static mcl_status distinct_prepare(sweep *s)
{
    const int64_t room = s->v[1] < s->v[0] ? s->v[1] : s->v[0];
    s->bytes = 4.0 * (double)(s->v[0] + room);
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], s->v[2], s->v[1], 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    SWEEP_TRY(sweep_output(s, 0, MCL_UINT32, room));
    return sweep_output(s, 1, MCL_INT64, 1);
}

static mcl_status distinct_call(sweep *s)
{
    return mcl_distinct(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), sweep_count(s, 1), NULL);
}

static mcl_status distinct_by_sort(sweep *s)
{
    SWEEP_TRY(mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    return mcl_unique(s->bench->queue, sweep_from(&s->spare[0], s->v[0]), sweep_out(s, 0), MCL_EQUAL, sweep_count(s, 1),
                      NULL);
}

static void distinct_plain(sweep *s)
{
    const uint32_t *const keys = s->in[0].host;
    plain_table table = plain_table_open(s->out[0].room);
    int64_t groups = 0;
    for (int64_t k = 0; k < s->v[0]; k++) {
        plain_slot *const slot = plain_table_at(&table, keys[k]);
        if (slot->key != PLAIN_NONE) continue;
        slot->key = keys[k];
        ((uint32_t *)s->out[0].host)[groups++] = keys[k];
    }
    *(int64_t *)s->out[1].host = s->out[0].count = groups;
    plain_table_close(&table);
}

const sweep_op sweep_op_distinct = {
    .name = "distinct",
    .tile = "group_by",
    .parameters = { GROUP_PARAMETERS },
    .any_order = 1,
    .plain_most = 1.0,
    .prepare = distinct_prepare,
    .call = distinct_call,
    .other = distinct_by_sort,
    .plain = distinct_plain,
};
