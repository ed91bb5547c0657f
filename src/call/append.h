/* append.h: lists that tiles fill in any order (cl/pieces/append_group.clh). */
#ifndef MODERNCL_APPEND_H
#define MODERNCL_APPEND_H

#include "call/call.h"

/* A launch tests at most this many elements, so that 32 bits hold its cursor. */
enum { MCL__APPEND_PART = 1 << 30 };

typedef struct mcl__append {
    int way;   /* APPEND_WAY */
    int width; /* APPEND_WIDTH */
} mcl__append;

/* What the options ask for, or what is fastest on the device. */
mcl_status mcl__append_choose(const char *function, const mcl_context *context, const mcl_options *options,
                              mcl__append *out);

/* The tile for elements of element_bytes, with the work-group memory that the way takes. */
mcl__tile mcl__append_tile(const mcl_context *context, size_t element_bytes, const mcl_options *options);

#endif
