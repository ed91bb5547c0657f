/* group_by_call.h: what the ways of grouping share (group_by.c, group_by_sorted.c). */
#ifndef MODERNCL_GROUP_BY_CALL_H
#define MODERNCL_GROUP_BY_CALL_H

#include "call/run.h"

#include "moderncl/group_by.h"

/* Operands of a call, and of each aggregate. */
enum { MCL__GROUP_KEYS = 1, MCL__GROUP_OUT_KEYS, MCL__GROUP_COUNT };
enum {
    MCL__GROUPED_VALUES = 1,
    MCL__GROUPED_OP,
    MCL__GROUPED_OUT,
    MCL__GROUPED_KEYS, /* of the call */
    MCL__GROUPED_COUNT
};

enum { MCL__GROUP_NAME_BYTES = 40 };

/* An aggregate is a run of its own. */
typedef struct mcl__grouped {
    mcl__run run;
    mcl_aggregate given;
    char names[3][MCL__GROUP_NAME_BYTES];
    const char *said[MCL__GROUPED_COUNT + 1];
} mcl__grouped;

typedef struct mcl__group_call {
    mcl__run *run;
    mcl__grouped *parts;
    int part_count;
} mcl__group_call;

/* Bytes of a key, at most. */
enum { MCL__GROUP_KEY_BYTES = 16 };

/* group_by_sorted.c: a checked call. */
mcl_status mcl__group_sorted(const mcl__group_call *call);

#endif
