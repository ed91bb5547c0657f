/* test_lists.c: tests merges, selections, compactions, runs and histograms of sequences on ranks, against the core's
 * calls on the whole sequence. */
#include "ranks_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

/* Copies the whole sequence to a buffer, on rank 0. */
static mcl_buffer *whole_of(ranks_test *test, const spread *data)
{
    mcl_buffer *buffer = NULL;
    expect_core(test, mcl_buffer_create(test->context, (size_t)data->count * data->type->size, data->whole, &buffer),
                "the whole");
    return buffer;
}

static mcl_buffer *room_for(ranks_test *test, size_t bytes)
{
    mcl_buffer *buffer = NULL;
    expect_core(test, mcl_buffer_create(test->context, bytes, NULL, &buffer), "room for the whole");
    return buffer;
}

static void read_all(ranks_test *test, mcl_buffer *buffer, size_t bytes, void *out)
{
    expect_core(test, mcl_buffer_read(test->queue, buffer, 0, bytes, out), "the whole's result");
    mcl_buffer_release(buffer);
}

/* Compares a count of all ranks with the count that rank 0 expects. */
static void expect_count(ranks_test *test, int64_t whole, int64_t expected, const char *what)
{
    expect_bytes(test, &whole, &expected, sizeof whole, what);
}

/* ---- compact, unique, by key ------------------------------------------------------------------------------- */

static const mcl_op odd_places = { .role = MCL_ROLE_TEST, .expression = "i % 3 == 1 && x % 2 == 0" };

static void compact_case(ranks_test *test, const spread *data, const mcl_op *keep, const char *name)
{
    static _Thread_local uint32_t expected[MOST];
    int64_t own = -1, whole = -1, all = 0;
    room out = room_make(test, data->type, data->own);
    const int is_unique = keep->role == MCL_ROLE_EQUALITY;
    const mcl_result count = mcl_to_host(MCL_INT64, &own), sum = mcl_to_host(MCL_INT64, &whole);
    const mcl_input in = spread_input(data);
    expect_ok(test,
              is_unique ? mcl_mpi_unique(test->mpi, in, room_output(&out), keep, count, sum, NULL)
                        : mcl_mpi_compact(test->mpi, in, room_output(&out), keep, count, sum, NULL),
              name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, sizeof expected);
        const mcl_input all_in = mcl_from_buffer(data->type, from, 0, data->count);
        const mcl_output all_out = mcl_to_buffer(data->type, to, 0, MOST);
        expect_core(test,
                    is_unique ? mcl_unique(test->queue, all_in, all_out, keep, mcl_to_host(MCL_INT64, &all), NULL)
                              : mcl_compact(test->queue, all_in, all_out, keep, mcl_to_host(MCL_INT64, &all), NULL),
                    name);
        read_all(test, to, sizeof expected, expected);
        mcl_buffer_release(from);
    }
    expect_count(test, whole, all, name);
    expect_part(test, &out, expected, whole, sum_of_lower(test, own), own, name);
    room_free(&out);
}

static void partition_case(ranks_test *test, const spread *data, const mcl_op *keep, const char *name)
{
    static _Thread_local uint32_t kept[MOST], rejected[MOST];
    int64_t own[2] = { -1, -1 }, whole[2] = { -1, -1 }, all[2] = { 0, 0 };
    room out = room_make(test, data->type, data->own), rest = room_make(test, data->type, data->own);
    expect_ok(test,
              mcl_mpi_partition(test->mpi, spread_input(data), room_output(&out), room_output(&rest), keep,
                                mcl_to_host(MCL_INT64, own), mcl_to_host(MCL_INT64, whole), NULL),
              name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, sizeof kept),
                          *const to_rest = room_for(test, sizeof rejected);
        expect_core(test,
                    mcl_partition(test->queue, mcl_from_buffer(data->type, from, 0, data->count),
                                  mcl_to_buffer(data->type, to, 0, MOST), mcl_to_buffer(data->type, to_rest, 0, MOST),
                                  keep, mcl_to_host(MCL_INT64, all), NULL),
                    name);
        read_all(test, to, sizeof kept, kept);
        read_all(test, to_rest, sizeof rejected, rejected);
        mcl_buffer_release(from);
    }
    expect_count(test, whole[0], all[0], name);
    expect_count(test, whole[1], all[1], name);
    expect_part(test, &out, kept, whole[0], sum_of_lower(test, own[0]), own[0], name);
    expect_part(test, &rest, rejected, whole[1], sum_of_lower(test, own[1]), own[1], name);
    room_free(&out);
    room_free(&rest);
}

static void by_key_case(ranks_test *test, const spread *keys, const mcl_op *op, const mcl_type *type, const char *name)
{
    static _Thread_local uint32_t expected_keys[MOST];
    static _Thread_local uint64_t expected[MOST];
    int64_t own = -1, whole = -1, all = 0;
    room out_keys = room_make(test, keys->type, keys->own), out = room_make(test, type, keys->own);
    const int64_t one = 1;
    expect_ok(test,
              mcl_mpi_reduce_by_key(test->mpi, spread_input(keys),
                                    mcl_from_step(MCL_INT64, &keys->first, &one, keys->own), room_output(&out_keys),
                                    room_output(&out), op, NULL, mcl_to_host(MCL_INT64, &own),
                                    mcl_to_host(MCL_INT64, &whole), NULL),
              name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, keys), *const to_keys = room_for(test, sizeof expected_keys),
                          *const to = room_for(test, sizeof expected);
        const int64_t zero = 0;
        expect_core(test,
                    mcl_reduce_by_key(test->queue, mcl_from_buffer(keys->type, from, 0, keys->count),
                                      mcl_from_counting(MCL_INT64, &zero, keys->count),
                                      mcl_to_buffer(keys->type, to_keys, 0, MOST), mcl_to_buffer(type, to, 0, MOST), op,
                                      NULL, mcl_to_host(MCL_INT64, &all), NULL),
                    name);
        read_all(test, to_keys, sizeof expected_keys, expected_keys);
        read_all(test, to, sizeof expected, expected);
        mcl_buffer_release(from);
    }
    expect_count(test, whole, all, name);
    const int64_t first = sum_of_lower(test, own);
    expect_part(test, &out_keys, expected_keys, whole, first, own, name);
    expect_part(test, &out, expected, whole, first, own, name);
    room_free(&out_keys);
    room_free(&out);
}

/* ---- selection --------------------------------------------------------------------------------------------- */

static void top_case(ranks_test *test, const spread *data, int64_t k, const mcl_op *before, const char *name)
{
    static _Thread_local uint32_t expected[MOST];
    static _Thread_local int64_t indices[MOST];
    const int64_t chosen = k < data->count ? k : data->count;
    int64_t got = -1;
    room out = room_make(test, data->type, chosen), values = room_make(test, MCL_INT64, chosen),
         order = room_make(test, MCL_INT64, chosen);
    const mcl_input in = spread_input(data), numbers = mcl_from_counting(MCL_INT64, &data->first, data->own);
    expect_ok(test,
              mcl_mpi_top_k_pairs(test->mpi, in, numbers, k, room_output(&out), room_output(&values), before,
                                  mcl_to_host(MCL_INT64, &got), NULL),
              name);
    expect_ok(test, mcl_mpi_top_k_indices(test->mpi, in, k, room_output(&order), before, mcl_to_nowhere(), NULL), name);
    if (test->rank == 0 && chosen > 0) {
        mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, sizeof expected),
                          *const to_indices = room_for(test, sizeof indices);
        const int64_t zero = 0;
        expect_core(test,
                    mcl_top_k_pairs(test->queue, mcl_from_buffer(data->type, from, 0, data->count),
                                    mcl_from_counting(MCL_INT64, &zero, data->count), mcl_amount_of(k),
                                    mcl_to_buffer(data->type, to, 0, MOST),
                                    mcl_to_buffer(MCL_INT64, to_indices, 0, MOST), before, mcl_to_nowhere(), NULL),
                    name);
        read_all(test, to, sizeof expected, expected);
        read_all(test, to_indices, sizeof indices, indices);
        mcl_buffer_release(from);
    }
    expect_true(test, got == chosen, name);
    expect_part(test, &out, expected, chosen, 0, chosen, name);
    expect_part(test, &values, indices, chosen, 0, chosen, name);
    expect_part(test, &order, indices, chosen, 0, chosen, name);
    room_free(&out);
    room_free(&values);
    room_free(&order);
}

static void nth_case(ranks_test *test, const spread *data, int64_t nth, const mcl_op *before, const char *name)
{
    uint32_t got = 0, expected = 1;
    if (nth >= data->count) {
        expect_failure(
            test, mcl_mpi_nth_element(test->mpi, spread_input(data), nth, mcl_to_host(data->type, &got), before, NULL),
            MCL_ERROR_ARGUMENT, "mcl_mpi_nth_element: rank 0: nth is", name);
        return;
    }
    expect_ok(test,
              mcl_mpi_nth_element(test->mpi, spread_input(data), nth, mcl_to_host(data->type, &got), before, NULL),
              name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, data);
        expect_core(test,
                    mcl_nth_element(test->queue, mcl_from_buffer(data->type, from, 0, data->count), mcl_amount_of(nth),
                                    mcl_to_host(data->type, &expected), before, NULL),
                    name);
        mcl_buffer_release(from);
    }
    expect_bytes(test, &got, &expected, sizeof got, name);
}

/* A list of indices or fractions, and the type of the results. */
typedef struct points {
    mcl_input list;
    int are_fractions;
    mcl_interpolation interpolation;
    const mcl_type *out;
} points;

static void points_of_whole(ranks_test *test, const spread *data, const points *at, void *expected, const char *name)
{
    const size_t bytes = (size_t)at->list.count * at->out->size;
    mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, bytes);
    const mcl_input keys = mcl_from_buffer(data->type, from, 0, data->count);
    const mcl_output out = mcl_to_buffer(at->out, to, 0, at->list.count);
    expect_core(test,
                at->are_fractions ? mcl_quantiles(test->queue, keys, at->list, out, MCL_LESS, at->interpolation, NULL)
                                  : mcl_nth_elements(test->queue, keys, at->list, out, MCL_LESS, NULL),
                name);
    read_all(test, to, bytes, expected);
    mcl_buffer_release(from);
}

static void points_case(ranks_test *test, const spread *data, const points *at, const char *name)
{
    static _Thread_local double expected[MOST];
    const int64_t count = data->count > 0 ? at->list.count : 0; /* without keys the output does not change */
    room out = room_make(test, at->out, at->list.count);
    const mcl_input keys = spread_input(data);
    expect_ok(test,
              at->are_fractions
                  ? mcl_mpi_quantiles(test->mpi, keys, at->list, room_output(&out), MCL_LESS, at->interpolation, NULL)
                  : mcl_mpi_nth_elements(test->mpi, keys, at->list, room_output(&out), MCL_LESS, NULL),
              name);
    if (test->rank == 0 && count > 0) points_of_whole(test, data, at, expected, name);
    expect_part(test, &out, expected, count, 0, count, name);
    room_free(&out);
}

/* Selects keys at indices from before the first key to after the last one: with few indices, and with more than
 * counting can find. The positions of the fractions are exact in floats, so that every compiler gets the same
 * result. */
static void points_cases(ranks_test *test, const spread *data, const char *name)
{
    const float before = -0.125f, eighth = 0.125f;
    const double low = 1.25, down = -0.25;
    for (int64_t count = 5; count <= 90; count += 85) {
        const int64_t step = data->count / (count - 2) + 1, first = data->count + step - count * step;
        const points at = { mcl_from_step(MCL_INT64, &first, &step, count), 0, MCL_INTERPOLATION_LOWER, data->type };
        points_case(test, data, &at, name);
    }
    const points between = { mcl_from_step(MCL_FLOAT, &before, &eighth, 11), 1, MCL_INTERPOLATION_LINEAR, MCL_FLOAT };
    const points nearest = { mcl_from_step(MCL_DOUBLE, &low, &down, 6), 1, MCL_INTERPOLATION_NEAREST, data->type };
    points_case(test, data, &between, name);
    points_case(test, data, &nearest, name);
}

/* Kinds of reals: numbers a quarter apart, some equal, and numbers far away. These are infinities at both ends,
 * infinities in both halves, or the largest finite numbers. Steps between neighbours do not overflow. */
enum { ENDS, HALVES, LARGEST, REAL_KINDS };

static double real_of(int kind, int64_t at, int64_t count, double largest)
{
    const double far = kind == LARGEST ? largest : INFINITY;
    const int64_t low = kind == ENDS ? count / 4 : count / 2, high = kind == ENDS ? count - 3 : count / 2;
    return at < low ? -far : at >= high ? far : (double)(at / 3) / 4;
}

static void real_cases(ranks_test *test, const mcl_type *type, int64_t count, cut_kind cut, const char *name)
{
    static _Thread_local double wide[MOST];
    static _Thread_local float narrow[MOST];
    const float first = 0, step = 0.0625F;
    const int is_wide = type == MCL_DOUBLE;
    for (int kind = 0; kind < REAL_KINDS; ++kind) {
        for (int64_t k = 0; k < count; ++k) {
            wide[k] = real_of(kind, k * 7 % count, count, is_wide ? DBL_MAX : FLT_MAX); /* 7 divides no count */
            narrow[k] = (float)wide[k];
        }
        spread data = spread_make(test, type, is_wide ? (void *)wide : narrow, count, cut);
        for (int middle = 0; middle < 2; ++middle) {
            const points at = { mcl_from_step(MCL_FLOAT, &first, &step, 17), 1,
                                middle ? MCL_INTERPOLATION_MIDPOINT : MCL_INTERPOLATION_LINEAR, type };
            points_case(test, &data, &at, name);
        }
        spread_free(&data);
    }
}

/* ---- merge and histogram ----------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* Merges two sequences. Values tell the sequence and the index of each key, so that the test sees whether the merge is
 * stable. */
static void merge_case(ranks_test *test, const uint32_t *numbers, int64_t count, cut_kind cut, const char *name)
{
    static _Thread_local uint32_t sorted_a[MOST], sorted_b[MOST], expected[MOST];
    static _Thread_local int64_t expected_values[MOST];
    const int64_t a_count = count / 3, b_count = count - a_count, from_b = 1000000;
    memcpy(sorted_a, numbers, (size_t)a_count * 4);
    memcpy(sorted_b, numbers + a_count, (size_t)b_count * 4);
    qsort(sorted_a, (size_t)a_count, 4, compare_keys);
    qsort(sorted_b, (size_t)b_count, 4, compare_keys);
    spread a = spread_make(test, MCL_UINT32, sorted_a, a_count, cut),
           b = spread_make(test, MCL_UINT32, sorted_b, b_count, (cut_kind)((cut + 1) % CUT_KINDS));
    int64_t first = 0, got = -1;
    const int64_t own = even_share(test, count, &first), b_first = from_b + b.first;
    room out = room_make(test, MCL_UINT32, own), values = room_make(test, MCL_INT64, own);
    for (int64_t i = 0, j = 0; i + j < count;) {
        const int takes_a = j == b_count || (i < a_count && sorted_a[i] <= sorted_b[j]);
        expected[i + j] = takes_a ? sorted_a[i] : sorted_b[j];
        expected_values[i + j] = takes_a ? i : from_b + j;
        if (takes_a)
            ++i;
        else
            ++j;
    }
    expect_ok(test,
              mcl_mpi_merge_pairs(test->mpi, spread_input(&a), mcl_from_counting(MCL_INT64, &a.first, a.own),
                                  spread_input(&b), mcl_from_counting(MCL_INT64, &b_first, b.own), MCL_MPI_EVEN,
                                  room_output(&out), room_output(&values), MCL_LESS, mcl_to_host(MCL_INT64, &got),
                                  NULL),
              name);
    expect_true(test, got == own, name);
    expect_part(test, &out, expected, count, first, own, name);
    expect_part(test, &values, expected_values, count, first, own, name);
    expect_ok(test,
              mcl_mpi_merge(test->mpi, spread_input(&a), spread_input(&b), MCL_MPI_EVEN, room_output(&out), MCL_LESS,
                            mcl_to_nowhere(), NULL),
              name);
    expect_part(test, &out, expected, count, first, own, name);
    room_free(&out);
    room_free(&values);
    spread_free(&a);
    spread_free(&b);
}

static void histogram_case(ranks_test *test, const spread *data, const mcl_op *bin, int64_t bin_count, const char *name)
{
    static _Thread_local int64_t expected[64];
    room out = room_make(test, MCL_INT64, bin_count);
    const mcl_input in = spread_input(data);
    expect_ok(test,
              bin ? mcl_mpi_histogram(test->mpi, in, bin, NULL, room_output(&out), NULL)
                  : mcl_mpi_histogram_even(test->mpi, in, 0, 40, NULL, room_output(&out), NULL),
              name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, sizeof expected);
        const mcl_input all = mcl_from_buffer(data->type, from, 0, data->count);
        const mcl_output bins = mcl_to_buffer(MCL_INT64, to, 0, bin_count);
        expect_core(test,
                    bin ? mcl_histogram(test->queue, all, bin, NULL, bins, NULL)
                        : mcl_histogram_even(test->queue, all, 0, 40, NULL, bins, NULL),
                    name);
        read_all(test, to, (size_t)bin_count * 8, expected);
        mcl_buffer_release(from);
    }
    expect_part(test, &out, expected, bin_count, 0, bin_count, name);
    room_free(&out);
}

/* ---- suite ------------------------------------------------------------------------------------------------- */

/* A fold to the last value. It is associative, but not commutative. */
static const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q" };
static const mcl_op by_place = { .role = MCL_ROLE_INDEX, .expression = "(x + i) % 50" };

static void list_cases(ranks_test *test, const spread *data, const char *name)
{
    compact_case(test, data, &odd_places, name);
    compact_case(test, data, MCL_EQUAL, name);
    partition_case(test, data, &odd_places, name);
    by_key_case(test, data, MCL_ADD, MCL_INT64, name);
    by_key_case(test, data, &last, MCL_INT64, name);
    by_key_case(test, data, MCL_MAX_INDEX, MCL_INT64, name);
    top_case(test, data, 5, MCL_LESS, name);
    top_case(test, data, 700, MCL_LESS, name);
    nth_case(test, data, data->count / 2, MCL_LESS, name);
    nth_case(test, data, data->count - (data->count > 0), MCL_LESS, name);
    points_cases(test, data, name);
    histogram_case(test, data, &by_place, 37, name);
    histogram_case(test, data, NULL, 8, name);
}

void test_lists(ranks_test *test)
{
    static const int64_t counts[] = { 0, 1, 12, MOST };
    static _Thread_local uint32_t numbers[MOST];
    for (int64_t count = 12; count <= 50; count += 19) {
        for (int cut = 0; cut < CUT_KINDS; ++cut) {
            if (!is_sampled(test)) continue;
            char name[64];
            snprintf(name, sizeof name, "reals, %lld, cut %d", (long long)count, cut);
            real_cases(test, cut % 2 ? MCL_FLOAT : MCL_DOUBLE, count, (cut_kind)cut, name);
        }
    }
    for (int kind = 0; kind < 3; ++kind) {
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
            uint64_t seed = (uint64_t)kind * 100 + n;
            /* random keys; long runs over several ranks; equal keys */
            for (int64_t k = 0; k < counts[n]; ++k)
                numbers[k] = kind == 0 ? (uint32_t)(random_next(&seed) % 50) : kind == 1 ? (uint32_t)(k / 400 % 3) : 4;
            for (int cut = 0; cut < CUT_KINDS; ++cut) {
                if (!is_sampled(test)) continue;
                char name[64];
                snprintf(name, sizeof name, "lists of %lld, kind %d, cut %d", (long long)counts[n], kind, cut);
                spread data = spread_make(test, MCL_UINT32, numbers, counts[n], (cut_kind)cut);
                list_cases(test, &data, name);
                merge_case(test, numbers, counts[n], (cut_kind)cut, name);
                spread_free(&data);
            }
        }
    }
}
