/* data.c: makes the input data of operations. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

const mcl_op bench_sum = { .role = MCL_ROLE_FOLD,
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

mcl_buffer *buffer_of(const bench *b, const mcl_type *type, int64_t count)
{
    mcl_buffer *buffer = NULL;
    must(mcl_buffer_create(b->context, (size_t)count * type->size, NULL, &buffer), "memory", mcl_last_error());
    return buffer;
}

/* Returns the keys as an expression of uniform random numbers u and of indices. */
static const char *text_of(const char *keys)
{
    if (strcmp(keys, "equal") == 0) return "7";
    if (strcmp(keys, "zipf") == 0) return "1000000 / (1 + u[i] % 1000000)"; /* frequency of key j: about 1 / j^2 */
    if (strcmp(keys, "sorted") == 0) return "first + i";
    if (strcmp(keys, "reversed") == 0) return "count - (first + i)";
    return "u[i]";
}

int64_t first_of(const bench *b, int64_t count)
{
    return b->uneven ? (b->rank > 0 ? count : 0) : count * b->rank / b->size;
}

int64_t own_of(const bench *b, int64_t count)
{
    if (b->uneven) return b->rank > 0 ? 0 : count;
    return count * (b->rank + 1) / b->size - first_of(b, count);
}

int64_t most_of(int64_t count, int size)
{
    return (count + size - 1) / size;
}

void transform_into(const bench *b, mcl_input in, const mcl_type *type, mcl_buffer *out)
{
    must(mcl_transform(b->queue, in, mcl_to_buffer(type, out, 0, in.count), NULL), "data", mcl_last_error());
}

void add_up(bench *b)
{
    must(mcl_mpi_reduce(b->mpi, in_of(b), &bench_sum, mcl_to_host(MCL_UINT64, &b->sum), NULL), "data",
         mcl_mpi_last_error());
}

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

int64_t room_of(const bench *b)
{
    const int64_t share = most_of(b->count, b->size);
    return share + share / 8 + 1000;
}

void fill_columns(bench *b, int64_t rows)
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
