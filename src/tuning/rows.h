/* rows.h: rows of tuning files inside src/tuning: their content, and the limits of their numbers and texts. */
#ifndef MODERNCL_TUNING_ROWS_H
#define MODERNCL_TUNING_ROWS_H

#include "tuning/tuning.h"

enum {
    MCL__ANY_BYTES = INT32_MAX,
    MCL__GROUP_ITEMS_MAX = 31, /* the kernels' 32-bit masks have a bit for each element of a work-item */
    MCL__SERIAL_ITEMS_MAX = 1 << 24,
    MCL__QUOTED_BYTES = 64 /* room for the name of a device, a user's operation or a parameter, in bytes */
};

typedef struct mcl__row {
    int operation;
    char device[MCL__QUOTED_BYTES];
    int element_bytes; /* size of the largest element that the row is for */
    mcl__tile tile;
} mcl__row;

/* A row for a user's kernel. The pointers in member row point into the struct's other members. */
typedef struct mcl__kernel_row {
    char operation[MCL__QUOTED_BYTES];
    char device[MCL__QUOTED_BYTES];
    char names[MCL_PARAMETERS_MAX][MCL__QUOTED_BYTES];
    mcl_tile_row row;
} mcl__kernel_row;

/* A parameter's name and the range of its value. */
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
    int parameters[MCL__PARAMETER_COUNT]; /* values for one device: from the file, else built-in */
    mcl__tuning *older;                   /* earlier rows, which calls in other threads may still read */
};

/* parameters.c */
extern const mcl__parameter_range mcl__parameter_ranges[MCL__PARAMETER_COUNT];
void mcl__parameters_start(const mcl__limits *limits, int *values); /* sets the built-in values */

#endif
