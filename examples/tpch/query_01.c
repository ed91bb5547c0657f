/* query_01.c: the sums of all line items that were shipped by a day, by return flag and status. */
#include "plan.h"

#include <inttypes.h>

enum { GROUPS_MOST = 16, NO_GROUP = 65535, SUMS = 6 };
enum { QUANTITY, PRICE, DISCOUNTED, CHARGE, DISCOUNT, COUNT };

/* The group of each line item: its two letters. Items that were shipped later make a group of their own. */
static mcl_status find_groups(plan *at, column *groups)
{
    const columns *const from = at->tables;
    const int32_t last = day_of(1998, 9, 2), none = NO_GROUP;
    const mcl_binding bound[] = {
        column_binding("flag", &from->l_returnflag),     column_binding("status", &from->l_linestatus),
        column_binding("shipdate", &from->l_shipdate),   mcl_binding_value("last", MCL_INT32, &last),
        mcl_binding_value("no_group", MCL_INT32, &none),
    };
    const int64_t count = from->l_shipdate.count;
    TRY(plan_column(at, MCL_UINT16, count, groups));
    return mcl_transform(at->queue,
                         mcl_from_expression(MCL_UINT16, "shipdate[i] <= last ? flag[i] * 256 + status[i] : no_group",
                                             NULL, bound, 5, count),
                         column_output(groups), NULL);
}

static void print_group(FILE *to, int group, const int64_t *sums)
{
    const double count = (double)sums[COUNT];
    fprintf(to, "%c\t%c\t", group / 256, group % 256);
    print_decimal(to, sums[QUANTITY], 2);
    fputc('\t', to);
    print_decimal(to, sums[PRICE], 2);
    fputc('\t', to);
    print_decimal(to, sums[DISCOUNTED], 4);
    fputc('\t', to);
    print_decimal(to, sums[CHARGE], 6);
    fprintf(to, "\t%.17g\t%.17g\t%.17g\t%" PRId64 "\n", (double)sums[QUANTITY] / 100 / count,
            (double)sums[PRICE] / 100 / count, (double)sums[DISCOUNT] / 100 / count, sums[COUNT]);
}

mcl_status query_01(plan *at)
{
    const columns *const from = at->tables;
    const int64_t count = from->l_shipdate.count, one = 1;
    const mcl_binding bound[] = { column_binding("price", &from->l_extendedprice),
                                  column_binding("discount", &from->l_discount), column_binding("tax", &from->l_tax) };
    const mcl_input values[SUMS] = {
        [QUANTITY] = column_input(&from->l_quantity),
        [PRICE] = column_input(&from->l_extendedprice),
        [DISCOUNTED] = mcl_from_expression(MCL_INT64, "price[i] * (100 - discount[i])", NULL, bound, 2, count),
        [CHARGE] =
            mcl_from_expression(MCL_INT64, "price[i] * (100 - discount[i]) * (100 + tax[i])", NULL, bound, 3, count),
        [DISCOUNT] = column_input(&from->l_discount),
        [COUNT] = mcl_from_constant(MCL_INT64, &one, count),
    };
    column groups, kept, sums;
    mcl_aggregate aggregates[SUMS];
    uint16_t keys[GROUPS_MOST];
    int64_t found[SUMS][GROUPS_MOST], group_count = 0;

    TRY(find_groups(at, &groups));
    TRY(plan_column(at, MCL_UINT16, GROUPS_MOST, &kept));
    TRY(plan_column(at, MCL_INT64, SUMS * GROUPS_MOST, &sums));
    for (int k = 0; k < SUMS; ++k)
        aggregates[k] =
            (mcl_aggregate){ values[k], MCL_ADD, mcl_to_buffer(MCL_INT64, sums.buffer, k * GROUPS_MOST, GROUPS_MOST) };
    TRY(mcl_group_by(at->queue, column_input(&groups), column_output(&kept), aggregates, SUMS,
                     mcl_to_host(MCL_INT64, &group_count), NULL));
    TRY(mcl_buffer_read(at->queue, kept.buffer, 0, sizeof keys, keys));
    TRY(mcl_buffer_read(at->queue, sums.buffer, 0, sizeof found, found));
    for (int64_t g = 0; g < group_count; ++g) {
        int64_t of_group[SUMS];
        for (int k = 0; k < SUMS; ++k) of_group[k] = found[k][g];
        if (keys[g] != NO_GROUP) print_group(at->answer, keys[g], of_group);
    }
    return MCL_OK;
}
