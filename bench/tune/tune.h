/* tune.h: the parts of moderncl-tune and what they share.
 *
 * A unit is what one row of tuning is for: an operation at one element size. The rows of the bench that use this row
 * measure the unit. main.c goes through the units. search.c tries tiles, each as a row of a file that the library
 * loads. choices.c times the ways that calls can be told to take. parameter.c tries values of a parameter, chart.c
 * draws, and unknown.c compares a device with one without rows. */
#ifndef TUNE_H
#define TUNE_H

#include "bench.h"

enum { TUNE_CASES_MAX = 12, TUNE_UNITS_MAX = 256, TUNE_TILES_MAX = 256, TUNE_NOTES_MAX = 1024 };
enum { TUNE_MESSAGE_BYTES = 600, TUNE_VALUES_MAX = 32 };

typedef enum tune_effort { TUNE_QUICK, TUNE_USUAL, TUNE_FULL } tune_effort;

typedef struct tune_options {
    const char *device;
    const char *output; /* name of the output file; NULL: standard output alone */
    const char *chart;  /* name of the chart's file; NULL: none */
    const char *operations[BENCH_LIST_MAX];
    int operation_count; /* number of operations; 0: all */
    const bench_type *types[BENCH_LIST_MAX];
    int type_count;
    int64_t n;        /* number of elements; 0: the device decides */
    double budget_ms; /* time for a candidate on one row of the bench */
    /* limit of the own tile's spread, the relative distance of its median run from the fastest; above it no row is
     * written */
    double spread;
    tune_effort effort;
    const char *parameter;       /* name of a parameter; NULL: tiles are tuned */
    int values[TUNE_VALUES_MAX]; /* values of the parameter to try; none: values around the library's own */
    int value_count;
    int lists; /* 1 where the parameters are listed, and nothing else is done */
    int tunes; /* 0 where only the chart is made */
    int compares_unknown;
} tune_options;

/* Reads the command line. Returns 0 where the program goes on. Returns 1 where it is done, with *status; the sentence
 * has been printed. */
int tune_options_parse(int argc, const char **argv, tune_options *options, int *status);

typedef struct tune_tile {
    int threads;
    int items;
} tune_tile;

typedef struct tune_row {
    const char *operation;
    size_t bytes;
    tune_tile tile;
    double gain;   /* time of the library's own tile over the time of this tile */
    double spread; /* largest spread of the library's own tile among all cases */
} tune_row;

typedef struct tune_value {
    const char *name; /* name of a parameter; NULL: none */
    int value;
    double gain; /* time with the library's own value over the time with this one; 0 while it is tried */
} tune_value;

/* A row of the bench, with the data for measuring a unit. */
typedef struct tune_case {
    const bench_op *op;
    const bench_type *type;
    unsigned flags;   /* flags of mcl_options: MCL_DETERMINISTIC for an operation in two passes */
    bench_case small; /* small problem that is tried first, so that a far too slow tile costs little */
    bench_case full;
    double small_ms; /* time of the library's own tile on the small problem */
    double own_ms;
    double own_spread; /* relative distance of the median of the library's own runs from the least */
    double best_ms;    /* time of the best tile so far */
    double last_ms;    /* time of the last candidate */
} tune_case;

typedef struct tune_unit {
    const char *operation;
    size_t bytes;
    int case_count;
    tune_case cases[TUNE_CASES_MAX];
} tune_unit;

typedef struct tuner {
    const tune_options *options;
    bench_options bench_options;
    bench bench;
    int64_t n;
    char device[96]; /* name of the device in the rows */
    tune_unit *units;
    int unit_count;
    tune_row rows[TUNE_UNITS_MAX];
    int row_count;
    tune_value parameter;        /* value of a parameter, a row of its own */
    char *notes[TUNE_NOTES_MAX]; /* comments for the output file */
    int note_count;
    char rows_path[256]; /* path of the file with the rows that are tried */
    int wrong;           /* number of candidates with a wrong result */
    double done;         /* number of candidates tried so far */
    double total;
    double start_ms;
} tuner;

/* ---- device.c, progress.c ---------------------------------------------------------------------------- */

/* Opens a separate device for each unit, so that the programs of the unit before are released. */
int tune_device_open(tuner *t);
void tune_device_close(tuner *t);
/* Draws the progress bar with a text about the present trial. NULL wipes the bar. */
void tune_progress(tuner *t, const char *format, ...);

/* ---- units.c ---------------------------------------------------------------------------- */

int tune_units_make(tuner *t); /* returns 0, or -1 after a sentence */
int tune_unit_open(tuner *t, tune_unit *unit);
void tune_unit_close(tune_unit *unit);

/* ---- search.c ---------------------------------------------------------------------------- */

typedef enum tune_verdict { TUNE_TIMED, TUNE_SLOW, TUNE_UNFIT, TUNE_FAILED } tune_verdict;

/* Runs a case: checks it, then times it, up to limit_ms (0: no limit). After TUNE_FAILED message says why. */
tune_verdict tune_case_time(tuner *t, tune_case *c, const mcl_options *options, double limit_ms, double *ms,
                            char *message, size_t message_bytes);
/* Times the unit's cases with the library's own tile. Returns 0, or -1 after a sentence. */
int tune_unit_start(tuner *t, tune_unit *unit);
/* Returns the largest spread of the unit's cases. */
double tune_unit_spread(const tune_unit *unit);
/* Returns -1 after a sentence where the runs differ so much that a row would be chance, else 0. */
int tune_unit_check_spread(const tuner *t, const tune_unit *unit);
/* Finds the unit's tile and adds its row; 0, or -1 and a sentence where the machine has become busy meanwhile. */
int tune_unit_search(tuner *t, tune_unit *unit);
double tune_unit_effort(const tuner *t, const tune_unit *unit); /* about how many candidates there will be */

/* ---- rows.c ---------------------------------------------------------------------------- */

/* Makes the device use the rows so far, with candidate (NULL: none) before them. */
mcl_status tune_rows_load(tuner *t, const tune_row *candidate);
void tune_rows_write(const tuner *t, FILE *file);
void tune_note(tuner *t, const char *format, ...); /* adds a comment to the file */
void tune_rows_free(tuner *t);

/* ---- parameter.c ---------------------------------------------------------------------------- */

int tune_parameter(tuner *t);      /* adds the row of options->parameter; returns 0, or -1 */
int tune_parameter_list(tuner *t); /* prints all parameters with their values */

/* ---- choices.c, chart.c, unknown.c ------------------------------------------------------------------------ */

void tune_unit_choices(tuner *t, tune_unit *unit);
/* Returns 0 where the requested chart can be drawn, else -1 after a sentence. It is called before any measurement. */
int tune_chart_check(const tuner *t);
int tune_chart(tuner *t);   /* returns 0, or -1 after a sentence */
int tune_unknown(tuner *t); /* returns 0, or -1 */

#endif
