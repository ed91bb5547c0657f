/* fuzz.c: random calls on ranks. The seed of a call decides the operation, types, operators and operands. Operands are
 * cut over the ranks at random indices, so that some ranks have no elements. The expected result is the core's on the
 * whole sequence, which rank 0 makes. Several seeds in a row have the same operation and types, since each new
 * combination compiles programs. */
#include "fuzz_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHAPE_SEEDS = 8, MOST = 1200, LIST_MOST = 300, ROOM_MOST = 9000, ELEMENT_MOST = 8 };

/* ---- types and operators that are drawn -------------------------------------------------------------------- */

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
static const fold_kind folds[] = { { MCL_ADD, NULL, 1 },
                                   { MCL_MAX, NULL, 1 },
                                   { MCL_MAX_INDEX, MCL_INT64, 1 },
                                   { &last, NULL, 0 },
                                   { &shifts, &shift_type, 0 } };
enum { FOLD_COUNT = sizeof folds / sizeof folds[0] };

/* Folds of groups, which use no index, since a fold of a group has none. */
static const mcl_op group_shifts = {
    .role = MCL_ROLE_FOLD, .expression = "shift_then(p, q)", .value = &shift_type, .extract = "shift_of((uint32_t)x)"
};
static const fold_kind group_folds[FOLD_COUNT] = { { MCL_ADD, NULL, 1 },
                                                   { MCL_MAX, NULL, 1 },
                                                   { MCL_MEAN, MCL_DOUBLE, 1 },
                                                   { &last, NULL, 1 },
                                                   { &group_shifts, &shift_type, 1 } };
static const mcl_type *const group_values[] = { MCL_INT32, MCL_FLOAT, MCL_DOUBLE };

static const mcl_op by_rest = { .role = MCL_ROLE_ORDER, .expression = "(int64_t)p % 16 < (int64_t)q % 16" };
static const mcl_op *const orders[] = { MCL_LESS, MCL_GREATER, &by_rest };
static const mcl_op near = { .role = MCL_ROLE_EQUALITY, .expression = "(int64_t)p / 3 == (int64_t)q / 3" };

/* Types of elements. They are few, since each type compiles its own programs. */
static const mcl_type *const types[] = { MCL_UINT32, MCL_INT16, MCL_DOUBLE, MCL_FLOAT, MCL_INT64, MCL_HALF };
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

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

/* ---- operands ---------------------------------------------------------------------------------------------- */

static const mcl_type *type_of(const drawing *d, out_type of)
{
    if (of == ELEMENTS) return d->type;
    if (of == FOLDS) return d->fold->result ? d->fold->result : d->type;
    return of == BYTES ? MCL_UINT8 : MCL_INT64;
}

/* Returns the bits of a half for a number below 2048. */
static uint16_t half_of(uint32_t number)
{
    int exponent = 0;
    if (number == 0) return 0;
    while (number >> exponent > 1) ++exponent;
    return (uint16_t)(((exponent + 15) << 10) | (int)((number << 10 >> exponent) & 0x3ff));
}

/* Stores a small number in any type, so that sums of floats are exact. Equal numbers have equal bytes, so results are
 * compared by memcmp. */
static void put_number(const mcl_type *type, uint32_t number, unsigned char *out)
{
    const int16_t narrow = (int16_t)number;
    const float single = (float)number;
    const double wide = number;
    const int64_t long_one = number;
    const uint16_t half = half_of(number);
    const void *const bytes = type == MCL_INT16    ? (const void *)&narrow
                              : type == MCL_HALF   ? (const void *)&half
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

/* Sorts numbers by an order with an insertion sort, which is stable. */
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

/* Chooses cuts at random indices. Some ranks get no elements, and one rank may get all. */
static void draw_cuts(ranks_test *test, drawing *d, int64_t count, int64_t *cuts)
{
    const int64_t few = below(d, 3); /* in one of three draws all cuts are equal */
    for (int r = 1; r < test->size; ++r) cuts[r] = few == 0 && r > 1 ? cuts[1 + below(d, r - 1)] : below(d, count + 1);
    if (test->size > 1) qsort(cuts + 1, (size_t)test->size - 1, sizeof *cuts, compare_cuts);
    cuts[0] = 0;
    cuts[test->size] = count;
}

static spread draw_spread(ranks_test *test, drawing *d, int64_t count, uint32_t span, int is_sorted)
{
    static _Thread_local uint32_t numbers[MOST];
    static _Thread_local unsigned char whole[MOST * ELEMENT_MOST];
    int64_t cuts[RANKS_MOST + 1];
    const int64_t run = 1 + (below(d, 3) == 0) * below(d, 90); /* length of runs of equal elements; mostly 1 */
    for (int64_t k = 0; k < count; ++k) numbers[k] = k % run ? numbers[k - 1] : (uint32_t)below(d, span);
    if (is_sorted) sort_whole(d->order, numbers, count);
    for (int64_t k = 0; k < count; ++k) put_number(d->type, numbers[k], whole + (size_t)k * d->type->size);
    draw_cuts(test, d, count, cuts);
    return spread_part(test, d->type, whole, count, cuts[test->rank], cuts[test->rank + 1] - cuts[test->rank]);
}

/* Draws a list of offsets, begins or indices, which is cut over ranks at random indices. */
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
    const operation *op;
    drawing d;
    spread a, b, list;
    room out[2];
    unsigned char *expected[2];
    int64_t whole; /* number of expected results */
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
    s.first = c->a.first;
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

/* Makes the core's call on the whole sequence, on rank 0. */
static void run_core(fuzz_call *c)
{
    ranks_test *const test = c->test;
    const unsigned char pattern = 0xa5; /* byte that fills new buffers */
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

/* Returns the index of this rank's row among the expected rows, searched from index from on. Returns c->whole if the
 * row is not there. */
static int64_t find_row(const fuzz_call *c, unsigned char *const *got, int64_t row, int64_t from)
{
    for (int64_t at = from; at < c->whole; ++at) {
        int is_same = 1;
        for (int k = 0; k < 2 && c->op->out[k] != NOTHING; ++k) {
            const size_t size = c->out[k].type->size;
            is_same &= memcmp(got[k] + (size_t)row * size, c->expected[k] + (size_t)at * size, size) == 0;
        }
        if (is_same) return at;
    }
    return c->whole;
}

/* Checks that this rank's rows are expected rows, for OWNED in the expected order. Sums over all ranks show that each
 * expected row occurs once. */
static void compare_rows(fuzz_call *c, int64_t own)
{
    ranks_test *const test = c->test;
    unsigned char *got[2] = { NULL, NULL };
    uint64_t sum = 0, expected = 0;
    int64_t at = -1;
    for (int k = 0; k < 2 && c->op->out[k] != NOTHING; ++k) {
        const size_t size = c->out[k].type->size, bytes = (size_t)own * size;
        got[k] = malloc(bytes + 1);
        tell_all(test, c->expected[k], (size_t)c->whole * size);
        expect_core(test,
                    mcl_buffer_read(test->queue, c->out[k].buffer, (size_t)c->out[k].offset * size, bytes, got[k]),
                    c->what);
        expect_guards(test, &c->out[k], own);
    }
    for (int64_t row = 0; row < own && at < c->whole; ++row) {
        at = find_row(c, got, row, c->op->form == OWNED ? at + 1 : 0);
        uint64_t state = (uint64_t)at;
        sum += random_next(&state);
    }
    expect_true(test, at < c->whole, c->what);
    for (int64_t row = 0; row < c->whole; ++row) {
        uint64_t state = (uint64_t)row;
        expected += random_next(&state);
    }
    expect_true(test, (uint64_t)sum_of_all(test, (int64_t)sum) == expected, c->what);
    free(got[0]);
    free(got[1]);
}

static void compare(fuzz_call *c, const side *s)
{
    ranks_test *const test = c->test;
    int64_t own = s->count, first = 0;
    tell_all(test, &c->whole, sizeof c->whole);
    if (c->op->form == ALIGNED) {
        first = c->a.first;
        own = c->a.own;
    } else if (c->op->form != EVERYWHERE) {
        const int64_t all = sum_of_all(test, own);
        first = sum_of_lower(test, own);
        expect_true(test, all == c->whole, c->what);
        if (all != c->whole) return; /* parts would not fit into the buffers */
        if (c->op->form != KEPT) {
            compare_rows(c, own);
            return;
        }
    } else {
        expect_true(test, own == c->whole, c->what);
        own = c->whole;
    }
    for (int k = 0; k < 2; ++k)
        if (c->op->out[k] != NOTHING) expect_part(test, &c->out[k], c->expected[k], c->whole, first, own, c->what);
}

/* Returns whether the core accepts the call, and its results fit into the buffers. */
static int is_possible(const fuzz_call *c, uint32_t span)
{
    const int64_t a = c->a.count, b = c->b.count;
    const unsigned needs = c->op->needs;
    if ((needs & FOLDS_ALL) && a == 0 && !c->d.fold->has_identity) return 0;
    if ((needs & NOT_EMPTY) && a == 0) return 0;
    if (needs & JOINS) return a * b / (span < 16 ? span : 16) < ROOM_MOST / 2;
    if (needs & HAS_SEGMENTS) return c->list.count > 0;
    return 1;
}

static void draw_rest(fuzz_call *c)
{
    static const mcl_join_kind joins[] = { MCL_JOIN_INNER, MCL_JOIN_LEFT, MCL_JOIN_SEMI, MCL_JOIN_ANTI };
    drawing *const d = &c->d;
    d->ranks = c->test->size;
    d->fold = (c->op->needs & GROUPS ? group_folds : folds) + shape_below(d, FOLD_COUNT);
    d->order = orders[shape_below(d, 3)];
    d->equal = shape_below(d, 2) ? &near : NULL;
    d->kind = d->fold->has_identity ? (mcl_scan_kind)shape_below(d, 2) : MCL_INCLUSIVE;
    d->join = joins[shape_below(d, 4)];
    d->segments = (int)shape_below(d, 3);
    d->value = group_values[shape_below(d, 3)];
    d->any_join = (mcl_join_kind)shape_below(d, MCL_JOIN_ANTI + 1);
}

/* Makes the same call of a fold with another accumulator on one rank. All ranks must fail, and store nothing. */
static void disagree(const fuzz_call *c, uint64_t seed)
{
    static const mcl_type *const values[] = { MCL_UINT64, MCL_INT8, MCL_DOUBLE, &shift_type, MCL_UINT16 };
    ranks_test *const test = c->test;
    uint64_t state = ~seed;
    const uint64_t drawn = random_next(&state);
    if (test->size == 1 || (c->op->out[0] != FOLDS && c->op->out[1] != FOLDS)) return;
    mcl_op other = *c->d.fold->op;
    const mcl_type *value = values[drawn % 5];
    if (value == other.value) value = MCL_INT8;
    if (drawn / 8 % 2)
        other.value = value;
    else
        other.result = value;
    const fold_kind fold = { &other, c->d.fold->result, c->d.fold->has_identity };
    drawing d = c->d;
    if (test->rank == (int)(drawn / 16 % (uint64_t)test->size)) d.fold = &fold;
    side s = ranks_side(c);
    expect_failure(test, c->op->run(&d, &s), MCL_ERROR_PRECONDITION, "op->|expected the same call on all ranks",
                   c->what);
    for (int k = 0; k < 2; ++k)
        if (c->op->out[k] != NOTHING) expect_guards(test, &c->out[k], 0);
}

static void fuzz_one(ranks_test *test, uint64_t seed)
{
    uint64_t shape = seed / SHAPE_SEEDS;
    fuzz_call c = { .test = test, .d = { .state = seed, .shape = (int64_t)(random_next(&shape) >> 1) } };
    drawing *const d = &c.d;
    c.op = &fuzz_operations[shape_below(d, fuzz_operation_count)];
    d->type = types[shape_below(d, TYPE_COUNT)];
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
        disagree(&c, seed);
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
    const time_t start = time(NULL);
    int64_t calls = 0;
    int goes_on = 1;
    if (test->size > RANKS_MOST) {
        expect_true(test, 0, "fuzz takes 64 ranks at most");
        return;
    }
    for (; goes_on; ++calls) {
        fuzz_one(test, seed + (uint64_t)calls);
        goes_on = !most_of_all(test, difftime(time(NULL), start) >= seconds || test->failed > 0);
    }
    if (test->rank == 0) printf("fuzz: %lld calls, seeds from %llu on\n", (long long)calls, (unsigned long long)seed);
}
