/* rule.c: the rule by which a sweep's points are judged. */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The rule's numbers. Neighbours with a larger distance than NEIGHBOUR_MOST may differ by their distance. */
#define NEIGHBOUR_MOST 1.5
#define OTHER_MOST 1.1
#define PLAIN_MOST 1.5
enum { PLAIN_LEAST = 100000 }; /* least number of elements for a comparison with plain C */
/* Offenders are measured up to PASSES times, with pauses, since a busy machine delays successive runs alike. A point
 * that was no faster SETTLED times in turn is taken as slow. */
enum { PASSES = 10, SETTLED = 3 };
/* The time that a clock and a busy machine may add to any measured time. */
#define GRAIN_MS 0.02

static int64_t value_of(const sweep_point *point)
{
    return point->parameter >= 0 ? point->v[point->parameter] : 0;
}

int sweep_are_neighbours(const sweep_point *a, const sweep_point *b)
{
    if (a->curve != b->curve || a->failed || b->failed || a->ours < 0 || b->ours < 0) return 0;
    return a->parameter >= 0 && !a->op->parameters[a->parameter].names;
}

double sweep_neighbour_most(const sweep_point *a, const sweep_point *b)
{
    const double less = (double)(value_of(a) < value_of(b) ? value_of(a) : value_of(b));
    const double more = (double)(value_of(a) < value_of(b) ? value_of(b) : value_of(a));
    return less > 0 && more > NEIGHBOUR_MOST * less ? more / less : NEIGHBOUR_MOST;
}

/* Returns the time of slow over the time of fast, both without the call's own cost, as if both had the same amount of
 * work. The amount is the largest of bytes, elements and memory time, which grows where a cache ends. */
static double slowness(const sweep_point *slow, const sweep_point *fast)
{
    const double units = slow->units / fast->units, bytes = slow->bytes / fast->bytes;
    const double memory = fast->memory > 0 ? slow->memory / fast->memory : 0;
    const double more = units > bytes ? units : bytes, work = more > memory ? more : memory;
    return (slow->ours - slow->own - GRAIN_MS) / (fast->ours * work);
}

double sweep_neighbour_ratio(const sweep_point *a, const sweep_point *b)
{
    const double one = slowness(a, b), other = slowness(b, a);
    return one > other ? one : other;
}

double sweep_plain_most(const sweep_point *point)
{
    const sweep_op *const op = point->op;
    const int holds = op->plain_most > 0 && (op->plain_up_to == 0 || point->v[op->plain_parameter] <= op->plain_up_to);
    return holds ? op->plain_most : PLAIN_MOST;
}

static int is_judged(const sweep_point *point)
{
    return !point->failed && point->ours >= 0;
}

static int breaks_other(const sweep_point *point)
{
    return is_judged(point) && point->other >= 0 && point->ours > OTHER_MOST * point->other + GRAIN_MS;
}

double sweep_plain_ratio(const sweep_point *point)
{
    const int counts = is_judged(point) && point->plain > 0 && point->units >= PLAIN_LEAST;
    return counts ? (point->ours - point->own - GRAIN_MS) / point->plain : -1;
}

static int breaks_plain(const sweep_point *point)
{
    return sweep_plain_ratio(point) > sweep_plain_most(point);
}

static int breaks_neighbour(const sweep_point *a, const sweep_point *b)
{
    return sweep_are_neighbours(a, b) && sweep_neighbour_ratio(a, b) > sweep_neighbour_most(a, b);
}

/* ---- measuring anew --------------------------------------------------------------------------------------------- */

static double lesser(double a, double b)
{
    return b >= 0 && (a < 0 || b < a) ? b : a;
}

/* Measures a point again and keeps the least times, since other load on the machine only adds time. */
static void measure_anew(sweep *s, sweep_point *point)
{
    sweep_point anew = *point;
    const int reps = 7;
    if (sweep_measure(s, &anew, SWEEP_LEAST, reps) != 0) return;
    point->settled = anew.ours < 0.95 * point->ours ? 0 : point->settled + 1;
    point->ours = lesser(point->ours, anew.ours);
    point->other = lesser(point->other, anew.other);
    point->plain = lesser(point->plain, anew.plain);
}

/* Measures the offenders again that may still turn out faster. Returns their number. */
static int measure_offenders(sweep *s, sweep_points *points, double deadline)
{
    char *const again = sweep_memory((size_t)points->count + 1);
    int count = 0;
    for (int k = 0; k < points->count; k++) {
        sweep_point *const point = &points->list[k];
        if (breaks_other(point) || breaks_plain(point)) again[k] = 1;
        if (k + 1 < points->count && breaks_neighbour(point, point + 1)) again[k] = again[k + 1] = 1;
    }
    for (int k = 0; k < points->count; k++) {
        if (!again[k] || points->list[k].settled >= SETTLED || (deadline > 0 && bench_now() > deadline)) continue;
        bench_progress("once more: %s", points->list[k].op->name);
        measure_anew(s, &points->list[k]);
        count++;
    }
    free(again);
    return count;
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

static void tell(const sweep_point *point, const char *why, double ratio, double most)
{
    char text[256];
    sweep_point_text(point, text, sizeof text);
    printf("breaks the rule: %-60s %7.2f times %s, at most %.2f\n", text, ratio, why, most);
}

static int tell_neighbours(const sweep_point *a, const sweep_point *b)
{
    char text[256], why[320];
    const int first_is_slow = slowness(a, b) > slowness(b, a);
    sweep_point_text(first_is_slow ? b : a, text, sizeof text);
    (void)snprintf(why, sizeof why, "its neighbour %s", text);
    tell(first_is_slow ? a : b, why, sweep_neighbour_ratio(a, b), sweep_neighbour_most(a, b));
    return 1;
}

void sweep_measure_offenders(sweep *s, sweep_points *points)
{
    const struct timespec pause = { .tv_nsec = 100000000 };
    const double seconds = s->bench->options->seconds, deadline = seconds > 0 ? bench_now() + 1e3 * seconds : 0;
    for (int pass = 0; pass < PASSES && measure_offenders(s, points, deadline) > 0; pass++)
        (void)nanosleep(&pause, NULL);
}

int sweep_tell_broken(const sweep_points *points)
{
    int broken = 0;
    for (int k = 0; k < points->count; k++) {
        const sweep_point *const point = &points->list[k];
        const int other = breaks_other(point), plain = breaks_plain(point);
        if (other) tell(point, "the other way", point->ours / point->other, OTHER_MOST);
        if (plain) tell(point, "plain C", sweep_plain_ratio(point), sweep_plain_most(point));
        if (k + 1 < points->count && breaks_neighbour(point, point + 1)) broken += tell_neighbours(point, point + 1);
        broken += other + plain;
    }
    return broken;
}
