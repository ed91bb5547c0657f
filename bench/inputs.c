/* inputs.c: the spread of the inputs of rows. */
#include "bench.h"

/* ---- two sorted inputs ------------------------------------------------------------------------------------------ */

static mcl_status add_values(bench_case *c, int64_t first, int64_t count)
{
    const mcl_status status = bench_add_elements(c, c->variant.value, count);
    return status == MCL_OK ? bench_fill_counting(c, c->problem.in_count - 1, first) : status;
}

/* Adds a sorted input of numbers below bound. For bound 0 it has all numbers of the type. */
static mcl_status add_sorted(bench_case *c, int64_t count, uint64_t seed, int64_t bound)
{
    const int index = c->problem.in_count;
    const mcl_status status = bench_add_elements(c, c->variant.element, count);
    if (status != MCL_OK) return status;
    return bound ? bench_fill_sorted_below(c, index, seed, bound) : bench_fill_sorted(c, index, seed);
}

static mcl_status sorted_parts(bench_case *c, int64_t bound)
{
    const int64_t first = c->op->share ? c->n * c->op->share / 100 : c->n / 2;
    mcl_status status = add_sorted(c, first, 1, bound);
    if (status == MCL_OK) status = add_sorted(c, c->n - first, 2, bound);
    if (status == MCL_OK && c->op->has_values) status = add_values(c, 0, first);
    if (status == MCL_OK && c->op->has_values) status = add_values(c, first, c->n - first);
    return status;
}

mcl_status bench_sorted_wholes(bench_case *c)
{
    const mcl_status status = add_sorted(c, c->n, 1, 0);
    return status == MCL_OK ? add_sorted(c, c->n, 2, 0) : status;
}

mcl_status bench_sorted_parts(bench_case *c)
{
    return sorted_parts(c, 0);
}

mcl_status bench_sorted_parts_half(bench_case *c)
{
    return sorted_parts(c, c->n / 2);
}

/* ---- uniform elements ------------------------------------------------------------------------------------------- */

mcl_status bench_add_uniform(bench_case *c, const element *kind, int64_t count, uint64_t seed)
{
    const mcl_status status = bench_add_elements(c, kind, count);
    return status == MCL_OK ? bench_fill_uniform(c, c->problem.in_count - 1, seed) : status;
}

mcl_status bench_uniform(bench_case *c)
{
    mcl_status status = bench_add_elements(c, c->variant.element, c->n);
    if (status == MCL_OK) status = bench_fill_spread(c, c->problem.in_count - 1);
    return status == MCL_OK && c->op->has_values ? add_values(c, 0, c->n) : status;
}

mcl_status bench_with_splitters(bench_case *c)
{
    const mcl_status status = bench_uniform(c);
    return status == MCL_OK ? add_sorted(c, c->variant.length - 1, 2, 0) : status;
}

mcl_status bench_uniform_columns(bench_case *c)
{
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    for (int k = 0; k < c->variant.length && status == MCL_OK; k++) status = add_values(c, 0, c->n);
    return status;
}

mcl_status bench_uniform_keys(bench_case *c)
{
    const int32_t low = 0, high = 9999;
    const float least = -1, most = 1;
    const bench_array *const in = c->problem.in;
    mcl_status status = bench_add_elements(c, &element_int32, c->n);
    if (status == MCL_OK) status = bench_add_elements(c, &element_float, c->n);
    if (status == MCL_OK)
        status = bench_make_random(c, mcl_to_buffer(MCL_INT32, in[0].device, 0, c->n), 1, &low, &high);
    if (status != MCL_OK) return status;
    return bench_make_random(c, mcl_to_buffer(MCL_FLOAT, in[1].device, 0, c->n), 2, &least, &most);
}

static mcl_status add_keys(bench_case *c, int64_t count, int64_t below, uint64_t seed)
{
    const int32_t low = 0, high = (int32_t)below;
    const mcl_status status = bench_add_elements(c, &element_int32, count);
    if (status != MCL_OK) return status;
    const bench_array *const keys = &c->problem.in[c->problem.in_count - 1];
    return bench_make_random(c, mcl_to_buffer(MCL_INT32, keys->device, 0, count), seed, &low, &high);
}

mcl_status bench_tables(bench_case *c)
{
    const int64_t half = c->n / 2, length = c->variant.length, small = length && length < half ? length : c->n - half;
    const int64_t count[] = { c->n - small, small }, below = length ? small : half;
    mcl_status status = add_keys(c, count[0], below, 1);
    if (status == MCL_OK) status = add_keys(c, count[1], below, 2);
    for (int k = 0; k < 4 && status == MCL_OK; k++)
        status = bench_add_uniform(c, &element_int32, count[k / 2], 3 + (uint64_t)k);
    return status;
}

mcl_status bench_skewed(bench_case *c)
{
    static const char source[] = "static inline uint32_t bench_skew(const uint32_t x)\n"
                                 "{\n"
                                 "    return (x * 0x9E3779B1u >> 16) % 8 == 0 ? x : 12345;\n"
                                 "}\n";
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    const bench_array *made = &c->problem.in[0];
    char text[64];
    const mcl_binding binding = mcl_binding_buffer("made", made->type, made->device, 0);
    if (status != MCL_OK) return status;
    (void)snprintf(text, sizeof text, "(%s)bench_skew((uint32_t)made[i])", made->type->name);
    return bench_make(c, mcl_from_expression(made->type, text, source, &binding, 1, c->n),
                      mcl_to_buffer(made->type, made->device, 0, c->n));
}

mcl_status bench_grouped(bench_case *c)
{
    static const char source[] = "static inline uint32_t bench_below(const uint32_t x, const uint32_t most)\n"
                                 "{\n"
                                 "    return (uint32_t)((uint64_t)(x * 0x9E3779B1u) * most >> 32);\n"
                                 "}\n";
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    if (status == MCL_OK && c->variant.fold) status = bench_add_uniform(c, c->variant.fold->in, c->n, 2);
    if (status != MCL_OK) return status;
    if (c->bench->shapes_only) bench_fill_shape(c, 0, c->variant.element, c->variant.length);
    const bench_array *const made = &c->problem.in[0];
    const mcl_binding binding = mcl_binding_buffer("made", made->type, made->device, 0);
    char text[64];
    (void)snprintf(text, sizeof text, "(%s)bench_below((uint32_t)made[i], %d)", made->type->name, c->variant.length);
    return bench_make(c, mcl_from_expression(made->type, text, source, &binding, 1, c->n),
                      mcl_to_buffer(made->type, made->device, 0, c->n));
}

mcl_status bench_uniform_flags(bench_case *c)
{
    static const char text[] = "(uint8_t)(((uint64_t)i * 0x9E3779B97F4A7C15 ^ (uint64_t)i >> 7) * "
                               "0xBF58476D1CE4E5B9 >> 63)";
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    if (status == MCL_OK) status = bench_add_elements(c, &element_uint8, c->n);
    if (status != MCL_OK) return status;
    return bench_make(c, mcl_from_expression(MCL_UINT8, text, NULL, NULL, 0, c->n),
                      mcl_to_buffer(MCL_UINT8, c->problem.in[1].device, 0, c->n));
}

/* Makes pairs. They are one input, whose elements have both members. */
mcl_status bench_uniform_pairs(bench_case *c)
{
    const mcl_type *const pair = c->variant.fold->in->type;
    const bench_array *made = &c->problem.in[0];
    char source[512];
    mcl_status status = bench_add_input(c, c->variant.element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status != MCL_OK) return status;
    const bench_array elements = *made;
    c->problem.in_count = 0;
    (void)snprintf(source, sizeof source,
                   "static inline %s bench_pair(const %s key, const int64_t i)\n"
                   "{ %s pair; pair.value = key; pair.index = i; return pair; }",
                   pair->name, elements.type->name, pair->name);
    const mcl_binding keys = mcl_binding_buffer("keys", elements.type, elements.device, 0);
    const mcl_input pairs = mcl_from_expression(pair, "bench_pair(keys[i], i)", source, &keys, 1, c->n);
    status = bench_add_elements(c, c->variant.fold->in, c->n);
    if (status == MCL_OK) status = bench_make(c, pairs, mcl_to_buffer(pair, made->device, 0, c->n));
    bench_array_free(&elements);
    return status;
}

mcl_status bench_uniform_segments(bench_case *c)
{
    const int64_t segments = c->n / c->variant.length > 0 ? c->n / c->variant.length : 1;
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    if (status == MCL_OK) status = bench_add_elements(c, &element_int32, segments);
    if (status == MCL_OK) status = bench_fill_positions(c, 1, c->n, 3);
    return status == MCL_OK && c->op->has_values ? add_values(c, 0, c->n) : status;
}

mcl_status bench_nearly_sorted(bench_case *c)
{
    static const char source[] = "static inline int64_t bench_near(const int64_t i, const int64_t span)\n"
                                 "{\n"
                                 "    uint64_t r = (uint64_t)i * 0x9E3779B97F4A7C15;\n"
                                 "    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9;\n"
                                 "    r = (r ^ (r >> 27)) * 0x94D049BB133111EB;\n"
                                 "    return i + (int64_t)((r >> 1) % (uint64_t)span);\n"
                                 "}\n";
    const int64_t span = c->n / 1000 > 0 ? c->n / 1000 : 1;
    const mcl_binding binding = mcl_binding_value("span", MCL_INT64, &span);
    mcl_status status = bench_add_elements(c, c->variant.element, c->n);
    const bench_array *keys = &c->problem.in[0];
    char text[64];
    (void)snprintf(text, sizeof text, "(%s)bench_near(i, span)", keys->type->name);
    if (status == MCL_OK)
        status = bench_make(c, mcl_from_expression(keys->type, text, source, &binding, 1, c->n),
                            mcl_to_buffer(keys->type, keys->device, 0, c->n));
    return status == MCL_OK && c->op->has_values ? add_values(c, 0, c->n) : status;
}
