/* demo_print.c: the inputs of the demonstrations and the layout in which they print arrays. */
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>

enum { PER_ROW = 10, PRINTED_MAX = 1024 };

mcl_status demo_buffer(demo *at, size_t bytes, const void *data, mcl_buffer **out)
{
    if (at->buffer_count == DEMO_BUFFERS_MAX) {
        fputs("moderncl-demo: a demonstration uses too many buffers\n", stderr);
        abort();
    }
    DEMO_TRY(mcl_buffer_create(at->context, bytes, data, out));
    at->buffers[at->buffer_count++] = *out;
    return MCL_OK;
}

/* ---- inputs --------------------------------------------------------------------------------------------------- */

void demo_stream(mcl_twister *twister, int position)
{
    mcl_twister_seed(twister, DEMO_SEED);
    for (int k = 0; k < position; k++) mcl_twister_next(twister);
}

void demo_random_ints(mcl_twister *twister, int32_t *values, int count, int32_t low, int32_t high)
{
    for (int k = 0; k < count; k++) values[k] = mcl_twister_int(twister, low, high);
}

void demo_random_floats(mcl_twister *twister, float *values, int count, double low, double high)
{
    for (int k = 0; k < count; k++) values[k] = (float)mcl_twister_real(twister, low, high);
}

static int compare_ints(const void *p, const void *q)
{
    const int32_t a = *(const int32_t *)p;
    const int32_t b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

static int compare_doubles(const void *p, const void *q)
{
    const double a = *(const double *)p;
    const double b = *(const double *)q;
    return (a > b) - (a < b);
}

void demo_sorted_ints(mcl_twister *twister, int32_t *values, int count, int32_t low, int32_t high)
{
    demo_random_ints(twister, values, count, low, high);
    qsort(values, (size_t)count, sizeof *values, compare_ints);
}

void demo_sorted_doubles(mcl_twister *twister, double *values, int count, double low, double high)
{
    for (int k = 0; k < count; k++) values[k] = mcl_twister_real(twister, low, high);
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
}

/* ---- output --------------------------------------------------------------------------------------------------- */

/* Prints the text before number k: the head of its row, or a blank. */
static void print_before(int k)
{
    if (k % PER_ROW == 0)
        printf("%5d:  ", k);
    else
        putchar(' ');
}

static void print_after(int k, int count)
{
    if (k % PER_ROW == PER_ROW - 1 || k == count - 1) putchar('\n');
}

static int printable(int count)
{
    return count < PRINTED_MAX ? count : PRINTED_MAX;
}

mcl_status demo_print_ints(demo *at, mcl_buffer *array, int count, int width)
{
    int32_t values[PRINTED_MAX];
    const int shown = printable(count);

    DEMO_TRY(mcl_buffer_read(at->queue, array, 0, sizeof *values * (size_t)shown, values));
    for (int k = 0; k < shown; k++) {
        print_before(k);
        printf("%*d", width, values[k]);
        print_after(k, shown);
    }
    return MCL_OK;
}

mcl_status demo_print_matches(demo *at, mcl_buffer *array, int count)
{
    uint32_t values[PRINTED_MAX];
    const uint32_t match = 0x80000000u;
    const int shown = printable(count);

    DEMO_TRY(mcl_buffer_read(at->queue, array, 0, sizeof *values * (size_t)shown, values));
    for (int k = 0; k < shown; k++) {
        print_before(k);
        printf("%c%3u", values[k] & match ? '*' : ' ', values[k] & ~match);
        print_after(k, shown);
    }
    return MCL_OK;
}

mcl_status demo_print_marked(demo *at, mcl_buffer *array, int count, const int32_t *places, int place_count)
{
    int32_t values[PRINTED_MAX];
    const int shown = printable(count);
    int next = 0;

    DEMO_TRY(mcl_buffer_read(at->queue, array, 0, sizeof *values * (size_t)shown, values));
    for (int k = 0; k < shown; k++) {
        const int marked = next < place_count && places[next] == k;
        print_before(k);
        printf(" %c%2d", marked ? '*' : ' ', values[k]);
        next += marked;
        print_after(k, shown);
    }
    return MCL_OK;
}

static void print_reals(const double *values, int count, int width, int decimals)
{
    for (int k = 0; k < count; k++) {
        print_before(k);
        printf("%*.*f", width, decimals, values[k]);
        print_after(k, count);
    }
}

mcl_status demo_print_floats(demo *at, mcl_buffer *array, int count, int width, int decimals)
{
    float values[PRINTED_MAX];
    double wide[PRINTED_MAX];
    const int shown = printable(count);

    DEMO_TRY(mcl_buffer_read(at->queue, array, 0, sizeof *values * (size_t)shown, values));
    for (int k = 0; k < shown; k++) wide[k] = (double)values[k];
    print_reals(wide, shown, width, decimals);
    return MCL_OK;
}

mcl_status demo_print_doubles(demo *at, mcl_buffer *array, int count, int width, int decimals)
{
    double values[PRINTED_MAX];
    const int shown = printable(count);

    DEMO_TRY(mcl_buffer_read(at->queue, array, 0, sizeof *values * (size_t)shown, values));
    print_reals(values, shown, width, decimals);
    return MCL_OK;
}
