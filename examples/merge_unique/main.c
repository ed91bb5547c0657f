/* main.c: two sorted lists of numbers in one, each number once, made on a device and checked against a plain loop.
 *
 *     merge_unique [--device D] [--threads N] [COUNT_A [COUNT_B]]
 *
 * --threads 1 is the serial mapping, more a work-group's. */
#include "merge_unique.h"
#include "../progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 100000000 };

/* Sorted, with steps of 0 to 3: about a quarter of the numbers are repeated. */
static void make_sorted(int32_t *numbers, int32_t count, uint64_t seed)
{
    uint64_t state = seed;
    int32_t last = -(count / 3);
    for (int32_t k = 0; k < count; ++k) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        last += (int32_t)(state >> 62);
        numbers[k] = last;
    }
}

/* What the device must find. */
static int32_t plain_merge(const int32_t *a, int32_t a_count, const int32_t *b, int32_t b_count, int32_t *out)
{
    int32_t i = 0, j = 0, found = 0;
    while (i < a_count || j < b_count) {
        const int32_t x = j == b_count || (i < a_count && a[i] <= b[j]) ? a[i++] : b[j++];
        if (found == 0 || x != out[found - 1]) out[found++] = x;
    }
    return found;
}

static mcl_status device_merge(const char *device, int threads, const int32_t *a, int32_t a_count, const int32_t *b,
                               int32_t b_count, int32_t *out, int64_t *found)
{
    const size_t size = sizeof(int32_t);
    const int64_t total = (int64_t)a_count + b_count;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *in_a = NULL, *in_b = NULL, *merged = NULL;
    mcl_status status = mcl_context_create(device, &context);
    if (status == MCL_OK) progress_show(context);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &queue);
    if (status == MCL_OK) status = mcl_buffer_create(context, (size_t)a_count * size, a, &in_a);
    if (status == MCL_OK) status = mcl_buffer_create(context, (size_t)b_count * size, b, &in_b);
    if (status == MCL_OK) status = mcl_buffer_create(context, (size_t)total * size, NULL, &merged);
    if (status == MCL_OK)
        status = merge_unique(queue, mcl_from_buffer(MCL_INT32, in_a, 0, a_count),
                              mcl_from_buffer(MCL_INT32, in_b, 0, b_count), mcl_to_buffer(MCL_INT32, merged, 0, total),
                              MCL_LESS, mcl_to_host(MCL_INT64, found), threads);
    if (status == MCL_OK && *found <= total) status = mcl_buffer_read(queue, merged, 0, (size_t)*found * size, out);
    mcl_buffer_release(in_a);
    mcl_buffer_release(in_b);
    mcl_buffer_release(merged);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

static int run(const char *device, int threads, int32_t a_count, int32_t b_count)
{
    const size_t total = (size_t)a_count + (size_t)b_count + 1;
    int32_t *const a = calloc(total, sizeof *a), *const b = calloc(total, sizeof *b);
    int32_t *const found = calloc(total, sizeof *found), *const expected = calloc(total, sizeof *expected);
    int64_t found_count = 0;
    int failed = 1;
    if (!a || !b || !found || !expected) {
        fprintf(stderr, "merge_unique: no memory for %d and %d numbers\n", a_count, b_count);
    } else {
        make_sorted(a, a_count, 1);
        make_sorted(b, b_count, 2);
        const int32_t expected_count = plain_merge(a, a_count, b, b_count, expected);
        if (device_merge(device, threads, a, a_count, b, b_count, found, &found_count) != MCL_OK)
            fprintf(stderr, "%s\n", mcl_last_error());
        else if (found_count != expected_count)
            fprintf(stderr, "merge_unique: %lld numbers; expected %d\n", (long long)found_count, expected_count);
        else if (memcmp(found, expected, (size_t)expected_count * sizeof *found) != 0)
            fprintf(stderr, "merge_unique: the numbers are not those of the plain loop\n");
        else
            failed = 0;
    }
    if (!failed) printf("%d and %d numbers have %lld different ones\n", a_count, b_count, (long long)found_count);
    free(a);
    free(b);
    free(found);
    free(expected);
    return failed;
}

int main(int argc, char **argv)
{
    const char *device = NULL;
    int threads = 0, given = 0;
    long counts[2] = { 100000, 50000 };
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--device") == 0 && k + 1 < argc)
            device = argv[++k];
        else if (strcmp(argv[k], "--threads") == 0 && k + 1 < argc)
            threads = (int)strtol(argv[++k], NULL, 10);
        else if (given < 2)
            counts[given++] = strtol(argv[k], NULL, 10);
    }
    if (counts[0] >= 0 && counts[1] >= 0 && counts[0] <= COUNT_MAX && counts[1] <= COUNT_MAX)
        return run(device, threads, (int32_t)counts[0], (int32_t)counts[1]);
    fprintf(stderr, "usage: merge_unique [--device D] [--threads N] [COUNT_A [COUNT_B]]\n");
    return 2;
}
