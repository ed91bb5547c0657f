/* region_kernel.h: the kernel of regions.cl. The file needs no MPI, so that tools can compile the kernel for any
 * GPU. */
#ifndef MCL_MPI_REGION_KERNEL_H
#define MCL_MPI_REGION_KERNEL_H

#include "moderncl/kernel.h"

#include "regions.cl.h"

static inline mcl_kernel mcl__region_kernel(const mcl_type *type, const mcl_op *before)
{
    return (mcl_kernel){
        .name = "regions.cl",
        .text = regions_cl,
        .passes = { { "key_regions", "env keys pivots places regions" } },
        .operators = { { "before", MCL_ROLE_ORDER, before, type, NULL } },
        .inputs = { { .name = "keys", .type = type },
                    { .name = "pivots", .type = type },
                    { .name = "places", .type = MCL_INT64 } },
        .outputs = { { "regions", MCL_UINT8 } },
    };
}

#endif
