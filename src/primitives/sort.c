/* sort.c: mcl_sort, mcl_sort_pairs, mcl_sort_indices: what they check, and which way of sorting they take:
 * merge_sort.c or radix_sort.c. */
#include "call/gate.h"
#include "primitives/sort_call.h"

#include "moderncl/sort.h"

/* ---- checks ------------------------------------------------------------------------------------------------ */

/* An output may be just the range that its input reads; it shares no other memory with anything that is read. */
static mcl_status check_own_place(const mcl__sort_call *call, const char *input_name, const mcl_input *input,
                                  const char *output_name, const mcl_output *output)
{
    const int64_t count = call->keys.count;
    if (mcl__same_place(input, output))
        return mcl__check_in_place(call->function, input_name, input, output_name, output, count);
    return mcl__check_no_overlap(call->function, input_name, input, output_name, output, count);
}

static mcl_status sort_check_keys(const mcl__sort_call *call)
{
    const char *out = call->has_values ? "out_keys" : "out";
    MCL__TRY(mcl__check_room(call->function, out, &call->out, call->keys.count));
    if (!mcl__same_type(call->keys.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: keys are %s and %s is %s; they must be of one type", call->function,
                         call->keys.type->name, out, call->out.type->name);
    MCL__TRY(check_own_place(call, "keys", &call->keys, out, &call->out));
    return mcl__check_op_overlap(call->function, "before", call->before, out, &call->out, call->keys.count);
}

static mcl_status sort_check_values(const mcl__sort_call *call)
{
    const int64_t count = call->keys.count;
    MCL__TRY(mcl__check_room(call->function, "out_values", &call->out_values, count));
    if (!mcl__same_type(call->values.type, call->out_values.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values are %s and out_values is %s; they must be of one type",
                         call->function, call->values.type->name, call->out_values.type->name);
    MCL__TRY(mcl__check_as_many(call->function, "values", &call->values, "keys", count));
    MCL__TRY(check_own_place(call, "values", &call->values, "out_values", &call->out_values));
    MCL__TRY(mcl__check_no_overlap(call->function, "values", &call->values, "out_keys", &call->out, count));
    MCL__TRY(mcl__check_no_overlap(call->function, "keys", &call->keys, "out_values", &call->out_values, count));
    MCL__TRY(mcl__check_op_overlap(call->function, "before", call->before, "out_values", &call->out_values, count));
    const mcl_input written = mcl_from_buffer(call->out.type, call->out.buffer, call->out.offset, count);
    return mcl__check_no_overlap(call->function, "out_keys", &written, "out_values", &call->out_values, count);
}

/* The output of mcl_sort_indices is the call's out_values. */
static mcl_status sort_check_indices(const mcl__sort_call *call)
{
    const mcl_output *out = &call->out_values;
    const int64_t count = call->keys.count;
    MCL__TRY(mcl__check_room(call->function, "out", out, count));
    if (mcl__same_type(out->type, MCL_INT32) && count > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: out is MCL_INT32 with %lld keys; indices past 2147483647 need MCL_INT64",
                         call->function, (long long)count);
    MCL__TRY(mcl__check_no_overlap(call->function, "keys", &call->keys, "out", out, count));
    return mcl__check_op_overlap(call->function, "before", call->before, "out", out, count);
}

static mcl_status sort_check(const mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options)
{
    const int pairs = call->has_values && !call->drops_keys;
    const mcl__operand operands[] = {
        { "keys", .input = &call->keys },
        { "before", .op = call->before, .use = MCL__ORDER, .of = &call->keys },
        { pairs ? "out_keys" : "out", .output = call->drops_keys ? &call->out_values : &call->out,
          .types = call->drops_keys ? MCL__INDICES : MCL__ANY_TYPE },
        { pairs ? "values" : NULL, .input = &call->values },
        { "out_values", .output = &call->out_values },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, MCL__TAKES_SORT_METHOD | MCL__TAKES_SORT_BITS, operands));
    if (call->drops_keys) return sort_check_indices(call);
    MCL__TRY(sort_check_keys(call));
    return call->has_values ? sort_check_values(call) : MCL_OK;
}

/* mcl_sort_indices: the values are the keys' indices, in the output's type. */
static void sort_number_keys(mcl__sort_call *call)
{
    const int64_t zero = 0;
    const mcl_type *const index = mcl__same_type(call->out_values.type, MCL_INT64) ? MCL_INT64 : MCL_INT32;
    call->values = mcl_counting(index, &zero, call->keys.count);
}

/* ---- the way of sorting -------------------------------------------------------------------------------------- */

/* Where radix sort is the faster one of the two: here are all thresholds. It takes a pass for each byte of a key,
 * mergesort one for each doubling of the count, and on a GPU short passes all take the same time. */
static int radix_is_faster(const mcl_queue *queue, const mcl__sort_call *call)
{
    enum { COUNT_A_BYTE = 62500, COUNT_A_BYTE_PAIRS = 31250 };
    const int64_t passes = (int64_t)call->keys.type->size;
    if (!queue->context->limits.is_gpu) return 1;
    return call->keys.count >= passes * (call->has_values ? COUNT_A_BYTE_PAIRS : COUNT_A_BYTE);
}

/* Bits of a key that radix sort can be told to look at. */
static mcl_status check_bits(const mcl__sort_call *call, const mcl_options *options)
{
    const int bits = 8 * (int)call->keys.type->size;
    if (options->first_bit >= 0 && options->first_bit < options->end_bit && options->end_bit <= bits) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "%s: options->first_bit is %d and end_bit %d; expected 0 <= first_bit < end_bit <= %d, the bits "
                     "of a key",
                     call->function, options->first_bit, options->end_bit, bits);
}

static mcl_status sort_choose(const mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options,
                              int *by_radix)
{
    const mcl_sort_method method = options ? options->sort_method : MCL_SORT_AUTO;
    const int has_bits = options && (options->first_bit != 0 || options->end_bit != 0);
    const int applies = mcl__radix_sort_applies(call);
    if ((int)method < MCL_SORT_AUTO || (int)method > MCL_SORT_RADIX)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: options->sort_method is %d; expected MCL_SORT_AUTO, MCL_SORT_MERGE or MCL_SORT_RADIX",
                         call->function, (int)method);
    if (has_bits && method == MCL_SORT_MERGE)
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "%s: options->first_bit is %d and end_bit %d with MCL_SORT_MERGE; expected 0 and 0: only radix "
            "sort looks at a part of the bits",
            call->function, options->first_bit, options->end_bit);
    if ((has_bits || method == MCL_SORT_RADIX) && !applies)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "%s: radix sort is asked for with keys of type %s; expected keys of a built-in type, with "
                         "MCL_LESS or MCL_GREATER",
                         call->function, call->keys.type->name);
    if (has_bits) MCL__TRY(check_bits(call, options));
    *by_radix =
        applies && method != MCL_SORT_MERGE && (method == MCL_SORT_RADIX || has_bits || radix_is_faster(queue, call));
    return MCL_OK;
}

static mcl_status sort_run(mcl_queue *queue, mcl__sort_call *call, const mcl_options *options)
{
    int by_radix;
    MCL__TRY(sort_check(queue, call, options));
    if (call->drops_keys) sort_number_keys(call);
    MCL__TRY(sort_choose(queue, call, options, &by_radix));
    MCL__TRY(mcl__context_probe(queue->context));
    return by_radix ? mcl__radix_sort(queue, call, options) : mcl__merge_sort(queue, call, options);
}

/* ---- the functions ------------------------------------------------------------------------------------------- */

mcl_status mcl_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__sort_call call = { .function = "mcl_sort", .keys = keys, .out = out, .before = before };
    return sort_run(queue, &call, options);
}

mcl_status mcl_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                          mcl_output out_values, const mcl_op *before, const mcl_options *options)
{
    mcl__sort_call call = { .function = "mcl_sort_pairs",
                            .keys = keys,
                            .values = values,
                            .out = out_keys,
                            .out_values = out_values,
                            .before = before,
                            .has_values = 1 };
    return sort_run(queue, &call, options);
}

mcl_status mcl_sort_indices(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                            const mcl_options *options)
{
    mcl__sort_call call = { .function = "mcl_sort_indices",
                            .keys = keys,
                            .out_values = out,
                            .before = before,
                            .has_values = 1,
                            .drops_keys = 1 };
    return sort_run(queue, &call, options);
}
