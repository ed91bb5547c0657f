/* test_segmented.c: tests reductions and scans of segments and runs on ranks, against the core's calls on the whole. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000, LIST_MOST = 1200, BYTES_MOST = 8 };

/* A fold that gives the right result only in the right order, and with the right indices. */
MCL_SOURCE(line_source, typedef struct line { uint32_t scale, shift; } line;
           static inline line line_of(uint32_t x) { line f; f.scale = 2 * x + 1; f.shift = x; return f; }
           static inline line line_then(line p, line q)
           { line f; f.scale = p.scale * q.scale; f.shift = q.scale * p.shift + q.shift; return f; })
static const mcl_type line_type = MCL_TYPE(line, line_source);
static const mcl_op then = {
    .role = MCL_ROLE_FOLD, .expression = "line_then(p, q)", .value = &line_type, .extract = "line_of(x + (uint32_t)i)"
};

static const uint32_t seven = 7;
static const struct fold_case {
    const char *name;
    const mcl_op *op;
    const mcl_type *result;
    const void *initial;
    int is_inclusive; /* 1 if only an inclusive scan is possible, since the fold has no identity */
} folds[] = {
    { "sum after an initial value", MCL_ADD, MCL_UINT32, &seven, 0 },
    { "composition", &then, &line_type, NULL, 1 },
    { "index of the largest", MCL_MAX_INDEX, MCL_INT64, NULL, 0 },
};

/* The segments of a round: the whole list for the core, and this rank's part. */
typedef struct lists {
    int kind; /* a value of mcl_segment_kind, or ROWS */
    spread list;
    mcl_buffer *whole; /* the whole list, on rank 0 */
    mcl_segments core, ranks;
} lists;
enum { ROWS = MCL_SEGMENT_FLAGS + 1, KINDS };

static void list_spread(ranks_test *test, lists *of, const mcl_type *type, const void *numbers, int64_t count,
                        cut_kind cut)
{
    of->list = spread_make(test, type, numbers, count, cut);
    if (test->rank == 0)
        expect_core(test, mcl_buffer_create(test->context, (size_t)count * type->size, numbers, &of->whole), "a list");
    of->core.input = mcl_from_buffer(type, of->whole, 0, count);
    of->ranks.input = spread_input(&of->list);
    of->core.kind = of->ranks.kind = (mcl_segment_kind)of->kind;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Makes random heads, some of them twice. Indices are in no order, and some of them are out of range. */
static void numbers_make(ranks_test *test, lists *of, const spread *data, int64_t count, cut_kind cut, uint64_t *seed)
{
    int64_t numbers[LIST_MOST];
    for (int64_t k = 0; k < count; ++k) numbers[k] = (int64_t)(random_next(seed) % (uint64_t)(data->count + 1));
    for (int64_t k = 1; k < count; k += 7) numbers[k] = numbers[k - 1];
    if (of->kind == MCL_SEGMENT_INDICES) {
        if (count > 2) numbers[count / 2] = -3;
    } else {
        qsort(numbers, (size_t)count, sizeof numbers[0], compare_numbers);
    }
    list_spread(test, of, MCL_INT64, numbers, count, cut);
}

/* Makes flags. A rank's flags are for its own elements. */
static void flags_make(ranks_test *test, lists *of, const spread *data, uint64_t *seed)
{
    enum { WORDS = (MOST + 31) / 32 };
    uint32_t whole[WORDS] = { 0 }, own[WORDS] = { 0 };
    for (int64_t k = 0; k < data->count; ++k) {
        const uint32_t flag = random_next(seed) % 100 == 0;
        const int64_t at = k - data->first;
        whole[k / 32] |= flag << (k % 32);
        if (at >= 0 && at < data->own) own[at / 32] |= flag << (at % 32);
    }
    list_spread(test, of, MCL_UINT32, own, (data->own + 31) / 32, CUT_FIRST);
    spread_free(&of->list);
    mcl_buffer_release(of->whole);
    of->list = (spread){ 0 };
    of->whole = NULL;
    expect_core(test, mcl_buffer_create(test->context, sizeof own, own, &of->list.buffer), "flags");
    expect_core(test, mcl_buffer_create(test->context, sizeof whole, whole, &of->whole), "flags");
    of->core.input = mcl_from_buffer(MCL_UINT32, of->whole, 0, (data->count + 31) / 32);
    of->ranks.input = mcl_from_buffer(MCL_UINT32, of->list.buffer, 0, (data->own + 31) / 32);
}

/* Makes rows, with an even share of them on each rank. */
static void rows_make(ranks_test *test, lists *of, const spread *data)
{
    const int64_t length = 23, all = data->count / length;
    int64_t first = 0;
    const int64_t own = even_share(test, all, &first);
    of->core = mcl_segments_from_rows(all, length);
    of->ranks = mcl_segments_from_rows(own, length);
}

static lists lists_make(ranks_test *test, int kind, const spread *data, int64_t count, cut_kind cut)
{
    lists of = { .kind = kind };
    uint64_t seed = (uint64_t)(count * 10 + kind);
    if (kind == ROWS)
        rows_make(test, &of, data);
    else if (kind == MCL_SEGMENT_FLAGS)
        flags_make(test, &of, data, &seed);
    else
        numbers_make(test, &of, data, count, cut, &seed);
    return of;
}

static void lists_free(lists *of)
{
    spread_free(&of->list);
    mcl_buffer_release(of->whole);
}

/* ---- cases ------------------------------------------------------------------------------------------------- */

/* Makes a buffer for the results of the whole sequence on rank 0, filled with a pattern. */
static mcl_buffer *room_for(ranks_test *test, size_t bytes)
{
    const unsigned char pattern = 0xa5;
    mcl_buffer *buffer = NULL;
    expect_core(test, mcl_buffer_create(test->context, bytes, NULL, &buffer), "room");
    expect_core(test, mcl_buffer_fill(test->queue, buffer, 0, bytes, &pattern, 1), "room");
    return buffer;
}

static mcl_buffer *whole_of(ranks_test *test, const spread *data)
{
    mcl_buffer *buffer = NULL;
    expect_core(test, mcl_buffer_create(test->context, (size_t)data->count * data->type->size, data->whole, &buffer),
                "the whole");
    return buffer;
}

static void reduce_case(ranks_test *test, const struct fold_case *c, const spread *data, const lists *of,
                        const char *name)
{
    static unsigned char expected[(MOST + 1) * BYTES_MOST];
    const mcl_options options = { .initial = c->initial };
    int64_t own = -1, whole = -1, all = 0, counted = -1;
    room out = room_make(test, c->result, MOST + 1);
    expect_ok(test,
              mcl_mpi_segmented_reduce(test->mpi, spread_input(data), of->ranks, room_output(&out), c->op,
                                       mcl_to_host(MCL_INT64, &own), mcl_to_host(MCL_INT64, &whole), &options),
              name);
    expect_ok(test,
              mcl_mpi_segmented_reduce(test->mpi, spread_input(data), of->ranks, (mcl_output){ 0 }, c->op,
                                       mcl_to_host(MCL_INT64, &counted), mcl_to_nowhere(), &options),
              name);
    expect_true(test, counted == own, name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, sizeof expected);
        expect_core(test,
                    mcl_segmented_reduce(test->queue, mcl_from_buffer(data->type, from, 0, data->count), of->core,
                                         mcl_to_buffer(c->result, to, 0, MOST + 1), c->op, mcl_to_host(MCL_INT64, &all),
                                         &options),
                    name);
        expect_core(test, mcl_buffer_read(test->queue, to, 0, sizeof expected, expected), name);
        mcl_buffer_release(from);
        mcl_buffer_release(to);
    }
    expect_bytes(test, &whole, &all, sizeof whole, name);
    expect_part(test, &out, expected, whole, sum_of_lower(test, own), own, name);
    room_free(&out);
}

typedef mcl_status (*core_scan)(ranks_test *test, mcl_input in, mcl_output out, const void *what,
                                const struct fold_case *c, mcl_scan_kind kind, const mcl_options *options);

/* Scans into another buffer. If elements and results have the same size, scans again in place. */
static void scan_case(ranks_test *test, const struct fold_case *c, const spread *data, const void *what, core_scan core,
                      core_scan ranks, mcl_scan_kind kind, const char *name)
{
    static _Thread_local unsigned char expected[MOST * BYTES_MOST];
    const mcl_options options = { .initial = c->initial };
    const size_t size = c->result->size;
    room out = room_make(test, c->result, data->own);
    expect_ok(test, ranks(test, spread_input(data), room_output(&out), what, c, kind, &options), name);
    if (test->rank == 0) {
        mcl_buffer *const from = whole_of(test, data), *const to = room_for(test, sizeof expected);
        expect_core(test,
                    core(test, mcl_from_buffer(data->type, from, 0, data->count),
                         mcl_to_buffer(c->result, to, 0, data->count), what, c, kind, &options),
                    name);
        expect_core(test, mcl_buffer_read(test->queue, to, 0, sizeof expected, expected), name);
        mcl_buffer_release(from);
        mcl_buffer_release(to);
    }
    expect_part(test, &out, expected, data->count, data->first, data->own, name);
    room_free(&out);
    if (size != data->type->size || !what) return;
    room both = room_make(test, data->type, data->own);
    expect_core(test,
                mcl_buffer_copy(test->queue, data->buffer, (size_t)data->offset * size, both.buffer,
                                (size_t)both.offset * size, (size_t)data->own * size),
                name);
    const mcl_output to = room_output(&both);
    expect_ok(
        test,
        ranks(test, mcl_from_buffer(data->type, both.buffer, both.offset, data->own), to, what, c, kind, &options),
        name);
    /* elements outside all segments keep the input in place, not the pattern */
    unsigned char *const plain = (unsigned char *)malloc((size_t)(data->count + 1) * size);
    for (int64_t k = 0; k < data->count; ++k) {
        const unsigned char *const at = expected + (size_t)k * size;
        const int is_kept = at[0] == 0xa5 && at[1] == 0xa5 && at[2] == 0xa5 && at[3] == 0xa5;
        memcpy(plain + (size_t)k * size, is_kept ? data->whole + (size_t)k * size : at, size);
    }
    expect_part(test, &both, plain, data->count, data->first, data->own, name);
    free(plain);
    room_free(&both);
}

static mcl_status segmented_core(ranks_test *test, mcl_input in, mcl_output out, const void *what,
                                 const struct fold_case *c, mcl_scan_kind kind, const mcl_options *options)
{
    const lists *const of = what;
    return mcl_segmented_scan(test->queue, in, of->core, out, c->op, kind, options);
}

static mcl_status segmented_ranks(ranks_test *test, mcl_input in, mcl_output out, const void *what,
                                  const struct fold_case *c, mcl_scan_kind kind, const mcl_options *options)
{
    const lists *const of = what;
    return mcl_mpi_segmented_scan(test->mpi, in, of->ranks, out, c->op, kind, options);
}

/* Makes keys from indices in the whole sequence, so that runs have different lengths. */
static mcl_input keys_of(int64_t first, int64_t count)
{
    const mcl_binding binding = mcl_binding_value("first", MCL_INT64, &first);
    return mcl_from_expression(MCL_INT32, "(int32_t)((first + i) * (first + i) / 30000)", NULL, &binding, 1, count);
}

static mcl_status by_key_core(ranks_test *test, mcl_input in, mcl_output out, const void *what,
                              const struct fold_case *c, mcl_scan_kind kind, const mcl_options *options)
{
    (void)what;
    return mcl_scan_by_key(test->queue, keys_of(0, in.count), in, out, c->op, NULL, kind, options);
}

static mcl_status by_key_ranks(ranks_test *test, mcl_input in, mcl_output out, const void *what,
                               const struct fold_case *c, mcl_scan_kind kind, const mcl_options *options)
{
    const spread *const data = what;
    return mcl_mpi_scan_by_key(test->mpi, keys_of(data->first, in.count), in, out, c->op, NULL, kind, options);
}

/* ---- suite ------------------------------------------------------------------------------------------------- */

static void segmented_round(ranks_test *test, const spread *data, const lists *of, const struct fold_case *c,
                            mcl_scan_kind kind, const char *where)
{
    char name[160];
    snprintf(name, sizeof name, "segments of kind %d, %s, %s", of->kind, c->name, where);
    reduce_case(test, c, data, of, name);
    snprintf(name, sizeof name, "scan %d of segments of kind %d, %s, %s", (int)kind, of->kind, c->name, where);
    scan_case(test, c, data, of, segmented_core, segmented_ranks, kind, name);
    snprintf(name, sizeof name, "scan %d by key, %s, %s", (int)kind, c->name, where);
    scan_case(test, c, data, data, by_key_core, by_key_ranks, kind, name);
}

/* Checks lists with MCL_VALIDATE. all: a list without errors. */
static void validated(ranks_test *test, const spread *data, mcl_segments all, const room *out)
{
    const int64_t zero = 0, one = 1;
    char words[128];
    const mcl_options checks = { .flags = MCL_VALIDATE };
    const mcl_segments late =
        mcl_segments_from_begins(mcl_from_step(MCL_INT64, &zero, &one, test->rank == test->size - 1 ? 5 : 9));
    const int64_t past = MOST - 3;
    const mcl_segments outside =
        mcl_segments_from_offsets(mcl_from_step(MCL_INT64, &past, &one, test->rank == test->size / 2 ? 9 : 0));
    snprintf(words, sizeof words, "mcl_mpi_segmented_scan: rank %d: segments: entry 4 is out of order", test->size / 2);
    expect_failure(test,
                   mcl_mpi_segmented_scan(test->mpi, spread_input(data), outside, room_output(out), MCL_ADD,
                                          MCL_INCLUSIVE, &checks),
                   MCL_ERROR_PRECONDITION, words, "an entry outside the elements");
    if (test->size > 1)
        expect_failure(test,
                       mcl_mpi_segmented_scan(test->mpi, spread_input(data), late, room_output(out), MCL_ADD,
                                              MCL_INCLUSIVE, &checks),
                       MCL_ERROR_PRECONDITION, "rank 1: segments: entry 0 is 0; expected 8 or more, rank 0's last",
                       "lists that overlap");
    expect_ok(
        test,
        mcl_mpi_segmented_scan(test->mpi, spread_input(data), all, room_output(out), MCL_ADD, MCL_INCLUSIVE, &checks),
        "a list that is right");
}

static void error_cases(ranks_test *test, const spread *data)
{
    const int is_bad = test->rank == test->size / 2;
    const int64_t zero = 0, one = 1;
    char words[128];
    room out = room_make(test, MCL_UINT32, data->own);
    const mcl_segments all = mcl_segments_from_begins(mcl_from_step(MCL_INT64, &zero, &one, test->rank ? 0 : MOST));
    mcl_output narrow = room_output(&out);
    if (is_bad) narrow.capacity = 2;
    snprintf(words, sizeof words, "mcl_mpi_segmented_reduce: rank %d: out has room for 2 elements; needed are ",
             test->size / 2);
    expect_failure(test,
                   mcl_mpi_segmented_reduce(test->mpi, spread_input(data), all, narrow, MCL_ADD, mcl_to_nowhere(),
                                            mcl_to_nowhere(), NULL),
                   MCL_ERROR_CAPACITY, words, "segments into too little room");
    snprintf(words, sizeof words, "mcl_mpi_segmented_scan: rank %d: out has room for 2 elements; expected ",
             test->size / 2);
    expect_failure(test,
                   mcl_mpi_segmented_scan(test->mpi, spread_input(data), all, narrow, MCL_ADD, MCL_INCLUSIVE, NULL),
                   MCL_ERROR_ARGUMENT, words, "a scan into too little room");
    mcl_segments other = all;
    if (test->rank == test->size - 1) other.kind = MCL_SEGMENT_INDICES;
    if (test->size > 1)
        expect_failure(test,
                       mcl_mpi_segmented_scan(test->mpi, spread_input(data), other, room_output(&out), MCL_ADD,
                                              MCL_INCLUSIVE, NULL),
                       MCL_ERROR_PRECONDITION, "segments.kind is 2, on rank 0 1", "segments of different kinds");
    validated(test, data, all, &out);
    /* a list in no order: results may be anything, but guard zones must not change */
    const int64_t minus = -1, far = 5000;
    const mcl_segments falling = mcl_segments_from_begins(mcl_from_step(MCL_INT64, &far, &minus, 3 * MOST));
    const mcl_status status =
        mcl_mpi_segmented_scan(test->mpi, spread_input(data), falling, room_output(&out), MCL_ADD, MCL_INCLUSIVE, NULL);
    expect_true(test, status == MCL_OK || status == MCL_ERROR_PRECONDITION, "segments in no order");
    expect_guards(test, &out, data->own);
    room_free(&out);
}

void test_segmented(ranks_test *test)
{
    static const int64_t counts[][2] = {
        { MOST, 200 }, { MOST, LIST_MOST }, { 0, 0 }, { 1, 3 }, { 40, 5 }, { MOST, 1 }
    };
    enum { FOLDS = sizeof folds / sizeof folds[0] };
    static _Thread_local uint32_t numbers[MOST];
    uint64_t seed = 5;
    if (!takes_turn(test, 1)) return;
    for (int k = 0; k < MOST; ++k) numbers[k] = (uint32_t)(random_next(&seed) % 1000);
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
        for (int kind = 0; kind < KINDS; ++kind) {
            const size_t fold = (n / 3 + (size_t)kind) % FOLDS;
            if (test->size > 2 ? n > 0 || kind != test->size % KINDS : (n + 2 * (size_t)kind) % 3 > 0) continue;
            const cut_kind cut = (cut_kind)((n + (size_t)kind) % CUT_KINDS), other = (cut_kind)((cut + 1) % CUT_KINDS);
            const struct fold_case *const c = &folds[fold];
            char where[64];
            snprintf(where, sizeof where, "%lld elements, cut %d", (long long)counts[n][0], (int)cut);
            spread data = spread_make(test, MCL_UINT32, numbers, counts[n][0], cut);
            lists of = lists_make(test, kind, &data, counts[n][1], other);
            segmented_round(test, &data, &of, c, c->is_inclusive ? MCL_INCLUSIVE : (mcl_scan_kind)(n % 2), where);
            lists_free(&of);
            spread_free(&data);
        }
    }
    if (test->size > 3) return;
    spread data = spread_make(test, MCL_UINT32, numbers, MOST, CUT_EVEN);
    error_cases(test, &data);
    spread_free(&data);
}
