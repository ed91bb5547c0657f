/* hostile.h: calls with data and operators that break every precondition, between canaries.
 *
 * Such a call must end with status MCL_OK, and write nothing but its outputs and its scratch. So each call runs in
 * scratch of exactly the bytes that it asked for, with canaries on either side, and under an alarm that ends the
 * program. */
#ifndef TEST_HOSTILE_H
#define TEST_HOSTILE_H

#include "devices.h"

/* An array of count elements between canaries. */
typedef struct hostile_array {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t first; /* index in the buffer where the array begins */
    int64_t count;
    size_t bytes; /* bytes of the whole buffer */
} hostile_array;

hostile_array hostile_array_of(int device, const mcl_type *type, const void *data, int64_t count);
/* makes an array that is filled with a pattern */
hostile_array hostile_array_empty(int device, const mcl_type *type, int64_t count);
mcl_input hostile_input(const hostile_array *array);
mcl_output hostile_output(const hostile_array *array);
/* Reads the array and checks the canaries. Where data is NULL it checks the canaries alone. */
void hostile_read(int device, const hostile_array *array, void *data, const char *what);
void hostile_free(hostile_array *array);

/* The state of a test of hostile data, which makes many turns. */
typedef struct hostile_turn {
    int device;
    mcl_options options; /* a tile, and in some turns wide indices */
    const char *what;    /* for messages */
} hostile_turn;
typedef mcl_status (*hostile_call)(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                   const mcl_options *options);

/* Returns options with a tile. Tiles alternate between the serial and the group mapping: small ones, large ones, some
 * that are not whole sub-groups. */
mcl_options hostile_options(int number);

/* Makes the call in its own scratch, between canaries and under the alarm. */
void hostile_run(const hostile_turn *turn, hostile_call call, const void *operands);

/* Makes count numbers of one of HOSTILE_KINDS kinds: small ones, two that alternate, falling ones, extremes. */
enum { HOSTILE_KINDS = 5 };
void hostile_ints(int32_t *out, int64_t count, int kind);

#endif
