/* index_range.c: finds the highest index, offset or count that an element type can hold. */
#include "call/check/check.h"
#include "call/token.h"

int64_t mcl__count_highest(const mcl_type *type)
{
    const int bits = (int)(8 * type->size) - (type->kind != MCL_KIND_UNSIGNED);
    return bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

static const struct {
    const mcl_type *type;
    const char *name; /* the name in callers' texts */
} built_in[] = {
#define X(upper, lower, text, size, kind) { &mcl_type_##lower, "MCL_" #upper },
    MCL_TYPE_LIST(X)
#undef X
};

/* Returns the index in built_in of the integer type with this name in C text, or -1. */
static int integer_named(mcl__token word)
{
    for (int k = 0; k < MCL__BUILT_IN_TYPES; ++k)
        if (mcl__is_integer(built_in[k].type) && mcl__token_is(word, built_in[k].type->name)) return k;
    return -1;
}

/* Returns the highest index that a type holds. For a struct, the text is searched for the type of member index. If the
 * name index occurs more than once, the narrowest type counts. An unknown type counts as int32_t. */
static int64_t index_highest(const mcl_type *type)
{
    int64_t highest = -1;
    mcl__token before = { "", 0 };
    if (type->kind != MCL_KIND_STRUCT) return mcl__count_highest(type);
    for (mcl__token at = mcl__token_from(type->source); at.size > 0; before = at, at = mcl__token_after(at)) {
        if (!mcl__token_is(at, "index") || !(mcl__token_is_word(before) || mcl__token_is(before, ","))) continue;
        const int named = integer_named(before);
        const int64_t found = named >= 0 ? mcl__count_highest(built_in[named].type) : INT32_MAX;
        if (highest < 0 || found < highest) highest = found;
    }
    return highest < 0 ? INT32_MAX : highest;
}

mcl_status mcl__check_holds_indices(const char *parameter, const mcl_type *type, int64_t count)
{
    const int64_t highest = index_highest(type);
    if (count <= highest) return MCL_OK;
    if (type->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_TYPE,
                         "%s is %s, whose index is %lld at most; expected an index of int64_t for %lld elements",
                         parameter, type->name, (long long)highest, (long long)count);
    const int named = integer_named(mcl__token_from(type->name));
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected MCL_INT64 for indices of %lld elements", parameter,
                     named >= 0 ? built_in[named].name : type->name, (long long)count);
}
