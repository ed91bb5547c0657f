/* guided.c: calls of the fuzzer (tests/fuzz) on devices that run nothing. An input's bytes decide what is drawn, so
 * libFuzzer finds its way through checks, plans and texts. Only statuses are compared, since no kernel runs. */
#include "fuzz.h"
#include "guided/idle_device.h"
#include "readers/reader.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 4, CALLS_MOST = 3, FAILS_NEVER = 96, STREAM_DATA = 1, STREAM_SHAPE = 2 };

/* ---- one call ------------------------------------------------------------------------------------------------ */

static char words[TEXT_MAX];

static void require(int holds, const char *what, mcl_status status)
{
    if (holds) return;
    fprintf(stderr, "%s\n%s, \"%s\": error: %s\n", words, mcl_status_name(status),
            status == MCL_OK ? "" : mcl_last_error(), what);
    abort();
}

static int host_unchanged(const call *c)
{
    for (int k = 0; k < RESULTS_MAX; k++)
        if (memcmp(c->host[k], c->host_before[k], sizeof c->host[k]) != 0) return 0;
    return 1;
}

/* Returns 1 where the sentence reports a result of the device, which here is any content of its memory. */
static int is_told(const call *c, mcl_status status)
{
    if (status == MCL_ERROR_PRECONDITION) return (c->options.flags & MCL_VALIDATE) != 0;
    if (status == MCL_ERROR_UNSUPPORTED) return !c->w->info.has_double;
    if (status != MCL_ERROR_CAPACITY) return 0;
    for (int k = 0; k < c->result_count; k++)
        if (result_on_host(c, k)) return 1;
    return 0;
}

/* Checks the status of a call. A failing driver may cause any status, also in another call on the same map, but a
 * sentence must be there. A device without doubles may refuse calls that need them. */
static void status_require(const call *c, mcl_status status, int has_failed)
{
    if (status == MCL_OK && has_failed) return;
    if (has_failed)
        require(strncmp(mcl_last_error(), "mcl_", 4) == 0, "expected a sentence that names a function", status);
    else if (is_told(c, status))
        require(sentence_names(c), "expected a sentence that names the function", status);
    else if (c->expect != EXPECT_CAPACITY)
        require(!status_check(c, status), status_check(c, status), status);
}

static void call_run(call *c, int fails_after)
{
    mcl_recording *recorded = NULL;
    const int is_recorded =
        !c->null_queue && fails_after >= 0 && fails_after % 8 == 0 && mcl_record_begin(c->w->queue) == MCL_OK;
    const int64_t work = idle_work;

    idle_fails_after = fails_after < FAILS_NEVER ? fails_after : -1;
    mcl_status status = c->op->run(c->null_queue ? NULL : c->w->queue, c);
    const int has_failed = fails_after < FAILS_NEVER && idle_fails_after < 0;
    if (!is_recorded) status_require(c, status, has_failed);
    if (!has_failed && !is_late(status) && c->expect == EXPECT_REFUSED && !strstr(c->op->name, "map"))
        require(idle_work == work && host_unchanged(c), "a refused call gave the device work, or wrote a result",
                status);
    if (is_recorded) {
        const mcl_status ended = mcl_record_end(c->w->queue, &recorded);
        if (ended == MCL_OK && status == MCL_OK) (void)mcl_replay(c->w->queue, recorded, NULL);
        mcl_recording_release(recorded);
    }
    idle_fails_after = -1;
}

/* Returns the number of operations without those on arrays in host memory. These come last in the table, and believe
 * the device's counts, which do not exist here. */
static int device_operation_count(void)
{
    int count = operation_count();

    while (operation_at(count - 1)->takes & ON_HOST) count--;
    return count;
}

static void call_make(world *w, int number)
{
    stream from = { 0 };
    call *const c = calloc(1, sizeof *c);

    REQUIRE(c);
    c->w = w;
    c->number = number;
    c->seed = 1;
    c->data = stream_of(c->seed, STREAM_DATA, (uint64_t)number);
    c->shape = stream_of(c->seed, STREAM_SHAPE, (uint64_t)number);
    c->op = operation_at((int)draw_below(&from, device_operation_count()));
    const int fails_after = (int)draw_below(&from, 256);
    call_draw(c);
    call_print(c, words, sizeof words);
    REQUIRE(memories_upload(c));
    call_run(c, fails_after);
    call_end(c);
    free(c);
}

static void world_open(world *w, int device)
{
    memset(w, 0, sizeof *w);
    REQUIRE(idle_context(device, &w->context) == MCL_OK && idle_context(device, &w->other) == MCL_OK);
    REQUIRE(mcl_context_info(w->context, &w->info) == MCL_OK);
    REQUIRE(mcl_queue_create(w->context, 0, &w->queue) == MCL_OK);
    REQUIRE(mcl_queue_create_preparing(w->context, &w->prepared) == MCL_OK);
    w->serial = w->info.mapping == MCL_MAPPING_SERIAL;
    w->device = "idle";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world w;

    if (size < HEAD_BYTES) return 0;
    the_settings.size_most = 1000;
    the_settings.skips[0] = "builds"; /* nothing is compiled here */
    the_settings.skip_count = 1;
    idle_kernel_halvings = data[1] % 4;
    world_open(&w, data[0] % IDLE_DEVICES);
    draw_from_input(data + 2, size - 2);
    for (int k = 0; k < 1 + data[1] / 4 % CALLS_MOST; k++) call_make(&w, k);
    draw_from_input(NULL, 0);
    world_close(&w);
    return 0;
}
