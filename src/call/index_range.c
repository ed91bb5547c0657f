/* index_range.c: how many elements the indices of a type tell apart. */
#include "call/gate.h"
#include "call/token.h"

int64_t mcl__count_highest(const mcl_type *type)
{
    const int bits = (int)(8 * type->size) - (type->kind != MCL_KIND_UNSIGNED);
    return bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

/* The type that the text puts in front of a member's name; NULL: another one. */
static const mcl_type *integer_named(mcl__token word)
{
    for (int k = 0; k < MCL__BUILT_IN_TYPES; ++k)
        if (mcl__is_integer(mcl__built_in_types[k]) && mcl__token_is(word, mcl__built_in_types[k]->name))
            return mcl__built_in_types[k];
    return NULL;
}

/* The text of a struct says what its member index is. Where the name stands more than once, the narrowest type counts,
 * and one that is not known has 32 bits. */
int64_t mcl__index_highest(const mcl_type *type)
{
    int64_t highest = -1;
    mcl__token before = { "", 0 };
    if (type->kind != MCL_KIND_STRUCT) return mcl__count_highest(type);
    for (mcl__token at = mcl__token_from(type->source); at.size > 0; before = at, at = mcl__token_after(at)) {
        if (!mcl__token_is(at, "index") || !(mcl__token_is_word(before) || mcl__token_is(before, ","))) continue;
        const mcl_type *const named = integer_named(before);
        const int64_t found = named ? mcl__count_highest(named) : INT32_MAX;
        if (highest < 0 || found < highest) highest = found;
    }
    return highest < 0 ? INT32_MAX : highest;
}

mcl_status mcl__check_holds_indices(const char *parameter, const mcl_type *type, int64_t count)
{
    const int64_t highest = mcl__index_highest(type);
    if (count <= highest) return MCL_OK;
    if (type->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_TYPE,
                         "%s is %s, whose index is %lld at most; expected an index of int64_t for %lld elements",
                         parameter, type->name, (long long)highest, (long long)count);
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s, %lld at most; expected MCL_INT64 for indices of %lld elements",
                     parameter, type->name, (long long)highest, (long long)count);
}
