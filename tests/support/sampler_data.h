/* sampler_data.h: the operands of the sampler's calls. */
#ifndef TEST_SAMPLER_DATA_H
#define TEST_SAMPLER_DATA_H

#include "devices.h"

enum { SAMPLER_COUNT = 3000 };

/* The operands of the calls, which are made once for a context. */
typedef struct sampler {
    mcl_context *context;
    mcl_buffer *sorted;     /* SAMPLER_COUNT int32, in ascending order */
    mcl_buffer *output;     /* 2 * SAMPLER_COUNT int32 */
    mcl_buffer *values;     /* 2 * SAMPLER_COUNT int32 */
    mcl_buffer *slots;      /* int64 slots: 0 has SAMPLER_COUNT, and results go to 1 to 3 */
    mcl_map *map;           /* map of int32 to int32, with room for SAMPLER_COUNT entries */
    mcl_multimap *multimap; /* the same */
} sampler;

typedef mcl_status (*sampler_call)(sampler *s, mcl_queue *queue, const mcl_options *options);

enum {
    SAMPLER_ALLOCATES = 1,   /* each call takes memory from the context's allocator */
    SAMPLER_OWN_SCRATCH = 2, /* the call takes the queue's scratch besides the caller's */
    /* the call takes less scratch than a preparing queue says, which plans for any state of a map */
    SAMPLER_TAKES_LESS = 4
};

/* Return operands: all numbers in ascending order, and outputs with room for count int32. */
static inline mcl_input sorted(const sampler *s)
{
    return mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
}

static inline mcl_output to(mcl_buffer *buffer, int64_t count)
{
    return mcl_to_buffer(MCL_INT32, buffer, 0, count);
}

#endif
