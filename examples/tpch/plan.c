/* plan.c: what the queries have in common. */
#define _POSIX_C_SOURCE 200809L
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

void plan_release(plan *at)
{
    while (at->buffer_count > 0) mcl_buffer_release(at->buffers[--at->buffer_count]);
}

mcl_status plan_column(plan *at, const mcl_type *type, int64_t count, column *made)
{
    mcl_buffer *buffer;
    if (at->buffer_count == PLAN_BUFFERS) abort(); /* the array above is too short for the query's text */
    TRY(mcl_buffer_create(at->context, type->size * (size_t)count, NULL, &buffer));
    at->buffers[at->buffer_count++] = buffer;
    *made = (column){ type, buffer, count };
    return MCL_OK;
}

mcl_status plan_table(plan *at, const column *keys, mcl_input values, column *made)
{
    const int8_t none = -1;
    int32_t highest = 0;
    TRY(mcl_reduce(at->queue, column_input(keys), MCL_MAX, mcl_to_host(MCL_INT32, &highest), NULL));
    TRY(plan_column(at, MCL_INT8, (int64_t)highest + 1, made));
    TRY(mcl_buffer_fill(at->queue, made->buffer, 0, (size_t)made->count, &none, sizeof none));
    return mcl_scatter(at->queue, values, column_input(keys), column_output(made), NULL);
}

mcl_status plan_join_items(plan *at, const column *orders, column *rows_of_orders, column *rows_of_items)
{
    const column *const items = &at->tables->l_orderkey;
    int64_t count = 0;
    TRY(plan_column(at, MCL_INT32, items->count, rows_of_orders));
    TRY(plan_column(at, MCL_INT32, items->count, rows_of_items));
    TRY(mcl_join(at->queue, MCL_JOIN_INNER, column_input(orders), column_input(items), column_output(rows_of_orders),
                 column_output(rows_of_items), MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    rows_of_orders->count = rows_of_items->count = count;
    return MCL_OK;
}

int32_t day_of(int year, int month, int day)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    const int leap_day = month > 2 && year % 4 == 0;
    return 365 * (year - 1970) + (year - 1969) / 4 + before[month - 1] + leap_day + day - 1;
}

void print_day(FILE *to, int32_t day)
{
    const time_t second = (time_t)day * 86400;
    char text[16];
    struct tm parts;
    strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&second, &parts));
    fputs(text, to);
}

void print_decimal(FILE *to, int64_t value, int digits)
{
    int64_t one = 1;
    for (int k = 0; k < digits; ++k) one *= 10;
    const int64_t size = value < 0 ? -value : value;
    fprintf(to, "%s%" PRId64 ".%0*" PRId64, value < 0 ? "-" : "", size / one, digits, size % one);
}
