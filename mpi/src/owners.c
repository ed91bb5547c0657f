/* owners.c: keys on their way to the ranks that own them: a stable split, and an exchange. */
#include "owners.h"

#include <stdio.h>
#include <string.h>

/* Hashes a key to its owner. The hash differs from the map's: keys of one owner must be spread over all of its buckets.
 * (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014: the finaliser of
 * SplitMix64.) */
MCL_SOURCE(owner_source, static inline int64_t mcl_owner(uint64_t key, uint32_t ranks) {
    key = (key ^ key >> 30) * (uint64_t)0xbf58476d1ce4e5b9;
    key = (key ^ key >> 27) * (uint64_t)0x94d049bb133111eb;
    key = key ^ key >> 31;
    return (int64_t)((key >> 32) * ranks >> 32);
})

/* Writes the type of the bits of keys that no number has as many of, and how they are hashed. */
static const char bytes_type[] = "typedef struct { uint8_t at[%d]; } %s;";
static const char bytes_source[] =
    "%s static inline int64_t mcl_owner_of(%s key, uint32_t ranks) { uint64_t low = 0; uint64_t high = 0;"
    " for (int k = 0; k < %d; ++k) { if (k < 8) low |= (uint64_t)key.at[k] << 8 * k;"
    " else high |= (uint64_t)key.at[k] << 8 * (k - 8); }"
    " return mcl_owner(low ^ high * (uint64_t)0x9e3779b97f4a7c15, ranks); }";

/* The type of the bits, the operator and the outputs of one rank's split. */
enum { BITS_NAME_BYTES = 32, BITS_TEXT_BYTES = 80, OWNER_TEXT_BYTES = 1024 };
typedef struct split {
    const mcl_type *bits; /* the keys' type; for the hash, the type of numbers of their size */
    mcl_type bytes;       /* bits' type where there are no such numbers */
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

/* Returns the values or the indices, which are split beside the keys. */
static mcl_input load_of(const mcl__route *route)
{
    const int64_t first = 0;
    const int32_t narrow_first = 0;
    const int64_t count = route->keys.count;
    if (route->load == LOAD_VALUES) return route->values;
    if (count > INT32_MAX) return mcl_from_counting(MCL_INT64, &first, count);
    return mcl_from_counting(MCL_INT32, &narrow_first, count);
}

/* Describes the bits of keys for the hash. */
static void describe_bits(split *s, size_t size)
{
    s->bits = size == 1   ? MCL_UINT8
              : size == 2 ? MCL_UINT16
              : size == 4 ? MCL_UINT32
              : size == 8 ? MCL_UINT64
                          : &s->bytes;
    if (s->bits != &s->bytes) return;
    snprintf(s->bytes_name, sizeof s->bytes_name, "mcl_key_bytes_%d", (int)size);
    snprintf(s->bytes_text, sizeof s->bytes_text, bytes_type, (int)size, s->bytes_name);
    snprintf(s->owner_text, sizeof s->owner_text, bytes_source, owner_source, s->bytes_name, (int)size);
    s->bytes = (mcl_type){
        .name = s->bytes_name, .size = size, .alignment = 1, .source = s->bytes_text, .kind = MCL_KIND_STRUCT
    };
    s->owner.source = s->owner_text;
    s->owner.expression = "mcl_owner_of(x, mcl_ranks)";
}

static mcl_status split_rooms(mcl_mpi *mpi, mcl__route *route, split *s)
{
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
    mcl_status status = mcl__store_input(mpi, ROOM_UNWANTED, &route->keys);
    MCL__THEN(status, room_for(mpi, ROOM_SORTED, s->bits, count, &s->keys));
    MCL__THEN(status, room_for(mpi, ROOM_NUMBERS, MCL_INT64, mpi->size + 1, &s->offsets));
    if (route->load != LOAD_NONE)
        MCL__THEN(status, room_for(mpi, ROOM_SORTED_VALUES, load_of(route).type, count, &s->values));
    return status;
}

/* Splits the keys by owners. The begins of owners' keys become this rank's cuts. */
static mcl_status split_keys(mcl_mpi *mpi, mcl__route *route, split *s)
{
    mcl_status status = split_rooms(mpi, route, s);
    const mcl_input keys = mcl_from_buffer(s->bits, route->keys.buffer, route->keys.offset, route->keys.count);
    if (keys.count == 0) return status;
    if (route->load == LOAD_NONE)
        MCL__THEN(status,
                  mcl_multisplit(mpi->queue, keys, s->keys, &s->owner, mpi->size, s->offsets, (mcl_output){ 0 }, NULL));
    else
        MCL__THEN(status, mcl_multisplit_pairs(mpi->queue, keys, load_of(route), s->keys, s->values, &s->owner,
                                               mpi->size, s->offsets, (mcl_output){ 0 }, NULL));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, s->offsets.buffer, 0, (size_t)(mpi->size + 1) * sizeof(int64_t),
                                      mcl__row_of(&route->there, 0, mpi->rank)));
    return status;
}

/* Fetches the keys or values that come to this rank. */
static mcl_status fetch(mcl_mpi *mpi, mcl__route *route, mcl_output from, const mcl_type *type, mcl__room room,
                        mcl_input *came)
{
    mcl_output to = { 0 };
    int64_t count = 0;
    for (int r = 0; r < mpi->size; ++r) count += mcl__part_count(&route->there, 0, r, mpi->rank);
    MCL__AGREE(mpi, room_for(mpi, room, type, count, &to));
    *came = as_input(to, type);
    return mcl__exchange_list(mpi, &route->there, 0, type, from.buffer, 0, to.buffer, 0, 1);
}

mcl_status mcl__route_keys(mcl_mpi *mpi, mcl__route *route)
{
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
    MCL__AGREE(mpi, fetch(mpi, route, s.keys, key_type, ROOM_CAME, &route->came_keys));
    if (route->load == LOAD_INDICES) route->indices = as_input(s.values, s.values.type);
    mcl_status status = MCL_OK;
    if (route->load == LOAD_VALUES)
        status = fetch(mpi, route, s.values, s.values.type, ROOM_CAME_VALUES, &route->came_values);
    return status;
}

void mcl__route_free(mcl__route *route)
{
    mcl__cuts_free(&route->there);
    mcl__cuts_free(&route->back);
}

mcl_status mcl__route_answers(mcl_mpi *mpi, const mcl__route *route, const mcl_type *type, mcl_buffer *answers,
                              mcl__room back_room, mcl_input *came)
{
    mcl_output to = { 0 };
    MCL__AGREE(mpi, room_for(mpi, back_room, type, route->keys.count, &to));
    *came = as_input(to, type);
    return mcl__exchange_list(mpi, &route->back, 0, type, answers, 0, to.buffer, 0, 1);
}
