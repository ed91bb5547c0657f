/* test_plan.c: no tile exceeds the limits of a device, for any device, operation and element. */
#include "support/devices.h"

#include "call/enqueue.h"

#include <stdint.h>
#include <stdio.h>

/* Devices that need not exist: the smallest that OpenCL allows, the largest known, and odd ones between them. */
static const int64_t local_memories[] = { 1024, 16384, 32768, 49152, 65536, 232448 };
static const int max_threads[] = { 1, 16, 64, 100, 256, 1024 };
static const int64_t loop_budgets[] = { 0, 64, 1000, 65535 };
static const size_t element_sizes[] = { 1, 2, 4, 8, 12, 16, 33, 64 };
static const char *const keys[] = { "NVIDIA sm_90", "NVIDIA sm_50", "AMD gfx1100", "POCL cpu", "Mesa cpu", "" };
static const mcl_options options[] = { { 0 },
                                       { .tile_threads = 1 },
                                       { .tile_threads = 1, .tile_items = 1 << 20 },
                                       { .tile_threads = 32, .tile_items = 31 },
                                       { .tile_threads = 1024, .tile_items = 31 },
                                       { .tile_threads = 96, .tile_items = 1 },
                                       { .tile_items = 2 } };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void check_tile(const mcl__limits *limits, mcl__operation operation, mcl__tile_need need,
                       const mcl_options *asked)
{
    const mcl__tile tile = mcl__tile_for(operation, limits, NULL, need, asked);
    const int is_lone = !mcl__whole_sub_groups(limits, tile.threads);
    const int64_t item = (int64_t)(need.local_bytes_per_item + (is_lone ? need.lone_bytes_per_item : 0));
    const int64_t thread = (int64_t)(need.local_bytes_per_thread + (is_lone ? need.lone_bytes_per_thread : 0));
    const int64_t local = mcl__tile_size(tile) * item + tile.threads * thread + (int64_t)need.local_bytes_fixed;

    ck_assert_int_ge(tile.threads, 1);
    ck_assert_int_ge(tile.items, 1);
    ck_assert_int_le(tile.threads, limits->max_threads);
    if (tile.threads > 1) {
        ck_assert_msg(local <= limits->local_memory, "%s, operation %d: %d x %d of %zu bytes need %lld of %lld bytes",
                      limits->tuning_key, (int)operation, tile.threads, tile.items, need.element_bytes,
                      (long long)local, (long long)limits->local_memory);
        ck_assert_int_le(tile.items, 31);
        ck_assert_int_lt(mcl__tile_size(tile), 32768);
    } else if (limits->loop_budget) {
        ck_assert_int_le(tile.items, limits->loop_budget);
    }
}

static void check_needs(const mcl__limits *limits)
{
    /* each size with every fourth operation, so each operation with two sizes, since there are many rows */
    for (size_t size = 0; size < COUNT_OF(element_sizes); size++)
        for (int operation = (int)size % 4; operation < MCL__OPERATION_COUNT; operation += 4)
            for (size_t asked = 0; asked < COUNT_OF(options); asked++) {
                const mcl__tile_need plain = { .element_bytes = element_sizes[size],
                                               .local_bytes_per_item = element_sizes[size] };
                const mcl__tile_need heavy = { .element_bytes = element_sizes[size],
                                               .local_bytes_per_item = 2 * element_sizes[size] + 2,
                                               .local_bytes_fixed = 512 };
                const mcl__tile_need light = { .element_bytes = element_sizes[size] };
                const mcl__tile_need lone = { .element_bytes = element_sizes[size],
                                              .local_bytes_per_item = element_sizes[size],
                                              .lone_bytes_per_item = 4,
                                              .lone_bytes_per_thread = element_sizes[size] + 8 };
                check_tile(limits, (mcl__operation)operation, lone, &options[asked]);
                check_tile(limits, (mcl__operation)operation, plain, &options[asked]);
                check_tile(limits, (mcl__operation)operation, heavy, &options[asked]);
                check_tile(limits, (mcl__operation)operation, light, &options[asked]);
            }
}

/* There is one round for every combination of work-group memory and largest work-group. */
START_TEST(every_tile_fits_every_device)
{
    mcl__limits limits = { .compute_units = 8 };

    limits.local_memory = local_memories[(size_t)_i / COUNT_OF(max_threads)];
    limits.max_threads = max_threads[(size_t)_i % COUNT_OF(max_threads)];
    for (size_t budget = 0; budget < COUNT_OF(loop_budgets); budget++)
        for (size_t key = 0; key < COUNT_OF(keys); key++)
            for (int mapping = 0; mapping < 2; mapping++) {
                snprintf(limits.tuning_key, sizeof limits.tuning_key, "%s", keys[key]);
                limits.is_gpu = key < 3;
                limits.mapping = (mcl_mapping)mapping;
                limits.loop_budget = loop_budgets[budget];
                limits.sub_group_path = key % 2 ? MCL__SUB_GROUP_NONE : MCL__SUB_GROUP_CUDA;
                limits.sub_group_size = 32;
                check_needs(&limits);
            }
}
END_TEST

START_TEST(indices_have_32_bits_where_a_tile_past_the_bound_still_fits)
{
    const mcl_options forced = { .flags = MCL_INDEX_64 };

    ck_assert_int_eq(mcl__index_bits(0, NULL), 32);
    ck_assert_int_eq(mcl__index_bits(1000000000, NULL), 32);
    ck_assert_int_eq(mcl__index_bits(INT32_MAX, NULL), 64);
    ck_assert_int_eq(mcl__index_bits(INT64_C(1) << 32, NULL), 64);
    ck_assert_int_eq(mcl__index_bits(INT64_MAX, NULL), 64);
    ck_assert_int_eq(mcl__index_bits(10, &forced), 64);
}
END_TEST

/* With UndefinedBehaviorSanitizer the test also shows that nothing is computed from the index. */
START_TEST(an_index_without_a_slot_is_no_argument)
{
    const mcl__spec spec = { .index_bits = 32 };
    const mcl_input without = { .type = MCL_INT32, .count = 5, .count_slot_index = INT64_MAX };
    mcl__args args;
    mcl__args_start(&args, &spec);
    mcl__args_input(&args, &without);
    ck_assert_int_eq(args.count, 5);
    ck_assert_ptr_null(args.list[3].buffer);
    int64_t offset = 1;
    memcpy(&offset, args.list[4].value, sizeof offset);
    ck_assert_int_eq(offset, 0);
}
END_TEST

START_TEST(division_rounds_up_without_overflow)
{
    ck_assert_int_eq(mcl__divide_up(0, 7), 0);
    ck_assert_int_eq(mcl__divide_up(1, 7), 1);
    ck_assert_int_eq(mcl__divide_up(7, 7), 1);
    ck_assert_int_eq(mcl__divide_up(8, 7), 2);
    ck_assert_int_eq(mcl__divide_up(INT64_MAX, 2), INT64_MAX / 2 + 1);
    ck_assert_uint_eq(mcl__scratch_round(0), 0);
    ck_assert_uint_eq(mcl__scratch_round(1), MCL__SCRATCH_ALIGNMENT);
    ck_assert_uint_eq(mcl__scratch_round(256), 256);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_loop_test(tcase, every_tile_fits_every_device, 0,
                        (int)(COUNT_OF(local_memories) * COUNT_OF(max_threads)));
    tcase_add_test(tcase, indices_have_32_bits_where_a_tile_past_the_bound_still_fits);
    tcase_add_test(tcase, an_index_without_a_slot_is_no_argument);
    tcase_add_test(tcase, division_rounds_up_without_overflow);
}

int main(void)
{
    return test_main_host("plan", add);
}
