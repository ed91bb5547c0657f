/* study.h: moderncl-study: kernels of textbooks and articles beside the library's own. Files: main.c (options, sizes),
 * merge.c and retrieve.c (one study each), kernels.c (the merges on a device, which the tests run too), timing.c (times
 * and rows), report.c (tables and charts). */
#ifndef STUDY_H
#define STUDY_H

#include "study/merge_study.h"

#include <moderncl/moderncl.h>

#include <stdio.h>

enum { STUDY_ROWS_MAX = 16, STUDY_SIZES_MAX = 16, STUDY_NAME_BYTES = 64 };

/* ---- report.c ---------------------------------------------------------------------------- */

/* A contender at one size. A negative number is unknown. */
typedef struct study_row {
    char name[STUDY_NAME_BYTES];
    double milliseconds; /* median time of a run */
    double bytes;        /* least number of bytes that must move */
    double bytes_read;   /* bytes read from global memory, without those of searches */
    double searches;     /* number of searches in global memory */
    int is_right;        /* 1 where the result has been checked */
} study_row;

typedef struct study_table {
    const char *title;
    char device[128];
    int size_count;
    int64_t sizes[STUDY_SIZES_MAX];
    int row_counts[STUDY_SIZES_MAX];
    study_row rows[STUDY_SIZES_MAX][STUDY_ROWS_MAX];
} study_table;

void study_print(const study_table *table, int size);
/* Draws throughput against n, with a line for each name. Returns 0, or -1 where the file cannot be written. */
int study_chart(const study_table *table, const char *path);

/* ---- main.c, timing.c ---------------------------------------------------------------------------- */

typedef struct study {
    mcl_context *context;
    mcl_queue *queue; /* with profiling */
    mcl_device_info info;
    int64_t n; /* the size of the present run */
    study_table table;
} study;

/* A function for one run. options carry the event by which the run is timed. */
typedef mcl_status (*study_run)(study *at, void *call, const mcl_options *options);
/* Gives the median of ten runs after three warm-up runs. It uses the device's clock on a GPU, else the wall clock. */
mcl_status study_time(study *at, study_run run, void *call, double *milliseconds);
study_row *study_add_row(study *at, const char *name);

/* ---- merge.c, retrieve.c: one size each --------------------------------------------- */

mcl_status study_merge(study *at);
mcl_status study_retrieve(study *at);

/* ---- kernels.c ---------------------------------------------------------------------------- */

typedef struct study_merge_call {
    int kind;           /* MERGE_KIND */
    int threads, items; /* work-items of a group; elements that each work-item merges at once */
    int share;          /* elements of the result for a work-item (basic) or for a group (tiled kinds) */
    int counts_too;
    mcl_buffer *a, *b, *c; /* int32 */
    int a_count, b_count;
    mcl_buffer *counts; /* two uint32 numbers: searches, and elements read; a run adds to both */
} study_merge_call;

/* The text of merge_study.cl with its includes, which cmake/study_text.cmake writes. */
extern const char study_merge_text[];
mcl_status study_merge_run(mcl_queue *queue, const study_merge_call *call, const mcl_options *options);

#endif
