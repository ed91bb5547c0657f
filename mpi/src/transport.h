/* transport.h: the ways of operands from device to device: a table of functions for each. */
#ifndef MCL_MPI_TRANSPORT_H
#define MCL_MPI_TRANSPORT_H

#include "moderncl/ranks.h"

/* A part that goes to one rank, or comes from it: a range of a buffer, in bytes. */
typedef struct mcl__part {
    int64_t offset;
    int64_t bytes;
} mcl__part;

typedef struct mcl__transport {
    mcl_mpi_transport kind;

    /* Makes mpi->exchange_queue. Collective. Where open fails on any rank, close is called on all ranks, after that
     * queue has been waited for. */
    mcl_status (*open)(mcl_mpi *mpi);
    void (*close)(mcl_mpi *mpi);

    /* Exchanges parts with all ranks. sends[r] of from goes to rank r, receives[r] of to comes from rank r: as many
     * bytes as r sends. A rank's part for itself is not looked at. The work is in the order of mpi->exchange_queue.
     * Where a device fails, the messages are still exchanged, so that no rank waits for ever. */
    mcl_status (*exchange)(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                           const mcl__part *receives);
} mcl__transport;

extern const mcl__transport mcl__transport_host;
extern const mcl__transport mcl__transport_nccl;
extern const mcl__transport mcl__transport_own;

/* Exchanges parts by mpi->carriers, in one group: the exchange of transports from device to device. */
mcl_status mcl__exchange_on_device(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                   const mcl__part *receives);

/* Returns whether all ranks can use NCCL; else gives the reason. Collective. */
int mcl__nccl_usable(mcl_mpi *mpi, char *reason, size_t capacity);

#endif
