/* join_owners.c: brings equal keys of two sequences to the ranks that own them, or a small sequence to all ranks. */
#include "join_owners.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALL_PARTS = 2 /* all copies of a small sequence are one of this many parts of the other one, at most */
};

static int is_number(const mcl_type *type)
{
    return (type->kind == MCL_KIND_SIGNED || type->kind == MCL_KIND_UNSIGNED) && mcl__bits_type(type->size) != NULL;
}

static int is_order(const mcl_op *op, const mcl_op *order)
{
    return op && op->expression && !op->source && op->binding_count == 0 &&
           strcmp(op->expression, order->expression) == 0;
}

int mcl__goes_by_owners(const mcl_mpi *mpi, const mcl_input *keys, const mcl_op *before)
{
    const mcl_type *const a = keys[0].type, *const b = keys[1].type;
    return mpi->size < OWNERS_MOST && a && b && is_number(a) && is_number(b) && a->kind == b->kind &&
           a->size == b->size && (is_order(before, MCL_LESS) || is_order(before, MCL_GREATER));
}

/* Returns whether keys of a sequence that have no partner make no rows: so they may be on several ranks. */
static int may_repeat(mcl_join_kind kind, int list)
{
    if (kind == MCL_JOIN_INNER) return 1;
    return list == 0 ? kind == MCL_JOIN_RIGHT : kind != MCL_JOIN_RIGHT && kind != MCL_JOIN_OUTER;
}

/* Returns the sequence that goes to all ranks, while the other one stays; 2: none. No rank may then have more than one
 * and a half shares. */
static int small_list(const mcl_mpi *mpi, const mcl__brought *of)
{
    const mcl__whole *const whole = of->search.whole;
    const int64_t ranks = mpi->size, total = whole[0].total + whole[1].total;
    for (int list = 0; list < 2; ++list) {
        const int64_t own = whole[list].total;
        int64_t most = 0;
        for (int r = 0; r < mpi->size; ++r)
            if (whole[!list].counts[r] > most) most = whole[!list].counts[r];
        if (may_repeat(of->search.kind, list) && own <= whole[!list].total / (SMALL_PARTS * ranks) &&
            most + own <= total / (2 * ranks) * 3)
            return list;
    }
    return 2;
}

static mcl_status bring_to_all(mcl_mpi *mpi, mcl__brought *of, int list)
{
    const mcl_input *const from = &of->search.keys[list];
    const mcl__whole *const whole = of->search.whole;
    const int64_t count = whole[list].total;
    mcl_buffer *to = NULL;
    MCL__AGREE(mpi, mcl__room_of(mpi, ROOM_CAME, count * (int64_t)from->type->size, &to));
    of->first[!list] = whole[!list].first;
    of->keys[list] = mcl_from_buffer(from->type, to, 0, count);
    return mcl__gather_lists(mpi, from->type, whole[list].counts, from->buffer, from->offset, to, 0);
}

/* Begins to bring the keys of one sequence to their owners, with their indices. The indices of both sequences have 32
 * bits where that is enough. */
static mcl_status bring_list(mcl_mpi *mpi, mcl__brought *of, const mcl__hot *hot, int list)
{
    mcl__route *const route = &of->routes[list];
    const mcl_input *const keys = &of->search.keys[list];
    const mcl__whole *const whole = &of->search.whole[list];
    const uint32_t narrow_first = (uint32_t)whole->first;
    const int64_t total =
        of->search.whole[0].total > of->search.whole[1].total ? of->search.whole[0].total : of->search.whole[1].total;
    const int is_silent = list == 1 && (of->search.kind == MCL_JOIN_SEMI || of->search.kind == MCL_JOIN_ANTI);
    *route = (mcl__route){
        .hot = hot->count > 0 ? hot : NULL, .list = list, .load = is_silent ? LOAD_NONE : LOAD_VALUES, .keys = *keys
    };
    route->values = total <= UINT32_MAX ? mcl_from_counting(MCL_UINT32, &narrow_first, keys->count)
                                        : mcl_from_counting(MCL_INT64, &whole->first, keys->count);
    MCL__AGREE(mpi, mcl__route_begin(mpi, route));
    of->keys[list] = route->came_keys;
    of->indices[list] = route->came_values;
    return MCL_OK;
}

mcl_status mcl__bring_by_owners(mcl_mpi *mpi, mcl_join_kind kind, const mcl_input *keys, mcl__brought *out)
{
    mcl__hot hot;
    mcl__hot_search *const search = &out->search;
    *out = (mcl__brought){ .search = { .kind = kind, .keys = { keys[0], keys[1] } } };
    mcl_status status = mcl__store_input(mpi, ROOM_LEFT, &search->keys[0]);
    MCL__THEN(status, mcl__store_input(mpi, ROOM_RIGHT, &search->keys[1]));
    MCL__AGREE(mpi, status);
    for (int list = 0; list < 2; ++list)
        MCL__AGREE(mpi, mcl__count_whole(mpi, search->keys[list].count, &search->whole[list]));
    memcpy(out->keys, search->keys, sizeof out->keys);
    if (mpi->size == 1) return MCL_OK;
    const int small = small_list(mpi, out);
    if (small < 2) return bring_to_all(mpi, out, small);
    MCL__AGREE(mpi, mcl__find_hot(mpi, search, &hot));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    status = mcl__agree(mpi, bring_list(mpi, out, &hot, 0));
    MCL__THEN(status, bring_list(mpi, out, &hot, 1));
    const mcl_status ended = mcl__route_end(mpi);
    return status == MCL_OK ? ended : status;
}

void mcl__brought_free(mcl__brought *of)
{
    for (int list = 0; list < 2; ++list) {
        free(of->search.whole[list].counts);
        mcl__route_free(&of->routes[list]);
    }
}
