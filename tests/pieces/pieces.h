/* pieces.h: what the tests of the device library share: one kernel on one device, with its buffers. */
#ifndef TEST_PIECES_H
#define TEST_PIECES_H

#include "cases/elements.h"
#include "piece_kernels.h"
#include "support/devices.h"

/* Tiles, by which the tests have room: the largest problem is four and a half of them. */
enum { PIECES_BUFFERS = 24, PIECES_TILE_MAX = 350, PIECES_THREADS_MAX = 64 };

typedef struct pieces {
    test_device *device;
    mcl_kernel kernel;
    mcl_options options;
    mcl_tile tile;
    int size; /* of a tile */
    int serial;
    mcl_buffer *buffers[PIECES_BUFFERS]; /* released at the end */
    int buffer_count;
} pieces;

/* round: of a loop test with two rounds a device: the group mapping, then the serial one. */
pieces pieces_begin(int round, piece_text text);
void pieces_end(pieces *at);

/* 1, and says so, where the device's compiler takes minutes for what sorts, merges or searches: those pieces are run
 * there by the primitives' suites, and by this one with MCL_TEST_FULL=1. */
int pieces_skip(int round, const char *what);

/* A buffer of count numbers of 32 bits; data NULL: all of them are -7. */
mcl_buffer *pieces_buffer(pieces *at, const void *data, int64_t count);
/* The same as an input and as an output. */
mcl_input pieces_input(pieces *at, const void *data, int64_t count);
mcl_output pieces_output(pieces *at, int64_t count);
void pieces_read(pieces *at, mcl_buffer *buffer, void *data, int64_t count);

/* Enqueues one pass. launch: a pass, its groups and arguments. */
void pieces_run(pieces *at, mcl_launch launch);

/* Equal numbers; what is for the message. */
void pieces_same(const int32_t *got, const int32_t *expected, int64_t count, const char *what, int64_t size);

/* Sizes of problems: one, a tile less one, a tile, and so on, ending in 0. */
int64_t pieces_size(const pieces *at, int number);

void pieces_add_searches(TCase *tcase, int device);
void pieces_add_sorts(TCase *tcase, int device);

#endif
