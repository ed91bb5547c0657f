/* test_map_retrieve.c: mcl_map_retrieve_all in every way to append. */
#include "support/guard.h"
#include "support/maps.h"

/* Returns options for the ways to append, with tiles of both mappings. */
enum { WAYS = 10 };
static mcl_options way(int turn)
{
    static const int widths[] = { 0, 1, 2, 4, 8, 16 };
    mcl_options options = map_tilings[turn % MAP_TILINGS];

    options.append = turn < 5 ? (mcl_append)turn : MCL_APPEND_SUB_GROUP_TILE;
    options.append_width = turn < 5 ? 0 : widths[turn - 4];
    return options;
}

/* Returns the step between rounds. Simulators take every third round, which still takes all ways. */
static int stride(int device)
{
    return test_sees_races(device) ? 3 : 1;
}

START_TEST(all_entries_are_retrieved_in_every_way)
{
    static const int64_t capacities[] = { 1, 64, 203, 1003 };
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < 4 * WAYS; k += stride(_i)) {
        mcl_options options = way(k % WAYS);
        if (k % 2) options.tile_threads = options.tile_items = 0;
        const mcl_options erasing = { .tile_threads = options.tile_threads, .tile_items = options.tile_items };
        mcl_map *map = map_with(_i, capacities[k / WAYS], 1);
        const int64_t capacity = mcl_map_capacity(map);
        ck_assert_int_ge(capacity, capacities[k / WAYS]);
        ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
        map_expect_steps(_i, map, &options, 0, 0, 1, 0); /* all empty */
        map_insert(_i, map, map_counting(5, capacity), map_counting(50, capacity), &map_tilings[k % MAP_TILINGS]);
        map_expect_steps(_i, map, &options, capacity, 5, 1, 50); /* all full */
        ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
        test_ok(mcl_map_erase(queue, map, map_counting(5, capacity / 2), &erasing));
        map_expect_steps(_i, map, &options, capacity - capacity / 2, 5 + (int32_t)(capacity / 2), 1,
                         50 + (int32_t)(capacity / 2));
        /* a missing key is searched in all slots, so this is not done with many slots */
        const int64_t rest = capacity - capacity / 2;
        if (capacity < 300) test_ok(mcl_map_erase(queue, map, map_counting(0, capacity + 10), &erasing));
        test_ok(
            mcl_map_erase(queue, map, map_counting(5 + (int32_t)(capacity / 2), capacity < 300 ? 1 : rest), &erasing));
        map_expect_steps(_i, map, &options, 0, 0, 1, 0); /* all erased */
        mcl_map_release(map);
    }
}
END_TEST

START_TEST(entries_of_several_sub_maps_are_retrieved)
{
    for (int sub_maps = 1; sub_maps <= 7; sub_maps += 2) {
        mcl_map *map = map_with(_i, 8, 0.75);
        int32_t entered = 0;
        while (mcl_map_sub_map_count(map) < sub_maps || entered == 0) {
            map_insert(_i, map, map_counting(entered, 5), map_counting(entered + 9, 5),
                       &map_tilings[entered % MAP_TILINGS]);
            entered += 5;
            if (entered % 3 == 0) (void)map_size_of(_i, map);
        }
        ck_assert_int_eq(mcl_map_sub_map_count(map), sub_maps);
        for (int k = 0; k < WAYS; k++) {
            const mcl_options options = way(k);
            map_expect_steps(_i, map, &options, entered, 0, 1, 9);
        }
        mcl_map_release(map);
    }
}
END_TEST

START_TEST(nothing_is_retrieved_past_a_capacity_and_the_needed_count_is_reported)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, 600, 0);
    static int32_t got[200];
    const mcl_output none = { 0 };

    map_insert(_i, map, map_counting(0, 200), map_counting(0, 200), NULL);
    for (int k = 0; k < WAYS * 4; k += stride(_i)) {
        static const int64_t capacities[] = { 0, 1, 77, 199 };
        const int64_t capacity = capacities[k / WAYS];
        const mcl_options options = way(k % WAYS);
        int64_t count = -1;
        int seen[200] = { 0 };
        guarded out;
        guarded_create(test_device_at(_i)->context, &element_int32, 200, NULL, k % 3, &out);
        const mcl_output keys = mcl_to_buffer(MCL_INT32, out.buffer, out.first, capacity);
        const mcl_result host = mcl_to_host(MCL_INT64, &count);
        if (capacity > 0)
            test_fails(mcl_map_retrieve_all(queue, map, keys, none, host, &options), MCL_ERROR_CAPACITY,
                       "mcl_map_retrieve_all|200");
        else
            test_ok(mcl_map_retrieve_all(queue, map, keys, none, host, &options));
        ck_assert_int_eq(count, 200);
        test_ok(mcl_buffer_read(queue, out.buffer, (size_t)out.first * sizeof *got, sizeof got, got));
        for (int64_t i = 0; i < capacity; i++) {
            ck_assert(got[i] >= 0 && got[i] < 200);
            ck_assert_int_eq(seen[got[i]]++, 0);
        }
        guarded_expect(queue, &out, (unsigned char *)got, capacity, "keys with little room");
        guarded_free(&out);
    }
    mcl_map_release(map);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, all_entries_are_retrieved_in_every_way, device);
    test_add(tcase, entries_of_several_sub_maps_are_retrieved, device);
    test_add(tcase, nothing_is_retrieved_past_a_capacity_and_the_needed_count_is_reported, device);
}

int main(void)
{
    return test_main("map_retrieve", add);
}
