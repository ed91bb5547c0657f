/* test_map_races.c: groups that enter the same keys at the same time. The second half of each list has the keys of the
 * first in reverse. Drivers of processors give each half to a thread of its own. So both threads meet in the middle. */
#include "support/maps.h"

enum { ROUNDS = 200, ROUNDS_SMALL = 4, TILE_ITEMS = 1024 };

static int64_t key_count(void)
{
    return test_is_small() ? 2000 : 1 << 14;
}

/* Returns all keys, and then all keys in reverse. */
static mcl_input twice(void)
{
    const int32_t count = (int32_t)key_count();
    const mcl_binding binding = mcl_binding_value("count", MCL_INT32, &count);
    return mcl_from_expression(MCL_INT32, "(int32_t)(i < count ? i : 2 * count - 1 - i)", NULL, &binding, 1,
                               2 * key_count());
}

static mcl_input ones(void)
{
    const int32_t one = 1;
    return mcl_from_constant(MCL_INT32, &one, 2 * key_count());
}

static const mcl_options serial = { .tile_threads = 1, .tile_items = TILE_ITEMS };
static const mcl_options group = { .tile_threads = 64, .tile_items = TILE_ITEMS / 64 };

static void meet(int device, const mcl_options *options)
{
    mcl_queue *const queue = test_device_at(device)->queue;
    mcl_map *const map = map_with(device, key_count(), 1);
    for (int round = 0; round < (test_is_small() ? ROUNDS_SMALL : ROUNDS); round++) {
        test_ok(mcl_map_insert(queue, map, twice(), ones(), options));
        ck_assert_int_eq(map_size_of(device, map), key_count());
        test_ok(mcl_map_erase(queue, map, twice(), options));
        ck_assert_int_eq(map_size_of(device, map), 0);
    }
    mcl_map_release(map);
}

START_TEST(a_key_that_several_groups_erase_counts_once)
{
    meet(_i, &serial);
    meet(_i, &group);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_key_that_several_groups_erase_counts_once, device);
}

int main(void)
{
    return test_main("map_races", add);
}
