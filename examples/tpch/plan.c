/* plan.c: what the queries have in common. */
#define _POSIX_C_SOURCE 200809L
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

void plan_release(plan *at)
{
    while (at->map_count > 0) mcl_map_release(at->maps[--at->map_count]);
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

mcl_status plan_map(plan *at, mcl_input keys, const mcl_input *values, mcl_map **made)
{
    const mcl_map_config config = {
        .key = keys.type,
        .value = values ? values->type : NULL,
        .capacity = 2 * keys.count,
    };
    if (at->map_count == PLAN_MAPS) abort();
    TRY(mcl_map_create(at->context, &config, made));
    at->maps[at->map_count++] = *made;
    return mcl_map_insert(at->queue, *made, keys, values ? *values : (mcl_input){ 0 }, NULL);
}

mcl_status plan_find(plan *at, mcl_map *map, mcl_input keys, const int32_t *missing, column *found)
{
    TRY(plan_column(at, MCL_INT32, keys.count, found));
    return mcl_map_find(at->queue, map, keys, column_output(found), missing, (mcl_output){ 0 }, NULL);
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
