/* map.c: random calls of map.h. Each makes a map, enters keys, does one more step and looks at the map. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS, VALUES, PROBES, SECOND, FOUND_VALUES = 0, FOUND = 1 };

static const kind *draw_cell(stream *from)
{
    static const kind *const kinds[] = { &kind_int32,  &kind_uint32, &kind_float, &kind_int64,
                                         &kind_uint64, &kind_double, &kind_affine };

    return kinds[draw_below(from, 7)];
}

/* Returns a type of values of 1 to 16 bytes. */
static const kind *draw_value(stream *from)
{
    const kind *of = draw_cell(from);

    if (draw_chance(from, 50)) return of;
    do of = draw_kind(from, KINDS_ANY);
    while (of->type->size > 16);
    return of;
}

/* Stores a key. Keys are numbers below a universe, spread over all of their bits. Distinct keys come once. */
static void put_key(call *c, int k, int64_t i, int64_t number)
{
    sequence *of = &c->sequences[k];
    unsigned char *at = of->data + (size_t)i * of->of->type->size;

    memset(at, 0, of->of->type->size);
    integer_to(of->of, number, at);
}

static int64_t key_at(const call *c, int k, int64_t i)
{
    return integer_of(c->sequences[k].of, element_at(&c->sequences[k], i));
}

static void distinct_keys(call *c, int k, const kind *of, int64_t count)
{
    const int64_t step = draw_between(&c->data, 1, 3);

    sequence_begin(c, k, of, count, 1);
    for (int64_t i = 0; i < count; i++) put_key(c, k, i, (count - 1 - i) * step);
    sequence_finish(c, k);
}

static void draw_of(call *c, const kind *value)
{
    const kind *key = draw_cell(&c->shape);
    const mcl_map_config config = { .key = key->type,
                                    .value = value->type,
                                    .capacity = draw_chance(&c->data, 50) ? 0 : draw_between(&c->data, 1, 3000),
                                    .max_load = draw_chance(&c->data, 50) ? 0 : 0.7 };

    distinct_keys(c, KEYS, key, draw_size(c));
    input_carried(c, VALUES, value, KEYS);
    sequence *probes = sequence_begin(c, PROBES, key, draw_size(c), 1);
    for (int64_t i = 0; i < probes->bound; i++)
        put_key(c, PROBES, i, draw_below(&c->data, 3 * c->sequences[KEYS].bound + 5));
    sequence_finish(c, PROBES);
    output_new(c, FOUND_VALUES, value, draw_room(c, probes->bound), -1);
    output_new(c, FOUND, draw_chance(&c->shape, 50) ? &kind_uint8 : &kind_int8, draw_room(c, probes->bound), -1);
    fill_elements(&c->data, value, FILL_ANY, c->values[0], 1);
    c->numbers[0] = draw_chance(&c->data, 60); /* a value for missing keys */
    if (mcl_map_create(c->w->context, &config, &c->map) != MCL_OK) {
        c->map = NULL;
        doubt(c, "no map on this device");
    }
}

static void map_draw(call *c)
{
    draw_of(c, draw_value(&c->shape));
}

static mcl_status enter(mcl_queue *queue, call *c)
{
    const mcl_status status = mcl_map_insert(queue, c->map, c->in[KEYS], c->in[VALUES], &c->steps);

    return status;
}

static mcl_status look(mcl_queue *queue, call *c)
{
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], c->options_given);
}

/* Returns the index of a number among the first count keys; -1: it is not there. */
static int64_t place_of(const call *c, int k, int64_t number)
{
    for (int64_t i = 0; i < c->sequences[k].count; i++)
        if (key_at(c, k, i) == number) return i;
    return -1;
}

static void expect_found(call *c, int64_t i, const void *value)
{
    unsigned char found = value != NULL;

    output_expect_at(c, FOUND, i, &found);
    if (value) output_expect_at(c, FOUND_VALUES, i, value);
    if (!value && c->numbers[0]) output_expect_at(c, FOUND_VALUES, i, c->values[0]);
}

/* ---- find and insert ------------------------------------------------------------------------------------ */

static mcl_status find_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter(queue, c);

    return status == MCL_OK ? look(queue, c) : status;
}

static void find_reference(call *c)
{
    if (c->left_out[FOUND_VALUES] && c->left_out[FOUND]) refuse(c, "no output at all");
    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) {
        const int64_t at = place_of(c, KEYS, key_at(c, PROBES, i));
        expect_found(c, i, at < 0 ? NULL : element_at(&c->sequences[VALUES], at));
    }
}

/* Draws the second keys: some of the first keys, with other values. */
static void second_draw(call *c)
{
    map_draw(c);
    distinct_keys(c, SECOND, c->sequences[KEYS].of, draw_size(c));
    input_carried(c, SECOND + 1, c->sequences[VALUES].of, SECOND);
}

static mcl_status insert_run(mcl_queue *queue, call *c)
{
    const mcl_status status = mcl_map_insert(queue, c->map, c->in[KEYS], c->in[VALUES], c->options_given);
    c->options.done = NULL; /* the event belongs to the first insertion */
    const mcl_status again =
        status == MCL_OK ? mcl_map_insert(queue, c->map, c->in[SECOND], c->in[SECOND + 1], c->options_given) : status;

    if (again != MCL_OK) return again;
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], &c->steps);
}

static void second_reference(call *c, int first, int second)
{
    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) {
        const int64_t number = key_at(c, PROBES, i);
        const int64_t at = place_of(c, first, number);
        const int64_t other = place_of(c, second, number);
        expect_found(c, i,
                     at >= 0      ? element_at(&c->sequences[first + 1], at)
                     : other >= 0 ? element_at(&c->sequences[second + 1], other)
                                  : NULL);
    }
}

static void insert_reference(call *c)
{
    second_reference(c, KEYS, SECOND);
}

static mcl_status assign_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter(queue, c);

    if (status == MCL_OK)
        status = mcl_map_insert_or_assign(queue, c->map, c->in[SECOND], c->in[SECOND + 1], c->options_given);
    if (status != MCL_OK) return status;
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], &c->steps);
}

static void assign_reference(call *c)
{
    second_reference(c, SECOND, KEYS);
}

/* ---- insert_or_apply ------------------------------------------------------------------------------------ */

/* Draws the second keys; some come several times. */
static void apply_draw(call *c)
{
    static const mcl_op *const ops[] = { MCL_ADD, MCL_MULTIPLY, MCL_MIN, MCL_MAX, MCL_XOR };
    static const kind *const integers[] = { &kind_int32,  &kind_uint32, &kind_int64,
                                            &kind_uint64, &kind_int8,   &kind_uint16 };
    const int which = (int)draw_below(&c->shape, 5);

    c->op_given[0] = ops[which];
    draw_of(c, integers[draw_below(&c->shape, 6)]);
    c->numbers[2] = which;
    sequence *keys = sequence_begin(c, SECOND, c->sequences[KEYS].of, draw_size(c), 1);
    const int64_t universe = draw_chance(&c->data, 20) ? 1 : 2 * keys->bound + 1;
    for (int64_t i = 0; i < keys->bound; i++) put_key(c, SECOND, i, draw_below(&c->data, universe));
    sequence_heat(c, keys);
    sequence_finish(c, SECOND);
    input_carried(c, SECOND + 1, c->sequences[VALUES].of, SECOND);
}

static mcl_status apply_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter(queue, c);

    if (status == MCL_OK)
        status =
            mcl_map_insert_or_apply(queue, c->map, c->in[SECOND], c->in[SECOND + 1], c->op_given[0], c->options_given);
    if (status != MCL_OK) return status;
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], &c->steps);
}

/* Returns the fold of p and q. Sums and products are exact modulo 2^64, and so modulo 2^32. */
static int64_t applied(const call *c, int64_t p, int64_t q)
{
    const kind *of = c->sequences[VALUES].of;
    const int less = of->traits & KIND_UNSIGNED ? (uint64_t)q < (uint64_t)p : q < p;

    if (c->numbers[2] == 0) return (int64_t)((uint64_t)p + (uint64_t)q);
    if (c->numbers[2] == 1) return (int64_t)((uint64_t)p * (uint64_t)q);
    if (c->numbers[2] == 2) return less ? q : p;
    return c->numbers[2] == 3 ? (less ? p : q) : p ^ q;
}

static void apply_reference(call *c)
{
    const sequence *second = &c->sequences[SECOND];

    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) {
        const int64_t number = key_at(c, PROBES, i);
        const int64_t at = place_of(c, KEYS, number);
        const kind *of = c->sequences[VALUES].of;
        int is_there = at >= 0;
        int64_t value = is_there ? integer_of(of, element_at(&c->sequences[VALUES], at)) : 0;
        unsigned char stored[8];
        for (int64_t k = 0; k < second->count; k++) {
            if (key_at(c, SECOND, k) != number) continue;
            const int64_t other = integer_of(of, element_at(&c->sequences[SECOND + 1], k));
            value = is_there ? applied(c, value, other) : other;
            is_there = 1;
        }
        integer_to(of, value, stored);
        expect_found(c, i, is_there ? stored : NULL);
    }
}

/* ---- erase, contains, clear ----------------------------------------------------------------------------- */

static mcl_status erase_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter(queue, c);

    if (status == MCL_OK) status = mcl_map_erase(queue, c->map, c->in[SECOND], c->options_given);
    if (status != MCL_OK) return status;
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], &c->steps);
}

static void erase_reference(call *c)
{
    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) {
        const int64_t number = key_at(c, PROBES, i);
        const int64_t at = place_of(c, KEYS, number);
        expect_found(c, i, at < 0 || place_of(c, SECOND, number) >= 0 ? NULL : element_at(&c->sequences[VALUES], at));
    }
}

static mcl_status contains_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter(queue, c);

    return status == MCL_OK ? mcl_map_contains(queue, c->map, c->in[PROBES], c->out[FOUND], c->options_given) : status;
}

static void contains_reference(call *c)
{
    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) {
        const unsigned char found = place_of(c, KEYS, key_at(c, PROBES, i)) >= 0;
        output_expect_at(c, FOUND, i, &found);
    }
}

/* Draws a call on a set, which does not get the drawn values. */
static void set_draw(call *c)
{
    const mcl_map_config config = { .max_load = draw_chance(&c->data, 50) ? 0 : 0.95 };
    mcl_map_config set = config;

    second_draw(c);
    set.key = c->sequences[KEYS].of->type;
    mcl_map_release(c->map);
    if (mcl_map_create(c->w->context, &set, &c->map) != MCL_OK) c->map = NULL;
}

static mcl_status set_run(mcl_queue *queue, call *c)
{
    mcl_status status = mcl_map_insert(queue, c->map, c->in[KEYS], (mcl_input){ 0 }, &c->steps);

    if (status == MCL_OK) status = mcl_map_erase(queue, c->map, c->in[SECOND], c->options_given);
    return status == MCL_OK ? mcl_map_contains(queue, c->map, c->in[PROBES], c->out[FOUND], &c->steps) : status;
}

static void set_reference(call *c)
{
    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) {
        const int64_t number = key_at(c, PROBES, i);
        const unsigned char found = place_of(c, KEYS, number) >= 0 && place_of(c, SECOND, number) < 0;
        output_expect_at(c, FOUND, i, &found);
    }
}

static mcl_status clear_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter(queue, c);

    if (status == MCL_OK) status = mcl_map_clear(queue, c->map, c->options_given);
    if (status != MCL_OK) return status;
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], &c->steps);
}

static void clear_reference(call *c)
{
    for (int64_t i = 0; i < c->sequences[PROBES].count; i++) expect_found(c, i, NULL);
}

/* ---- size, retrieve_all --------------------------------------------------------------------------------- */

static void size_draw(call *c)
{
    map_draw(c);
    c->out_count = 0;
    count_new(c, 0, 1);
}

static mcl_status size_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter(queue, c);

    return status == MCL_OK ? mcl_map_size(queue, c->map, c->result[0], c->options_given) : status;
}

static void size_reference(call *c)
{
    result_expect_count(c, 0, c->sequences[KEYS].count);
}

/* Draws keys. The first one is a sentinel, which is skipped. */
static void skipped_draw(call *c)
{
    size_draw(c);
    if (c->sequences[KEYS].bound == 0) return;
    memset(c->sequences[KEYS].place->before + c->sequences[KEYS].place->start, 0xff, c->sequences[KEYS].of->type->size);
}

static mcl_status skipped_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter(queue, c);

    return status == MCL_OK ? mcl_map_skipped(queue, c->map, c->result[0], c->options_given) : status;
}

static void skipped_reference(call *c)
{
    result_expect_count(c, 0, c->sequences[KEYS].count > 0);
}

static void reserve_draw(call *c)
{
    map_draw(c);
    c->numbers[1] = draw_below(&c->data, 3000);
}

static mcl_status reserve_run(mcl_queue *queue, call *c)
{
    mcl_status status = mcl_map_reserve(queue, c->map, c->numbers[1], c->options_given);

    if (status == MCL_OK) status = enter(queue, c);
    if (status != MCL_OK) return status;
    return mcl_map_find(queue, c->map, c->in[PROBES], c->out[FOUND_VALUES], c->numbers[0] ? c->values[0] : NULL,
                        c->out[FOUND], &c->steps);
}

static void retrieve_draw(call *c)
{
    const int64_t wanted = draw_between(&c->shape, 1, 3);

    map_draw(c);
    memset(c->out, 0, sizeof c->out);
    memset(c->out_kind, 0, sizeof c->out_kind);
    memset(c->out_memory, 0, sizeof c->out_memory);
    for (int k = 0; k < 2; k++) {
        int64_t capacity = c->sequences[KEYS].count;
        if (draw_chance(&c->data, 30)) capacity = draw_below(&c->data, capacity + 4);
        if (wanted >> k & 1) output_new(c, k, c->sequences[k].of, capacity, -1);
    }
    count_new(c, 0, 1);
}

static mcl_status retrieve_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter(queue, c);

    if (status != MCL_OK) return status;
    return mcl_map_retrieve_all(queue, c->map, c->out[0], c->out[1], c->result[0], c->options_given);
}

static void retrieve_reference(call *c)
{
    const int64_t count = c->sequences[KEYS].count;
    int64_t capacity = INT64_MAX;

    for (int k = 0; k < 2; k++)
        if (c->out_kind[k] && c->out[k].capacity < capacity) capacity = c->out[k].capacity;
    for (int k = 0; k < 2; k++)
        if (c->out_kind[k]) output_any_at(c, k, 0, count < capacity ? count : capacity);
    result_expect_count(c, 0, count);
    expect_capacity(c, 0, count, capacity);
}

/* Each of these makes several calls of the library, so others test scratch and wrong arguments. */
enum { SEVERAL = NO_SPOILING | NO_SCRATCH };
const operation map_operations[] = {
    { "mcl_map_find", SEVERAL | MAY_LACK_OUTPUTS, map_draw, find_run, find_reference },
    { "mcl_map_insert", SEVERAL, second_draw, insert_run, insert_reference },
    { "mcl_map_insert_or_assign", SEVERAL, second_draw, assign_run, assign_reference },
    { "mcl_map_insert_or_apply", SEVERAL, apply_draw, apply_run, apply_reference },
    { "mcl_map_erase", SEVERAL, second_draw, erase_run, erase_reference },
    { "mcl_map_erase, of a set", SEVERAL, set_draw, set_run, set_reference },
    { "mcl_map_contains", SEVERAL, map_draw, contains_run, contains_reference },
    { "mcl_map_clear", SEVERAL, map_draw, clear_run, clear_reference },
    { "mcl_map_size", SEVERAL, size_draw, size_run, size_reference },
    { "mcl_map_skipped", SEVERAL, skipped_draw, skipped_run, skipped_reference },
    { "mcl_map_reserve", SEVERAL, reserve_draw, reserve_run, find_reference },
    { "mcl_map_retrieve_all", SEVERAL | TAKES_APPEND, retrieve_draw, retrieve_run, retrieve_reference },
    { NULL, 0, NULL, NULL, NULL },
};
