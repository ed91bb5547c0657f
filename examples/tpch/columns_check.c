/* columns_check.c: whether columns fit together: lengths of a table, ranges of values, order and references of keys. */
#include "columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Days of 1970-01-01 and of 2099-12-31, as print_day takes them. */
enum { FIRST_DAY = 0, LAST_DAY = 47481 };
/* Prices in hundredths: sums of billions of them times a discount and a tax fit 64 bits. */
#define PRICE_MOST INT64_C(1000000000)

/* What a column of numbers may hold: values from least to most; where key_of is given, none above the greatest of that
 * column, which a query reads a table at. Columns with ascends are in order. */
typedef struct rule {
    const char *name;
    int64_t least, most;
    const char *key_of;
    int ascends;
} rule;

static const rule rules[] = {
    { "l_orderkey", 1, INT32_MAX, "o_orderkey", 1 },
    { "l_partkey", 1, INT32_MAX, "p_partkey", 0 },
    { "l_suppkey", 1, INT32_MAX, "s_suppkey", 0 },
    { "l_quantity", 0, 1000000, NULL, 0 },
    { "l_extendedprice", 0, PRICE_MOST, NULL, 0 },
    { "l_discount", 0, 100, NULL, 0 },
    { "l_tax", 0, 100, NULL, 0 },
    { "l_returnflag", 'A', 'Z', NULL, 0 },
    { "l_linestatus", 'A', 'Z', NULL, 0 },
    { "l_shipdate", FIRST_DAY, LAST_DAY, NULL, 0 },
    { "o_orderkey", 1, INT32_MAX, NULL, 1 },
    { "o_custkey", 1, INT32_MAX, "c_custkey", 0 },
    { "o_totalprice", 0, 100 * PRICE_MOST, NULL, 0 },
    { "o_orderdate", FIRST_DAY, LAST_DAY, NULL, 0 },
    { "o_shippriority", 0, INT32_MAX, NULL, 0 },
    { "c_custkey", 1, 1 << 30, NULL, 0 },
    { "c_nationkey", 0, NATIONS - 1, NULL, 0 },
    { "c_mktsegment", 0, WORDS_MOST - 1, NULL, 0 },
    { "p_partkey", 1, 1 << 30, NULL, 0 },
    { "ps_partkey", 1, INT32_MAX, "p_partkey", 0 },
    { "ps_suppkey", 1, INT32_MAX, "s_suppkey", 0 },
    { "ps_supplycost", 0, PRICE_MOST, NULL, 0 },
    { "s_suppkey", 1, 1 << 30, NULL, 0 },
    { "s_nationkey", 0, NATIONS - 1, NULL, 0 },
};

typedef struct named_column {
    const char *name;
    const column *column;
} named_column;

static int complain(const char *name, const char *what)
{
    fprintf(stderr, "tpch: column %s: %s\n", name, what);
    return -1;
}

static const column *column_named(const columns *of, const char *name)
{
    const named_column all[] = {
#define X(column_name, file_type, type) { #column_name, &of->column_name },
        COLUMN_LIST(X)
#undef X
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        if (strcmp(all[k].name, name) == 0) return all[k].column;
    return NULL;
}

/* The least and the greatest element of a column that has some, as 64 bits. */
static mcl_status find_range(mcl_queue *queue, const column *of, int64_t *least, int64_t *greatest)
{
    const mcl_binding bound = column_binding("x", of);
    const mcl_input wide = mcl_from_expression(MCL_INT64, "x[i]", NULL, &bound, 1, of->count);
    mcl_int64_range range;
    const mcl_status status = mcl_min_max(queue, wide, mcl_to_host(MCL_INT64_RANGE, &range), NULL);
    *least = range.least;
    *greatest = range.greatest;
    return status;
}

static mcl_status count_descents(mcl_queue *queue, const column *of, int64_t *count)
{
    const mcl_binding bound = column_binding("key", of);
    const mcl_op descends = {
        .role = MCL_ROLE_TEST, .expression = "x > 0 && key[x] < key[x - 1]", .bindings = { bound }, .binding_count = 1
    };
    const int64_t first = 0;
    return mcl_count_if(queue, mcl_from_counting(MCL_INT64, &first, of->count), &descends,
                        mcl_to_host(MCL_INT64, count), NULL);
}

static int check_rule(const columns *loaded, mcl_queue *queue, const rule *of)
{
    const column *const tested = column_named(loaded, of->name);
    int64_t least = 0, greatest = 0, most = of->most, descents = 0, other = 0;
    char what[160];
    mcl_status status = find_range(queue, tested, &least, &greatest);
    if (status == MCL_OK && of->key_of) status = find_range(queue, column_named(loaded, of->key_of), &other, &most);
    if (status == MCL_OK && of->ascends) status = count_descents(queue, tested, &descents);
    if (status != MCL_OK) return complain(of->name, mcl_last_error());
    if (descents > 0) return complain(of->name, "keys descend; expected ascending ones");
    if (least >= of->least && greatest <= most) return 0;
    snprintf(what, sizeof what, "values from %" PRId64 " to %" PRId64 "; expected %" PRId64 " to %" PRId64, least,
             greatest, of->least, most);
    return complain(of->name, what);
}

/* The name of a column begins with its table's. */
static size_t table_length(const char *name)
{
    return (size_t)(strchr(name, '_') - name) + 1;
}

/* No column is empty. The columns of a table stand one after another, and have one length. */
static int check_lengths(const columns *loaded)
{
    const named_column all[] = {
#define X(name, file_type, type) { #name, &loaded->name },
        COLUMN_LIST(X)
#undef X
    };
    char what[160];
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        if (all[k].column->count == 0) return complain(all[k].name, "no elements; expected some");
    for (size_t k = 1; k < sizeof all / sizeof all[0]; ++k) {
        const named_column *const before = &all[k - 1], *const here = &all[k];
        if (strncmp(before->name, here->name, table_length(here->name)) != 0) continue;
        if (before->column->count == here->column->count) continue;
        snprintf(what, sizeof what, "%" PRId64 " elements; expected %" PRId64 ", as %s has", here->column->count,
                 before->column->count, before->name);
        return complain(here->name, what);
    }
    return 0;
}

int columns_check(const columns *loaded, mcl_queue *queue)
{
    if (check_lengths(loaded)) return -1;
    for (int k = 0; k < NATIONS; ++k)
        if (loaded->region_of_nation[k] < 0 || loaded->region_of_nation[k] >= loaded->regions.count)
            return complain("n_regionkey", "a number that is no region");
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; ++k)
        if (check_rule(loaded, queue, &rules[k])) return -1;
    return 0;
}
