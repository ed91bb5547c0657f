/* sampler.h: one small call of every primitive, for tests of what all calls have in common. */
#ifndef TEST_SAMPLER_H
#define TEST_SAMPLER_H

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
    SAMPLER_TAKES_LESS = 4   /* less scratch than a preparing queue says: that one does not ask the device */
};

typedef struct sampler_entry {
    const char *name;
    sampler_call call;
    int memory; /* 0, or what the call takes besides scratch that the caller may give */
} sampler_entry;

extern const sampler_entry sampler_entries[];
extern const int sampler_entry_count;

/* May fail with MCL_ERROR_MEMORY, where nothing stays allocated. */
mcl_status sampler_create(mcl_context *context, sampler *out);
void sampler_free(sampler *s);

#endif
