/* histogram.c: mcl_histogram, mcl_histogram_even and mcl_histogram_range. Kernels: cl/kernels/histogram/histogram.cl.
 * Each work-group counts a part of the input. In the group mapping it counts in work-group memory if the bins fit, and
 * then adds to the bins with atomics. In the serial mapping each part has its own tables in scratch, and a second pass
 * adds them. */
#include "call/call.h"
#include "facts/histogram.h"

#include "moderncl/histogram.h"

/* The smallest and the largest positive normal number of each type. */
#define FLOAT_LEAST 1.17549435082228751e-38
#define FLOAT_MOST 3.40282346638528860e38
#define DOUBLE_LEAST 2.2250738585072014e-308
#define DOUBLE_MOST 1.7976931348623157e308

enum { IN = 1, BINS, WEIGHTS, LEVELS, BIN };          /* operands */
enum { ELEMENTS = 1 };                                /* groups of operands with one type */
enum { CLEAR, COUNT, FOLD };                          /* passes */
enum { TABLES };                                      /* scratch */
enum { BIN_COUNT, TABLE_COUNT, RANGES, RANGE_BYTES }; /* scalars */
enum { EVEN };                                        /* by-value arguments */

static const mcl__declaration histogram = {
    .file = "kernels/histogram/histogram.cl",
    .operands =
        (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT, .types = MCL__BUILT_INS, .group = ELEMENTS },
                         [BINS] = { "bins", .kind = MCL__OUTPUT, .types = MCL__BUILT_INS },
                         [WEIGHTS] = { "weights", .kind = MCL__INPUT, .types = MCL__BUILT_INS, .as_many = IN },
                         [LEVELS] = { "levels", .kind = MCL__INPUT, .types = MCL__BUILT_INS, .group = ELEMENTS } },
    .scratch = { [TABLES] = { "tables", "cell_type" } },
    .scalars = { [BIN_COUNT] = "bin_count",
                 [TABLE_COUNT] = "table_count",
                 [RANGES] = "ranges",
                 [RANGE_BYTES] = "range_bytes" },
    .by_value = { [EVEN] = { "even", "even_bins" } },
    .passes =
        (mcl__passes){
            [CLEAR] = { "histogram_clear", .arguments = { OPERAND(BINS), AS_INDEX(BIN_COUNT) } },
            [COUNT] = { "histogram_count",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(WEIGHTS), OPERAND(LEVELS), OPERAND(BINS),
                                       SCRATCH(TABLES), AS_INDEX(BIN_COUNT), BY_VALUE(EVEN) } },
            [FOLD] = { "histogram_fold",
                       .arguments = { SCRATCH(TABLES), OPERAND(BINS), AS_INDEX(BIN_COUNT), AS_INT(TABLE_COUNT) } },
        },
};
/* The operands of mcl_histogram, whose operator finds the bins of elements of any type. */
static mcl__operands of_any = {
    [IN] = { "in", .kind = MCL__INPUT, .group = ELEMENTS },
    [BIN] = { "bin", .kind = MCL__OPERATOR, .use = MCL_ROLE_INDEX, .of = IN },
};

/* ---- checks --------------------------------------------------------------------------------------------- */

static int is_float(const mcl_type *type)
{
    return type->kind == MCL_KIND_FLOAT;
}

/* Returns the value of SUM (facts/histogram.h): the kind of number that bins hold. */
static int sum_of(const mcl_type *bins)
{
    if (is_float(bins)) return bins->size == sizeof(double) ? SUM_DOUBLE : SUM_FLOAT;
    return bins->size == sizeof(int64_t) ? SUM_64 : SUM_32;
}

static mcl_status check_types(const mcl__call *call)
{
    const mcl_type *const bins = call->operands[BINS].output->type;
    const mcl_input *const weights = call->operands[WEIGHTS].input;
    if (bins->size < sizeof(int32_t) || (!weights && is_float(bins)))
        return mcl__fail(MCL_ERROR_TYPE, "bins is %s; expected MCL_INT32, MCL_UINT32, MCL_INT64%s", bins->name,
                         weights ? ", MCL_UINT64, MCL_FLOAT or MCL_DOUBLE" : " or MCL_UINT64, which count");
    if (weights && is_float(weights->type) && !is_float(bins))
        return mcl__fail(MCL_ERROR_TYPE, "bins is %s and weights is %s; expected MCL_FLOAT or MCL_DOUBLE bins",
                         bins->name, weights->type->name);
    return weights ? MCL_OK : mcl__check_holds_indices("bins", bins, call->operands[IN].input->count);
}

static mcl_status check_sums(const mcl__call *call, mcl__tile tile)
{
    const mcl_context *const context = call->queue->context;
    const mcl_type *const bins = call->operands[BINS].output->type;
    if (tile.threads == 1 || !is_float(bins)) return MCL_OK;
    if (mcl__wants_same_bits(call->options))
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "bins is %s with MCL_DETERMINISTIC, but the group mapping adds floats in any order; expected "
                         "bins of integers, or options->tile_threads 1",
                         bins->name);
    if (sum_of(bins) == SUM_DOUBLE && context->limits.word_path == MCL__WORDS_NONE)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "bins is %s, but %s has no 64-bit atomics; expected MCL_FLOAT, or options->tile_threads 1",
                         bins->name, context->info.name);
    return MCL_OK;
}

/* ---- the program ---------------------------------------------------------------------------------------- */

/* Bytes for 32-bit bins. LOCAL_SPARED has room for one more cell per copy, for elements without a bin. */
enum { LOCAL_SPARED = 256, LOCAL_BYTES = HISTOGRAM_LOCAL_BINS * 4 + LOCAL_SPARED, COPIES_MAX = 32 };

/* The cells that bins use in work-group memory: bins times copies. bins is 0 where the bins do not fit. ranges is 0
 * where cells are not 16-bit counters. */
typedef struct cells {
    int64_t bins;
    int copies, ranges;
    size_t bytes;
} cells;
static const cells no_cells = { .copies = 1 };

static cells local_cells(const mcl__call *call)
{
    const int sum = sum_of(call->operands[BINS].output->type);
    const int64_t bytes = sum == SUM_64 && call->operands[WEIGHTS].input ? 8 : 4;
    const int64_t memory = call->queue->context->limits.local_memory;
    const int64_t room = (memory < LOCAL_BYTES ? memory : LOCAL_BYTES) / bytes;
    cells made = { .bins = 1, .copies = 1 };
    while (made.bins < call->scalars[BIN_COUNT]) made.bins *= 2;
    if (sum == SUM_DOUBLE || HISTOGRAM_CELLS(made.bins, 1) > room) return no_cells;
    while (made.copies < COPIES_MAX && HISTOGRAM_CELLS(made.bins, 2 * made.copies) <= room) made.copies *= 2;
    made.bytes = (size_t)(HISTOGRAM_CELLS(made.bins, made.copies) * bytes);
    return made;
}

/* Returns the cells. If the bins do not fit, counts use ranges of 16-bit counters. There are as few ranges as a group's
 * memory allows, since the input is read again for each. Bins by levels have no ranges: a search for each range would
 * cost too much. */
static cells cells_of(const mcl__call *call, int bin_by)
{
    const cells whole = local_cells(call);
    const int64_t bins = call->scalars[BIN_COUNT], memory = call->queue->context->limits.launch_memory - LOCAL_SPARED;
    const int64_t room = memory / (int64_t)sizeof(uint16_t), most = room < RANGE_BINS_MOST ? room : RANGE_BINS_MOST;
    if (whole.bins || call->operands[WEIGHTS].input || bin_by == BIN_BY_LEVELS) return whole;
    if (call->queue->context->limits.local_memory < LOCAL_BYTES) return whole;
    const int64_t ranges = mcl__divide_up(bins, most), words = mcl__divide_up(mcl__divide_up(bins, ranges), 2);
    if (ranges > RANGES_MOST) return whole;
    return (cells){ .bins = 2 * words, .copies = 1, .ranges = (int)ranges, .bytes = (size_t)words * sizeof(uint32_t) };
}

/* Returns the bytes of a table's cell in the serial mapping. Floats have a wide sum (cl/pieces/fold/wide_sum.clh). */
static size_t cell_bytes(const mcl__call *call)
{
    const mcl_type *const bins = call->operands[BINS].output->type;
    return is_float(bins) ? 2 * bins->size : bins->size;
}

/* Returns the number of copies of a table in the serial mapping. If bins are few there are several copies, which still
 * fit the first-level cache. */
static int serial_copies(int64_t bins)
{
    return bins <= HISTOGRAM_FEW_BINS ? 4 : 1;
}

/* Returns the number of cells in one part's table in the serial mapping. */
static int64_t table_cells(const mcl__call *call)
{
    return HISTOGRAM_CELLS(call->scalars[BIN_COUNT], serial_copies(call->scalars[BIN_COUNT]));
}

static mcl_status find_program(mcl__call *call, int bin_by)
{
    const mcl_input *const in = call->operands[IN].input;
    const int64_t bins = call->scalars[BIN_COUNT];
    cells local = cells_of(call, bin_by);
    const mcl__tile_need need = { .element_bytes = in->type->size,
                                  .local_bytes_fixed = local.bytes,
                                  .at_launch = local.ranges > 0 };
    const mcl__tile tile =
        mcl__call_choose_tile(call, local.ranges ? MCL__OPERATION_histogram_ranges : MCL__OPERATION_histogram, need);
    const int is_serial = tile.threads == 1;
    MCL__TRY(check_sums(call, tile));
    if (is_serial || (local.ranges && (int64_t)tile.threads * tile.items >= RANGE_HALF)) local = no_cells;
    call->scalars[RANGES] = local.ranges;
    call->scalars[RANGE_BYTES] = local.ranges ? (int64_t)local.bytes : 0;
    call->passes = MCL__BIT(COUNT) | (is_serial ? MCL__BIT(FOLD) : MCL__BIT(CLEAR));
    call->without = is_serial ? 0 : MCL__BIT(TABLES);
    mcl__call_define(call, "BIN_BY", bin_by);
    if (call->by_value[EVEN].bytes) mcl__call_define(call, "EVEN_BYTES", (int)call->by_value[EVEN].size);
    mcl__call_define(call, "SUM", sum_of(call->operands[BINS].output->type));
    mcl__call_define(call, "COPIES", is_serial ? serial_copies(bins) : local.copies);
    mcl__call_define(call, "LOCAL_BINS", (int)local.bins);
    mcl__call_define(call, "RANGES", local.ranges);
    mcl__call_define(call, "RANGE_BYTES", (int)call->scalars[RANGE_BYTES]);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(call->queue->context, MCL__PARAMETER_histogram_resident));
    return mcl__call_program(call, tile, mcl__index_bits(in->count > bins ? in->count : bins, call->options));
}

/* ---- launches ------------------------------------------------------------------------------------------- */

/* The most elements of a part, so that a 32-bit count can hold them. */
#define PART_MOST (INT64_C(1) << 31)

/* Returns the number of parts in the serial mapping. Clearing and adding a cell takes half the time of counting an
 * element. So all tables together have at most half as many cells as there are elements. With at most one part per
 * core, they may have four times as many. */
static int64_t serial_parts(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_histogram_parts);
    const int64_t room = 2 * call->operands[IN].input->count / table_cells(call), cheap = room / 4;
    const int64_t units = context->limits.compute_units, cores = room < units ? room : units;
    const int64_t parts = cheap > cores ? cheap : cores;
    return parts < wanted ? parts : wanted;
}

/* Returns the number of parts that fill a GPU. With ranges, a compute unit runs at most as many groups as its memory
 * has room for. */
static int64_t group_parts(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t threads = mcl__call_tile(call).threads, bytes = call->scalars[RANGE_BYTES];
    const int64_t groups = mcl__tuned_a_unit(context, MCL__PARAMETER_histogram_work_items) / threads;
    if (!bytes) return groups;
    const int64_t held = context->limits.launch_memory / bytes * context->limits.compute_units;
    return (groups < held ? groups : held) / call->scalars[RANGES];
}

/* Returns the fewest parts that 32-bit counts allow, or more to fill the device. */
static int64_t histogram_parts(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const mcl__tile tile = mcl__call_tile(call);
    const int64_t count = call->operands[IN].input->count, tiles = mcl__call_tiles(call, count);
    const int64_t least = mcl__divide_up(count, PART_MOST);
    const int64_t wanted = tile.threads == 1 ? serial_parts(call) : group_parts(call);
    const int64_t parts = mcl__fold_parts(&context->limits, tile, tiles, wanted > 0 ? wanted : 1, 4);
    return parts > least ? parts : least;
}

static mcl_status histogram_launch(mcl__call *call, int64_t parts)
{
    const int64_t bins = call->scalars[BIN_COUNT];
    if (!mcl__call_is_serial(call)) {
        MCL__TRY(mcl__call_launch_tiles(call, CLEAR, bins));
        const int64_t ranges = call->scalars[RANGES] ? call->scalars[RANGES] : 1;
        return mcl__call_launch_with_memory(call, COUNT, parts * ranges, call->scalars[RANGE_BYTES]);
    }
    MCL__TRY(mcl__call_launch(call, COUNT, parts));
    return mcl__call_launch_tiles(call, FOLD, bins);
}

static mcl_status histogram_run(mcl__call *call, int bin_by)
{
    if (call->scalars[BIN_COUNT] == 0) {
        MCL__TRY(mcl__call_begin(call));
        return mcl__call_end(call);
    }
    MCL__TRY(find_program(call, bin_by));
    const int64_t parts = histogram_parts(call);
    MCL__TRY(mcl__check_tiles(call->scalars[BIN_COUNT], mcl__call_tile_size(call)));
    call->scalars[TABLE_COUNT] = parts * serial_copies(call->scalars[BIN_COUNT]);
    if (mcl__call_is_serial(call))
        mcl__call_scratch(call, TABLES, (size_t)(parts * table_cells(call)) * cell_bytes(call));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(histogram_launch(call, parts));
    return mcl__call_end(call);
}

/* Makes the checks that all histograms need. The bounds of bins are checked later. */
static mcl_status histogram_check(mcl__call *call, mcl_input *weights)
{
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(check_types(call));
    const mcl_input *const in = call->operands[IN].input;
    const int64_t bins = call->operands[BINS].output->capacity;
    if (bins == 0 && in->count > 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "bins has capacity 0; expected 1 or more, the number of bins");
    if (call->operands[WEIGHTS].input) mcl__adopt_count(weights, in);
    call->room[BINS] = call->scalars[BIN_COUNT] = bins;
    return MCL_OK;
}

/* ---- even bins ------------------------------------------------------------------------------------------ */

/* The struct even_bins of histogram_bin.clh, for each kind of elements. */
typedef struct even_integers {
    uint64_t least, last, whole, factor, factor_below;
} even_integers;
typedef union even_bins {
    even_integers integers;
    float floats[3];
    double doubles[3];
} even_bins;

/* Returns the first 64 bits of the fraction *rest / span, where *rest is less than span. *rest becomes the remainder
 * after these bits. A span of 0 stands for 2^64. */
static uint64_t divide_bits(uint64_t *rest, uint64_t span)
{
    uint64_t quotient = 0;
    for (int bit = 0; bit < 64; ++bit) {
        const int carry = (int)(*rest >> 63);
        const int fits = span == 0 ? carry : carry || *rest << 1 >= span;
        *rest = (*rest << 1) - (fits ? span : 0);
        quotient = quotient << 1 | (uint64_t)fits;
    }
    return quotient;
}

/* Makes the numbers for even bins of integers: bins / span as a whole number and a fraction, which is rounded up. The
 * fraction has 128 bits where elements have 64 bits (is_wide), else 64. */
static even_integers make_integers(uint64_t least, uint64_t span, uint64_t bins, int is_wide)
{
    even_integers made = { .least = least, .last = span - 1, .whole = span ? bins / span : 0 };
    uint64_t rest = span ? bins % span : bins;
    made.factor = divide_bits(&rest, span);
    if (is_wide) {
        made.factor_below = divide_bits(&rest, span);
        made.factor_below += rest != 0;
        made.factor += rest != 0 && made.factor_below == 0;
    } else {
        made.factor += rest != 0;
    }
    return made;
}

#define TWO_TO_64 18446744073709551616.0

/* Returns the shift that gives a 32-bit element's even bin, if a bin's width is a power of two; else -1. */
static int shift_of(const even_integers *even, uint64_t bins)
{
    const uint64_t width = bins ? (even->last + 1) / bins : 0;
    if (width == 0 || even->last > UINT32_MAX || width * bins != even->last + 1) return -1;
    for (int shift = 0; shift < 32; ++shift)
        if (width == UINT64_C(1) << shift) return shift;
    return -1;
}

/* Returns a whole number as 64 bits. For 2^64 it returns 0. */
static uint64_t bits_of(double number)
{
    if (number < 0) return (uint64_t)(int64_t)number;
    return number < TWO_TO_64 ? (uint64_t)number : 0;
}

/* Returns 1 where number has no fraction. number is between -2^63 and 2^64. */
static int is_whole(double number)
{
    if (number < 0) return (double)(int64_t)number == number;
    return number >= TWO_TO_64 || (double)(uint64_t)number == number;
}

static mcl_status check_bound(const mcl_type *type, const char *name, double bound)
{
    const double half = (double)(UINT64_C(1) << (type->size * 8 - 1));
    const double least = type->kind == MCL_KIND_SIGNED ? -half : 0;
    const double above = type->kind == MCL_KIND_SIGNED ? half : 2 * half;
    if (is_float(type)) {
        if (bound >= -DOUBLE_MOST && bound <= DOUBLE_MOST) return MCL_OK;
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %g; expected a finite number", name, bound);
    }
    if (bound >= least && bound <= above && is_whole(bound)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %.17g; expected a whole number from %.17g to %.17g, as in is %s", name,
                     bound, least, above, type->name);
}

/* Makes the numbers for even bins of floats. Bins are computed in the type of the elements; for halves, in float. */
static mcl_status make_reals(const mcl_type *type, double low, double high, int64_t bins, even_bins *made)
{
    const int is_double = type->size == sizeof(double);
    const double span = is_double ? high - low : (double)((float)high - (float)low);
    const double scale = (double)bins / span;
    const double least = is_double ? DOUBLE_LEAST : FLOAT_LEAST, most = is_double ? DOUBLE_MOST : FLOAT_MOST;
    if (!(span > 0 && span <= most && scale >= least && scale <= most))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "low is %.9g and high is %.9g; expected a distance that %s can hold, and that divides into "
                         "%lld bins",
                         low, high, type->name, (long long)bins);
    if (is_double)
        *made = (even_bins){ .doubles = { low, high, scale } };
    else
        *made = (even_bins){ .floats = { (float)low, (float)high, (float)scale } };
    return MCL_OK;
}

static mcl_status make_even(mcl__call *call, double low, double high, even_bins *made)
{
    const mcl_type *const type = call->operands[IN].input->type;
    const int64_t bins = call->scalars[BIN_COUNT];
    MCL__TRY(check_bound(type, "low", low));
    MCL__TRY(check_bound(type, "high", high));
    if (!(low < high))
        return mcl__fail(MCL_ERROR_ARGUMENT, "low is %.17g and high is %.17g; expected low below high", low, high);
    call->by_value[EVEN].bytes = made;
    if (is_float(type)) {
        call->by_value[EVEN].size = 3 * mcl__staged_bytes(type);
        return make_reals(type, low, high, bins, made);
    }
    call->by_value[EVEN].size = sizeof made->integers;
    const uint64_t least = bits_of(low);
    made->integers = make_integers(least, bits_of(high) - least, (uint64_t)bins, type->size == sizeof(int64_t));
    const int shift = type->size == sizeof(int64_t) ? -1 : shift_of(&made->integers, (uint64_t)bins);
    mcl__call_define(call, "EVEN_SHIFTS", shift >= 0);
    mcl__call_define(call, "EVEN_WHOLE", shift < 0 && made->integers.whole != 0);
    if (shift >= 0) made->integers.factor = (uint64_t)shift;
    return MCL_OK;
}

static int even_way(const mcl_type *type)
{
    if (is_float(type)) return BIN_BY_EVEN_REAL;
    return type->size == sizeof(int64_t) ? BIN_BY_EVEN_64 : BIN_BY_EVEN_32;
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

/* Begins a call. weights_copy receives a copy of the weights, which the call may change. */
static void histogram_init(mcl__call *call, const char *function, mcl_queue *queue, mcl_input *in,
                           const mcl_input *weights, mcl_input *weights_copy, mcl_output *bins,
                           const mcl_options *options)
{
    mcl__call_init(call, &histogram, function, queue, options);
    call->operands[IN].input = in;
    call->operands[BINS].output = bins;
    if (!weights) return;
    *weights_copy = *weights;
    call->operands[WEIGHTS].input = weights_copy;
}

mcl_status mcl_histogram(mcl_queue *queue, mcl_input in, const mcl_op *bin, const mcl_input *weights, mcl_output bins,
                         const mcl_options *options)
{
    mcl_input own;
    mcl__call call;
    histogram_init(&call, "mcl_histogram", queue, &in, weights, &own, &bins, options);
    call.own = of_any;
    call.operands[BIN].op = bin;
    MCL__TRY(histogram_check(&call, &own));
    MCL__TRY(mcl__call_ready(&call));
    return histogram_run(&call, BIN_BY_NUMBER);
}

mcl_status mcl_histogram_even(mcl_queue *queue, mcl_input in, double low, double high, const mcl_input *weights,
                              mcl_output bins, const mcl_options *options)
{
    mcl_input own;
    even_bins even = { .integers = { 0 } };
    mcl__call call;
    histogram_init(&call, "mcl_histogram_even", queue, &in, weights, &own, &bins, options);
    MCL__TRY(histogram_check(&call, &own));
    MCL__TRY(make_even(&call, low, high, &even));
    MCL__TRY(mcl__call_ready(&call));
    return histogram_run(&call, even_way(in.type));
}

mcl_status mcl_histogram_range(mcl_queue *queue, mcl_input in, mcl_input levels, const mcl_input *weights,
                               mcl_output bins, const mcl_options *options)
{
    mcl_input own;
    mcl__call call;
    histogram_init(&call, "mcl_histogram_range", queue, &in, weights, &own, &bins, options);
    call.operands[LEVELS].input = &levels;
    MCL__TRY(histogram_check(&call, &own));
    if (levels.count < bins.capacity + 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "levels has %lld elements; expected %lld or more, one more than bins",
                         (long long)levels.count, (long long)bins.capacity + 1);
    levels.count = bins.capacity + 1;
    levels.count_slot = NULL;
    MCL__TRY(mcl__call_ready(&call));
    if (mcl__validates(options)) MCL__TRY(mcl__validate_sorted(queue, "levels", &levels, MCL_LESS, options));
    return histogram_run(&call, BIN_BY_LEVELS);
}
