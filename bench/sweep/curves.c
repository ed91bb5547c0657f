/* curves.c: goes through the operations that --sweep names, their parameters and the points of each. */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

enum { REPS_OF_OWN = 10 };

static const sweep_op *const sweep_ops[] = {
#define X(name) &sweep_op_##name,
    SWEEP_OP_LIST(X)
#undef X
        NULL
};

void sweep_points_add(sweep_points *points, const sweep_point *point)
{
    if (points->count == points->room) {
        points->room = points->room ? 2 * points->room : 256;
        points->list = realloc(points->list, (size_t)points->room * sizeof *points->list);
        if (!points->list) abort();
    }
    points->list[points->count++] = *point;
}

/* ---- what is swept ---------------------------------------------------------------------------------------------- */

typedef struct chosen {
    const sweep_op *ops[SWEEP_OPS_MOST];
    unsigned parameters[SWEEP_OPS_MOST]; /* a bit for each parameter of an operation, set where it changes */
    int count;
    int curves; /* number of parameters of all operations */
} chosen;

/* Ways to name an operation by the first characters of an item: by its whole name, or by the name's beginning. */
enum { WHOLE, BEGINNING, WAYS };

static int is_named(const sweep_op *op, const char *item, size_t length, int way)
{
    const int is_all = length == 3 && strncmp(item, "all", 3) == 0;
    return is_all || (strncmp(op->name, item, length) == 0 && op->name[length] == (way == WHOLE ? '\0' : '_'));
}

/* Returns the parameters that an item's part after the colon names. NULL stands for all. */
static unsigned named_parameters(const sweep_op *op, const char *name)
{
    unsigned named = 0;
    for (int p = 0; p < sweep_parameter_count(op); p++)
        if (!name || strcmp(op->parameters[p].name, name) == 0) named |= 1u << p;
    return named;
}

static void add_op(chosen *list, const sweep_op *op, unsigned parameters)
{
    int at = 0;
    while (at < list->count && list->ops[at] != op) at++;
    if (at == list->count) list->count++;
    list->ops[at] = op;
    list->parameters[at] |= parameters;
}

static int add_named(void *to, const char *item)
{
    const char *const colon = strchr(item, ':');
    const size_t length = colon ? (size_t)(colon - item) : strlen(item);
    int found = 0;
    for (int way = 0; way < WAYS && !found; way++)
        for (int k = 0; sweep_ops[k]; k++) {
            const unsigned parameters = named_parameters(sweep_ops[k], colon ? colon + 1 : NULL);
            if (!is_named(sweep_ops[k], item, length, way) || !parameters) continue;
            add_op(to, sweep_ops[k], parameters);
            found = 1;
        }
    if (found) return 0;
    bench_note("--sweep %s: must be all, or some of these, or one with a colon and a parameter", item);
    for (int k = 0; sweep_ops[k]; k++) {
        char text[256] = "";
        size_t used = 0;
        for (int p = 0; p < sweep_parameter_count(sweep_ops[k]) && used < sizeof text; p++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %s", sweep_ops[k]->parameters[p].name);
        bench_note("  %s:%s", sweep_ops[k]->name, text);
    }
    return -1;
}

static int choose(const bench *b, chosen *list)
{
    char *const text = strdup(b->options->sweep);
    if (!text) return -1;
    const int status = bench_list_read(text, list, add_named);
    free(text);
    for (int k = 0; k < list->count; k++)
        for (unsigned left = list->parameters[k]; left; left &= left - 1) list->curves++;
    return status;
}

int bench_sweep_known(const char *names)
{
    bench b = { .options = &(bench_options){ .sweep = names } };
    chosen list = { .count = 0 };
    return choose(&b, &list) == 0;
}

/* ---- curves ----------------------------------------------------------------------------------------------------- */

typedef struct course {
    sweep s;
    sweep_points points;
    double deadline;             /* time at which the curve should end; 0: none */
    double own;                  /* own cost of the present operation */
    double owns[SWEEP_OPS_MOST]; /* own cost of each chosen operation; 0: not known yet; below 0: it failed */
    int reps;
} course;

static int is_late(const course *c)
{
    return c->deadline > 0 && bench_now() > c->deadline;
}

static int measure_point(course *c, sweep_point *point)
{
    point->own = c->own;
    const int status = sweep_measure(&c->s, point, 0, c->reps);
    if (status == 0) sweep_points_add(&c->points, point);
    return status;
}

/* Prints the points from the first one on, at once, so that an interrupted run has already printed its points. */
static void report_from(const course *c, int first)
{
    for (int k = first; k < c->points.count; k++) sweep_report_point(c->s.bench, &c->points.list[k]);
    (void)fflush(stdout);
}

static int compare_points(const void *p, const void *q)
{
    const sweep_point *const a = p, *const b = q;
    const int64_t x = a->v[a->parameter], y = b->v[b->parameter];
    return (x > y) - (x < y);
}

static void run_curve(course *c, const sweep_op *op, int parameter)
{
    bench *const b = c->s.bench;
    int64_t values[SWEEP_VALUES_MOST];
    const int first = c->points.count, count = sweep_values(b, op, parameter, sweep_n_most(b, op), values);
    for (int k = 0; k < count && (k < 2 || !is_late(c)); k++) {
        sweep_point point = { .op = op, .parameter = parameter, .curve = c->points.curves };
        sweep_base(b, op, point.v);
        point.v[parameter] = values[k];
        if (sweep_fits(op, point.v)) (void)measure_point(c, &point);
    }
    c->points.curves++;
    if (c->points.count == first) return;
    qsort(c->points.list + first, (size_t)(c->points.count - first), sizeof *c->points.list, compare_points);
    report_from(c, first);
}

/* Measures the cost of a call alone, and checks the base point. */
static int run_base(course *c, const sweep_op *op)
{
    sweep_point least = { .op = op, .parameter = -1 }, base = least;
    sweep_base(c->s.bench, op, base.v);
    sweep_base(c->s.bench, op, least.v);
    least.v[0] = op->parameters[0].least;
    for (int p = 1; p < sweep_parameter_count(op); p++)
        if (!op->parameters[p].names && !op->parameters[p].values && least.v[p] > least.v[0]) least.v[p] = least.v[0];
    c->own = 0;
    if (sweep_measure(&c->s, &least, 0, REPS_OF_OWN) != 0) return -1;
    c->own = least.ours;
    return sweep_measure(&c->s, &base, SWEEP_CHECKED, 1);
}

/* Makes sure that the operation's own cost is known, which is measured once. Returns 0 where its base point fails. */
static int know_own(course *c, const chosen *list, int which)
{
    if (c->owns[which] == 0) c->owns[which] = run_base(c, list->ops[which]) == 0 ? c->own : -1;
    c->own = c->owns[which];
    return c->own >= 0;
}

/* Measures random sets of values, each beside a neighbour. */
static void run_random(course *c, const chosen *list)
{
    const bench_options *const options = c->s.bench->options;
    uint64_t state = (uint64_t)options->seed;
    for (int k = 0; k < options->random && !is_late(c); k++) {
        const int which = (int)(sweep_random_next(&state) % (uint64_t)list->count);
        const sweep_op *const op = list->ops[which];
        sweep_point point = { .op = op, .curve = c->points.curves++ };
        sweep_draw(c->s.bench, op, &state, point.v);
        sweep_point neighbour = point;
        point.parameter = neighbour.parameter = sweep_draw_neighbour(op, &state, neighbour.v);
        const int first = c->points.count;
        if (!sweep_fits(op, point.v) || !know_own(c, list, which) || measure_point(c, &point) != 0) continue;
        if (point.parameter >= 0) (void)measure_point(c, &neighbour);
        report_from(c, first);
    }
}

static void run_curves(course *c, const chosen *list)
{
    const double start = bench_now(), all_ms = 1e3 * c->s.bench->options->seconds;
    int curve = 0;
    for (int k = 0; k < list->count; k++) {
        const sweep_op *const op = list->ops[k];
        const int known = know_own(c, list, k);
        for (int p = 0; p < sweep_parameter_count(op); p++) {
            if (!(list->parameters[k] >> p & 1)) continue;
            curve++;
            c->deadline = all_ms > 0 ? start + all_ms * curve / list->curves : 0;
            bench_progress("%s %s", op->name, op->parameters[p].name);
            if (known) run_curve(c, op, p);
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

/* Prints the summary of all points, and judges the points. Returns the number of points that break the rule. */
static int conclude(course *c)
{
    const bench_options *const options = c->s.bench->options;
    if (options->rule) sweep_measure_offenders(&c->s, &c->points);
    if (options->format == BENCH_TABLE) sweep_report_worst(&c->points);
    return options->rule ? sweep_tell_broken(&c->points) : 0;
}

int bench_sweep(bench *b)
{
    const bench_options *const options = b->options;
    chosen list = { .count = 0 };
    course *const c = sweep_memory(sizeof *c);
    int status = choose(b, &list);
    c->s.bench = b;
    c->reps = options->reps;
    c->deadline = options->seconds > 0 ? bench_now() + 1e3 * options->seconds : 0;
    if (status == 0) sweep_report_open(b);
    if (status == 0 && options->random > 0)
        run_random(c, &list);
    else if (status == 0)
        run_curves(c, &list);
    bench_progress(NULL);
    if (status == 0 && conclude(c) > 0) status = -1;
    if (options->picture && sweep_picture(&c->points, options->picture) != 0) status = -1;
    sweep_free(&c->s);
    free(c->points.list);
    free(c);
    return status;
}
