/* messages.h: messages between ranks, through host memory and the five functions of mcl_mpi_messages alone. */
#ifndef MCL_MPI_MESSAGES_H
#define MCL_MPI_MESSAGES_H

#include "ranks.h"

/* Makes a status from the result of one of these functions. After a failure ranks cannot communicate any more. */
mcl_status mcl__heard(mcl_mpi *mpi, const char *failure);

/* Post a message in host memory, and complete all posted messages. */
mcl_status mcl__send(mcl_mpi *mpi, int rank, const void *bytes, size_t count);
mcl_status mcl__receive(mcl_mpi *mpi, int rank, void *bytes, size_t count);
mcl_status mcl__group(mcl_mpi *mpi);

mcl_status mcl__barrier(mcl_mpi *mpi);

/* Copies bytes of one rank to all ranks. */
mcl_status mcl__tell_all(mcl_mpi *mpi, int rank, void *bytes, size_t count);

/* Replaces each number by its minimum over all ranks. count is at most LEAST_MOST. */
enum { LEAST_MOST = 3 };
mcl_status mcl__least_of_all(mcl_mpi *mpi, int64_t *numbers, int count);

/* Returns the bytes of mpi->gathered for size ranks. */
size_t mcl__gathered_bytes(int size);

#endif
