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

static mcl_buffer *buffer_of(const bench *b, const mcl_type *type, int64_t count)
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

void bench_fill(bench *b, const operation *op)
{
    const uint64_t low = 0, high = UINT64_MAX;
    b->in = buffer_of(b, b->type, b->own);
    must(mcl_random(b->queue, mcl_to_buffer(b->type, b->in, 0, b->own), 1, b->first, &low, &high, NULL), "data",
         mcl_last_error());
    const mcl_binding bindings[] = { mcl_binding_buffer("u", b->type, b->in, 0),
                                     mcl_binding_value("first", MCL_INT64, &b->first),
                                     mcl_binding_value("count", MCL_INT64, &b->count) };
    must(mcl_transform(b->queue, mcl_from_expression(b->type, text_of(b->keys), NULL, bindings, 3, b->own),
                       mcl_to_buffer(b->type, b->in, 0, b->own), NULL),
         "data", mcl_last_error());
    const int64_t room = (b->count + b->size - 1) / b->size;
    if (op->has_values) {
        const uint32_t start = 0;
        b->values = buffer_of(b, MCL_UINT32, b->own);
        b->out_values = buffer_of(b, MCL_UINT32, room);
        must(mcl_transform(b->queue, mcl_from_counting(MCL_UINT32, &start, b->own),
                           mcl_to_buffer(MCL_UINT32, b->values, 0, b->own), NULL),
             "data", mcl_last_error());
    }
    if (op->gives_elements) b->out = buffer_of(b, b->type, room);
    must(mcl_mpi_reduce(b->mpi, mcl_from_buffer(b->type, b->in, 0, b->own), &wide_sum, mcl_to_host(MCL_UINT64, &b->sum),
                        NULL),
         "data", mcl_mpi_last_error());
}

void bench_drop(bench *b)
{
    mcl_buffer_release(b->in);
    mcl_buffer_release(b->values);
    mcl_buffer_release(b->out);
    mcl_buffer_release(b->out_values);
    b->in = b->values = b->out = b->out_values = NULL;
}

static mcl_input in_of(const bench *b)
{
    return mcl_from_buffer(b->type, b->in, 0, b->own);
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
    return mcl_mpi_scan(b->mpi, in_of(b), mcl_to_buffer(b->type, b->out, 0, b->own), MCL_ADD, MCL_INCLUSIVE,
                        mcl_to_nowhere(), NULL);
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
    return mcl_mpi_sort_pairs(b->mpi, in_of(b), mcl_from_buffer(MCL_UINT32, b->values, 0, b->own), MCL_MPI_EVEN,
                              out_of(b), mcl_to_buffer(MCL_UINT32, b->out_values, 0, share(b)), MCL_LESS,
                              mcl_to_nowhere(), NULL);
}

static mcl_status run_redistribute(bench *b)
{
    return mcl_mpi_redistribute(b->mpi, in_of(b), MCL_MPI_EVEN, out_of(b), mcl_to_nowhere(), NULL);
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
    if (b->rank < b->size - 1 || b->own == 0) return 1;
    must(mcl_buffer_read(b->queue, b->out, (size_t)(b->own - 1) * b->type->size, b->type->size, &last), "check",
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

const operation operations[] = {
    { "reduce_sum", 0, 0, 1, run_reduce, is_sum },
    { "inclusive_scan_sum", 0, 1, 2, run_scan, is_scan },
    { "redistribute", 0, 1, 2, run_redistribute, is_same_sum },
    { "sort_keys", 0, 1, 2, run_sort, is_sorted },
    { "sort_keys_compare", 0, 1, 2, run_sort_compare, is_sorted },
    { "sort_pairs", 1, 1, 4, run_sort_pairs, is_sorted },
    { NULL, 0, 0, 0, NULL, NULL },
};

const operation *operation_named(const char *name)
{
    for (const operation *op = operations; op->name; ++op)
        if (strcmp(op->name, name) == 0) return op;
    return NULL;
}
