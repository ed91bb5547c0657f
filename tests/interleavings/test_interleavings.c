/* test_interleavings.c: goes through every interleaving of each model, and prints their number. Every claim must hold
 * in the texts of cl. In each copy with a fault a claim must break.
 *
 *     test_interleavings texts | faults | NAME     NAME: one model or fault alone, with the path to a broken claim
 *
 * in order: each access sees the result of the last access. relaxed: the memory of memory.h. starved: relaxed, and a
 * scheduler may stop one group for ever, at any step. Models with STARVED_FROM relaxed states or more are not run
 * starved, nor is a group that shares no words; the number is then 0. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "explore.h"

#define MODEL(name) extern const model model_##name;
#define FAULT(name) MODEL(name)
#include "models.inc"
#undef MODEL
#undef FAULT

typedef struct row {
    const model *m;
    const char *name;
    int is_planted;
} row;

static const row rows[] = {
#define MODEL(name) { &model_##name, #name, 0 },
#define FAULT(name) { &model_##name, #name, 1 },
#include "models.inc"
#undef MODEL
#undef FAULT
};

enum { IN_ORDER, RELAXED, STARVED, WAYS };
enum { STARVED_FROM = 300000 };
enum { ROWS = sizeof rows / sizeof rows[0] };
static const char *const way_names[WAYS] = { "in order", "relaxed", "starved" };

static exploration explore_way(const model *m, int way, int prints)
{
    return explore(m, way == IN_ORDER ? MEMORY_IN_ORDER : MEMORY_RELAXED, way == STARVED, prints);
}

/* Returns 1 where every claim holds. */
static int check_text(const row *r, int prints)
{
    exploration found[WAYS] = { { 0 } };
    const char *broken = NULL;
    for (int way = 0; way < WAYS && !broken; way++) {
        if (way == STARVED && (found[RELAXED].states > STARVED_FROM || found[RELAXED].steps_most == 0)) continue;
        found[way] = explore_way(r->m, way, prints);
        broken = found[way].is_too_large ? "there are more states than STATES_MOST" : found[way].broken;
    }
    if (!broken && found[STARVED].states > 0 && !found[STARVED].starved_ends) broken = "no group was starved";
    const long states = found[IN_ORDER].states + found[RELAXED].states + found[STARVED].states;
    printf("%-24s %6d %5d %9.2g %9.2g %9.2g %9ld  %s\n", r->name, r->m->groups, found[RELAXED].steps_most,
           found[IN_ORDER].interleavings, found[RELAXED].interleavings, found[STARVED].interleavings, states,
           broken ? broken : r->m->claims);
    return !broken;
}

/* Returns 1 where a claim breaks. */
static int find_fault(const row *r, int prints)
{
    for (int way = 0; way < WAYS; way++) {
        const exploration e = explore_way(r->m, way, prints);
        if (!e.broken) continue;
        printf("%-32s %-9s breaks: %s\n", r->name, way_names[way], e.broken);
        return 1;
    }
    printf("%-32s NOT FOUND\n", r->name);
    return 0;
}

static int is_right(const row *r)
{
    return !r->is_planted || strncmp(r->name, "right_", 6) == 0;
}

int main(int argc, char **argv)
{
    int checked = 0, failures = 0;
    const char *const wanted = argc == 2 ? argv[1] : "";
    const int texts = strcmp(wanted, "texts") == 0, faults = strcmp(wanted, "faults") == 0;
    if (texts)
        printf("%-24s %6s %5s %9s %9s %9s %9s  %s\n", "model", "groups", "steps", "in order", "relaxed", "starved",
               "states", "in every interleaving");
    for (int k = 0; k < ROWS; k++) {
        const int is_named = strcmp(wanted, rows[k].name) == 0;
        if (!is_named && !(rows[k].is_planted ? faults : texts)) continue;
        checked++;
        failures += is_right(&rows[k]) ? !check_text(&rows[k], is_named) : !find_fault(&rows[k], is_named);
        fflush(stdout);
    }
    if (checked == 0) {
        fprintf(stderr, "usage: test_interleavings texts | faults | NAME\n");
        return 2;
    }
    printf("interleavings: %d checked, %d failures, %.0f s\n", checked, failures,
           (double)clock() / (double)CLOCKS_PER_SEC);
    return failures > 0;
}
