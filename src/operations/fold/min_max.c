/* min_max.c: the types of ranges, and mcl_min_max: a reduction whose operator depends on the type. */
#include "call/call.h"

#include "moderncl/reduce.h"

#define RANGE(lower) "mcl_" #lower "_range"
#define X(upper, lower, value_text, index_text)                                                                        \
    static const mcl_member lower##_members[] = {                                                                      \
        { "least", offsetof(mcl_##lower##_range, least) },                                                             \
        { "greatest", offsetof(mcl_##lower##_range, greatest) },                                                       \
    };                                                                                                                 \
    const mcl_type mcl_type_##lower##_range = {                                                                        \
        RANGE(lower),                                                                                                  \
        sizeof(mcl_##lower##_range),                                                                                   \
        MCL_ALIGNOF(mcl_##lower##_range),                                                                              \
        "typedef struct " RANGE(lower) " { " #value_text " least, greatest; } " RANGE(                                 \
            lower) ";\n"                                                                                               \
                   "static inline " RANGE(lower) " " RANGE(                                                            \
                       lower) "_of(const " #value_text " a, const " #value_text " b)"                                  \
                              " { " RANGE(lower) " r; r.least = a; r.greatest = b; return r; }\n",                     \
        2,                                                                                                             \
        lower##_members,                                                                                               \
        MCL_KIND_STRUCT,                                                                                               \
    };
MCL_AT_LIST(X)
#undef X

typedef struct range_fold {
    const mcl_type *of;
    mcl_op op;
} range_fold;

static const range_fold folds[] = {
#define X(upper, lower, value_text, index_text)                                                                        \
    { &mcl_type_##lower,                                                                                               \
      { .role = MCL_ROLE_FOLD,                                                                                         \
        .expression = RANGE(lower) "_of(LESS(q.least, p.least) ? q.least : p.least,"                                   \
                                   " LESS(p.greatest, q.greatest) ? q.greatest : p.greatest)",                         \
        .identity = RANGE(lower) "_of(HIGHEST, LOWEST)",                                                               \
        .value = &mcl_type_##lower##_range,                                                                            \
        .extract = RANGE(lower) "_of(x, x)",                                                                           \
        .commutative = 1 } },
    MCL_AT_LIST(X)
#undef X
};

static const mcl_op *fold_of(const mcl_type *type)
{
    for (size_t k = 0; k < sizeof folds / sizeof folds[0]; ++k)
        if (mcl__same_type(type, folds[k].of)) return &folds[k].op;
    return NULL;
}

enum { IN = 1 };
static const mcl__declaration min_max = { .operands = (mcl__operands){
                                              [IN] = { "in", .kind = MCL__INPUT, .types = MCL__BUILT_INS } } };

mcl_status mcl_min_max(mcl_queue *queue, mcl_input in, mcl_result result, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &min_max, "mcl_min_max", queue, options);
    call.operands[IN].input = &in;
    MCL__TRY(mcl__call_check(&call));
    const mcl_op *const fold = fold_of(in.type);
    if (!fold) return mcl__fail(MCL_ERROR_TYPE, "in is half; expected another built-in type");
    mcl__function_hold();
    const mcl_status status = mcl_reduce(queue, in, fold, result, options);
    mcl__function_let_go();
    return status;
}
