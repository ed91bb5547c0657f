/* run_case.c: makes device operands of a problem, makes the call, and checks the results. */
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

/* The operands of one problem on the device. */
typedef struct case_run {
    const mcl_case *c;
    const case_problem *problem;
    test_device *device;
    int turn;
    int on_slots; /* 1 where counts come from the device */
    guarded inputs[CASE_INPUTS];
    guarded outputs[CASE_OUTPUTS];
    guarded result;
    case_output result_wanted; /* expected result of the problem, in the type that the call gets */
    mcl_buffer *counts;
    unsigned char host_result[MCL_VALUE_BYTES_MAX];
    case_operands operands;
    char what[WHAT_BYTES];
} case_run;

static const char *about(case_run *run, const char *part, int number)
{
    const case_problem *problem = run->problem;
    char variant[WHAT_BYTES / 2];

    case_describe(run->c, problem->variant, variant, sizeof variant);
    snprintf(run->what, sizeof run->what, "%s on %s, n %lld, seed %llu, turn %d%s%s: %s %d", variant,
             run->device->info.id, (long long)problem->n, (unsigned long long)problem->seed, run->turn,
             run->on_slots ? ", counts on the device" : "", problem->has_initial ? ", initial" : "", part, number);
    return run->what;
}

/* Returns the type of the counts of a variant: of counts that it stores (taken 0), or of counts that it reads (1). Each
 * variant has only one of each, so that no more programs are built. */
static const element *count_kind(const case_run *run, int taken)
{
    static const element *const kinds[] = { &element_int64, &element_uint32, &element_int32 };
    char variant[WHAT_BYTES / 2];
    unsigned sum = 0;

    case_describe(run->c, run->problem->variant, variant, sizeof variant);
    for (const char *at = variant; *at; at++) sum = sum * 31 + (unsigned char)*at;
    return kinds[sum / (taken ? 3 : 1) % 3];
}

static void put_count(const element *kind, int64_t count, unsigned char *list, int64_t k)
{
    const uint32_t low = (uint32_t)count;
    const void *const stored = kind->type->size == sizeof low ? (const void *)&low : (const void *)&count;

    memcpy(list + (size_t)k * kind->type->size, stored, kind->type->size);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static mcl_input spread_input(const case_run *run, int which, int64_t bound)
{
    const case_input *input = &run->problem->inputs[which];
    const guarded *array = &run->inputs[which];
    const mcl_type *type = input->element->type;
    unsigned char start[MCL_VALUE_BYTES_MAX];
    unsigned char step[MCL_VALUE_BYTES_MAX];

    if (input->source == FROM_BUFFER) return mcl_from_buffer(type, array->buffer, array->first, bound);
    input->element->from_integer(input->start, start);
    input->element->from_integer(input->step + input->element->zero, step);
    if (input->source == FROM_COUNTING) return mcl_from_counting(type, start, bound);
    if (input->source == FROM_STEP) return mcl_from_step(type, start, step, bound);
    if (input->source == FROM_CONSTANT) return mcl_from_constant(type, start, bound);

    const mcl_binding bindings[] = { mcl_binding_buffer("table", type, array->buffer, array->first),
                                     mcl_binding_value("shift", type, start) };
    return mcl_from_expression(type, input->element->shifted, NULL, bindings, 2, bound);
}

/* Makes the array of an input. It ends with its buffer, so that tools see loads past it. A count on the device has a
 * bound above it, which needs room. */
static void create(const case_run *run, const case_input *input, const unsigned char *data, guarded *array)
{
    mcl_context *const context = run->device->context;

    if (run->on_slots)
        guarded_create(context, input->element, input->count, data, run->turn % 4, array);
    else
        guarded_create_last(context, input->element, input->count, data, run->turn % 4, array);
}

static void make_inputs(case_run *run)
{
    const case_problem *problem = run->problem;
    const element *const counted = count_kind(run, 1);
    int64_t counts[1 + CASE_INPUTS] = { 0 };

    for (int i = 0; i < problem->input_count; i++) {
        const case_input *input = &problem->inputs[i];
        const unsigned char *data = input->source == FROM_EXPRESSION ? input->table : input->data;
        if (input->source == FROM_BUFFER || input->source == FROM_EXPRESSION) create(run, input, data, &run->inputs[i]);
        put_count(counted, input->count, (unsigned char *)counts, 1 + i);
    }
    test_ok(mcl_buffer_create(run->device->context, sizeof counts, counts, &run->counts));
    for (int i = 0; i < problem->input_count; i++) {
        const int extra = run->on_slots && run->c != &cuts_case ? BOUND_EXTRA : 0;
        run->operands.in[i] = spread_input(run, i, problem->inputs[i].count + extra);
        if (run->on_slots && i < 2)
            run->operands.in[i] = mcl_with_count_of(run->operands.in[i], counted->type, run->counts, 1 + i);
    }
}

static void make_outputs(case_run *run)
{
    const case_problem *problem = run->problem;
    const int extra = run->on_slots ? 2 * BOUND_EXTRA : 0;

    for (int i = 0; i < problem->output_count; i++) {
        const case_output *output = &problem->outputs[i];
        guarded *array = &run->outputs[i];
        if (problem->variant->in_place) {
            *array = run->inputs[i];
            array->kind = output->element;
        } else
            guarded_create(run->device->context, output->element, output->count, output->earlier, run->turn % 3, array);
        run->operands.out[i] = mcl_to_buffer(output->element->type, array->buffer, array->first, output->count + extra);
    }
}

/* Converts results that are counts to the type of the counts. */
static void narrow_result(case_run *run)
{
    case_output *const result = &run->result_wanted;
    const element *const kind = count_kind(run, 0);

    *result = run->problem->result;
    if (result->element != &element_int64 || run->c == &reduce_case || run->c == &scan_case) return;
    result->element = kind;
    for (int64_t k = 0; k < result->count; k++) { /* in place, since no element moves to a higher address */
        int64_t number;
        memcpy(&number, result->data + (size_t)k * sizeof number, sizeof number);
        put_count(kind, number, result->data, k);
    }
}

static void make_result(case_run *run)
{
    narrow_result(run);
    const element *kind = run->result_wanted.element;

    run->operands.result = mcl_to_nowhere();
    if (!kind) return;
    guarded_create(run->device->context, kind, run->result_wanted.count, NULL, run->turn % 2, &run->result);
    memset(run->host_result, 0x5A, sizeof run->host_result);
    switch (run->turn % 4) {
    case 0:
        run->operands.result = mcl_to_host(kind->type, run->host_result);
        break;
    case 1:
        run->operands.result = mcl_to_slot(kind->type, run->result.buffer, run->result.first);
        break;
    case 2:
        run->operands.result =
            mcl_to_host_and_slot(kind->type, run->host_result, run->result.buffer, run->result.first);
        break;
    default:
        break;
    }
}

/* ---- checks ----------------------------------------------------------------------------------------------------- */

static void check_result(case_run *run)
{
    const case_output *result = &run->result_wanted;

    if (!result->element) return;
    if (run->operands.result.host)
        test_same_elements(result->element, run->host_result, result->data, result->count, about(run, "result", 0));
    guarded_expect(run->device->queue, &run->result, result->data, run->operands.result.buffer ? result->count : 0,
                   about(run, "result slot", 0));
}

static void check_all(case_run *run)
{
    const case_problem *problem = run->problem;

    check_result(run);
    for (int i = 0; i < problem->output_count; i++)
        guarded_expect(run->device->queue, &run->outputs[i], problem->outputs[i].data, problem->outputs[i].count,
                       about(run, "output", i));
    for (int i = problem->variant->in_place ? problem->output_count : 0; i < problem->input_count; i++)
        if (run->inputs[i].buffer) guarded_unchanged(run->device->queue, &run->inputs[i], about(run, "input", i));
}

static void clear_away(case_run *run)
{
    for (int i = 0; i < run->problem->input_count; i++)
        if (run->inputs[i].buffer) guarded_free(&run->inputs[i]);
    for (int i = 0; i < run->problem->output_count && !run->problem->variant->in_place; i++)
        guarded_free(&run->outputs[i]);
    if (run->result.buffer) guarded_free(&run->result);
    mcl_buffer_release(run->counts);
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* Runs one problem. turn says which of the alternatives it takes. */
static void run_problem(const mcl_case *c, const case_variant *variant, test_device *device, int64_t n, int turn)
{
    case_run run = { .c = c, .device = device, .turn = turn, .on_slots = turn % 3 == 1 };
    case_problem problem;
    mcl_options options = { .flags = variant->flags,
                            .tile_threads = variant->threads,
                            .tile_items = variant->items,
                            .sort_method = variant->sort_method,
                            .passes = variant->passes };

    if (n == 0 && variant->fold && !variant->fold->identity) return;
    case_make(c, variant, n, (uint64_t)turn + 17u, turn % 5 == 2, &problem);
    run.problem = &problem;
    if (problem.has_initial) options.initial = problem.initial;
    make_inputs(&run);
    make_outputs(&run);
    make_result(&run);
    const mcl_status status = c->call(run.device->queue, &problem, &run.operands, &options);
    test_status_is(status, MCL_OK, about(&run, "call", 0), __FILE__, __LINE__);
    check_all(&run);
    test_slots_are_zero(run.device->queue, about(&run, "slots", 0));
    clear_away(&run);
    case_free(&problem);
}

/* Returns a text about what the device's own compiler cannot do, or NULL where no fault is known. */
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

    if (!info->has_double && case_needs_double(variant)) why = "no double";
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

/* The kinds of tiles: group tiles, and others (one work-item, or the device's choice). Each sample has some of both. */
enum { TILE_KINDS = 2 };

static int tile_kind(const case_variant *variant)
{
    return variant->threads > 1;
}

/* Returns how many variants of a list the sample takes. at, which may be NULL, receives the list's index of variant
 * number round. Both kinds of tiles are sampled separately, since steps over the whole list could meet one kind
 * alone. */
static int sample_variants(const case_variant *list, int count, int round, int *at)
{
    int taken = 0;
    const int first = test_sample_has_groups_alone() ? TILE_KINDS - 1 : 0;
    const int kinds = test_sample_has_no_groups() ? 1 : TILE_KINDS;
    for (int kind = first; kind < kinds; kind++) {
        int members = 0, place = 0;
        for (int k = 0; k < count; k++) members += tile_kind(&list[k]) == kind;
        for (int k = 0; k < count; k++) {
            if (tile_kind(&list[k]) != kind) continue;
            if (test_sample_takes(place++, members) && taken++ == round && at) *at = k;
        }
    }
    return taken;
}

int run_case_rounds(const mcl_case *c)
{
    int count;
    const case_variant *list = case_list(c, &count);
    return sample_variants(list, count, -1, NULL);
}

static int64_t largest_size(const mcl_case *c, const case_variant *variant)
{
    if (test_is_small()) return c == &radix_sort_case || c == &map_case ? MANY_PASSES_SMALL_LIMIT : SMALL_LIMIT;
    if (c == &sort_case && variant->threads) return 65537; /* with these small tiles it already has many levels */
    if (c == &cuts_case) return 65537;                     /* the loop of the case is quadratic */
    return c == &segmented_sort_case || c == &row_sort_case || c == &locality_sort_case || c == &segmented_top_k_case ||
                   c == &sort_columns_case
               ? 100000
               : sizes[SIZE_COUNT - 1]; /* slow ones */
}

/* Returns the elements of a tile, as the options say or as the library chooses. */
static int64_t tile_size(const mcl_case *c, const case_variant *variant, int device)
{
    int threads = 0;
    int items = 0;

    test_ok(mcl_context_tile(test_round_device(device)->context, c->tiled_as ? c->tiled_as : c->name,
                             case_element(variant)->type->size, &threads, &items));
    if (variant->threads) threads = variant->threads;
    if (variant->items) items = variant->items;
    return (int64_t)threads * items;
}

/* Returns the device of a variant. A sample's first variant of each kind of tiles is optimised, the others are not. */
static test_device *device_of(const case_variant *list, int count, int round, int device)
{
    int at = 0, earlier = 0;
    sample_variants(list, count, round, &at);
    if (round > 0) sample_variants(list, count, round - 1, &earlier);
    const int is_first = round == 0 || tile_kind(&list[at]) != tile_kind(&list[earlier]);
    return test_sample_step() == 1 || is_first ? test_round_device(device) : test_device_at(device);
}

void run_case_round(const mcl_case *c, int round)
{
    int count;
    const case_variant *list = case_list(c, &count);
    const int rounds = run_case_rounds(c);
    int at = 0;
    sample_variants(list, count, round % rounds, &at);
    const case_variant *variant = &list[at];
    const int device = round / rounds;
    const int64_t tile = tile_size(c, variant, device);
    test_device *const on = device_of(list, count, round % rounds, device);
    int turn = round;

    if (run_case_skips(c, variant, device)) return;
    for (int i = 0; i < SIZE_COUNT; i++)
        if (sizes[i] <= largest_size(c, variant)) run_problem(c, variant, on, sizes[i], turn++);
    for (int64_t n = tile - 1; tile && n <= tile + 1; n++)
        if (n <= largest_size(c, variant)) run_problem(c, variant, on, n, turn++);
}
