/* nth_element.c: the elements of a sequence on all ranks that sorting would put at some indices, and its quantiles. */
#include "select.h"

#include <stdlib.h>
#include <string.h>

/* ---- one index --------------------------------------------------------------------------------------------- */

static mcl_status nth_element(mcl_mpi *mpi, mcl_input keys, int64_t nth, mcl_result result, const mcl_op *before,
                              const mcl_options *options, mcl__whole *whole, mcl__selection *selection)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of keys", keys.type);
    mcl__sign_op(signature, "before", before);
    mcl__sign_options(signature, options);
    mcl__sign_number(signature, "nth", nth);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &keys));
    MCL__BEGIN(mpi, signature, status);
    MCL__AGREE(mpi, mcl__count_whole(mpi, keys.count, whole));
    if (nth < 0 || nth >= whole->total)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "nth is %lld; expected 0 to %lld, below the elements there are",
                             (long long)nth, (long long)whole->total - 1);
    MCL__AGREE(mpi, status);
    const mcl_options own = mcl__own_options(options);
    if (mpi->size == 1)
        return mcl__agree(mpi, mcl_nth_element(mpi->queue, keys, mcl_amount_of(nth), result, before, &own));
    *selection = (mcl__selection){ .keys = keys, .before = before, .options = options, .indices = &nth, .count = 1 };
    MCL__AGREE(mpi, mcl__select(mpi, selection));
    const mcl_input found = mcl_from_buffer(keys.type, selection->found.buffer, selection->slots[0], 1);
    return mcl__agree(mpi, mcl_nth_element(mpi->queue, found, mcl_amount_of(0), result, before, NULL));
}

mcl_status mcl_mpi_nth_element(mcl_mpi *mpi, mcl_input keys, int64_t nth, mcl_result result, const mcl_op *before,
                               const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_nth_element");
    mcl__whole whole = { NULL, 0, 0 };
    mcl__selection selection = { .slots = NULL };
    const mcl_status status = nth_element(mpi, keys, nth, result, before, options, &whole, &selection);
    free(whole.counts);
    free(selection.slots);
    return mcl__leave(mpi, status);
}

/* ---- many -------------------------------------------------------------------------------------------------- */

/* The elements of the sorted whole that a result is made of. */
typedef struct position {
    int64_t low, high; /* the same where one element is enough */
    double share;      /* of the element at high */
} position;

typedef struct points_call {
    mcl_input keys, points; /* points: indices or fractions */
    int are_fractions;
    mcl_interpolation interpolation;
    mcl_output out;
    const mcl_op *before;
    const mcl_options *options;
    unsigned char *given; /* the points on the host */
    position *positions;
    int64_t *indices; /* indices of all positions, ascending, each once */
    mcl__whole whole;
    mcl__selection selection;
} points_call;

static int blends(const points_call *call)
{
    return call->are_fractions && call->interpolation >= MCL_INTERPOLATION_MIDPOINT;
}

static int is_type_of_points(const points_call *call)
{
    const mcl_type *const type = call->points.type;
    return call->are_fractions ? type == MCL_FLOAT || type == MCL_DOUBLE
                               : type == MCL_INT32 || type == MCL_UINT32 || type == MCL_INT64;
}

static mcl_status check_types(mcl_mpi *mpi, const points_call *call)
{
    const mcl_type *const type = call->points.type, *const out = call->out.type;
    if (!is_type_of_points(call))
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "%s are of %s; expected %s",
                           call->are_fractions ? "fractions" : "indices", type && type->name ? type->name : "no type",
                           call->are_fractions ? "MCL_FLOAT or MCL_DOUBLE" : "MCL_INT32, MCL_UINT32 or MCL_INT64");
    if (call->are_fractions && (unsigned)call->interpolation > MCL_INTERPOLATION_LINEAR)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "interpolation is %d; expected an mcl_interpolation",
                           (int)call->interpolation);
    if (!blends(call)) return MCL_OK;
    if (call->keys.type->kind == MCL_KIND_STRUCT)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "keys are of %s; expected numbers, to interpolate between them",
                           call->keys.type->name);
    if (out != MCL_FLOAT && out != MCL_DOUBLE)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "out is of %s; expected MCL_FLOAT or MCL_DOUBLE",
                           out && out->name ? out->name : "no type");
    return MCL_OK;
}

/* Checks this rank's operands, and brings the points to the host. */
static mcl_status check(mcl_mpi *mpi, points_call *call)
{
    mcl_input points = call->points;
    mcl_status status = mcl__check_options(mpi, call->options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->keys));
    points.count_slot = call->points.count_slot = NULL;
    MCL__THEN(status, mcl__settle_count(mpi, &points));
    MCL__THEN(status, check_types(mpi, call));
    MCL__THEN(status,
              mcl__check_output(mpi, call->out, blends(call) ? call->out.type : call->keys.type, points.count, "out"));
    MCL__THEN(status, mcl__store_input(mpi, ROOM_NUMBERS, &points));
    MCL__THEN(status, mcl__array(mpi, points.count, points.type->size, &call->given));
    MCL__THEN(status, mcl__array(mpi, points.count, sizeof *call->positions, &call->positions));
    MCL__THEN(status, mcl__array(mpi, 2 * points.count, sizeof *call->indices, &call->indices));
    if (points.count == 0) return status;
    MCL__THEN(status, mcl_buffer_read(mpi->queue, points.buffer, (size_t)points.offset * points.type->size,
                                      (size_t)points.count * points.type->size, call->given));
    return status;
}

/* Returns a number as the fractions' type has it. */
static double rounded(double number, int is_narrow)
{
    return is_narrow ? (double)(float)number : number;
}

/* Finds the position of a fraction as mcl_quantiles does on the device, in the fractions' type. A product of two floats
 * is exact in a double. NaN counts as 0. */
static position position_of(double fraction, int is_narrow, int64_t last, mcl_interpolation interpolation)
{
    const double most = rounded((double)last, is_narrow), within = fraction > 0 ? fraction < 1 ? fraction : 1 : 0;
    const double at = rounded(within * most, is_narrow);
    position p = { .low = at < most ? (int64_t)at : last };
    const double low = rounded((double)p.low, is_narrow);
    p.high = p.low < last && low < at ? p.low + 1 : p.low;
    p.share = interpolation == MCL_INTERPOLATION_MIDPOINT ? 0.5 : at - low;
    if (interpolation == MCL_INTERPOLATION_LOWER) p.high = p.low;
    if (interpolation == MCL_INTERPOLATION_HIGHER) p.low = p.high;
    if (interpolation == MCL_INTERPOLATION_NEAREST)
        p.low = p.high = at <= rounded(low + 0.5, is_narrow) ? p.low : p.high;
    return p;
}

/* Finds the position of point k. */
static position find_position(const points_call *call, int64_t k, int64_t last)
{
    const unsigned char *const at = call->given + (size_t)k * call->points.type->size;
    int32_t narrow = 0;
    uint32_t natural = 0;
    int64_t index = 0;
    float single = 0;
    double wide = 0;
    if (call->points.type == MCL_FLOAT) memcpy(&single, at, sizeof single);
    if (call->points.type == MCL_DOUBLE) memcpy(&wide, at, sizeof wide);
    if (call->points.type == MCL_INT32) memcpy(&narrow, at, sizeof narrow);
    if (call->points.type == MCL_UINT32) memcpy(&natural, at, sizeof natural);
    if (call->points.type == MCL_INT64) memcpy(&index, at, sizeof index);
    if (call->are_fractions)
        return position_of(call->points.type == MCL_FLOAT ? (double)single : wide, call->points.type == MCL_FLOAT, last,
                           call->interpolation);
    index += narrow + (int64_t)natural; /* two of them are 0 */
    index = index < 0 ? 0 : index < last ? index : last;
    return (position){ index, index, 0 };
}

static int compare_indices(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Lists the indices of all points in order, each once. Returns their number. */
static int64_t list_indices(points_call *call)
{
    const int64_t count = call->points.count;
    int64_t used = 0;
    for (int64_t k = 0; k < count; ++k) {
        call->positions[k] = find_position(call, k, call->whole.total - 1);
        call->indices[2 * k] = call->positions[k].low;
        call->indices[2 * k + 1] = call->positions[k].high;
    }
    qsort(call->indices, (size_t)(2 * count), sizeof *call->indices, compare_indices);
    for (int64_t k = 0; k < 2 * count; ++k)
        if (used == 0 || call->indices[used - 1] != call->indices[k]) call->indices[used++] = call->indices[k];
    return used;
}

static int64_t slot_of(const points_call *call, int64_t index)
{
    const mcl__selection *const s = &call->selection;
    const int64_t *const at = bsearch(&index, s->indices, (size_t)s->count, sizeof index, compare_indices);
    return s->slots[at - s->indices];
}

/* Sends the slots of the low and the high key of each point, one after the other, and the shares to the device. */
static mcl_status send_slots(mcl_mpi *mpi, points_call *call, mcl_buffer **slots, mcl_buffer **shares)
{
    const int64_t count = call->points.count;
    const mcl_type *const type = call->out.type;
    const size_t share_bytes = (size_t)count * type->size;
    int64_t *numbers = NULL;
    unsigned char *parts = NULL;
    mcl_status status = mcl__array(mpi, 2 * count, sizeof *numbers, &numbers);
    MCL__THEN(status, mcl__array(mpi, count, sizeof(double), &parts));
    for (int64_t k = 0; k < count && status == MCL_OK; ++k) {
        const double wide = call->positions[k].share;
        const float narrow = (float)wide;
        numbers[k] = slot_of(call, call->positions[k].low);
        numbers[count + k] = slot_of(call, call->positions[k].high);
        if (blends(call))
            memcpy(parts + (size_t)k * type->size, type == MCL_FLOAT ? (const void *)&narrow : &wide, type->size);
    }
    MCL__THEN(status, mcl__room_of(mpi, ROOM_NUMBERS, 2 * count * 8, slots));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, *slots, 0, (size_t)count * 16, numbers));
    if (blends(call)) {
        MCL__THEN(status, mcl__room_of(mpi, ROOM_SMALL, (int64_t)share_bytes, shares));
        MCL__THEN(status, mcl_buffer_write(mpi->queue, *shares, 0, share_bytes, parts));
    }
    free(numbers);
    free(parts);
    return status;
}

/* quantile_between of the core's quantile.clh, for keys in the type of the results. */
#define BETWEEN(real)                                                                                                  \
    "static inline " real " mcl_between(const " real " a, const " real " b, const " real " t)\n"                       \
    "{\n"                                                                                                              \
    "    const " real " span = b - a, half_span = b / 2 - a / 2;\n"                                                    \
    "    " real " x = a + span * t;\n"                                                                                 \
    "    if (a == b || t == 0) return a;\n"                                                                            \
    "    if (!(half_span > -INFINITY && half_span < INFINITY)) return a + b;\n"                                        \
    "    if (!(span > -INFINITY && span < INFINITY)) x = 2 * (a / 2 + half_span * t);\n"                               \
    "    if (a < b) return x > b ? b : x;\n"                                                                           \
    "    return x < b ? b : x;\n"                                                                                      \
    "}\n"

/* Stores values between two keys, in the type of the results. */
static mcl_status store_between(mcl_mpi *mpi, const points_call *call, mcl_buffer *slots, mcl_buffer *shares)
{
    static const char text[] = "mcl_between(mcl_keys[mcl_low[i]], mcl_keys[mcl_high[i]], mcl_share[i])";
    const mcl_type *const type = call->out.type;
    const mcl_input *const found = &call->selection.found;
    const int64_t count = call->points.count;
    mcl_buffer *keys = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_MERGED, found->count * (int64_t)type->size, &keys);
    MCL__THEN(status, mcl_transform(mpi->queue, *found, mcl_to_buffer(type, keys, 0, found->count), NULL));
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_keys", type, keys, 0),
                                     mcl_binding_buffer("mcl_low", MCL_INT64, slots, 0),
                                     mcl_binding_buffer("mcl_high", MCL_INT64, slots, count),
                                     mcl_binding_buffer("mcl_share", type, shares, 0) };
    MCL__THEN(status, mcl_transform(mpi->queue,
                                    mcl_from_expression(
                                        type, text, type->size == sizeof(double) ? BETWEEN("double") : BETWEEN("float"),
                                        bindings, 4, count),
                                    call->out, NULL));
    return status;
}

static mcl_status store_points(mcl_mpi *mpi, points_call *call)
{
    mcl_buffer *slots = NULL, *shares = NULL;
    mcl_status status = send_slots(mpi, call, &slots, &shares);
    if (status != MCL_OK) return status;
    if (blends(call)) return store_between(mpi, call, slots, shares);
    return mcl_join_gather(mpi->queue, mcl_from_buffer(MCL_INT64, slots, 0, call->points.count), call->selection.found,
                           NULL, call->out, NULL);
}

static mcl_status run_core(mcl_mpi *mpi, const points_call *call)
{
    const mcl_options own = mcl__own_options(call->options);
    return call->are_fractions
               ? mcl_quantiles(mpi->queue, call->keys, call->points, call->out, call->before, call->interpolation, &own)
               : mcl_nth_elements(mpi->queue, call->keys, call->points, call->out, call->before, &own);
}

static mcl_status points(mcl_mpi *mpi, points_call *call)
{
    mcl__signature *const signature = mcl__sign(mpi);
    const mcl_status checked = check(mpi, call);
    mcl__sign_type(signature, "the type of keys", call->keys.type);
    mcl__sign_op(signature, "before", call->before);
    mcl__sign_type(signature, call->are_fractions ? "the type of fractions" : "the type of indices", call->points.type);
    mcl__sign_type(signature, "the type of out", call->out.type);
    mcl__sign_options(signature, call->options);
    mcl__sign_number(signature, "interpolation", call->interpolation);
    if (checked == MCL_OK)
        mcl__sign_list(signature, call->are_fractions ? "fractions" : "indices", call->given, call->points.count,
                       call->points.type->size);
    MCL__BEGIN(mpi, signature, checked);
    MCL__AGREE(mpi, mcl__count_whole(mpi, call->keys.count, &call->whole));
    if (call->whole.total == 0 || call->points.count == 0) return MCL_OK;
    if (mpi->size == 1) return mcl__agree(mpi, run_core(mpi, call));
    call->selection = (mcl__selection){ .keys = call->keys,
                                        .before = call->before,
                                        .options = call->options,
                                        .indices = call->indices,
                                        .count = list_indices(call) };
    MCL__AGREE(mpi, mcl__select(mpi, &call->selection));
    return mcl__agree(mpi, store_points(mpi, call));
}

static mcl_status points_run(mcl_mpi *mpi, points_call *call)
{
    const mcl_status status = points(mpi, call);
    free(call->given);
    free(call->positions);
    free(call->indices);
    free(call->whole.counts);
    free(call->selection.slots);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_nth_elements(mcl_mpi *mpi, mcl_input keys, mcl_input indices, mcl_output out, const mcl_op *before,
                                const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_nth_elements");
    points_call call = { .keys = keys, .points = indices, .out = out, .before = before, .options = options };
    return points_run(mpi, &call);
}

mcl_status mcl_mpi_quantiles(mcl_mpi *mpi, mcl_input keys, mcl_input fractions, mcl_output out, const mcl_op *before,
                             mcl_interpolation interpolation, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_quantiles");
    points_call call = { .keys = keys,
                         .points = fractions,
                         .are_fractions = 1,
                         .interpolation = interpolation,
                         .out = out,
                         .before = before,
                         .options = options };
    return points_run(mpi, &call);
}
