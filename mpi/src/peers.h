/* peers.h: device memory that other ranks of the same host read directly, so that it need not be sent. */
#ifndef MCL_MPI_PEERS_H
#define MCL_MPI_PEERS_H

#include "cuts.h"

/* Finds out whether each rank can read the memory of all other ranks. Otherwise calls send the data. Collective, after
 * the transport was opened; it ends with an agreement. */
mcl_status mcl__peers_open(mcl_mpi *mpi);
void mcl__peers_close(mcl_mpi *mpi);

/* Makes a room for this rank's part of a list. This rank may write to the room at once. Other ranks can read it if
 * shares are so large that this is worth the cost of opening it.
 *
 * Collective if a rank's room must grow or be opened. Each rank knows that from the counts. Only then the call begins
 * with an agreement on status and ends with one. Otherwise it only returns status if that is a failure. */
mcl_status mcl__part_room(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list, const mcl_type *type,
                          mcl__room room, mcl_buffer **out);

/* Returns a rank's part, in a room that mcl__part_room has made, as this rank can read it. Returns NULL on all ranks if
 * the part must be sent. */
mcl_buffer *mcl__peer_part(const mcl_mpi *mpi, mcl__room room, int rank);

/* Completes this rank's part in its rooms. After the next agreement other ranks may read it. */
mcl_status mcl__peers_show(mcl_mpi *mpi);

/* Completes this rank's reads of other ranks' memory. After the next agreement rooms may change. Each call does this
 * before its first agreement. */
mcl_status mcl__peers_settle(mcl_mpi *mpi);

#endif
