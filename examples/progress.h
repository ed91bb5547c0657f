/* progress.h: a line on the terminal for each program that the first run compiles, which takes a while. */
#ifndef EXAMPLE_PROGRESS_H
#define EXAMPLE_PROGRESS_H

#include <moderncl/moderncl.h>

#include <stdio.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <io.h>
#define PROGRESS_IS_SEEN() _isatty(2)
#else
#include <unistd.h>
#define PROGRESS_IS_SEEN() isatty(2)
#endif

static inline void progress_write(const mcl_build *build, void *user)
{
    (void)user;
    if (build->step == MCL_BUILD_BEGINS) fprintf(stderr, "%s compiles %s ... ", build->function, build->program);
    if (build->step == MCL_BUILD_ENDS) fprintf(stderr, "%.1f s\n", build->milliseconds / 1000);
    (void)fflush(stderr);
}

/* Writes nothing where stderr is no terminal, or MCL_LOG asks for the same. */
static inline void progress_show(mcl_context *context)
{
    if (PROGRESS_IS_SEEN() && !getenv("MCL_LOG")) (void)mcl_context_set_build_function(context, progress_write, NULL);
}

#endif
