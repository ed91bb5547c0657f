/* main.c: measures the time of operations on ranks, which mpirun starts. Each operation is checked before it is
 * timed. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: mpirun -n RANKS moderncl-mpi-bench [options]\n"
    "  --op NAME,...     some operations, or all (default):\n"
    "                    reduce_sum inclusive_scan_sum redistribute multisplit sort_keys sort_keys_compare sort_pairs\n"
    "                    sort_indices merge join join_unordered join_small join_small_unordered set_intersection\n"
    "                    set_union set_difference set_symmetric_difference\n"
    "                    top_k_1000 nth_element quantiles_9 compact partition unique group_by distinct reduce_by_key\n"
    "                    scan_by_key segmented_reduce segmented_scan histogram_256 map_insert map_find "
    "map_retrieve_all\n"
    "  --type NAME       uint32 (default) or uint64\n"
    "  --n COUNT         elements of all ranks together (default 1e6); join: rows of both tables together\n"
    "  --keys KIND       uniform (default), equal, zipf, sorted or reversed\n"
    "  --uneven          rank 0 has all elements at first\n"
    "  --repeats COUNT   timed calls; their median is told (default 10)\n"
    "  --device NAME     device of every rank; else cuda:R, R being the rank on its machine, or opencl:portable\n"
    "  --transport NAME  auto (default), host or nccl\n"
    "  --info            tells each rank's device, and which transport is used and why; times nothing\n"
    "  --version         the version\n"
    "The columns of phases are medians of calls that wait for the device between the phases. \"GB/s out\" is what the\n"
    "rank that sends most sends in the phase of exchange.\n";

enum { REPEATS_MOST = 1000 };

typedef struct settings {
    const char *op, *type, *keys, *device, *transport;
    double count;
    int repeats, uneven, info;
} settings;

static const operation *operation_at(int index)
{
    const operation *const tables[] = { operations, list_operations, relation_operations };
    for (size_t table = 0; table < sizeof tables / sizeof tables[0]; ++table)
        for (const operation *op = tables[table]; op->name; ++op)
            if (index-- == 0) return op;
    return NULL;
}

/* Returns the length of the first name in a list with commas. */
static size_t name_length(const char *list)
{
    return strcspn(list, ",");
}

static int is_in_list(const char *list, const char *name)
{
    for (;; list += name_length(list) + 1) {
        if (strlen(name) == name_length(list) && strncmp(list, name, strlen(name)) == 0) return 1;
        if (list[name_length(list)] == 0) return 0;
    }
}

static int is_asked(const settings *s, const operation *op)
{
    return strcmp(s->op, "all") == 0 || is_in_list(s->op, op->name);
}

/* Returns whether the settings name at least one operation, and no unknown one. */
static int names_operations(const settings *s)
{
    int names = 1, found = 0;
    for (const char *at = s->op; *at; ++at) names += *at == ',';
    for (int index = 0; operation_at(index); ++index) found += is_in_list(s->op, operation_at(index)->name);
    return found == names || strcmp(s->op, "all") == 0;
}

/* Returns the text of --help or --version, which need no ranks. Returns NULL for other command lines. */
static const char *told_text(int argc, char **argv)
{
    static char version[64];
    if (argc != 2) return NULL;
    if (strcmp(argv[1], "--help") == 0) return usage;
    if (strcmp(argv[1], "--version") != 0) return NULL;
    snprintf(version, sizeof version, "moderncl-mpi-bench %s\n", mcl_version());
    return version;
}

static int read_settings(int argc, char **argv, settings *out)
{
    *out = (settings){
        .op = "all", .type = "uint32", .keys = "uniform", .transport = "auto", .count = 1e6, .repeats = 10
    };
    for (int k = 1; k < argc; ++k) {
        const char *const name = argv[k];
        if (strcmp(name, "--uneven") == 0 || strcmp(name, "--info") == 0) {
            *(name[2] == 'u' ? &out->uneven : &out->info) = 1;
            continue;
        }
        const char *const value = k + 1 < argc ? argv[++k] : NULL;
        if (!value) return 0;
        if (strcmp(name, "--op") == 0)
            out->op = value;
        else if (strcmp(name, "--type") == 0)
            out->type = value;
        else if (strcmp(name, "--keys") == 0)
            out->keys = value;
        else if (strcmp(name, "--device") == 0)
            out->device = value;
        else if (strcmp(name, "--transport") == 0)
            out->transport = value;
        else if (strcmp(name, "--n") == 0)
            out->count = atof(value);
        else if (strcmp(name, "--repeats") == 0)
            out->repeats = atoi(value);
        else
            return 0;
    }
    return out->count >= 1 && out->repeats >= 1 && out->repeats <= REPEATS_MOST && names_operations(out) &&
           is_in_list("uint32,uint64", out->type) && is_in_list("uniform,equal,zipf,sorted,reversed", out->keys) &&
           is_in_list("auto,host,nccl", out->transport);
}

static mcl_mpi_transport transport_named(const char *name)
{
    if (strcmp(name, "host") == 0) return MCL_MPI_HOST;
    return strcmp(name, "nccl") == 0 ? MCL_MPI_NCCL : MCL_MPI_AUTO;
}

/* Opens a device of its own for each rank of a machine, if the machine has CUDA devices. */
static void open_device(bench *b, const char *device)
{
    MPI_Comm machine;
    mcl_device_info infos[64];
    int on_machine = 0, count = 0, gpus = 0;
    char name[64];
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &on_machine);
    MPI_Comm_free(&machine);
    must(mcl_device_list(infos, 64, &count), "devices", mcl_last_error());
    for (int k = 0; k < count && k < 64; ++k) gpus += strcmp(infos[k].backend, "cuda") == 0;
    if (gpus > 0)
        snprintf(name, sizeof name, "cuda:%d", on_machine % gpus);
    else
        snprintf(name, sizeof name, "opencl:portable");
    must(mcl_context_create(device ? device : name, &b->context), "device", mcl_last_error());
    must(mcl_queue_create(b->context, 0, &b->queue), "queue", mcl_last_error());
}

static int compare_times(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Returns the time of one call in milliseconds, from the common begin to the end of the last rank's device work. */
static double time_call(bench *b, const operation *op)
{
    mcl_queue_finish(b->queue);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    must(op->run(b), op->name, mcl_mpi_last_error());
    must(mcl_queue_finish(b->queue), op->name, mcl_last_error());
    double took = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return took * 1000;
}

static double median_of(double *times, int count)
{
    qsort(times, (size_t)count, sizeof times[0], compare_times);
    return times[count / 2];
}

/* Stores the median time of each phase, on the rank on which the phase takes longest. */
static void time_phases(bench *b, const operation *op, int repeats, double *phases)
{
    static double times[MCL_MPI_PHASES][REPEATS_MOST];
    mcl_mpi_info info;
    must(mcl_mpi_time_phases(b->mpi, 1), op->name, mcl_mpi_last_error());
    for (int k = 0; k < repeats; ++k) {
        time_call(b, op);
        must(mcl_mpi_get_info(b->mpi, &info), op->name, mcl_mpi_last_error());
        MPI_Allreduce(MPI_IN_PLACE, info.milliseconds, MCL_MPI_PHASES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        for (int phase = 0; phase < MCL_MPI_PHASES; ++phase) times[phase][k] = info.milliseconds[phase];
    }
    must(mcl_mpi_time_phases(b->mpi, 0), op->name, mcl_mpi_last_error());
    for (int phase = 0; phase < MCL_MPI_PHASES; ++phase) phases[phase] = median_of(times[phase], repeats);
}

/* Returns the bytes that one call sends from the rank that sends most. */
static double bytes_of_call(bench *b, const operation *op)
{
    mcl_mpi_info before, after;
    must(mcl_mpi_get_info(b->mpi, &before), op->name, mcl_mpi_last_error());
    time_call(b, op);
    must(mcl_mpi_get_info(b->mpi, &after), op->name, mcl_mpi_last_error());
    double bytes = (double)(after.bytes_sent - before.bytes_sent);
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return bytes;
}

static void time_row(bench *b, const operation *op, const settings *s)
{
    static double times[REPEATS_MOST];
    double phases[MCL_MPI_PHASES];
    op->fill(b);
    must(op->run(b), op->name, mcl_mpi_last_error());
    int right = op->is_right(b);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!right && b->rank == 0) fprintf(stderr, "moderncl-mpi-bench: %s: a wrong result\n", op->name);
    if (!right) MPI_Abort(MPI_COMM_WORLD, 1);
    const double bytes = bytes_of_call(b, op);
    for (int k = 0; k < s->repeats; ++k) times[k] = time_call(b, op);
    const double median = median_of(times, s->repeats);
    time_phases(b, op, s->repeats, phases);
    const double exchange = phases[MCL_MPI_EXCHANGE];
    if (b->rank == 0)
        printf("%-24s %-7s %-9s %12lld %5d %10.3f %8.3f %8.1f | %8.3f %8.3f %8.3f %8.3f | %8.1f %8.1f\n", op->name,
               s->type, s->keys, (long long)b->count, b->size, median, (double)b->count / median * 1e-6,
               (double)b->count * op->bytes_moved * (double)b->type->size / median * 1e-6, phases[MCL_MPI_LOCAL],
               phases[MCL_MPI_SPLITTERS], exchange, phases[MCL_MPI_MERGE], bytes / 1048576.0,
               exchange > 0 ? bytes / exchange * 1e-6 : 0);
    fflush(stdout);
    bench_drop(b);
}

static const char *transport_name(const mcl_mpi_info *info)
{
    return info->transport == MCL_MPI_NCCL ? "nccl" : "host";
}

/* Prints the device of each rank, in the order of ranks, and the transport. */
static void tell_ranks(const bench *b, const mcl_device_info *device, const mcl_mpi_info *info)
{
    enum { LINE_BYTES = 256 };
    char line[LINE_BYTES], all[LINE_BYTES];
    snprintf(line, sizeof line, "rank %d: %.31s, %.127s", b->rank, device->id, device->name);
    if (b->rank > 0) {
        MPI_Send(line, LINE_BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        return;
    }
    puts(line);
    for (int r = 1; r < b->size; ++r) {
        MPI_Recv(all, LINE_BYTES, MPI_CHAR, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts(all);
    }
    printf("transport %s: %s\n", transport_name(info), info->transport_reason);
}

static void time_rows(bench *b, const settings *s, const mcl_device_info *device, const mcl_mpi_info *info)
{
    if (b->rank == 0)
        printf("%d ranks; rank 0 on %s, %s; transport %s: %s\n"
               "%-24s %-7s %-9s %12s %5s %10s %8s %8s | %8s %8s %8s %8s | %8s %8s\n",
               b->size, device->id, device->name, transport_name(info), info->transport_reason, "operation", "type",
               "keys", "n", "ranks", "ms", "G/s", "GB/s", "local", "splitter", "exchange", "merge", "MiB sent",
               "GB/s out");
    for (int index = 0; operation_at(index); ++index)
        if (is_asked(s, operation_at(index))) time_row(b, operation_at(index), s);
}

int main(int argc, char **argv)
{
    settings s;
    bench b = { 0 };
    mcl_device_info device;
    mcl_mpi_info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.size);
    const char *const told = told_text(argc, argv);
    if (told || !read_settings(argc, argv, &s)) {
        if (b.rank == 0) fputs(told ? told : usage, told ? stdout : stderr);
        MPI_Finalize();
        return told ? 0 : 2;
    }
    open_device(&b, s.device);
    must(mcl_mpi_create(MPI_COMM_WORLD, b.queue, transport_named(s.transport), &b.mpi), "ranks", mcl_mpi_last_error());
    must(mcl_mpi_get_info(b.mpi, &info), "ranks", mcl_mpi_last_error());
    must(mcl_context_info(b.context, &device), "device", mcl_last_error());
    b.type = strcmp(s.type, "uint64") == 0 ? MCL_UINT64 : MCL_UINT32;
    b.keys = s.keys;
    b.count = (int64_t)s.count;
    b.uneven = s.uneven;
    if (s.info)
        tell_ranks(&b, &device, &info);
    else
        time_rows(&b, &s, &device, &info);
    mcl_mpi_release(b.mpi);
    mcl_queue_release(b.queue);
    mcl_context_release(b.context);
    MPI_Finalize();
    return 0;
}
