/* sampler.h: one small call of every primitive, for tests of what all calls have in common. */
#ifndef TEST_SAMPLER_H
#define TEST_SAMPLER_H

#include "sampler_data.h"

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
