/* golden_run.h: one test of known results: a device, a tile, a file of numbers and the buffers made of them. */
#ifndef TEST_GOLDEN_RUN_H
#define TEST_GOLDEN_RUN_H

#include "golden_check.h"
#include "support/devices.h"

enum { RUN_TILES = 3, RUN_BUFFERS = 16, RUN_NUMBERS = 512 };

typedef struct run {
    mcl_context *context;
    mcl_queue *queue;
    mcl_options options;
    golden file;
    mcl_buffer *buffers[RUN_BUFFERS]; /* buffers that run_end releases */
    int buffer_count;
} run;

/* Begins a round of a loop test, which has RUN_TILES rounds for each device. Their tiles are the library's choice, a
 * small work-group, and one work-item. */
run run_begin(int round, const char *name);
void run_end(run *at);

/* Makes a buffer of count numbers of 32 bits. data may be NULL. */
mcl_buffer *run_buffer(run *at, const void *data, int count);
/* Copies a section's numbers to the device, and returns them as an input. */
mcl_input run_input(run *at, const char *label);
mcl_output run_output(run *at, int count);
void run_read(run *at, mcl_output from, int count, int32_t *numbers);
/* Checks that the output, over its whole capacity, holds the section's numbers. */
void run_expect(run *at, const char *label, mcl_output out);

#endif
