/* ranks.h: the parts that all calls of moderncl_mpi share: the mcl_mpi, agreements on errors, and buffers for exchanged
 * data. */
#ifndef MCL_MPI_RANKS_H
#define MCL_MPI_RANKS_H

#include "moderncl/moderncl.h"
#include "moderncl/ranks.h"

#include "transport.h"

/* A scratch buffer in device memory, which the mcl_mpi keeps. Calls use these buffers in turn. A name says what a call
 * keeps in the buffer. */
typedef enum mcl__room {
    ROOM_PART, /* this rank's part of a list, sorted or by bucket; other ranks may read it (mcl__part_room) */
    ROOM_PART_VALUES,
    ROOM_SECOND_PART,
    ROOM_SECOND_PART_VALUES,
    ROOM_SORTED, /* this rank's keys, sorted */
    ROOM_SORTED_VALUES,
    ROOM_CAME, /* elements received from all ranks */
    ROOM_CAME_VALUES,
    ROOM_MERGED, /* levels of the merge of received elements */
    ROOM_MERGED_VALUES,
    ROOM_SECOND, /* this rank's part of the second sequence, sorted, if a call has two */
    ROOM_SECOND_VALUES,
    ROOM_LEFT, /* elements of both sequences that this rank receives, in order */
    ROOM_LEFT_VALUES,
    ROOM_RIGHT,
    ROOM_RIGHT_VALUES,
    ROOM_JOINED, /* elements of a join's first sequence that this rank receives, merged */
    ROOM_JOINED_VALUES,
    ROOM_UNWANTED, /* keys that a call needs, but does not return to the caller */
    ROOM_SAMPLES,  /* keys among which splitters are sought */
    ROOM_NUMBERS,  /* indices of samples, and the numbers of elements before them */
    ROOM_PARTIALS, /* one fold of each rank */
    ROOM_FOUND,    /* keys that every rank receives */
    ROOM_SMALL,    /* a few values of one call */
    ROOM_COUNT
} mcl__room;

/* The user's wish (MCL_MPI_PEERS): ranks read each other's memory if that is known to be faster, never, or whenever the
 * devices can. */
typedef enum mcl__peers_wish { PEERS_AUTO, PEERS_NEVER, PEERS_ALWAYS } mcl__peers_wish;

/* The user's wish (MCL_MPI_SORT): sorts choose a method by the size, always merge, or always scatter. */
typedef enum mcl__sort_wish { SORT_AUTO, SORT_MERGES, SORT_SCATTERS } mcl__sort_wish;

enum { SENTENCE_BYTES = 4096, NAME_BYTES = 256, PIECES_MOST = 16 };

/* An item on which the ranks must agree in a call. The items lie in the mcl_mpi, since threads may have small
 * stacks. */
enum { SIGNED_MOST = 96, SIGNED_NAME_BYTES = 40, SIGNED_TEXT_BYTES = 88 };
typedef struct mcl__signed_item {
    uint64_t hash; /* hash of the whole item */
    char name[SIGNED_NAME_BYTES];
    char text[SIGNED_TEXT_BYTES]; /* text of the item for error sentences, which may be shortened */
} mcl__signed_item;
typedef struct mcl__signature {
    uint64_t hash; /* hash of all items */
    int count;
    mcl__signed_item items[SIGNED_MOST];
} mcl__signature;

/* The library that sends the messages, such as MPI. */
typedef struct mcl__library {
    mcl_status (*check)(const char *function); /* fails if no message can be sent; function: name for the sentence */
    int (*is_over)(void);                      /* returns 1 if the library has ended; no message can be sent then */
    void (*close)(void *state, int is_lost);
} mcl__library;

struct mcl_mpi {
    mcl_mpi_messages messages;   /* functions for messages in host memory */
    mcl_mpi_messages carriers;   /* functions for operands, from device to device; all zero: operands use the host */
    const mcl__library *library; /* NULL: messages are the caller's own functions */
    int64_t *gathered;           /* space for numbers of all ranks: mcl__gathered_bytes bytes */
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
    char peers_reason[112]; /* text that follows transport_reason; "" unless the transport is NCCL */
    mcl__sort_wish sort_wanted;
    int pieces; /* number of pieces in which a sort sends a share; 0: chosen by the size */
    int64_t bytes_sent;
    mcl_buffer *rooms[ROOM_COUNT];
    int times_phases;
    double phase_start;
    double milliseconds[MCL_MPI_PHASES];
    int64_t maps_made;
    int lost;                       /* 1 if a message has failed, so that ranks cannot communicate any more */
    mcl_status agreed;              /* failure of this call on which all ranks have agreed; MCL_OK: none */
    const char *function;           /* name of the current public function */
    char sentence[SENTENCE_BYTES];  /* sentence of this rank's failure in this call; "": mcl_last_error has it */
    mcl__signature signature;       /* signature of the current call */
    mcl__signature first_signature; /* signature of rank 0, received if calls differ */
};

/* ---- errors ------------------------------------------------------------------------------------------------ */

/* Stores the sentence of this rank's failure, and returns status. The next agreement passes the failure to all
 * ranks. */
mcl_status mcl__refuse(mcl_mpi *mpi, mcl_status status, const char *format, ...);

/* Reports a failure without an mcl_mpi, or a failure that this rank cannot send to the others. */
mcl_status mcl__fail_alone(mcl_status status, const char *format, ...);

/* Agrees on the ranks' statuses. All ranks get MCL_OK, or the status and the sentence of the lowest rank that failed. A
 * call may exchange data only after an agreement, and each rank must end the call with one. After a failure, all
 * further agreements of the call return this failure again. */
mcl_status mcl__agree(mcl_mpi *mpi, mcl_status status);

/* Begins the signature of the current call. The caller adds everything on which ranks must agree, and passes it to
 * mcl__begin. */
mcl__signature *mcl__sign(mcl_mpi *mpi);
void mcl__sign_type(mcl__signature *signature, const char *name, const mcl_type *type); /* signs the content, or NULL */
void mcl__sign_op(mcl__signature *signature, const char *name, const mcl_op *op);       /* signs the content, or NULL */
void mcl__sign_number(mcl__signature *signature, const char *name, int64_t number);
void mcl__sign_real(mcl__signature *signature, const char *name, double number);
void mcl__sign_bytes(mcl__signature *signature, const char *name, const void *bytes, size_t count); /* or NULL */
void mcl__sign_list(mcl__signature *signature, const char *name, const void *elements, int64_t count, size_t size);

/* Signs a fold and its initial value. */
void mcl__sign_fold(mcl__signature *signature, const mcl_op *op, const mcl_type *element, const mcl_options *options);

/* Signs the type of an output or a result. If a rank leaves it out, otherwise is signed instead. */
void mcl__sign_given(mcl__signature *signature, const char *name, const mcl_type *given, const mcl_type *otherwise);

/* Signs the options that must be the same on all ranks. The tile is not signed, since each rank has its own. */
void mcl__sign_options(mcl__signature *signature, const mcl_options *options);

/* Refuses the call if this rank's signature differs from rank 0's. The sentence names the first item that differs. */
mcl_status mcl__compare_signatures(mcl_mpi *mpi, const mcl__signature *mine, const mcl__signature *first);

/* Agrees on a status. If signature is not NULL, also checks that all ranks make the same call. */
mcl_status mcl__agree_on_call(mcl_mpi *mpi, mcl_status status, const mcl__signature *signature);

/* Makes the first agreement of a call. It also checks that all ranks make the same call. */
mcl_status mcl__begin(mcl_mpi *mpi, const mcl__signature *signature, mcl_status status);

/* Begins a public function that takes an mcl_mpi. Checks that messages can be sent, and forgets the failure of the call
 * before. */
mcl_status mcl__enter(mcl_mpi *mpi, const char *name);
#define MCL__ENTER(mpi, name)                                                                                          \
    do {                                                                                                               \
        const mcl_status entered_status = mcl__enter((mpi), (name));                                                   \
        if (entered_status != MCL_OK) return entered_status;                                                           \
    } while (0)

/* Does a step of local work, unless an earlier step has failed. */
#define MCL__THEN(status, call)                                                                                        \
    do {                                                                                                               \
        if ((status) == MCL_OK) (status) = (call);                                                                     \
    } while (0)

/* Agrees on a status, and leaves the function on all ranks if one rank has failed. */
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

/* Allocates an mcl_mpi for size ranks. Returns NULL if there is no memory. */
mcl_mpi *mcl__allocate(const char *function, int size);
void mcl__free(mcl_mpi *mpi);

/* Connects the ranks, and takes over the state of messages. library is NULL if the functions are the caller's.
 * Collective. After a failure mpi is released, and out stays NULL. */
mcl_status mcl__open(mcl_mpi *mpi, const mcl_mpi_messages *messages, const mcl__library *library, mcl_queue *queue,
                     mcl_mpi_transport transport, mcl_mpi **out);

/* ---- phases ------------------------------------------------------------------------------------------------ */

/* Begin a call, and end a phase. The time since the call's begin, or since the last end of a phase, is added to that
 * phase. */
void mcl__phases_begin(mcl_mpi *mpi);
void mcl__phase_end(mcl_mpi *mpi, mcl_mpi_phase phase);

/* Ends a call with its status. The time since the last end of a phase counts as local work. */
mcl_status mcl__leave(mcl_mpi *mpi, mcl_status status);

/* ---- exchange ---------------------------------------------------------------------------------------------- */

/* Makes later work of queue wait for all work that other has now. */
mcl_status mcl__follow(mcl_queue *queue, mcl_queue *other);

/* Order exchanges and the queue's work, without waiting on the host. After mcl__exchange_begin, exchanges follow the
 * queue's work so far. After mcl__exchange_end, later work of the queue follows the exchanges so far. */
mcl_status mcl__exchange_begin(mcl_mpi *mpi);
mcl_status mcl__exchange_end(mcl_mpi *mpi);

/* ---- checks and small exchanges ---------------------------------------------------------------------------- */

/* Checks the options that calls on ranks take, and refuses other options. */
mcl_status mcl__check_options(mcl_mpi *mpi, const mcl_options *options);

/* Replaces a count on the device by its value on the host. */
mcl_status mcl__settle_count(mcl_mpi *mpi, mcl_input *in);

/* Stores an input that is an expression in a scratch buffer, and makes it a range of this buffer. An input that is a
 * buffer range is only checked. The count must be on the host. */
mcl_status mcl__store_input(mcl_mpi *mpi, mcl__room room, mcl_input *in);

/* Copies elements of a buffer range to the start of out, one after the other. at has their indices, on the host. The
 * indices go through ROOM_NUMBERS. */
mcl_status mcl__fetch(mcl_mpi *mpi, const mcl_input *in, const int64_t *at, int64_t count, mcl_buffer *out);

/* Returns a number in [0, limit) by a hash of x. Samples are taken at such indices, so that a regular order of keys
 * does not make them misleading. */
int64_t mcl__hashed_below(uint64_t x, int64_t limit);

/* Checks an output for count elements of a type. It may be left out if count is 0. */
mcl_status mcl__check_output(mcl_mpi *mpi, mcl_output out, const mcl_type *type, int64_t count, const char *name);

/* Refuses out if its first count elements overlap the input. */
mcl_status mcl__check_apart(mcl_mpi *mpi, const mcl_input *in, mcl_output out, int64_t count);

/* Gives a scratch buffer of at least bytes bytes. If it must grow, its content is lost. */
mcl_status mcl__room_of(mcl_mpi *mpi, mcl__room room, int64_t bytes, mcl_buffer **out);

/* Gathers bytes of each rank on every rank, in the order of ranks, through host memory. */
mcl_status mcl__gather_all(mcl_mpi *mpi, const void *mine, void *all, size_t bytes);

/* Gathers partials, or elements at the edges of ranks, as mcl__gather_all does. The time counts as exchange. */
mcl_status mcl__gather_edges(mcl_mpi *mpi, const void *mine, void *all, size_t bytes);

/* Gathers the counts of all ranks, which the caller frees, and gives the index of this rank's first element.
 * Collective: it agrees before the exchange, and the caller must call mcl__agree after it. */
typedef struct mcl__whole {
    int64_t *counts;
    int64_t first, total;
} mcl__whole;
mcl_status mcl__count_whole(mcl_mpi *mpi, int64_t count, mcl__whole *out);

/* Returns the options for the core's calls on a rank's part: the user's options without initial and MCL_UNORDERED. */
mcl_options mcl__own_options(const mcl_options *options);

/* Replaces each number by its sum over all ranks. */
mcl_status mcl__add_all(mcl_mpi *mpi, int64_t *numbers, int count);

/* Stores a number in a result. */
mcl_status mcl__store_number(mcl_mpi *mpi, int64_t number, mcl_result result);

/* Stores this rank's count, and the sum of the counts of all ranks. Collective; the caller must call mcl__agree after
 * it. */
mcl_status mcl__store_counts(mcl_mpi *mpi, int64_t kept, mcl_result count, mcl_result whole);

/* Makes a zeroed host array of count elements, each of bytes bytes, or of one element if count is 0. Without memory the
 * call is refused. */
mcl_status mcl__array(mcl_mpi *mpi, int64_t count, size_t bytes, void *out);

#endif
