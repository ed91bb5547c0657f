/* owners.h: each key has a rank that owns it, by a hash of its bits or by an expression. Keys go to their owners, and
 * answers come back. */
#ifndef MCL_MPI_OWNERS_H
#define MCL_MPI_OWNERS_H

#include "cuts.h"

enum { OWNERS_MOST = 256 }; /* the buckets of a split by owners, mcl_multisplit's most */

typedef enum mcl__load { LOAD_NONE, LOAD_VALUES, LOAD_INDICES } mcl__load;

/* The way of the keys of a call. */
typedef struct mcl__route {
    const mcl_op *owner;    /* rank that owns a key, by MCL_ROLE_INDEX; NULL: by the hash */
    mcl__load load;         /* the load that keys take to their owner or, of indices, leave here */
    mcl_input keys, values; /* this rank's, a value for each key */
    mcl_input indices;      /* indices of the keys in their order by owners */
    mcl_input came_keys;    /* keys that this rank owns, in the order of the ranks that they come from */
    mcl_input came_values;
    mcl__cuts there, back;
} mcl__route;

/* Brings each key to its owner, with its value by LOAD_VALUES. For the hash keys have 1 to 16 bytes. With one rank
 * nothing moves. Collective; all ranks must have agreed before; the call ends without an agreement. A rank frees the
 * route also where the call fails. */
mcl_status mcl__route_keys(mcl_mpi *mpi, mcl__route *route);
void mcl__route_free(mcl__route *route);

/* Brings an answer for each of came_keys, in answers, to the rank that asked, where it lies in back_room in the order
 * of indices. Collective as mcl__route_keys, by LOAD_INDICES. */
mcl_status mcl__route_answers(mcl_mpi *mpi, const mcl__route *route, const mcl_type *type, mcl_buffer *answers,
                              mcl__room back_room, mcl_input *came);

#endif
