/* compact_case.c: compares mcl_compact, mcl_partition, mcl_unique and variants with the loop over the elements. The
 * variant's kind is the function. */
#include "case.h"

/* Returns the index of the input that is tested. */
static int tested_input(int kind)
{
    return kind == COMPACT_FLAGGED || kind == COMPACT_STENCIL || kind == PARTITION_FLAGGED || kind == PARTITION_STENCIL;
}

/* Returns the number of columns of values that move with the elements. */
static int column_count(const case_variant *variant)
{
    const int kind = variant->kind;

    if (kind != COMPACT_COLUMNS && kind != PARTITION_COLUMNS && kind != UNIQUE_BY_KEY) return 0;
    return variant->length > 0 ? variant->length : 1;
}

static int finds_runs(int kind)
{
    return kind >= UNIQUE;
}

/* Makes the limit with which elements are compared: the middle of their range. */
static void middle_of(const element *kind, unsigned char *limit)
{
    kind->from_integer(kind->span / 2, limit);
}

/* Fills an input in which three of four elements repeat the element before them. */
static void make_runs(case_input *input, uint64_t seed)
{
    const size_t size = input->element->type->size;

    if (input->source != FROM_BUFFER && input->source != FROM_EXPRESSION) return;
    for (int64_t k = 1; k < input->count; k++) {
        if (test_random(seed, (uint64_t)k) % 4 == 0) continue;
        memcpy(input->data + (size_t)k * size, input->data + (size_t)(k - 1) * size, size);
        if (input->table) memcpy(input->table + (size_t)k * size, input->table + (size_t)(k - 1) * size, size);
    }
}

static int way_count(int kind)
{
    return kind == PARTITION_THREE ? 3 : kind >= PARTITION && kind <= PARTITION_COLUMNS ? 2 : 1;
}

static void compact_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int kind = variant->kind;

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    if (finds_runs(kind)) make_runs(&problem->inputs[0], problem->seed);
    for (int k = 0; k < tested_input(kind) + column_count(variant); k++)
        case_add_input(problem, variant->value, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
}

/* ---- what they give --------------------------------------------------------------------------------------------- */

static int is_kept(const case_problem *problem, const case_input *tested, const unsigned char *limit, int64_t k)
{
    const int kind = problem->variant->kind;
    const size_t size = tested->element->type->size;
    const unsigned char *x = tested->data + (size_t)k * size;
    int64_t flag = 0;

    if (finds_runs(kind)) return k == 0 || !element_same(tested->element, x - size, x);
    if (kind != COMPACT_FLAGGED && kind != PARTITION_FLAGGED)
        return problem->variant->test ? problem->variant->test->holds(x) : tested->element->before(limit, x);
    memcpy(&flag, x, size < sizeof flag ? size : sizeof flag);
    return flag != 0;
}

/* Returns the output of element k, which is not kept: 1 or 2, or -1 where it is dropped. */
static int way_of_others(int kind, int64_t k)
{
    if (kind == PARTITION_THREE) return k % 3 == 0 ? 1 : 2;
    return way_count(kind) > 1 ? 1 : -1;
}

/* Stores a run's length. The next run begins at end. */
static void store_length(const case_problem *problem, int64_t run, int64_t begin, int64_t end)
{
    const case_output *lengths = &problem->outputs[1];
    const element *kind = lengths->element;

    if (problem->variant->kind != RUN_LENGTH_ENCODE || run < 0) return;
    kind->from_integer(end - begin + kind->zero, case_at(kind, lengths->data, run));
}

static void compact_loop(const case_problem *problem, int64_t *counts)
{
    const int kind = problem->variant->kind, ways = way_count(kind), columns = column_count(problem->variant);
    const case_input *tested = &problem->inputs[tested_input(kind)];
    unsigned char limit[MCL_VALUE_BYTES_MAX] = { 0 };
    int64_t run_start = 0;

    if (!problem->variant->test) middle_of(tested->element, limit);
    for (int64_t k = 0; k < problem->n; k++) {
        const int way = is_kept(problem, tested, limit, k) ? 0 : way_of_others(kind, k);
        if (way < 0) continue;
        case_copy(&problem->inputs[0], k, problem->outputs[way].data, counts[way]);
        for (int c = 0; c < columns; c++)
            case_copy(&problem->inputs[1 + c], k, problem->outputs[(1 + c) * ways + way].data, counts[way]);
        store_length(problem, counts[0] - 1, run_start, k);
        run_start = k;
        counts[way]++;
    }
    store_length(problem, counts[0] - 1, run_start, problem->n);
}

static void compact_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int ways = way_count(variant->kind), has_lengths = variant->kind == RUN_LENGTH_ENCODE;
    int64_t counts[3] = { 0, 0, 0 };

    for (int w = 0; w < ways; w++) case_add_output(problem, variant->element, problem->n);
    for (int o = 0; o < ways * column_count(variant) + has_lengths; o++)
        case_add_output(problem, variant->value, problem->n);
    compact_loop(problem, counts);
    for (int o = 0; o < problem->output_count; o++) problem->outputs[o].count = counts[o % ways];
    memcpy(case_add_results(problem, &element_int64, ways), counts, (size_t)ways * sizeof *counts);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static const mcl_op *equal(const element *kind)
{
    static const mcl_op points = { .role = MCL_ROLE_EQUALITY,
                                   .expression = "p.x == q.x && p.y == q.y && p.id == q.id" };
    static const mcl_op wides = { .role = MCL_ROLE_EQUALITY, .expression = "p.key == q.key" };

    return kind == &element_point ? &points : kind == &element_wide ? &wides : MCL_EQUAL;
}

/* Calls with columns of values. A column's outputs follow each other, after the outputs of the elements. */
static mcl_status call_with_columns(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                                    const mcl_op *keep, const mcl_options *options)
{
    mcl_column columns[CASE_INPUTS];
    mcl_partition_column split[CASE_INPUTS];
    const int count = column_count(problem->variant), is_split = problem->variant->kind == PARTITION_COLUMNS;

    for (int k = 0; k < count; k++) {
        if (is_split)
            split[k] = (mcl_partition_column){ o->in[1 + k], o->out[2 + 2 * k], o->out[3 + 2 * k] };
        else
            columns[k] = (mcl_column){ o->in[1 + k], o->out[1 + k] };
    }
    if (is_split)
        return mcl_partition_columns(queue, o->in[0], o->out[0], o->out[1], split, count, keep, o->result, options);
    return mcl_compact_columns(queue, o->in[0], o->out[0], columns, count, keep, o->result, options);
}

static mcl_status compact_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                               const mcl_options *options)
{
    static const mcl_op third = { .role = MCL_ROLE_TEST, .expression = "i % 3 == 0" };
    const int kind = problem->variant->kind;
    const element *tested = problem->inputs[tested_input(kind)].element;
    unsigned char limit[MCL_VALUE_BYTES_MAX];
    if (!problem->variant->test) middle_of(tested, limit);
    const mcl_op keep = problem->variant->test ? problem->variant->test->op : case_above(tested, limit);

    switch (kind) {
    case COMPACT:
        return mcl_compact(queue, o->in[0], o->out[0], &keep, o->result, options);
    case COMPACT_FLAGGED:
        return mcl_compact_flagged(queue, o->in[0], o->in[1], o->out[0], o->result, options);
    case COMPACT_STENCIL:
        return mcl_compact_stencil(queue, o->in[0], o->in[1], o->out[0], &keep, o->result, options);
    case COMPACT_COLUMNS:
    case PARTITION_COLUMNS:
        return call_with_columns(queue, problem, o, &keep, options);
    case PARTITION:
        return mcl_partition(queue, o->in[0], o->out[0], o->out[1], &keep, o->result, options);
    case PARTITION_FLAGGED:
        return mcl_partition_flagged(queue, o->in[0], o->in[1], o->out[0], o->out[1], o->result, options);
    case PARTITION_STENCIL:
        return mcl_partition_stencil(queue, o->in[0], o->in[1], o->out[0], o->out[1], &keep, o->result, options);
    case PARTITION_THREE:
        return mcl_partition_three(queue, o->in[0], o->out[0], o->out[1], o->out[2], &keep, &third, o->result, options);
    case UNIQUE:
        return mcl_unique(queue, o->in[0], o->out[0], equal(tested), o->result, options);
    case UNIQUE_BY_KEY:
        return mcl_unique_by_key(queue, o->in[0], o->in[1], o->out[0], o->out[1], equal(tested), o->result, options);
    default:
        return mcl_run_length_encode(queue, o->in[0], o->out[0], o->out[1], equal(tested), o->result, options);
    }
}

static const case_variant variants[] = {
    { .element = &element_int32, .kind = COMPACT },
    { .element = &element_uint64, .threads = 64, .items = 7, .source = FROM_EXPRESSION, .kind = COMPACT },
    { .element = &element_float,
      .value = &element_int8,
      .threads = 32,
      .items = 5,
      .flags = MCL_INDEX_64,
      .kind = COMPACT_FLAGGED },
    { .element = &element_int32, .value = &element_uint8, .kind = COMPACT_FLAGGED },
    { .element = &element_int8,
      .value = &element_double,
      .threads = 1,
      .items = 31,
      .flags = MCL_DETERMINISTIC,
      .kind = COMPACT_STENCIL },
    { .element = &element_int32, .value = &element_point, .threads = 64, .items = 5, .kind = COMPACT_COLUMNS },
    { .element = &element_double, .value = &element_int8, .threads = 1, .items = 9, .kind = COMPACT_COLUMNS },
    { .element = &element_int32,
      .value = &element_point,
      .threads = 128,
      .items = 3,
      .kind = COMPACT_COLUMNS,
      .length = 7,
      .flags = MCL_INDEX_64 },
    { .element = &element_float,
      .value = &element_int64,
      .threads = 1,
      .items = 40,
      .kind = COMPACT_COLUMNS,
      .length = 8 },
    { .element = &element_int64, .threads = 64, .items = 4, .kind = COMPACT, .in_place = 1 },
    { .element = &element_int32,
      .value = &element_point,
      .threads = 1,
      .items = 16,
      .kind = COMPACT_COLUMNS,
      .length = 6,
      .in_place = 1 },
    { .element = &element_point, .threads = 128, .items = 3, .kind = PARTITION },
    { .element = &element_int64, .value = &element_int16, .threads = 64, .items = 6, .kind = PARTITION_COLUMNS },
    { .element = &element_int32,
      .value = &element_float,
      .threads = 1,
      .items = 20,
      .kind = PARTITION_COLUMNS,
      .length = 2,
      .flags = MCL_INDEX_64 },
    { .element = &element_half,
      .value = &element_int64,
      .threads = 256,
      .items = 1,
      .flags = MCL_DETERMINISTIC,
      .kind = PARTITION_FLAGGED },
    { .element = &element_int32, .threads = 1, .items = 8, .source = FROM_STEP, .kind = PARTITION_THREE },
    { .element = &element_int16, .threads = 64, .items = 31, .flags = MCL_INDEX_64, .kind = PARTITION_THREE },
    { .element = &element_double, .threads = 64, .items = 2, .kind = UNIQUE },
    { .element = &element_int32, .value = &element_wide, .threads = 32, .items = 8, .kind = UNIQUE_BY_KEY },
    { .element = &element_int16, .threads = 1, .items = 24, .kind = UNIQUE, .in_place = 1 },
    { .element = &element_int32,
      .value = &element_int64,
      .threads = 32,
      .items = 4,
      .kind = UNIQUE_BY_KEY,
      .in_place = 1,
      .flags = MCL_DETERMINISTIC },
    { .element = &element_point, .value = &element_int64, .threads = 64, .items = 9, .kind = RUN_LENGTH_ENCODE },
    { .element = &element_uint32, .value = &element_int32, .threads = 1, .items = 100, .kind = RUN_LENGTH_ENCODE },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .kind = COMPACT },
    { .element = &element_int32, .kind = COMPACT, .flags = MCL_DETERMINISTIC },
    { .element = &element_uint64, .kind = COMPACT },
    { .element = &element_half, .kind = COMPACT },
    { .element = &element_wide, .kind = COMPACT },
    { .element = &element_float, .value = &element_uint8, .kind = COMPACT_FLAGGED },
    { .element = &element_double, .value = &element_int64, .kind = COMPACT_FLAGGED, .flags = MCL_DETERMINISTIC },
    { .element = &element_point, .value = &element_wide, .kind = COMPACT_STENCIL },
    { .element = &element_int32, .kind = PARTITION },
    { .element = &element_double, .kind = PARTITION, .flags = MCL_DETERMINISTIC },
    { .element = &element_wide, .value = &element_int8, .kind = PARTITION_FLAGGED },
    { .element = &element_int32, .value = &element_float, .kind = PARTITION_STENCIL },
    { .element = &element_int32, .value = &element_point, .kind = PARTITION_COLUMNS, .flags = MCL_DETERMINISTIC },
    { .element = &element_point, .kind = PARTITION_THREE },
    { .element = &element_int64, .kind = PARTITION_THREE, .flags = MCL_DETERMINISTIC },
    { .element = &element_uint64, .kind = UNIQUE },
    { .element = &element_wide, .kind = UNIQUE, .flags = MCL_DETERMINISTIC },
    { .element = &element_int8, .value = &element_point, .kind = UNIQUE_BY_KEY },
    { .element = &element_int32, .value = &element_int32, .kind = UNIQUE_BY_KEY, .flags = MCL_DETERMINISTIC },
    { .element = &element_float, .value = &element_int32, .kind = RUN_LENGTH_ENCODE },
    { .element = &element_point, .value = &element_int64, .kind = RUN_LENGTH_ENCODE, .flags = MCL_DETERMINISTIC },
};

const mcl_case compact_case = {
    .name = "compact",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = compact_make,
    .expect = compact_expect,
    .call = compact_call,
};
