/* peers.h: rooms that the ranks of a host read in each other's devices, so that nothing has to be sent. */
#ifndef MCL_MPI_PEERS_H
#define MCL_MPI_PEERS_H

#include "cuts.h"

/* Finds out whether each rank can read all others' memory; where not, calls send what they would read. Collective, with
 * the transport open; ends with an agreement. */
mcl_status mcl__peers_open(mcl_mpi *mpi);
void mcl__peers_close(mcl_mpi *mpi);

/* Gives a room for this rank's part of a list of the cuts, of those that others may read. It may be written to at once.
 * Others can read it where shares are large enough for what opening it costs.
 *
 * Collective where a room of some rank must grow, or be opened. All ranks know that by themselves. Only then does it
 * begin with an agreement on status and end with one; else it passes status on. */
mcl_status mcl__part_room(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list, const mcl_type *type,
                          mcl__room room, mcl_buffer **out);

/* Returns the part of a rank as this one sees it, in a room that mcl__part_room has given. Where it must be sent it is
 * NULL, on all ranks. */
mcl_buffer *mcl__peer_part(const mcl_mpi *mpi, mcl__room room, int rank);

/* Before an agreement after which the ranks read: what this rank has in its rooms is there to be read. */
mcl_status mcl__peers_show(mcl_mpi *mpi);

/* Before an agreement after which rooms change: this rank reads no more. The first agreement of each call has it. */
mcl_status mcl__peers_settle(mcl_mpi *mpi);

#endif
