/* test_launch_memory.c: CUDA launches that give a kernel more work-group memory than it may declare. The driver is a
 * fake in the host's memory (support/fault_cuda.c). The fake refuses such a launch unless the library has first raised
 * the kernel's limit. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/faults.h"
#include "support/folder.h"
#include "support/sampler.h"

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include <moderncl/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 100000 };

/* Makes a queue whose context sorts by buckets, which takes much work-group memory. */
static mcl_queue *queue_make(mcl_context **context)
{
    static const char rows[] = "bucket_sort.keys \"\" 1\nbucket_sort.float_keys \"\" 1\nbucket_sort.wide_keys \"\" 1\n"
                               "bucket_sort.shares \"\" 256\nbucket_sort.crowds \"\" 256\n";
    mcl_queue *queue = NULL;
    folder f;
    char path[FOLDER_PATH_BYTES + 64];
    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    test_ok(mcl_context_create("cuda:0", context));
    test_ok(mcl_context_load_tuning(*context, path));
    folder_remove(&f);
    test_ok(mcl_queue_create(*context, 0, &queue));
    return queue;
}

static mcl_status sort(mcl_queue *queue, mcl_buffer *keys)
{
    static const mcl_options radix = { .sort_method = MCL_SORT_RADIX };
    return mcl_sort(queue, mcl_from_buffer(MCL_UINT32, keys, 0, KEYS), mcl_to_buffer(MCL_UINT32, keys, 0, KEYS),
                    MCL_LESS, &radix);
}

START_TEST(the_driver_is_told_before_a_launch_gives_much_memory)
{
    mcl_context *context = NULL;
    mcl_buffer *keys = NULL;
    mcl_queue *const queue = queue_make(&context);
    const int allow = fault_function(&fault_cuda, "cuFuncSetAttribute"), before = fault_calls(allow);
    test_ok(mcl_buffer_create(context, KEYS * sizeof(uint32_t), NULL, &keys));
    test_ok(sort(queue, keys));
    test_ok(mcl_queue_finish(queue));
    ck_assert_int_eq(fault_calls(allow) - before, 4); /* one kernel counts, two move, one sorts longer buckets */
    fault_arm(allow, 2, 0, 1);
    test_fails(sort(queue, keys), MCL_ERROR_DEVICE, "mcl_sort: cuda: cuFuncSetAttribute of|work-groups");
    fault_disarm();
    test_ok(sort(queue, keys));
    test_ok(mcl_queue_finish(queue));
    mcl_buffer_release(keys);
    mcl_queue_release(queue);
    mcl_context_release(context);
    ck_assert_str_eq(fault_balance(), "");
}
END_TEST

int main(void)
{
    setenv("MCL_CACHE_DIR", "", 1);
    if (mcl_cuda_loader_set(fault_cuda_load, NULL) != MCL_OK) return EXIT_FAILURE;
    Suite *suite = suite_create("launch_memory");
    TCase *tcase = tcase_create("cuda");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, the_driver_is_told_before_a_launch_gives_much_memory);
    return test_run(suite, CK_NOFORK);
}
