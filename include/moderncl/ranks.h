/* ranks.h: the library's operations on data that lie on several devices. The ranks talk by MPI (mpi.h), or by functions
 * of the caller's own (mcl_mpi_create_with). The functions are in the companion libraries moderncl_mpi and
 * moderncl_ranks; the latter has all but mcl_mpi_create, and needs no MPI.
 *
 * A rank is a process or a thread with one queue. The queues may be of any mix of backends. Several ranks may share a
 * device. A sequence that lies on all ranks is the ranks' local operands, one after the other in the order of ranks. A
 * rank may have no elements of the sequence. Results, their order and their stability are as in the core's call on this
 * sequence; for folds of floats see "The same bits".
 *
 * All functions that take an mcl_mpi are collective: every rank calls them, in the same order. Operands, counts and
 * shares are each rank's own. Everything in this list is the same on all ranks. Else the call is MCL_ERROR_PRECONDITION
 * on all ranks, with a sentence that names what differs, and nothing is enqueued:
 *
 *   the function, and the map that it is called on
 *   types of inputs: name, size, alignment, text and members. So are types of outputs and results where the type of a
 *     result is the caller's choice. An output or result that is left out counts as of the accumulator's type
 *   operators: role, each text, accumulator, type of the result, commutative; and of bindings the names, types and
 *     values. Values are compared byte by byte, padding of structs too
 *   options: flags, sort_method and initial
 *   the number of aggregates
 *   kinds, k, nth, indices and fractions; the kind of segments and the length of rows
 *   numbers of bins and levels, low, high and whether weights are given
 *   types and sentinels of a map, missing, and which outputs a search fills
 *
 * The content of buffers is not compared: callers must keep arrays that operators read, and levels of bins, the same.
 * Calls of mcl_mpi_release and of other libraries are not compared either.
 *
 * The following holds for all functions.
 *
 * Indices: i in an operator is the index in the whole sequence. i in an input's expression is the index in the rank's
 *   own input.
 * Counts: an input may take its count from the device. The call waits for it.
 * Options: flags, initial, sort_method and the tile are as in the core. Other options are MCL_ERROR_ARGUMENT. Each rank
 *   has its own tile.
 * The same bits: with MCL_DETERMINISTIC or MCL_REPRODUCIBLE, folds of floats have the same bits on every run with the
 *   same counts and number of ranks. With MCL_REPRODUCIBLE all devices give the same bits too. Only three cases have
 *   the bits of the core's call on the whole. These are mcl_mpi_reduce, segments by offsets or begins that lie on one
 *   rank, and folds where no sum is rounded.
 * Folds: the accumulator is that of mcl_op_accumulator for what any rank asks for, so that all ranks fold in one type.
 * Waiting: a call waits for the device whenever ranks exchange something. Its last work may still run when it returns,
 *   in the order of the queue.
 * Memory: device memory for exchanged data belongs to the mcl_mpi. This memory grows as calls need it, and is kept.
 * Errors: where a rank fails, each rank's call fails with the same status. mcl_mpi_last_error() then has the sentence
 *   of the rank that failed, or of the lowest one where several did. Outputs are undefined after a failure. The next
 *   call works if its arguments do. Where messages fail, the call and all later ones are MCL_ERROR_DEVICE on this
 *   rank, and other ranks may wait for it. For errors of MPI see mpi.h.
 * Threads: calls on one mcl_mpi are made by one thread at a time. Ranks may be threads of one process. Each has its own
 *   mcl_mpi and queue then; their queues may be of one context. */
#ifndef MODERNCL_RANKS_H
#define MODERNCL_RANKS_H

#include "by_key.h"
#include "group_by.h"
#include "histogram.h"
#include "join.h"
#include "map.h"
#include "merge.h"
#include "multisplit.h"
#include "partition.h"
#include "reduce.h"
#include "scan.h"
#include "segmented.h"
#include "sets.h"
#include "sort.h"
#include "top_k.h"

#if defined(__GNUC__)
#define MCL_MPI_API __attribute__((visibility("default")))
#else
#define MCL_MPI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- ranks ---------------------------------------------------------------------------------------------- */

typedef struct mcl_mpi mcl_mpi;

/* The transport: how operands travel between the ranks. */
typedef enum mcl_mpi_transport {
    MCL_MPI_AUTO = 0, /* NCCL where every rank has a CUDA device of its own and the library is found, else the host */
    MCL_MPI_HOST = 1, /* through host memory, in messages of 4 MiB, by MPI or by the caller's functions */
    MCL_MPI_NCCL = 2, /* NCCL, from device to device; libnccl.so.2 is opened at run time */
    MCL_MPI_OWN = 3   /* the caller's functions, from device to device; only mcl_mpi_get_info gives this value */
} mcl_mpi_transport;

/* The memory of a message: on the host, or a range of a buffer. */
typedef struct mcl_mpi_memory {
    void *host;         /* first byte of the message; NULL: the message lies in buffer */
    mcl_buffer *buffer; /* NULL where host is given */
    size_t offset;      /* bytes from the buffer's start on */
    size_t bytes;       /* 1 at least; in host memory 4 MiB at most */
} mcl_mpi_memory;

/* Functions of the caller's own, by which a rank talks to other ranks. They replace MPI, and NCCL too where queue is
 * given. state is the first argument of each. Each returns NULL, or a sentence on what failed, which stays valid until
 * the next function is called. docs/mpi.md has an example.
 *
 * send, receive  post a message to a rank or from it, and do not wait for it. A rank never posts one to itself
 * group          completes all messages posted since the last group. Then received messages are in their memory, and
 *                memory of sent messages may change. With nothing posted group does nothing. After a failed post
 *                group is called too: it then lets go of all messages, and need not complete them
 * all_gather     stores bytes of each rank in all on every rank, in the order of ranks. mine is not part of all
 * barrier        returns when all ranks have called it
 *
 * Order: messages from one rank to another arrive in the order in which they were sent. A message has as many bytes as
 *   its receive asks for. A group may hold messages from and to any ranks, also several for one rank. Other ranks
 *   may be some groups ahead of this rank, or late. So a send may wait for its receive in group, not when it is posted.
 *   all_gather and barrier are called with nothing posted, by all ranks in the same order.
 * Memory: it belongs to the library. Functions use it from the post to the end of group, or during their call.
 * Device memory: where queue is NULL, all messages lie in host memory. Else operands lie in buffers of the queue's
 *   context, and all other messages in host memory. No group has both. Memory of buffers is read and written after what
 *   was enqueued in queue before the post, and before what is enqueued in queue after group. So group may return before
 *   the device has done this work.
 * Threads: the library calls them in the thread of the caller's call, one at a time for one mcl_mpi.
 * Waiting: with more ranks than processors a function that waits should give the processor to others. */
typedef struct mcl_mpi_messages {
    void *state; /* data of the caller's, which must live until mcl_mpi_release returns */
    int rank;
    int rank_count;
    mcl_queue *queue; /* NULL: in host memory alone */
    const char *(*send)(void *state, int rank, mcl_mpi_memory from);
    const char *(*receive)(void *state, int rank, mcl_mpi_memory to);
    const char *(*group)(void *state);
    const char *(*all_gather)(void *state, const void *mine, void *all, size_t bytes);
    const char *(*barrier)(void *state);
} mcl_mpi_messages;

/* Makes ranks work together that talk by functions of the caller's own. The call is collective over these ranks.
 *
 * messages   the functions, copied. queue in it is given on all ranks or on none. That queue is retained, and the
 *            caller may not use it otherwise
 * queue      this rank's queue; it is retained. No other thread may use it during a call
 * transport  how operands travel, the same on all ranks. Where messages->queue is given it is MCL_MPI_AUTO, and the
 *            functions move operands from device to device. Else it is as in mcl_mpi_create (mpi.h), with these
 *            functions in place of MPI's: MCL_MPI_AUTO takes NCCL where every rank can use it
 * The variables of the environment are those of mcl_mpi_create. MCL_MPI_TRANSPORT does nothing where messages->queue is
 * given.
 * Errors: MCL_ERROR_ARGUMENT (messages, one of its functions, queue or out is NULL, its rank is not in [0, rank_count),
 * transport is unknown or not MCL_MPI_AUTO beside messages->queue, a variable of the environment is wrong).
 * MCL_ERROR_PRECONDITION (transport differs). MCL_ERROR_UNSUPPORTED (NCCL is asked for and cannot be used).
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. Other ranks are not told of a failure in messages, out or host memory. */
MCL_MPI_API mcl_status mcl_mpi_create_with(const mcl_mpi_messages *messages, mcl_queue *queue,
                                           mcl_mpi_transport transport, mcl_mpi **out);

/* Releases an mcl_mpi. The call is collective, and of the caller's functions it calls barrier alone. NULL does nothing.
 * After MPI_Finalize the call does not touch MPI. */
MCL_MPI_API void mcl_mpi_release(mcl_mpi *mpi);

/* Phases of a call. mcl_mpi_time_phases makes calls measure their times. */
typedef enum mcl_mpi_phase {
    MCL_MPI_LOCAL = 0, /* the core's calls on the rank's own part */
    MCL_MPI_SPLITTERS, /* the search for splitters */
    MCL_MPI_EXCHANGE,  /* the transport of operands; 0 where ranks read each other's memory */
    MCL_MPI_MERGE,     /* the merge of operands that have come, or that are read in other ranks' memory */
    MCL_MPI_PHASES
} mcl_mpi_phase;

/* Times the phases of calls from now on, where on is nonzero. A call then waits for the device between its phases, and
 * mcl_mpi_get_info tells the time of each phase of the last call. The function is not collective, but on is the same on
 * all ranks. */
MCL_MPI_API mcl_status mcl_mpi_time_phases(mcl_mpi *mpi, int on);

typedef struct mcl_mpi_info {
    int rank;
    int rank_count;
    mcl_mpi_transport transport;         /* transport that is used */
    char transport_reason[160];          /* reason for it: "asked for", "ranks 0 and 1 share a device" ... */
    int64_t bytes_sent;                  /* bytes to other ranks, or read by them; operands alone */
    int64_t device_bytes;                /* memory kept for what is exchanged */
    double milliseconds[MCL_MPI_PHASES]; /* times of the last call, by mcl_mpi_phase, where phases are timed */
} mcl_mpi_info;
MCL_MPI_API mcl_status mcl_mpi_get_info(mcl_mpi *mpi, mcl_mpi_info *info); /* not collective */

/* Returns this thread's last failure of a function of this header in one sentence, which names the function and the
 * rank. */
MCL_MPI_API const char *mcl_mpi_last_error(void);

/* ---- shares --------------------------------------------------------------------------------------------- */

/* Where a call moves elements between ranks, each rank says how many elements of the result it wants. The shares must
 * add up to the number of elements, else all ranks get MCL_ERROR_ARGUMENT. A rank's share goes to the start of its
 * output. */
#define MCL_MPI_EVEN (-1) /* on all ranks: equal shares; a rest goes to the lowest ranks, one element each */
#define MCL_MPI_SAME (-2) /* on all ranks: as many elements as the rank has in its input */

/* Moves elements so that each rank has its share of them, in their order.
 *
 * in     any input
 * share  0 or more, MCL_MPI_EVEN or MCL_MPI_SAME
 * out    of in's type, at least the share; may not overlap what is read
 * count  the number of elements that this rank gets: MCL_INT32, MCL_UINT32 or MCL_INT64, host, slot, both or nowhere
 * Cost: an element that changes its rank travels once. */
MCL_MPI_API mcl_status mcl_mpi_redistribute(mcl_mpi *mpi, mcl_input in, int64_t share, mcl_output out, mcl_result count,
                                            const mcl_options *options);

/* Does the same as mcl_multisplit with the whole sequence and a bucket for each rank. Each element goes to the rank
 * that an expression names. A rank's elements keep the order that they have in the whole.
 *
 * bucket  an operator of role MCL_ROLE_INDEX: an expression in x, the element, and i, its index in the whole. A number
 *         below 0, or from the number of ranks on, means the last rank, as in mcl_multisplit
 * out     of in's type; may not overlap what is read
 * count   the number of elements that this rank gets: MCL_INT32, MCL_UINT32 or MCL_INT64, host, slot, both or nowhere
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all. An output may be left out: elements
 * are counted then. With more than 256 ranks the call is MCL_ERROR_UNSUPPORTED.
 * Cost: a stable split of each rank's part; an element that changes its rank travels once; a copy of the elements that
 * came. */
MCL_MPI_API mcl_status mcl_mpi_multisplit(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *bucket,
                                          mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_multisplit with keys that take their values with them. The expression sees the key. */
MCL_MPI_API mcl_status mcl_mpi_multisplit_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out_keys,
                                                mcl_output out_values, const mcl_op *bucket, mcl_result count,
                                                const mcl_options *options);

/* ---- folds ---------------------------------------------------------------------------------------------- */

/* Folds the whole sequence as mcl_reduce does; every rank gets the result. The ranks' results are folded in the order
 * of ranks, so operators need not commute. Cost: a reduction of each rank's part, then one value a rank travels.
 * With MCL_DETERMINISTIC or MCL_REPRODUCIBLE floats have the bits of the core's call on the whole, for any number of
 * ranks and any counts. Cost then: mcl_segmented_reduce of each rank's part, cut into up to two blocks of each power of
 * two. A value a block travels. Each level of the tree is a launch on every rank.
 * op may have MCL_BINDINGS_MAX - 2 bindings, as in all calls here with a fold. */
MCL_MPI_API mcl_status mcl_mpi_reduce(mcl_mpi *mpi, mcl_input in, const mcl_op *op, mcl_result result,
                                      const mcl_options *options);

/* Scans the whole sequence as mcl_scan does: each rank's output has the prefixes of its own elements. The kinds
 * WITH_TOTAL store the total after the last element of the last rank. total: every rank gets it. Cost: a reduction and
 * a scan of each rank's part; one value a rank travels. */
MCL_MPI_API mcl_status mcl_mpi_scan(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                                    mcl_result total, const mcl_options *options);

/* ---- sorts ---------------------------------------------------------------------------------------------- */

/* Sorts the whole sequence as mcl_sort does. Stable over ranks: equal keys keep the order of ranks, and in a rank the
 * order of their indices.
 *
 * keys    any input
 * share   the number of sorted keys that this rank gets, exactly, however the keys are distributed
 * out     of the keys' type, at least the share; may be exactly the range that keys are
 * before  as in mcl_sort. With an order that contradicts itself the call ends, every rank gets its share of keys, and
 *         nothing else is written.
 * count   the number of keys that this rank has got
 * Cost: a sort of each rank's part. Exact splitters, in a few rounds that look at some hundred keys of each rank. A key
 *   that changes its rank travels once. Then a merge of the keys that came, with a pass for every doubling of the
 *   number of ranks. Device memory: three arrays of the larger of the rank's keys and its share, two with two ranks.
 * D. Cheng, V. Shah, J. Gilbert, A. Edelman, "A novel parallel sorting algorithm for contemporary architectures"
 * (2007): exact splitters. */
MCL_MPI_API mcl_status mcl_mpi_sort(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out, const mcl_op *before,
                                    mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_sort with keys that take their values with them, as in mcl_sort_pairs. Either output may be
 * exactly the range of its input. */
MCL_MPI_API mcl_status mcl_mpi_sort_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, int64_t share,
                                          mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                          mcl_result count, const mcl_options *options);

/* Gives the indices in the whole sequence of the keys in order; each rank gets its share of them. out is MCL_INT64. */
MCL_MPI_API mcl_status mcl_mpi_sort_indices(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out,
                                            const mcl_op *before, mcl_result count, const mcl_options *options);

/* ---- merges --------------------------------------------------------------------------------------------- */

/* Merges two whole sequences as mcl_merge does, each in order over all ranks. Each rank gets its share of the merge, as
 * in mcl_mpi_sort. MCL_MPI_SAME: as many keys as the rank has in both inputs. Inputs that are not sorted give
 * unspecified keys.
 * out may overlap anything. Cost: splitters as in mcl_mpi_sort; a key that changes its rank travels once; one merge. */
MCL_MPI_API mcl_status mcl_mpi_merge(mcl_mpi *mpi, mcl_input a, mcl_input b, int64_t share, mcl_output out,
                                     const mcl_op *before, mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_merge with keys that take their values with them, as in mcl_merge_pairs. */
MCL_MPI_API mcl_status mcl_mpi_merge_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                           mcl_input b_values, int64_t share, mcl_output out_keys,
                                           mcl_output out_values, const mcl_op *before, mcl_result count,
                                           const mcl_options *options);

/* ---- sets and joins ------------------------------------------------------------------------------------- */

/* Do the multiset operations of sets.h on two whole sequences, each in order over all ranks. The results of all ranks,
 * one after the other, are the core's results on the whole. Equal keys are always worked on by one rank. Where copies
 * of a key are more than a rank's share, that rank gets more, and may run out of memory. In all other cases keys are
 * spread evenly.
 *
 * count  the number of results of this rank
 * whole  the number of results of all ranks together
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all. out may overlap anything.
 * Cost: splitters as in mcl_mpi_sort; a key that changes its rank travels once; then the core's call. */
MCL_MPI_API mcl_status mcl_mpi_set_intersection(mcl_mpi *mpi, mcl_input a, mcl_input b, mcl_output out,
                                                const mcl_op *before, mcl_result count, mcl_result whole,
                                                const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_set_union(mcl_mpi *mpi, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                         mcl_result count, mcl_result whole, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_set_difference(mcl_mpi *mpi, mcl_input a, mcl_input b, mcl_output out,
                                              const mcl_op *before, mcl_result count, mcl_result whole,
                                              const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_set_symmetric_difference(mcl_mpi *mpi, mcl_input a, mcl_input b, mcl_output out,
                                                        const mcl_op *before, mcl_result count, mcl_result whole,
                                                        const mcl_options *options);

/* Do the multiset operations on keys that take their values with them, as the functions of sets.h for pairs. An
 * intersection and a difference do not look at the values of b, which do not travel then. */
MCL_MPI_API mcl_status mcl_mpi_set_intersection_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values,
                                                      mcl_input b_keys, mcl_input b_values, mcl_output out_keys,
                                                      mcl_output out_values, const mcl_op *before, mcl_result count,
                                                      mcl_result whole, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_set_union_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                               mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                               const mcl_op *before, mcl_result count, mcl_result whole,
                                               const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_set_difference_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values,
                                                    mcl_input b_keys, mcl_input b_values, mcl_output out_keys,
                                                    mcl_output out_values, const mcl_op *before, mcl_result count,
                                                    mcl_result whole, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_set_symmetric_difference_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values,
                                                              mcl_input b_keys, mcl_input b_values, mcl_output out_keys,
                                                              mcl_output out_values, const mcl_op *before,
                                                              mcl_result count, mcl_result whole,
                                                              const mcl_options *options);

/* Joins two whole sequences in any order as mcl_join_unsorted does. Rows have the indices of keys in the whole a and b,
 * or -1. All rows of a key are on one rank, and keys of lower ranks come first. Rows of keys of b without a partner
 * (MCL_JOIN_RIGHT, MCL_JOIN_OUTER) come last on each rank. Except for this, the rows of all ranks, one after the other,
 * are the core's rows on the whole.
 *
 * out_a, out_b  of MCL_INT64; either may be left out
 * count, whole, and a key with more copies than a rank's share: as in the multiset operations
 *
 * With MCL_UNORDERED in options, on all ranks, rows come in any order and on any rank: the ranks together have the
 * core's rows, each once. MCL_UNORDERED has no effect where keys are no integers, before is not MCL_LESS or
 * MCL_GREATER, or there are more than 255 ranks: rows are then in order. Else equal keys go to the rank that their hash
 * names, and are not sorted before.
 *
 *   A sequence is small where a copy for each rank has, in all, at most half the keys of the other sequence. All ranks
 *   get a small sequence, and the other one stays where it is. Where a rank would then have more than one and a half
 *   shares of both, no sequence counts as small. Either sequence may be small in MCL_JOIN_INNER, only a in
 *   MCL_JOIN_RIGHT, neither in MCL_JOIN_OUTER, only b in the other joins.
 *   A key is hot where its copies are more than 1/32 of a share, as samples say. Its copies in one sequence go to any
 *   ranks, evenly, and its copies in the other sequence go to all ranks. Where a hot key has no partner, its copies go
 *   to any ranks. So a rank gets about a share of both sequences, and the copies that go to all ranks. In
 *   MCL_JOIN_INNER the copies in the sequence with fewer of them go to all. In MCL_JOIN_SEMI and MCL_JOIN_ANTI each
 *   rank sends one copy of a hot key of b to all. All copies of a hot key go to one rank in MCL_JOIN_OUTER, in
 *   MCL_JOIN_LEFT where b has more copies, and in MCL_JOIN_RIGHT where a has more. That rank makes at least as many
 *   rows of them.
 *
 * Cost: a sort of each rank's part of both, and splitters. A key and its index that change their rank travel once. Then
 *   a merge of the keys that came, and the core's join. With MCL_UNORDERED: 512 samples of a rank, and mcl_multisplit
 *   of each part. Keys and indices travel as above, but no index of b in MCL_JOIN_SEMI and MCL_JOIN_ANTI, and no index
 *   of a small sequence. Then mcl_join_columns. mcl_histogram also counts hot keys. */
MCL_MPI_API mcl_status mcl_mpi_join_unsorted(mcl_mpi *mpi, mcl_join_kind kind, mcl_input a, mcl_input b,
                                             mcl_output out_a, mcl_output out_b, const mcl_op *before, mcl_result count,
                                             mcl_result whole, const mcl_options *options);

/* ---- selection ------------------------------------------------------------------------------------------ */

/* Selects from the whole sequence as mcl_top_k does. Every rank gets all of the result, in order, also with
 * MCL_UNORDERED.
 *
 * k      the same on all ranks
 * out    of the keys' type, at least the lower one of k and the elements there are; may overlap nothing that is read
 * count  the number of chosen keys
 * Cost: mcl_top_k of each rank's part. Where the ranks choose more than 8192 keys together, splitters tell which of
 *   these keys are chosen from the whole. Then the chosen keys go to all ranks, and mcl_top_k puts them in order. Where
 *   k is a large part of the keys, mcl_mpi_sort moves less. */
MCL_MPI_API mcl_status mcl_mpi_top_k(mcl_mpi *mpi, mcl_input keys, int64_t k, mcl_output out, const mcl_op *before,
                                     mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_top_k with keys that take their values with them. */
MCL_MPI_API mcl_status mcl_mpi_top_k_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, int64_t k,
                                           mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                           mcl_result count, const mcl_options *options);

/* Gives the indices in the whole sequence of the keys that mcl_mpi_top_k chooses. out is MCL_INT64. */
MCL_MPI_API mcl_status mcl_mpi_top_k_indices(mcl_mpi *mpi, mcl_input keys, int64_t k, mcl_output out,
                                             const mcl_op *before, mcl_result count, const mcl_options *options);

/* Finds the key that sorting the whole would put at index nth, which is the same on all ranks; every rank gets it.
 * Cost: rounds of counting. In a round all ranks give 8192 keys together, and each rank at least 64. Keys near the
 *   wanted key become splitters, and each rank reads its remaining keys twice. At most 8192 keys are left at the end,
 *   which go to all ranks. Two or three rounds are usual. What a rank sends grows only with the number of rounds.
 *   Memory: a byte for each key, and the keys that are left after the first round. Where a round leaves more than three
 *   quarters of the keys, each rank sorts what is left, and looks for splitters. */
MCL_MPI_API mcl_status mcl_mpi_nth_element(mcl_mpi *mpi, mcl_input keys, int64_t nth, mcl_result result,
                                           const mcl_op *before, const mcl_options *options);

/* Selects keys of the whole sequence as mcl_nth_elements does: out[j] is the key that sorting it would put at
 * indices[j]. Every rank gets all of these keys.
 *
 * indices  as the core's ranks: any input of MCL_INT32, MCL_UINT32 or MCL_INT64, in any order, repeats allowed. A
 *          negative index counts as 0, an index that no key has as the last one. The same on all ranks, else
 *          MCL_ERROR_PRECONDITION
 * out      of the keys' type, as many elements as indices; may overlap nothing that is read. Without keys on any rank
 *          it keeps its content
 * Cost: indices go to the host. Up to 32 different indices are sought by counting as in mcl_mpi_nth_element. Up to 1024
 *   take a sort of each rank's part, and for each 64 of them a search for two splitters per index, of some 300 KB a
 *   rank. For more indices the whole is sorted as by mcl_mpi_sort. Then each key travels from one rank to all. */
MCL_MPI_API mcl_status mcl_mpi_nth_elements(mcl_mpi *mpi, mcl_input keys, mcl_input indices, mcl_output out,
                                            const mcl_op *before, const mcl_options *options);

/* Selects quantiles of the whole sequence as mcl_quantiles does. Every rank gets all quantiles.
 *
 * fractions  any input of MCL_FLOAT or MCL_DOUBLE, the same on all ranks, else MCL_ERROR_PRECONDITION
 * out        as many elements as fractions; its type and interpolation as in mcl_quantiles
 * Cost: that of mcl_mpi_nth_elements with one index for each fraction, or two where it interpolates between keys. */
MCL_MPI_API mcl_status mcl_mpi_quantiles(mcl_mpi *mpi, mcl_input keys, mcl_input fractions, mcl_output out,
                                         const mcl_op *before, mcl_interpolation interpolation,
                                         const mcl_options *options);

/* ---- runs and tests ------------------------------------------------------------------------------------- */

/* Compacts the whole sequence as mcl_compact does: kept elements stay on their rank. Call mcl_mpi_redistribute
 * afterwards where ranks are to have even parts of the result.
 *
 * count  the number of elements that this rank keeps
 * whole  the number of elements that all ranks keep together
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all. In place as in mcl_compact. */
MCL_MPI_API mcl_status mcl_mpi_compact(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                                       mcl_result whole, const mcl_options *options);

/* Partitions the whole sequence as mcl_partition does: elements of either kind stay on their rank, in their order.
 *
 * counts, whole  two numbers, one after the other: the elements kept and the elements rejected, on this rank, and on
 *                all ranks together
 * Each output may be left out. Capacities as in mcl_mpi_compact. */
MCL_MPI_API mcl_status mcl_mpi_partition(mcl_mpi *mpi, mcl_input in, mcl_output out, mcl_output rejected,
                                         const mcl_op *keep, mcl_result counts, mcl_result whole,
                                         const mcl_options *options);

/* Does the same as mcl_unique with the whole sequence. A run that goes on over ranks is kept on the rank that it begins
 * on. count and whole as in mcl_mpi_compact. out may overlap anything. */
MCL_MPI_API mcl_status mcl_mpi_unique(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                                      mcl_result whole, const mcl_options *options);

/* Does the same as mcl_reduce_by_key with the whole sequence. The fold of a run goes to the rank that the run begins
 * on. With options->initial the call is MCL_ERROR_ARGUMENT. out_values is of the accumulator's type, or one built-in
 * type where the accumulator is of another, or an integer type for MCL_INDEXED. The outputs may overlap anything. count
 * and whole as in mcl_mpi_compact. Cost: mcl_reduce_by_key of each rank's part, a copy of its result; two partials a
 * rank travel. */
MCL_MPI_API mcl_status mcl_mpi_reduce_by_key(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out_keys,
                                             mcl_output out_values, const mcl_op *op, const mcl_op *equal,
                                             mcl_result count, mcl_result whole, const mcl_options *options);

/* Folds the values of equal keys of the whole sequence as mcl_group_by does. Each group has one rank that owns it, by a
 * hash of the key's bits. That rank gets the group's key and folds. On each rank groups are in the core's order; the
 * groups of all ranks together are those of the whole, each once.
 *
 * aggregates  as many on all ranks. An operator with combine is MCL_ERROR_UNSUPPORTED besides. A fold that does not
 *             commute takes a group's elements in the order of their indices in the whole
 * count       the number of groups that this rank owns
 * whole       the number of all groups
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all. With capacity 0 groups are counted
 * only. Sums of floats are rounded on each rank, and again where they are added up. With more than 256 ranks the call
 * is MCL_ERROR_UNSUPPORTED.
 * Cost: mcl_group_by of each rank's part, and a split of its groups by owner. A group's key and partials travel once
 *   from each rank that has the key. Then mcl_group_by of the partials that came.
 * Memory: a key and a partial of each fold for each of the rank's keys; twice this size for each of the rank's groups,
 *   and this size for each group that came. With g groups on each of p ranks some g groups come to a rank, and p * g at
 *   most, where all keys have one owner. A mean takes a sum, and all means take a count. */
MCL_MPI_API mcl_status mcl_mpi_group_by(mcl_mpi *mpi, mcl_input keys, mcl_output out_keys,
                                        const mcl_aggregate *aggregates, int aggregate_count, mcl_result count,
                                        mcl_result whole, const mcl_options *options);

/* Finds the distinct keys of the whole sequence: mcl_mpi_group_by without aggregates. */
MCL_MPI_API mcl_status mcl_mpi_distinct(mcl_mpi *mpi, mcl_input keys, mcl_output out, mcl_result count,
                                        mcl_result whole, const mcl_options *options);

/* Folds segments of the whole sequence as mcl_segmented_reduce does. Segments are segments of the whole. Their list is
 * the lists of all ranks, one after the other in the order of ranks.
 *
 * segments  offsets, begins and indices: any part of the list on any rank, with indices in the whole sequence. Flags:
 *           of the rank's own elements. Rows: each rank has some rows, after the rows of lower ranks. Their length is
 *           the same on all ranks, 1 or more. A rank's expression of in may use i alone
 * out       gets the folds of the segments that begin with one of this rank's elements. An empty segment at the end of
 *           the whole is on the last rank. out may not overlap what is read
 * count     the number of segments whose folds this rank gets
 * whole     the number of segments of all ranks together
 *
 * With MCL_VALIDATE in options, on all ranks, entries that are out of order or outside the whole are
 * MCL_ERROR_PRECONDITION, and nothing is written. Where out is left out, or has capacity 0, segments are counted only.
 * A capacity that is too low on one rank is MCL_ERROR_CAPACITY on all. The fold of a rank's last segment combines a
 * partial of each rank that has a part of the segment.
 * Cost: the list goes to the ranks of the elements. (Each rank sorts its indices first, and sorts again the indices
 * that arrive.) Then mcl_segmented_reduce of each rank's part. Its first and last segment are read twice; two partials
 * a rank travel. */
MCL_MPI_API mcl_status mcl_mpi_segmented_reduce(mcl_mpi *mpi, mcl_input in, mcl_segments segments, mcl_output out,
                                                const mcl_op *op, mcl_result count, mcl_result whole,
                                                const mcl_options *options);

/* Scans segments of the whole sequence as mcl_segmented_scan does. Each rank's output has the prefixes of its own
 * elements. segments is as in mcl_mpi_segmented_reduce. kind and out are as in mcl_segmented_scan, and so is work in
 * place. Cost: as mcl_mpi_segmented_reduce, but with mcl_segmented_scan where that has mcl_segmented_reduce. */
MCL_MPI_API mcl_status mcl_mpi_segmented_scan(mcl_mpi *mpi, mcl_input in, mcl_segments segments, mcl_output out,
                                              const mcl_op *op, mcl_scan_kind kind, const mcl_options *options);

/* Does the same as mcl_scan_by_key with the whole sequence: a run may go on over ranks. out and in place as in
 * mcl_scan_by_key.
 * Cost: mcl_reduce_by_key of each rank's keys, then as mcl_mpi_segmented_scan. */
MCL_MPI_API mcl_status mcl_mpi_scan_by_key(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out,
                                           const mcl_op *op, const mcl_op *equal, mcl_scan_kind kind,
                                           const mcl_options *options);

/* Do the same as mcl_histogram, _even and _range with the whole sequence. Every rank gets all bins, so all ranks give
 * the same number of bins. Sums of floats are added in the order of ranks. Cost: a histogram of each rank's part; each
 * rank adds up its share of the bins, and sends the sums to all. */
MCL_MPI_API mcl_status mcl_mpi_histogram(mcl_mpi *mpi, mcl_input in, const mcl_op *bin, const mcl_input *weights,
                                         mcl_output bins, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_histogram_even(mcl_mpi *mpi, mcl_input in, double low, double high,
                                              const mcl_input *weights, mcl_output bins, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_histogram_range(mcl_mpi *mpi, mcl_input in, mcl_input levels, const mcl_input *weights,
                                               mcl_output bins, const mcl_options *options);

/* ---- hash map ------------------------------------------------------------------------------------------- */

/* A map of map.h that lies on all ranks. Each key has one rank that owns it, by a hash of the key's bits, and the entry
 * is in that rank's mcl_map. A call brings the keys of all ranks to their owners. Answers come back in the order of the
 * rank's keys. Order, sentinels, growth, and keys that a call has more than once, on one rank or on several, are as
 * map.h says.
 *
 * A map belongs to the mcl_mpi that it was made with. Where ranks name different maps the call is
 * MCL_ERROR_PRECONDITION. Where a call that enters or erases keys fails on one rank only, other owners may have entered
 * or erased their keys.
 * With MCL_VALIDATE in options a sentinel on any rank is MCL_ERROR_PRECONDITION, and nothing is done.
 * count and whole: the number for this rank's entries, and the number for all ranks together.
 * Cost, with more than one rank: a stable split of the rank's keys by owner (mcl_multisplit). A key, and its value or
 *   answer, travels where its owner is another rank. Then the core's call on what came. Device memory: two copies of
 *   the keys and of their values or answers, besides the maps. mcl_mpi_get_info does not count the maps. */
typedef struct mcl_mpi_map mcl_mpi_map;

/* Makes an empty map by mcl_map_create on each rank. config's capacity and load are for the rank's own map. Types and
 * sentinels are the same on all ranks. Errors besides: MCL_ERROR_UNSUPPORTED with more than 256 ranks. */
MCL_MPI_API mcl_status mcl_mpi_map_create(mcl_mpi *mpi, const mcl_map_config *config, mcl_mpi_map **out);
MCL_MPI_API void mcl_mpi_map_release(mcl_mpi_map *map); /* not collective; NULL: nothing */

/* Insert as mcl_map_insert, _insert_or_assign and _insert_or_apply do. For a set, values is (mcl_input){0}.
 * op  the fold of _insert_or_apply, without extract (else MCL_ERROR_UNSUPPORTED). In place of extract, values may be an
 *     expression */
MCL_MPI_API mcl_status mcl_mpi_map_insert(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                          const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_insert_or_assign(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                                    const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_insert_or_apply(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                                   const mcl_op *op, const mcl_options *options);

/* Look each rank's own keys up as mcl_map_find and mcl_map_contains do. missing, and which outputs are given, are the
 * same on all ranks. */
MCL_MPI_API mcl_status mcl_mpi_map_find(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_output values,
                                        const void *missing, mcl_output found, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_contains(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_output found,
                                            const mcl_options *options);

MCL_MPI_API mcl_status mcl_mpi_map_erase(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, const mcl_options *options);

/* Stores the entries that each rank owns, as mcl_map_retrieve_all does. Together these are all entries, each once. A
 * capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all. */
MCL_MPI_API mcl_status mcl_mpi_map_retrieve_all(mcl_mpi *mpi, mcl_mpi_map *map, mcl_output keys, mcl_output values,
                                                mcl_result count, mcl_result whole, const mcl_options *options);

/* Count the entries, and the keys that insertions have skipped. */
MCL_MPI_API mcl_status mcl_mpi_map_size(mcl_mpi *mpi, mcl_mpi_map *map, mcl_result count, mcl_result whole,
                                        const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_skipped(mcl_mpi *mpi, mcl_mpi_map *map, mcl_result count, mcl_result whole,
                                           const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_clear(mcl_mpi *mpi, mcl_mpi_map *map, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
