/* tune.h: the parts of moderncl-tune and what they share.
 *
 * A unit is what one row of tuning is for: an operation at one element size. The rows of the bench that use it measure
 * it. main.c goes through the units. search.c tries tiles, each as a row of a file that the library loads. choices.c
 * times the ways that calls can be told to take. parameter.c tries values of a parameter, chart.c draws, and unknown.c
 * compares a device with one without rows. */
#ifndef TUNE_H
#define TUNE_H

#include "bench.h"

enum { TUNE_CASES_MAX = 12, TUNE_UNITS_MAX = 256, TUNE_TILES_MAX = 256, TUNE_NOTES_MAX = 1024 };
enum { TUNE_MESSAGE_BYTES = 600, TUNE_VALUES_MAX = 32 };

typedef enum tune_effort { TUNE_QUICK, TUNE_USUAL, TUNE_FULL } tune_effort;

typedef struct tune_options {
    const char *device;
    const char *output; /* NULL: standard output alone */
    const char *chart;  /* NULL: none */
    const char *operations[BENCH_LIST_MAX];
    int operation_count; /* 0: all */
    const bench_type *types[BENCH_LIST_MAX];
    int type_count;
    int64_t n;        /* 0: chosen by the device */
    double budget_ms; /* for a candidate on one row of the bench */
    double spread;    /* most that runs of the library's own tile may take more than the least of them */
    tune_effort effort;
    const char *parameter;       /* NULL: tiles */
    int values[TUNE_VALUES_MAX]; /* of the parameter, to be tried; none: those round the library's own */
    int value_count;
    int lists; /* the parameters, and nothing else */
    int tunes; /* 0: the chart alone */
    int compares_unknown;
} tune_options;

/* 0: go on; 1: done, with *status; the sentence has been printed. */
int tune_options_parse(int argc, const char **argv, tune_options *options, int *status);

typedef struct tune_tile {
    int threads;
    int items;
} tune_tile;

typedef struct tune_row {
    const char *operation;
    size_t bytes;
    tune_tile tile;
    double gain;   /* time of the library's own tile over that of this one */
    double spread; /* of the runs of the library's own tile, the most of all cases */
} tune_row;

typedef struct tune_value {
    const char *name; /* of a parameter; NULL: none */
    int value;
    double gain; /* as above; 0: it is being tried */
} tune_value;

/* A row of the bench, with what it needs to measure a unit. */
typedef struct tune_case {
    const bench_op *op;
    const bench_type *type;
    unsigned flags;   /* of mcl_options: MCL_DETERMINISTIC where the operation is the one in two passes */
    bench_case small; /* tried first, so that a tile that is far too slow costs little */
    bench_case full;
    double small_ms; /* of the library's own tile */
    double own_ms;
    double own_spread; /* that the median of its runs is above the least, as a part of it */
    double best_ms;    /* of the best so far */
    double last_ms;    /* of the last candidate */
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
    char device[96]; /* the rows' device */
    tune_unit *units;
    int unit_count;
    tune_row rows[TUNE_UNITS_MAX];
    int row_count;
    tune_value parameter;        /* a row beside the others */
    char *notes[TUNE_NOTES_MAX]; /* comments for the file */
    int note_count;
    char rows_path[256]; /* rows that are being tried */
    int wrong;           /* candidates whose result is not the host's */
    double done;         /* candidates */
    double total;
    double start_ms;
} tuner;

/* ---- device.c, progress.c ---------------------------------------------------------------------------- */

/* Opens a device of its own for each unit, so that the programs of the one before go. */
int tune_device_open(tuner *t);
void tune_device_close(tuner *t);
/* The bar, and what is being tried. NULL: wipes it. */
void tune_progress(tuner *t, const char *format, ...);

/* ---- units.c ---------------------------------------------------------------------------- */

int tune_units_make(tuner *t); /* 0, or -1 and a sentence */
int tune_unit_open(tuner *t, tune_unit *unit);
void tune_unit_close(tune_unit *unit);

/* ---- search.c ---------------------------------------------------------------------------- */

typedef enum tune_verdict { TUNE_TIMED, TUNE_SLOW, TUNE_UNFIT, TUNE_FAILED } tune_verdict;

/* Runs a case, checked and then timed, up to limit_ms (0: none). TUNE_FAILED: message says why. */
tune_verdict tune_case_time(tuner *t, tune_case *c, const mcl_options *options, double limit_ms, double *ms,
                            char *message, size_t message_bytes);
/* Times the unit's cases with the library's own tile; 0, or -1 and a sentence. */
int tune_unit_start(tuner *t, tune_unit *unit);
/* Returns the most spread of the unit's cases. */
double tune_unit_spread(const tune_unit *unit);
/* 0, or -1 and a sentence where the runs differ by so much that a row would be chance. */
int tune_unit_check_spread(const tuner *t, const tune_unit *unit);
/* Finds the unit's tile and adds its row; 0, or -1 and a sentence where the machine has become busy meanwhile. */
int tune_unit_search(tuner *t, tune_unit *unit);
double tune_unit_effort(const tuner *t, const tune_unit *unit); /* about how many candidates there will be */

/* ---- rows.c ---------------------------------------------------------------------------- */

/* The rows so far, with candidate (NULL: none) before them, are what the device uses from now on. */
mcl_status tune_rows_load(tuner *t, const tune_row *candidate);
void tune_rows_write(const tuner *t, FILE *file);
void tune_note(tuner *t, const char *format, ...); /* a comment for the file */
void tune_rows_free(tuner *t);

/* ---- parameter.c ---------------------------------------------------------------------------- */

int tune_parameter(tuner *t);      /* adds the row of options->parameter; 0, or -1 */
int tune_parameter_list(tuner *t); /* prints all with their values */

/* ---- choices.c, chart.c, unknown.c ------------------------------------------------------------------------ */

void tune_unit_choices(tuner *t, tune_unit *unit);
/* 0 where the chart that is asked for can be drawn, else -1 and a sentence: before anything is measured. */
int tune_chart_check(const tuner *t);
int tune_chart(tuner *t);   /* 0, or -1 and a sentence */
int tune_unknown(tuner *t); /* 0, or -1 */

#endif
