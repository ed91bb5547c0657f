/* context.h: contexts as they are opened. */
#ifndef MCL_CONTEXT_H
#define MCL_CONTEXT_H

#include "program/program.h"

/* context.c. Finishes a context that a backend has opened. This and the other adopt functions close what was opened
 * where they fail. */
mcl_status mcl__context_adopt(const mcl__backend *backend, mcl_context *opened, mcl_context **out);

/* prebuild.c: builds an assembled text, as MCL_DUMP_SOURCE writes it, for a preparing queue's device, so that the disk
 * cache, or the driver's own, has the program. is_large: the driver's code for launches of 65535 work-items or more
 * too. *was_there: the disk cache had it. */
mcl_status mcl__prebuild(mcl_queue *preparing, const char *name, const char *source, int is_large, int *was_there);

#endif
