/* two.c: checks, stores and exchanges two sequences. */
#include "two.h"

static int has_values(const mcl__two *two, int list)
{
    return two->values[list].type != NULL;
}

mcl_status mcl__two_check(mcl_mpi *mpi, mcl__two *two)
{
    mcl_status status = MCL_OK;
    for (int k = 0; k < 2; ++k) {
        MCL__THEN(status, mcl__settle_count(mpi, &two->keys[k]));
        if (!has_values(two, k)) continue;
        if (status == MCL_OK && two->values[k].count < two->keys[k].count)
            status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values have %lld elements; expected %lld, as many as keys",
                                 (long long)two->values[k].count, (long long)two->keys[k].count);
        two->values[k].count = two->keys[k].count;
        two->values[k].count_slot = NULL;
    }
    if (status == MCL_OK && two->keys[0].type->size != two->keys[1].type->size)
        status = mcl__refuse(mpi, MCL_ERROR_TYPE, "b is of %s; expected %s, as a", two->keys[1].type->name,
                             two->keys[0].type->name);
    return status;
}

void mcl__two_sign(mcl__signature *signature, const mcl__two *two)
{
    mcl__sign_type(signature, "the type of a's keys", two->keys[0].type);
    mcl__sign_type(signature, "the type of b's keys", two->keys[1].type);
    mcl__sign_type(signature, "the type of a's values", two->values[0].type);
    mcl__sign_type(signature, "the type of b's values", two->values[1].type);
}

mcl_status mcl__two_store(mcl_mpi *mpi, mcl__two *two)
{
    static const mcl__room key_rooms[] = { ROOM_SORTED, ROOM_SECOND };
    static const mcl__room value_rooms[] = { ROOM_SORTED_VALUES, ROOM_SECOND_VALUES };
    mcl_status status = MCL_OK;
    for (int k = 0; k < 2; ++k) {
        MCL__THEN(status, mcl__store_input(mpi, key_rooms[k], &two->keys[k]));
        if (has_values(two, k)) MCL__THEN(status, mcl__store_input(mpi, value_rooms[k], &two->values[k]));
    }
    return status;
}

/* Exchanges the keys or the values of one sequence, and stores received elements in a scratch buffer. */
static mcl_status exchange_one(mcl_mpi *mpi, const mcl__two *two, int list, const mcl_input *in, mcl__room room,
                               mcl_input *came)
{
    int64_t count = 0;
    for (int r = 0; r < mpi->size; ++r) count += mcl__part_count(&two->cuts, list, r, mpi->rank);
    mcl_buffer *buffer = NULL;
    MCL__AGREE(mpi, mcl__room_of(mpi, room, count * (int64_t)in->type->size, &buffer));
    *came = mcl_from_buffer(in->type, buffer, 0, count);
    return mcl__exchange_list(mpi, &two->cuts, list, in->type, in->buffer, in->offset, buffer, 0);
}

mcl_status mcl__two_exchange(mcl_mpi *mpi, mcl__two *two)
{
    static const mcl__room key_rooms[] = { ROOM_LEFT, ROOM_RIGHT };
    static const mcl__room value_rooms[] = { ROOM_LEFT_VALUES, ROOM_RIGHT_VALUES };
    for (int k = 0; k < 2; ++k) {
        MCL__AGREE(mpi, exchange_one(mpi, two, k, &two->keys[k], key_rooms[k], &two->came_keys[k]));
        if (!has_values(two, k)) continue;
        MCL__AGREE(mpi, exchange_one(mpi, two, k, &two->values[k], value_rooms[k], &two->came_values[k]));
    }
    return MCL_OK;
}
