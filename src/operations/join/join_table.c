/* join_table.c: joins of a large sequence with a small one, on processors. The small sequence is sorted and becomes a
 * hash table. The keys of the large sequence are looked up in it, and their carried values are put in the order of the
 * keys' partners. So the large sequence need not be sorted. Kernels: cl/kernels/join/join_table.cl. */
#include "operations/join/join.h"

#include <stdlib.h>

enum { LARGE = 1, SMALL, CARRIED, ORDER, OUT_LARGE, OUT_SMALL, ROWS }; /* operands */
enum { FILL, LOOK, STARTS, MOVE, COUNT_HEADS, SCAN, PLACE, STORE };    /* passes */
enum { SLOTS, HEADS, PLACES, FIRSTS, BASES, MOVED, BUCKET_PLACES, BUCKET_STARTS, BUCKET_HEADS, BUCKET_CARRIED };
enum { SLOT_BITS, PARTS, CAPACITY, BUCKET_BITS }; /* scalars */

static const mcl__declaration table = {
    .file = "kernels/join/join_table.cl",
    .operands = (mcl__operands){ [LARGE] = { "large", .kind = MCL__INPUT },
                                 [SMALL] = { "small", .kind = MCL__INPUT },
                                 [CARRIED] = { "carried", .kind = MCL__INPUT },
                                 [ORDER] = { "order", .kind = MCL__INPUT },
                                 [OUT_LARGE] = { "out_large", .kind = MCL__OUTPUT, .optional = 1 },
                                 [OUT_SMALL] = { "out_small", .kind = MCL__OUTPUT, .optional = 1 },
                                 [ROWS] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS } },
    .scratch = { [SLOTS] = { "slots", "join_slot" },
                 [HEADS] = { "heads", "uint" },
                 [PLACES] = { "places", "index_type" },
                 [FIRSTS] = { "firsts", "index_type" },
                 [BASES] = { "bases", "int64_t" },
                 [MOVED] = { "moved", "carried_type" },
                 [BUCKET_PLACES] = { "bucket_places", "index_type" },
                 [BUCKET_STARTS] = { "starts", "index_type" },
                 [BUCKET_HEADS] = { "bucket_heads", "uint" },
                 [BUCKET_CARRIED] = { "bucket_carried", "carried_type" } },
    .scalars = { [SLOT_BITS] = "slot_bits", [PARTS] = "parts", [CAPACITY] = "capacity", [BUCKET_BITS] = "bucket_bits" },
    .passes =
        (mcl__passes){
            [FILL] = { "join_table_fill", .arguments = { OPERAND(SMALL), SCRATCH(SLOTS), AS_INT(SLOT_BITS) } },
            [LOOK] = { "join_table_look",
                       .arguments = { MCL__ENVIRONMENT, OPERAND(LARGE), OPERAND(SMALL), SCRATCH(SLOTS),
                                      AS_INT(SLOT_BITS), SCRATCH(HEADS), SCRATCH(PLACES), SCRATCH(BUCKET_PLACES),
                                      AS_INT(BUCKET_BITS) } },
            [STARTS] = { "join_table_starts",
                         .arguments = { OPERAND(SMALL), SCRATCH(BUCKET_PLACES), SCRATCH(BUCKET_STARTS), AS_INT(PARTS),
                                        AS_INT(BUCKET_BITS) } },
            [MOVE] = { "join_table_move", .arguments = { OPERAND(LARGE), OPERAND(SMALL), OPERAND(CARRIED),
                                                         SCRATCH(HEADS), SCRATCH(BUCKET_PLACES), SCRATCH(BUCKET_HEADS),
                                                         SCRATCH(BUCKET_CARRIED), AS_INT(BUCKET_BITS) } },
            [COUNT_HEADS] = { "join_table_count", .arguments = { OPERAND(LARGE), SCRATCH(BUCKET_HEADS), SCRATCH(PLACES),
                                                                 AS_INT(BUCKET_BITS) } },
            [SCAN] = { "join_table_scan",
                       .arguments = { OPERAND(SMALL), SCRATCH(PLACES), SCRATCH(FIRSTS), SCRATCH(BASES), AS_INT(PARTS),
                                      SCRATCH(BUCKET_STARTS), AS_INT(BUCKET_BITS), OPERAND(ROWS), HAS_RESULT(ROWS) } },
            [PLACE] = { "join_table_place",
                        .arguments = { OPERAND(LARGE), OPERAND(SMALL), OPERAND(CARRIED), SCRATCH(HEADS),
                                       SCRATCH(BUCKET_HEADS), SCRATCH(BUCKET_CARRIED), SCRATCH(PLACES), SCRATCH(MOVED),
                                       AS_INT(BUCKET_BITS) } },
            [STORE] = { "join_table_rows",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(SMALL), SCRATCH(FIRSTS), SCRATCH(BASES),
                                       SCRATCH(MOVED), OPERAND(ORDER), OPERAND(OUT_LARGE), OPERAND(OUT_SMALL),
                                       AS_INDEX(CAPACITY) } } },
};

enum { STEPS = 8 }; /* loop iterations of a part for each element; devices that limit loops take no table */
enum { SPARSE_BYTES = 1 << 21 }; /* a table of up to this size may have most slots free: searches get shorter */
enum { SLOT_BYTES = 8 };         /* bytes of a slot with a key of up to 4 bytes; a longer key takes twice that */
enum { BUCKETS = 128 };          /* most buckets, to which a core moves keys as fast as to fewer ones */
enum { WIDE_KEYS = 1 << 20 };    /* places of as many keys lie in pages that a core keeps the addresses of */
enum { MOST_WIDER = 8 };         /* with more times as many keys, buckets are worth it for no fewer heads */

/* Returns 1 for the joins that a table can make. They have no row for a large side's key without a partner: such rows
 * would have to be in the order of their keys. */
static int suits(mcl_join_kind kind, int is_a)
{
    const int is_of_a = kind == MCL_JOIN_LEFT || kind == MCL_JOIN_ANTI;
    if (kind == MCL_JOIN_RIGHT) return is_a;
    return kind == MCL_JOIN_INNER || kind == MCL_JOIN_SEMI || (is_of_a && !is_a);
}

int mcl__join_has_image(const mcl__join_sorts *plan)
{
    const mcl_type *const key = plan->a.keys.type;
    const mcl_op *const before = plan->call->operands[BEFORE].op;
    const int is_number = mcl__is_integer(key) || (key->kind == MCL_KIND_FLOAT && key->size >= sizeof(float));
    return is_number && (mcl__same_op(before, MCL_LESS) || mcl__same_op(before, MCL_GREATER));
}

int mcl__join_has_table(const mcl__join_sorts *plan)
{
    const mcl__call *const call = plan->call;
    const mcl_context *const context = call->queue->context;
    const int is_a = mcl__join_large_is_a(plan);
    const int64_t large = mcl__join_large(plan)->keys.count, small = mcl__join_small(plan)->keys.count;
    if (!mcl__call_asks_serial(call) || !suits(plan->kind, is_a)) return 0;
    if (context->limits.is_gpu || context->limits.loop_budget > 0) return 0;
    if (call->options && (call->options->passes != 0 || call->options->sort_method != MCL_SORT_AUTO)) return 0;
    if (!mcl__join_has_image(plan)) return 0;
    return large >= mcl__tuned(context, MCL__PARAMETER_join_table_least_serial) &&
           small <= mcl__tuned(context, MCL__PARAMETER_join_table_keys_serial) &&
           small <= large / mcl__tuned(context, MCL__PARAMETER_join_table_ratio_serial);
}

/* Returns the bits of a slot's index. There are at least two slots per key. A small table has up to eight per key. But
 * it has at most a quarter as many slots as searches, so that clearing the table stays cheap. */
static int slot_bits(int64_t keys, int64_t searches, size_t slot)
{
    int bits = 4;
    while ((int64_t)1 << bits < 2 * keys) ++bits;
    while ((int64_t)1 << bits < 8 * keys && (int64_t)1 << bits < searches / 4 && slot << bits < SPARSE_BYTES) ++bits;
    return bits;
}

typedef struct mcl__join_table {
    mcl__call call;
    mcl_input sorted; /* the keys of the small side, sorted */
    mcl_input order;  /* the values that the small side carries, in the order of its keys */
    mcl__join_side *large, *small;
    mcl_output out_large, out_small;
    mcl_result count;
} table_plan;

/* Returns 1 where rows contain keys of the large side. */
static int has_large_rows(const mcl__join_sorts *plan)
{
    return mcl__join_pairs(plan->kind) || mcl__join_large_is_a(plan);
}

/* Returns the least keys of the small side for which keys of the large side have buckets. The more keys are placed, the
 * further apart the places of heads are, and the more pages of memory the stores go to. Then fewer heads are enough. */
static int64_t least_bucket_keys(const mcl__call *call)
{
    const int64_t keys = mcl__tuned(call->queue->context, MCL__PARAMETER_join_bucket_keys_serial);
    const int64_t large = call->operands[LARGE].input->count, widest = (int64_t)MOST_WIDER * WIDE_KEYS;
    if (large <= WIDE_KEYS) return keys;
    return keys * WIDE_KEYS / (large < widest ? large : widest);
}

/* Returns the bits that heads of one bucket differ in. 0: no buckets. They are worth their passes only where keys of
 * the large side get places. */
static int bucket_bits(const mcl__call *call, int64_t small)
{
    int bits = 0;
    if (small < least_bucket_keys(call)) return 0;
    while (small >> bits >= BUCKETS) ++bits;
    return bits;
}

static void choose_passes(const mcl__join_sorts *plan, mcl__call *call)
{
    const int has_rows = call->scalars[CAPACITY] > 0, has_places = has_rows && has_large_rows(plan);
    const int bits = has_places ? bucket_bits(call, call->operands[SMALL].input->count) : 0;
    call->passes = MCL__BIT(FILL) | MCL__BIT(LOOK) | MCL__BIT(SCAN);
    if (has_rows) call->passes |= MCL__BIT(STORE);
    if (has_places) call->passes |= MCL__BIT(PLACE);
    if (bits > 0)
        call->passes |= MCL__BIT(STARTS) | MCL__BIT(MOVE) | MCL__BIT(COUNT_HEADS);
    else
        call->without =
            MCL__BIT(BUCKET_PLACES) | MCL__BIT(BUCKET_STARTS) | MCL__BIT(BUCKET_HEADS) | MCL__BIT(BUCKET_CARRIED);
    call->scalars[BUCKET_BITS] = bits;
    mcl__call_define(call, "HAS_BUCKETS", bits > 0);
}

static mcl_status find_program(const mcl__join_sorts *plan, mcl__call *call)
{
    const int64_t large = call->operands[LARGE].input->count, stored = call->scalars[CAPACITY];
    const mcl__tile_need need = { .element_bytes = call->operands[LARGE].input->type->size };
    choose_passes(plan, call);
    mcl__call_define(call, "JOIN_KIND", (int)plan->kind);
    mcl__call_define(call, "DESCENDS", mcl__same_op(plan->call->operands[BEFORE].op, MCL_GREATER));
    const mcl_type *const type = plan->a.keys.type;
    mcl__call_define(call, "FLOAT_BYTES", mcl__is_integer(type) ? 0 : (int)type->size);
    mcl__call_define(call, "LARGE_IS_A", mcl__join_large_is_a(plan));
    mcl__call_define(call, "RESTORES_LARGE", mcl__join_large(plan)->restores);
    mcl__call_define(call, "RESTORES_SMALL", mcl__join_small(plan)->restores);
    mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_join, need);
    if (tile.threads > 1) tile = (mcl__tile){ 1, tile.threads * tile.items };
    return mcl__call_program(call, tile, mcl__index_bits(large > stored ? large : stored, call->options));
}

/* Returns the number of buckets; it is 1 without buckets. */
static int64_t bucket_count(const mcl__call *call)
{
    return call->scalars[BUCKET_BITS] > 0 ? (call->operands[SMALL].input->count >> call->scalars[BUCKET_BITS]) + 1 : 1;
}

/* Returns the distance between the output positions (PLACES) of neighbouring parts. */
static int64_t part_step(const mcl__call *call)
{
    const int64_t bits = call->scalars[BUCKET_BITS];
    return bits > 0 ? (int64_t)1 << bits : call->operands[SMALL].input->count + 1;
}

/* Returns the number of parts. It is limited so that the counts of all parts take little more memory than an index per
 * key of the large side. */
static int64_t parts_of(const mcl__call *call)
{
    const int64_t large = call->operands[LARGE].input->count, step = part_step(call), buckets = bucket_count(call);
    const int64_t parts = mcl__call_parts(call, mcl__call_tiles(call, large), STEPS);
    const int64_t most = large / (step > buckets ? step : buckets);
    return parts < most ? parts : most > 0 ? most : 1;
}

static void take_buckets(mcl__call *call)
{
    const int64_t large = call->operands[LARGE].input->count, buckets = bucket_count(call);
    mcl__call_scratch(call, BUCKET_PLACES, mcl__call_index_bytes(call, call->scalars[PARTS] * buckets));
    mcl__call_scratch(call, BUCKET_STARTS, mcl__call_index_bytes(call, buckets + 1));
    mcl__call_scratch(call, BUCKET_HEADS, (size_t)large * sizeof(uint32_t));
    mcl__call_scratch(call, BUCKET_CARRIED, (size_t)large * call->operands[CARRIED].input->type->size);
}

static mcl_status take_scratch(table_plan *of, const mcl__join_sorts *plan)
{
    mcl__call *const call = &of->call;
    const int64_t large = of->large->keys.count, length = of->small->keys.count + 1;
    const size_t slot = of->large->keys.type->size > 4 ? 2 * SLOT_BYTES : SLOT_BYTES;
    const int has_rows = call->scalars[CAPACITY] > 0;
    const int comes_last = plan->kind == MCL_JOIN_RIGHT; /* 1 if rows of the small side alone come last */
    call->scalars[SLOT_BITS] = slot_bits(of->small->keys.count, large, slot);
    call->scalars[PARTS] = parts_of(call);
    mcl__call_scratch(call, SLOTS, slot << call->scalars[SLOT_BITS]);
    mcl__call_scratch(call, HEADS, (size_t)large * sizeof(uint32_t));
    mcl__call_scratch(call, PLACES,
                      mcl__call_index_bytes(call, (call->scalars[PARTS] + bucket_count(call) - 1) * part_step(call)));
    mcl__call_scratch(call, FIRSTS, mcl__call_index_bytes(call, length));
    mcl__call_scratch(call, BASES, (size_t)(comes_last ? 2 * length : length) * sizeof(int64_t));
    if (call->scalars[BUCKET_BITS] > 0) take_buckets(call);
    if (!has_rows) return MCL_OK;
    MCL__TRY(mcl__scratch_hold(plan->call->queue, (size_t)large * of->large->carried.type->size, &of->large->moved));
    mcl__call_scratch_at(call, MOVED, (mcl__span){ of->large->moved, 0 });
    return MCL_OK;
}

static mcl_status launch(mcl__call *call)
{
    const int64_t parts = call->scalars[PARTS];
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__call_launch(call, FILL, 1));
    MCL__TRY(mcl__call_launch(call, LOOK, parts));
    if (call->passes & MCL__BIT(MOVE)) {
        MCL__TRY(mcl__call_launch(call, STARTS, 1));
        MCL__TRY(mcl__call_launch(call, MOVE, parts));
        MCL__TRY(mcl__call_launch(call, COUNT_HEADS, parts));
    }
    MCL__TRY(mcl__call_launch(call, SCAN, 1));
    if (call->passes & MCL__BIT(PLACE)) MCL__TRY(mcl__call_launch(call, PLACE, parts));
    if (call->passes & MCL__BIT(STORE)) MCL__TRY(mcl__call_launch(call, STORE, parts));
    return mcl__call_end(call);
}

static mcl_status table_run(table_plan *of, const mcl__join_sorts *plan, const mcl_options *options)
{
    const int64_t zero = 0;
    mcl__call *const call = &of->call;
    mcl__call_init(call, &table, NULL, plan->call->queue, options);
    if (!of->large->carried.type) /* without carried values no row stores these numbers */
        of->large->carried = mcl_from_counting(mcl__join_index(of->large), &zero, of->large->keys.count);
    call->operands[LARGE].input = &of->large->keys;
    call->operands[SMALL].input = &of->sorted;
    call->operands[CARRIED].input = &of->large->carried;
    if (of->order.type) call->operands[ORDER].input = &of->order;
    if (of->out_large.type) call->operands[OUT_LARGE].output = &of->out_large;
    if (of->out_small.type) call->operands[OUT_SMALL].output = &of->out_small;
    call->operands[ROWS].result = &of->count;
    call->room[OUT_LARGE] = call->room[OUT_SMALL] = call->scalars[CAPACITY] = plan->stored;
    MCL__TRY(find_program(plan, call));
    MCL__TRY(take_scratch(of, plan));
    return launch(call);
}

mcl_status mcl__join_by_table(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b, mcl_input sorted,
                              const mcl_options *options, const mcl_result *count)
{
    table_plan *of = NULL;
    const int is_a = mcl__join_large_is_a(plan);
    MCL__TRY(mcl__plan_new(sizeof *of, &of));
    of->large = is_a ? &plan->a : &plan->b;
    of->small = is_a ? &plan->b : &plan->a;
    of->out_large = is_a ? out_a : out_b;
    of->out_small = is_a ? out_b : out_a;
    of->sorted = sorted;
    if (of->small->restores) of->order = mcl_from_buffer(of->small->carried.type, of->small->moved, 0, sorted.count);
    of->count = *count;
    const mcl_status status = table_run(of, plan, options);
    free(of);
    return status;
}
