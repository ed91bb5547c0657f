/* test_sort_checks.c: the decisions of sorts and quantiles before anything runs, on a device that runs nothing. The
 * tests check which orders of structs compare one number of each, and which options are refused. */
#include "support/devices.h"

#include "guided/idle_device.h"
#include "operations/sort/sort_operands.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MANY = 1 << 22 };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer;
} world;

static world world_open(void)
{
    world w = { 0 };
    ck_assert_int_eq(idle_context(2, &w.context), MCL_OK);
    ck_assert_int_eq(mcl_queue_create(w.context, 0, &w.queue), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(w.context, (size_t)MANY * 64, NULL, &w.buffer), MCL_OK);
    return w;
}

static void world_close(const world *w)
{
    mcl_buffer_release(w->buffer);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

/* ---- orders of one member ------------------------------------------------------------------------------------- */

#define LETTERS_21 "abcdefghijklmnopqrstu"
#define LETTERS_63 LETTERS_21 LETTERS_21 LETTERS_21

static const char plain[] = "typedef struct { int32_t key; float x[4]; } row;";

/* Returns 1 where the library finds that the order compares one number of each struct. Only indices are sorted, and
 * MANY of them cost less by digits. */
static int is_by_member(const world *w, const mcl_op *before, const mcl_type *type, const char *expression)
{
    mcl__sort_operands given = { .keys = mcl_from_buffer(type, w->buffer, 0, MANY), .before = before, .drops_keys = 1 };
    given.keys.expression = expression;
    return mcl__member_sort_applies(w->queue, &given, NULL);
}

START_TEST(an_order_compares_one_member_of_two_structs)
{
    static const struct {
        const char *text;
        int is_by_member;
    } cases[] = {
        { "p.key < q.key", 1 },
        { "p.key > q.key", 1 },
        { " p . key<q .key ", 1 },
        { "p.x[1] < q.x[1]", 1 },
        { "p.x[ 0 ] > q.x[0]", 1 },
        { "", 0 },
        { "p", 0 },
        { "1.key < q.key", 0 },
        { "r.key < q.key", 0 },
        { "p key < q.key", 0 },
        { "p. < q.key", 0 },
        { "p.key", 0 },
        { "p.key = q.key", 0 },
        { "p.key < p.key", 0 },
        { "p.key < q", 0 },
        { "p.key < q.key;", 0 },
        { "p.key < q.y", 0 },
        { "p.y < q.y", 0 },
        { "p.x[1] < q.x[2]", 0 },
        { "p.x < q.x", 0 },
        { "p.key[0] < q.key[0]", 0 },
        { "p.x[] < q.x[]", 0 },
        { "p.x[a] < q.x[a]", 0 },
        { "p.x[01] < q.x[01]", 0 },
        { "p.x[0x1] < q.x[0x1]", 0 },
        { "p.x[1 < q.x[1", 0 },
        { "p.x[99999999999] < q.x[99999999999]", 0 },
        { "p.key_ < q.key_", 0 },
    };
    const mcl_type type = { .name = "row", .size = 20, .alignment = 4, .source = plain };
    const world w = world_open();
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = cases[k].text };
        ck_assert_msg(is_by_member(&w, &before, &type, NULL) == cases[k].is_by_member, "%s", cases[k].text);
    }
    world_close(&w);
}
END_TEST

START_TEST(a_member_is_found_in_the_text_of_one_plain_struct)
{
    static const struct {
        const char *source, *order;
        int is_by_member;
    } cases[] = {
        { "typedef struct { int key; } row;", "p.key < q.key", 1 },
        { "typedef struct { float w; int32_t other, key; } row;", "p.key < q.key", 1 },
        { "typedef struct { double key , other; } row;", "p.key < q.key", 1 },
        { "typedef struct { uint8_t x[N + 1], y[2]; } row;", "p.y[1] < q.y[1]", 1 },
        { "typedef struct { int " LETTERS_63 "; } row;", "p." LETTERS_63 " < q." LETTERS_63, 1 },
        { "typedef struct { int " LETTERS_63 "v; } row;", "p." LETTERS_63 "v < q." LETTERS_63 "v", 0 },
        { "typedef struct { char key; } row;", "p.key < q.key", 0 },
        { "typedef struct { int key : 3; } row;", "p.key < q.key", 0 },
        { "typedef struct { int x[2] y; } row;", "p.x[1] < q.x[1]", 0 },
        { "typedef struct { int x[2; } row;", "p.x[1] < q.x[1]", 0 },
        { "typedef struct { int *key; } row;", "p.key < q.key", 0 },
        { "typedef struct { int other; } row;", "p.key < q.key", 0 },
        { "typedef struct { int key } row;", "p.key < q.key", 0 },
        { "typedef struct { int other", "p.key < q.key", 0 },
        { "typedef row_of_mine row; int key;", "p.key < q.key", 0 },
        { "#define A 1\ntypedef struct { int key; } row;", "p.key < q.key", 0 },
        { "typedef struct { int key; } row; // int", "p.key < q.key", 0 },
        { "typedef struct { int key; /* */ } row;", "p.key < q.key", 0 },
        { "typedef struct { struct { int key; } a; } row;", "p.key < q.key", 0 },
    };
    const world w = world_open();
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = cases[k].order };
        const mcl_type type = { .name = "row", .size = 20, .alignment = 4, .source = cases[k].source };
        ck_assert_msg(is_by_member(&w, &before, &type, NULL) == cases[k].is_by_member, "%s: %s", cases[k].source,
                      cases[k].order);
    }
    world_close(&w);
}
END_TEST

START_TEST(an_order_of_other_keys_or_with_more_than_its_text_compares_no_member)
{
    const mcl_type type = { .name = "row", .size = 20, .alignment = 4, .source = plain };
    mcl_type number = type, bare = type;
    const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = "p.key < q.key" };
    mcl_op empty = before, helped = before, bound = before;
    const world w = world_open();
    number.kind = MCL_KIND_SIGNED;
    bare.source = NULL;
    empty.expression = NULL;
    helped.source = "int a;";
    bound.binding_count = 1;
    ck_assert_int_eq(is_by_member(&w, &before, &type, NULL), 1);
    ck_assert_int_eq(is_by_member(&w, &before, &number, NULL), 0);
    ck_assert_int_eq(is_by_member(&w, &before, &bare, NULL), 0);
    ck_assert_int_eq(is_by_member(&w, &before, &type, "x[i]"), 0);
    ck_assert_int_eq(is_by_member(&w, &empty, &type, NULL), 0);
    ck_assert_int_eq(is_by_member(&w, &helped, &type, NULL), 0);
    ck_assert_int_eq(is_by_member(&w, &bound, &type, NULL), 0);
    world_close(&w);
}
END_TEST

/* ---- options and numbers -------------------------------------------------------------------------------------- */

START_TEST(a_sort_is_refused_for_each_of_its_options)
{
    static const struct {
        mcl_options options;
        mcl_status status;
        const char *words;
    } cases[] = {
        { { .sort_method = (mcl_sort_method)-1 }, MCL_ERROR_ARGUMENT, "options->sort_method is -1" },
        { { .sort_method = (mcl_sort_method)3 }, MCL_ERROR_ARGUMENT, "options->sort_method is 3" },
        { { .first_bit = -1, .end_bit = 8 }, MCL_ERROR_ARGUMENT, "first_bit is -1 and end_bit 8" },
        { { .first_bit = 8, .end_bit = 8 }, MCL_ERROR_ARGUMENT, "first_bit is 8 and end_bit 8" },
        { { .first_bit = 8 }, MCL_ERROR_ARGUMENT, "first_bit is 8 and end_bit 0" },
        { { .first_bit = 8, .end_bit = 33 }, MCL_ERROR_ARGUMENT, "expected 0 <= first_bit < end_bit <= 32" },
        { { .end_bit = 8, .sort_method = MCL_SORT_MERGE }, MCL_ERROR_ARGUMENT, "end_bit 8 with MCL_SORT_MERGE" },
        { { .first_bit = 8, .end_bit = 32 }, MCL_OK, "" },
        { { .sort_method = MCL_SORT_RADIX }, MCL_OK, "" },
        { { .sort_method = MCL_SORT_MERGE }, MCL_OK, "" },
    };
    const world w = world_open();
    const mcl_input keys = mcl_from_buffer(MCL_INT32, w.buffer, 0, 100);
    const mcl_output out = mcl_to_buffer(MCL_INT32, w.buffer, 100, 100);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const int64_t work = idle_work;
        const mcl_status status = mcl_sort(w.queue, keys, out, MCL_LESS, &cases[k].options);
        ck_assert_msg(status == cases[k].status, "case %zu: %d", k, (int)status);
        ck_assert_int_eq(idle_work > work, status == MCL_OK);
        if (status != MCL_OK) test_fails(status, status, cases[k].words);
    }
    world_close(&w);
}
END_TEST

START_TEST(an_interpolation_is_one_that_there_is)
{
    const float half = 0.5f;
    const world w = world_open();
    const mcl_input keys = mcl_from_buffer(MCL_FLOAT, w.buffer, 0, 100);
    const mcl_input fractions = mcl_from_constant(MCL_FLOAT, &half, 1);
    const mcl_output out = mcl_to_buffer(MCL_FLOAT, w.buffer, 100, 1),
                     rows = mcl_to_buffer(MCL_FLOAT, w.buffer, 100, 10);
    for (int way = MCL_INTERPOLATION_LOWER - 1; way <= MCL_INTERPOLATION_LINEAR + 1; way++) {
        const int is_one = way >= MCL_INTERPOLATION_LOWER && way <= MCL_INTERPOLATION_LINEAR;
        const mcl_status status = mcl_quantiles(w.queue, keys, fractions, out, MCL_LESS, (mcl_interpolation)way, NULL);
        ck_assert_msg(status == (is_one ? MCL_OK : MCL_ERROR_ARGUMENT), "%d: %s", way, mcl_last_error());
        if (!is_one) test_fails(status, MCL_ERROR_ARGUMENT, "mcl_quantiles: interpolation is");
        const mcl_status of_rows = mcl_segmented_quantiles(w.queue, keys, mcl_segments_from_rows(10, 10), fractions,
                                                           rows, MCL_LESS, (mcl_interpolation)way, NULL);
        ck_assert_msg(of_rows == (is_one ? MCL_OK : MCL_ERROR_ARGUMENT), "%d: %s", way, mcl_last_error());
        if (!is_one) test_fails(of_rows, MCL_ERROR_ARGUMENT, "mcl_segmented_quantiles: interpolation is");
    }
    world_close(&w);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, an_order_compares_one_member_of_two_structs);
    tcase_add_test(tcase, a_member_is_found_in_the_text_of_one_plain_struct);
    tcase_add_test(tcase, an_order_of_other_keys_or_with_more_than_its_text_compares_no_member);
    tcase_add_test(tcase, a_sort_is_refused_for_each_of_its_options);
    tcase_add_test(tcase, an_interpolation_is_one_that_there_is);
}

int main(void)
{
    return test_main_host("sort_checks", add);
}
