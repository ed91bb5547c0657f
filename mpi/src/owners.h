/* owners.h: sends keys to the ranks that own them, and sends answers back. A hash of a key's bits, or an expression,
 * decides which rank owns the key. */
#ifndef MCL_MPI_OWNERS_H
#define MCL_MPI_OWNERS_H

#include "cuts.h"

enum { OWNERS_MOST = 256 }; /* largest number of owners: the largest number of buckets of mcl_multisplit */

typedef enum mcl__load { LOAD_NONE, LOAD_VALUES, LOAD_INDICES } mcl__load;

/* The way of a key. Hot keys, which have many copies, may take a way that does not follow the hash. */
typedef enum mcl__way { WAY_OWNER, WAY_ANY, WAY_ALL } mcl__way; /* to its owner, to any rank, to all ranks */
typedef struct mcl__hot {
    int32_t count;
    mcl_buffer *keys; /* bits of the hot keys, ascending, each once; MCL_UINT64 */
    mcl_buffer *ways; /* ways of hot keys, a byte each, for both sequences; each sequence's list ends in WAY_OWNER */
} mcl__hot;

/* Returns an operator that gives a key's index among the hot keys. It gives count for other keys. */
mcl_op mcl__hot_place(const mcl__hot *hot);

/* The keys of a call on their way to owners. */
typedef struct mcl__route {
    const mcl_op *owner;    /* operator of MCL_ROLE_INDEX that gives a key's owner; NULL: the hash does */
    const mcl__hot *hot;    /* hot keys among integer keys; NULL: all keys go to their owners */
    int list;               /* number of the sequence, 0 or 1, if a call has two; each has its own scratch buffers */
    int is_apart;           /* 1 if keys that this rank owns already stay apart from received keys */
    mcl__load load;         /* LOAD_VALUES: values travel with keys; LOAD_INDICES: indices of sent keys stay here */
    mcl_input keys, values; /* this rank's keys, and a value for each key */
    mcl_input indices;      /* indices of the keys in the order by owners */
    mcl_input own_keys;     /* this rank's keys that it owns itself, if is_apart is 1 */
    mcl_input own_values;
    mcl_input came_keys; /* received keys, in the order of ranks; own_keys are among them unless is_apart is 1 */
    mcl_input came_values;
    int64_t *shared_counts; /* number of each rank's keys that go to all ranks; received after other keys; NULL: none */
    mcl__cuts there, back;
} mcl__route;

/* Returns the unsigned type whose numbers have the bits of keys of 1, 2, 4 or 8 bytes. Returns NULL for other sizes. */
const mcl_type *mcl__bits_type(size_t size);

/* Sends each key to its owner, and with LOAD_VALUES also its value. For the hash keys have 1 to 16 bytes. With one rank
 * nothing moves. Collective: the caller must call mcl__agree before and after it. The caller frees the route, also
 * after a failure. */
mcl_status mcl__route_keys(mcl_mpi *mpi, mcl__route *route);
void mcl__route_free(mcl__route *route);

/* Do the same in two steps. Between them the queue may work on own_keys and other data while keys are sent.
 * mcl__route_end makes later work wait for the received keys. It is called after a failure, too. */
mcl_status mcl__route_begin(mcl_mpi *mpi, mcl__route *route);
mcl_status mcl__route_end(mcl_mpi *mpi);

/* Begins to send an answer for each of came_keys, from answers, to the rank that sent the key. That rank stores the
 * answers in back, in the order of indices. back has space for an answer of each key; those of the rank's own keys do
 * not change. is_apart must be 1. mcl__route_end completes the exchange. Collective as mcl__route_keys, with
 * LOAD_INDICES. */
mcl_status mcl__route_answers(mcl_mpi *mpi, const mcl__route *route, const mcl_type *type, mcl_buffer *answers,
                              mcl_buffer *back);

#endif
