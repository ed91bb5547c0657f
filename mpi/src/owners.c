/* owners.c: sends keys to the ranks that own them, by a stable split and an exchange. */
#include "owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hash of a key that gives its owner. It differs from the hash of maps, so that the keys of one owner use all of
 * its map's buckets. (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014: the
 * finaliser of SplitMix64.) */
MCL_SOURCE(owner_source, static inline int64_t mcl_owner(uint64_t key, uint32_t ranks) {
    key = (key ^ key >> 30) * (uint64_t)0xbf58476d1ce4e5b9;
    key = (key ^ key >> 27) * (uint64_t)0x94d049bb133111eb;
    key = key ^ key >> 31;
    return (int64_t)((key >> 32) * ranks >> 32);
})

/* Texts for keys of a size that no integer type has: a type of their bytes, and the hash of such a key. */
static const char bytes_type[] = "typedef struct { uint8_t at[%d]; } %s;";
static const char bytes_source[] =
    "%s static inline int64_t mcl_owner_of(%s key, uint32_t ranks) { uint64_t low = 0; uint64_t high = 0;"
    " for (int k = 0; k < %d; ++k) { if (k < 8) low |= (uint64_t)key.at[k] << 8 * k;"
    " else high |= (uint64_t)key.at[k] << 8 * (k - 8); }"
    " return mcl_owner(low ^ high * (uint64_t)0x9e3779b97f4a7c15, ranks); }";

/* Texts that find a hot key, and the rank that a key goes to. If a key may go to any rank, a hash of its index decides,
 * since the indices of hot keys may all be even. */
static const char place_source[] =
    "static inline int32_t mcl_hot_place(__global const uint64_t *keys, int32_t count, uint64_t key)"
    " { int32_t low = 0; int32_t high = count; while (low < high) { const int32_t middle = (low + high) / 2;"
    " if (keys[middle] < key) low = middle + 1; else high = middle; }"
    " return low < count && keys[low] == key ? low : count; }";
static const char way_source[] =
    "%s %s static inline int64_t mcl_way(uint8_t way, uint64_t key, int64_t i, uint32_t ranks)"
    " { return way == %d ? (int64_t)ranks : mcl_owner(way == %d ? (uint64_t)i : key, ranks); }";

/* The types, the operator and the outputs of one rank's split. */
enum { BITS_NAME_BYTES = 32, BITS_TEXT_BYTES = 80, OWNER_TEXT_BYTES = 1024 };
typedef struct split {
    const mcl_type *bits; /* type of keys in the split: for the hash, an integer or bytes of their size */
    mcl_type bytes;       /* the type in bits, if no integer has the size */
    char bytes_name[BITS_NAME_BYTES], bytes_text[BITS_TEXT_BYTES], owner_text[OWNER_TEXT_BYTES];
    mcl_op owner;
    mcl_output keys, values, offsets;
} split;

static mcl_status room_for(mcl_mpi *mpi, mcl__room room, const mcl_type *type, int64_t count, mcl_output *out)
{
    mcl_buffer *buffer = NULL;
    const mcl_status status = mcl__room_of(mpi, room, count * (int64_t)type->size, &buffer);
    *out = mcl_to_buffer(type, buffer, 0, count);
    return status;
}

static mcl_input as_input(mcl_output out, const mcl_type *type)
{
    return mcl_from_buffer(type, out.buffer, out.offset, out.capacity);
}

/* Returns the values or the indices, which are split together with the keys. */
static mcl_input load_of(const mcl__route *route)
{
    const int64_t first = 0;
    const int32_t narrow_first = 0;
    const int64_t count = route->keys.count;
    if (route->load == LOAD_VALUES) return route->values;
    if (count > INT32_MAX) return mcl_from_counting(MCL_INT64, &first, count);
    return mcl_from_counting(MCL_INT32, &narrow_first, count);
}

const mcl_type *mcl__bits_type(size_t size)
{
    return size == 1 ? MCL_UINT8 : size == 2 ? MCL_UINT16 : size == 4 ? MCL_UINT32 : size == 8 ? MCL_UINT64 : NULL;
}

/* Chooses the type of keys in the split for the hash. */
static void describe_bits(split *s, size_t size)
{
    s->bits = mcl__bits_type(size);
    if (s->bits) return;
    s->bits = &s->bytes;
    snprintf(s->bytes_name, sizeof s->bytes_name, "mcl_key_bytes_%d", (int)size);
    snprintf(s->bytes_text, sizeof s->bytes_text, bytes_type, (int)size, s->bytes_name);
    snprintf(s->owner_text, sizeof s->owner_text, bytes_source, owner_source, s->bytes_name, (int)size);
    s->bytes = (mcl_type){
        .name = s->bytes_name, .size = size, .alignment = 1, .source = s->bytes_text, .kind = MCL_KIND_STRUCT
    };
    s->owner.source = s->owner_text;
    s->owner.expression = "mcl_owner_of(x, mcl_ranks)";
}

/* ---- hot keys ---------------------------------------------------------------------------------------------- */

mcl_op mcl__hot_place(const mcl__hot *hot)
{
    return (mcl_op){ .role = MCL_ROLE_INDEX,
                     .expression = "mcl_hot_place(mcl_hot, mcl_hot_count, x)",
                     .source = place_source,
                     .binding_count = 2,
                     .bindings = { mcl_binding_buffer("mcl_hot", MCL_UINT64, hot->keys, 0),
                                   mcl_binding_value("mcl_hot_count", MCL_INT32, &hot->count) } };
}

/* Changes the operator so that a hot key goes the way that was decided for it. The number of ranks means all ranks. */
static void describe_ways(split *s, const mcl__route *route)
{
    const mcl__hot *const hot = route->hot;
    const mcl_op place = mcl__hot_place(hot);
    snprintf(s->owner_text, sizeof s->owner_text, way_source, owner_source, place_source, (int)WAY_ALL, (int)WAY_ANY);
    s->owner.source = s->owner_text;
    s->owner.expression = "mcl_way(mcl_ways[mcl_hot_place(mcl_hot, mcl_hot_count, x)], x, i, mcl_ranks)";
    for (int k = 0; k < place.binding_count; ++k) s->owner.bindings[s->owner.binding_count++] = place.bindings[k];
    s->owner.bindings[s->owner.binding_count++] =
        mcl_binding_buffer("mcl_ways", MCL_UINT8, hot->ways, route->list * ((int64_t)hot->count + 1));
}

/* Gathers the numbers of keys that each rank sends to all ranks. */
static mcl_status share_counts(mcl_mpi *mpi, mcl__route *route)
{
    const int64_t own = route->keys.count - mcl__cut(&route->there, 0, mpi->rank, mpi->size);
    if (!route->hot) return MCL_OK;
    MCL__AGREE(mpi, mcl__array(mpi, mpi->size, sizeof own, &route->shared_counts));
    return mcl__gather_all(mpi, &own, route->shared_counts, sizeof own);
}

/* ---- keys to their owners ---------------------------------------------------------------------------------- */

/* Returns the number of parts into which a rank's keys are split. */
static int part_count(const mcl_mpi *mpi, const mcl__route *route)
{
    return mpi->size + (route->hot != NULL);
}

static mcl_status split_rooms(mcl_mpi *mpi, mcl__route *route, split *s)
{
    /* scratch for each sequence, since keys of the first are still sent when the second is split */
    static const mcl__room rooms[2][2] = { { ROOM_SORTED, ROOM_SORTED_VALUES }, { ROOM_MERGED, ROOM_MERGED_VALUES } };
    const mcl__room *const to = rooms[route->list];
    const int64_t count = route->keys.count;
    const uint32_t ranks = (uint32_t)mpi->size;
    const mcl_op by_hash = { .role = MCL_ROLE_INDEX,
                             .expression = "mcl_owner(x, mcl_ranks)",
                             .source = owner_source,
                             .binding_count = 1,
                             .bindings = { mcl_binding_value("mcl_ranks", MCL_UINT32, &ranks) } };
    s->owner = route->owner ? *route->owner : by_hash;
    s->bits = route->keys.type;
    if (!route->owner) describe_bits(s, route->keys.type->size);
    if (route->hot) describe_ways(s, route);
    mcl_status status = mcl__store_input(mpi, ROOM_UNWANTED, &route->keys);
    MCL__THEN(status, room_for(mpi, to[0], s->bits, count, &s->keys));
    MCL__THEN(status, room_for(mpi, ROOM_NUMBERS, MCL_INT64, part_count(mpi, route) + 1, &s->offsets));
    if (route->load != LOAD_NONE) MCL__THEN(status, room_for(mpi, to[1], load_of(route).type, count, &s->values));
    return status;
}

/* Splits the keys by owners. The offsets of the owners' keys become this rank's cuts. */
static mcl_status split_keys(mcl_mpi *mpi, mcl__route *route, split *s)
{
    mcl_status status = split_rooms(mpi, route, s);
    const int parts = part_count(mpi, route);
    const mcl_input keys = mcl_from_buffer(s->bits, route->keys.buffer, route->keys.offset, route->keys.count);
    if (keys.count == 0) return status;
    if (route->load == LOAD_NONE)
        MCL__THEN(status,
                  mcl_multisplit(mpi->queue, keys, s->keys, &s->owner, parts, s->offsets, (mcl_output){ 0 }, NULL));
    else
        MCL__THEN(status, mcl_multisplit_pairs(mpi->queue, keys, load_of(route), s->keys, s->values, &s->owner, parts,
                                               s->offsets, (mcl_output){ 0 }, NULL));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, s->offsets.buffer, 0, (size_t)(mpi->size + 1) * sizeof(int64_t),
                                      mcl__row_of(&route->there, 0, mpi->rank)));
    return status;
}

/* Begins to receive the keys or values that other ranks send to this rank. */
static mcl_status fetch(mcl_mpi *mpi, mcl__route *route, mcl_output from, const mcl_type *type, mcl__room room,
                        mcl_input *own, mcl_input *came)
{
    const mcl__cuts *const there = &route->there;
    const int64_t own_count = mcl__part_count(there, 0, mpi->rank, mpi->rank);
    mcl_output to = { 0 };
    int64_t count = route->is_apart ? -own_count : 0, shared = 0;
    for (int r = 0; r < mpi->size; ++r) {
        count += mcl__part_count(there, 0, r, mpi->rank);
        if (route->shared_counts) shared += route->shared_counts[r];
    }
    MCL__AGREE(mpi, room_for(mpi, room, type, count + shared, &to));
    *own = mcl_from_buffer(type, from.buffer, mcl__cut(there, 0, mpi->rank, mpi->rank), own_count);
    *came = as_input(to, type);
    const mcl_status status = mcl__exchange_post(mpi, there, 0, type, from.buffer, 0, to.buffer, 0,
                                                 route->is_apart ? OWN_NOT_IN_TO : OWN_COPIED);
    if (status != MCL_OK || shared == 0) return status;
    return mcl__gather_lists(mpi, type, route->shared_counts, from.buffer, mcl__cut(there, 0, mpi->rank, mpi->size),
                             to.buffer, count);
}

mcl_status mcl__route_begin(mcl_mpi *mpi, mcl__route *route)
{
    static const mcl__room rooms[2][2] = { { ROOM_CAME, ROOM_CAME_VALUES }, { ROOM_SECOND, ROOM_SECOND_VALUES } };
    const mcl__room *const to = rooms[route->list];
    const mcl_type *const key_type = route->keys.type;
    split s = { 0 };
    if (mpi->size == 1) {
        route->came_keys = route->keys;
        route->came_values = route->values;
        return MCL_OK;
    }
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &route->keys.count, 1, MCL_MPI_SAME, &route->there));
    MCL__AGREE(mpi, split_keys(mpi, route, &s));
    MCL__AGREE(mpi, mcl__cuts_share(mpi, &route->there));
    MCL__AGREE(mpi, mcl__cuts_reverse(mpi, &route->there, &route->back));
    MCL__AGREE(mpi, share_counts(mpi, route));
    MCL__AGREE(mpi, fetch(mpi, route, s.keys, key_type, to[0], &route->own_keys, &route->came_keys));
    if (route->load == LOAD_INDICES) route->indices = as_input(s.values, s.values.type);
    if (route->load != LOAD_VALUES) return MCL_OK;
    return fetch(mpi, route, s.values, s.values.type, to[1], &route->own_values, &route->came_values);
}

mcl_status mcl__route_end(mcl_mpi *mpi)
{
    const mcl_status status = mcl__exchange_end(mpi);
    mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
    return status;
}

mcl_status mcl__route_keys(mcl_mpi *mpi, mcl__route *route)
{
    const mcl_status status = mcl__route_begin(mpi, route), ended = mcl__route_end(mpi);
    return status == MCL_OK ? ended : status;
}

void mcl__route_free(mcl__route *route)
{
    mcl__cuts_free(&route->there);
    mcl__cuts_free(&route->back);
    free(route->shared_counts);
}

mcl_status mcl__route_answers(mcl_mpi *mpi, const mcl__route *route, const mcl_type *type, mcl_buffer *answers,
                              mcl_buffer *back)
{
    return mcl__exchange_post(mpi, &route->back, 0, type, answers, 0, back, 0, OWN_NOT_IN_FROM);
}
