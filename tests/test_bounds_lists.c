/* test_bounds_lists.c: operations that take offsets, positions and counts, with wrong numbers: falling, negative,
 * repeated, as large as possible. They must not access memory outside the operands and the scratch, and every call must
 * end. */
#include "support/arrays.h"
#include "support/fence.h"

#include <stdio.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------------- */

enum { LIST_MAX = 700 };
static const char *const list_names[] = { "rising", "falling", "random", "extreme", "-1", "5", "far" };
enum { LISTS = sizeof list_names / sizeof list_names[0] };

static int64_t list_number(int list, int k, int count)
{
    const uint32_t mixed = (uint32_t)k * 2654435761u >> 7;
    const int64_t numbers[LISTS] = { 2 * k,
                                     2 * ((int64_t)count - k),
                                     (int64_t)(mixed % 3000u) - 400,
                                     k % 3 == 0   ? INT64_MIN
                                     : k % 3 == 1 ? INT64_MAX
                                                  : k,
                                     -1,
                                     5,
                                     ((int64_t)(mixed % 64u) - 32) * ((int64_t)1 << 29) + k % 5 };
    return numbers[list];
}

/* Makes a list of int32 or int64 before a fence. Numbers that int32 does not hold lose their upper half, and stay
 * wrong. */
static void list_create(int device, int list, int count, const mcl_type *type, fence *out)
{
    static int64_t wide[LIST_MAX];
    static int32_t narrow[LIST_MAX];
    const int is_wide = type->size == sizeof(int64_t);

    for (int k = 0; k < count; k++) {
        wide[k] = list_number(list, k, count);
        narrow[k] = (int32_t)(uint32_t)(uint64_t)wide[k];
    }
    fence_create(device, type->size * (size_t)count, is_wide ? (const void *)wide : (const void *)narrow, out);
}

/* Counts for a slot on the device. */
static const int64_t slot_numbers[] = { -5, INT64_MAX, INT64_MIN, 3, 0, (int64_t)1 << 32 };
enum { SLOTS = sizeof slot_numbers / sizeof slot_numbers[0] };

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* ITEMS: work units, and elements of in; OUT: elements of outputs that may stay partly unwritten */
enum { ITEMS = 1200, OUT = 1100 };

typedef struct list_call {
    int variant;
    mcl_work work;
    mcl_input lists[2], in, flags;
    mcl_output filled[2], out; /* outputs of ITEMS elements; output of OUT elements */
} list_call;

static mcl_status call_balance(void *user, mcl_queue *queue, const mcl_options *options)
{
    const list_call *c = user;
    static const mcl_output nowhere = { .type = NULL };
    if (c->variant < 3)
        return mcl_load_balance_search(queue, c->work, c->lists[0], c->variant == 1 ? nowhere : c->filled[0],
                                       c->variant == 0 ? nowhere : c->filled[1], options);
    const mcl_input item = mcl_from_expression(MCL_INT32, "object * 3 + rank", NULL, NULL, 0, ITEMS);
    return mcl_transform_load_balanced(queue, item, c->lists[0], c->filled[0], options);
}

static mcl_status call_interval(void *user, mcl_queue *queue, const mcl_options *options)
{
    const list_call *c = user;
    switch (c->variant) {
    case 0:
        return mcl_interval_expand(queue, c->work, c->in, c->lists[0], c->filled[0], options);
    case 1:
        return mcl_interval_move(queue, c->work, c->in, c->lists[1], c->lists[1], c->lists[0], c->out, options);
    case 2:
        return mcl_interval_gather(queue, c->work, c->in, c->lists[1], c->lists[0], c->filled[0], options);
    default:
        return mcl_interval_scatter(queue, c->work, c->in, c->lists[1], c->lists[0], c->out, options);
    }
}

/* Inserts the other list: its number of elements equals the number of indices. */
static mcl_status call_bulk(void *user, mcl_queue *queue, const mcl_options *options)
{
    const list_call *c = user;
    if (c->variant == 0) return mcl_bulk_remove(queue, c->in, c->lists[0], c->filled[0], options);
    mcl_input inserted = c->in;
    inserted.count = c->lists[0].count;
    return mcl_bulk_insert(queue, inserted, c->lists[0], c->in, c->filled[0], options);
}

static mcl_status call_scatter(void *user, mcl_queue *queue, const mcl_options *options)
{
    const list_call *c = user;
    mcl_input values = c->in;
    values.count = c->lists[0].count;
    values.count_slot = c->lists[0].count_slot;
    values.count_slot_index = c->lists[0].count_slot_index;
    if (c->variant == 0) return mcl_scatter(queue, values, c->lists[0], c->out, options);
    return mcl_scatter_flagged(queue, values, c->lists[0], c->flags, c->out, options);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct list_run {
    const char *name;
    fenced_call call;
    int variant;
    const mcl_type *type; /* type of the lists */
    mcl_options options;
} list_run;

/* Runs a call with two lists. slot: the index of the number in the slots of all counts, or none. */
static void run_lists(int device, const list_run *run, int first, int second, int count, int slot)
{
    list_call call = { .variant = run->variant, .work = mcl_work_items(ITEMS) };
    char what[200];
    fence lists[2];
    fence in;
    fence filled[2];
    fence out;
    fence slots;

    (void)snprintf(what, sizeof what, "%s %d, tile %d x %d, %d numbers of %s: %s, %s; slot %d", run->name, run->variant,
                   run->options.tile_threads, run->options.tile_items, count, run->type->name, list_names[first],
                   list_names[second], slot);
    list_create(device, first, count, run->type, &lists[0]);
    list_create(device, second, count, run->type, &lists[1]);
    fence_create(device, sizeof(int32_t) * ITEMS, NULL, &in);
    fence_create(device, sizeof(int32_t) * (size_t)(ITEMS + LIST_MAX), NULL, &filled[0]);
    fence_create(device, sizeof(int32_t) * ITEMS, NULL, &filled[1]);
    fence_create(device, sizeof(int32_t) * OUT, NULL, &out);
    fence_create(device, sizeof slot_numbers, slot_numbers, &slots);
    const int64_t slot_index = (int64_t)(slots.lead / sizeof(int64_t)) + slot;
    for (int k = 0; k < 2; k++) {
        call.lists[k] = fence_input(&lists[k], run->type, count);
        if (slot >= 0) call.lists[k] = mcl_with_count(call.lists[k], slots.buffer, slot_index);
    }
    call.in = fence_input(&in, MCL_INT32, ITEMS);
    call.flags = call.lists[1];
    if (slot >= 0) call.work = mcl_work_in_slot(ITEMS, slots.buffer, slot_index);
    if (slot >= 0) call.in = mcl_with_count(call.in, slots.buffer, slot_index);
    call.filled[0] = fence_output(&filled[0], MCL_INT32, ITEMS + LIST_MAX);
    call.filled[1] = fence_output(&filled[1], MCL_INT32, ITEMS);
    call.out = fence_output(&out, MCL_INT32, OUT);
    fence_run(device, run->call, &call, &run->options, what);
    fence *const unchanged[] = { &lists[0], &lists[1], &in, &slots };
    fence *const changed[] = { &filled[0], &filled[1], &out };
    for (int k = 0; k < 4; k++) {
        fence_check(device, unchanged[k], 0, what);
        fence_free(unchanged[k]);
    }
    for (int k = 0; k < 3; k++) {
        fence_check(device, changed[k], 1, what);
        fence_free(changed[k]);
    }
}

/* Runs all lists as the first list, each with a few others, in two lengths. One of them also runs with each number in
 * the slot. */
static void run_all_lists(int device, const list_run *run)
{
    if (test_sees_races(device) && !test_is_full()) { /* in overlapping lists two work-items write one place */
        (void)test_skip(device, run->name, "two writes of one place are reported, and are expected");
        return;
    }
    for (int first = 0; first < LISTS; first++) {
        if (!test_sample_takes(first, LISTS)) continue;
        run_lists(device, run, first, (first * 3 + 2) % LISTS, LIST_MAX, -1);
        run_lists(device, run, first, (first + 3) % LISTS, 33, -1);
    }
    for (int slot = 0; slot < SLOTS; slot++)
        if (test_sample_takes(slot, SLOTS)) run_lists(device, run, slot % LISTS, 2, LIST_MAX, slot);
}

static void run_variants(int device, const char *name, fenced_call call, int variants)
{
    static const int tiles[][2] = { { 1, 7 }, { 32, 3 }, { 1, 50 }, { 64, 5 } };
    for (int variant = 0; variant < variants; variant++)
        for (int k = variant % 2; k < 4; k += 2) { /* one tile of each mapping */
            const int tile = k < 2 ? k : 3 - k % 2;
            const list_run run = { name,
                                   call,
                                   variant,
                                   k < 2 ? MCL_INT64 : MCL_INT32,
                                   { .tile_threads = tiles[tile][0],
                                     .tile_items = tiles[tile][1],
                                     .flags = variant == 1 ? MCL_INDEX_64 : 0 } };
            run_all_lists(device, &run);
        }
}

START_TEST(balanced_work_stays_inside)
{
    run_variants(_i, "mcl_load_balance", call_balance, 4);
}
END_TEST

START_TEST(intervals_stay_inside)
{
    run_variants(_i, "mcl_interval", call_interval, 4);
}
END_TEST

START_TEST(bulk_changes_stay_inside)
{
    run_variants(_i, "mcl_bulk", call_bulk, 2);
}
END_TEST

START_TEST(scatters_stay_inside)
{
    run_variants(_i, "mcl_scatter", call_scatter, 2);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, balanced_work_stays_inside, device);
    test_add(tcase, intervals_stay_inside, device);
    test_add(tcase, bulk_changes_stay_inside, device);
    test_add(tcase, scatters_stay_inside, device);
}

int main(void)
{
    return test_main("bounds of operations on lists", add);
}
