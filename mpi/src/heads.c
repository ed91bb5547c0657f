/* heads.c: sends the heads of segments to the ranks that have their elements. */
#include "heads.h"

#include "edges.h"
#include "splitters.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------- */

static mcl_status list_room(mcl_mpi *mpi, mcl__room room, int64_t count, mcl_output *out)
{
    mcl_buffer *buffer = NULL;
    const mcl_status status = mcl__room_of(mpi, room, count * (int64_t)sizeof(int64_t), &buffer);
    *out = mcl_to_buffer(MCL_INT64, buffer, 0, count);
    return status;
}

static mcl_input as_input(mcl_output out)
{
    return mcl_from_buffer(MCL_INT64, out.buffer, out.offset, out.capacity);
}

/* Replaces each list[i] by the value of an expression, which may use mcl_list, mcl_low and mcl_high. */
static mcl_status rewrite(mcl_mpi *mpi, mcl_output list, const char *text, int64_t low, int64_t high)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_list", MCL_INT64, list.buffer, list.offset),
                                     mcl_binding_value("mcl_low", MCL_INT64, &low),
                                     mcl_binding_value("mcl_high", MCL_INT64, &high) };
    if (list.capacity == 0) return MCL_OK;
    return mcl_transform(mpi->queue, mcl_from_expression(MCL_INT64, text, NULL, bindings, 3, list.capacity), list,
                         NULL);
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

mcl_status mcl__heads_check(mcl_mpi *mpi, mcl_segments *segments)
{
    const mcl_type *const type = segments->input.type;
    if ((unsigned)segments->kind > MCL_SEGMENT_FLAGS)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "segments are of kind %d; expected a value of mcl_segment_kind",
                           (int)segments->kind);
    const mcl_status status = mcl__settle_count(mpi, &segments->input);
    if (status != MCL_OK) return status;
    if (type->kind != MCL_KIND_SIGNED && type->kind != MCL_KIND_UNSIGNED)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "segments are of %s; expected an integer type", type->name);
    if (segments->kind == MCL_SEGMENT_FLAGS && type->size != 4)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "segments are flags in %s; expected MCL_UINT32 or MCL_INT32",
                           type->name);
    return MCL_OK;
}

/* ---- lists of the caller ----------------------------------------------------------------------------------- */

/* Makes the list of offsets of this rank's rows, which come after the rows of lower ranks. The last rank's list also
 * has the end of the last row. */
static mcl_status list_rows(mcl_mpi *mpi, const mcl_segments *segments, mcl_output *out)
{
    const int64_t count = segments->input.count, rows = count > 0 ? count - 1 : 0, length = segments->row_length;
    mcl__whole whole;
    mcl_status status = mcl__count_whole(mpi, rows, &whole);
    free(whole.counts);
    const int64_t start = whole.first * length;
    MCL__THEN(status, list_room(mpi, ROOM_SORTED, rows + (mpi->rank == mpi->size - 1), out));
    if (out->capacity == 0) return status;
    MCL__THEN(status, mcl_transform(mpi->queue, mcl_from_step(MCL_INT64, &start, &length, out->capacity), *out, NULL));
    return status;
}

static mcl_status list_as_given(mcl_mpi *mpi, const mcl_segments *segments, mcl_output *out)
{
    mcl_status status = list_room(mpi, ROOM_SORTED, segments->input.count, out);
    if (segments->input.count == 0) return status;
    MCL__THEN(status, mcl_transform(mpi->queue, segments->input, *out, NULL));
    return status;
}

/* ---- validation -------------------------------------------------------------------------------------------- */

/* Checks this rank's entries: each must be an index of the whole sequence, or its end. If is_ordered is 1, no entry may
 * be below the one before it. The sentence names the first wrong entry. */
static mcl_status check_entries(mcl_mpi *mpi, mcl_output list, int64_t total, int is_ordered)
{
    const int32_t ordered = is_ordered;
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_list", MCL_INT64, list.buffer, list.offset),
                                     mcl_binding_value("mcl_total", MCL_INT64, &total),
                                     mcl_binding_value("mcl_ordered", MCL_INT32, &ordered),
                                     mcl_binding_value("mcl_none", MCL_INT64, &list.capacity) };
    static const char wrong[] = "mcl_list[i] < 0 || mcl_list[i] > mcl_total || "
                                "(mcl_ordered && i > 0 && mcl_list[i - 1] > mcl_list[i]) ? i : mcl_none";
    int64_t first = list.capacity;
    if (list.capacity == 0) return MCL_OK;
    const mcl_status status =
        mcl_reduce(mpi->queue, mcl_from_expression(MCL_INT64, wrong, NULL, bindings, 4, list.capacity), MCL_MIN,
                   mcl_to_host(MCL_INT64, &first), NULL);
    if (status != MCL_OK || first == list.capacity) return status;
    return mcl__refuse(mpi, MCL_ERROR_PRECONDITION, "segments: entry %lld is out of order, or outside the elements",
                       (long long)first);
}

typedef struct ends {
    int64_t count, first, last;
} ends;

/* Checks that this rank's first entry is not below the last entry of lower ranks. */
static mcl_status check_ends(mcl_mpi *mpi, const ends *all)
{
    const ends *const mine = &all[mpi->rank];
    int before = mpi->rank - 1;
    while (before >= 0 && all[before].count == 0) --before;
    if (mine->count == 0 || before < 0 || all[before].last <= mine->first) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_PRECONDITION, "segments: entry 0 is %lld; expected %lld or more, rank %d's last",
                       (long long)mine->first, (long long)all[before].last, before);
}

static mcl_status validate_list(mcl_mpi *mpi, const mcl_segments *segments, int64_t total, mcl_output list)
{
    const int is_ordered = segments->kind != MCL_SEGMENT_INDICES;
    ends mine = { .count = list.capacity }, *all = NULL;
    mcl_status status = check_entries(mpi, list, total, is_ordered);
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof mine, &all));
    if (mine.count > 0) {
        const size_t last = (size_t)(mine.count - 1) * sizeof(int64_t);
        MCL__THEN(status, mcl_buffer_read(mpi->queue, list.buffer, 0, sizeof(int64_t), &mine.first));
        MCL__THEN(status, mcl_buffer_read(mpi->queue, list.buffer, last, sizeof(int64_t), &mine.last));
    }
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_edges(mpi, &mine, all, sizeof mine));
    if (is_ordered) MCL__THEN(status, check_ends(mpi, all));
    free(all);
    return mcl__agree(mpi, status);
}

/* ---- lists of each kind ------------------------------------------------------------------------------------ */

/* Makes a sorted list of the indices that are in the whole sequence. Rank 0 adds index 0, which is always a head. */
static mcl_status list_indices(mcl_mpi *mpi, const mcl__heads *heads, mcl_output all, mcl_output *out)
{
    const int64_t total = heads->whole.total;
    const mcl_op is_element = { .role = MCL_ROLE_TEST,
                                .expression = "x >= 0 && x < mcl_total",
                                .binding_count = 1,
                                .bindings = { mcl_binding_value("mcl_total", MCL_INT64, &total) } };
    const int64_t more = mpi->rank == 0 && total > 0;
    mcl_output kept = { 0 };
    int64_t count = 0;
    mcl_status status = list_room(mpi, ROOM_SECOND, all.capacity + more, &kept);
    if (all.capacity > 0)
        MCL__THEN(status,
                  mcl_compact(mpi->queue, as_input(all), kept, &is_element, mcl_to_host(MCL_INT64, &count), NULL));
    const int64_t zero = 0;
    if (more)
        MCL__THEN(status, mcl_buffer_write(mpi->queue, kept.buffer, (size_t)count * sizeof zero, sizeof zero, &zero));
    kept.capacity = count + more;
    MCL__THEN(status, list_room(mpi, ROOM_SORTED, kept.capacity, out));
    if (kept.capacity == 0) return status;
    MCL__THEN(status, mcl_sort(mpi->queue, as_input(kept), *out, MCL_LESS, NULL));
    return status;
}

/* Makes a list of the elements whose flag is set. The first element of the whole sequence is always in it. */
static mcl_status list_flagged(mcl_mpi *mpi, const mcl_segments *segments, mcl__heads *heads)
{
    const int64_t zero = 0, first = heads->whole.first;
    mcl_input words = segments->input;
    mcl_output list = { 0 };
    int64_t count = 0;
    if (words.count < (heads->count + 31) / 32)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "segments have %lld words of flags; expected %lld",
                           (long long)words.count, (long long)((heads->count + 31) / 32));
    mcl_status status = mcl__store_input(mpi, ROOM_SORTED, &words);
    MCL__THEN(status, list_room(mpi, ROOM_RIGHT, heads->count, &list));
    if (status != MCL_OK || heads->count == 0) return status;
    const mcl_op is_head = {
        .role = MCL_ROLE_TEST,
        .expression = "(mcl_words[x >> 5] >> (x & 31) & 1) != 0 || x + mcl_first == 0",
        .binding_count = 2,
        .bindings = { mcl_binding_buffer("mcl_words", MCL_UINT32, words.buffer, words.offset),
                      mcl_binding_value("mcl_first", MCL_INT64, &first) },
    };
    status = mcl_compact(mpi->queue, mcl_from_counting(MCL_INT64, &zero, heads->count), list, &is_head,
                         mcl_to_host(MCL_INT64, &count), NULL);
    list.capacity = count;
    heads->list = as_input(list);
    return status;
}

/* ---- lists to the ranks of their elements ------------------------------------------------------------------ */

/* Counts the entries of this rank's list before each rank's first element. If entries are not in order, cuts are still
 * in range. */
static mcl_status cut_list(mcl_mpi *mpi, mcl__heads *heads, mcl_input list)
{
    const int64_t boundary_count = mpi->size - 1;
    int64_t *const row = mcl__row_of(&heads->cuts, 0, mpi->rank);
    int64_t *firsts = NULL;
    mcl_buffer *samples = NULL;
    mcl_status status = mcl__array(mpi, boundary_count, sizeof *firsts, &firsts);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SAMPLES, boundary_count * 8, &samples));
    int64_t first = 0;
    for (int64_t b = 0; b < boundary_count && status == MCL_OK; ++b) firsts[b] = first += heads->whole.counts[b];
    if (boundary_count > 0)
        MCL__THEN(status, mcl_buffer_write(mpi->queue, samples, 0, (size_t)boundary_count * 8, firsts));
    if (boundary_count > 0)
        MCL__THEN(status, mcl__rank_samples(mpi, &list, samples, boundary_count, boundary_count, MCL_LESS, row + 1));
    for (int64_t b = 1; b <= boundary_count && status == MCL_OK; ++b)
        if (row[b] < row[b - 1]) row[b] = row[b - 1];
    row[boundary_count + 1] = list.count;
    free(firsts);
    return status;
}

static mcl_status send_list(mcl_mpi *mpi, mcl__heads *heads, mcl_output list)
{
    mcl_output came = { 0 };
    int64_t count = 0;
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &list.capacity, 1, MCL_MPI_SAME, &heads->cuts));
    MCL__AGREE(mpi, cut_list(mpi, heads, as_input(list)));
    MCL__AGREE(mpi, mcl__cuts_share(mpi, &heads->cuts));
    for (int r = 0; r < mpi->size; ++r) count += mcl__part_count(&heads->cuts, 0, r, mpi->rank);
    MCL__AGREE(mpi, list_room(mpi, ROOM_LEFT, count, &came));
    MCL__AGREE(mpi, mcl__exchange_list(mpi, &heads->cuts, 0, MCL_INT64, list.buffer, 0, came.buffer, 0));
    heads->list = as_input(came);
    return rewrite(mpi, came,
                   "mcl_list[i] < mcl_low ? 0 : mcl_list[i] > mcl_high ? mcl_high - mcl_low : mcl_list[i] - mcl_low",
                   heads->whole.first, heads->whole.first + heads->count);
}

/* Sorts the received indices, which are in order only for each rank, and removes duplicates. */
static mcl_status unite(mcl_mpi *mpi, mcl__heads *heads)
{
    const mcl_input came = heads->list;
    mcl_output sorted = { 0 }, list = { 0 };
    int64_t count = 0;
    mcl_status status = list_room(mpi, ROOM_SECOND, came.count, &sorted);
    MCL__THEN(status, list_room(mpi, ROOM_RIGHT, came.count, &list));
    if (status != MCL_OK || came.count == 0) return status;
    status = mcl_sort(mpi->queue, came, sorted, MCL_LESS, NULL);
    MCL__THEN(status, mcl_unique(mpi->queue, as_input(sorted), list, MCL_EQUAL, mcl_to_host(MCL_INT64, &count), NULL));
    list.capacity = count;
    heads->list = as_input(list);
    return status;
}

/* Returns whether this rank has the end of the last segment. That is the last rank that receives entries. */
static int has_end(const mcl_mpi *mpi, const mcl__heads *heads)
{
    for (int to = mpi->size - 1; to >= 0; --to) {
        int64_t count = 0;
        for (int from = 0; from < mpi->size; ++from) count += mcl__part_count(&heads->cuts, 0, from, to);
        if (count > 0) return to == mpi->rank;
    }
    return 0;
}

static mcl_status read_head(mcl_mpi *mpi, const mcl__heads *heads, int64_t at, int64_t *out)
{
    return mcl_buffer_read(mpi->queue, heads->list.buffer, (size_t)(heads->list.offset + at) * sizeof *out, sizeof *out,
                           out);
}

/* Reads the entries of the list that the host needs. */
static mcl_status read_heads(mcl_mpi *mpi, mcl__heads *heads)
{
    const int64_t listed = heads->list.count;
    mcl_status status = MCL_OK;
    heads->segment_count = listed - heads->ends_last;
    heads->first_head = heads->count;
    if (listed > 0) status = read_head(mpi, heads, 0, &heads->first_head);
    if (heads->segment_count > 0) MCL__THEN(status, read_head(mpi, heads, heads->segment_count - 1, &heads->last_head));
    return status;
}

mcl_status mcl__heads_of_segments(mcl_mpi *mpi, const mcl_segments *segments, int64_t count, int validates,
                                  mcl__heads *out)
{
    mcl_output list = { 0 };
    *out = (mcl__heads){ .count = count };
    MCL__AGREE(mpi, mcl__count_whole(mpi, count, &out->whole));
    if (segments->kind == MCL_SEGMENT_FLAGS) {
        mcl_status status = list_flagged(mpi, segments, out);
        MCL__THEN(status, read_heads(mpi, out));
        return status;
    }
    if (segments->row_length > 0) {
        MCL__AGREE(mpi, list_rows(mpi, segments, &list));
    } else {
        MCL__AGREE(mpi, list_as_given(mpi, segments, &list));
        if (validates) MCL__AGREE(mpi, validate_list(mpi, segments, out->whole.total, list));
    }
    if (segments->kind == MCL_SEGMENT_INDICES) MCL__AGREE(mpi, list_indices(mpi, out, list, &list));
    mcl_status status = send_list(mpi, out, list);
    if (segments->kind == MCL_SEGMENT_INDICES) MCL__THEN(status, unite(mpi, out));
    out->ends_last = status == MCL_OK && segments->kind == MCL_SEGMENT_OFFSETS && has_end(mpi, out);
    MCL__THEN(status, read_heads(mpi, out));
    return status;
}

mcl_status mcl__heads_of_runs(mcl_mpi *mpi, mcl_input keys, const mcl_op *equal, mcl__heads *out)
{
    static const mcl_op earlier = { .role = MCL_ROLE_FOLD, .expression = "p" };
    const int64_t zero = 0;
    mcl_output list = { 0 };
    int joined = 0;
    int64_t runs = 0;
    *out = (mcl__heads){ .count = keys.count };
    MCL__AGREE(mpi, mcl__count_whole(mpi, keys.count, &out->whole));
    mcl_status status = list_room(mpi, ROOM_RIGHT, keys.count, &list);
    if (keys.count > 0)
        MCL__THEN(status,
                  mcl_reduce_by_key(mpi->queue, keys, mcl_from_counting(MCL_INT64, &zero, keys.count),
                                    (mcl_output){ 0 }, list, &earlier, equal, mcl_to_host(MCL_INT64, &runs), NULL));
    MCL__AGREE(mpi, status);
    status = mcl__find_joined(mpi, &keys, equal ? equal : MCL_EQUAL, out->whole.counts, &joined);
    out->list = mcl_from_buffer(MCL_INT64, list.buffer, joined, runs - joined);
    MCL__THEN(status, read_heads(mpi, out));
    return status;
}

void mcl__heads_free(mcl__heads *heads)
{
    free(heads->whole.counts);
    mcl__cuts_free(&heads->cuts);
}
