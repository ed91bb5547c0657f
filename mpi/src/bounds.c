/* bounds.c: keys of some indices are sought between two bounds, which are samples. Its kernel is in bounds.cl. */
#include "bounds.h"

#include "bounds_kernel.h"
#include "plan.h"
#include "samples.h"

#include <stdlib.h>

enum {
    ROUNDS_MOST = 64,
    DEVIATIONS = 3,       /* deviations of a sample's index between a wanted key and its bound */
    FEW_PARTS = 4,        /* bounds that have more than one of as many parts of the samples between them do not pay */
    GROUPS_MOST = 8192,   /* groups of a launch */
    STRETCH_LEAST = 8192, /* keys of a group */
    ROOM_TIMES = 4, /* keys that a group has room for, as a multiple of those that are expected between the bounds */
    ROOM_OF_WORK_ITEM = 8, /* and more keys for each of its work-items */
    NARROW_MOST = 1 << 30  /* keys with indices of 32 bits; groups have room for a quarter more */
};

/* Where a rank's keys lie: before the first bound, or between the two. */
typedef enum side { BEFORE_FIRST, BETWEEN, SIDES } side;

typedef struct search {
    mcl_mpi *mpi;
    mcl__wanted *of;
    int64_t low, high; /* indices of the bounds among the samples; there is no bound below 0 or past the last sample */
    int64_t stride;    /* keys for which a sample stands */
    mcl_input samples, positions;
    int64_t (*counts)[SIDES]; /* keys of each rank before the first bound, and between the two; this rank's come last */
} search;

/* ---- bounds ------------------------------------------------------------------------------------------------ */

/* Returns the square root of the number of samples of a round, which does not grow with the ranks. */
static int64_t root_of(const search *s)
{
    const int64_t root = mcl__sample_root(s->mpi->size, s->of->whole.total);
    const int64_t most = s->mpi->transport->kind == MCL_MPI_NCCL ? MCL__SAMPLE_ROOT : MCL__SELECT_ROOT;
    return root < most ? root : most;
}

/* Chooses the bounds. Returns whether few samples lie between them. */
static int choose_bounds(search *s, int64_t root, int64_t tries)
{
    const mcl__wanted *const of = s->of;
    const int64_t margin = DEVIATIONS * tries * (root / 2) + 1;
    s->low = of->indices[0] / s->stride - margin;
    s->high = of->indices[of->count - 1] / s->stride + 1 + margin;
    return s->high - s->low <= s->samples.count / FEW_PARTS;
}

/* ---- keys between them ------------------------------------------------------------------------------------- */

/* The two passes over this rank's keys. */
typedef struct passes {
    const search *search;
    mcl_kernel kernel;
    int64_t groups;
    int64_t stretch, room; /* keys of a group, and those between the bounds that it has room for */
    int64_t work_items;
    mcl_buffer *stretches, *befores, *betweens, *offsets;
} passes;

static mcl_status plan_passes(const search *s, passes *out)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl_input *const keys = &s->of->keys;
    const int64_t even = (keys->count + GROUPS_MOST - 1) / GROUPS_MOST;
    mcl_tile tile;
    *out = (passes){ .search = s, .kernel = mcl__bounds_kernel(keys->type, s->of->before) };
    out->kernel.index_bits = keys->count <= NARROW_MOST ? 32 : 64;
    mcl_status status = mcl_kernel_tile(mpi->queue, &out->kernel, NULL, &tile);
    if (status != MCL_OK) return status;
    out->stretch = even > STRETCH_LEAST ? even : STRETCH_LEAST;
    out->groups = (keys->count + out->stretch - 1) / out->stretch;
    out->work_items = out->groups * tile.threads;
    const double between = (double)(s->high - s->low) / (double)s->samples.count;
    out->room = (int64_t)(ROOM_TIMES * between * (double)out->stretch) + ROOM_OF_WORK_ITEM * tile.threads;
    status = mcl__room_of(mpi, ROOM_CAME, out->groups * out->room * (int64_t)keys->type->size, &out->stretches);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME_VALUES, out->work_items * 8, &out->befores));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_MERGED, out->work_items * 8, &out->betweens));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_MERGED_VALUES, out->work_items * 8, &out->offsets));
    return status;
}

static mcl_status launch(const passes *p, int pass, const mcl_argument *own, int own_count)
{
    const search *const s = p->search;
    mcl_launch launch = { .pass = pass,
                          .groups = p->groups,
                          .arguments = { mcl_argument_input(&s->of->keys), mcl_argument_input(&s->samples),
                                         mcl_argument_input(&s->positions) } };
    mcl_argument *next = launch.arguments + 3;
    for (int k = 0; k < own_count; ++k) *next++ = own[k];
    *next++ = mcl_argument_int64(s->of->whole.first);
    *next++ = mcl_argument_int64(s->low);
    *next++ = mcl_argument_int64(s->high);
    *next++ = mcl_argument_index(p->stretch);
    *next++ = mcl_argument_index(p->room);
    return mcl_kernel_launch(s->mpi->queue, &p->kernel, &launch, 1, NULL, 0, NULL);
}

/* Counts this rank's keys by the bounds. Each group keeps some of those between them. */
static mcl_status count_keys(const passes *p)
{
    mcl_mpi *const mpi = p->search->mpi;
    mcl_queue *const queue = mpi->queue;
    const mcl_output kept = mcl_to_buffer(p->search->of->keys.type, p->stretches, 0, p->groups * p->room),
                     befores = mcl_to_buffer(MCL_INT64, p->befores, 0, p->work_items),
                     betweens = mcl_to_buffer(MCL_INT64, p->betweens, 0, p->work_items);
    const mcl_argument own[] = { mcl_argument_output(&kept), mcl_argument_output(&befores),
                                 mcl_argument_output(&betweens) };
    const mcl_input before = mcl_from_buffer(MCL_INT64, p->befores, 0, p->work_items),
                    between = mcl_from_buffer(MCL_INT64, p->betweens, 0, p->work_items);
    mcl_buffer *sums = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SMALL, SIDES * 8, &sums);
    MCL__THEN(status, launch(p, MCL__BOUNDS_KEEP, own, 3));
    MCL__THEN(status, mcl_reduce(queue, before, MCL_ADD, mcl_to_slot(MCL_INT64, sums, BEFORE_FIRST), NULL));
    MCL__THEN(status, mcl_scan(queue, between, mcl_to_buffer(MCL_INT64, p->offsets, 0, p->work_items), MCL_ADD,
                               MCL_INCLUSIVE, mcl_to_slot(MCL_INT64, sums, BETWEEN), NULL));
    MCL__THEN(status, mcl_buffer_read(queue, sums, 0, SIDES * 8, p->search->counts[mpi->size]));
    return status;
}

/* Moves this rank's keys between the bounds together. */
static mcl_status move_kept(const passes *p, mcl_buffer **out)
{
    const search *const s = p->search;
    const mcl_type *const type = s->of->keys.type;
    const int64_t count = s->counts[s->mpi->size][BETWEEN];
    mcl_status status = mcl__room_of(s->mpi, mcl__room_to_keep(s->mpi, &s->of->keys), count * (int64_t)type->size, out);
    if (status != MCL_OK || count == 0) return status;
    const mcl_input stretches = mcl_from_buffer(type, p->stretches, 0, p->groups * p->room),
                    counts = mcl_from_buffer(MCL_INT64, p->betweens, 0, p->work_items),
                    offsets = mcl_from_buffer(MCL_INT64, p->offsets, 0, p->work_items);
    const mcl_output kept = mcl_to_buffer(type, *out, 0, count);
    const mcl_argument own[] = { mcl_argument_input(&stretches), mcl_argument_input(&counts),
                                 mcl_argument_input(&offsets), mcl_argument_output(&kept) };
    return launch(p, MCL__BOUNDS_MOVE, own, 4);
}

/* Keeps this rank's keys between the bounds. */
static mcl_status keep_between(const search *s, mcl_buffer **kept)
{
    passes p;
    s->counts[s->mpi->size][BEFORE_FIRST] = s->counts[s->mpi->size][BETWEEN] = 0;
    if (s->of->keys.count == 0) return MCL_OK;
    mcl_status status = plan_passes(s, &p);
    MCL__THEN(status, count_keys(&p));
    MCL__THEN(status, move_kept(&p, kept));
    return status;
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

/* Makes what was kept the keys of the search, if the wanted ones are among them. Returns whether they are. */
static int take_kept(const search *s, mcl_buffer *kept)
{
    mcl__wanted *const of = s->of;
    mcl__whole *const whole = &of->whole;
    int64_t before = 0, between = 0;
    for (int r = 0; r < s->mpi->size; ++r) {
        before += s->counts[r][BEFORE_FIRST];
        between += s->counts[r][BETWEEN];
    }
    if (of->indices[0] < before || of->indices[of->count - 1] >= before + between) return 0;
    for (int64_t k = 0; k < of->count; ++k) of->indices[k] -= before;
    whole->first = 0;
    whole->total = between;
    for (int r = 0; r < s->mpi->size; ++r) {
        whole->counts[r] = s->counts[r][BETWEEN];
        if (r < s->mpi->rank) whole->first += whole->counts[r];
    }
    of->keys = mcl_from_buffer(of->keys.type, kept, 0, whole->counts[s->mpi->rank]);
    return 1;
}

/* Makes a round. tries: how often bounds missed the wanted keys, and one more. Gives in goes_on whether another round
 * may gain, and counts tries on. */
static mcl_status narrow_once(search *s, int64_t *tries, int *goes_on)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl__whole *const whole = &s->of->whole;
    const int64_t root = root_of(s);
    mcl_buffer *kept = NULL;
    s->stride = mcl__sample_stride(root, whole->total);
    mcl_status status =
        mcl__gather_samples(mpi, s->of->keys, whole->counts, s->stride, s->of->before, &s->samples, &s->positions);
    MCL__AGREE(mpi, status);
    *goes_on = choose_bounds(s, root, *tries);
    if (!*goes_on) return MCL_OK;
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    MCL__THEN(status, keep_between(s, &kept));
    MCL__AGREE(mpi, status);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, mcl__gather_all(mpi, s->counts[mpi->size], s->counts, sizeof *s->counts));
    *tries = take_kept(s, kept) ? 1 : 2 * *tries;
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    return MCL_OK;
}

mcl_status mcl__narrow_between(mcl_mpi *mpi, mcl__wanted *wanted, int64_t small)
{
    search s = { .mpi = mpi, .of = wanted };
    int64_t tries = 1;
    int goes_on = 1;
    if (wanted->whole.total <= small) return MCL_OK;
    mcl_status status = mcl__array(mpi, mpi->size + 1, sizeof *s.counts, &s.counts);
    MCL__THEN(status, mcl__store_input(mpi, ROOM_UNWANTED, &wanted->keys));
    status = mcl__agree(mpi, status);
    for (int round = 0; round < ROUNDS_MOST && goes_on && wanted->whole.total > small && status == MCL_OK; ++round)
        status = narrow_once(&s, &tries, &goes_on);
    free(s.counts);
    return status;
}
