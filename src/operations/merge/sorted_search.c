/* sorted_search.c: mcl_sorted_search, mcl_sorted_search_needles and mcl_equality_count. Kernels: sorted_search.cl. Pass
 * 1 cuts the merge of a and b into tiles with merge-path searches. In pass 2, a walk along the merge of each tile finds
 * the bounds. Pass 3 adds the match counts of the tiles. Kernels find lower bounds of a and upper bounds of b. For
 * upper bounds of a and lower bounds of b, the call swaps a and b. */
#include "call/call.h"
#include "facts/search.h"

#include "moderncl/sorted_search.h"

enum { A = 1, A_FOUND, A_COUNT, B, B_FOUND, B_COUNT, BEFORE, LOWER, COUNT, PARAMETERS }; /* operands */
enum { KEYS = 1 };                           /* groups of operands with one type */
enum { PARTITION, TILES, A_TOTAL, B_TOTAL }; /* passes */
enum { SPLIT, A_COUNTS, B_COUNTS };          /* scratch */
enum { SPLITS, TILE_COUNT, HIGHEST };        /* scalars */

/* A side, A or B, is a sequence of keys with the output and the match count of its search. */
static const mcl__declaration sorted_search = {
    .file = "kernels/merge/sorted_search.cl",
    .types = { [KEYS] = "key" },
    .operands =
        (mcl__operands){
            [A] = { "a", .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
            [A_FOUND] = { "a_found", .kind = MCL__OUTPUT, .in_place = MCL__BIT(A), .optional = 1 },
            [A_COUNT] = { "total", .label = "a_found's match_count", .kind = MCL__RESULT, .types = MCL__COUNTS,
                          .unused = 1 },
            [B] = { "b", .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
            [B_FOUND] = { "b_found", .kind = MCL__OUTPUT, .in_place = MCL__BIT(B), .optional = 1 },
            [B_COUNT] = { "total", .label = "b_found's match_count", .kind = MCL__RESULT, .types = MCL__COUNTS,
                          .unused = 1 },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
            [LOWER] = { "lower", .kind = MCL__INPUT, .label = "lower_bounds", .types = MCL__INTEGERS, .as_many = B },
        },
    .scratch = { [SPLIT] = { "split", "index_type" },
                 [A_COUNTS] = { "a_counts", "uint" },
                 [B_COUNTS] = { "b_counts", "uint" } },
    .scalars = { [SPLITS] = "splits", [TILE_COUNT] = "tiles", [HIGHEST] = "highest" },
    .passes =
        (mcl__passes){
            [PARTITION] = { "search_partition",
                            MCL__PARTITION_THREADS,
                            "PARTITION_THREADS",
                            { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), SCRATCH(SPLIT), AS_INDEX(SPLITS) } },
            [TILES] = { "search_tiles",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), SCRATCH(SPLIT), SCRATCH(A_COUNTS),
                                       SCRATCH(B_COUNTS), OPERAND(A_FOUND), OPERAND(B_FOUND), OPERAND(LOWER) } },
            [A_TOTAL] = { "search_totals", .arguments = { MCL__ENVIRONMENT, SCRATCH(A_COUNTS), AS_INDEX(TILE_COUNT),
                                                          OPERAND(A_COUNT), AS_LONG(HIGHEST) } },
            [B_TOTAL] = { "search_totals", .arguments = { MCL__ENVIRONMENT, SCRATCH(B_COUNTS), AS_INDEX(TILE_COUNT),
                                                          OPERAND(B_COUNT), AS_LONG(HIGHEST) } },
        },
};

/* The operands in which mcl_equality_count differs. Its needles are b. */
static mcl__operands count_operands = {
    [A_FOUND] = { "a_found", .kind = MCL__OUTPUT, .optional = 1 },
    [B_FOUND] = { "b_found", .kind = MCL__OUTPUT, .in_place = MCL__BIT(LOWER), .optional = 1 },
    [COUNT] = { "matched", .kind = MCL__OPERATOR, .label = "count", .use = MCL_ROLE_FUNCTION },
};

_Static_assert((int)MCL_FIND_NOTHING == SEARCH_NOTHING && (int)MCL_FIND_INDEX == SEARCH_INDEX &&
                   (int)MCL_FIND_MATCH == SEARCH_MATCH && (int)MCL_FIND_INDEX_MATCH == SEARCH_INDEX_MATCH,
               "kernels know what to find by these numbers");

const mcl_op mcl_op_equality = { .role = MCL_ROLE_FUNCTION, .expression = "q - p" };
/* HIGHEST is the highest number of the signed type: all bits but the top one are set. */
const mcl_op mcl_op_left_join = { .role = MCL_ROLE_FUNCTION,
                                  .expression = "q - (p & HIGHEST) > 1 ? q - (p & HIGHEST) : 1" };

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

static int finds_matches(const mcl_found *found)
{
    return found->find == MCL_FIND_MATCH || found->find == MCL_FIND_INDEX_MATCH;
}

static int counts_matches(const mcl_found *found)
{
    return mcl__is_asked(&found->match_count);
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Returns 1 where the caller wants neither the output of a side nor its match count. */
static int is_nothing(const mcl_found *found)
{
    return found->find == MCL_FIND_NOTHING || (!mcl__is_wanted(&found->out) && !counts_matches(found));
}

/* Gives the call the outputs of one side. keys is A or B. */
static mcl_status give_found(mcl__call *call, int keys, mcl_found *found)
{
    if ((unsigned)found->find > MCL_FIND_INDEX_MATCH)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has find %d; expected one of mcl_find", mcl__call_name(call, keys + 1),
                         (int)found->find);
    if (found->find == MCL_FIND_NOTHING) return MCL_OK;
    call->operands[keys + 1].output = &found->out;
    call->operands[keys + 2].result = &found->match_count;
    if (finds_matches(found)) call->never_in_place = 1; /* keys of both sides are read a second time */
    return MCL_OK;
}

/* Checks the type of a side's output. Indices are signed, but may be unsigned where the top bit says whether there is a
 * match. bound is the number of keys of the other side. */
static mcl_status check_found_type(const mcl__call *call, int keys, const mcl_found *found, int64_t bound)
{
    const mcl_type *const type = found->out.type;
    const char *const name = mcl__call_name(call, keys + 1);
    const int wants_index = found->find != MCL_FIND_MATCH;
    const int is_index = type->kind == MCL_KIND_SIGNED && type->size >= sizeof(int32_t);
    const int is_packed = mcl__is_of(type, MCL__INTEGERS) && type->size >= sizeof(int32_t);
    if (!wants_index && !mcl__is_of(type, MCL__INTEGERS))
        return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected an integer type for matches", name, type->name);
    if (wants_index && !(found->find == MCL_FIND_INDEX ? is_index : is_packed))
        return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected MCL_INT32 or MCL_INT64%s", name, type->name,
                         found->find == MCL_FIND_INDEX ? "" : ", MCL_UINT32 or MCL_UINT64");
    /* The top bit is the match or the sign, so 31 bits are left for an index. */
    if (wants_index && type->size == sizeof(int32_t) && bound > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected 8 bytes for indices of %lld keys", name, type->name,
                         (long long)bound);
    return MCL_OK;
}

static mcl_status check_found(mcl__call *call, int keys, int other, const mcl_found *found)
{
    if (counts_matches(found) && !finds_matches(found))
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has a match_count without matches; expected mcl_to_nowhere() for them",
                         mcl__call_name(call, keys + 1));
    if (found->find == MCL_FIND_NOTHING) return MCL_OK;
    call->room[keys + 1] = call->operands[keys].input->count;
    if (call->own) return MCL_OK;
    return check_found_type(call, keys, found, call->operands[other].input->count);
}

/* Checks the operands of an equality count, whose needles are b. */
static mcl_status check_equality(const mcl__call *call)
{
    const mcl_type *const type = call->operands[LOWER].input->type;
    const mcl_type *const stored = call->operands[B_FOUND].output->type;
    const mcl_op *const count = call->operands[COUNT].op;
    const int counts_keys = mcl__same_op(count, MCL_EQUALITY) || mcl__same_op(count, MCL_LEFT_JOIN);
    const int64_t haystack = call->operands[A].input->count;
    if (type->size < sizeof(int32_t))
        return mcl__fail(MCL_ERROR_TYPE, "lower_bounds is %s; expected MCL_INT32, MCL_INT64, MCL_UINT32 or MCL_UINT64",
                         type->name);
    if (type->size == sizeof(int32_t) && haystack > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "lower_bounds is %s; expected 8 bytes for indices of %lld keys", type->name,
                         (long long)haystack);
    if (stored->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_TYPE, "out is %s; expected a built-in type", stored->name);
    return counts_keys && mcl__is_integer(stored) ? mcl__check_holds_indices("out", stored, haystack) : MCL_OK;
}

static mcl_status search_check(mcl__call *call, mcl_found *a_found, mcl_found *b_found)
{
    const int finds_none = is_nothing(a_found) && is_nothing(b_found);
    MCL__TRY(give_found(call, A, a_found));
    MCL__TRY(give_found(call, B, b_found));
    MCL__TRY(mcl__call_check(call));
    if (finds_none)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s and %s both ask for nothing; expected an output or a match_count in one of them",
                         mcl__call_name(call, A_FOUND), mcl__call_name(call, B_FOUND));
    MCL__TRY(check_found(call, A, B, a_found));
    MCL__TRY(check_found(call, B, A, b_found));
    if (call->own) MCL__TRY(check_equality(call));
    return mcl__call_ready(call);
}

/* ---- the call ------------------------------------------------------------------------------------------------- */

static mcl_status search_program(mcl__call *call, const mcl_found *a_found, const mcl_found *b_found, int counts)
{
    const size_t size = call->types[KEYS]->size;
    const size_t key = size > sizeof(int) ? size : sizeof(int);
    /* search_store has room after the tile for the keys of one work-item, at most 31, and for three more
     * (SEARCH_GROUP_KEYS). Keys of an odd size are padded to whole ints. */
    const mcl__tile_need need = { .element_bytes = size,
                                  .local_bytes_per_item = key,
                                  .local_bytes_fixed = 34 * key + sizeof(int) };
    const int64_t keys = call->operands[A].input->count + call->operands[B].input->count;
    const int is_equality = call->own != NULL;
    if (!counts) {
        call->passes = MCL__BIT(PARTITION) | MCL__BIT(TILES);
        call->without = MCL__BIT(A_COUNTS) | MCL__BIT(B_COUNTS);
    }
    mcl__call_define(call, "A_SEARCH", (int)a_found->find);
    mcl__call_define(call, "B_SEARCH", is_equality ? SEARCH_MATCHED : (int)b_found->find);
    mcl__call_define(call, "SEARCH_IN_PLACE", mcl__call_aliases(call));
    mcl__call_define(call, "SEARCH_COUNTS", counts);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(call->queue->context, MCL__PARAMETER_sorted_search_resident));
    const mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_sorted_search, need);
    /* The kernel search_totals needs this work-group memory. */
    if (counts) mcl__call_takes_local(call, tile.threads * (int64_t)sizeof(int64_t));
    return mcl__call_program(call, tile, mcl__index_bits(keys, call->options));
}

static mcl_status launch_total(mcl__call *call, const mcl_found *found, int pass)
{
    if (!counts_matches(found)) return MCL_OK;
    call->scalars[HIGHEST] = mcl__count_highest(found->match_count.type);
    return mcl__call_launch(call, pass, 1);
}

static mcl_status search_run(mcl__call *call, mcl_found *a_found, mcl_found *b_found)
{
    MCL__TRY(search_check(call, a_found, b_found));
    const int counts = counts_matches(a_found) || counts_matches(b_found);
    MCL__TRY(search_program(call, a_found, b_found, counts));
    const int64_t keys = call->operands[A].input->count + call->operands[B].input->count;
    const int64_t tiles = mcl__call_tiles(call, keys);
    call->scalars[TILE_COUNT] = tiles;
    call->scalars[SPLITS] = tiles + 1;
    mcl__call_scratch(call, SPLIT, mcl__call_index_bytes(call, tiles + 1));
    if (counts) {
        mcl__call_scratch(call, A_COUNTS, (size_t)(tiles + 1) * sizeof(uint32_t));
        mcl__call_scratch(call, B_COUNTS, (size_t)(tiles + 1) * sizeof(uint32_t));
    }
    MCL__TRY(mcl__call_begin(call));
    if (tiles > 0) MCL__TRY(mcl__call_launch_items(call, PARTITION, tiles + 1));
    MCL__TRY(mcl__call_launch(call, TILES, tiles));
    MCL__TRY(launch_total(call, a_found, A_TOTAL));
    MCL__TRY(launch_total(call, b_found, B_TOTAL));
    return mcl__call_end(call);
}

/* Runs a call with two sides. Kernels find lower bounds of a, so for upper bounds the first side becomes b. */
static mcl_status search_sides(mcl__call *call, mcl_input *first, mcl_input *second, mcl_bounds bounds,
                               mcl_found *first_found, mcl_found *second_found)
{
    const int swapped = bounds == MCL_UPPER;
    if (bounds != MCL_LOWER && bounds != MCL_UPPER)
        return mcl__fail(MCL_ERROR_ARGUMENT, "bounds is %d; expected MCL_LOWER or MCL_UPPER", (int)bounds);
    call->operands[A].input = swapped ? second : first;
    call->operands[B].input = swapped ? first : second;
    return search_run(call, swapped ? second_found : first_found, swapped ? first_found : second_found);
}

mcl_status mcl_sorted_search(mcl_queue *queue, mcl_input a, mcl_input b, mcl_bounds bounds, mcl_found a_found,
                             mcl_found b_found, const mcl_op *before, const mcl_options *options)
{
    static const char *const swapped[PARAMETERS] = {
        [A] = "b", [A_FOUND] = "b_found", [A_COUNT] = "b_found's match_count",
        [B] = "a", [B_FOUND] = "a_found", [B_COUNT] = "a_found's match_count"
    };
    mcl__call call;
    mcl__call_init(&call, &sorted_search, "mcl_sorted_search", queue, options);
    if (bounds == MCL_UPPER) call.label = swapped;
    call.operands[BEFORE].op = before;
    return search_sides(&call, &a, &b, bounds, &a_found, &b_found);
}

mcl_status mcl_sorted_search_needles(mcl_queue *queue, mcl_input needles, mcl_input haystack, mcl_bounds bounds,
                                     mcl_output out, const mcl_op *before, const mcl_options *options)
{
    static const char *const lower[PARAMETERS] = {
        [A] = "needles", [A_FOUND] = "out", [A_COUNT] = "out's match_count", [B] = "haystack"
    };
    static const char *const upper[PARAMETERS] = {
        [A] = "haystack", [B] = "needles", [B_FOUND] = "out", [B_COUNT] = "out's match_count"
    };
    mcl_found found = mcl_found_indices(out), nothing = mcl_found_nothing();
    mcl__call call;
    mcl__call_init(&call, &sorted_search, "mcl_sorted_search_needles", queue, options);
    call.label = bounds == MCL_UPPER ? upper : lower;
    call.operands[BEFORE].op = before;
    MCL__TRY(mcl__check_wanted("out", &out));
    return search_sides(&call, &needles, &haystack, bounds, &found, &nothing);
}

mcl_status mcl_equality_count(mcl_queue *queue, mcl_input needles, mcl_input haystack, mcl_input lower_bounds,
                              mcl_output out, const mcl_op *before, const mcl_op *count, const mcl_options *options)
{
    static const char *const label[PARAMETERS] = {
        [A] = "haystack", [B] = "needles", [B_FOUND] = "out", [B_COUNT] = "out's match_count"
    };
    const int is_wide = mcl__same_type(lower_bounds.type, MCL_INT64) || mcl__same_type(lower_bounds.type, MCL_UINT64);
    mcl_found found = mcl_found_indices(out), nothing = mcl_found_nothing();
    mcl_op counted = { 0 };
    mcl__call call;
    mcl__call_init(&call, &sorted_search, "mcl_equality_count", queue, options);
    call.own = count_operands;
    if (!count) return mcl__fail(MCL_ERROR_ARGUMENT, "count is NULL; expected an operator such as MCL_EQUALITY");
    MCL__TRY(mcl__check_wanted("out", &out));
    counted.role = count->role;
    counted.expression = count->expression;
    counted.source = count->source;
    counted.binding_count = count->binding_count;
    memcpy(counted.bindings, count->bindings, sizeof counted.bindings);
    lower_bounds.count_slot = NULL; /* kernels use the count of the needles instead */
    call.label = label;
    call.element = is_wide ? MCL_INT64 : MCL_INT32;
    call.operands[A].input = &haystack;
    call.operands[B].input = &needles;
    call.operands[BEFORE].op = before;
    call.operands[LOWER].input = &lower_bounds;
    call.operands[COUNT].op = &counted;
    return search_run(&call, &nothing, &found);
}
