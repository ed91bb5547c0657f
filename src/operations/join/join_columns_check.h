/* join_columns_check.h: the columns of a join's sides, their parts, and their checks. */
#ifndef MODERNCL_JOIN_COLUMNS_CHECK_H
#define MODERNCL_JOIN_COLUMNS_CHECK_H

#include "operations/join/join.h"

enum { OUT_KEYS = OTHERS }; /* an operand of the call, besides those of join.h */
enum { WIDTH = 4 };         /* columns of a part, which one launch fetches */
enum { RECORD_BYTES = 8, NAME_BYTES = 40, TERM_BYTES = 64 };

/* ---- the columns of a side --------------------------------------------------------------------------------------- */

/* Operands of the check of a part. The first and the last are those of the call. */
enum { KEYS = 1, VALUES, OUT = VALUES + WIDTH, PART_COUNT = OUT + WIDTH, PART_OPERANDS };

typedef struct mcl__column_part {
    mcl__call call; /* of the checks */
    mcl_join_column columns[WIDTH];
    mcl_buffer *copies[WIDTH]; /* in the order of the sorted keys */
    int shifts[WIDTH];         /* the bit at which a record has a column */
    char names[2 * WIDTH][NAME_BYTES];
    const char *label[PART_OPERANDS];
} mcl__column_part;

/* The way of a side's columns to their rows. */
typedef enum mcl__column_way {
    NOWHERE, /* there are none */
    CARRIED, /* the sort moves them with the keys */
    COPIED,  /* they are copied in the order of the sorted keys */
    FOLLOWED /* each row follows the order to the caller's array */
} mcl__column_way;

typedef struct mcl__column_side {
    const char *name, *keys_name;
    const mcl_join_column *given;
    int given_count, part_count;
    mcl__column_part *parts;
    mcl__join_side *sorted;
    mcl__column_way way;
    int has_record;  /* CARRIED: several columns as one number */
    int wants_rows;  /* for columns, or for out_keys */
    mcl_output rows; /* of the sorted keys */
    char text[RECORD_BYTES * TERM_BYTES];
} mcl__column_side;

typedef struct mcl__columns_plan {
    mcl__call call;
    mcl__join_sorts sorts;
    mcl__column_side a, b;
    mcl_output keys;
} mcl__columns_plan;

static inline int mcl__column_is_wanted(const mcl__column_part *of, int k)
{
    return of->call.operands[OUT + k].output && !mcl__is_left_out(of->call.operands[OUT + k].output);
}

/* A number goes by its bits, which no conversion may change. */
static inline const mcl_type *mcl__column_moved(const mcl_type *type)
{
    static const mcl_type *const by_size[] = { [1] = MCL_UINT8, [2] = MCL_UINT16, [4] = MCL_UINT32, [8] = MCL_UINT64 };
    return type->kind == MCL_KIND_STRUCT ? type : by_size[type->size];
}

/* Returns part k of a call, of both sides; and how many they are. */
static inline mcl__column_part *mcl__column_part_at(const mcl__columns_plan *plan, int k)
{
    return k < plan->a.part_count ? &plan->a.parts[k] : &plan->b.parts[k - plan->a.part_count];
}
static inline int mcl__column_parts(const mcl__columns_plan *plan)
{
    return plan->a.part_count + plan->b.part_count;
}

/* join_columns_check.c: makes the parts of both sides and checks all operands; after the call: checks that the outputs
 * had room for the rows that the host was told of. */
mcl_status mcl__columns_check(mcl__columns_plan *plan);
mcl_status mcl__columns_check_counted(const mcl__columns_plan *plan);

#endif
