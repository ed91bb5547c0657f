/* fake_digits.c: calls of kernel_texts that move elements by digits: radix sorts and multisplits. */
#include "fake_calls.h"
#include "operations/sort/sort_operands.h"

/* Sorts numbers alone; structs are its values. */
static mcl_status radix_sort(const bench *at, int has_values)
{
    const int is_number = at->element->type->kind != MCL_KIND_STRUCT;
    const mcl__sort_operands call = {
        .keys = is_number ? from(at, 0) : mcl_from_buffer(MCL_INT32, at->buffers[0], 0, COUNT),
        .out = mcl_to_buffer(is_number ? at->element->type : MCL_INT32, at->buffers[1], 0, COUNT),
        .values = from(at, 2),
        .out_values = to(at, 3, COUNT),
        .before = MCL_LESS,
        .has_values = has_values
    };
    return is_number || has_values ? mcl__radix_sort(at->queue, &call, at->options) : MCL_OK;
}

/* Returns an operator for few buckets, or for many. */
static const mcl_op *bucket_of(const bench *at, int count)
{
    static const mcl_op low = { .role = MCL_ROLE_INDEX, .expression = "(uint32_t)x % 8" };
    static const mcl_op high = { .role = MCL_ROLE_INDEX, .expression = "(uint32_t)x >> 24" };
    static const mcl_op by_index = { .role = MCL_ROLE_INDEX, .expression = "i % 300" };
    if (at->element->type->kind == MCL_KIND_STRUCT) return &by_index;
    return count > 8 ? &high : &low;
}

static mcl_status split(const bench *at, int count)
{
    return mcl_multisplit(at->queue, from(at, 0), to(at, 1, COUNT), bucket_of(at, count), count,
                          mcl_to_buffer(MCL_INT32, at->buffers[2], 0, count + 1), (mcl_output){ 0 }, at->options);
}

static mcl_status split_pairs(const bench *at, int count)
{
    return mcl_multisplit_pairs(at->queue, from(at, 0), from(at, 2), to(at, 1, COUNT), to(at, 3, COUNT),
                                bucket_of(at, count), count, (mcl_output){ 0 }, (mcl_output){ 0 }, at->options);
}

static mcl_status split_by_splitters(const bench *at, int splitters)
{
    return mcl_multisplit_by_splitters_pairs(at->queue, from(at, 0), from(at, 2), to(at, 1, COUNT), to(at, 3, COUNT),
                                             mcl_from_buffer(at->element->type, at->buffers[4], 0, splitters),
                                             mcl_from_buffer(MCL_INT32, at->buffers[5], 0, 300), at->element->before,
                                             (mcl_output){ 0 }, (mcl_output){ 0 }, at->options);
}

static mcl_status sample(const bench *at, int stride)
{
    return mcl_splitters_sample(at->queue, from(at, 0), stride, 0, to(at, 1, COUNT), integers_to(at, 2), at->options);
}

static mcl_status choose(const bench *at, int parts)
{
    return mcl_splitters_choose(at->queue, from(at, 0), integers(at, 1),
                                mcl_from_buffer(MCL_INT32, at->buffers[2], 0, parts), to(at, 3, COUNT),
                                integers_to(at, 4), at->options);
}

#define CALL(name, call, number)                                                                                       \
    mcl_status call_##name(const bench *at)                                                                            \
    {                                                                                                                  \
        return call(at, number);                                                                                       \
    }
CALL(radix_sort_keys, radix_sort, 0)
CALL(radix_sort_pairs, radix_sort, 1)
CALL(multisplit_8, split, 8)
CALL(multisplit_256, split, 256)
CALL(multisplit_pairs_8, split_pairs, 8)
CALL(multisplit_pairs_256, split_pairs, 256)
CALL(samples, sample, 10)
CALL(splitters, choose, 100)
CALL(splitters_7, split_by_splitters, 7)
CALL(splitters_255, split_by_splitters, 255)
