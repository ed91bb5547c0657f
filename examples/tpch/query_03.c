/* query_03.c: the ten orders with the highest revenue that were not shipped by a day, of one market segment. */
#include "plan.h"

#include <inttypes.h>

enum { ROWS = 10 };

/* clang-format off */
MCL_SOURCE(row_source,
typedef struct order_row {
    int64_t revenue; /* ten thousandths */
    int32_t order;
    int32_t date;
    int32_t priority;
    int32_t unused;
} order_row;
static inline order_row order_row_of(const int64_t revenue, const int32_t order, const int32_t date,
                                     const int32_t priority)
{
    order_row made;
    made.revenue = revenue;
    made.order = order;
    made.date = date;
    made.priority = priority;
    made.unused = 0;
    return made;
})
/* clang-format on */

static const mcl_type row_type = MCL_TYPE(order_row, row_source);
static const mcl_op before = { .role = MCL_ROLE_ORDER,
                               .expression = "p.revenue > q.revenue || (p.revenue == q.revenue && p.date < q.date)" };

/* Orders of before the day by customers of the segment, in the order of their keys. */
static mcl_status find_orders(plan *at, const int32_t *day, column *keys, column *dates, column *priorities)
{
    const columns *const from = at->tables;
    const int32_t wanted_segment = words_find(&from->segments, "BUILDING");
    const int64_t order_count = from->o_orderkey.count;
    const mcl_binding segments[] = { column_binding("segment", &from->c_mktsegment),
                                     mcl_binding_value("wanted", MCL_INT32, &wanted_segment) };
    mcl_op wanted = { .role = MCL_ROLE_TEST,
                      .expression = "date[i] < day && in_segment[customer[i]] > 0",
                      .binding_count = 4 };
    column in_segment;

    TRY(plan_table(at, &from->c_custkey,
                   mcl_from_expression(MCL_INT8, "segment[i] == wanted", NULL, segments, 2, from->c_custkey.count),
                   &in_segment));
    wanted.bindings[0] = column_binding("date", &from->o_orderdate);
    wanted.bindings[1] = mcl_binding_value("day", MCL_INT32, day);
    wanted.bindings[2] = column_binding("in_segment", &in_segment);
    wanted.bindings[3] = column_binding("customer", &from->o_custkey);
    TRY(plan_column(at, MCL_INT32, order_count, keys));
    TRY(plan_column(at, MCL_INT32, order_count, dates));
    TRY(plan_column(at, MCL_INT32, order_count, priorities));
    const mcl_column moved[] = { { column_input(&from->o_orderdate), column_output(dates) },
                                 { column_input(&from->o_shippriority), column_output(priorities) } };
    TRY(mcl_compact_columns(at->queue, column_input(&from->o_orderkey), column_output(keys), moved, 2, &wanted,
                            mcl_to_host(MCL_INT64, &keys->count), NULL));
    return MCL_OK;
}

/* The revenue of every order from the items that were shipped after the day; 0 where there are none. */
static mcl_status add_revenues(plan *at, const int32_t *day, column *keys, column *revenues)
{
    const columns *const from = at->tables;
    const mcl_binding bound[] = {
        column_binding("price", &from->l_extendedprice),
        column_binding("discount", &from->l_discount),
        column_binding("shipdate", &from->l_shipdate),
        mcl_binding_value("day", MCL_INT32, day),
    };
    const mcl_input values = mcl_from_expression(MCL_INT64, "shipdate[i] > day ? price[i] * (100 - discount[i]) : 0",
                                                 NULL, bound, 4, from->l_orderkey.count);
    TRY(plan_column(at, MCL_INT32, from->o_orderkey.count, keys));
    TRY(plan_column(at, MCL_INT64, from->o_orderkey.count, revenues));
    return mcl_reduce_by_key(at->queue, column_input(&from->l_orderkey), values, column_output(keys),
                             column_output(revenues), MCL_ADD, NULL, mcl_to_host(MCL_INT64, &keys->count), NULL);
}

mcl_status query_03(plan *at)
{
    const int32_t day = day_of(1995, 3, 15);
    column orders, dates, priorities, keys, revenues, rows_of_orders, rows_of_keys, chosen;
    order_row rows[ROWS];
    int64_t count = 0;

    TRY(find_orders(at, &day, &orders, &dates, &priorities));
    TRY(add_revenues(at, &day, &keys, &revenues));
    TRY(plan_column(at, MCL_INT32, orders.count, &rows_of_orders));
    TRY(plan_column(at, MCL_INT32, orders.count, &rows_of_keys));
    TRY(mcl_join(at->queue, MCL_JOIN_INNER, column_input(&orders), column_input(&keys), column_output(&rows_of_orders),
                 column_output(&rows_of_keys), MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    const mcl_binding bound[] = {
        column_binding("revenue", &revenues),     column_binding("order", &orders),
        column_binding("date", &dates),           column_binding("priority", &priorities),
        column_binding("row_a", &rows_of_orders), column_binding("row_b", &rows_of_keys),
    };
    const mcl_input joined = mcl_from_expression(
        &row_type, "order_row_of(revenue[row_b[i]], order[row_a[i]], date[row_a[i]], priority[row_a[i]])", NULL, bound,
        6, count);
    TRY(plan_column(at, &row_type, ROWS, &chosen));
    TRY(mcl_top_k(at->queue, joined, mcl_amount_of(ROWS), column_output(&chosen), &before,
                  mcl_to_host(MCL_INT64, &count), NULL));
    TRY(mcl_buffer_read(at->queue, chosen.buffer, 0, sizeof rows, rows));
    for (int64_t k = 0; k < count && rows[k].revenue > 0; ++k) {
        fprintf(at->answer, "%" PRId32 "\t", rows[k].order);
        print_decimal(at->answer, rows[k].revenue, 4);
        fputc('\t', at->answer);
        print_day(at->answer, rows[k].date);
        fprintf(at->answer, "\t%" PRId32 "\n", rows[k].priority);
    }
    return MCL_OK;
}
