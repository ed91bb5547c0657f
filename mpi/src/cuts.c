/* cuts.c: computes shares and cuts, and exchanges the elements between two cuts. */
#include "cuts.h"

#include <stdlib.h>
#include <string.h>

int mcl__target_count(const mcl__cuts *cuts)
{
    return cuts->rank_count * cuts->pieces;
}

static int64_t *cut_at(const mcl__cuts *cuts, int list, int from, int to)
{
    return &cuts->at[((int64_t)list * cuts->rank_count + from) * (mcl__target_count(cuts) + 1) + to];
}

int64_t mcl__cut(const mcl__cuts *cuts, int list, int from, int to)
{
    return *cut_at(cuts, list, from, to);
}

int64_t mcl__count_of(const mcl__cuts *cuts, int list, int rank)
{
    return cuts->counts[list * cuts->rank_count + rank];
}

int64_t mcl__share_of(const mcl__cuts *cuts, int rank)
{
    return cuts->boundaries[(rank + 1) * cuts->pieces] - cuts->boundaries[rank * cuts->pieces];
}

int64_t mcl__total_of(const mcl__cuts *cuts)
{
    return cuts->boundaries[mcl__target_count(cuts)];
}

int64_t mcl__first_of(const mcl__cuts *cuts, int list, int rank)
{
    int64_t first = 0;
    for (int r = 0; r < rank; ++r) first += mcl__count_of(cuts, list, r);
    return first;
}

/* ---- shares ------------------------------------------------------------------------------------------------ */

/* The counts and the share of one rank, which all ranks gather. */
typedef struct claim {
    int64_t counts[LISTS_MAX];
    int64_t share;
} claim;

static int64_t claimed(const claim *of, int list_count)
{
    int64_t count = 0;
    for (int l = 0; l < list_count; ++l) count += of->counts[l];
    return count;
}

/* Returns a rank's share as a number of elements. It also follows the rules MCL_MPI_EVEN and MCL_MPI_SAME. */
static int64_t share_by_rule(const claim *claims, int rank, int rank_count, int list_count, int64_t total)
{
    if (claims[rank].share >= 0) return claims[rank].share;
    if (claims[rank].share == MCL_MPI_SAME) return claimed(&claims[rank], list_count);
    return total / rank_count + (rank < total % rank_count);
}

static mcl_status set_boundaries(mcl_mpi *mpi, mcl__cuts *cuts, const claim *claims)
{
    int64_t total = 0;
    for (int r = 0; r < mpi->size; ++r) {
        total += claimed(&claims[r], cuts->list_count);
        for (int l = 0; l < cuts->list_count; ++l) cuts->counts[l * mpi->size + r] = claims[r].counts[l];
        if ((claims[r].share < 0) != (claims[0].share < 0) ||
            (claims[r].share < 0 && claims[r].share != claims[0].share))
            return mcl__refuse(mpi, MCL_ERROR_ARGUMENT,
                               "share is %lld on rank 0 and %lld on rank %d; expected numbers, "
                               "or the same rule",
                               (long long)claims[0].share, (long long)claims[r].share, r);
    }
    for (int r = 0; r < mpi->size; ++r)
        cuts->boundaries[r + 1] = cuts->boundaries[r] + share_by_rule(claims, r, mpi->size, cuts->list_count, total);
    if (cuts->boundaries[mpi->size] != total)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "the ranks' shares add up to %lld; expected %lld elements",
                           (long long)cuts->boundaries[mpi->size], (long long)total);
    return MCL_OK;
}

mcl_status mcl__cuts_begin(mcl_mpi *mpi, const int64_t *counts, int list_count, int64_t share, mcl__cuts *out)
{
    const int64_t ranks = mpi->size;
    claim mine = { .share = share }, *claims = NULL;
    for (int l = 0; l < list_count; ++l) mine.counts[l] = counts[l];
    *out = (mcl__cuts){ .rank_count = mpi->size, .list_count = list_count, .pieces = 1 };
    mcl_status status = MCL_OK;
    if (share < MCL_MPI_SAME)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "share is %lld; expected 0 or more, MCL_MPI_EVEN or MCL_MPI_SAME",
                             (long long)share);
    MCL__THEN(status, mcl__array(mpi, ranks, sizeof *claims, &claims));
    MCL__THEN(status, mcl__array(mpi, list_count * ranks, sizeof(int64_t), &out->counts));
    MCL__THEN(status, mcl__array(mpi, ranks + 1, sizeof(int64_t), &out->boundaries));
    MCL__THEN(status, mcl__array(mpi, list_count * ranks * (ranks + 1), sizeof(int64_t), &out->at));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_all(mpi, &mine, claims, sizeof mine));
    MCL__THEN(status, set_boundaries(mpi, out, claims));
    free(claims);
    return status;
}

mcl_status mcl__cuts_split(mcl_mpi *mpi, mcl__cuts *cuts, int pieces)
{
    const int64_t targets = (int64_t)mpi->size * pieces;
    int64_t *boundaries = NULL, *at = NULL;
    mcl_status status = mcl__array(mpi, targets + 1, sizeof *boundaries, &boundaries);
    MCL__THEN(status, mcl__array(mpi, cuts->list_count * mpi->size * (targets + 1), sizeof *at, &at));
    for (int64_t to = 0; to <= targets && status == MCL_OK; ++to) {
        const int64_t rank = to / pieces, piece = to % pieces, first = cuts->boundaries[rank * cuts->pieces];
        const int64_t share = rank < mpi->size ? mcl__share_of(cuts, (int)rank) : 0;
        boundaries[to] = first + share / pieces * piece + share % pieces * piece / pieces;
    }
    if (status != MCL_OK) {
        free(boundaries);
        free(at);
        return status;
    }
    free(cuts->boundaries);
    free(cuts->at);
    cuts->boundaries = boundaries;
    cuts->at = at;
    cuts->pieces = pieces;
    return MCL_OK;
}

void mcl__cuts_free(mcl__cuts *cuts)
{
    free(cuts->counts);
    free(cuts->boundaries);
    free(cuts->at);
    *cuts = (mcl__cuts){ 0 };
}

/* ---- cuts -------------------------------------------------------------------------------------------------- */

static int64_t clamp(int64_t number, int64_t least, int64_t most)
{
    return number < least ? least : number > most ? most : number;
}

void mcl__cuts_by_index(mcl__cuts *cuts)
{
    int64_t first = 0;
    for (int r = 0; r < cuts->rank_count; ++r) {
        const int64_t count = mcl__count_of(cuts, 0, r);
        for (int to = 0; to <= cuts->rank_count; ++to)
            *cut_at(cuts, 0, r, to) = clamp(cuts->boundaries[to] - first, 0, count);
        first += count;
    }
}

int64_t *mcl__row_of(mcl__cuts *cuts, int list, int rank)
{
    return cut_at(cuts, list, rank, 0);
}

mcl_status mcl__cuts_share(mcl_mpi *mpi, mcl__cuts *cuts)
{
    const int64_t row = mcl__target_count(cuts) + 1;
    int64_t *mine = NULL;
    mcl_status status = mcl__array(mpi, row, sizeof *mine, &mine);
    status = mcl__agree(mpi, status);
    for (int list = 0; list < cuts->list_count && status == MCL_OK; ++list) {
        memcpy(mine, mcl__row_of(cuts, list, mpi->rank), (size_t)row * sizeof *mine);
        status = mcl__gather_all(mpi, mine, mcl__row_of(cuts, list, 0), (size_t)row * sizeof *mine);
    }
    free(mine);
    return status;
}

/* Moves the cuts before target to up or down, until the number of elements before them is the boundary's. */
static void mend_boundary(mcl__cuts *cuts, int to)
{
    int64_t missing = cuts->boundaries[to];
    const int parts = cuts->list_count * cuts->rank_count;
    for (int part = 0; part < parts; ++part) {
        const int list = part / cuts->rank_count, rank = part % cuts->rank_count;
        int64_t *const at = cut_at(cuts, list, rank, to);
        *at = clamp(*at, mcl__cut(cuts, list, rank, to - 1), mcl__count_of(cuts, list, rank));
        missing -= *at;
    }
    for (int part = 0; part < parts && missing != 0; ++part) {
        const int list = part / cuts->rank_count, rank = part % cuts->rank_count;
        int64_t *const at = cut_at(cuts, list, rank, to);
        const int64_t step =
            clamp(missing, mcl__cut(cuts, list, rank, to - 1) - *at, mcl__count_of(cuts, list, rank) - *at);
        *at += step;
        missing -= step;
    }
}

void mcl__cuts_mend(mcl__cuts *cuts)
{
    for (int list = 0; list < cuts->list_count; ++list)
        for (int rank = 0; rank < cuts->rank_count; ++rank) *cut_at(cuts, list, rank, 0) = 0;
    for (int to = 1; to <= mcl__target_count(cuts); ++to) mend_boundary(cuts, to);
}

mcl_status mcl__cuts_reverse(mcl_mpi *mpi, const mcl__cuts *cuts, mcl__cuts *out)
{
    const int64_t ranks = cuts->rank_count;
    *out = (mcl__cuts){ .rank_count = cuts->rank_count, .list_count = 1, .pieces = 1 };
    const mcl_status status = mcl__array(mpi, ranks * (ranks + 1), sizeof(int64_t), &out->at);
    for (int from = 0; from < cuts->rank_count && status == MCL_OK; ++from)
        for (int to = 0; to < cuts->rank_count; ++to)
            *cut_at(out, 0, from, to + 1) = mcl__cut(out, 0, from, to) + mcl__part_count(cuts, 0, to, from);
    return status;
}

/* ---- exchange ---------------------------------------------------------------------------------------------- */

int64_t mcl__part_count(const mcl__cuts *cuts, int list, int from, int to)
{
    return mcl__cut(cuts, list, from, to + 1) - mcl__cut(cuts, list, from, to);
}

/* The ranges that a rank sends and receives, one for each rank. */
typedef struct parts {
    mcl__part *sends, *receives;
} parts;

static mcl_status parts_make(mcl_mpi *mpi, parts *out)
{
    *out = (parts){ NULL, NULL };
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *out->sends, &out->sends);
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *out->receives, &out->receives));
    return mcl__agree(mpi, status);
}

/* Begins the exchange of parts, and frees the arrays of parts. If a queue fails, the messages are still exchanged,
 * since other ranks wait for them. */
static mcl_status post_parts(mcl_mpi *mpi, mcl_status status, parts *of, mcl_buffer *from, mcl_buffer *to,
                             int copies_own)
{
    const mcl__part own = status == MCL_OK ? of->sends[mpi->rank] : (mcl__part){ 0 };
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    if (status == MCL_OK) {
        const mcl_status begun = mcl__exchange_begin(mpi);
        status = mpi->transport->exchange(mpi, from, of->sends, to, of->receives);
        if (begun != MCL_OK) status = begun;
    }
    if (copies_own && own.bytes > 0)
        MCL__THEN(status, mcl_buffer_copy(mpi->queue, from, (size_t)own.offset, to,
                                          (size_t)of->receives[mpi->rank].offset, (size_t)own.bytes));
    free(of->sends);
    free(of->receives);
    return status;
}

/* Ends the exchange, also after a failure, since no exchange may continue after the call. */
static mcl_status end_parts(mcl_mpi *mpi, mcl_status status)
{
    const mcl_status ended = mcl__exchange_end(mpi);
    mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
    return status == MCL_OK ? ended : status;
}

mcl_status mcl__exchange_post(mcl_mpi *mpi, const mcl__cuts *cuts, int list, const mcl_type *type, mcl_buffer *from,
                              int64_t from_offset, mcl_buffer *to, int64_t to_offset, unsigned own)
{
    const int64_t size = (int64_t)type->size, own_count = mcl__part_count(cuts, list, mpi->rank, mpi->rank);
    parts of;
    const mcl_status status = parts_make(mpi, &of);
    int64_t at = to_offset;
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        const int64_t missing = r > mpi->rank && (own & OWN_NOT_IN_FROM) ? own_count : 0;
        of.sends[r] = (mcl__part){ (from_offset + mcl__cut(cuts, list, mpi->rank, r) - missing) * size,
                                   mcl__part_count(cuts, list, mpi->rank, r) * size };
        of.receives[r] = (mcl__part){ at * size, mcl__part_count(cuts, list, r, mpi->rank) * size };
        at += r == mpi->rank && (own & OWN_NOT_IN_TO) ? 0 : mcl__part_count(cuts, list, r, mpi->rank);
    }
    return post_parts(mpi, status, &of, from, to, (own & OWN_COPIED) != 0);
}

mcl_status mcl__exchange_list(mcl_mpi *mpi, const mcl__cuts *cuts, int list, const mcl_type *type, mcl_buffer *from,
                              int64_t from_offset, mcl_buffer *to, int64_t to_offset)
{
    return end_parts(mpi, mcl__exchange_post(mpi, cuts, list, type, from, from_offset, to, to_offset, OWN_COPIED));
}

mcl_status mcl__gather_lists(mcl_mpi *mpi, const mcl_type *type, const int64_t *counts, mcl_buffer *from,
                             int64_t from_offset, mcl_buffer *to, int64_t to_offset)
{
    const int64_t size = (int64_t)type->size;
    parts of;
    const mcl_status status = parts_make(mpi, &of);
    int64_t at = to_offset;
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        of.sends[r] = (mcl__part){ from_offset * size, counts[mpi->rank] * size };
        of.receives[r] = (mcl__part){ at * size, counts[r] * size };
        at += counts[r];
    }
    return end_parts(mpi, post_parts(mpi, status, &of, from, to, 1));
}
