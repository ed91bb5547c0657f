/* measure.c: measures one operation on one type and size. It makes the data, checks every contender's result, times the
 * contenders in turn and writes the rows. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <string.h>

/* A contender below this time runs untimed before each timed run, so that caches have the same content as in a loop.
 * One untimed run is not enough where 80 MB of data share a cache with the data of all peers. */
#define SHORT_MS 25.0
enum { UNTIMED_RUNS = 3 };

/* The subject of a timing: our call, our call with counts in device slots, or a peer's candidate. */
typedef struct contender {
    const bench_peer *peer; /* peer; NULL for the library's own call */
    int candidate;
    int device_counts;
    int failed;
    double last_ms;
    bench_samples samples;
} contender;

typedef struct contest {
    bench_case *c;
    mcl_options options;
    int count;
    contender list[2 + BENCH_CANDIDATES_MAX];
    bench_record peers[BENCH_CANDIDATES_MAX]; /* medians of the peers, the fastest first */
    int peer_count;
} contest;

int bench_op_takes(const bench_op *op, const bench_type *type)
{
    if (!op->types) return type->sum != NULL;
    const size_t length = strlen(type->name);
    for (const char *at = op->types; (at = strstr(at, type->name)) != NULL; at += length) {
        const int begins = at == op->types || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) return 1;
    }
    return 0;
}

/* ---- running a contender ---------------------------------------------------------------------------- */

static const char *contender_name(const contender *who)
{
    return who->peer ? who->peer->candidate(who->candidate) : "moderncl";
}

static void contender_fails(const contest *race, contender *who, const char *why)
{
    const bench_case *c = race->c;
    who->failed = 1;
    c->bench->failures++;
    bench_note("%s %s n=%lld: %s%s: %s", c->op->name, c->type->name, (long long)c->n, contender_name(who),
               who->device_counts ? " with counts on the device" : "", why);
}

/* Returns 1 where the device cannot do a tile of a sweep. Such a tile is left out, which is no failure. */
static int ours_refused(const contest *race, mcl_status status)
{
    const int own_tile = race->options.tile_threads || race->options.tile_items;
    return own_tile && (status == MCL_ERROR_ARGUMENT || status == MCL_ERROR_UNSUPPORTED);
}

static int contender_run(contest *race, contender *who)
{
    const int queued = race->c->bench->options->queued;
    if (who->peer) {
        if (who->peer->run(who->candidate, queued, &who->last_ms) == 0) return 0;
        contender_fails(race, who, who->peer->error());
        return -1;
    }
    race->c->device_counts = who->device_counts;
    const mcl_status status = bench_run_once(race->c, &race->options, queued, &who->last_ms);
    if (status == MCL_OK) return 0;
    contender_fails(race, who, mcl_last_error());
    if (ours_refused(race, status)) race->c->bench->failures--;
    return -1;
}

int bench_run_checked(bench_case *c, const mcl_options *options, int queued, double *ms, char *message,
                      size_t message_bytes, mcl_status *status)
{
    *status = bench_poison(c);
    if (*status == MCL_OK) *status = bench_run_once(c, options, queued, ms);
    if (*status == MCL_OK && c->op->finish) *status = c->op->finish(c);
    if (*status == MCL_OK) *status = bench_fetch_results(c);
    if (*status == MCL_OK) return bench_same(c, c->type->tolerance, message, message_bytes) ? 0 : -1;
    (void)snprintf(message, message_bytes, "%s", mcl_last_error());
    return -1;
}

static void ours_check(contest *race, contender *who)
{
    bench_case *c = race->c;
    char message[1024];
    mcl_status status = MCL_OK;
    c->device_counts = who->device_counts;
    if (bench_run_checked(c, &race->options, c->bench->options->queued, &who->last_ms, message, sizeof message,
                          &status) == 0)
        return;
    contender_fails(race, who, message);
    if (ours_refused(race, status)) c->bench->failures--;
}

static void peer_check(contest *race, contender *who)
{
    bench_case *c = race->c;
    char message[160];
    if (bench_poison(c) != MCL_OK || mcl_queue_finish(c->bench->queue) != MCL_OK) {
        contender_fails(race, who, mcl_last_error());
        return;
    }
    if (contender_run(race, who) != 0) return;
    if (who->peer->fetch(who->candidate) != 0) {
        contender_fails(race, who, who->peer->error());
        return;
    }
    /* A peer may add floats one after the other, which loses precision with every element. */
    const double tolerance = c->type->tolerance > 0 ? c->n > 10000000 ? 1 : 1e-2 : 0;
    if (!bench_same(c, tolerance, message, sizeof message)) contender_fails(race, who, message);
}

/* ---- the contest ---------------------------------------------------------------------------- */

static contender *contest_add(contest *race, const bench_peer *peer, int candidate, int device_counts)
{
    contender *who = &race->list[race->count++];
    who->peer = peer;
    who->candidate = candidate;
    who->device_counts = device_counts;
    return who;
}

static void contest_fill(contest *race)
{
    const bench *b = race->c->bench;
    (void)contest_add(race, NULL, 0, 0);
    if (b->options->device_counts) (void)contest_add(race, NULL, 0, 1);
    for (int k = 0; k < b->peer_count; k++) {
        const int candidates = b->peers[k]->begin(&race->c->problem);
        if (candidates < 0) {
            bench_note("%s %s n=%lld: %s: %s", race->c->op->name, race->c->type->name, (long long)race->c->n,
                       b->peers[k]->name, b->peers[k]->error());
            race->c->bench->failures++;
        }
        for (int m = 0; m < candidates && race->count < 2 + BENCH_CANDIDATES_MAX; m++)
            (void)contest_add(race, b->peers[k], m, 0);
    }
}

static void contest_turn(contest *race, int timed)
{
    for (int k = 0; k < race->count; k++) {
        contender *who = &race->list[k];
        if (who->failed) continue;
        for (int run = 0; run < UNTIMED_RUNS && !who->failed && who->last_ms < SHORT_MS; run++)
            (void)contender_run(race, who);
        if (!who->failed && contender_run(race, who) == 0 && timed) bench_samples_add(&who->samples, who->last_ms);
    }
}

/* Times the contenders in at least 10 turns. It makes all requested turns unless these take more than about 5
 * seconds. */
static void contest_time(contest *race)
{
    const int warm_ups = 3;
    const int least = 10;
    const double patience_ms = 5000;
    for (int k = 0; k < warm_ups; k++) contest_turn(race, 0);
    const double start = bench_now();
    for (int k = 0; k < race->c->bench->options->reps; k++) {
        if (k >= least && bench_now() - start > patience_ms) break;
        contest_turn(race, 1);
    }
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Gives the tile that the library takes without a request, or 0 where the library has no name for the operation. */
static void tile_by_itself(const bench_case *c, int *threads, int *items)
{
    const bench *b = c->bench;
    const size_t bytes = c->op->tile_bytes ? c->op->tile_bytes(c->type) : c->type->element->type->size;
    char name[64];
    *threads = 0;
    *items = 0;
    if (!c->op->tuning) return;
    /* Operations that have a single-pass form have separate tiles for the form in two passes. */
    (void)snprintf(name, sizeof name, "%s_two_pass", c->op->tuning);
    if (!b->info.look_back && mcl_context_tile(b->context, name, bytes, threads, items) == MCL_OK) return;
    (void)mcl_context_tile(b->context, c->op->tuning, bytes, threads, items);
}

static bench_row row_start(const contest *race)
{
    const bench_case *c = race->c;
    const bench *b = c->bench;
    bench_row row = { .op = c->op->name, .type = c->type->name, .n = c->n, .copy_ratio = -1, .peer_ms = -1 };
    tile_by_itself(c, &row.threads, &row.items);
    if (race->options.tile_threads) row.threads = race->options.tile_threads;
    if (race->options.tile_items) row.items = race->options.tile_items;
    const int serial = row.threads == 0 ? b->info.mapping == MCL_MAPPING_SERIAL : row.threads == 1;
    row.mapping = serial ? "serial" : "group";
    return row;
}

static void contest_rank_peers(contest *race)
{
    for (int k = 0; k < race->count; k++) {
        contender *who = &race->list[k];
        if (!who->peer || who->failed) continue;
        const bench_record own = { contender_name(who), bench_median(&who->samples) };
        int place = race->peer_count++;
        for (; place > 0 && race->peers[place - 1].ms > own.ms; place--) race->peers[place] = race->peers[place - 1];
        race->peers[place] = own;
    }
}

static void row_peer(bench_row *row, const contest *race)
{
    const bench *b = race->c->bench;
    bench_record fastest = race->peers[0];
    row->peers = race->peers;
    row->peer_count = race->peer_count;
    row->peer_source = "same-run";
    if (race->peer_count == 0) {
        if (!b->recorded || !bench_recorded_find(b->recorded, race->c->op, row->type, row->n, &fastest)) return;
        row->peer_source = "recorded";
    }
    row->peer = fastest.peer;
    row->peer_ms = fastest.ms;
}

static void row_times(bench_row *row, contender *who, double bytes, double copy_ms)
{
    row->median_ms = bench_median(&who->samples);
    row->min_ms = bench_minimum(&who->samples);
    row->gbps = bytes / (row->median_ms * 1e6);
    row->copy_ratio = copy_ms > 0 ? row->median_ms / copy_ms : -1;
}

static void contest_report(contest *race)
{
    bench *b = race->c->bench;
    const double bytes = race->c->op->bytes(race->c);
    double copy_ms = -1;
    if (bench_copy_time(b, bytes, &copy_ms) != MCL_OK) copy_ms = -1;
    contender *ours = &race->list[0];
    if (ours->failed) return;
    bench_row row = row_start(race);
    row_times(&row, ours, bytes, copy_ms);
    contest_rank_peers(race);
    row_peer(&row, race);
    bench_report_row(b->report, &row);
    contender *counted = &race->list[1];
    if (!b->options->device_counts || counted->failed) return;
    /* The peer of this row is the library's own call with counts on the host. */
    char name[96];
    (void)snprintf(name, sizeof name, "%s" BENCH_COUNTED, row.op);
    row.op = name;
    row.peer = "host_count";
    row.peer_ms = row.median_ms;
    row.peer_source = "same-run";
    row.peer_count = 0;
    row_times(&row, counted, bytes, copy_ms);
    bench_report_row(b->report, &row);
}

/* ---- one case ---------------------------------------------------------------------------- */

static void measure_tile(bench_case *c, int threads, int items)
{
    static contest race; /* static, since it is too large for a stack */
    memset(&race, 0, sizeof race);
    race.c = c;
    race.options.tile_threads = threads;
    race.options.tile_items = items;
    bench_turn_begin(c->bench);
    contest_fill(&race);
    for (int k = 0; k < race.count; k++) {
        if (race.list[k].peer)
            peer_check(&race, &race.list[k]);
        else
            ours_check(&race, &race.list[k]);
    }
    bench_progress("%s %s n=%lld: timing", c->op->name, c->type->name, (long long)c->n);
    if (!race.list[0].failed) contest_time(&race);
    contest_report(&race);
    for (int k = 0; k < c->bench->peer_count; k++) c->bench->peers[k]->end();
    bench_turn_end(c->bench);
}

int bench_case_open(bench_case *c)
{
    c->problem.op = c->op->name;
    c->problem.type = c->type->name;
    c->problem.n = c->n;
    bench_progress("%s %s n=%lld: making the data", c->op->name, c->type->name, (long long)c->n);
    if (c->op->operation) bench_operation_open(c);
    mcl_status status = c->op->prepare(c);
    if (status == MCL_OK) status = bench_case_fetch(c);
    bench_progress("%s %s n=%lld: the host's reference", c->op->name, c->type->name, (long long)c->n);
    if (status == MCL_OK) c->op->reference(c);
    if (status == MCL_OK && c->op->operation) status = bench_operation_outputs(c);
    if (status == MCL_OK) return 0;
    char what[128];
    (void)snprintf(what, sizeof what, "%s %s n=%lld", c->op->name, c->type->name, (long long)c->n);
    return bench_failed(what);
}

int bench_measure(bench *b, const bench_op *op, const bench_type *type, int64_t n)
{
    if (type->element->type->size == sizeof(double) && type->element->type->kind == MCL_KIND_FLOAT &&
        !b->info.has_double) {
        bench_note("%s %s: left out, the device has no 64-bit floats", op->name, type->name);
        return 0;
    }
    bench_case c = { .bench = b, .op = op, .type = type, .n = n };
    const int opened = bench_case_open(&c);
    const bench_options *options = b->options;
    for (int t = 0; t < options->thread_count && opened == 0; t++)
        for (int i = 0; i < options->item_count; i++) measure_tile(&c, options->threads[t], options->items[i]);
    bench_case_close(&c);
    if (opened != 0) b->failures++;
    return opened;
}
