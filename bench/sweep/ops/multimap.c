/* multimap.c: multimaps: rows enter keys with copies, and take their values out. */
#include "../sweep.h"

#include <stdlib.h>

/* Makes n entries: keys in a random order, copies entries for each key, and the entry's own number as value. */
static mcl_status entries_prepare(sweep *s)
{
    const int64_t keys = s->v[0] / s->v[1] > 0 ? s->v[0] / s->v[1] : 1;
    s->bytes = 16.0 * (double)s->v[0];
    SWEEP_TRY(sweep_keys(s, 2, MCL_UINT32, s->v[0], SWEEP_SORTED, keys, 1));
    SWEEP_TRY(sweep_filled(s, 0, mcl_from_shuffled(MCL_UINT32, s->in[2].device, 0, s->v[0], 7)));
    SWEEP_TRY(sweep_keys(s, 1, MCL_INT32, s->v[0], SWEEP_SORTED, s->v[0], 1));
    SWEEP_TRY(sweep_keys(s, 2, MCL_UINT32, keys, SWEEP_SORTED, keys, 1)); /* input with each key once */
    SWEEP_TRY(sweep_spare(s, 0, MCL_INT32, keys));
    mcl_multimap_release(s->multimap);
    s->multimap = NULL;
    return mcl_multimap_create(s->bench->context, &(mcl_multimap_config){ MCL_UINT32, MCL_INT32, s->v[0] },
                               &s->multimap);
}

static mcl_status insert_prepare(sweep *s)
{
    SWEEP_TRY(entries_prepare(s));
    SWEEP_TRY(sweep_output(s, 0, MCL_UINT32, s->v[0]));
    return sweep_output(s, 1, MCL_INT32, s->v[0]);
}

static mcl_status insert_restore(sweep *s)
{
    return mcl_multimap_clear(s->bench->queue, s->multimap, NULL);
}

/* Enters the entries and counts the entries of one key, which puts all in order. */
static mcl_status insert_call(sweep *s)
{
    SWEEP_TRY(mcl_multimap_insert(s->bench->queue, s->multimap, sweep_in(s, 0), sweep_in(s, 1), NULL));
    return mcl_multimap_count(s->bench->queue, s->multimap, sweep_from(&s->in[2], 1), sweep_to(&s->spare[0]), NULL);
}

static mcl_status insert_finish(sweep *s)
{
    return mcl_multimap_retrieve_all(s->bench->queue, s->multimap, sweep_out(s, 0), sweep_out(s, 1), mcl_to_nowhere(),
                                     NULL);
}

static void insert_plain(sweep *s)
{
    int32_t *const next = sweep_memory((size_t)s->v[0] * sizeof *next);
    plain_table table = plain_table_chained(s->in[0].host, s->v[0], s->in[2].count, next);
    s->plain_end = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->v[0]; k++) {
        ((uint32_t *)s->out[0].host)[k] = ((const uint32_t *)s->in[0].host)[k];
        ((int32_t *)s->out[1].host)[k] = (int32_t)k;
    }
    plain_table_close(&table);
    free(next);
}

#define COPIES { .name = "copies", .base = 4, .least = 1, .most = 10000000 }

const sweep_op sweep_op_multimap_insert = {
    .name = "multimap_insert",
    .parameters = { SWEEP_N({ .number = 0 }), COPIES },
    .most = 30000000,
    .any_order = 1,
    .prepare = insert_prepare,
    .restore = insert_restore,
    .call = insert_call,
    .finish = insert_finish,
    .plain = insert_plain,
};

static mcl_status retrieve_prepare(sweep *s)
{
    SWEEP_TRY(entries_prepare(s));
    SWEEP_TRY(insert_call(s));
    SWEEP_TRY(sweep_output(s, 0, MCL_INT32, s->v[0]));
    return sweep_output(s, 1, MCL_INT32, s->v[0]);
}

static mcl_status retrieve_call(sweep *s)
{
    return mcl_multimap_retrieve(s->bench->queue, s->multimap, sweep_in(s, 2), sweep_out(s, 0), sweep_out(s, 1),
                                 (mcl_output){ 0 }, mcl_to_nowhere(), NULL);
}

static void retrieve_plain(sweep *s)
{
    int32_t *const next = sweep_memory((size_t)s->v[0] * sizeof *next);
    plain_table table = plain_table_chained(s->in[0].host, s->v[0], s->in[2].count, next);
    int64_t rows = 0;
    s->plain_start = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->in[2].count; k++) {
        const plain_slot *const slot = plain_table_at(&table, ((const uint32_t *)s->in[2].host)[k]);
        for (int32_t entry = slot->key == PLAIN_NONE ? -1 : slot->count; entry >= 0; entry = next[entry]) {
            ((int32_t *)s->out[0].host)[rows] = (int32_t)k;
            ((int32_t *)s->out[1].host)[rows++] = entry;
        }
    }
    s->plain_end = bench_cost_now(s->bench);
    s->out[0].count = s->out[1].count = rows;
    plain_table_close(&table);
    free(next);
}

const sweep_op sweep_op_multimap_retrieve = {
    .name = "multimap_retrieve",
    .parameters = { SWEEP_N({ .number = 0 }), COPIES },
    .most = 30000000,
    .any_order = 1,
    .prepare = retrieve_prepare,
    .call = retrieve_call,
    .plain = retrieve_plain,
};
