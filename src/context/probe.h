/* probe.h: what a context's device is found to do. */
#ifndef MODERNCL_PROBE_H
#define MODERNCL_PROBE_H

#include "program/program.h"

/* Settles limits->word_path, sub_group_path and look_back by litmus kernels, once. The verdict is kept in the disk
 * cache. Called before the first program of a context is described. */
mcl_status mcl__context_probe(mcl_context *context);

#endif
