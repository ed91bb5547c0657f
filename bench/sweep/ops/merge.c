/* merge.c: two sorted sequences: merge, intersection, search; elements removed by index; work of objects. */
#include "../sweep.h"

#include <string.h>

static const int64_t key_bytes[] = { 4, 8, 0 };

/* The parameter percent: the first sequence's part of all elements. */
#define SHARE { .name = "percent", .base = 50, .least = 1, .most = 99, .above_n = 1 }
#define MERGE_LIMITS                                                                                                   \
    SWEEP_TUNED("merge.coarse_splits", SWEEP_TILES), SWEEP_TUNED("merge.shares_serial", SWEEP_TILES_A_UNIT)

/* ---- merge ------------------------------------------------------------------------------------------------------ */

static mcl_status two_prepare(sweep *s, int64_t bytes)
{
    const mcl_type *const type = sweep_bytes_type(bytes);
    const int64_t first = s->v[0] * s->v[1] / 100 > 0 ? s->v[0] * s->v[1] / 100 : 1;
    s->bytes = 2.0 * (double)(s->v[0] * bytes);
    SWEEP_TRY(sweep_keys(s, 0, type, first, SWEEP_SORTED, SWEEP_ALL_KEYS, 1));
    return sweep_keys(s, 1, type, s->v[0] - first, SWEEP_SORTED, SWEEP_ALL_KEYS, 2);
}

static mcl_status merge_prepare(sweep *s)
{
    SWEEP_TRY(two_prepare(s, s->v[2]));
    SWEEP_TRY(sweep_spare(s, 0, s->in[0].type, s->v[0]));
    return sweep_output(s, 0, s->in[0].type, s->v[0]);
}

static mcl_status merge_call(sweep *s)
{
    return mcl_merge(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), MCL_LESS, NULL);
}

static mcl_status merge_by_sort(sweep *s)
{
    const int64_t first = s->in[0].count, second = s->in[1].count;
    const mcl_type *const type = s->in[0].type;
    mcl_buffer *const all = s->spare[0].device;
    SWEEP_TRY(mcl_transform(s->bench->queue, sweep_in(s, 0), mcl_to_buffer(type, all, 0, first), NULL));
    SWEEP_TRY(mcl_transform(s->bench->queue, sweep_in(s, 1), mcl_to_buffer(type, all, first, second), NULL));
    return mcl_sort(s->bench->queue, sweep_from(&s->spare[0], s->v[0]), sweep_out(s, 0), MCL_LESS, NULL);
}

#define PLAIN_MERGE(type)                                                                                              \
    {                                                                                                                  \
        const type *const a = s->in[0].host, *const b = s->in[1].host;                                                 \
        const int64_t first = s->in[0].count, second = s->in[1].count;                                                 \
        type *const out = s->out[0].host;                                                                              \
        for (int64_t i = 0, j = 0, k = 0; k < s->v[0]; k++)                                                            \
            out[k] = j >= second || (i < first && a[i] <= b[j]) ? a[i++] : b[j++];                                     \
    }

static void merge_plain(sweep *s)
{
    if (s->v[2] == 4)
        PLAIN_MERGE(uint32_t)
    else
        PLAIN_MERGE(uint64_t)
}

const sweep_op sweep_op_merge = {
    .name = "merge",
    .tile = "merge",
    .parameters = { SWEEP_N(MERGE_LIMITS), SHARE, { .name = "bytes", .base = 4, .values = key_bytes } },
    .prepare = merge_prepare,
    .call = merge_call,
    .other = merge_by_sort,
    .plain = merge_plain,
};

/* ---- intersection ----------------------------------------------------------------------------------------------- */

static mcl_status sets_prepare(sweep *s)
{
    const int64_t first = s->v[0] * s->v[1] / 100 > 0 ? s->v[0] * s->v[1] / 100 : 1, second = s->v[0] - first;
    const int64_t more = first > second ? first : second, less = s->v[0] - more;
    s->bytes = 4.0 * (double)(s->v[0] + less);
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, first, SWEEP_SORTED, more, 1));
    SWEEP_TRY(sweep_keys(s, 1, MCL_UINT32, second, SWEEP_SORTED, more, 2));
    SWEEP_TRY(sweep_output(s, 0, MCL_UINT32, less));
    return sweep_output(s, 1, MCL_INT64, 1);
}

static mcl_status sets_call(sweep *s)
{
    return mcl_set_intersection(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), MCL_LESS,
                                sweep_count(s, 1), NULL);
}

static void sets_plain(sweep *s)
{
    const uint32_t *const a = s->in[0].host, *const b = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    int64_t count = 0;
    for (int64_t i = 0, j = 0; i < s->in[0].count && j < s->in[1].count;)
        if (a[i] < b[j])
            i++;
        else if (b[j] < a[i])
            j++;
        else
            out[count++] = a[i++], j++;
    *(int64_t *)s->out[1].host = s->out[0].count = count;
}

const sweep_op sweep_op_set_intersection = {
    .name = "set_intersection",
    .tile = "sets",
    .parameters = { SWEEP_N({ .number = 0 }), SHARE },
    .prepare = sets_prepare,
    .call = sets_call,
    .plain = sets_plain,
};

static mcl_status union_prepare(sweep *s)
{
    SWEEP_TRY(sets_prepare(s));
    s->bytes = 8.0 * (double)s->v[0];
    return sweep_output(s, 0, MCL_UINT32, s->v[0]);
}

static mcl_status union_call(sweep *s)
{
    return mcl_set_union(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), MCL_LESS, sweep_count(s, 1),
                         NULL);
}

static void union_plain(sweep *s)
{
    const uint32_t *const a = s->in[0].host, *const b = s->in[1].host;
    const int64_t first = s->in[0].count, second = s->in[1].count;
    uint32_t *const out = s->out[0].host;
    int64_t count = 0;
    for (int64_t i = 0, j = 0; i < first || j < second; count++)
        if (j == second || (i < first && a[i] < b[j]))
            out[count] = a[i++];
        else if (i == first || b[j] < a[i])
            out[count] = b[j++];
        else
            out[count] = a[i++], j++;
    *(int64_t *)s->out[1].host = s->out[0].count = count;
}

const sweep_op sweep_op_set_union = {
    .name = "set_union",
    .tile = "sets",
    .parameters = { SWEEP_N({ .number = 0 }), SHARE },
    .prepare = union_prepare,
    .call = union_call,
    .plain = union_plain,
};

/* ---- search ----------------------------------------------------------------------------------------------------- */

static mcl_status search_prepare(sweep *s)
{
    const int64_t more = s->v[1] > s->v[0] ? s->v[1] : s->v[0];
    s->units = (double)more;
    s->bytes = 4.0 * (double)s->v[0] + 8.0 * (double)s->v[1];
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[1], SWEEP_SORTED, SWEEP_ALL_KEYS, 1));
    SWEEP_TRY(sweep_keys(s, 1, MCL_UINT32, s->v[0], SWEEP_SORTED, SWEEP_ALL_KEYS, 2));
    return sweep_output(s, 0, MCL_INT32, s->v[1]);
}

static mcl_status search_call(sweep *s)
{
    return mcl_sorted_search_needles(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), MCL_LOWER, sweep_out(s, 0),
                                     MCL_LESS, NULL);
}

static void search_plain(sweep *s)
{
    const uint32_t *const needles = s->in[0].host, *const haystack = s->in[1].host;
    for (int64_t k = 0; k < s->v[1]; k++) {
        int64_t low = 0, high = s->v[0];
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if (haystack[middle] < needles[k])
                low = middle + 1;
            else
                high = middle;
        }
        ((int32_t *)s->out[0].host)[k] = (int32_t)low;
    }
}

const sweep_op sweep_op_sorted_search = {
    .name = "sorted_search",
    .tile = "sorted_search",
    .parameters = { SWEEP_N({ .number = 0 }),
                    { .name = "needles", .base = 100000, .least = 1, .most = 30000000, .above_n = 1 } },
    .prepare = search_prepare,
    .call = search_call,
    .plain = search_plain,
};

/* ---- removed elements ------------------------------------------------------------------------------------------- */

static mcl_status remove_prepare(sweep *s)
{
    const int64_t removed = s->v[0] * s->v[1] / 100;
    s->bytes = 4.0 * (double)(2 * s->v[0]);
    SWEEP_TRY(sweep_random(s, 0, MCL_UINT32, s->v[0], 1));
    SWEEP_TRY(sweep_keys(s, 1, MCL_INT32, removed, SWEEP_SORTED, s->v[0], 1));
    return sweep_output(s, 0, MCL_UINT32, s->v[0] - removed);
}

static mcl_status remove_call(sweep *s)
{
    return mcl_bulk_remove(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), NULL);
}

static void remove_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host;
    const int32_t *const removed = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    int64_t gone = 0, kept = 0;
    for (int64_t k = 0; k < s->v[0]; k++)
        if (gone < s->in[1].count && removed[gone] == k)
            gone++;
        else
            out[kept++] = in[k];
}

const sweep_op sweep_op_bulk_remove = {
    .name = "bulk_remove",
    .tile = "bulk_remove",
    .parameters = { SWEEP_N({ .number = 0 }), SHARE },
    .prepare = remove_prepare,
    .call = remove_call,
    .plain = remove_plain,
};

/* Inserts elements among others. n is the number of both together. */
static mcl_status insert_prepare(sweep *s)
{
    const int64_t inserted = s->v[0] * s->v[1] / 100, kept = s->v[0] - inserted;
    s->bytes = 8.0 * (double)s->v[0] + 4.0 * (double)inserted;
    SWEEP_TRY(sweep_random(s, 0, MCL_UINT32, inserted, 1));
    SWEEP_TRY(sweep_keys(s, 1, MCL_INT32, inserted, SWEEP_SORTED, kept, 1));
    SWEEP_TRY(sweep_random(s, 2, MCL_UINT32, kept, 2));
    return sweep_output(s, 0, MCL_UINT32, s->v[0]);
}

static mcl_status insert_call(sweep *s)
{
    return mcl_bulk_insert(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_in(s, 2), sweep_out(s, 0), NULL);
}

static void insert_plain(sweep *s)
{
    const uint32_t *const a = s->in[0].host, *const b = s->in[2].host;
    const int32_t *const before = s->in[1].host;
    uint32_t *out = s->out[0].host;
    int64_t next = 0;
    for (int64_t k = 0; k < s->in[2].count; k++) {
        while (next < s->in[0].count && before[next] == k) *out++ = a[next++];
        *out++ = b[k];
    }
}

const sweep_op sweep_op_bulk_insert = {
    .name = "bulk_insert",
    .tile = "bulk_insert",
    .parameters = { SWEEP_N({ .number = 0 }), SHARE },
    .prepare = insert_prepare,
    .call = insert_call,
    .plain = insert_plain,
};

/* ---- work of objects -------------------------------------------------------------------------------------------- */

static mcl_status work_prepare(sweep *s)
{
    int64_t segments = 0;
    s->bytes = 4.0 * (double)s->v[0];
    SWEEP_TRY(sweep_offsets(s, 0, s->v[0], s->v[1], s->v[2], &segments));
    s->bytes += 8.0 * (double)segments;
    SWEEP_TRY(sweep_random(s, 1, MCL_UINT32, segments, 1));
    return sweep_output(s, 0, MCL_INT32, s->v[0]);
}

/* Returns the offsets without the last one, which is the end. */
static mcl_input begins(const sweep *s)
{
    return sweep_from(&s->in[0], s->in[0].count - 1);
}

static mcl_status balance_call(sweep *s)
{
    return mcl_load_balance_search(s->bench->queue, mcl_work_items(s->v[0]), begins(s), sweep_out(s, 0),
                                   (mcl_output){ 0 }, NULL);
}

static void balance_plain(sweep *s)
{
    const int32_t *const offsets = s->in[0].host;
    int32_t *const out = s->out[0].host;
    for (int32_t k = 0; k + 1 < s->in[0].count; k++)
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++) out[i] = k;
}

static mcl_status expand_prepare(sweep *s)
{
    SWEEP_TRY(work_prepare(s));
    return sweep_output(s, 0, MCL_UINT32, s->v[0]);
}

static mcl_status expand_call(sweep *s)
{
    return mcl_interval_expand(s->bench->queue, mcl_work_items(s->v[0]), sweep_in(s, 1), begins(s), sweep_out(s, 0),
                               NULL);
}

static void expand_plain(sweep *s)
{
    const int32_t *const offsets = s->in[0].host;
    const uint32_t *const values = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    for (int64_t k = 0; k + 1 < s->in[0].count; k++)
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++) out[i] = values[k];
}

#define WORK                                                                                                           \
    {                                                                                                                  \
        SWEEP_N({ .number = 0 }), { .name = "length", .base = 25, .least = 1, .most = 1000000 },                       \
        {                                                                                                              \
            .name = "mix", .names = sweep_mix_names                                                                    \
        }                                                                                                              \
    }
const sweep_op sweep_op_load_balance_search = {
    .name = "load_balance_search",
    .tile = "load_balance",
    .parameters = WORK,
    .prepare = work_prepare,
    .call = balance_call,
    .plain = balance_plain,
};
const sweep_op sweep_op_interval_expand = {
    .name = "interval_expand",
    .tile = "interval",
    .parameters = WORK,
    .prepare = expand_prepare,
    .call = expand_call,
    .plain = expand_plain,
};
