/* data.c: the arrays of a case: functions that make them, fill them on the device and compare them. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays ---------------------------------------------------------------------------- */

void bench_array_free(const bench_array *array)
{
    mcl_buffer_release(array->device);
    free(array->host);
    free(array->result);
}

static void *host_memory(size_t bytes)
{
    const size_t line = 64;
    return aligned_alloc(line, (bytes / line + 1) * line);
}

static mcl_status array_make(const bench_case *c, bench_array *array, const mcl_type *type, int64_t count)
{
    const size_t bytes = (size_t)count * type->size;
    array->type = type;
    array->count = count;
    array->host = host_memory(bytes);
    if (!array->host) return MCL_ERROR_MEMORY;
    return mcl_buffer_create(c->bench->context, bytes, NULL, &array->device);
}

mcl_status bench_add_input(bench_case *c, const mcl_type *type, int64_t count)
{
    return array_make(c, &c->problem.in[c->problem.in_count++], type, count);
}

mcl_status bench_add_output(bench_case *c, const mcl_type *type, int64_t count)
{
    bench_array *array = &c->problem.out[c->problem.out_count++];
    array->result = host_memory((size_t)count * type->size);
    if (!array->result) return MCL_ERROR_MEMORY;
    return array_make(c, array, type, count);
}

void bench_array_expects(bench_array *array, void *host, int64_t count)
{
    free(array->host);
    array->host = host;
    array->count = count;
}

void bench_case_close(bench_case *c)
{
    for (int k = 0; k < c->problem.in_count; k++) bench_array_free(&c->problem.in[k]);
    for (int k = 0; k < c->problem.out_count; k++) bench_array_free(&c->problem.out[k]);
    mcl_buffer_release(c->counts);
    mcl_map_release(c->map);
    mcl_multimap_release(c->multimap);
}

mcl_input bench_in(const bench_case *c, int index)
{
    const bench_array *array = &c->problem.in[index];
    const mcl_input input = mcl_from_buffer(array->type, array->device, 0, array->count);
    return c->device_counts ? mcl_with_count(input, c->counts, index) : input;
}

static mcl_output whole(const bench_array *array)
{
    return mcl_to_buffer(array->type, array->device, 0, array->count);
}

mcl_output bench_out(const bench_case *c, int index)
{
    return whole(&c->problem.out[index]);
}

mcl_output bench_out_in_place(const bench_case *c, int index)
{
    return whole(&c->problem.in[index]);
}

/* ---- filling ---------------------------------------------------------------------------- */

mcl_status bench_make(bench_case *c, mcl_input from, mcl_output to)
{
    return c->bench->shapes_only ? MCL_OK : mcl_transform(c->bench->queue, from, to, NULL);
}

mcl_status bench_make_random(bench_case *c, mcl_output to, uint64_t seed, const void *low, const void *high)
{
    return c->bench->shapes_only ? MCL_OK : mcl_random(c->bench->queue, to, seed, 0, low, high, NULL);
}

void bench_store_integer(const bench_array *array, int64_t k, int64_t number)
{
    const int32_t narrow = (int32_t)number;
    if (array->type->size == 8)
        memcpy((char *)array->host + 8 * k, &number, 8);
    else
        memcpy((char *)array->host + 4 * k, &narrow, 4);
}

/* Fills an input with integers below bound, or with zeros where the kind has no integers. */
void bench_fill_shape(bench_case *c, int index, const element *kind, int64_t bound)
{
    const bench_array *array = &c->problem.in[index];
    unsigned char *host = array->host;
    const int64_t positive = kind->span - kind->zero;
    const int64_t most = bound < positive ? bound : positive;
    const double step = most < array->count ? (double)most / (double)array->count : 1;
    memset(host, 0, (size_t)array->count * array->type->size);
    for (int64_t k = 0; k < array->count && kind->from_integer; k++)
        kind->from_integer(kind->zero + (int64_t)((double)k * step), case_at(kind, host, k));
}

mcl_status bench_fill_uniform(bench_case *c, int index, uint64_t seed)
{
    mcl_output out = whole(&c->problem.in[index]);
    if (out.type->kind == MCL_KIND_STRUCT) { /* struct12 has three integers */
        out.capacity *= (int64_t)(out.type->size / sizeof(int32_t));
        out.type = MCL_INT32;
    }
    return bench_make_random(c, out, seed, c->type->low, c->type->high);
}

mcl_status bench_fill_counting(bench_case *c, int index, int64_t first)
{
    const bench_array *array = &c->problem.in[index];
    const int32_t first32 = (int32_t)first;
    const void *start = array->type == MCL_INT64 ? (const void *)&first : (const void *)&first32;
    return bench_make(c, mcl_from_counting(array->type, start, array->count), whole(array));
}

/* Gaps between sorted uniform numbers are exponential: their running sum gives sorted numbers without a sort. */
static const char gap_source[] =
    "static inline uint64_t bench_gap(const int64_t i, const uint64_t seed, const float mean)\n"
    "{\n"
    "    uint64_t r = (uint64_t)i + seed * 0x9E3779B97F4A7C15;\n"
    "    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9;\n"
    "    r = (r ^ (r >> 27)) * 0x94D049BB133111EB;\n"
    "    r = r ^ (r >> 31);\n"
    "    return (uint64_t)(-log(((float)(r >> 40) + 0.5f) * 5.9604645e-8f) * mean);\n"
    "}\n";

static mcl_status gaps_scan(bench_case *c, mcl_buffer *sums, int64_t count, uint64_t seed)
{
    /* With these numbers the sum ends below 2^63, except with odds of one in 10^9. */
    const double expected = (double)count + 6 * sqrt((double)count) + 20;
    const float mean = (float)(ldexp(1, 63) / expected);
    const mcl_binding bindings[] = {
        mcl_binding_value("seed", MCL_UINT64, &seed),
        mcl_binding_value("mean", MCL_FLOAT, &mean),
    };
    const mcl_input gaps = mcl_from_expression(MCL_UINT64, "bench_gap(i, seed, mean)", gap_source, bindings, 2, count);
    return mcl_scan(c->bench->queue, gaps, mcl_to_buffer(MCL_UINT64, sums, 0, count), MCL_ADD, MCL_INCLUSIVE,
                    mcl_to_nowhere(), NULL);
}

/* Fills an input by a device text from sums, 63-bit numbers that grow with i. There is one sum more than elements, so
 * that the last element also has a gap after it. */
static mcl_status fill_from_sums(bench_case *c, int index, uint64_t seed, const char *text, const char *source,
                                 const mcl_binding *bound)
{
    const bench_array *array = &c->problem.in[index];
    mcl_buffer *sums = NULL;
    if (c->bench->shapes_only) return MCL_OK;
    const int64_t count = array->count + 1;
    mcl_status status = mcl_buffer_create(c->bench->context, (size_t)count * sizeof(uint64_t), NULL, &sums);
    if (status == MCL_OK) status = gaps_scan(c, sums, count, seed);
    if (status == MCL_OK) {
        const mcl_binding bindings[] = { mcl_binding_buffer("sums", MCL_UINT64, sums, 0), *bound };
        const mcl_input keys = mcl_from_expression(array->type, text, source, bindings, 2, array->count);
        status = mcl_transform(c->bench->queue, keys, whole(array), NULL);
    }
    mcl_buffer_release(sums);
    return status;
}

mcl_status bench_fill_sorted(bench_case *c, int index, uint64_t seed)
{
    const int32_t none = 0;
    const mcl_binding unused = mcl_binding_value("unused", MCL_INT32, &none);
    char source[1024];
    (void)snprintf(source, sizeof source,
                   "%s\nstatic inline %s bench_key(const uint64_t sum, const int64_t i) { return %s; }",
                   c->type->key_source ? c->type->key_source : "", c->type->element->type->name, c->type->key);
    return fill_from_sums(c, index, seed, "bench_key(sums[i], i)", source, &unused);
}

mcl_status bench_fill_sorted_below(bench_case *c, int index, uint64_t seed, int64_t bound)
{
    const mcl_binding binding = mcl_binding_value("bound", MCL_INT64, &bound);
    char text[96];
    (void)snprintf(text, sizeof text, "(%s)((sums[i] >> 31) * (uint64_t)bound >> 32)", c->type->element->type->name);
    return fill_from_sums(c, index, seed, text, NULL, &binding);
}

mcl_status bench_fill_positions(bench_case *c, int index, int64_t bound, uint64_t seed)
{
    const mcl_binding binding = mcl_binding_value("bound", MCL_INT64, &bound);
    char text[128];
    /* The scale is the whole sum and not 2^63. Else the last object would get the few hundred gaps that the sum falls
     * short of 2^63. */
    (void)snprintf(text, sizeof text, "(int32_t)((sums[i] >> 32) * (uint64_t)bound / ((sums[%lld] >> 32) + 1))",
                   (long long)c->problem.in[index].count);
    return fill_from_sums(c, index, seed, text, NULL, &binding);
}

mcl_status bench_poison(bench_case *c)
{
    const unsigned char pattern = 0xA5;
    mcl_status status = MCL_OK;
    for (int k = 0; k < c->problem.out_count && status == MCL_OK; k++) {
        const bench_array *out = &c->problem.out[k];
        const size_t bytes = (size_t)out->count * out->type->size;
        memset(out->result, pattern, bytes);
        status = mcl_buffer_fill(c->bench->queue, out->device, 0, bytes, &pattern, 1);
    }
    return status;
}

/* ---- fetching and comparing ---------------------------------------------------------------------------- */

static mcl_status array_read(const bench_case *c, const bench_array *array, void *to)
{
    return mcl_buffer_read(c->bench->queue, array->device, 0, (size_t)array->count * array->type->size, to);
}

mcl_status bench_case_fetch(bench_case *c)
{
    int64_t counts[BENCH_ARRAYS_MAX];
    for (int k = 0; k < c->problem.in_count; k++) {
        const mcl_status status = array_read(c, &c->problem.in[k], c->problem.in[k].host);
        if (status != MCL_OK) return status;
        counts[k] = c->problem.in[k].count;
    }
    return mcl_buffer_create(c->bench->context, (size_t)c->problem.in_count * sizeof *counts, counts, &c->counts);
}

mcl_status bench_fetch_results(bench_case *c)
{
    mcl_status status = MCL_OK;
    for (int k = 0; k < c->problem.out_count && status == MCL_OK; k++)
        status = array_read(c, &c->problem.out[k], c->problem.out[k].result);
    return status;
}

static double number_at(const bench_array *array, const void *data, int64_t k)
{
    return array->type->size == sizeof(float) ? (double)((const float *)data)[k] : ((const double *)data)[k];
}

/* Returns the position of the first difference, or -1. */
static int64_t array_differs(const bench_array *array, double tolerance)
{
    const size_t size = array->type->size;
    if (memcmp(array->host, array->result, (size_t)array->count * size) == 0) return -1;
    const int close_enough = array->type->kind == MCL_KIND_FLOAT && tolerance > 0;
    const char *expected = array->host;
    const char *found = array->result;
    for (int64_t k = 0; k < array->count; k++) {
        if (memcmp(expected + (size_t)k * size, found + (size_t)k * size, size) == 0) continue;
        if (!close_enough) return k;
        const double want = number_at(array, expected, k);
        if (!(fabs(number_at(array, found, k) - want) <= tolerance * fmax(1, fabs(want)))) return k;
    }
    return -1;
}

int bench_same(const bench_case *c, double tolerance, char *message, size_t message_bytes)
{
    for (int k = 0; k < c->problem.out_count; k++) {
        const int64_t place = array_differs(&c->problem.out[k], tolerance);
        if (place < 0) continue;
        (void)snprintf(message, message_bytes, "output %d differs from the host's reference at element %lld of %lld", k,
                       (long long)place, (long long)c->problem.out[k].count);
        return 0;
    }
    return 1;
}
