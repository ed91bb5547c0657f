/* check_rows.c: compares the calls of rows.c with plain loops, on a queue and in one buffer as ggml has them. */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { IN_OFFSET = 32, GAP = 64 }; /* floats before the keys, and between keys and results */

typedef struct problem {
    int rows, length, k;
} problem;

static const problem problems[] = { { 1, 1, 1 },     { 3, 7, 2 },      { 700, 16, 4 },
                                    { 5, 1025, 16 }, { 2, 20000, 40 }, { 1, 40000, 40 } };

static int failures;

static void expect(int holds, const char *what, const problem *at, int row)
{
    if (holds) return;
    ++failures;
    printf("FAILED: %s, %d x %d, k = %d, row %d\n", what, at->rows, at->length, at->k, row);
}

/* ---- the judges: keys and results of one row ------------------------------------------------------------------ */

/* order: count indices, of keys that ascend or descend; each index at most once. */
static int is_order(const float *keys, const cl_int *order, int count, int length, int descending)
{
    int good = 1;
    char *const seen = calloc((size_t)length, 1);
    if (!seen) return 0;
    for (int k = 0; k < count && good; ++k) {
        good = order[k] >= 0 && order[k] < length && !seen[order[k]];
        if (!good) break;
        seen[order[k]] = 1;
        if (k > 0) good = descending ? keys[order[k - 1]] >= keys[order[k]] : keys[order[k - 1]] <= keys[order[k]];
    }
    free(seen);
    return good;
}

/* No key that was left out is above the last one that was taken. */
static int is_top(const float *keys, const cl_int *order, int k, int length)
{
    int above = 0;
    if (!is_order(keys, order, k, length, 1)) return 0;
    for (int i = 0; i < length; ++i) above += keys[i] > keys[order[k - 1]];
    return above < k;
}

static int is_sums(const float *keys, const float *sums, int length)
{
    double sum = 0;
    for (int i = 0; i < length; ++i) {
        sum += keys[i];
        if (!(fabs(sums[i] - sum) <= 1e-4 * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

typedef enum operation { ASCENDING, DESCENDING, TOP_K, SUMS, OPERATIONS } operation;
static const char *const names[] = { "argsort, ascending", "argsort, descending", "top-k", "cumulative sums" };

static const char *call(const rows_work *work, operation which, int k)
{
    if (which == TOP_K) return rows_top_k(work, k);
    if (which == SUMS) return rows_cumulative_sum(work);
    return rows_argsort(work, which == DESCENDING);
}

static void check(rows_work *work, const problem *at, const float *keys, void *results)
{
    const size_t count = (size_t)at->rows * (size_t)at->length;
    work->rows = at->rows;
    work->length = at->length;
    work->in.offset = sizeof(float) * IN_OFFSET;
    work->out.offset = sizeof(float) * (IN_OFFSET + count + GAP);
    int failed = clEnqueueWriteBuffer(work->queue, work->in.memory, CL_TRUE, (size_t)work->in.offset,
                                      sizeof(float) * count, keys, 0, NULL, NULL) != CL_SUCCESS;
    for (int which = 0; which < OPERATIONS && !failed; ++which) {
        const int width = which == TOP_K ? at->k : at->length;
        const char *const sentence = call(work, (operation)which, at->k);
        if (sentence) printf("%s: %s\n", names[which], sentence);
        failed = sentence ||
                 clEnqueueReadBuffer(work->queue, work->out.memory, CL_TRUE, (size_t)work->out.offset,
                                     sizeof(float) * (size_t)(at->rows * width), results, 0, NULL, NULL) != CL_SUCCESS;
        for (int row = 0; row < at->rows && !failed; ++row) {
            const float *const row_keys = keys + (size_t)row * (size_t)at->length;
            const cl_int *const order = (const cl_int *)results + (size_t)row * (size_t)width;
            const int good = which == SUMS    ? is_sums(row_keys, (const float *)order, width)
                             : which == TOP_K ? is_top(row_keys, order, width, at->length)
                                              : is_order(row_keys, order, width, at->length, which == DESCENDING);
            expect(good, names[which], at, row);
        }
    }
    expect(!failed, "a call", at, 0);
}

/* The first device of the first platform that has one. */
static int find_device(cl_device_id *device)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return 0;
    for (cl_uint k = 0; k < count && k < 16; ++k)
        if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, device, NULL) == CL_SUCCESS) return 1;
    return 0;
}

int main(void)
{
    enum { COUNT_MAX = 40000 };
    rows_work work = { 0 };
    cl_int error = CL_SUCCESS;
    if (!find_device(&work.device)) {
        puts("skipped: ggml_rows (there is no OpenCL device)");
        return 77;
    }
    work.context = clCreateContext(NULL, 1, &work.device, NULL, NULL, &error);
    if (error == CL_SUCCESS) work.queue = clCreateCommandQueue(work.context, work.device, 0, &error);
    if (error == CL_SUCCESS)
        work.in.memory =
            clCreateBuffer(work.context, CL_MEM_READ_WRITE, sizeof(float) * (2 * COUNT_MAX + 256), NULL, &error);
    work.out.memory = work.in.memory;
    float *const keys = malloc(sizeof(float[COUNT_MAX]));
    void *const results = malloc(sizeof(float[COUNT_MAX]));
    if (error != CL_SUCCESS || !keys || !results) {
        puts("ggml_rows: no context, queue, buffer or memory");
        return 1;
    }
    unsigned number = 1;
    for (int i = 0; i < COUNT_MAX; ++i) {
        number = number * 1664525u + 1013904223u;
        keys[i] = (float)(number >> 16) / 4096 - 8; /* 65536 values: some come twice in a long row */
    }
    for (size_t k = 0; k < sizeof problems / sizeof *problems; ++k) check(&work, &problems[k], keys, results);
    free(results);
    free(keys);
    clReleaseMemObject(work.in.memory);
    clReleaseCommandQueue(work.queue);
    clReleaseContext(work.context);
    if (failures == 0) puts("ggml_rows: all right");
    return failures > 0;
}
