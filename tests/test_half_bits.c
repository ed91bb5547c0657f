/* test_half_bits.c: halves that are only moved keep their bits, also the bits of every NaN. */
#include "support/arrays.h"

#include "cases/elements.h"

#include <stdlib.h>

enum { ALL = 65536 };

static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 96 },
                                       { .tile_threads = 64, .tile_items = 5 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

/* Stores every bit pattern once, in any order. */
static void patterns(uint16_t *out)
{
    for (int k = 0; k < ALL; k++) out[k] = (uint16_t)((unsigned)k * 40503u & 0xffffu);
}

static void expect_same(const uint16_t *got, const uint16_t *expected, const char *what)
{
    for (int k = 0; k < ALL; k++)
        if (got[k] != expected[k]) ck_abort_msg("%s: half %d is %04x instead of %04x", what, k, got[k], expected[k]);
}

static void expect_each_once(const uint16_t *got, const char *what)
{
    static unsigned char seen[ALL];
    for (int k = 0; k < ALL; k++) seen[k] = 0;
    for (int k = 0; k < ALL; k++)
        if (seen[got[k]]++) ck_abort_msg("%s: half %04x is there twice", what, got[k]);
}

typedef struct fixture {
    int device;
    mcl_queue *queue;
    mcl_buffer *halves, *numbers, *out, *out_numbers;
    uint16_t given[ALL], got[ALL];
} fixture;

static fixture *begin(int device)
{
    fixture *const f = malloc(sizeof *f);
    int32_t *const falling = malloc(ALL * sizeof *falling);
    ck_assert(f && falling);
    f->device = device;
    f->queue = test_device_at(device)->queue;
    patterns(f->given);
    for (int k = 0; k < ALL; k++) falling[k] = ALL - k;
    f->halves = array_of(device, f->given, sizeof f->given);
    f->numbers = array_of(device, falling, ALL * sizeof *falling);
    f->out = array_empty(device, sizeof f->given);
    f->out_numbers = array_empty(device, ALL * sizeof *falling);
    free(falling);
    return f;
}

static void end(fixture *f)
{
    mcl_buffer_release(f->halves);
    mcl_buffer_release(f->numbers);
    mcl_buffer_release(f->out);
    mcl_buffer_release(f->out_numbers);
    free(f);
}

static mcl_input halves(const fixture *f)
{
    return mcl_from_buffer(MCL_HALF, f->halves, 0, ALL);
}

static mcl_output to_halves(const fixture *f)
{
    return mcl_to_buffer(MCL_HALF, f->out, 0, ALL);
}

static const uint16_t *got(fixture *f)
{
    array_read(f->device, f->out, f->got, sizeof f->got);
    return f->got;
}

/* Returns options with the tile and a mergesort, since radix sort would do without a conversion. */
static mcl_options merging(const mcl_options *options)
{
    mcl_options own = *options;
    own.sort_method = MCL_SORT_MERGE;
    return own;
}

START_TEST(copies_keep_every_bit)
{
    static const mcl_op all = { .role = MCL_ROLE_TEST, .expression = "1" };
    static const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q" };
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        const mcl_options *const options = &tilings[tiling];
        const int64_t none = 0;
        fixture *const f = begin(_i);
        test_ok(mcl_transform(f->queue, halves(f), to_halves(f), options));
        expect_same(got(f), f->given, "mcl_transform");
        test_ok(mcl_compact(f->queue, halves(f), to_halves(f), &all, mcl_to_nowhere(), options));
        expect_same(got(f), f->given, "mcl_compact");
        test_ok(mcl_scan(f->queue, halves(f), to_halves(f), &last, MCL_INCLUSIVE, mcl_to_nowhere(), options));
        expect_same(got(f), f->given, "mcl_scan");
        test_ok(mcl_scatter(f->queue, halves(f), mcl_from_counting(MCL_INT64, &none, ALL), to_halves(f), options));
        expect_same(got(f), f->given, "mcl_scatter");
        test_ok(mcl_bulk_remove(f->queue, halves(f), mcl_from_counting(MCL_INT64, &none, 0), to_halves(f), options));
        expect_same(got(f), f->given, "mcl_bulk_remove");
        end(f);
    }
}
END_TEST

START_TEST(sorted_keys_keep_every_bit)
{
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        const mcl_options *const options = &tilings[tiling];
        const mcl_options by_merging = merging(options);
        const int64_t none = 0;
        fixture *const f = begin(_i);
        test_ok(mcl_sort(f->queue, halves(f), to_halves(f), MCL_LESS, &by_merging));
        expect_each_once(got(f), "mcl_sort");
        test_ok(mcl_locality_sort(f->queue, halves(f), to_halves(f), MCL_LESS, NULL, options));
        expect_each_once(got(f), "mcl_locality_sort");
        test_ok(mcl_segmented_sort(f->queue, halves(f),
                                   mcl_segments_from_indices(mcl_from_counting(MCL_INT64, &none, 1)), to_halves(f),
                                   MCL_LESS, MCL_STABLE, NULL, options));
        expect_each_once(got(f), "mcl_segmented_sort");
        test_ok(mcl_merge(f->queue, mcl_from_buffer(MCL_HALF, f->halves, 0, ALL / 2),
                          mcl_from_buffer(MCL_HALF, f->halves, ALL / 2, ALL / 2), to_halves(f),
                          &(mcl_op){ .role = MCL_ROLE_ORDER, .expression = "0" }, options));
        expect_same(got(f), f->given, "mcl_merge");
        end(f);
    }
}
END_TEST

START_TEST(values_of_sorts_keep_every_bit)
{
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        const mcl_options *const options = &tilings[tiling];
        const mcl_options by_merging = merging(options);
        fixture *const f = begin(_i);
        test_ok(mcl_sort_pairs(f->queue, ints(f->numbers, ALL), halves(f), ints_out(f->out_numbers, ALL), to_halves(f),
                               MCL_LESS, &by_merging));
        expect_each_once(got(f), "mcl_sort_pairs");
        ck_assert_uint_eq(f->got[0], f->given[ALL - 1]);
        test_ok(mcl_locality_sort_pairs(f->queue, ints(f->numbers, ALL), halves(f), ints_out(f->out_numbers, ALL),
                                        to_halves(f), MCL_LESS, NULL, options));
        expect_each_once(got(f), "mcl_locality_sort_pairs");
        ck_assert_uint_eq(f->got[0], f->given[ALL - 1]);
        end(f);
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, copies_keep_every_bit, device);
    test_add(tcase, sorted_keys_keep_every_bit, device);
    test_add(tcase, values_of_sorts_keep_every_bit, device);
}

int main(void)
{
    return test_main("half_bits", add);
}
