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
    mcl_buffer *buffers[RUN_BUFFERS]; /* released at the end */
    int buffer_count;
} run;

/* round: of a loop test with RUN_TILES rounds a device: the tile that the library chooses, a small work-group, and one
 * work-item. */
run run_begin(int round, const char *name);
void run_end(run *at);

/* count numbers of 32 bits; data may be NULL. */
mcl_buffer *run_buffer(run *at, const void *data, int count);
/* A section's numbers on the device. */
mcl_input run_input(run *at, const char *label);
mcl_output run_output(run *at, int count);
void run_read(run *at, mcl_output from, int count, int32_t *numbers);
/* The output, over its whole capacity, holds the section's numbers. */
void run_expect(run *at, const char *label, mcl_output out);

#endif
