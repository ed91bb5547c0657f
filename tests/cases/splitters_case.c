/* splitters_case.c: compares mcl_multisplit_by_splitters and its pairs with the obvious loop. A variant's length is the
 * number of buckets. value: type of the values in pairs. form: whether splitters have positions. Few keys are
 * different, so that many are equal. */
#include "case.h"

/* Returns the index of the input of splitters. Inputs: keys, perhaps values, splitters, perhaps positions. */
static int splitters_at(const case_problem *problem)
{
    return problem->variant->value ? 2 : 1;
}

/* ---- the inputs ------------------------------------------------------------------------------------------------- */

static void splitters_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t splitters = variant->length - 1;
    const int64_t wanted = problem->seed % 3 == 0 ? 5 : variant->length + 3;
    const int64_t span = wanted < kind->span ? wanted : kind->span;

    case_add_input(problem, kind, variant->source, problem->n, span, ORDER_RANDOM);
    if (variant->value) case_add_counting(problem, variant->value, 0, problem->n);
    case_add_input(problem, kind, FROM_BUFFER, splitters, span,
                   variant->descending ? ORDER_DESCENDING : ORDER_ASCENDING);
    if (variant->form != SPLITTERS_AT_POSITIONS) return;
    case_add_input(problem, &element_int64, FROM_BUFFER, splitters, 0, ORDER_RANDOM);
    for (int64_t s = 0; s < splitters; s++)
        element_int64.from_integer(element_int64.zero - 1 + s * problem->n / variant->length,
                                   case_at(&element_int64, problem->inputs[problem->input_count - 1].data, s));
}

/* ---- what it gives ---------------------------------------------------------------------------------------------- */

static int64_t bucket_of(const case_problem *problem, int64_t k)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const case_type type = { kind->before, kind->type->size };
    const case_input *splitters = &problem->inputs[splitters_at(problem)];
    const unsigned char *x = case_at(kind, problem->inputs[0].data, k);
    int64_t bucket = 0;

    for (int64_t s = 0; s < splitters->count; s++) {
        const unsigned char *splitter = case_at(kind, splitters->data, s);
        const int is_equal = !case_before(variant, type, x, splitter) && !case_before(variant, type, splitter, x);
        const int is_earlier = is_equal && variant->form == SPLITTERS_AT_POSITIONS && k < case_index(&splitters[1], s);
        bucket += !case_before(variant, type, x, splitter) && !is_earlier;
    }
    return bucket;
}

static void splitters_expect(case_problem *problem)
{
    case_expect_buckets(problem, splitters_at(problem), bucket_of);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static mcl_status splitters_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                                 const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    const int moved = splitters_at(problem);
    const mcl_input none = { 0 };
    mcl_input splitters = o->in[moved];
    const mcl_input positions = variant->form == SPLITTERS_AT_POSITIONS ? o->in[moved + 1] : none;

    splitters.count = variant->length - 1; /* the number of buckets stays, although other counts may become bounds */
    if (variant->value)
        return mcl_multisplit_by_splitters_pairs(queue, o->in[0], o->in[1], o->out[0], o->out[1], splitters, positions,
                                                 before, o->out[moved], o->out[moved + 1], options);
    return mcl_multisplit_by_splitters(queue, o->in[0], o->out[0], splitters, positions, before, o->out[moved],
                                       o->out[moved + 1], options);
}

#define AT_POSITIONS .form = SPLITTERS_AT_POSITIONS

static const case_variant variants[] = {
    { .element = &element_int32, .index_element = &element_int32, .length = 8 },
    { .element = &element_uint32,
      .value = &element_int32,
      .index_element = &element_uint32,
      .length = 256,
      AT_POSITIONS },
    { .element = &element_uint64,
      .threads = 64,
      .items = 7,
      .source = FROM_EXPRESSION,
      .index_element = &element_int64,
      .length = 100,
      AT_POSITIONS },
    { .element = &element_float,
      .threads = 32,
      .items = 5,
      .flags = MCL_INDEX_64,
      .index_element = &element_int32,
      .length = 2 },
    { .element = &element_double,
      .value = &element_wide,
      .threads = 1,
      .items = 31,
      .descending = 1,
      .index_element = &element_int32,
      .length = 37 },
    { .element = &element_point,
      .value = &element_int8,
      .threads = 128,
      .items = 3,
      .index_element = &element_int64,
      .length = 13,
      AT_POSITIONS },
    { .element = &element_int8, .threads = 32, .items = 31, .index_element = &element_int32, .length = 1 },
    { .element = &element_half,
      .value = &element_int64,
      .threads = 64,
      .items = 9,
      .flags = MCL_DETERMINISTIC,
      .index_element = &element_uint32,
      .length = 64 },
    { .element = &element_wide,
      .threads = 1,
      .items = 20,
      .index_element = &element_int32,
      .length = 200,
      AT_POSITIONS },
    { .element = &element_int32,
      .threads = 64,
      .items = 4,
      .descending = 1,
      .flags = MCL_VALIDATE,
      .index_element = &element_int32,
      .length = 5,
      AT_POSITIONS },
};
static const case_variant all_variants[] = {
    { .element = &element_int32, .index_element = &element_int64, .length = 8, AT_POSITIONS },
    { .element = &element_half, .index_element = &element_int32, .length = 16 },
    { .element = &element_wide, .index_element = &element_int32, .length = 33 },
    { .element = &element_double,
      .value = &element_point,
      .index_element = &element_int32,
      .length = 128,
      AT_POSITIONS },
};

const mcl_case splitters_case = {
    .name = "splitters",
    .tiled_as = "multisplit",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = splitters_make,
    .expect = splitters_expect,
    .call = splitters_call,
};
