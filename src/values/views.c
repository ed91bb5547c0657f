/* views.c: functions that make inputs which read a buffer in another order. Each input is an expression with
 * bindings. */
#include "values/seed.h"

#include "moderncl/views.h"

/* Returns a binding of the elements that a view reads. The call checks that the buffer has them. */
static mcl_binding elements(const char *name, const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    mcl_binding binding = mcl_binding_buffer(name, type, buffer, offset);
    if (binding.buffer) binding.value.count = count;
    return binding;
}

static int is_half(const mcl_type *type)
{
    return type && type->kind == MCL_KIND_FLOAT && type->size == 2;
}

/* The text of one element of x, the array that elements() has bound. Elements of type half are bound as their bits. */
#define HALF_OF_X(index) "half_to_float(x[" index "])"
#define ELEMENT(type, index) (is_half(type) ? HALF_OF_X(index) : "x[" index "]")

mcl_input mcl_from_reversed(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    const int64_t last = (int64_t)((uint64_t)count - 1);
    const mcl_binding bindings[] = { elements("x", type, buffer, offset, count),
                                     mcl_binding_value("last", MCL_INT64, &last) };
    return mcl_from_expression(type, ELEMENT(type, "last - i"), NULL, bindings, 2, count);
}

mcl_input mcl_from_rotated(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count, int64_t by)
{
    const int64_t rest = count > 0 ? by % count : 0;
    const int64_t first = rest < 0 ? rest + count : rest; /* the index of the first element, below count */
    const int64_t left = count - first;                   /* the number of elements from that index to the end */
    const mcl_binding bindings[] = { elements("x", type, buffer, offset, count),
                                     mcl_binding_value("first", MCL_INT64, &first),
                                     mcl_binding_value("left", MCL_INT64, &left) };
    return mcl_from_expression(type, ELEMENT(type, "i < left ? i + first : i - left"), NULL, bindings, 3, count);
}

/* ---- shuffled ------------------------------------------------------------------------------------------- */

/* The text of the permutations in shuffle.inc. */
#define SHUFFLE_TEXT(...) #__VA_ARGS__
static const char shuffle_source[] =
#include "values/shuffle.inc"
    ;
#undef SHUFFLE_TEXT

/* The largest count for which mcl_shuffled_few follows an index through all exchanges. A longer sequence has more
 * orders than a key has values; there mcl_shuffled spreads the indices evenly by hashes. */
enum { SHUFFLE_FEW = 64 };

mcl_input mcl_from_shuffled(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count, uint64_t seed)
{
    const uint64_t key = mcl__seed_word(seed, MCL__SEED_SHUFFLE);
    int32_t bits = 1;
    while (bits < 62 && (int64_t)1 << bits < count) ++bits;
    const mcl_binding bindings[] = { elements("x", type, buffer, offset, count),
                                     mcl_binding_value("count", MCL_INT64, &count),
                                     mcl_binding_value("key", MCL_UINT64, &key),
                                     mcl_binding_value("bits", MCL_INT32, &bits) };
    const int is_few = count <= SHUFFLE_FEW;
    const char *const text =
        is_few ? ELEMENT(type, "mcl_shuffled_few(i, count, key)") : ELEMENT(type, "mcl_shuffled(i, count, key, bits)");
    return mcl_from_expression(type, text, shuffle_source, bindings, is_few ? 3 : 4, count);
}

/* ---- neighbours ----------------------------------------------------------------------------------------- */

/* Subtracts signed numbers as unsigned numbers, since unsigned arithmetic wraps around. */
#define DIFFERENCE(type, wide) "(" type ")((" wide ")x[i] - (" wide ")(i > 0 ? x[i - 1] : 0))"

static const char *difference_of(const mcl_type *type)
{
    if (!type || type->kind == MCL_KIND_STRUCT) return ""; /* the call that gets an empty expression refuses it */
    if (is_half(type)) return "i > 0 ? " HALF_OF_X("i") " - " HALF_OF_X("i - 1") " : " HALF_OF_X("i");
    if (type->kind == MCL_KIND_FLOAT) return "i > 0 ? x[i] - x[i - 1] : x[i]";
    const int is_signed = type->kind == MCL_KIND_SIGNED;
    switch (type->size) {
    case 1:
        return is_signed ? DIFFERENCE("int8_t", "uint32_t") : DIFFERENCE("uint8_t", "uint32_t");
    case 2:
        return is_signed ? DIFFERENCE("int16_t", "uint32_t") : DIFFERENCE("uint16_t", "uint32_t");
    case 4:
        return is_signed ? DIFFERENCE("int32_t", "uint32_t") : DIFFERENCE("uint32_t", "uint32_t");
    default:
        return is_signed ? DIFFERENCE("int64_t", "uint64_t") : DIFFERENCE("uint64_t", "uint64_t");
    }
}

mcl_input mcl_from_differences(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    const mcl_binding x = elements("x", type, buffer, offset, count);
    return mcl_from_expression(type, difference_of(type), NULL, &x, 1, count);
}

mcl_input mcl_from_neighbours(const mcl_type *type, const char *expression, const char *source, const mcl_type *of,
                              mcl_buffer *buffer, int64_t offset, int64_t count)
{
    const int64_t pairs = count > 0 ? count - 1 : count;
    const int64_t second = pairs > 0 && offset < INT64_MAX ? offset + 1 : offset;
    const mcl_binding bindings[] = { elements("p", of, buffer, offset, pairs),
                                     elements("q", of, buffer, second, pairs) };
    return mcl_from_expression(type, expression, source, bindings, 2, pairs);
}
