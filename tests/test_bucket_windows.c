/* test_bucket_windows.c: a sort by buckets with all optimisations, as users compile it. POCL 3.1 made wrong code of
 * windows that reach past a bucket's last key. test_bucket_sort leaves the optimisations out there. */
#include "cases/bucket_call.h"
#include "cases/elements.h"
#include "support/arrays.h"
#include "support/devices.h"

enum { COUNT_MOST = 3000 };

static const char rows[] = "bucket_sort.keys \"\" 1\nbucket_sort.shares \"\" 256\n";

static int compare_keys(const void *p, const void *q)
{
    const uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    return (a > b) - (a < b);
}

/* The tiles have odd and even items, for which counters lie differently. */
START_TEST(optimised_code_sorts_every_bucket)
{
    static const mcl_options tiles[] = { { .tile_threads = 64, .tile_items = 7 },
                                         { .tile_threads = 64, .tile_items = 8 } };
    static uint32_t keys[COUNT_MOST], got[COUNT_MOST];
    const int count = test_is_small() ? 1023 : COUNT_MOST;
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer;

    test_ok(mcl_context_create(test_device_at(_i)->info.id, &context));
    test_load_rows(context, rows);
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < count; n++) keys[n] = (uint32_t)test_random(3 + (uint64_t)k, (uint64_t)n);
        test_ok(mcl_buffer_create(context, sizeof keys, keys, &buffer));
        const mcl__sort_operands given = { .keys = mcl_from_buffer(MCL_UINT32, buffer, 0, count),
                                           .out = mcl_to_buffer(MCL_UINT32, buffer, 0, count),
                                           .before = MCL_LESS };
        const int has_buckets = context->limits.loop_budget == 0; /* where loops are limited, keys are left to digits */
        ck_assert_int_eq(sort_by_buckets(queue, &given, &tiles[k]), has_buckets ? 0 : -1);
        test_ok(mcl_buffer_read(queue, buffer, 0, sizeof *got * (size_t)count, got));
        qsort(keys, (size_t)count, sizeof *keys, compare_keys);
        for (int n = 0; n < count; n++)
            ck_assert_msg(got[n] == keys[n], "%d items: key %d is %08x instead of %08x", tiles[k].tile_items, n, got[n],
                          keys[n]);
        mcl_buffer_release(buffer);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, optimised_code_sorts_every_bucket, device);
}

int main(void)
{
    return test_main("bucket_windows", add);
}
