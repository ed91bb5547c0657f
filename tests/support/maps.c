/* maps.c: makes maps of int32 to int32, and reads all their entries. */
#include "maps.h"

#include "guard.h"

#include <stdlib.h>

const mcl_options map_tilings[MAP_TILINGS] = { { .tile_threads = 1, .tile_items = 100 },
                                               { .tile_threads = 32, .tile_items = 3 },
                                               { .tile_threads = 64, .tile_items = 8, .flags = MCL_INDEX_64 } };

mcl_map *map_with(int device, int64_t capacity, double max_load)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = capacity, .max_load = max_load };
    mcl_map *map = NULL;

    test_ok(mcl_map_create(test_device_at(device)->context, &config, &map));
    return map;
}

mcl_input map_counting(int32_t first, int64_t count)
{
    return mcl_from_counting(MCL_INT32, &first, count);
}

int64_t map_size_of(int device, mcl_map *map)
{
    int64_t count = -1;

    test_ok(mcl_map_size(test_device_at(device)->queue, map, mcl_to_host(MCL_INT64, &count), NULL));
    return count;
}

void map_insert(int device, mcl_map *map, mcl_input keys, mcl_input values, const mcl_options *options)
{
    test_ok(mcl_map_insert(test_device_at(device)->queue, map, keys, values, options));
}

static int by_key(const void *p, const void *q)
{
    const int32_t a = ((const map_entry *)p)->key;
    const int32_t b = ((const map_entry *)q)->key;

    return (a > b) - (a < b);
}

/* Stores the map's entries, sorted, and returns their number. It checks that nothing is written after them. */
int64_t map_entries_of(int device, mcl_map *map, const mcl_options *options, map_entry *entries)
{
    static int32_t read[MAP_ENTRIES_MAX];
    mcl_context *context = test_device_at(device)->context;
    mcl_queue *queue = test_device_at(device)->queue;
    const int64_t expected = map_size_of(device, map);
    int64_t count = -1;
    guarded keys;
    guarded values;

    ck_assert_int_le(expected, MAP_ENTRIES_MAX);
    guarded_create(context, &element_int32, expected, NULL, 1, &keys);
    guarded_create(context, &element_int32, expected, NULL, 2, &values);
    test_ok(mcl_map_retrieve_all(queue, map, mcl_to_buffer(MCL_INT32, keys.buffer, keys.first, expected),
                                 mcl_to_buffer(MCL_INT32, values.buffer, values.first, expected),
                                 mcl_to_host(MCL_INT64, &count), options));
    ck_assert_int_eq(count, expected);
    for (int which = 0; which < 2 && expected > 0; which++) {
        const guarded *array = which ? &values : &keys;
        test_ok(mcl_buffer_read(queue, array->buffer, (size_t)array->first * sizeof *read,
                                (size_t)expected * sizeof *read, read));
        for (int64_t k = 0; k < expected; k++) *(which ? &entries[k].value : &entries[k].key) = read[k];
        guarded_expect(queue, array, (unsigned char *)read, expected, which ? "values" : "keys");
    }
    qsort(entries, (size_t)expected, sizeof *entries, by_key);
    guarded_free(&keys);
    guarded_free(&values);
    return expected;
}

/* Checks that the map has count entries: keys first, first + step ..., with values from value on. */
void map_expect_steps(int device, mcl_map *map, const mcl_options *options, int64_t count, int32_t first, int32_t step,
                      int32_t value)
{
    static map_entry entries[MAP_ENTRIES_MAX];

    ck_assert_int_eq(map_entries_of(device, map, options, entries), count);
    for (int32_t k = 0; k < count; k++) {
        ck_assert_int_eq(entries[k].key, first + k * step);
        ck_assert_int_eq(entries[k].value, value + k * step);
    }
}
