/* plan.h: what the queries have in common: memory that a query makes, and steps that several of them take. */
#ifndef TPCH_PLAN_H
#define TPCH_PLAN_H

#include "columns.h"

#include <stdio.h>

enum { PLAN_BUFFERS = 32, PLAN_MAPS = 4 };

/* A query that runs, and what it has made. */
typedef struct plan {
    mcl_context *context;
    mcl_queue *queue;
    const columns *tables;
    FILE *answer; /* a row on each line, values parted by tabs */
    mcl_buffer *buffers[PLAN_BUFFERS];
    mcl_map *maps[PLAN_MAPS];
    int buffer_count, map_count;
} plan;

/* Each query stores its answer and returns the first failure. Its text says what it asks for. */
mcl_status query_01(plan *at);
mcl_status query_03(plan *at);
mcl_status query_05(plan *at);
mcl_status query_09(plan *at);
mcl_status query_18(plan *at);

/* Gives back what a query has made. */
void plan_release(plan *at);

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const mcl_status tried = (call);                                                                               \
        if (tried != MCL_OK) return tried;                                                                             \
    } while (0)

/* A new column, which plan_release takes back. */
mcl_status plan_column(plan *at, const mcl_type *type, int64_t count, column *made);

/* A map from keys to values, or a set where values is NULL, with the keys in it. */
mcl_status plan_map(plan *at, mcl_input keys, const mcl_input *values, mcl_map **made);

/* The value of each key in a map, or missing. */
mcl_status plan_find(plan *at, mcl_map *map, mcl_input keys, const int32_t *missing, column *found);

/* Joins some orders, whose keys ascend, with their line items: orders[rows_of_orders[k]] is
 * l_orderkey[rows_of_items[k]]. */
mcl_status plan_join_items(plan *at, const column *orders, column *rows_of_orders, column *rows_of_items);

/* Days since 1970, of years up to 2099; and such a day as YYYY-MM-DD. */
int32_t day_of(int year, int month, int day);
void print_day(FILE *to, int32_t day);

/* Prints a number of tenths, hundredths and so on. */
void print_decimal(FILE *to, int64_t value, int digits);

#endif
