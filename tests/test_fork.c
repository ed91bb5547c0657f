/* test_fork.c: forked children of a process that has used drivers, of one that has not, and of one whose other threads
 * are inside the library. Each test is a separate process. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MAX = 120, FORKS = 200 };

/* Checks that a child ends well. An alarm ends a child that hangs, which is a failure too. */
static void child_is_good(int (*work)(void))
{
    int status = -1;
    const pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(SECONDS_MAX);
        _exit(work());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(!WIFSIGNALED(status), "the child ended by signal %d", WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) == 0, "check %d of the child failed", WEXITSTATUS(status));
}

static int sums(void)
{
    const int32_t one = 1;
    int32_t sum = 0;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;

    if (mcl_context_create(getenv("MCL_TEST_DEVICE"), &context) != MCL_OK) return 1;
    if (mcl_queue_create(context, 0, &queue) != MCL_OK) return 2;
    if (mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, 1000), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL))
        return 3;
    mcl_queue_release(queue);
    mcl_context_release(context);
    return sum == 1000 ? 0 : 4;
}

/* Makes every call that needs no handle and would take the loaders' lock. Returns 1 where all are refused. */
static int is_refused(void)
{
    int count = 0;
    mcl_context *context = NULL;

    if (mcl_device_list(NULL, 0, &count) != MCL_ERROR_DEVICE) return 1;
    if (!strstr(mcl_last_error(), "mcl_device_list: process")) return 2;
    if (!strstr(mcl_last_error(), "forked from")) return 3;
    if (mcl_context_create(NULL, &context) != MCL_ERROR_DEVICE) return 4;
    if (mcl_context_create("opencl", &context) != MCL_ERROR_DEVICE) return 5;
    if (mcl_context_create("abacus:7", &context) != MCL_ERROR_DEVICE) return 6;
    if (!strstr(mcl_last_error(), "mcl_context_create: process")) return 7;
    return context ? 8 : 0;
}

START_TEST(a_child_works_where_its_parent_has_asked_for_nothing)
{
    child_is_good(sums);
    child_is_good(sums);
    ck_assert_int_eq(sums(), 0);
}
END_TEST

START_TEST(a_child_is_refused_where_its_parent_has_listed_devices)
{
    int count = 0;

    test_ok(mcl_device_list(NULL, 0, &count));
    child_is_good(is_refused);
    ck_assert_int_eq(sums(), 0);
    child_is_good(is_refused);
}
END_TEST

/* ---- with other threads inside the library -------------------------------------------------------------------- */

static atomic_int stop;

static void log_nothing(mcl_status status, const char *sentence, void *user)
{
    (void)status;
    (void)sentence;
    (void)user;
}

static void *set_logs(void *unused)
{
    while (!atomic_load(&stop)) mcl_log_set(log_nothing, unused);
    return NULL;
}

static void *list_devices(void *unused)
{
    int count = 0;
    while (!atomic_load(&stop)) (void)mcl_device_list(NULL, 0, &count);
    return unused;
}

static void *look_for_devices(void *unused)
{
    mcl_context *context = NULL;
    while (!atomic_load(&stop)) (void)mcl_context_create("opencl:no such device", &context);
    return unused;
}

START_TEST(a_child_takes_no_lock_that_another_thread_held)
{
    static void *(*const works[])(void *) = { set_logs, list_devices, look_for_devices };
    pthread_t threads[3];
    int count = 0;

    test_ok(mcl_device_list(NULL, 0, &count));
    for (int k = 0; k < 3; k++) ck_assert_int_eq(pthread_create(&threads[k], NULL, works[k], NULL), 0);
    for (int k = 0; k < FORKS; k++) child_is_good(is_refused);
    atomic_store(&stop, 1);
    for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
}
END_TEST

/* ---- what a child does with its parent's objects -------------------------------------------------------------- */

static struct {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer;
    mcl_event *event;
    mcl_map *map;
    mcl_multimap *multimap;
    mcl_recording *recording;
} objects;

static void release_objects(void)
{
    mcl_recording_release(objects.recording);
    mcl_multimap_release(objects.multimap);
    mcl_map_release(objects.map);
    mcl_event_release(objects.event);
    mcl_buffer_release(objects.buffer);
    mcl_queue_release(objects.queue);
    mcl_context_release(objects.context);
}

static void make_objects(void)
{
    const int32_t one = 1;
    int32_t sum = 0;
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    const mcl_multimap_config several = { .key = MCL_INT32, .value = MCL_INT32 };

    test_ok(mcl_context_create(getenv("MCL_TEST_DEVICE"), &objects.context));
    test_ok(mcl_queue_create(objects.context, 0, &objects.queue));
    test_ok(mcl_buffer_create(objects.context, 4000, NULL, &objects.buffer));
    test_ok(mcl_map_create(objects.context, &config, &objects.map));
    test_ok(mcl_multimap_create(objects.context, &several, &objects.multimap));
    test_ok(mcl_record_begin(objects.queue));
    test_ok(mcl_buffer_fill(objects.queue, objects.buffer, 0, 4000, &one, 4));
    test_ok(mcl_record_end(objects.queue, &objects.recording));
    test_ok(mcl_event_record(objects.queue, &objects.event));
    test_ok(
        mcl_reduce(objects.queue, mcl_from_constant(MCL_INT32, &one, 10), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
}

static int objects_are_refused(void)
{
    int32_t found = 0;

    if (mcl_queue_finish(objects.queue) != MCL_ERROR_DEVICE) return 1;
    if (mcl_buffer_read(objects.queue, objects.buffer, 0, 4, &found) != MCL_ERROR_DEVICE) return 2;
    if (mcl_event_wait(objects.event) != MCL_ERROR_DEVICE) return 3;
    if (mcl_replay(objects.queue, objects.recording, NULL) != MCL_ERROR_DEVICE) return 4;
    if (mcl_context_retain(objects.context) != MCL_ERROR_DEVICE) return 5;
    if (mcl_queue_retain(objects.queue) != MCL_ERROR_DEVICE) return 6;
    release_objects();
    return is_refused();
}

/* Ends the child as a program ends: the exit handlers of the library, its caller and the driver run. */
static int exits(void)
{
    atexit(release_objects);
    exit(objects_are_refused());
}

START_TEST(a_child_may_release_its_parents_objects_and_exit)
{
    make_objects();
    child_is_good(objects_are_refused);
    child_is_good(exits);
    release_objects();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fork");
    TCase *tcase = tcase_create("fork");

    tcase_add_test(tcase, a_child_works_where_its_parent_has_asked_for_nothing);
    tcase_add_test(tcase, a_child_is_refused_where_its_parent_has_listed_devices);
    tcase_add_test(tcase, a_child_takes_no_lock_that_another_thread_held);
    tcase_add_test(tcase, a_child_may_release_its_parents_objects_and_exit);
    tcase_set_timeout(tcase, 600);
    suite_add_tcase(suite, tcase);
    return test_run(suite, CK_FORK);
}
