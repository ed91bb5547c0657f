/* test_sample_sort.c: a sort over ranks by calls of the core alone: samples, splitters, parts, runs. Ranks are threads
 * with a queue each, and memcpy between their arrays is the transport. The result is compared with one sort of all
 * elements. */
#include "support/arrays.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 7, SAMPLES_A_RANK = 64 };

/* Ways to sort. PART_FIRST: elements are put in parts, sent, and sorted at the end. Positions spread equal keys.
 * SORT_FIRST: each rank sorts, cuts by a search, and merges the runs that it gets. */
typedef enum way { PART_FIRST, SORT_FIRST } way;

typedef struct world {
    mcl_context *context;
    way way;
    const mcl_op *before;
    int ranks;
    int64_t count, stride;
    int32_t *keys; /* keys of all ranks, one rank after the other */
    int64_t sample_count;
    int32_t *samples;
    int64_t *positions;
    char wrong[RANKS_MOST][300];
} world;

/* Keys with values, which are the elements' positions in the whole. */
typedef struct pairs {
    int64_t count;
    int32_t *keys;
    int64_t *values;
} pairs;

typedef struct rank {
    world *of;
    int number;
    mcl_queue *queue;
    int64_t first, count;
    int64_t sample_at, sample_count; /* first index and number of the rank's own samples */
    pairs parted, came;
    int64_t part_at[RANKS_MOST + 1]; /* index in parted where the part of each rank begins */
    int64_t run_at[RANKS_MOST + 1];  /* index in came where the elements of each sender begin */
} rank;

static void pairs_make(pairs *made, int64_t count)
{
    made->count = count;
    made->keys = malloc((size_t)(count + 1) * sizeof *made->keys);
    made->values = malloc((size_t)(count + 1) * sizeof *made->values);
}

static void pairs_free(const pairs *given)
{
    free(given->keys);
    free(given->values);
}

/* Checks must not leave a thread, so a failure is passed to the main thread. */
#define RANK_TRY(call)                                                                                                 \
    do {                                                                                                               \
        if ((call) == MCL_OK || r->of->wrong[r->number][0]) break;                                                     \
        snprintf(r->of->wrong[r->number], sizeof r->of->wrong[0], "rank %d: %.250s", r->number, mcl_last_error());     \
    } while (0)

/* ---- arrays of a rank ------------------------------------------------------------------------------------------- */

static mcl_buffer *upload(rank *r, const void *data, int64_t count, size_t size)
{
    mcl_buffer *made = NULL;

    RANK_TRY(mcl_buffer_create(r->of->context, (size_t)count * size + 1, NULL, &made));
    if (data && count > 0) RANK_TRY(mcl_buffer_write(r->queue, made, 0, (size_t)count * size, data));
    return made;
}

static void download(rank *r, mcl_buffer *buffer, void *data, int64_t count, size_t size)
{
    if (count > 0) RANK_TRY(mcl_buffer_read(r->queue, buffer, 0, (size_t)count * size, data));
    mcl_buffer_release(buffer);
}

static mcl_input longs(mcl_buffer *buffer, int64_t count)
{
    return mcl_from_buffer(MCL_INT64, buffer, 0, count);
}

static mcl_output longs_out(mcl_buffer *buffer, int64_t count)
{
    return mcl_to_buffer(MCL_INT64, buffer, 0, count);
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static void *take_samples(void *given)
{
    rank *const r = given;
    const world *const w = r->of;
    mcl_buffer *in = upload(r, w->keys + r->first, r->count, sizeof(int32_t));
    mcl_buffer *keys = upload(r, NULL, r->sample_count, sizeof(int32_t));
    mcl_buffer *positions = upload(r, NULL, r->sample_count, sizeof(int64_t));

    RANK_TRY(mcl_splitters_sample(r->queue, ints(in, r->count), w->stride, r->first, ints_out(keys, r->sample_count),
                                  longs_out(positions, r->sample_count), NULL));
    download(r, keys, w->samples + r->sample_at, r->sample_count, sizeof(int32_t));
    download(r, positions, w->positions + r->sample_at, r->sample_count, sizeof(int64_t));
    mcl_buffer_release(in);
    return NULL;
}

/* Stores the splitters and their positions, which are the same on each rank. */
static void choose(rank *r, mcl_buffer *splitters, mcl_buffer *splitters_at)
{
    const world *const w = r->of;
    const int32_t one = 1;
    mcl_buffer *samples = upload(r, w->samples, w->sample_count, sizeof(int32_t));
    mcl_buffer *positions = upload(r, w->positions, w->sample_count, sizeof(int64_t));

    RANK_TRY(mcl_sort_pairs(r->queue, ints(samples, w->sample_count), longs(positions, w->sample_count),
                            ints_out(samples, w->sample_count), longs_out(positions, w->sample_count), w->before,
                            NULL));
    RANK_TRY(mcl_splitters_choose(r->queue, ints(samples, w->sample_count), longs(positions, w->sample_count),
                                  mcl_from_constant(MCL_INT32, &one, w->ranks), ints_out(splitters, w->ranks - 1),
                                  longs_out(splitters_at, w->ranks - 1), NULL));
    mcl_buffer_release(samples);
    mcl_buffer_release(positions);
}

/* Puts the elements in parts, in which they keep their order. */
static void part_elements(rank *r, mcl_buffer *in, mcl_buffer *splitters, mcl_buffer *splitters_at, mcl_buffer *keys,
                          mcl_buffer *values, mcl_buffer *offsets)
{
    const world *const w = r->of;
    const mcl_binding bindings[] = { mcl_binding_buffer("at", MCL_INT64, splitters_at, 0),
                                     mcl_binding_value("first", MCL_INT64, &r->first) };

    RANK_TRY(mcl_multisplit_by_splitters_pairs(
        r->queue, ints(in, r->count), mcl_from_counting(MCL_INT64, &r->first, r->count), ints_out(keys, r->count),
        longs_out(values, r->count), ints(splitters, w->ranks - 1),
        mcl_from_expression(MCL_INT64, "at[i] - first", NULL, bindings, 2, w->ranks - 1), w->before,
        longs_out(offsets, w->ranks + 1), (mcl_output){ 0 }, NULL));
}

/* Sorts the elements. The inner offsets are the lower bounds of splitters; the outer ones are known. */
static void sort_elements(rank *r, mcl_buffer *in, mcl_buffer *splitters, mcl_buffer *keys, mcl_buffer *values,
                          mcl_buffer *offsets)
{
    const world *const w = r->of;

    RANK_TRY(mcl_sort_pairs(r->queue, ints(in, r->count), mcl_from_counting(MCL_INT64, &r->first, r->count),
                            ints_out(keys, r->count), longs_out(values, r->count), w->before, NULL));
    RANK_TRY(mcl_sorted_search_needles(r->queue, ints(splitters, w->ranks - 1), ints(keys, r->count), MCL_LOWER,
                                       mcl_to_buffer(MCL_INT64, offsets, 1, w->ranks - 1), w->before, NULL));
}

static void *part(void *given)
{
    rank *const r = given;
    const world *const w = r->of;
    mcl_buffer *in = upload(r, w->keys + r->first, r->count, sizeof(int32_t));
    mcl_buffer *keys = upload(r, NULL, r->count, sizeof(int32_t)), *values = upload(r, NULL, r->count, sizeof(int64_t));
    mcl_buffer *splitters = upload(r, NULL, w->ranks, sizeof(int32_t));
    mcl_buffer *splitters_at = upload(r, NULL, w->ranks, sizeof(int64_t));
    mcl_buffer *offsets = upload(r, NULL, w->ranks + 1, sizeof(int64_t));

    choose(r, splitters, splitters_at);
    if (w->way == PART_FIRST)
        part_elements(r, in, splitters, splitters_at, keys, values, offsets);
    else
        sort_elements(r, in, splitters, keys, values, offsets);
    download(r, keys, r->parted.keys, r->count, sizeof(int32_t));
    download(r, values, r->parted.values, r->count, sizeof(int64_t));
    download(r, offsets, r->part_at, w->ranks + 1, sizeof(int64_t));
    if (w->way == SORT_FIRST) r->part_at[0] = 0;
    if (w->way == SORT_FIRST) r->part_at[w->ranks] = r->count;
    mcl_buffer_release(in);
    mcl_buffer_release(splitters);
    mcl_buffer_release(splitters_at);
    return NULL;
}

static void *finish(void *given)
{
    rank *const r = given;
    const world *const w = r->of;
    const int64_t count = r->came.count;
    mcl_buffer *in_keys = upload(r, r->came.keys, count, sizeof(int32_t));
    mcl_buffer *in_values = upload(r, r->came.values, count, sizeof(int64_t));
    mcl_buffer *keys = upload(r, NULL, count, sizeof(int32_t)), *values = upload(r, NULL, count, sizeof(int64_t));
    mcl_buffer *runs = upload(r, r->run_at, w->ranks + 1, sizeof(int64_t));

    if (w->way == PART_FIRST)
        RANK_TRY(mcl_sort_pairs(r->queue, ints(in_keys, count), longs(in_values, count), ints_out(keys, count),
                                longs_out(values, count), w->before, NULL));
    else
        RANK_TRY(mcl_merge_runs_pairs(r->queue, ints(in_keys, count), longs(in_values, count),
                                      longs(runs, w->ranks + 1), ints_out(keys, count), longs_out(values, count),
                                      w->before, NULL));
    download(r, keys, r->came.keys, count, sizeof(int32_t));
    download(r, values, r->came.values, count, sizeof(int64_t));
    mcl_buffer_release(in_keys);
    mcl_buffer_release(in_values);
    mcl_buffer_release(runs);
    return NULL;
}

/* ---- the transport ---------------------------------------------------------------------------------------------- */

/* Runs a step on all ranks at once. */
static void on_all(rank *ranks, void *(*step)(void *rank))
{
    const world *const w = ranks[0].of;
    pthread_t threads[RANKS_MOST];

    for (int k = 0; k < w->ranks; k++) ck_assert_int_eq(pthread_create(&threads[k], NULL, step, &ranks[k]), 0);
    for (int k = 0; k < w->ranks; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < w->ranks; k++) ck_assert_msg(!w->wrong[k][0], "%s", w->wrong[k]);
}

/* Copies each part to its rank, ordered by the sending ranks. */
static void exchange(rank *ranks)
{
    const int count = ranks[0].of->ranks;

    for (int to = 0; to < count; to++) {
        rank *const r = &ranks[to];
        r->run_at[0] = 0;
        for (int from = 0; from < count; from++)
            r->run_at[from + 1] = r->run_at[from] + ranks[from].part_at[to + 1] - ranks[from].part_at[to];
        pairs_make(&r->came, r->run_at[count]);
        for (int from = 0; from < count; from++) {
            const pairs *parted = &ranks[from].parted;
            const int64_t at = ranks[from].part_at[to], length = r->run_at[from + 1] - r->run_at[from];
            memcpy(r->came.keys + r->run_at[from], parted->keys + at, (size_t)length * sizeof *parted->keys);
            memcpy(r->came.values + r->run_at[from], parted->values + at, (size_t)length * sizeof *parted->values);
        }
    }
}

/* ---- the test --------------------------------------------------------------------------------------------------- */

/* Returns the first element of a rank. Shares are uneven: the second rank has none, and the last one most. */
static int64_t first_of(const world *w, int number)
{
    if (number == w->ranks) return w->count;
    return number < 2 ? number * w->count / (2 * w->ranks) : (number - 1) * w->count / (2 * w->ranks);
}

static void ranks_make(world *w, rank *ranks)
{
    for (int k = 0; k < w->ranks; k++) {
        rank *const r = &ranks[k];
        const int64_t first = first_of(w, k), count = first_of(w, k + 1) - first;
        *r = (rank){ .of = w, .number = k, .first = first, .count = count, .sample_at = w->sample_count };
        r->sample_count = (count + w->stride - 1) / w->stride;
        w->sample_count += r->sample_count;
        pairs_make(&r->parted, count);
        test_ok(mcl_queue_create(w->context, 0, &r->queue));
    }
    w->samples = malloc((size_t)w->sample_count * sizeof *w->samples + 1);
    w->positions = malloc((size_t)w->sample_count * sizeof *w->positions + 1);
}

static void sort_whole(int device, const world *w, int32_t *keys, int64_t *values)
{
    const int64_t zero = 0, count = w->count;
    mcl_buffer *in = array_of(device, w->keys, (size_t)count * sizeof *keys);
    mcl_buffer *out = array_empty(device, (size_t)count * sizeof *keys);
    mcl_buffer *beside = array_empty(device, (size_t)count * sizeof *values);

    test_ok(mcl_sort_pairs(test_device_at(device)->queue, ints(in, count), mcl_from_counting(MCL_INT64, &zero, count),
                           ints_out(out, count), longs_out(beside, count), w->before, NULL));
    array_read(device, out, keys, (size_t)count * sizeof *keys);
    array_read(device, beside, values, (size_t)count * sizeof *values);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(beside);
}

/* Checks the whole. With positions no part has twice its share, however many keys are equal. */
static void expect_whole(int device, const world *w, const rank *ranks)
{
    pairs whole;
    int64_t at = 0;

    pairs_make(&whole, w->count);
    sort_whole(device, w, whole.keys, whole.values);
    for (int k = 0; k < w->ranks; k++) {
        const pairs *came = &ranks[k].came;
        ck_assert_int_le(at + came->count, w->count);
        ck_assert_msg(!memcmp(came->keys, whole.keys + at, (size_t)came->count * sizeof *came->keys), "keys of %d", k);
        ck_assert_msg(!memcmp(came->values, whole.values + at, (size_t)came->count * sizeof *came->values),
                      "values of %d", k);
        if (w->way == PART_FIRST && w->stride > 1) ck_assert_int_le(came->count, 2 * w->count / w->ranks);
        at += came->count;
    }
    ck_assert_int_eq(at, w->count);
    pairs_free(&whole);
}

/* Fills keys: random, with few values, equal or sorted. */
static void fill(int32_t *keys, int64_t count, int kind)
{
    random_ints(keys, count, kind == 0 ? 1000000 : kind == 1 ? 4 : kind == 2 ? 1 : 300, (uint64_t)kind, kind == 3);
}

static void sort_over_ranks(int device, way way, int rank_count, int64_t count, int kind, const mcl_op *before)
{
    world w = { .context = test_device_at(device)->context, .way = way, .before = before, .ranks = rank_count };
    rank ranks[RANKS_MOST];

    w.count = count;
    w.stride = 1 + count / (SAMPLES_A_RANK * rank_count);
    w.keys = malloc((size_t)count * sizeof *w.keys);
    fill(w.keys, count, kind);
    ranks_make(&w, ranks);
    on_all(ranks, take_samples);
    on_all(ranks, part);
    exchange(ranks);
    on_all(ranks, finish);
    expect_whole(device, &w, ranks);
    for (int k = 0; k < rank_count; k++) {
        pairs_free(&ranks[k].parted);
        pairs_free(&ranks[k].came);
        mcl_queue_release(ranks[k].queue);
    }
    free(w.keys);
    free(w.samples);
    free(w.positions);
}

START_TEST(a_sort_over_ranks_is_one_sort)
{
    static const mcl_op by_text = { .role = MCL_ROLE_ORDER, .expression = "p % 1000 < q % 1000" };
    static const int rank_counts[] = { 1, 2, 3, RANKS_MOST };
    const mcl_op *const orders[] = { MCL_LESS, MCL_GREATER, &by_text };
    enum { ROUNDS = 2 * 4 * 4 };

    for (int round = 0; round < ROUNDS; round++) {
        if (!test_sample_takes(round, ROUNDS)) continue;
        const int64_t count = round % 5 == 4 ? 1 + round : test_is_small() ? 3000 : 40000;
        sort_over_ranks(_i, (way)(round % 2), rank_counts[round / 2 % 4], count, round / 8, orders[round % 3]);
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_sort_over_ranks_is_one_sort, device);
}

int main(void)
{
    return test_main("sample_sort", add);
}
