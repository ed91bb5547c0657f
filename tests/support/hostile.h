/* hostile.h: calls with data and operators that break every precondition, between canaries.
 *
 * What such a call must keep: it ends, its status is MCL_OK, and it writes nothing but its outputs and its scratch. So
 * each call runs in scratch of exactly the bytes that it asked for, with canaries on either side, and under an alarm
 * that ends the program. */
#ifndef TEST_HOSTILE_H
#define TEST_HOSTILE_H

#include "devices.h"

/* An array of count elements between canaries. */
typedef struct hostile_array {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t first; /* element of the buffer where the array begins */
    int64_t count;
    size_t bytes; /* of the whole buffer */
} hostile_array;

hostile_array hostile_array_of(int device, const mcl_type *type, const void *data, int64_t count);
hostile_array hostile_array_empty(int device, const mcl_type *type, int64_t count); /* filled with a pattern */
mcl_input hostile_input(const hostile_array *array);
mcl_output hostile_output(const hostile_array *array);
/* Reads the array and checks the canaries; data NULL: only these. */
void hostile_read(int device, const hostile_array *array, void *data, const char *what);
void hostile_free(hostile_array *array);

/* What a test of hostile data takes turns in. */
typedef struct hostile_turn {
    int device;
    mcl_options options; /* a tile, and wide indices at times */
    const char *what;    /* for messages */
} hostile_turn;
typedef mcl_status (*hostile_call)(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                   const mcl_options *options);

/* Tiles, the serial mapping and the group mapping by turns: small ones, large ones, none of whole sub-groups. */
mcl_options hostile_options(int number);

/* Makes the call as said above. */
void hostile_run(const hostile_turn *turn, hostile_call call, const void *operands);

/* count numbers of kind number: small ones, two that alternate, falling ones, extremes. */
enum { HOSTILE_KINDS = 5 };
void hostile_ints(int32_t *out, int64_t count, int kind);

#endif
