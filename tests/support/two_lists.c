/* two_lists.c: makes calls of cases on two lists that break the preconditions. */
#include "two_lists.h"

#include "arrays.h"
#include "guard.h"

#include <stdio.h>

enum { COUNT = TWO_LISTS_COUNT, OUTPUTS = 2, FIRST_BAD = 617 };

static void make_outputs(int device, int outputs, int64_t room, guarded out[OUTPUTS], case_operands *operands)
{
    for (int k = 0; k < outputs; k++) {
        guarded_create(test_device_at(device)->context, &element_int32, room, NULL, 2 + k, &out[k]);
        operands->out[k] = mcl_to_buffer(MCL_INT32, out[k].buffer, out[k].first, room);
    }
}

void two_lists_stay_inside(int device, const mcl_case *of, const case_variant *variant, const int32_t *keys,
                           int outputs, int64_t room, int shift, const mcl_options *options)
{
    mcl_queue *const queue = test_device_at(device)->queue;
    case_operands operands = { .result = mcl_to_nowhere() };
    guarded in[2], out[OUTPUTS];

    for (int k = 0; k < 2; k++) {
        guarded_create(test_device_at(device)->context, &element_int32, k ? COUNT / 3 : COUNT,
                       (const unsigned char *)keys, k ? 1 : shift, &in[k]);
        operands.in[k] = mcl_from_buffer(MCL_INT32, in[k].buffer, in[k].first, in[k].count);
    }
    make_outputs(device, outputs, room, out, &operands);
    test_ok(case_call(of, variant, COUNT, &operands, queue, options));
    for (int k = 0; k < outputs; k++) {
        const size_t start = (size_t)out[k].first * sizeof(int32_t), bytes = (size_t)room * sizeof(int32_t);
        test_ok(mcl_buffer_read(queue, out[k].buffer, start, bytes, out[k].content + start));
        guarded_unchanged(queue, &out[k], of->name);
        guarded_free(&out[k]);
    }
    for (int k = 0; k < 2; k++) {
        guarded_unchanged(queue, &in[k], of->name);
        guarded_free(&in[k]);
    }
}

void two_lists_name_unsorted_keys(int device, const mcl_case *of, const case_variant *variant, int outputs,
                                  const char *name)
{
    static int32_t good[COUNT], bad[COUNT];
    mcl_queue *const queue = test_device_at(device)->queue;
    const mcl_options options = { .flags = MCL_VALIDATE };
    case_operands operands = { .result = mcl_to_nowhere() };
    guarded out[OUTPUTS];
    char words[64];

    for (int k = 0; k < COUNT; k++) good[k] = bad[k] = k;
    bad[FIRST_BAD] = 3;
    bad[903] = 4;
    mcl_buffer *const good_buffer = ARRAY_OF(device, good), *const bad_buffer = ARRAY_OF(device, bad);
    make_outputs(device, outputs, (int64_t)2 * COUNT, out, &operands);
    for (int side = 0; side < 2; side++) {
        operands.in[side] = ints(bad_buffer, COUNT);
        operands.in[!side] = ints(good_buffer, COUNT);
        snprintf(words, sizeof words, "%s|%c[%d]", name, "ab"[side], FIRST_BAD);
        test_fails(case_call(of, variant, COUNT, &operands, queue, &options), MCL_ERROR_PRECONDITION, words);
    }
    for (int k = 0; k < outputs; k++) guarded_unchanged(queue, &out[k], name);
    operands.in[1] = ints(bad_buffer, FIRST_BAD);
    test_ok(case_call(of, variant, COUNT, &operands, queue, &options));
    for (int k = 0; k < outputs; k++) guarded_free(&out[k]);
    mcl_buffer_release(good_buffer);
    mcl_buffer_release(bad_buffer);
}
