/* litmus.h: the litmus tests of moderncl-info: the library's own (src/context/probe.h), and tests of pairs of groups
 * that look at each other's words (litmus.cl). Nothing depends on the tests of pairs. */
#ifndef LITMUS_H
#define LITMUS_H

#include <moderncl/moderncl.h>

typedef enum litmus_verdict {
    LITMUS_PASSED,
    LITMUS_FAILED,
    LITMUS_ALLOWED,  /* the language allows all outcomes that were seen */
    LITMUS_NOT_SEEN, /* no two groups ran at the same time, so the test shows nothing */
    LITMUS_NOT_TRIED /* the device or its language cannot express the test */
} litmus_verdict;

enum { LITMUS_RESULTS_MAX = 16, LITMUS_COUNTS_MAX = 4 };

/* A test, and how often each of its outcomes was seen. */
typedef struct litmus_result {
    const char *name;
    const char *way; /* name of the words' way, as in MCL_FEATURES; "": none */
    litmus_verdict verdict;
    struct {
        const char *what; /* description of the outcome; NULL after the last */
        int64_t count;
    } counts[LITMUS_COUNTS_MAX];
    const char *meaning; /* meaning for the ways that the library chooses */
} litmus_result;

const char *litmus_verdict_name(litmus_verdict verdict);

/* Runs every test on a device, for about seconds, and at least once.
 * Returns the number of results, or -1 after a failure (mcl_last_error). */
int litmus_run(const char *device, double seconds, litmus_result results[LITMUS_RESULTS_MAX]);

#endif
