/* main.c: moderncl-bench: times the library's operations on a device, beside a copy and beside peers. */
#define _POSIX_C_SOURCE 200809L
#include "child.h"
#include "command_line.h"
#include "overhead.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int list_all(const bench_options *options)
{
    static const char *const peers[] = { "native", "cub", "boost" };
    char folder[3072];
    bench_program_folder(options->program, folder, sizeof folder);
    bench_list_print(options->ops, options->op_count);
    fputs("peers:", stdout);
    for (size_t k = 0; k < sizeof peers / sizeof *peers; k++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/bench_%s.so", folder, peers[k]);
        printf(" %s%s", peers[k], access(path, F_OK) == 0 ? "" : " (not built)");
    }
    putchar('\n');
    return 0;
}

static int open_peers(bench *b)
{
    for (int k = 0; k < b->options->peer_count; k++) {
        const bench_peer *peer = bench_peer_open(b, b->options->peers[k]);
        if (!peer) return -1;
        b->peers[b->peer_count++] = peer;
    }
    return 0;
}

static int open_device(bench *b)
{
    if (mcl_context_create(b->options->device, &b->context) != MCL_OK) return bench_failed("opening the device");
    if (mcl_context_info(b->context, &b->info) != MCL_OK) return bench_failed("asking the device");
    const int flags = b->info.is_gpu ? MCL_QUEUE_PROFILING : 0;
    if (mcl_queue_create(b->context, flags, &b->queue) != MCL_OK) return bench_failed("making a queue");
    if (b->options->queued && !b->info.is_gpu)
        bench_note("--queued: this device is no GPU, wall time is measured as ever");
    return 0;
}

static void run_sizes(bench *b, const bench_op *op, const bench_type *type)
{
    static const int64_t usual[] = { 100000, 1000000, 10000000, 100000000 };
    const int64_t *sizes = b->options->size_count ? b->options->sizes : usual;
    const int most = b->options->cold ? 1 : b->info.is_gpu ? 4 : 3;
    const int count = b->options->size_count ? b->options->size_count : most;
    for (int k = 0; k < count; k++)
        (void)(b->options->cold ? bench_cold(b, op, type, sizes[k]) : bench_measure(b, op, type, sizes[k]));
}

static void run_all(bench *b)
{
    const bench_options *options = b->options;
    for (int k = 0; k < options->op_count; k++) {
        const bench_op *op = options->ops[k];
        if (op->measure && options->cold) continue;
        if (op->measure) {
            bench_progress("%s", op->name);
            if (op->measure(b, op) != 0) b->failures++;
            continue;
        }
        for (int t = 0; t < options->type_count; t++)
            if (bench_op_takes(op, options->types[t])) run_sizes(b, op, options->types[t]);
    }
}

static void close_all(bench *b)
{
    bench_progress(NULL);
    if (b->report) bench_report_close(b->report);
    bench_recorded_free(b->recorded);
    mcl_buffer_release(b->spin_out);
    mcl_queue_release(b->queue);
    mcl_context_release(b->context);
}

/* Run the program's work: the sweep, or rows. They return 2 where the request cannot be done at all. */
static int sweep_main(const bench_options *options)
{
    bench b = { .options = options };
    if (open_device(&b) != 0) return 2;
    if (bench_sweep(&b) != 0) b.failures++;
    close_all(&b);
    return b.failures ? 1 : 0;
}

static int bench_main(const bench_options *options)
{
    bench b = { .options = options };
    bench_progress("opening the device");
    for (int k = 0; k < options->op_count; k++)
        if (options->ops[k] == &bench_op_host_overhead) overhead_watch_driver();
    if (options->recorded && !(b.recorded = bench_recorded_read(options->recorded))) return 2;
    int status = bench_turns_open(&b) == 0 && open_device(&b) == 0 && open_peers(&b) == 0 ? 0 : 2;
    const int width = column_width(bench_op_name) + (options->device_counts ? (int)strlen(BENCH_COUNTED) : 0);
    if (status == 0 && !(b.report = bench_report_open(&b.info, options->format, width))) status = 2;
    if (status == 0) run_all(&b);
    close_all(&b);
    return status ? status : b.failures ? 1 : 0;
}

/* Replaces this process by moderncl-mpi-bench with the arguments after --ranks, so that this program needs no MPI. */
static int become_ranks(char **argv)
{
    char folder[3072], path[4096];
    bench_program_folder(argv[0], folder, sizeof folder);
    (void)snprintf(path, sizeof path, "%s/../mpi/moderncl-mpi-bench", folder);
    argv[1] = path;
    (void)execv(path, argv + 1);
    bench_note("--ranks: %s does not start; it is built where an MPI is found", path);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--ranks") == 0) return become_ranks(argv);
    /* The peers' run-time libraries read this variable when they load. Else their threads would spin and slow down the
     * next contender. */
    (void)setenv("OMP_WAIT_POLICY", "passive", 0);
    bench_spread_threads();
    static bench_options options;
    int status = 0;
    if (bench_options_parse(argc, (const char **)argv, &options, &status)) return status;
    if (options.child && strcmp(options.child, "cold") == 0) return cold_child(&options) != 0;
    if (options.child) return first_result_child(&options);
    command_line_tell_passed_over("moderncl-bench");
    if (options.list)
        status = list_all(&options);
    else
        status = options.sweep ? sweep_main(&options) : bench_main(&options);
    return command_line_end("moderncl-bench", status);
}
