/* top_k.c: the first k keys, the key of a rank, quantiles, and the first k keys of rows. */
#include "../sweep.h"

#include <stdlib.h>
#include <string.h>

static const char *const order_names[] = { "sorted", "any", NULL };

/* ---- plain C ---------------------------------------------------------------------------------------------------- */

static void sift_down(uint32_t *heap, int64_t count, int64_t at)
{
    const uint32_t key = heap[at];
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= key) break;
        heap[at] = heap[child];
    }
    heap[at] = key;
}

/* Keeps the k least of n keys in a heap with the greatest on top, then sorts them. */
static void plain_least(const uint32_t *in, int64_t n, uint32_t *heap, int64_t k)
{
    memcpy(heap, in, (size_t)k * sizeof *heap);
    for (int64_t at = k / 2; at-- > 0;) sift_down(heap, k, at);
    for (int64_t i = k; i < n; i++) {
        if (in[i] >= heap[0]) continue;
        heap[0] = in[i];
        sift_down(heap, k, 0);
    }
    for (int64_t count = k - 1; count > 0; count--) {
        const uint32_t greatest = heap[0];
        heap[0] = heap[count];
        heap[count] = greatest;
        sift_down(heap, count, 0);
    }
}

static uint32_t plain_select(uint32_t *keys, int64_t n, int64_t rank)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const uint32_t pivot = keys[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (keys[i] < pivot) i++;
            while (keys[j] > pivot) j--;
            if (i > j) break;
            const uint32_t key = keys[i];
            keys[i++] = keys[j];
            keys[j--] = key;
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break;
    }
    return keys[rank];
}

/* ---- the first k ------------------------------------------------------------------------------------------------ */

static mcl_status top_k_prepare(sweep *s)
{
    s->bytes = 4.0 * (double)(s->v[0] + s->v[1]);
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], s->v[2], SWEEP_ALL_KEYS, 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 0, MCL_UINT32, s->v[1]);
}

static mcl_status top_k_call(sweep *s)
{
    return mcl_top_k(s->bench->queue, sweep_in(s, 0), mcl_amount_of(s->v[1]), sweep_out(s, 0), MCL_LESS,
                     mcl_to_nowhere(), &(mcl_options){ .flags = s->v[3] ? MCL_UNORDERED : 0 });
}

static mcl_status top_k_by_sort(sweep *s)
{
    SWEEP_TRY(mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    return mcl_transform(s->bench->queue, sweep_from(&s->spare[0], s->v[1]), sweep_out(s, 0), NULL);
}

static void top_k_plain(sweep *s)
{
    plain_least(s->in[0].host, s->v[0], s->out[0].host, s->v[1]);
}

#define SORT_LIMITS SWEEP_TUNED("top_k.sort_bytes", SWEEP_BYTES), SWEEP_TUNED("top_k.rank_sort_bytes", SWEEP_BYTES)

const sweep_op sweep_op_top_k = {
    .name = "top_k",
    .tile = "top_k",
    .parameters = { SWEEP_N(SORT_LIMITS),
                    { .name = "k",
                      .base = 100,
                      .least = 1,
                      .most = 10000000,
                      .limits = { SWEEP_TUNED("top_k.sort_percent", SWEEP_PERCENT) } },
                    { .name = "spread", .names = sweep_spread_names },
                    { .name = "order", .names = order_names } },
    .any_order = 1,
    .prepare = top_k_prepare,
    .call = top_k_call,
    .other = top_k_by_sort,
    .plain = top_k_plain,
};

static mcl_status nth_prepare(sweep *s)
{
    s->bytes = 4.0 * (double)s->v[0];
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], s->v[2], SWEEP_ALL_KEYS, 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 0, MCL_UINT32, 1);
}

static int64_t rank_of(const sweep *s)
{
    return (s->v[0] - 1) * s->v[1] / 100;
}

static mcl_status nth_call(sweep *s)
{
    return mcl_nth_element(s->bench->queue, sweep_in(s, 0), mcl_amount_of(rank_of(s)), sweep_count(s, 0), MCL_LESS,
                           NULL);
}

static mcl_status nth_by_sort(sweep *s)
{
    SWEEP_TRY(mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    return mcl_transform(s->bench->queue, mcl_from_buffer(MCL_UINT32, s->spare[0].device, rank_of(s), 1),
                         sweep_out(s, 0), NULL);
}

static void nth_plain(sweep *s)
{
    uint32_t *const keys = sweep_memory((size_t)s->v[0] * sizeof *keys);
    memcpy(keys, s->in[0].host, (size_t)s->v[0] * sizeof *keys);
    *(uint32_t *)s->out[0].host = plain_select(keys, s->v[0], rank_of(s));
    free(keys);
}

const sweep_op sweep_op_nth_element = {
    .name = "nth_element",
    .tile = "top_k",
    .parameters = { SWEEP_N(SORT_LIMITS),
                    { .name = "percent", .base = 50, .least = 1, .most = 100, .above_n = 1 },
                    { .name = "spread", .names = sweep_spread_names } },
    .prepare = nth_prepare,
    .call = nth_call,
    .other = nth_by_sort,
    .plain = nth_plain,
};

/* ---- quantiles -------------------------------------------------------------------------------------------------- */

static mcl_status quantiles_prepare(sweep *s)
{
    const mcl_binding count = mcl_binding_value("all", MCL_INT64, &s->v[1]);
    s->bytes = 4.0 * (double)s->v[0];
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], SWEEP_UNIFORM, SWEEP_ALL_KEYS, 1));
    SWEEP_TRY(sweep_filled(
        s, 1, mcl_from_expression(MCL_DOUBLE, "(double)(i + 1) / (double)(all + 1)", NULL, &count, 1, s->v[1])));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 0, MCL_UINT32, s->v[1]);
}

static mcl_status quantiles_call(sweep *s)
{
    return mcl_quantiles(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), MCL_LESS,
                         MCL_INTERPOLATION_LOWER, NULL);
}

static mcl_status quantiles_by_sort(sweep *s)
{
    const int64_t last = s->v[0] - 1;
    const mcl_binding bindings[] = { mcl_binding_buffer("sorted", MCL_UINT32, s->spare[0].device, 0),
                                     mcl_binding_buffer("fractions", MCL_DOUBLE, s->in[1].device, 0),
                                     mcl_binding_value("last", MCL_INT64, &last) };
    SWEEP_TRY(mcl_sort(s->bench->queue, sweep_in(s, 0), sweep_to(&s->spare[0]), MCL_LESS, NULL));
    return mcl_transform(
        s->bench->queue,
        mcl_from_expression(MCL_UINT32, "sorted[(int64_t)(fractions[i] * (double)last)]", NULL, bindings, 3, s->v[1]),
        sweep_out(s, 0), NULL);
}

static void quantiles_plain(sweep *s)
{
    uint32_t *const keys = sweep_memory((size_t)s->v[0] * sizeof *keys);
    memcpy(keys, s->in[0].host, (size_t)s->v[0] * sizeof *keys);
    plain_sort(keys, NULL, s->v[0], 4);
    for (int64_t k = 0; k < s->v[1]; k++)
        ((uint32_t *)s->out[0].host)[k] = keys[(int64_t)(((const double *)s->in[1].host)[k] * (double)(s->v[0] - 1))];
    free(keys);
}

const sweep_op sweep_op_quantiles = {
    .name = "quantiles",
    .tile = "top_k",
    .parameters = { SWEEP_N(SORT_LIMITS), { .name = "fractions", .base = 3, .least = 1, .most = 100 } },
    .prepare = quantiles_prepare,
    .call = quantiles_call,
    .other = quantiles_by_sort,
    .plain = quantiles_plain,
};

/* ---- the first k of rows ---------------------------------------------------------------------------------------- */

/* Makes whole rows. k is at most their length. */
static mcl_status rows_prepare(sweep *s)
{
    if (s->v[1] > s->v[0]) s->v[1] = s->v[0];
    if (s->v[2] > s->v[1]) s->v[2] = s->v[1];
    const int64_t rows = s->v[0] / s->v[1];
    s->v[0] = rows * s->v[1];
    s->units = (double)s->v[0];
    s->bytes = 4.0 * (double)(s->v[0] + rows * s->v[2]);
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], SWEEP_UNIFORM, SWEEP_ALL_KEYS, 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 0, MCL_UINT32, rows * s->v[2]);
}

static mcl_segments rows_of(const sweep *s)
{
    return mcl_segments_from_rows(s->v[0] / s->v[1], s->v[1]);
}

static mcl_status rows_call(sweep *s)
{
    return mcl_segmented_top_k(s->bench->queue, sweep_in(s, 0), rows_of(s), mcl_amount_of(s->v[2]), sweep_out(s, 0),
                               (mcl_output){ 0 }, MCL_LESS, NULL);
}

static mcl_status rows_by_sort(sweep *s)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("sorted", MCL_UINT32, s->spare[0].device, 0),
                                     mcl_binding_value("row", MCL_INT64, &s->v[1]),
                                     mcl_binding_value("wanted", MCL_INT64, &s->v[2]) };
    SWEEP_TRY(mcl_segmented_sort(s->bench->queue, sweep_in(s, 0), rows_of(s), sweep_to(&s->spare[0]), MCL_LESS,
                                 MCL_UNSTABLE, NULL, NULL));
    return mcl_transform(
        s->bench->queue,
        mcl_from_expression(MCL_UINT32, "sorted[i / wanted * row + i % wanted]", NULL, bindings, 3, s->out[0].room),
        sweep_out(s, 0), NULL);
}

static void rows_plain(sweep *s)
{
    for (int64_t row = 0; row * s->v[1] < s->v[0]; row++)
        plain_least((const uint32_t *)s->in[0].host + row * s->v[1], s->v[1],
                    (uint32_t *)s->out[0].host + row * s->v[2], s->v[2]);
}

const sweep_op sweep_op_segmented_top_k = {
    .name = "segmented_top_k",
    .tile = "segmented_top_k",
    .parameters = { SWEEP_N(SWEEP_TUNED("segmented_top_k.part_groups", SWEEP_TILES_A_UNIT)),
                    { .name = "length",
                      .base = 10000,
                      .least = 1,
                      .most = 1000000,
                      .limits = { SWEEP_TUNED("segmented_top_k.part_length", SWEEP_AS_IS),
                                  SWEEP_TUNED("segmented_top_k.sort_length", SWEEP_AS_IS) } },
                    { .name = "k", .base = 8, .least = 1, .most = 10000 } },
    .prepare = rows_prepare,
    .call = rows_call,
    .other = rows_by_sort,
    .plain = rows_plain,
};

/* ---- the key of a rank in rows ---------------------------------------------------------------------------------- */

static mcl_status rows_nth_prepare(sweep *s)
{
    s->v[2] = 1;
    return rows_prepare(s);
}

static mcl_status rows_nth_call(sweep *s)
{
    return mcl_segmented_nth_element(s->bench->queue, sweep_in(s, 0), rows_of(s), mcl_amount_of(s->v[1] / 2),
                                     sweep_out(s, 0), MCL_LESS, NULL);
}

static mcl_status rows_nth_by_sort(sweep *s)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("sorted", MCL_UINT32, s->spare[0].device, 0),
                                     mcl_binding_value("row", MCL_INT64, &s->v[1]) };
    SWEEP_TRY(mcl_segmented_sort(s->bench->queue, sweep_in(s, 0), rows_of(s), sweep_to(&s->spare[0]), MCL_LESS,
                                 MCL_UNSTABLE, NULL, NULL));
    return mcl_transform(
        s->bench->queue,
        mcl_from_expression(MCL_UINT32, "sorted[i * row + row / 2]", NULL, bindings, 2, s->out[0].room),
        sweep_out(s, 0), NULL);
}

static void rows_nth_plain(sweep *s)
{
    uint32_t *const keys = sweep_memory((size_t)s->v[1] * sizeof *keys);
    for (int64_t row = 0; row * s->v[1] < s->v[0]; row++) {
        memcpy(keys, (const uint32_t *)s->in[0].host + row * s->v[1], (size_t)s->v[1] * sizeof *keys);
        ((uint32_t *)s->out[0].host)[row] = plain_select(keys, s->v[1], s->v[1] / 2);
    }
    free(keys);
}

const sweep_op sweep_op_segmented_nth_element = {
    .name = "segmented_nth_element",
    .tile = "segmented_top_k",
    .parameters = { SWEEP_N({ .number = 0 }),
                    { .name = "length",
                      .base = 1000,
                      .least = 1,
                      .most = 1000000,
                      .limits = { SWEEP_TUNED("segmented_top_k.rank_sort_length", SWEEP_AS_IS) } } },
    .prepare = rows_nth_prepare,
    .call = rows_nth_call,
    .other = rows_nth_by_sort,
    .plain = rows_nth_plain,
};
