/* balance.h: what primitives share that balance the work items of objects: checks, scratch and the first pass. */
#ifndef MODERNCL_BALANCE_H
#define MODERNCL_BALANCE_H

#include "call/call.h"

#include "moderncl/load_balance.h"

/* What such a program's spec begins with: kernels in this order, inputs offsets and work, the define
 * PARTITION_THREADS. The kernels' first parameters are offsets, work and the split, then their own follow. */
enum { MCL__BALANCE_PARTITION, MCL__BALANCE_TILES };

/* What a tile needs of a work-group's memory: bits and counts. */
enum { MCL__BALANCE_ITEM_BYTES = 1, MCL__BALANCE_THREAD_BYTES = 8, MCL__BALANCE_FIXED_BYTES = 128 };

/* An input of which kernels use nothing but its count. */
mcl_input mcl__work_input(const mcl_work *work);

/* needed: elements of the output named, do not lie on work or offsets. */
mcl_status mcl__check_balance_overlap(const char *function, const mcl_input *work, const mcl_input *offsets,
                                      const char *output_name, const mcl_output *output, int64_t needed);
mcl_status mcl__validate_exclusive_offsets(mcl_queue *queue, const char *function, const mcl_input *offsets,
                                           const mcl_options *options);

/* Work-items of a group of the first pass. */
int mcl__balance_partition_threads(mcl__tile tile);

/* Groups of the second pass. */
int64_t mcl__balance_tiles(const mcl__spec *spec, const mcl__kernels *kernels);
/* What the first pass needs of the call's scratch. */
size_t mcl__balance_scratch(const mcl__spec *spec, const mcl__kernels *kernels);
/* Launches the first pass, unless the mapping is serial. args then holds what the kernels share. */
mcl_status mcl__balance_launch(mcl_queue *queue, const mcl__spec *spec, const mcl__kernels *kernels, mcl__args *args);

#endif
