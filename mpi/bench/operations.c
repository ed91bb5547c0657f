/* operations.c: operations on whole sequences: their calls, and the checks of their results. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static const mcl_op own_order = { .role = MCL_ROLE_ORDER, .expression = "p < q" };

/* ---- data -------------------------------------------------------------------------------------------------- */

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

/* Returns the number of rows that a rank's outputs can hold. */
static int64_t join_room(const bench *b)
{
    return room_of(b) / 2 + 1000;
}

/* Makes two tables with half of the rows each. */
static void fill_tables(bench *b)
{
    fill_columns(b, b->count / 2);
    b->out = buffer_of(b, MCL_INT64, join_room(b));
    b->out_values = buffer_of(b, MCL_INT64, join_room(b));
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
    return mcl_mpi_reduce(b->mpi, in_of(b), &bench_sum, mcl_to_host(MCL_UINT64, &result), NULL);
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

enum { SMALL_PART = 64 }; /* rows of the first table for each row of a small second table */

static int64_t own_small(const bench *b)
{
    return b->count / 2 / b->size / SMALL_PART;
}

/* Joins the tables. With one rank this is the core's call. */
static mcl_status join_tables(bench *b, int64_t own_right, unsigned flags)
{
    const mcl_options options = { .flags = flags };
    const mcl_input left = mcl_from_buffer(b->type, b->in, 0, own_of(b, b->count / 2)),
                    right = mcl_from_buffer(b->type, b->values, 0, own_right);
    const mcl_output out_left = mcl_to_buffer(MCL_INT64, b->out, 0, join_room(b));
    const mcl_output out_right = mcl_to_buffer(MCL_INT64, b->out_values, 0, join_room(b));
    if (b->size > 1)
        return mcl_mpi_join_unsorted(b->mpi, MCL_JOIN_INNER, left, right, out_left, out_right, MCL_LESS,
                                     mcl_to_host(MCL_INT64, &rows), mcl_to_host(MCL_INT64, &all_rows), &options);
    const mcl_status status = mcl_join_unsorted(b->queue, MCL_JOIN_INNER, left, right, out_left, out_right, MCL_LESS,
                                                mcl_to_host(MCL_INT64, &rows), NULL);
    all_rows = rows;
    return status;
}

static mcl_status run_join(bench *b)
{
    return join_tables(b, own_of(b, b->count / 2), 0);
}

static mcl_status run_join_unordered(bench *b)
{
    return join_tables(b, own_of(b, b->count / 2), MCL_UNORDERED);
}

static mcl_status run_join_small(bench *b)
{
    return join_tables(b, own_small(b), 0);
}

static mcl_status run_join_small_unordered(bench *b)
{
    return join_tables(b, own_small(b), MCL_UNORDERED);
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

static int is_sum(bench *b)
{
    return result == b->sum;
}

/* Checks the last prefix, which is the sum of all elements. Both wrap around in the elements' type. */
static int is_scan(bench *b)
{
    uint64_t last = 0, sum = b->sum;
    const int64_t own = own_of(b, b->count);
    if (b->rank < b->size - 1 || own == 0) return 1;
    must(mcl_buffer_read(b->queue, b->out, (size_t)(own - 1) * b->type->size, b->type->size, &last), "check",
         mcl_last_error());
    return memcmp(&last, &sum, b->type->size) == 0; /* little-endian: the low bytes come first */
}

static int is_same_sum(bench *b)
{
    uint64_t sum = 0;
    must(mcl_mpi_reduce(b->mpi, mcl_from_buffer(b->type, b->out, 0, share(b)), &bench_sum,
                        mcl_to_host(MCL_UINT64, &sum), NULL),
         "check", mcl_mpi_last_error());
    return sum == b->sum;
}

/* Returns whether elements are in order, also from rank to rank, and have the same sum as before. */
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

/* Returns whether each index occurs once. Then the indices, and their squares, add up to the expected sums in 64
 * bits. */
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

/* Returns whether each row of the second table has its partner once. Then rows have equal keys, their number is right,
 * and row numbers add up to the sum of a whole table. */
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

/* Returns whether each row of the small table occurs once. */
static int is_joined_small(bench *b)
{
    const int64_t all = own_small(b) * b->size;
    int64_t sum = 0;
    must(mcl_mpi_reduce(b->mpi, mcl_from_buffer(MCL_INT64, b->out_values, 0, rows), MCL_ADD,
                        mcl_to_host(MCL_INT64, &sum), NULL),
         "check", mcl_mpi_last_error());
    return all_rows == all && sum == all * (all - 1) / 2;
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

const operation operations[] = {
    { "reduce_sum", 1, fill_in, run_reduce, is_sum },
    { "inclusive_scan_sum", 2, fill_elements, run_scan, is_scan },
    { "redistribute", 2, fill_elements, run_redistribute, is_same_sum },
    { "sort_keys", 2, fill_elements, run_sort, is_sorted },
    { "sort_keys_compare", 2, fill_elements, run_sort_compare, is_sorted },
    { "sort_pairs", 4, fill_pairs, run_sort_pairs, is_sorted },
    { "sort_indices", 3, fill_indices, run_sort_indices, is_order },
    { "join", 3, fill_tables, run_join, is_joined }, /* a row number has the size of two keys */
    { "join_unordered", 3, fill_tables, run_join_unordered, is_joined },
    { "join_small", 3, fill_tables, run_join_small, is_joined_small },
    { "join_small_unordered", 3, fill_tables, run_join_small_unordered, is_joined_small },
    { "map_find", 2, fill_map, run_map_find, is_found },
    { NULL, 0, NULL, NULL, NULL },
};
