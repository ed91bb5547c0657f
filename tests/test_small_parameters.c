/* test_small_parameters.c: results are right for every value of a small parameter, or for values near every border, in
 * both mappings. tools/check_parameters builds programs with the same values for GPUs. */
#include "small_walks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MOST = 8192, TILINGS = 2 };

static const mcl_options tilings[TILINGS] = { { .tile_threads = 1, .tile_items = 600 },
                                              { .tile_threads = 64, .tile_items = 3 } };

typedef struct small_round {
    const small_walk *walk;
    int64_t number;
    int tiling;
} small_round;

static small_round rounds[ROUNDS_MOST];
static int round_count;

START_TEST(every_number_is_right)
{
    const int device = _i / round_count;
    const small_round *const round = &rounds[_i % round_count];
    const small_turn turn = { device, test_device_at(device)->queue, &tilings[round->tiling], round->number };

    snprintf(small_label, sizeof small_label, "%s of %lld in tiles of %d work-items", round->walk->name,
             (long long)round->number, tilings[round->tiling].tile_threads);
    round->walk->run(&turn);
}
END_TEST

/* Adds a walk's rounds, so that each sample has a part of each walk in each mapping. */
static void list_walk(const small_walk *walk, int tiling)
{
    static numbers list;

    list.count = 0;
    walk->list(test_device_at(0)->context, &list);
    for (int k = 0; k < list.count; k++) {
        if (!test_sample_takes(k, list.count)) continue;
        if (round_count == ROUNDS_MOST) abort();
        rounds[round_count++] = (small_round){ walk, list.list[k], tiling };
    }
}

static void list_all(void)
{
    static const struct {
        const small_walk *walks;
        const int *count;
    } groups[] = { { digit_walks, &digit_walk_count },
                   { selection_walks, &selection_walk_count },
                   { column_walks, &column_walk_count } };
    const char *const words = getenv("MCL_TEST_WALK"); /* words of the walks' names */

    for (int tiling = test_sample_has_groups_alone(); tiling < TILINGS; tiling++)
        for (size_t group = 0; group < sizeof groups / sizeof groups[0]; group++)
            for (int k = 0; k < *groups[group].count; k++)
                if (!words || strstr(groups[group].walks[k].name, words)) list_walk(&groups[group].walks[k], tiling);
}

static void add(TCase *tcase, int device)
{
    if (round_count == 0) list_all();
    test_add_loop(tcase, every_number_is_right, device, round_count);
}

int main(void)
{
    return test_main("small_parameters", add);
}
