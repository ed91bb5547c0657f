/* test_counts.c: counts of every allowed type, stored to the host and to slots, and read from slots with any content.
 * Other results are tested by each operation's own test. */
#include "cases/case.h"
#include "support/arrays.h"

#include <string.h>

enum { COUNT = 600, BIG = 70000, SLOTS = 8 };

static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 32, .tile_items = 3, .flags = MCL_DETERMINISTIC } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

static const mcl_type *const types[] = { MCL_INT64, MCL_UINT32, MCL_INT32 };
enum { TYPES = sizeof types / sizeof types[0] };

static const case_test thirds = { .op = { .role = MCL_ROLE_TEST, .expression = "x % 3 == 0" } };
static const case_test fifths = { .op = { .role = MCL_ROLE_TEST, .expression = "x % 5 == 1" } };

/* Returns the options for two passes, in which tiles need not wait for each other. */
static mcl_options in_passes(const mcl_options *options)
{
    return (mcl_options){ .tile_threads = options->tile_threads,
                          .tile_items = options->tile_items,
                          .passes = options->flags ? 2 : 0 };
}

/* The operands of all operations. */
typedef struct world {
    mcl_queue *queue;
    mcl_buffer *out;
    mcl_map *map;
    const mcl_options *options;
} world;

static mcl_input expression(const char *text, int64_t count)
{
    return mcl_from_expression(MCL_INT32, text, NULL, NULL, 0, count);
}

static mcl_input numbers(void)
{
    return expression("(int32_t)i", COUNT);
}

static mcl_input sevens(void)
{
    return expression("(int32_t)(i / 7)", COUNT);
}

/* ---- operations that count ------------------------------------------------------------------------------ */

static mcl_status join_unsorted(const world *w, mcl_result count)
{
    const mcl_options options = in_passes(w->options);
    return mcl_join_unsorted(w->queue, MCL_JOIN_INNER, sevens(), numbers(), (mcl_output){ 0 },
                             ints_out(w->out, 2 * COUNT), MCL_LESS, count, &options);
}

static mcl_status join_columns(const world *w, mcl_result count)
{
    const mcl_options options = in_passes(w->options);
    return mcl_join_columns(w->queue, MCL_JOIN_INNER, sevens(), numbers(), NULL, 0, NULL, 0,
                            ints_out(w->out, 2 * COUNT), MCL_LESS, count, &options);
}

static mcl_status map_size(const world *w, mcl_result count)
{
    return mcl_map_size(w->queue, w->map, count, NULL);
}

static mcl_status map_skipped(const world *w, mcl_result count)
{
    return mcl_map_skipped(w->queue, w->map, count, NULL);
}

static mcl_status map_entries(const world *w, mcl_result count)
{
    return mcl_map_retrieve_all(w->queue, w->map, ints_out(w->out, COUNT), (mcl_output){ 0 }, count, NULL);
}

/* The options of a call besides its tile: none, flags, or a number of passes. */
enum { TILE_ALONE, FLAGS, PASSES };

typedef struct operation {
    const char *name;
    int counts;
    int64_t expected[3];
    mcl_status (*call)(const world *w, mcl_result count); /* function that makes the call; NULL: the case makes it */
    const mcl_case *of;
    case_variant variant;
    const char *in, *out;
    int takes;
} operation;

#define KEYS .element = &element_int32
#define SUM KEYS, .fold = &fold_add_int32
/* clang-format off */
static const operation counting[] = {
    { "compact", 1, { COUNT / 3 }, NULL, &compact_case, { KEYS, .test = &thirds }, "n", "o", FLAGS },
    { "compact in any order", 1, { COUNT / 3 }, NULL, &compact_case,
      { KEYS, .test = &thirds, .flags = MCL_UNORDERED }, "n", "o", TILE_ALONE },
    { "partition in three", 3, { COUNT / 5, COUNT / 15 * 4, COUNT - COUNT / 5 - COUNT / 15 * 4 }, NULL, &compact_case,
      { KEYS, .test = &fifths, .kind = PARTITION_THREE }, "n", "o--", FLAGS },
    { "unique", 1, { COUNT / 7 + 1 }, NULL, &compact_case, { KEYS, .kind = UNIQUE }, "s", "o", FLAGS },
    { "run lengths", 1, { COUNT / 7 + 1 }, NULL, &compact_case, { KEYS, .kind = RUN_LENGTH_ENCODE }, "s", "o-", FLAGS },
    { "reduce by key", 1, { COUNT / 7 + 1 }, NULL, &reduce_by_key_case, { SUM }, "sn", "-o", FLAGS },
    { "segmented reduce", 1, { COUNT / 4 }, NULL, &segmented_reduce_case, { SUM, .segments = MCL_SEGMENT_BEGINS },
      "nb", "o", FLAGS },
    { "set union", 1, { COUNT - COUNT / 7 - 1 + COUNT }, NULL, &sets_case, { KEYS, .kind = SET_UNION }, "ns", "o",
      PASSES },
    { "join", 1, { COUNT + COUNT - COUNT / 7 - 1 }, NULL, &join_case, { KEYS, .kind = MCL_JOIN_RIGHT }, "sn", "-o",
      PASSES },
    { "matches", 1, { COUNT / 7 + 1 }, NULL, &sorted_search_case, { KEYS, .b_find = MCL_FIND_MATCH }, "sn", "-",
      TILE_ALONE },
    { .name = "join of unsorted keys", .counts = 1, .expected = { COUNT }, .call = join_unsorted },
    { .name = "join of columns", .counts = 1, .expected = { COUNT }, .call = join_columns },
    { .name = "size of a map", .counts = 1, .expected = { COUNT }, .call = map_size },
    { .name = "keys that a map skipped", .counts = 1, .expected = { 0 }, .call = map_skipped },
    { .name = "entries of a map", .counts = 1, .expected = { COUNT }, .call = map_entries },
};
/* clang-format on */
enum { OPERATIONS = sizeof counting / sizeof counting[0] };

/* Makes an operation's call. Letters name inputs: numbers, sevens, begins of segments; o names the output. */
static mcl_status call_of(const operation *of, const world *w, mcl_result count)
{
    const mcl_options options = { .tile_threads = w->options->tile_threads,
                                  .tile_items = w->options->tile_items,
                                  .flags = of->takes == FLAGS ? w->options->flags : 0,
                                  .passes = of->takes == PASSES && w->options->flags ? 2 : 0 };
    case_operands operands = { .result = count };

    if (of->call) return of->call(w, count);
    for (int k = 0; of->in[k]; k++)
        operands.in[k] = of->in[k] == 'n'   ? numbers()
                         : of->in[k] == 's' ? sevens()
                                            : expression("(int32_t)(i * 4)", COUNT / 4);
    for (int k = 0; of->out[k]; k++)
        if (of->out[k] == 'o') operands.out[k] = ints_out(w->out, 2 * COUNT);
    return case_call(of->of, &of->variant, COUNT, &operands, w->queue, &options);
}

/* Returns the count that bytes hold. */
static int64_t count_at(const mcl_type *type, const unsigned char *bytes)
{
    int64_t whole;
    int32_t number;
    uint32_t word;

    memcpy(&whole, bytes, sizeof whole);
    memcpy(&number, bytes, sizeof number);
    memcpy(&word, bytes, sizeof word);
    return type == MCL_INT64 ? whole : type == MCL_INT32 ? number : (int64_t)word;
}

/* Checks a count. form: 0 goes to the host, 1 to a slot, 2 to both. Only the counts' bytes may be written. */
static void expect_counts(int device, const world *w, const operation *of, const mcl_type *type, int form)
{
    const size_t bytes = (size_t)of->counts * type->size, first = 3 * type->size;
    unsigned char host[SLOTS * sizeof(int64_t)], slots[sizeof host];
    memset(host, 0x5A, sizeof host);
    mcl_buffer *const buffer = ARRAY_OF(device, host);
    mcl_result result = mcl_to_host(type, host + first);
    if (form == 1) result = mcl_to_slot(type, buffer, 3);
    if (form == 2) result = mcl_to_host_and_slot(type, host + first, buffer, 3);
    const mcl_status status = call_of(of, w, result);
    ck_assert_msg(status == MCL_OK, "%s as %s, form %d: %s", of->name, type->name, form, mcl_last_error());
    ARRAY_READ(device, buffer, slots);
    for (int to = 0; to < 2; to++) {
        const unsigned char *const got = to ? slots : host;
        const int written = form == 2 || form == to;
        for (int k = 0; written && k < of->counts; k++) {
            const int64_t count = count_at(type, got + first + (size_t)k * type->size);
            ck_assert_msg(count == of->expected[k], "%s as %s, form %d: count %d is %lld", of->name, type->name, form,
                          k, (long long)count);
        }
        for (size_t byte = 0; byte < sizeof host; byte++)
            if (!written || byte < first || byte >= first + bytes)
                ck_assert_msg(got[byte] == 0x5A, "%s as %s, form %d: byte %d is written", of->name, type->name, form,
                              (int)byte);
    }
    mcl_buffer_release(buffer);
}

START_TEST(counts_of_each_type_are_stored_in_exactly_their_bytes)
{
    world w = { .queue = test_device_at(_i)->queue, .out = array_empty(_i, 2 * COUNT * sizeof(int32_t)) };
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 2 * COUNT };
    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &w.map));
    test_ok(mcl_map_insert(w.queue, w.map, numbers(), numbers(), NULL));
    for (int k = 0; k < OPERATIONS * TYPES; k++) {
        w.options = &tilings[(k / TYPES + k % TYPES) % TILINGS];
        if (!test_takes_half(k)) continue;
        for (int form = 0; form < 3; form++) expect_counts(_i, &w, &counting[k / TYPES], types[k % TYPES], form);
    }
    mcl_map_release(w.map);
    mcl_buffer_release(w.out);
}
END_TEST

/* 70000 equal keys on each side have 4 900 000 000 rows. */
START_TEST(a_count_that_does_not_fit_is_stored_as_the_highest_value)
{
    static const int64_t expected[] = { (int64_t)BIG * BIG, UINT32_MAX, INT32_MAX };
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_output none = { 0 };
    for (int k = 0; k < TYPES; k++) {
        unsigned char host[sizeof(int64_t)] = { 0 };
        test_ok(mcl_join(queue, MCL_JOIN_INNER, expression("0", BIG), expression("0", BIG), none, none, MCL_LESS,
                         mcl_to_host(types[k], host), NULL));
        ck_assert_int_eq(count_at(types[k], host), expected[k]);
    }
}
END_TEST

/* A capacity is compared with counts of any type. */
START_TEST(too_little_room_is_reported_by_counts_of_each_type)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const out = array_empty(_i, COUNT * sizeof(int32_t));
    for (int k = 0; k < TYPES; k++) {
        unsigned char host[sizeof(int64_t)] = { 0 };
        test_fails(mcl_compact(queue, numbers(), ints_out(out, 10), &thirds.op, mcl_to_host(types[k], host), NULL),
                   MCL_ERROR_CAPACITY, "mcl_compact|out|10|200");
        test_fails(mcl_reduce_by_key(queue, sevens(), numbers(), (mcl_output){ 0 }, ints_out(out, 10), MCL_ADD,
                                     MCL_EQUAL, mcl_to_host(types[k], host), NULL),
                   MCL_ERROR_CAPACITY, "mcl_reduce_by_key|out_values|10|86");
    }
    mcl_buffer_release(out);
}
END_TEST

/* ---- counts that are read ------------------------------------------------------------------------------- */

START_TEST(counts_of_each_type_are_read_and_clamped_whatever_the_slot_holds)
{
    static const int64_t wide[] = { 0, 7, COUNT, COUNT + 1, -1, INT64_MIN, INT64_MAX, (int64_t)1 << 32 };
    static const int32_t narrow[] = { 0, 7, COUNT, COUNT + 1, -1, INT32_MIN, INT32_MAX, 1 << 30 };
    static const int64_t taken[] = { 0, 7, COUNT, COUNT, 0, 0, COUNT, COUNT };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const in_64 = ARRAY_OF(_i, wide), *const in_32 = ARRAY_OF(_i, narrow);
    mcl_buffer *const out = array_empty(_i, COUNT * sizeof(int32_t));
    for (int k = 0; k < SLOTS * TYPES; k++) {
        const mcl_type *const type = types[k % TYPES];
        mcl_buffer *const slots = type == MCL_INT64 ? in_64 : in_32;
        const int64_t expected = type == MCL_UINT32 && k / TYPES > 1 ? COUNT : taken[k / TYPES];
        static int32_t before[COUNT], after[COUNT];
        int32_t sum = -1;
        uint32_t kept = 77;
        test_ok(mcl_reduce(queue, mcl_with_count_of(expression("1", COUNT), type, slots, k / TYPES), MCL_ADD,
                           mcl_to_host(MCL_INT32, &sum), &(mcl_options){ .tile_threads = k % 2 ? 32 : 0 }));
        ck_assert_int_eq(sum, expected);
        test_ok(mcl_compact(queue, mcl_with_count_of(numbers(), type, slots, k / TYPES), ints_out(out, COUNT),
                            &thirds.op, mcl_to_host(MCL_UINT32, &kept), &tilings[k % TILINGS]));
        ck_assert_int_eq(kept, (expected + 2) / 3);
        for (int i = 0; i < COUNT; i++) before[i] = -9;
        test_ok(mcl_buffer_write(queue, out, 0, sizeof before, before));
        test_ok(mcl_load_balance_search(queue, mcl_work_in_slot_of(COUNT, type, slots, k / TYPES),
                                        expression("(int32_t)(i * 7)", COUNT), ints_out(out, COUNT), (mcl_output){ 0 },
                                        NULL));
        ARRAY_READ(_i, out, after);
        for (int i = 0; i < COUNT; i++) ck_assert_int_eq(after[i], i < expected ? i / 7 : -9);
    }
    mcl_buffer_release(in_64);
    mcl_buffer_release(in_32);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(errors_of_counts_name_what_is_wrong)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const slots = array_empty(_i, 12), *const out = array_empty(_i, COUNT * sizeof(int32_t));
    float wrong;
    test_fails(mcl_compact(queue, numbers(), ints_out(out, COUNT), &thirds.op, mcl_to_host(MCL_FLOAT, &wrong), NULL),
               MCL_ERROR_TYPE, "mcl_compact|count|float|MCL_INT32, MCL_UINT32 or MCL_INT64");
    test_fails(mcl_compact(queue, numbers(), ints_out(out, COUNT), &thirds.op, mcl_to_host(MCL_FLOAT, NULL), NULL),
               MCL_ERROR_TYPE, "mcl_compact|count|float|MCL_INT32, MCL_UINT32 or MCL_INT64"); /* it has no place */
    test_fails(mcl_transform(queue, mcl_with_count_of(numbers(), MCL_FLOAT, slots, 0), ints_out(out, COUNT), NULL),
               MCL_ERROR_TYPE, "mcl_transform|in|count slot of float|MCL_UINT32");
    test_ok(mcl_transform(queue, mcl_with_count_of(numbers(), MCL_UINT32, slots, 2), ints_out(out, COUNT), NULL));
    test_fails(mcl_transform(queue, mcl_with_count_of(numbers(), MCL_UINT32, slots, 3), ints_out(out, COUNT), NULL),
               MCL_ERROR_ARGUMENT, "mcl_transform|in|count slot 3|12 bytes, 3 slots");
    test_fails(mcl_transform(queue, mcl_with_count_of(numbers(), MCL_INT64, slots, 1), ints_out(out, COUNT), NULL),
               MCL_ERROR_ARGUMENT, "mcl_transform|in|count slot 1|12 bytes, 1 slots");
    test_fails(
        mcl_transform(queue, mcl_with_count_of(numbers(), MCL_INT32, out, COUNT - 1), ints_out(out, COUNT), NULL),
        MCL_ERROR_ARGUMENT, "mcl_transform|out|overlaps|count slot");
    mcl_buffer_release(slots);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, counts_of_each_type_are_stored_in_exactly_their_bytes, device);
    test_add(tcase, a_count_that_does_not_fit_is_stored_as_the_highest_value, device);
    test_add(tcase, too_little_room_is_reported_by_counts_of_each_type, device);
    test_add(tcase, counts_of_each_type_are_read_and_clamped_whatever_the_slot_holds, device);
    test_add(tcase, errors_of_counts_name_what_is_wrong, device);
}

int main(void)
{
    return test_main("counts", add);
}
