/* host_call.h: a call on arrays in host memory, which pass through devices in chunks. The files of this folder use only
 * the library's public calls. There are two passes. In the first, chunks are sorted, and cut at splitters. In the
 * second, each bucket of keys between two cuts is fetched from all chunks and sorted separately. */
#ifndef MODERNCL_HOST_CALL_H
#define MODERNCL_HOST_CALL_H

#include "base/base.h"

#include "moderncl/host_data.h"
#include "moderncl/sort.h"
#include "moderncl/sorted_search.h"

enum { MCL__HOST_COLUMNS_MAX = 18, MCL__HOST_CHANNELS_A_DEVICE = 3 };

/* The source and the target of a job's elements. The source is the caller's inputs, or scratch, where elements stay
 * between passes. The target is scratch, or the caller's outputs. */
typedef enum mcl__stage {
    MCL__STAGE_WHOLE, /* from inputs to outputs: all elements fit */
    MCL__STAGE_FIRST, /* from inputs to scratch */
    MCL__STAGE_AGAIN, /* from scratch to scratch: a bucket larger than a chunk is cut again */
    MCL__STAGE_LAST,  /* from scratch to outputs */
    MCL__STAGES
} mcl__stage;

/* Columns of equal length in host memory. The first column has the keys. A column without a type is absent. */
typedef struct mcl__host_columns {
    const mcl_type *types[MCL__HOST_COLUMNS_MAX];
    unsigned char *data[MCL__HOST_COLUMNS_MAX];
} mcl__host_columns;

/* A range of neighbouring elements in scratch or in the inputs. */
typedef struct mcl__range {
    int64_t begin, count;
} mcl__range;

/* One transfer of elements through a channel, with the work on them. */
typedef struct mcl__host_job {
    mcl__stage stage;
    const mcl__range *ranges; /* source of the elements; in stages to scratch also their target */
    int64_t range_count;
    int64_t count;
    int is_copied;  /* 1 if the elements are only copied, since their keys are equal and so in order */
    int64_t *cuts;  /* receives the indices at which splitters cut the sorted elements: all lower bounds, then all upper
                     * bounds; NULL: no cuts */
    int64_t *found; /* receives the number of elements after the work, or NULL */
} mcl__host_job;

/* A queue with memory for one job at a time. */
typedef struct mcl__channel {
    mcl_queue *queue;
    mcl_buffer *from[MCL__HOST_COLUMNS_MAX], *to[MCL__HOST_COLUMNS_MAX]; /* equal buffers in calls that work in place */
    mcl_buffer *splitters, *cuts, *found;
    int64_t capacity; /* number of elements with room in the buffers */
    size_t scratch_bytes;
    int is_busy;
    mcl__host_job job;   /* present job; its ranges must stay valid while it begins (to scratch: until its end) */
    int64_t first_count; /* number of the job's elements that are on a join's first side */
} mcl__channel;

typedef struct mcl__host_call mcl__host_call;

/* Enqueues the work on count elements in the channel's from. The work stores results in the channel's to, in the order
 * of their keys. */
typedef mcl_status mcl__host_work(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage,
                                  int64_t count);

/* Stores the results of a channel's job in the outputs, where the channel has no room for all results. */
typedef mcl_status mcl__host_large(mcl__host_call *call, const mcl__channel *channel, int64_t result_count);

/* Brings elements of equal keys from scratch to the outputs, where they are too many for a channel. No job is at work
 * then. */
typedef mcl_status mcl__host_equal(mcl__host_call *call, const mcl__range *ranges, int64_t range_count);

struct mcl__host_call {
    const mcl_host_room *room;
    const mcl_op *before; /* order of the keys */
    mcl__host_work *work;
    int column_count;
    int folds;              /* 1 if work makes fewer elements, with their number in found; 0 if work is in place */
    mcl__host_large *large; /* function for joins, whose last work stores its own number of results in found; else
                             * NULL */
    mcl__host_equal *equal; /* handles too many equal keys; NULL: they are copied */
    int64_t count;
    mcl__host_columns in, kept, out;
    const unsigned char *second; /* keys of a join's second side, from index second_begin on; no chunk has both sides */
    int64_t second_begin;        /* index of the second side's first key; count in calls without a second side */
    void *own_scratch;           /* scratch that the call has allocated, or NULL */
    int64_t out_capacity, out_count;

    mcl__channel *channels; /* the channels; neighbouring ones belong to different devices */
    int channel_count, next_channel;
    int64_t capacity;       /* the least capacity of the channels */
    int64_t splitters_most; /* number of splitters that every channel has room for */
    int splitter_count;
};

/* ---- channels.c ---------------------------------------------------------------------------------------------- */

/* Gives each device its channels. If one channel has room for all elements, there is only that channel. */
mcl_status mcl__channels_open(mcl__host_call *call);
/* Waits for the running jobs, drops their results, and frees all memory. A second call does nothing. */
void mcl__channels_close(mcl__host_call *call);

/* Enqueues a job on the next channel, after the results of that channel's last job have been copied out. Jobs end in
 * the order in which they were given. */
mcl_status mcl__channels_give(mcl__host_call *call, const mcl__host_job *job);
/* Ends all jobs, and waits until their results are in host memory. */
mcl_status mcl__channels_wait(mcl__host_call *call);

/* Returns the address of element index of a column. */
unsigned char *mcl__host_element(const mcl__host_call *call, const mcl__host_columns *columns, int c, int64_t index);

/* ---- distribution.c ------------------------------------------------------------------------------------------ */

/* Brings all elements through the channels to the outputs, in the order of their keys. */
mcl_status mcl__distribute(mcl__host_call *call);

/* ---- checks.c ------------------------------------------------------------------------------------------------ */

/* An operand in host memory, with its name in error sentences. */
typedef struct mcl__host_memory {
    const char *name;
    const void *data;
    size_t bytes;
} mcl__host_memory;

mcl_status mcl__host_check_room(const mcl_host_room *room);
mcl_status mcl__host_check_count(const char *name, int64_t count);
mcl_status mcl__host_check_type(const char *name, const mcl_type *type);
/* Checks that an array of count elements is not NULL, unless count is 0. */
mcl_status mcl__host_check_array(const char *name, const void *data, int64_t count);
/* Checks that outputs and scratch overlap neither each other nor an input. With in_place, output k may be exactly input
 * k. */
mcl_status mcl__host_check_memory(const mcl_host_room *room, const mcl__host_memory *inputs, int input_count,
                                  const mcl__host_memory *outputs, int output_count, int in_place);

/* Opens channels, takes scratch if it is needed, distributes, and frees all memory. */
mcl_status mcl__host_run(mcl__host_call *call);

#endif
