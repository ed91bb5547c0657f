/* rows.h: rows of tuning inside src/tuning: what a file holds, and the limits of what it may say. */
#ifndef MODERNCL_TUNING_ROWS_H
#define MODERNCL_TUNING_ROWS_H

#include "tuning/tuning.h"

enum {
    MCL__ANY_BYTES = INT32_MAX,
    MCL__GROUP_ITEMS_MAX = 31, /* decisions of a work-item's elements are bits of a 32-bit word */
    MCL__SERIAL_ITEMS_MAX = 1 << 24,
    MCL__QUOTED_BYTES = 64 /* a device, a user's operation, a parameter's name */
};

typedef struct mcl__row {
    int operation;
    char device[MCL__QUOTED_BYTES];
    int element_bytes; /* up to */
    mcl__tile tile;
} mcl__row;

/* A row for a user's kernel. Pointers in row lead to the texts beside it. */
typedef struct mcl__kernel_row {
    char operation[MCL__QUOTED_BYTES];
    char device[MCL__QUOTED_BYTES];
    char names[MCL_PARAMETERS_MAX][MCL__QUOTED_BYTES];
    mcl_tile_row row;
} mcl__kernel_row;

/* A parameter's name and what its value may be. */
typedef struct mcl__parameter_range {
    int operation;
    const char *name;
    int least;
    int most;
} mcl__parameter_range;

struct mcl__tuning {
    mcl__row *rows;
    size_t count;
    mcl__kernel_row *kernel_rows;
    size_t kernel_row_count;
    int parameters[MCL__PARAMETER_COUNT]; /* of one device: the file's values, then the built-in ones */
    mcl__tuning *older;                   /* the rows before, which calls in other threads may still read */
};

/* parameters.c */
extern const mcl__parameter_range mcl__parameter_ranges[MCL__PARAMETER_COUNT];
void mcl__parameters_start(const mcl__limits *limits, int *values); /* the built-in values */

#endif
