/* transport.h: transports: each is a table of functions that exchange operands between ranks. */
#ifndef MCL_MPI_TRANSPORT_H
#define MCL_MPI_TRANSPORT_H

#include "moderncl/ranks.h"

/* A range of a buffer that is sent to one rank, or received from one rank. Both numbers are in bytes. */
typedef struct mcl__part {
    int64_t offset;
    int64_t bytes;
} mcl__part;

typedef struct mcl__transport {
    mcl_mpi_transport kind;

    /* Makes mpi->exchange_queue. Collective. If open fails on any rank, close is called on all ranks. Before that they
     * wait for this queue. */
    mcl_status (*open)(mcl_mpi *mpi);
    void (*close)(mcl_mpi *mpi);

    /* Exchanges parts with all ranks. Range sends[r] of from goes to rank r. Range receives[r] of to comes from rank r,
     * with the same number of bytes. A rank's parts for itself are ignored. The work is in the order of
     * mpi->exchange_queue. If a device fails, messages are still exchanged, so that no rank waits for ever. */
    mcl_status (*exchange)(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                           const mcl__part *receives);
} mcl__transport;

extern const mcl__transport mcl__transport_host;
extern const mcl__transport mcl__transport_nccl;
extern const mcl__transport mcl__transport_own;

/* Exchanges parts by mpi->carriers, in one group. Transports from device to device share this function. */
mcl_status mcl__exchange_on_device(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                   const mcl__part *receives);

/* Returns whether all ranks can use NCCL. Otherwise stores the reason. Collective. */
int mcl__nccl_usable(mcl_mpi *mpi, char *reason, size_t capacity);

#endif
