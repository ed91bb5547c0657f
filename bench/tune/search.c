/* search.c: tries tiles for a unit, first on a coarse grid, then the neighbours of the best. Each tile is a row that
 * the library loads, so that tiles run as if they came from a file. */
#include "tune.h"

#include <math.h>
#include <string.h>

/* ---- one case ----------------------------------------------------------------------------------------------- */

enum { REPS_QUICK = 3, REPS = 7 };

/* Runs the case once, into overwritten outputs. A wrong result is the library's fault, but a refused tile is not. */
static int case_checked(tuner *t, bench_case *c, const mcl_options *options, double *ms, char *message,
                        size_t message_bytes)
{
    mcl_status status = MCL_OK;
    if (bench_run_checked(c, options, t->bench.options->queued, ms, message, message_bytes, &status) == 0) return 0;
    t->wrong += status == MCL_OK;
    return -1;
}

/* Measures the least time of up to REPS_QUICK runs. One run is enough if it is below the limit. A busy machine delays
 * some runs, but a slow tile delays all. */
static mcl_status least_time(const tuner *t, bench_case *c, const mcl_options *options, double limit_ms, double *least)
{
    *least = INFINITY;
    for (int k = 0; k < REPS_QUICK && *least > limit_ms; k++) {
        double ms = 0;
        const mcl_status status = bench_run_once(c, options, t->bench.options->queued, &ms);
        if (status != MCL_OK) return status;
        *least = fmin(*least, ms);
    }
    return MCL_OK;
}

tune_verdict tune_case_time(tuner *t, tune_case *c, const mcl_options *options, double limit_ms, double *ms,
                            char *message, size_t message_bytes)
{
    /* largest time on the small problem, as a multiple of the time of the library's own tile */
    const double hopeless = 20;
    const int is_limited = limit_ms > 0;
    const int reps = t->options->effort == TUNE_QUICK ? REPS_QUICK : REPS;
    const double small_limit = is_limited && c->small_ms > 0 ? hopeless * c->small_ms + 1 : INFINITY;
    bench_samples samples = { .count = 0 };
    double least = 0;
    mcl_options own = *options;
    own.flags |= c->flags;
    if (case_checked(t, &c->small, &own, ms, message, message_bytes) != 0) return TUNE_FAILED;
    mcl_status status = least_time(t, &c->small, &own, small_limit, &least);
    if (status == MCL_OK && least > small_limit) return TUNE_SLOW;
    if (!is_limited) c->small_ms = least;
    if (status == MCL_OK && case_checked(t, &c->full, &own, ms, message, message_bytes) != 0) return TUNE_FAILED;
    if (status == MCL_OK && is_limited) status = least_time(t, &c->full, &own, limit_ms, &least);
    if (status == MCL_OK && is_limited && least > limit_ms) return TUNE_SLOW;
    const double start = bench_now();
    for (int k = 0; k < reps && status == MCL_OK; k++) {
        if (k >= REPS_QUICK && bench_now() - start > t->options->budget_ms) break;
        status = bench_run_once(&c->full, &own, t->bench.options->queued, ms);
        if (status == MCL_OK) bench_samples_add(&samples, *ms);
    }
    if (status != MCL_OK) (void)snprintf(message, message_bytes, "%s", mcl_last_error());
    *ms = bench_median(&samples);
    if (!is_limited) c->own_spread = *ms / bench_minimum(&samples) - 1;
    return status == MCL_OK ? TUNE_TIMED : TUNE_FAILED;
}

/* ---- one tile ----------------------------------------------------------------------------------------------- */

typedef struct search {
    tuner *t;
    tune_unit *unit;
    tune_tile own;
    tune_tile best;
    double best_score; /* mean over the cases of the time relative to the library's own tile */
    tune_tile tried[TUNE_TILES_MAX];
    int tried_count;
} search;

static int is_tried(const search *s, tune_tile tile)
{
    for (int k = 0; k < s->tried_count; k++)
        if (s->tried[k].threads == tile.threads && s->tried[k].items == tile.items) return 1;
    return s->tried_count == TUNE_TILES_MAX;
}

/* Returns 1 where the device can do the tile as it is. Else the library makes another tile of it, which is tried
 * separately. */
static int is_fit(const search *s, tune_tile tile)
{
    int threads = 0;
    int items = 0;
    if (mcl_context_tile(s->t->bench.context, s->unit->operation, s->unit->bytes, &threads, &items) != MCL_OK) return 0;
    return threads == tile.threads && items == tile.items;
}

static tune_verdict tile_time(search *s, tune_tile tile, double *score)
{
    const double patience = 1.5; /* largest time, as a multiple of the best time so far */
    const tune_row row = { s->unit->operation, s->unit->bytes, tile, 0, 0 };
    const mcl_options options = { 0 };
    char message[TUNE_MESSAGE_BYTES];
    double logs = 0;
    if (tune_rows_load(s->t, &row) != MCL_OK || !is_fit(s, tile)) return TUNE_UNFIT;
    for (int k = 0; k < s->unit->case_count; k++) {
        tune_case *const c = &s->unit->cases[k];
        const tune_verdict verdict =
            tune_case_time(s->t, c, &options, patience * c->best_ms, &c->last_ms, message, sizeof message);
        if (verdict == TUNE_FAILED)
            bench_note("%s of %zu bytes: %d x %d is left out: %s: %s", s->unit->operation, s->unit->bytes, tile.threads,
                       tile.items, c->op->name, message);
        if (verdict != TUNE_TIMED) return verdict;
        logs += log(c->last_ms / c->own_ms);
    }
    *score = exp(logs / s->unit->case_count);
    return TUNE_TIMED;
}

static void tile_try(search *s, tune_tile tile)
{
    double score = 0;
    if (is_tried(s, tile) || tile.items < 1 || tile.threads < 1) return;
    s->tried[s->tried_count++] = tile;
    s->t->done += 1;
    tune_progress(s->t, "%s of %zu bytes: %d x %d", s->unit->operation, s->unit->bytes, tile.threads, tile.items);
    if (tile_time(s, tile, &score) != TUNE_TIMED || score >= s->best_score) return;
    s->best = tile;
    s->best_score = score;
    for (int k = 0; k < s->unit->case_count; k++) s->unit->cases[k].best_ms = s->unit->cases[k].last_ms;
}

/* ---- which tiles -------------------------------------------------------------------------------------------- */

typedef struct grid {
    const int *threads;
    int thread_count;
    const int *items;
    int item_count;
} grid;

#define GRID(threads, items) { threads, sizeof(threads) / sizeof *(threads), items, sizeof(items) / sizeof *(items) }

static grid grid_of(const tuner *t, const tune_unit *unit)
{
    static const int one[] = { 1 };
    static const int few_threads[] = { 128, 256 };
    static const int some_threads[] = { 128, 256, 512 };
    static const int many_threads[] = { 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024 };
    static const int few_items[] = { 7, 11, 15, 19 };
    static const int some_items[] = { 4, 7, 11, 15, 19, 23 };
    static const int many_items[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 19, 21, 23, 25, 27, 31 };
    static const int few_runs[] = { 2048, 16384, 65536 };
    static const int some_runs[] = { 1024, 2048, 4096, 8192, 16384, 32768, 65536 };
    static const int many_runs[] = { 256,  512,   1024,  1536,  2048,  3072,  4096,   6144,
                                     8192, 12288, 16384, 24576, 32768, 65536, 131072, 262144 };
    static const grid groups[] = { GRID(few_threads, few_items), GRID(some_threads, some_items),
                                   GRID(many_threads, many_items) };
    static const grid serial[] = { GRID(one, few_runs), GRID(one, some_runs), GRID(one, many_runs) };
    static const grid blocks[] = { GRID(many_threads, one), GRID(many_threads, one), GRID(many_threads, one) };
    const int effort = t->options->effort;
    if (strcmp(unit->operation, "sort_block") == 0) return blocks[effort];
    return t->bench.info.mapping == MCL_MAPPING_SERIAL ? serial[effort] : groups[effort];
}

/* Tries the neighbours of the best tile, until none of them is better. */
static void refine(search *s)
{
    static const int shares[] = { 4, 6, 12, 16 }; /* eighths: half, three quarters, one and a half, twice */
    enum { ROUNDS = 3, SHARES = sizeof shares / sizeof *shares, STEPS = 2 };
    const int serial = s->t->bench.info.mapping == MCL_MAPPING_SERIAL;
    for (int round = 0; round < ROUNDS; round++) {
        const tune_tile from = s->best;
        for (int k = 0; k < SHARES; k++) {
            const tune_tile wider = { from.threads * shares[k] / 8, from.items };
            const tune_tile longer = { from.threads, from.items * shares[k] / 8 };
            tile_try(s, serial ? longer : wider);
        }
        for (int step = -STEPS; step <= STEPS && !serial; step++)
            tile_try(s, (tune_tile){ from.threads, from.items + step });
        if (s->best.threads == from.threads && s->best.items == from.items) break;
    }
}

/* Tries the mapping that the device does not take without a request. */
static void try_other_mapping(search *s)
{
    const tune_tile group = { 64, 8 };
    const tune_tile serial = { 1, 1024 };
    tile_try(s, s->t->bench.info.mapping == MCL_MAPPING_SERIAL ? group : serial);
}

double tune_unit_effort(const tuner *t, const tune_unit *unit)
{
    const grid tiles = grid_of(t, unit);
    const double refined = t->options->effort == TUNE_USUAL ? 8 : 0;
    return 2 + tiles.thread_count * tiles.item_count + refined;
}

/* ---- a unit ------------------------------------------------------------------------------------------------- */

int tune_unit_start(tuner *t, tune_unit *unit)
{
    const mcl_options options = { 0 };
    char message[TUNE_MESSAGE_BYTES];
    for (int k = 0; k < unit->case_count; k++) {
        tune_case *const c = &unit->cases[k];
        tune_progress(t, "%s of %zu bytes: the library's own tile", unit->operation, unit->bytes);
        if (tune_case_time(t, c, &options, 0, &c->own_ms, message, sizeof message) != TUNE_TIMED) {
            bench_note("%s %s n=%lld: %s", c->op->name, c->type->name, (long long)t->n, message);
            return -1;
        }
        c->best_ms = c->own_ms;
    }
    return 0;
}

double tune_unit_spread(const tune_unit *unit)
{
    double most = 0;
    for (int k = 0; k < unit->case_count; k++) most = fmax(most, unit->cases[k].own_spread);
    return most;
}

int tune_unit_check_spread(const tuner *t, const tune_unit *unit)
{
    const double spread = tune_unit_spread(unit);
    if (spread <= t->options->spread) return 0;
    bench_note(
        "%s of %zu bytes: runs of the library's own tile are %.0f %% above the fastest: the machine is busy, and no "
        "row is written; expected at most %.0f %% (--spread)",
        unit->operation, unit->bytes, 100 * spread, 100 * t->options->spread);
    return -1;
}

/* Returns how much faster the best tile is after all. The best tile and the library's own run in turn, so that whatever
 * else the machine does meets both. Where it delays most runs of the library's own tile, the cases' spread tells. */
static double gain_of_best(search *s)
{
    const int rounds = s->t->options->effort == TUNE_QUICK ? REPS_QUICK : REPS;
    const tune_row row = { s->unit->operation, s->unit->bytes, s->best, 0, 0 };
    const int queued = s->t->bench.options->queued;
    double logs = 0;
    for (int k = 0; k < s->unit->case_count; k++) {
        tune_case *const c = &s->unit->cases[k];
        const mcl_options options = { .flags = c->flags };
        bench_samples own = { .count = 0 };
        bench_samples best = { .count = 0 };
        for (int round = 0; round < rounds; round++) {
            double ms = 0;
            if (tune_rows_load(s->t, NULL) != MCL_OK || bench_run_once(&c->full, &options, queued, &ms) != MCL_OK)
                return 1;
            bench_samples_add(&own, ms);
            if (tune_rows_load(s->t, &row) != MCL_OK || bench_run_once(&c->full, &options, queued, &ms) != MCL_OK)
                return 1;
            bench_samples_add(&best, ms);
        }
        c->own_spread = fmax(c->own_spread, bench_median(&own) / bench_minimum(&own) - 1);
        logs += log(bench_median(&own) / bench_median(&best));
    }
    return exp(logs / s->unit->case_count);
}

int tune_unit_search(tuner *t, tune_unit *unit)
{
    const double worth = 0.98; /* ratio below which a difference of times is no chance */
    const double end = t->done + tune_unit_effort(t, unit);
    const grid tiles = grid_of(t, unit);
    search s = { .t = t, .unit = unit, .best_score = worth };
    if (mcl_context_tile(t->bench.context, unit->operation, unit->bytes, &s.own.threads, &s.own.items) != MCL_OK)
        return 0;
    s.best = s.own;
    s.tried[s.tried_count++] = s.own;
    for (int a = 0; a < tiles.thread_count; a++)
        for (int b = 0; b < tiles.item_count; b++) tile_try(&s, (tune_tile){ tiles.threads[a], tiles.items[b] });
    const int blocks = strcmp(unit->operation, "sort_block") == 0;
    if (t->options->effort == TUNE_USUAL && !blocks) refine(&s);
    if (t->options->effort != TUNE_QUICK && !blocks) try_other_mapping(&s);
    t->done = end;
    const double gain = s.best_score < worth ? gain_of_best(&s) : 1;
    if (tune_unit_check_spread(t, unit) != 0) return -1;
    const int is_own = gain * worth < 1;
    if (t->row_count < TUNE_UNITS_MAX)
        t->rows[t->row_count++] = (tune_row){ unit->operation, unit->bytes, is_own ? s.own : s.best, is_own ? 1 : gain,
                                              tune_unit_spread(unit) };
    return 0;
}
