/* context.h: contexts as they are opened, and what their devices are found to do. */
#ifndef MCL_CONTEXT_H
#define MCL_CONTEXT_H

#include "program/program.h"

/* context.c. Finishes a context that a backend has opened. This and the other adopt functions close what was opened
 * where they fail. */
mcl_status mcl__context_adopt(mcl_context *opened, mcl_context **out);

/* probe.c. Settles limits->word_path, sub_group_path and look_back by litmus kernels, once. The verdict is kept in the
 * disk cache. Called before the first program of a context is described. */
mcl_status mcl__context_probe(mcl_context *context);

/* prebuild.c: builds an assembled text, as MCL_DUMP_SOURCE writes it, for a preparing queue's device, so that the disk
 * cache, or the driver's own, has the program. is_large: the driver's code for launches of 65535 work-items or more
 * too. *was_there: the disk cache had it. */
mcl_status mcl__prebuild(mcl_queue *preparing, const char *name, const char *source, int is_large, int *was_there);

#endif
