/* test_small_stack.c: a call of every primitive on a thread whose stack has 64 KiB. A thread with a large stack has
 * made the calls before: drivers compile in the first thread that makes a call, and compilers need a larger stack. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/sampler.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* MOST_BYTES is below STACK_BYTES, since future drivers may take more of a stack than those of today. */
enum { STACK_BYTES = 64 << 10, MOST_BYTES = 52 << 10, PAINT = 0xa5 };

typedef struct work {
    sampler *s;
    mcl_queue *queue;
    sampler_call call;
    const mcl_options *options;
    mcl_status status;
} work;

/* Options that lead to other ways. Only sorts take the last ones; other calls refuse them, also on a small stack. */
static const mcl_options ways[] = { { 0 },
                                    { .flags = MCL_REPRODUCIBLE | MCL_VALIDATE | MCL_INDEX_64 },
                                    { .sort_method = MCL_SORT_MERGE } };
enum { WAYS = sizeof ways / sizeof ways[0] };

static void *make_call(void *of)
{
    work *const w = of;
    w->status = w->call(w->s, w->queue, w->options);
    return NULL;
}

/* Runs a call on a separate stack, and returns the number of its bytes that were written. */
static size_t stack_used(work *w, unsigned char *stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;
    memset(stack, PAINT, STACK_BYTES);
    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstack(&attributes, stack, STACK_BYTES), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, make_call, w), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    while (untouched < STACK_BYTES && stack[untouched] == PAINT) ++untouched;
    return STACK_BYTES - untouched;
}

/* Makes a replay. It needs a recording, which the sampler does not have, since not all of its calls can be recorded. */
static mcl_recording *recording;

static mcl_status replay(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    (void)s;
    return mcl_replay(queue, recording, options);
}

static void record(sampler *s, mcl_queue *queue)
{
    test_ok(mcl_record_begin(queue));
    test_ok(mcl_sort(queue, mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT),
                     mcl_to_buffer(MCL_INT32, s->output, 0, SAMPLER_COUNT), MCL_GREATER, NULL));
    test_ok(mcl_record_end(queue, &recording));
}

/* A page without any access lies below the stack, so that a call that takes more ends the process. */
START_TEST(every_call_runs_in_64_kib)
{
    mcl_context *const context = test_device_at(_i)->context;
    mcl_queue *const queue = test_device_at(_i)->queue;
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    static const sampler_entry of_replay = { "replay", replay, 0 };
    const int calls = 1 + sampler_entry_count;
    size_t most = 0;
    sampler s;

    unsigned char *const memory =
        mmap(NULL, guard + STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    ck_assert_int_eq(mprotect(memory, guard, PROT_NONE), 0);
    test_ok(sampler_create(context, &s));
    record(&s, queue);
    for (int k = 0; k < WAYS * calls; k++) {
        if (!test_takes_half(k % calls)) continue;
        const sampler_entry *const entry = k % calls == 0 ? &of_replay : &sampler_entries[k % calls - 1];
        work w = { .s = &s, .queue = queue, .call = entry->call, .options = &ways[k / calls] };
        const mcl_status status = w.call(&s, queue, w.options);
        ck_assert(w.options != ways || status == MCL_OK);
        test_ok(mcl_queue_finish(queue));
        /* the last words that are printed where the stack overflows */
        fprintf(stderr, "%s, way %d", entry->name, k / calls);
        const size_t used = stack_used(&w, memory + guard);
        fprintf(stderr, ": %zu bytes%s\n", used, w.status == MCL_OK ? "" : ", refused");
        ck_assert_int_eq(w.status, status);
        if (used > most) most = used;
    }
    fprintf(stderr, "at most %zu bytes\n", most);
    ck_assert_uint_le(most, MOST_BYTES);
    munmap(memory, guard + STACK_BYTES);
    mcl_recording_release(recording);
    sampler_free(&s);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, every_call_runs_in_64_kib, device);
}

int main(void)
{
    return test_main("small_stack", add);
}
