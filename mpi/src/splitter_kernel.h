/* splitter_kernel.h: the kernel of splitters.cl. The file needs no MPI, so that tools can compile the kernel for any
 * GPU. */
#ifndef MCL_MPI_SPLITTER_KERNEL_H
#define MCL_MPI_SPLITTER_KERNEL_H

#include "moderncl/kernel.h"

#include "splitters.cl.h"

static inline mcl_kernel mcl__splitter_kernel(const mcl_type *type, const mcl_op *before)
{
    return (mcl_kernel){
        .name = "splitters.cl",
        .text = splitters_cl,
        .passes = { { "splitter_ranks", "env samples sorted ranks own:index_type" } },
        .operators = { { "before", MCL_ROLE_ORDER, before, type, NULL } },
        .inputs = { { .name = "samples", .type = type }, { .name = "sorted", .type = type } },
        .outputs = { { "ranks", MCL_INT64 } },
    };
}

#endif
