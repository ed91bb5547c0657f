/* sort.c: mcl_sort, mcl_sort_pairs and mcl_sort_indices. This file checks the operands, and chooses between
 * merge_sort.c, radix_sort.c, counting_sort.c and member_sort.c. */
#include "call/call.h"
#include "operations/sort/sort_operands.h"
#include "tuning/cost.h"

#include "moderncl/sort.h"

/* ---- checks ------------------------------------------------------------------------------------------------ */

enum { KEYS = 1, BEFORE, OUT, VALUES, OUT_VALUES }; /* operands */
enum { KEY = 1, VALUE };                            /* groups of operands with one type */

static const mcl__declaration sort = {
    .of_steps = 1,
    .takes = MCL__TAKES_SORT_METHOD | MCL__TAKES_SORT_BITS,
    .operands =
        (mcl__operands){
            [KEYS] = { "keys", .kind = MCL__INPUT, .group = KEY },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
            [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY, .in_place = MCL__BIT(KEYS), .arrays_only = 1 },
            [VALUES] = { "values", .kind = MCL__INPUT, .group = VALUE, .as_many = KEYS },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE, .in_place = MCL__BIT(VALUES),
                             .arrays_only = 1 },
        },
};

/* The operands in which mcl_sort_indices differs. Its output is given->out_values. */
static mcl__operands index_operands = {
    [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = KEYS },
};

static mcl_status sort_check(mcl_queue *queue, const char *function, mcl__sort_operands *given,
                             const mcl_options *options)
{
    const int pairs = given->has_values && !given->drops_keys;
    mcl_output *const out = given->drops_keys ? &given->out_values : &given->out;
    const int64_t count = given->keys.count;
    mcl__call call = {
        &sort,   function, queue,
        options, pairs,    .operands = { [KEYS].input = &given->keys, [BEFORE].op = given->before, [OUT].output = out }
    };
    if (given->drops_keys) call.own = index_operands;
    if (pairs) call.operands[VALUES].input = &given->values;
    if (pairs) call.operands[OUT_VALUES].output = &given->out_values;
    MCL__TRY(mcl__call_check(&call));
    call.room[OUT] = call.room[OUT_VALUES] = count;
    return mcl__call_ready(&call);
}

/* Makes the values of mcl_sort_indices: the keys' indices, in the output's type. */
static void sort_number_keys(mcl__sort_operands *given)
{
    const int64_t zero = 0;
    const mcl_type *const index = mcl__same_type(given->out_values.type, MCL_INT64) ? MCL_INT64 : MCL_INT32;
    given->values = mcl_from_counting(index, &zero, given->keys.count);
}

/* ---- the way of sorting -------------------------------------------------------------------------------------- */

/* Returns 1 where radix sort is faster than mergesort. Radix sort takes one pass per byte of a key, and mergesort one
 * level per doubling of the count. On a GPU all short passes take the same time. A processor's radix sort sorts many
 * keys by buckets. */
static int radix_is_faster(const mcl_queue *queue, const mcl__sort_operands *given)
{
    const mcl_context *const context = queue->context;
    const int64_t passes = (int64_t)given->keys.type->size, count = given->keys.count;
    if (!context->limits.is_gpu)
        return count >= mcl__tuned(context, MCL__PARAMETER_radix_sort_bucket_keys_serial) ||
               mcl__cost_sort_by_digits(context, count, given->keys.type->size, given->has_values) <
                   mcl__cost_sort_by_merges(context, count, given->keys.type->size, given->has_values);
    return given->keys.count >= passes * mcl__tuned(queue->context, given->has_values
                                                                        ? MCL__PARAMETER_sort_pairs_radix_count_a_byte
                                                                        : MCL__PARAMETER_sort_radix_count_a_byte);
}

/* Checks the range of bits that the options give for radix sort. */
static mcl_status check_bits(const mcl__sort_operands *given, const mcl_options *options)
{
    const int bits = 8 * (int)given->keys.type->size;
    if (options->first_bit >= 0 && options->first_bit < options->end_bit && options->end_bit <= bits) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "options->first_bit is %d and end_bit %d; expected 0 <= first_bit < end_bit <= %d, the bits "
                     "of a key",
                     options->first_bit, options->end_bit, bits);
}

static mcl_status sort_choose(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options,
                              int *by_radix)
{
    const mcl_sort_method method = options ? options->sort_method : MCL_SORT_AUTO;
    const int has_bits = options && (options->first_bit != 0 || options->end_bit != 0);
    const int applies = mcl__radix_sort_applies(given);
    if ((int)method < MCL_SORT_AUTO || (int)method > MCL_SORT_RADIX)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->sort_method is %d; expected MCL_SORT_AUTO, MCL_SORT_MERGE or MCL_SORT_RADIX",
                         (int)method);
    if (has_bits && method == MCL_SORT_MERGE)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->first_bit is %d and end_bit %d with MCL_SORT_MERGE; expected 0 and 0: only radix "
                         "sort looks at a part of the bits",
                         options->first_bit, options->end_bit);
    if ((has_bits || method == MCL_SORT_RADIX) && !applies)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "radix sort is asked for with keys of type %s; expected keys of a built-in type, with "
                         "MCL_LESS or MCL_GREATER",
                         given->keys.type->name);
    if (has_bits) MCL__TRY(check_bits(given, options));
    *by_radix =
        applies && method != MCL_SORT_MERGE && (method == MCL_SORT_RADIX || has_bits || radix_is_faster(queue, given));
    return MCL_OK;
}

static mcl_status sort_run(mcl_queue *queue, const char *function, mcl__sort_operands *given,
                           const mcl_options *options)
{
    int by_radix = 0;
    MCL__TRY(sort_check(queue, function, given, options));
    if (given->drops_keys) sort_number_keys(given);
    MCL__TRY(sort_choose(queue, given, options, &by_radix));
    if (mcl__counting_sort_applies(queue, given, options)) return mcl__counting_sort(queue, given, options);
    if (mcl__member_sort_applies(queue, given, options)) return mcl__member_sort(queue, given, options);
    return by_radix ? mcl__radix_sort(queue, given, options) : mcl__merge_sort(queue, given, options);
}

/* ---- the functions ------------------------------------------------------------------------------------------- */

mcl_status mcl_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__sort_operands given = { .keys = keys, .out = out, .before = before };
    return sort_run(queue, "mcl_sort", &given, options);
}

mcl_status mcl_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                          mcl_output out_values, const mcl_op *before, const mcl_options *options)
{
    mcl__sort_operands given = {
        .keys = keys, .values = values, .out = out_keys, .out_values = out_values, .before = before, .has_values = 1
    };
    return sort_run(queue, "mcl_sort_pairs", &given, options);
}

mcl_status mcl_sort_indices(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                            const mcl_options *options)
{
    mcl__sort_operands given = { .keys = keys, .out_values = out, .before = before, .has_values = 1, .drops_keys = 1 };
    return sort_run(queue, "mcl_sort_indices", &given, options);
}
