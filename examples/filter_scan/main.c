/* main.c: an account's statement, made on a device and checked against a plain loop.
 *
 *     filter_scan [--device D] [--threads N] [BOOKINGS]
 *
 * --threads 1 is the serial mapping, more a work-group's. */
#include "filter_scan.h"
#include "../progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAYS = 365, FIRST_DAY = 90, END_DAY = 181 };

static void make_bookings(booking *bookings, int32_t count)
{
    uint64_t state = 1;
    for (int32_t k = 0; k < count; ++k) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bookings[k].day = (int32_t)(state >> 33) % DAYS;
        bookings[k].cents = (int32_t)(state >> 40 & 0xfffff) - 500000;
        bookings[k].partner = (int32_t)(state >> 50);
    }
}

/* What the device must find. */
static balance plain_statement(const booking *bookings, int32_t count, entry *entries)
{
    balance now = balance_zero();
    for (int32_t k = 0; k < count; ++k) {
        const balance own = balance_of(bookings[k], FIRST_DAY, END_DAY);
        if (own.count == 0) continue;
        now = balance_add(now, own);
        entries[now.count - 1] = entry_of(bookings[k], k, now);
    }
    return now;
}

static mcl_status device_statement(const char *device, int threads, const booking *bookings, int32_t count,
                                   entry *entries, balance *total)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *in = NULL, *out = NULL, *sum = NULL;
    mcl_status status = mcl_context_create(device, &context);
    if (status == MCL_OK) progress_show(context);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &queue);
    if (status == MCL_OK) status = mcl_buffer_create(context, (size_t)count * sizeof *bookings, bookings, &in);
    if (status == MCL_OK) status = mcl_buffer_create(context, (size_t)count * sizeof *entries, NULL, &out);
    if (status == MCL_OK) status = mcl_buffer_create(context, sizeof *total, NULL, &sum);
    if (status == MCL_OK)
        status =
            filter_scan(queue, mcl_from_buffer(&booking_type, in, 0, count), FIRST_DAY, END_DAY,
                        mcl_to_buffer(&entry_type, out, 0, count), mcl_to_buffer(&balance_type, sum, 0, 1), threads);
    if (status == MCL_OK) status = mcl_buffer_read(queue, sum, 0, sizeof *total, total);
    if (status == MCL_OK && total->count <= count)
        status = mcl_buffer_read(queue, out, 0, (size_t)total->count * sizeof *entries, entries);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(sum);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

static int compare(const entry *found, const balance *total, const entry *expected, const balance *expected_total)
{
    int64_t k = 0;
    if (total->count != expected_total->count || total->cents != expected_total->cents) {
        fprintf(stderr, "filter_scan: %lld bookings of %lld cents; expected %lld of %lld\n", (long long)total->count,
                (long long)total->cents, (long long)expected_total->count, (long long)expected_total->cents);
        return 1;
    }
    while (k < total->count && memcmp(&found[k], &expected[k], sizeof *found) == 0) ++k;
    if (k == total->count) return 0;
    fprintf(stderr, "filter_scan: entry %lld is of booking %d with %lld cents; expected %d with %lld\n", (long long)k,
            found[k].booking, (long long)found[k].cents, expected[k].booking, (long long)expected[k].cents);
    return 1;
}

static int run(const char *device, int threads, int32_t count)
{
    const size_t room = (size_t)count + 1;
    booking *const bookings = calloc(room, sizeof *bookings);
    entry *const found = calloc(room, sizeof *found), *const expected = calloc(room, sizeof *expected);
    balance total = { 0, 0 };
    int failed = 1;
    if (!bookings || !found || !expected) {
        fprintf(stderr, "filter_scan: no memory for %d bookings\n", count);
    } else {
        make_bookings(bookings, count);
        const balance expected_total = plain_statement(bookings, count, expected);
        if (device_statement(device, threads, bookings, count, found, &total) != MCL_OK)
            fprintf(stderr, "%s\n", mcl_last_error());
        else
            failed = compare(found, &total, expected, &expected_total);
    }
    if (!failed)
        printf("%lld of %d bookings are from day %d to %d, and change the balance by %.2f\n", (long long)total.count,
               count, FIRST_DAY, END_DAY - 1, (double)total.cents / 100);
    free(bookings);
    free(found);
    free(expected);
    return failed;
}

int main(int argc, char **argv)
{
    const char *device = NULL;
    int threads = 0;
    long count = 100000;
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--device") == 0 && k + 1 < argc)
            device = argv[++k];
        else if (strcmp(argv[k], "--threads") == 0 && k + 1 < argc)
            threads = (int)strtol(argv[++k], NULL, 10);
        else
            count = strtol(argv[k], NULL, 10);
    }
    if (count >= 0 && count <= 100000000) return run(device, threads, (int32_t)count);
    fprintf(stderr, "usage: filter_scan [--device D] [--threads N] [BOOKINGS]\n");
    return 2;
}
