/* test_bucket_floats.c: mcl_sort by buckets of floats in descending order, where some are equal but differ in bits.
 * Such floats must keep their order. So the sequence must not be reversed, and the usual passes sort it. */
#include "cases/bucket_call.h"
#include "support/arrays.h"
#include "support/devices.h"

#include <string.h>

enum { COUNT = 20001, FEW = 1301 };

/* Rows that let groups sort few float keys by buckets. */
static const char rows[] = "bucket_sort.float_keys \"\" 1\nbucket_sort.wide_keys \"\" 1\nbucket_sort.shares \"\" 256\n"
                           "bucket_sort.crowds \"\" 256\n";

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Makes descending keys, and their stable ascending order. The two keys at indices at and at + 1 are equal, and have
 * the bits of odd. */
static void make_keys(int count, int at, const uint32_t *odd, uint32_t *keys, uint32_t *expected)
{
    for (int k = 0; k < count; k++) {
        keys[k] = bits_of((float)(count / 2 - k - (k > at ? -1 : 0)));
        if (k == at || k == at + 1) keys[k] = odd[k - at];
    }
    for (int k = 0; k < count; k++) expected[count - 1 - k] = keys[k];
    const int last = count - 1 - at;
    expected[last - 1] = keys[at];
    expected[last] = keys[at + 1];
}

START_TEST(descending_floats_keep_the_order_of_equal_ones)
{
    static const uint32_t odd[][2] = { { 0, 0x80000000 }, { 0x80000000, 0 }, { 0x7fc00000, 0x7fc00001 } };
    static uint32_t keys[COUNT], got[COUNT], expected[COUNT];
    static const mcl_options tile = { .tile_threads = 64, .tile_items = 7 };
    const int count = test_is_small() ? FEW : COUNT;
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue;
    mcl_buffer *in, *out;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int turn = 0; turn < 6; turn += test_is_small() ? 5 : 1) {
        make_keys(count, turn / 2 == 2 ? 0 : count / 2, odd[turn / 2], keys, expected);
        test_ok(mcl_buffer_create(context, sizeof keys, keys, &in));
        test_ok(mcl_buffer_create(context, sizeof keys, NULL, &out));
        mcl_buffer *const to = turn % 2 ? in : out;
        const mcl__sort_operands given = { .keys = mcl_from_buffer(MCL_FLOAT, in, 0, count),
                                           .out = mcl_to_buffer(MCL_FLOAT, to, 0, count),
                                           .before = MCL_LESS };
        ck_assert_int_eq(sort_by_buckets(queue, &given, &tile), 1);
        test_ok(mcl_buffer_read(queue, to, 0, sizeof *got * (size_t)count, got));
        for (int k = 0; k < count; k++)
            ck_assert_msg(got[k] == expected[k], "turn %d: key %d is %08x instead of %08x", turn, k, got[k],
                          expected[k]);
        mcl_buffer_release(in);
        mcl_buffer_release(out);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, descending_floats_keep_the_order_of_equal_ones, device);
}

int main(void)
{
    return test_main("bucket_floats", add);
}
