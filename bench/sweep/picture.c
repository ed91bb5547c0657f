/* picture.c: draws the curves of a sweep as one SVG, with a field and logarithmic axes for each curve. */
#include "sweep.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 460, HEIGHT = 300, LEFT = 60, BOTTOM = 40, TOP = 30, RIGHT = 15, COLUMNS = 3 };

typedef struct field {
    const sweep_point *points;
    int count;
    double left, top; /* top left corner in the picture */
    double low[2], high[2];
} field;

typedef double (*reading)(const sweep_point *point);

static double an_element(const sweep_point *point, double ms)
{
    return ms > 0 && !point->failed ? 1e6 * ms / point->units : -1;
}
static double ours(const sweep_point *point)
{
    return an_element(point, point->ours);
}
static double other(const sweep_point *point)
{
    return an_element(point, point->other);
}
static double plain(const sweep_point *point)
{
    return an_element(point, point->plain);
}
static double memory(const sweep_point *point)
{
    return an_element(point, point->memory);
}

static const struct {
    const char *name, *colour;
    reading of;
} lines[] = {
    { "ours", "#c00", ours }, { "other way", "#06c", other }, { "plain C", "#080", plain }, { "memory", "#888", memory }
};
enum { LINES = sizeof lines / sizeof *lines };

static double value_of(const sweep_point *point)
{
    const int64_t value = point->v[point->parameter];
    return value > 0 ? (double)value : 1;
}

static void widen(field *f, int axis, double value)
{
    if (value <= 0) return;
    if (f->low[axis] == 0 || value < f->low[axis]) f->low[axis] = value;
    if (value > f->high[axis]) f->high[axis] = value;
}

static double share(const field *f, int axis, double value)
{
    const double range = log(f->high[axis] * 1.01 / f->low[axis]);
    return range > 0 ? log(value / f->low[axis]) / range : 0;
}

static double across(const field *f, double value)
{
    return f->left + LEFT + share(f, 0, value) * (WIDTH - LEFT - RIGHT);
}

static double up(const field *f, double value)
{
    return f->top + HEIGHT - BOTTOM - share(f, 1, value) * (HEIGHT - BOTTOM - TOP);
}

static void draw_line(FILE *file, const field *f, int line)
{
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" points=\"", lines[line].colour);
    for (int k = 0; k < f->count; k++) {
        const double y = lines[line].of(&f->points[k]);
        if (y > 0) fprintf(file, "%.1f,%.1f ", across(f, value_of(&f->points[k])), up(f, y));
    }
    fputs("\"/>\n", file);
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\" fill=\"%s\">%s</text>\n", f->left + LEFT + 90.0 * line,
            f->top + HEIGHT - 6, lines[line].colour, lines[line].name);
}

static void draw_powers(FILE *file, const field *f, int axis)
{
    for (double at = pow(10, ceil(log10(f->low[axis]))); at <= f->high[axis] * 1.001; at *= 10) {
        const double x = axis == 0 ? across(f, at) : f->left + LEFT, y = axis == 0 ? f->top + TOP : up(f, at);
        fprintf(file, "<path stroke=\"#ddd\" d=\"M%.1f %.1f %s%d\"/>\n", x, y, axis == 0 ? "v" : "h",
                axis == 0 ? HEIGHT - TOP - BOTTOM : WIDTH - LEFT - RIGHT);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">%g</text>\n", axis == 0 ? x : f->left + 10,
                axis == 0 ? f->top + HEIGHT - BOTTOM + 14 : y + 4, at);
    }
}

static void draw_field(FILE *file, field *f)
{
    const sweep_op *const op = f->points->op;
    for (int k = 0; k < f->count; k++) {
        widen(f, 0, value_of(&f->points[k]));
        for (int line = 0; line < LINES; line++) widen(f, 1, lines[line].of(&f->points[k]));
    }
    if (f->high[1] == 0) return;
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\">%s: nanoseconds an element over %s</text>\n", f->left + LEFT,
            f->top + 18, op->name, op->parameters[f->points->parameter].name);
    for (int axis = 0; axis < 2; axis++) draw_powers(file, f, axis);
    for (int line = LINES - 1; line >= 0; line--) draw_line(file, f, line);
}

/* Returns how many points, from the first on, make one curve of a number; 0 where there is no such curve. */
static int curve_length(const sweep_points *points, int first)
{
    int count = 1;
    const sweep_point *const point = &points->list[first];
    while (first + count < points->count && points->list[first + count].curve == point->curve) count++;
    return point->parameter < 0 || point->op->parameters[point->parameter].names || count < 2 ? 0 : count;
}

int sweep_picture(const sweep_points *points, const char *path)
{
    FILE *const file = fopen(path, "w");
    int fields = 0;
    if (!file) {
        bench_note("--picture %s: cannot be written", path);
        return -1;
    }
    for (int k = 0; k < points->count; k += curve_length(points, k) > 0 ? curve_length(points, k) : 1)
        fields += curve_length(points, k) > 0;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            COLUMNS * WIDTH, (fields + COLUMNS - 1) / COLUMNS * HEIGHT);
    fields = 0;
    for (int k = 0; k < points->count;) {
        const int count = curve_length(points, k);
        field f = { .points = &points->list[k], .count = count };
        f.left = fields % COLUMNS * (double)WIDTH;
        f.top = fields / COLUMNS * (double)HEIGHT;
        if (count > 0) draw_field(file, &f);
        fields += count > 0;
        k += count > 0 ? count : 1;
    }
    fputs("</svg>\n", file);
    if (fclose(file) == 0) return 0;
    bench_note("--picture %s: cannot be written", path);
    return -1;
}
