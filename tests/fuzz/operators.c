/* operators.c: orders, equalities and tests, good and bad, each with the same operator on the host. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* ---- orders --------------------------------------------------------------------------------------------- */

enum { ORDER_LESS, ORDER_GREATER, ORDER_MASKED, ORDER_RANKED, ORDER_BAD };

static void order_ranked(call *c, int k, order *made)
{
    const kind *of = made->of;
    sequence ranks = { 0 };

    for (int i = 0; i < 16; i++) made->ranks[i] = (int32_t)draw_between(&c->data, -3, 3);
    ranks.place = memory_new(c, sizeof made->ranks, sizeof(int32_t));
    memcpy(ranks.place->before + ranks.place->start, made->ranks, sizeof made->ranks);
    c->ops[k].expression =
        of->traits & KIND_STRUCT ? "rank[p.key & 15] < rank[q.key & 15]" : "rank[p & 15] < rank[q & 15]";
    c->ops[k].bindings[0] = mcl_binding_buffer("rank", MCL_INT32, memory_buffer(c, ranks.place),
                                               (int64_t)(ranks.place->start / sizeof(int32_t)));
    c->ops[k].binding_count = 1;
}

static void order_masked(call *c, int k, order *made)
{
    const int64_t masks[] = { 1, 7, 31, 127 };

    made->mask = masks[draw_below(&c->data, 4)];
    c->ops[k].expression =
        made->of->traits & KIND_STRUCT ? "(p.key & mask) < (q.key & mask)" : "(p & mask) < (q & mask)";
    c->ops[k].bindings[0] = mcl_binding_value("mask", MCL_INT64, &made->mask);
    c->ops[k].binding_count = 1;
}

static void order_bad(call *c, int k, order *made)
{
    static const char *const numbers[] = { "p <= q", "1", "p != q" };
    static const char *const structs[] = { "p.key <= q.key", "1", "p.key != q.key" };
    const int64_t which = draw_below(&c->shape, 3);

    made->mode = ORDER_BAD;
    c->ops[k].expression = made->of->traits & KIND_STRUCT ? structs[which] : numbers[which];
    c->broken = 1;
}

order order_new(call *c, int k, const kind *of)
{
    const int is_struct = (of->traits & KIND_STRUCT) != 0;
    order made = { .of = of, .mode = (int)draw_below(&c->shape, 2) };
    const int64_t form = draw_below(&c->shape, 10);
    const int bad = draw_chance(&c->shape, 8) && !is_skipped_for(c, "bad-order");

    c->ops[k] = (mcl_op){ .role = MCL_ROLE_ORDER };
    c->op_given[k] = &c->ops[k];
    if (k >= c->op_count) c->op_count = k + 1;
    if (bad) {
        order_bad(c, k, &made);
    } else if (form == 8 && !(of->traits & KIND_FLOAT)) {
        made.mode = ORDER_MASKED;
        order_masked(c, k, &made);
    } else if (form == 9 && !(of->traits & KIND_FLOAT)) {
        made.mode = ORDER_RANKED;
        order_ranked(c, k, &made);
    } else if (is_struct) {
        c->ops[k].expression = made.mode == ORDER_LESS ? "p.key < q.key" : "q.key < p.key";
    } else if (form >= 6 && !(of->traits & KIND_FLOAT)) {
        c->ops[k].expression = made.mode == ORDER_LESS ? "p < q" : "p > q";
    } else {
        c->op_given[k] = made.mode == ORDER_LESS ? MCL_LESS : MCL_GREATER;
        if (form == 0 && !is_skipped_for(c, "copies")) { /* a copy of a built-in order is equally good */
            c->ops[k] = *c->op_given[k];
            c->op_given[k] = &c->ops[k];
        }
    }
    return made;
}

int order_before(const order *by, const void *p, const void *q)
{
    if (by->mode == ORDER_MASKED) return (integer_of(by->of, p) & by->mask) < (integer_of(by->of, q) & by->mask);
    if (by->mode == ORDER_RANKED) return by->ranks[integer_of(by->of, p) & 15] < by->ranks[integer_of(by->of, q) & 15];
    return by->mode == ORDER_GREATER ? order_key(by->of, p) > order_key(by->of, q)
                                     : order_key(by->of, p) < order_key(by->of, q);
}

typedef struct merging {
    const order *by;
    size_t size;
    const unsigned char *data;
} merging;

static void merge_places(const merging *of, int64_t *places, int64_t *spare, int64_t count)
{
    const int64_t half = count / 2;
    int64_t a = 0;
    int64_t b = half;

    if (count < 2) return;
    merge_places(of, places, spare, half);
    merge_places(of, places + half, spare, count - half);
    for (int64_t k = 0; k < count; k++) {
        const int take_b = a == half || (b < count && order_before(of->by, of->data + (size_t)places[b] * of->size,
                                                                   of->data + (size_t)places[a] * of->size));
        spare[k] = take_b ? places[b++] : places[a++];
    }
    memcpy(places, spare, (size_t)count * sizeof *places);
}

/* Sorts stably. places receives the old index of each element; NULL: it is not wanted. */
void order_sort(const order *by, const kind *of, unsigned char *data, int64_t count, int64_t *places)
{
    const merging state = { by, of->type->size, data };
    int64_t *order_of = malloc((size_t)(count + 1) * sizeof *order_of);
    int64_t *spare = malloc((size_t)(count + 1) * sizeof *spare);
    unsigned char *sorted = malloc((size_t)(count + 1) * state.size);

    if (!order_of || !spare || !sorted) abort();
    for (int64_t k = 0; k < count; k++) order_of[k] = k;
    merge_places(&state, order_of, spare, count);
    for (int64_t k = 0; k < count; k++)
        memcpy(sorted + (size_t)k * state.size, data + (size_t)order_of[k] * state.size, state.size);
    memcpy(data, sorted, (size_t)count * state.size);
    if (places) memcpy(places, order_of, (size_t)count * sizeof *places);
    free(order_of);
    free(spare);
    free(sorted);
}

/* Makes a sequence unsorted: as drawn, backwards, or with low and high elements in turn. */
static void unsort(call *c, sequence *of, const order *by)
{
    const size_t size = of->of->type->size;
    const int64_t half = of->bound / 2;
    const int by_turns = draw_chance(&c->data, 60);
    unsigned char spare[MCL_VALUE_BYTES_MAX];

    c->broken = 1;
    if (by->mode == ORDER_BAD || draw_chance(&c->data, 30)) return;
    order_sort(by, of->of, of->data, of->bound, NULL);
    for (int64_t k = 0; k < half; k += 1 + by_turns) {
        unsigned char *low = of->data + (size_t)k * size;
        unsigned char *high = of->data + (size_t)(of->bound - 1 - k) * size;
        memcpy(spare, low, size);
        memcpy(low, high, size);
        memcpy(high, spare, size);
    }
}

void sequence_sorted(call *c, int k, const order *by, int unique)
{
    sequence *of = &c->sequences[k];
    const size_t size = of->of->type->size;
    const int64_t which = draw_below(&c->data, 10);
    int64_t kept = 0;

    fill_elements(&c->data, of->of, which < 4 ? FILL_ANY : which < 9 ? FILL_FEW : FILL_EQUAL, of->data, of->bound);
    sequence_heat(c, of);
    if (c->bent && draw_chance(&c->data, 80)) {
        unsort(c, of, by);
        return;
    }
    if (by->mode == ORDER_BAD) return;
    order_sort(by, of->of, of->data, of->bound, NULL);
    if (!unique) return;
    for (int64_t i = 0; i < of->bound; i++) {
        unsigned char *at = of->data + (size_t)i * size;
        if (kept && !order_before(by, of->data + (size_t)(kept - 1) * size, at)) continue;
        memmove(of->data + (size_t)kept++ * size, at, size);
    }
    of->bound = kept;
    if (of->count > kept) of->count = kept;
}

/* ---- tests and equalities ------------------------------------------------------------------------------- */

enum { TEST_ODD, TEST_INDEX, TEST_ALL, TEST_NONE, TEST_COUNT };

test test_new(call *c, int k, const kind *of)
{
    test made = { of, (int)draw_below(&c->shape, TEST_COUNT) };

    c->ops[k] = (mcl_op){ .role = MCL_ROLE_TEST };
    c->op_given[k] = &c->ops[k];
    if (k >= c->op_count) c->op_count = k + 1;
    if (made.mode == TEST_ODD && of->traits & KIND_FLOAT) made.mode = TEST_INDEX;
    if (made.mode == TEST_ODD) c->ops[k].expression = of->traits & KIND_STRUCT ? "x.key & 1" : "x & 1";
    if (made.mode == TEST_INDEX) c->ops[k].expression = "i % 3 != 1";
    if (made.mode == TEST_ALL) c->ops[k].expression = "1";
    if (made.mode == TEST_NONE) c->ops[k].expression = "0";
    return made;
}

int test_passes(const test *by, const void *x, int64_t i)
{
    if (by->mode == TEST_ODD) return (int)(integer_of(by->of, x) & 1);
    if (by->mode == TEST_INDEX) return i % 3 != 1;
    return by->mode == TEST_ALL;
}

enum { SAME_KEYS, SAME_HALVES };

equality equality_new(call *c, int k, const kind *of, int may_be_null)
{
    equality made = { of, SAME_KEYS };
    const int64_t form = draw_below(&c->shape, 4);

    c->ops[k] = (mcl_op){ .role = MCL_ROLE_EQUALITY };
    c->op_given[k] = &c->ops[k];
    if (k >= c->op_count) c->op_count = k + 1;
    c->ops[k].expression = of->traits & KIND_STRUCT ? "p.key == q.key" : "p == q";
    if (form == 0 && !(of->traits & KIND_FLOAT)) {
        made.mode = SAME_HALVES;
        c->ops[k].expression = of->traits & KIND_STRUCT ? "(p.key >> 1) == (q.key >> 1)" : "(p >> 1) == (q >> 1)";
    } else if (form == 1 && !(of->traits & KIND_STRUCT)) {
        c->op_given[k] = MCL_EQUAL;
    } else if (form == 2 && may_be_null && !(of->traits & KIND_STRUCT)) {
        c->op_given[k] = NULL;
    }
    return made;
}

int equality_same(const equality *by, const void *p, const void *q)
{
    const int64_t a = order_key(by->of, p);
    const int64_t b = order_key(by->of, q);

    if (by->of->traits & KIND_FLOAT && (a == INT64_MAX || b == INT64_MAX)) return 0; /* NaN */
    return by->mode == SAME_HALVES ? integer_of(by->of, p) >> 1 == integer_of(by->of, q) >> 1 : a == b;
}
