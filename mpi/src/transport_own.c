/* transport_own.c: exchanges operands by functions that take buffers. These are the caller's own functions, or
 * NCCL's. */
#include "ranks.h"

mcl_status mcl__exchange_on_device(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                   const mcl__part *receives)
{
    const mcl_mpi_messages *const by = &mpi->carriers;
    mcl_status status = MCL_OK;
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        const char *failure = NULL;
        if (r == mpi->rank) continue;
        const mcl_mpi_memory out = { .buffer = from,
                                     .offset = (size_t)sends[r].offset,
                                     .bytes = (size_t)sends[r].bytes };
        const mcl_mpi_memory in = { .buffer = to,
                                    .offset = (size_t)receives[r].offset,
                                    .bytes = (size_t)receives[r].bytes };
        if (out.bytes > 0) failure = by->send(by->state, r, out);
        if (in.bytes > 0 && !failure) failure = by->receive(by->state, r, in);
        if (failure) status = mcl__refuse(mpi, MCL_ERROR_DEVICE, "%s", failure);
        mpi->bytes_sent += sends[r].bytes;
    }
    const char *const ended = by->group(by->state); /* group releases posted messages, also if a post has failed */
    if (ended && status == MCL_OK) status = mcl__refuse(mpi, MCL_ERROR_DEVICE, "%s", ended);
    return status;
}

static mcl_status own_open(mcl_mpi *mpi)
{
    if (mcl_queue_context(mpi->messages.queue) != mpi->context)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "messages->queue is of another context than queue");
    const mcl_status status = mcl_queue_retain(mpi->messages.queue);
    if (status != MCL_OK) return status;
    mpi->carriers = mpi->messages;
    mpi->exchange_queue = mpi->messages.queue;
    return MCL_OK;
}

static void own_close(mcl_mpi *mpi)
{
    mcl_queue_release(mpi->exchange_queue);
}

const mcl__transport mcl__transport_own = {
    .kind = MCL_MPI_OWN,
    .open = own_open,
    .close = own_close,
    .exchange = mcl__exchange_on_device,
};
