/* spread.c: fills the keys of uniform rows as the option --keys says. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

/* The spreads as texts. Names in the texts: r is 64 random bits; u and v are random numbers between 0 and 1; i and n
 * are the key's index and the number of keys. */
static const struct {
    const char *name, *of_integers, *of_floats;
} spreads[] = {
    { "uniform", NULL, NULL },
    { "bits24", "r & 0xffffff", "(float)(int)(r & 0xffffff)" },
    { "bits16", "r & 0xffff", "(float)(int)(r & 0xffff)" },
    { "bits8", "r & 0xff", "(float)(int)(r & 0xff)" },
    { "lastbits", "r % 5000 + 100000000", "1.0f + (float)(int)(r % 5000) * 1.1920929e-7f" },
    { "unit", "(int64_t)(u * 1e9f)", "u" },
    { "normal", "(int64_t)(sqrt(-2 * log(u)) * cos(6.2831853f * v) * 3e8f)",
      "sqrt(-2 * log(u)) * cos(6.2831853f * v)" },
    { "zipf", "(int64_t)exp(u * 18.4f)", "exp(u * 18.4f)" },
    { "sorted", "i", "(float)i" },
    { "reversed", "n - i", "(float)(n - i)" },
    { "nearly", "r % 50 ? i : (int64_t)(u * (float)n)", "(float)(r % 50 ? i : (int64_t)(u * (float)n))" },
    { "equal", "7", "7.0f" },
    { "two", "r & 1 ? 77777777 : 3", "r & 1 ? 7.0f : -3.0f" },
    { "weyl", "(uint64_t)i * 0x9E3779B97F4A7C15 >> 32 | (uint64_t)i * 0x9E3779B97F4A7C15 << 32",
      "(float)((uint)i * 0x9E3779B9u >> 8)" },
    { "composite", "(int64_t)(r % 65536) << 16 | i % 1500", "(float)(int)(r % 8192 * 2048 + (uint64_t)i % 1500)" },
    { "hot", "r & 1 ? (ulong)77777777 : r >> 1", "r & 1 ? 7.0f : u" },
};
enum { SPREADS = sizeof spreads / sizeof spreads[0] };

static const char spread_source[] = "static inline uint64_t spread_bits(const int64_t i, const uint64_t seed)\n"
                                    "{\n"
                                    "    uint64_t r = ((uint64_t)i + seed) * 0x9E3779B97F4A7C15;\n"
                                    "    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9;\n"
                                    "    r = (r ^ (r >> 27)) * 0x94D049BB133111EB;\n"
                                    "    return r ^ (r >> 31);\n"
                                    "}\n"
                                    "static inline float spread_share(const uint64_t r)\n"
                                    "{\n"
                                    "    return ((float)(int)(r >> 41) + 0.5f) * 1.1920929e-7f;\n"
                                    "}\n";

int bench_spread_known(const char *name)
{
    for (int k = 0; k < SPREADS; k++)
        if (strcmp(spreads[k].name, name) == 0) return 1;
    bench_note("--keys %s: must be one of", name);
    for (int k = 0; k < SPREADS; k++) bench_note("  %s", spreads[k].name);
    return 0;
}

/* Writes the function that gives key i of a type. */
static void write_source(const mcl_type *type, const char *text, char *source, size_t bytes)
{
    (void)snprintf(source, bytes,
                   "%sstatic inline %s spread_key(const int64_t i, const int64_t n)\n{\n"
                   "    const uint64_t r = spread_bits(i, 7);\n"
                   "    const float u = spread_share(r), v = spread_share(spread_bits(i, 1000000007));\n"
                   "    (void)n;\n    (void)u;\n    (void)v;\n    return (%s)(%s);\n}\n",
                   spread_source, type->name, type->name, text);
}

mcl_status bench_fill_spread(bench_case *c, int index)
{
    const bench_array *array = &c->problem.in[index];
    const char *const name = c->bench->options ? c->bench->options->keys : NULL; /* prebuilding has no options */
    char source[2048];
    int chosen = 0;

    for (int k = 0; name && k < SPREADS; k++)
        if (strcmp(spreads[k].name, name) == 0) chosen = k;
    const int is_float = array->type->kind == MCL_KIND_FLOAT;
    const char *const text = is_float ? spreads[chosen].of_floats : spreads[chosen].of_integers;
    if (!text || array->type->kind == MCL_KIND_STRUCT) return bench_fill_uniform(c, index, 1);
    write_source(array->type, text, source, sizeof source);
    const mcl_binding number = mcl_binding_value("n", MCL_INT64, &array->count);
    const mcl_input keys = mcl_from_expression(array->type, "spread_key(i, n)", source, &number, 1, array->count);
    return bench_make(c, keys, mcl_to_buffer(array->type, array->device, 0, array->count));
}
