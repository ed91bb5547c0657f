/* fake_ranks.c: the kernels of moderncl_mpi, for kernel_texts. They need no MPI. */
#include "fake_calls.h"

#include "bounds_kernel.h"
#include "region_kernel.h"
#include "splitter_kernel.h"

mcl_status call_splitter_ranks(const bench *at)
{
    const mcl_kernel kernel = mcl__splitter_kernel(at->element->type, at->element->before);
    mcl_tile tile;
    return mcl_kernel_tile(at->queue, &kernel, at->options, &tile);
}

mcl_status call_key_regions(const bench *at)
{
    const mcl_kernel kernel = mcl__region_kernel(at->element->type, at->element->before);
    mcl_tile tile;
    return mcl_kernel_tile(at->queue, &kernel, at->options, &tile);
}

mcl_status call_bounds(const bench *at)
{
    const mcl_kernel kernel = mcl__bounds_kernel(at->element->type, at->element->before);
    mcl_tile tile;
    return mcl_kernel_tile(at->queue, &kernel, at->options, &tile);
}
