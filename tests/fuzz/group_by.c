/* group_by.c: random calls of group_by.h, on integer keys, and of mcl_host_group_by. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void distinct_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_INTEGER);
    const int64_t n = draw_size(c);

    input_any(c, 0, of, draw_chance(&c->data, 20) ? 20 * n : n, (fill)draw_below(&c->data, FILL_COUNT));
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), -1);
    count_new(c, 0, 1);
}

/* Kinds of aggregates. A count takes any number of values. */
enum { GROUPED_COUNT, GROUPED_SUM, GROUPED_LEAST, GROUPED_LAST, GROUPED_MEAN, GROUPED_WIDE, GROUPED_REAL };
/* numbers: first the counts, then the way of each aggregate */
enum { AGGREGATES, WAYS, AGGREGATES_MAX = 5, CAPACITY = WAYS + AGGREGATES_MAX };

static const mcl_op wide_sum = {
    .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
};
static const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q" };

static const struct {
    const kind *out;
    const mcl_op *op;
} ways[] = {
    [GROUPED_COUNT] = { &kind_int64, MCL_ADD },  [GROUPED_SUM] = { &kind_int64, &wide_sum },
    [GROUPED_LEAST] = { &kind_int32, MCL_MIN },  [GROUPED_LAST] = { &kind_int32, &last },
    [GROUPED_MEAN] = { &kind_double, MCL_MEAN }, [GROUPED_WIDE] = { &kind_int64, MCL_ADD },
    [GROUPED_REAL] = { &kind_double, MCL_ADD },
};

static void group_by_draw(call *c)
{
    distinct_draw(c);
    c->numbers[AGGREGATES] = draw_below(&c->shape, AGGREGATES_MAX + 1);
    if (c->numbers[AGGREGATES] > 0) input_carried(c, 1, &kind_int32, 0);
    for (int k = 0; k < c->numbers[AGGREGATES]; k++) {
        /* the first aggregate takes values */
        int64_t way = draw_between(&c->shape, k > 0 ? GROUPED_COUNT : GROUPED_SUM, GROUPED_REAL);
        if (ways[way].out == &kind_double && !c->w->info.has_double) way = GROUPED_SUM;
        c->numbers[WAYS + k] = way;
        output_new(c, 1 + k, ways[way].out, draw_room(c, c->sequences[0].bound), -1);
    }
}

static mcl_status distinct_run(mcl_queue *queue, call *c)
{
    return mcl_distinct(queue, c->in[0], c->out[0], c->result[0], c->options_given);
}

static mcl_status group_by_run(mcl_queue *queue, call *c)
{
    const int64_t one = 1;
    const int64_t count = c->in[0].count > 0 ? c->in[0].count : 0;
    mcl_aggregate list[AGGREGATES_MAX];

    for (int k = 0; k < c->numbers[AGGREGATES]; k++) {
        const int64_t way = c->numbers[WAYS + k];
        list[k] = (mcl_aggregate){ c->in[1], ways[way].op, c->out[1 + k] };
        if (way == GROUPED_COUNT) list[k].values = mcl_from_constant(MCL_INT64, &one, count);
    }
    return mcl_group_by(queue, c->in[0], c->out[0], list, (int)c->numbers[AGGREGATES], c->result[0], c->options_given);
}

/* Returns eight bytes of a key, from byte at on, as a number. Signed integers are moved up, so that they ascend as
 * unsigned numbers. */
static uint64_t key_word(const kind *of, const unsigned char *key, size_t at)
{
    const size_t size = of->type->size;
    const size_t bytes = size <= at ? 0 : size - at < 8 ? size - at : 8;
    uint64_t word = 0;

    for (size_t k = bytes; k > 0; k--) word = word << 8 | key[at + k - 1];
    if (of->type->kind == MCL_KIND_SIGNED && bytes) word ^= UINT64_C(1) << (8 * bytes - 1);
    return word;
}

/* Returns the indices of the keys, ordered by groups. */
static int64_t *sorted_places(const call *c)
{
    enum { KEY_BYTES_MAX = 16, WORD_BYTES = 8 };
    const sequence *keys = &c->sequences[0];
    const order by = { .of = &kind_uint64 };
    const size_t room = (size_t)keys->count + 1;
    int64_t *places = malloc(room * sizeof *places);
    int64_t *moved = malloc(room * sizeof *moved);
    uint64_t *words = malloc(room * sizeof *words);

    if (!places || !moved || !words) abort();
    for (int64_t k = 0; k < keys->count; k++) places[k] = k;
    for (size_t at = 0; at < KEY_BYTES_MAX; at += WORD_BYTES) {
        for (int64_t k = 0; k < keys->count; k++) words[k] = key_word(keys->of, element_at(keys, places[k]), at);
        order_sort(&by, &kind_uint64, (unsigned char *)words, keys->count, moved);
        for (int64_t k = 0; k < keys->count; k++) moved[k] = places[moved[k]];
        memcpy(places, moved, room * sizeof *places);
    }
    free(moved);
    free(words);
    return places;
}

/* Expects the aggregates of the elements places[begin .. end), which order_sort has kept in the order of their
 * indices. */
static void aggregates_expect(call *c, int64_t group, const int64_t *places, int64_t begin, int64_t end)
{
    const int64_t length = end - begin;
    int64_t sum = 0, least = INT32_MAX;
    int32_t latest = 0;

    for (int64_t k = begin; k < end; k++) {
        const unsigned char *value = element_at(&c->sequences[1], places[k]);
        memcpy(&latest, value, sizeof latest);
        sum += latest;
        if (latest < least) least = latest;
    }
    const int32_t lowest = (int32_t)least;
    const double real = (double)sum;
    const double mean = (double)sum / (double)length;
    const void *const found[] = {
        [GROUPED_COUNT] = &length, [GROUPED_SUM] = &sum,  [GROUPED_LEAST] = &lowest, [GROUPED_LAST] = &latest,
        [GROUPED_MEAN] = &mean,    [GROUPED_WIDE] = &sum, [GROUPED_REAL] = &real
    };
    for (int k = 0; k < c->numbers[AGGREGATES]; k++) output_expect_at(c, 1 + k, group, found[c->numbers[WAYS + k]]);
}

/* Expects all groups, and returns their number. */
static int64_t groups_expect(call *c)
{
    const sequence *keys = &c->sequences[0];
    int64_t *places = sorted_places(c);
    int64_t groups = 0;
    int64_t end;

    for (int64_t begin = 0; begin < keys->count; begin = end, groups++) {
        const unsigned char *key = element_at(keys, places[begin]);
        for (end = begin + 1; end < keys->count; end++)
            if (memcmp(key, element_at(keys, places[end]), keys->of->type->size) != 0) break;
        output_expect_at(c, 0, groups, key);
        if (c->out_count > 1) aggregates_expect(c, groups, places, begin, end);
    }
    result_expect_count(c, 0, groups);
    free(places);
    return groups;
}

static void group_by_reference(call *c)
{
    groups_expect(c);
}

/* ---- mcl_host_group_by ---------------------------------------------------------------------------------- */

static void host_group_by_draw(call *c)
{
    const int64_t n = draw_chance(&c->data, 15) ? 8 * draw_size(c) : draw_size(c);
    const kind *of = NULL;
    size_t kept = 0;

    do of = draw_kind(&c->shape, KINDS_ANY);
    while (of->type->size > 16);
    const order by = { .of = of };
    const int64_t capacity = draw_chance(&c->data, 80) ? draw_room(c, n) : draw_below(&c->data, n + 1);
    c->numbers[CAPACITY] = capacity;
    c->numbers[AGGREGATES] = draw_below(&c->shape, AGGREGATES_MAX + 1);
    host_keys_draw(c, 0, &by, n);
    host_values_draw(c, 1, &kind_int32, n);
    output_new(c, 0, of, capacity, -1);
    for (int k = 0; k < c->numbers[AGGREGATES]; k++) {
        int64_t way = draw_between(&c->shape, GROUPED_COUNT, GROUPED_REAL);
        if (way == GROUPED_MEAN) way = GROUPED_WIDE; /* calls on host data have no means */
        if (ways[way].out == &kind_double && !c->w->info.has_double) way = GROUPED_SUM;
        c->numbers[WAYS + k] = way;
        output_new(c, 1 + k, ways[way].out, capacity, -1);
        kept += 2 * sizeof(int64_t);
    }
    host_count_new(c);
    host_room_draw(c, n, of->type->size + kept);
}

static mcl_status host_group_by_run(mcl_queue *queue, call *c)
{
    mcl_host_aggregate list[AGGREGATES_MAX];
    host_call of;
    mcl_status status = host_begin(queue, c, &of);

    if (status != MCL_OK) return status;
    for (int k = 0; k < c->numbers[AGGREGATES]; k++) {
        const int64_t way = c->numbers[WAYS + k];
        list[k] = (mcl_host_aggregate){ MCL_INT32, host_input(c, 1), ways[way].op, ways[way].out->type,
                                        host_output(c, 1 + k) };
        if (way == GROUPED_COUNT) list[k].value_type = NULL, list[k].values = NULL;
    }
    do
        status = mcl_host_group_by(of.given, of.type, of.keys, of.count, list, (int)c->numbers[AGGREGATES], of.out,
                                   c->numbers[CAPACITY], host_count(c));
    while (host_grows(&of, status));
    return host_end(queue, c, status);
}

static void host_group_by_reference(call *c)
{
    const int64_t capacity = c->numbers[CAPACITY];

    if (groups_expect(c) > capacity && capacity > 0) c->expect = EXPECT_CAPACITY;
}

const operation host_group_by_operations[] = {
    { "mcl_host_group_by", ON_HOST | NO_OPTIONS | MAY_LACK_OUTPUTS, host_group_by_draw, host_group_by_run,
      host_group_by_reference },
    { NULL, 0, NULL, NULL, NULL },
};

const operation group_by_operations[] = {
    { "mcl_distinct", MAY_LACK_OUTPUTS, distinct_draw, distinct_run, group_by_reference },
    { "mcl_group_by", MAY_LACK_OUTPUTS, group_by_draw, group_by_run, group_by_reference },
    { NULL, 0, NULL, NULL, NULL },
};
