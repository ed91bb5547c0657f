/* bulk.c: removes and inserts a share of the elements at random sorted positions. The percentage is the end of an
 * operation's name. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define BODY "ops/bulk_reference.h"
#include "for_each_type.h"

static int64_t bulk_listed(const bench_case *c)
{
    return c->n * atoi(strrchr(c->op->name, '_') + 1) / 100;
}

static uint64_t bulk_random(uint64_t k)
{
    uint64_t z = (k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (z ^ (z >> 31)) >> 32;
}

/* Chooses as many of n places as there are indices, each with equal chance. Removed elements stand there; inserted ones
 * stand there afterwards, in front of the element that follows. */
static mcl_status bulk_fill_indices(bench_case *c, int index, int inserts)
{
    const bench_array *array = &c->problem.in[index];
    int32_t *indices = array->host;
    int64_t chosen = 0;
    for (int64_t k = 0; k < c->n && chosen < array->count; k++)
        if ((bulk_random((uint64_t)k) * (uint64_t)(c->n - k)) >> 32 < (uint64_t)(array->count - chosen)) {
            indices[chosen] = (int32_t)(inserts ? k - chosen : k);
            chosen++;
        }
    return mcl_buffer_write(c->bench->queue, array->device, 0, (size_t)array->count * sizeof *indices, indices);
}

/* ---- remove -------------------------------------------------------------------------------------------------- */

static mcl_status bulk_remove_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, bulk_listed(c));
    if (status == MCL_OK) status = bulk_fill_indices(c, 1, 0);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n - bulk_listed(c));
    return status;
}

static void bulk_remove_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(bulk_remove_reference);
    reference[c->type->index](c);
}

static double bulk_bytes(const bench_case *c)
{
    const double elements = (double)c->n + (double)c->problem.out[0].count;
    return elements * (double)c->type->element->type->size + (double)bulk_listed(c) * sizeof(int32_t);
}

/* With counts on the device out would have to be as large as in. */
static mcl_status bulk_remove_run(const bench_case *c, const mcl_options *options)
{
    mcl_input indices = bench_in(c, 1);
    indices.count_slot = NULL;
    return mcl_bulk_remove(c->bench->queue, bench_in(c, 0), indices, bench_out(c, 0), options);
}

/* ---- insert -------------------------------------------------------------------------------------------------- */

static mcl_status bulk_insert_prepare(bench_case *c)
{
    const int64_t inserted = bulk_listed(c);
    mcl_status status = bench_add_input(c, c->type->element->type, inserted);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, inserted);
    if (status == MCL_OK) status = bulk_fill_indices(c, 1, 1);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n - inserted);
    if (status == MCL_OK) status = bench_fill_uniform(c, 2, 2);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    return status;
}

static void bulk_insert_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(bulk_insert_reference);
    reference[c->type->index](c);
}

static mcl_status bulk_insert_run(const bench_case *c, const mcl_options *options)
{
    return mcl_bulk_insert(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_in(c, 2), bench_out(c, 0), options);
}

#define REMOVE(percent)                                                                                                \
    const bench_op bench_op_bulk_remove_##percent = {                                                                  \
        .name = "bulk_remove_" #percent,                                                                               \
        .tuning = "bulk_remove",                                                                                       \
        .prepare = bulk_remove_prepare,                                                                                \
        .reference = bulk_remove_expect,                                                                               \
        .bytes = bulk_bytes,                                                                                           \
        .run = bulk_remove_run,                                                                                        \
    };
#define INSERT(percent)                                                                                                \
    const bench_op bench_op_bulk_insert_##percent = {                                                                  \
        .name = "bulk_insert_" #percent,                                                                               \
        .tuning = "bulk_insert",                                                                                       \
        .prepare = bulk_insert_prepare,                                                                                \
        .reference = bulk_insert_expect,                                                                               \
        .bytes = bulk_bytes,                                                                                           \
        .run = bulk_insert_run,                                                                                        \
    };
REMOVE(1)
REMOVE(10)
REMOVE(25)
REMOVE(50)
REMOVE(75)
INSERT(1)
INSERT(10)
INSERT(25)
INSERT(50)
INSERT(75)
