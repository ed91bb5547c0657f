/* report.c: prints tables of a study on the screen, and draws its chart as SVG. */
#include "study/study.h"

#include <math.h>
#include <string.h>

static void print_number(double number)
{
    if (number < 0)
        printf(" %12s", "-");
    else
        printf(" %12.4g", number);
}

void study_print(const study_table *table, int size)
{
    printf("\n%s, %s, n = %lld\n", table->title, table->device, (long long)table->sizes[size]);
    printf("%-32s %12s %12s %12s %12s  %s\n", "", "ms", "GB/s", "searches", "read/least", "result");
    for (int r = 0; r < table->row_counts[size]; r++) {
        const study_row *row = &table->rows[size][r];
        printf("%-32s", row->name);
        print_number(row->milliseconds);
        print_number(row->milliseconds > 0 ? row->bytes / row->milliseconds / 1e6 : -1);
        print_number(row->searches);
        print_number(row->bytes_read < 0 ? -1 : row->bytes_read / (row->bytes / 2));
        printf("  %s\n", row->is_right ? "right" : "WRONG");
    }
}

/* ---- the chart ---------------------------------------------------------------------------- */

enum { WIDTH = 860, HEIGHT = 480, LEFT = 70, RIGHT = 260, TOP = 40, BOTTOM = 50 };

static double throughput(const study_row *row)
{
    return row->milliseconds > 0 ? row->bytes / row->milliseconds / 1e6 : 0;
}

static double highest(const study_table *table)
{
    double most = 1e-9;
    for (int s = 0; s < table->size_count; s++)
        for (int r = 0; r < table->row_counts[s]; r++)
            if (throughput(&table->rows[s][r]) > most) most = throughput(&table->rows[s][r]);
    return most;
}

static double place_x(const study_table *table, int size)
{
    const double low = log10((double)table->sizes[0]), high = log10((double)table->sizes[table->size_count - 1]);
    const double share = high > low ? (log10((double)table->sizes[size]) - low) / (high - low) : 0.5;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double place_y(double value, double most)
{
    return HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(FILE *to, const study_table *table, double most)
{
    fprintf(to, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n<text x=\"%d\" y=\"24\">%s, %s: GB/s</text>\n",
            WIDTH, HEIGHT, LEFT, table->title, table->device);
    fprintf(to, "<path d=\"M%d %d V%d H%d\" stroke=\"black\" fill=\"none\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
    for (int tick = 0; tick <= 4; tick++)
        fprintf(to, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", LEFT - 8,
                place_y(most * tick / 4, most) + 4, most * tick / 4);
    for (int s = 0; s < table->size_count; s++)
        fprintf(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n", place_x(table, s),
                HEIGHT - BOTTOM + 20, (double)table->sizes[s]);
    fprintf(to, "<text x=\"%d\" y=\"%d\">n</text>\n", WIDTH - RIGHT + 12, HEIGHT - BOTTOM + 20);
}

/* Draws the line of one name, which is in row line of the first size. */
static void draw_line(FILE *to, const study_table *table, int line, double most)
{
    static const char *const colours[] = { "#1b6ca8", "#d1495b", "#3a7d44", "#8e5ea2", "#edae49",
                                           "#00798c", "#7a5c3e", "#555555", "#c05299", "#2e4057" };
    const char *const colour = colours[line % 10];
    const char *const name = table->rows[0][line].name;
    fprintf(to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int s = 0; s < table->size_count; s++)
        for (int r = 0; r < table->row_counts[s]; r++)
            if (strcmp(table->rows[s][r].name, name) == 0)
                fprintf(to, "%.1f,%.1f ", place_x(table, s), place_y(throughput(&table->rows[s][r]), most));
    fprintf(to, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 12, TOP + 10 + 20 * line,
            colour, name);
}

int study_chart(const study_table *table, const char *path)
{
    FILE *const to = fopen(path, "w");
    if (!to) return -1;
    const double most = highest(table);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n",
            WIDTH, HEIGHT);
    if (table->size_count > 0) {
        draw_axes(to, table, most);
        for (int line = 0; line < table->row_counts[0]; line++) draw_line(to, table, line, most);
    }
    fprintf(to, "</svg>\n");
    return fclose(to) == 0 ? 0 : -1;
}
