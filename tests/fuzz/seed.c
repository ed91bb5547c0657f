/* seed.c: makes the calls of one seed one after the other, in a separate process, and checks them. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "fuzz.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Calls with one theme share programs, which take long to build. The themes return every THEME_SEEDS seeds, and then
 * others follow. */
enum { THEMES = 24, THEME_SEEDS = 2400, THEME_OPERATIONS = 10, THEME_VARIANTS = 2 };
enum { STREAM_CALL = 1000, STREAM_RECORD = 3000 };

/* ---- the world ------------------------------------------------------------------------------------------ */

static void set_mapping(int serial)
{
    const char *features = getenv("MCL_FEATURES");
    char text[300];

    snprintf(text, sizeof text, "mapping=%s%s%s", serial ? "serial" : "group", features && features[0] ? "," : "",
             features ? features : "");
    setenv("MCL_FEATURES", text, 1);
}

/* Opens a context. POCL 3's compiler takes most of the time, and most of that for optimisations, so two themes of three
 * leave these out. (Without them POCL 5 aborts.) */
static mcl_status context_open(world *w, uint64_t theme)
{
    const mcl_status status = mcl_context_create(w->device, &w->context);

    if (status != MCL_OK || mcl_context_info(w->context, &w->info) != MCL_OK) return status;
    if (theme % 3 == 0 || getenv("MCL_BUILD_OPTIONS") || strcmp(w->info.vendor, "POCL") != 0 ||
        strncmp(w->info.driver, "3.", 2) != 0)
        return status;
    mcl_context_release(w->context);
    w->context = NULL;
    setenv("MCL_BUILD_OPTIONS", "-cl-opt-disable", 1);
    return mcl_context_create(w->device, &w->context);
}

static int world_open(world *w, uint64_t theme, journal *into)
{
    memset(w, 0, sizeof *w);
    w->serial = the_settings.serial;
    w->device = the_settings.device;
    set_mapping(w->serial);
    if (context_open(w, theme) != MCL_OK || mcl_context_info(w->context, &w->info) != MCL_OK ||
        mcl_queue_create(w->context, 0, &w->queue) != MCL_OK ||
        mcl_queue_create_preparing(w->context, &w->prepared) != MCL_OK) {
        snprintf(into->failure, sizeof into->failure, "%s", mcl_last_error());
        return 0;
    }
    w->wraps = !w->info.is_gpu && strcmp(w->info.backend, "opencl") == 0;
    return 1;
}

/* Makes a thread's world: its own queues on the context of the seed's world. */
static int world_share(world *w, const world *with, journal *into)
{
    *w = *with;
    w->queue = w->prepared = NULL;
    if (mcl_context_retain(w->context) != MCL_OK) return 0;
    if (mcl_queue_create(w->context, 0, &w->queue) == MCL_OK &&
        mcl_queue_create_preparing(w->context, &w->prepared) == MCL_OK)
        return 1;
    snprintf(into->failure, sizeof into->failure, "%s", mcl_last_error());
    return 0;
}

/* ---- one call ------------------------------------------------------------------------------------------- */

static void finding(journal *into, const char *what, uint64_t seed, int number)
{
    snprintf(into->finding, sizeof into->finding, "seed %llu, call %d: %s", (unsigned long long)seed, number, what);
}

/* Records some calls before their operands are written, and replays them afterwards. Returns 0 where the call is not
 * recorded or cannot be; then nothing has changed. */
static int call_record(const world *w, call *c, mcl_recording **recorded, mcl_status *status)
{
    stream own = stream_of(c->seed, STREAM_RECORD, (uint64_t)c->number);

    *recorded = NULL;
    *status = MCL_OK;
    if (c->is_forked || c->has_small_stack) return 0;
    if (c->null_queue || strstr(c->op->name, "map") || !draw_chance(&own, 25)) return 0;
    *status = mcl_record_begin(w->queue);
    if (*status != MCL_OK) return 1;
    *status = c->op->run(w->queue, c);
    const int refused = *status == MCL_ERROR_UNSUPPORTED && strstr(mcl_last_error(), "is being recorded");
    const mcl_status ended = mcl_record_end(w->queue, recorded);
    if (*status == MCL_OK) *status = ended;
    return !refused;
}

static void call_make(world *w, const operation *op, call *c, journal *into)
{
    mcl_recording *recorded = NULL;
    mcl_status status = MCL_OK;
    const int row = into->operation;
    const char *wrong = NULL;

    c->w = w;
    c->op = op;
    call_draw(c);
    surroundings_draw(c);
    call_print(c, into->current, sizeof into->current);
    const int is_recorded = call_record(w, c, &recorded, &status);
    if (!memories_upload(c)) wrong = "operands cannot be written";
    if (!wrong && c->is_forked) wrong = forked_run(c);
    if (!wrong && c->has_small_stack)
        wrong = small_stack_run(c, &status);
    else if (!is_recorded)
        status = c->op->run(c->null_queue ? NULL : w->queue, c);
    else if (status == MCL_OK)
        status = mcl_replay(w->queue, recorded, NULL);
    mcl_recording_release(recorded);
    into->calls[row]++;
    if (-(int)status >= 0 && -(int)status < STATUSES) into->statuses[row][-(int)status]++;
    if (!wrong) wrong = status_check(c, status);
    const char *memory_wrong = memories_check(c, !is_late(status));
    if (!wrong) wrong = memory_wrong;
    if (!wrong && status == MCL_OK && c->done && mcl_event_wait(c->done) != MCL_OK)
        wrong = "its event cannot be waited for";
    if (!wrong && is_late(status) && !c->broken && c->op->reference) into->equal[row]++;
    if (wrong) finding(into, wrong, c->seed, c->number);
    call_end(c);
}

/* ---- one seed ------------------------------------------------------------------------------------------- */

/* Returns a number that depends on an operation's name alone. The draw for an operation uses it, so that new operations
 * leave seeds of one operation unchanged. */
static uint64_t name_number(const char *name)
{
    uint64_t number = 0;

    for (; *name; name++) number = number * 131 + (unsigned char)*name;
    return number;
}

static uint64_t theme_of(uint64_t seed)
{
    return seed % THEMES + seed / THEME_SEEDS * THEMES;
}

static int is_wanted(int row)
{
    return !the_settings.operation || strstr(operation_at(row)->name, the_settings.operation) != NULL;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Returns an operation of a theme. Successive themes have different operations, and a few themes have all. The stride
 * mixes operations of different kinds. */
static int operation_draw(uint64_t theme, stream *data, int *variant)
{
    const uint64_t slot = (uint64_t)draw_below(data, THEME_OPERATIONS);
    uint64_t wanted = 0;
    int row = 0;

    *variant = (int)draw_below(data, THEME_VARIANTS);
    for (int k = 0; k < operation_count(); k++) wanted += (uint64_t)is_wanted(k);
    uint64_t stride = wanted * 5 / 8 + 1;
    while (wanted && common_divisor(stride, wanted) != 1) stride++;
    for (uint64_t left = wanted ? (theme * THEME_OPERATIONS + slot) * stride % wanted : 0; row + 1 < operation_count();
         row++)
        if (is_wanted(row) && left-- == 0) break;
    return row;
}

/* Makes calls first, first + step and so on. A call's number alone decides its draw, whichever thread makes it. */
static void calls_make(world *w, uint64_t seed, int first, int step, journal *into)
{
    const uint64_t theme = theme_of(seed);
    call *c = malloc(sizeof *c);

    for (int number = first; c && number < the_settings.calls && !into->finding[0]; number += step) {
        if (the_settings.only >= 0 && number != the_settings.only) continue;
        if (into->until && number > first && (int64_t)time(NULL) >= into->until) break;
        int variant = 0;
        memset(c, 0, sizeof *c);
        c->seed = seed;
        c->number = number;
        c->data = stream_of(seed, STREAM_CALL, (uint64_t)number);
        const int row = operation_draw(theme, &c->data, &variant);
        c->shape = stream_of(theme, name_number(operation_at(row)->name), (uint64_t)variant);
        into->current[0] = 0;
        into->operation = row;
        into->started = (int64_t)time(NULL);
        into->number = number;
        call_make(w, operation_at(row), c, into);
    }
    free(c);
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

typedef struct thread {
    pthread_t id;
    const world *with;
    uint64_t seed;
    int number;
    journal *own;
} thread;

static void *thread_run(void *argument)
{
    thread *at = argument;
    world w;

    if (world_share(&w, at->with, at->own)) calls_make(&w, at->seed, at->number, the_settings.threads, at->own);
    world_close(&w);
    return NULL;
}

void journal_absorb(journal *into, const journal *from)
{
    for (int row = 0; row < OPERATIONS_MAX; row++) {
        into->calls[row] += from->calls[row];
        into->equal[row] += from->equal[row];
        for (int status = 0; status < STATUSES; status++) into->statuses[row][status] += from->statuses[row][status];
    }
}

/* Ends a thread. The first finding of all threads is kept. */
static void thread_end(thread *at, journal *into)
{
    pthread_join(at->id, NULL);
    journal_absorb(into, at->own);
    if (at->own->failure[0]) memcpy(into->failure, at->own->failure, sizeof into->failure);
    if (at->own->finding[0] && !into->finding[0]) {
        into->number = at->own->number;
        memcpy(into->current, at->own->current, sizeof into->current);
        memcpy(into->finding, at->own->finding, sizeof into->finding);
    }
    free(at->own);
}

static void threads_run(const world *with, uint64_t seed, journal *into)
{
    thread threads[THREADS_MAX];
    int begun = 0;

    for (; begun < the_settings.threads; begun++) {
        thread *at = &threads[begun];
        *at = (thread){ .with = with, .seed = seed, .number = begun, .own = calloc(1, sizeof(journal)) };
        if (at->own) at->own->until = into->until;
        if (at->own && pthread_create(&at->id, NULL, thread_run, at) == 0) continue;
        free(at->own);
        break;
    }
    for (int k = 0; k < begun; k++) thread_end(&threads[k], into);
    if (begun < the_settings.threads) snprintf(into->failure, sizeof into->failure, "a thread cannot be started");
}

void seed_run(uint64_t seed, journal *into)
{
    world w;

    if (!world_open(&w, theme_of(seed), into)) return;
    if (the_settings.threads > 1)
        threads_run(&w, seed, into);
    else
        calls_make(&w, seed, 0, 1, into);
    if (!into->finding[0]) into->number = the_settings.calls;
    world_close(&w);
}
