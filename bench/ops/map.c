/* map.c: a hash map of n entries. Rows enter keys, find them and take all entries out. The map has twice as many slots,
 * or fewer, or it grows. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define INTEGERS "int32 int64"

/* Texts for keys. A key is i times an odd constant, modulo half the type's range. All keys are different, and none is a
 * sentinel. The constant's inverse gives i back. */
static const struct {
    const char *key;
    const char *index;
} texts[] = {
    { "(int32_t)((uint32_t)(j) * 0x9E3779B1u & 0x7fffffffu)",
      "(int32_t)((uint32_t)keys[i] * 0x0E8B2F51u & 0x7fffffffu)" },
    { "(int64_t)((uint64_t)(j) * 0x9E3779B97F4A7C15 & 0x7fffffffffffffff)",
      "(int64_t)((uint64_t)keys[i] * 0xF1DE83E19937733D & 0x7fffffffffffffff)" },
};

/* The number at index i in another order. A prime above n steps through all numbers below n. */
#define OTHER_ORDER "((i * 2654435761 + 12345) % n)"

/* ---- data ---------------------------------------------------------------------------- */

static int is_wide(const bench_case *c)
{
    return c->type->element->type->size == 8;
}

/* Adds an input of n keys. number is a text in i and n that gives the number of key i. */
static mcl_status add_keys(bench_case *c, const char *number)
{
    const mcl_binding binding = mcl_binding_value("n", MCL_INT64, &c->n);
    char source[256], text[256];
    (void)snprintf(source, sizeof source, "static inline %s bench_map_key(const int64_t j) { return %s; }\n",
                   c->type->element->type->name, texts[is_wide(c)].key);
    (void)snprintf(text, sizeof text, "bench_map_key(%s)", number);
    const mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status != MCL_OK) return status;
    const mcl_input keys = mcl_from_expression(c->type->element->type, text, source, &binding, 1, c->n);
    const bench_array *const made = &c->problem.in[c->problem.in_count - 1];
    return bench_make(c, keys, mcl_to_buffer(made->type, made->device, 0, c->n));
}

/* Adds keys, and values that equal the keys' numbers. */
static mcl_status add_entries(bench_case *c)
{
    mcl_status status = add_keys(c, "i");
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n);
    return status == MCL_OK ? bench_fill_counting(c, 1, 0) : status;
}

static mcl_status make_map(bench_case *c, int64_t slots, double load)
{
    const mcl_map_config config = {
        .key = c->type->element->type, .value = c->type->element->type, .capacity = slots, .max_load = load
    };
    mcl_map_release(c->map);
    c->map = NULL;
    const mcl_status status = mcl_map_create(c->bench->context, &config, &c->map);
    return status == MCL_OK ? mcl_map_clear(c->bench->queue, c->map, NULL) : status;
}

/* Makes a map that n entries fill to a given load. */
static mcl_status make_filled_to(bench_case *c, double load)
{
    return make_map(c, (int64_t)((double)c->n / load) + 16, load);
}

static int64_t first_slots(const bench_case *c)
{
    const int64_t slots = c->n / 16, least = 65536;
    return slots > least ? slots : least;
}

static mcl_status insert(const bench_case *c, int64_t begin, int64_t count, const mcl_options *options)
{
    const mcl_type *type = c->type->element->type;
    return mcl_map_insert(c->bench->queue, c->map, mcl_from_buffer(type, c->problem.in[0].device, begin, count),
                          mcl_from_buffer(type, c->problem.in[1].device, begin, count), options);
}

/* Inserts in 16 calls. Each call may add a sub-map. */
static mcl_status insert_in_parts(bench_case *c)
{
    mcl_status status = MCL_OK;
    for (int part = 0; part < 16 && status == MCL_OK; part++) {
        const int64_t begin = c->n * part / 16, end = c->n * (part + 1) / 16;
        status = insert(c, begin, end - begin, NULL);
    }
    return status;
}

static double two_sequences(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size;
}

/* ---- entering ---------------------------------------------------------------------------- */

/* Prepares entering. The output for the comparison is made afterwards, untimed. */
static mcl_status insert_prepare(bench_case *c)
{
    mcl_status status = add_entries(c);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    return status;
}

static void insert_expect(bench_case *c)
{
    for (int64_t k = 0; k < c->n; k++) bench_store_integer(&c->problem.out[0], k, k);
}

static mcl_status insert_restore(bench_case *c)
{
    if (!c->map) return make_map(c, 2 * c->n, 0.5);
    return mcl_map_clear(c->bench->queue, c->map, NULL);
}

static mcl_status insert_run(const bench_case *c, const mcl_options *options)
{
    return insert(c, 0, c->n, options);
}

static mcl_status insert_finish(bench_case *c)
{
    const int64_t nothing = -1;
    return mcl_map_find(c->bench->queue, c->map, bench_in(c, 0), bench_out(c, 0), &nothing, (mcl_output){ 0 }, NULL);
}

#define INSERT(op_name, restore_it, peers)                                                                             \
    const bench_op bench_op_##op_name = {                                                                              \
        .name = #op_name,                                                                                              \
        .types = INTEGERS,                                                                                             \
        .recorded = peers,                                                                                             \
        .tuning = "map",                                                                                               \
        .prepare = insert_prepare,                                                                                     \
        .reference = insert_expect,                                                                                    \
        .bytes = two_sequences,                                                                                        \
        .restore = restore_it,                                                                                         \
        .run = insert_run,                                                                                             \
        .finish = insert_finish,                                                                                       \
    }
INSERT(map_insert, insert_restore, "static_map_insert");

/* Rows with fewer slots: percent of 100 slots are filled in the end. */
#define INSERT_LOADED(percent)                                                                                         \
    static mcl_status restore_##percent(bench_case *c)                                                                 \
    {                                                                                                                  \
        return c->map ? mcl_map_clear(c->bench->queue, c->map, NULL) : make_filled_to(c, percent / 100.0);             \
    }                                                                                                                  \
    INSERT(map_insert_load_##percent, restore_##percent, NULL)
INSERT_LOADED(80);
INSERT_LOADED(90);
INSERT_LOADED(95);

/* ---- folding ---------------------------------------------------------------------------- */

/* A random number below (n + 1) / 2, so most keys come more than once. The result is the sum of each key's values. */
#define RANDOM_NUMBER                                                                                                  \
    "(int64_t)((((uint64_t)i * 0x9E3779B97F4A7C15 >> 32 ^ (uint64_t)i) * 0xD6E8FEB86659FD93 >> 32) * "                 \
    "(uint64_t)((n + 1) / 2) >> 32)"
static int64_t random_number(const bench_case *c, int64_t i)
{
    const uint64_t mixed = ((uint64_t)i * 0x9E3779B97F4A7C15 >> 32 ^ (uint64_t)i) * 0xD6E8FEB86659FD93;
    return (int64_t)((mixed >> 32) * (uint64_t)((c->n + 1) / 2) >> 32);
}

static mcl_status upsert_prepare(bench_case *c)
{
    mcl_status status = add_keys(c, RANDOM_NUMBER);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_counting(c, 1, 0);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, c->n) : status;
}

static void upsert_expect(bench_case *c)
{
    const int64_t keys = (c->n + 1) / 2;
    int64_t *sums = calloc((size_t)keys + 1, sizeof *sums);
    if (!sums) abort();
    for (int64_t k = 0; k < c->n; k++) sums[random_number(c, k)] += k;
    for (int64_t k = 0; k < c->n; k++) bench_store_integer(&c->problem.out[0], k, sums[random_number(c, k)]);
    free(sums);
}

static mcl_status upsert_run(const bench_case *c, const mcl_options *options)
{
    return mcl_map_insert_or_apply(c->bench->queue, c->map, bench_in(c, 0), bench_in(c, 1), MCL_ADD, options);
}

const bench_op bench_op_map_upsert = {
    .name = "map_upsert",
    .types = INTEGERS,
    .tuning = "map",
    .prepare = upsert_prepare,
    .reference = upsert_expect,
    .bytes = two_sequences,
    .restore = insert_restore,
    .run = upsert_run,
    .finish = insert_finish,
};

static mcl_status grow_restore(bench_case *c)
{
    return make_map(c, first_slots(c), 0.5);
}

INSERT(map_insert_grow, grow_restore, "dynamic_map_insert_grow");

/* ---- finding ---------------------------------------------------------------------------- */

static mcl_status find_data(bench_case *c, const char *number)
{
    mcl_status status = add_entries(c);
    if (status == MCL_OK) status = add_keys(c, number);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, c->n) : status;
}

static mcl_status find_grown_prepare(bench_case *c)
{
    mcl_status status = find_data(c, OTHER_ORDER);
    if (status == MCL_OK) status = make_map(c, first_slots(c), 0.5);
    return status == MCL_OK ? insert_in_parts(c) : status;
}

/* Every second number has no key in the map. */
#define HALF_ORDER OTHER_ORDER " + (i % 2) * n"

static mcl_status find_loaded_prepare(bench_case *c, const char *number, double load)
{
    mcl_status status = find_data(c, number);
    if (status == MCL_OK) status = make_filled_to(c, load);
    return status == MCL_OK ? insert(c, 0, c->n, NULL) : status;
}

#define FIND_PREPARE(name, number, load)                                                                               \
    static mcl_status name##_prepare(bench_case *c)                                                                    \
    {                                                                                                                  \
        return find_loaded_prepare(c, number, load);                                                                   \
    }
FIND_PREPARE(find, OTHER_ORDER, 0.5)
FIND_PREPARE(find_80, OTHER_ORDER, 0.8)
FIND_PREPARE(find_90, OTHER_ORDER, 0.9)
FIND_PREPARE(find_95, OTHER_ORDER, 0.95)
FIND_PREPARE(find_half, HALF_ORDER, 0.5)
FIND_PREPARE(find_half_95, HALF_ORDER, 0.95)

static int64_t number_of(const bench_case *c, int64_t i)
{
    return (i * 2654435761 + 12345) % c->n;
}

static void find_expect(bench_case *c)
{
    for (int64_t k = 0; k < c->n; k++) bench_store_integer(&c->problem.out[0], k, number_of(c, k));
}

static void find_half_expect(bench_case *c)
{
    for (int64_t k = 0; k < c->n; k++) bench_store_integer(&c->problem.out[0], k, k % 2 ? -1 : number_of(c, k));
}

static mcl_status find_run(const bench_case *c, const mcl_options *options)
{
    const int64_t nothing = -1;
    return mcl_map_find(c->bench->queue, c->map, bench_in(c, 2), bench_out(c, 0), &nothing, (mcl_output){ 0 }, options);
}

#define FIND(op_name, prepare_it, expect_it, peers)                                                                    \
    const bench_op bench_op_##op_name = {                                                                              \
        .name = #op_name,                                                                                              \
        .types = INTEGERS,                                                                                             \
        .recorded = peers,                                                                                             \
        .tuning = "map",                                                                                               \
        .prepare = prepare_it,                                                                                         \
        .reference = expect_it,                                                                                        \
        .bytes = two_sequences,                                                                                        \
        .run = find_run,                                                                                               \
    }
FIND(map_find, find_prepare, find_expect, "static_map_find_hit100");
FIND(map_find_load_80, find_80_prepare, find_expect, NULL);
FIND(map_find_load_90, find_90_prepare, find_expect, NULL);
FIND(map_find_load_95, find_95_prepare, find_expect, NULL);
FIND(map_find_half_load_95, find_half_95_prepare, find_half_expect, NULL);
FIND(map_find_half, find_half_prepare, find_half_expect, "static_map_find_hit50");
FIND(map_find_grown, find_grown_prepare, find_expect, "dynamic_map_find_grown");

/* ---- taking all out ---------------------------------------------------------------------------- */

/* Prepares taking all entries out. Outputs 0 and 1, keys and values, come in any order. Output 2 has the values again,
 * in the order of their keys' numbers. */
static mcl_status retrieve_prepare(bench_case *c)
{
    mcl_status status = add_entries(c);
    for (int k = 0; k < 3 && status == MCL_OK; k++) status = bench_add_output(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT64, 1);
    if (status == MCL_OK) status = make_map(c, 2 * c->n, 0.5);
    return status == MCL_OK ? insert(c, 0, c->n, NULL) : status;
}

static void retrieve_expect(bench_case *c)
{
    c->problem.out[0].count = c->problem.out[1].count = 0; /* their order is unspecified, so they are not compared */
    for (int64_t k = 0; k < c->n; k++) bench_store_integer(&c->problem.out[2], k, k);
    memcpy(c->problem.out[3].host, &c->n, sizeof c->n);
}

static double retrieve_bytes(const bench_case *c)
{
    return 2.0 * (double)c->type->element->type->size * 3.0 * (double)c->n;
}

static mcl_output whole_output(const bench_case *c, int index)
{
    return mcl_to_buffer(c->type->element->type, c->problem.out[index].device, 0, c->n);
}

static mcl_status retrieve_run(const bench_case *c, const mcl_options *options)
{
    return mcl_map_retrieve_all(c->bench->queue, c->map, whole_output(c, 0), whole_output(c, 1),
                                mcl_to_slot(MCL_INT64, c->problem.out[3].device, 0), options);
}

static mcl_status retrieve_finish(bench_case *c)
{
    const mcl_type *type = c->type->element->type;
    const mcl_binding binding = mcl_binding_buffer("keys", type, c->problem.out[0].device, 0);
    const mcl_input places = mcl_from_expression(type, texts[is_wide(c)].index, NULL, &binding, 1, c->n);
    return mcl_scatter(c->bench->queue, mcl_from_buffer(type, c->problem.out[1].device, 0, c->n), places,
                       whole_output(c, 2), NULL);
}

static size_t slot_bytes(const bench_type *type)
{
    return 2 * type->element->type->size;
}

const bench_op bench_op_map_retrieve_all = {
    .name = "map_retrieve_all",
    .types = INTEGERS,
    .recorded = "static_map_retrieve_all",
    .tuning = "append",
    .tile_bytes = slot_bytes,
    .prepare = retrieve_prepare,
    .reference = retrieve_expect,
    .bytes = retrieve_bytes,
    .run = retrieve_run,
    .finish = retrieve_finish,
};
