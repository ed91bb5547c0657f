/* move.c: elements moved by indices, and intervals. */
#include "../sweep.h"

#include <string.h>

/* ---- by indices ------------------------------------------------------------------------------------------------- */

static mcl_status gather_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[2]);
    s->bytes = (double)s->v[0] * (double)(4 + 2 * s->v[2]);
    SWEEP_TRY(sweep_keys(s, 0, MCL_INT32, s->v[0], s->v[3], s->v[1], 3));
    SWEEP_TRY(sweep_random(s, 1, type, s->v[1], 1));
    return sweep_output(s, 0, type, s->v[0]);
}

static mcl_status gather_call(sweep *s)
{
    return mcl_join_gather(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), NULL, sweep_out(s, 0), NULL);
}

static mcl_status gather_by_expression(sweep *s)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("indices", MCL_INT32, s->in[0].device, 0),
                                     mcl_binding_buffer("elements", s->in[1].type, s->in[1].device, 0) };
    return mcl_transform(s->bench->queue,
                         mcl_from_expression(s->in[1].type, "elements[indices[i]]", NULL, bindings, 2, s->v[0]),
                         sweep_out(s, 0), NULL);
}

static void gather_plain(sweep *s)
{
    const int32_t *const indices = s->in[0].host;
#define X(bytes, type, number)                                                                                         \
    if (s->v[2] == (bytes))                                                                                            \
        for (int64_t k = 0; k < s->v[0]; k++) ((type *)s->out[0].host)[k] = ((const type *)s->in[1].host)[indices[k]];
    SWEEP_PLAIN_LIST(X)
#undef X
}

const sweep_op sweep_op_gather = {
    .name = "gather",
    .tile = "transform",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.group_tiles_serial", SWEEP_TILES)),
                    { .name = "range", .base = 1000000, .least = 1, .most = 30000000, .above_n = 1 },
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes },
                    { .name = "spread", .names = sweep_spread_names } },
    .most = 30000000,
    .prepare = gather_prepare,
    .call = gather_call,
    .other = gather_by_expression,
    .plain = gather_plain,
};

/* Makes a random order of the numbers below n, as indices. */
static mcl_status scatter_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[1]);
    s->bytes = (double)s->v[0] * (double)(4 + 2 * s->v[1]);
    SWEEP_TRY(sweep_keys(s, 0, MCL_INT32, s->v[0], SWEEP_SORTED, s->v[0], 1));
    SWEEP_TRY(sweep_filled(s, 1, mcl_from_shuffled(MCL_INT32, s->in[0].device, 0, s->v[0], 7)));
    SWEEP_TRY(sweep_random(s, 2, type, s->v[0], 1));
    return sweep_output(s, 0, type, s->v[0]);
}

static mcl_status scatter_call(sweep *s)
{
    return mcl_scatter(s->bench->queue, sweep_in(s, 2), sweep_in(s, 1), sweep_out(s, 0), NULL);
}

static void scatter_plain(sweep *s)
{
    const int32_t *const indices = s->in[1].host;
#define X(bytes, type, number)                                                                                         \
    if (s->v[1] == (bytes))                                                                                            \
        for (int64_t k = 0; k < s->v[0]; k++) ((type *)s->out[0].host)[indices[k]] = ((const type *)s->in[2].host)[k];
    SWEEP_PLAIN_LIST(X)
#undef X
}

const sweep_op sweep_op_scatter = {
    .name = "scatter",
    .tile = "transform",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.group_tiles_serial", SWEEP_TILES)),
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes } },
    .most = 30000000,
    .prepare = scatter_prepare,
    .call = scatter_call,
    .plain = scatter_plain,
};

/* ---- intervals -------------------------------------------------------------------------------------------------- */

/* Makes intervals of one length. Fetching goes from the last interval to the first. */
static mcl_status intervals_prepare(sweep *s)
{
    const int64_t length = s->v[1] < s->v[0] ? s->v[1] : s->v[0], intervals = s->v[0] / length;
    const mcl_type *const type = sweep_bytes_type(s->v[2]);
    const mcl_binding bindings[] = { mcl_binding_value("last", MCL_INT64, &(int64_t){ intervals - 1 }),
                                     mcl_binding_value("each", MCL_INT64, &length) };
    s->v[0] = intervals * length;
    s->units = (double)s->v[0];
    s->bytes = 2.0 * (double)(s->v[0] * s->v[2]) + 8.0 * (double)intervals;
    SWEEP_TRY(sweep_filled(s, 0, mcl_from_expression(MCL_INT32, "(int32_t)(i * each)", NULL, bindings, 2, intervals)));
    SWEEP_TRY(sweep_filled(
        s, 1, mcl_from_expression(MCL_INT32, "(int32_t)((last - i) * each)", NULL, bindings, 2, intervals)));
    SWEEP_TRY(sweep_random(s, 2, type, s->v[0], 1));
    return sweep_output(s, 0, type, s->v[0]);
}

static mcl_status intervals_call(sweep *s)
{
    return mcl_interval_gather(s->bench->queue, mcl_work_items(s->v[0]), sweep_in(s, 2), sweep_in(s, 1), sweep_in(s, 0),
                               sweep_out(s, 0), NULL);
}

static void intervals_plain(sweep *s)
{
    const int32_t *const offsets = s->in[0].host, *const starts = s->in[1].host;
    const size_t bytes = (size_t)s->v[2], length = (size_t)(s->v[0] / s->in[0].count) * bytes;
    for (int64_t k = 0; k < s->in[0].count; k++)
        memcpy((char *)s->out[0].host + (size_t)offsets[k] * bytes,
               (const char *)s->in[2].host + (size_t)starts[k] * bytes, length);
}

const sweep_op sweep_op_interval_gather = {
    .name = "interval_gather",
    .tile = "interval",
    .parameters = { SWEEP_N({ .number = 0 }),
                    { .name = "length", .base = 25, .least = 1, .most = 1000000 },
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes } },
    .most = 30000000,
    .prepare = intervals_prepare,
    .call = intervals_call,
    .plain = intervals_plain,
};
