/* study.h: moderncl-study: kernels of textbooks and articles beside the library's own. Files: study.c (options, sizes),
 * study_merge.c and study_retrieve.c (one study each), study_kernels.c (the merges on a device, which the tests run
 * too), study_report.c (tables and charts). */
#ifndef STUDY_H
#define STUDY_H

#include "study/merge_study.h"

#include <moderncl/moderncl.h>

#include <stdio.h>

enum { STUDY_ROWS_MAX = 16, STUDY_SIZES_MAX = 16, STUDY_NAME_BYTES = 64 };

/* ---- study_report.c ---------------------------------------------------------------------------- */

/* One contender at one size. Negative numbers are unknown. */
typedef struct study_row {
    char name[STUDY_NAME_BYTES];
    double milliseconds; /* median */
    double bytes;        /* that must move at least */
    double bytes_read;   /* that are read from global memory, searches left out */
    double searches;     /* in global memory */
    int is_right;        /* the result was checked */
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
/* Throughput against n, a line for each name; 0, or -1 where the file cannot be written. */
int study_chart(const study_table *table, const char *path);

/* ---- study.c ---------------------------------------------------------------------------- */

typedef struct study {
    mcl_context *context;
    mcl_queue *queue; /* with profiling */
    mcl_device_info info;
    int64_t n; /* the size that is being run */
    study_table table;
} study;

/* One run; options carry the event that is timed. */
typedef mcl_status (*study_run)(study *at, void *call, const mcl_options *options);
/* The median of ten runs after three: by the device's clock on a GPU, else by the wall's. */
mcl_status study_time(study *at, study_run run, void *call, double *milliseconds);
study_row *study_add_row(study *at, const char *name);

/* ---- study_merge.c, study_retrieve.c: one size each --------------------------------------------- */

mcl_status study_merge(study *at);
mcl_status study_retrieve(study *at);

/* ---- study_kernels.c ---------------------------------------------------------------------------- */

typedef struct study_merge_call {
    int kind;           /* MERGE_KIND */
    int threads, items; /* work-items of a group; elements that each merges at once */
    int share;          /* elements of the result for a work-item (basic) or group (the tiled kinds) */
    int counts_too;
    mcl_buffer *a, *b, *c; /* int32 */
    int a_count, b_count;
    mcl_buffer *counts; /* two uint32: searches, elements read; added to */
} study_merge_call;

/* The text of merge_study.cl with its includes: written by cmake/study_text.cmake. */
extern const char study_merge_text[];
mcl_status study_merge_run(mcl_queue *queue, const study_merge_call *call, const mcl_options *options);

#endif
