/* owners.h: each key has a rank that owns it, by a hash of its bits or by an expression. Keys go to their owners, and
 * answers come back. */
#ifndef MCL_MPI_OWNERS_H
#define MCL_MPI_OWNERS_H

#include "cuts.h"

enum { OWNERS_MOST = 256 }; /* the buckets of a split by owners, mcl_multisplit's most */

typedef enum mcl__load { LOAD_NONE, LOAD_VALUES, LOAD_INDICES } mcl__load;

/* Keys that do not go by the hash: they are hot. */
typedef enum mcl__way { WAY_OWNER, WAY_ANY, WAY_ALL } mcl__way; /* to their owner, to any rank, or to all ranks */
typedef struct mcl__hot {
    int32_t count;
    mcl_buffer *keys; /* their bits, ascending, each once; MCL_UINT64 */
    mcl_buffer *ways; /* ways of both sequences' keys, a byte each; after those of a sequence stands WAY_OWNER */
} mcl__hot;

/* Returns the operator that gives the place of a key, by its bits, among the hot ones. Of other keys it is count. */
mcl_op mcl__hot_place(const mcl__hot *hot);

/* The way of the keys of a call. */
typedef struct mcl__route {
    const mcl_op *owner;    /* rank that owns a key, by MCL_ROLE_INDEX; NULL: by the hash */
    const mcl__hot *hot;    /* hot keys among integers; NULL: all keys go to their owners */
    int list;               /* 0 or 1, of a call on two sequences, which come to rooms of their own */
    int is_apart;           /* whether keys of this rank that it owns stay apart from those that come */
    mcl__load load;         /* the load that keys take to their owner or, of indices, leave here */
    mcl_input keys, values; /* this rank's, a value for each key */
    mcl_input indices;      /* indices of the keys in their order by owners */
    mcl_input own_keys;     /* where they are apart: keys of this rank that it owns */
    mcl_input own_values;
    mcl_input came_keys; /* keys that this rank owns, in the order of the ranks that they come from */
    mcl_input came_values;
    int64_t *shared_counts; /* each rank's keys that all ranks get, which come last; NULL: none */
    mcl__cuts there, back;
} mcl__route;

/* Describes numbers that have the bits of keys of 1, 2, 4 or 8 bytes; NULL for others. */
const mcl_type *mcl__bits_type(size_t size);

/* Brings each key to its owner, with its value by LOAD_VALUES. For the hash keys have 1 to 16 bytes. With one rank
 * nothing moves. Collective; all ranks must have agreed before; the call ends without an agreement. A rank frees the
 * route also where the call fails. */
mcl_status mcl__route_keys(mcl_mpi *mpi, mcl__route *route);
void mcl__route_free(mcl__route *route);

/* Does the same in two steps. After the first one the queue may work on own_keys, and on anything else, while keys are
 * on their way. The second one, which follows a failure too, orders its further work after their arrival. */
mcl_status mcl__route_begin(mcl_mpi *mpi, mcl__route *route);
mcl_status mcl__route_end(mcl_mpi *mpi);

/* Begins to bring an answer for each of came_keys, in answers, to the rank that asked. There answers go to back, which
 * has room for one of each key, in the order of indices. The gap of the rank's own keys stays as it is. Keys are apart.
 * mcl__route_end ends it. Collective as mcl__route_keys, by LOAD_INDICES. */
mcl_status mcl__route_answers(mcl_mpi *mpi, const mcl__route *route, const mcl_type *type, mcl_buffer *answers,
                              mcl_buffer *back);

#endif
