/* choices.c: times the choices that options can make for a call, beside the library's own choice. Rows have no field
 * for these choices, so they are printed in comments. */
#include "tune.h"

#include <string.h>

typedef struct way {
    const char *operation;
    const char *name;
    mcl_options options;
    const char *row; /* row of the bench that runs it; NULL: the unit's own row */
} way;

static const way ways[] = {
    { "sets", "one pass", { .passes = 1 }, NULL },
    { "sets", "two passes", { .passes = 2 }, NULL },
    { "sets_pairs", "one pass", { .passes = 1 }, NULL },
    { "sets_pairs", "two passes", { .passes = 2 }, NULL },
    { "join", "one pass", { .passes = 1 }, NULL },
    { "join", "two passes", { .passes = 2 }, NULL },
    { "scan", "reduce then scan", { .flags = MCL_DETERMINISTIC }, NULL },
    { "compact", "count then scan", { .flags = MCL_DETERMINISTIC }, NULL },
    { "sort", "by merging", { .sort_method = MCL_SORT_MERGE }, "sort_keys" },
    { "sort", "by digits", { .sort_method = MCL_SORT_RADIX }, "sort_keys" },
    { "sort_pairs", "by merging", { .sort_method = MCL_SORT_MERGE }, "sort_pairs" },
    { "sort_pairs", "by digits", { .sort_method = MCL_SORT_RADIX }, "sort_pairs" },
    { "append", "global atomic", { .append = MCL_APPEND_GLOBAL_ATOMIC }, NULL },
    { "append", "group atomic", { .append = MCL_APPEND_GROUP_ATOMIC }, NULL },
    { "append", "group scan", { .append = MCL_APPEND_GROUP_SCAN }, NULL },
    { "append", "sub-group atomic", { .append = MCL_APPEND_SUB_GROUP_ATOMIC }, NULL },
    { "append", "sub-group tile", { .append = MCL_APPEND_SUB_GROUP_TILE }, NULL },
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

/* Times the case with another row of the bench, on the same data. */
static tune_verdict way_time(tuner *t, tune_case *c, const mcl_options *options, const char *row, double *ms)
{
    char message[TUNE_MESSAGE_BYTES];
    const bench_op *const own = c->op;
    if (row) c->small.op = c->full.op = bench_op_find(row);
    const tune_verdict verdict = tune_case_time(t, c, options, 10 * c->own_ms, ms, message, sizeof message);
    if (verdict == TUNE_FAILED) bench_note("%s %s: %s", c->op->name, c->type->name, message);
    c->small.op = c->full.op = own;
    return verdict;
}

void tune_unit_choices(tuner *t, tune_unit *unit)
{
    for (int k = 0; k < unit->case_count; k++) {
        tune_case *const c = &unit->cases[k];
        double own_ms = -1;
        for (int w = 0; w < WAY_COUNT; w++) {
            double ms = 0;
            if (strcmp(ways[w].operation, unit->operation) != 0) continue;
            tune_progress(t, "%s of %zu bytes: %s", unit->operation, unit->bytes, ways[w].name);
            const mcl_options none = { 0 };
            if (own_ms < 0 && way_time(t, c, &none, ways[w].row, &own_ms) != TUNE_TIMED) break;
            const tune_verdict verdict = way_time(t, c, &ways[w].options, ways[w].row, &ms);
            if (verdict == TUNE_SLOW) tune_note(t, "%s %s, %s: far slower", c->op->name, c->type->name, ways[w].name);
            if (verdict == TUNE_TIMED)
                tune_note(t, "%s %s, %s: %.2f of the time of the library's choice", c->op->name, c->type->name,
                          ways[w].name, ms / own_ms);
        }
    }
}
