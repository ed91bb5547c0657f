/* test_sorts.c: tests sorts of sequences on ranks, with several distributions of keys, and several cuts over ranks. */
#define _GNU_SOURCE
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MCL_SOURCE(
    record_source, typedef struct record {
        uint16_t group;
        uint16_t serial;
        uint32_t weight;
        uint32_t tail;
    } record;)
static const mcl_type record_type = MCL_TYPE(record, record_source);
static const mcl_op by_group = { .role = MCL_ROLE_ORDER, .expression = "p.group > q.group" };

typedef enum key_kind { KEYS_RANDOM, KEYS_EQUAL, KEYS_SKEWED, KEYS_SORTED, KEYS_REVERSED, KEYS_KINDS } key_kind;

enum { COUNT_MOST = 4000 };

static uint32_t key_at(key_kind kind, int64_t k, int64_t count, uint64_t *seed)
{
    const uint64_t random = random_next(seed);
    switch (kind) {
    case KEYS_EQUAL:
        return 5;
    case KEYS_SKEWED: /* frequency of key j: about 1 / j (Zipf's law) */
        return (uint32_t)(1000 / (1 + random % 1000));
    case KEYS_SORTED:
        return (uint32_t)k;
    case KEYS_REVERSED:
        return (uint32_t)(count - k);
    default:
        return (uint32_t)random;
    }
}

/* Sorts the whole sequence by the core, on rank 0. */
static void sort_whole(ranks_test *test, const spread *keys, const mcl_op *before, unsigned char *sorted,
                       int64_t *indices)
{
    if (test->rank != 0 || keys->count == 0) return;
    const size_t bytes = (size_t)keys->count * keys->type->size;
    mcl_buffer *in = NULL, *out = NULL, *order = NULL;
    const int64_t zero = 0;
    expect_core(test, mcl_buffer_create(test->context, bytes, keys->whole, &in), "a buffer");
    expect_core(test, mcl_buffer_create(test->context, bytes, NULL, &out), "a buffer");
    expect_core(test, mcl_buffer_create(test->context, (size_t)keys->count * 8, NULL, &order), "a buffer");
    expect_core(test,
                mcl_sort_pairs(test->queue, mcl_from_buffer(keys->type, in, 0, keys->count),
                               mcl_from_counting(MCL_INT64, &zero, keys->count),
                               mcl_to_buffer(keys->type, out, 0, keys->count),
                               mcl_to_buffer(MCL_INT64, order, 0, keys->count), before, NULL),
                "the whole is sorted");
    expect_core(test, mcl_buffer_read(test->queue, out, 0, bytes, sorted), "the whole is read");
    expect_core(test, mcl_buffer_read(test->queue, order, 0, (size_t)keys->count * 8, indices), "the whole is read");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(order);
}

/* Returns a rank's share: an even share, its number of elements, or all elements on rank 0. */
static int64_t share_of(const ranks_test *test, int rule, const spread *keys, int64_t *first, int64_t *asked)
{
    *asked = rule == 0 ? MCL_MPI_EVEN : MCL_MPI_SAME;
    if (rule == 0) return even_share(test, keys->count, first);
    *first = keys->first;
    if (rule == 1) return keys->own;
    *first = test->rank == 0 ? 0 : keys->count;
    return *asked = test->rank == 0 ? keys->count : 0;
}

static void sort_case(ranks_test *test, const spread *keys, const mcl_op *before, int rule, const char *name)
{
    unsigned char *const sorted = malloc((size_t)(keys->count + 1) * keys->type->size);
    int64_t *const indices = malloc((size_t)(keys->count + 1) * 8), first = 0, asked = 0, got = -1;
    const int64_t own = share_of(test, rule, keys, &first, &asked);
    room out = room_make(test, keys->type, own), values = room_make(test, MCL_INT64, own),
         order = room_make(test, MCL_INT64, own);
    const mcl_input in = spread_input(keys), numbers = mcl_from_counting(MCL_INT64, &keys->first, keys->own);
    sort_whole(test, keys, before, sorted, indices);
    if (rule != 1) {
        expect_ok(test,
                  mcl_mpi_sort_pairs(test->mpi, in, numbers, asked, room_output(&out), room_output(&values), before,
                                     mcl_to_host(MCL_INT64, &got), NULL),
                  name);
        expect_part(test, &values, indices, keys->count, first, own, name);
    } else {
        expect_ok(test,
                  mcl_mpi_sort(test->mpi, in, asked, room_output(&out), before, mcl_to_host(MCL_INT64, &got), NULL),
                  name);
    }
    expect_true(test, got == own, name);
    expect_part(test, &out, sorted, keys->count, first, own, name);
    expect_ok(test, mcl_mpi_sort_indices(test->mpi, in, asked, room_output(&order), before, mcl_to_nowhere(), NULL),
              name);
    expect_part(test, &order, indices, keys->count, first, own, name);
    room_free(&out);
    room_free(&values);
    room_free(&order);
    free(sorted);
    free(indices);
}

/* Checks that every rank gets its share of keys, although the order contradicts itself. */
static void contradiction_case(ranks_test *test, const spread *keys, const char *expression)
{
    const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = expression };
    int64_t got = -1, first = 0;
    const int64_t own = even_share(test, keys->count, &first);
    room out = room_make(test, keys->type, own);
    expect_ok(test,
              mcl_mpi_sort(test->mpi, spread_input(keys), MCL_MPI_EVEN, room_output(&out), &before,
                           mcl_to_host(MCL_INT64, &got), NULL),
              expression);
    expect_true(test, got == own, expression);
    room_free(&out);
}

/* Sorts every kind_step-th distribution, with the counts from first_count on. */
static void sort_all(ranks_test *test, int kind_step, size_t first_count)
{
    static const int64_t counts[] = { 0, 1, 9, COUNT_MOST };
    uint32_t keys[COUNT_MOST];
    record records[COUNT_MOST];
    int round = 0;
    for (int kind = 0; kind < KEYS_KINDS; kind += kind_step) {
        for (size_t n = first_count; n < sizeof counts / sizeof counts[0]; ++n, ++round) {
            uint64_t seed = (uint64_t)kind + n * 10;
            for (int64_t k = 0; k < counts[n]; ++k) {
                keys[k] = key_at((key_kind)kind, k, counts[n], &seed);
                records[k] = (record){ (uint16_t)(keys[k] % 50), (uint16_t)k, keys[k], ~keys[k] };
            }
            for (int cut = round % 2; cut < CUT_KINDS; cut += 2) {
                if (!is_sampled(test)) continue;
                spread numbers = spread_make(test, MCL_UINT32, keys, counts[n], (cut_kind)cut);
                char name[64];
                snprintf(name, sizeof name, "sort of %lld keys of kind %d, cut %d", (long long)counts[n], kind, cut);
                sort_case(test, &numbers, MCL_LESS, (round + cut) % 3, name);
                if (kind == KEYS_RANDOM) contradiction_case(test, &numbers, cut % 2 ? "p != q" : "p <= q");
                spread_free(&numbers);
                spread structs = spread_make(test, &record_type, records, counts[n], (cut_kind)cut);
                sort_case(test, &structs, &by_group, (round + cut + 1) % 3, name);
                spread_free(&structs);
            }
        }
    }
}

/* Sorts halves, which operators get as floats. All of them are finite. */
static void sort_halves(ranks_test *test)
{
    uint16_t keys[COUNT_MOST];
    uint64_t seed = 5;
    for (int k = 0; k < COUNT_MOST; ++k) keys[k] = (uint16_t)(random_next(&seed) & 0x83ff) | (uint16_t)(k % 30 << 10);
    spread halves = spread_make(test, MCL_HALF, keys, COUNT_MOST, CUT_RANDOM);
    sort_case(test, &halves, MCL_LESS, 1, "sort of halves");
    spread_free(&halves);
}

/* Makes ranks while an environment variable is set, and returns the ranks of the test. restore_ranks restores these. */
static mcl_mpi *swap_ranks(ranks_test *test, const char *name, const char *value)
{
    mcl_mpi *const before = test->mpi;
    set_variable(test, name, value);
    const mcl_status status = make_ranks(test, test->queue, MCL_MPI_AUTO, &test->mpi);
    set_variable(test, name, NULL);
    expect_ok(test, status, name);
    return before;
}

static void restore_ranks(ranks_test *test, mcl_mpi *before)
{
    mcl_mpi_release(test->mpi);
    test->mpi = before;
}

/* Sorts with shares in three pieces, as large shares have. Records of 12 bytes begin at any multiple of 4. */
static void sort_in_pieces(ranks_test *test)
{
    mcl_mpi *const before = swap_ranks(test, "MCL_MPI_PIECES", "3");
    if (test->mpi) sort_all(test, 2, 3);
    restore_ranks(test, before);
}

/* ---- ranks that read each other's memory, where the devices can ------------------------------------------- */

/* A large value: some thousand of them need a larger scratch buffer than the first one. */
MCL_SOURCE(
    block_source, typedef struct block {
        int64_t index;
        int32_t rest[14];
    } block;)
static const mcl_type block_type = MCL_TYPE(block, block_source);

/* Sorts keys with a block for each. The block contains the key's index. */
static void sort_blocks(ranks_test *test, int64_t count, cut_kind cut)
{
    uint32_t *const keys = malloc((size_t)(count + 1) * sizeof *keys);
    int64_t *const indices = malloc((size_t)(count + 1) * sizeof *indices), first = 0;
    block *const blocks = calloc((size_t)(count + 1), sizeof *blocks);
    unsigned char *const sorted = malloc((size_t)(count + 1) * sizeof *keys);
    uint64_t seed = (uint64_t)count;
    for (int64_t k = 0; k < count; ++k) {
        keys[k] = (uint32_t)(random_next(&seed) % 1000);
        blocks[k] = (block){ .index = k };
    }
    spread in = spread_make(test, MCL_UINT32, keys, count, cut),
           values = spread_make(test, &block_type, blocks, count, cut);
    const int64_t own = even_share(test, count, &first);
    room out = room_make(test, MCL_UINT32, own), out_values = room_make(test, &block_type, own);
    char name[64];
    snprintf(name, sizeof name, "sort of %lld blocks, cut %d", (long long)count, (int)cut);
    sort_whole(test, &in, MCL_LESS, sorted, indices);
    for (int64_t k = 0; k < count; ++k) blocks[k].index = indices[k];
    expect_ok(test,
              mcl_mpi_sort_pairs(test->mpi, spread_input(&in), spread_input(&values), MCL_MPI_EVEN, room_output(&out),
                                 room_output(&out_values), MCL_LESS, mcl_to_nowhere(), NULL),
              name);
    expect_part(test, &out, sorted, count, first, own, name);
    expect_part(test, &out_values, blocks, count, first, own, name);
    spread_free(&in);
    spread_free(&values);
    room_free(&out);
    room_free(&out_values);
    free(keys);
    free(indices);
    free(blocks);
    free(sorted);
}

/* Sorts such that scratch buffers grow on all ranks, on one, or on none. Between two sorts a call fails on one rank. */
static void sort_growing(ranks_test *test)
{
    static const int64_t of_each[] = { 20, 33000, 0, 50, 36000, 30, 40000 };
    const int32_t zero = 0;
    for (size_t n = 0; n < sizeof of_each / sizeof of_each[0]; ++n) {
        sort_blocks(test, of_each[n] * test->size, (cut_kind)(n % CUT_KINDS));
        room out = room_make(test, MCL_INT32, test->rank == 0 ? 0 : 7);
        expect_failure(test,
                       mcl_mpi_sort(test->mpi, mcl_from_counting(MCL_INT32, &zero, 7), MCL_MPI_EVEN, room_output(&out),
                                    MCL_GREATER, mcl_to_nowhere(), NULL),
                       MCL_ERROR_ARGUMENT, "rank 0: out has room for 0 elements", "no room on one rank");
        room_free(&out);
    }
}

static void sort_by_reading(ranks_test *test, const char *wish)
{
    mcl_mpi *const before = swap_ranks(test, "MCL_MPI_PEERS", wish);
    if (test->mpi) {
        sort_all(test, 2, 3);
        sort_growing(test);
    }
    restore_ranks(test, before);
}

/* Sorts by a scatter, which auto does for many elements. Some sorts have more pieces than elements. */
static void sort_by_scatter(ranks_test *test, const char *pieces)
{
    set_variable(test, "MCL_MPI_PIECES", pieces);
    mcl_mpi *const before = swap_ranks(test, "MCL_MPI_SORT", "scatter");
    set_variable(test, "MCL_MPI_PIECES", NULL);
    if (test->mpi) {
        sort_all(test, 2, pieces ? 3 : 0);
        sort_growing(test);
    }
    restore_ranks(test, before);
}

void test_sorts(ranks_test *test)
{
    sort_all(test, 1, 0);
    if (test->size > 1) sort_in_pieces(test);
    if (test->size > 1) sort_by_scatter(test, NULL);
    if (test->size > 1) sort_by_scatter(test, "4");
    if (test->size > 1 && test->size < 5) sort_by_reading(test, "always");
    if (test->size == 2) sort_by_reading(test, "never");
    if (test->size == 3) sort_halves(test);
}
