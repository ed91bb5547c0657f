/* test_sorted_search.c: mcl_sorted_search, mcl_sorted_search_needles and mcl_equality_count. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(sorted_search_equals_the_loop)
{
    run_case_round(&sorted_search_case, _i);
}
END_TEST

enum { COUNT = 700 };

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };

static int32_t bound(const int32_t *keys, int32_t count, int32_t x, int upper)
{
    int32_t k = 0;
    while (k < count && (upper ? keys[k] <= x : keys[k] < x)) k++;
    return k;
}

START_TEST(indices_may_replace_the_keys_of_both_sequences)
{
    static int32_t a[COUNT];
    static int32_t b[COUNT];
    int32_t got[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;

    random_ints(a, COUNT, 500, 1, 1);
    random_ints(b, COUNT, 500, 2, 1);
    for (int turn = 0; turn < 8; turn++) {
        const int upper = turn / 2 % 2;
        const int both = turn / 4;
        mcl_buffer *a_buffer = ARRAY_OF(_i, a);
        mcl_buffer *b_buffer = ARRAY_OF(_i, b);
        test_ok(both ? mcl_sorted_search(queue, ints(a_buffer, COUNT), ints(b_buffer, COUNT), (mcl_bounds)upper,
                                         mcl_found_indices(ints_out(a_buffer, COUNT)),
                                         mcl_found_indices(ints_out(b_buffer, COUNT)), MCL_LESS, &tilings[turn % 2])
                     : mcl_sorted_search_needles(queue, ints(a_buffer, COUNT), ints(b_buffer, COUNT), (mcl_bounds)upper,
                                                 ints_out(a_buffer, COUNT), MCL_LESS, &tilings[turn % 2]));
        ARRAY_READ(_i, a_buffer, got);
        for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], bound(b, COUNT, a[k], upper));
        ARRAY_READ(_i, b_buffer, got);
        for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], both ? bound(a, COUNT, b[k], !upper) : b[k]);
        mcl_buffer_release(a_buffer);
        mcl_buffer_release(b_buffer);
    }
}
END_TEST

START_TEST(matches_of_both_sequences_are_counted_in_one_call)
{
    const int32_t a[] = { 1, 3, 3, 5, 9 };
    const int32_t b[] = { 0, 3, 5, 5, 6, 9, 9, 12 };
    const uint8_t a_expected[] = { 0, 1, 1, 1, 1 };
    const uint8_t b_expected[] = { 0, 1, 1, 1, 0, 1, 1, 0 };
    uint8_t a_got[5];
    uint8_t b_got[8];
    int64_t slots[2];
    mcl_buffer *a_buffer = ARRAY_OF(_i, a);
    mcl_buffer *b_buffer = ARRAY_OF(_i, b);

    for (int turn = 0; turn < 4; turn++) {
        int64_t a_count = -1;
        mcl_buffer *a_out = array_empty(_i, sizeof a_got);
        mcl_buffer *b_out = array_empty(_i, sizeof b_got);
        mcl_buffer *counts = array_empty(_i, sizeof slots);
        test_ok(mcl_sorted_search(
            test_device_at(_i)->queue, ints(a_buffer, 5), ints(b_buffer, 8), (mcl_bounds)(turn / 2),
            mcl_found_matches(mcl_to_buffer(MCL_UINT8, a_out, 0, 5),
                              mcl_to_host_and_slot(MCL_INT64, &a_count, counts, 1)),
            mcl_found_matches(mcl_to_buffer(MCL_UINT8, b_out, 0, 8), mcl_to_slot(MCL_INT64, counts, 0)), MCL_LESS,
            &tilings[turn % 2]));
        ARRAY_READ(_i, a_out, a_got);
        ARRAY_READ(_i, b_out, b_got);
        ARRAY_READ(_i, counts, slots);
        ck_assert_mem_eq(a_got, a_expected, sizeof a_got);
        ck_assert_mem_eq(b_got, b_expected, sizeof b_got);
        ck_assert_int_eq(a_count, 4);
        ck_assert_int_eq(slots[1], 4);
        ck_assert_int_eq(slots[0], 5);
        mcl_buffer_release(a_out);
        mcl_buffer_release(b_out);
        mcl_buffer_release(counts);
    }
    mcl_buffer_release(a_buffer);
    mcl_buffer_release(b_buffer);
}
END_TEST

START_TEST(in_nothing_every_bound_is_0_and_nothing_matches)
{
    uint32_t got[3] = { 9, 9, 9 };
    int64_t count = 9;
    const int32_t five = 5;
    mcl_buffer *out = ARRAY_OF(_i, got);
    const mcl_input keys = mcl_from_constant(MCL_INT32, &five, 3);

    test_ok(
        mcl_sorted_search(test_device_at(_i)->queue, keys, ints(NULL, 0), MCL_LOWER,
                          mcl_found_index_matches(mcl_to_buffer(MCL_UINT32, out, 0, 3), mcl_to_host(MCL_INT64, &count)),
                          mcl_found_nothing(), MCL_LESS, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < 3; k++) ck_assert_uint_eq(got[k], 0);
    ck_assert_int_eq(count, 0);
    count = 9;
    test_ok(mcl_sorted_search(test_device_at(_i)->queue, ints(NULL, 0), ints(NULL, 0), MCL_UPPER, mcl_found_nothing(),
                              mcl_found_matches(mcl_to_buffer(MCL_UINT8, NULL, 0, 0), mcl_to_host(MCL_INT64, &count)),
                              MCL_LESS, NULL));
    ck_assert_int_eq(count, 0);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(equality_counts_take_operators_of_ones_own_and_replace_their_bounds)
{
    static int32_t needles[COUNT];
    static int32_t haystack[COUNT];
    int32_t got[COUNT];
    const int32_t scale = 10;
    mcl_op weighted = { .role = MCL_ROLE_FUNCTION, .expression = "(q - p) * scale + 1" };
    mcl_queue *queue = test_device_at(_i)->queue;

    weighted.bindings[weighted.binding_count++] = mcl_binding_value("scale", MCL_INT32, &scale);
    random_ints(needles, COUNT, 90, 1, 1);
    random_ints(haystack, COUNT, 90, 2, 1);
    mcl_buffer *a = ARRAY_OF(_i, needles);
    mcl_buffer *b = ARRAY_OF(_i, haystack);
    for (int turn = 0; turn < 4; turn++) {
        mcl_buffer *bounds = array_empty(_i, sizeof got);
        test_ok(mcl_sorted_search_needles(queue, ints(a, COUNT), ints(b, COUNT), MCL_LOWER, ints_out(bounds, COUNT),
                                          MCL_LESS, &tilings[turn % 2]));
        test_ok(mcl_equality_count(queue, ints(a, COUNT), ints(b, COUNT), ints(bounds, COUNT), ints_out(bounds, COUNT),
                                   MCL_LESS, turn < 2 ? &weighted : MCL_EQUALITY, &tilings[turn % 2]));
        ARRAY_READ(_i, bounds, got);
        for (int k = 0; k < COUNT; k++) {
            const int32_t equal = bound(haystack, COUNT, needles[k], 1) - bound(haystack, COUNT, needles[k], 0);
            ck_assert_int_eq(got[k], turn < 2 ? equal * scale + 1 : equal);
        }
        mcl_buffer_release(bounds);
    }
    mcl_buffer_release(a);
    mcl_buffer_release(b);
}
END_TEST

/* Keys are in no order. Values are unspecified, but memory outside the operands is not touched. */
START_TEST(unsorted_keys_are_never_searched_past_their_ends)
{
    static int32_t data[COUNT];
    guarded arrays[4];
    char what[] = "search of unsorted keys";
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_context *context = test_device_at(_i)->context;
    const mcl_options whole = { .tile_threads = 1, .tile_items = 2 * COUNT };

    for (int turn = 0; turn < 8; turn++) {
        const mcl_options *options = test_sees_races(_i) ? &whole : &tilings[turn % 2];
        random_ints(data, COUNT, 1000, (uint64_t)turn, 0);
        guarded_create(context, &element_int32, COUNT, (unsigned char *)data, turn % 4, &arrays[0]);
        guarded_create(context, &element_int32, COUNT / 3, (unsigned char *)data, 1, &arrays[1]);
        guarded_create(context, &element_int32, COUNT, NULL, 2, &arrays[2]);
        guarded_create(context, &element_int32, COUNT / 3, NULL, turn % 3, &arrays[3]);
        const mcl_input a = mcl_from_buffer(MCL_INT32, arrays[0].buffer, arrays[0].first, COUNT);
        const mcl_input b = mcl_from_buffer(MCL_INT32, arrays[1].buffer, arrays[1].first, COUNT / 3);
        const mcl_output a_out = mcl_to_buffer(MCL_INT32, arrays[2].buffer, arrays[2].first, COUNT);
        const mcl_output b_out = mcl_to_buffer(MCL_INT32, arrays[3].buffer, arrays[3].first, COUNT / 3);
        if (turn < 6)
            test_ok(mcl_sorted_search(queue, a, b, (mcl_bounds)(turn / 2 % 2),
                                      mcl_found_index_matches(a_out, mcl_to_nowhere()),
                                      mcl_found_index_matches(b_out, mcl_to_nowhere()), MCL_LESS, options));
        else
            test_ok(mcl_equality_count(queue, a, b, a, a_out, MCL_LESS, MCL_LEFT_JOIN, options));
        for (int k = 0; k < 4; k++) {
            const size_t start = (size_t)arrays[k].first * sizeof(int32_t);
            const size_t bytes = (size_t)arrays[k].count * sizeof(int32_t);
            if (k > 1) test_ok(mcl_buffer_read(queue, arrays[k].buffer, start, bytes, arrays[k].content + start));
            guarded_unchanged(queue, &arrays[k], what);
            guarded_free(&arrays[k]);
        }
    }
}
END_TEST

START_TEST(searches_clamp_counts_from_the_device_to_their_bounds)
{
    static int32_t got[COUNT + 1];
    static int32_t earlier[COUNT + 1];
    const int64_t slots[] = { 0, -9, INT64_MIN, 300, COUNT, COUNT + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 300, COUNT, COUNT, COUNT };
    const int32_t zero = 0;
    const int32_t two = 2;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    memset(earlier, 0x77, sizeof earlier);
    for (int k = 0; k < 14; k++) {
        const int a_count = counts[k / 2];
        const int b_count = counts[(k / 2 + 3) % 7];
        mcl_buffer *out = ARRAY_OF(_i, earlier);
        test_ok(mcl_sorted_search_needles(test_device_at(_i)->queue,
                                          mcl_with_count(mcl_from_step(MCL_INT32, &zero, &two, COUNT), slot, k / 2),
                                          mcl_with_count(ints_counting(COUNT), slot, (k / 2 + 3) % 7), MCL_UPPER,
                                          ints_out(out, COUNT), MCL_LESS, &tilings[k % 2]));
        ARRAY_READ(_i, out, got);
        for (int i = 0; i <= COUNT; i++) {
            const int found = 2 * i + 1 < b_count ? 2 * i + 1 : b_count;
            const int expected = i < a_count ? found : earlier[0];
            ck_assert_msg(got[i] == expected, "counts %d and %d: element %d is %d", a_count, b_count, i, got[i]);
        }
        mcl_buffer_release(out);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(validation_names_the_first_unsorted_key_and_nothing_is_written)
{
    static int32_t good[COUNT];
    static int32_t bad[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_options options = { .flags = MCL_VALIDATE };
    guarded out;

    for (int k = 0; k < COUNT; k++) good[k] = bad[k] = k;
    bad[317] = 3;
    bad[603] = 4;
    mcl_buffer *good_buffer = ARRAY_OF(_i, good);
    mcl_buffer *bad_buffer = ARRAY_OF(_i, bad);
    const mcl_input sorted = ints(good_buffer, COUNT);
    const mcl_input unsorted = ints(bad_buffer, COUNT);
    guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 0, &out);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT);
    for (int upper = 0; upper < 2; upper++) {
        test_fails(mcl_sorted_search(queue, sorted, unsorted, (mcl_bounds)upper, mcl_found_indices(to),
                                     mcl_found_nothing(), MCL_LESS, &options),
                   MCL_ERROR_PRECONDITION, "mcl_sorted_search|b[317]");
        test_fails(mcl_sorted_search_needles(queue, unsorted, sorted, (mcl_bounds)upper, to, MCL_LESS, &options),
                   MCL_ERROR_PRECONDITION, "mcl_sorted_search_needles|needles[317]");
    }
    test_fails(mcl_equality_count(queue, sorted, unsorted, sorted, to, MCL_LESS, MCL_EQUALITY, &options),
               MCL_ERROR_PRECONDITION, "mcl_equality_count|haystack[317]");
    guarded_unchanged(queue, &out, "output of a search that failed its validation");
    mcl_buffer_release(good_buffer);
    mcl_buffer_release(bad_buffer);
    guarded_free(&out);
}
END_TEST

#define FAILS(call, status, words) test_fails(call, MCL_ERROR_##status, words)

/* Operands that are accepted. Each test makes one of them wrong. */
typedef struct fixture {
    mcl_queue *queue;
    mcl_buffer *keys;
    mcl_buffer *other;
    mcl_input a;
    mcl_input b;
    mcl_output to;
    mcl_output to_bytes;
} fixture;

static const int32_t zeros[2 * COUNT];

static fixture begin(int device)
{
    fixture f = { .queue = test_device_at(device)->queue };

    f.keys = ARRAY_OF(device, zeros);
    f.other = ARRAY_OF(device, zeros);
    f.a = ints(f.keys, COUNT);
    f.b = mcl_from_buffer(MCL_INT32, f.keys, COUNT, COUNT);
    f.to = ints_out(f.other, COUNT);
    f.to_bytes = mcl_to_buffer(MCL_UINT8, f.other, 0, COUNT);
    return f;
}

static void end(fixture *f)
{
    mcl_buffer_release(f->keys);
    mcl_buffer_release(f->other);
}

START_TEST(types_that_do_not_fit_are_named)
{
    fixture f = begin(_i);
    const mcl_found nothing = mcl_found_nothing();
    const mcl_found indices = mcl_found_indices(f.to);
    float wrong;

    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, mcl_found_matches(f.to_bytes, mcl_to_host(MCL_FLOAT, &wrong)),
                            nothing, MCL_LESS, NULL),
          TYPE, "a_found|match_count|float|MCL_INT64");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, mcl_found_indices(f.to_bytes), nothing, MCL_LESS, NULL), TYPE,
          "a_found|uint8_t|MCL_INT32");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, nothing,
                            mcl_found_matches(mcl_to_buffer(MCL_FLOAT, f.other, 0, COUNT), mcl_to_nowhere()), MCL_LESS,
                            NULL),
          TYPE, "b_found|float|integer");
    FAILS(mcl_sorted_search(f.queue, f.a, mcl_from_buffer(MCL_FLOAT, f.keys, 0, 5), MCL_LOWER, indices, nothing,
                            MCL_LESS, NULL),
          TYPE, "b is float|int32_t|the type of a");
    FAILS(mcl_sorted_search_needles(f.queue, mcl_from_counting(MCL_INT32, zeros, 5),
                                    mcl_from_counting(MCL_INT32, zeros, 1LL << 31), MCL_LOWER, f.to, MCL_LESS, NULL),
          TYPE, "out|int32_t|2147483648|8 bytes");
    FAILS(mcl_equality_count(f.queue, f.a, f.b, mcl_from_buffer(MCL_FLOAT, f.keys, 0, COUNT), f.to, MCL_LESS,
                             MCL_EQUALITY, NULL),
          TYPE, "lower_bounds|float");
    end(&f);
}
END_TEST

START_TEST(operands_that_do_not_fit_are_named)
{
    fixture f = begin(_i);
    const mcl_found nothing = mcl_found_nothing();
    const mcl_found indices = mcl_found_indices(f.to);
    int64_t count;
    const mcl_found counted = { MCL_FIND_INDEX, f.to, mcl_to_host(MCL_INT64, &count) };
    const mcl_found unknown = { (mcl_find)9, f.to, mcl_to_nowhere() };

    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, nothing, nothing, MCL_LESS, NULL), ARGUMENT,
          "mcl_sorted_search|a_found|b_found|nothing");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, (mcl_bounds)7, indices, nothing, MCL_LESS, NULL), ARGUMENT, "bounds|7");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, unknown, nothing, MCL_LESS, NULL), ARGUMENT, "a_found|9");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, counted, nothing, MCL_LESS, NULL), ARGUMENT,
          "a_found|match_count");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_UPPER, mcl_found_indices(ints_out(f.other, COUNT - 1)), nothing,
                            MCL_LESS, NULL),
          ARGUMENT, "a_found|699|700");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER, indices, mcl_found_indices(ints_out(f.other, COUNT)),
                            MCL_LESS, NULL),
          ARGUMENT, "a_found|b_found|overlaps");
    FAILS(mcl_sorted_search_needles(f.queue, f.a, f.b, MCL_LOWER, mcl_to_buffer(MCL_INT32, f.keys, COUNT, COUNT),
                                    MCL_LESS, NULL),
          ARGUMENT, "out|haystack|overlaps");
    FAILS(mcl_sorted_search_needles(f.queue, f.a, f.b, MCL_LOWER, mcl_to_buffer(MCL_INT32, f.keys, 1, COUNT), MCL_LESS,
                                    NULL),
          ARGUMENT, "out|needles|overlaps");
    FAILS(mcl_sorted_search(f.queue, f.a, f.b, MCL_LOWER,
                            mcl_found_index_matches(ints_out(f.keys, COUNT), mcl_to_nowhere()), nothing, MCL_LESS,
                            NULL),
          ARGUMENT, "a_found|a|overlaps");
    FAILS(mcl_sorted_search_needles(f.queue, f.a, f.b, MCL_LOWER, f.to, NULL, NULL), ARGUMENT, "before is NULL");
    FAILS(mcl_equality_count(f.queue, f.a, f.b, f.a, f.to, MCL_LESS, NULL, NULL), ARGUMENT,
          "mcl_equality_count|count is NULL");
    FAILS(mcl_equality_count(f.queue, f.a, f.b, ints(f.keys, 3), f.to, MCL_LESS, MCL_EQUALITY, NULL), ARGUMENT,
          "lower_bounds|3|700");
    end(&f);
}
END_TEST

/* A struct of five bytes, so that the bytes of a tile's keys are no multiple of an index's bytes. */
MCL_SOURCE(
    letters_source, typedef struct letters { uint8_t of[5]; } letters;
    static inline int letters_before(letters p, letters q) { return p.of[0] < q.of[0]; })
static const mcl_type letters_type = MCL_TYPE(letters, letters_source);

START_TEST(keys_of_an_odd_size_fit_the_memory_that_the_tile_is_chosen_by)
{
    static const mcl_options full = { .tile_threads = 64, .tile_items = 31 };
    const mcl_op before = { MCL_ROLE_ORDER, "letters_before(p, q)", .source = letters_source };
    letters keys[COUNT] = { { { 0 } } };
    int32_t got[COUNT];

    memset(keys, 0, sizeof keys);
    for (int k = 0; k < COUNT; k++) keys[k].of[0] = (uint8_t)(k / 3);
    mcl_buffer *buffer = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, sizeof got);
    const mcl_input in = mcl_from_buffer(&letters_type, buffer, 0, COUNT);
    test_ok(
        mcl_sorted_search_needles(test_device_at(_i)->queue, in, in, MCL_LOWER, ints_out(out, COUNT), &before, &full));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], k / 3 * 3);
    mcl_buffer_release(buffer);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sorted_search_equals_the_loop, device, run_case_rounds(&sorted_search_case));
    test_add(tcase, indices_may_replace_the_keys_of_both_sequences, device);
    test_add(tcase, matches_of_both_sequences_are_counted_in_one_call, device);
    test_add(tcase, in_nothing_every_bound_is_0_and_nothing_matches, device);
    test_add(tcase, equality_counts_take_operators_of_ones_own_and_replace_their_bounds, device);
    test_add(tcase, unsorted_keys_are_never_searched_past_their_ends, device);
    test_add(tcase, searches_clamp_counts_from_the_device_to_their_bounds, device);
    test_add(tcase, validation_names_the_first_unsorted_key_and_nothing_is_written, device);
    test_add(tcase, types_that_do_not_fit_are_named, device);
    test_add(tcase, operands_that_do_not_fit_are_named, device);
    test_add(tcase, keys_of_an_odd_size_fit_the_memory_that_the_tile_is_chosen_by, device);
}

int main(void)
{
    return test_main("sorted_search", add);
}
