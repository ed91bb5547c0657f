/* fold_tree.c: reduces by the core's tree over the indices of the whole sequence (docs/concepts.md, "Accuracy and the
 * same bits"), for any number of ranks. A rank's part is cut into blocks, which are nodes of the tree. The size of a
 * block is a power of two, and it begins at a multiple of its size. Each rank folds its blocks. Then all ranks fold the
 * blocks of all ranks by the rest of the tree. */
#include "operators.h"

#include <stdlib.h>

enum {
    LEVELS_MOST = 64,             /* levels of the tree; 49 are enough for 2^48 elements */
    BLOCKS_MOST = 2 * LEVELS_MOST /* blocks of a rank: two of each size */
};

/* A node of the tree, or the initial value, whose size is 0. */
typedef struct block {
    int64_t first, size;
} block;

/* The steps of the tree after the blocks. A step folds runs of one or two neighbours. */
typedef struct steps {
    int64_t *offsets; /* offsets of the runs of all steps, one step after the other */
    int64_t used;
    int64_t counts[2 * BLOCKS_MOST]; /* number of runs of each step */
    int count;
} steps;

typedef struct tree {
    mcl__fold_part *part;
    const int64_t *counts; /* number of elements of each rank */
    block *blocks;         /* initial value, if there is one; then the blocks of all ranks */
    int64_t block_count, own_first, own_count;
    int64_t most; /* largest number of blocks of a rank */
    unsigned char *mine, *all;
    steps steps;
    mcl_buffer *partials; /* partials of the blocks, then of the last step */
} tree;

/* ---- plan, the same on all ranks ----------------------------------------------------------------------------- */

static int64_t cut_into_blocks(int64_t first, int64_t count, block *out)
{
    const int64_t end = first + count;
    int64_t used = 0;
    while (first < end) {
        int64_t size = 1;
        while (first % (2 * size) == 0 && first + 2 * size <= end) size *= 2;
        out[used++] = (block){ first, size };
        first += size;
    }
    return used;
}

static void plan_blocks(const mcl_mpi *mpi, tree *t)
{
    int64_t first = 0;
    if (t->part->fold.initial) t->blocks[t->block_count++] = (block){ -1, 0 };
    for (int r = 0; r < mpi->size; ++r) {
        const int64_t made = cut_into_blocks(first, t->counts[r], t->blocks + t->block_count);
        if (r == mpi->rank) t->own_first = t->block_count;
        if (r == mpi->rank) t->own_count = made;
        if (made > t->most) t->most = made;
        t->block_count += made;
        first += t->counts[r];
    }
}

/* Returns whether a block and the next one are the two halves of a node. */
static int are_halves(const block *at)
{
    return at[0].size > 0 && at[0].size == at[1].size && at[0].first % (2 * at[0].size) == 0;
}

/* Plans one step. blocks receives the blocks after it. With is_tree each two halves are folded to their node. Without
 * is_tree the first two blocks are folded. Returns the number of blocks. */
static int64_t plan_step(steps *s, block *blocks, int64_t count, int is_tree)
{
    int64_t made = 0;
    int64_t *const offsets = s->offsets + s->used;
    for (int64_t k = 0; k < count; ++made) {
        const int pairs = k + 1 < count && (is_tree ? are_halves(&blocks[k]) : k == 0);
        offsets[made] = k;
        blocks[made] = (block){ blocks[k].first, blocks[k].size + (pairs ? blocks[k + 1].size : 0) };
        k += 1 + pairs;
    }
    if (made == count) return count; /* no blocks were folded, so there is no step */
    offsets[made] = count;
    s->used += made + 1;
    s->counts[s->count++] = made;
    return made;
}

/* Plans all steps: first those of the tree, then folds of the first two blocks, until at most two blocks are left. */
static int64_t plan_steps(tree *t)
{
    int64_t count = t->block_count;
    for (int64_t before = 0; before != count;) {
        before = count;
        count = plan_step(&t->steps, t->blocks, count, 1);
    }
    while (count > 2) count = plan_step(&t->steps, t->blocks, count, 0);
    return count;
}

static mcl_status plan(mcl_mpi *mpi, tree *t)
{
    const int64_t most = (int64_t)mpi->size * BLOCKS_MOST + 1;
    mcl_status status = mcl__array(mpi, most, sizeof *t->blocks, &t->blocks);
    if (status == MCL_OK) plan_blocks(mpi, t);
    const size_t size = t->part->fold.partial->size;
    MCL__THEN(status, mcl__array(mpi, t->most, size, &t->mine));
    MCL__THEN(status, mcl__array(mpi, t->most * mpi->size + 1, size, &t->all));
    MCL__THEN(status, mcl__array(mpi, (t->block_count + 1) * LEVELS_MOST + LEVELS_MOST * LEVELS_MOST, sizeof(int64_t),
                                 &t->steps.offsets));
    return status;
}

/* ---- folds ------------------------------------------------------------------------------------------------- */

/* Folds runs of a sequence. Their offsets are in ROOM_NUMBERS, from element at on. */
static mcl_status fold_runs(mcl_mpi *mpi, const tree *t, mcl_input in, int64_t at, int64_t runs, const mcl_op *op,
                            mcl_buffer *out)
{
    const mcl_options own = mcl__fold_options(&t->part->fold, t->part->options);
    const mcl_input offsets = mcl_from_buffer(MCL_INT64, mpi->rooms[ROOM_NUMBERS], at, runs + 1);
    return mcl_segmented_reduce(mpi->queue, in, mcl_segments_from_offsets(offsets),
                                mcl_to_buffer(t->part->fold.partial, out, 0, runs), op, mcl_to_nowhere(), &own);
}

static mcl_status write_offsets(mcl_mpi *mpi, const int64_t *offsets, int64_t count)
{
    mcl_buffer *numbers = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_NUMBERS, count * 8, &numbers);
    MCL__THEN(status, mcl_buffer_write(mpi->queue, numbers, 0, (size_t)count * 8, offsets));
    return status;
}

static mcl_status fold_own_blocks(mcl_mpi *mpi, tree *t)
{
    const size_t size = t->part->fold.partial->size;
    const block *const own = t->blocks + t->own_first;
    int64_t offsets[BLOCKS_MOST + 1];
    mcl_buffer *made = NULL;
    if (t->own_count == 0) return MCL_OK;
    for (int64_t k = 0; k < t->own_count; ++k) offsets[k] = own[k].first - own[0].first;
    offsets[t->own_count] = t->part->in.count;
    mcl_op local = t->part->fold.local.op;
    local.combine = NULL;
    mcl_status status = write_offsets(mpi, offsets, t->own_count + 1);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SORTED, t->own_count * (int64_t)size, &made));
    MCL__THEN(status, fold_runs(mpi, t, t->part->in, 0, t->own_count, &local, made));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, made, 0, (size_t)t->own_count * size, t->mine));
    return status;
}

/* Stores the initial value and the partials of all blocks on the device. */
static mcl_status store_blocks(mcl_mpi *mpi, tree *t)
{
    const size_t size = t->part->fold.partial->size;
    mcl_status status = mcl__room_of(mpi, ROOM_PARTIALS, t->block_count * (int64_t)size, &t->partials);
    const int has_initial = t->part->fold.initial != NULL;
    size_t at = 0;
    if (has_initial) MCL__THEN(status, mcl_buffer_write(mpi->queue, t->partials, 0, size, t->part->fold.initial));
    at += has_initial ? size : 0;
    int64_t first = 0;
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        block blocks[BLOCKS_MOST];
        const size_t bytes = (size_t)cut_into_blocks(first, t->counts[r], blocks) * size;
        if (bytes > 0)
            status = mcl_buffer_write(mpi->queue, t->partials, at, bytes, t->all + (size_t)r * (size_t)t->most * size);
        at += bytes;
        first += t->counts[r];
    }
    return status;
}

static mcl_status run_steps(mcl_mpi *mpi, tree *t)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    const mcl__fold *const fold = &t->part->fold;
    mcl_buffer *next = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SORTED, t->block_count * (int64_t)fold->partial->size, &next);
    if (t->steps.used > 0) MCL__THEN(status, write_offsets(mpi, t->steps.offsets, t->steps.used));
    int64_t at = 0, count = t->block_count;
    for (int k = 0; k < t->steps.count && status == MCL_OK; ++k) {
        mcl_op joined;
        status = mcl__fold_joined(mpi, fold, t->partials, &joined);
        MCL__THEN(status, fold_runs(mpi, t, mcl_from_constant(fold->element, zeros, count), at, t->steps.counts[k],
                                    &joined, next));
        mcl_buffer *const last = t->partials;
        t->partials = next;
        next = last;
        count = t->steps.counts[k];
        at += count + 1;
    }
    return status;
}

static mcl_status reduce(mcl_mpi *mpi, tree *t, mcl_result result)
{
    mcl_status status = plan(mpi, t);
    MCL__THEN(status, fold_own_blocks(mpi, t));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__gather_edges(mpi, t->mine, t->all, (size_t)t->most * t->part->fold.partial->size));
    status = store_blocks(mpi, t);
    const int64_t left = plan_steps(t);
    MCL__THEN(status, run_steps(mpi, t));
    mcl__fold last = t->part->fold; /* the partials include the initial value already */
    last.initial = NULL;
    MCL__THEN(status, mcl__fold_join(mpi, &last, t->partials, left, result, t->part->options));
    return status;
}

mcl_status mcl__fold_by_tree(mcl_mpi *mpi, mcl__fold_part *part, const int64_t *counts, mcl_result result)
{
    tree t = { .part = part, .counts = counts };
    const mcl_status status = reduce(mpi, &t, result);
    free(t.blocks);
    free(t.mine);
    free(t.all);
    free(t.steps.offsets);
    return status;
}
