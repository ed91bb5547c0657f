/* transform.c: mcl_transform, mcl_scatter, mcl_scatter_flagged, mcl_random. Kernels: transform.cl, one pass each. */
#include "call/run.h"

#include "moderncl/transform.h"

enum { CAPACITY }; /* numbers */

/* Runs the program's only pass, a work-group for each tile of count elements. */
static mcl_status launch_tiles(mcl__run *run, int64_t count)
{
    MCL__TRY(mcl__run_begin(run));
    if (count > 0) MCL__TRY(mcl__run_launch_tiles(run, 0, count));
    return mcl__run_end(run);
}

static mcl_status find_program(mcl__run *run, const mcl_type *stored, int64_t bound)
{
    const mcl__tile_need need = { .element_bytes = stored->size };
    return mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_transform, need),
                            mcl__index_bits(bound, run->options));
}

/* ---- mcl_transform ------------------------------------------------------------------------------------------ */

enum { IN = 1, OUT };

static const mcl__declaration transform = {
    .file = "kernels/transform.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .in_place = MCL__BIT(IN) } },
    .passes = { { "transform", .words = { MCL__ENV, MCL__OF + IN, MCL__OF + OUT } } },
};

mcl_status mcl_transform(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    mcl__run run = { &transform, "mcl_transform", queue, options, .given = { [IN].input = &in, [OUT].output = &out } };
    MCL__TRY(mcl__run_check(&run));
    if (!mcl__same_type(in.type, out.type) && (in.type->kind == MCL_KIND_STRUCT || out.type->kind == MCL_KIND_STRUCT))
        return mcl__fail(MCL_ERROR_TYPE, "in is %s and out is %s; expected one type, or two built-in types",
                         in.type->name, out.type->name);
    run.room[OUT] = in.count;
    MCL__TRY(mcl__run_ready(&run));
    if (in.count > 0) MCL__TRY(find_program(&run, out.type, in.count));
    return launch_tiles(&run, in.count);
}

/* ---- mcl_scatter, mcl_scatter_flagged ---------------------------------------------------------------------------- */

enum { VALUES = 1, INDICES, TARGET, FLAGS };
enum { MOVED = 1 }; /* group of types */

static const mcl__declaration scatter = {
    .file = "kernels/transform.cl",
    .operands = { [VALUES] = { "values", .kind = MCL__INPUT, .group = MOVED },
                  [INDICES] = { "indices", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = VALUES },
                  [TARGET] = { "out", .kind = MCL__OUTPUT, .group = MOVED },
                  [FLAGS] = { "flags", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = VALUES } },
    .numbers = { [CAPACITY] = "capacity" },
    .passes = { { "scatter", .words = { MCL__ENV, MCL__OF + VALUES, MCL__OF + INDICES, MCL__OF + FLAGS,
                                        MCL__OF + TARGET, MCL__LONG + CAPACITY } } },
};

static mcl_status scatter_run(mcl__run *run)
{
    const mcl_input *const values = run->given[VALUES].input;
    const mcl_output *const out = run->given[TARGET].output;
    MCL__TRY(mcl__run_check(run));
    run->room[TARGET] = run->numbers[CAPACITY] = out->capacity;
    MCL__TRY(mcl__run_ready(run));
    if (mcl__validates(run->options)) {
        mcl_input indices = *run->given[INDICES].input;
        mcl__adopt_count(&indices, values); /* one index for each value */
        MCL__TRY(mcl__validate_range(run->queue, "indices", &indices, 0, out->capacity - 1, run->options));
    }
    mcl__run_define(run, "WITH_SCATTER", 1);
    if (values->count > 0)
        MCL__TRY(find_program(run, out->type, out->capacity > values->count ? out->capacity : values->count));
    return launch_tiles(run, values->count);
}

mcl_status mcl_scatter(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_output out,
                       const mcl_options *options)
{
    mcl__run run = {
        &scatter,
        "mcl_scatter",
        queue,
        options,
        .given = { [VALUES].input = &values, [INDICES].input = &indices, [TARGET].output = &out },
    };
    return scatter_run(&run);
}

mcl_status mcl_scatter_flagged(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_input flags, mcl_output out,
                               const mcl_options *options)
{
    mcl__run run = {
        &scatter,
        "mcl_scatter_flagged",
        queue,
        options,
        .given = { [VALUES].input = &values,
                   [INDICES].input = &indices,
                   [TARGET].output = &out,
                   [FLAGS].input = &flags },
    };
    return scatter_run(&run);
}

/* ---- mcl_random --------------------------------------------------------------------------------------------- */

/* A value of a built-in type, for comparing low with high. */
static int value_below(const mcl_type *type, const void *a, const void *b)
{
#define BELOW(value_text)                                                                                              \
    do {                                                                                                               \
        value_text left, right;                                                                                        \
        memcpy(&left, a, sizeof left);                                                                                 \
        memcpy(&right, b, sizeof right);                                                                               \
        return left < right;                                                                                           \
    } while (0)
    const int is_signed = type->kind == MCL_KIND_SIGNED;
    switch (type->size) {
    case 1:
        if (is_signed)
            BELOW(int8_t);
        else
            BELOW(uint8_t);
    case 2:
        if (is_signed)
            BELOW(int16_t);
        else
            BELOW(uint16_t);
    case 4:
        if (type->kind == MCL_KIND_FLOAT) BELOW(float);
        if (is_signed)
            BELOW(int32_t);
        else
            BELOW(uint32_t);
    default:
        if (type->kind == MCL_KIND_FLOAT) BELOW(double);
        if (is_signed)
            BELOW(int64_t);
        else
            BELOW(uint64_t);
    }
#undef BELOW
}

enum { MADE = 1 };
enum { SEED = CAPACITY + 1, FIRST }; /* numbers */
enum { LOW, HIGH };                  /* values */

static const mcl__declaration random_values = {
    .file = "kernels/transform.cl",
    .operands = { [MADE] = { "out", .kind = MCL__OUTPUT, .types = MCL__BUILT_INS } },
    .numbers = { [CAPACITY] = "count", [SEED] = "seed", [FIRST] = "first" },
    .values = { [LOW] = { "low", "out_type" }, [HIGH] = { "high", "out_type" } },
    .passes = { { "random", .words = { MCL__ENV, MCL__OF + MADE, MCL__LONG + CAPACITY, MCL__LONG + SEED,
                                       MCL__LONG + FIRST, MCL__VALUE + LOW, MCL__VALUE + HIGH } } },
};

static mcl_status random_check(mcl__run *run, const mcl_type *type, const void *low, const void *high)
{
    if (mcl__same_type(type, MCL_HALF)) return mcl__fail(MCL_ERROR_TYPE, "out is half; expected another built-in type");
    if (!low || !high)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected a pointer to one %s", low ? "high" : "low",
                         type->name);
    if (value_below(type, high, low)) return mcl__fail(MCL_ERROR_ARGUMENT, "high is below low; expected low or more");
    return mcl__run_ready(run);
}

mcl_status mcl_random(mcl_queue *queue, mcl_output out, uint64_t seed, int64_t first, const void *low, const void *high,
                      const mcl_options *options)
{
    mcl__run run = {
        &random_values, "mcl_random", queue, options, .given = { [MADE].output = &out },
    };
    MCL__TRY(mcl__run_check(&run));
    run.room[MADE] = run.numbers[CAPACITY] = out.capacity;
    MCL__TRY(random_check(&run, out.type, low, high));
    run.numbers[SEED] = (int64_t)seed;
    run.numbers[FIRST] = first;
    run.values[LOW].bytes = low;
    run.values[HIGH].bytes = high;
    run.values[LOW].size = run.values[HIGH].size = out.type->size;
    mcl__run_define(&run, "WITH_RANDOM", 1);
    mcl__run_define(&run, "RANDOM_REAL", out.type->kind != MCL_KIND_FLOAT ? 0 : out.type->size == 4 ? 24 : 53);
    MCL__TRY(find_program(&run, out.type, out.capacity));
    return launch_tiles(&run, out.capacity);
}
