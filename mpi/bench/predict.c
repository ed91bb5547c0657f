/* predict.c: moderncl-mpi-predict prints the time that calls on ranks would take, by the model in cost_model.c. */
#include "cost_model.h"

#include "moderncl/moderncl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: moderncl-mpi-predict [options]\n"
    "  --op NAME         sort_keys (default), sort_keys_compare, sort_pairs, reduce_sum or inclusive_scan_sum\n"
    "  --n COUNT         elements of each rank (default 1e9)\n"
    "  --ranks COUNT     up to that many ranks, by doublings (default 1024)\n"
    "  --host-gpus COUNT GPUs of a host, joined by NVLink (default 8)\n"
    "  --network GB      GB/s of the network for each GPU, one way (default 50)\n"
    "  --compare FILE    rows of moderncl-mpi-bench, each with the model's time beside; lines that begin with $ are\n"
    "                    the commands, which may set MCL_MPI_PIECES\n"
    "  --within PERCENT  with --compare: exit status 1 where a row of 1e8 elements or more is further off\n"
    "  --version         the version\n"
    "A model of H100s and a network that was not measured; what it takes is in mpi/bench/cost_model.c.\n";

typedef struct settings {
    const mpi_cost_row *op;
    const char *name, *compared;
    double count, ranks, within;
    mpi_links links;
} settings;

static int read_settings(int argc, char **argv, settings *out)
{
    *out = (settings){ .name = "sort_keys",
                       .count = 1e9,
                       .ranks = 1024,
                       .within = -1,
                       .links = { .gpus_of_host = 8, .network_gb = 50, .reads = 1 } };
    for (int k = 1; k < argc; k += 2) {
        const char *const name = argv[k], *const value = k + 1 < argc ? argv[k + 1] : NULL;
        if (!value) return 0;
        if (strcmp(name, "--op") == 0)
            out->name = value;
        else if (strcmp(name, "--n") == 0)
            out->count = atof(value);
        else if (strcmp(name, "--ranks") == 0)
            out->ranks = atof(value);
        else if (strcmp(name, "--host-gpus") == 0)
            out->links.gpus_of_host = atoi(value);
        else if (strcmp(name, "--network") == 0)
            out->links.network_gb = atof(value);
        else if (strcmp(name, "--compare") == 0)
            out->compared = value;
        else if (strcmp(name, "--within") == 0)
            out->within = atof(value);
        else
            return 0;
    }
    out->op = mpi_cost_named(out->name);
    return out->op && out->count >= 1 && out->ranks >= 1 && out->ranks <= 1 << 20 && out->links.gpus_of_host >= 1 &&
           out->links.network_gb > 0;
}

static void predict(const settings *s)
{
    printf("%s, %.3g elements a rank, %d GPUs a host, network of %.4g GB/s a GPU; modelled, not measured\n"
           "%6s %10s %10s %10s %10s %10s %10s\n",
           s->name, s->count, s->links.gpus_of_host, s->links.network_gb, "ranks", "local", "splitters", "exchange",
           "merge", "all, ms", "times one");
    const double one = mpi_cost_of(s->op, s->count, 1, 0, &s->links).all;
    for (int ranks = 1; ranks <= (int)s->ranks; ranks *= 2) {
        const mpi_cost cost = mpi_cost_of(s->op, s->count * ranks, ranks, 0, &s->links);
        printf("%6d %10.3f %10.3f %10.3f %10.3f %10.3f %10.2f\n", ranks, cost.local, cost.splitters, cost.exchange,
               cost.merge, cost.all, one * ranks / cost.all);
    }
}

/* Compares the model with measured rows of uniform uint32 keys over NCCL. Returns 0, or 1 if a row is too far off.
 * Returns -1 if the file cannot be read, or has no such row. */
static int compare(const settings *s)
{
    char line[512], name[64], type[16], keys[16];
    double count = 0, measured = 0;
    int ranks = 0, rows = 0, far = 0, is_host = 0, pieces = 0;
    mpi_links links = s->links;
    FILE *const file = fopen(s->compared, "r");
    if (!file) return -1;
    printf("%-20s %12s %6s %10s %10s %7s\n", "operation", "n", "ranks", "measured", "modelled", "ratio");
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '$') {
            const char *const forced = strstr(line, "MCL_MPI_PIECES=");
            pieces = forced ? atoi(strchr(forced, '=') + 1) : 0;
        }
        if (strstr(line, "; transport ")) {
            is_host = strstr(line, "; transport host: ") != NULL;
            links.reads = strstr(line, "; sorts and joins read each other's memory") != NULL;
        }
        if (sscanf(line, "%63s %15s %15s %lf %d %lf", name, type, keys, &count, &ranks, &measured) != 6) continue;
        const mpi_cost_row *const op = mpi_cost_named(name);
        if (!op || ranks < 1 || (is_host && ranks > 1) || !(measured > 0) || strcmp(type, "uint32") != 0 ||
            strcmp(keys, "uniform") != 0)
            continue;
        const double modelled = mpi_cost_of(op, count, ranks, pieces, &links).all, ratio = modelled / measured;
        const int is_far =
            count >= 1e8 && s->within >= 0 && (ratio > 1 + s->within / 100 || ratio < 1 - s->within / 100);
        printf("%-20s %12.0f %6d %10.3f %10.3f %7.2f%s\n", name, count, ranks, measured, modelled, ratio,
               is_far ? " too far" : "");
        ++rows;
        far += is_far;
    }
    fclose(file);
    printf("%d rows, %d too far\n", rows, far);
    return rows == 0 ? -1 : far > 0;
}

int main(int argc, char **argv)
{
    settings s;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("moderncl-mpi-predict %s\n", mcl_version());
        return 0;
    }
    if (!read_settings(argc, argv, &s)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!s.compared) {
        predict(&s);
        return 0;
    }
    const int result = compare(&s);
    if (result < 0) fprintf(stderr, "moderncl-mpi-predict: %s has no rows of moderncl-mpi-bench\n", s.compared);
    return result < 0 ? 2 : result;
}
