/* peers.h: scratch buffers that other ranks of the same host read directly, so that elements need not be sent. */
#ifndef MCL_MPI_PEERS_H
#define MCL_MPI_PEERS_H

#include "cuts.h"

/* Finds out whether each rank can read the memory of all other ranks. If not, calls send elements instead. Collective,
 * after the transport was opened; it ends with an agreement. */
mcl_status mcl__peers_open(mcl_mpi *mpi);
void mcl__peers_close(mcl_mpi *mpi);

/* Makes a scratch buffer for this rank's part of a list. This rank may write to it at once. Other ranks can read it if
 * shares are large enough to be worth the cost of opening it.
 *
 * Collective if some rank's buffer must grow or be opened, which each rank knows from the counts. Then the call begins
 * with an agreement on status and ends with one. Otherwise it does not communicate. */
mcl_status mcl__part_room(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list, const mcl_type *type,
                          mcl__room room, mcl_buffer **out);

/* Returns a rank's part, which mcl__part_room has made, as a buffer that this rank can read. Returns NULL on all ranks
 * if the part must be sent. */
mcl_buffer *mcl__peer_part(const mcl_mpi *mpi, mcl__room room, int rank);

/* Waits until this rank's part is stored. After the next agreement other ranks may read it. */
mcl_status mcl__peers_show(mcl_mpi *mpi);

/* Waits until this rank has read other ranks' memory. After the next agreement scratch buffers may change. Each call
 * does this before its first agreement. */
mcl_status mcl__peers_settle(mcl_mpi *mpi);

#endif
