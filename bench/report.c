/* report.c: rows as a table, CSV or JSON on stdout; progress and notes on stderr. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench_report {
    bench_format format;
    int name_width;
    char device[256];
    char processor[256];
    int row_count;
    int peer_count;     /* number of rows that have a peer */
    double most_spread; /* largest spread of a row: its median less its fastest run, relative to the fastest run */
    json_t *rows;
};

bench_report *bench_report_open(const mcl_device_info *info, bench_format format, int name_width)
{
    bench_report *report = calloc(1, sizeof *report);
    if (!report) return NULL;
    report->format = format;
    report->name_width = name_width;
    (void)snprintf(report->device, sizeof report->device, "%s (%s)", info->name, info->id);
    bench_processor(report->processor, sizeof report->processor);
    if (format == BENCH_CSV)
        puts("op,type,n,device,mapping,nt,vt,median_ms,min_ms,GBps,copy_ratio,peer,peer_ms,ratio,peer_source,peers,"
             "processor");
    if (format == BENCH_TABLE) {
        printf("%s, driver %s, %d compute units; processor: %s\n", report->device, info->driver, info->compute_units,
               report->processor);
        printf("%-*s %-8s %11s %-6s %4s %8s %11s %11s %8s %6s %11s %6s %-8s %s\n", name_width, "op", "type", "n", "map",
               "nt", "vt", "median_ms", "min_ms", "GB/s", "/copy", "peer_ms", "ratio", "source", "peer");
    }
    if (format == BENCH_JSON) report->rows = json_array();
    return report;
}

/* ---- CSV ---------------------------------------------------------------------------- */

static void csv_text(const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"') putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void csv_number(double number, int digits)
{
    if (number >= 0) printf("%.*f", digits, number);
    putchar(',');
}

static double ratio_to(const bench_row *row, double peer_ms)
{
    return peer_ms > 0 ? row->median_ms / peer_ms : -1;
}

static double row_ratio(const bench_row *row)
{
    return row->peer ? ratio_to(row, row->peer_ms) : -1;
}

/* Prints "NAME=MS; NAME=MS", the fastest first. */
static void csv_peers(const bench_row *row)
{
    char text[96 * BENCH_CANDIDATES_MAX] = "";
    size_t length = 0;
    for (int k = 0; k < row->peer_count && length < sizeof text; k++) {
        const bench_record *peer = &row->peers[k];
        const char *between = k > 0 ? "; " : "";
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s=%.6f", between, peer->peer, peer->ms);
    }
    csv_text(text);
}

static void csv_row(const bench_report *report, const bench_row *row)
{
    printf("%s,%s,%lld,", row->op, row->type, (long long)row->n);
    csv_text(report->device);
    printf(",%s,%d,%d,", row->mapping ? row->mapping : "", row->threads, row->items);
    csv_number(row->median_ms, 6);
    csv_number(row->min_ms, 6);
    csv_number(row->gbps, 2);
    csv_number(row->copy_ratio, 4);
    csv_text(row->peer ? row->peer : "");
    putchar(',');
    csv_number(row->peer ? row->peer_ms : -1, 6);
    csv_number(row_ratio(row), 4);
    printf("%s,", row->peer ? row->peer_source : "");
    csv_peers(row);
    putchar(',');
    csv_text(report->processor);
    putchar('\n');
}

/* ---- the table ---------------------------------------------------------------------------- */

static void table_number(double number, int width, int digits)
{
    if (number >= 0)
        printf(" %*.*f", width, digits, number);
    else
        printf(" %*s", width, "-");
}

/* Prints the last columns. A peer's name comes last, since its length is not known. */
static void table_peer(const bench_row *row, double peer_ms, const char *source, const char *name)
{
    table_number(peer_ms, 11, 5);
    table_number(ratio_to(row, peer_ms), 6, 3);
    printf(" %-8s %s\n", source, name);
}

/* Prints a row. Its other peers are listed below the fastest. */
static void table_row(const bench_report *report, const bench_row *row)
{
    const int before = printf("%-*s %-8s %11lld %-6s %4d %8d", report->name_width, row->op, row->type,
                              (long long)row->n, row->mapping ? row->mapping : "-", row->threads, row->items);
    const int times = 40; /* width of the next four numbers' columns */
    table_number(row->median_ms, 11, 5);
    table_number(row->min_ms, 11, 5);
    table_number(row->gbps, 8, 1);
    table_number(row->copy_ratio, 6, 3);
    table_peer(row, row->peer ? row->peer_ms : -1, row->peer ? row->peer_source : "-", row->peer ? row->peer : "-");
    for (int k = 1; k < row->peer_count; k++) {
        printf("%*s", before + times, "");
        table_peer(row, row->peers[k].ms, "", row->peers[k].peer);
    }
}

/* ---- JSON ---------------------------------------------------------------------------- */

static json_t *json_number(double number)
{
    return number >= 0 ? json_real(number) : json_null();
}
static json_t *json_text(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *json_peers(const bench_row *row)
{
    json_t *list = json_array();
    for (int k = 0; k < row->peer_count; k++) {
        json_t *peer = json_object();
        json_object_set_new(peer, "peer", json_text(row->peers[k].peer));
        json_object_set_new(peer, "ms", json_number(row->peers[k].ms));
        json_array_append_new(list, peer);
    }
    return list;
}

static void json_row(const bench_report *report, const bench_row *row)
{
    json_t *object = json_object();
    json_object_set_new(object, "op", json_text(row->op));
    json_object_set_new(object, "type", json_text(row->type));
    json_object_set_new(object, "n", json_integer(row->n));
    json_object_set_new(object, "device", json_text(report->device));
    json_object_set_new(object, "mapping", json_text(row->mapping));
    json_object_set_new(object, "nt", json_integer(row->threads));
    json_object_set_new(object, "vt", json_integer(row->items));
    json_object_set_new(object, "median_ms", json_number(row->median_ms));
    json_object_set_new(object, "min_ms", json_number(row->min_ms));
    json_object_set_new(object, "GBps", json_number(row->gbps));
    json_object_set_new(object, "copy_ratio", json_number(row->copy_ratio));
    json_object_set_new(object, "peer", json_text(row->peer));
    json_object_set_new(object, "peer_ms", json_number(row->peer ? row->peer_ms : -1));
    json_object_set_new(object, "ratio", json_number(row_ratio(row)));
    json_object_set_new(object, "peer_source", json_text(row->peer ? row->peer_source : NULL));
    json_object_set_new(object, "peers", json_peers(row));
    json_object_set_new(object, "processor", json_text(report->processor));
    json_array_append_new(report->rows, object);
}

/* ---- all of them ---------------------------------------------------------------------------- */

void bench_report_row(bench_report *report, const bench_row *row)
{
    bench_progress(NULL);
    if (report->format == BENCH_CSV) csv_row(report, row);
    if (report->format == BENCH_TABLE) table_row(report, row);
    if (report->format == BENCH_JSON) json_row(report, row);
    (void)fflush(stdout);
    report->row_count++;
    report->peer_count += row->peer != NULL;
    const double spread = row->min_ms > 0 ? row->median_ms / row->min_ms - 1 : 0;
    if (spread > report->most_spread) report->most_spread = spread;
}

/* Prints on stderr, under a table for people, the answers to their first questions. */
static void table_notes(const bench_report *report)
{
    if (report->peer_count == 0)
        bench_note("no peer: --compare times one by turns; cmake --preset release -DMCL_BENCH_PEERS=ON builds them "
                   "(bench/NOTES.md)");
    bench_note("spread: medians are up to %.0f %% above the fastest run of their row", 100 * report->most_spread);
}

void bench_report_close(bench_report *report)
{
    if (report->format == BENCH_TABLE && report->row_count > 0) table_notes(report);
    if (report->rows) {
        (void)json_dumpf(report->rows, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
        putchar('\n');
        json_decref(report->rows);
    }
    free(report);
}

/* Draws the line over the last one on a terminal. NULL wipes the line. */
void bench_progress(const char *format, ...)
{
    static double start = -1;
    static double last = 0;
    static int drawn = 0;
    const double quiet_ms = 2000;
    const int terminal = isatty(STDERR_FILENO);
    if (start < 0) start = bench_now();
    if (!format) {
        if (drawn && terminal) fputs("\r\033[K", stderr);
        drawn = 0;
        return;
    }
    if (bench_now() - start < quiet_ms || (!terminal && bench_now() - last < quiet_ms)) return;
    last = bench_now();
    va_list arguments;
    va_start(arguments, format);
    if (terminal) fputs("\r\033[K", stderr);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (!terminal) fputc('\n', stderr);
    drawn = 1;
}

static const char *program = "moderncl-bench";

void bench_call_itself(const char *name)
{
    program = name;
}

void bench_note(const char *format, ...)
{
    bench_progress(NULL);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

int bench_failed(const char *what)
{
    bench_note("%s: %s", what, mcl_last_error());
    return -1;
}
