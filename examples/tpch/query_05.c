/* query_05.c: the revenue of each nation of a region from orders of a year, where customer and supplier are of it. */
#include "plan.h"

enum { GROUPS_MOST = 32 };

/* The nation of each customer of the region; -1 for the others. */
static mcl_status find_customers(plan *at, column *nation_of_customer)
{
    const columns *const from = at->tables;
    const int32_t region = words_find(&from->regions, "ASIA");
    int32_t in_region = 0; /* a bit for each nation */
    for (int n = 0; n < NATIONS; ++n)
        if (from->region_of_nation[n] == region) in_region |= 1 << n;
    const mcl_binding bound[] = { column_binding("nation", &from->c_nationkey),
                                  mcl_binding_value("in_region", MCL_INT32, &in_region) };
    return plan_table(at, &from->c_custkey,
                      mcl_from_expression(MCL_INT8, "in_region >> nation[i] & 1 ? nation[i] : -1", NULL, bound, 2,
                                          from->c_custkey.count),
                      nation_of_customer);
}

/* The keys of the year's orders by customers of the region, and the nation of each one's customer. */
static mcl_status find_orders(plan *at, column *orders, column *nations)
{
    const columns *const from = at->tables;
    const int32_t first = day_of(1994, 1, 1), end = day_of(1995, 1, 1);
    const int64_t count = from->o_orderkey.count;
    mcl_op wanted = { .role = MCL_ROLE_TEST,
                      .expression = "date[i] >= first && date[i] < end && nation_of[customer[i]] >= 0",
                      .binding_count = 5 };
    column nation_of_customer;

    TRY(find_customers(at, &nation_of_customer));
    wanted.bindings[0] = column_binding("nation_of", &nation_of_customer);
    wanted.bindings[1] = column_binding("customer", &from->o_custkey);
    wanted.bindings[2] = column_binding("date", &from->o_orderdate);
    wanted.bindings[3] = mcl_binding_value("first", MCL_INT32, &first);
    wanted.bindings[4] = mcl_binding_value("end", MCL_INT32, &end);
    TRY(plan_column(at, MCL_INT32, count, orders));
    TRY(plan_column(at, MCL_INT8, count, nations));
    const mcl_column nation = {
        mcl_from_expression(MCL_INT8, "nation_of[customer[i]]", NULL, wanted.bindings, 2, count),
        column_output(nations),
    };
    return mcl_compact_columns(at->queue, column_input(&from->o_orderkey), column_output(orders), &nation, 1, &wanted,
                               mcl_to_host(MCL_INT64, &orders->count), NULL);
}

/* The nation of each joined row: that of customer and supplier; -1 where they differ. */
static mcl_status find_nations(plan *at, const column *nations, const column *rows_of_orders,
                               const column *rows_of_items, column *found)
{
    const columns *const from = at->tables;
    const mcl_binding nation = column_binding("nation", &from->s_nationkey);
    column nation_of_supplier;

    TRY(plan_table(at, &from->s_suppkey,
                   mcl_from_expression(MCL_INT8, "nation[i]", NULL, &nation, 1, from->s_suppkey.count),
                   &nation_of_supplier));
    const mcl_binding bound[] = {
        column_binding("nation", nations),
        column_binding("order", rows_of_orders),
        column_binding("nation_of", &nation_of_supplier),
        column_binding("supplier", &from->l_suppkey),
        column_binding("item", rows_of_items),
    };
    TRY(plan_column(at, MCL_INT8, rows_of_items->count, found));
    return mcl_transform(at->queue,
                         mcl_from_expression(MCL_INT8,
                                             "nation[order[i]] == nation_of[supplier[item[i]]] ? nation[order[i]] : -1",
                                             NULL, bound, 5, rows_of_items->count),
                         column_output(found), NULL);
}

mcl_status query_05(plan *at)
{
    const columns *const from = at->tables;
    column orders, nations, rows_of_orders, rows_of_items, found, groups, sums;
    int8_t keys[GROUPS_MOST];
    int64_t revenues[GROUPS_MOST], count = 0;

    TRY(find_orders(at, &orders, &nations));
    TRY(plan_join_items(at, &orders, &rows_of_orders, &rows_of_items));
    TRY(find_nations(at, &nations, &rows_of_orders, &rows_of_items, &found));
    const mcl_binding bound[] = { column_binding("price", &from->l_extendedprice),
                                  column_binding("discount", &from->l_discount),
                                  column_binding("row", &rows_of_items) };
    TRY(plan_column(at, MCL_INT8, GROUPS_MOST, &groups));
    TRY(plan_column(at, MCL_INT64, GROUPS_MOST, &sums));
    const mcl_aggregate revenue = { mcl_from_expression(MCL_INT64, "price[row[i]] * (100 - discount[row[i]])", NULL,
                                                        bound, 3, rows_of_items.count),
                                    MCL_ADD, column_output(&sums) };
    TRY(mcl_group_by(at->queue, column_input(&found), column_output(&groups), &revenue, 1,
                     mcl_to_host(MCL_INT64, &count), NULL));
    sums.count = groups.count = count;
    TRY(mcl_sort_pairs(at->queue, column_input(&sums), column_input(&groups), column_output(&sums),
                       column_output(&groups), MCL_GREATER, NULL));
    TRY(mcl_buffer_read(at->queue, groups.buffer, 0, sizeof keys, keys));
    TRY(mcl_buffer_read(at->queue, sums.buffer, 0, sizeof revenues, revenues));
    for (int64_t k = 0; k < count; ++k) {
        if (keys[k] < 0) continue;
        fprintf(at->answer, "%s\t", from->nations.text[keys[k]]);
        print_decimal(at->answer, revenues[k], 4);
        fputc('\n', at->answer);
    }
    return MCL_OK;
}
