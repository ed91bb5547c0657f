/* chart.c: times merge sort of 32- and 64-bit integers for many threads and items, and lets gnuplot draw a heat map. */
#define _POSIX_C_SOURCE 200809L
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, ITEMS = 13, FEW_THREADS = 2, FEW_ITEMS = 3 };

static const int all_threads[THREADS] = { 32, 64, 128, 256, 512, 1024 };
static const int all_items[ITEMS] = { 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 27, 31 };
static const int few_threads[FEW_THREADS] = { 64, 128 };
static const int few_items[FEW_ITEMS] = { 5, 9, 15 };

typedef struct plane {
    const bench_type *type;
    const int *threads;
    const int *items;
    int thread_count;
    int item_count;
    double rate[THREADS][ITEMS]; /* rate of each tile in 10^6 keys a second; negative where the device cannot do it */
} plane;

static int has_gnuplot(void)
{
    if (system("gnuplot --version > /dev/null 2>&1") == 0) return 1;
    bench_note("--chart: gnuplot was not found, which draws the chart (Debian: gnuplot-nox)");
    return 0;
}

static void point_time(tuner *t, tune_case *c, plane *p, int a, int b)
{
    const tune_row row = { "sort", p->type->element->type->size, { p->threads[a], p->items[b] }, 0, 0 };
    const mcl_options options = { 0 };
    const size_t bytes = p->type->element->type->size;
    char message[TUNE_MESSAGE_BYTES];
    double ms = 0;
    int threads = 0;
    int items = 0;
    p->rate[a][b] = -1;
    t->done += 1;
    tune_progress(t, "chart: %s %d x %d", p->type->name, row.tile.threads, row.tile.items);
    if (tune_rows_load(t, &row) != MCL_OK) return;
    if (mcl_context_tile(t->bench.context, "sort", bytes, &threads, &items) != MCL_OK) return;
    /* returns where the tile is too large for the device */
    if (threads != row.tile.threads || items != row.tile.items) return;
    const tune_verdict verdict = tune_case_time(t, c, &options, 0, &ms, message, sizeof message);
    if (verdict == TUNE_TIMED && ms > 0) p->rate[a][b] = (double)t->n / (ms * 1e3);
    if (verdict == TUNE_FAILED) bench_note("chart: %s %d x %d is left out: %s", p->type->name, threads, items, message);
}

static int plane_time(tuner *t, plane *p)
{
    tune_unit unit = { .operation = "sort", .bytes = p->type->element->type->size, .case_count = 1 };
    unit.cases[0] = (tune_case){ .op = bench_op_find("mergesort_keys"), .type = p->type };
    if (tune_device_open(t) != 0) return -1;
    const int opened = tune_unit_open(t, &unit);
    for (int a = 0; a < p->thread_count && opened == 0; a++)
        for (int b = 0; b < p->item_count; b++) point_time(t, &unit.cases[0], p, a, b);
    tune_unit_close(&unit);
    tune_device_close(t);
    return opened;
}

/* ---- drawing ------------------------------------------------------------------------------------------------ */

/* Draws one plane. A tile that the device cannot do is a hole and not a missing point, since an image is a whole
 * grid. */
static void draw_plane(FILE *gnuplot, const plane *p, int index, double unit)
{
    (void)fprintf(gnuplot, "$grid%d << END\n", index);
    for (int a = 0; a < p->thread_count; a++)
        for (int b = 0; b < p->item_count; b++)
            if (p->rate[a][b] > 0)
                (void)fprintf(gnuplot, "%d %d %.6g\n", b, a, p->rate[a][b] / unit);
            else
                (void)fprintf(gnuplot, "%d %d NaN\n", b, a);
    (void)fprintf(gnuplot, "END\nset title 'mergesort keys, %s'\nset xtics (", p->type->name);
    for (int b = 0; b < p->item_count; b++) (void)fprintf(gnuplot, "%s'%d' %d", b ? ", " : "", p->items[b], b);
    (void)fputs(")\nset ytics (", gnuplot);
    for (int a = 0; a < p->thread_count; a++) (void)fprintf(gnuplot, "%s'%d' %d", a ? ", " : "", p->threads[a], a);
    (void)fprintf(gnuplot,
                  ")\nset xrange [-0.5:%d.5]\nset yrange [-0.5:%d.5]\n"
                  "plot $grid%d using 1:2:3 with image pixels notitle, "
                  "$grid%d using 1:2:(strcol(3) eq 'NaN' ? '' : sprintf('%%.3g', $3)) with labels font ',10' notitle\n",
                  p->item_count - 1, p->thread_count - 1, index, index);
}

static double best_rate(const plane *planes, int count)
{
    double best = 0;
    for (int k = 0; k < count; k++)
        for (int a = 0; a < planes[k].thread_count; a++)
            for (int b = 0; b < planes[k].item_count; b++) best = fmax(best, planes[k].rate[a][b]);
    return best;
}

static int draw(const tuner *t, const plane *planes, int count)
{
    const int in_billions = best_rate(planes, count) >= 1e3;
    FILE *const gnuplot = popen("gnuplot", "w");
    if (!gnuplot) {
        bench_note("--chart: gnuplot cannot be started");
        return -1;
    }
    (void)fprintf(gnuplot, "set terminal svg size 1280,480 background 'white' noenhanced\nset output '%s'\n",
                  t->options->chart);
    (void)fprintf(gnuplot, "set multiplot layout 1,%d title \"%s keys a second, n = %lld, %s (%s)\"\n", count,
                  in_billions ? "billion" : "million", (long long)t->n, t->bench.info.name, t->bench.info.id);
    /* These are five colours of viridis, which gnuplot has by name only from 5.5 on. They are light, so that numbers on
     * them can be read. */
    (void)fputs("set palette defined (0 '#8f6b9c', 1 '#8a9cc4', 2 '#7cc4bd', 3 '#a4e0a0', 4 '#fdf08a')\n", gnuplot);
    (void)fputs("set xlabel 'elements a work-item'\nset ylabel 'work-items'\nset tics out nomirror\nunset colorbox\n",
                gnuplot);
    for (int k = 0; k < count; k++) draw_plane(gnuplot, &planes[k], k, in_billions ? 1e3 : 1);
    (void)fputs("unset multiplot\n", gnuplot);
    if (pclose(gnuplot) == 0) return 0;
    bench_note("--chart %s: gnuplot has not drawn it", t->options->chart);
    return -1;
}

int tune_chart_check(const tuner *t)
{
    if (!t->options->chart) return 0;
    if (!strchr(t->options->chart, '\'')) return has_gnuplot() ? 0 : -1;
    bench_note("--chart %s: the name must have no quotes in it", t->options->chart);
    return -1;
}

int tune_chart(tuner *t)
{
    static plane planes[2];
    const int few = t->options->effort == TUNE_QUICK;
    for (int k = 0; k < 2; k++) {
        planes[k].type = bench_type_find(k == 0 ? "int32" : "int64");
        planes[k].threads = few ? few_threads : all_threads;
        planes[k].items = few ? few_items : all_items;
        planes[k].thread_count = few ? FEW_THREADS : THREADS;
        planes[k].item_count = few ? FEW_ITEMS : ITEMS;
    }
    t->done = 0;
    t->total = 2.0 * planes[0].thread_count * planes[0].item_count;
    t->start_ms = bench_now();
    for (int k = 0; k < 2; k++)
        if (plane_time(t, &planes[k]) != 0) return -1;
    tune_progress(t, NULL);
    return draw(t, planes, 2);
}
