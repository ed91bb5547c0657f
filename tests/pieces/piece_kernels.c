/* piece_kernels.c: makes the kernels of tests/kernels with their types, operators, operands and the arguments of their
 * passes. */
#include "piece_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mcl_op before_op = { .role = MCL_ROLE_ORDER, .expression = "p < q" };
static const mcl_op fold_op = { .role = MCL_ROLE_FOLD,
                                .expression = "piece_join(p, q)",
                                .source = piece_fold_source,
                                .value = MCL_UINT32,
                                .extract = "piece_of(x)" };
static const mcl_op add_op = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0" };
static const mcl_op keep_op = { .role = MCL_ROLE_TEST, .expression = "x % 3 == 0" };

/* ---- texts -------------------------------------------------------------------------------------------------- */

static const char *const names[PIECE_TEXTS] = {
    [PIECES_TILES] = "tiles.cl",       [PIECES_SEARCHES] = "searches.cl", [PIECES_SORTS] = "sorts.cl",
    [PIECES_SEGMENTS] = "segments.cl", [PIECES_SETS] = "sets.cl",
};

static const char *read_text(const char *name)
{
    char path[1024];
    char *text = NULL;
    snprintf(path, sizeof path, "%s/%s", TEST_KERNELS_DIR, name);
    FILE *const file = fopen(path, "rb");
    if (!file) return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long bytes = ftell(file);
        text = bytes < 0 ? NULL : calloc(1, (size_t)bytes + 1);
        rewind(file);
        if (text && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) text[0] = 0;
    }
    fclose(file);
    return text;
}

static const char *text_of(piece_text text)
{
    static const char *texts[PIECE_TEXTS];
    if (!texts[text]) texts[text] = read_text(names[text]);
    return texts[text];
}

/* ---- kernels ------------------------------------------------------------------------------------------------ */

static mcl_kernel tiles_kernel(int serial)
{
    mcl_kernel kernel = {
        .passes = { [TILES_MOVE] = { "move_tiles", "env in out" },
                    [TILES_GATHER] = { "gather_tiles", "env in places out" },
                    [TILES_FOLD] = { "fold_tiles", "env in out numbers" },
                    [TILES_WORDS] = { "word_tiles", "env in out" },
                    [TILES_NUMBERS] = { "put_numbers", "env numbers int32_t int32_t", 1 } },
        .operators = { { "fold", MCL_ROLE_FOLD, &fold_op, MCL_INT32, MCL_INT32 },
                       { "keep", MCL_ROLE_TEST, &keep_op, MCL_INT32 } },
        .inputs = { { .name = "in", .type = MCL_INT32 }, { .name = "places", .type = MCL_INT32 } },
        .outputs = { { "out", MCL_INT32 }, { "numbers", MCL_INT64 } },
        .defines = { { "SCAN_INCLUSIVE", 1 } },
    };
    if (!serial) {
        kernel.passes[TILES_CHOOSE] = (mcl_pass){ "choose_tiles", "env in out numbers array", 0 };
        kernel.passes[TILES_SHUFFLE] = (mcl_pass){ "shuffle_tiles", "env in out numbers", 0 };
    }
    return kernel;
}

static mcl_kernel searches_kernel(void)
{
    return (mcl_kernel){
        .passes = { [SEARCHES_BOUNDS] = { "find_bounds", "env a b found" },
                    [SEARCHES_PATHS] = { "find_paths", "env a b found" },
                    [SEARCHES_CUT] = { "cut_tiles", "env a b array index_type" },
                    [SEARCHES_MERGE] = { "merge_tiles", "env a b a_values b_values array out out_values" },
                    [SEARCHES_FIND] = { "search_tiles", "env a b array found array" },
                    [SEARCHES_CUT_WORK] = { "cut_work", "env offsets work array index_type" },
                    [SEARCHES_BALANCE] = { "balance_tiles", "env offsets work array found" } },
        .types = { { "key", MCL_INT32 } },
        .operators = { { "before", MCL_ROLE_ORDER, &before_op, MCL_INT32 } },
        .inputs = { { .name = "a", .type = MCL_INT32 },
                    { .name = "b", .type = MCL_INT32 },
                    { .name = "a_values", .type = MCL_INT32 },
                    { .name = "b_values", .type = MCL_INT32 },
                    { .name = "offsets", .type = MCL_INT32 },
                    { .name = "work", .type = MCL_INT32 } },
        .outputs = { { "out", MCL_INT32 }, { "out_values", MCL_INT32 }, { "found", MCL_INT32 } },
        .defines = { { "HAS_VALUES", 1 } },
    };
}

static mcl_kernel sorts_kernel(int serial)
{
    return (mcl_kernel){
        .passes = { [SORTS_NETWORKS] = { "sort_networks", "env in out places array" },
                    [SORTS_FRAMES] = { "put_frames", "env places int32_t int32_t" },
                    [SORTS_TILES] = { "sort_tiles", "env in in_values out out_values spare spare_values" },
                    [SORTS_CUT] = { "cut_runs", "env a array index_type index_type" },
                    [SORTS_MERGE] = { "merge_runs_of_tiles", "env a a_values array index_type out out_values" } },
        .types = { { "key", MCL_INT32 } },
        .operators = { { "before", MCL_ROLE_ORDER, &before_op, MCL_INT32 } },
        .inputs = { { .name = "in", .type = MCL_INT32 },
                    { .name = "in_values", .type = MCL_INT32 },
                    { .name = "a", .type = MCL_INT32 },
                    { .name = "a_values", .type = MCL_INT32 } },
        .outputs = { { "out", MCL_INT32 },
                     { "out_values", MCL_INT32 },
                     { "spare", MCL_INT32 },
                     { "spare_values", MCL_INT32 },
                     { "places", MCL_INT32 } },
        .defines = { { "HAS_VALUES", 1 }, { "STABLE", !serial }, { "BASE_RUN", 4 }, { "BASE_COLUMNS", 2 } },
    };
}

static mcl_kernel segments_kernel(void)
{
    return (mcl_kernel){
        .passes = { [SEGMENTS_TILES] = { "sort_tiles",
                                         "env in in_values heads out spare out_values spare_values array array" },
                    [SEGMENTS_PLAN] = { "plan_level",
                                        "env out spare out_values spare_values index_type array array array "
                                        "int32_t array array" },
                    [SEGMENTS_WORK] = { "work_level", "env out spare out_values spare_values array array" } },
        .types = { { "key", MCL_INT32 } },
        .operators = { { "before", MCL_ROLE_ORDER, &before_op, MCL_INT32 } },
        .inputs = { { .name = "in", .type = MCL_INT32 },
                    { .name = "in_values", .type = MCL_INT32 },
                    { .name = "heads", .type = MCL_UINT32 },
                    { .name = "a", .type = MCL_INT32 },
                    { .name = "a_values", .type = MCL_INT32 } },
        .outputs = { { "out", MCL_INT32 },
                     { "spare", MCL_INT32 },
                     { "out_values", MCL_INT32 },
                     { "spare_values", MCL_INT32 } },
        .defines = { { "HAS_VALUES", 1 },
                     { "SEGMENTED", 1 },
                     { "STABLE", 1 },
                     { "BASE_RUN", 16 },
                     { "BASE_COLUMNS", 1 },
                     { "SHORT_SEGMENT", 8 } },
    };
}

static mcl_kernel sets_kernel(void)
{
    return (mcl_kernel){
        .passes = { [SETS_CUT] = { "cut_sets", "env a b array index_type" },
                    [SETS_DO] = { "do_sets",
                                  "env a b a_values b_values array out out_values index_type array int32_t" },
                    [SETS_ADD] = { "add_sets", "env array index_type", 1 } },
        .types = { { "key", MCL_INT32 } },
        .operators = { { "before", MCL_ROLE_ORDER, &before_op, MCL_INT32 },
                       { "fold", MCL_ROLE_FOLD, &add_op, MCL_INT32, MCL_INT32 } },
        .inputs = { { .name = "a", .type = MCL_INT32 },
                    { .name = "b", .type = MCL_INT32 },
                    { .name = "a_values", .type = MCL_INT32 },
                    { .name = "b_values", .type = MCL_INT32 } },
        .outputs = { { "out", MCL_INT32 }, { "out_values", MCL_INT32 } },
        .defines = { { "HAS_VALUES", 1 }, { "SET_KIND", 3 }, { "SET_UNIQUE", 0 } }, /* symmetric difference */
    };
}

mcl_kernel piece_kernel(piece_text text, int serial)
{
    mcl_kernel kernel = text == PIECES_TILES      ? tiles_kernel(serial)
                        : text == PIECES_SEARCHES ? searches_kernel()
                        : text == PIECES_SORTS    ? sorts_kernel(serial)
                        : text == PIECES_SEGMENTS ? segments_kernel()
                                                  : sets_kernel();
    kernel.name = names[text];
    kernel.text = text_of(text);
    kernel.index_bits = 32;
    return kernel;
}

mcl_options piece_tile(piece_text text, int serial)
{
    /* The group tile has two sub-groups of most GPUs and an odd number of items. The serial tile has several streams
     * and words of flags. */
    if (!serial) return (mcl_options){ .tile_threads = 64, .tile_items = 5 };
    return (mcl_options){ .tile_threads = 1, .tile_items = text == PIECES_SORTS ? 24 : 150 };
}
