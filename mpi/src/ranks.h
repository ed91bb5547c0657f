/* ranks.h: shared parts of the calls of moderncl_mpi: the ranks, agreement on errors, memory for what is exchanged. */
#ifndef MCL_MPI_RANKS_H
#define MCL_MPI_RANKS_H

#include "moderncl/moderncl.h"
#include "moderncl/ranks.h"

#include "transport.h"

/* Device memory that calls share in turn; each name is what a call keeps in it. */
typedef enum mcl__room {
    ROOM_PART, /* the rank's part of a list, sorted or by bucket, which other ranks may read (mcl__part_room) */
    ROOM_PART_VALUES,
    ROOM_SECOND_PART,
    ROOM_SECOND_PART_VALUES,
    ROOM_SORTED, /* the rank's keys, sorted */
    ROOM_SORTED_VALUES,
    ROOM_CAME, /* elements that the ranks have sent */
    ROOM_CAME_VALUES,
    ROOM_MERGED, /* levels of the merge of what came */
    ROOM_MERGED_VALUES,
    ROOM_SECOND, /* this rank's part of the second sequence, sorted, in a call on two */
    ROOM_SECOND_VALUES,
    ROOM_LEFT, /* elements that this rank gets of both, in order */
    ROOM_LEFT_VALUES,
    ROOM_RIGHT,
    ROOM_RIGHT_VALUES,
    ROOM_JOINED, /* elements that this rank gets of a join's first sequence, merged */
    ROOM_JOINED_VALUES,
    ROOM_UNWANTED, /* keys of a call that gives indices */
    ROOM_SAMPLES,  /* keys that splitters are sought among */
    ROOM_NUMBERS,  /* indices of samples, ranks of samples */
    ROOM_PARTIALS, /* a fold of each rank */
    ROOM_FOUND,    /* keys that every rank gets */
    ROOM_SMALL,    /* a few values of the call's own */
    ROOM_COUNT
} mcl__room;

/* The wish whether ranks read each other's memory: where it is known to gain, never, or wherever it can be done. */
typedef enum mcl__peers_wish { PEERS_AUTO, PEERS_NEVER, PEERS_ALWAYS } mcl__peers_wish;

/* The wish how sorts go: as their size says, or in one way. */
typedef enum mcl__sort_wish { SORT_AUTO, SORT_MERGES, SORT_SCATTERS } mcl__sort_wish;

enum { SENTENCE_BYTES = 4096, NAME_BYTES = 256, PIECES_MOST = 16 };

/* An item on which the ranks must agree in a call. The items lie in the mcl_mpi, since threads may have small
 * stacks. */
enum { SIGNED_MOST = 96, SIGNED_NAME_BYTES = 40, SIGNED_TEXT_BYTES = 88 };
typedef struct mcl__signed_item {
    uint64_t hash; /* hash of the whole content */
    char name[SIGNED_NAME_BYTES];
    char text[SIGNED_TEXT_BYTES]; /* text for people; differs where the content does */
} mcl__signed_item;
typedef struct mcl__signature {
    uint64_t hash; /* hash of all items */
    int count;
    mcl__signed_item items[SIGNED_MOST];
} mcl__signature;

/* What the library that moves the messages says of itself. */
typedef struct mcl__library {
    mcl_status (*check)(const char *function); /* whether it can be called; the sentence names the public function */
    int (*is_over)(void);                      /* whether it is ended, so that no rank can be told of anything */
    void (*close)(void *state, int is_lost);
} mcl__library;

struct mcl_mpi {
    mcl_mpi_messages messages;   /* what ranks tell each other goes by these, in host memory */
    mcl_mpi_messages carriers;   /* operands go by these from device to device; with a queue where there are any */
    const mcl__library *library; /* NULL: messages are the caller's own functions */
    int64_t *gathered;           /* numbers of all ranks, mcl__gathered_bytes of them */
    int rank;
    int size;
    mcl_queue *queue;
    mcl_queue *exchange_queue; /* queue of exchanges, made by the transport; NULL with one rank */
    mcl_context *context;
    const mcl__transport *transport;
    void *transport_state;
    char transport_reason[160];
    struct mcl__peers *peers; /* NULL: ranks do not read each other's memory */
    mcl__peers_wish peers_wanted;
    char peers_reason[112]; /* follows that of the transport; "" where it is not NCCL */
    mcl__sort_wish sort_wanted;
    int pieces; /* pieces that a share of a sort comes in; 0: by its size */
    int64_t bytes_sent;
    mcl_buffer *rooms[ROOM_COUNT];
    int times_phases;
    double phase_start;
    double milliseconds[MCL_MPI_PHASES];
    int64_t maps_made;
    int lost;                       /* whether a message has failed */
    mcl_status agreed;              /* a failure of this call that all ranks know */
    const char *function;           /* the public function at work */
    char sentence[SENTENCE_BYTES];  /* sentence of this rank's failure in this call; "" where the core has it */
    mcl__signature signature;       /* signature of the call at work */
    mcl__signature first_signature; /* rank 0's, where calls differ */
};

/* ---- errors ------------------------------------------------------------------------------------------------ */

/* Notes a failure of this rank; the agreement that follows makes it every rank's. */
mcl_status mcl__refuse(mcl_mpi *mpi, mcl_status status, const char *format, ...);

/* Reports a failure without ranks, or of a rank that cannot talk to the others. */
mcl_status mcl__fail_alone(mcl_status status, const char *format, ...);

/* Agrees on a status, which every rank brings. All get MCL_OK, or the status of the lowest rank that failed, with its
 * sentence. Data may be exchanged in a call only after an agreement, and a rank may leave a call only with one. After a
 * failure that was agreed on, all further agreements of the call give it again. */
mcl_status mcl__agree(mcl_mpi *mpi, mcl_status status);

/* Begins to sign the call at work. All that ranks must agree on is added to the signature, then given to mcl__begin. */
mcl__signature *mcl__sign(mcl_mpi *mpi);
void mcl__sign_type(mcl__signature *signature, const char *name, const mcl_type *type); /* by content; NULL too */
void mcl__sign_op(mcl__signature *signature, const char *name, const mcl_op *op);       /* by content; NULL too */
void mcl__sign_number(mcl__signature *signature, const char *name, int64_t number);
void mcl__sign_real(mcl__signature *signature, const char *name, double number);
void mcl__sign_bytes(mcl__signature *signature, const char *name, const void *bytes, size_t count); /* NULL too */
void mcl__sign_list(mcl__signature *signature, const char *name, const void *elements, int64_t count, size_t size);

/* Signs a fold, and what it starts from. */
void mcl__sign_fold(mcl__signature *signature, const mcl_op *op, const mcl_type *element, const mcl_options *options);

/* Signs the type of an output or a result. Where a rank leaves it out, it counts as of type otherwise. */
void mcl__sign_given(mcl__signature *signature, const char *name, const mcl_type *given, const mcl_type *otherwise);

/* Signs the options that are the same on all ranks; the tile is the rank's own. */
void mcl__sign_options(mcl__signature *signature, const mcl_options *options);

/* Refuses the call where this rank's signature differs from that of rank 0, and says in what. */
mcl_status mcl__compare_signatures(mcl_mpi *mpi, const mcl__signature *mine, const mcl__signature *first);

/* Agrees on a status; where signature is not NULL, also that all ranks make the same call. */
mcl_status mcl__agree_on_call(mcl_mpi *mpi, mcl_status status, const mcl__signature *signature);

/* Makes the first agreement of a call: also that all ranks make the same call. */
mcl_status mcl__begin(mcl_mpi *mpi, const mcl__signature *signature, mcl_status status);

/* Opens every public function that takes ranks. Checks that messages can be sent, and forgets failures of earlier
 * calls. */
mcl_status mcl__enter(mcl_mpi *mpi, const char *name);
#define MCL__ENTER(mpi, name)                                                                                          \
    do {                                                                                                               \
        const mcl_status entered_status = mcl__enter((mpi), (name));                                                   \
        if (entered_status != MCL_OK) return entered_status;                                                           \
    } while (0)

/* Local work: nothing more is done once something has failed. */
#define MCL__THEN(status, call)                                                                                        \
    do {                                                                                                               \
        if ((status) == MCL_OK) (status) = (call);                                                                     \
    } while (0)

/* Leaves the call on all ranks where one has failed. */
#define MCL__AGREE(mpi, status)                                                                                        \
    do {                                                                                                               \
        const mcl_status agreed_status = mcl__agree((mpi), (status));                                                  \
        if (agreed_status != MCL_OK) return agreed_status;                                                             \
    } while (0)
#define MCL__BEGIN(mpi, signature, status)                                                                             \
    do {                                                                                                               \
        const mcl_status agreed_status = mcl__begin((mpi), (signature), (status));                                     \
        if (agreed_status != MCL_OK) return agreed_status;                                                             \
    } while (0)

/* ---- create ------------------------------------------------------------------------------------------------ */

/* Makes an mcl_mpi without ranks; NULL without memory. */
mcl_mpi *mcl__allocate(const char *function, int size);
void mcl__free(mcl_mpi *mpi);

/* Gives it its ranks, and takes the messages' state over; library: NULL where it is the caller's. Collective. Where the
 * ranks fail it is released, and out stays NULL. */
mcl_status mcl__open(mcl_mpi *mpi, const mcl_mpi_messages *messages, const mcl__library *library, mcl_queue *queue,
                     mcl_mpi_transport transport, mcl_mpi **out);

/* ---- phases ------------------------------------------------------------------------------------------------ */

/* Begins a call, and ends a phase. The time since the call's begin, or since the last end of a phase, belongs to that
 * phase. */
void mcl__phases_begin(mcl_mpi *mpi);
void mcl__phase_end(mcl_mpi *mpi, mcl_mpi_phase phase);

/* Ends a call with its status. The time since the last end of a phase is local work. */
mcl_status mcl__leave(mcl_mpi *mpi, mcl_status status);

/* ---- exchange ---------------------------------------------------------------------------------------------- */

/* Orders a queue's further work after what is on the other queue by now. */
mcl_status mcl__follow(mcl_queue *queue, mcl_queue *other);

/* Orders exchanges and the queue's work. After mcl__exchange_begin exchanges come after the queue's work so far. After
 * mcl__exchange_end the queue's further work comes after the exchanges so far. Neither waits. */
mcl_status mcl__exchange_begin(mcl_mpi *mpi);
mcl_status mcl__exchange_end(mcl_mpi *mpi);

/* ---- checks and small exchanges ---------------------------------------------------------------------------- */

/* Checks options that ranks take; the rest is refused. */
mcl_status mcl__check_options(mcl_mpi *mpi, const mcl_options *options);

/* Gives the input its count on the host, which it may take from the device. */
mcl_status mcl__settle_count(mcl_mpi *mpi, mcl_input *in);

/* Stores an input in a room and makes it a buffer range there; a buffer range stays as it is. The count must be
 * settled. */
mcl_status mcl__store_input(mcl_mpi *mpi, mcl__room room, mcl_input *in);

/* Fetches elements of a buffer range by their indices, which are on the host. They go to the start of out, one after
 * the other. The indices go through ROOM_NUMBERS. */
mcl_status mcl__fetch(mcl_mpi *mpi, const mcl_input *in, const int64_t *at, int64_t count, mcl_buffer *out);

/* Returns a number below limit by x's hash. Samples stand at such places: an order in which they tell nothing must be
 * made for it. */
int64_t mcl__hashed_below(uint64_t x, int64_t limit);

/* Checks an output that count elements of a type go to; it may be left out where count is 0. */
mcl_status mcl__check_output(mcl_mpi *mpi, mcl_output out, const mcl_type *type, int64_t count, const char *name);

/* Checks that the first count elements of out and an input lie apart. */
mcl_status mcl__check_apart(mcl_mpi *mpi, const mcl_input *in, mcl_output out, int64_t count);

/* Gives a room of at least bytes; where it must grow its content is gone. */
mcl_status mcl__room_of(mcl_mpi *mpi, mcl__room room, int64_t bytes, mcl_buffer **out);

/* Gathers bytes of each rank on every rank, in the order of ranks, by host memory. */
mcl_status mcl__gather_all(mcl_mpi *mpi, const void *mine, void *all, size_t bytes);

/* Gathers in the same way what belongs to a fold or to the edge of a rank, as a phase of exchange. */
mcl_status mcl__gather_edges(mcl_mpi *mpi, const void *mine, void *all, size_t bytes);

/* The counts of all ranks in all, which the caller frees, and the index of this rank's first element. Collective; it
 * begins with an agreement and ends without one. */
typedef struct mcl__whole {
    int64_t *counts;
    int64_t first, total;
} mcl__whole;
mcl_status mcl__count_whole(mcl_mpi *mpi, int64_t count, mcl__whole *out);

/* Returns the options of the core's calls on a rank's part: the user's options that ranks take, but for an initial
 * value. */
mcl_options mcl__own_options(const mcl_options *options);

/* Makes the sums over the ranks, in numbers' own array. */
mcl_status mcl__add_all(mcl_mpi *mpi, int64_t *numbers, int count);

/* Stores a number where a result says. */
mcl_status mcl__store_number(mcl_mpi *mpi, int64_t number, mcl_result result);

/* Stores this rank's count of something, and the count of all ranks together. Collective; ends without an agreement. */
mcl_status mcl__store_counts(mcl_mpi *mpi, int64_t kept, mcl_result count, mcl_result whole);

/* Makes a host array of count elements of bytes each, zeroed; without memory the call is refused. A count of 0 makes
 * one element. */
mcl_status mcl__array(mcl_mpi *mpi, int64_t count, size_t bytes, void *out);

#endif
