/* map.c: hash maps: rows enter keys, find keys, and change the values of keys that come more than once. */
#include "../sweep.h"

#include <stdlib.h>
#include <string.h>

/* Keys are numbers times an odd constant, modulo 2^31. All keys differ, and none is a sentinel. */
#define KEY_SOURCE                                                                                                     \
    "static inline uint32_t sweep_map_key(const uint64_t j) { return (uint32_t)j * 0x9E3779B1u & 0x7fffffffu; }\n"
static uint32_t key_of(uint64_t j)
{
    return (uint32_t)j * 0x9E3779B1u & 0x7fffffffu;
}

/* Replaces the numbers of input k by the keys of these numbers. */
static mcl_status numbers_to_keys(sweep *s, int k)
{
    const mcl_binding numbers = mcl_binding_buffer("numbers", MCL_UINT32, s->in[k].device, 0);
    const int64_t count = s->in[k].count;
    s->in[k].made = (sweep_made){ 0 };
    s->in[k].is_fetched = 0;
    return mcl_transform(s->bench->queue,
                         mcl_from_expression(MCL_UINT32, "sweep_map_key(numbers[i])", KEY_SOURCE, &numbers, 1, count),
                         sweep_to(&s->in[k]), NULL);
}

/* Makes an empty map of 32-bit keys and values. The entries will fill load_percent of its slots. */
static mcl_status make_map(sweep *s, mcl_map **map, int64_t entries, int64_t load_percent)
{
    const double load = (double)load_percent / 100;
    const mcl_map_config config = {
        .key = MCL_UINT32, .value = MCL_INT32, .capacity = (int64_t)((double)entries / load) + 16, .max_load = load
    };
    mcl_map_release(*map);
    *map = NULL;
    return mcl_map_create(s->bench->context, &config, map);
}

static mcl_status clear(sweep *s)
{
    return mcl_map_clear(s->bench->queue, s->map, NULL);
}

/* Finds the keys of input 0 after a call. */
static mcl_status find_all(sweep *s)
{
    const int32_t nothing = -1;
    return mcl_map_find(s->bench->queue, s->map, sweep_in(s, 0), sweep_out(s, 0), &nothing, (mcl_output){ 0 }, NULL);
}

#define LOAD { .name = "load", .base = 50, .least = 10, .most = 95, .above_n = 1 }
#define MAP_LIMITS SWEEP_TUNED("map.parted_bytes", SWEEP_BYTES), SWEEP_TUNED("map.part_bytes", SWEEP_BYTES)

/* ---- entering --------------------------------------------------------------------------------------------------- */

static mcl_status insert_prepare(sweep *s)
{
    s->bytes = 16.0 * (double)s->v[0];
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], SWEEP_SORTED, s->v[0], 1));
    SWEEP_TRY(numbers_to_keys(s, 0));
    SWEEP_TRY(sweep_keys(s, 1, MCL_INT32, s->v[0], SWEEP_SORTED, s->v[0], 1));
    SWEEP_TRY(sweep_output(s, 0, MCL_INT32, s->v[0]));
    return make_map(s, &s->map, s->v[0], s->v[1]);
}

static mcl_status insert_call(sweep *s)
{
    return mcl_map_insert(s->bench->queue, s->map, sweep_in(s, 0), sweep_in(s, 1), NULL);
}

static void insert_plain(sweep *s)
{
    const uint32_t *const keys = s->in[0].host;
    plain_table table = plain_table_open(s->v[0]);
    s->plain_start = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->v[0]; k++) {
        plain_slot *const slot = plain_table_at(&table, keys[k]);
        if (slot->key == PLAIN_NONE) *slot = (plain_slot){ .key = keys[k], .count = (int32_t)k };
    }
    s->plain_end = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->v[0]; k++) ((int32_t *)s->out[0].host)[k] = plain_table_at(&table, keys[k])->count;
    plain_table_close(&table);
}

const sweep_op sweep_op_map_insert = {
    .name = "map_insert",
    .element_bytes = 8,
    .parameters = { SWEEP_N(MAP_LIMITS), LOAD },
    .most = 30000000,
    .plain_most = 1.0,
    .prepare = insert_prepare,
    .restore = clear,
    .call = insert_call,
    .finish = find_all,
    .plain = insert_plain,
};

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static mcl_status find_prepare(sweep *s)
{
    const int64_t entries = s->v[1], numbers = entries * 100 / (100 - s->v[3]);
    s->bytes = 16.0 * (double)s->v[0];
    SWEEP_TRY(sweep_keys(s, 1, MCL_UINT32, entries, SWEEP_SORTED, entries, 1));
    SWEEP_TRY(numbers_to_keys(s, 1));
    SWEEP_TRY(sweep_keys(s, 2, MCL_INT32, entries, SWEEP_SORTED, entries, 1));
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], SWEEP_UNIFORM, numbers, 5));
    SWEEP_TRY(numbers_to_keys(s, 0));
    SWEEP_TRY(sweep_output(s, 0, MCL_INT32, s->v[0]));
    SWEEP_TRY(make_map(s, &s->map, entries, s->v[2]));
    return mcl_map_insert(s->bench->queue, s->map, sweep_in(s, 1), sweep_in(s, 2), NULL);
}

static void find_plain(sweep *s)
{
    const uint32_t *const keys = s->in[0].host;
    int32_t *const out = s->out[0].host;
    plain_table table = plain_table_open(s->v[1]);
    for (int64_t k = 0; k < s->v[1]; k++) {
        const uint32_t key = key_of((uint64_t)k);
        *plain_table_at(&table, key) = (plain_slot){ .key = key, .count = (int32_t)k };
    }
    s->plain_start = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->v[0]; k++) {
        const plain_slot *const slot = plain_table_at(&table, keys[k]);
        out[k] = slot->key == PLAIN_NONE ? -1 : slot->count;
    }
    s->plain_end = bench_cost_now(s->bench);
    plain_table_close(&table);
}

const sweep_op sweep_op_map_find = {
    .name = "map_find",
    .element_bytes = 8,
    .parameters = { SWEEP_N({ .number = 0 }),
                    { .name = "entries", .base = 100000, .least = 100, .most = 30000000, .above_n = 1 },
                    LOAD,
                    { .name = "absent", .base = 1, .least = 1, .most = 99, .above_n = 1 } },
    .plain_most = 1.0,
    .prepare = find_prepare,
    .call = find_all,
    .plain = find_plain,
};

/* ---- values of keys that come more than once -------------------------------------------------------------------- */

enum { APPLY, ASSIGN, INSERT };
static const char *const change_names[] = { "apply", "assign", "insert", NULL };

static mcl_status change_prepare(sweep *s)
{
    s->bytes = 8.0 * (double)s->v[0] + 8.0 * (double)s->v[1];
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, s->v[0], s->v[2], s->v[1], 3));
    SWEEP_TRY(sweep_keys(s, 1, MCL_INT32, s->v[0], s->v[2], s->v[1], 3)); /* the value of each key is its number */
    SWEEP_TRY(numbers_to_keys(s, 0));
    SWEEP_TRY(sweep_spare(s, 0, MCL_UINT32, s->v[0]));
    SWEEP_TRY(sweep_spare(s, 1, MCL_INT32, s->v[0]));
    SWEEP_TRY(sweep_output(s, 0, MCL_INT32, s->v[0]));
    return make_map(s, &s->map, s->v[1], 50);
}

static mcl_status change_call(sweep *s)
{
    mcl_queue *const queue = s->bench->queue;
    const mcl_input keys = sweep_in(s, 0), values = sweep_in(s, 1);
    return s->v[3] == APPLY    ? mcl_map_insert_or_apply(queue, s->map, keys, values, MCL_ADD, NULL)
           : s->v[3] == ASSIGN ? mcl_map_insert_or_assign(queue, s->map, keys, values, NULL)
                               : mcl_map_insert(queue, s->map, keys, values, NULL);
}

static mcl_status change_by_groups(sweep *s)
{
    const mcl_aggregate sum = { sweep_in(s, 1), s->v[3] == APPLY ? MCL_ADD : MCL_MAX, sweep_to(&s->spare[1]) };
    return mcl_group_by(s->bench->queue, sweep_in(s, 0), sweep_to(&s->spare[0]), &sum, 1, mcl_to_nowhere(), NULL);
}

static void change_plain(sweep *s)
{
    const uint32_t *const keys = s->in[0].host;
    const int32_t *const values = s->in[1].host;
    plain_table table = plain_table_open(s->v[1]);
    s->plain_start = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->v[0]; k++) {
        plain_slot *const slot = plain_table_at(&table, keys[k]);
        if (slot->key == PLAIN_NONE)
            *slot = (plain_slot){ .key = keys[k], .count = values[k] };
        else if (s->v[3] == APPLY)
            slot->count = (int32_t)((uint32_t)slot->count + (uint32_t)values[k]);
        else if (s->v[3] == ASSIGN)
            slot->count = values[k];
    }
    s->plain_end = bench_cost_now(s->bench);
    for (int64_t k = 0; k < s->v[0]; k++) ((int32_t *)s->out[0].host)[k] = plain_table_at(&table, keys[k])->count;
    plain_table_close(&table);
}

const sweep_op sweep_op_map_change = {
    .name = "map_change",
    .element_bytes = 8,
    .parameters = { SWEEP_N(MAP_LIMITS),
                    { .name = "distinct", .base = 1000, .least = 1, .most = 10000000 },
                    { .name = "spread", .names = sweep_spread_names },
                    { .name = "by", .names = change_names } },
    .most = 30000000,
    .other_differs = 1,
    .plain_most = 1.0,
    .prepare = change_prepare,
    .restore = clear,
    .call = change_call,
    .finish = find_all,
    .other = change_by_groups,
    .plain = change_plain,
};

/* ---- joins ------------------------------------------------------------------------------------------------------ */

/* Makes the sides of a join. Each key of b has copies rows. a has n / copies rows, so about n rows result. */
static mcl_status join_prepare(sweep *s)
{
    const int64_t copies = s->v[2] < s->v[1] ? s->v[2] : s->v[1], keys = s->v[1] / copies;
    const int64_t rows = s->v[0] / copies > 0 ? s->v[0] / copies : 1, room = (rows + 1) * (s->v[1] / keys + 2);
    const int64_t numbers = keys * 100 / s->v[3] > 0 ? keys * 100 / s->v[3] : 1;
    const double out = (double)s->v[0] * (double)s->v[3] / 100;
    s->units = (double)(rows + s->v[1]) + out;
    s->bytes = 4.0 * (double)(rows + s->v[1]) + 8.0 * out;
    s->lacks_other = copies > 1;
    SWEEP_TRY(sweep_keys(s, 0, MCL_UINT32, rows, SWEEP_UNIFORM, numbers, 5));
    SWEEP_TRY(numbers_to_keys(s, 0));
    SWEEP_TRY(sweep_keys(s, 2, MCL_UINT32, s->v[1], SWEEP_SORTED, keys, 1));
    SWEEP_TRY(numbers_to_keys(s, 2));
    SWEEP_TRY(sweep_filled(s, 1, mcl_from_shuffled(MCL_UINT32, s->in[2].device, 0, s->v[1], 7)));
    /* a column of b, which has the row's number */
    SWEEP_TRY(sweep_keys(s, 2, MCL_INT32, s->v[1], SWEEP_SORTED, s->v[1], 1));
    SWEEP_TRY(sweep_keys(s, 3, MCL_INT32, rows, SWEEP_SORTED, rows, 1));
    SWEEP_TRY(sweep_output(s, 0, MCL_INT32, room));
    SWEEP_TRY(sweep_output(s, 1, MCL_INT32, room));
    SWEEP_TRY(sweep_output(s, 2, MCL_INT64, 1));
    SWEEP_TRY(sweep_spare(s, 0, MCL_INT32, rows));
    return make_map(s, &s->other_map, s->v[1], 50);
}

/* Orders of the rows: that of the looked-up side, as plain C gives them, or that of the keys. */
enum { ANY_ORDER, KEY_ORDER };
static const char *const row_orders[] = { "any", "keys", NULL };
static mcl_options join_options(const sweep *s)
{
    return (mcl_options){ .flags = s->v[4] == ANY_ORDER ? MCL_UNORDERED : 0 };
}

static mcl_status join_call(sweep *s)
{
    const mcl_options options = join_options(s);
    return mcl_join_unsorted(s->bench->queue, MCL_JOIN_INNER, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0),
                             sweep_out(s, 1), MCL_LESS, sweep_count(s, 2), &options);
}

/* Enters b's rows in a map, looks for a's keys and keeps the keys that are found. */
static mcl_status join_by_map(sweep *s)
{
    static const mcl_op is_found = { .role = MCL_ROLE_TEST, .expression = "x >= 0" };
    const int32_t nothing = -1;
    mcl_queue *const queue = s->bench->queue;
    const mcl_column rows = { sweep_in(s, 3), sweep_out(s, 0) };
    SWEEP_TRY(mcl_map_clear(queue, s->other_map, NULL));
    SWEEP_TRY(mcl_map_insert(queue, s->other_map, sweep_in(s, 1), sweep_in(s, 2), NULL));
    SWEEP_TRY(
        mcl_map_find(queue, s->other_map, sweep_in(s, 0), sweep_to(&s->spare[0]), &nothing, (mcl_output){ 0 }, NULL));
    return mcl_compact_columns(queue, sweep_from(&s->spare[0], s->in[0].count), sweep_out(s, 1), &rows, 1, &is_found,
                               sweep_count(s, 2), NULL);
}

typedef struct plain_row {
    uint32_t key;
    int32_t a, b;
} plain_row;

static int compare_rows(const void *p, const void *q)
{
    const plain_row *const x = p, *const y = q;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

/* Puts the rows of a join in the order of their keys. */
static void sort_rows(sweep *s, int64_t rows)
{
    const uint32_t *const a = s->in[0].host;
    int32_t *const out_a = s->out[0].host, *const out_b = s->out[1].host;
    plain_row *const list = sweep_memory((size_t)rows * sizeof *list);
    for (int64_t k = 0; k < rows; k++) list[k] = (plain_row){ a[out_a[k]], out_a[k], out_b[k] };
    qsort(list, (size_t)rows, sizeof *list, compare_rows);
    for (int64_t k = 0; k < rows; k++) {
        out_a[k] = list[k].a;
        out_b[k] = list[k].b;
    }
    free(list);
}

static void join_plain(sweep *s)
{
    const uint32_t *const a = s->in[0].host;
    int32_t *const out_a = s->out[0].host, *const out_b = s->out[1].host;
    int32_t *const next = sweep_memory((size_t)s->v[1] * sizeof *next);
    plain_table table = plain_table_chained(s->in[1].host, s->v[1], s->v[1], next);
    int64_t rows = 0;
    for (int64_t k = 0; k < s->in[0].count; k++) {
        const plain_slot *const slot = plain_table_at(&table, a[k]);
        for (int32_t row = slot->key == PLAIN_NONE ? -1 : slot->count; row >= 0 && rows < s->out[0].room;
             row = next[row]) {
            out_a[rows] = (int32_t)k;
            out_b[rows++] = row;
        }
    }
    if (s->v[4] == KEY_ORDER) sort_rows(s, rows);
    *(int64_t *)s->out[2].host = s->out[0].count = s->out[1].count = rows;
    plain_table_close(&table);
    free(next);
}

static mcl_status join_columns_call(sweep *s)
{
    const mcl_options options = join_options(s);
    const mcl_join_column a = { sweep_in(s, 3), sweep_out(s, 0), NULL }, b = { sweep_in(s, 2), sweep_out(s, 1), NULL };
    return mcl_join_columns(s->bench->queue, MCL_JOIN_INNER, sweep_in(s, 0), sweep_in(s, 1), &a, 1, &b, 1,
                            (mcl_output){ 0 }, MCL_LESS, sweep_count(s, 2), &options);
}

#define JOIN(name_, call_)                                                                                             \
    {                                                                                                                  \
        .name = (name_),                                                                                               \
        .tile = "join",                                                                                                \
        .parameters = { SWEEP_N(SWEEP_TUNED("join.table_least_serial", SWEEP_AS_IS)),                                  \
                        { .name = "rows",                                                                              \
                          .base = 10000,                                                                               \
                          .least = 1,                                                                                  \
                          .most = 10000000,                                                                            \
                          .above_n = 1,                                                                                \
                          .limits = { SWEEP_TUNED("join.hash_keys", SWEEP_AS_IS),                                      \
                                      SWEEP_TUNED("join.table_keys_serial", SWEEP_AS_IS),                              \
                                      SWEEP_TUNED("join.bucket_keys_serial", SWEEP_AS_IS) } },                         \
                        { .name = "copies", .base = 1, .least = 1, .most = 10000 },                                    \
                        { .name = "matching", .base = 100, .least = 1, .most = 100, .above_n = 1 },                    \
                        { .name = "order", .names = row_orders } },                                                    \
        .most = 30000000,                                                                                              \
        .any_order = 1,                                                                                                \
        .plain_most = 1.0,                                                                                             \
        .plain_parameter = 1,                                                                                          \
        .plain_up_to = 1000000,                                                                                        \
        .prepare = join_prepare,                                                                                       \
        .call = (call_),                                                                                               \
        .other = join_by_map,                                                                                          \
        .plain = join_plain,                                                                                           \
    }
const sweep_op sweep_op_join_unsorted = JOIN("join_unsorted", join_call);
const sweep_op sweep_op_join_columns = JOIN("join_columns", join_columns_call);
