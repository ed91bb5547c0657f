/* test_bucket_repeats.c: a sort by buckets of keys that repeat, and whose values lie anywhere. Slices of such keys are
 * uneven, so that some buckets need the longer tile. Two values often meet in one bin. */
#include "cases/bucket_call.h"
#include "cases/elements.h"
#include "support/arrays.h"
#include "support/devices.h"

#include <string.h>

enum { COUNT = 30000, SMALL_COUNT = 4000 };

static const char rows[] = "bucket_sort.keys \"\" 1\nbucket_sort.wide_keys \"\" 1\nbucket_sort.shares \"\" 256\n"
                           "bucket_sort.crowds \"\" 256\nbucket_sort.crowded_keys \"\" 1\n";

static int compare_keys(const void *p, const void *q)
{
    const uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;
    return (a > b) - (a < b);
}

/* Sorts keys that come about copies times each, of type. Returns the answer of sort_by_buckets. */
static int sort_repeats(mcl_queue *queue, const mcl_type *type, int count, int copies, const mcl_options *tile)
{
    static uint64_t keys[COUNT];
    static unsigned char bytes[COUNT * sizeof *keys];
    const uint64_t values = (uint64_t)(count / copies) + 1, all = type->size == 8 ? UINT64_MAX : UINT32_MAX;
    mcl_buffer *buffer;

    for (int k = 0; k < count; k++) {
        keys[k] = test_random(31, test_random((uint64_t)copies, (uint64_t)k) % values) & all;
        memcpy(bytes + (size_t)k * type->size, &keys[k], type->size);
    }
    test_ok(mcl_buffer_create(queue->context, (size_t)count * type->size, bytes, &buffer));
    const mcl__sort_operands given = { .keys = mcl_from_buffer(type, buffer, 0, count),
                                       .out = mcl_to_buffer(type, buffer, 0, count),
                                       .before = MCL_LESS };
    const int answer = sort_by_buckets(queue, &given, tile);
    test_ok(mcl_buffer_read(queue, buffer, 0, (size_t)count * type->size, bytes));
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int k = 0; k < count; k++)
        ck_assert_msg(memcmp(bytes + (size_t)k * type->size, &keys[k], type->size) == 0,
                      "%s, %d copies of each, %d items: key %d is wrong", type->name, copies, tile->tile_items, k);
    mcl_buffer_release(buffer);
    return answer;
}

/* Long keys are always sorted by buckets. Short ones are left to digits where most buckets are long. */
START_TEST(keys_that_repeat_are_sorted)
{
    static const mcl_options tiles[] = { { .tile_threads = 64, .tile_items = 7 },
                                         { .tile_threads = 64, .tile_items = 8 } };
    static const int copies[] = { 3, 10, 40, 130, 600 };
    mcl_context *const context = test_context_of_rows(_i, rows);
    const int has_buckets = context->limits.loop_budget == 0; /* where loops are limited, keys are left to digits */
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < 10; k++) {
        const int is_wide = k % 2, repeats = copies[k / 2], many = k / 2 == 4;
        if (test_is_small() && k % 3 == 1) continue;
        const int answer = sort_repeats(queue, is_wide ? MCL_UINT64 : MCL_UINT32, test_is_small() ? SMALL_COUNT : COUNT,
                                        repeats, &tiles[is_wide]);
        if (!has_buckets)
            ck_assert_int_eq(answer, -1);
        else if (is_wide || !many || test_is_small())
            ck_assert_msg(answer == 0, "%d copies: %d", repeats, answer);
        else
            ck_assert_msg(answer == 1, "%d copies of short keys: %d", repeats, answer);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, keys_that_repeat_are_sorted, device);
}

int main(void)
{
    return test_main("bucket_repeats", add);
}
