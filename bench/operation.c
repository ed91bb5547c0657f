/* operation.c: rows of operations that the tests know too. An operation's file in tests/cases says which outputs it
 * has, how it is called and how many bytes it moves. */
#include "bench.h"

#include <stdlib.h>

void bench_operation_open(bench_case *c)
{
    c->variant = c->op->variant;
    c->variant.element = c->type->element;
    c->variant.test = c->type->lower;
    if (c->op->fold) c->variant.fold = c->op->fold(c->type);
    if (c->op->has_values) c->variant.value = c->type->value;
    c->expected.variant = &c->variant;
    c->expected.n = c->n;
}

mcl_status bench_add_elements(bench_case *c, const element *kind, int64_t count)
{
    const mcl_status status = bench_add_input(c, kind->type, count);
    unsigned char *host = c->problem.in[c->problem.in_count - 1].host;
    if (status == MCL_OK && c->bench->shapes_only) bench_fill_shape(c, c->problem.in_count - 1, kind, count);
    c->arrays[c->expected.input_count] = c->problem.in_count - 1;
    c->expected.inputs[c->expected.input_count++] = (case_input){ .element = kind, .count = count, .data = host };
    return status;
}

void bench_add_work(bench_case *c)
{
    c->arrays[c->expected.input_count] = -1;
    c->expected.inputs[c->expected.input_count++] =
        (case_input){ .element = &element_int32, .source = FROM_COUNTING, .count = c->n };
}

void bench_operation_expect(bench_case *c)
{
    c->op->operation->expect(&c->expected);
}

mcl_status bench_operation_outputs(bench_case *c)
{
    case_problem *expected = &c->expected;
    mcl_status status = MCL_OK;
    if (c->op->takes_result) {
        expected->outputs[expected->output_count++] = expected->result;
        expected->result.data = NULL;
    }
    for (int k = 0; k < expected->output_count && status == MCL_OK; k++) {
        status = bench_add_output(c, expected->outputs[k].element->type, expected->outputs[k].room);
        bench_array_expects(&c->problem.out[k], expected->outputs[k].data, expected->outputs[k].count);
        free(expected->outputs[k].earlier);
    }
    free(expected->result.data);
    return status;
}

double bench_operation_bytes(const bench_case *c)
{
    const case_problem *expected = &c->expected;
    double bytes = 0;
    if (c->op->operation->bytes_moved) return (double)c->op->operation->bytes_moved(expected);
    for (int k = 0; k < expected->input_count; k++)
        if (c->arrays[k] >= 0)
            bytes += (double)expected->inputs[k].count * (double)expected->inputs[k].element->type->size;
    for (int k = 0; k < expected->output_count - c->op->takes_result; k++)
        bytes += (double)expected->outputs[k].count * (double)expected->outputs[k].element->type->size;
    return bytes;
}

mcl_status bench_operation_run(const bench_case *c, const mcl_options *options)
{
    mcl_options own = options ? *options : (mcl_options){ 0 };
    const int outputs = c->expected.output_count - c->op->takes_result;
    case_operands operands = { .result = mcl_to_nowhere() };
    /* moderncl-tune may have replaced the row by one with the same data, so flags come from the present row */
    own.flags |= c->op->variant.flags;
    if (c->op->variant.sort_method != MCL_SORT_AUTO) own.sort_method = c->op->variant.sort_method;
    for (int k = 0; k < c->expected.input_count; k++)
        operands.in[k] = c->arrays[k] >= 0 ? bench_in(c, c->arrays[k]) : (mcl_input){ .count = c->n };
    for (int k = 0; k < outputs; k++) operands.out[k] = c->in_place ? bench_out_in_place(c, k) : bench_out(c, k);
    if (c->op->takes_result)
        operands.result = mcl_to_slot(c->problem.out[outputs].type, c->problem.out[outputs].device, 0);
    return c->op->operation->call(c->bench->queue, &c->expected, &operands, &own);
}
