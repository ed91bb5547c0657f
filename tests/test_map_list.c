/* test_map_list.c: many elements enter a map, with few keys or with many. On processors tables fold elements of few
 * keys. */
#include "support/maps.h"

#include "cases/elements.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 60000, SMALL_COUNT = 3000, OLD = 50, KINDS = 3 };

/* Returns the key of a number: bits of floats, with zeros of both signs and NaNs among them. The factor is odd, so no
 * two keys are equal. */
static uint32_t bits_of(uint32_t number)
{
    static const uint32_t specials[] = { 0, 0x80000000u, 0x7fc00000u, 0xffc00001u };
    return number < 4 ? specials[number] : number * 0x85ebca6bu;
}

typedef struct world {
    mcl_queue *queue;
    mcl_map *map;
    /* bits and numbers of each element's key; all numbers below span occur without the last element */
    uint32_t *bits, *numbers;
    int32_t *expected, *got;
    int64_t count;
    mcl_buffer *keys, *known, *slot, *found;
} world;

static void world_begin(int device, world *w, const mcl_type *key, uint32_t span)
{
    const mcl_map_config config = { .key = key, .value = MCL_INT32, .capacity = 100 };

    w->queue = test_device_at(device)->queue;
    w->count = test_is_small() ? SMALL_COUNT : COUNT;
    w->bits = malloc((size_t)w->count * sizeof *w->bits);
    w->numbers = malloc((size_t)w->count * sizeof *w->numbers);
    w->expected = calloc(span, sizeof *w->expected);
    w->got = malloc(span * sizeof *w->got);
    if (!w->bits || !w->numbers || !w->expected || !w->got) abort();
    for (uint32_t number = 0; number < span; number++) ((uint32_t *)w->got)[number] = bits_of(number);
    w->known = array_of(device, w->got, span * sizeof *w->got);
    for (int64_t i = 0; i < w->count; i++) {
        w->numbers[i] = i < span ? (uint32_t)i : (uint32_t)(test_random(3, (uint64_t)i) % span);
        w->bits[i] = i == w->count - 1 ? 0xffffffffu : bits_of(w->numbers[i]); /* a sentinel */
    }
    w->keys = array_of(device, w->bits, (size_t)w->count * sizeof *w->bits);
    w->slot = array_of(device, &w->count, sizeof w->count);
    w->found = array_empty(device, span * sizeof *w->got);
    test_ok(mcl_map_create(test_device_at(device)->context, &config, &w->map));
}

static void world_end(world *w)
{
    mcl_buffer_release(w->keys);
    mcl_buffer_release(w->known);
    mcl_buffer_release(w->slot);
    mcl_buffer_release(w->found);
    mcl_map_release(w->map);
    free(w->bits);
    free(w->numbers);
    free(w->expected);
    free(w->got);
}

/* Enters elements: kind 0 adds up, the other kinds assign and insert. */
static void enter(world *w, int kind, mcl_input keys, mcl_input values, const mcl_options *options)
{
    if (kind == 0)
        test_ok(mcl_map_insert_or_apply(w->queue, w->map, keys, values, MCL_ADD, options));
    else if (kind == 1)
        test_ok(mcl_map_insert_or_assign(w->queue, w->map, keys, values, options));
    else
        test_ok(mcl_map_insert(w->queue, w->map, keys, values, options));
}

/* Enters OLD keys, then all elements, and finds them. A value is the key's number, so any of a key's elements may be
 * taken. */
static void enter_and_find(int device, const mcl_type *key, uint32_t span, int kind, const mcl_options *options)
{
    world w;
    int64_t skipped = -1;

    world_begin(device, &w, key, span);
    mcl_input keys = mcl_from_buffer(key, w.keys, 0, w.count);
    mcl_buffer *const numbers = array_of(device, w.numbers, (size_t)w.count * sizeof *w.numbers);
    enter(&w, kind, mcl_from_buffer(key, w.known, 0, OLD), map_counting(7, OLD), options);
    if (kind == 0) keys = mcl_with_count(keys, w.slot, 0);
    enter(&w, kind, keys, mcl_from_buffer(MCL_INT32, numbers, 0, w.count), options);
    for (uint32_t number = 0; number < OLD; number++) w.expected[number] = kind == 1 ? 0 : 7 + (int32_t)number;
    for (int64_t i = 0; i < w.count - 1; i++) {
        const uint32_t number = w.numbers[i];
        if (kind == 0)
            w.expected[number] += (int32_t)number;
        else if (kind == 1 || number >= OLD)
            w.expected[number] = (int32_t)number;
    }
    ck_assert_int_eq(map_size_of(device, w.map), span);
    test_ok(mcl_map_skipped(w.queue, w.map, mcl_to_host(MCL_INT64, &skipped), NULL));
    ck_assert_int_eq(skipped, 1);
    test_ok(mcl_map_find(w.queue, w.map, mcl_from_buffer(key, w.known, 0, span),
                         mcl_to_buffer(MCL_INT32, w.found, 0, span), NULL, (mcl_output){ 0 }, NULL));
    array_read(device, w.found, w.got, span * sizeof *w.got);
    for (uint32_t number = 0; number < span; number++)
        ck_assert_msg(w.got[number] == w.expected[number], "kind %d, %u keys: key %u has %d, expected %d", kind, span,
                      number, (int)w.got[number], (int)w.expected[number]);
    mcl_buffer_release(numbers);
    world_end(&w);
}

/* Up to 6144 keys are in tables of parts, 20000 in tables of shares, and 50000 in no table. */
START_TEST(elements_of_few_keys_and_of_many_are_entered)
{
    static const uint32_t spans[] = { OLD, 255, 5000, 7000, 20000, 50000 };

    for (int k = 0; k < 6; k++)
        for (int kind = 0; kind < KINDS; kind++) {
            const int tiling = test_is_small() ? 1 : (k + kind) % 3 == 2;
            const int64_t count = test_is_small() ? SMALL_COUNT : COUNT;
            if (spans[k] < count && test_sample_takes(k * KINDS + kind, 6 * KINDS))
                enter_and_find(_i, (k + kind) % 2 ? MCL_FLOAT : MCL_UINT32, spans[k], kind, &map_tilings[tiling]);
        }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, elements_of_few_keys_and_of_many_are_entered, device);
}

int main(void)
{
    return test_main("map_list", add);
}
