/* map_case.c: compares a map that is made, filled, looked up and counted with sorted lists of keys. A value is a
 * function of its key, so it does not matter which of several equal keys comes first. element: type of the keys; value:
 * type of the values. The variant's kind is the step between filling and looking up. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

enum { FIND, CONTAINS, ASSIGN, ERASE, GROW };
enum { KEYS, NEEDLES, VALUES, NEEDLE_VALUES, EARLIER_VALUES };

static uint64_t bits_of(const element *kind, const unsigned char *key)
{
    uint64_t bits = 0;

    memcpy(&bits, key, kind->type->size);
    return bits;
}

static int is_sentinel(const element *kind, uint64_t bits)
{
    const uint64_t all = kind->type->size == 8 ? UINT64_MAX : UINT32_MAX;

    return bits == all || bits == all - 1;
}

static void value_of(const element *kind, uint64_t key, unsigned char *out)
{
    kind->from_integer((int64_t)(test_random(key, 7) >> 1) % kind->span, out);
}

static int ascending(const void *p, const void *q)
{
    const uint64_t a = *(const uint64_t *)p;
    const uint64_t b = *(const uint64_t *)q;

    return (a > b) - (a < b);
}

/* The different keys of an input that may be entered, in order. */
typedef struct key_set {
    uint64_t *keys;
    int64_t count;
} key_set;

static key_set set_of(const case_input *input)
{
    key_set set = { calloc((size_t)input->count + 1, sizeof(uint64_t)), 0 };
    int64_t entered = 0;

    if (!set.keys) exit(2);
    for (int64_t k = 0; k < input->count; k++) {
        const uint64_t bits = bits_of(input->element, case_at(input->element, input->data, k));
        if (!is_sentinel(input->element, bits)) set.keys[entered++] = bits;
    }
    qsort(set.keys, (size_t)entered, sizeof *set.keys, ascending);
    for (int64_t k = 0; k < entered; k++)
        if (k == 0 || set.keys[k] != set.keys[set.count - 1]) set.keys[set.count++] = set.keys[k];
    return set;
}

static int set_has(const key_set *set, uint64_t bits)
{
    return bsearch(&bits, set->keys, (size_t)set->count, sizeof bits, ascending) != NULL;
}

/* Adds a value for each key of input from. The values with is_earlier differ from those without. */
static void add_values(case_problem *problem, int from, int is_earlier)
{
    const case_variant *variant = problem->variant;
    const int which = problem->input_count;

    case_add_input(problem, variant->value, FROM_BUFFER, problem->inputs[from].count, 0, ORDER_RANDOM);
    if (is_earlier) return;
    for (int64_t k = 0; k < problem->inputs[from].count; k++)
        value_of(variant->value, bits_of(variant->element, case_at(variant->element, problem->inputs[from].data, k)),
                 case_at(variant->value, problem->inputs[which].data, k));
}

/* Stores the value for a key that the map does not have. */
static void missing_value(const element *kind, unsigned char *out)
{
    kind->from_integer(3, out);
}

static void map_expect(case_problem *problem, const key_set *keys, const key_set *needles)
{
    const int kind = problem->variant->kind;
    const case_input *from = &problem->inputs[NEEDLES];
    const element *value = problem->variant->value;
    unsigned char *found = problem->outputs[0].data;
    int64_t size = kind == GROW ? needles->count : 0;

    for (int64_t k = 0; k < from->count; k++) {
        const uint64_t bits = bits_of(from->element, case_at(from->element, from->data, k));
        int is_there = !is_sentinel(from->element, bits) && set_has(keys, bits);
        if (kind == ERASE) is_there = 0;
        if (kind == GROW) is_there = !is_sentinel(from->element, bits);
        found[k] = (unsigned char)is_there;
        if (kind == CONTAINS) continue;
        if (is_there)
            value_of(value, bits, case_at(value, problem->outputs[1].data, k));
        else
            missing_value(value, case_at(value, problem->outputs[1].data, k));
    }
    for (int64_t k = 0; k < keys->count; k++)
        size += (kind != ERASE && kind != GROW) || !set_has(needles, keys->keys[k]);
    memcpy(case_add_result(problem, &element_int64), &size, sizeof size);
}

/* Makes the inputs. Half of the keys repeat others, and half of the needles are keys. */
static void map_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t wanted = problem->n > 2 ? problem->n : 2;
    const int64_t span = wanted < variant->element->span ? wanted : variant->element->span;

    case_add_input(problem, variant->element, variant->source, problem->n, span, ORDER_RANDOM);
    case_add_input(problem, variant->element, FROM_BUFFER, problem->n, span, ORDER_RANDOM);
    add_values(problem, KEYS, 0);
    add_values(problem, NEEDLES, 0);
    add_values(problem, KEYS, 1);
    case_add_output(problem, &element_uint8, problem->n);
    if (variant->kind != CONTAINS) case_add_output(problem, variant->value, problem->n);
    key_set keys = set_of(&problem->inputs[KEYS]);
    key_set needles = set_of(&problem->inputs[NEEDLES]);
    map_expect(problem, &keys, &needles);
    free(keys.keys);
    free(needles.keys);
}

static mcl_status fill(mcl_queue *queue, mcl_map *map, int kind, const case_operands *o, const mcl_options *options)
{
    mcl_status status =
        mcl_map_insert(queue, map, o->in[KEYS], o->in[kind == ASSIGN ? EARLIER_VALUES : VALUES], options);

    if (kind == ASSIGN && status == MCL_OK)
        status = mcl_map_insert_or_assign(queue, map, o->in[KEYS], o->in[VALUES], options);
    if (kind == ERASE && status == MCL_OK) status = mcl_map_erase(queue, map, o->in[NEEDLES], options);
    if (kind == GROW && status == MCL_OK)
        status = mcl_map_insert(queue, map, o->in[NEEDLES], o->in[NEEDLE_VALUES], options);
    return status;
}

static mcl_status map_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                           const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_map_config config = { .key = variant->element->type,
                                    .value = variant->value->type,
                                    .capacity = variant->kind == GROW ? 5 : 2 * problem->n + 7,
                                    .max_load = variant->kind == GROW ? 0.9 : 0 };
    unsigned char missing[MCL_VALUE_BYTES_MAX];
    mcl_map *map = NULL;

    missing_value(variant->value, missing);
    mcl_status status = mcl_map_create(mcl_queue_context(queue), &config, &map);
    if (status == MCL_OK) status = fill(queue, map, variant->kind, o, options);
    if (status == MCL_OK && variant->kind == CONTAINS)
        status = mcl_map_contains(queue, map, o->in[NEEDLES], o->out[0], options);
    if (status == MCL_OK && variant->kind != CONTAINS)
        status = mcl_map_find(queue, map, o->in[NEEDLES], o->out[1], missing, o->out[0], options);
    if (status == MCL_OK) status = mcl_map_size(queue, map, o->result, options);
    mcl_map_release(map);
    return status;
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .kind = FIND },
    { .element = &element_int64, .value = &element_int64, .threads = 64, .items = 7, .kind = FIND },
    { .element = &element_int32, .value = &element_double, .threads = 32, .items = 5, .kind = ASSIGN },
    { .element = &element_uint64, .value = &element_float, .threads = 1, .items = 100, .kind = ASSIGN },
    { .element = &element_uint32,
      .value = &element_int32,
      .threads = 256,
      .items = 1,
      .kind = ERASE,
      .source = FROM_EXPRESSION },
    { .element = &element_int32,
      .value = &element_uint32,
      .threads = 64,
      .items = 4,
      .flags = MCL_INDEX_64,
      .kind = GROW },
    { .element = &element_int64, .value = &element_int64, .kind = GROW },
    { .element = &element_int32, .value = &element_int8, .threads = 64, .items = 1, .kind = ASSIGN },
    { .element = &element_int64, .value = &element_half, .threads = 1, .items = 50, .kind = FIND },
    { .element = &element_uint32, .value = &element_point, .threads = 32, .items = 3, .kind = GROW },
    { .element = &element_int64, .value = &element_point, .threads = 64, .items = 5, .kind = ASSIGN },
    { .element = &element_int32, .value = &element_point, .threads = 1, .items = 60, .kind = ERASE },
    { .element = &element_float,
      .value = &element_float,
      .threads = 1,
      .items = 31,
      .kind = CONTAINS,
      .source = FROM_STEP },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int32, .value = &element_int32, .kind = FIND },
    { .element = &element_int64, .value = &element_int64, .kind = GROW },
    { .element = &element_uint32, .value = &element_double, .kind = ERASE },
    { .element = &element_double, .value = &element_float, .kind = ASSIGN },
    { .element = &element_float, .value = &element_int64, .kind = CONTAINS },
    { .element = &element_int32, .value = &element_int16, .kind = GROW },
    { .element = &element_double, .value = &element_point, .kind = ASSIGN },
    { .element = &element_int64, .value = &element_point, .kind = FIND },
};

const mcl_case map_case = {
    .name = "map",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = map_make,
    .call = map_call,
};
