/* fuzz.c: random calls on ranks. A call's seed says the operation, its types and operators, and the operands of the
 * whole. These are cut over the ranks at random indices, so that ranks may have nothing. The result is the core's on
 * the whole, which rank 0 makes. Some seeds on end have the same operation and types, since these compile programs. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_SEEDS = 8, MOST = 1200, LIST_MOST = 300, ROOM_MOST = 9000, RANKS_MOST = 64, BINS = 16, ELEMENT_MOST = 8 };

/* ---- what is drawn ----------------------------------------------------------------------------------------- */

MCL_SOURCE(shift_source, typedef struct shift { uint32_t scale, by; } shift;
           static inline shift shift_of(uint32_t x) { shift f; f.scale = 2 * x + 1; f.by = x; return f; }
           static inline shift shift_then(shift p, shift q)
           { shift f; f.scale = p.scale * q.scale; f.by = q.scale * p.by + q.by; return f; })
static const mcl_type shift_type = MCL_TYPE(shift, shift_source);

static const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q" };
static const mcl_op shifts = { .role = MCL_ROLE_FOLD,
                               .expression = "shift_then(p, q)",
                               .value = &shift_type,
                               .extract = "shift_of((uint32_t)x + (uint32_t)i)" };
/* result: NULL: the elements' type */
static const struct fold_kind {
    const mcl_op *op;
    const mcl_type *result;
    int has_identity;
} folds[] = { { MCL_ADD, NULL, 1 },
              { MCL_MAX, NULL, 1 },
              { MCL_MAX_INDEX, MCL_INT64, 1 },
              { &last, NULL, 0 },
              { &shifts, &shift_type, 0 } };

static const mcl_op by_rest = { .role = MCL_ROLE_ORDER, .expression = "(int64_t)p % 16 < (int64_t)q % 16" };
static const mcl_op *const orders[] = { MCL_LESS, MCL_GREATER, &by_rest };
static const mcl_op near = { .role = MCL_ROLE_EQUALITY, .expression = "(int64_t)p / 3 == (int64_t)q / 3" };
static const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "((int64_t)x + i) % 3 != 0" };

/* A few at a time, since each one compiles programs of its own. */
static const mcl_type *const types[] = { MCL_UINT32, MCL_INT16, MCL_DOUBLE, MCL_FLOAT, MCL_INT64 };

typedef struct drawing {
    uint64_t state;
    int64_t shape; /* bits that say what is compiled, used up by shape_below */
    const mcl_type *type;
    const struct fold_kind *fold;
    const mcl_op *order, *equal;
    mcl_scan_kind kind;
    mcl_join_kind join;
    int64_t number; /* k, nth */
    int64_t share;  /* of this rank */
    int segments;   /* mcl_segment_kind */
} drawing;

static int64_t below(drawing *d, int64_t limit)
{
    return (int64_t)(random_next(&d->state) % (uint64_t)limit);
}

static int64_t shape_below(drawing *d, int64_t limit)
{
    const int64_t drawn = d->shape % limit;
    d->shape /= limit;
    return drawn;
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

/* The operands of one side: a rank's, or the whole. */
typedef struct side {
    mcl_mpi *mpi; /* NULL: the core */
    mcl_queue *queue;
    mcl_input a, b, a_values, b_values;
    mcl_segments segments;
    mcl_output out[2];
    int64_t count, whole; /* results of this side; of all ranks */
} side;

/* Where a rank's results are in the whole's. */
typedef enum form {
    KEPT,      /* as many as the call says, after those of the ranks before */
    ALIGNED,   /* where its elements of a are */
    EVERYWHERE /* every rank has all */
} form;
typedef enum out_type { NOTHING, ELEMENTS, NUMBERS, FOLDS, BYTES } out_type;
enum { SORTED = 1, ONE_FOLD = 2, WHOLE_WORDS = 4 };

typedef mcl_status (*run_function)(const drawing *d, side *s);

static mcl_result count_of(side *s)
{
    return mcl_to_host(MCL_INT64, &s->count);
}

static mcl_result whole_of(side *s)
{
    return mcl_to_host(MCL_INT64, &s->whole);
}

/* The slot that the first element of an output is. */
static mcl_result slot_of(mcl_output out)
{
    return mcl_to_slot(out.type, out.buffer, out.offset);
}

static mcl_status run_redistribute(const drawing *d, side *s)
{
    s->count = s->a.count;
    return s->mpi ? mcl_mpi_redistribute(s->mpi, s->a, d->share, s->out[0], count_of(s), NULL)
                  : mcl_transform(s->queue, s->a, s->out[0], NULL);
}

static mcl_status run_reduce(const drawing *d, side *s)
{
    s->count = 1;
    return s->mpi ? mcl_mpi_reduce(s->mpi, s->a, d->fold->op, slot_of(s->out[0]), NULL)
                  : mcl_reduce(s->queue, s->a, d->fold->op, slot_of(s->out[0]), NULL);
}

static mcl_status run_scan(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_scan(s->mpi, s->a, s->out[0], d->fold->op, d->kind, mcl_to_nowhere(), NULL)
                  : mcl_scan(s->queue, s->a, s->out[0], d->fold->op, d->kind, mcl_to_nowhere(), NULL);
}

static mcl_status run_sort(const drawing *d, side *s)
{
    s->count = s->a.count;
    return s->mpi ? mcl_mpi_sort_pairs(s->mpi, s->a, s->a_values, d->share, s->out[0], s->out[1], d->order, count_of(s),
                                       NULL)
                  : mcl_sort_pairs(s->queue, s->a, s->a_values, s->out[0], s->out[1], d->order, NULL);
}

static mcl_status run_merge(const drawing *d, side *s)
{
    s->count = s->a.count + s->b.count;
    return s->mpi
               ? mcl_mpi_merge_pairs(s->mpi, s->a, s->a_values, s->b, s->b_values, MCL_MPI_EVEN, s->out[0], s->out[1],
                                     d->order, count_of(s), NULL)
               : mcl_merge_pairs(s->queue, s->a, s->a_values, s->b, s->b_values, s->out[0], s->out[1], d->order, NULL);
}

#define SET_RUN(name)                                                                                                  \
    static mcl_status run_##name(const drawing *d, side *s)                                                            \
    {                                                                                                                  \
        return s->mpi ? mcl_mpi_set_##name##_pairs(s->mpi, s->a, s->a_values, s->b, s->b_values, s->out[0], s->out[1], \
                                                   d->order, count_of(s), whole_of(s), NULL)                           \
                      : mcl_set_##name##_pairs(s->queue, s->a, s->a_values, s->b, s->b_values, s->out[0], s->out[1],   \
                                               d->order, count_of(s), NULL);                                           \
    }
SET_RUN(intersection)
SET_RUN(union)
SET_RUN(difference)
SET_RUN(symmetric_difference)

/* Of the kinds whose rows are in the core's order. */
static mcl_status run_join(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_join_unsorted(s->mpi, d->join, s->a, s->b, s->out[0], s->out[1], d->order, count_of(s),
                                          whole_of(s), NULL)
                  : mcl_join_unsorted(s->queue, d->join, s->a, s->b, s->out[0], s->out[1], d->order, count_of(s), NULL);
}

static mcl_status run_top_k(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_top_k_pairs(s->mpi, s->a, s->a_values, d->number, s->out[0], s->out[1], d->order,
                                        count_of(s), NULL)
                  : mcl_top_k_pairs(s->queue, s->a, s->a_values, mcl_amount_of(d->number), s->out[0], s->out[1],
                                    d->order, count_of(s), NULL);
}

static mcl_status run_nth_element(const drawing *d, side *s)
{
    s->count = 1;
    return s->mpi ? mcl_mpi_nth_element(s->mpi, s->a, d->number, slot_of(s->out[0]), d->order, NULL)
                  : mcl_nth_element(s->queue, s->a, mcl_amount_of(d->number), slot_of(s->out[0]), d->order, NULL);
}

static mcl_status run_compact(const drawing *d, side *s)
{
    (void)d;
    return s->mpi ? mcl_mpi_compact(s->mpi, s->a, s->out[0], &odd, count_of(s), whole_of(s), NULL)
                  : mcl_compact(s->queue, s->a, s->out[0], &odd, count_of(s), NULL);
}

static mcl_status run_unique(const drawing *d, side *s)
{
    const mcl_op *const same = d->equal ? d->equal : MCL_EQUAL;
    return s->mpi ? mcl_mpi_unique(s->mpi, s->a, s->out[0], same, count_of(s), whole_of(s), NULL)
                  : mcl_unique(s->queue, s->a, s->out[0], same, count_of(s), NULL);
}

static mcl_status run_reduce_by_key(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_reduce_by_key(s->mpi, s->a, s->a, s->out[0], s->out[1], d->fold->op, d->equal, count_of(s),
                                          whole_of(s), NULL)
                  : mcl_reduce_by_key(s->queue, s->a, s->a, s->out[0], s->out[1], d->fold->op, d->equal, count_of(s),
                                      NULL);
}

static mcl_status run_scan_by_key(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_scan_by_key(s->mpi, s->a, s->a, s->out[0], d->fold->op, d->equal, d->kind, NULL)
                  : mcl_scan_by_key(s->queue, s->a, s->a, s->out[0], d->fold->op, d->equal, d->kind, NULL);
}

static mcl_status run_segmented_reduce(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_segmented_reduce(s->mpi, s->a, s->segments, s->out[0], d->fold->op, count_of(s),
                                             whole_of(s), NULL)
                  : mcl_segmented_reduce(s->queue, s->a, s->segments, s->out[0], d->fold->op, count_of(s), NULL);
}

static mcl_status run_segmented_scan(const drawing *d, side *s)
{
    return s->mpi ? mcl_mpi_segmented_scan(s->mpi, s->a, s->segments, s->out[0], d->fold->op, d->kind, NULL)
                  : mcl_segmented_scan(s->queue, s->a, s->segments, s->out[0], d->fold->op, d->kind, NULL);
}

static mcl_status run_histogram(const drawing *d, side *s)
{
    (void)d;
    s->count = s->out[0].capacity = BINS;
    return s->mpi ? mcl_mpi_histogram_even(s->mpi, s->a, 0, 50, NULL, s->out[0], NULL)
                  : mcl_histogram_even(s->queue, s->a, 0, 50, NULL, s->out[0], NULL);
}

/* Keys of b are entered, each with itself as its value; those of a are looked up. */
static mcl_status map_ranks(const drawing *d, side *s, const mcl_map_config *config)
{
    const uint64_t missing = 0;
    mcl_mpi_map *map = NULL;
    (void)d;
    mcl_status status = mcl_mpi_map_create(s->mpi, config, &map);
    if (status == MCL_OK) status = mcl_mpi_map_insert(s->mpi, map, s->b, s->b, NULL);
    if (status == MCL_OK) status = mcl_mpi_map_find(s->mpi, map, s->a, s->out[0], &missing, s->out[1], NULL);
    mcl_mpi_map_release(map);
    return status;
}

static mcl_status run_map(const drawing *d, side *s)
{
    const mcl_map_config config = { .key = s->a.type, .value = s->a.type };
    const uint64_t missing = 0;
    mcl_map *map = NULL;
    if (s->mpi) return map_ranks(d, s, &config);
    mcl_status status = mcl_map_create(mcl_queue_context(s->queue), &config, &map);
    if (status == MCL_OK) status = mcl_map_insert(s->queue, map, s->b, s->b, NULL);
    if (status == MCL_OK) status = mcl_map_find(s->queue, map, s->a, s->out[0], &missing, s->out[1], NULL);
    mcl_map_release(map);
    return status;
}

static const struct operation {
    const char *name;
    run_function run;
    form form;
    unsigned needs;
    out_type out[2];
} operations[] = {
    { "redistribute", run_redistribute, KEPT, 0, { ELEMENTS, NOTHING } },
    { "reduce", run_reduce, EVERYWHERE, ONE_FOLD, { FOLDS, NOTHING } },
    { "scan", run_scan, ALIGNED, ONE_FOLD, { FOLDS, NOTHING } },
    { "sort_pairs", run_sort, KEPT, 0, { ELEMENTS, NUMBERS } },
    { "merge_pairs", run_merge, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_intersection_pairs", run_intersection, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_union_pairs", run_union, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_difference_pairs", run_difference, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "set_symmetric_difference_pairs", run_symmetric_difference, KEPT, SORTED, { ELEMENTS, NUMBERS } },
    { "join_unsorted", run_join, KEPT, 0, { NUMBERS, NUMBERS } },
    { "top_k_pairs", run_top_k, EVERYWHERE, 0, { ELEMENTS, NUMBERS } },
    { "nth_element", run_nth_element, EVERYWHERE, 0, { ELEMENTS, NOTHING } },
    { "compact", run_compact, KEPT, 0, { ELEMENTS, NOTHING } },
    { "unique", run_unique, KEPT, 0, { ELEMENTS, NOTHING } },
    { "reduce_by_key", run_reduce_by_key, KEPT, ONE_FOLD, { ELEMENTS, FOLDS } },
    { "scan_by_key", run_scan_by_key, ALIGNED, ONE_FOLD, { FOLDS, NOTHING } },
    { "segmented_reduce", run_segmented_reduce, KEPT, ONE_FOLD, { FOLDS, NOTHING } },
    { "segmented_scan", run_segmented_scan, ALIGNED, ONE_FOLD, { FOLDS, NOTHING } },
    { "histogram_even", run_histogram, EVERYWHERE, 0, { NUMBERS, NOTHING } },
    { "map_find", run_map, ALIGNED, WHOLE_WORDS, { ELEMENTS, BYTES } },
};

/* ---- operands ---------------------------------------------------------------------------------------------- */

static const mcl_type *type_of(const drawing *d, out_type of)
{
    if (of == ELEMENTS) return d->type;
    if (of == FOLDS) return d->fold->result ? d->fold->result : d->type;
    return of == BYTES ? MCL_UINT8 : MCL_INT64;
}

/* Small numbers of any type, so that sums of floats are exact. Comparable as they are in memory: see sort_whole. */
static void put_number(const mcl_type *type, uint32_t number, unsigned char *out)
{
    const int16_t narrow = (int16_t)number;
    const float single = (float)number;
    const double wide = number;
    const int64_t long_one = number;
    const void *const bytes = type == MCL_INT16    ? (const void *)&narrow
                              : type == MCL_FLOAT  ? (const void *)&single
                              : type == MCL_DOUBLE ? (const void *)&wide
                              : type == MCL_UINT32 ? (const void *)&number
                                                   : (const void *)&long_one;
    memcpy(out, bytes, type->size);
}

static uint32_t place_in(const mcl_op *order, uint32_t number)
{
    return order == MCL_GREATER ? UINT32_MAX - number : order == &by_rest ? number % 16 : number;
}

/* A stable sort of the numbers by an order, by insertion. */
static void sort_whole(const mcl_op *order, uint32_t *numbers, int64_t count)
{
    for (int64_t k = 1; k < count; ++k) {
        const uint32_t number = numbers[k];
        int64_t at = k;
        for (; at > 0 && place_in(order, numbers[at - 1]) > place_in(order, number); --at)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

static int compare_cuts(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Cuts at random indices. Some ranks get nothing, and one may get all. */
static void draw_cuts(ranks_test *test, drawing *d, int64_t count, int64_t *cuts)
{
    const int64_t few = below(d, 3); /* of three draws one has all cuts at two indices */
    for (int r = 1; r < test->size; ++r) cuts[r] = few == 0 && r > 1 ? cuts[1 + below(d, r - 1)] : below(d, count + 1);
    if (test->size > 1) qsort(cuts + 1, (size_t)test->size - 1, sizeof *cuts, compare_cuts);
    cuts[0] = 0;
    cuts[test->size] = count;
}

static spread draw_spread(ranks_test *test, drawing *d, int64_t count, uint32_t span, int is_sorted)
{
    static uint32_t numbers[MOST];
    static unsigned char whole[MOST * ELEMENT_MOST];
    int64_t cuts[RANKS_MOST + 1];
    const int64_t run = 1 + (below(d, 3) == 0) * below(d, 90); /* runs of equal elements, in a third of the draws */
    for (int64_t k = 0; k < count; ++k) numbers[k] = k % run ? numbers[k - 1] : (uint32_t)below(d, span);
    if (is_sorted) sort_whole(d->order, numbers, count);
    for (int64_t k = 0; k < count; ++k) put_number(d->type, numbers[k], whole + (size_t)k * d->type->size);
    draw_cuts(test, d, count, cuts);
    return spread_part(test, d->type, whole, count, cuts[test->rank], cuts[test->rank + 1] - cuts[test->rank]);
}

/* Offsets, begins or indices, cut over ranks where they will. */
static spread draw_list(ranks_test *test, drawing *d, int64_t elements)
{
    int64_t list[LIST_MOST], cuts[RANKS_MOST + 1];
    const int64_t count = below(d, LIST_MOST);
    for (int64_t k = 0; k < count; ++k) list[k] = below(d, elements + 1);
    if (d->segments != MCL_SEGMENT_INDICES) qsort(list, (size_t)count, sizeof *list, compare_cuts);
    draw_cuts(test, d, count, cuts);
    return spread_part(test, MCL_INT64, list, count, cuts[test->rank], cuts[test->rank + 1] - cuts[test->rank]);
}

static int64_t draw_count(drawing *d)
{
    static const int64_t limits[] = { 1, 3, 40, MOST, MOST };
    return below(d, limits[below(d, 5)] + 1);
}

static void draw_share(ranks_test *test, drawing *d, int64_t count)
{
    int64_t cuts[RANKS_MOST + 1];
    const int64_t rule = below(d, 3);
    draw_cuts(test, d, count, cuts);
    d->share = rule == 0 ? MCL_MPI_EVEN : rule == 1 ? MCL_MPI_SAME : cuts[test->rank + 1] - cuts[test->rank];
}

/* ---- one call ---------------------------------------------------------------------------------------------- */

typedef struct fuzz_call {
    ranks_test *test;
    const struct operation *op;
    drawing d;
    spread a, b, list;
    room out[2];
    unsigned char *expected[2];
    int64_t whole; /* results that are expected */
    char what[160];
} fuzz_call;

static mcl_input numbered(int64_t first, int64_t count)
{
    return mcl_from_counting(MCL_INT64, &first, count);
}

static side ranks_side(const fuzz_call *c)
{
    side s = { .mpi = c->test->mpi, .queue = c->test->queue, .a = spread_input(&c->a), .b = spread_input(&c->b) };
    s.a_values = numbered(c->a.first, c->a.own);
    s.b_values = numbered(1000000 + c->b.first, c->b.own);
    s.segments = (mcl_segments){ spread_input(&c->list), (mcl_segment_kind)c->d.segments, 0 };
    for (int k = 0; k < 2; ++k)
        if (c->op->out[k] != NOTHING) s.out[k] = room_output(&c->out[k]);
    return s;
}

static mcl_buffer *copy_of(fuzz_call *c, const spread *data)
{
    mcl_buffer *buffer = NULL;
    expect_core(c->test,
                mcl_buffer_create(c->test->context, (size_t)data->count * data->type->size, data->whole, &buffer),
                c->what);
    return buffer;
}

/* What the core makes of the whole, on rank 0. */
static void run_core(fuzz_call *c)
{
    ranks_test *const test = c->test;
    const unsigned char pattern = 0xa5; /* as rooms have */
    mcl_buffer *const from[] = { copy_of(c, &c->a), copy_of(c, &c->b), copy_of(c, &c->list) };
    mcl_buffer *to[2] = { NULL, NULL };
    side s = { .queue = test->queue,
               .a = mcl_from_buffer(c->d.type, from[0], 0, c->a.count),
               .b = mcl_from_buffer(c->d.type, from[1], 0, c->b.count),
               .a_values = numbered(0, c->a.count),
               .b_values = numbered(1000000, c->b.count) };
    s.segments =
        (mcl_segments){ mcl_from_buffer(MCL_INT64, from[2], 0, c->list.count), (mcl_segment_kind)c->d.segments, 0 };
    s.count = c->a.count;
    for (int k = 0; k < 2; ++k) {
        const mcl_type *const type = type_of(&c->d, c->op->out[k]);
        if (c->op->out[k] == NOTHING) continue;
        expect_core(test, mcl_buffer_create(test->context, ROOM_MOST * type->size, NULL, &to[k]), c->what);
        expect_core(test, mcl_buffer_fill(test->queue, to[k], 0, ROOM_MOST * type->size, &pattern, 1), c->what);
        s.out[k] = mcl_to_buffer(type, to[k], 0, ROOM_MOST);
    }
    expect_core(test, c->op->run(&c->d, &s), c->what);
    c->whole = s.count;
    for (int k = 0; k < 2; ++k) {
        if (to[k])
            expect_core(
                test,
                mcl_buffer_read(test->queue, to[k], 0, ROOM_MOST * type_of(&c->d, c->op->out[k])->size, c->expected[k]),
                c->what);
        mcl_buffer_release(to[k]);
    }
    for (int k = 0; k < 3; ++k) mcl_buffer_release(from[k]);
}

static void compare(fuzz_call *c, const side *s)
{
    ranks_test *const test = c->test;
    int64_t own = s->count, first = 0;
    MPI_Bcast(&c->whole, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (c->op->form == ALIGNED) {
        first = c->a.first;
        own = c->a.own;
    } else if (c->op->form == KEPT) {
        int64_t all = 0;
        MPI_Exscan(&own, &first, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        if (test->rank == 0) first = 0;
        expect_true(test, all == c->whole, c->what);
        if (all != c->whole) return; /* parts would not fit */
    } else {
        expect_true(test, own == c->whole, c->what);
        own = c->whole;
    }
    for (int k = 0; k < 2; ++k)
        if (c->op->out[k] != NOTHING) expect_part(test, &c->out[k], c->expected[k], c->whole, first, own, c->what);
}

/* Calls that the core refuses, and those of more results than there is room for, are left out. */
static int is_possible(const fuzz_call *c, uint32_t span)
{
    const int64_t a = c->a.count, b = c->b.count;
    if (c->op->run == run_reduce && a == 0 && !c->d.fold->has_identity) return 0;
    if (c->op->run == run_nth_element && a == 0) return 0;
    if (c->op->run == run_join) return a * b / (span < 16 ? span : 16) < ROOM_MOST / 2;
    if (c->op->run == run_segmented_reduce || c->op->run == run_segmented_scan) return c->list.count > 0;
    return 1;
}

static void draw_rest(fuzz_call *c)
{
    static const mcl_join_kind joins[] = { MCL_JOIN_INNER, MCL_JOIN_LEFT, MCL_JOIN_SEMI, MCL_JOIN_ANTI };
    drawing *const d = &c->d;
    d->fold = &folds[shape_below(d, (int64_t)(sizeof folds / sizeof folds[0]))];
    d->order = orders[shape_below(d, 3)];
    d->equal = shape_below(d, 2) ? &near : NULL;
    d->kind = d->fold->has_identity ? (mcl_scan_kind)shape_below(d, 2) : MCL_INCLUSIVE;
    d->join = joins[shape_below(d, 4)];
    d->segments = (int)shape_below(d, 3);
}

static void fuzz_one(ranks_test *test, uint64_t seed)
{
    uint64_t shape = seed / SHAPE_SEEDS;
    fuzz_call c = { .test = test, .d = { .state = seed, .shape = (int64_t)(random_next(&shape) >> 1) } };
    drawing *const d = &c.d;
    c.op = &operations[shape_below(d, (int64_t)(sizeof operations / sizeof operations[0]))];
    d->type = types[shape_below(d, 5)];
    if (c.op->needs & WHOLE_WORDS && d->type->size < 4) d->type = MCL_UINT32;
    draw_rest(&c);
    const uint32_t span = (uint32_t)(1 + below(d, below(d, 2) ? 900 : 20));
    const int is_sorted = (c.op->needs & SORTED) != 0;
    const int64_t a_count = draw_count(d), b_count = draw_count(d);
    c.a = draw_spread(test, d, a_count, span, is_sorted);
    c.b = draw_spread(test, d, b_count, span, is_sorted);
    c.list = draw_list(test, d, a_count);
    draw_share(test, d, a_count);
    d->number = a_count > 0 ? below(d, a_count) : 0;
    snprintf(c.what, sizeof c.what, "fuzz %llu: %s of %s, %lld and %lld elements", (unsigned long long)seed, c.op->name,
             d->type->name, (long long)a_count, (long long)b_count);
    for (int k = 0; k < 2; ++k) {
        const mcl_type *const type = type_of(d, c.op->out[k]);
        c.out[k] = room_make(test, type, c.op->form == ALIGNED ? c.a.own : ROOM_MOST);
        c.expected[k] = malloc((size_t)ROOM_MOST * type->size);
    }
    if (is_possible(&c, span)) {
        side s = ranks_side(&c);
        expect_ok(test, c.op->run(d, &s), c.what);
        if (test->rank == 0) run_core(&c);
        compare(&c, &s);
    }
    for (int k = 0; k < 2; ++k) {
        room_free(&c.out[k]);
        free(c.expected[k]);
    }
    spread_free(&c.a);
    spread_free(&c.b);
    spread_free(&c.list);
}

void fuzz(ranks_test *test, uint64_t seed, double seconds)
{
    const double start = MPI_Wtime();
    int64_t calls = 0;
    int goes_on = 1;
    if (test->size > RANKS_MOST) {
        expect_true(test, 0, "fuzz takes 64 ranks at most");
        return;
    }
    for (; goes_on; ++calls) {
        fuzz_one(test, seed + (uint64_t)calls);
        goes_on = MPI_Wtime() - start < seconds && test->failed == 0;
        MPI_Allreduce(MPI_IN_PLACE, &goes_on, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    if (test->rank == 0) printf("fuzz: %lld calls, seeds from %llu on\n", (long long)calls, (unsigned long long)seed);
}
