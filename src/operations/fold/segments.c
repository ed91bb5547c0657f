/* segments.c: functions that make segments, and common steps of the operations on segments. Kernels:
 * cl/kernels/fold/segments.cl. */
#include "operations/fold/segments.h"

#include "values/step.h"

enum { GIVEN = 1, COUNT };            /* operands */
enum { CLEAR, SET, SEARCH, COUNTED }; /* passes */
enum { BITS };                        /* scratch */
enum { WORDS, ELEMENTS };             /* scalars */

#define HEADS_ARGUMENTS { OPERAND(GIVEN), SCRATCH(BITS), AS_LONG(WORDS), AS_LONG(ELEMENTS) }

static const mcl__declaration segments_part = {
    .file = "kernels/fold/segments.cl",
    .operands = (mcl__operands){ [GIVEN] = { "given", .kind = MCL__INPUT, .label = "segments", .types = MCL__INTEGERS },
                                 [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS } },
    .scratch = { { "bits", "uint" } },
    .scalars = { "words", "elements" },
    .passes = (mcl__passes){ [CLEAR] = { "heads_clear", .arguments = HEADS_ARGUMENTS },
                             [SET] = { "heads_set", .arguments = HEADS_ARGUMENTS },
                             [SEARCH] = { "heads_search", .arguments = HEADS_ARGUMENTS },
                             [COUNTED] = { "segments_count", .arguments = { OPERAND(GIVEN), OPERAND(COUNT) } } },
};

mcl_segments mcl_segments_from_offsets(mcl_input offsets)
{
    return (mcl_segments){ .input = offsets, .kind = MCL_SEGMENT_OFFSETS };
}

mcl_segments mcl_segments_from_rows(int64_t rows, int64_t length)
{
    const int is_narrow = length >= 0 && (length == 0 || rows <= INT32_MAX / length);
    const int32_t zero = 0, step = (int32_t)length;
    const int64_t zero_64 = 0;
    const int64_t offsets = rows < 0 || rows == INT64_MAX ? rows : rows + 1; /* a wrong count is refused later */
    const mcl_input narrow = mcl_from_step(MCL_INT32, &zero, &step, offsets);
    const mcl_input wide = mcl_from_step(MCL_INT64, &zero_64, &length, offsets);
    return (mcl_segments){ .input = is_narrow ? narrow : wide, .kind = MCL_SEGMENT_OFFSETS, .row_length = length };
}

mcl_segments mcl_segments_from_begins(mcl_input begins)
{
    return (mcl_segments){ .input = begins, .kind = MCL_SEGMENT_BEGINS };
}

mcl_segments mcl_segments_from_indices(mcl_input heads)
{
    return (mcl_segments){ .input = heads, .kind = MCL_SEGMENT_INDICES };
}

mcl_segments mcl_segments_from_flags(mcl_input words)
{
    return (mcl_segments){ .input = words, .kind = MCL_SEGMENT_FLAGS };
}

mcl_status mcl__segments_check(const mcl_segments *segments)
{
    const int64_t length = segments->row_length;
    if (length < 0 || (length > 0 && segments->input.count - 1 > INT64_MAX / length))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "segments are %lld rows of length %lld; expected a length of 0 or more, "
                         "and fewer elements than 2^63",
                         (long long)(segments->input.count - 1), (long long)length);
    if ((unsigned)segments->kind <= MCL_SEGMENT_FLAGS) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "segments.kind is %d; expected what an mcl_segments_from_... function gives",
                     (int)segments->kind);
}

void mcl__segments_leave_out_rows(mcl_segments *segments, int64_t elements)
{
    const int64_t length = segments->row_length;
    int64_t rows = segments->input.count;
    if (segments->kind != MCL_SEGMENT_OFFSETS) return;
    if (length > 0)
        rows = elements / length + 2;
    else if (mcl__steps_by_zero(&segments->input))
        rows = 1;
    if (segments->input.count > rows + 1) segments->input.count = rows + 1;
}

/* Finds the program with these passes. largest is the largest number of elements, which decides the index type. */
static mcl_status part_program(mcl__call *call, mcl_segment_kind kind, unsigned passes, int64_t largest)
{
    const mcl__tile_need need = { .element_bytes = sizeof(uint32_t) };
    const mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_transform, need);
    call->passes = passes;
    mcl__call_define(call, "HAS_OUTSIDE", kind != MCL_SEGMENT_INDICES);
    mcl__call_define(call, "HAS_END", kind == MCL_SEGMENT_OFFSETS);
    mcl__call_define(call, "HEADS_SEARCHED", (passes & MCL__BIT(SEARCH)) != 0);
    return mcl__call_program(call, tile, mcl__index_bits(largest, call->options));
}

/* ---- head bits ------------------------------------------------------------------------------------------------ */

/* Returns the passes that make head bits. If offsets or begins are far more than elements, each element is searched in
 * them, which reads fewer than SEARCH_STEPS of them. Head indices may have any order, so all of them must be read. */
static unsigned heads_passes(const mcl_segments *segments, int64_t elements)
{
    enum { SEARCH_STEPS = 64 };
    const int is_sorted = segments->kind != MCL_SEGMENT_INDICES;
    return is_sorted && segments->input.count / SEARCH_STEPS > elements ? MCL__BIT(SEARCH)
                                                                        : MCL__BIT(CLEAR) | MCL__BIT(SET);
}

mcl_status mcl__heads_plan(mcl_queue *queue, mcl_segments *segments, int64_t elements, const mcl_options *options,
                           mcl__call *part)
{
    const int64_t words = mcl__head_words(elements), given = segments->input.count;
    const unsigned passes = heads_passes(segments, elements);
    mcl__call_init(part, &segments_part, NULL, queue, options);
    part->operands[GIVEN].input = &segments->input;
    part->scalars[WORDS] = words;
    part->scalars[ELEMENTS] = elements;
    MCL__TRY(part_program(part, segments->kind, passes, given > words ? given : words));
    if (passes & MCL__BIT(SET)) MCL__TRY(mcl__check_tiles(given, mcl__call_tile_size(part)));
    mcl__call_scratch(part, BITS, (size_t)words * sizeof(uint32_t));
    return MCL_OK;
}

mcl_status mcl__heads_launch(mcl__call *part, mcl_input *words)
{
    const int64_t tile_size = mcl__call_tile_size(part);
    mcl__call_take(part);
    const mcl__span span = part->scratch[BITS].span;
    *words = mcl_from_buffer(MCL_UINT32, span.buffer, (int64_t)(span.offset / sizeof(uint32_t)), part->scalars[WORDS]);
    const int64_t word_tiles = mcl__divide_up(part->scalars[WORDS], tile_size);
    if (part->passes & MCL__BIT(SEARCH)) return mcl__call_launch(part, SEARCH, word_tiles);
    MCL__TRY(mcl__call_launch(part, CLEAR, word_tiles));
    return mcl__call_launch(part, SET, mcl__divide_up(part->operands[GIVEN].input->count, tile_size));
}

/* ---- their number --------------------------------------------------------------------------------------------- */

mcl_status mcl__segments_count_plan(mcl_queue *queue, mcl_segments *segments, const mcl_result *count,
                                    const mcl_options *options, mcl__call *part)
{
    mcl__call_init(part, &segments_part, NULL, queue, options);
    part->operands[GIVEN].input = &segments->input;
    part->operands[COUNT].result = count;
    return part_program(part, segments->kind, MCL__BIT(COUNTED), segments->input.count);
}

mcl_status mcl__segments_count_launch(mcl__call *part, mcl__span to)
{
    mcl__call_put(part, COUNT, to);
    return mcl__call_launch(part, COUNTED, 1);
}
