/* query_09.c: the profit of each nation and year from parts that have a colour in their name. */
#include "plan.h"

#include <inttypes.h>
#include <string.h>

enum { YEARS_MOST = 4096, GROUPS_MOST = 512 };

/* clang-format off */
MCL_SOURCE(green_source,
static inline int has_green(const text56 name)
{
    for (int k = 0; k + 5 <= 56; ++k)
        if (name.bytes[k] == 'g' && name.bytes[k + 1] == 'r' && name.bytes[k + 2] == 'e' && name.bytes[k + 3] == 'e' &&
            name.bytes[k + 4] == 'n')
            return 1;
    return 0;
})
/* The year of a day since 1970, up to 2099. From 1969 on four years have 1461 days, and the last one is the longest. */
MCL_SOURCE(year_source,
static inline int32_t year_of(const int32_t day)
{
    const int32_t since = day + 365;
    const int32_t year = since % 1461 / 365;
    return 1969 + since / 1461 * 4 + (year < 4 ? year : 3);
})
/* clang-format on */

/* Line items of green parts, in the order of their orders. */
typedef struct items {
    column order;    /* key */
    column pair;     /* of part and supplier: keys in one number */
    column revenue;  /* ten thousandths */
    column quantity; /* hundredths */
    column year;     /* of the order */
} items;

static const char pair_text[] = "(uint64_t)part[i] << 32 | (uint32_t)supplier[i]";

/* Whether each part is green. */
static mcl_status find_parts(plan *at, column *green)
{
    const columns *const from = at->tables;
    const mcl_binding name = column_binding("name", &from->p_name);
    return plan_table(
        at, &from->p_partkey,
        mcl_from_expression(MCL_INT8, "has_green(name[i])", green_source, &name, 1, from->p_partkey.count), green);
}

/* A test of rows by their part. */
static mcl_op is_green(const column *green, const column *parts)
{
    mcl_op made = { .role = MCL_ROLE_TEST, .expression = "green[part[i]] > 0", .binding_count = 2 };
    made.bindings[0] = column_binding("green", green);
    made.bindings[1] = column_binding("part", parts);
    return made;
}

static mcl_status find_items(plan *at, const column *green, items *found)
{
    const columns *const from = at->tables;
    const mcl_op wanted = is_green(green, &from->l_partkey);
    const int64_t count = from->l_orderkey.count;
    const mcl_binding bound[] = { column_binding("part", &from->l_partkey),
                                  column_binding("supplier", &from->l_suppkey),
                                  column_binding("price", &from->l_extendedprice),
                                  column_binding("discount", &from->l_discount) };

    TRY(plan_column(at, MCL_INT32, count, &found->order));
    TRY(plan_column(at, MCL_UINT64, count, &found->pair));
    TRY(plan_column(at, MCL_INT64, count, &found->revenue));
    TRY(plan_column(at, MCL_INT64, count, &found->quantity));
    const mcl_column moved[] = {
        { mcl_from_expression(MCL_UINT64, pair_text, NULL, bound, 2, count), column_output(&found->pair) },
        { mcl_from_expression(MCL_INT64, "price[i] * (100 - discount[i])", NULL, bound + 2, 2, count),
          column_output(&found->revenue) },
        { column_input(&from->l_quantity), column_output(&found->quantity) },
    };
    TRY(mcl_compact_columns(at->queue, column_input(&from->l_orderkey), column_output(&found->order), moved, 3, &wanted,
                            mcl_to_host(MCL_INT64, &found->order.count), NULL));
    found->pair.count = found->revenue.count = found->quantity.count = found->order.count;
    return MCL_OK;
}

/* Every item has one order, so that the join's rows are the items. */
static mcl_status find_years(plan *at, items *of)
{
    const columns *const from = at->tables;
    column rows;
    TRY(plan_column(at, MCL_INT32, of->order.count, &rows));
    TRY(mcl_join(at->queue, MCL_JOIN_LEFT, column_input(&of->order), column_input(&from->o_orderkey), (mcl_output){ 0 },
                 column_output(&rows), MCL_LESS, mcl_to_nowhere(), NULL));
    const mcl_binding bound[] = { column_binding("date", &from->o_orderdate), column_binding("row", &rows) };
    TRY(plan_column(at, MCL_INT32, rows.count, &of->year));
    return mcl_transform(at->queue,
                         mcl_from_expression(MCL_INT32, "year_of(date[row[i]])", year_source, bound, 2, rows.count),
                         column_output(&of->year), NULL);
}

/* What the suppliers of green parts are paid for them. */
static mcl_status find_costs(plan *at, const column *green, column *pairs, column *costs)
{
    const columns *const from = at->tables;
    const mcl_op wanted = is_green(green, &from->ps_partkey);
    const int64_t count = from->ps_partkey.count;
    const mcl_binding bound[] = { column_binding("part", &from->ps_partkey),
                                  column_binding("supplier", &from->ps_suppkey) };

    TRY(plan_column(at, MCL_UINT64, count, pairs));
    TRY(plan_column(at, MCL_INT64, count, costs));
    const mcl_column cost = { column_input(&from->ps_supplycost), column_output(costs) };
    TRY(mcl_compact_columns(at->queue, mcl_from_expression(MCL_UINT64, pair_text, NULL, bound, 2, count),
                            column_output(pairs), &cost, 1, &wanted, mcl_to_host(MCL_INT64, &pairs->count), NULL));
    costs->count = pairs->count;
    return MCL_OK;
}

/* Joins items and costs: the items change their order, and get the cost of each. */
static mcl_status join_costs(plan *at, items *of, const column *pairs, const column *costs, column *cost)
{
    const int64_t count = of->pair.count;
    items joined = { .order = of->order };
    int64_t rows = 0;
    TRY(plan_column(at, MCL_UINT64, count, &joined.pair));
    TRY(plan_column(at, MCL_INT64, count, &joined.revenue));
    TRY(plan_column(at, MCL_INT64, count, &joined.quantity));
    TRY(plan_column(at, MCL_INT32, count, &joined.year));
    TRY(plan_column(at, MCL_INT64, count, cost));
    const mcl_join_column of_items[] = {
        { column_input(&of->revenue), column_output(&joined.revenue), NULL },
        { column_input(&of->quantity), column_output(&joined.quantity), NULL },
        { column_input(&of->year), column_output(&joined.year), NULL },
    };
    const mcl_join_column of_costs = { column_input(costs), column_output(cost), NULL };
    TRY(mcl_join_columns(at->queue, MCL_JOIN_INNER, column_input(&of->pair), column_input(pairs), of_items, 3,
                         &of_costs, 1, column_output(&joined.pair), MCL_LESS, mcl_to_host(MCL_INT64, &rows), NULL));
    *of = joined;
    of->pair.count = of->revenue.count = of->quantity.count = of->year.count = cost->count = rows;
    return MCL_OK;
}

/* The group of each item is a number that ascends with the nation's rank and descends with the year. */
static mcl_status find_groups(plan *at, const items *of, const int32_t ranks[NATIONS], column *groups)
{
    const columns *const from = at->tables;
    const int32_t years = YEARS_MOST;
    const int64_t count = of->pair.count;
    column rank, rank_of_supplier;

    TRY(plan_column(at, MCL_INT32, NATIONS, &rank));
    TRY(mcl_buffer_write(at->queue, rank.buffer, 0, sizeof(int32_t) * NATIONS, ranks));
    const mcl_binding nation[] = { column_binding("rank", &rank), column_binding("nation", &from->s_nationkey) };
    TRY(plan_table(at, &from->s_suppkey,
                   mcl_from_expression(MCL_INT8, "rank[nation[i]]", NULL, nation, 2, from->s_suppkey.count),
                   &rank_of_supplier));
    const mcl_binding bound[] = { column_binding("rank_of", &rank_of_supplier), column_binding("pair", &of->pair),
                                  column_binding("year", &of->year), mcl_binding_value("years", MCL_INT32, &years) };
    TRY(plan_column(at, MCL_INT32, count, groups));
    return mcl_transform(at->queue,
                         mcl_from_expression(MCL_INT32, "rank_of[(uint32_t)pair[i]] * years + years - 1 - year[i]",
                                             NULL, bound, 4, count),
                         column_output(groups), NULL);
}

static mcl_status print_profits(plan *at, const items *of, const column *cost)
{
    const word_list *const nations = &at->tables->nations;
    const mcl_binding bound[] = { column_binding("revenue", &of->revenue), column_binding("quantity", &of->quantity),
                                  column_binding("cost", cost) };
    column groups, kept, sums;
    int32_t ranks[NATIONS], nation_of[NATIONS], keys[GROUPS_MOST];
    int64_t profits[GROUPS_MOST], count = 0;

    for (int n = 0; n < NATIONS; ++n) {
        ranks[n] = 0;
        for (int m = 0; m < NATIONS; ++m) ranks[n] += strcmp(nations->text[m], nations->text[n]) < 0;
        nation_of[ranks[n]] = n;
    }
    TRY(find_groups(at, of, ranks, &groups));
    TRY(plan_column(at, MCL_INT32, GROUPS_MOST, &kept));
    TRY(plan_column(at, MCL_INT64, GROUPS_MOST, &sums));
    const mcl_aggregate profit = { mcl_from_expression(MCL_INT64, "revenue[i] - cost[i] * quantity[i]", NULL, bound, 3,
                                                       groups.count),
                                   MCL_ADD, column_output(&sums) };
    TRY(mcl_group_by(at->queue, column_input(&groups), column_output(&kept), &profit, 1, mcl_to_host(MCL_INT64, &count),
                     NULL));
    TRY(mcl_buffer_read(at->queue, kept.buffer, 0, sizeof keys, keys));
    TRY(mcl_buffer_read(at->queue, sums.buffer, 0, sizeof profits, profits));
    for (int64_t k = 0; k < count; ++k) {
        fprintf(at->answer, "%s\t%" PRId32 "\t", nations->text[nation_of[keys[k] / YEARS_MOST]],
                YEARS_MOST - 1 - keys[k] % YEARS_MOST);
        print_decimal(at->answer, profits[k], 4);
        fputc('\n', at->answer);
    }
    return MCL_OK;
}

mcl_status query_09(plan *at)
{
    items found;
    column green, pairs, costs, cost;

    TRY(find_parts(at, &green));
    TRY(find_items(at, &green, &found));
    TRY(find_years(at, &found));
    TRY(find_costs(at, &green, &pairs, &costs));
    TRY(join_costs(at, &found, &pairs, &costs, &cost));
    return print_profits(at, &found, &cost);
}
