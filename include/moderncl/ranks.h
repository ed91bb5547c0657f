/* ranks.h: the library's operations on data on several devices. The ranks communicate through MPI (mpi.h), or through
 * the caller's own functions (mcl_mpi_create_with). The functions of this header are in the companion libraries
 * moderncl_mpi and moderncl_ranks. The latter has all of them except mcl_mpi_create, and needs no MPI.
 *
 * A rank is a process or a thread with one queue. The queues may be of any mix of backends. Several ranks may share a
 * device. A sequence on all ranks consists of the ranks' local operands, one after the other in the order of ranks. A
 * rank may have no elements of the sequence. Results, their order and their stability are those of the core library's
 * call on the whole sequence; for folds of floats see "The same bits".
 *
 * All functions that take an mcl_mpi are collective: every rank calls them, in the same order. Operands, counts and
 * shares may differ from rank to rank. Everything in the following list must be the same on all ranks. Otherwise the
 * call is MCL_ERROR_PRECONDITION on all ranks, with a sentence that names the difference, and nothing is enqueued:
 *
 *   the function, and the map that it is called on
 *   types of inputs: name, size, alignment, text and members. Also types of outputs and results, if the caller
 *     chooses the type of a result. An output or result that is left out counts as having the accumulator's type
 *   operators: role, each text, accumulator, type of the result, commutative, and the bindings' names, types and
 *     values. Values are compared byte by byte, including padding of structs
 *   options: flags, sort_method and initial
 *   the number of aggregates
 *   kinds, k, nth, indices and fractions; the kind of segments and the length of rows
 *   numbers of bins and levels, low, high and whether weights are given
 *   types and sentinels of a map, missing, and which outputs a search fills
 *
 * The content of buffers is not compared: the caller must ensure that arrays read by operators, and levels of bins, are
 * the same. Calls of mcl_mpi_release and of other libraries are not compared either.
 *
 * The following holds for all functions.
 *
 * Indices: i in an operator is the index in the whole sequence. i in an input's expression is the index in the rank's
 *   own input.
 * Counts: an input may take its count from the device. The call waits for it.
 * Options: flags, initial, sort_method and the tile are as in the core. Other options are MCL_ERROR_ARGUMENT. Each rank
 *   has its own tile.
 * The same bits: with MCL_DETERMINISTIC or MCL_REPRODUCIBLE, folds of floats have the same bits on every run with the
 *   same counts and number of ranks. With MCL_REPRODUCIBLE all devices also give the same bits. Only in three cases
 *   these are the bits of the core's call on the whole sequence: mcl_mpi_reduce, segments by offsets or begins that are
 *   on one rank, and folds where no sum is rounded.
 * Folds: mcl_op_accumulator gives the accumulator from the results of all ranks, so that all ranks fold in one type.
 * Waiting: a call waits for the device whenever ranks exchange data. When it returns, its last work may still be
 *   running, in the order of the queue.
 * Memory: device memory for exchanged data belongs to the mcl_mpi. This memory grows as calls need it, and is kept.
 * Errors: if a rank fails, each rank's call fails with the same status. mcl_mpi_last_error() then has the sentence of
 *   the rank that failed (of the lowest one, if several failed). Outputs are undefined after a failure. The next call
 *   works if its arguments are right. If messages fail, this call and all later calls are MCL_ERROR_DEVICE on this
 *   rank, and other ranks may wait for it. For errors of MPI see mpi.h.
 * Threads: only one thread at a time may call functions on an mcl_mpi. Ranks may be threads of one process. Each thread
 *   then has its own mcl_mpi and queue; the queues may belong to one context. */
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

/* The transport: the way in which operands travel between ranks. */
typedef enum mcl_mpi_transport {
    MCL_MPI_AUTO = 0, /* NCCL if it is found and every rank has its own CUDA device, else the host */
    MCL_MPI_HOST = 1, /* through host memory, in messages of 4 MiB, by MPI or the caller's functions */
    MCL_MPI_NCCL = 2, /* NCCL, from device to device; libnccl.so.2 is opened at run time */
    MCL_MPI_OWN = 3   /* the caller's functions, from device to device; only mcl_mpi_get_info gives this value */
} mcl_mpi_transport;

/* The memory of a message: on the host, or a range of a buffer. */
typedef struct mcl_mpi_memory {
    void *host;         /* first byte of the message; NULL: the message is in buffer */
    mcl_buffer *buffer; /* NULL if host is given */
    size_t offset;      /* offset in bytes from the buffer's start */
    size_t bytes;       /* at least 1; in host memory at most 4 MiB */
} mcl_mpi_memory;

/* The caller's own functions, through which a rank communicates with other ranks. They replace MPI, and also NCCL if
 * queue is given. The first argument of each function is state. Each returns NULL, or a sentence about a failure, which
 * must stay valid until the next function is called. docs/mpi.md has an example.
 *
 * send, receive  post a message to a rank or from a rank, and do not wait for it. A rank never posts a message to
 *                itself
 * group          completes all messages posted since the last group. Then received messages are in their memory, and
 *                memory of sent messages may change. If nothing is posted, group does nothing. group is also called
 *                after a failed post. It must then release all messages, but need not complete them
 * all_gather     stores bytes of each rank in all on every rank, in the order of ranks. mine is not part of all
 * barrier        returns when all ranks have called it
 *
 * Order: messages from one rank to another arrive in the order in which they were sent. The send and the receive of a
 *   message have the same number of bytes. A group may contain messages from and to any ranks, also several for one
 *   rank. Other ranks may be some groups ahead of this rank, or late. So a send may wait for its receive in group,
 *   but not when it is posted. all_gather and barrier are called while nothing is posted, by all ranks in the same
 *   order.
 * Memory: the memory of messages belongs to the library. Functions use it from the post to the end of group, or during
 *   their call.
 * Device memory: if queue is NULL, all messages are in host memory. Otherwise operands are in buffers of the queue's
 *   context, and all other messages in host memory. No group contains both. Buffers are read and written after all work
 *   enqueued in queue before the post, and before all work enqueued in queue after group. So group may return before
 *   the device has done this work.
 * Threads: the library calls them in the thread of the caller's call, one at a time for one mcl_mpi.
 * Waiting: if there are more ranks than processors, a function that waits should give the processor to other
 * threads. */
typedef struct mcl_mpi_messages {
    void *state; /* data of the caller, which must live until mcl_mpi_release returns */
    int rank;
    int rank_count;
    mcl_queue *queue; /* queue for operands in device memory; NULL: all messages are in host memory */
    const char *(*send)(void *state, int rank, mcl_mpi_memory from);
    const char *(*receive)(void *state, int rank, mcl_mpi_memory to);
    const char *(*group)(void *state);
    const char *(*all_gather)(void *state, const void *mine, void *all, size_t bytes);
    const char *(*barrier)(void *state);
} mcl_mpi_messages;

/* Makes ranks work together that communicate through the caller's own functions. The call is collective over these
 * ranks.
 *
 * messages   the functions, which are copied. messages->queue is given on all ranks or on none. It is retained, and the
 *            caller may not use it in other ways
 * queue      this rank's queue, which is retained. No other thread may use it during a call
 * transport  the transport, the same on all ranks. If messages->queue is given, it must be MCL_MPI_AUTO, and the
 *            functions move operands from device to device. Otherwise it is as in mcl_mpi_create (mpi.h), with these
 *            functions instead of MPI's: MCL_MPI_AUTO takes NCCL if every rank can use it
 * The environment variables are those of mcl_mpi_create; MCL_MPI_TRANSPORT has no effect if messages->queue is given.
 * Errors: MCL_ERROR_ARGUMENT (messages, one of its functions, queue or out is NULL, its rank is not in [0, rank_count),
 * transport is unknown, or not MCL_MPI_AUTO although messages->queue is given, an environment variable is wrong).
 * MCL_ERROR_PRECONDITION (transport differs). MCL_ERROR_UNSUPPORTED (NCCL is asked for and cannot be used).
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. Other ranks do not learn of a failure in messages, out or host memory. */
MCL_MPI_API mcl_status mcl_mpi_create_with(const mcl_mpi_messages *messages, mcl_queue *queue,
                                           mcl_mpi_transport transport, mcl_mpi **out);

/* Releases an mcl_mpi. The call is collective; of the caller's functions it calls only barrier. NULL does nothing.
 * After MPI_Finalize the call does not use MPI. */
MCL_MPI_API void mcl_mpi_release(mcl_mpi *mpi);

/* The phases of a call. mcl_mpi_time_phases makes calls measure their times. */
typedef enum mcl_mpi_phase {
    MCL_MPI_LOCAL = 0, /* the core's calls on the rank's own part */
    MCL_MPI_SPLITTERS, /* the search for splitters */
    MCL_MPI_EXCHANGE,  /* the transport of operands; 0 where ranks read each other's memory */
    MCL_MPI_MERGE,     /* the merge of received operands, or of operands read from other ranks' memory */
    MCL_MPI_PHASES
} mcl_mpi_phase;

/* Makes later calls time their phases, if on is nonzero. Such a call waits for the device between its phases, and
 * mcl_mpi_get_info gives the time of each phase of the last call. The function is not collective, but on must be the
 * same on all ranks. */
MCL_MPI_API mcl_status mcl_mpi_time_phases(mcl_mpi *mpi, int on);

typedef struct mcl_mpi_info {
    int rank;
    int rank_count;
    mcl_mpi_transport transport;         /* transport that is used */
    char transport_reason[160];          /* reason for this transport, such as "asked for" or "ranks 0 and 1 share a
                                          * device" */
    int64_t bytes_sent;                  /* bytes of operands sent to other ranks, or read by them */
    int64_t device_bytes;                /* device memory kept for exchanged data */
    double milliseconds[MCL_MPI_PHASES]; /* times of the last call's phases (mcl_mpi_phase), if phases are timed */
} mcl_mpi_info;
/* Gives the information; it is not collective. */
MCL_MPI_API mcl_status mcl_mpi_get_info(mcl_mpi *mpi, mcl_mpi_info *info);

/* Returns this thread's last failure of a function of this header, in one sentence that names the function and the
 * rank. */
MCL_MPI_API const char *mcl_mpi_last_error(void);

/* ---- shares --------------------------------------------------------------------------------------------- */

/* If a call moves elements between ranks, each rank says how many elements of the result it wants: its share. The
 * shares must add up to the number of elements; otherwise all ranks get MCL_ERROR_ARGUMENT. A rank's share is stored
 * from the start of its output on. */
#define MCL_MPI_EVEN (-1) /* on all ranks: equal shares, with the remaining elements on the lowest ranks, one each */
#define MCL_MPI_SAME (-2) /* on all ranks: as many elements as the rank has in its input */

/* Moves elements between ranks so that each rank has its share of them. The elements keep their order.
 *
 * in     any input
 * share  0 or more, MCL_MPI_EVEN or MCL_MPI_SAME
 * out    output of in's type, at least the share; may not overlap what is read
 * count  the number of elements on this rank: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or nowhere
 * Cost: an element that changes its rank is sent once. */
MCL_MPI_API mcl_status mcl_mpi_redistribute(mcl_mpi *mpi, mcl_input in, int64_t share, mcl_output out, mcl_result count,
                                            const mcl_options *options);

/* Does the same as mcl_multisplit with the whole sequence and one bucket per rank. Each element goes to the rank
 * that an expression gives. A rank's elements keep their order in the whole sequence.
 *
 * bucket  an operator of role MCL_ROLE_INDEX: an expression of x, the element, and i, its index in the whole sequence.
 *         A number below 0, or from the number of ranks on, means the last rank, as in mcl_multisplit
 * out     output of in's type; may not overlap what is read
 * count   the number of elements on this rank: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or nowhere
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all ranks. If an output is left out,
 * elements are only counted. With more than 256 ranks the call is MCL_ERROR_UNSUPPORTED.
 * Cost: a stable split of each rank's part; an element that changes its rank is sent once; received elements are copied
 * once. */
MCL_MPI_API mcl_status mcl_mpi_multisplit(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *bucket,
                                          mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_multisplit, and moves the value of each key with it. The expression gets the key. */
MCL_MPI_API mcl_status mcl_mpi_multisplit_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out_keys,
                                                mcl_output out_values, const mcl_op *bucket, mcl_result count,
                                                const mcl_options *options);

/* ---- folds ---------------------------------------------------------------------------------------------- */

/* Folds the whole sequence as mcl_reduce does; every rank gets the result. The ranks' results are folded in the order
 * of ranks, so operators need not commute. Cost: a reduction of each rank's part; each rank sends one value. With
 * MCL_DETERMINISTIC or MCL_REPRODUCIBLE, floats have the bits of the core's call on the whole sequence, for any number
 * of ranks and any counts. The cost then is an mcl_segmented_reduce of each rank's part, cut into up to two blocks of
 * each power of two. Each block's value is sent, and each level of the tree is a launch on every rank. op may have
 * MCL_BINDINGS_MAX - 2 bindings, as in all calls of this header with a fold. */
MCL_MPI_API mcl_status mcl_mpi_reduce(mcl_mpi *mpi, mcl_input in, const mcl_op *op, mcl_result result,
                                      const mcl_options *options);

/* Scans the whole sequence as mcl_scan does: each rank's output has the prefixes of its own elements. The kinds
 * WITH_TOTAL store the total after the last element of the last rank. Every rank gets total. Cost: a reduction and a
 * scan of each rank's part; each rank sends one value. */
MCL_MPI_API mcl_status mcl_mpi_scan(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                                    mcl_result total, const mcl_options *options);

/* ---- sorts ---------------------------------------------------------------------------------------------- */

/* Sorts the whole sequence as mcl_sort does. Stable over ranks: equal keys keep the order of ranks, and in a rank the
 * order of their indices.
 *
 * keys    any input
 * share   the number of sorted keys that this rank gets, exactly, however the keys are distributed
 * out     output of the keys' type, at least the share; may be exactly the range that keys are
 * before  as in mcl_sort. With an order that contradicts itself the call ends, every rank gets its share of keys, and
 *         nothing else is written.
 * count   the number of keys that this rank has received
 * Cost: a sort of each rank's part, and a search for exact splitters, in a few rounds that read some hundred keys of
 * each rank. A key that changes its rank is sent once. Then received keys are merged, with one pass per doubling of the
 * number of ranks. Device memory: three arrays (with two ranks: two) as large as the rank's keys or its share,
 * whichever are more.
 * D. Cheng, V. Shah, J. Gilbert, A. Edelman, "A novel parallel sorting algorithm for contemporary architectures"
 * (2007): exact splitters. */
MCL_MPI_API mcl_status mcl_mpi_sort(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out, const mcl_op *before,
                                    mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_sort, and moves the value of each key with it, as in mcl_sort_pairs. Either output may be
 * exactly the range of its input. */
MCL_MPI_API mcl_status mcl_mpi_sort_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, int64_t share,
                                          mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                          mcl_result count, const mcl_options *options);

/* Gives the indices of the sorted keys in the whole sequence. Each rank gets its share of them. out is MCL_INT64. */
MCL_MPI_API mcl_status mcl_mpi_sort_indices(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out,
                                            const mcl_op *before, mcl_result count, const mcl_options *options);

/* ---- merges --------------------------------------------------------------------------------------------- */

/* Merges two whole sequences as mcl_merge does. Each must be in order over all ranks. Each rank gets its share of the
 * merge, as in mcl_mpi_sort. MCL_MPI_SAME: as many keys as the rank has in both inputs. Inputs that are not sorted give
 * unspecified keys.
 * out may overlap anything. Cost: splitters as in mcl_mpi_sort; a key that changes its rank is sent once; one merge. */
MCL_MPI_API mcl_status mcl_mpi_merge(mcl_mpi *mpi, mcl_input a, mcl_input b, int64_t share, mcl_output out,
                                     const mcl_op *before, mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_merge, and moves the value of each key with it, as in mcl_merge_pairs. */
MCL_MPI_API mcl_status mcl_mpi_merge_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                           mcl_input b_values, int64_t share, mcl_output out_keys,
                                           mcl_output out_values, const mcl_op *before, mcl_result count,
                                           const mcl_options *options);

/* ---- sets and joins ------------------------------------------------------------------------------------- */

/* Do the multiset operations of sets.h on two whole sequences, each in order over all ranks. The results of all ranks,
 * one after the other, are the core's results on the whole sequences. One rank processes all keys that are equal. If a
 * key has more copies than a rank's share, that rank gets more keys, and may run out of memory. In all other cases keys
 * are spread evenly.
 *
 * count  the number of results of this rank
 * whole  the number of results of all ranks together
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all ranks. out may overlap anything.
 * Cost: splitters as in mcl_mpi_sort; a key that changes its rank is sent once; then the core's call. */
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

/* Do the multiset operations on keys with values, like the functions of sets.h for pairs. An intersection and a
 * difference ignore the values of b, and do not send them. */
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

/* Joins two whole sequences in any order as mcl_join_unsorted does. Rows have the indices of keys in the whole
 * sequences a and b, or -1. All rows of a key are on one rank, and keys of lower ranks come first. Rows of keys of b
 * without a partner (MCL_JOIN_RIGHT, MCL_JOIN_OUTER) come last on each rank. Apart from this, the rows of all ranks,
 * one after the other, are the core's rows on the whole sequences.
 *
 * out_a, out_b  of MCL_INT64; either may be left out
 * count, whole, and a key with more copies than a rank's share: as in the multiset operations
 *
 * If options have MCL_UNORDERED on all ranks, rows come in any order and on any rank: the ranks together have each of
 * the core's rows once. MCL_UNORDERED has no effect if keys are not integers, before is not MCL_LESS or MCL_GREATER, or
 * there are more than 255 ranks: rows are then in order. Otherwise the hash of a key gives its rank, and keys are not
 * sorted first.
 *
 *   A sequence is small if one copy per rank has, in total, at most half the keys of the other sequence. All ranks get
 *   a small sequence, and the other one is not moved. If a rank would then have more than one and a half shares of
 *   both, no sequence counts as small. Either sequence may be small in MCL_JOIN_INNER, only a in MCL_JOIN_RIGHT,
 *   neither in MCL_JOIN_OUTER, and only b in the other joins. A key is hot if, by samples, its copies are more than
 *   1/32 of a share. Its copies in one sequence are spread evenly over the ranks, and its copies in the other sequence
 *   go to all ranks. If a hot key has no partner, its copies go to any ranks. So a rank gets about a share of both
 *   sequences, and the copies that go to all ranks. In MCL_JOIN_INNER the copies in the sequence with fewer of them go
 *   to all ranks. In MCL_JOIN_SEMI and MCL_JOIN_ANTI each rank sends one copy of a hot key of b to all ranks. All
 *   copies of a hot key go to one rank in MCL_JOIN_OUTER, in MCL_JOIN_LEFT if b has more copies, and in MCL_JOIN_RIGHT
 *   if a has more. That rank makes at least as many rows from them.
 *
 * Cost: a sort of each rank's part of both sequences, and a search for splitters. A key that changes its rank is sent
 * once, with its index. Then received keys are merged, and the core's join follows. With MCL_UNORDERED the cost is 512
 * samples per rank, an mcl_multisplit of each part, and the same messages. But no indices of b are sent in
 * MCL_JOIN_SEMI and MCL_JOIN_ANTI, and none of a small sequence. mcl_histogram counts hot keys, and mcl_join_columns
 * joins. */
MCL_MPI_API mcl_status mcl_mpi_join_unsorted(mcl_mpi *mpi, mcl_join_kind kind, mcl_input a, mcl_input b,
                                             mcl_output out_a, mcl_output out_b, const mcl_op *before, mcl_result count,
                                             mcl_result whole, const mcl_options *options);

/* ---- selection ------------------------------------------------------------------------------------------ */

/* Selects from the whole sequence as mcl_top_k does. Every rank gets the whole result, in order, even with
 * MCL_UNORDERED.
 *
 * k      the same on all ranks
 * out    output of the keys' type, with at least min(k, number of keys) elements; may overlap nothing that is read
 * count  the number of chosen keys
 * Cost: mcl_top_k of each rank's part. If the ranks choose more than 8192 keys in total, splitters decide which of
 * these are the first k of all keys. Then the chosen keys go to all ranks, and mcl_top_k puts them in order. If k is a
 * large part of the keys, mcl_mpi_sort moves less data. */
MCL_MPI_API mcl_status mcl_mpi_top_k(mcl_mpi *mpi, mcl_input keys, int64_t k, mcl_output out, const mcl_op *before,
                                     mcl_result count, const mcl_options *options);

/* Does the same as mcl_mpi_top_k, and moves the value of each chosen key with it. */
MCL_MPI_API mcl_status mcl_mpi_top_k_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, int64_t k,
                                           mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                           mcl_result count, const mcl_options *options);

/* Gives the indices in the whole sequence of the keys that mcl_mpi_top_k chooses. out is MCL_INT64. */
MCL_MPI_API mcl_status mcl_mpi_top_k_indices(mcl_mpi *mpi, mcl_input keys, int64_t k, mcl_output out,
                                             const mcl_op *before, mcl_result count, const mcl_options *options);

/* Finds the key that sorting the whole sequence would put at index nth, which is the same on all ranks. Every rank gets
 * the key. Cost: rounds. In each round the ranks choose some 8192 keys in total as samples, over NCCL 65,536.
 * Two samples bound the wanted key. Each rank reads its keys once, counts those before the first bound, and keeps those
 * between the two. At most 8192 keys are left at the end, over NCCL 524,288, which go to all ranks. Two or three rounds
 * are usual. The data that a rank sends depend only on the number of rounds. Memory: at most as many keys as the rank
 * has; over NCCL a third of 1e8 keys, and a tenth of 1e9. */
MCL_MPI_API mcl_status mcl_mpi_nth_element(mcl_mpi *mpi, mcl_input keys, int64_t nth, mcl_result result,
                                           const mcl_op *before, const mcl_options *options);

/* Selects keys of the whole sequence as mcl_nth_elements does: out[j] is the key that sorting would put at index
 * indices[j]. Every rank gets all of these keys.
 *
 * indices  any input of MCL_INT32, MCL_UINT32 or MCL_INT64, in any order, repeats allowed, like ranks of
 *          mcl_nth_elements. A negative index counts as 0, and an index past the keys as the last one. Must be the same
 *          on all ranks, else MCL_ERROR_PRECONDITION
 * out      output of the keys' type, as many elements as indices; may overlap nothing that is read. If no rank has
 *          keys, it keeps its content
 * Cost: indices are copied to the host. Up to 32 different indices are found by counting, as in mcl_mpi_nth_element. Up
 * to 1024 need a sort of each rank's part. Each 64 of them also need a search for two splitters per index, with some
 * 300 KB per rank. For more indices the whole sequence is sorted as by mcl_mpi_sort. Then one rank sends each key to
 * all ranks. */
MCL_MPI_API mcl_status mcl_mpi_nth_elements(mcl_mpi *mpi, mcl_input keys, mcl_input indices, mcl_output out,
                                            const mcl_op *before, const mcl_options *options);

/* Selects quantiles of the whole sequence as mcl_quantiles does. Every rank gets all quantiles.
 *
 * fractions  any input of MCL_FLOAT or MCL_DOUBLE; must be the same on all ranks, else MCL_ERROR_PRECONDITION
 * out        as many elements as fractions; its type and interpolation are as in mcl_quantiles
 * Cost: as in mcl_mpi_nth_elements with one index per fraction, or two indices where keys are interpolated. */
MCL_MPI_API mcl_status mcl_mpi_quantiles(mcl_mpi *mpi, mcl_input keys, mcl_input fractions, mcl_output out,
                                         const mcl_op *before, mcl_interpolation interpolation,
                                         const mcl_options *options);

/* ---- runs and tests ------------------------------------------------------------------------------------- */

/* Compacts the whole sequence as mcl_compact does. Kept elements stay on their rank. To give ranks even parts of the
 * result, call mcl_mpi_redistribute afterwards.
 *
 * count  the number of elements that this rank keeps
 * whole  the number of elements that all ranks together keep
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all ranks. In place: as in
 * mcl_compact. */
MCL_MPI_API mcl_status mcl_mpi_compact(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                                       mcl_result whole, const mcl_options *options);

/* Partitions the whole sequence as mcl_partition does: kept and rejected elements stay on their rank, in their order.
 *
 * counts, whole  two numbers, one after the other: the numbers of kept and of rejected elements. counts is for this
 *                rank, whole for all ranks together
 * Each output may be left out. Capacities: as in mcl_mpi_compact. */
MCL_MPI_API mcl_status mcl_mpi_partition(mcl_mpi *mpi, mcl_input in, mcl_output out, mcl_output rejected,
                                         const mcl_op *keep, mcl_result counts, mcl_result whole,
                                         const mcl_options *options);

/* Does the same as mcl_unique with the whole sequence. A run that continues on other ranks is kept on the rank where
 * it begins. count and whole are as in mcl_mpi_compact. out may overlap anything. */
MCL_MPI_API mcl_status mcl_mpi_unique(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                                      mcl_result whole, const mcl_options *options);

/* Does the same as mcl_reduce_by_key with the whole sequence. The fold of a run is stored on the rank where the run
 * begins. With options->initial the call is MCL_ERROR_ARGUMENT. out_values has the accumulator's type, or a built-in
 * type that differs from it, or an integer type for MCL_INDEXED. The outputs may overlap anything. count and whole are
 * as in mcl_mpi_compact. Cost: an mcl_reduce_by_key of each rank's part, and a copy of its result; each rank sends two
 * partials. */
MCL_MPI_API mcl_status mcl_mpi_reduce_by_key(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out_keys,
                                             mcl_output out_values, const mcl_op *op, const mcl_op *equal,
                                             mcl_result count, mcl_result whole, const mcl_options *options);

/* Folds the values of equal keys of the whole sequence as mcl_group_by does. One rank owns each group: a hash of the
 * key's bits decides which. That rank gets the group's key and folds. On each rank groups are in the core's order. All
 * ranks together have each group of the whole sequence once.
 *
 * aggregates  as many on all ranks. An operator with combine is MCL_ERROR_UNSUPPORTED. A fold that does not commute
 *             gets a group's elements in the order of their indices in the whole sequence
 * count       the number of groups that this rank owns
 * whole       the number of all groups
 * A capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all ranks. With capacity 0 groups are
 * only counted. Sums of floats are rounded on each rank, and again when they are added on the owner. With more than 256
 * ranks the call is MCL_ERROR_UNSUPPORTED.
 * Cost: mcl_group_by of each rank's part, and a split of its groups by owner. Each rank that has a group's key sends
 *   the key and its partials once. Then the owner makes an mcl_group_by of the received partials.
 * Memory: for each of the rank's keys, a key and a partial of each fold. Twice this size for each of the rank's groups,
 *   and this size for each received group. With g groups on each of p ranks, a rank receives some g groups, or at most
 *   p * g if one rank owns all keys. A mean needs a sum, and all means together need a count. */
MCL_MPI_API mcl_status mcl_mpi_group_by(mcl_mpi *mpi, mcl_input keys, mcl_output out_keys,
                                        const mcl_aggregate *aggregates, int aggregate_count, mcl_result count,
                                        mcl_result whole, const mcl_options *options);

/* Finds the distinct keys of the whole sequence: mcl_mpi_group_by without aggregates. */
MCL_MPI_API mcl_status mcl_mpi_distinct(mcl_mpi *mpi, mcl_input keys, mcl_output out, mcl_result count,
                                        mcl_result whole, const mcl_options *options);

/* Folds segments of the whole sequence as mcl_segmented_reduce does. The list of segments consists of the lists of all
 * ranks, one after the other in the order of ranks.
 *
 * segments  offsets, begins and indices: any part of the list on any rank, with indices in the whole sequence. Flags:
 *           those of the rank's own elements. Rows: each rank has some rows, after the rows of lower ranks; their
 *           length is the same on all ranks, at least 1. A rank's expression of in may use only i
 * out       receives the folds of the segments that begin with one of this rank's elements. An empty segment at the end
 *           of the whole sequence is on the last rank. out may not overlap what is read
 * count     the number of segments whose folds this rank gets
 * whole     the number of segments of all ranks together
 *
 * If options have MCL_VALIDATE on all ranks, list entries that are out of order or outside the whole sequence are
 * MCL_ERROR_PRECONDITION, and nothing is written. If out is left out, or has capacity 0, segments are only counted. A
 * capacity that is too low on one rank is MCL_ERROR_CAPACITY on all ranks. The fold of a rank's last segment combines a
 * partial of each rank that has a part of the segment.
 * Cost: list entries are sent to the ranks of their elements. (A rank sorts its indices first, and sorts received
 * indices again.) Then an mcl_segmented_reduce of each rank's part. The first and the last segment of a part are read
 * twice, and each rank sends two partials. */
MCL_MPI_API mcl_status mcl_mpi_segmented_reduce(mcl_mpi *mpi, mcl_input in, mcl_segments segments, mcl_output out,
                                                const mcl_op *op, mcl_result count, mcl_result whole,
                                                const mcl_options *options);

/* Scans segments of the whole sequence as mcl_segmented_scan does. Each rank's output has the prefixes of its own
 * elements. segments is as in mcl_mpi_segmented_reduce; kind, out and work in place are as in mcl_segmented_scan. Cost:
 * as in mcl_mpi_segmented_reduce, but with mcl_segmented_scan instead of mcl_segmented_reduce. */
MCL_MPI_API mcl_status mcl_mpi_segmented_scan(mcl_mpi *mpi, mcl_input in, mcl_segments segments, mcl_output out,
                                              const mcl_op *op, mcl_scan_kind kind, const mcl_options *options);

/* Does the same as mcl_scan_by_key with the whole sequence: a run may continue on other ranks. out and work in place
 * are as in mcl_scan_by_key. Cost: an mcl_reduce_by_key of each rank's keys, then as in mcl_mpi_segmented_scan. */
MCL_MPI_API mcl_status mcl_mpi_scan_by_key(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out,
                                           const mcl_op *op, const mcl_op *equal, mcl_scan_kind kind,
                                           const mcl_options *options);

/* Do the same as mcl_histogram, _even and _range with the whole sequence. Every rank gets all bins, so all ranks must
 * give the same number of bins. Sums of floats are added in the order of ranks. Cost: a histogram of each rank's part.
 * Each rank adds its share of the bins, and sends the sums to all ranks. */
MCL_MPI_API mcl_status mcl_mpi_histogram(mcl_mpi *mpi, mcl_input in, const mcl_op *bin, const mcl_input *weights,
                                         mcl_output bins, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_histogram_even(mcl_mpi *mpi, mcl_input in, double low, double high,
                                              const mcl_input *weights, mcl_output bins, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_histogram_range(mcl_mpi *mpi, mcl_input in, mcl_input levels, const mcl_input *weights,
                                               mcl_output bins, const mcl_options *options);

/* ---- hash map ------------------------------------------------------------------------------------------- */

/* A map of map.h that is spread over all ranks. One rank owns each key: a hash of the key's bits decides which. The
 * key's entry is in the mcl_map of its owner. A call sends the keys of all ranks to their owners. Answers come back in
 * the order of the rank's keys. Order, sentinels, growth, and keys that occur several times in a call (on one or
 * several ranks) are as described in map.h.
 *
 * A map belongs to the mcl_mpi with which it was created. If ranks pass different maps, the call is
 * MCL_ERROR_PRECONDITION. If a call that inserts or erases keys fails on one rank only, other owners may have inserted
 * or erased their keys.
 * With MCL_VALIDATE in options, a sentinel on any rank is MCL_ERROR_PRECONDITION, and the map does not change.
 * count and whole: the number for this rank's entries, and the number for all ranks together.
 * Cost, with more than one rank: a stable split of the rank's keys by owner (mcl_multisplit). A key whose owner is
 *   another rank is sent there, and so is its value or answer. Then the owner makes the core's call on the received
 *   keys. Device memory: the maps, and two copies of the keys and of their values or answers. mcl_mpi_get_info does
 *   not count the maps. */
typedef struct mcl_mpi_map mcl_mpi_map;

/* Makes an empty map by a call of mcl_map_create on each rank. The capacity and load in config are for the rank's own
 * map. Types and sentinels must be the same on all ranks. Further errors: MCL_ERROR_UNSUPPORTED with more than 256
 * ranks. */
MCL_MPI_API mcl_status mcl_mpi_map_create(mcl_mpi *mpi, const mcl_map_config *config, mcl_mpi_map **out);
/* Releases a map; it is not collective, and NULL does nothing. */
MCL_MPI_API void mcl_mpi_map_release(mcl_mpi_map *map);

/* Insert as mcl_map_insert, _insert_or_assign and _insert_or_apply do. For a set, values is (mcl_input){0}.
 * op  the fold of mcl_map_insert_or_apply, without extract (else MCL_ERROR_UNSUPPORTED). Instead of an extract, values
 *     may be an expression */
MCL_MPI_API mcl_status mcl_mpi_map_insert(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                          const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_insert_or_assign(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                                    const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_insert_or_apply(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                                   const mcl_op *op, const mcl_options *options);

/* Find each rank's own keys in the map, as mcl_map_find and mcl_map_contains do. missing must be the same on all ranks,
 * and so must the choice of given outputs. */
MCL_MPI_API mcl_status mcl_mpi_map_find(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_output values,
                                        const void *missing, mcl_output found, const mcl_options *options);
MCL_MPI_API mcl_status mcl_mpi_map_contains(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_output found,
                                            const mcl_options *options);

MCL_MPI_API mcl_status mcl_mpi_map_erase(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, const mcl_options *options);

/* Stores the entries that each rank owns, as mcl_map_retrieve_all does. All ranks together store each entry once. A
 * capacity that is too low on one rank, and not 0, is MCL_ERROR_CAPACITY on all ranks. */
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
