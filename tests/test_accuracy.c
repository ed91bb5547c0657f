/* test_accuracy.c: every call that folds floats, in both mappings, without a flag and with the flags that fix its bits,
 * as docs/concepts.md says. Sums of numbers of one sign are as exact as docs/concepts.md says. NaN, infinity and -0 are
 * folded as elements, however many there are. */
#include "cases/elements.h"
#include "support/arrays.h"
#include "support/float_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

enum { MOST = 1000003 };
enum { TENTHS, THIRDS, RANDOM, FILLINGS };
static const char *const filling_names[] = { "tenths", "thirds", "random numbers" };
enum { ONE_RUN, SHORT_RUNS, ALL_RUNS, RUNS };

static float x[MOST], got[MOST];
static int32_t keys[MOST], groups[MOST], begins[MOST + 1], got_keys[MOST];
static uint32_t flags[MOST / 32 + 1];

/* Lets a run begin at element k. */
static void begin_run(float_numbers *made, int k)
{
    begins[made->run_count++] = k;
    flags[k / 32] |= 1u << k % 32;
}

static void make_buffers(int device, float_numbers *made)
{
    const size_t bytes = sizeof(float) * (size_t)made->count;
    begins[made->run_count] = (int32_t)made->count;
    made->in = array_of(device, x, bytes);
    made->key = array_of(device, keys, bytes);
    made->group = array_of(device, groups, bytes);
    made->begin = array_of(device, begins, sizeof(int32_t) * (size_t)(made->run_count + 1));
    made->flag = array_of(device, flags, sizeof flags);
    made->out = array_empty(device, bytes);
    made->out_keys = array_empty(device, bytes);
}

static float_numbers no_numbers(int count, const mcl_op *op)
{
    memset(flags, 0, sizeof flags);
    return (float_numbers){ .count = count, .x = x, .begins = begins, .keys = keys, .groups = groups, .op = op };
}

static float_numbers numbers_of(int device, int count, int filling, int runs)
{
    float_numbers made = no_numbers(count, MCL_ADD);
    int left = 0;
    for (int k = 0; k < count; k++, left--) {
        const uint64_t drawn = test_random(21, (uint64_t)k);
        x[k] = filling == TENTHS ? 0.1f : filling == THIRDS ? 1 / 3.0f : (float)(drawn >> 40) * 0x1p-24f;
        if (left == 0) {
            begin_run(&made, k);
            left = runs == ONE_RUN ? count : (int)(1 + drawn % (runs == SHORT_RUNS || drawn % 3 ? 100 : 100000));
        }
        keys[k] = made.run_count - 1;
    }
    for (int k = 0; k < count; k++) groups[k] = (int32_t)(test_random(22, (uint64_t)k) % (uint64_t)made.run_count);
    make_buffers(device, &made);
    return made;
}

static void release(float_numbers *n)
{
    mcl_buffer *const owned[] = { n->in, n->key, n->group, n->begin, n->flag, n->out, n->out_keys };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) mcl_buffer_release(owned[k]);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The largest error, in units of 2^-23 for each doubling of n. A sum of one number is exact. */
typedef struct error {
    double units;
    int64_t sum, of;
} error;

static void note(error *worst, int64_t sum, double exact, int64_t of)
{
    const double off = fabs((double)got[sum] - exact) / exact * 0x1p23;
    const double units = of > 1 ? off / log2((double)of) : off == 0 ? 0 : INFINITY;
    if (units > worst->units || !(off >= 0)) *worst = (error){ off >= 0 ? units : INFINITY, sum, of };
}

static error error_of_runs(const float_numbers *n, int is_whole, int is_each)
{
    error worst = { 0 };
    double exact = 0;
    int64_t of = 0, sum = 0;
    for (int64_t k = 0; k < n->count; k++) {
        const int ends = k + 1 == n->count || (!is_whole && keys[k + 1] != keys[k]);
        exact += (double)x[k];
        of++;
        if (ends || is_each) note(&worst, sum++, exact, of);
        if (ends) exact = 0, of = 0;
    }
    return worst;
}

static error error_of_groups(const float_numbers *n, const float_call *call)
{
    double *const exact = calloc((size_t)n->run_count, sizeof *exact);
    int64_t *const of = calloc((size_t)n->run_count, sizeof *of);
    error worst = { 0 };
    int found = 0;
    ck_assert(exact && of);
    for (int64_t k = 0; k < n->count; k++) {
        exact[groups[k]] += (double)x[k];
        of[groups[k]]++;
    }
    for (int k = 0; k < n->run_count; k++) found += of[k] > 0;
    for (int k = 0; k < (call->has_keys ? found : n->run_count); k++) {
        const int group = call->has_keys ? got_keys[k] : k;
        if (of[group] > 0)
            note(&worst, k, exact[group] / (call->kind == FLOAT_MEAN ? (double)of[group] : 1), of[group]);
    }
    free(exact);
    free(of);
    return worst;
}

static error error_of(int device, const float_call *call, const float_numbers *n)
{
    const size_t bytes = sizeof(float) * (size_t)n->count;
    array_read(device, n->out, got, bytes);
    array_read(device, n->out_keys, got_keys, bytes);
    if (call->sums == FLOAT_GROUPS) return error_of_groups(n, call);
    return error_of_runs(n, call->sums == FLOAT_ALL || call->sums == FLOAT_PREFIXES,
                         call->sums == FLOAT_PREFIXES || call->sums == FLOAT_RUN_PARTS);
}

/* ---- the test ---------------------------------------------------------------------------------------------------- */

static int takes_flags(const float_call *call, int threads)
{
    return call->flags == FLOAT_FLAGS || (call->flags == FLOAT_FLAGS_IN_SERIAL && threads == 1);
}

static void expect_bound(int device, const float_call *call, const float_numbers *n, const mcl_options *options,
                         int filling)
{
    const double said = options->flags ? 2 : options->tile_threads == 1 ? call->serial : call->group;
    test_device *const on = test_device_at(device);
    test_ok(call->call(on->context, on->queue, n, options));
    const error worst = error_of(device, call, n);
    const double bound = said > 0 ? said : worst.of > 1 ? (double)worst.of / 2 / log2((double)worst.of) : 0;
    ck_assert_msg(worst.units <= bound,
                  "%s, %d work-items a tile, flags %u, %s, %d runs of %d numbers: sum %d of %d numbers is off by %g "
                  "units for each doubling; expected at most %g",
                  call->name, options->tile_threads, options->flags, filling_names[filling], n->run_count,
                  (int)n->count, (int)worst.sum, (int)worst.of, worst.units, bound);
}

START_TEST(sums_of_floats_are_as_exact_as_the_page_says)
{
    static const int counts[] = { 100, 4999, 65536, MOST };
    for (int c = 0; c < 4; c++) {
        if (counts[c] > 5000 && test_is_small()) continue;
        for (int turn = 0; turn < FILLINGS * RUNS; turn++) {
            const int filling = turn % FILLINGS;
            if (turn > 0 && !test_sample_takes(turn, FILLINGS * RUNS)) continue;
            if (counts[c] == MOST && filling == THIRDS) continue;
            float_numbers numbers = numbers_of(_i, counts[c], filling, turn / FILLINGS);
            for (int k = 0; k < float_call_count; k++)
                for (int threads = 1; threads <= 64; threads *= 64)
                    if (test_takes_half(k + threads / 64))
                        expect_bound(_i, &float_calls[k], &numbers, &(mcl_options){ .tile_threads = threads }, filling);
            release(&numbers);
        }
    }
}
END_TEST

static void expect_with_flag(int device, const float_call *call, const float_numbers *n, int threads, unsigned flag)
{
    const mcl_options options = { .tile_threads = threads, .flags = flag };
    test_device *const on = test_device_at(device);
    if (takes_flags(call, threads))
        expect_bound(device, call, n, &options, TENTHS);
    else
        test_fails(call->call(on->context, on->queue, n, &options), MCL_ERROR_UNSUPPORTED, "MCL_");
}

START_TEST(sums_with_the_same_bits_are_as_exact)
{
    static const int counts[] = { 4999, MOST };
    for (int turn = 0; turn < 2 * RUNS; turn += 2) {
        const int count = counts[turn / 2 % 2];
        if (count > 5000 && test_is_small()) continue;
        float_numbers numbers = numbers_of(_i, count, TENTHS, turn / 2);
        for (int k = 0; k < float_call_count; k++)
            for (int threads = 1; threads <= 64; threads *= 64) /* a sample, since each program is compiled anew */
                if (test_is_full() || (k + turn / 2 + threads / 64) % 2 == 0)
                    expect_with_flag(_i, &float_calls[k], &numbers, threads,
                                     turn == 0 ? MCL_DETERMINISTIC : MCL_REPRODUCIBLE);
        release(&numbers);
    }
}
END_TEST

/* With small tiles each work-item has thousands of numbers, and each work-item of the last group thousands of parts. */
START_TEST(work_items_add_many_numbers_in_batches)
{
    enum { REDUCE = 0 };
    const mcl_options small = { .tile_threads = 2, .tile_items = 1 };
    float_numbers numbers = numbers_of(_i, MOST, TENTHS, ONE_RUN);
    expect_bound(_i, &float_calls[REDUCE], &numbers, &small, TENTHS);
    release(&numbers);
}
END_TEST

START_TEST(small_tiles_are_as_exact)
{
    enum { COUNT = 65537 };
    const mcl_options small = { .tile_threads = 2, .tile_items = 1 };
    float_numbers numbers = numbers_of(_i, COUNT, TENTHS, ONE_RUN);
    for (int k = 0; k < float_call_count && !test_is_small(); k++)
        if (test_sample_takes(k, float_call_count)) expect_bound(_i, &float_calls[k], &numbers, &small, TENTHS);
    release(&numbers);
}
END_TEST

/* ---- NaN, infinity and -0 ---------------------------------------------------------------------------------------- */

/* Four runs. Each has a first element from one table, and one value for all other elements. */
enum { SPECIAL_RUNS = 4 };
static const float special_first[SPECIAL_RUNS] = { NAN, -0.0f, INFINITY, 1 };
static const float special_rest[SPECIAL_RUNS] = { NAN, -0.0f, NAN, NAN };

static const struct {
    const char *name;
    float expected[SPECIAL_RUNS];
} special_folds[] = {
    { "MCL_ADD", { NAN, -0.0f, NAN, NAN } },
    { "MCL_MIN", { NAN, -0.0f, INFINITY, 1 } },
    { "MCL_MAX", { NAN, -0.0f, NAN, NAN } },
};

/* Makes numbers of run_count runs, each of length elements. */
static float_numbers special_numbers(int device, int first_run, int run_count, int length, const mcl_op *op)
{
    float_numbers made = no_numbers(run_count * length, op);
    for (int k = 0; k < run_count * length; k++) {
        const int run = k / length;
        x[k] = k % length == 0 ? special_first[first_run + run] : special_rest[first_run + run];
        keys[k] = groups[k] = run;
        if (k % length == 0) begin_run(&made, k);
    }
    make_buffers(device, &made);
    return made;
}

static int is_same(float a, float b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

/* Returns the expected fold of the first `of` elements of a run. */
static float special_sum(const float_call *call, int fold, int run, int64_t of)
{
    const float sum = of == 1 ? special_first[run] : special_folds[fold].expected[run];
    return call->kind == FLOAT_FROM_ZERO ? 0 + sum : sum;
}

/* Expects the sums of the runs from first_run on. For FLOAT_PREFIXES it expects each prefix. */
static void expect_special(int device, const float_call *call, const float_numbers *n, const mcl_options *options,
                           int fold, int first_run)
{
    const int64_t length = n->count / n->run_count;
    const int has_parts = call->sums == FLOAT_RUN_PARTS || call->sums == FLOAT_PREFIXES;
    test_device *const on = test_device_at(device);
    test_ok(call->call(on->context, on->queue, n, options));
    array_read(device, n->out, got, sizeof(float) * (size_t)n->count);
    array_read(device, n->out_keys, got_keys, sizeof(float) * (size_t)n->count);
    for (int64_t k = 0; k < (has_parts ? n->count : n->run_count); k++) {
        const int run = first_run + (call->has_keys ? got_keys[k] : (int)(has_parts ? k / length : k));
        const int64_t of = has_parts ? k % length + 1 : length;
        const float expected = special_sum(call, fold, run, of);
        ck_assert_msg(is_same(got[k], expected),
                      "%s by %s, %d work-items a tile, flags %u: %d numbers of a run that begins with %g give %g; "
                      "expected %g",
                      call->name, special_folds[fold].name, options->tile_threads, options->flags, (int)of,
                      (double)special_first[run], (double)got[k], (double)expected);
    }
}

/* Makes calls of whole sequences where there is one run, else the other calls. It does so in both mappings, without a
 * flag and, for few elements, with one. */
static void expect_special_of_calls(int device, const float_numbers *n, int fold, int first_run)
{
    enum { FEW = 20000 };
    for (int turn = 0; turn < 4 * float_call_count; turn++) {
        const float_call *const call = &float_calls[turn / 4];
        const mcl_options options = { .tile_threads = turn % 2 ? 64 : 1, .flags = turn % 4 < 2 ? 0 : MCL_REPRODUCIBLE };
        const int is_whole = call->sums == FLOAT_ALL || call->sums == FLOAT_PREFIXES;
        if (!call->folds_any && !(call->kind == FLOAT_FROM_ZERO && fold == 0)) continue;
        if (is_whole != (n->run_count == 1) || !test_takes_half(turn / 4 + turn + fold)) continue;
        if (options.flags && (n->count > FEW || !takes_flags(call, options.tile_threads))) continue;
        expect_special(device, call, n, &options, fold, first_run);
    }
}

/* For many rows, tables of groups work in other ways. */
START_TEST(folds_of_floats_begin_with_an_element_whatever_their_number_is)
{
    static const int lengths[] = { 1, 2, 5000, 250000 };
    const mcl_op *const ops[] = { MCL_ADD, MCL_MIN, MCL_MAX };
    for (int turn = 0; turn < 4 * 3; turn++) {
        const int length = lengths[turn / 3], fold = turn % 3;
        if (length > 5000 && test_is_small()) continue;
        for (int run = -1; run < SPECIAL_RUNS && length <= 5000 * (run < 0 ? 50 : 1); run++) {
            float_numbers numbers =
                special_numbers(_i, run < 0 ? 0 : run, run < 0 ? SPECIAL_RUNS : 1, length, ops[fold]);
            expect_special_of_calls(_i, &numbers, fold, run < 0 ? 0 : run);
            release(&numbers);
        }
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, sums_of_floats_are_as_exact_as_the_page_says, device);
    test_add(tcase, sums_with_the_same_bits_are_as_exact, device);
    test_add(tcase, work_items_add_many_numbers_in_batches, device);
    test_add(tcase, small_tiles_are_as_exact, device);
    test_add(tcase, folds_of_floats_begin_with_an_element_whatever_their_number_is, device);
}

int main(void)
{
    return test_main("accuracy", add);
}
