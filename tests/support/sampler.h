/* sampler.h: one small call of every primitive, for tests of properties that all calls share. */
#ifndef TEST_SAMPLER_H
#define TEST_SAMPLER_H

#include "sampler_data.h"

typedef struct sampler_entry {
    const char *name;
    sampler_call call;
    int memory; /* 0, or the memory that the call takes besides the caller's scratch */
} sampler_entry;

extern const sampler_entry sampler_entries[];
extern const int sampler_entry_count;

/* Makes the operands. It may fail with MCL_ERROR_MEMORY; then nothing stays allocated. */
mcl_status sampler_create(mcl_context *context, sampler *out);
void sampler_free(sampler *s);

#endif
