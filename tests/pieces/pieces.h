/* pieces.h: the shared parts of tests of the device library: runs one kernel on one device, with its buffers. */
#ifndef TEST_PIECES_H
#define TEST_PIECES_H

#include "cases/elements.h"
#include "piece_kernels.h"
#include "support/devices.h"

/* Sizes for which the tests have room. The largest problem has four and a half tiles. */
enum { PIECES_BUFFERS = 24, PIECES_TILE_MAX = 350, PIECES_THREADS_MAX = 64 };

typedef struct pieces {
    test_device *device;
    mcl_kernel kernel;
    mcl_options options;
    mcl_tile tile;
    int size; /* elements of a tile */
    int serial;
    mcl_buffer *buffers[PIECES_BUFFERS]; /* buffers that pieces_end releases */
    int buffer_count;
} pieces;

/* Begins a round of a loop test with two rounds for each device: the group mapping, then the serial mapping. */
pieces pieces_begin(int round, piece_text text);
void pieces_end(pieces *at);

/* Returns 1, after a line that says so, where the device's compiler takes minutes for pieces that sort, merge or
 * search. There the primitives' suites test these pieces, and with MCL_TEST_FULL=1 this suite too. */
int pieces_skip(int round, const char *what);

/* Makes a buffer of count numbers of 32 bits. With data NULL all of them are -7. */
mcl_buffer *pieces_buffer(pieces *at, const void *data, int64_t count);
/* Make such a buffer, and return it as an input or as an output. */
mcl_input pieces_input(pieces *at, const void *data, int64_t count);
mcl_output pieces_output(pieces *at, int64_t count);
void pieces_read(pieces *at, mcl_buffer *buffer, void *data, int64_t count);

/* Enqueues one pass. launch: the pass, its number of groups and its arguments. */
void pieces_run(pieces *at, mcl_launch launch);

/* Checks that numbers are equal. what: a text for the message. */
void pieces_same(const int32_t *got, const int32_t *expected, int64_t count, const char *what, int64_t size);

/* Returns sizes of problems: one element, a tile less one, a tile, and so on. The last size is 0. */
int64_t pieces_size(const pieces *at, int number);

void pieces_add_searches(TCase *tcase, int device);
void pieces_add_sorts(TCase *tcase, int device);

#endif
