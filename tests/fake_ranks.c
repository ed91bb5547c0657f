/* fake_ranks.c: the kernel of moderncl_mpi, for kernel_texts. It needs no MPI. */
#include "fake_calls.h"

#include "splitter_kernel.h"

mcl_status call_splitter_ranks(const bench *at)
{
    const mcl_kernel kernel = mcl__splitter_kernel(at->element->type, at->element->before);
    mcl_tile tile;
    return mcl_kernel_tile(at->queue, &kernel, at->options, &tile);
}
