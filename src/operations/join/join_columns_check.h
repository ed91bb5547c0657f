/* join_columns_check.h: the columns of a join's sides, their parts, and their checks. */
#ifndef MODERNCL_JOIN_COLUMNS_CHECK_H
#define MODERNCL_JOIN_COLUMNS_CHECK_H

#include "operations/join/join.h"

enum { OUT_KEYS = OTHERS }; /* an operand of the call, in addition to those of join.h */
enum { WIDTH = 4 };         /* the most columns of a part, which one launch fetches */
enum { RECORD_BYTES = 8, NAME_BYTES = 40, TERM_BYTES = 64 };

/* ---- the columns of a side --------------------------------------------------------------------------------------- */

/* Operands of a part, for its check. The first and the last belong to the call. */
enum { KEYS = 1, VALUES, OUT = VALUES + WIDTH, PART_COUNT = OUT + WIDTH, PART_OPERANDS };

typedef struct mcl__column_part {
    mcl__call call; /* call that checks the operands of the part */
    mcl_join_column columns[WIDTH];
    mcl_buffer *copies[WIDTH]; /* the columns, in the order of the sorted keys */
    int shifts[WIDTH];         /* bit of a record at which each column begins */
    char names[2 * WIDTH][NAME_BYTES];
    const char *label[PART_OPERANDS];
} mcl__column_part;

/* The ways in which a side's columns get to the rows. */
typedef enum mcl__column_way {
    NOWHERE,  /* no column is fetched */
    CARRIED,  /* the sort moves the columns together with the keys */
    COPIED,   /* the columns are copied in the order of the sorted keys */
    FOLLOWED, /* each row finds its element in the caller's array through the sort's order */
    DIRECT    /* rows have the caller's indices, in a join by a hash table */
} mcl__column_way;

typedef struct mcl__column_side {
    const char *name, *keys_name;
    const mcl_join_column *given;
    int given_count, part_count;
    mcl__column_part *parts;
    mcl__join_side *sorted;
    mcl__column_way way;
    int has_record;  /* 1 if several CARRIED columns are packed into one number */
    int wants_rows;  /* 1 if columns or out_keys need the side's rows */
    mcl_output rows; /* index of a sorted key for each row, or of a key of the caller's (DIRECT) */
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

/* Returns the type in which a column is moved. Numbers are moved as integers, so that no conversion changes their
 * bits. */
static inline const mcl_type *mcl__column_moved(const mcl_type *type)
{
    static const mcl_type *const by_size[] = { [1] = MCL_UINT8, [2] = MCL_UINT16, [4] = MCL_UINT32, [8] = MCL_UINT64 };
    return type->kind == MCL_KIND_STRUCT ? type : by_size[type->size];
}

/* Return part k of both sides' parts, and the number of these parts. */
static inline mcl__column_part *mcl__column_part_at(const mcl__columns_plan *plan, int k)
{
    return k < plan->a.part_count ? &plan->a.parts[k] : &plan->b.parts[k - plan->a.part_count];
}
static inline int mcl__column_parts(const mcl__columns_plan *plan)
{
    return plan->a.part_count + plan->b.part_count;
}

/* join_columns_check.c. mcl__columns_check makes the parts of both sides and checks all operands.
 * mcl__columns_check_counted checks after the call that the outputs had room for all rows, if the host knows their
 * count. */
mcl_status mcl__columns_check(mcl__columns_plan *plan);
mcl_status mcl__columns_check_counted(const mcl__columns_plan *plan);

#endif
