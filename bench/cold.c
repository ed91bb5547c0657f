/* cold.c: the option --cold: the time of a call when nothing is compiled yet. Each time is measured in a separate
 * process. The caches of the library, POCL and NVIDIA's driver are off or empty. */
#define _GNU_SOURCE
#include "child.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLD_RUNS = 3, WARM_RUNS = 5 };

/* ---- in the child ---------------------------------------------------------------------------- */

static mcl_status call_once(bench_case *c, double *ms)
{
    const mcl_options options = { 0 };
    mcl_status status = c->op->restore ? c->op->restore(c) : MCL_OK;
    if (status == MCL_OK) status = mcl_queue_finish(c->bench->queue);
    const double begun = bench_cost_now(c->bench);
    if (status == MCL_OK) status = c->op->run(c, &options);
    if (status == MCL_OK) status = mcl_queue_finish(c->bench->queue);
    *ms = bench_cost_now(c->bench) - begun;
    return status;
}

/* Prints the times of the first call and of a later call, after it has checked the result. */
static int call_and_check(bench_case *c)
{
    bench_samples warm = { .count = 0 };
    char message[1024];
    double first = 0;
    double ms = 0;
    mcl_status status = call_once(c, &first);
    for (int k = 0; k < WARM_RUNS && status == MCL_OK; k++) {
        status = call_once(c, &ms);
        bench_samples_add(&warm, ms);
    }
    if (status != MCL_OK) return bench_failed(c->op->name);
    if (bench_run_checked(c, &(mcl_options){ 0 }, 0, &ms, message, sizeof message, &status) != 0) {
        bench_note("%s: %s", c->op->name, message);
        return -1;
    }
    printf("%.6f %.6f\n", first, bench_median(&warm));
    return 0;
}

/* Makes POCL start its compiler, by a kernel that no row has: some rows make their data by kernels, and others not. */
static mcl_status start_compiler(bench *b)
{
    const int64_t count = 64;
    mcl_buffer *numbers = NULL;
    mcl_status status = mcl_buffer_create(b->context, (size_t)count * sizeof(int64_t), NULL, &numbers);
    if (status == MCL_OK)
        status = mcl_transform(b->queue, mcl_from_expression(MCL_INT64, "i ^ 12345", NULL, NULL, 0, count),
                               mcl_to_buffer(MCL_INT64, numbers, 0, count), NULL);
    if (status == MCL_OK) status = mcl_queue_finish(b->queue);
    mcl_buffer_release(numbers);
    return status;
}

int cold_child(const bench_options *options)
{
    bench b = { .options = options };
    bench_case c = { .bench = &b, .op = options->ops[0], .type = options->types[0], .n = options->sizes[0] };
    mcl_status status = mcl_context_create(options->device, &b.context);
    if (status == MCL_OK) status = mcl_context_info(b.context, &b.info);
    if (status == MCL_OK) status = mcl_queue_create(b.context, b.info.is_gpu ? MCL_QUEUE_PROFILING : 0, &b.queue);
    if (status == MCL_OK && !b.info.is_gpu) status = start_compiler(&b);
    if (status != MCL_OK) return bench_failed("opening the device");
    int failed = bench_case_open(&c) != 0 || call_and_check(&c) != 0;
    bench_case_close(&c);
    mcl_queue_release(b.queue);
    mcl_context_release(b.context);
    return failed;
}

/* ---- in the parent ---------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Runs a child process with its caches off. POCL needs a cache, and gets a new folder for it. */
static int run_cold(const bench *b, const char *const *arguments, double *times)
{
    enum { OPEN_MAX = 16 };
    char folder[] = "/tmp/moderncl-bench-XXXXXX";
    if (!mkdtemp(folder)) return -1;
    (void)setenv("POCL_CACHE_DIR", folder, 1);
    (void)setenv("MCL_CACHE_DIR", "", 1);
    (void)setenv("CUDA_CACHE_DISABLE", "1", 1);
    const int failed = bench_child_run(b, arguments, times, 2);
    (void)nftw(folder, remove_entry, OPEN_MAX, FTW_DEPTH | FTW_PHYS);
    return failed;
}

int bench_cold(bench *b, const bench_op *op, const bench_type *type, int64_t n)
{
    bench_samples first = { .count = 0 };
    bench_samples warm = { .count = 0 };
    char size[32];
    (void)snprintf(size, sizeof size, "%lld", (long long)n);
    const char *const arguments[] = { "--child", "cold", "--op", op->name, "--type", type->name, "--n", size, NULL };
    for (int k = 0; k < COLD_RUNS; k++) {
        double times[2];
        bench_progress("%s %s n=%s cold, run %d of %d", op->name, type->name, size, k + 1, COLD_RUNS);
        if (run_cold(b, arguments, times) != 0) {
            bench_note("%s %s n=%s: a child process failed", op->name, type->name, size);
            b->failures++;
            return -1;
        }
        bench_samples_add(&first, times[0]);
        bench_samples_add(&warm, times[1]);
    }
    bench_row row = { .op = op->name, .type = type->name, .n = n, .gbps = -1, .copy_ratio = -1 };
    row.mapping = b->info.mapping == MCL_MAPPING_SERIAL ? "serial" : "group";
    row.median_ms = bench_median(&first);
    row.min_ms = bench_minimum(&first);
    row.peer = "a later call";
    row.peer_ms = bench_median(&warm);
    row.peer_source = "same-run";
    bench_report_row(b->report, &row);
    return 0;
}
