/* compact_operands.c: the operands of every compaction, and those that depend on the kind of test. */
#include "operations/select/compact_operands.h"

mcl__operands mcl__compact_operands = {
    [IN] = { "in", "keys", MCL__INPUT, .group = MOVED },
    [DATA] = { "data", .kind = MCL__INPUT, .label = "in", .group = MOVED },
    [VALUES] = { "values", .kind = MCL__INPUT, .group = BESIDE, .as_many = IN },
    [VALUES + 1] = { "values_2", .kind = MCL__INPUT, .group = BESIDE + 1, .as_many = IN },
    [VALUES + 2] = { "values_3", .kind = MCL__INPUT, .group = BESIDE + 2, .as_many = IN },
    [VALUES + 3] = { "values_4", .kind = MCL__INPUT, .group = BESIDE + 3, .as_many = IN },
    [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = MOVED, .optional = 1, .in_place = MCL__BIT(IN) | MCL__BIT(DATA),
              .arrays_only = 1 },
    [SECOND] = { "second", .kind = MCL__OUTPUT, .group = MOVED, .optional = 1 },
    [REJECTED] = { "rejected", .kind = MCL__OUTPUT, .group = MOVED, .optional = 1 },
    [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = BESIDE, .optional = 1, .in_place = MCL__BIT(VALUES),
                     .arrays_only = 1 },
    [OUT_VALUES + 1] = { "out_values_2", .kind = MCL__OUTPUT, .group = BESIDE + 1, .optional = 1,
                         .in_place = MCL__BIT(VALUES + 1), .arrays_only = 1 },
    [OUT_VALUES + 2] = { "out_values_3", .kind = MCL__OUTPUT, .group = BESIDE + 2, .optional = 1,
                         .in_place = MCL__BIT(VALUES + 2), .arrays_only = 1 },
    [OUT_VALUES + 3] = { "out_values_4", .kind = MCL__OUTPUT, .group = BESIDE + 3, .optional = 1,
                         .in_place = MCL__BIT(VALUES + 3), .arrays_only = 1 },
    [REJECTED_VALUES] = { "rejected_values", .kind = MCL__OUTPUT, .group = BESIDE, .optional = 1 },
    [REJECTED_VALUES + 1] = { "rejected_values_2", .kind = MCL__OUTPUT, .group = BESIDE + 1, .optional = 1 },
    [LENGTHS] = { "lengths", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = IN, .optional = 1 },
    [COUNTS] = { "counts", .kind = MCL__RESULT, .label = "count", .types = MCL__COUNTS },
    [INDICES] = { "indices", .kind = MCL__ARRAY },
    [TOTALS] = { "totals", .kind = MCL__ARRAY },
};

mcl__operands mcl__compact_kept = { [TEST] = { "keep", .kind = MCL__OPERATOR, .use = MCL_ROLE_TEST, .of = IN } };
mcl__operands mcl__compact_heads = { [TEST] = { "same", .kind = MCL__OPERATOR, .use = MCL_ROLE_EQUALITY, .of = IN } };
mcl__operands mcl__compact_flagged = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "flags", .types = MCL__INTEGERS, .as_many = DATA },
};
mcl__operands mcl__compact_stencil = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "stencil", .as_many = DATA },
    [TEST] = { "keep", .kind = MCL__OPERATOR, .use = MCL_ROLE_TEST, .of = IN },
};
