/* query_18.c: the hundred most expensive orders of more than 300 pieces, with their customers. */
#include "plan.h"

#include <inttypes.h>

enum { ROWS = 100, LEAST_QUANTITY = 30000 /* hundredths */ };

/* clang-format off */
MCL_SOURCE(row_source,
typedef struct large_order {
    int64_t price; /* hundredths, as is the quantity */
    int64_t quantity;
    int32_t date;
    int32_t customer;
    int32_t order;
    uint8_t name[20];
} large_order;)
MCL_SOURCE(made_source,
static inline large_order large_order_of(const int64_t price, const int64_t quantity, const int32_t date,
                                         const int32_t customer, const int32_t order, const text20 name)
{
    large_order made;
    made.price = price;
    made.quantity = quantity;
    made.date = date;
    made.customer = customer;
    made.order = order;
    for (int k = 0; k < 20; ++k) made.name[k] = name.bytes[k];
    return made;
})
/* clang-format on */

static const mcl_type row_type = MCL_TYPE(large_order, row_source);
static const mcl_op before = { .role = MCL_ROLE_ORDER,
                               .expression = "p.price > q.price || (p.price == q.price && p.date < q.date)" };

/* The keys and quantities of large orders, in the order of the keys. */
static mcl_status find_large(plan *at, column *keys, column *quantities)
{
    const columns *const from = at->tables;
    const int64_t least = LEAST_QUANTITY, order_count = from->o_orderkey.count;
    mcl_op is_large = { .role = MCL_ROLE_TEST, .expression = "x > least", .binding_count = 1 };
    column all_keys, sums;

    TRY(plan_column(at, MCL_INT32, order_count, &all_keys));
    TRY(plan_column(at, MCL_INT64, order_count, &sums));
    TRY(mcl_reduce_by_key(at->queue, column_input(&from->l_orderkey), column_input(&from->l_quantity),
                          column_output(&all_keys), column_output(&sums), MCL_ADD, NULL,
                          mcl_to_host(MCL_INT64, &sums.count), NULL));
    is_large.bindings[0] = mcl_binding_value("least", MCL_INT64, &least);
    TRY(plan_column(at, MCL_INT32, sums.count, keys));
    TRY(plan_column(at, MCL_INT64, sums.count, quantities));
    const mcl_column key = { column_input(&all_keys), column_output(keys) };
    TRY(mcl_compact_columns(at->queue, column_input(&sums), column_output(quantities), &key, 1, &is_large,
                            mcl_to_host(MCL_INT64, &quantities->count), NULL));
    keys->count = quantities->count;
    return MCL_OK;
}

/* A row of o_orderkey, a quantity and a customer's name for each large order. */
static mcl_status find_customers(plan *at, const column *keys, column *rows, column *quantities, column *names)
{
    const columns *const from = at->tables;
    const int64_t count = keys->count;
    column row, customer, quantity = *quantities;

    TRY(plan_column(at, MCL_INT32, count, &row));
    TRY(plan_column(at, MCL_INT32, count, &customer));
    TRY(plan_column(at, MCL_INT32, count, rows));
    TRY(plan_column(at, MCL_INT64, count, quantities));
    TRY(plan_column(at, &text20_type, count, names));
    TRY(mcl_join(at->queue, MCL_JOIN_LEFT, column_input(keys), column_input(&from->o_orderkey), (mcl_output){ 0 },
                 column_output(&row), MCL_LESS, mcl_to_nowhere(), NULL));
    TRY(mcl_join_gather(at->queue, column_input(&row), column_input(&from->o_custkey), NULL, column_output(&customer),
                        NULL));
    const mcl_join_column of_orders[] = { { column_input(&row), column_output(rows), NULL },
                                          { column_input(&quantity), column_output(quantities), NULL } };
    const mcl_join_column of_customers = { column_input(&from->c_name), column_output(names), NULL };
    return mcl_join_columns(at->queue, MCL_JOIN_INNER, column_input(&customer), column_input(&from->c_custkey),
                            of_orders, 2, &of_customers, 1, (mcl_output){ 0 }, MCL_LESS, mcl_to_nowhere(), NULL);
}

static void print_order(FILE *to, const large_order *row)
{
    fprintf(to, "%.20s\t%" PRId32 "\t%" PRId32 "\t", (const char *)row->name, row->customer, row->order);
    print_day(to, row->date);
    fputc('\t', to);
    print_decimal(to, row->price, 2);
    fputc('\t', to);
    print_decimal(to, row->quantity, 2);
    fputc('\n', to);
}

mcl_status query_18(plan *at)
{
    const columns *const from = at->tables;
    column keys, rows, quantities, names, chosen;
    large_order answer[ROWS];
    int64_t count = 0;

    TRY(find_large(at, &keys, &quantities));
    if (keys.count == 0) return MCL_OK;
    TRY(find_customers(at, &keys, &rows, &quantities, &names));
    const mcl_binding bound[] = {
        column_binding("price", &from->o_totalprice),
        column_binding("quantity", &quantities),
        column_binding("date", &from->o_orderdate),
        column_binding("customer", &from->o_custkey),
        column_binding("order", &from->o_orderkey),
        column_binding("name", &names),
        column_binding("row", &rows),
    };
    const mcl_input joined = mcl_from_expression(
        &row_type, "large_order_of(price[row[i]], quantity[i], date[row[i]], customer[row[i]], order[row[i]], name[i])",
        made_source, bound, 7, rows.count);
    TRY(plan_column(at, &row_type, ROWS, &chosen));
    TRY(mcl_top_k(at->queue, joined, mcl_amount_of(ROWS), column_output(&chosen), &before,
                  mcl_to_host(MCL_INT64, &count), NULL));
    TRY(mcl_buffer_read(at->queue, chosen.buffer, 0, sizeof answer, answer));
    for (int64_t k = 0; k < count; ++k) print_order(at->answer, &answer[k]);
    return MCL_OK;
}
