/* merge_unique.h: a merge that drops duplicates. */
#ifndef MERGE_UNIQUE_H
#define MERGE_UNIQUE_H

#include <moderncl/moderncl.h>

/* The keys of a and b, both sorted by before, in order and each once. All are of one type; out must lie apart.
 * count: receives how many they are; out has at most its capacity of them. Waits only for a count on the host.
 * tile_threads: 0, or 1 for the serial mapping, or a group's. */
mcl_status merge_unique(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                        mcl_result count, int tile_threads);

#endif
