/* cost_model.c: a model of the time that calls on ranks take. All its constants are in this file. */
#include "cost_model.h"

#include "../src/plan.h"

#include <string.h>

/* ---- constants --------------------------------------------------------------------------------------------- */

/* Constants fitted to bench/results/mpi/h100_x2.txt: two H100 SXM of one host, NCCL 2.28.9, uint32 keys, uniform. */
enum { KEY_BYTES = 4, SAMPLE_BYTES = 12 /* a key, and its rank in 64 bits */, COLLECTIVES = 3 /* calls in a round */ };

static const double nvlink_gb = 363;      /* GB/s of a GPU in one direction, with both directions in use */
static const double read_gb = 295;        /* the same for merges that read other GPUs' memory */
static const double message_ms = 0.08;    /* time of a piece of an exchange, besides its bytes */
static const double round_ms = 0.1;       /* time of a round of the search for splitters, with two ranks */
static const double sample_gb = 0.55;     /* GB/s of samples through host memory and collectives, up to 90 KB a round */
static const double collective_ms = 0.02; /* time of a collective of the hosts, for each doubling of the ranks */
static const double hidden = 0.4;         /* part of the shorter of exchange and merge that overlap hides */

struct mpi_cost_row {
    const char *name;
    double start_ms, local_ns; /* fixed time of a call; time for each element of a rank's part */
    double merge_ns;           /* time of an element in a merge, for each doubling of the ranks */
    int bytes;                 /* bytes sent for an element that changes its rank; 0: only partials are sent */
    int agreements;            /* agreements of all ranks in a call */
};

static const mpi_cost_row rows[] = {
    { "reduce_sum", 0.02, 0.00139, 0, 0, 3 },      { "inclusive_scan_sum", 0.03, 0.00408, 0, 0, 4 },
    { "sort_keys", 0.06, 0.0212, 0.00303, 4, 6 },  { "sort_keys_compare", 0.06, 0.0597, 0.00303, 4, 6 },
    { "sort_pairs", 0.06, 0.0360, 0.00585, 8, 6 }, { NULL, 0, 0, 0, 0, 0 },
};

/* ---- the model --------------------------------------------------------------------------------------------- */

const mpi_cost_row *mpi_cost_named(const char *operation)
{
    const mpi_cost_row *row = rows;
    while (row->name && strcmp(row->name, operation) != 0) ++row;
    return row->name ? row : NULL;
}

const char *mpi_cost_name(int index)
{
    return rows[index].name;
}

/* Returns the number of multiplications by factor after which 1 becomes count or more. */
static int steps_to(double count, double factor)
{
    int steps = 0;
    double reached = 1;
    while (reached < count) {
        reached *= factor;
        ++steps;
    }
    return steps;
}

/* Returns the time of the search for splitters. In a round all ranks send samples for all boundaries. */
static double splitters_ms(double share, int ranks, int pieces)
{
    const int64_t boundaries = (int64_t)ranks * pieces - 1;
    const int samples = mcl__samples_planned(ranks, boundaries);
    const double bytes = (double)samples * (double)boundaries * ranks * SAMPLE_BYTES;
    const double collectives = COLLECTIVES * collective_ms * (steps_to(ranks, 2) - 1);
    return steps_to(share, samples + 1) * (round_ms + collectives + bytes / sample_gb * 1e-6);
}

/* Returns the time of an exchange. Bytes to other hosts and bytes inside a host are sent at the same time. */
static double exchange_ms(double bytes, int ranks, int pieces, const mpi_links *links)
{
    const int near = ranks < links->gpus_of_host ? ranks : links->gpus_of_host;
    const double inside = bytes * (near - 1) / ranks / nvlink_gb * 1e-6;
    const double outside = bytes * (ranks - near) / ranks / links->network_gb * 1e-6;
    return pieces * message_ms + (inside > outside ? inside : outside);
}

static int are_read(double share, int ranks, const mpi_links *links)
{
    return links->reads && ranks <= links->gpus_of_host && share * KEY_BYTES >= MCL__PEERS_BYTES;
}

/* Returns the time of merges if the first level reads other GPUs' memory. This level takes the longer of its reads and
 * a usual merge. */
static double reading_merge_ms(const mpi_cost_row *row, double share, int ranks)
{
    const double level = share * row->merge_ns * 1e-6;
    const double read = share * row->bytes * (ranks - 1) / ranks / read_gb * 1e-6;
    return (read > level ? read : level) + level * (steps_to(ranks, 2) - 1);
}

mpi_cost mpi_cost_of(const mpi_cost_row *row, double count, int ranks, int pieces, const mpi_links *links)
{
    const double share = count / ranks;
    mpi_cost cost = { .local = row->start_ms + share * row->local_ns * 1e-6 };
    cost.all = cost.local;
    if (ranks == 1) return cost;
    const int levels = steps_to(ranks, 2);
    cost.all += row->agreements * collective_ms * levels;
    if (row->bytes == 0) return cost;
    if (are_read(share, ranks, links)) {
        cost.splitters = splitters_ms(share, ranks, 1);
        cost.merge = reading_merge_ms(row, share, ranks);
        cost.all += cost.splitters + cost.merge;
        return cost;
    }
    if (pieces == 0) pieces = mcl__pieces_planned(ranks, (int64_t)(share * KEY_BYTES));
    cost.splitters = splitters_ms(share, ranks, pieces);
    cost.exchange = exchange_ms(share * row->bytes, ranks, pieces, links);
    cost.merge = share * row->merge_ns * 1e-6 * levels;
    const double shorter = cost.exchange > cost.merge ? cost.merge : cost.exchange;
    cost.all += cost.splitters + cost.exchange + cost.merge - hidden * shorter * (pieces - 1) / pieces;
    return cost;
}
