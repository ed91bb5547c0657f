/* surroundings.c: makes calls in rare surroundings: on a thread with a small stack, and in a forked child. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fuzz.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STREAM_SURROUNDINGS = 5000, SMALL_STACK_BYTES = 64 * 1024, CHILD_SECONDS = 20 };

void surroundings_draw(call *c)
{
    stream own = stream_of(c->seed, STREAM_SURROUNDINGS, (uint64_t)c->number);

    if (c->null_queue || c->op->takes & NO_OPTIONS || strstr(c->op->name, "map")) return;
    c->is_forked = draw_chance(&own, 2);
    c->has_small_stack = SMALL_STACKS && draw_chance(&own, 6);
}

/* ---- small stacks --------------------------------------------------------------------------------------- */

typedef struct work {
    mcl_queue *queue;
    call *c;
    mcl_status status;
    char sentence[1000];
} work;

static void *work_do(void *argument)
{
    work *const w = argument;

    w->status = w->c->op->run(w->queue, w->c);
    if (w->status != MCL_OK) snprintf(w->sentence, sizeof w->sentence, "%s", mcl_last_error());
    return NULL;
}

/* Restores all operands. Drivers compile at a launch, which takes more stack, so the call has been made once before. */
static int restore(call *c)
{
    mcl_event_release(c->done);
    c->done = NULL;
    for (int k = 0; k < RESULTS_MAX; k++) memcpy(c->host[k], c->host_before[k], sizeof c->host[k]);
    return mcl_queue_finish(c->w->queue) == MCL_OK && memories_upload(c);
}

const char *small_stack_run(call *c, mcl_status *status)
{
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    work w = { .queue = c->w->queue, .c = c };
    pthread_attr_t attributes;
    pthread_t thread;

    *status = c->op->run(c->w->queue, c);
    if (!restore(c)) return "operands cannot be written again";
    unsigned char *const stack =
        mmap(NULL, guard + SMALL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return "a stack cannot be had";
    const char *wrong = mprotect(stack, guard, PROT_NONE) ? "a stack's guard page cannot be had" : NULL;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack + guard, SMALL_STACK_BYTES) ||
        pthread_create(&thread, &attributes, work_do, &w))
        wrong = "a thread with a small stack cannot be started";
    else
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    munmap(stack, guard + SMALL_STACK_BYTES);
    if (!wrong && w.status != *status) wrong = "another status on a small stack";
    if (!wrong && *status != MCL_OK && strcmp(w.sentence, mcl_last_error()) != 0 && strlen(w.sentence) < 900)
        wrong = "another sentence on a small stack";
    *status = w.status;
    return wrong;
}

/* ---- forks ---------------------------------------------------------------------------------------------- */

static int child_work(call *c)
{
    mcl_context *context = NULL;

    if (mcl_context_create(c->w->device, &context) != MCL_ERROR_DEVICE) return 1;
    if (!strstr(mcl_last_error(), "mcl_context_create: process")) return 2;
    const mcl_status status = c->op->run(c->w->queue, c);
    if (status == MCL_OK) return 3;
    return strncmp(mcl_last_error(), c->op->name, strlen(c->op->name)) == 0 ? 0 : 4;
}

/* Makes the call in a child of a process that has used a driver. The child must be refused everything, and its parent's
 * memory must not change. */
const char *forked_run(call *c)
{
    static const char *const wrong[] = { NULL, "a forked child may create a context",
                                         "a forked child's context is refused without its sentence",
                                         "a forked child's call is MCL_OK",
                                         "a forked child's call is refused without the function's name" };
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(child_work(c));
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return "a child cannot be forked";
    if (WIFSIGNALED(status)) return "a forked child is killed, or hangs";
    return WEXITSTATUS(status) < 5 ? wrong[WEXITSTATUS(status)] : "a forked child exits";
}
