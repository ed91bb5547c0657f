/* sorted_search.c: mcl_sorted_search, mcl_sorted_search_needles and mcl_equality_count. Kernels: sorted_search.cl.
 * The merge of a and b is cut into tiles by merge-path searches (pass 1), each of which is walked along (pass 2); the
 * tiles' match counts are added up (pass 3). Kernels look for lower bounds of a and upper bounds of b, so that a call
 * for the others passes b as a. */
#include "call/gate.h"

#include "moderncl/sorted_search.h"

enum { PARTITION, TILES, TOTALS };

/* Work-items of a group of pass 1 under the group mapping: searches diverge, so small groups spread them. */
enum { PARTITION_THREADS = 64 };

/* What the kernel's B_SEARCH is beyond mcl_find: an operator's result. */
enum { SEARCH_MATCHED = 4 };

/* One of the two sequences. */
typedef struct search_side {
    const char *name, *found_name; /* of the caller's parameters */
    mcl_input keys;
    mcl_found found;
    const mcl_type *number; /* what the operator sees of an equality count; NULL: none */
    int in_place;
} search_side;

typedef struct search_call {
    const char *function;
    search_side a, b;
    const mcl_op *before;
    mcl_op count;    /* equality count: of b */
    mcl_input lower; /* equality count */
} search_call;

const mcl_op mcl_op_equality = { .expression = "q - p" };
/* HIGHEST of the signed type is all bits but the top one. */
const mcl_op mcl_op_left_join = { .expression = "q - (p & HIGHEST) > 1 ? q - (p & HIGHEST) : 1" };

/* ---- what is stored ----------------------------------------------------------------------------------------- */

mcl_found mcl_found_nothing(void)
{
    return (mcl_found){ .find = MCL_FIND_NOTHING };
}

mcl_found mcl_found_indices(mcl_output out)
{
    return (mcl_found){ .find = MCL_FIND_INDEX, .out = out };
}

mcl_found mcl_found_matches(mcl_output out, mcl_result match_count)
{
    return (mcl_found){ .find = MCL_FIND_MATCH, .out = out, .match_count = match_count };
}

mcl_found mcl_found_index_matches(mcl_output out, mcl_result match_count)
{
    return (mcl_found){ .find = MCL_FIND_INDEX_MATCH, .out = out, .match_count = match_count };
}

static int finds_matches(const search_side *side)
{
    return side->found.find == MCL_FIND_MATCH || side->found.find == MCL_FIND_INDEX_MATCH;
}

static int counts_matches(const search_side *side)
{
    return side->found.match_count.host || side->found.match_count.buffer;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Indices are signed; with the match in the top bit the sign does not matter. */
static mcl_status search_check_type(const search_call *call, const search_side *side, int64_t bound)
{
    const mcl_type *const type = side->found.out.type;
    const int wants_index = side->found.find != MCL_FIND_MATCH;
    const int is_index = type->kind == MCL_KIND_SIGNED && type->size >= sizeof(int32_t);
    const int is_packed = mcl__is_of(type, MCL__INTEGERS) && type->size >= sizeof(int32_t);
    if (!wants_index && !mcl__is_of(type, MCL__INTEGERS))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s; matches need an integer type", call->function, side->found_name,
                         type->name);
    if (wants_index && !(side->found.find == MCL_FIND_INDEX ? is_index : is_packed))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s; it must be MCL_INT32 or MCL_INT64%s", call->function,
                         side->found_name, type->name,
                         side->found.find == MCL_FIND_INDEX ? "" : ", MCL_UINT32 or MCL_UINT64");
    if (wants_index && type->size == sizeof(int32_t) && bound > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s and the other sequence has %lld keys; it must have 8 bytes",
                         call->function, side->found_name, type->name, (long long)bound);
    return MCL_OK;
}

static mcl_status search_check_count(const search_call *call, const search_side *side)
{
    if (!counts_matches(side)) return MCL_OK;
    if (!finds_matches(side))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: %s has a match_count without matches; it must be mcl_nowhere() for them", call->function,
                         side->found_name);
    if (!mcl__same_type(side->found.match_count.type, MCL_INT64))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s has a match_count of %s; it must be MCL_INT64", call->function,
                         side->found_name, side->found.match_count.type->name);
    return MCL_OK;
}

/* An output may be its own keys where they are not looked at again, which matches of either sequence do. */
static mcl_status search_check_overlap(const search_call *call, const search_side *side, const search_side *other)
{
    const int may_replace = !finds_matches(side) && !finds_matches(other) && !side->number;
    const mcl_output *const out = &side->found.out;
    const int64_t needed = side->keys.count;
    if (may_replace)
        MCL__TRY(mcl__check_in_place(call->function, side->name, &side->keys, side->found_name, out, needed));
    else
        MCL__TRY(mcl__check_no_overlap(call->function, side->name, &side->keys, side->found_name, out, needed));
    MCL__TRY(mcl__check_no_overlap(call->function, other->name, &other->keys, side->found_name, out, needed));
    return mcl__check_op_overlap(call->function, "before", call->before, side->found_name, out, needed);
}

static mcl_status search_check_side(const search_call *call, const search_side *side, const search_side *other)
{
    if (side->found.find == MCL_FIND_NOTHING) return search_check_count(call, side);
    MCL__TRY(mcl__check_room(call->function, side->found_name, &side->found.out, side->keys.count));
    if (!side->number) MCL__TRY(search_check_type(call, side, other->keys.count));
    MCL__TRY(search_check_count(call, side));
    return search_check_overlap(call, side, other);
}

/* Its operands to the list that next points into. */
static void search_list_side(const search_side *side, mcl__operand **next)
{
    *(*next)++ = (mcl__operand){ side->name, .input = &side->keys };
    if (side->found.find == MCL_FIND_NOTHING) return;
    *(*next)++ = (mcl__operand){ side->found_name, .output = &side->found.out };
    *(*next)++ = (mcl__operand){ side->found_name, .result = &side->found.match_count };
}

static mcl_status search_gate(const mcl_queue *queue, const search_call *call, const search_side *first,
                              const search_side *second, const mcl_options *options)
{
    const search_side *const sides[] = { first, second };
    mcl__operand operands[10] = { { NULL } }, *next = operands;
    for (int k = 0; k < 2; ++k) {
        if (sides[k]->found.find < MCL_FIND_NOTHING || sides[k]->found.find > MCL_FIND_INDEX_MATCH)
            return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has find %d; it must be one of mcl_find", call->function,
                             sides[k]->found_name, (int)sides[k]->found.find);
        search_list_side(sides[k], &next);
    }
    *next++ = (mcl__operand){ "before", .op = call->before, .use = MCL__ORDER, .of = &first->keys };
    if (call->b.number) {
        *next++ = (mcl__operand){ "lower_bounds", .input = &call->lower, .types = MCL__INTEGERS };
        *next++ = (mcl__operand){ "count", .op = &call->count, .use = MCL__FUNCTION };
    }
    return mcl__gate(call->function, queue, options, 0, operands);
}

/* The outputs do not lie on each other. */
static mcl_status search_check_outputs(const search_call *call)
{
    const mcl_output *const out = &call->a.found.out;
    if (call->a.found.find == MCL_FIND_NOTHING || call->b.found.find == MCL_FIND_NOTHING) return MCL_OK;
    const mcl_input written = mcl_from_buffer(out->type, out->buffer, out->offset, call->a.keys.count);
    return mcl__check_no_overlap(call->function, call->a.found_name, &written, call->b.found_name, &call->b.found.out,
                                 call->b.keys.count);
}

/* The operands of an equality count, whose needles are b. */
static mcl_status search_check_equality(const search_call *call)
{
    const mcl_type *const type = call->lower.type;
    const mcl_output *const out = &call->b.found.out;
    const int64_t needles = call->b.keys.count;
    if (type->size < sizeof(int32_t))
        return mcl__fail(MCL_ERROR_TYPE,
                         "%s: lower_bounds is %s; it must be MCL_INT32, MCL_INT64, MCL_UINT32 or MCL_UINT64",
                         call->function, type->name);
    if (type->size == sizeof(int32_t) && call->a.keys.count > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: lower_bounds is %s and haystack has %lld keys; it must have 8 bytes",
                         call->function, type->name, (long long)call->a.keys.count);
    if (out->type->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_TYPE, "%s: out is %s; it must be of a built-in type", call->function,
                         out->type->name);
    MCL__TRY(mcl__check_as_many(call->function, "lower_bounds", &call->lower, "needles", needles));
    MCL__TRY(mcl__check_op_overlap(call->function, "count", &call->count, "out", out, needles));
    return mcl__check_in_place(call->function, "lower_bounds", &call->lower, "out", out, needles);
}

/* first and second: a and b, in the caller's order. */
static mcl_status search_check(const mcl_queue *queue, const search_call *call, const search_side *first,
                               const search_side *second, const mcl_options *options)
{
    MCL__TRY(search_gate(queue, call, first, second, options));
    if (!mcl__same_type(first->keys.type, second->keys.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s and %s is %s; they must be of one type", call->function,
                         first->name, first->keys.type->name, second->name, second->keys.type->name);
    if (first->found.find == MCL_FIND_NOTHING && second->found.find == MCL_FIND_NOTHING)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s and %s are both nothing; one must be asked for", call->function,
                         first->found_name, second->found_name);
    MCL__TRY(search_check_side(call, first, second));
    MCL__TRY(search_check_side(call, second, first));
    MCL__TRY(search_check_outputs(call));
    return call->b.number ? search_check_equality(call) : MCL_OK;
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static void search_describe_equality(mcl__spec *spec, const search_call *call)
{
    spec->ops[1].name = "matched";
    spec->ops[1].op = &call->count;
    spec->ops[1].role = MCL__OP_FOLD;
    spec->ops[1].element = call->b.number;
    spec->inputs[2].name = "lower";
    spec->inputs[2].input = &call->lower;
}

static void search_describe(mcl__spec *spec, const mcl_context *context, const search_call *call,
                            const mcl_options *options)
{
    const size_t size = call->a.keys.type->size;
    const size_t key = size > sizeof(int) ? size : sizeof(int);
    const mcl__tile_need need = { .element_bytes = size, .local_bytes_per_item = key, .local_bytes_fixed = 34 * key };
    *spec = (mcl__spec){
        .file = "kernels/sorted_search.cl",
        .kernels = { [PARTITION] = "search_partition", [TILES] = "search_tiles" },
        .tile = mcl__tile_for(MCL__OPERATION_sorted_search, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(call->a.keys.count + call->b.keys.count, options),
        .aliased = call->a.in_place || call->b.in_place,
        .types = { { "key", call->a.keys.type } },
        .ops = { { "before", call->before, MCL__OP_COMPARE, call->a.keys.type, NULL } },
        .inputs = { { "a", &call->a.keys, 0 }, { "b", &call->b.keys, 0 } },
    };
    const int counts = counts_matches(&call->a) || counts_matches(&call->b);
    const struct {
        const char *name;
        int value;
    } defines[] = {
        { "PARTITION_THREADS", spec->tile.threads < PARTITION_THREADS ? spec->tile.threads : PARTITION_THREADS },
        { "A_SEARCH", call->a.found.find },
        { "B_SEARCH", call->b.number ? SEARCH_MATCHED : (int)call->b.found.find },
        { "SEARCH_IN_PLACE", spec->aliased },
        { "SEARCH_COUNTS", counts },
    };
    for (size_t k = 0; k < sizeof defines / sizeof defines[0]; ++k) {
        spec->defines[k].name = defines[k].name;
        spec->defines[k].value = defines[k].value;
    }
    if (counts) spec->kernels[TOTALS] = "search_totals";
    if (call->a.found.find) {
        spec->outputs[0].name = "a_found";
        spec->outputs[0].type = call->a.found.out.type;
    }
    if (call->b.found.find) {
        spec->outputs[1].name = "b_found";
        spec->outputs[1].type = call->b.found.out.type;
    }
    if (call->b.number) search_describe_equality(spec, call);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

typedef struct search_scratch {
    mcl__span split, a_counts, b_counts, a_total, b_total;
} search_scratch;

static mcl_status search_launch(mcl_queue *queue, const search_call *call, const mcl__spec *spec,
                                const mcl__kernels *kernels, int64_t tiles, const search_scratch *scratch)
{
    mcl__args args;
    const int threads = spec->defines[0].value;
    if (tiles == 0) return MCL_OK;
    mcl__args_start(&args, spec);
    mcl__args_input(&args, &call->a.keys);
    mcl__args_input(&args, &call->b.keys);
    mcl__args_span(&args, scratch->split);
    const mcl__args shared = args;
    mcl__args_index(&args, tiles + 1);
    MCL__TRY(mcl__launch_groups(queue, kernels, PARTITION, mcl__divide_up(tiles + 1, threads), threads, &args));
    args = shared;
    if (spec->kernels[TOTALS]) {
        mcl__args_span(&args, scratch->a_counts);
        mcl__args_span(&args, scratch->b_counts);
    }
    if (call->a.found.find) mcl__args_output(&args, &call->a.found.out);
    if (call->b.found.find) mcl__args_output(&args, &call->b.found.out);
    if (call->b.number) mcl__args_input(&args, &call->lower);
    return mcl__launch_groups(queue, kernels, TILES, tiles, kernels->tile.threads, &args);
}

static mcl_status search_launch_total(mcl_queue *queue, const mcl__spec *spec, const mcl__kernels *kernels,
                                      const search_side *side, int64_t tiles, mcl__span counts, mcl__span total)
{
    mcl__args args;
    if (!counts_matches(side)) return MCL_OK;
    mcl__args_start(&args, spec);
    mcl__args_span(&args, counts);
    mcl__args_index(&args, tiles);
    mcl__args_span(&args, total);
    return mcl__launch_groups(queue, kernels, TOTALS, 1, kernels->tile.threads, &args);
}

static mcl_status search_enqueue(mcl_queue *queue, const search_call *call, const mcl__spec *spec,
                                 const mcl__kernels *kernels, const mcl_options *options)
{
    const int64_t tiles = mcl__divide_up(call->a.keys.count + call->b.keys.count, mcl__tile_size(kernels->tile));
    const size_t split_bytes = (size_t)(tiles + 1) * (size_t)(spec->index_bits / 8);
    const size_t count_bytes = spec->kernels[TOTALS] ? (size_t)(tiles + 1) * sizeof(uint32_t) : 0;
    search_scratch scratch;
    MCL__TRY(mcl__call_begin(queue, call->function,
                             mcl__scratch_round(split_bytes) + 2 * mcl__scratch_round(count_bytes) +
                                 mcl__scratch_round(mcl__result_scratch(&call->a.found.match_count)) +
                                 mcl__scratch_round(mcl__result_scratch(&call->b.found.match_count)),
                             options));
    scratch.split = mcl__scratch_take(queue, split_bytes);
    scratch.a_counts = mcl__scratch_take(queue, count_bytes);
    scratch.b_counts = mcl__scratch_take(queue, count_bytes);
    scratch.a_total = mcl__result_span(queue, &call->a.found.match_count);
    scratch.b_total = mcl__result_span(queue, &call->b.found.match_count);
    MCL__TRY(search_launch(queue, call, spec, kernels, tiles, &scratch));
    MCL__TRY(search_launch_total(queue, spec, kernels, &call->a, tiles, scratch.a_counts, scratch.a_total));
    MCL__TRY(search_launch_total(queue, spec, kernels, &call->b, tiles, scratch.b_counts, scratch.b_total));
    MCL__TRY(mcl__call_end(queue, options));
    MCL__TRY(mcl__result_read(queue, &call->a.found.match_count, scratch.a_total));
    return mcl__result_read(queue, &call->b.found.match_count, scratch.b_total);
}

/* swapped: the caller's first sequence is b. */
static mcl_status search_run(mcl_queue *queue, search_call *call, int swapped, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    const search_side *const first = swapped ? &call->b : &call->a;
    const search_side *const second = swapped ? &call->a : &call->b;

    MCL__TRY(search_check(queue, call, first, second, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) {
        MCL__TRY(mcl__validate_sorted(queue, call->function, first->name, &first->keys, call->before, options));
        MCL__TRY(mcl__validate_sorted(queue, call->function, second->name, &second->keys, call->before, options));
    }
    call->a.in_place = call->a.found.find && mcl__same_place(&call->a.keys, &call->a.found.out);
    call->b.in_place = call->b.found.find && mcl__same_place(&call->b.keys, &call->b.found.out);
    if (call->b.number) call->b.in_place = mcl__same_place(&call->lower, &call->b.found.out);
    search_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    return search_enqueue(queue, call, &spec, kernels, options);
}

static mcl_status search_sides(mcl_queue *queue, const char *function, const search_side *first,
                               const search_side *second, mcl_bounds bounds, const mcl_op *before,
                               const mcl_options *options)
{
    const int swapped = bounds == MCL_UPPER;
    search_call call = {
        .function = function, .a = swapped ? *second : *first, .b = swapped ? *first : *second, .before = before
    };
    if (bounds != MCL_LOWER && bounds != MCL_UPPER)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: bounds is %d; it must be MCL_LOWER or MCL_UPPER", function,
                         (int)bounds);
    return search_run(queue, &call, swapped, options);
}

mcl_status mcl_sorted_search(mcl_queue *queue, mcl_input a, mcl_input b, mcl_bounds bounds, mcl_found a_found,
                             mcl_found b_found, const mcl_op *before, const mcl_options *options)
{
    const search_side first = { .name = "a", .found_name = "a_found", .keys = a, .found = a_found };
    const search_side second = { .name = "b", .found_name = "b_found", .keys = b, .found = b_found };
    return search_sides(queue, "mcl_sorted_search", &first, &second, bounds, before, options);
}

mcl_status mcl_sorted_search_needles(mcl_queue *queue, mcl_input needles, mcl_input haystack, mcl_bounds bounds,
                                     mcl_output out, const mcl_op *before, const mcl_options *options)
{
    const search_side first = {
        .name = "needles", .found_name = "out", .keys = needles, .found = mcl_found_indices(out)
    };
    const search_side second = { .name = "haystack", .found_name = "haystack", .keys = haystack };
    return search_sides(queue, "mcl_sorted_search_needles", &first, &second, bounds, before, options);
}

mcl_status mcl_equality_count(mcl_queue *queue, mcl_input needles, mcl_input haystack, mcl_input lower_bounds,
                              mcl_output out, const mcl_op *before, const mcl_op *count, const mcl_options *options)
{
    search_call call = { .function = "mcl_equality_count",
                         .a = { .name = "haystack", .found_name = "haystack", .keys = haystack },
                         .b = { .name = "needles",
                                .found_name = "out",
                                .keys = needles,
                                .found = mcl_found_indices(out),
                                .number = mcl__same_type(lower_bounds.type, MCL_INT64) ||
                                                  mcl__same_type(lower_bounds.type, MCL_UINT64)
                                              ? MCL_INT64
                                              : MCL_INT32 },
                         .before = before,
                         .lower = lower_bounds };
    if (!count)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "mcl_equality_count: count is NULL; expected an operator such as MCL_EQUALITY");
    call.count.expression = count->expression;
    call.count.source = count->source;
    call.count.binding_count = count->binding_count;
    memcpy(call.count.bindings, count->bindings, sizeof call.count.bindings);
    call.lower.count_slot = NULL; /* the needles' count is taken */
    return search_run(queue, &call, 1, options);
}
