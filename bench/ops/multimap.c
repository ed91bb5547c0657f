/* multimap.c: a multimap of n entries. Rows insert the entries and put them in order, or find all entries of the keys.
 * There are four entries a key, or one key alone. */
#include "bench.h"

#include <stdlib.h>

#define INTEGERS "int32 int64"

/* The number at index i in an order that puts neighbours far apart. A prime above all counts steps through all
 * numbers. */
#define FAR "((uint64_t)i * 2654435761u + 12345u)"
static int64_t far_from(int64_t i)
{
    return (int64_t)((uint64_t)i * 2654435761u + 12345u);
}

/* Returns the number of keys. The operation's seed is the number of entries that each key has; 0: one key has all. */
static int64_t key_count(const bench_case *c)
{
    const int64_t entries = (int64_t)c->op->seed;
    return entries > 0 && c->n > entries ? c->n / entries : 1;
}

/* Adds an input of count keys, which are numbers below key_count times an odd constant. */
static mcl_status add_keys(bench_case *c, int64_t count)
{
    const mcl_type *type = c->type->element->type;
    const int64_t keys = key_count(c);
    const mcl_binding binding = mcl_binding_value("keys", MCL_INT64, &keys);
    const char *text = type->size == 8 ? "(int64_t)(" FAR " % (uint64_t)keys * 0x9E3779B97F4A7C15)"
                                       : "(int32_t)(uint32_t)(" FAR " % (uint64_t)keys * 0x9E3779B1u)";
    const mcl_status status = bench_add_input(c, type, count);
    if (status != MCL_OK) return status;
    return bench_make(c, mcl_from_expression(type, text, NULL, &binding, 1, count),
                      mcl_to_buffer(type, c->problem.in[c->problem.in_count - 1].device, 0, count));
}

/* Adds keys, and values 0, 1, 2 and so on. */
static mcl_status add_entries(bench_case *c)
{
    mcl_status status = add_keys(c, c->n);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n);
    return status == MCL_OK ? bench_fill_counting(c, 1, 0) : status;
}

static mcl_status make_multimap(bench_case *c)
{
    const mcl_multimap_config config = { .key = c->type->element->type,
                                         .value = c->type->element->type,
                                         .capacity = c->n };
    if (c->multimap) return mcl_multimap_clear(c->bench->queue, c->multimap, NULL);
    return mcl_multimap_create(c->bench->context, &config, &c->multimap);
}

/* ---- inserting ------------------------------------------------------------------------------------------------ */

/* Prepares inserting. The check compares the entries of each key in the order of insertion. These are counted
 * afterwards, untimed. */
static mcl_status insert_prepare(bench_case *c)
{
    const mcl_status status = add_entries(c);
    return status == MCL_OK ? bench_add_output(c, MCL_INT32, c->n) : status;
}

/* Counts the entries of each key. The result's index is the key's number. */
static int64_t *entry_counts(const bench_case *c)
{
    const int64_t keys = key_count(c);
    int64_t *counts = calloc((size_t)keys + 1, sizeof *counts);
    if (!counts) abort();
    for (int64_t i = 0; i < c->n; i++) counts[(uint64_t)far_from(i) % (uint64_t)keys]++;
    return counts;
}

static void insert_expect(bench_case *c)
{
    const int64_t keys = key_count(c);
    int32_t *out = c->problem.out[0].host;
    int64_t *counts = entry_counts(c);
    for (int64_t i = 0; i < c->n; i++) out[i] = (int32_t)counts[(uint64_t)far_from(i) % (uint64_t)keys];
    free(counts);
}

static double insert_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size;
}

/* Inserts the entries. Then it takes out nothing, which puts the entries in order. */
static mcl_status insert_run(const bench_case *c, const mcl_options *options)
{
    mcl_queue *queue = c->bench->queue;
    const mcl_output none = { 0 };
    const mcl_status status = mcl_multimap_insert(queue, c->multimap, bench_in(c, 0), bench_in(c, 1), options);
    if (status != MCL_OK) return status;
    return mcl_multimap_retrieve_all(queue, c->multimap, none, none, mcl_to_nowhere(), options);
}

static mcl_status insert_finish(bench_case *c)
{
    return mcl_multimap_count(c->bench->queue, c->multimap, bench_in(c, 0), bench_out(c, 0), NULL);
}

#define INSERT(row, entries)                                                                                           \
    {                                                                                                                  \
        .name = (row),                                                                                                 \
        .types = INTEGERS,                                                                                             \
        .recorded = "",                                                                                                \
        .tuning = "map",                                                                                               \
        .by_clock = 1,                                                                                                 \
        .seed = (entries),                                                                                             \
        .prepare = insert_prepare,                                                                                     \
        .reference = insert_expect,                                                                                    \
        .bytes = insert_bytes,                                                                                         \
        .restore = make_multimap,                                                                                      \
        .run = insert_run,                                                                                             \
        .finish = insert_finish,                                                                                       \
    }
const bench_op bench_op_multimap_insert = INSERT("multimap_insert", 4);
const bench_op bench_op_multimap_insert_one_key = INSERT("multimap_insert_one_key", 0);

/* ---- finding -------------------------------------------------------------------------------------------------- */

/* Prepares finding each key once, which gives n rows. */
static mcl_status retrieve_prepare(bench_case *c)
{
    const mcl_output none = { 0 };
    mcl_status status = add_entries(c);
    if (status == MCL_OK) status = add_keys(c, key_count(c));
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, c->n);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = make_multimap(c);
    if (status == MCL_OK)
        status = mcl_multimap_insert(c->bench->queue, c->multimap, bench_in(c, 0), bench_in(c, 1), NULL);
    if (status != MCL_OK) return status;
    return mcl_multimap_retrieve(c->bench->queue, c->multimap, bench_in(c, 2), none, none, none, mcl_to_nowhere(),
                                 NULL);
}

/* Computes the expected rows. first[j] is the first row of key number j. The input has each key once. */
static void retrieve_expect(bench_case *c)
{
    const int64_t keys = key_count(c);
    int64_t *first = entry_counts(c);
    int64_t row = 0;
    for (int64_t k = 0; k < keys; k++) {
        const int64_t j = (int64_t)((uint64_t)far_from(k) % (uint64_t)keys), count = first[j];
        first[j] = row;
        for (int64_t e = 0; e < count; e++) bench_store_integer(&c->problem.out[0], row++, k);
    }
    for (int64_t i = 0; i < c->n; i++)
        bench_store_integer(&c->problem.out[1], first[(uint64_t)far_from(i) % (uint64_t)keys]++, i);
    free(first);
}

static double retrieve_bytes(const bench_case *c)
{
    const double size = (double)c->type->element->type->size;
    return (double)key_count(c) * size + (double)c->n * (2 * size + sizeof(int32_t));
}

static mcl_status retrieve_run(const bench_case *c, const mcl_options *options)
{
    return mcl_multimap_retrieve(c->bench->queue, c->multimap, bench_in(c, 2), bench_out(c, 0), bench_out(c, 1),
                                 (mcl_output){ 0 }, mcl_to_nowhere(), options);
}

#define RETRIEVE(row, entries)                                                                                         \
    {                                                                                                                  \
        .name = (row),                                                                                                 \
        .types = INTEGERS,                                                                                             \
        .recorded = "",                                                                                                \
        .tuning = "map",                                                                                               \
        .by_clock = 1,                                                                                                 \
        .seed = (entries),                                                                                             \
        .prepare = retrieve_prepare,                                                                                   \
        .reference = retrieve_expect,                                                                                  \
        .bytes = retrieve_bytes,                                                                                       \
        .run = retrieve_run,                                                                                           \
    }
const bench_op bench_op_multimap_retrieve = RETRIEVE("multimap_retrieve", 4);
const bench_op bench_op_multimap_retrieve_one_key = RETRIEVE("multimap_retrieve_one_key", 0);
