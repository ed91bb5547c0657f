/* work_items.c: the work-items of one group as coroutines. Between two shared words they run one after the other up to
 * the next barrier. Each run begins from the start, and ends where no work-item can go on. So no state is saved: a
 * group is a function of the values that it has read. */
#define _XOPEN_SOURCE 700
#include "work_items.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_BYTES = 64 * 1024, MEMORY_BYTES = 32 * 1024, UNWRITTEN = 0xa5 };
typedef enum work_item_state { RUNS, WISHES, MEETS, ENDED } work_item_state;

static struct {
    const model *m;
    const work_item_log *logs;
    const char **broken;
    int group, lane;
    ucontext_t scheduler, contexts[LANES_MOST];
    work_item_state states[LANES_MOST];
    wish wishes[LANES_MOST];
    int taken[LANES_MOST];
    uint32_t given[LANES_MOST], met[LANES_MOST];
    uint64_t memory[MEMORY_BYTES / sizeof(uint64_t)];
} now;
static char stacks[LANES_MOST][STACK_BYTES];

/* Leaves a work-item until the scheduler returns to it. */
static void leave(work_item_state state)
{
    now.states[now.lane] = state;
    (void)swapcontext(&now.contexts[now.lane], &now.scheduler);
}

uint64_t word_do(word_access access, const volatile void *word, int bytes, uint64_t operand, uint64_t expected)
{
    const work_item_log *const log = &now.logs[now.lane];
    if (now.taken[now.lane] < log->count) return log->held[now.taken[now.lane]++];
    const unsigned beyond = now.m->has_cells ? (unsigned)((uintptr_t)word % 8) : 0;
    now.wishes[now.lane] = (wish){ .lane = (uint8_t)now.lane,
                                   .access = (uint8_t)access,
                                   .bytes = (uint8_t)bytes,
                                   .shift = (uint8_t)(8 * beyond),
                                   .word = (const volatile char *)word - beyond,
                                   .operand = operand,
                                   .expected = expected };
    for (;;) leave(WISHES); /* the run goes no further */
}

const uint32_t *work_items_meet(uint32_t given)
{
    now.given[now.lane] = given;
    leave(MEETS);
    return now.met;
}

void *work_items_memory(size_t bytes)
{
    if (bytes > sizeof now.memory) abort();
    return now.memory;
}

int work_item_number(void)
{
    return now.lane;
}

int work_group_number(void)
{
    claim(!now.m->are_alike, "groups that are alike do not ask for their number");
    return now.group;
}

void claim(int holds, const char *sentence)
{
    if (!holds && now.broken && !*now.broken) *now.broken = sentence;
}

void claims_begin(const char **broken)
{
    now.broken = broken;
}

static void work_item(void)
{
    now.m->run();
    leave(ENDED);
}

static void start(int lane)
{
    now.states[lane] = RUNS;
    now.taken[lane] = 0;
    (void)getcontext(&now.contexts[lane]);
    now.contexts[lane].uc_stack.ss_sp = stacks[lane];
    now.contexts[lane].uc_stack.ss_size = STACK_BYTES;
    now.contexts[lane].uc_link = NULL;
    makecontext(&now.contexts[lane], work_item, 0);
}

/* Lets each work-item run as far as it can. Returns 1 where all work-items meet and may go on together. */
static int run_round(void)
{
    int meet = 0, others = 0;
    for (now.lane = 0; now.lane < now.m->lanes; now.lane++) {
        if (now.states[now.lane] == RUNS) (void)swapcontext(&now.scheduler, &now.contexts[now.lane]);
        if (now.states[now.lane] == MEETS)
            meet++;
        else
            others++;
    }
    if (meet == 0 || others > 0) return 0;
    memcpy(now.met, now.given, sizeof now.met);
    for (int lane = 0; lane < now.m->lanes; lane++) now.states[lane] = RUNS;
    return 1;
}

void group_run_from_start(const model *m, int group, const work_item_log *logs, group_run *run)
{
    now.m = m;
    now.logs = logs;
    now.group = group;
    run->broken = NULL;
    claims_begin(&run->broken);
    run->wish_count = 0;
    memset(now.memory, UNWRITTEN, sizeof now.memory);
    for (int lane = 0; lane < m->lanes; lane++) start(lane);
    while (run_round()) continue;
    int waiting = 0;
    for (int lane = 0; lane < m->lanes; lane++) {
        if (now.states[lane] == WISHES) run->wishes[run->wish_count++] = now.wishes[lane];
        waiting += now.states[lane] == MEETS;
    }
    if (waiting > 0 && run->wish_count == 0 && !run->broken)
        run->broken = "a work-item ends before a barrier where others wait";
}
