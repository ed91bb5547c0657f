/* sampler_data.h: what the sampler's calls work on. */
#ifndef TEST_SAMPLER_DATA_H
#define TEST_SAMPLER_DATA_H

#include "devices.h"

enum { SAMPLER_COUNT = 3000 };

/* What the calls work on: made once for a context. */
typedef struct sampler {
    mcl_context *context;
    mcl_buffer *sorted;     /* SAMPLER_COUNT int32, ascending */
    mcl_buffer *output;     /* 2 * SAMPLER_COUNT int32 */
    mcl_buffer *values;     /* 2 * SAMPLER_COUNT int32 */
    mcl_buffer *slots;      /* int64: 0: SAMPLER_COUNT; 1 to 3: results go here */
    mcl_map *map;           /* int32 to int32, with room for SAMPLER_COUNT */
    mcl_multimap *multimap; /* the same */
} sampler;

typedef mcl_status (*sampler_call)(sampler *s, mcl_queue *queue, const mcl_options *options);

enum {
    SAMPLER_ALLOCATES = 1,   /* memory of the context's allocator, each time */
    SAMPLER_OWN_SCRATCH = 2, /* the queue's scratch besides the caller's */
    SAMPLER_TAKES_LESS = 4   /* less scratch than a preparing queue says: that one plans for any state of a map */
};

/* Operands: all numbers, ascending, and room for count int32. */
static inline mcl_input sorted(const sampler *s)
{
    return mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
}

static inline mcl_output to(mcl_buffer *buffer, int64_t count)
{
    return mcl_to_buffer(MCL_INT32, buffer, 0, count);
}

#endif
