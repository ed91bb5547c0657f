/* test_failed_event.c: calls, replays and waits after a user event that fails, as docs/embedding.md says. A child
 * process makes each, since drivers end the process. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/application.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 1000, SECONDS_MAX = 120, CODE = -5 };
typedef enum way { CALL, REPLAY, QUEUE_WAIT, WAYS } way;
static const char *const way_names[] = { "a call", "a replay", "mcl_queue_wait" };

/* The progress of a child, which the parent sees also when a driver has ended the child. */
typedef struct progress {
    int has_device, is_pocl, is_pocl_31, is_enqueued;
} progress;
static progress *seen;

typedef struct objects {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer;
    mcl_recording *recording;
} objects;

static mcl_status transform(const objects *o, const mcl_options *options)
{
    return mcl_transform(o->queue, ints(o->buffer, COUNT), ints_out(o->buffer, COUNT), options);
}

/* Makes the objects, builds the program and records the call. */
static int make(objects *o)
{
    static const int32_t zeros[COUNT];
    const char *const name = getenv("MCL_TEST_DEVICE");
    mcl_device_info info;
    if (mcl_context_create(name ? name : "opencl", &o->context) != MCL_OK || !mcl_opencl_context(o->context)) return 0;
    seen->has_device = 1;
    if (mcl_context_info(o->context, &info) != MCL_OK) return 0;
    seen->is_pocl = strcmp(info.vendor, "POCL") == 0;
    seen->is_pocl_31 = seen->is_pocl && strncmp(info.driver, "3.1", 3) == 0;
    return mcl_queue_create(o->context, 0, &o->queue) == MCL_OK &&
           mcl_buffer_create(o->context, sizeof zeros, zeros, &o->buffer) == MCL_OK && transform(o, NULL) == MCL_OK &&
           mcl_queue_finish(o->queue) == MCL_OK && mcl_record_begin(o->queue) == MCL_OK &&
           transform(o, NULL) == MCL_OK && mcl_record_end(o->queue, &o->recording) == MCL_OK;
}

static mcl_status enqueue(const objects *o, way of, mcl_event *wait, mcl_event **done)
{
    const mcl_options options = { .wait = &wait, .wait_count = 1, .done = done };
    if (of == QUEUE_WAIT) return mcl_queue_wait(o->queue, &wait, 1);
    return of == REPLAY ? mcl_replay(o->queue, o->recording, &options) : transform(o, &options);
}

static int is_one_of_table(mcl_status status)
{
    return status == MCL_OK || status == MCL_ERROR_DEVICE;
}

/* Makes the calls of a child. Returns 0, or the number of the check that failed. */
static int work(way of, int fails_before)
{
    objects o = { 0 };
    cl_int error;
    mcl_event *wait = NULL, *done = NULL;
    if (!make(&o)) return seen->has_device ? 8 : 0;
    const cl_event gate = clCreateUserEvent(mcl_opencl_context(o.context), &error);
    if (error != CL_SUCCESS || mcl_opencl_event_wrap(o.context, gate, &wait) != MCL_OK) return 1;
    if (fails_before && clSetUserEventStatus(gate, CODE) != CL_SUCCESS) return 2;
    if (enqueue(&o, of, wait, &done) != MCL_OK) return 3;
    seen->is_enqueued = 1;
    if (!fails_before && clSetUserEventStatus(gate, CODE) != CL_SUCCESS) return 4;
    if (fails_before && seen->is_pocl) return 0; /* there a wait does not end */
    if (done && !is_one_of_table(mcl_event_wait(done))) return 5;
    if (!is_one_of_table(mcl_queue_finish(o.queue))) return 6;
    return transform(&o, NULL) == MCL_OK && mcl_queue_finish(o.queue) == MCL_OK ? 0 : 7;
}

static void expect_table(way of, int fails_before)
{
    int status = -1;
    *seen = (progress){ 0 };
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(SECONDS_MAX);
        _exit(work(of, fails_before));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        ck_assert_msg(seen->is_pocl && seen->is_enqueued && WTERMSIG(status) == SIGABRT,
                      "%s, fails before: %d: the child ended by signal %d", way_names[of], fails_before,
                      WTERMSIG(status));
    else
        ck_assert_msg(WEXITSTATUS(status) == 0, "%s, fails before: %d: check %d failed", way_names[of], fails_before,
                      WEXITSTATUS(status));
    ck_assert_msg(WIFSIGNALED(status) || !seen->is_pocl_31 || fails_before, "%s: nothing waited", way_names[of]);
    if (!seen->has_device) fputs("an_event_that_fails_is_the_drivers: left out, no OpenCL device\n", stderr);
}

START_TEST(an_event_that_fails_is_the_drivers)
{
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(seen, MAP_FAILED);
    for (int turn = 0; turn < 2 * WAYS; turn++) expect_table((way)(turn / 2), turn % 2);
    munmap(seen, sizeof *seen);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("failed_event");
    TCase *tcase = tcase_create("failed_event");

    tcase_add_test(tcase, an_event_that_fails_is_the_drivers);
    tcase_set_timeout(tcase, 600);
    suite_add_tcase(suite, tcase);
    return test_run(suite, CK_NOFORK);
}
