/* timing.c: clocks, medians, one timed run, and the copy with which other times are compared. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

void bench_spread_threads(void)
{
    (void)setenv("POCL_AFFINITY", "1", 0);
}

/* ---- samples ---------------------------------------------------------------------------- */

void bench_samples_add(bench_samples *samples, double ms)
{
    if (samples->count < BENCH_REPS_MAX) samples->ms[samples->count++] = ms;
}

static int compare_doubles(const void *p, const void *q)
{
    const double a = *(const double *)p;
    const double b = *(const double *)q;
    return (a > b) - (a < b);
}

double bench_median(bench_samples *samples)
{
    if (samples->count == 0) return -1;
    qsort(samples->ms, (size_t)samples->count, sizeof *samples->ms, compare_doubles);
    const int middle = samples->count / 2;
    return samples->count % 2 ? samples->ms[middle] : (samples->ms[middle - 1] + samples->ms[middle]) / 2;
}

double bench_minimum(const bench_samples *samples)
{
    double minimum = samples->count ? samples->ms[0] : -1;
    for (int k = 1; k < samples->count; k++)
        if (samples->ms[k] < minimum) minimum = samples->ms[k];
    return minimum;
}

/* ---- turns ---------------------------------------------------------------------------- */

int bench_turns_open(bench *b)
{
    const char *const path = b->options->turns;
    if (!path) return 0;
    b->turns = open(path, O_RDWR | O_CREAT, 0666);
    if (b->turns >= 0) return 0;
    bench_note("--turns %s: cannot be opened", path);
    return -1;
}

static void lock_turns(const bench *b, int operation)
{
    if (!b->options->turns) return;
    while (flock(b->turns, operation) != 0 && errno == EINTR) continue;
}

void bench_turn_begin(const bench *b)
{
    lock_turns(b, LOCK_EX);
}

void bench_turn_end(const bench *b)
{
    lock_turns(b, LOCK_UN);
}

/* ---- keeping the device busy ---------------------------------------------------------------------------- */

static const char spin_source[] =
    "static inline int32_t bench_spin(const int64_t rounds)\n"
    "{\n"
    "    uint32_t x = (uint32_t)rounds;\n"
    "    for (int64_t k = 0; k < rounds; k++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }\n"
    "    return (int32_t)x;\n"
    "}\n";

static mcl_status spin(bench *b, int64_t rounds, const mcl_options *options)
{
    const mcl_binding binding = mcl_binding_value("rounds", MCL_INT64, &rounds);
    const mcl_input in = mcl_from_expression(MCL_INT32, "bench_spin(rounds)", spin_source, &binding, 1, 1);
    return mcl_transform(b->queue, in, mcl_to_buffer(MCL_INT32, b->spin_out, 0, 1), options);
}

/* Finds the number of rounds that take about 300 microseconds, which is longer than any call takes to enqueue. */
static mcl_status spin_calibrate(bench *b)
{
    const double wanted_ms = 0.3;
    int64_t rounds = 2000;
    const mcl_status made = mcl_buffer_create(b->context, sizeof(int32_t), NULL, &b->spin_out);
    if (made != MCL_OK) return made;
    for (int k = 0; k < 4; k++) {
        mcl_event *done = NULL;
        double ms = 0;
        mcl_status status = spin(b, rounds, &(mcl_options){ .done = &done });
        if (status == MCL_OK) status = mcl_event_milliseconds(done, &ms);
        mcl_event_release(done);
        if (status != MCL_OK) return status;
        if (k > 0 && ms > 0) rounds = (int64_t)((double)rounds * wanted_ms / ms) + 1;
    }
    b->spin_rounds = rounds;
    return MCL_OK;
}

/* ---- one run ---------------------------------------------------------------------------- */

static mcl_status run_by_event(bench_case *c, mcl_options options, int queued, double *ms)
{
    bench *b = c->bench;
    mcl_event *done = NULL;
    mcl_status status = queued ? spin(b, b->spin_rounds, NULL) : MCL_OK;
    options.done = &done;
    if (status == MCL_OK) status = c->op->run(c, &options);
    if (status == MCL_OK) status = mcl_event_milliseconds(done, ms);
    mcl_event_release(done);
    return status;
}

static mcl_status run_by_clock(const bench_case *c, const mcl_options *options, double *ms)
{
    const double start = bench_now();
    mcl_status status = c->op->run(c, options);
    if (status == MCL_OK) status = mcl_queue_finish(c->bench->queue);
    *ms = bench_now() - start;
    return status;
}

mcl_status bench_run_once(bench_case *c, const mcl_options *options, int queued, double *ms)
{
    bench *b = c->bench;
    mcl_status status = MCL_OK;
    const int by_event = b->info.is_gpu && !c->op->by_clock;
    if (queued && by_event && b->spin_rounds == 0) status = spin_calibrate(b);
    if (status == MCL_OK && c->op->restore) status = c->op->restore(c);
    if (status == MCL_OK) status = mcl_queue_finish(b->queue);
    if (status != MCL_OK) return status;
    return by_event ? run_by_event(c, *options, queued, ms) : run_by_clock(c, options, ms);
}

/* ---- the copy ---------------------------------------------------------------------------- */

static mcl_status copy_run(const bench_case *c, const mcl_options *options)
{
    return mcl_transform(c->bench->queue, bench_in(c, 0), bench_out(c, 0), options);
}

static mcl_status copy_measure(bench_case *c, double *median)
{
    const bench_options *options = c->bench->options;
    bench_samples samples = { .count = 0 };
    mcl_status status = MCL_OK;
    for (int k = -3; k < options->reps && status == MCL_OK; k++) {
        double ms = 0;
        status = bench_run_once(c, &(mcl_options){ 0 }, options->queued, &ms);
        if (k >= 0) bench_samples_add(&samples, ms);
    }
    *median = bench_median(&samples);
    return status;
}

mcl_status bench_copy_time(bench *b, double bytes, double *ms)
{
    for (int k = 0; k < b->copy_count; k++) {
        if (b->copy_bytes[k] != bytes) continue;
        *ms = b->copy_ms[k];
        return MCL_OK;
    }
    static const bench_op copy = { .name = "copy", .run = copy_run };
    bench_case c = { .bench = b, .op = &copy };
    const int64_t count = (int64_t)(bytes / (2 * sizeof(int64_t))) + 1;
    mcl_status status = bench_add_input(&c, MCL_INT64, count);
    if (status == MCL_OK) status = bench_fill_counting(&c, 0, 0);
    if (status == MCL_OK) status = bench_add_output(&c, MCL_INT64, count);
    if (status == MCL_OK) status = copy_measure(&c, ms);
    bench_case_close(&c);
    if (status == MCL_OK && b->copy_count < BENCH_LIST_MAX) {
        b->copy_bytes[b->copy_count] = bytes;
        b->copy_ms[b->copy_count++] = *ms;
    }
    return status;
}
