/* progress.h: how far the samples are and how long the rest will take, on stderr: a bar on a terminal, else
 * few lines. */
#ifndef RENDERER_PROGRESS_H
#define RENDERER_PROGRESS_H

#include <stdint.h>

typedef struct progress {
    int64_t steps, done;
    double begun, shown; /* seconds */
    int is_terminal;
} progress;

/* Seconds since some moment; and those that a processor has worked for this thread. */
double seconds_now(void);
double seconds_worked(void);

progress progress_begin(int64_t steps);
void progress_step(progress *of);
void progress_end(progress *of);

#endif
