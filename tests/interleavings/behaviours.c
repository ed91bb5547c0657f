#include "behaviours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

static struct {
    const model *m;
    behaviour *all;
    int count, room;
    int firsts[4];
    table steps, kinds; /* tables of behaviours: by their predecessor, and by what their work-items have read */
} tree;

/* Seeds for the keys of the two tables. */
enum { SEED_STEP = 1, SEED_KIND = 2 };

static work_item_log logs[LANES_MOST];

/* Sets logs to the values that a behaviour's work-items have read, each in its order. */
static void logs_of(int index)
{
    static int path[STEPS_MOST + 1];
    int length = 0;
    for (int lane = 0; lane < tree.m->lanes; lane++) logs[lane].count = 0;
    for (int k = index; tree.all[k].before >= 0; k = tree.all[k].before) path[length++] = k;
    while (length > 0) {
        const behaviour *const b = &tree.all[path[--length]];
        logs[b->lane].held[logs[b->lane].count++] = b->held;
    }
}

/* Returns the key of the values that work-items have read. The order between work-items has no effect. */
static table_key kind_of_logs(int first)
{
    table_key sum = table_key_of(SEED_KIND, &(uint64_t){ (uint64_t)first }, 1);
    for (int lane = 0; lane < tree.m->lanes; lane++) {
        const table_key own = table_key_of((uint64_t)lane << 8 | SEED_KIND, logs[lane].held, (size_t)logs[lane].count);
        sum.low += own.low;
        sum.high += own.high;
    }
    return sum;
}

static int add(behaviour b)
{
    if (tree.count == tree.room) {
        tree.room = tree.room ? 2 * tree.room : 1024;
        tree.all = realloc(tree.all, (size_t)tree.room * sizeof *tree.all);
        if (!tree.all) {
            fputs("interleavings: memory is exhausted\n", stderr);
            exit(1);
        }
    }
    tree.all[tree.count] = b;
    return tree.count++;
}

/* Runs the last behaviour, whose logs are set, until its work-items want words. */
static void run_last(int group)
{
    behaviour *const b = &tree.all[tree.count - 1];
    group_run run;
    group_run_from_start(tree.m, group, logs, &run);
    b->broken = run.broken;
    if (!b->broken && b->steps >= STEPS_MOST) b->broken = "a group does not end";
    for (int k = 0; k < run.wish_count; k++)
        if (run.wishes[k].lane >= tree.m->sharers) b->broken = "the model has more sharers than it says";
    b->wish_count = run.wish_count;
    const size_t bytes = (size_t)run.wish_count * sizeof *b->wishes;
    b->wishes = bytes ? malloc(bytes) : NULL;
    if (b->wishes) memcpy(b->wishes, run.wishes, bytes);
}

/* Starts a model. Groups of one kind share all behaviours. */
void behaviours_start(const model *m)
{
    tree.m = m;
    for (int group = 0; group < m->groups; group++) {
        tree.firsts[group] =
            group > 0 && m->are_alike ? tree.firsts[0] : add((behaviour){ .before = -1, .lane = group });
        if (tree.firsts[group] != tree.count - 1) continue;
        logs_of(tree.firsts[group]);
        run_last(group);
    }
}

void behaviours_free(void)
{
    for (int k = 0; k < tree.count; k++) free(tree.all[k].wishes);
    free(tree.all);
    table_free(&tree.steps);
    table_free(&tree.kinds);
    memset(&tree, 0, sizeof tree);
}

int behaviours_count(void)
{
    return tree.count;
}

const behaviour *behaviour_at(int index)
{
    return &tree.all[index];
}

int behaviour_first(int group)
{
    return tree.firsts[group];
}

int behaviour_after(int index, int lane, uint64_t held)
{
    const uint64_t step[3] = { (uint64_t)index, (uint64_t)lane, held };
    const table_key step_key = table_key_of(SEED_STEP, step, 3);
    const double *known = table_find(&tree.steps, step_key);
    if (known) return (int)*known;
    int first = index;
    while (tree.all[first].before >= 0) first = tree.all[first].before;
    int after = add((behaviour){ .before = index, .lane = lane, .steps = tree.all[index].steps + 1, .held = held });
    logs_of(after);
    const table_key kind = kind_of_logs(first);
    known = table_find(&tree.kinds, kind);
    if (known) {
        tree.count--;
        after = (int)*known;
    } else {
        run_last(tree.all[first].lane);
        table_put(&tree.kinds, kind, after);
    }
    table_put(&tree.steps, step_key, after);
    return after;
}

void behaviour_run(int index, int group)
{
    group_run run;
    logs_of(index);
    group_run_from_start(tree.m, group, logs, &run);
}
