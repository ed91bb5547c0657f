/* test_by_key.c: mcl_reduce_by_key and mcl_scan_by_key. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <math.h>
#include <string.h>

/* Tiles of both mappings, small enough that a thousand keys have several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 32, .tile_items = 3, .flags = MCL_DETERMINISTIC } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

START_TEST(reduce_by_key_equals_the_loop)
{
    run_case_round(&reduce_by_key_case, _i);
}
END_TEST

START_TEST(scan_by_key_equals_the_loop)
{
    run_case_round(&scan_by_key_case, _i);
}
END_TEST

/* The key of a run is its first key, although the operator calls other keys equal. */
START_TEST(keys_equal_by_your_own_operator_make_a_run)
{
    enum { COUNT = 1000 };
    static int32_t keys[COUNT];
    static int32_t out_keys[COUNT];
    static int32_t sums[COUNT];
    const mcl_op same_ten = { .role = MCL_ROLE_EQUALITY, .expression = "p / 10 == q / 10" };
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < COUNT; k++) keys[k] = k + 3;
    mcl_buffer *in = ARRAY_OF(_i, keys), *heads = array_empty(_i, sizeof keys), *folds = array_empty(_i, sizeof keys);
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        int64_t count = 0;
        test_ok(mcl_reduce_by_key(queue, ints(in, COUNT), mcl_from_constant(MCL_INT32, &one, COUNT),
                                  ints_out(heads, COUNT), ints_out(folds, COUNT), MCL_ADD, &same_ten,
                                  mcl_to_host(MCL_INT64, &count), &tilings[tiling]));
        ck_assert_int_eq(count, 101);
        ARRAY_READ(_i, heads, out_keys);
        ARRAY_READ(_i, folds, sums);
        for (int r = 0; r < count; r++) {
            ck_assert_int_eq(out_keys[r], r == 0 ? 3 : r * 10);
            ck_assert_int_eq(sums[r], r == 0 ? 7 : r == 100 ? 3 : 10);
        }
    }
    mcl_buffer_release(in);
    mcl_buffer_release(heads);
    mcl_buffer_release(folds);
}
END_TEST

START_TEST(a_nan_is_a_run_of_its_own)
{
    const float keys[] = { 1, 1, NAN, NAN, 0.0f, -0.0f };
    float got[6];
    int64_t count = 0;
    const int32_t one = 1;
    mcl_buffer *in = ARRAY_OF(_i, keys), *heads = array_empty(_i, sizeof keys), *folds = array_empty(_i, sizeof got);

    test_ok(mcl_reduce_by_key(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, 6),
                              mcl_from_constant(MCL_INT32, &one, 6), mcl_to_buffer(MCL_FLOAT, heads, 0, 6),
                              mcl_to_buffer(MCL_FLOAT, folds, 0, 6), MCL_ADD, NULL, mcl_to_host(MCL_INT64, &count),
                              NULL));
    ck_assert_int_eq(count, 4);
    ARRAY_READ(_i, folds, got);
    ck_assert(got[0] == 2 && got[1] == 1 && got[2] == 1 && got[3] == 2);
    mcl_buffer_release(in);
    mcl_buffer_release(heads);
    mcl_buffer_release(folds);
}
END_TEST

START_TEST(each_capacity_is_a_limit_of_its_own)
{
    enum { COUNT = 600 };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    static int32_t before[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < COUNT; k++) keys[k] = k / 3;
    memset(before, 0x21, sizeof before);
    mcl_buffer *in = ARRAY_OF(_i, keys);
    for (int k = 0; k < TILINGS * 2; k++) {
        const int limited_keys = k % 2;
        int64_t count = 0;
        mcl_buffer *heads = ARRAY_OF(_i, before), *folds = ARRAY_OF(_i, before);
        test_fails(mcl_reduce_by_key(queue, ints(in, COUNT), ints(in, COUNT),
                                     ints_out(heads, limited_keys ? 150 : COUNT),
                                     ints_out(folds, limited_keys ? COUNT : 150), MCL_MAX, NULL,
                                     mcl_to_host(MCL_INT64, &count), &tilings[k / 2]),
                   MCL_ERROR_CAPACITY, limited_keys ? "mcl_reduce_by_key|out_keys|150|200" : "out_values|150|200");
        ck_assert_int_eq(count, 200);
        for (int output = 0; output < 2; output++) {
            const int written = (output == 0) == limited_keys ? 150 : 200;
            ARRAY_READ(_i, output == 0 ? heads : folds, got);
            for (int r = 0; r < COUNT; r++) ck_assert_int_eq(got[r], r < written ? r : before[0]);
        }
        /* both outputs are left out, so runs are only counted */
        test_ok(mcl_reduce_by_key(queue, ints(in, COUNT), ints(in, COUNT), ints_out(NULL, 0), ints_out(NULL, 0),
                                  MCL_MAX, NULL, mcl_to_host(MCL_INT64, &count), &tilings[k / 2]));
        ck_assert_int_eq(count, 200);
        mcl_buffer_release(heads);
        mcl_buffer_release(folds);
    }
    mcl_buffer_release(in);
}
END_TEST

/* Structs wider than 16 bytes with a 64-bit member, also with tiles that are not whole sub-groups. Compilers have mixed
 * members of such structs where a head decides between two of them. */
/* clang-format off */
MCL_SOURCE(wide_source,
typedef struct wide { int64_t total; uint32_t words[4]; } wide;
static inline wide wide_sum(wide p, wide q) {
    p.total += q.total;
    for (int k = 0; k < 4; ++k) p.words[k] += q.words[k];
    return p; }
static inline wide wide_zero(void) {
    wide none;
    none.total = 0;
    for (int k = 0; k < 4; ++k) none.words[k] = 0;
    return none; }
)
MCL_SOURCE(wider_source,
typedef struct wider { int64_t total; uint32_t words[8]; } wider;
static inline wider wider_sum(wider p, wider q) {
    p.total += q.total;
    for (int k = 0; k < 8; ++k) p.words[k] += q.words[k];
    return p; }
static inline wider wider_zero(void) {
    wider none;
    none.total = 0;
    for (int k = 0; k < 8; ++k) none.words[k] = 0;
    return none; }
)
/* clang-format on */
static const mcl_type wide_types[] = { MCL_TYPE(wide, wide_source), MCL_TYPE(wider, wider_source) };
static const mcl_op wide_sums[] = {
    { .role = MCL_ROLE_FOLD, .expression = "wide_sum(p, q)", .source = wide_source, .identity = "wide_zero()" },
    { .role = MCL_ROLE_FOLD, .expression = "wider_sum(p, q)", .source = wider_source, .identity = "wider_zero()" },
};

enum { WIDE_COUNT = 1500 };

/* Runs of 1 to 9 elements, and one of several tiles. An element's words are its number. The totals exceed 32 bits. */
typedef struct wide_case {
    int32_t keys[WIDE_COUNT];
    uint32_t flags[(WIDE_COUNT + 31) / 32];
    unsigned char values[WIDE_COUNT * sizeof(wider)], expected[WIDE_COUNT * sizeof(wider)];
    unsigned char got[WIDE_COUNT * sizeof(wider)], sums[WIDE_COUNT * sizeof(wider)];
    int runs;
} wide_case;

static void wide_add(wider *sum, const wider *value)
{
    sum->total += value->total;
    for (int k = 0; k < 8; k++) sum->words[k] += value->words[k];
}

/* Computes the expected sums. kind has the meaning that it has in mcl_scan_by_key. The smaller struct is the beginning
 * of the larger one. */
static void wide_expect(wide_case *c, size_t bytes, int kind)
{
    wider sum = { 0 };
    memset(c, 0, sizeof *c);
    for (int k = 0, left = 1; k < WIDE_COUNT; k++, left--) {
        const int is_head = k == 0 || left == 0;
        wider value = { .total = INT64_C(0x123456789) * (k + 1) };
        for (int w = 0; w < 8; w++) value.words[w] = (uint32_t)(k * 8 + w);
        if (is_head && k > 0) memcpy(c->sums + (size_t)(c->runs - 1) * bytes, &sum, bytes);
        if (is_head) {
            left = k < 400 ? k % 9 + 1 : k < 500 ? 700 : k * 7 % 9 + 1;
            c->runs++;
            c->flags[k / 32] |= 1u << k % 32;
            sum = (wider){ 0 };
        }
        c->keys[k] = c->runs;
        memcpy(c->values + (size_t)k * bytes, &value, bytes);
        if (kind == MCL_EXCLUSIVE) memcpy(c->expected + (size_t)k * bytes, &sum, bytes);
        wide_add(&sum, &value);
        if (kind == MCL_INCLUSIVE) memcpy(c->expected + (size_t)k * bytes, &sum, bytes);
    }
    memcpy(c->sums + (size_t)(c->runs - 1) * bytes, &sum, bytes);
}

static void wide_equals(int device, wide_case *c, mcl_buffer *out, const void *expected, int count, size_t bytes)
{
    test_ok(mcl_buffer_read(test_device_at(device)->queue, out, 0, (size_t)count * bytes, c->got));
    for (int k = 0; k < count; k++)
        ck_assert_msg(memcmp(c->got + (size_t)k * bytes, (const char *)expected + (size_t)k * bytes, bytes) == 0,
                      "%d bytes: element %d of %d", (int)bytes, k, count);
}

static void wide_round(int device, int size, int kind, const mcl_options *options)
{
    static wide_case c;
    const mcl_type *const type = &wide_types[size];
    const size_t bytes = type->size;
    mcl_queue *const queue = test_device_at(device)->queue;
    int64_t runs = 0;
    wide_expect(&c, bytes, kind);
    mcl_buffer *const keys = ARRAY_OF(device, c.keys), *const flags = ARRAY_OF(device, c.flags);
    mcl_buffer *const values = ARRAY_OF(device, c.values), *const out = array_empty(device, sizeof c.values);
    const mcl_input in = mcl_from_buffer(type, values, 0, WIDE_COUNT);
    const mcl_output to = mcl_to_buffer(type, out, 0, WIDE_COUNT);
    test_ok(mcl_scan_by_key(queue, ints(keys, WIDE_COUNT), in, to, &wide_sums[size], NULL, kind, options));
    wide_equals(device, &c, out, c.expected, WIDE_COUNT, bytes);
    test_ok(mcl_segmented_scan(queue, in,
                               mcl_segments_from_flags(mcl_from_buffer(MCL_UINT32, flags, 0, (WIDE_COUNT + 31) / 32)),
                               to, &wide_sums[size], kind, options));
    wide_equals(device, &c, out, c.expected, WIDE_COUNT, bytes);
    test_ok(mcl_reduce_by_key(queue, ints(keys, WIDE_COUNT), in, ints_out(NULL, 0), to, &wide_sums[size], NULL,
                              mcl_to_host(MCL_INT64, &runs), options));
    ck_assert_int_eq(runs, c.runs);
    wide_equals(device, &c, out, c.sums, c.runs, bytes);
    mcl_buffer_release(keys);
    mcl_buffer_release(flags);
    mcl_buffer_release(values);
    mcl_buffer_release(out);
}

START_TEST(wide_structs_start_anew_at_heads)
{
    static const mcl_options tiles[] = { { .tile_threads = 100, .tile_items = 2 },
                                         { .tile_threads = 100, .tile_items = 2, .flags = MCL_DETERMINISTIC },
                                         { .tile_threads = 64, .tile_items = 3 },
                                         { .tile_threads = 1, .tile_items = 100 } };
    for (size_t tile = 0; tile < sizeof tiles / sizeof tiles[0]; tile++)
        for (int turn = 0; turn < 4; turn++)
            if (test_takes_half((int)tile + turn))
                wide_round(_i, turn % 2, turn / 2 ? MCL_INCLUSIVE : MCL_EXCLUSIVE, &tiles[tile]);
}
END_TEST

START_TEST(a_count_from_the_device_is_clamped_to_its_bound)
{
    enum { COUNT = 1000 };
    static int32_t keys[COUNT];
    const int64_t slots[] = { 0, -5, INT64_MIN, 700, COUNT, INT64_MAX };
    const int64_t counts[] = { 0, 0, 0, 70, 100, 100 };
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < COUNT; k++) keys[k] = k / 10;
    mcl_buffer *in = ARRAY_OF(_i, keys), *slot = ARRAY_OF(_i, slots), *out = array_empty(_i, 2 * sizeof keys);
    for (int k = 0; k < 6 * TILINGS; k++) {
        int64_t count = -1;
        test_ok(mcl_reduce_by_key(queue, mcl_with_count(ints(in, COUNT), slot, k % 6), ints(in, COUNT),
                                  ints_out(out, COUNT), mcl_to_buffer(MCL_INT32, out, COUNT, COUNT), MCL_ADD, NULL,
                                  mcl_to_host(MCL_INT64, &count), &tilings[k / 6]));
        ck_assert_int_eq(count, counts[k % 6]);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(slot);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(what_does_not_fit_is_named)
{
    enum { COUNT = 100 };
    static int32_t data[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, data), *out = array_empty(_i, 2 * sizeof data);
    const mcl_input a = ints(in, COUNT);
    const mcl_output to = ints_out(out, COUNT), to_second = mcl_to_buffer(MCL_INT32, out, COUNT, COUNT);
    const mcl_input points = mcl_from_buffer(element_point.type, in, 0, 10);

    test_fails(mcl_reduce_by_key(queue, a, ints(in, 99), to, to_second, MCL_ADD, NULL, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce_by_key|values has 99|as keys|100");
    test_fails(mcl_reduce_by_key(queue, a, a, mcl_to_buffer(MCL_INT64, out, 0, 10), to_second, MCL_ADD, NULL,
                                 mcl_to_nowhere(), NULL),
               MCL_ERROR_TYPE, "mcl_reduce_by_key|int32_t|out_keys|int64_t");
    test_fails(mcl_reduce_by_key(queue, a, a, to, to, MCL_ADD, NULL, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_reduce_by_key|out_keys|overlaps|out_values");
    test_fails(mcl_reduce_by_key(queue, a, a, to, ints_out(in, COUNT), MCL_ADD, NULL, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce_by_key|out_values|overlaps|values");
    test_fails(mcl_reduce_by_key(queue, points, a, mcl_to_buffer(element_point.type, out, 0, 10), to_second, MCL_ADD,
                                 NULL, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce_by_key|equal is NULL|point");
    test_fails(mcl_reduce_by_key(queue, a, a, to, to_second, MCL_ADD, NULL, mcl_to_slot(MCL_FLOAT, out, 0), NULL),
               MCL_ERROR_TYPE, "mcl_reduce_by_key|count|MCL_INT64");
    test_fails(mcl_scan_by_key(queue, a, a, ints_out(out, 99), MCL_ADD, NULL, MCL_INCLUSIVE, NULL), MCL_ERROR_ARGUMENT,
               "mcl_scan_by_key|out|capacity 99|100");
    test_fails(mcl_scan_by_key(queue, a, a, to, MCL_ADD, NULL, 7, NULL), MCL_ERROR_ARGUMENT,
               "mcl_scan_by_key|kind is 7");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, reduce_by_key_equals_the_loop, device, run_case_rounds(&reduce_by_key_case));
    test_add_loop(tcase, scan_by_key_equals_the_loop, device, run_case_rounds(&scan_by_key_case));
    test_add(tcase, keys_equal_by_your_own_operator_make_a_run, device);
    test_add(tcase, a_nan_is_a_run_of_its_own, device);
    test_add(tcase, each_capacity_is_a_limit_of_its_own, device);
    test_add(tcase, a_count_from_the_device_is_clamped_to_its_bound, device);
    test_add(tcase, wide_structs_start_anew_at_heads, device);
    test_add(tcase, what_does_not_fit_is_named, device);
}

int main(void)
{
    return test_main("by_key", add);
}
