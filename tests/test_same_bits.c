/* test_same_bits.c: sums of floats with MCL_DETERMINISTIC or MCL_REPRODUCIBLE have the bits that the tree over indices
 * gives (docs/concepts.md). They do not depend on tile, mapping, device or the bound of a count. Sums without either
 * flag are as exact as those of a tree. */
#include "cases/elements.h"
#include "support/arrays.h"

#include <math.h>
#include <string.h>

enum { COUNT = 70001 };

/* ---- the order, as the page defines it --------------------------------------------------------------------------- */

/* Defines the tree for a type. node returns the fold of the size numbers before end, where size is a power of two.
 * volatile makes each sum round to the type. prefixes[m] is the fold of m numbers, after initial where that is given;
 * prefixes[0] is initial. */
#define TREE_OF(real, node, expect_prefixes)                                                                           \
    static real node(const real *x, int end, int size)                                                                 \
    {                                                                                                                  \
        if (size == 1) return x[end - 1];                                                                              \
        const volatile real first = node(x, end - size / 2, size / 2), second = node(x, end, size / 2);                \
        const volatile real sum = first + second;                                                                      \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static void expect_prefixes(const real *x, int count, const real *initial, real *prefixes)                         \
    {                                                                                                                  \
        prefixes[0] = initial ? *initial : 0;                                                                          \
        for (int m = 1; m <= count; m++) {                                                                             \
            const int low = m & -m;                                                                                    \
            const real last = node(x, m, low);                                                                         \
            const volatile real sum = prefixes[m - low] + last;                                                        \
            prefixes[m] = m == low && !initial ? last : sum;                                                           \
        }                                                                                                              \
    }
TREE_OF(float, node, expect_prefixes)
TREE_OF(double, node_double, expect_doubles)

/* ---- data ------------------------------------------------------------------------------------------------------ */

static float numbers[COUNT], squares[COUNT], prefixes[COUNT + 1], got[COUNT + 1];
static const float initial = 0.1f;

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Returns one number for the bits of all numbers. */
static uint32_t hash_of(const float *x, int count)
{
    uint32_t hash = 2166136261u;
    for (int k = 0; k < count; k++) hash = (hash ^ bits_of(x[k])) * 16777619u;
    return hash;
}

static void make_numbers(void)
{
    for (int k = 0; k < COUNT; k++) {
        numbers[k] = (float)(int32_t)(test_random(11, (uint64_t)k) >> 32) * 0x1p-31f;
        const volatile float square = numbers[k] * numbers[k];
        squares[k] = square;
    }
}

/* Tiles of both mappings. The last one has 64-bit indices. */
static const struct tiling {
    int threads, items;
    unsigned flags;
} tilings[] = {
    { 0, 0, 0 },  { 1, 1, 0 },    { 1, 64, 0 },   { 1, 1000, 0 }, { 1, 16384, 0 },           { 32, 3, 0 },
    { 64, 8, 0 }, { 128, 16, 0 }, { 256, 31, 0 }, { 512, 4, 0 },  { 1, 4096, MCL_INDEX_64 }, { 64, 4, MCL_INDEX_64 }
};
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

/* Returns 1 where only a few tilings are taken, since some compilers take seconds for each. */
static int is_sampled(void)
{
    return test_is_small() || test_sample_step() > 1;
}

/* Returns the step from one tiling to the next. With a sample it is 1, since options_of chooses. */
static int stride_of(int usual)
{
    return is_sampled() ? 1 : usual;
}

/* Stores the options of a round. Returns 0 where the device has no such group, or the sample leaves the tiling out. A
 * sample has every fifth tiling from its phase on, so at least one of each mapping. */
static int options_of(int device, int tiling, unsigned flags, mcl_options *options)
{
    const struct tiling *const t = &tilings[tiling];
    *options = (mcl_options){ .flags = flags | t->flags, .tile_threads = t->threads, .tile_items = t->items };
    return t->threads <= test_device_at(device)->info.max_threads &&
           (tiling % 5 == test_sample_phase() % 5 || !is_sampled());
}

static const unsigned both_flags[] = { MCL_DETERMINISTIC, MCL_REPRODUCIBLE };
static const int counts[] = { 1, 2, 7, 63, 64, 65, 1000, 4096, 32768, 50001, COUNT };
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* ---- the same numbers everywhere -------------------------------------------------------------------------------- */

/* The bits that every device must give. The loop above gives them on every host. */
static const uint32_t known_sum = 0x43743c6bu, known_scan = 0x11fad608u, known_scan_after_initial = 0xf234bccfu;
static const uint32_t known_squares = 0x46b5c58bu, known_runs = 0x43579842u;
static const uint32_t known_segments = 0x9ce19b3cu;

START_TEST(the_loop_gives_the_known_bits)
{
    make_numbers();
    expect_prefixes(numbers, COUNT, NULL, prefixes);
    ck_assert_uint_eq(bits_of(prefixes[COUNT]), known_sum);
    ck_assert_uint_eq(hash_of(prefixes + 1, COUNT), known_scan);
    expect_prefixes(numbers, COUNT, &initial, prefixes);
    ck_assert_uint_eq(hash_of(prefixes, COUNT), known_scan_after_initial);
    expect_prefixes(squares, COUNT, NULL, prefixes);
    ck_assert_uint_eq(bits_of(prefixes[COUNT]), known_squares);
}
END_TEST

START_TEST(a_reduction_has_the_bits_of_the_tree)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_options options;

    make_numbers();
    expect_prefixes(numbers, COUNT, NULL, prefixes);
    mcl_buffer *const in = ARRAY_OF(_i, numbers);
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        if (!options_of(_i, tiling, both_flags[tiling % 2], &options)) continue;
        for (int k = tiling > 1 ? 0 : 3; k < COUNTS; k += test_is_small() ? 3 : 1) {
            float sum = -1;
            test_ok(mcl_reduce(queue, mcl_from_buffer(MCL_FLOAT, in, 0, counts[k]), MCL_ADD,
                               mcl_to_host(MCL_FLOAT, &sum), &options));
            if (counts[k] == COUNT) ck_assert_uint_eq(bits_of(sum), known_sum);
            ck_assert_msg(bits_of(sum) == bits_of(prefixes[counts[k]]), "tile %d x %d, %d numbers: %a and not %a",
                          options.tile_threads, options.tile_items, counts[k], sum, prefixes[counts[k]]);
        }
    }
    mcl_buffer_release(in);
}
END_TEST

static void check_scan(int device, const mcl_options *options, int count, int after_initial, int in_place)
{
    mcl_options own = *options;
    mcl_buffer *const in = array_of(device, numbers, (size_t)count * sizeof *numbers);
    mcl_buffer *const out = in_place ? in : array_empty(device, (size_t)count * sizeof *numbers);
    if (after_initial) own.initial = &initial;
    test_ok(mcl_scan(test_device_at(device)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, count),
                     mcl_to_buffer(MCL_FLOAT, out, 0, count), MCL_ADD, after_initial ? MCL_EXCLUSIVE : MCL_INCLUSIVE,
                     mcl_to_nowhere(), &own));
    array_read(device, out, got, (size_t)count * sizeof *got);
    for (int k = 0; k < count; k++) {
        const float expected = prefixes[after_initial ? k : k + 1];
        ck_assert_msg(bits_of(got[k]) == bits_of(expected), "tile %d x %d, element %d of %d: %a and not %a",
                      options->tile_threads, options->tile_items, k, count, got[k], expected);
    }
    if (!in_place) mcl_buffer_release(out);
    mcl_buffer_release(in);
}

START_TEST(a_scan_has_the_bits_of_the_tree)
{
    mcl_options options;

    make_numbers();
    for (int after_initial = 0; after_initial < 2; after_initial++) {
        expect_prefixes(numbers, COUNT, after_initial ? &initial : NULL, prefixes);
        for (int tiling = 0; tiling < TILINGS; tiling++) {
            if (!options_of(_i, tiling, both_flags[tiling % 2], &options)) continue;
            for (int k = tiling > 1 ? tiling % 3 : 6; k < COUNTS; k += 3)
                check_scan(_i, &options, counts[k], after_initial, (k + tiling) % 2);
        }
    }
}
END_TEST

/* The tree depends on the count and not on its bound. */
START_TEST(counts_on_the_device_give_the_same_bits_whatever_their_bound_is)
{
    static const int64_t slots[] = { 1, 700, 4096, 33000 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_options options;

    make_numbers();
    expect_prefixes(numbers, COUNT, NULL, prefixes);
    mcl_buffer *const in = ARRAY_OF(_i, numbers), *const slot = ARRAY_OF(_i, slots);
    mcl_buffer *const out = array_empty(_i, sizeof numbers);
    for (int tiling = 2; tiling < TILINGS; tiling += stride_of(2)) {
        if (!options_of(_i, tiling, MCL_REPRODUCIBLE, &options)) continue;
        for (int k = 0; k < 8; k++) {
            const int count = (int)slots[k % 4], bound = k < 4 ? COUNT : 33000;
            const mcl_input counted = mcl_with_count(mcl_from_buffer(MCL_FLOAT, in, 0, bound), slot, k % 4);
            float sum = -1, total = -1;
            test_ok(mcl_reduce(queue, counted, MCL_ADD, mcl_to_host(MCL_FLOAT, &sum), &options));
            test_ok(mcl_scan(queue, counted, mcl_to_buffer(MCL_FLOAT, out, 0, bound), MCL_ADD, MCL_INCLUSIVE,
                             mcl_to_host(MCL_FLOAT, &total), &options));
            ARRAY_READ(_i, out, numbers);
            ck_assert_uint_eq(bits_of(sum), bits_of(prefixes[count]));
            ck_assert_uint_eq(bits_of(total), bits_of(prefixes[count]));
            ck_assert_int_eq(memcmp(numbers, prefixes + 1, (size_t)count * sizeof *numbers), 0);
        }
    }
    mcl_buffer_release(out);
    mcl_buffer_release(slot);
    mcl_buffer_release(in);
}
END_TEST

/* Bits would differ if a multiplication were contracted with the sum. */
START_TEST(a_sum_of_squares_rounds_each_square)
{
    const mcl_op square = { .role = MCL_ROLE_FOLD, .expression = "p + q", .extract = "x * x", .commutative = 1 };
    mcl_options options;

    make_numbers();
    mcl_buffer *const in = ARRAY_OF(_i, numbers);
    for (int tiling = 2; tiling < TILINGS; tiling += stride_of(3)) {
        float sum = -1;
        if (!options_of(_i, tiling, MCL_REPRODUCIBLE, &options)) continue;
        test_ok(mcl_reduce(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, COUNT), &square,
                           mcl_to_host(MCL_FLOAT, &sum), &options));
        ck_assert_uint_eq(bits_of(sum), known_squares);
    }
    mcl_buffer_release(in);
}
END_TEST

/* ---- segments and runs ------------------------------------------------------------------------------------------ */

/* The fold of some neighbours from their last head on. has_head: 1 where there is a head. */
typedef struct stretch {
    float value;
    int has_head;
} stretch;

static int32_t keys[COUNT], begins[COUNT + 1], flags[COUNT / 32 + 1];
static stretch runs[COUNT + 1];
static int run_count;

static stretch join(stretch p, stretch q)
{
    const volatile float sum = p.value + q.value;
    return q.has_head ? q : (stretch){ sum, p.has_head };
}

static stretch run_node(int end, int size)
{
    if (size == 1) return (stretch){ numbers[end - 1], flags[(end - 1) / 32] >> ((end - 1) % 32) & 1 };
    return join(run_node(end - size / 2, size / 2), run_node(end, size / 2));
}

/* Makes runs of 1 to 200 numbers and one long run, and the fold that each prefix of all numbers leaves. */
static void make_runs(void)
{
    make_numbers();
    memset(flags, 0, sizeof flags);
    run_count = 0;
    for (int k = 0; k < COUNT; run_count++) {
        begins[run_count] = k;
        flags[k / 32] |= (int32_t)(1u << (k % 32));
        const int length = run_count == 9 ? 20000 : 1 + (int)(test_random(13, (uint64_t)run_count) % 200);
        for (int end = k + length; k < end && k < COUNT; k++) keys[k] = run_count;
    }
    begins[run_count] = COUNT;
    for (int m = 1; m <= COUNT; m++) {
        const int low = m & -m;
        const stretch last = run_node(m, low);
        runs[m] = m == low ? last : join(runs[m - low], last);
    }
}

START_TEST(runs_of_keys_have_the_bits_of_the_tree_over_all_elements)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_options options;

    make_runs();
    for (int k = 0; k < run_count; k++) prefixes[k] = runs[begins[k + 1]].value;
    ck_assert_uint_eq(hash_of(prefixes, run_count), known_runs);
    mcl_buffer *const in = ARRAY_OF(_i, numbers), *const by = ARRAY_OF(_i, keys), *const bits = ARRAY_OF(_i, flags);
    mcl_buffer *const out = array_empty(_i, sizeof numbers);
    const mcl_input values = mcl_from_buffer(MCL_FLOAT, in, 0, COUNT);
    const mcl_output results = mcl_to_buffer(MCL_FLOAT, out, 0, COUNT);
    const mcl_segments heads = mcl_segments_from_flags(mcl_from_buffer(MCL_INT32, bits, 0, COUNT / 32 + 1));
    for (int tiling = 0; tiling < TILINGS; tiling += stride_of(tiling == 0 ? 2 : 1)) {
        if (!options_of(_i, tiling, both_flags[tiling % 2], &options)) continue;
        const size_t bytes = (size_t)run_count * sizeof *got;
        test_ok(mcl_reduce_by_key(queue, ints(by, COUNT), values, (mcl_output){ 0 }, results, MCL_ADD, NULL,
                                  mcl_to_nowhere(), &options));
        array_read(_i, out, got, bytes);
        ck_assert_msg(hash_of(got, run_count) == known_runs, "by key, tiling %d", tiling);
        test_ok(mcl_segmented_reduce(queue, values, heads, results, MCL_ADD, mcl_to_nowhere(), &options));
        array_read(_i, out, got, bytes);
        ck_assert_msg(hash_of(got, run_count) == known_runs, "by flags, tiling %d", tiling);
        test_ok(mcl_scan_by_key(queue, ints(by, COUNT), values, results, MCL_ADD, NULL, MCL_INCLUSIVE, &options));
        ARRAY_READ(_i, out, numbers);
        for (int k = 0; k < COUNT; k++)
            ck_assert_msg(bits_of(numbers[k]) == bits_of(runs[k + 1].value), "tiling %d, element %d", tiling, k);
        test_ok(mcl_segmented_scan(queue, values, heads, results, MCL_ADD, MCL_EXCLUSIVE, &options));
        ARRAY_READ(_i, out, numbers);
        for (int k = 0; k < COUNT; k++)
            ck_assert_msg(bits_of(numbers[k]) == (k > 0 && keys[k] == keys[k - 1] ? bits_of(runs[k].value) : 0),
                          "tiling %d, segmented scan, element %d", tiling, k);
    }
    mcl_buffer_release(out);
    mcl_buffer_release(bits);
    mcl_buffer_release(by);
    mcl_buffer_release(in);
}
END_TEST

/* Scans are tested too; their heads come from a search in the offsets. */
START_TEST(segments_by_offsets_have_the_bits_of_their_own_tree)
{
    static float sums[COUNT];
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_options options;

    make_runs();
    for (int k = 0; k < run_count; k++) {
        const int count = begins[k + 1] - begins[k];
        expect_prefixes(numbers + begins[k], count, NULL, prefixes);
        sums[k] = prefixes[count];
    }
    ck_assert_uint_eq(hash_of(sums, run_count), known_segments);
    mcl_buffer *const in = ARRAY_OF(_i, numbers), *const at = ARRAY_OF(_i, begins);
    mcl_buffer *const out = array_empty(_i, sizeof numbers);
    const mcl_input values = mcl_from_buffer(MCL_FLOAT, in, 0, COUNT);
    const mcl_segments offsets = mcl_segments_from_offsets(ints(at, run_count + 1));
    const mcl_segments heads = mcl_segments_from_begins(ints(at, run_count));
    for (int tiling = 0; tiling < TILINGS; tiling += stride_of(tiling == 0 ? 2 : 1)) {
        if (!options_of(_i, tiling, both_flags[tiling % 2], &options)) continue;
        for (int form = 0; form < 2; form++) {
            test_ok(mcl_segmented_reduce(queue, values, form ? heads : offsets,
                                         mcl_to_buffer(MCL_FLOAT, out, 0, run_count), MCL_ADD, mcl_to_nowhere(),
                                         &options));
            array_read(_i, out, got, (size_t)run_count * sizeof *got);
            ck_assert_msg(hash_of(got, run_count) == known_segments, "tiling %d, form %d", tiling, form);
        }
        test_ok(mcl_segmented_scan(queue, values, offsets, mcl_to_buffer(MCL_FLOAT, out, 0, COUNT), MCL_ADD,
                                   MCL_INCLUSIVE, &options));
        array_read(_i, out, got, sizeof numbers);
        for (int k = 0; k < COUNT; k++)
            ck_assert_msg(bits_of(got[k]) == bits_of(runs[k + 1].value), "tiling %d, scan, element %d", tiling, k);
    }
    mcl_buffer_release(out);
    mcl_buffer_release(at);
    mcl_buffer_release(in);
}
END_TEST

/* ---- other types ------------------------------------------------------------------------------------------------- */

static double doubles[COUNT], double_prefixes[COUNT + 1], got_doubles[COUNT];

START_TEST(doubles_have_the_bits_of_the_tree)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_segments rows = mcl_segments_from_rows(COUNT / 1000, 1000);
    mcl_options options;

    if (!test_device_at(_i)->info.has_double) {
        test_skip(_i, "doubles_have_the_bits_of_the_tree", "no double");
        return;
    }
    for (int k = 0; k < COUNT; k++) doubles[k] = (double)(int64_t)test_random(14, (uint64_t)k) * 0x1p-63;
    mcl_buffer *const in = ARRAY_OF(_i, doubles), *const out = array_empty(_i, sizeof doubles);
    const mcl_input values = mcl_from_buffer(MCL_DOUBLE, in, 0, COUNT);
    const mcl_output results = mcl_to_buffer(MCL_DOUBLE, out, 0, COUNT);
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        double sum = -1;
        if (!options_of(_i, tiling, both_flags[tiling % 2], &options)) continue;
        expect_doubles(doubles, COUNT, NULL, double_prefixes);
        test_ok(mcl_reduce(queue, values, MCL_ADD, mcl_to_host(MCL_DOUBLE, &sum), &options));
        ck_assert_msg(memcmp(&sum, &double_prefixes[COUNT], sizeof sum) == 0, "tiling %d: %a", tiling, sum);
        test_ok(mcl_scan(queue, values, results, MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options));
        ARRAY_READ(_i, out, got_doubles);
        ck_assert_msg(memcmp(got_doubles, double_prefixes + 1, sizeof got_doubles) == 0, "tiling %d, scan", tiling);
        test_ok(mcl_segmented_reduce(queue, mcl_from_buffer(MCL_DOUBLE, in, 0, COUNT / 1000 * 1000), rows, results,
                                     MCL_ADD, mcl_to_nowhere(), &options));
        array_read(_i, out, got_doubles, COUNT / 1000 * sizeof *got_doubles);
        for (int row = 0; row < COUNT / 1000; row++) {
            expect_doubles(doubles + 1000 * row, 1000, NULL, double_prefixes);
            ck_assert_msg(memcmp(&got_doubles[row], &double_prefixes[1000], sizeof sum) == 0, "tiling %d, row %d",
                          tiling, row);
        }
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* Returns the half that is nearest to a number below 65504. Of two equally near halves it returns the even one. */
static uint16_t nearest_half(float x)
{
    const float size = fabsf(x);
    unsigned low = 0, high = 0x7bff;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (half_value((uint16_t)middle) <= size)
            low = middle;
        else
            high = middle;
    }
    const float below = size - half_value((uint16_t)low), above = half_value((uint16_t)high) - size;
    const unsigned bits = below < above || (below == above && low % 2 == 0) ? low : high;
    return (uint16_t)(bits | (x < 0 ? 0x8000u : 0));
}

/* Operators see floats and are folded as floats. Only stored results are halves. */
START_TEST(halves_have_the_bits_of_the_tree_of_floats)
{
    static uint16_t halves[COUNT], got_halves[COUNT];
    const mcl_op in_floats = { .role = MCL_ROLE_FOLD, .expression = "p + q", .value = MCL_FLOAT, .commutative = 1 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_options options;

    for (int k = 0; k < COUNT; k++) { /* numbers of 2^-10 to 1, with both signs */
        const uint64_t random = test_random(15, (uint64_t)k);
        halves[k] = (uint16_t)((random & 0x83ffu) | (5 + (random >> 32) % 10) << 10);
        numbers[k] = half_value(halves[k]);
    }
    expect_prefixes(numbers, COUNT, NULL, prefixes);
    mcl_buffer *const in = ARRAY_OF(_i, halves), *const out = array_empty(_i, sizeof halves);
    const mcl_input values = mcl_from_buffer(MCL_HALF, in, 0, COUNT);
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        float sum = -1;
        uint16_t half_sum = 0;
        if (!options_of(_i, tiling, both_flags[tiling % 2], &options)) continue;
        test_ok(mcl_reduce(queue, values, &in_floats, mcl_to_host(MCL_FLOAT, &sum), &options));
        ck_assert_msg(bits_of(sum) == bits_of(prefixes[COUNT]), "tiling %d: %a", tiling, sum);
        test_ok(mcl_reduce(queue, values, MCL_ADD, mcl_to_host(MCL_HALF, &half_sum), &options));
        ck_assert_msg(half_sum == nearest_half(prefixes[COUNT]), "tiling %d: half %x", tiling, (unsigned)half_sum);
        test_ok(mcl_scan(queue, values, mcl_to_buffer(MCL_HALF, out, 0, COUNT), MCL_ADD, MCL_INCLUSIVE,
                         mcl_to_nowhere(), &options));
        ARRAY_READ(_i, out, got_halves);
        for (int k = 0; k < COUNT; k++)
            ck_assert_msg(got_halves[k] == nearest_half(prefixes[k + 1]), "tiling %d, scan, element %d: %x", tiling, k,
                          (unsigned)got_halves[k]);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* ---- without flags ---------------------------------------------------------------------------------------------- */

/* Numbers have one sign, so the relative error is a few units in the last place for each level of a tree. */
START_TEST(sums_without_flags_are_as_exact_as_those_of_a_tree)
{
    enum { MANY = 1 << 20 };
    const int count = test_is_small() ? 3000 : MANY;
    static float many[MANY], scanned[MANY];
    double exact = 0;

    for (int k = 0; k < count; k++) many[k] = 0.5f + (float)(test_random(12, (uint64_t)k) >> 40) * 0x1p-25f;
    mcl_buffer *const in = array_of(_i, many, (size_t)count * sizeof *many);
    mcl_buffer *const out = array_empty(_i, (size_t)count * sizeof *many);
    for (int threads = 0; threads < 2; threads++) {
        const mcl_options options = { .tile_threads = threads ? 64 : 1 };
        const double unit = 2 * ldexp(1.0, -23) * log2((double)count);
        float sum = -1;
        exact = 0;
        test_ok(mcl_reduce(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, count), MCL_ADD,
                           mcl_to_host(MCL_FLOAT, &sum), &options));
        test_ok(mcl_scan(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, count),
                         mcl_to_buffer(MCL_FLOAT, out, 0, count), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options));
        array_read(_i, out, scanned, (size_t)count * sizeof *scanned);
        for (int k = 0; k < count; k++) {
            exact += (double)many[k];
            ck_assert_msg(fabs((double)scanned[k] - exact) <= unit * exact, "threads %d, element %d: %a and not %a",
                          options.tile_threads, k, scanned[k], exact);
        }
        ck_assert_msg(fabs((double)sum - exact) <= unit * exact, "threads %d: %a and not %a", options.tile_threads, sum,
                      exact);
    }
    mcl_buffer_release(out);
    mcl_buffer_release(in);
}
END_TEST

/* The fold returns the first number that is not 3, so it does not commute. */
START_TEST(long_segments_keep_their_order)
{
    static const mcl_options options = { .flags = MCL_DETERMINISTIC, .tile_threads = 64, .tile_items = 2 };
    static const int32_t offsets[] = { 1, 3, 3, 700, 1500, 5000 };
    static const mcl_op first = { .role = MCL_ROLE_FOLD, .expression = "p != 3 ? p : q", .identity = "3" };
    enum { SEGMENTS = 5, ELEMENTS = 5000 };
    float got[SEGMENTS];
    mcl_buffer *by = ARRAY_OF(_i, offsets), *out = array_empty(_i, sizeof got);

    test_ok(
        mcl_segmented_reduce(test_device_at(_i)->queue,
                             mcl_from_expression(MCL_FLOAT, "i % 100 < 50 ? 3.0f : (float)i", NULL, NULL, 0, ELEMENTS),
                             mcl_segments_from_offsets(mcl_from_buffer(MCL_INT32, by, 0, SEGMENTS + 1)),
                             mcl_to_buffer(MCL_FLOAT, out, 0, SEGMENTS), &first, mcl_to_nowhere(), &options));
    ARRAY_READ(_i, out, got);
    for (int s = 0; s < SEGMENTS; s++) {
        int k = offsets[s];
        while (k < offsets[s + 1] && k % 100 < 50) k++;
        ck_assert(got[s] == (k < offsets[s + 1] ? (float)k : 3));
    }
    mcl_buffer_release(by);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, the_loop_gives_the_known_bits, device);
    test_add(tcase, a_reduction_has_the_bits_of_the_tree, device);
    test_add(tcase, a_scan_has_the_bits_of_the_tree, device);
    test_add(tcase, counts_on_the_device_give_the_same_bits_whatever_their_bound_is, device);
    test_add(tcase, a_sum_of_squares_rounds_each_square, device);
    test_add(tcase, runs_of_keys_have_the_bits_of_the_tree_over_all_elements, device);
    test_add(tcase, segments_by_offsets_have_the_bits_of_their_own_tree, device);
    test_add(tcase, doubles_have_the_bits_of_the_tree, device);
    test_add(tcase, halves_have_the_bits_of_the_tree_of_floats, device);
    test_add(tcase, sums_without_flags_are_as_exact_as_those_of_a_tree, device);
    test_add(tcase, long_segments_keep_their_order, device);
}

int main(void)
{
    return test_main("same_bits", add);
}
