/* test_map_apply.c: mcl_map_insert_or_apply. */
#include "support/maps.h"

#include "cases/elements.h"

#include <string.h>

static void apply(int device, mcl_map *map, mcl_input keys, mcl_input values, const mcl_op *op,
                  const mcl_options *options)
{
    test_ok(mcl_map_insert_or_apply(test_device_at(device)->queue, map, keys, values, op, options));
}

/* ---- a model --------------------------------------------------------------------------------------------------- */

enum { KEYS = 150, BATCH = 300 };

static const mcl_op squares = {
    .role = MCL_ROLE_FOLD,
    .expression = "(int32_t)((uint32_t)p * (uint32_t)q * (uint32_t)odd)",
    .commutative = 1,
};
static const mcl_op own_sum = { .role = MCL_ROLE_FOLD, .expression = "q + p", .commutative = 1 };

typedef struct model {
    mcl_buffer *keys;
    mcl_buffer *values;
    int is_there[KEYS];
    int32_t value[KEYS];
} model;

enum { ADD, MIN, MAX, XOR, OR, OWN, BOUND, OP_COUNT };

static mcl_op op_of(int which)
{
    static const mcl_op *const ops[] = { MCL_ADD, MCL_MIN, MCL_MAX, MCL_XOR, MCL_OR, &own_sum, &squares };
    const int32_t odd = 77;
    mcl_op op = *ops[which];

    if (which == BOUND) op.bindings[op.binding_count++] = mcl_binding_value("odd", MCL_INT32, &odd);
    return op;
}

static int32_t folded(int which, int32_t p, int32_t q)
{
    if (which == MIN) return p < q ? p : q;
    if (which == MAX) return p > q ? p : q;
    if (which == XOR) return p ^ q;
    if (which == OR) return p | q;
    if (which == BOUND) return (int32_t)((uint32_t)p * (uint32_t)q * 77u);
    return (int32_t)((uint32_t)p + (uint32_t)q);
}

/* Makes one call on count keys, many of them repeated, on the map and on plain arrays. */
static void model_apply(int device, mcl_map *map, model *m, uint64_t turn, const mcl_options *options)
{
    const int64_t count = 1 + (int64_t)(test_random(turn, 1) % BATCH);
    const int span = 1 + (int)(test_random(turn, 2) % KEYS);
    const int which = (int)(turn % OP_COUNT);
    const mcl_op op = op_of(which);
    int32_t keys[BATCH];
    int32_t values[BATCH];

    for (int64_t k = 0; k < count; k++) {
        const int32_t key = keys[k] = (int32_t)(test_random(turn, 10 + (uint64_t)k) % (uint64_t)span);
        values[k] = (int32_t)(uint32_t)test_random(turn, 1000 + (uint64_t)k);
        m->value[key] = m->is_there[key] ? folded(which, m->value[key], values[k]) : values[k];
        m->is_there[key] = 1;
    }
    test_ok(mcl_buffer_write(test_device_at(device)->queue, m->keys, 0, sizeof keys, keys));
    test_ok(mcl_buffer_write(test_device_at(device)->queue, m->values, 0, sizeof values, values));
    apply(device, map, ints(m->keys, count), ints(m->values, count), &op, options);
}

static void model_erase(int device, mcl_map *map, model *m, uint64_t turn, const mcl_options *options)
{
    const int32_t first = (int32_t)(test_random(turn, 3) % (KEYS / 2));
    const int32_t count = 1 + (int32_t)(test_random(turn, 4) % (KEYS / 2));

    test_ok(mcl_map_erase(test_device_at(device)->queue, map, map_counting(first, count), options));
    for (int32_t key = first; key < first + count; key++) m->is_there[key] = 0;
}

static void model_compare(int device, mcl_map *map, const model *m)
{
    static map_entry entries[MAP_ENTRIES_MAX];
    const int64_t count = map_entries_of(device, map, NULL, entries);
    int64_t at = 0;

    for (int32_t key = 0; key < KEYS; key++) {
        if (!m->is_there[key]) continue;
        ck_assert_int_lt(at, count);
        ck_assert_int_eq(entries[at].key, key);
        ck_assert_int_eq(entries[at].value, m->value[key]);
        at++;
    }
    ck_assert_int_eq(at, count);
}

/* Sub-maps are added, and slots of erased keys are used again. */
START_TEST(elements_are_folded_as_in_a_plain_map)
{
    const uint64_t turns = test_sees_races(_i) ? 12 : test_is_small() ? 60 : 600;
    static model m;
    mcl_map *map = NULL;
    int grown = 0;

    memset(&m, 0, sizeof m);
    m.keys = array_empty(_i, BATCH * sizeof(int32_t));
    m.values = array_empty(_i, BATCH * sizeof(int32_t));
    for (uint64_t turn = 0; turn < turns; turn++) {
        const mcl_options *options = &map_tilings[turn % MAP_TILINGS];
        if (turn % 50 == 0) {
            mcl_map_release(map);
            map = map_with(_i, turn % 100 ? 4000 : 16, 0.8);
            memset(m.is_there, 0, sizeof m.is_there);
        }
        model_apply(_i, map, &m, test_random(turn, 0) % 10000, options);
        grown = grown || mcl_map_sub_map_count(map) > 1;
        if (turn % 3 == 2) model_compare(_i, map, &m);
        if (turn % 4 == 3) model_erase(_i, map, &m, turn, options);
    }
    ck_assert(grown);
    model_compare(_i, map, &m);
    mcl_buffer_release(m.keys);
    mcl_buffer_release(m.values);
    mcl_map_release(map);
}
END_TEST

/* ---- keys that meet -------------------------------------------------------------------------------------------- */

START_TEST(no_element_of_one_key_is_lost)
{
    const int64_t count = test_sees_races(_i) ? 200 : 20000;
    const int32_t key = 17;
    const int64_t sum = count * (count + 1) / 2;
    static map_entry entries[MAP_ENTRIES_MAX];

    for (int k = 0; k < MAP_TILINGS; k++)
        for (int which = 0; which < 3; which++) {
            mcl_map *map = map_with(_i, 3 * count, 0);
            const mcl_input same = mcl_from_constant(MCL_INT32, &key, count);
            const mcl_op *op = which == 0 ? MCL_ADD : which == 1 ? &own_sum : MCL_OR;
            int64_t expected = which == 2 ? 0 : sum;
            for (int64_t i = 1; which == 2 && i <= count; i++) expected |= i;
            apply(_i, map, same, map_counting(1, count), op, &map_tilings[k]);
            ck_assert_int_eq(map_entries_of(_i, map, NULL, entries), 1);
            ck_assert_int_eq(entries[0].key, key);
            ck_assert_int_eq(entries[0].value, expected);
            apply(_i, map, same, map_counting(0, count), MCL_MAX, &map_tilings[k]);
            ck_assert_int_eq(map_entries_of(_i, map, NULL, entries), 1);
            ck_assert_int_eq(entries[0].value, expected);
            mcl_map_release(map);
        }
}
END_TEST

enum { MANY = 4000, FEW = 300, PHASE = 7500 };

/* Makes phases of few keys and of many keys, with sentinels among them, and the sums that MCL_ADD gives a plain map.
 * Returns the number of sentinels. */
static int64_t phases(int32_t *keys, int64_t count, int32_t *sums, int *is_there)
{
    int64_t sentinels = 0;

    for (int64_t i = 0; i < count; i++) {
        const uint64_t number = test_random(5, (uint64_t)i);
        const int32_t key = (int32_t)(number % (i % PHASE < PHASE / 2 ? FEW : MANY));
        keys[i] = i % 97 == 0 ? -1 - (int32_t)(number % 2) : key;
        sentinels += keys[i] < 0;
        if (keys[i] < 0) continue;
        sums[key] += (int32_t)i;
        is_there[key] = 1;
    }
    return sentinels;
}

/* A processor's work-item gathers few keys in a table, but not many. A later insertion changes nothing. */
START_TEST(few_keys_that_become_many_are_folded)
{
    const int64_t count = test_sees_races(_i) ? 400 : 8 * PHASE;
    static map_entry entries[MAP_ENTRIES_MAX];
    static int32_t keys[8 * PHASE], sums[MANY];
    static int is_there[MANY];
    int64_t skipped = -1, at = 0;

    memset(sums, 0, sizeof sums);
    memset(is_there, 0, sizeof is_there);
    const int64_t sentinels = phases(keys, count, sums, is_there);
    mcl_buffer *const buffer = array_of(_i, keys, (size_t)count * sizeof *keys);
    for (int k = 0; k < MAP_TILINGS; k++) {
        mcl_map *const map = map_with(_i, 4 * count, 0);
        apply(_i, map, ints(buffer, count), map_counting(0, count), MCL_ADD, &map_tilings[k]);
        map_insert(_i, map, ints(buffer, count), map_counting(0, count), &map_tilings[k]);
        test_ok(mcl_map_skipped(test_device_at(_i)->queue, map, mcl_to_host(MCL_INT64, &skipped), NULL));
        ck_assert_int_eq(skipped, 2 * sentinels);
        ck_assert_int_ge(map_entries_of(_i, map, NULL, entries), 1);
        at = 0;
        for (int32_t key = 0; key < MANY; key++) {
            if (!is_there[key]) continue;
            ck_assert_int_eq(entries[at].key, key);
            ck_assert_int_eq(entries[at++].value, sums[key]);
        }
        ck_assert_int_eq(map_size_of(_i, map), at);
        mcl_map_release(map);
    }
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(keys_of_older_sub_maps_are_updated_there)
{
    mcl_map *map = map_with(_i, 100, 0.5);

    map_insert(_i, map, map_counting(0, 50), map_counting(100, 50), NULL);
    map_insert(_i, map, map_counting(50, 50), map_counting(-500, 50), NULL);
    ck_assert_int_eq(mcl_map_sub_map_count(map), 2);
    for (int k = 0; k < MAP_TILINGS; k++) {
        apply(_i, map, map_counting(50, 100), map_counting(150, 100), MCL_MAX, &map_tilings[k]);
        ck_assert_int_eq(map_size_of(_i, map), 150);
    }
    map_expect_steps(_i, map, NULL, 150, 0, 1, 100);
    mcl_map_release(map);
}
END_TEST

START_TEST(erased_entries_begin_anew)
{
    static const mcl_op *const ops[] = { MCL_ADD, MCL_MAX, MCL_XOR };
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int turn = 0; turn < 3 * MAP_TILINGS; turn++) {
        const int k = turn % MAP_TILINGS;
        const mcl_op *op = ops[turn / MAP_TILINGS];
        mcl_map *map = map_with(_i, 64, 1);
        apply(_i, map, map_counting(0, 60), map_counting(1000, 60), op, &map_tilings[k]);
        test_ok(mcl_map_erase(queue, map, map_counting(0, 30), &map_tilings[k]));
        ck_assert_int_eq(map_size_of(_i, map), 30);
        apply(_i, map, map_counting(0, 4), map_counting(7, 4), op, &map_tilings[k]);
        test_ok(mcl_map_erase(queue, map, map_counting(30, 30), &map_tilings[k]));
        map_expect_steps(_i, map, NULL, 4, 0, 1, 7);
        ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
        mcl_map_release(map);
    }
}
END_TEST

START_TEST(sentinels_are_skipped_and_counted_or_refused)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_options validate = { .flags = MCL_VALIDATE };
    const int32_t some[] = { 4, -1, 4, -2, 6, -1 };
    int64_t skipped = -1;
    mcl_map *map = map_with(_i, 50, 0);
    mcl_buffer *keys = ARRAY_OF(_i, some);

    test_fails(mcl_map_insert_or_apply(queue, map, ints(keys, 6), map_counting(0, 6), MCL_ADD, &validate),
               MCL_ERROR_PRECONDITION, "mcl_map_insert_or_apply|keys[1]|sentinel");
    ck_assert_int_eq(map_size_of(_i, map), 0);
    apply(_i, map, ints(keys, 6), map_counting(0, 6), MCL_ADD, NULL);
    map_expect_steps(_i, map, NULL, 2, 4, 2, 2);
    test_ok(mcl_map_skipped(queue, map, mcl_to_host(MCL_INT64, &skipped), NULL));
    ck_assert_int_eq(skipped, 3);
    mcl_buffer_release(keys);
    mcl_map_release(map);
}
END_TEST

START_TEST(the_count_may_come_from_the_device)
{
    const int64_t counts[] = { 30, -5, 1000 };
    mcl_map *map = map_with(_i, 1000, 0);
    mcl_buffer *slots = ARRAY_OF(_i, counts);

    for (int k = 0; k < 3; k++)
        apply(_i, map, mcl_with_count(map_counting(0, 40), slots, k), map_counting(0, 40), MCL_MIN, &map_tilings[k]);
    map_expect_steps(_i, map, NULL, 40, 0, 1, 0);
    mcl_buffer_release(slots);
    mcl_map_release(map);
}
END_TEST

/* ---- types ----------------------------------------------------------------------------------------------------- */

/* clang-format off */
MCL_SOURCE(span_source,
typedef struct span { float least; float most; } span;
static inline span span_both(const span p, const span q)
{
    span both;
    both.least = p.least < q.least ? p.least : q.least;
    both.most = p.most > q.most ? p.most : q.most;
    return both;
}
)
/* clang-format on */

static const mcl_type type_span = MCL_TYPE(span, span_source);
static const mcl_op span_op = { .role = MCL_ROLE_FOLD, .expression = "span_both(p, q)", .commutative = 1 };
static const mcl_op tripled = {
    .role = MCL_ROLE_FOLD, .expression = "p + q", .extract = "x * 3", .value = MCL_INT32, .commutative = 1
};

enum { GROUPS = 37, ELEMENTS = 3700 };

/* Enters ELEMENTS elements with the keys 0 to GROUPS - 1, and reads the values in the order of the keys. Without op it
 * assigns. */
static void fold_groups(int device, const mcl_type *key, mcl_input values, const mcl_op *op, int tiling, void *out)
{
    mcl_queue *queue = test_device_at(device)->queue;
    const mcl_map_config config = { .key = key, .value = values.type, .capacity = 16 };
    const size_t bytes = GROUPS * values.type->size;
    const unsigned char zero[8] = { 0 };
    const mcl_input keys = mcl_from_expression(key, "i % 37", NULL, NULL, 0, ELEMENTS);
    mcl_buffer *found = array_empty(device, bytes);
    mcl_map *map = NULL;

    test_ok(mcl_map_create(test_device_at(device)->context, &config, &map));
    if (op)
        apply(device, map, keys, values, op, &map_tilings[tiling]);
    else
        test_ok(mcl_map_insert_or_assign(queue, map, keys, values, &map_tilings[tiling]));
    ck_assert_int_eq(map_size_of(device, map), GROUPS);
    test_ok(mcl_map_find(queue, map, mcl_from_counting(key, zero, GROUPS), mcl_to_buffer(values.type, found, 0, GROUPS),
                         NULL, (mcl_output){ 0 }, NULL));
    array_read(device, found, out, bytes);
    mcl_buffer_release(found);
    mcl_map_release(map);
}

/* Returns the sum of group g. Its elements are g, g + GROUPS and so on. */
static int64_t sum_of(int64_t g)
{
    const int64_t steps = ELEMENTS / GROUPS;

    return g * steps + GROUPS * (steps * (steps - 1) / 2);
}

static int lacks_wide(int device)
{
    return strcmp(test_device_at(device)->info.status_word_path, "none") == 0;
}

static void sums_of_numbers(int device, const mcl_type *key, const mcl_type *type, int tiling)
{
    union {
        int32_t narrow[GROUPS];
        int64_t wide[GROUPS];
        float real[GROUPS];
        double precise[GROUPS];
    } got;

    fold_groups(device, key, mcl_from_expression(type, "i", NULL, NULL, 0, ELEMENTS), MCL_ADD, tiling, &got);
    for (int g = 0; g < GROUPS; g++) {
        if (type == MCL_INT32) ck_assert_int_eq(got.narrow[g], sum_of(g));
        if (type == MCL_INT64) ck_assert_int_eq(got.wide[g], sum_of(g));
        if (type == MCL_FLOAT) ck_assert(got.real[g] == (float)sum_of(g));
        if (type == MCL_DOUBLE) ck_assert(got.precise[g] == (double)sum_of(g));
    }
}

START_TEST(numbers_of_both_sizes_are_folded)
{
    const int has_double = test_device_at(_i)->info.has_double;

    for (int k = 0; k < MAP_TILINGS; k++) {
        sums_of_numbers(_i, MCL_INT32, MCL_INT32, k);
        sums_of_numbers(_i, MCL_UINT32, MCL_FLOAT, k);
        sums_of_numbers(_i, MCL_INT32, MCL_INT64, k);
        if (lacks_wide(_i)) continue;
        sums_of_numbers(_i, MCL_INT64, MCL_INT32, k);
        sums_of_numbers(_i, MCL_UINT64, MCL_INT64, k);
        if (has_double) sums_of_numbers(_i, MCL_INT64, MCL_DOUBLE, k);
    }
}
END_TEST

/* A group that gathers changes adds the halves of 64 bits, with a carry. */
START_TEST(few_keys_get_whole_sums_and_a_value_of_their_own)
{
    int64_t wide[GROUPS];
    int32_t narrow[GROUPS];

    for (int k = 0; k < MAP_TILINGS; k++) {
        fold_groups(_i, MCL_INT32, mcl_from_expression(MCL_INT64, "i * (int64_t)3000000000", NULL, NULL, 0, ELEMENTS),
                    MCL_ADD, k, wide);
        for (int g = 0; g < GROUPS; g++) ck_assert_int_eq(wide[g], 3000000000 * sum_of(g));
        fold_groups(_i, MCL_INT32, mcl_from_expression(MCL_INT64, "i * (int64_t)3000000000", NULL, NULL, 0, ELEMENTS),
                    NULL, k, wide);
        for (int g = 0; g < GROUPS; g++)
            ck_assert(wide[g] % 3000000000 == 0 && wide[g] / 3000000000 % GROUPS == g &&
                      wide[g] / 3000000000 < ELEMENTS);
        fold_groups(_i, MCL_INT32, map_counting(0, ELEMENTS), NULL, k, narrow);
        for (int g = 0; g < GROUPS; g++) ck_assert(narrow[g] % GROUPS == g && narrow[g] < ELEMENTS);
    }
}
END_TEST

START_TEST(structs_are_folded_as_a_whole)
{
    span spans[ELEMENTS];
    span got[GROUPS];
    int32_t sums[GROUPS];

    for (int i = 0; i < ELEMENTS; i++) spans[i].least = spans[i].most = (float)(i / GROUPS * 51 % 100);
    mcl_buffer *in = ARRAY_OF(_i, spans);
    for (int k = 0; k < MAP_TILINGS; k++) {
        fold_groups(_i, MCL_INT32, mcl_from_expression(MCL_INT32, "i", NULL, NULL, 0, ELEMENTS), &tripled, k, sums);
        for (int g = 0; g < GROUPS; g++) ck_assert_int_eq(sums[g], 3 * sum_of(g));
        fold_groups(_i, MCL_INT32, mcl_from_buffer(&type_span, in, 0, ELEMENTS), &span_op, k, got);
        for (int g = 0; g < GROUPS; g++) ck_assert(got[g].least == 0 && got[g].most == 99);
    }
    mcl_buffer_release(in);
}
END_TEST

/* clang-format off */
MCL_SOURCE(total_source,
typedef struct total { int64_t sum; int32_t count; int32_t most; } total;
static inline total total_both(const total p, const total q)
{
    total both;
    both.sum = p.sum + q.sum;
    both.count = p.count + q.count;
    both.most = p.most > q.most ? p.most : q.most;
    return both;
}
)
/* clang-format on */

static const mcl_type type_total = MCL_TYPE(total, total_source);
static const mcl_op total_op = { .role = MCL_ROLE_FOLD, .expression = "total_both(p, q)", .commutative = 1 };

/* The first 3700 elements have keys i % 37, some of them in an older sub-map. Every 100th key is a sentinel. */
START_TEST(wide_values_are_folded_and_assigned_as_a_whole)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_map_config config = { .key = MCL_INT32, .value = &type_total, .capacity = 8 };
    const mcl_input keys =
        mcl_from_expression(MCL_INT32, "i % 100 == 99 ? -1 : (int32_t)(i % 37)", NULL, NULL, 0, ELEMENTS);
    static total values[ELEMENTS];
    total expected[GROUPS] = { { 0 } };
    total got[GROUPS];
    mcl_buffer *found = array_empty(_i, sizeof got);

    for (int i = 0; i < ELEMENTS; i++) {
        values[i] = (total){ .sum = (int64_t)i << 33, .count = 1, .most = i * 7919 % 10007 };
        total *to = &expected[i % GROUPS];
        if (i % 100 == 99) continue;
        to->sum += values[i].sum;
        to->count += 1;
        if (to->most < values[i].most) to->most = values[i].most;
    }
    mcl_buffer *in = ARRAY_OF(_i, values);
    const mcl_input all = mcl_from_buffer(&type_total, in, 0, ELEMENTS);
    for (int k = 0; k < MAP_TILINGS; k++) {
        int64_t skipped = -1;
        mcl_map *map = NULL;
        test_ok(mcl_map_create(test_device_at(_i)->context, &config, &map));
        for (int turn = 0; turn < 2; turn++) apply(_i, map, keys, all, &total_op, &map_tilings[k]);
        ck_assert_int_gt(mcl_map_sub_map_count(map), 1);
        ck_assert_int_eq(map_size_of(_i, map), GROUPS);
        test_ok(mcl_map_skipped(queue, map, mcl_to_host(MCL_INT64, &skipped), NULL));
        ck_assert_int_eq(skipped, 2 * (ELEMENTS / 100));
        const mcl_output out = mcl_to_buffer(&type_total, found, 0, GROUPS);
        test_ok(mcl_map_find(queue, map, map_counting(0, GROUPS), out, NULL, (mcl_output){ 0 }, &map_tilings[k]));
        ARRAY_READ(_i, found, got);
        for (int g = 0; g < GROUPS; g++) {
            ck_assert_int_eq(got[g].sum, 2 * expected[g].sum);
            ck_assert_int_eq(got[g].count, 2 * expected[g].count);
            ck_assert_int_eq(got[g].most, expected[g].most);
        }
        test_ok(mcl_map_insert_or_assign(queue, map, keys, all, &map_tilings[k]));
        test_ok(mcl_map_find(queue, map, map_counting(0, GROUPS), out, NULL, (mcl_output){ 0 }, &map_tilings[k]));
        ARRAY_READ(_i, found, got);
        for (int g = 0; g < GROUPS; g++) { /* the whole value of one of the key's elements */
            const int64_t i = got[g].sum >> 33;
            ck_assert(i % GROUPS == g && i % 100 != 99 && got[g].count == 1 && got[g].most == i * 7919 % 10007);
        }
        mcl_map_release(map);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(found);
}
END_TEST

/* ---- refused calls --------------------------------------------------------------------------------------------- */

START_TEST(wide_values_take_operators_without_extract)
{
    static const mcl_op with_extract = {
        .role = MCL_ROLE_FOLD, .expression = "total_both(p, q)", .extract = "x", .commutative = 1
    };
    const mcl_map_config config = { .key = MCL_INT32, .value = &type_total, .capacity = 50 };
    mcl_buffer *values = array_empty(_i, 10 * sizeof(total));
    mcl_map *map = NULL;

    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &map));
    test_fails(mcl_map_insert_or_apply(test_device_at(_i)->queue, map, map_counting(0, 10),
                                       mcl_from_buffer(&type_total, values, 0, 10), &with_extract, NULL),
               MCL_ERROR_UNSUPPORTED, "mcl_map_insert_or_apply|extract|total|16 bytes");
    ck_assert_int_eq(map_size_of(_i, map), 0);
    mcl_buffer_release(values);
    mcl_map_release(map);
}
END_TEST

START_TEST(operators_that_do_not_fit_are_refused)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_FLOAT, .capacity = 50 };
    const mcl_options fixed = { .flags = MCL_DETERMINISTIC };
    const mcl_op unmarked = { .role = MCL_ROLE_FOLD, .expression = "p - q" };
    const mcl_op wider = { .role = MCL_ROLE_FOLD, .expression = "p + q", .value = MCL_INT64, .commutative = 1 };
    const mcl_op combined = { .role = MCL_ROLE_FOLD, .expression = "p + q", .combine = "v", .commutative = 1 };
    const mcl_op empty = { .role = MCL_ROLE_FOLD, .commutative = 1 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, 100, 0);
    mcl_map *real = NULL;
    const mcl_input keys = map_counting(0, 10);
    const float one = 1;
    const mcl_input reals = mcl_from_constant(MCL_FLOAT, &one, 10);

    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &real));
#define REFUSED(values, op, options, status, words)                                                                    \
    test_fails(mcl_map_insert_or_apply(queue, map, keys, values, op, options), status, "mcl_map_insert_or_apply|" words)
    REFUSED(keys, NULL, NULL, MCL_ERROR_ARGUMENT, "op|NULL");
    REFUSED(keys, &empty, NULL, MCL_ERROR_ARGUMENT, "op|expression");
    REFUSED(keys, MCL_LESS, NULL, MCL_ERROR_ARGUMENT, "op|MCL_LESS|fold");
    REFUSED(keys, &unmarked, NULL, MCL_ERROR_ARGUMENT, "op|commutative");
    REFUSED(keys, &combined, NULL, MCL_ERROR_ARGUMENT, "op|combine");
    REFUSED(keys, &wider, NULL, MCL_ERROR_TYPE, "op|int64_t|int32_t");
    REFUSED(keys, MCL_MAX_INDEX, NULL, MCL_ERROR_TYPE, "op|int32_t");
    REFUSED(reals, MCL_ADD, NULL, MCL_ERROR_TYPE, "values|float|int32_t");
    REFUSED(map_counting(0, 9), MCL_ADD, NULL, MCL_ERROR_ARGUMENT, "values|9|10");
    test_fails(mcl_map_insert_or_apply(queue, real, keys, reals, MCL_XOR, NULL), MCL_ERROR_TYPE, "op|MCL_XOR|integers");
    test_fails(mcl_map_insert_or_apply(queue, real, keys, reals, MCL_ADD, &fixed), MCL_ERROR_UNSUPPORTED,
               "MCL_DETERMINISTIC|float");
    test_fails(mcl_map_insert_or_apply(queue, NULL, keys, keys, MCL_ADD, NULL), MCL_ERROR_ARGUMENT, "map");
    test_fails(mcl_map_insert_or_apply(NULL, map, keys, keys, MCL_ADD, NULL), MCL_ERROR_ARGUMENT, "queue");
    apply(_i, map, keys, keys, MCL_ADD, &fixed);
    ck_assert_int_eq(map_size_of(_i, map), 10);
    ck_assert_int_eq(map_size_of(_i, real), 0);
    mcl_map_release(map);
    mcl_map_release(real);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, elements_are_folded_as_in_a_plain_map, device);
    test_add(tcase, no_element_of_one_key_is_lost, device);
    test_add(tcase, few_keys_that_become_many_are_folded, device);
    test_add(tcase, keys_of_older_sub_maps_are_updated_there, device);
    test_add(tcase, erased_entries_begin_anew, device);
    test_add(tcase, sentinels_are_skipped_and_counted_or_refused, device);
    test_add(tcase, the_count_may_come_from_the_device, device);
    test_add(tcase, numbers_of_both_sizes_are_folded, device);
    test_add(tcase, few_keys_get_whole_sums_and_a_value_of_their_own, device);
    test_add(tcase, structs_are_folded_as_a_whole, device);
    test_add(tcase, wide_values_are_folded_and_assigned_as_a_whole, device);
    test_add(tcase, wide_values_take_operators_without_extract, device);
    test_add(tcase, operators_that_do_not_fit_are_refused, device);
}

int main(void)
{
    return test_main("map_apply", add);
}
