/* query_05.c: the revenue of each nation of a region from orders of a year, where customer and supplier are of it. */
#include "plan.h"

enum { GROUPS_MOST = 32 };

/* The keys of the year's orders by customers of the region, and the nation of each customer. */
static mcl_status find_orders(plan *at, column *orders, column *nations)
{
    const columns *const from = at->tables;
    const int32_t first = day_of(1994, 1, 1), end = day_of(1995, 1, 1), missing = -1;
    column keys, customers, of_year;
    mcl_map *map;
    const mcl_input values = column_input(&from->c_nationkey);
    mcl_op in_year = { .role = MCL_ROLE_TEST, .expression = "date[i] >= first && date[i] < end", .binding_count = 3 };
    mcl_op in_region = { .role = MCL_ROLE_TEST,
                         .expression = "nation[i] >= 0 && asia >> nation[i] & 1",
                         .binding_count = 2 };
    const int32_t region = words_find(&from->regions, "ASIA");
    int32_t asia = 0;

    for (int n = 0; n < NATIONS; ++n)
        if (from->region_of_nation[n] == region) asia |= 1 << n;
    in_year.bindings[0] = column_binding("date", &from->o_orderdate);
    in_year.bindings[1] = mcl_binding_value("first", MCL_INT32, &first);
    in_year.bindings[2] = mcl_binding_value("end", MCL_INT32, &end);
    TRY(plan_column(at, MCL_INT32, from->o_orderkey.count, &keys));
    TRY(plan_column(at, MCL_INT32, from->o_orderkey.count, &customers));
    const mcl_column moved = { column_input(&from->o_custkey), column_output(&customers) };
    TRY(mcl_compact_columns(at->queue, column_input(&from->o_orderkey), column_output(&keys), &moved, 1, &in_year,
                            mcl_to_host(MCL_INT64, &keys.count), NULL));
    customers.count = keys.count;

    TRY(plan_map(at, column_input(&from->c_custkey), &values, &map));
    TRY(plan_find(at, map, column_input(&customers), &missing, &of_year));
    in_region.bindings[0] = column_binding("nation", &of_year);
    in_region.bindings[1] = mcl_binding_value("asia", MCL_INT32, &asia);
    TRY(plan_column(at, MCL_INT32, keys.count, orders));
    TRY(plan_column(at, MCL_INT32, keys.count, nations));
    const mcl_column nation = { column_input(&of_year), column_output(nations) };
    TRY(mcl_compact_columns(at->queue, column_input(&keys), column_output(orders), &nation, 1, &in_region,
                            mcl_to_host(MCL_INT64, &orders->count), NULL));
    return MCL_OK;
}

/* The nation of each joined row: that of customer and supplier; -1 where they differ. */
static mcl_status find_nations(plan *at, const column *nations, const column *rows_of_orders,
                               const column *rows_of_items, column *found)
{
    const columns *const from = at->tables;
    const mcl_input values = column_input(&from->s_nationkey);
    const int32_t missing = -1;
    column of_suppliers;
    mcl_map *map;
    const mcl_binding supplier[] = { column_binding("supplier", &from->l_suppkey),
                                     column_binding("row", rows_of_items) };

    TRY(plan_map(at, column_input(&from->s_suppkey), &values, &map));
    TRY(plan_find(at, map, mcl_from_expression(MCL_INT32, "supplier[row[i]]", NULL, supplier, 2, rows_of_items->count),
                  &missing, &of_suppliers));
    const mcl_binding both[] = { column_binding("customer", nations), column_binding("row", rows_of_orders),
                                 column_binding("supplier", &of_suppliers) };
    TRY(plan_column(at, MCL_INT32, rows_of_items->count, found));
    return mcl_transform(at->queue,
                         mcl_from_expression(MCL_INT32, "customer[row[i]] == supplier[i] ? supplier[i] : -1", NULL,
                                             both, 3, rows_of_items->count),
                         column_output(found), NULL);
}

mcl_status query_05(plan *at)
{
    const columns *const from = at->tables;
    column orders, nations, rows_of_orders, rows_of_items, found, groups, sums;
    int32_t keys[GROUPS_MOST];
    int64_t revenues[GROUPS_MOST], count = 0;

    TRY(find_orders(at, &orders, &nations));
    TRY(plan_join_items(at, &orders, &rows_of_orders, &rows_of_items));
    TRY(find_nations(at, &nations, &rows_of_orders, &rows_of_items, &found));
    const mcl_binding bound[] = { column_binding("price", &from->l_extendedprice),
                                  column_binding("discount", &from->l_discount),
                                  column_binding("row", &rows_of_items) };
    TRY(plan_column(at, MCL_INT32, GROUPS_MOST, &groups));
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
