/* lists.c: operations that select, fold segments, count and move elements: their data, calls and checks. */
#include "bench.h"

enum { RUN = 3, SEGMENT = 100, BINS = 256, FIRST = 1000, TENTHS = 9 };

static const mcl_op even = { .role = MCL_ROLE_TEST, .expression = "x % 2 == 0" };

/* ---- data -------------------------------------------------------------------------------------------------- */

/* Makes elements, and two outputs of the same size. */
static void fill_outputs(bench *b)
{
    const int64_t own = own_of(b, b->count);
    fill_in(b);
    b->out = buffer_of(b, b->type, own);
    b->out_values = buffer_of(b, b->type, own);
}

/* Makes runs of RUN equal elements, which also continue from rank to rank. */
static void fill_runs(bench *b)
{
    const int64_t first = first_of(b, b->count), own = own_of(b, b->count);
    const mcl_binding binding = mcl_binding_value("first", MCL_INT64, &first);
    fill_outputs(b);
    transform_into(b, mcl_from_expression(b->type, "(first + i) / 3", NULL, &binding, 1, own), b->type, b->in);
    add_up(b);
}

/* Makes a million distinct keys, or as many as there are elements. Owners of keys go by a hash, so outputs are larger
 * than a share. */
static void fill_groups(bench *b)
{
    const int64_t first = first_of(b, b->count), own = own_of(b, b->count);
    const mcl_binding binding = mcl_binding_value("first", MCL_INT64, &first);
    fill_in(b);
    b->out = buffer_of(b, b->type, room_of(b));
    b->out_values = buffer_of(b, b->type, room_of(b));
    transform_into(b, mcl_from_expression(b->type, "(first + i) * 2654435761 % 1000000", NULL, &binding, 1, own),
                   b->type, b->in);
}

/* Makes elements, and an output for all of them. */
static void fill_split(bench *b)
{
    fill_in(b);
    b->out = buffer_of(b, b->type, b->count); /* one rank may get all elements */
}

static void fill_few(bench *b)
{
    fill_in(b);
    b->out = buffer_of(b, MCL_INT64, BINS + FIRST);
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

static int64_t kept, whole;

static mcl_result own_count(void)
{
    return mcl_to_host(MCL_INT64, &kept);
}

static mcl_result whole_count(void)
{
    return mcl_to_host(MCL_INT64, &whole);
}

static mcl_output to(const bench *b, mcl_buffer *buffer)
{
    return mcl_to_buffer(b->type, buffer, 0, own_of(b, b->count));
}

static mcl_input ones(const bench *b)
{
    const uint64_t one = 1;
    return mcl_from_constant(b->type, &one, own_of(b, b->count)); /* little-endian: also 1 as 32 bits */
}

/* Returns segments of SEGMENT elements. Each rank has an even part of their list of begins. */
static mcl_segments segments_of(const bench *b)
{
    const int64_t count = (b->count + SEGMENT - 1) / SEGMENT, step = SEGMENT;
    const int64_t first = count * b->rank / b->size, own = count * (b->rank + 1) / b->size - first;
    const int64_t start = first * SEGMENT;
    return mcl_segments_from_begins(mcl_from_step(MCL_INT64, &start, &step, own));
}

static mcl_status run_compact(bench *b)
{
    return mcl_mpi_compact(b->mpi, in_of(b), to(b, b->out), &even, own_count(), whole_count(), NULL);
}

static mcl_status run_partition(bench *b)
{
    int64_t parts[2] = { 0, 0 };
    const mcl_status status = mcl_mpi_partition(b->mpi, in_of(b), to(b, b->out), to(b, b->out_values), &even,
                                                mcl_to_host(MCL_INT64, parts), mcl_to_nowhere(), NULL);
    kept = parts[0];
    return status;
}

static mcl_status run_unique(bench *b)
{
    return mcl_mpi_unique(b->mpi, in_of(b), to(b, b->out), MCL_EQUAL, own_count(), whole_count(), NULL);
}

static mcl_status run_reduce_by_key(bench *b)
{
    return mcl_mpi_reduce_by_key(b->mpi, in_of(b), ones(b), to(b, b->out), to(b, b->out_values), MCL_ADD, NULL,
                                 own_count(), whole_count(), NULL);
}

static mcl_status run_group_by(bench *b)
{
    const mcl_aggregate counts = { ones(b), MCL_ADD, mcl_to_buffer(b->type, b->out_values, 0, room_of(b)) };
    return mcl_mpi_group_by(b->mpi, in_of(b), mcl_to_buffer(b->type, b->out, 0, room_of(b)), &counts, 1, own_count(),
                            whole_count(), NULL);
}

static mcl_status run_distinct(bench *b)
{
    return mcl_mpi_distinct(b->mpi, in_of(b), mcl_to_buffer(b->type, b->out, 0, room_of(b)), own_count(), whole_count(),
                            NULL);
}

static mcl_status run_scan_by_key(bench *b)
{
    return mcl_mpi_scan_by_key(b->mpi, in_of(b), ones(b), to(b, b->out), MCL_ADD, NULL, MCL_INCLUSIVE, NULL);
}

static mcl_status run_segmented_reduce(bench *b)
{
    return mcl_mpi_segmented_reduce(b->mpi, in_of(b), segments_of(b), to(b, b->out), MCL_ADD, own_count(),
                                    whole_count(), NULL);
}

static mcl_status run_segmented_scan(bench *b)
{
    return mcl_mpi_segmented_scan(b->mpi, ones(b), segments_of(b), to(b, b->out), MCL_ADD, MCL_INCLUSIVE, NULL);
}

static mcl_status run_histogram(bench *b)
{
    static const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "(int64_t)(x % 256)" };
    return mcl_mpi_histogram(b->mpi, in_of(b), &bin, NULL, mcl_to_buffer(MCL_INT64, b->out, 0, BINS), NULL);
}

static int64_t first_count(const bench *b)
{
    return b->count < FIRST ? b->count : FIRST;
}

static mcl_status run_top_k(bench *b)
{
    return mcl_mpi_top_k(b->mpi, in_of(b), first_count(b), mcl_to_buffer(b->type, b->out, 0, FIRST), MCL_LESS,
                         mcl_to_nowhere(), NULL);
}

static uint64_t found;

static mcl_status run_nth_element(bench *b)
{
    found = 0;
    return mcl_mpi_nth_element(b->mpi, in_of(b), b->count / 2, mcl_to_host(b->type, &found), MCL_LESS, NULL);
}

static mcl_status run_quantiles(bench *b)
{
    const double tenth = 0.1;
    return mcl_mpi_quantiles(b->mpi, in_of(b), mcl_from_step(MCL_DOUBLE, &tenth, &tenth, TENTHS),
                             mcl_to_buffer(b->type, b->out, 0, TENTHS), MCL_LESS, MCL_INTERPOLATION_LOWER, NULL);
}

static mcl_status run_multisplit(bench *b)
{
    const int64_t ranks = b->size;
    const mcl_op bucket = { .role = MCL_ROLE_INDEX,
                            .expression = "(int64_t)(x / 3 % 1024) * ranks >> 10",
                            .binding_count = 1,
                            .bindings = { mcl_binding_value("ranks", MCL_INT64, &ranks) } };
    return mcl_mpi_multisplit(b->mpi, in_of(b), mcl_to_buffer(b->type, b->out, 0, b->count), &bucket, own_count(),
                              NULL);
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

/* Returns the sum over all ranks of an expression of out, values and in, for count elements on this rank. */
static uint64_t sum_of(bench *b, const char *text, int64_t count)
{
    uint64_t sum = 0;
    const mcl_binding bindings[] = { mcl_binding_buffer("in_", b->type, b->in, 0),
                                     mcl_binding_buffer("out_", b->type, b->out, 0),
                                     mcl_binding_buffer("values_", b->type, b->out_values ? b->out_values : b->out, 0),
                                     mcl_binding_value("found", MCL_UINT64, &found) };
    must(mcl_mpi_reduce(b->mpi, mcl_from_expression(MCL_UINT64, text, NULL, bindings, 4, count), MCL_ADD,
                        mcl_to_host(MCL_UINT64, &sum), NULL),
         "check", mcl_mpi_last_error());
    return sum;
}

static int is_compacted(bench *b)
{
    return sum_of(b, "out_[i]", kept) == sum_of(b, "in_[i] % 2 == 0 ? in_[i] : 0", own_of(b, b->count)) &&
           sum_of(b, "out_[i] % 2", kept) == 0;
}

static int is_parted(bench *b)
{
    return is_compacted(b) &&
           sum_of(b, "out_[i]", kept) + sum_of(b, "values_[i]", own_of(b, b->count) - kept) == b->sum;
}

static int64_t run_count(const bench *b)
{
    return (b->count + RUN - 1) / RUN;
}

static int is_unique(bench *b)
{
    const uint64_t runs = (uint64_t)run_count(b);
    return whole == run_count(b) && sum_of(b, "out_[i]", kept) == runs * (runs - 1) / 2;
}

/* Returns whether all keys were found. The factor in the expression is odd and no multiple of 5, so a million
 * neighbours have all keys. */
static int is_distinct(bench *b)
{
    const int64_t most = 1000000;
    return whole == (b->count < most ? b->count : most);
}

static int is_grouped(bench *b)
{
    return is_distinct(b) && sum_of(b, "values_[i]", kept) == (uint64_t)b->count;
}

static int is_by_key(bench *b)
{
    return is_unique(b) && sum_of(b, "values_[i]", kept) == (uint64_t)b->count;
}

/* Returns the sum of prefixes of ones. In each segment these are 1 to length, in the last one up to its length. */
static uint64_t sum_of_ranks(int64_t count, int64_t length)
{
    const uint64_t each = (uint64_t)length * (uint64_t)(length + 1) / 2, rest = (uint64_t)(count % length);
    return (uint64_t)(count / length) * each + rest * (rest + 1) / 2;
}

static int is_scanned_by_key(bench *b)
{
    return sum_of(b, "out_[i]", own_of(b, b->count)) == sum_of_ranks(b->count, RUN);
}

static int is_scanned_by_segment(bench *b)
{
    return sum_of(b, "out_[i]", own_of(b, b->count)) == sum_of_ranks(b->count, SEGMENT);
}

/* Returns whether the sums of all segments add up to b->sum. Sums wrap around in the elements' type. */
static int is_folded(bench *b)
{
    const uint64_t difference = sum_of(b, "out_[i]", kept) - b->sum;
    return whole == (b->count + SEGMENT - 1) / SEGMENT && (b->type->size == 8 ? difference : (uint32_t)difference) == 0;
}

static int is_counted(bench *b)
{
    int64_t sum = 0;
    must(mcl_reduce(b->queue, mcl_from_buffer(MCL_INT64, b->out, 0, BINS), MCL_ADD, mcl_to_host(MCL_INT64, &sum), NULL),
         "check", mcl_last_error());
    return sum == b->count;
}

/* Returns whether number is at index nth of the sorted elements: at most nth elements are below it, and more are not
 * above it. */
static int is_at(bench *b, uint64_t number, int64_t nth)
{
    found = number;
    const int64_t own = own_of(b, b->count);
    return sum_of(b, "in_[i] < found ? 1 : 0", own) <= (uint64_t)nth &&
           sum_of(b, "in_[i] <= found ? 1 : 0", own) > (uint64_t)nth;
}

static uint64_t number_at(bench *b, int64_t index)
{
    uint64_t number = 0;
    must(mcl_buffer_read(b->queue, b->out, (size_t)index * b->type->size, b->type->size, &number), "check",
         mcl_last_error());
    return number;
}

static int is_nth(bench *b)
{
    return is_at(b, found, b->count / 2);
}

static int is_top(bench *b)
{
    int64_t falls = 0;
    must(mcl_reduce(b->queue, mcl_from_neighbours(MCL_INT64, "p[i] > q[i]", NULL, b->type, b->out, 0, first_count(b)),
                    MCL_ADD, mcl_to_host(MCL_INT64, &falls), NULL),
         "check", mcl_last_error());
    return falls == 0 && is_at(b, number_at(b, 0), 0) && is_at(b, number_at(b, first_count(b) - 1), first_count(b) - 1);
}

static int is_quantile(bench *b)
{
    return is_at(b, number_at(b, TENTHS / 2), (int64_t)(0.5 * (double)(b->count - 1)));
}

static int is_split(bench *b)
{
    const int64_t ranks = b->size, rank = b->rank;
    int64_t wrong = -1;
    const mcl_binding bindings[] = { mcl_binding_buffer("out_", b->type, b->out, 0),
                                     mcl_binding_value("ranks", MCL_INT64, &ranks),
                                     mcl_binding_value("rank", MCL_INT64, &rank) };
    must(mcl_reduce(b->queue,
                    mcl_from_expression(MCL_INT64, "((int64_t)(out_[i] / 3 % 1024) * ranks >> 10) == rank ? 0 : 1",
                                        NULL, bindings, 3, kept),
                    MCL_ADD, mcl_to_host(MCL_INT64, &wrong), NULL),
         "check", mcl_last_error());
    return wrong == 0 && sum_of(b, "out_[i]", kept) == b->sum;
}

const operation list_operations[] = {
    { "compact", 2, fill_outputs, run_compact, is_compacted },
    { "partition", 2, fill_outputs, run_partition, is_parted },
    { "unique", 2, fill_runs, run_unique, is_unique },
    { "group_by", 2, fill_groups, run_group_by, is_grouped },
    { "distinct", 2, fill_groups, run_distinct, is_distinct },
    { "reduce_by_key", 2, fill_runs, run_reduce_by_key, is_by_key },
    { "scan_by_key", 2, fill_runs, run_scan_by_key, is_scanned_by_key },
    { "segmented_reduce", 1, fill_outputs, run_segmented_reduce, is_folded },
    { "segmented_scan", 1, fill_outputs, run_segmented_scan, is_scanned_by_segment },
    { "histogram_256", 1, fill_few, run_histogram, is_counted },
    { "top_k_1000", 1, fill_few, run_top_k, is_top },
    { "nth_element", 1, fill_few, run_nth_element, is_nth },
    { "quantiles_9", 1, fill_few, run_quantiles, is_quantile },
    { "multisplit", 2, fill_split, run_multisplit, is_split },
    { NULL, 0, NULL, NULL, NULL },
};
