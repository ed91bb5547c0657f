/* run_case.c: from a problem to device operands, the call, and the checks. */
#include "run_case.h"

#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_LIMIT = 3000, MANY_PASSES_SMALL_LIMIT = 600, BOUND_EXTRA = 5, WHAT_BYTES = 512 };

static const int64_t sizes[] = {
    0,   1,   2,   10,   31,   32,   33,   63,   64,   65,    127,   128,   129,   255,    256,     257,
    511, 512, 513, 1000, 1023, 1024, 1025, 2345, 4096, 11001, 65535, 65536, 65537, 100000, 1048699,
};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

/* What one problem has on the device. */
typedef struct bench_top {
    const mcl_case *c;
    const case_problem *problem;
    test_device *device;
    int turn;
    int on_slots; /* counts come from the device */
    guarded inputs[CASE_INPUTS];
    guarded outputs[CASE_OUTPUTS];
    guarded result;
    mcl_buffer *counts;
    unsigned char host_result[MCL_VALUE_BYTES_MAX];
    case_operands operands;
    char what[WHAT_BYTES];
} bench_top;

static const char *about(bench_top *top, const char *part, int number)
{
    const case_problem *problem = top->problem;
    char variant[WHAT_BYTES / 2];

    case_describe(top->c, problem->variant, variant, sizeof variant);
    snprintf(top->what, sizeof top->what, "%s on %s, n %lld, seed %llu, turn %d%s%s: %s %d", variant,
             top->device->info.id, (long long)problem->n, (unsigned long long)problem->seed, top->turn,
             top->on_slots ? ", counts on the device" : "", problem->has_initial ? ", initial" : "", part, number);
    return top->what;
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static mcl_input spread_input(const bench_top *top, int which, int64_t bound)
{
    const case_input *input = &top->problem->inputs[which];
    const guarded *array = &top->inputs[which];
    const mcl_type *type = input->element->type;
    unsigned char start[MCL_VALUE_BYTES_MAX];
    unsigned char step[MCL_VALUE_BYTES_MAX];

    if (input->source == FROM_BUFFER) return mcl_from_buffer(type, array->buffer, array->first, bound);
    input->element->from_integer(input->start, start);
    input->element->from_integer(input->step + input->element->zero, step);
    if (input->source == FROM_COUNTING) return mcl_counting(type, start, bound);
    if (input->source == FROM_STEP) return mcl_step(type, start, step, bound);
    if (input->source == FROM_CONSTANT) return mcl_constant(type, start, bound);

    const mcl_binding bindings[] = { mcl_bind_buffer("table", type, array->buffer, array->first),
                                     mcl_bind_value("shift", type, start) };
    return mcl_expression(type, input->element->shifted, NULL, bindings, 2, bound);
}

static void make_inputs(bench_top *top)
{
    const case_problem *problem = top->problem;
    int64_t counts[1 + CASE_INPUTS] = { -1, 0, 0, 0, 0 };

    for (int i = 0; i < problem->input_count; i++) {
        const case_input *input = &problem->inputs[i];
        const unsigned char *data = input->source == FROM_EXPRESSION ? input->table : input->data;
        if (input->source == FROM_BUFFER || input->source == FROM_EXPRESSION)
            guarded_create(top->device->context, input->element, input->count, data, top->turn % 4, &top->inputs[i]);
        counts[1 + i] = input->count;
    }
    test_ok(mcl_buffer_create(top->device->context, sizeof counts, counts, &top->counts));
    for (int i = 0; i < problem->input_count; i++) {
        const int extra = top->on_slots && top->c != &partition_case ? BOUND_EXTRA : 0;
        top->operands.in[i] = spread_input(top, i, problem->inputs[i].count + extra);
        if (top->on_slots && i < 2) top->operands.in[i] = mcl_with_count(top->operands.in[i], top->counts, 1 + i);
    }
}

static void make_outputs(bench_top *top)
{
    const case_problem *problem = top->problem;
    const int extra = top->on_slots ? 2 * BOUND_EXTRA : 0;

    for (int i = 0; i < problem->output_count; i++) {
        const case_output *output = &problem->outputs[i];
        guarded *array = &top->outputs[i];
        if (problem->variant->in_place) {
            *array = top->inputs[i];
            array->kind = output->element;
        } else
            guarded_create(top->device->context, output->element, output->count, output->earlier, top->turn % 3, array);
        top->operands.out[i] = mcl_to_buffer(output->element->type, array->buffer, array->first, output->count + extra);
    }
}

static void make_result(bench_top *top)
{
    const element *kind = top->problem->result.element;

    top->operands.result = mcl_nowhere();
    if (!kind) return;
    guarded_create(top->device->context, kind, top->problem->result.count, NULL, top->turn % 2, &top->result);
    memset(top->host_result, 0x5A, sizeof top->host_result);
    switch (top->turn % 4) {
    case 0:
        top->operands.result = mcl_to_host(kind->type, top->host_result);
        break;
    case 1:
        top->operands.result = mcl_to_slot(kind->type, top->result.buffer, top->result.first);
        break;
    case 2:
        top->operands.result =
            mcl_to_host_and_slot(kind->type, top->host_result, top->result.buffer, top->result.first);
        break;
    default:
        break;
    }
}

/* ---- checks ----------------------------------------------------------------------------------------------------- */

static void check_result(bench_top *top)
{
    const case_output *result = &top->problem->result;

    if (!result->element) return;
    if (top->operands.result.host)
        test_same_elements(result->element, top->host_result, result->data, result->count, about(top, "result", 0));
    guarded_expect(top->device->queue, &top->result, result->data, top->operands.result.buffer ? result->count : 0,
                   about(top, "result slot", 0));
}

static void check_all(bench_top *top)
{
    const case_problem *problem = top->problem;

    check_result(top);
    for (int i = 0; i < problem->output_count; i++)
        guarded_expect(top->device->queue, &top->outputs[i], problem->outputs[i].data, problem->outputs[i].count,
                       about(top, "output", i));
    for (int i = problem->variant->in_place ? problem->output_count : 0; i < problem->input_count; i++)
        if (top->inputs[i].buffer) guarded_unchanged(top->device->queue, &top->inputs[i], about(top, "input", i));
}

static void clear_away(bench_top *top)
{
    for (int i = 0; i < top->problem->input_count; i++)
        if (top->inputs[i].buffer) guarded_free(&top->inputs[i]);
    for (int i = 0; i < top->problem->output_count && !top->problem->variant->in_place; i++)
        guarded_free(&top->outputs[i]);
    if (top->result.buffer) guarded_free(&top->result);
    mcl_buffer_release(top->counts);
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

void run_problem(const mcl_case *c, const case_variant *variant, int device, int64_t n, int turn)
{
    bench_top top = { .c = c, .device = test_round_device(device), .turn = turn, .on_slots = turn % 3 == 1 };
    case_problem problem;
    mcl_options options = { .flags = variant->flags, .tile_threads = variant->threads, .tile_items = variant->items };

    if (n == 0 && variant->fold && !variant->fold->identity) return;
    case_make(c, variant, n, (uint64_t)turn + 17u, turn % 5 == 2, &problem);
    top.problem = &problem;
    if (problem.has_initial) options.initial = problem.initial;
    make_inputs(&top);
    make_outputs(&top);
    make_result(&top);
    const mcl_status status = c->call(top.device->queue, &problem, &top.operands, &options);
    test_status_is(status, MCL_OK, about(&top, "call", 0), __FILE__, __LINE__);
    check_all(&top);
    clear_away(&top);
    case_free(&problem);
}

static int needs_double(const case_variant *variant)
{
    const fold *by = variant->fold;
    const element *kinds[] = { variant->element, variant->value, by ? by->in : NULL, by ? by->value : NULL,
                               by ? by->stored : NULL };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i] && kinds[i]->needs_double) return 1;
    return 0;
}

/* What the device's own compiler cannot do; NULL: nothing known. */
static const char *compiler_fault(const mcl_device_info *info, const case_variant *variant)
{
    const element *const value = variant->fold ? variant->fold->value : NULL;
    if (strcmp(info->vendor, "Mesa") != 0 || info->is_gpu || !value) return NULL;
    if (value->type->size == 1) return "llvmpipe crashes while it compiles sums of 8 bits";
    if (value->type->kind == MCL_KIND_STRUCT) return "llvmpipe crashes while it compiles some folds of structs";
    return NULL;
}

int run_case_skips(const mcl_case *c, const case_variant *variant, int device)
{
    const mcl_device_info *const info = &test_device_at(device)->info;
    const char *why = compiler_fault(info, variant);
    char text[WHAT_BYTES];

    if (!info->has_double && needs_double(variant)) why = "no double";
    if (c == &map_case && strcmp(info->status_word_path, "none") == 0 &&
        (variant->element->type->size == 8 || variant->value->type->size == 8))
        why = "no 64-bit atomics between groups";
    if (!why) return 0;
    case_describe(c, variant, text, sizeof text);
    return test_skip(device, text, why);
}

static const case_variant *case_list(const mcl_case *c, int *count)
{
    static const mcl_case *listed;
    static case_variant *product;
    static int product_count;

    *count = c->variant_count;
    if (!test_is_full()) return c->variants;
    if (listed != c) {
        free(product);
        product = case_product(c, &product_count);
        listed = c;
    }
    *count = product_count;
    return product;
}

int run_case_rounds(const mcl_case *c)
{
    const int step = test_sample_step();
    int count;

    case_list(c, &count);
    return (count + step - 1 - step / 2) / step;
}

static int64_t largest_size(const mcl_case *c, const case_variant *variant)
{
    if (test_is_small()) return c == &radix_sort_case || c == &map_case ? MANY_PASSES_SMALL_LIMIT : SMALL_LIMIT;
    if (c == &sort_case && variant->threads) return 65537; /* many levels already with these small tiles */
    if (c == &partition_case) return 65537;                /* its loop is quadratic */
    return c == &segmented_sort_case || c == &locality_sort_case ? 100000 : sizes[SIZE_COUNT - 1]; /* slow ones */
}

/* Elements of a tile: the options', or what the library chooses where they leave it open. */
static int64_t tile_size(const mcl_case *c, const case_variant *variant, int device)
{
    int threads = 0;
    int items = 0;

    test_ok(mcl_context_tile(test_round_device(device)->context, c->name, case_element(variant)->type->size, &threads,
                             &items));
    if (variant->threads) threads = variant->threads;
    if (variant->items) items = variant->items;
    return (int64_t)threads * items;
}

void run_case_round(const mcl_case *c, int round)
{
    int count;
    const case_variant *list = case_list(c, &count);
    const int rounds = run_case_rounds(c);
    const int step = test_sample_step();
    /* not the first of the list, whose tile the device chooses: a CPU would do without groups */
    const case_variant *variant = &list[round % rounds * step + step / 2];
    const int device = round / rounds;
    const int64_t tile = tile_size(c, variant, device);
    int turn = round;

    if (run_case_skips(c, variant, device)) return;
    for (int i = 0; i < SIZE_COUNT; i++)
        if (sizes[i] <= largest_size(c, variant)) run_problem(c, variant, device, sizes[i], turn++);
    for (int64_t n = tile - 1; tile && n <= tile + 1; n++)
        if (n <= largest_size(c, variant)) run_problem(c, variant, device, n, turn++);
}
