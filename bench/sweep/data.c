/* data.c: the arrays of a sweep. Their contents are made on the device, and kept where the next point needs the same
 * contents. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ----------------------------------------------------------------------------------------------------- */

void *sweep_memory(size_t bytes)
{
    void *const memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) abort();
    return memory;
}

/* Makes room for count elements, and drops the old contents. A device buffer has no more than the room that is
 * needed. */
static mcl_status make_room(sweep *s, sweep_array *array, const mcl_type *type, int64_t count)
{
    const size_t bytes = (size_t)(count > 0 ? count : 1) * type->size;
    array->type = type;
    array->count = array->room = count;
    array->is_fetched = 0;
    if (bytes <= array->device_bytes) return MCL_OK;
    mcl_buffer_release(array->device);
    array->device = NULL;
    array->device_bytes = 0;
    array->made = (sweep_made){ 0 };
    const mcl_status status = mcl_buffer_create(s->bench->context, bytes, NULL, &array->device);
    if (status == MCL_OK) array->device_bytes = bytes;
    return status;
}

/* Gives the array host memory of the same size. */
static void make_host_room(sweep_array *array, int has_result)
{
    const size_t bytes = (size_t)(array->room > 0 ? array->room : 1) * array->type->size;
    if (bytes > array->host_bytes) {
        free(array->host);
        array->host = NULL;
        free(array->result);
        array->result = NULL;
        array->host_bytes = bytes;
    }
    if (!array->host) array->host = sweep_memory(array->host_bytes);
    if (has_result && !array->result) array->result = sweep_memory(array->host_bytes);
}

static void array_free(const sweep_array *array)
{
    mcl_buffer_release(array->device);
    free(array->host);
    free(array->result);
}

void sweep_free(sweep *s)
{
    for (int k = 0; k < SWEEP_ARRAYS; k++) {
        array_free(&s->in[k]);
        array_free(&s->out[k]);
        array_free(&s->spare[k]);
    }
    mcl_map_release(s->map);
    mcl_map_release(s->other_map);
    mcl_multimap_release(s->multimap);
}

mcl_input sweep_from(const sweep_array *array, int64_t count)
{
    return mcl_from_buffer(array->type, array->device, 0, count);
}

mcl_output sweep_to(const sweep_array *array)
{
    return mcl_to_buffer(array->type, array->device, 0, array->room);
}

mcl_input sweep_in(const sweep *s, int k)
{
    return sweep_from(&s->in[k], s->in[k].count);
}

mcl_output sweep_out(const sweep *s, int k)
{
    return sweep_to(&s->out[k]);
}

mcl_result sweep_count(const sweep *s, int k)
{
    return mcl_to_slot(s->out[k].type, s->out[k].device, 0);
}

mcl_status sweep_output(sweep *s, int k, const mcl_type *type, int64_t count)
{
    if (k >= s->out_count) s->out_count = k + 1;
    return make_room(s, &s->out[k], type, count);
}

mcl_status sweep_spare(sweep *s, int k, const mcl_type *type, int64_t count)
{
    return make_room(s, &s->spare[k], type, count);
}

/* ---- elements of any size --------------------------------------------------------------------------------------- */

const int64_t sweep_element_bytes[] = { 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 0 };

#define X(bytes)                                                                                                       \
    { "sweep_words_" #bytes,                                                                                           \
      (bytes),                                                                                                         \
      4,                                                                                                               \
      "typedef struct sweep_words_" #bytes " { uint32_t w[" #bytes " / 4]; } sweep_words_" #bytes ";",                 \
      0,                                                                                                               \
      NULL,                                                                                                            \
      MCL_KIND_STRUCT },
static const mcl_type wide_types[] = { SWEEP_WIDE_LIST(X) };
#undef X

const mcl_type *sweep_bytes_type(int64_t bytes)
{
    for (size_t k = 0; k < sizeof wide_types / sizeof *wide_types; k++)
        if ((int64_t)wide_types[k].size == bytes) return &wide_types[k];
    return bytes == 1 ? MCL_UINT8 : bytes == 2 ? MCL_UINT16 : bytes == 4 ? MCL_UINT32 : MCL_UINT64;
}

/* ---- what arrays hold ------------------------------------------------------------------------------------------- */

const char *const sweep_spread_names[] = { "uniform", "sorted",   "equal",   "hot",        "zipf", "nearly",
                                           "reverse", "highbits", "lowbits", "mostlyzero", NULL };
const char *const sweep_mix_names[] = { "even", "mixed", "half", NULL };

/* Kinds of contents besides spreads. */
enum { RANDOM_BYTES = SWEEP_SPREADS, OFFSETS_EVEN, OFFSETS_MIXED, OFFSETS_HALF, RUNS };

/* The switch is in the program's text, so that a type needs one program and not one for each spread. */
static const char made_source[] =
    "static inline uint64_t sweep_bits(const int64_t i, const uint64_t seed)\n"
    "{\n"
    "    uint64_t r = ((uint64_t)i + seed * 1000003) * 0x9E3779B97F4A7C15;\n"
    "    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9;\n"
    "    r = (r ^ (r >> 27)) * 0x94D049BB133111EB;\n"
    "    return r ^ (r >> 31);\n"
    "}\n"
    "static inline uint64_t sweep_key(const int64_t i, const int64_t n, const int64_t bound, const uint64_t seed,\n"
    "                                 const int64_t kind)\n"
    "{\n"
    "    const uint64_t r = sweep_bits(i, seed), quarter = (uint64_t)bound >> 8 ? (uint64_t)bound >> 8 : 1;\n"
    "    const uint64_t uniform = (r >> 32) * (uint64_t)bound >> 32;\n"
    "    const uint64_t gap = (uint64_t)(bound / n);\n"
    "    const uint64_t sorted = (uint64_t)i * (uint64_t)bound / (uint64_t)n + (gap > 1 ? r % gap : 0);\n"
    "    const float u = ((float)(int)(r >> 41) + 0.5f) * 1.1920929e-7f;\n"
    "    if (kind == 1) return sorted;\n"
    "    if (kind == 2) return (uint64_t)bound / 2;\n"
    "    if (kind == 3) return r & 1 ? (uint64_t)bound / 2 : uniform;\n"
    "    if (kind == 4) return (uint64_t)exp(u * log((float)bound)) % (uint64_t)bound;\n"
    "    if (kind == 5) return r % 50 ? sorted : uniform;\n"
    "    if (kind == 6) return (uint64_t)bound - 1 - sorted;\n"
    "    if (kind == 7) return uniform / quarter * quarter;\n"
    "    if (kind == 8) return uniform % (quarter < 256 ? quarter : 256);\n"
    "    if (kind == 9) return r % 100 ? 0 : uniform;\n"
    "    if (kind == 10) return r;\n"
    "    if (kind == 11) return (uint64_t)(i * bound < n ? i * bound : n);\n"
    "    if (kind >= 12 && (i == 0 || i * bound >= n)) return (uint64_t)(i == 0 ? 0 : n);\n"
    "    const uint64_t jittered = (uint64_t)(i * bound) + r % (uint64_t)bound;\n"
    "    if (kind == 12) return jittered < (uint64_t)n ? jittered : (uint64_t)n;\n"
    "    if (kind == 13) return (uint64_t)(i * bound / 2 + (2 * i * bound > n ? n / 2 : 0));\n"
    "    return uniform;\n"
    "}\n";

static int is_made(const sweep_array *array, sweep_made made)
{
    const sweep_made *const has = &array->made;
    return has->type == made.type && has->count == made.count && has->kind == made.kind && has->bound == made.bound &&
           has->seed == made.seed;
}

/* Makes room for input k. Returns 1 where its contents still have to be made. */
static int begin(sweep *s, int k, sweep_made made, mcl_status *status)
{
    sweep_array *const array = &s->in[k];
    const int was_fetched = array->is_fetched;
    if (k >= s->in_count) s->in_count = k + 1;
    *status = make_room(s, array, made.type, made.count);
    if (*status != MCL_OK || made.count == 0) return 0;
    const int is_kept = is_made(array, made);
    if (is_kept) array->is_fetched = was_fetched;
    return !is_kept;
}

/* Makes the contents of input k. n is the number of elements, or of elements in segments; its meaning depends on the
 * kind. */
static mcl_status make(sweep *s, int k, sweep_made made, int64_t n)
{
    sweep_array *const array = &s->in[k];
    mcl_status status = MCL_OK;
    if (!begin(s, k, made, &status)) return status;
    const mcl_type *type = made.type;
    int64_t count = made.count;
    if (type->kind == MCL_KIND_STRUCT) { /* a struct is made as an array of its words */
        count *= (int64_t)(type->size / sizeof(uint32_t));
        type = MCL_UINT32;
    }
    const uint64_t seed = (uint64_t)made.seed;
    const mcl_binding bindings[] = { mcl_binding_value("n", MCL_INT64, &n),
                                     mcl_binding_value("bound", MCL_INT64, &made.bound),
                                     mcl_binding_value("seed", MCL_UINT64, &seed),
                                     mcl_binding_value("kind", MCL_INT64, &made.kind) };
    char text[96];
    (void)snprintf(text, sizeof text, "(%s)sweep_key(i, n, bound, seed, kind)", type->name);
    status = mcl_transform(s->bench->queue, mcl_from_expression(type, text, made_source, bindings, 4, count),
                           mcl_to_buffer(type, array->device, 0, count), NULL);
    array->made = status == MCL_OK ? made : (sweep_made){ 0 };
    return status;
}

mcl_status sweep_keys(sweep *s, int k, const mcl_type *type, int64_t count, int64_t spread, int64_t bound,
                      uint64_t seed)
{
    const sweep_made made = { type, count, spread, bound > 0 ? bound : 1, (int64_t)seed };
    return make(s, k, made, count > 0 ? count : 1);
}

mcl_status sweep_random(sweep *s, int k, const mcl_type *type, int64_t count, uint64_t seed)
{
    return make(s, k, (sweep_made){ type, count, RANDOM_BYTES, 1, (int64_t)seed }, count);
}

mcl_status sweep_runs(sweep *s, int k, const mcl_type *type, int64_t count, int64_t length)
{
    const sweep_made made = { type, count, RUNS, length, 0 };
    const mcl_binding mean = mcl_binding_value("mean", MCL_INT64, &length);
    mcl_status status = MCL_OK;
    if (!begin(s, k, made, &status)) return status;
    const mcl_input heads = mcl_from_expression(type, "(sweep_bits(i, 11) >> 8) % (uint64_t)mean == 0 ? 1 : 0",
                                                made_source, &mean, 1, count);
    status = mcl_scan(s->bench->queue, heads, sweep_to(&s->in[k]), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
    s->in[k].made = status == MCL_OK ? made : (sweep_made){ 0 };
    return status;
}

mcl_status sweep_filled(sweep *s, int k, mcl_input from)
{
    if (k >= s->in_count) s->in_count = k + 1;
    const mcl_status status = make_room(s, &s->in[k], from.type, from.count);
    s->in[k].made = (sweep_made){ 0 };
    return status == MCL_OK ? mcl_transform(s->bench->queue, from, sweep_to(&s->in[k]), NULL) : status;
}

mcl_status sweep_offsets(sweep *s, int k, int64_t n, int64_t length, int64_t mix, int64_t *segments)
{
    const int64_t each = length < n ? length : n;
    *segments = (n + each - 1) / each;
    /* the seed contains n, which distinguishes these offsets from others */
    return make(s, k, (sweep_made){ MCL_INT32, *segments + 1, OFFSETS_EVEN + mix, each, n }, n);
}

/* ---- what comes back -------------------------------------------------------------------------------------------- */

mcl_status sweep_fetch_inputs(sweep *s)
{
    mcl_status status = MCL_OK;
    for (int k = 0; k < s->in_count && status == MCL_OK; k++) {
        sweep_array *const in = &s->in[k];
        if (in->is_fetched || !in->device) continue;
        make_host_room(in, 0);
        status = mcl_buffer_read(s->bench->queue, in->device, 0, (size_t)in->count * in->type->size, in->host);
        in->is_fetched = status == MCL_OK;
    }
    for (int k = 0; k < s->out_count; k++) make_host_room(&s->out[k], 1);
    return status;
}

mcl_status sweep_poison(sweep *s)
{
    const unsigned char pattern = 0xA5;
    mcl_status status = MCL_OK;
    for (int k = 0; k < s->out_count && status == MCL_OK; k++)
        status = mcl_buffer_fill(s->bench->queue, s->out[k].device, 0, s->out[k].device_bytes, &pattern, 1);
    return status;
}

static uint64_t mixed(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (uint64_t word = 0; count > 0; word = 0) {
        const size_t taken = count < sizeof word ? count : sizeof word;
        memcpy(&word, bytes, taken);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
        bytes += taken;
        count -= taken;
    }
    return hash;
}

/* Returns a number for the outputs' rows that does not depend on their order. A single number is one row. */
static uint64_t rows_in_any_order(const sweep *s, int is_host)
{
    uint64_t sum = 0;
    const int64_t rows = s->out[0].count;
    for (int64_t row = 0; row < rows; row++) {
        uint64_t hash = 0xCBF29CE484222325u;
        for (int k = 0; k < s->out_count; k++) {
            const sweep_array *const out = &s->out[k];
            const unsigned char *const from = is_host ? out->host : out->result;
            if (out->count == rows) hash = mixed(hash, from + (size_t)row * out->type->size, out->type->size);
        }
        sum += hash * (hash >> 7 | 1);
    }
    return sum;
}

static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * (fabs(a) + fabs(b)) + 1e-6;
}

static int element_is_same(const sweep *s, const sweep_array *out, int64_t k)
{
    const size_t size = out->type->size;
    const char *const wanted = (const char *)out->host + (size_t)k * size;
    const char *const found = (const char *)out->result + (size_t)k * size;
    double a[2] = { 0, 0 };
    float b[2] = { 0, 0 };
    if (memcmp(wanted, found, size) == 0) return 1;
    if (!s->is_float || out->type->kind != MCL_KIND_FLOAT) return 0;
    memcpy(size == sizeof(double) ? (void *)&a[0] : (void *)&b[0], wanted, size);
    memcpy(size == sizeof(double) ? (void *)&a[1] : (void *)&b[1], found, size);
    return is_near(a[0], a[1]) && is_near(b[0], b[1]);
}

static int outputs_are_same(const sweep *s, char *message, size_t bytes)
{
    for (int k = 0; k < s->out_count; k++) {
        const sweep_array *const out = &s->out[k];
        if (s->op->any_order && out->count == s->out[0].count) continue;
        for (int64_t i = 0; i < out->count; i++) {
            if (element_is_same(s, out, i)) continue;
            (void)snprintf(message, bytes, "output %d has another element %lld than plain C", k, (long long)i);
            return 0;
        }
    }
    if (!s->op->any_order || rows_in_any_order(s, 1) == rows_in_any_order(s, 0)) return 1;
    (void)snprintf(message, bytes, "the outputs have other rows than plain C");
    return 0;
}

int sweep_same(sweep *s, mcl_status *status, char *message, size_t bytes)
{
    *status = MCL_OK;
    for (int k = 0; k < s->out_count && *status == MCL_OK; k++) {
        sweep_array *const out = &s->out[k];
        if (out->count > out->room) {
            (void)snprintf(message, bytes, "output %d has room for %lld elements, plain C made %lld", k,
                           (long long)out->room, (long long)out->count);
            return 0;
        }
        *status = mcl_buffer_read(s->bench->queue, out->device, 0, (size_t)out->count * out->type->size, out->result);
    }
    if (*status == MCL_OK) return outputs_are_same(s, message, bytes);
    (void)snprintf(message, bytes, "%s", mcl_last_error());
    return 0;
}
