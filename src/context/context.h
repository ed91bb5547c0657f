/* context.h: opens contexts, and builds programs before they are needed. */
#ifndef MCL_CONTEXT_H
#define MCL_CONTEXT_H

#include "program/program.h"

/* context.c. Finishes a context that a backend has opened. On failure it closes the context. */
mcl_status mcl__context_adopt(const mcl__backend *backend, mcl_context *opened, mcl_context **out);

/* prebuild.c. Builds an assembled text, as MCL_DUMP_SOURCE writes it, for the device of a preparing queue. Afterwards
 * the program is in the disk cache, or in the driver's own cache. With is_large the driver also generates its code for
 * launches of 65535 work-items or more. *was_there receives 1 if the disk cache already had the program. */
mcl_status mcl__prebuild(mcl_queue *preparing, const char *name, const char *source, int is_large, int *was_there);

#endif
