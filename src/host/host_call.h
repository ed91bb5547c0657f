/* host_call.h: a call on arrays in host memory, which pass through devices in chunks. The files of this folder use the
 * library's public calls alone. Two passes: chunks are sorted, and cut at splitters; then each bucket of keys between
 * two cuts is fetched from all chunks and sorted by itself. */
#ifndef MODERNCL_HOST_CALL_H
#define MODERNCL_HOST_CALL_H

#include "base/base.h"

#include "moderncl/host_data.h"
#include "moderncl/sort.h"
#include "moderncl/sorted_search.h"

enum { MCL__HOST_COLUMNS_MAX = 18, MCL__HOST_CHANNELS_A_DEVICE = 3 };

/* The ways that elements take through a device: from the caller's inputs, or from scratch, where they are kept between
 * passes; to scratch, or to the caller's outputs. */
typedef enum mcl__stage {
    MCL__STAGE_WHOLE, /* inputs to outputs: all elements fit */
    MCL__STAGE_FIRST, /* inputs to scratch */
    MCL__STAGE_AGAIN, /* scratch to scratch: a bucket is too large */
    MCL__STAGE_LAST,  /* scratch to outputs */
    MCL__STAGES
} mcl__stage;

/* Arrays in host memory, side by side. The first has the keys. A column without a type is not there. */
typedef struct mcl__host_columns {
    const mcl_type *types[MCL__HOST_COLUMNS_MAX];
    unsigned char *data[MCL__HOST_COLUMNS_MAX];
} mcl__host_columns;

/* Elements of scratch, or of the inputs, that lie side by side. */
typedef struct mcl__range {
    int64_t begin, count;
} mcl__range;

/* One way of some elements through a channel. */
typedef struct mcl__host_job {
    mcl__stage stage;
    const mcl__range *ranges; /* where they come from; in the stages to scratch also where they go */
    int64_t range_count;
    int64_t count;
    int is_copied;  /* their keys are equal: they are in order already */
    int64_t *cuts;  /* receives where the splitters cut the sorted elements: all lower bounds, then all upper bounds.
                       NULL: nowhere */
    int64_t *found; /* receives how many elements they have become; NULL: as many */
} mcl__host_job;

/* A queue with memory for one job at a time. */
typedef struct mcl__channel {
    mcl_queue *queue;
    mcl_buffer *from[MCL__HOST_COLUMNS_MAX], *to[MCL__HOST_COLUMNS_MAX]; /* to is from in calls that work in place */
    mcl_buffer *splitters, *cuts, *found;
    int64_t capacity; /* elements */
    size_t scratch_bytes;
    int is_busy;
    mcl__host_job job;   /* its ranges are there while it begins, and in the stages to scratch until it ends */
    int64_t first_count; /* its elements of the first side of a join */
} mcl__channel;

typedef struct mcl__host_call mcl__host_call;

/* Enqueues the work on count elements in from, which puts them into to in the order of their keys. */
typedef mcl_status mcl__host_work(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage,
                                  int64_t count);

/* Brings the results of a channel's job, which are more than it has room for, to the outputs. */
typedef mcl_status mcl__host_large(mcl__host_call *call, const mcl__channel *channel, int64_t result_count);

/* Brings elements in scratch whose keys are equal, and which are more than fit, to the outputs. No job is at work. */
typedef mcl_status mcl__host_equal(mcl__host_call *call, const mcl__range *ranges, int64_t range_count);

struct mcl__host_call {
    const mcl_host_room *room;
    const mcl_op *before; /* order of the keys */
    mcl__host_work *work;
    int column_count;
    int folds;              /* work makes fewer elements, whose number it stores in found; else it works in place */
    mcl__host_large *large; /* given: the last work stores another number of results in found. Joins have it */
    mcl__host_equal *equal; /* NULL: such elements are copied */
    int64_t count;
    mcl__host_columns in, kept, out;
    const unsigned char *second; /* keys from index second_begin on: of the other side of a join. No chunk has both */
    int64_t second_begin;        /* count in calls that have no other side */
    void *own_scratch;           /* NULL: the caller's */
    int64_t out_capacity, out_count;

    mcl__channel *channels; /* neighbours are of different devices */
    int channel_count, next_channel;
    int64_t capacity;       /* the least of the channels' */
    int64_t splitters_most; /* that every channel has room for */
    int splitter_count;
};

/* ---- channels.c ---------------------------------------------------------------------------------------------- */

/* Gives each device its channels. All elements go through one channel where it has room for them. */
mcl_status mcl__channels_open(mcl__host_call *call);
/* Waits for what is at work, drops its results, and gives all memory back. Where that is done it does nothing. */
void mcl__channels_close(mcl__host_call *call);

/* Enqueues a job on the next channel; a channel has the results of its job before copied out first. Jobs end in their
 * order. */
mcl_status mcl__channels_give(mcl__host_call *call, const mcl__host_job *job);
/* Ends all jobs, and waits until their results are in host memory. */
mcl_status mcl__channels_wait(mcl__host_call *call);

/* Returns the address of element index of a column. */
unsigned char *mcl__host_element(const mcl__host_call *call, const mcl__host_columns *columns, int c, int64_t index);

/* ---- distribution.c ------------------------------------------------------------------------------------------ */

/* Brings all elements through the channels to the outputs, in the order of their keys. */
mcl_status mcl__distribute(mcl__host_call *call);

/* ---- checks.c ------------------------------------------------------------------------------------------------ */

/* An operand in host memory, as sentences name it. */
typedef struct mcl__host_memory {
    const char *name;
    const void *data;
    size_t bytes;
} mcl__host_memory;

mcl_status mcl__host_check_room(const mcl_host_room *room);
mcl_status mcl__host_check_count(const char *name, int64_t count);
mcl_status mcl__host_check_type(const char *name, const mcl_type *type);
/* Checks that an array of count elements is there. */
mcl_status mcl__host_check_array(const char *name, const void *data, int64_t count);
/* Checks that neither outputs nor scratch lie on anything else. in_place: each output may be the input of its index. */
mcl_status mcl__host_check_memory(const mcl_host_room *room, const mcl__host_memory *inputs, int input_count,
                                  const mcl__host_memory *outputs, int output_count, int in_place);

/* Opens channels, takes scratch where it is needed, distributes, and gives all memory back. */
mcl_status mcl__host_run(mcl__host_call *call);

#endif
