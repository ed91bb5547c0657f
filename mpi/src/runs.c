/* runs.c: merges pairs of sorted runs, level by level, until one run is left. */
#include "runs.h"

typedef struct level {
    mcl_mpi *mpi;
    mcl_output keys, values; /* outputs of the level: its runs, one after the other */
    const mcl_op *before;
    const mcl_options *options;
} level;

/* Returns the range of an output that begins at element at. */
static mcl_output part_of(mcl_output out, int64_t at, int64_t count)
{
    if (!out.type) return out;
    return mcl_to_buffer(out.type, out.buffer, out.offset + at, count);
}

static mcl_input read_back(mcl_output out)
{
    if (!out.type) return (mcl_input){ 0 };
    return mcl_from_buffer(out.type, out.buffer, out.offset, out.capacity);
}

static mcl_status copy(mcl_mpi *mpi, mcl_input in, mcl_output out)
{
    if (!in.type || in.count == 0) return MCL_OK;
    if (!in.buffer) return mcl_transform(mpi->queue, in, out, NULL);
    const size_t size = in.type->size;
    return mcl_buffer_copy(mpi->queue, in.buffer, (size_t)in.offset * size, out.buffer, (size_t)out.offset * size,
                           (size_t)in.count * size);
}

/* Makes one run of a level from one or two runs of the level before. b is NULL if there is only one run. */
static mcl_status merge_two(const level *l, const mcl__run_of *a, const mcl__run_of *b, mcl_output keys,
                            mcl_output values)
{
    mcl_queue *const queue = l->mpi->queue;
    if (!b || b->keys.count == 0 || a->keys.count == 0) {
        const mcl__run_of *const all = b && a->keys.count == 0 ? b : a;
        mcl_status status = copy(l->mpi, all->keys, keys);
        MCL__THEN(status, copy(l->mpi, all->values, values));
        return status;
    }
    if (!a->values.type) return mcl_merge(queue, a->keys, b->keys, keys, l->before, l->options);
    return mcl_merge_pairs(queue, a->keys, a->values, b->keys, b->values, keys, values, l->before, l->options);
}

static mcl_status merge_level(const level *l, mcl__run_of *runs, int run_count)
{
    int64_t at = 0;
    mcl_status status = MCL_OK;
    for (int k = 0; k < run_count && status == MCL_OK; k += 2) {
        const mcl__run_of *const b = k + 1 < run_count ? &runs[k + 1] : NULL;
        const int64_t count = runs[k].keys.count + (b ? b->keys.count : 0);
        const mcl_output keys = part_of(l->keys, at, count), values = part_of(l->values, at, count);
        status = merge_two(l, &runs[k], b, keys, values);
        runs[k / 2] = (mcl__run_of){ read_back(keys), read_back(values) };
        at += count;
    }
    return status;
}

/* Gives the range of a scratch buffer that begins at element at. */
static mcl_status level_room(mcl_mpi *mpi, mcl__room room, const mcl_type *type, int64_t at, int64_t count,
                             mcl_output *out)
{
    *out = (mcl_output){ 0 };
    if (!type) return MCL_OK;
    mcl_buffer *buffer = NULL;
    const mcl_status status = mcl__room_of(mpi, room, (at + count) * (int64_t)type->size, &buffer);
    *out = mcl_to_buffer(type, buffer, at, count);
    return status;
}

mcl_status mcl__merge_piece(mcl_mpi *mpi, mcl__run_of *runs, int run_count, int64_t keys_at, int64_t values_at,
                            mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                            const mcl_options *options)
{
    level l = { .mpi = mpi, .before = before, .options = options };
    int64_t count = 0;
    mcl_status status = MCL_OK;
    for (int k = 0; k < run_count; ++k) count += runs[k].keys.count;
    if (count == 0) return MCL_OK;
    for (int depth = 0; run_count > 2 && status == MCL_OK; ++depth, run_count = (run_count + 1) / 2) {
        const int odd = depth % 2;
        status = level_room(mpi, odd ? ROOM_CAME : ROOM_MERGED, runs[0].keys.type, odd ? keys_at : 0, count, &l.keys);
        MCL__THEN(status, level_room(mpi, odd ? ROOM_CAME_VALUES : ROOM_MERGED_VALUES, runs[0].values.type,
                                     odd ? values_at : 0, count, &l.values));
        MCL__THEN(status, merge_level(&l, runs, run_count));
    }
    l.keys = out_keys;
    l.values = runs[0].values.type ? out_values : (mcl_output){ 0 };
    MCL__THEN(status, merge_level(&l, runs, run_count));
    return status;
}

mcl_status mcl__merge_runs(mcl_mpi *mpi, mcl__run_of *runs, int run_count, mcl_output out_keys, mcl_output out_values,
                           const mcl_op *before, const mcl_options *options)
{
    return mcl__merge_piece(mpi, runs, run_count, 0, 0, out_keys, out_values, before, options);
}
