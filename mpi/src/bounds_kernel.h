/* bounds_kernel.h: the kernel in bounds.cl. The file needs no MPI, so the kernel can be compiled for GPUs anywhere. */
#ifndef MCL_MPI_BOUNDS_KERNEL_H
#define MCL_MPI_BOUNDS_KERNEL_H

#include "moderncl/kernel.h"

#include "bounds.cl.h"

enum { MCL__BOUNDS_KEEP, MCL__BOUNDS_MOVE }; /* passes */

#define MCL__BOUNDS_SCALARS " first:int64_t low:int64_t high:int64_t stretch:index_type room:index_type"

static inline mcl_kernel mcl__bounds_kernel(const mcl_type *type, const mcl_op *before)
{
    return (mcl_kernel){
        .name = "bounds.cl",
        .text = bounds_cl,
        .passes = { [MCL__BOUNDS_KEEP] = { "bounds_keep",
                                           "env keys samples positions kept befores betweens" MCL__BOUNDS_SCALARS },
                    [MCL__BOUNDS_MOVE] = { "bounds_move", "env keys samples positions stretches counts offsets "
                                                          "kept" MCL__BOUNDS_SCALARS } },
        .operators = { { "before", MCL_ROLE_ORDER, before, type, NULL } },
        .inputs = { { .name = "keys", .type = type },
                    { .name = "samples", .type = type },
                    { .name = "positions", .type = MCL_INT64 },
                    { .name = "stretches", .type = type },
                    { .name = "counts", .type = MCL_INT64 },
                    { .name = "offsets", .type = MCL_INT64 } },
        .outputs = { { "kept", type }, { "befores", MCL_INT64 }, { "betweens", MCL_INT64 } },
    };
}

#endif
