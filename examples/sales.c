/* sales.c: the products with the highest revenue in a table of sales, and the revenue of each supplier.
 *
 *     sales SALES.csv PRODUCTS.csv
 *
 * SALES.csv has the columns product, units and cents, PRODUCTS.csv the columns product and supplier. docs/sales.md goes
 * through the steps. */
#include "csv.h"
#include "names.h"
#include "progress.h"

#include <moderncl/moderncl.h>

enum { SHOWN = 3, COLUMNS_MAX = 3 };

#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        const mcl_status try_status = (expression);                                                                    \
        if (try_status != MCL_OK) return try_status;                                                                   \
    } while (0)

/* Columns of codes and whole numbers. */
typedef struct table {
    int64_t rows;
    int32_t *columns[COLUMNS_MAX];
} table;

/* ---- in -------------------------------------------------------------------------------------------------------- */

/* Reads a field: with names its code, else a whole number. */
static int read_value(const char *field, names *known, int32_t *value)
{
    char *end;

    if (known) return (*value = names_code(known, field)) >= 0;
    errno = 0;
    const long number = strtol(field, &end, 10);
    *value = (int32_t)number;
    return *field && !*end && !errno && *value == number;
}

/* 1: the line is a row; otherwise the reason. */
static int read_row(char *line, int column_count, names *const known[], table *out, const char **reason)
{
    char *fields[FIELDS_MAX];
    const int count = read_fields(line, fields, reason);

    if (count == 0) return 0;
    if (count != column_count) return *reason = "not the columns that are expected", 0;
    for (int k = 0; k < column_count; k++)
        if (!read_value(fields[k], known[k], &out->columns[k][out->rows]))
            return *reason = "units or cents that are no whole number", 0;
    out->rows++;
    return 1;
}

/* Reads columns: those that have names as codes. Lines that do not fit are told and skipped. 0: there is no table. */
static int read_table(const char *path, int column_count, names *const known[], table *out)
{
    size_t length;
    char *const text = read_file(path, &length);
    char *rest = text;
    size_t lines = 1;

    if (!text) return fprintf(stderr, "%s: %s\n", path, strerror(errno)), 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
    for (int k = 0; k < column_count; k++)
        if (!(out->columns[k] = malloc(lines * sizeof **out->columns)))
            return free(text), fprintf(stderr, "%s: out of memory\n", path), 0;
    next_line(&rest); /* the names of the columns */
    int number = 2, skipped = 0;
    for (char *line; (line = next_line(&rest)); number++) {
        const char *reason = NULL;
        if (!read_row(line, column_count, known, out, &reason)) tell_skipped(path, number, reason, skipped++);
    }
    free(text);
    return out->rows > 0 ? 1 : (fprintf(stderr, "%s: it has no rows\n", path), 0);
}

/* ---- work ------------------------------------------------------------------------------------------------------ */

enum { PRODUCT, UNITS, CENTS, LISTED, SUPPLIER, SUPPLIER_OF, GROUPS, SOLD, REVENUE, BEST, PAID, PAYMENTS, BUFFERS };

typedef struct result {
    int64_t groups;
    int32_t *products;
    int64_t *units;
    int64_t *revenue;
    int32_t best[SHOWN]; /* rows of the three above */
    int64_t best_count;
    int64_t suppliers;
    int32_t *paid; /* codes of suppliers, -1: of products that have none */
    int64_t *payments;
} result;

static mcl_status upload(mcl_queue *queue, const table *read, int column_count, mcl_buffer **buffers)
{
    for (int k = 0; k < column_count; k++)
        TRY(mcl_buffer_create(mcl_queue_context(queue), sizeof(int32_t) * (size_t)read->rows, read->columns[k],
                              &buffers[k]));
    return MCL_OK;
}

/* Makes the table by code: the supplier of each product, -1 where none is listed. */
static mcl_status table_by_code(mcl_queue *queue, mcl_buffer **b, int64_t products, int64_t listed)
{
    const int32_t none = -1;

    TRY(mcl_buffer_fill(queue, b[SUPPLIER_OF], 0, sizeof none * (size_t)products, &none, sizeof none));
    return mcl_scatter(queue, mcl_from_buffer(MCL_INT32, b[SUPPLIER], 0, listed),
                       mcl_from_buffer(MCL_INT32, b[LISTED], 0, listed),
                       mcl_to_buffer(MCL_INT32, b[SUPPLIER_OF], 0, products), NULL);
}

static mcl_status sums(mcl_queue *queue, mcl_buffer **b, int64_t sales, int64_t products, int64_t suppliers,
                       result *out)
{
    const mcl_binding bindings[] = {
        mcl_binding_buffer("product", MCL_INT32, b[PRODUCT], 0),
        mcl_binding_buffer("units", MCL_INT32, b[UNITS], 0),
        mcl_binding_buffer("cents", MCL_INT32, b[CENTS], 0),
        mcl_binding_buffer("supplier_of", MCL_INT32, b[SUPPLIER_OF], 0),
    };
    const mcl_input units = mcl_from_expression(MCL_INT64, "units[i]", NULL, bindings, 4, sales);
    const mcl_input revenue = mcl_from_expression(MCL_INT64, "(int64_t)units[i] * cents[i]", NULL, bindings, 4, sales);
    const mcl_input supplier = mcl_from_expression(MCL_INT32, "supplier_of[product[i]]", NULL, bindings, 4, sales);
    const mcl_aggregate of_product[] = {
        { units, MCL_ADD, mcl_to_buffer(MCL_INT64, b[SOLD], 0, products) },
        { revenue, MCL_ADD, mcl_to_buffer(MCL_INT64, b[REVENUE], 0, products) },
    };
    const mcl_aggregate of_supplier = { revenue, MCL_ADD, mcl_to_buffer(MCL_INT64, b[PAYMENTS], 0, suppliers) };

    TRY(mcl_group_by(queue, mcl_from_buffer(MCL_INT32, b[PRODUCT], 0, sales),
                     mcl_to_buffer(MCL_INT32, b[GROUPS], 0, products), of_product, 2,
                     mcl_to_host(MCL_INT64, &out->groups), NULL));
    TRY(mcl_top_k_indices(queue, mcl_from_buffer(MCL_INT64, b[REVENUE], 0, out->groups), mcl_amount_of(SHOWN),
                          mcl_to_buffer(MCL_INT32, b[BEST], 0, SHOWN), MCL_GREATER,
                          mcl_to_host(MCL_INT64, &out->best_count), NULL));
    return mcl_group_by(queue, supplier, mcl_to_buffer(MCL_INT32, b[PAID], 0, suppliers), &of_supplier, 1,
                        mcl_to_host(MCL_INT64, &out->suppliers), NULL);
}

/* Makes memory on the host for what a buffer holds, and reads it. */
static mcl_status download(mcl_queue *queue, mcl_buffer *from, size_t bytes, void *to)
{
    void *const memory = malloc(bytes + 1);

    *(void **)to = memory;
    return memory ? mcl_buffer_read(queue, from, 0, bytes, memory) : MCL_ERROR_MEMORY;
}

static mcl_status work(mcl_queue *queue, mcl_buffer **b, const table *sales, const table *listed, int64_t products,
                       int64_t suppliers, result *out)
{
    mcl_context *const context = mcl_queue_context(queue);

    TRY(upload(queue, sales, 3, b + PRODUCT));
    TRY(upload(queue, listed, 2, b + LISTED));
    TRY(mcl_buffer_create(context, 4 * (size_t)products, NULL, &b[SUPPLIER_OF]));
    TRY(mcl_buffer_create(context, 4 * (size_t)products, NULL, &b[GROUPS]));
    TRY(mcl_buffer_create(context, 8 * (size_t)products, NULL, &b[SOLD]));
    TRY(mcl_buffer_create(context, 8 * (size_t)products, NULL, &b[REVENUE]));
    TRY(mcl_buffer_create(context, 4 * SHOWN, NULL, &b[BEST]));
    TRY(mcl_buffer_create(context, 4 * (size_t)suppliers, NULL, &b[PAID]));
    TRY(mcl_buffer_create(context, 8 * (size_t)suppliers, NULL, &b[PAYMENTS]));
    TRY(table_by_code(queue, b, products, listed->rows));
    TRY(sums(queue, b, sales->rows, products, suppliers, out));
    TRY(download(queue, b[GROUPS], 4 * (size_t)out->groups, &out->products));
    TRY(download(queue, b[SOLD], 8 * (size_t)out->groups, &out->units));
    TRY(download(queue, b[REVENUE], 8 * (size_t)out->groups, &out->revenue));
    TRY(download(queue, b[PAID], 4 * (size_t)out->suppliers, &out->paid));
    TRY(download(queue, b[PAYMENTS], 8 * (size_t)out->suppliers, &out->payments));
    return mcl_buffer_read(queue, b[BEST], 0, 4 * (size_t)out->best_count, out->best);
}

/* ---- out ------------------------------------------------------------------------------------------------------- */

static void print(const result *found, const names *products, const names *suppliers)
{
    puts("product,units,revenue");
    for (int64_t k = 0; k < found->best_count; k++) {
        const int32_t row = found->best[k];
        write_field(products->texts[found->products[row]], 1);
        printf(",%lld,%.2f\n", (long long)found->units[row], (double)found->revenue[row] / 100);
    }
    puts("\nsupplier,revenue");
    for (int64_t k = 0; k < found->suppliers; k++) {
        write_field(found->paid[k] < 0 ? "" : suppliers->texts[found->paid[k]], 1);
        printf(",%.2f\n", (double)found->payments[k] / 100);
    }
}

static int run(const char *sales_path, const char *products_path, names *products, names *suppliers, table *sales,
               table *listed)
{
    names *const of_sales[] = { products, NULL, NULL };
    names *const of_products[] = { products, suppliers };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffers[BUFFERS] = { NULL };
    result found = { 0 };

    if (!read_table(sales_path, 3, of_sales, sales) || !read_table(products_path, 2, of_products, listed)) return 1;
    int failed = mcl_context_create(NULL, &context) != MCL_OK;
    if (!failed) progress_show(context);
    failed = failed || mcl_queue_create(context, 0, &queue) ||
             work(queue, buffers, sales, listed, products->count, suppliers->count + 1, &found);
    if (failed)
        fprintf(stderr, "sales: %s\n", mcl_last_error());
    else
        print(&found, products, suppliers);
    for (int k = 0; k < BUFFERS; k++) mcl_buffer_release(buffers[k]);
    mcl_queue_release(queue);
    mcl_context_release(context);
    free(found.products);
    free(found.units);
    free(found.revenue);
    free(found.paid);
    free(found.payments);
    return failed || fflush(stdout) != 0;
}

int main(int argument_count, char **arguments)
{
    names products = { 0 };
    names suppliers = { 0 };
    table sales = { 0 };
    table listed = { 0 };

    if (argument_count != 3) {
        fputs("usage: sales SALES.csv PRODUCTS.csv\n", stderr);
        return 2;
    }
    const int failed = run(arguments[1], arguments[2], &products, &suppliers, &sales, &listed);
    names_free(&products);
    names_free(&suppliers);
    for (int k = 0; k < COLUMNS_MAX; k++) {
        free(sales.columns[k]);
        free(listed.columns[k]);
    }
    return failed;
}
