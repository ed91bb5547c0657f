/* report.c: the points of a sweep as lines, and the worst of them. */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

enum { WORST = 15 };

/* ---- one point -------------------------------------------------------------------------------------------------- */

static void ratio_text(double a, double b, char *text, size_t bytes)
{
    if (a < 0 || b <= 0)
        (void)snprintf(text, bytes, "-");
    else
        (void)snprintf(text, bytes, "%.2f", a / b);
}

static void print_csv(const sweep_point *point)
{
    printf("%s,%s,", point->op->name, point->parameter >= 0 ? point->op->parameters[point->parameter].name : "random");
    for (int p = 0; p < sweep_parameter_count(point->op); p++)
        printf("%s%s=%lld", p ? " " : "", point->op->parameters[p].name, (long long)point->v[p]);
    printf(",%.0f,%.0f,%.6f,%.6f,%.6f,%.6f,%.6f\n", point->units, point->bytes, point->ours, point->memory,
           point->other, point->plain, point->own);
}

void sweep_report_open(const bench *b)
{
    char processor[256];
    bench_processor(processor, sizeof processor);
    if (b->options->format == BENCH_CSV) {
        puts("op,parameter,values,elements,bytes,ms,memory_ms,other_ms,plain_ms,own_ms");
        return;
    }
    printf("# %s; processor: %s; %s\n", b->info.name, processor,
           b->info.is_gpu ? "milliseconds of the host's clock" : "milliseconds of processor time");
    printf("%-52s %10s %10s %9s %9s %9s\n", "# ours over: memory, the other way, plain C", "ms", "ns/element", "memory",
           "other", "plain");
}

void sweep_report_point(const bench *b, const sweep_point *point)
{
    char text[256], memory[32], other[32], plain[32];
    if (b->options->format == BENCH_CSV) {
        print_csv(point);
        return;
    }
    sweep_point_text(point, text, sizeof text);
    ratio_text(point->ours, point->memory, memory, sizeof memory);
    ratio_text(point->ours, point->other, other, sizeof other);
    ratio_text(point->ours, point->plain, plain, sizeof plain);
    printf("%-52s %10.4f %10.4f %9s %9s %9s\n", text, point->ours, 1e6 * point->ours / point->units, memory, other,
           plain);
}

/* ---- the worst -------------------------------------------------------------------------------------------------- */

typedef struct ranked {
    double ratio;
    const sweep_point *point, *neighbour;
} ranked;

static int compare_ranked(const void *p, const void *q)
{
    const double a = ((const ranked *)p)->ratio, b = ((const ranked *)q)->ratio;
    return (a < b) - (a > b);
}

static void print_ranked(const char *title, ranked *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, compare_ranked);
    printf("\n# %s\n", title);
    for (int k = 0; k < count && k < WORST; k++) {
        char text[256], beside[256] = "";
        sweep_point_text(list[k].point, text, sizeof text);
        if (list[k].neighbour) sweep_point_text(list[k].neighbour, beside, sizeof beside);
        printf("%9.2f  %-52s %s\n", list[k].ratio, text, beside);
    }
}

void sweep_report_worst(const sweep_points *points)
{
    ranked *const list = sweep_memory((size_t)(points->count + 1) * sizeof *list);
    int count = 0;
    for (int k = 0; k + 1 < points->count; k++) {
        const sweep_point *const a = &points->list[k], *const b = a + 1;
        if (!sweep_are_neighbours(a, b)) continue;
        const double allowed = sweep_neighbour_most(a, b), excess = sweep_neighbour_ratio(a, b) * 1.5 / allowed;
        list[count++] = (ranked){ excess, a, b };
    }
    print_ranked("worst neighbours: time for each byte or element, one over the other (1.5 is allowed)", list, count);
    count = 0;
    for (int k = 0; k < points->count; k++)
        if (points->list[k].other > 0)
            list[count++] = (ranked){ points->list[k].ours / points->list[k].other, &points->list[k], NULL };
    print_ranked("worst against the simplest other way in the library", list, count);
    count = 0;
    for (int k = 0; k < points->count; k++)
        if (sweep_plain_ratio(&points->list[k]) >= 0)
            list[count++] = (ranked){ sweep_plain_ratio(&points->list[k]), &points->list[k], NULL };
    print_ranked("worst against plain C on one thread, beyond a call's own cost, from 1e5 elements on", list, count);
    free(list);
}
