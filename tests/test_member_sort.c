/* test_member_sort.c: structs sorted by an order of one of their numbers, by the digits of that number. */
#include "support/devices.h"
#include "cases/elements.h"

#include "operations/sort/sort_operands.h"

#include <stdlib.h>
#include <string.h>

/* Two types of structs: one moves with its key, and the other stays in place until it is fetched. */
typedef struct record {
    int32_t place;
    float weight;
    int16_t level[2];
    uint32_t rest[6];
} record;
enum { MOST = 40000, SMALL_BYTES = 12, TYPES = 2 };

static const mcl_type types[TYPES] = {
    { .name = "small_record",
      .size = SMALL_BYTES,
      .source = "typedef struct { int32_t place; float weight; int16_t level[4 / 2]; } small_record;" },
    { .name = "record",
      .size = sizeof(record),
      .source = "typedef struct record {\n    int32_t place;\n    float weight;\n    int16_t level[2];\n"
                "    uint32_t rest[5], last;\n} record;" },
};

/* With these rows any struct is sorted by its member. */
static const char rows[] = "sort.fetch_cost \"\" 0\nsort.digit_pass_cost \"\" 0\nsort_pairs.digit_key_cost \"\" 0\n";

/* The numbers of a record by which orders sort. */
enum { PLACE, WEIGHT, LEVEL };

typedef struct order {
    const char *text;
    int number, falls, is_of_member; /* is_of_member: 0 where a mergesort sorts */
} order;

static const order orders[] = {
    { "p.place < q.place", PLACE, 0, 1 },
    { "p.weight > q.weight", WEIGHT, 1, 1 },
    { " p . level [ 1 ]<q.level[1] ", LEVEL, 0, 1 },
    { "p.level[1] > q.level[1]", LEVEL, 1, 1 },
    { "q.place > p.place", PLACE, 0, 0 },
    { "(p.weight < q.weight)", WEIGHT, 0, 0 },
    { "p.weight < q.weight + 0", WEIGHT, 0, 0 },
    { "p.level[01] < q.level[01]", LEVEL, 0, 0 },
    { "p.place + 0 < q.place", PLACE, 0, 0 },
};
enum { ORDERS = sizeof orders / sizeof orders[0] };

/* The inputs and outputs of the records. */
enum { APART, IN_PLACE, COUNTED_ON_THE_DEVICE, INDICES, WAYS };

typedef struct problem {
    const mcl_type *type;
    const order *order;
    int way, by_groups;
    int64_t count, given; /* number of records that are sorted, and of records in the buffer */
} problem;

static double number_of(const record *r, int number)
{
    return number == PLACE ? (double)r->place : number == WEIGHT ? (double)r->weight : (double)r->level[1];
}

static void make_records(record *made, int64_t count)
{
    memset(made, 0, (size_t)count * sizeof *made);
    for (int64_t k = 0; k < count; k++) {
        const uint64_t r = test_random(5, (uint64_t)k);
        made[k].place = (int32_t)(r % 5000) - 2500;
        made[k].weight = (float)(int)(r >> 20 & 255) / 8 - 16;
        if (made[k].weight == 0 && r >> 40 & 1) made[k].weight = -0.0f;
        made[k].level[0] = (int16_t)(r >> 50);
        made[k].level[1] = (int16_t)((int)(r >> 32 & 63) - 32);
        made[k].rest[0] = (uint32_t)k;
    }
}

static const record *sorted_records;
static const order *sorted_by;

/* Compares by the order, then by the index, as a stable sort does. */
static int compare(const void *p, const void *q)
{
    const int32_t i = *(const int32_t *)p, j = *(const int32_t *)q;
    const double a = number_of(&sorted_records[i], sorted_by->number);
    const double b = number_of(&sorted_records[j], sorted_by->number);
    if (a != b) return (a < b) == sorted_by->falls ? 1 : -1;
    return (i > j) - (i < j);
}

/* Returns records as the type has them, which is the first bytes of each. */
static unsigned char *packed(const problem *p, const record *records, const int32_t *at)
{
    unsigned char *const made = calloc((size_t)p->given + 1, p->type->size);
    if (!made) abort();
    for (int64_t k = 0; k < p->given; k++)
        memcpy(made + (size_t)k * p->type->size, &records[at ? at[k] : k], p->type->size);
    return made;
}

static void expect_member(const problem *p, const mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *op)
{
    const mcl__sort_operands given = { .keys = keys, .out = out, .before = op };
    if (p->count < 2) return;
    ck_assert_msg(mcl__member_sort_applies(queue, &given, NULL) == p->order->is_of_member, "%s of %s", p->order->text,
                  p->type->name);
}

static void check(mcl_queue *queue, const problem *p)
{
    static record records[MOST];
    static int32_t places[MOST], got_places[MOST];
    mcl_context *const context = mcl_queue_context(queue);
    const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = p->order->text };
    const size_t bytes = (size_t)p->given * p->type->size;
    const mcl_options groups = { .tile_threads = 32, .tile_items = 4 }, *const options = p->by_groups ? &groups : NULL;
    mcl_buffer *in = NULL, *out = NULL, *count = NULL;

    make_records(records, p->given);
    for (int64_t k = 0; k < p->given; k++) places[k] = (int32_t)k;
    sorted_records = records;
    sorted_by = p->order;
    qsort(places, (size_t)p->count, sizeof *places, compare);
    unsigned char *const keys = packed(p, records, NULL), *const wanted = packed(p, records, places);
    test_ok(mcl_buffer_create(context, bytes, keys, &in));
    test_ok(mcl_buffer_create(context, bytes, keys, &out));
    test_ok(mcl_buffer_create(context, sizeof p->count, &p->count, &count));
    const mcl_input whole = mcl_from_buffer(p->type, in, 0, p->given);
    const mcl_input input = p->way == COUNTED_ON_THE_DEVICE ? mcl_with_count(whole, count, 0) : whole;
    const mcl_output output = mcl_to_buffer(p->type, p->way == IN_PLACE ? in : out, 0, p->given);
    expect_member(p, queue, input, output, &before);
    if (p->way == INDICES) {
        test_ok(mcl_sort_indices(queue, input, mcl_to_buffer(MCL_INT32, out, 0, p->given), &before, options));
        test_ok(mcl_buffer_read(queue, out, 0, (size_t)p->count * sizeof *places, got_places));
        ck_assert_mem_eq(got_places, places, (size_t)p->count * sizeof *places);
    } else {
        test_ok(mcl_sort(queue, input, output, &before, options));
        test_ok(mcl_buffer_read(queue, output.buffer, 0, bytes, keys));
        ck_assert_msg(memcmp(keys, wanted, bytes) == 0, "%s of %s, way %d, %ld of %ld", p->order->text, p->type->name,
                      p->way, (long)p->count, (long)p->given);
    }
    free(keys);
    free(wanted);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(count);
}

START_TEST(records_are_sorted_by_one_number)
{
    static const int64_t counts[] = { 1, 2, 257, 4099, MOST };
    const int sizes = sizeof counts / sizeof counts[0] - (test_is_small() ? 2 : 0), rounds = sizes * ORDERS * TYPES;
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue = NULL;
    int turn = 0;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int n = 0; n < sizes; n++)
        for (int k = 0; k < ORDERS; k++)
            for (int type = 0; type < TYPES; type++, turn++) {
                problem p = {
                    &types[type], &orders[k], (turn / TYPES + type) % WAYS, turn / 3 % 2, counts[n], counts[n]
                };
                if (p.way == COUNTED_ON_THE_DEVICE) p.count = p.given - p.given / 3;
                if (test_sample_takes(turn, rounds)) check(queue, &p);
            }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

START_TEST(orders_tell_the_number_that_they_sort_by)
{
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue = NULL;
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < ORDERS * TYPES; k++) {
        const problem p = { .type = &types[k % TYPES], .order = &orders[k / TYPES], .count = MOST };
        const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = p.order->text };
        expect_member(&p, queue, (mcl_input){ .type = p.type, .count = MOST }, (mcl_output){ 0 }, &before);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* Other texts may stand beside the struct's, such as functions and other structs. The library's vectors have them. */
START_TEST(members_are_found_in_the_struct_of_the_type)
{
    static const mcl_type other = {
        .name = "b",
        .size = 8,
        .source = "typedef struct a { double x[4]; } a; static inline int f(a p) { if (p.x[0] > 0) { return 1; } "
                  "return 0; }\n"
                  "typedef struct { float y , x; } b; static inline float g(b p) { return p.x; }"
    };
    const mcl_type *const found[] = { MCL_FLOAT2, MCL_INT3, MCL_UINT4, &other };
    const mcl_op orders_of[] = { { .role = MCL_ROLE_ORDER, .expression = "p.x < q.x" },
                                 { .role = MCL_ROLE_ORDER, .expression = "p.v < q.v" } };
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue = NULL;
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < 8; k++) {
        const mcl__sort_operands given = { .keys = { .type = found[k / 2], .count = MOST },
                                           .before = &orders_of[k % 2] };
        ck_assert_msg(mcl__member_sort_applies(queue, &given, NULL) == (k % 2 == 0), "%s", given.keys.type->source);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* Sorts vectors by their second number: the order of equal ones stays. */
START_TEST(vectors_are_sorted_by_one_number)
{
    enum { COUNT = 3000 };
    const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = "p.y < q.y" };
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    static mcl_float2 pairs[COUNT];
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < COUNT; k++)
        pairs[k] = (mcl_float2){ (float)k, (float)(int)(test_random(3, (uint64_t)k) % 99) - 50 };
    test_ok(mcl_buffer_create(context, sizeof pairs, pairs, &buffer));
    test_ok(mcl_sort(queue, mcl_from_buffer(MCL_FLOAT2, buffer, 0, COUNT), mcl_to_buffer(MCL_FLOAT2, buffer, 0, COUNT),
                     &before, NULL));
    test_ok(mcl_buffer_read(queue, buffer, 0, sizeof pairs, pairs));
    for (int k = 1; k < COUNT; k++)
        ck_assert_msg(pairs[k - 1].y < pairs[k].y || (pairs[k - 1].y == pairs[k].y && pairs[k - 1].x < pairs[k].x),
                      "vector %d is out of order", k);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* A mergesort sorts if the text of a struct does not tell its member for certain. */
START_TEST(members_of_other_texts_are_merged)
{
    static const mcl_type unclear[] = {
        { .name = "a", .size = 16, .source = "typedef struct { int32_t key; } k; typedef struct { k place[4]; } a;" },
        { .name = "b", .size = 16, .source = "typedef struct { int32_t key; /* int32_t place; */ float place; } b;" },
        { .name = "c", .size = 16, .source = "typedef struct { int32_t key, place[4]; } c;" },
        { .name = "d", .size = 16, .source = "typedef struct { k place; } d; int32_t place;" },
        { .name = "e", .size = 16, .source = "typedef struct { int32_t place[2][2]; } e;" },
        { .name = "f", .size = 16, .source = "typedef struct { int32_t places; } f;" },
    };
    const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = "p.place < q.place" };
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue = NULL;
    test_ok(mcl_queue_create(context, 0, &queue));
    for (size_t k = 0; k < sizeof unclear / sizeof unclear[0]; k++) {
        const mcl__sort_operands given = { .keys = { .type = &unclear[k], .count = MOST }, .before = &before };
        ck_assert_msg(!mcl__member_sort_applies(queue, &given, NULL), "%s", unclear[k].source);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, records_are_sorted_by_one_number, device);
    test_add(tcase, orders_tell_the_number_that_they_sort_by, device);
    test_add(tcase, members_of_other_texts_are_merged, device);
    test_add(tcase, members_are_found_in_the_struct_of_the_type, device);
    test_add(tcase, vectors_are_sorted_by_one_number, device);
}

int main(void)
{
    return test_main("member_sort", add);
}
