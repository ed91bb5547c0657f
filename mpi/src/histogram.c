/* histogram.c: histograms of a sequence that lies on all ranks. Each rank makes the histogram of its part. Then each
 * rank adds up its share of the bins, and all ranks get the sums. */
#include "cuts.h"
#include "operators.h"

#include <stdlib.h>

typedef enum bin_kind { BINS_OF_OPERATOR, BINS_EVEN, BINS_RANGE } bin_kind;

typedef struct histogram_call {
    bin_kind kind;
    mcl_input in, levels;
    const mcl_op *bin;
    double low, high;
    const mcl_input *weights;
    mcl_output bins;
    mcl_options own;
    mcl__whole whole;
    mcl__cuts cuts; /* cuts of the bins; all ranks have the same number of bins */
    mcl__placed_op placed;
} histogram_call;

static mcl_status local_histogram(mcl_mpi *mpi, const histogram_call *call, mcl_output bins)
{
    mcl_queue *const queue = mpi->queue;
    switch (call->kind) {
    case BINS_EVEN:
        return mcl_histogram_even(queue, call->in, call->low, call->high, call->weights, bins, &call->own);
    case BINS_RANGE:
        return mcl_histogram_range(queue, call->in, call->levels, call->weights, bins, &call->own);
    default:
        return mcl_histogram(queue, call->in, &call->placed.op, call->weights, bins, &call->own);
    }
}

/* Adds up this rank's share of the bins. came has the counts of all ranks for these bins, one rank after the other. */
static mcl_status add_slices(mcl_mpi *mpi, const mcl_type *type, mcl_buffer *came, int64_t count)
{
    mcl_status status = MCL_OK;
    for (int r = 1; r < mpi->size && count > 0; ++r) {
        const mcl_binding bindings[] = { mcl_binding_buffer("mcl_sums", type, came, 0),
                                         mcl_binding_buffer("mcl_more", type, came, r * count) };
        const mcl_input sum = mcl_from_expression(type, "mcl_sums[i] + mcl_more[i]", NULL, bindings, 2, count);
        MCL__THEN(status, mcl_transform(mpi->queue, sum, mcl_to_buffer(type, came, 0, count), NULL));
    }
    return status;
}

/* Adds up the bins of all ranks, which are in from on each rank. All ranks' outputs get the sums. */
static mcl_status add_bins(mcl_mpi *mpi, histogram_call *call, mcl_buffer *from)
{
    const mcl_type *const type = call->bins.type;
    const int64_t bin_count = call->bins.capacity;
    int64_t *slices = NULL;
    mcl_buffer *came = NULL;
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *slices, &slices);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r)
        slices[r] = bin_count / mpi->size + (r < bin_count % mpi->size);
    const int64_t mine = status == MCL_OK ? slices[mpi->rank] : 0;
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME, mpi->size * mine * (int64_t)type->size, &came));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__exchange_list(mpi, &call->cuts, 0, type, from, 0, came, 0));
    MCL__THEN(status, add_slices(mpi, type, came, mine));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_lists(mpi, type, slices, came, 0, call->bins.buffer, call->bins.offset));
    free(slices);
    return status;
}

/* Cuts the bins into the ranks' shares. The cuts are the same on all ranks, since each rank has all bins. */
static void cut_bins(mcl__cuts *cuts, int64_t bin_count)
{
    const int ranks = cuts->rank_count;
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to <= ranks; ++to) {
            const int64_t rest = bin_count % ranks;
            cuts->at[from * (ranks + 1) + to] = bin_count / ranks * to + (to < rest ? to : rest);
        }
}

/* Signs the call. Only the number of levels is signed, since levels may lie on a device. */
static void sign(mcl__signature *signature, const histogram_call *call, const mcl_options *options)
{
    mcl__sign_type(signature, "the type of in", call->in.type);
    mcl__sign_type(signature, "the type of bins", call->bins.type);
    mcl__sign_number(signature, "the number of bins", call->bins.capacity);
    mcl__sign_op(signature, "bin", call->bin);
    mcl__sign_type(signature, "the type of weights", call->weights ? call->weights->type : NULL);
    mcl__sign_type(signature, "the type of levels", call->levels.type);
    mcl__sign_number(signature, "the number of levels", call->levels.count);
    mcl__sign_real(signature, "low", call->low);
    mcl__sign_real(signature, "high", call->high);
    mcl__sign_options(signature, options);
}

static mcl_status histogram(mcl_mpi *mpi, histogram_call *call, const mcl_options *options)
{
    mcl__signature *const signature = mcl__sign(mpi);
    sign(signature, call, options);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->in));
    if (status == MCL_OK && (!call->bins.type || !call->bins.buffer || call->bins.capacity < 0))
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "bins is not given");
    MCL__THEN(status, mcl__check_output(mpi, call->bins, call->bins.type, call->bins.capacity, "bins"));
    if (status == MCL_OK && call->kind == BINS_OF_OPERATOR && !call->bin)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "bin is NULL");
    MCL__BEGIN(mpi, signature, status);
    MCL__AGREE(mpi, mcl__count_whole(mpi, call->in.count, &call->whole));
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &call->bins.capacity, 1, MCL_MPI_SAME, &call->cuts));
    cut_bins(&call->cuts, call->bins.capacity);
    mcl_buffer *local = NULL;
    status = mcl__room_of(mpi, ROOM_SORTED, call->bins.capacity * (int64_t)call->bins.type->size, &local);
    if (call->bin) MCL__THEN(status, mcl__place_op(mpi, call->bin, call->whole.first, &call->placed));
    MCL__THEN(status, local_histogram(mpi, call, mcl_to_buffer(call->bins.type, local, 0, call->bins.capacity)));
    MCL__AGREE(mpi, status);
    return mcl__agree(mpi, add_bins(mpi, call, local));
}

static mcl_status histogram_run(mcl_mpi *mpi, histogram_call *call, const mcl_options *options)
{
    call->own = mcl__own_options(options);
    const mcl_status status = histogram(mpi, call, options);
    free(call->whole.counts);
    mcl__cuts_free(&call->cuts);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_histogram(mcl_mpi *mpi, mcl_input in, const mcl_op *bin, const mcl_input *weights, mcl_output bins,
                             const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_histogram");
    histogram_call call = { .in = in, .bin = bin, .weights = weights, .bins = bins };
    return histogram_run(mpi, &call, options);
}

mcl_status mcl_mpi_histogram_even(mcl_mpi *mpi, mcl_input in, double low, double high, const mcl_input *weights,
                                  mcl_output bins, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_histogram_even");
    histogram_call call = { .kind = BINS_EVEN, .in = in, .low = low, .high = high, .weights = weights, .bins = bins };
    return histogram_run(mpi, &call, options);
}

mcl_status mcl_mpi_histogram_range(mcl_mpi *mpi, mcl_input in, mcl_input levels, const mcl_input *weights,
                                   mcl_output bins, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_histogram_range");
    histogram_call call = { .kind = BINS_RANGE, .in = in, .levels = levels, .weights = weights, .bins = bins };
    return histogram_run(mpi, &call, options);
}
