/* views.c: the makers of inputs that read a buffer in another order. Each is an expression with bindings. */
#include "moderncl/views.h"

/* The elements that a view reads. The call checks that the buffer has them. */
static mcl_binding elements(const char *name, const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    mcl_binding binding = mcl_binding_buffer(name, type, buffer, offset);
    if (binding.buffer) binding.value.count = count;
    return binding;
}

mcl_input mcl_from_reversed(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    const int64_t last = (int64_t)((uint64_t)count - 1);
    const mcl_binding bindings[] = { elements("x", type, buffer, offset, count),
                                     mcl_binding_value("last", MCL_INT64, &last) };
    return mcl_from_expression(type, "x[last - i]", NULL, bindings, 2, count);
}

mcl_input mcl_from_rotated(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count, int64_t by)
{
    const int64_t rest = count > 0 ? by % count : 0;
    const int64_t first = rest < 0 ? rest + count : rest; /* the index that comes first, below count */
    const int64_t left = count - first;                   /* elements from there to the end */
    const mcl_binding bindings[] = { elements("x", type, buffer, offset, count),
                                     mcl_binding_value("first", MCL_INT64, &first),
                                     mcl_binding_value("left", MCL_INT64, &left) };
    return mcl_from_expression(type, "x[i < left ? i + first : i - left]", NULL, bindings, 3, count);
}

/* ---- shuffled ------------------------------------------------------------------------------------------- */

/* An index has low bits and a high part, and each round changes one by a hash of the other: the low bits by exclusive
 * or, the high part by adding modulo the number of high parts. That can be undone, so no two indices become the same.
 * There are as many high parts as count needs: one index in about the root of count is not below count, and walks on.
 * The walk is a cycle that leads back to where it began, which is below count. */
static const char shuffle_source[] =
    "static inline uint64_t mcl_shuffle_hash(const uint64_t part, const uint64_t key)\n"
    "{\n"
    "    const uint64_t h = (part + key) * (uint64_t)0x9E3779B97F4A7C15;\n"
    "    return (h ^ (h >> 32)) * (uint64_t)0xD6E8FEB86659FD93 >> 32;\n"
    "}\n"
    "static inline int64_t mcl_shuffled(const int64_t index, const int64_t count, const uint64_t key, const int bits)\n"
    "{\n"
    "    const int low_bits = bits / 2;\n"
    "    const uint64_t low_mask = ((uint64_t)1 << low_bits) - 1;\n"
    "    const uint64_t highs = (((uint64_t)count - 1) >> low_bits) + 1;\n"
    "    uint64_t x = (uint64_t)index;\n"
    "    for (int64_t walk = 0; walk <= count; ++walk) {\n"
    "        uint64_t low = x & low_mask, high = x >> low_bits, round = key;\n"
    "        for (int k = 0; k < 5; ++k) {\n"
    "            high += mcl_shuffle_hash(low, round) * highs >> 32;\n"
    "            high = high < highs ? high : high - highs;\n"
    "            round = round * (uint64_t)0xBF58476D1CE4E5B9 + (uint64_t)0x632BE59BD9B4E019;\n"
    "            low = (low ^ mcl_shuffle_hash(high, round)) & low_mask;\n"
    "            round = round * (uint64_t)0xBF58476D1CE4E5B9 + (uint64_t)0x632BE59BD9B4E019;\n"
    "        }\n"
    "        x = high << low_bits | low;\n"
    "        if (x < (uint64_t)count) break;\n"
    "    }\n"
    "    return (int64_t)x;\n"
    "}\n";

mcl_input mcl_from_shuffled(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count, uint64_t seed)
{
    int32_t bits = 1;
    while (bits < 62 && (int64_t)1 << bits < count) ++bits;
    const mcl_binding bindings[] = { elements("x", type, buffer, offset, count),
                                     mcl_binding_value("count", MCL_INT64, &count),
                                     mcl_binding_value("seed", MCL_UINT64, &seed),
                                     mcl_binding_value("bits", MCL_INT32, &bits) };
    return mcl_from_expression(type, "x[mcl_shuffled(i, count, seed, bits)]", shuffle_source, bindings, 4, count);
}

/* ---- neighbours ----------------------------------------------------------------------------------------- */

/* Signed numbers subtract as unsigned ones, which wrap. */
#define DIFFERENCE(type, wide) "(" type ")((" wide ")x[i] - (" wide ")(i > 0 ? x[i - 1] : 0))"

static const char *difference_of(const mcl_type *type)
{
    if (!type || type->kind == MCL_KIND_STRUCT) return ""; /* the call that gets an empty expression refuses it */
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
