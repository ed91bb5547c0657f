/* compact_case.c: mcl_compact, mcl_partition, mcl_unique and variants against the loop that looks at one element after
 * the other. The variant's kind says which function. */
#include "case.h"

#include <string.h>

enum {
    COMPACT,
    COMPACT_FLAGGED,
    COMPACT_STENCIL,
    PARTITION,
    PARTITION_FLAGGED,
    PARTITION_STENCIL,
    PARTITION_THREE,
    UNIQUE,
    UNIQUE_BY_KEY,
    RUN_LENGTH_ENCODE
};

/* The input that is tested. */
static int tested_input(int kind)
{
    return kind == COMPACT_FLAGGED || kind == COMPACT_STENCIL || kind == PARTITION_FLAGGED || kind == PARTITION_STENCIL;
}

static int finds_runs(int kind)
{
    return kind >= UNIQUE;
}

/* What elements are compared with: in the middle of their range. */
static void middle_of(const element *kind, unsigned char *limit)
{
    kind->from_integer(kind->span / 2, limit);
}

/* Where element k goes: 0, 1 or 2, -1 where it is dropped. */
static int way_of(const case_problem *problem, int64_t k)
{
    const int kind = problem->variant->kind;
    const case_input *tested = &problem->inputs[tested_input(kind)];
    const element *type = tested->element;
    const unsigned char *x = case_at(type, tested->data, k);
    unsigned char limit[MCL_VALUE_BYTES_MAX];
    int64_t flag = 0;

    middle_of(type, limit);
    if (finds_runs(kind)) return k == 0 || !element_same(type, x - type->type->size, x) ? 0 : -1;
    memcpy(&flag, x, type->type->size < sizeof flag ? type->type->size : sizeof flag);
    const int is_flagged = kind == COMPACT_FLAGGED || kind == PARTITION_FLAGGED;
    const int kept = is_flagged ? flag != 0 : type->before(limit, x);
    if (kept) return 0;
    if (kind == PARTITION_THREE) return k % 3 == 0 ? 1 : 2;
    return kind >= PARTITION ? 1 : -1;
}

/* Three of four elements repeat the one before them. */
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
    return kind == PARTITION_THREE ? 3 : kind >= PARTITION && kind <= PARTITION_STENCIL ? 2 : 1;
}

static void compact_reference(case_problem *problem, int64_t *counts)
{
    const int kind = problem->variant->kind;
    const int ways = way_count(kind);
    const case_input *in = &problem->inputs[0];
    int64_t run_start = 0;

    for (int w = 0; w < ways; w++) counts[w] = 0;
    for (int64_t k = 0; k < problem->n; k++) {
        const int way = way_of(problem, k);
        if (way < 0) continue;
        const case_output *out = &problem->outputs[way];
        memcpy(case_at(out->element, out->data, counts[way]), case_at(in->element, in->data, k),
               in->element->type->size);
        if (kind == UNIQUE_BY_KEY)
            memcpy(case_at(problem->inputs[1].element, problem->outputs[1].data, counts[0]),
                   case_at(problem->inputs[1].element, problem->inputs[1].data, k),
                   problem->inputs[1].element->type->size);
        if (kind == RUN_LENGTH_ENCODE && k > 0) {
            const element *length = problem->outputs[1].element;
            length->from_integer(k - run_start + length->zero,
                                 case_at(length, problem->outputs[1].data, counts[0] - 1));
            run_start = k;
        }
        counts[way]++;
    }
    if (kind != RUN_LENGTH_ENCODE || problem->n == 0) return;
    const element *length = problem->outputs[1].element;
    length->from_integer(problem->n - run_start + length->zero,
                         case_at(length, problem->outputs[1].data, counts[0] - 1));
}

/* Outputs are as large as what belongs there, so that the first element too many is seen. */
static void compact_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int kind = variant->kind;
    int64_t counts[3] = { 0, 0, 0 };

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    if (finds_runs(kind)) make_runs(&problem->inputs[0], problem->seed);
    if (tested_input(kind) || kind == UNIQUE_BY_KEY)
        case_add_input(problem, variant->value, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
    for (int w = 0; w < way_count(kind); w++) case_add_output(problem, variant->element, problem->n);
    if (kind == UNIQUE_BY_KEY || kind == RUN_LENGTH_ENCODE) case_add_output(problem, variant->value, problem->n);
    compact_reference(problem, counts);
    for (int o = 0; o < problem->output_count; o++) problem->outputs[o].count = counts[o < way_count(kind) ? o : 0];
    memcpy(case_add_results(problem, &element_int64, way_count(kind)), counts,
           (size_t)way_count(kind) * sizeof *counts);
}

/* limit sorts before x; numbers from the built-in order. */
static mcl_op above(const element *kind, const unsigned char *limit)
{
    mcl_op op = { .role = MCL_ROLE_TEST, .expression = "LESS(limit, x)", .binding_count = 1 };

    if (kind == &element_point) op.expression = "point_before(limit, x)";
    if (kind == &element_wide) op.expression = "wide_before(limit, x)";
    op.bindings[0] = mcl_binding_value("limit", kind->type, limit);
    return op;
}

static const mcl_op *equal(const element *kind)
{
    static const mcl_op points = { .role = MCL_ROLE_EQUALITY,
                                   .expression = "p.x == q.x && p.y == q.y && p.id == q.id" };
    static const mcl_op wides = { .role = MCL_ROLE_EQUALITY, .expression = "p.key == q.key" };

    return kind == &element_point ? &points : kind == &element_wide ? &wides : MCL_EQUAL;
}

static mcl_status compact_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                               const mcl_options *options)
{
    static const mcl_op third = { .role = MCL_ROLE_TEST, .expression = "i % 3 == 0" };
    const int kind = problem->variant->kind;
    const element *tested = problem->inputs[tested_input(kind)].element;
    unsigned char limit[MCL_VALUE_BYTES_MAX];
    middle_of(tested, limit);
    const mcl_op keep = above(tested, limit);

    switch (kind) {
    case COMPACT:
        return mcl_compact(queue, o->in[0], o->out[0], &keep, o->result, options);
    case COMPACT_FLAGGED:
        return mcl_compact_flagged(queue, o->in[0], o->in[1], o->out[0], o->result, options);
    case COMPACT_STENCIL:
        return mcl_compact_stencil(queue, o->in[0], o->in[1], o->out[0], &keep, o->result, options);
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
    { .element = &element_point, .threads = 128, .items = 3, .kind = PARTITION },
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
    { .element = &element_point, .value = &element_int64, .threads = 64, .items = 9, .kind = RUN_LENGTH_ENCODE },
    { .element = &element_uint32, .value = &element_int32, .threads = 1, .items = 100, .kind = RUN_LENGTH_ENCODE },
};
/* What the product adds. */
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
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = compact_make,
    .call = compact_call,
};
