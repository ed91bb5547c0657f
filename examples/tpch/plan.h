/* plan.h: what the queries have in common: memory that a query makes, and steps that several of them take. */
#ifndef TPCH_PLAN_H
#define TPCH_PLAN_H

#include "columns.h"

#include <stdio.h>

enum { PLAN_BUFFERS = 32 };

/* A query that runs, and what it has made. */
typedef struct plan {
    mcl_context *context;
    mcl_queue *queue;
    const columns *tables;
    FILE *answer; /* a row on each line, values parted by tabs */
    mcl_buffer *buffers[PLAN_BUFFERS];
    int buffer_count;
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

/* A table of numbers by key: made[keys[k]] = values[k], of MCL_INT8, and -1 where no key is. Keys are not negative. The
 * keys of customers, parts and suppliers lie close together, so that a table takes less time than a hash map. */
mcl_status plan_table(plan *at, const column *keys, mcl_input values, column *made);

/* Joins some orders, whose keys ascend, with their line items: orders[rows_of_orders[k]] is
 * l_orderkey[rows_of_items[k]]. */
mcl_status plan_join_items(plan *at, const column *orders, column *rows_of_orders, column *rows_of_items);

/* Days since 1970, of years up to 2099; and such a day as YYYY-MM-DD. */
int32_t day_of(int year, int month, int day);
void print_day(FILE *to, int32_t day);

/* Prints a number of tenths, hundredths and so on. */
void print_decimal(FILE *to, int64_t value, int digits);

#endif
