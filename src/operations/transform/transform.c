/* transform.c: mcl_transform, mcl_scatter, mcl_scatter_flagged and mcl_random. Kernels: transform.cl, one pass each. */
#include "operations/transform/transform.h"

#include "call/call.h"
#include "values/seed.h"

#include "moderncl/transform.h"

#include <float.h>

enum { CAPACITY }; /* scalars */

/* Launches the program's only pass, with one work-group for each tile of count elements. */
static mcl_status launch_tiles(mcl__call *call, int64_t count)
{
    MCL__TRY(mcl__call_begin(call));
    if (count > 0) MCL__TRY(mcl__call_launch_tiles(call, 0, count));
    return mcl__call_end(call);
}

static mcl_status find_program(mcl__call *call, const mcl_type *stored, int64_t bound)
{
    const mcl__tile_need need = { .element_bytes = stored->size };
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_transform, need),
                             mcl__index_bits(bound, call->options));
}

/* ---- mcl_transform ------------------------------------------------------------------------------------------ */

enum { IN = 1, OUT };

static const mcl__declaration transform = {
    .file = "kernels/transform/transform.cl",
    .operands =
        (mcl__operands){
            [IN] = { "in", .kind = MCL__INPUT }, [OUT] = { "out", .kind = MCL__OUTPUT, .in_place = MCL__BIT(IN) } },
    .passes = (mcl__passes){ { "transform", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(OUT) } } },
};

static mcl_status transform_run(mcl__call *call, mcl_input *in, mcl_output *out)
{
    call->operands[IN].input = in;
    call->operands[OUT].output = out;
    MCL__TRY(mcl__call_check(call));
    if (!mcl__same_type(in->type, out->type) &&
        (in->type->kind == MCL_KIND_STRUCT || out->type->kind == MCL_KIND_STRUCT))
        return mcl__fail(MCL_ERROR_TYPE, "in is %s and out is %s; expected one type, or two built-in types",
                         in->type->name, out->type->name);
    call->room[OUT] = in->count;
    MCL__TRY(mcl__call_ready(call));
    /* An expression is compiled even without elements, so that errors in its text are reported. */
    if (in->count > 0 || in->expression) MCL__TRY(find_program(call, out->type, in->count));
    return launch_tiles(call, in->count);
}

mcl_status mcl_transform(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &transform, "mcl_transform", queue, options);
    return transform_run(&call, &in, &out);
}

mcl_status mcl__transform(mcl_queue *queue, mcl_input *in, mcl_output out, const mcl_options *options)
{
    mcl__call call;
    mcl__function_hold();
    mcl__call_init(&call, &transform, "mcl_transform", queue, options);
    const mcl_status status = transform_run(&call, in, &out);
    mcl__function_let_go();
    return status;
}

/* ---- mcl_scatter, mcl_scatter_flagged ---------------------------------------------------------------------------- */

enum { VALUES = 1, INDICES, TARGET, FLAGS };
enum { MOVED = 1 }; /* groups of operands with one type */

static const mcl__declaration scatter = {
    .file = "kernels/transform/transform.cl",
    .operands =
        (mcl__operands){ [VALUES] = { "values", .kind = MCL__INPUT, .group = MOVED },
                         [INDICES] = { "indices", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = VALUES },
                         [TARGET] = { "out", .kind = MCL__OUTPUT, .group = MOVED },
                         [FLAGS] = { "flags", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = VALUES } },
    .scalars = { [CAPACITY] = "capacity" },
    .passes = (mcl__passes){ { "scatter", .arguments = { MCL__ENVIRONMENT, OPERAND(VALUES), OPERAND(INDICES),
                                                         OPERAND(FLAGS), OPERAND(TARGET), AS_LONG(CAPACITY) } } },
};

static mcl_status scatter_run(mcl__call *call)
{
    const mcl_input *const values = call->operands[VALUES].input;
    const mcl_output *const out = call->operands[TARGET].output;
    MCL__TRY(mcl__call_check(call));
    call->room[TARGET] = call->scalars[CAPACITY] = out->capacity;
    MCL__TRY(mcl__call_ready(call));
    if (mcl__validates(call->options)) {
        mcl_input indices = *call->operands[INDICES].input;
        mcl__adopt_count(&indices, values); /* one index for each value */
        MCL__TRY(mcl__validate_range(call->queue, "indices", &indices, 0, out->capacity - 1, call->options));
    }
    mcl__call_define(call, "WITH_SCATTER", 1);
    MCL__TRY(find_program(call, out->type, out->capacity > values->count ? out->capacity : values->count));
    return launch_tiles(call, values->count);
}

mcl_status mcl_scatter(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_output out,
                       const mcl_options *options)
{
    mcl__call call = {
        &scatter,
        "mcl_scatter",
        queue,
        options,
        .operands = { [VALUES].input = &values, [INDICES].input = &indices, [TARGET].output = &out },
    };
    return scatter_run(&call);
}

mcl_status mcl_scatter_flagged(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_input flags, mcl_output out,
                               const mcl_options *options)
{
    mcl__call call = {
        &scatter,
        "mcl_scatter_flagged",
        queue,
        options,
        .operands = { [VALUES].input = &values,
                      [INDICES].input = &indices,
                      [TARGET].output = &out,
                      [FLAGS].input = &flags },
    };
    return scatter_run(&call);
}

/* ---- mcl_random --------------------------------------------------------------------------------------------- */

enum { MADE = 1 };
enum { START = CAPACITY + 1, GAMMA }; /* scalars */
enum { RANGE };                       /* by-value arguments */

/* The range of random numbers, for each kind of number. The kernel has the same structs (transform.cl). */
typedef union random_range {
    struct {
        uint64_t low, span;
    } integers;
    struct {
        float low, span, scale, least, above;
    } floats;
    struct {
        double low, span, scale, least, above;
    } doubles;
} random_range;

static const mcl__declaration random_values = {
    .file = "kernels/transform/transform.cl",
    .operands = (mcl__operands){ [MADE] = { "out", .kind = MCL__OUTPUT, .types = MCL__BUILT_INS } },
    .scalars = { [CAPACITY] = "count", [START] = "start", [GAMMA] = "gamma" },
    .by_value = { [RANGE] = { "range", "random_range" } },
    .uncontracted = 1, /* with contraction CUDA would round once where OpenCL rounds twice */
    .passes = (mcl__passes){ { "random", .arguments = { MCL__ENVIRONMENT, OPERAND(MADE), AS_LONG(CAPACITY),
                                                        AS_LONG(START), AS_LONG(GAMMA), BY_VALUE(RANGE) } } },
};

/* Returns a bound of an integer type, extended to 64 bits. Two such bounds compare as uint64_t or int64_t. */
static uint64_t integer_of(const mcl_type *type, const void *bound)
{
#define BITS_OF(number_type)                                                                                           \
    do {                                                                                                               \
        number_type number;                                                                                            \
        memcpy(&number, bound, sizeof number);                                                                         \
        return (uint64_t)number;                                                                                       \
    } while (0)
    const int is_signed = type->kind == MCL_KIND_SIGNED;
    switch (type->size) {
    case 1:
        if (is_signed) BITS_OF(int8_t);
        BITS_OF(uint8_t);
    case 2:
        if (is_signed) BITS_OF(int16_t);
        BITS_OF(uint16_t);
    case 4:
        if (is_signed) BITS_OF(int32_t);
        BITS_OF(uint32_t);
    default:
        BITS_OF(uint64_t);
    }
#undef BITS_OF
}

static double real_of(const mcl_type *type, const void *bound)
{
    float narrow;
    double wide;
    if (type->size == sizeof wide) {
        memcpy(&wide, bound, sizeof wide);
        return wide;
    }
    memcpy(&narrow, bound, sizeof narrow);
    return (double)narrow;
}

static mcl_status check_finite(const char *name, double bound)
{
    if (bound >= -DBL_MAX && bound <= DBL_MAX) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %g; expected a finite number", name, bound);
}

static mcl_status integers_between(const mcl_type *type, const void *low, const void *high, random_range *made)
{
    const uint64_t least = integer_of(type, low), most = integer_of(type, high);
    if (type->kind == MCL_KIND_SIGNED ? (int64_t)most < (int64_t)least : most < least)
        return mcl__fail(MCL_ERROR_ARGUMENT, "high is below low; expected low or more");
    made->integers.low = least;
    made->integers.span = most - least + 1;
    return MCL_OK;
}

/* Makes the range between two real bounds. If the type cannot hold their distance, the distance and low are halved.
 * This is exact, since such bounds are far from the smallest numbers of the type. */
static mcl_status reals_between(const mcl_type *type, double low, double high, random_range *made)
{
    const int is_double = type->size == sizeof(double);
    MCL__TRY(check_finite("low", low));
    MCL__TRY(check_finite("high", high));
    if (high < low) return mcl__fail(MCL_ERROR_ARGUMENT, "high is %g and low is %g; expected low or more", high, low);
    const double most = is_double ? DBL_MAX : (double)FLT_MAX;
    const double scale = high / 2 - low / 2 > most / 2 ? 2 : 1;
    const double start = low / scale, span = high / scale - start;
    if (is_double) {
        made->doubles.low = start;
        made->doubles.span = span;
        made->doubles.scale = scale;
        made->doubles.least = low;
        made->doubles.above = high;
    } else {
        made->floats.low = (float)start;
        made->floats.span = (float)span;
        made->floats.scale = (float)scale;
        made->floats.least = (float)low;
        made->floats.above = (float)high;
    }
    return MCL_OK;
}

static mcl_status random_check(mcl__call *call, const mcl_type *type, const void *low, const void *high,
                               random_range *made)
{
    if (mcl__same_type(type, MCL_HALF)) return mcl__fail(MCL_ERROR_TYPE, "out is half; expected another built-in type");
    if (!low || !high)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected a pointer to one %s", low ? "high" : "low",
                         type->name);
    if (type->kind == MCL_KIND_FLOAT)
        MCL__TRY(reals_between(type, real_of(type, low), real_of(type, high), made));
    else
        MCL__TRY(integers_between(type, low, high, made));
    return mcl__call_ready(call);
}

mcl_status mcl_random(mcl_queue *queue, mcl_output out, uint64_t seed, int64_t first, const void *low, const void *high,
                      const mcl_options *options)
{
    random_range range = { .doubles = { .low = 0 } };
    mcl__call call = {
        &random_values, "mcl_random", queue, options, .operands = { [MADE].output = &out },
    };
    MCL__TRY(mcl__call_check(&call));
    call.room[MADE] = call.scalars[CAPACITY] = out.capacity;
    MCL__TRY(random_check(&call, out.type, low, high, &range));
    const int is_real = out.type->kind == MCL_KIND_FLOAT;
    const uint64_t gamma = mcl__seed_gamma(seed);
    call.scalars[START] = (int64_t)(mcl__seed_word(seed, MCL__SEED_START) + ((uint64_t)first + 1) * gamma);
    call.scalars[GAMMA] = (int64_t)gamma;
    call.by_value[RANGE].bytes = &range;
    call.by_value[RANGE].size = is_real ? 5 * out.type->size : sizeof range.integers;
    mcl__call_define(&call, "WITH_RANDOM", 1);
    mcl__call_define(&call, "RANGE_BYTES", (int)call.by_value[RANGE].size);
    mcl__call_define(&call, "RANDOM_REAL",
                     !is_real                          ? 0
                     : out.type->size == sizeof(float) ? FLT_MANT_DIG
                                                       : DBL_MANT_DIG);
    MCL__TRY(find_program(&call, out.type, out.capacity));
    return launch_tiles(&call, out.capacity);
}
