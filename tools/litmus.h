/* litmus.h: the litmus tests of moderncl-info: the library's own (src/context/probe.h), and pairs of groups that look
 * at each other's words (litmus.cl), which decide nothing. */
#ifndef LITMUS_H
#define LITMUS_H

#include <moderncl/moderncl.h>

typedef enum litmus_verdict {
    LITMUS_PASSED,
    LITMUS_FAILED,
    LITMUS_ALLOWED,  /* whatever was seen, the language allows it */
    LITMUS_NOT_SEEN, /* no two groups ran at the same time, so nothing is shown */
    LITMUS_NOT_TRIED /* the device or its language cannot say it */
} litmus_verdict;

enum { LITMUS_RESULTS_MAX = 16, LITMUS_COUNTS_MAX = 4 };

/* One test, and how often each outcome was seen. */
typedef struct litmus_result {
    const char *name;
    const char *way; /* of the words, as MCL_FEATURES names it; "": none */
    litmus_verdict verdict;
    struct {
        const char *what; /* NULL after the last */
        int64_t count;
    } counts[LITMUS_COUNTS_MAX];
    const char *meaning; /* for the ways that the library chooses */
} litmus_result;

const char *litmus_verdict_name(litmus_verdict verdict);

/* Runs every test on a device for about this time, once at least. Returns the number of results; -1 after a
 * failure: mcl_last_error. */
int litmus_run(const char *device, double seconds, litmus_result results[LITMUS_RESULTS_MAX]);

#endif
