/* peers.h: rooms that the ranks of a host read in each other's devices, so that nothing has to be sent. */
#ifndef MCL_MPI_PEERS_H
#define MCL_MPI_PEERS_H

#include "cuts.h"

/* Finds out whether each rank can read all others' memory. Where not, calls send what they would read. Collective, with
 * the transport open; ends with an agreement. */
mcl_status mcl__peers_open(mcl_mpi *mpi);
void mcl__peers_close(mcl_mpi *mpi);

/* Gives a room for this rank's part of a list of the cuts, which others may read. The rank may write to the room at
 * once. Others can read it where shares are large enough for what opening it costs.
 *
 * Collective where a room of some rank must grow, or be opened. All ranks know that by themselves. Only then does the
 * call begin with an agreement on status and end with one; else it passes status on. */
mcl_status mcl__part_room(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list, const mcl_type *type,
                          mcl__room room, mcl_buffer **out);

/* Returns the part of a rank as this rank sees it, in a room that mcl__part_room has given. Where the part must be sent
 * the result is NULL, on all ranks. */
mcl_buffer *mcl__peer_part(const mcl_mpi *mpi, mcl__room room, int rank);

/* Shows what this rank has in its rooms, before an agreement after which the ranks read. */
mcl_status mcl__peers_show(mcl_mpi *mpi);

/* Ends this rank's reading, before an agreement after which rooms change. The first agreement of each call has it. */
mcl_status mcl__peers_settle(mcl_mpi *mpi);

#endif
