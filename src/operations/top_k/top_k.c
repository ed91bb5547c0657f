/* top_k.c: mcl_top_k, mcl_top_k_pairs, mcl_top_k_indices and mcl_nth_element: checks, and the choice of a method. */
#include "operations/top_k/selection.h"
#include "operations/top_k/top_k_operands.h"

static mcl_status top_k_run(mcl__call *call, mcl_amount *amount)
{
    const int64_t k = amount->number;
    call->operands[AMOUNTS].input = mcl__amount_numbers(amount);
    call->takes = MCL__TAKES_UNORDERED;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__amount_check("k", call->operands[AMOUNTS].input, 1));
    if (k < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "k is %lld; expected 0 or more", (long long)k);
    const int64_t count = call->operands[IN].input->count, wanted = k < count ? k : count;
    if (wanted > UINT32_MAX) /* the cursor of the output has 32 bits */
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "k is %lld; expected at most %lld, or mcl_sort", (long long)wanted,
                         (long long)UINT32_MAX);
    call->room[OUT] = call->room[OUT_VALUES] = call->room[OUT_INDICES] = wanted;
    MCL__TRY(mcl__call_ready(call));
    const int any_order = mcl__wants(call->options, MCL_UNORDERED) && !mcl__wants_same_bits(call->options);
    const int is_many = !mcl__top_k_sorts(call, wanted);
    if (is_many && mcl__top_k_sorts_all(call, wanted, !any_order)) return mcl__top_k_by_sort(call, wanted);
    if (is_many && !any_order) return mcl__top_k_sorted(call, wanted);
    return mcl__top_k_is_few(call, wanted) ? mcl__top_k_few(call, wanted) : mcl__top_k_select(call, wanted);
}

mcl_status mcl_top_k(mcl_queue *queue, mcl_input keys, mcl_amount k, mcl_output out, const mcl_op *before,
                     mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &mcl__selection, "mcl_top_k", queue, options);
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[OUT].output = &out;
    call.operands[CHOSEN].result = &count;
    return top_k_run(&call, &k);
}

mcl_status mcl_top_k_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_amount k, mcl_output out_keys,
                           mcl_output out_values, const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &mcl__selection, "mcl_top_k_pairs", queue, options);
    call.has_values = 1;
    call.operands[IN].input = &keys;
    call.operands[IN_VALUES].input = &values;
    call.operands[BEFORE].op = before;
    call.operands[OUT].output = &out_keys;
    call.operands[OUT_VALUES].output = &out_values;
    call.operands[CHOSEN].result = &count;
    return top_k_run(&call, &k);
}

mcl_status mcl_top_k_indices(mcl_queue *queue, mcl_input keys, mcl_amount k, mcl_output out, const mcl_op *before,
                             mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &mcl__selection, "mcl_top_k_indices", queue, options);
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[OUT_INDICES].output = &out;
    call.operands[CHOSEN].result = &count;
    return top_k_run(&call, &k);
}

mcl_status mcl_nth_element(mcl_queue *queue, mcl_input keys, mcl_amount rank, mcl_result result, const mcl_op *before,
                           const mcl_options *options)
{
    static const char *const rank_label[MCL__DECLARED_MAX] = { [AMOUNTS] = "rank" };
    mcl__call call;
    mcl__call_init(&call, &mcl__selection, "mcl_nth_element", queue, options);
    call.label = rank_label;
    const mcl_result nowhere = mcl_to_nowhere();
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[RESULT].result = &result;
    call.operands[CHOSEN].result = &nowhere;
    call.operands[AMOUNTS].input = mcl__amount_numbers(&rank);
    MCL__TRY(mcl__call_check(&call));
    MCL__TRY(mcl__amount_check("rank", call.operands[AMOUNTS].input, 1));
    if (rank.number < 0 || rank.number >= keys.count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "rank is %lld; expected 0 or more, and less than %lld, the count of keys",
                         (long long)rank.number, (long long)keys.count);
    MCL__TRY(mcl__call_ready(&call));
    const int is_asked = mcl__is_asked(&result);
    if (is_asked && keys.count > mcl__top_k_block_of(&call) && mcl__top_k_sorts_all(&call, rank.number, 0))
        return mcl__top_k_by_sort(&call, rank.number);
    return mcl__top_k_select(&call, rank.number);
}
