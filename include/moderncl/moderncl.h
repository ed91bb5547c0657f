/* moderncl.h: load-balanced data-parallel primitives in C for OpenCL and CUDA devices.
 *
 * A program uses it in these steps:
 *
 *   1. open a device         mcl_context_create(NULL, &context)
 *   2. make a queue          mcl_queue_create(context, 0, &queue)
 *   3. copy data there        mcl_buffer_create(context, bytes, data, &buffer)
 *   4. call primitives       mcl_reduce(queue, mcl_from_buffer(MCL_INT32, buffer, 0, n), MCL_ADD,
 *                                       mcl_to_host(MCL_INT32, &sum), NULL)
 *   5. release all three     mcl_buffer_release(buffer) and so on
 *
 * A call checks its arguments, enqueues its work and returns. It waits only for a result that goes to the host. Inputs
 * are buffers or expressions, counts may be on the device, and operators and types may be your own, given as C text.
 * Every failure has a status and a sentence (status.h). opencl.h and cuda.h, not included here, connect the library
 * with contexts, queues and buffers that an application already has. */
#ifndef MODERNCL_MODERNCL_H
#define MODERNCL_MODERNCL_H

#include "status.h"
#include "device.h"
#include "values.h"
#include "views.h"
#include "transform.h"
#include "reduce.h"
#include "find.h"
#include "scan.h"
#include "compact.h"
#include "partition.h"
#include "bulk.h"
#include "merge.h"
#include "cuts.h"
#include "sort.h"
#include "sorted_search.h"
#include "splitters.h"
#include "load_balance.h"
#include "interval.h"
#include "sets.h"
#include "join.h"
#include "segmented.h"
#include "by_key.h"
#include "segments.h"
#include "segmented_sort.h"
#include "segmented_top_k.h"
#include "locality_sort.h"
#include "map.h"
#include "multimap.h"
#include "histogram.h"
#include "kernel.h"
#include "multisplit.h"
#include "replay.h"
#include "top_k.h"
#include "group_by.h"
#include "host_data.h"

#define MCL_VERSION_MAJOR 0
#define MCL_VERSION_MINOR 9
#define MCL_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the loaded library, such as "0.9.0". The library may be newer than this header. */
MCL_API const char *mcl_version(void);

#ifdef __cplusplus
}
#endif
#endif
