/* guard.h: device arrays that lie between guard zones, and checks that nothing else was written. */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include "cases/elements.h"

/* elements of a guard zone on either side; the zone after the array also gives room for bounds above a count */
enum { GUARD_ELEMENTS = 24 };

typedef struct guarded {
    const element *kind;
    mcl_buffer *buffer;
    int64_t first; /* index in the buffer where the array begins, never 0 */
    int64_t count;
    size_t bytes;
    unsigned char *content; /* content of the whole buffer as it was made */
} guarded;

/* Makes an array. Where data is NULL, the array is filled with a pattern, like the guard zones. shift varies the index
 * where the array begins. */
void guarded_create(mcl_context *context, const element *kind, int64_t count, const unsigned char *data, int shift,
                    guarded *out);
/* Makes an array that ends where its buffer ends, so that tools see loads past it. */
void guarded_create_last(mcl_context *context, const element *kind, int64_t count, const unsigned char *data, int shift,
                         guarded *out);
void guarded_free(guarded *array);

/* Checks that the first written elements equal expected, and that all others are as they were made. what: a text for
 * the message. */
void guarded_expect(mcl_queue *queue, const guarded *array, const unsigned char *expected, int64_t written,
                    const char *what);
/* Checks that nothing was written to the array or its guard zones. */
void guarded_unchanged(mcl_queue *queue, const guarded *array, const char *what);

/* Checks that the queue's slots are zero, as each call leaves them for the next one. */
void test_slots_are_zero(mcl_queue *queue, const char *what);

/* Checks that elements are equal. The message names the first difference. */
void test_same_elements(const element *kind, const unsigned char *got, const unsigned char *expected, int64_t count,
                        const char *what);

#endif
