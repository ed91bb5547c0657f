/* scatter.c: a sort that sends each element once. Its steps: samples, partition by bucket, exchange, sort of each
 * bucket. */
#include "scatter.h"

#include "peers.h"
#include "plan.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

/* A column of the sort: the keys, or the values that belong to them. */
typedef struct column {
    const mcl_type *type;
    mcl__room part_room, came_room;
    mcl_buffer *part; /* this rank's elements, in the order of buckets */
    mcl_buffer *came; /* received buckets that are only partly in this rank's share */
    mcl_output out;
} column;

/* The buckets that have elements of a rank's share: from first to last - 1. */
typedef struct bucket_range {
    int first, last;
    int smallest; /* smallest bucket, which is received first, since nothing is sorted meanwhile */
} bucket_range;

typedef struct scatter {
    mcl_mpi *mpi;
    const mcl__scatter_sort *sort;
    mcl__cuts *cuts; /* targets are buckets: for each rank its pieces, then the bucket at its upper border */
    column columns[2];
    int column_count;
    int64_t *begins;      /* [buckets + 1] index in the whole sequence at which each bucket begins */
    bucket_range *ranges; /* [rank] buckets of each rank's share */
    mcl__part *sends, *receives;
} scatter;

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t largest(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

/* Returns whether an order is one of the core's. In another order it is unknown which keys are equal. */
static int is_own_order(const mcl_op *before)
{
    return before == MCL_LESS || before == MCL_GREATER;
}

int mcl__scatters(const mcl_mpi *mpi, const mcl__cuts *cuts, const mcl_op *before)
{
    if (mpi->sort_wanted == SORT_MERGES || mpi->size > MCL__SCATTER_RANKS || mcl__total_of(cuts) == 0) return 0;
    if (mpi->sort_wanted == SORT_SCATTERS) return 1;
    /* on processors a partition takes longer than a merge */
    return mpi->transport->kind == MCL_MPI_NCCL && is_own_order(before) &&
           mcl__total_of(cuts) / mpi->size >= MCL__SCATTER_SHARE;
}

/* ---- samples and splitters --------------------------------------------------------------------------------- */

static int64_t root_of(const scatter *s)
{
    return mcl__sample_root(s->mpi->size, mcl__total_of(s->cuts));
}

/* Stores the planned number of elements of each bucket. All buckets together have all elements. */
static void plan_buckets(const scatter *s, int64_t *shares)
{
    const mcl__cuts *const cuts = s->cuts;
    const int64_t total = mcl__total_of(cuts), error = total / root_of(s) + 1, pieces = cuts->pieces - 1;
    int64_t at = 0;
    for (int r = 0; r < cuts->rank_count; ++r) {
        const int is_last = r + 1 == cuts->rank_count;
        const int64_t border = cuts->boundaries[(r + 1) * cuts->pieces];
        const int64_t inner_end = is_last ? total : largest(at, border - error);
        const int64_t end = is_last ? total : largest(inner_end, least(border + error, total));
        int64_t *const own = shares + (int64_t)r * cuts->pieces;
        for (int64_t k = 0; k < pieces; ++k) own[k] = (inner_end - at) / pieces + (k < (inner_end - at) % pieces);
        own[pieces] = end - inner_end;
        at = end;
    }
}

/* The splitters on the device, and the numbers of the partition. */
typedef struct splitters {
    mcl_buffer *keys;
    mcl_buffer *positions; /* int64: position of each splitter in the whole sequence */
    mcl_buffer *numbers;   /* int64: planned elements of each bucket; then the offsets of this rank's buckets */
    int are_distinct;      /* 1 if no two splitters are equal, so that no key has very many copies */
} splitters;

static mcl_status write_shares(const scatter *s, const splitters *by)
{
    mcl_mpi *const mpi = s->mpi;
    const int64_t buckets = mcl__target_count(s->cuts);
    int64_t *shares = NULL;
    mcl_status status = mcl__array(mpi, buckets, sizeof *shares, &shares);
    if (status == MCL_OK) plan_buckets(s, shares);
    MCL__THEN(status, mcl_buffer_write(mpi->queue, by->numbers, 0, (size_t)buckets * 8, shares));
    free(shares);
    return status;
}

static mcl_status make_splitters(const scatter *s, splitters *out)
{
    mcl_mpi *const mpi = s->mpi;
    const int64_t buckets = mcl__target_count(s->cuts);
    mcl_status status = mcl__room_of(mpi, ROOM_FOUND, buckets * (int64_t)s->sort->keys.type->size, &out->keys);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_PARTIALS, buckets * 8, &out->positions));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SMALL, (2 * buckets + 1) * 8, &out->numbers));
    return status;
}

static mcl_status choose_splitters(const scatter *s, const splitters *to)
{
    mcl_queue *const queue = s->mpi->queue;
    const int64_t buckets = mcl__target_count(s->cuts);
    const int64_t stride = mcl__sample_stride(root_of(s), mcl__total_of(s->cuts));
    mcl_input samples, positions;
    mcl_status status =
        mcl__gather_samples(s->mpi, s->sort->keys, s->cuts->counts, stride, s->sort->before, &samples, &positions);
    MCL__THEN(status, write_shares(s, to));
    MCL__THEN(status,
              mcl_splitters_choose(queue, samples, positions, mcl_from_buffer(MCL_INT64, to->numbers, 0, buckets),
                                   mcl_to_buffer(samples.type, to->keys, 0, buckets - 1),
                                   mcl_to_buffer(MCL_INT64, to->positions, 0, buckets - 1), NULL));
    return status;
}

/* Finds out whether all splitters differ. Then a key has at most as many copies as two buckets have elements. So the
 * partition need not compare positions, which makes it faster by a fifth. */
static mcl_status compare_splitters(const scatter *s, splitters *of)
{
    const size_t size = s->sort->keys.type->size;
    const int64_t count = mcl__target_count(s->cuts) - 1;
    unsigned char *keys = NULL;
    if (!is_own_order(s->sort->before)) return MCL_OK;
    mcl_status status = mcl__array(s->mpi, count, size, &keys);
    MCL__THEN(status, mcl_buffer_read(s->mpi->queue, of->keys, 0, (size_t)count * size, keys));
    of->are_distinct = status == MCL_OK;
    for (int64_t k = 1; k < count && status == MCL_OK; ++k)
        if (memcmp(keys + (size_t)k * size, keys + (size_t)(k - 1) * size, size) == 0) of->are_distinct = 0;
    free(keys);
    return status;
}

/* Moves this rank's elements to their buckets, in the column's part. Stores the offsets of buckets as this rank's
 * cuts. */
static mcl_status partition(const scatter *s, mcl_status status, const splitters *splitters)
{
    mcl_queue *const queue = s->mpi->queue;
    const mcl__scatter_sort *const sort = s->sort;
    const column *const keys = &s->columns[0], *const values = &s->columns[1];
    const int64_t buckets = mcl__target_count(s->cuts), count = sort->keys.count;
    const int64_t first = mcl__first_of(s->cuts, 0, s->mpi->rank);
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_at", MCL_INT64, splitters->positions, 0),
                                     mcl_binding_value("mcl_first", MCL_INT64, &first) };
    const mcl_input by = mcl_from_buffer(keys->type, splitters->keys, 0, buckets - 1);
    mcl_input at = mcl_from_expression(MCL_INT64, "mcl_at[i] - mcl_first", NULL, bindings, 2, buckets - 1);
    if (splitters->are_distinct) at = (mcl_input){ 0 };
    const mcl_output out = mcl_to_buffer(keys->type, keys->part, 0, count), no_counts = { 0 };
    const mcl_output offsets = mcl_to_buffer(MCL_INT64, splitters->numbers, buckets, buckets + 1);
    if (s->column_count == 1)
        MCL__THEN(status,
                  mcl_multisplit_by_splitters(queue, sort->keys, out, by, at, sort->before, offsets, no_counts, NULL));
    else
        MCL__THEN(status, mcl_multisplit_by_splitters_pairs(queue, sort->keys, sort->values, out,
                                                            mcl_to_buffer(values->type, values->part, 0, count), by, at,
                                                            sort->before, offsets, no_counts, NULL));
    MCL__THEN(status, mcl_buffer_read(queue, splitters->numbers, (size_t)buckets * 8, (size_t)(buckets + 1) * 8,
                                      mcl__row_of(s->cuts, 0, s->mpi->rank)));
    return status;
}

/* Returns whether a merge is faster for these keys. The caller's own orders are scattered only if the environment asks
 * for it, so they are never declined. */
static int declines(const scatter *s, const splitters *by)
{
    const int is_short = s->sort->keys.type->size <= MCL__SCATTER_SHORT_BYTES;
    return is_short && is_own_order(s->sort->before) && !by->are_distinct;
}

static mcl_status scatter_elements(scatter *s, int *is_declined)
{
    mcl_mpi *const mpi = s->mpi;
    splitters splitters = { 0 };
    MCL__AGREE(mpi, make_splitters(s, &splitters));
    mcl_status status = choose_splitters(s, &splitters);
    MCL__THEN(status, compare_splitters(s, &splitters));
    MCL__AGREE(mpi, status);
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    *is_declined = declines(s, &splitters);
    if (*is_declined) return MCL_OK;
    status = partition(s, MCL_OK, &splitters);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, status);
    return mcl__cuts_share(mpi, s->cuts);
}

/* ---- ranges of buckets ------------------------------------------------------------------------------------- */

/* Return the first index of a rank's share, and the index after its end, in the whole sequence. */
static int64_t share_first(const scatter *s, int rank)
{
    return s->cuts->boundaries[rank * s->cuts->pieces];
}

static int64_t share_last(const scatter *s, int rank)
{
    return s->cuts->boundaries[(rank + 1) * s->cuts->pieces];
}

static int64_t bucket_count(const scatter *s, int bucket)
{
    return s->begins[bucket + 1] - s->begins[bucket];
}

/* Returns the smallest bucket of a range that is not empty. The first bucket of a range is never empty. */
static int smallest_of(const scatter *s, bucket_range range)
{
    int smallest = range.first;
    for (int b = range.first; b < range.last; ++b)
        if (bucket_count(s, b) > 0 && bucket_count(s, b) < bucket_count(s, smallest)) smallest = b;
    return smallest;
}

static void find_ranges(const scatter *s)
{
    const int buckets = mcl__target_count(s->cuts);
    for (int b = 0; b <= buckets; ++b) {
        s->begins[b] = 0;
        for (int r = 0; r < s->mpi->size; ++r) s->begins[b] += mcl__cut(s->cuts, 0, r, b);
    }
    for (int r = 0, b = 0; r < s->mpi->size; ++r) {
        s->ranges[r] = (bucket_range){ 0 };
        if (share_first(s, r) == share_last(s, r)) continue;
        while (s->begins[b + 1] <= share_first(s, r)) ++b;
        s->ranges[r].first = b;
        while (s->begins[b + 1] < share_last(s, r)) ++b;
        s->ranges[r].last = b + 1;
        s->ranges[r].smallest = smallest_of(s, s->ranges[r]);
    }
}

/* Returns whether all elements of a bucket are in this rank's share. */
static int is_inside(const scatter *s, int bucket)
{
    const int rank = s->mpi->rank;
    return s->begins[bucket] >= share_first(s, rank) && s->begins[bucket + 1] <= share_last(s, rank);
}

/* Returns the range in which a column's bucket is received. If all of the bucket is in the rank's share, the range is
 * in the output. Otherwise it is in the scratch buffer came. Only the first and the last bucket may be there. */
static mcl_output place_of(const scatter *s, const column *column, int bucket)
{
    const bucket_range own = s->ranges[s->mpi->rank];
    const int64_t count = bucket_count(s, bucket), before = is_inside(s, own.first) ? 0 : bucket_count(s, own.first);
    if (is_inside(s, bucket))
        return mcl_to_buffer(column->type, column->out.buffer,
                             column->out.offset + s->begins[bucket] - share_first(s, s->mpi->rank), count);
    return mcl_to_buffer(column->type, column->came, bucket == own.first ? 0 : before, count);
}

static mcl_status make_came_rooms(scatter *s)
{
    const bucket_range own = s->ranges[s->mpi->rank];
    int64_t count = 0;
    for (int b = own.first; b < own.last; ++b) count += is_inside(s, b) ? 0 : bucket_count(s, b);
    mcl_status status = MCL_OK;
    for (int c = 0; c < s->column_count; ++c)
        MCL__THEN(status, mcl__room_of(s->mpi, s->columns[c].came_room, count * (int64_t)s->columns[c].type->size,
                                       &s->columns[c].came));
    return status;
}

/* ---- exchange and sort ------------------------------------------------------------------------------------- */

/* Returns the bucket that a rank receives in a round, or -1 if there is none. */
static int bucket_of(const scatter *s, int rank, int round)
{
    const bucket_range range = s->ranges[rank];
    if (range.first + round >= range.last) return -1;
    if (round == 0) return range.smallest;
    return range.first + round - (range.first + round <= range.smallest);
}

/* Returns a rank's part of a bucket as a range of bytes that begins at element at. */
static mcl__part part_of(const scatter *s, const column *column, int rank, int bucket, int64_t at)
{
    const int64_t size = (int64_t)column->type->size;
    return (mcl__part){ at * size, bucket < 0 ? 0 : mcl__part_count(s->cuts, 0, rank, bucket) * size };
}

/* Copies the parts of a bucket from rank_count ranks whose memory this rank can read, its own part first. */
static mcl_status copy_parts(const scatter *s, const column *column, int bucket, mcl_buffer *to, int rank_count)
{
    mcl_mpi *const mpi = s->mpi;
    mcl_status status = MCL_OK;
    for (int step = 0; step < rank_count && bucket >= 0; ++step) {
        const int r = (mpi->rank + step) % mpi->size;
        const mcl__part from = part_of(s, column, r, bucket, mcl__cut(s->cuts, 0, r, bucket)), at = s->receives[r];
        mcl_buffer *const part = step == 0 ? column->part : mcl__peer_part(mpi, column->part_room, r);
        if (from.bytes > 0)
            MCL__THEN(status, mcl_buffer_copy(mpi->exchange_queue, part, (size_t)from.offset, to, (size_t)at.offset,
                                              (size_t)from.bytes));
    }
    return status;
}

/* Receives one column of the bucket that this rank gets in a round. If a copy fails, messages are still exchanged. */
static mcl_status bring_column(const scatter *s, const column *column, int round)
{
    mcl_mpi *const mpi = s->mpi;
    const int own = bucket_of(s, mpi->rank, round);
    const mcl_output to = own < 0 ? (mcl_output){ .buffer = column->part } : place_of(s, column, own);
    int64_t at = to.offset;
    const int reads = mcl__peer_part(mpi, column->part_room, mpi->rank) != NULL;
    for (int r = 0; r < mpi->size; ++r) {
        const int wanted = bucket_of(s, r, round);
        s->sends[r] = part_of(s, column, mpi->rank, wanted, wanted < 0 ? 0 : mcl__cut(s->cuts, 0, mpi->rank, wanted));
        s->receives[r] = part_of(s, column, r, own, at);
        at += own < 0 ? 0 : mcl__part_count(s->cuts, 0, r, own);
        if (reads && r != mpi->rank) mpi->bytes_sent += s->sends[r].bytes;
    }
    const mcl_status copied = copy_parts(s, column, own, to.buffer, reads ? mpi->size : 1);
    if (reads) return copied;
    const mcl_status status = mpi->transport->exchange(mpi, column->part, s->sends, to.buffer, s->receives);
    return copied != MCL_OK ? copied : status;
}

/* Copies the part of a sorted bucket that is in this rank's share to the output. */
static mcl_status copy_share(const scatter *s, const column *column, int bucket, mcl_output sorted)
{
    const int rank = s->mpi->rank;
    const int64_t size = (int64_t)column->type->size, begin = largest(s->begins[bucket], share_first(s, rank));
    const int64_t end = least(s->begins[bucket + 1], share_last(s, rank));
    return mcl_buffer_copy(s->mpi->queue, sorted.buffer, (size_t)((sorted.offset + begin - s->begins[bucket]) * size),
                           column->out.buffer, (size_t)((column->out.offset + begin - share_first(s, rank)) * size),
                           (size_t)((end - begin) * size));
}

static mcl_input as_input(mcl_output out)
{
    return mcl_from_buffer(out.type, out.buffer, out.offset, out.capacity);
}

static mcl_status sort_bucket(const scatter *s, int bucket)
{
    const mcl__scatter_sort *const sort = s->sort;
    mcl_queue *const queue = s->mpi->queue;
    if (bucket < 0 || bucket_count(s, bucket) == 0) return MCL_OK;
    const mcl_output keys = place_of(s, &s->columns[0], bucket);
    mcl_output values = { 0 };
    mcl_status status;
    if (s->column_count == 1) {
        status = mcl_sort(queue, as_input(keys), keys, sort->before, sort->options);
    } else {
        values = place_of(s, &s->columns[1], bucket);
        status = mcl_sort_pairs(queue, as_input(keys), as_input(values), keys, values, sort->before, sort->options);
    }
    if (is_inside(s, bucket)) return status;
    MCL__THEN(status, copy_share(s, &s->columns[0], bucket, keys));
    if (s->column_count == 2) MCL__THEN(status, copy_share(s, &s->columns[1], bucket, values));
    return status;
}

static mcl_status exchange_and_sort(scatter *s)
{
    mcl_mpi *const mpi = s->mpi;
    int rounds = 0;
    for (int r = 0; r < mpi->size; ++r) {
        const int own = s->ranges[r].last - s->ranges[r].first;
        if (own > rounds) rounds = own;
    }
    mcl_status status = mcl__exchange_begin(mpi);
    for (int round = 0; round < rounds; ++round) {
        for (int c = 0; c < s->column_count; ++c) {
            const mcl_status brought = bring_column(s, &s->columns[c], round);
            if (status == MCL_OK) status = brought;
        }
        /* also after a failure, since no exchange may continue after the call */
        const mcl_status ended = mcl__exchange_end(mpi);
        if (status == MCL_OK) status = ended;
        mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
        MCL__THEN(status, sort_bucket(s, bucket_of(s, mpi->rank, round)));
        mcl__phase_end(mpi, MCL_MPI_LOCAL);
    }
    return status;
}

/* ---- the call ---------------------------------------------------------------------------------------------- */

/* Returns the number of pieces of each share. It is the same on all ranks. */
static int pieces_of(const mcl_mpi *mpi, const mcl__cuts *cuts)
{
    const int most = MCL__SCATTER_BUCKETS / mpi->size - 1;
    const int pieces = mpi->pieces > 0 ? mpi->pieces : mcl__scatter_pieces(mcl__total_of(cuts) / mpi->size);
    return pieces < most ? pieces : most;
}

static mcl_status make_columns(scatter *s, mcl_status status)
{
    const mcl__scatter_sort *const sort = s->sort;
    s->columns[0] =
        (column){ .type = sort->keys.type, .part_room = ROOM_PART, .came_room = ROOM_CAME, .out = sort->out_keys };
    s->columns[1] = (column){
        .type = sort->values.type, .part_room = ROOM_PART_VALUES, .came_room = ROOM_CAME_VALUES, .out = sort->out_values
    };
    s->column_count = sort->values.type ? 2 : 1;
    for (int c = 0; c < s->column_count; ++c)
        status = mcl__part_room(s->mpi, status, s->cuts, 0, s->columns[c].type, s->columns[c].part_room,
                                &s->columns[c].part);
    return status;
}

static mcl_status make_arrays(scatter *s)
{
    mcl_mpi *const mpi = s->mpi;
    mcl_status status = mcl__cuts_split(mpi, s->cuts, pieces_of(mpi, s->cuts) + 1);
    MCL__THEN(status, mcl__array(mpi, mcl__target_count(s->cuts) + 1, sizeof *s->begins, &s->begins));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *s->ranges, &s->ranges));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *s->sends, &s->sends));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *s->receives, &s->receives));
    return status;
}

static mcl_status run(scatter *s, mcl_status status, int *is_declined)
{
    mcl_mpi *const mpi = s->mpi;
    status = make_columns(s, status);
    MCL__THEN(status, make_arrays(s));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, scatter_elements(s, is_declined));
    if (*is_declined) return MCL_OK;
    find_ranges(s);
    status = make_came_rooms(s);
    MCL__THEN(status, mcl__peers_show(mpi));
    MCL__AGREE(mpi, status);
    return exchange_and_sort(s);
}

mcl_status mcl__sort_by_scatter(mcl_mpi *mpi, mcl_status status, const mcl__scatter_sort *sort, int *is_declined)
{
    scatter s = { .mpi = mpi, .sort = sort, .cuts = sort->cuts };
    *is_declined = 0;
    status = run(&s, status, is_declined);
    free(s.begins);
    free(s.ranges);
    free(s.sends);
    free(s.receives);
    return status;
}
