/* sort_operands.h: the operands of the sorts of one sequence (merge_sort.c, radix_sort.c, bucket_sort.c,
 * counting_sort.c, member_sort.c, locality_sort.c). */
#ifndef MODERNCL_SORT_OPERANDS_H
#define MODERNCL_SORT_OPERANDS_H

#include "operations/transform/gather.h"
#include "call/call.h"

typedef struct mcl__sort_operands {
    mcl_input keys, values;
    mcl_output out, out_values;
    const mcl_op *before;
    int has_values;
    int drops_keys; /* there is no out, since sorted keys are not kept; in mcl_sort_indices values are 0, 1, 2 ... */
    int64_t row_length; /* radix sort with look-back: each row of row_length keys is sorted by itself; 0: no rows */
} mcl__sort_operands;

/* Asks for the two arrays of bytes that passes alternate between. The last pass ends in HOME: the output home, or
 * scratch where that is NULL. The other array is needed where there is more than one pass. */
static inline void mcl__sort_need_arrays(mcl__call *call, int home_piece, int spare_piece, size_t bytes,
                                         const mcl_output *home, int alternates)
{
    if (home)
        mcl__call_scratch_at(call, home_piece, mcl__output_span(home));
    else
        mcl__call_scratch(call, home_piece, bytes);
    mcl__call_scratch(call, spare_piece, alternates ? bytes : 0);
}

/* Wide elements stay where they are: their indices are sorted or moved, and a gather fetches them at the end. */
static inline int mcl__sort_is_wide(const mcl_type *type)
{
    return type->size > 16;
}
/* Makes the gather of wide elements from in to out. index: the type of their indices. */
static inline void mcl__sort_gather(const mcl__sort_operands *given, const mcl_input *in, const mcl_output *out,
                                    const mcl_type *index, mcl__gather *made)
{
    made->in = *in;
    made->index_type = index;
    made->in_place = mcl__is_in_place(in, out);
    mcl__adopt_count(&made->in, &given->keys);
}

/* merge_sort.c. Sorts a call whose operands have been checked, by any order. */
mcl_status mcl__merge_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* radix_sort.c. 1: keys are of a built-in type, and before is MCL_LESS or MCL_GREATER. */
int mcl__radix_sort_applies(const mcl__sort_operands *given);
/* Sorts a call whose operands have been checked. */
mcl_status mcl__radix_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* counting_sort.c. 1: many keys of 8 or 16 bits, alone, are sorted by counting them. */
int mcl__counting_sort_applies(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);
/* Sorts a call whose operands have been checked. */
mcl_status mcl__counting_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* member_sort.c. 1: the order compares one number of each struct, and a sort by that number's digits costs less than
 * merges. */
int mcl__member_sort_applies(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);
/* Sorts a call whose operands have been checked, and which it applies to. */
mcl_status mcl__member_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options);

/* ---- a radix sort as a part of another call --------------------------------------------------------------------- */

/* Keys or values on their way through the passes. The first pass reads in and writes values as it reads them. The other
 * passes read and write array. */
typedef struct mcl__radix_stream {
    mcl_input in, array;
} mcl__radix_stream;

/* The arrays that a sort by buckets moves keys or values between. */
typedef struct mcl__bucket_arrays {
    mcl__span home, spare;
} mcl__bucket_arrays;

/* bucket_pairs.c. Moves keys with values to ranges, then to buckets, as a part of a sort by buckets. */
typedef struct mcl__bucket_pairs {
    mcl__call part, gather; /* without expressions they have one program */
    mcl__tile tile;         /* of one work-item where none serves */
    int64_t groups, turns;  /* turns: tiles that a group takes */
    int64_t move_bytes;     /* work-group memory of a group */
} mcl__bucket_pairs;

/* What the passes of a sort by buckets share, in scratch. */
typedef struct mcl__bucket_shared {
    mcl__span head, map, ranges, buckets, cursors, words; /* words: mcl__bucket_pairs_words */
} mcl__bucket_shared;

/* Chooses the tile, and how many groups take tiles by turns. keys and values must outlive pairs. */
void mcl__bucket_pairs_choose(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys,
                              mcl__radix_stream *values, int range_bits, mcl__bucket_pairs *pairs);
/* Returns the words that are zero at first: tickets of two passes and states of tiles. */
size_t mcl__bucket_pairs_words(const mcl__bucket_pairs *pairs);
/* Gets the programs. order, flip and range_bits are those of the sort. */
mcl_status mcl__bucket_pairs_plan(mcl__bucket_pairs *pairs, int order, int64_t flip, int range_bits);
mcl_status mcl__bucket_pairs_launch(mcl__bucket_pairs *pairs, const mcl__bucket_shared *shared, mcl__bucket_arrays keys,
                                    mcl__bucket_arrays values);

/* bucket_sort.c. A sort of keys by buckets, as a part of a radix sort. range_bits: 0 where it does not apply. */
typedef struct mcl__buckets {
    mcl__call call, finish;  /* what makes buckets, and what sorts them */
    mcl__bucket_pairs pairs; /* what moves keys with values */
    int has_values;
    int range_bits, count_tiles; /* count_tiles: those that have the work-items of a group that counts */
    int64_t held;                /* slices that a group counts */
    int64_t move_bytes, finish_bytes, crowd_bytes; /* work-group memory of a group that does that */
} mcl__buckets;

/* order and flip make the images of keys (radix_digit.clh), of all bits. values: NULL, or what follows keys, where
 * groups may wait for each other. keys and values must outlive sort. */
mcl_status mcl__buckets_plan(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys,
                             mcl__radix_stream *values, int order, int64_t flip, int in_place, mcl__buckets *sort);
/* Scratch is taken. Keys and values go to home, and spare is as large. *unsorted is where the device says, by a uint of
 * 1, that the usual passes must sort: the inputs or, of keys alone in place, home has them then, in an order that equal
 * keys keep. */
mcl_status mcl__buckets_launch(mcl__buckets *sort, mcl__bucket_arrays keys, mcl__bucket_arrays values,
                               mcl__span *unsorted);

/* A radix sort. Where an input is an expression, the first pass and the others have programs of their own. */
typedef struct mcl__radix {
    mcl__call first, later;
    mcl__sort_operands given;
    int passes, window_bits, order, digit_bits, state_bits, looks_back, values_stay, takes_turns, by_buckets;
    mcl__radix_stream keys, values;
    size_t state_bytes, base_bytes; /* states of one pass; bases of all */
    mcl__span states[2];            /* of passes by turns */
    mcl__gather gather;             /* of values that stay */
    mcl__buckets buckets;           /* of groups */
} mcl__radix;

/* first is the part that mcl__call_scratch_of_part asks for. Keys and values are expressions or lie in other arrays
 * than the outputs, which launch is told. Values have at most 8 bytes: larger ones may stay where they are
 * (sort_pairs.moved_bytes). */
mcl_status mcl__radix_plan(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options,
                           mcl__radix *sort);
mcl_status mcl__radix_launch(mcl__radix *part, const mcl_output *out, const mcl_output *out_values);

#endif
