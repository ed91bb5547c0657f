/* host_join.c: mcl_host_join. The keys of both sides form one sequence, first those of a and then those of b, with a
 * column of their indices. Each bucket is joined separately. */
#include "host/host_call.h"

#include "moderncl/join.h"
#include "moderncl/transform.h"

#include <string.h>

enum { KEYS, INDICES, ROWS_A, ROWS_B, JOIN_COLUMNS };

typedef struct join_call {
    mcl__host_call base; /* must be the first member: work casts its address to join_call */
    mcl_join_kind kind;
} join_call;

/* The range of one side's keys in a channel. */
typedef struct side {
    int64_t begin, count;
} side;

static const int64_t no_row = -1;

/* ---- work ---------------------------------------------------------------------------------------------------- */

static int has_rows_b(mcl_join_kind kind)
{
    return kind != MCL_JOIN_SEMI && kind != MCL_JOIN_ANTI;
}

/* Finds both sides of a bucket; the keys of a come first. */
static void find_sides(const mcl__channel *channel, int64_t count, side *a, side *b)
{
    *a = (side){ 0, channel->first_count };
    *b = (side){ channel->first_count, count - channel->first_count };
}

/* Sorts the keys of a chunk with their indices. The keys are neighbours in the inputs. */
static mcl_status sort_first(const mcl__host_call *call, const mcl__channel *channel, int64_t count)
{
    const mcl_type *const type = call->kept.types[KEYS];
    const int64_t begin = channel->job.range_count > 0 ? channel->job.ranges[0].begin : 0;
    const int64_t index = begin < call->second_begin ? begin : begin - call->second_begin;
    return mcl_sort_pairs(channel->queue, mcl_from_buffer(type, channel->from[KEYS], 0, count),
                          mcl_from_counting(MCL_INT64, &index, count),
                          mcl_to_buffer(type, channel->from[KEYS], 0, count),
                          mcl_to_buffer(MCL_INT64, channel->from[INDICES], 0, count), call->before, NULL);
}

static mcl_status sort_side(const mcl__host_call *call, const mcl__channel *channel, side of)
{
    const mcl_type *const type = call->kept.types[KEYS];
    return mcl_sort_pairs(channel->queue, mcl_from_buffer(type, channel->from[KEYS], of.begin, of.count),
                          mcl_from_buffer(MCL_INT64, channel->from[INDICES], of.begin, of.count),
                          mcl_to_buffer(type, channel->from[KEYS], of.begin, of.count),
                          mcl_to_buffer(MCL_INT64, channel->from[INDICES], of.begin, of.count), call->before, NULL);
}

/* Joins two sides of a channel, and stores the first rows, as many as the channel has room for. */
static mcl_status join_sides(const mcl__host_call *call, const mcl__channel *channel, side a, side b, mcl_result count)
{
    const join_call *const own = (const join_call *)call;
    const mcl_type *const type = call->kept.types[KEYS];
    const int wants_a = call->out.types[ROWS_A] != NULL, wants_b = call->out.types[ROWS_B] != NULL;
    const mcl_join_column rows_a = { mcl_from_buffer(MCL_INT64, channel->from[INDICES], a.begin, a.count),
                                     mcl_to_buffer(MCL_INT64, channel->from[ROWS_A], 0, channel->capacity), &no_row };
    const mcl_join_column rows_b = { mcl_from_buffer(MCL_INT64, channel->from[INDICES], b.begin, b.count),
                                     mcl_to_buffer(MCL_INT64, channel->from[ROWS_B], 0, channel->capacity), &no_row };
    return mcl_join_columns(channel->queue, own->kind, mcl_from_buffer(type, channel->from[KEYS], a.begin, a.count),
                            mcl_from_buffer(type, channel->from[KEYS], b.begin, b.count), &rows_a, wants_a, &rows_b,
                            wants_b, (mcl_output){ 0 }, call->before, count, NULL);
}

/* Stores the indices of a side's keys. It is for the stage in which all keys are in the channel. */
static mcl_status store_indices(const mcl__channel *channel, side of)
{
    const int64_t zero = 0;
    return mcl_transform(channel->queue, mcl_from_counting(MCL_INT64, &zero, of.count),
                         mcl_to_buffer(MCL_INT64, channel->from[INDICES], of.begin, of.count), NULL);
}

static mcl_status join_work(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage, int64_t count)
{
    side a, b;
    if (stage == MCL__STAGE_FIRST) return sort_first(call, channel, count);
    if (stage == MCL__STAGE_AGAIN) return sort_side(call, channel, (side){ 0, count });
    find_sides(channel, count, &a, &b);
    if (stage == MCL__STAGE_WHOLE) {
        MCL__TRY(store_indices(channel, a));
        MCL__TRY(store_indices(channel, b));
    }
    return join_sides(call, channel, a, b, mcl_to_slot(MCL_INT64, channel->found, 0));
}

/* ---- more rows than there is room for ------------------------------------------------------------------------ */

/* Adds count rows to the call's count. Returns the number of rows for which the outputs have room. */
static int64_t take_rows(mcl__host_call *call, int64_t count)
{
    const int64_t room = call->out_capacity > call->out_count ? call->out_capacity - call->out_count : 0;
    call->out_count = count > INT64_MAX - call->out_count ? INT64_MAX : call->out_count + count;
    return count < room ? count : room;
}

static mcl_status read_rows(mcl__host_call *call, const mcl__channel *channel, int64_t count)
{
    const int64_t begin = call->out_count, stored = take_rows(call, count);
    for (int c = ROWS_A; c <= ROWS_B; ++c)
        if (call->out.types[c] && stored > 0)
            MCL__TRY(mcl_buffer_read(channel->queue, channel->from[c], 0, (size_t)stored * sizeof(int64_t),
                                     mcl__host_element(call, &call->out, c, begin)));
    return MCL_OK;
}

/* Joins parts of a, in order, with all of b. One key of a has at most as many rows as b has keys, so a part with one
 * key always fits. row_count is known to count all rows, so parts for which the outputs have no room are not joined. */
static mcl_status join_in_parts(mcl__host_call *call, const mcl__channel *channel, int64_t row_count)
{
    const int64_t end = call->out_count + row_count;
    side a, b;
    find_sides(channel, channel->job.count, &a, &b);
    MCL__TRY(sort_side(call, channel, a));
    MCL__TRY(sort_side(call, channel, b));
    int64_t part = (int64_t)((double)a.count * ((double)channel->capacity / (double)row_count)), count = 0;
    while (a.count > 0 && call->out_count < call->out_capacity) {
        part = part < 1 ? 1 : part > a.count ? a.count : part;
        MCL__TRY(join_sides(call, channel, (side){ a.begin, part }, b, mcl_to_slot(MCL_INT64, channel->found, 0)));
        MCL__TRY(mcl_buffer_read(channel->queue, channel->found, 0, sizeof count, &count));
        if (count > channel->capacity && part > 1) {
            part /= 2;
            continue;
        }
        MCL__TRY(read_rows(call, channel, count));
        a = (side){ a.begin + part, a.count - part };
    }
    call->out_count = end;
    return MCL_OK;
}

/* ---- equal keys ---------------------------------------------------------------------------------------------- */

static void store_row(mcl__host_call *call, int64_t row, int64_t a, int64_t b)
{
    if (call->out.types[ROWS_A]) memcpy(mcl__host_element(call, &call->out, ROWS_A, row), &a, sizeof a);
    if (call->out.types[ROWS_B]) memcpy(mcl__host_element(call, &call->out, ROWS_B, row), &b, sizeof b);
}

static int64_t index_at(const mcl__host_call *call, int64_t element)
{
    int64_t index;
    memcpy(&index, mcl__host_element(call, &call->kept, INDICES, element), sizeof index);
    return index;
}

/* Stores the rows of one key of a: a row with each key of b, or one row without b. */
static void store_rows_of(mcl__host_call *call, int64_t a, const mcl__range *b, int64_t b_count, int pairs,
                          int64_t *row, int64_t end)
{
    if (!pairs && *row < end) store_row(call, (*row)++, a, no_row);
    for (int64_t r = 0; pairs && r < b_count; ++r)
        for (int64_t k = 0; k < b[r].count && *row < end; ++k)
            store_row(call, (*row)++, a, index_at(call, b[r].begin + k));
}

/* Joins keys that are all equal. This needs no device: each key of a matches each key of b. */
static mcl_status join_equal(mcl__host_call *call, const mcl__range *ranges, int64_t range_count)
{
    const mcl_join_kind kind = ((const join_call *)call)->kind;
    int64_t a_ranges = 0, a_count = 0, b_count = 0;
    for (int64_t r = 0; r < range_count; ++r) {
        const int is_a = ranges[r].begin < call->second_begin;
        a_ranges += is_a;
        a_count += is_a ? ranges[r].count : 0;
        b_count += is_a ? 0 : ranges[r].count;
    }
    const int pairs = has_rows_b(kind) && b_count > 0;
    const int alone = b_count > 0 ? kind == MCL_JOIN_SEMI : kind == MCL_JOIN_LEFT || kind == MCL_JOIN_ANTI;
    const int64_t count = !pairs ? alone * a_count : a_count > INT64_MAX / b_count ? INT64_MAX : a_count * b_count;
    int64_t row = call->out_count;
    const int64_t end = row + take_rows(call, count);
    for (int64_t r = 0; r < a_ranges; ++r)
        for (int64_t k = 0; k < ranges[r].count && row < end; ++k)
            store_rows_of(call, index_at(call, ranges[r].begin + k), ranges + a_ranges, range_count - a_ranges, pairs,
                          &row, end);
    return MCL_OK;
}

/* ---- the call ------------------------------------------------------------------------------------------------ */

/* The operands of a call, or of one of its two joins. */
typedef struct operands {
    const mcl_host_room *room;
    const mcl_type *type;
    const void *a, *b;
    int64_t a_count, b_count;
    const mcl_op *before;
    int64_t *out_a, *out_b;
    int64_t capacity;
} operands;

static mcl_status check(const operands *of, mcl_join_kind kind)
{
    MCL__TRY(mcl__host_check_room(of->room));
    if ((int)kind < MCL_JOIN_INNER || (int)kind > MCL_JOIN_ANTI)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kind is %d; expected an mcl_join_kind", (int)kind);
    MCL__TRY(mcl__host_check_type("type", of->type));
    MCL__TRY(mcl__host_check_count("a_count", of->a_count));
    MCL__TRY(mcl__host_check_count("b_count", of->b_count));
    MCL__TRY(mcl__host_check_count("capacity", of->capacity));
    MCL__TRY(mcl__host_check_array("a", of->a, of->a_count));
    MCL__TRY(mcl__host_check_array("b", of->b, of->b_count));
    const size_t rows_bytes = (size_t)of->capacity * sizeof(int64_t);
    const mcl__host_memory in[] = { { "a", of->a, (size_t)of->a_count * of->type->size },
                                    { "b", of->b, (size_t)of->b_count * of->type->size } };
    const mcl__host_memory out[] = { { "out_a", of->out_a, of->out_a ? rows_bytes : 0 },
                                     { "out_b", of->out_b, of->out_b ? rows_bytes : 0 } };
    return mcl__host_check_memory(of->room, in, 2, out, 2, 0);
}

/* Joins with a kind of join in which every row comes from a key of a, and adds the number of rows to *row_count. */
static mcl_status join(const operands *of, mcl_join_kind kind, int64_t *row_count)
{
    const int is_stored = of->capacity > 0;
    join_call call = { .kind = kind,
                       .base = { .room = of->room,
                                 .before = of->before,
                                 .work = join_work,
                                 .column_count = JOIN_COLUMNS,
                                 .large = join_in_parts,
                                 .equal = join_equal,
                                 .count = of->a_count + of->b_count,
                                 .in = { { of->type }, { (unsigned char *)(uintptr_t)of->a } },
                                 .kept = { .types = { of->type, MCL_INT64 } },
                                 .second = of->b,
                                 .second_begin = of->a_count,
                                 .out_capacity = of->capacity } };
    call.base.out.types[ROWS_A] = is_stored && of->out_a ? MCL_INT64 : NULL;
    call.base.out.data[ROWS_A] = (unsigned char *)of->out_a;
    call.base.out.types[ROWS_B] = is_stored && of->out_b && has_rows_b(kind) ? MCL_INT64 : NULL;
    call.base.out.data[ROWS_B] = (unsigned char *)of->out_b;
    MCL__TRY(mcl__host_run(&call.base));
    *row_count += call.base.out_count;
    return MCL_OK;
}

/* Adds a row for each key of b that matches no key of a. An anti join of b with a finds these keys. */
static mcl_status join_rest(const operands *of, int64_t *row_count)
{
    const int64_t begin = *row_count < of->capacity ? *row_count : of->capacity;
    const operands rest = { .room = of->room,
                            .type = of->type,
                            .a = of->b,
                            .b = of->a,
                            .a_count = of->b_count,
                            .b_count = of->a_count,
                            .before = of->before,
                            .out_a = of->out_b ? of->out_b + begin : NULL,
                            .capacity = of->capacity - begin };
    MCL__TRY(join(&rest, MCL_JOIN_ANTI, row_count));
    const int64_t end = *row_count < of->capacity ? *row_count : of->capacity;
    for (int64_t row = begin; row < end && of->out_a; ++row) of->out_a[row] = no_row;
    return MCL_OK;
}

mcl_status mcl_host_join(const mcl_host_room *room, mcl_join_kind kind, const mcl_type *type, const void *a,
                         int64_t a_count, const void *b, int64_t b_count, const mcl_op *before, int64_t *out_a,
                         int64_t *out_b, int64_t capacity, int64_t *row_count)
{
    const int has_rest = kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER;
    const mcl_join_kind own = kind == MCL_JOIN_RIGHT ? MCL_JOIN_INNER : kind == MCL_JOIN_OUTER ? MCL_JOIN_LEFT : kind;
    operands of = { room, type, a, b, a_count, b_count, before, out_a, has_rows_b(kind) ? out_b : NULL, capacity };
    int64_t rows = 0;
    mcl__function_is("mcl_host_join");
    MCL__TRY(check(&of, kind));
    if (!of.out_a && !of.out_b) of.capacity = 0;
    MCL__TRY(join(&of, own, &rows));
    if (has_rest) MCL__TRY(join_rest(&of, &rows));
    if (row_count) *row_count = rows;
    if (of.capacity == 0 || rows <= of.capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "capacity is %lld; expected %lld or more", (long long)capacity,
                     (long long)rows);
}
