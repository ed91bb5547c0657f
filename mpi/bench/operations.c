/* operations.c: the data of a row, its calls, and whether their results are right. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static const mcl_op own_order = { .role = MCL_ROLE_ORDER, .expression = "p < q" };
static const mcl_op wide_sum = { .role = MCL_ROLE_FOLD,
                                 .expression = "p + q",
                                 .identity = "0",
                                 .value = &mcl_type_uint64,
                                 .extract = "(uint64_t)x",
                                 .commutative = 1 };

void must(mcl_status status, const char *what, const char *sentence)
{
    if (status == MCL_OK) return;
    fprintf(stderr, "moderncl-mpi-bench: %s: %s: %s\n", what, mcl_status_name(status), sentence);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- data -------------------------------------------------------------------------------------------------- */

mcl_buffer *buffer_of(const bench *b, const mcl_type *type, int64_t count)
{
    mcl_buffer *buffer = NULL;
    must(mcl_buffer_create(b->context, (size_t)count * type->size, NULL, &buffer), "memory", mcl_last_error());
    return buffer;
}

/* The keys as an expression of uniform numbers u and indices. */
static const char *text_of(const char *keys)
{
    if (strcmp(keys, "equal") == 0) return "7";
    if (strcmp(keys, "zipf") == 0) return "1000000 / (1 + u[i] % 1000000)"; /* key j about as often as 1 / j^2 */
    if (strcmp(keys, "sorted") == 0) return "first + i";
    if (strcmp(keys, "reversed") == 0) return "count - (first + i)";
    return "u[i]";
}

/* The elements of count that are a rank's own. */
int64_t first_of(const bench *b, int64_t count)
{
    return b->uneven ? (b->rank > 0 ? count : 0) : count * b->rank / b->size;
}

int64_t own_of(const bench *b, int64_t count)
{
    if (b->uneven) return b->rank > 0 ? 0 : count;
    return count * (b->rank + 1) / b->size - first_of(b, count);
}

static int64_t most_of(int64_t count, int size)
{
    return (count + size - 1) / size;
}

void transform_into(const bench *b, mcl_input in, const mcl_type *type, mcl_buffer *out)
{
    must(mcl_transform(b->queue, in, mcl_to_buffer(type, out, 0, in.count), NULL), "data", mcl_last_error());
}

void add_up(bench *b)
{
    must(mcl_mpi_reduce(b->mpi, in_of(b), &wide_sum, mcl_to_host(MCL_UINT64, &b->sum), NULL), "data",
         mcl_mpi_last_error());
}

/* Elements alone, for calls that give none. */
void fill_in(bench *b)
{
    const uint64_t low = 0, high = UINT64_MAX;
    const int64_t first = first_of(b, b->count), own = own_of(b, b->count);
    b->in = buffer_of(b, b->type, own);
    must(mcl_random(b->queue, mcl_to_buffer(b->type, b->in, 0, own), 1, first, &low, &high, NULL), "data",
         mcl_last_error());
    const mcl_binding bindings[] = { mcl_binding_buffer("u", b->type, b->in, 0),
                                     mcl_binding_value("first", MCL_INT64, &first),
                                     mcl_binding_value("count", MCL_INT64, &b->count) };
    transform_into(b, mcl_from_expression(b->type, text_of(b->keys), NULL, bindings, 3, own), b->type, b->in);
    add_up(b);
}

static void fill_elements(bench *b)
{
    fill_in(b);
    b->out = buffer_of(b, b->type, b->uneven ? b->count : most_of(b->count, b->size));
}

static void fill_indices(bench *b)
{
    fill_elements(b);
    b->out_values = buffer_of(b, MCL_INT64, most_of(b->count, b->size));
}

static void fill_pairs(bench *b)
{
    const uint32_t start = 0;
    const int64_t own = own_of(b, b->count);
    fill_elements(b);
    b->values = buffer_of(b, MCL_UINT32, own);
    b->out_values = buffer_of(b, MCL_UINT32, most_of(b->count, b->size));
    transform_into(b, mcl_from_counting(MCL_UINT32, &start, own), MCL_UINT32, b->values);
}

int64_t room_of(const bench *b)
{
    const int64_t share = most_of(b->count, b->size);
    return share + share / 8 + 1000;
}

/* Rows of a rank. */
static int64_t join_room(const bench *b)
{
    return room_of(b) / 2 + 1000;
}

/* A rank's part of two columns of rows keys. A key of the first is an odd multiple of its row's number, in 32 bits; the
 * second has the same keys, each once, in another order. */
static void fill_columns(bench *b, int64_t rows)
{
    static const char *const texts[] = { "(uint32_t)(2654435761u * (uint32_t)(first + i))",
                                         "(uint32_t)(2654435761u * (uint32_t)((first + i) * 982451653 % all))" };
    const int64_t first = first_of(b, rows), own = own_of(b, rows);
    const mcl_binding bindings[] = { mcl_binding_value("first", MCL_INT64, &first),
                                     mcl_binding_value("all", MCL_INT64, &rows) };
    b->in = buffer_of(b, b->type, own);
    b->values = buffer_of(b, b->type, own);
    transform_into(b, mcl_from_expression(b->type, texts[0], NULL, bindings, 2, own), b->type, b->in);
    transform_into(b, mcl_from_expression(b->type, texts[1], NULL, bindings, 2, own), b->type, b->values);
}

/* Two tables of half the rows each. */
static void fill_tables(bench *b)
{
    fill_columns(b, b->count / 2);
    b->out = buffer_of(b, MCL_INT64, join_room(b));
    b->out_values = buffer_of(b, MCL_INT64, join_room(b));
}

/* A map of count keys, each with its row's number, half full. */
void fill_map(bench *b)
{
    const uint32_t first = (uint32_t)first_of(b, b->count);
    const int64_t own = own_of(b, b->count);
    const mcl_map_config config = { .key = b->type, .value = MCL_UINT32, .capacity = 2 * most_of(b->count, b->size) };
    fill_columns(b, b->count);
    b->out_values = buffer_of(b, MCL_UINT32, own);
    must(mcl_mpi_map_create(b->mpi, &config, &b->map), "map", mcl_mpi_last_error());
    must(mcl_mpi_map_insert(b->mpi, b->map, mcl_from_buffer(b->type, b->in, 0, own),
                            mcl_from_counting(MCL_UINT32, &first, own), NULL),
         "map", mcl_mpi_last_error());
}

void bench_drop(bench *b)
{
    mcl_buffer_release(b->in);
    mcl_buffer_release(b->values);
    mcl_buffer_release(b->out);
    mcl_buffer_release(b->out_values);
    mcl_mpi_map_release(b->map);
    b->in = b->values = b->out = b->out_values = NULL;
    b->map = NULL;
}

mcl_input in_of(const bench *b)
{
    return mcl_from_buffer(b->type, b->in, 0, own_of(b, b->count));
}

static int64_t share(const bench *b)
{
    return b->count / b->size + (b->rank < b->count % b->size);
}

static mcl_output out_of(const bench *b)
{
    return mcl_to_buffer(b->type, b->out, 0, share(b));
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

static uint64_t result;

static mcl_status run_reduce(bench *b)
{
    return mcl_mpi_reduce(b->mpi, in_of(b), &wide_sum, mcl_to_host(MCL_UINT64, &result), NULL);
}

static mcl_status run_scan(bench *b)
{
    return mcl_mpi_scan(b->mpi, in_of(b), mcl_to_buffer(b->type, b->out, 0, own_of(b, b->count)), MCL_ADD,
                        MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
}

static mcl_status run_sort(bench *b)
{
    return mcl_mpi_sort(b->mpi, in_of(b), MCL_MPI_EVEN, out_of(b), MCL_LESS, mcl_to_nowhere(), NULL);
}

static mcl_status run_sort_compare(bench *b)
{
    return mcl_mpi_sort(b->mpi, in_of(b), MCL_MPI_EVEN, out_of(b), &own_order, mcl_to_nowhere(), NULL);
}

static mcl_status run_sort_pairs(bench *b)
{
    return mcl_mpi_sort_pairs(b->mpi, in_of(b), mcl_from_buffer(MCL_UINT32, b->values, 0, own_of(b, b->count)),
                              MCL_MPI_EVEN, out_of(b), mcl_to_buffer(MCL_UINT32, b->out_values, 0, share(b)), MCL_LESS,
                              mcl_to_nowhere(), NULL);
}

static mcl_status run_sort_indices(bench *b)
{
    return mcl_mpi_sort_indices(b->mpi, in_of(b), MCL_MPI_EVEN, mcl_to_buffer(MCL_INT64, b->out_values, 0, share(b)),
                                MCL_LESS, mcl_to_nowhere(), NULL);
}

static mcl_status run_redistribute(bench *b)
{
    return mcl_mpi_redistribute(b->mpi, in_of(b), MCL_MPI_EVEN, out_of(b), mcl_to_nowhere(), NULL);
}

static mcl_status run_map_find(bench *b)
{
    const uint32_t missing = UINT32_MAX;
    const int64_t own = own_of(b, b->count);
    return mcl_mpi_map_find(b->mpi, b->map, mcl_from_buffer(b->type, b->values, 0, own),
                            mcl_to_buffer(MCL_UINT32, b->out_values, 0, own), &missing, (mcl_output){ 0 }, NULL);
}

static int64_t rows, all_rows;

/* On one rank the core's call. */
static mcl_status run_join(bench *b)
{
    const int64_t own = own_of(b, b->count / 2);
    const mcl_input left = mcl_from_buffer(b->type, b->in, 0, own), right = mcl_from_buffer(b->type, b->values, 0, own);
    const mcl_output out_left = mcl_to_buffer(MCL_INT64, b->out, 0, join_room(b));
    const mcl_output out_right = mcl_to_buffer(MCL_INT64, b->out_values, 0, join_room(b));
    if (b->size > 1)
        return mcl_mpi_join_unsorted(b->mpi, MCL_JOIN_INNER, left, right, out_left, out_right, MCL_LESS,
                                     mcl_to_host(MCL_INT64, &rows), mcl_to_host(MCL_INT64, &all_rows), NULL);
    const mcl_status status = mcl_join_unsorted(b->queue, MCL_JOIN_INNER, left, right, out_left, out_right, MCL_LESS,
                                                mcl_to_host(MCL_INT64, &rows), NULL);
    all_rows = rows;
    return status;
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

static int is_sum(bench *b)
{
    return result == b->sum;
}

/* The last prefix is the sum, in the type that wraps as it does. */
static int is_scan(bench *b)
{
    uint64_t last = 0, sum = b->sum;
    const int64_t own = own_of(b, b->count);
    if (b->rank < b->size - 1 || own == 0) return 1;
    must(mcl_buffer_read(b->queue, b->out, (size_t)(own - 1) * b->type->size, b->type->size, &last), "check",
         mcl_last_error());
    return memcmp(&last, &sum, b->type->size) == 0; /* little-endian: the low bytes */
}

static int is_same_sum(bench *b)
{
    uint64_t sum = 0;
    must(mcl_mpi_reduce(b->mpi, mcl_from_buffer(b->type, b->out, 0, share(b)), &wide_sum, mcl_to_host(MCL_UINT64, &sum),
                        NULL),
         "check", mcl_mpi_last_error());
    return sum == b->sum;
}

/* In order on each rank and from rank to rank, and the same sum. */
static int is_sorted(bench *b)
{
    int64_t falls = 0;
    const int64_t own = share(b);
    uint64_t ends[2] = { 0, 0 }, before = 0;
    const size_t size = b->type->size;
    must(mcl_reduce(b->queue, mcl_from_neighbours(MCL_INT64, "p[i] > q[i]", NULL, b->type, b->out, 0, own), MCL_ADD,
                    mcl_to_host(MCL_INT64, &falls), NULL),
         "check", mcl_last_error());
    must(mcl_buffer_read(b->queue, b->out, 0, size, &ends[0]), "check", mcl_last_error());
    must(mcl_buffer_read(b->queue, b->out, (size_t)(own - 1) * size, size, &ends[1]), "check", mcl_last_error());
    MPI_Sendrecv(&ends[1], 1, MPI_UINT64_T, b->rank < b->size - 1 ? b->rank + 1 : MPI_PROC_NULL, 0, &before, 1,
                 MPI_UINT64_T, b->rank > 0 ? b->rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return is_same_sum(b) && falls == 0 && before <= ends[0];
}

/* Each index once: they add up, and so do their squares, as far as 64 bits go. */
static int is_order(bench *b)
{
    static const char *const texts[] = { "(uint64_t)order[i]", "(uint64_t)order[i] * (uint64_t)order[i]" };
    const uint64_t n = (uint64_t)b->count;
    uint64_t sums[2] = { 0, 0 }, squares = 0;
    const mcl_binding order = mcl_binding_buffer("order", MCL_INT64, b->out_values, 0);
    for (int k = 0; k < 2; ++k)
        must(mcl_mpi_reduce(b->mpi, mcl_from_expression(MCL_UINT64, texts[k], NULL, &order, 1, share(b)), MCL_ADD,
                            mcl_to_host(MCL_UINT64, &sums[k]), NULL),
             "check", mcl_mpi_last_error());
    for (uint64_t k = 0; k < n; ++k) squares += k * k;
    return sums[0] == n * (n - 1) / 2 && sums[1] == squares;
}

/* Every row of the second table has its partner once: rows of equal keys, as many as there are, and their numbers add
 * up to those of a whole table. */
static int is_joined(bench *b)
{
    const int64_t half = b->count / 2;
    int64_t numbers[2] = { 0, 0 };
    const mcl_binding bindings[] = { mcl_binding_buffer("rows_a", MCL_INT64, b->out, 0),
                                     mcl_binding_buffer("rows_b", MCL_INT64, b->out_values, 0),
                                     mcl_binding_value("table", MCL_INT64, &half) };
    const char *const texts[] = { "rows_a[i] == rows_b[i] * 982451653 % table ? 0 : 1", "rows_b[i]" };
    for (int k = 0; k < 2; ++k)
        must(mcl_mpi_reduce(b->mpi, mcl_from_expression(MCL_INT64, texts[k], NULL, bindings, 3, rows), MCL_ADD,
                            mcl_to_host(MCL_INT64, &numbers[k]), NULL),
             "check", mcl_mpi_last_error());
    return all_rows == half && numbers[0] == 0 && numbers[1] == half * (half - 1) / 2;
}

static int is_found(bench *b)
{
    const int64_t first = first_of(b, b->count), own = own_of(b, b->count);
    int64_t wrong = -1;
    const mcl_binding bindings[] = { mcl_binding_buffer("found", MCL_UINT32, b->out_values, 0),
                                     mcl_binding_value("first", MCL_INT64, &first),
                                     mcl_binding_value("all", MCL_INT64, &b->count) };
    must(mcl_reduce(b->queue,
                    mcl_from_expression(MCL_INT64, "found[i] == (first + i) * 982451653 % all ? 0 : 1", NULL, bindings,
                                        3, own),
                    MCL_ADD, mcl_to_host(MCL_INT64, &wrong), NULL),
         "check", mcl_last_error());
    return wrong == 0;
}

static const operation operations[] = {
    { "reduce_sum", 1, fill_in, run_reduce, is_sum },
    { "inclusive_scan_sum", 2, fill_elements, run_scan, is_scan },
    { "redistribute", 2, fill_elements, run_redistribute, is_same_sum },
    { "sort_keys", 2, fill_elements, run_sort, is_sorted },
    { "sort_keys_compare", 2, fill_elements, run_sort_compare, is_sorted },
    { "sort_pairs", 4, fill_pairs, run_sort_pairs, is_sorted },
    { "sort_indices", 3, fill_indices, run_sort_indices, is_order },
    { "join", 3, fill_tables, run_join, is_joined }, /* keys read, two wide rows of two elements each written */
    { "map_find", 2, fill_map, run_map_find, is_found },
    { NULL, 0, NULL, NULL, NULL },
};

const operation *operation_at(int index)
{
    const operation *const tables[] = { operations, list_operations, relation_operations };
    for (size_t table = 0; table < sizeof tables / sizeof tables[0]; ++table)
        for (const operation *op = tables[table]; op->name; ++op)
            if (index-- == 0) return op;
    return NULL;
}

const operation *operation_named(const char *name)
{
    int index = 0;
    while (operation_at(index) && strcmp(operation_at(index)->name, name) != 0) ++index;
    return operation_at(index);
}
