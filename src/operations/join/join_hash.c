/* join_hash.c: joins whose rows may come in any order. One side is sorted and becomes a hash table, in which the other
 * side is looked up, in its own order. Kernels: cl/kernels/join/join.cl, join_hash.clh. */
#include "operations/join/join.h"

#include <stdlib.h>

/* Returns 1 where side a is looked up. A kind with rows for keys without a partner looks up the side of these keys. */
static int looks_up_a(const mcl__join_sorts *plan)
{
    if (plan->kind == MCL_JOIN_INNER) return mcl__join_large_is_a(plan);
    return plan->kind != MCL_JOIN_RIGHT;
}

mcl__join_side *mcl__join_hashed(mcl__join_sorts *plan)
{
    return looks_up_a(plan) ? &plan->b : &plan->a;
}

int mcl__join_has_hash(const mcl__join_sorts *plan)
{
    const mcl__call *const call = plan->call;
    const int64_t keys = looks_up_a(plan) ? plan->b.keys.count : plan->a.keys.count;
    if (!mcl__wants(call->options, MCL_UNORDERED) || mcl__wants_same_bits(call->options)) return 0;
    if (plan->kind == MCL_JOIN_OUTER || !mcl__join_has_image(plan)) return 0;
    return keys > 0 && keys <= mcl__tuned(call->queue->context, MCL__PARAMETER_join_hash_keys);
}

typedef struct hash_plan {
    mcl__call call;
    mcl_input sorted; /* the keys of the side that becomes the table */
    mcl_output out_looked_up, out_hashed;
    mcl_result count;
    mcl__join_hash hash;
} hash_plan;

static mcl_status hash_run(hash_plan *of, mcl__join_sorts *plan, const mcl_options *options)
{
    mcl__call *const call = &of->call;
    mcl__call_init(call, &mcl__join_rows_of_keys, NULL, plan->call->queue, options);
    call->operands[A].input = looks_up_a(plan) ? &plan->a.keys : &plan->b.keys;
    call->operands[B].input = &of->sorted;
    call->operands[BEFORE].op = plan->call->operands[BEFORE].op;
    call->operands[COUNT].result = &of->count;
    if (of->out_looked_up.type) call->operands[OUT_A].output = &of->out_looked_up;
    if (of->out_hashed.type) call->operands[OUT_B].output = &of->out_hashed;
    call->room[OUT_A] = call->room[OUT_B] = plan->stored;
    return mcl__join_run_hash(call, plan->kind == MCL_JOIN_RIGHT ? MCL_JOIN_LEFT : plan->kind, &of->hash);
}

mcl_status mcl__join_by_hash(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b, mcl_input sorted,
                             const mcl_options *options, const mcl_result *count)
{
    const int is_a = looks_up_a(plan);
    const mcl__join_side *const hashed = is_a ? &plan->b : &plan->a, *const looked_up = is_a ? &plan->a : &plan->b;
    hash_plan *of = NULL;
    MCL__TRY(mcl__plan_new(sizeof *of, &of));
    of->sorted = sorted;
    of->out_looked_up = is_a ? out_a : out_b;
    of->out_hashed = is_a ? out_b : out_a;
    of->count = *count;
    if (looked_up->restores) of->hash.values = looked_up->carried;
    of->hash.row_keys = plan->keys;
    of->hash.keys_of_b = !is_a;
    of->hash.order_is_index = !hashed->restores;
    if (of->out_hashed.type) of->hash.order = mcl_from_buffer(hashed->carried.type, hashed->moved, 0, sorted.count);
    const mcl_status status = hash_run(of, plan, options);
    free(of);
    return status;
}
