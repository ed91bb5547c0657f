// primitives.cpp: the functions of Bullet that the library takes over. They are members of Bullet's classes, whose
// headers declare them, so that they reach the command queue of each object. exports.map lists them too.
#include "serve.h"
#include <Bullet3OpenCL/ParallelPrimitives/b3BoundSearchCL.h>
#include <Bullet3OpenCL/ParallelPrimitives/b3FillCL.h>
#include <Bullet3OpenCL/ParallelPrimitives/b3PrefixScanCL.h>
#undef B3_PREFIX_SCAN_CL_H // the guard of the next header too
#include <Bullet3OpenCL/ParallelPrimitives/b3PrefixScanFloat4CL.h>
#include <Bullet3OpenCL/ParallelPrimitives/b3RadixSort32CL.h>

void b3RadixSort32CL::execute(b3OpenCLArray<unsigned int> &keys, int bits)
{
    serve_sort_keys(m_commandQueue, keys.getBufferCL(), keys.size(), bits);
}

void b3RadixSort32CL::execute(b3OpenCLArray<b3SortData> &pairs, int bits)
{
    serve_sort_pairs(m_commandQueue, pairs.getBufferCL(), pairs.size(), bits);
}

void b3PrefixScanCL::execute(b3OpenCLArray<unsigned int> &in, b3OpenCLArray<unsigned int> &out, int count,
                             unsigned int *sum)
{
    serve_scan(m_commandQueue, in.getBufferCL(), out.getBufferCL(), count, sum);
}

void b3PrefixScanFloat4CL::execute(b3OpenCLArray<b3Vector3> &in, b3OpenCLArray<b3Vector3> &out, int count,
                                   b3Vector3 *sum)
{
    serve_scan_float4(m_commandQueue, in.getBufferCL(), out.getBufferCL(), count, sum ? sum->m_floats : nullptr);
}

void b3BoundSearchCL::execute(b3OpenCLArray<b3SortData> &pairs, int count, b3OpenCLArray<unsigned int> &out,
                              int out_count, Option option)
{
    if (option == COUNT)
        serve_counts(m_queue, pairs.getBufferCL(), count, out.getBufferCL(), out_count);
    else
        serve_bounds(m_queue, pairs.getBufferCL(), count, out.getBufferCL(), out_count, option == BOUND_LOWER);
}

void b3FillCL::execute(b3OpenCLArray<unsigned int> &array, const unsigned int value, int count, int offset)
{
    serve_fill(m_commandQueue, array.getBufferCL(), &value, sizeof value, count, offset);
}

void b3FillCL::execute(b3OpenCLArray<int> &array, const int value, int count, int offset)
{
    serve_fill(m_commandQueue, array.getBufferCL(), &value, sizeof value, count, offset);
}

void b3FillCL::execute(b3OpenCLArray<float> &array, const float value, int count, int offset)
{
    serve_fill(m_commandQueue, array.getBufferCL(), &value, sizeof value, count, offset);
}

void b3FillCL::execute(b3OpenCLArray<b3Int2> &array, const b3Int2 &value, int count, int offset)
{
    serve_fill(m_commandQueue, array.getBufferCL(), &value, sizeof value, count, offset);
}
