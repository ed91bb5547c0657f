/* load_balance_case.c: compares mcl_load_balance_search and mcl_transform_load_balanced with a loop over objects.
 * Forms: the outputs that are stored. element: type of the offsets; value: type of the outputs. */
#include "case.h"

#include <stdlib.h>

static void store_number(const element *kind, int64_t number, unsigned char *out)
{
    kind->from_integer(number + kind->zero, out);
}

static void balance_make(case_problem *problem)
{
    int64_t *offsets;
    (void)case_add_offsets(problem, problem->variant->element, &offsets);
    free(offsets);
}

static void balance_expect(case_problem *problem)
{
    const int form = problem->variant->form;
    const element *kind = problem->variant->value;
    const case_input *offsets = &problem->inputs[0];
    unsigned char *first = case_add_output(problem, kind, problem->n);
    unsigned char *second = form == BALANCE_BOTH ? case_add_output(problem, kind, problem->n) : NULL;

    for (int64_t object = 0; object < offsets->count; object++) {
        const int64_t begin = case_index(offsets, object);
        const int64_t end = object + 1 < offsets->count ? case_index(offsets, object + 1) : problem->n;
        for (int64_t i = begin; i < end; i++) {
            const int64_t numbers[] = { object, i - begin, object, 3 * i + 5 * object - 7 * (i - begin) };
            store_number(kind, numbers[form], case_at(kind, first, i));
            if (second) store_number(kind, i - begin, case_at(kind, second, i));
        }
    }
}

static mcl_status balance_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                               const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_input *const counted = &operands->in[1];
    const mcl_work work = { counted->count, counted->count_slot, counted->count_slot_index, counted->count_slot_type };
    const mcl_output none = { 0 };
    const int32_t seven = 7;
    const mcl_binding binding = mcl_binding_value("seven", MCL_INT32, &seven);

    if (variant->form == BALANCE_EXPRESSION) {
        mcl_input item = mcl_from_expression(variant->value->type, "3 * i + 5 * object - seven * rank", NULL, &binding,
                                             1, counted->count);
        if (work.count_slot)
            item = mcl_with_count_of(item, work.count_slot_type, work.count_slot, work.count_slot_index);
        return mcl_transform_load_balanced(queue, item, operands->in[0], operands->out[0], options);
    }
    return mcl_load_balance_search(queue, work, operands->in[0],
                                   variant->form == BALANCE_RANKS ? none : operands->out[0],
                                   variant->form == BALANCE_RANKS  ? operands->out[0]
                                   : variant->form == BALANCE_BOTH ? operands->out[1]
                                                                   : none,
                                   options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int32, .value = &element_int32, .form = BALANCE_BOTH, .threads = 64, .items = 7 },
    { .element = &element_int64, .value = &element_int64, .form = BALANCE_BOTH, .threads = 1, .items = 31 },
    { .element = &element_uint64, .value = &element_int32, .threads = 128, .items = 8, .flags = MCL_INDEX_64 },
    { .element = &element_uint32, .value = &element_int64, .form = BALANCE_RANKS, .threads = 32, .items = 2 },
    { .element = &element_int32, .value = &element_int32, .form = BALANCE_RANKS, .threads = 1, .items = 1 },
    { .element = &element_int32, .value = &element_float, .form = BALANCE_EXPRESSION, .threads = 256, .items = 1 },
    { .element = &element_int32, .value = &element_int64, .form = BALANCE_EXPRESSION, .flags = MCL_VALIDATE },
    { .element = &element_int32, .value = &element_int32, .form = BALANCE_EXPRESSION, .threads = 20, .items = 5 },
};

const mcl_case load_balance_case = {
    .name = "load_balance",
    CASE_VARIANTS(variants),
    CASE_ALL(variants),
    .make = balance_make,
    .expect = balance_expect,
    .call = balance_call,
};
