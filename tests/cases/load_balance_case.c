/* load_balance_case.c: mcl_load_balance_search and mcl_transform_load_balanced against a loop over objects. Forms: what
 * is stored. element: of the offsets; value: of the outputs. */
#include "case.h"

#include <stdlib.h>

enum { OBJECTS, RANKS, BOTH, EXPRESSION };

static void store_number(const element *kind, int64_t number, unsigned char *out)
{
    kind->from_integer(number + kind->zero, out);
}

static void balance_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->value;
    int64_t *offsets;
    const int64_t objects = case_add_offsets(problem, variant->element, &offsets);
    unsigned char *first = case_add_output(problem, kind, problem->n);
    unsigned char *second = variant->form == BOTH ? case_add_output(problem, kind, problem->n) : NULL;

    for (int64_t object = 0; object < objects; object++)
        for (int64_t i = offsets[object]; i < offsets[object + 1]; i++) {
            const int64_t rank = i - offsets[object];
            const int64_t numbers[] = { object, rank, object, 3 * i + 5 * object - 7 * rank };
            store_number(kind, numbers[variant->form], case_at(kind, first, i));
            if (second) store_number(kind, rank, case_at(kind, second, i));
        }
    free(offsets);
}

static mcl_status balance_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                               const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_input *const counted = &operands->in[1];
    const mcl_work work = { counted->count, counted->count_slot, counted->count_slot_index };
    const mcl_output none = { 0 };
    const int32_t seven = 7;
    const mcl_binding binding = mcl_binding_value("seven", MCL_INT32, &seven);

    if (variant->form == EXPRESSION) {
        mcl_input item = mcl_from_expression(variant->value->type, "3 * i + 5 * object - seven * rank", NULL, &binding,
                                             1, counted->count);
        if (work.count_slot) item = mcl_with_count(item, work.count_slot, work.count_slot_index);
        return mcl_transform_load_balanced(queue, item, operands->in[0], operands->out[0], options);
    }
    return mcl_load_balance_search(queue, work, operands->in[0], variant->form == RANKS ? none : operands->out[0],
                                   variant->form == RANKS  ? operands->out[0]
                                   : variant->form == BOTH ? operands->out[1]
                                                           : none,
                                   options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int32, .value = &element_int32, .form = BOTH, .threads = 64, .items = 7 },
    { .element = &element_int64, .value = &element_int64, .form = BOTH, .threads = 1, .items = 31 },
    { .element = &element_uint64, .value = &element_int32, .threads = 128, .items = 8, .flags = MCL_INDEX_64 },
    { .element = &element_uint32, .value = &element_int64, .form = RANKS, .threads = 32, .items = 2 },
    { .element = &element_int32, .value = &element_int32, .form = RANKS, .threads = 1, .items = 1 },
    { .element = &element_int32, .value = &element_float, .form = EXPRESSION, .threads = 256, .items = 1 },
    { .element = &element_int32, .value = &element_int64, .form = EXPRESSION, .flags = MCL_VALIDATE },
    { .element = &element_int32, .value = &element_int32, .form = EXPRESSION, .threads = 20, .items = 5 },
};

const mcl_case load_balance_case = {
    .name = "load_balance",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = variants,
    .all_count = sizeof variants / sizeof variants[0],
    .make = balance_make,
    .call = balance_call,
};
