/* relations.c: operations on two sorted sequences, and on hash maps: their data, calls and checks. */
#include "bench.h"

static int64_t half_of(const bench *b)
{
    return b->count / 2;
}

/* Makes two sequences of half of the elements each: 2, 4, 6, ... and 3, 6, 9, ... So a third of the first one's keys
 * are in both. */
static void fill_sequences(bench *b)
{
    static const char *const texts[] = { "2 * (first + i)", "3 * (first + i)" };
    mcl_buffer **const parts[] = { &b->in, &b->values };
    const int64_t first = first_of(b, half_of(b)), own = own_of(b, half_of(b));
    const mcl_binding binding = mcl_binding_value("first", MCL_INT64, &first);
    for (int k = 0; k < 2; ++k) {
        *parts[k] = buffer_of(b, b->type, own);
        transform_into(b, mcl_from_expression(b->type, texts[k], NULL, &binding, 1, own), b->type, *parts[k]);
    }
    b->out = buffer_of(b, b->type, room_of(b));
}

static mcl_input first_sequence(const bench *b)
{
    return mcl_from_buffer(b->type, b->in, 0, own_of(b, half_of(b)));
}

static mcl_input second_sequence(const bench *b)
{
    return mcl_from_buffer(b->type, b->values, 0, own_of(b, half_of(b)));
}

static int64_t kept, whole;

static mcl_status run_merge(bench *b)
{
    return mcl_mpi_merge(b->mpi, first_sequence(b), second_sequence(b), MCL_MPI_EVEN,
                         mcl_to_buffer(b->type, b->out, 0, room_of(b)), MCL_LESS, mcl_to_host(MCL_INT64, &kept), NULL);
}

#define SET_RUN(name)                                                                                                  \
    static mcl_status run_##name(bench *b)                                                                             \
    {                                                                                                                  \
        return mcl_mpi_set_##name(b->mpi, first_sequence(b), second_sequence(b),                                       \
                                  mcl_to_buffer(b->type, b->out, 0, room_of(b)), MCL_LESS,                             \
                                  mcl_to_host(MCL_INT64, &kept), mcl_to_host(MCL_INT64, &whole), NULL);                \
    }
SET_RUN(intersection)
SET_RUN(union)
SET_RUN(difference)
SET_RUN(symmetric_difference)

/* Returns whether no element of out is smaller than the element before it on the same rank. If takes_equal is 0, no
 * neighbours may be equal. */
static int is_in_order(bench *b, int takes_equal)
{
    int64_t falls = 0;
    const mcl_input steps =
        mcl_from_neighbours(MCL_INT64, takes_equal ? "p[i] > q[i]" : "p[i] >= q[i]", NULL, b->type, b->out, 0, kept);
    must(mcl_mpi_reduce(b->mpi, steps, MCL_ADD, mcl_to_host(MCL_INT64, &falls), NULL), "check", mcl_mpi_last_error());
    return falls == 0;
}

static int is_merged(bench *b)
{
    whole = 0;
    MPI_Allreduce(&kept, &whole, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return whole == 2 * half_of(b) && is_in_order(b, 1);
}

static int is_set(bench *b, int64_t expected)
{
    return whole == expected && is_in_order(b, 0);
}

/* Returns the number of keys that are in both sequences: the multiples of 6. */
static int64_t common(const bench *b)
{
    return (half_of(b) + 2) / 3;
}

static int is_intersection(bench *b)
{
    return is_set(b, common(b));
}

static int is_union(bench *b)
{
    return is_set(b, 2 * half_of(b) - common(b));
}

static int is_difference(bench *b)
{
    return is_set(b, half_of(b) - common(b));
}

static int is_symmetric_difference(bench *b)
{
    return is_set(b, 2 * (half_of(b) - common(b)));
}

/* ---- maps -------------------------------------------------------------------------------------------------- */

/* Makes a map, and outputs for all entries that a rank may own. */
static void fill_entries(bench *b)
{
    fill_map(b);
    mcl_buffer_release(b->out_values);
    b->out = buffer_of(b, b->type, room_of(b));
    b->out_values = buffer_of(b, MCL_UINT32, room_of(b));
}

/* Clears the map, and inserts all keys. Both are timed. */
static mcl_status run_map_insert(bench *b)
{
    const uint32_t first = (uint32_t)first_of(b, b->count);
    const mcl_status status = mcl_mpi_map_clear(b->mpi, b->map, NULL);
    if (status != MCL_OK) return status;
    return mcl_mpi_map_insert(b->mpi, b->map, in_of(b), mcl_from_counting(MCL_UINT32, &first, own_of(b, b->count)),
                              NULL);
}

static mcl_status run_map_retrieve(bench *b)
{
    return mcl_mpi_map_retrieve_all(b->mpi, b->map, mcl_to_buffer(b->type, b->out, 0, room_of(b)),
                                    mcl_to_buffer(MCL_UINT32, b->out_values, 0, room_of(b)),
                                    mcl_to_host(MCL_INT64, &kept), mcl_to_host(MCL_INT64, &whole), NULL);
}

static int has_all(bench *b)
{
    must(mcl_mpi_map_size(b->mpi, b->map, mcl_to_nowhere(), mcl_to_host(MCL_INT64, &whole), NULL), "check",
         mcl_mpi_last_error());
    return whole == b->count;
}

/* Returns whether each entry was retrieved once. Then the values add up to the sum of all row numbers. */
static int is_retrieved(bench *b)
{
    int64_t sum = 0;
    const mcl_binding rows = mcl_binding_buffer("rows", MCL_UINT32, b->out_values, 0);
    must(mcl_mpi_reduce(b->mpi, mcl_from_expression(MCL_INT64, "(int64_t)rows[i]", NULL, &rows, 1, kept), MCL_ADD,
                        mcl_to_host(MCL_INT64, &sum), NULL),
         "check", mcl_mpi_last_error());
    return whole == b->count && sum == b->count * (b->count - 1) / 2;
}

const operation relation_operations[] = {
    { "merge", 2, fill_sequences, run_merge, is_merged },
    { "set_intersection", 2, fill_sequences, run_intersection, is_intersection },
    { "set_union", 2, fill_sequences, run_union, is_union },
    { "set_difference", 2, fill_sequences, run_difference, is_difference },
    { "set_symmetric_difference", 2, fill_sequences, run_symmetric_difference, is_symmetric_difference },
    { "map_insert", 2, fill_entries, run_map_insert, has_all },
    { "map_retrieve_all", 2, fill_entries, run_map_retrieve, is_retrieved },
    { NULL, 0, NULL, NULL, NULL },
};
