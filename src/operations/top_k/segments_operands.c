/* segments_operands.c: the operands of calls that select in segments. */
#include "operations/top_k/segments_operands.h"

mcl__operands mcl__rows_operands = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "keys", .group = KEY },
    [OFFSETS] = { "offsets", .kind = MCL__INPUT, .label = "segments", .types = MCL__INTEGERS, .offsets_of = IN },
    [INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = IN, .unused = 1 },
    [FLAGS] = { "segments", .kind = MCL__INPUT, .types = MCL__FLAGS, .unused = 1 },
    [IN_VALUES] = { "in_values", .kind = MCL__INPUT, .label = "values", .group = VALUE, .as_many = IN },
    [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },
    [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY },
    [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE },
    [OUT_INDICES] = { "out_indices", .kind = MCL__OUTPUT, .label = "out", .types = MCL__INDICES, .indexes = IN },
    [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = IN, .optional = 1 },
    [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .label = "k", .types = MCL__COUNTS },
    [POSITIONS] = { "positions", .kind = MCL__INPUT },
    [FRACTIONS] = { "fractions", .kind = MCL__INPUT, .types = MCL__REALS },
};
