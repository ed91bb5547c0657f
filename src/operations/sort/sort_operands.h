/* sort_operands.h: the operands of sorts of one sequence (merge_sort.c, radix_sort.c, bucket_sort.c, counting_sort.c,
 * member_sort.c, locality_sort.c). */
#ifndef MODERNCL_SORT_OPERANDS_H
#define MODERNCL_SORT_OPERANDS_H

#include "operations/transform/gather.h"
#include "call/call.h"

typedef struct mcl__sort_operands {
    mcl_input keys, values;
    mcl_output out, out_values;
    const mcl_op *before;
    int has_values;
    int drops_keys;     /* 1 if the sorted keys are not kept, as in mcl_sort_indices */
    int64_t row_length; /* keys of a row, if radix sort with look-back sorts rows separately; 0: no rows */
} mcl__sort_operands;

/* Asks for the two arrays between which passes alternate, each of bytes bytes. The last pass ends in array home_piece:
 * the output home, or scratch where home is NULL. Array spare_piece is needed only where alternates is 1. */
static inline void mcl__sort_need_arrays(mcl__call *call, int home_piece, int spare_piece, size_t bytes,
                                         const mcl_output *home, int alternates)
{
    if (home)
        mcl__call_scratch_at(call, home_piece, mcl__output_span(home));
    else
        mcl__call_scratch(call, home_piece, bytes);
    mcl__call_scratch(call, spare_piece, alternates ? bytes : 0);
}

/* Returns 1 where elements of the type are wide. Wide elements stay where they are while their indices are sorted or
 * moved. A gather fetches the elements at the end. */
static inline int mcl__sort_is_wide(const mcl_type *type)
{
    return type->size > 16;
}
/* Makes the gather of wide elements from in to out. index is the type of their indices. */
static inline void mcl__sort_gather(const mcl__sort_operands *given, const mcl_input *in, const mcl_output *out,
                                    const mcl_type *index, mcl__gather *made)
{
    made->in = *in;
    made->index_type = index;
    made->in_place = mcl__is_in_place(in, out);
    mcl__adopt_count(&made->in, &given->keys);
}

/* merge_sort.c. Sorts by any order a call whose operands have been checked. */
mcl_status mcl__merge_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* radix_sort.c. Returns 1 where keys have a built-in type, and before is MCL_LESS or MCL_GREATER. */
int mcl__radix_sort_applies(const mcl__sort_operands *given);
/* Sorts a call whose operands have been checked. */
mcl_status mcl__radix_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* counting_sort.c. Returns 1 where a call is sorted by counting: it has many keys of 8 or 16 bits, and no values. */
int mcl__counting_sort_applies(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);
/* Sorts a call for which mcl__counting_sort_applies returns 1. */
mcl_status mcl__counting_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* member_sort.c. Returns 1 where the order compares one number of each struct, and sorting by that number's digits
 * costs less than a mergesort. */
int mcl__member_sort_applies(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);
/* Sorts a call for which mcl__member_sort_applies returns 1. */
mcl_status mcl__member_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* ---- a radix sort as a part of another call --------------------------------------------------------------------- */

/* Keys or values that go through the passes. The first pass reads in, and stores values in in's type. The other passes
 * read and store array. */
typedef struct mcl__radix_stream {
    mcl_input in, array;
} mcl__radix_stream;

/* The arrays between which a sort by buckets moves keys or values. */
typedef struct mcl__bucket_arrays {
    mcl__span home, spare;
} mcl__bucket_arrays;

/* bucket_pairs.c. The part of a sort by buckets that moves keys with values to ranges, then to buckets. */
typedef struct mcl__bucket_pairs {
    mcl__call part, gather; /* calls with one common program, unless keys or values are expressions */
    mcl__tile tile;         /* the tile; it has one work-item where no group's tile fits */
    int64_t groups, turns;  /* turns: number of tiles that each group takes */
    int64_t move_bytes;     /* work-group memory of a group */
} mcl__bucket_pairs;

/* The scratch arrays that the passes of a sort by buckets share. */
typedef struct mcl__bucket_shared {
    mcl__span head, map, ranges, buckets, cursors, words; /* words: mcl__bucket_pairs_words of them */
} mcl__bucket_shared;

/* Chooses the tile, the number of groups, and the number of tiles per group. keys and values must outlive pairs. */
void mcl__bucket_pairs_choose(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys,
                              mcl__radix_stream *values, int range_bits, mcl__bucket_pairs *pairs);
/* Returns the number of words that must be zero at first: tickets of two passes, and states of tiles. */
size_t mcl__bucket_pairs_words(const mcl__bucket_pairs *pairs);
/* Gets the programs. order, flip and range_bits describe the whole sort. */
mcl_status mcl__bucket_pairs_plan(mcl__bucket_pairs *pairs, int order, int64_t flip, int range_bits);
mcl_status mcl__bucket_pairs_launch(mcl__bucket_pairs *pairs, const mcl__bucket_shared *shared, mcl__bucket_arrays keys,
                                    mcl__bucket_arrays values);

/* bucket_sort.c. A sort of keys by buckets, as a part of a radix sort. range_bits is 0 where the sort does not
 * apply. */
typedef struct mcl__buckets {
    mcl__call call, finish;  /* the call that makes buckets, and the call that sorts them */
    mcl__call wide;          /* the call that sorts larger buckets; without kernels where there is none */
    mcl__bucket_pairs pairs; /* passes that move keys with values */
    int has_values;
    int range_bits, ranges_most;                   /* ranges_most: number of ranges that the program has tables for */
    int count_tiles;                               /* number of tiles whose work-items form a group that counts */
    int64_t held;                                  /* slices that a group counts */
    int64_t move_bytes, finish_bytes, crowd_bytes; /* work-group memory to move keys, to sort a bucket or a crowd */
    int64_t wide_bytes;                            /* and to sort a larger bucket; 0: there is no such call */
} mcl__buckets;

/* Plans the sort, or sets range_bits to 0 where it does not apply. order and flip describe the images of keys
 * (radix_digit.clh), with all bits. values is NULL, or follows the keys; the latter needs groups that may wait for each
 * other. keys and values must outlive sort. */
mcl_status mcl__buckets_plan(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys,
                             mcl__radix_stream *values, int order, int64_t flip, int in_place, mcl__buckets *sort);
/* Launches the sort; its scratch must be taken. Keys and values are moved to home; spare has the same size. *unsorted
 * receives the memory of a uint that the device stores: 1 where the usual passes must sort. The usual passes read keys
 * and values from the inputs. Only a sort in place of keys alone is different: its keys are then in home, and equal
 * keys still have their order. */
mcl_status mcl__buckets_launch(mcl__buckets *sort, mcl__bucket_arrays keys, mcl__bucket_arrays values,
                               mcl__span *unsorted);

/* A radix sort. If an input is an expression, the first pass has another program than the later passes. */
typedef struct mcl__radix {
    mcl__call first, later;
    mcl__sort_operands given;
    int passes, window_bits, order, digit_bits, state_bits, looks_back, values_stay, takes_turns, by_buckets;
    mcl__radix_stream keys, values;
    size_t state_bytes, base_bytes; /* bytes of one pass's states, and of all passes' bases */
    mcl__span states[2];            /* states of two passes, which passes use in turn */
    mcl__gather gather;             /* gather that fetches wide values */
    mcl__buckets buckets;           /* sort by buckets in the group mapping */
} mcl__radix;

/* Plans a sort as a part of another call, which passes sort->first to mcl__call_scratch_of_part. Keys and values must
 * be expressions, or lie in other arrays than the outputs of mcl__radix_launch. Values have at most 8 bytes, since
 * larger values may stay where they are (sort_pairs.moved_bytes). */
mcl_status mcl__radix_plan(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options,
                           mcl__radix *sort);
mcl_status mcl__radix_launch(mcl__radix *part, const mcl_output *out, const mcl_output *out_values);

#endif
