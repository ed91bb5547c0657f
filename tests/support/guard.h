/* guard.h: device arrays that lie between guard zones, and the checks that nothing else was written. */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include "cases/elements.h"

enum { GUARD_ELEMENTS = 24 }; /* on either side; the one after also serves as room for bounds above a count */

typedef struct guarded {
    const element *kind;
    mcl_buffer *buffer;
    int64_t first; /* element of the buffer where the array begins; never 0 */
    int64_t count;
    size_t bytes;
    unsigned char *content; /* the whole buffer as it was made */
} guarded;

/* data NULL: the array, like the guard zones, is filled with a pattern. shift varies where it begins. */
void guarded_create(mcl_context *context, const element *kind, int64_t count, const unsigned char *data, int shift,
                    guarded *out);
void guarded_free(guarded *array);

/* The first written elements equal expected and all else is as it was made. what: for the message. */
void guarded_expect(mcl_queue *queue, const guarded *array, const unsigned char *expected, int64_t written,
                    const char *what);
/* Nothing was written. */
void guarded_unchanged(mcl_queue *queue, const guarded *array, const char *what);

/* Equal elements; the message has the first difference. */
void test_same_elements(const element *kind, const unsigned char *got, const unsigned char *expected, int64_t count,
                        const char *what);

#endif
