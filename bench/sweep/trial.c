/* trial.c: checks and times one point of a sweep. */
#include "sweep.h"

#include <string.h>

/* A longer call is made fewer times, and a call that takes ten times as long is made once. */
#define LONG_MS 100.0

/* ---- one run ---------------------------------------------------------------------------------------------------- */

static mcl_status run_once(sweep *s, mcl_status (*call)(sweep *s), double *ms)
{
    const int is_ours = call == s->op->call;
    mcl_status status = is_ours && s->op->restore ? s->op->restore(s) : MCL_OK;
    if (status == MCL_OK) status = mcl_queue_finish(s->bench->queue);
    const double start = bench_cost_now(s->bench);
    if (status == MCL_OK) status = call(s);
    if (status == MCL_OK) status = mcl_queue_finish(s->bench->queue);
    *ms = bench_cost_now(s->bench) - start;
    return status;
}

/* Leaves a point out, since the device has too little memory. */
static int lacks_memory(sweep_point *point)
{
    char text[256];
    sweep_point_text(point, text, sizeof text);
    bench_note("%s is left out: %s", text, mcl_last_error());
    point->failed = 1;
    return -1;
}

static int point_fails(const sweep *s, sweep_point *point, const char *why)
{
    char text[256];
    sweep_point_text(point, text, sizeof text);
    bench_note("%s: %s", text, why);
    s->bench->failures++;
    point->failed = 1;
    return -1;
}

static int reps_for(double ms, int reps)
{
    const int fewer = ms > 10 * LONG_MS ? 1 : ms > LONG_MS ? 3 : reps;
    return fewer < reps ? fewer : reps;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static mcl_status copy_call(sweep *s)
{
    return mcl_transform(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), NULL);
}

/* Gives the time of a copy of bytes. It follows from the copy of the next power of two, which is timed once. */
static mcl_status memory_time(bench *b, double bytes, double *ms)
{
    static const sweep_op copy = { .name = "copy", .call = copy_call };
    static double times[64]; /* times of copies of 2^k bytes */
    int k = 16;
    while (k < 34 && (double)(INT64_C(1) << k) < bytes) k++;
    sweep s = { .bench = b, .op = &copy };
    const int64_t count = (INT64_C(1) << k) / 16;
    mcl_status status = MCL_OK;
    if (times[k] == 0) {
        bench_samples samples = { .count = 0 };
        status = sweep_random(&s, 0, MCL_UINT64, count, 1);
        if (status == MCL_OK) status = sweep_output(&s, 0, MCL_UINT64, count);
        for (int run = -1; run < 5 && status == MCL_OK; run++) {
            double taken = 0;
            status = run_once(&s, copy_call, &taken);
            if (run >= 0) bench_samples_add(&samples, taken);
        }
        times[k] = bench_minimum(&samples);
    }
    *ms = times[k] * bytes / (double)(INT64_C(1) << k);
    sweep_free(&s);
    return status;
}

/* ---- one point -------------------------------------------------------------------------------------------------- */

static mcl_status check_call(sweep *s, mcl_status (*call)(sweep *s), int *same, char *message, size_t bytes)
{
    double ms = 0;
    mcl_status status = sweep_poison(s);
    if (status == MCL_OK) status = run_once(s, call, &ms);
    if (status == MCL_OK && s->op->finish && call == s->op->call) status = s->op->finish(s);
    if (status != MCL_OK) (void)snprintf(message, bytes, "%s", mcl_last_error());
    *same = status == MCL_OK && sweep_same(s, &status, message, bytes);
    return status;
}

/* Runs plain C and compares the outputs. Where plain C has something to set up, it takes its time itself. */
static int check(sweep *s, sweep_point *point, int reps, double (*of)(bench_samples *samples))
{
    bench_samples samples = { .count = 0 };
    char message[1024] = "", why[1100];
    int same = 1;
    if (sweep_fetch_inputs(s) != MCL_OK) return point_fails(s, point, mcl_last_error());
    for (int run = 0; run < reps; run++) {
        s->plain_start = bench_cost_now(s->bench);
        s->plain_end = 0;
        s->op->plain(s);
        if (s->plain_end == 0) s->plain_end = bench_cost_now(s->bench);
        bench_samples_add(&samples, s->plain_end - s->plain_start);
        if (run == 0 && reps_for(samples.ms[0], reps) < reps) break;
    }
    point->plain = s->bench->info.is_gpu ? -1 : of(&samples);
    (void)check_call(s, s->op->call, &same, message, sizeof message);
    if (!same) return point_fails(s, point, message);
    if (!s->op->other || s->lacks_other || s->op->other_differs) return 0;
    (void)check_call(s, s->op->other, &same, message, sizeof message);
    (void)snprintf(why, sizeof why, "the other way: %s", message);
    return same ? 0 : point_fails(s, point, why);
}

static int time_both(sweep *s, sweep_point *point, int reps, double (*of)(bench_samples *samples))
{
    bench_samples samples[2] = { { .count = 0 }, { .count = 0 } };
    mcl_status (*const calls[2])(sweep *s) = { s->op->call, s->lacks_other ? NULL : s->op->other };
    int runs = reps;
    for (int run = -1; run < runs; run++)
        for (int k = 0; k < 2; k++) {
            double ms = 0;
            if (!calls[k]) continue;
            const mcl_status status = run_once(s, calls[k], &ms);
            if (status == MCL_ERROR_MEMORY) return lacks_memory(point);
            if (status != MCL_OK) return point_fails(s, point, mcl_last_error());
            if (run < 0 && reps_for(ms, reps) < runs) runs = reps_for(ms, reps);
            if (run >= 0) bench_samples_add(&samples[k], ms);
        }
    point->ours = of(&samples[0]);
    point->other = of(&samples[1]);
    return 0;
}

static double least(bench_samples *samples)
{
    return bench_minimum(samples);
}

int sweep_measure(sweep *s, sweep_point *point, unsigned how, int reps)
{
    double (*const of)(bench_samples *samples) = how & SWEEP_LEAST ? least : bench_median;
    const int is_gpu = s->bench->info.is_gpu;
    s->op = point->op;
    memcpy(s->v, point->v, sizeof s->v);
    s->in_count = s->out_count = 0;
    s->is_float = s->lacks_other = 0;
    s->bytes = 0;
    s->units = (double)s->v[0];
    point->ours = point->other = point->plain = point->memory = -1;
    const mcl_status status = s->op->prepare(s);
    if (status == MCL_ERROR_MEMORY) return lacks_memory(point);
    if (status != MCL_OK) return point_fails(s, point, mcl_last_error());
    point->bytes = s->bytes;
    point->units = s->units;
    if (memory_time(s->bench, s->bytes, &point->memory) != MCL_OK) return point_fails(s, point, mcl_last_error());
    if ((how & SWEEP_CHECKED || !is_gpu) && s->op->plain && check(s, point, is_gpu ? 1 : 3, of) != 0) return -1;
    return time_both(s, point, reps, of);
}
