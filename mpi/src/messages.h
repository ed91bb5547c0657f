/* messages.h: what ranks tell each other, by host memory and the five functions of mcl_mpi_messages alone. */
#ifndef MCL_MPI_MESSAGES_H
#define MCL_MPI_MESSAGES_H

#include "ranks.h"

/* Makes a status of what one of the functions returned. After a failure the ranks are lost. */
mcl_status mcl__heard(mcl_mpi *mpi, const char *failure);

/* Posts a message in host memory, and completes what was posted. */
mcl_status mcl__send(mcl_mpi *mpi, int rank, const void *bytes, size_t count);
mcl_status mcl__receive(mcl_mpi *mpi, int rank, void *bytes, size_t count);
mcl_status mcl__group(mcl_mpi *mpi);

mcl_status mcl__barrier(mcl_mpi *mpi);

/* Brings bytes of one rank to all ranks. */
mcl_status mcl__tell_all(mcl_mpi *mpi, int rank, void *bytes, size_t count);

/* Makes the least of each number over the ranks, in numbers' own array. */
enum { LEAST_MOST = 3 };
mcl_status mcl__least_of_all(mcl_mpi *mpi, int64_t *numbers, int count);

/* Returns how many bytes mpi->gathered needs with size ranks. */
size_t mcl__gathered_bytes(int size);

#endif
