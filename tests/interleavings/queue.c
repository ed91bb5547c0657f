/* queue.c: groups that take jobs from a queue (cl/pieces/tile/work_queue.clh) until it is empty. Parameters: MODEL,
 * MODEL_GROUPS, TILE_THREADS, MODEL_JOBS. */
#include "dialect.h"

#define QUEUE_THREADS TILE_THREADS
#include "pieces/tile/work_queue.clh"

static uint tickets, done[MODEL_JOBS];

static void run(void)
{
    MCL_SHARED(uint, ticket);
    queue_next(&tickets, ticket);
    while (*ticket < MODEL_JOBS) {
        if (get_local_id(0) == 0) (void)atomic_add_global(&done[*ticket], 1);
        queue_next(&tickets, ticket);
    }
    (void)queue_indices;
}

static void check(void)
{
    for (int k = 0; k < MODEL_JOBS; ++k) claim(word_at_end(&done[k]) == 1, "each job is done once");
}

const model MODEL = { .name = MODEL_NAME,
                      .claims = "each job is done once, and each group ends",
                      .groups = MODEL_GROUPS,
                      .lanes = TILE_THREADS,
                      .sharers = 1,
                      .are_alike = 1,
                      .run = run,
                      .check = check };
