/* append.h: lists that tiles fill in any order (cl/pieces/tile/append_group.clh). */
#ifndef MODERNCL_APPEND_H
#define MODERNCL_APPEND_H

#include "call/call.h"

/* A launch tests at most this many elements, so the list's 32-bit cursor cannot overflow. */
enum { MCL__APPEND_PART = 1 << 30 };

/* Tells the program's text which mcl_append is the fastest on the device. */
void mcl__append_define(mcl__call *call);
/* Returns the work-group memory that a kernel with an appended list needs. */
mcl__tile_need mcl__append_need(size_t element_bytes);

/* Chooses the tile and gets the program of a kernel that appends. The mcl_append is taken from the options; without one
 * it is the fastest on the device. element_bytes: bytes of an element that is tested or moved. count: number of
 * elements; it decides the bits of indices. */
mcl_status mcl__append_program(mcl__call *call, size_t element_bytes, int64_t count);

#endif
