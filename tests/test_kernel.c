/* test_kernel.c: kernels of users' own: what their texts are given, tiles and parameters, launches, every error. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"
#include "support/devices.h"
#include "support/folder.h"

#include "program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- a kernel with one of each ---------------------------------------------------------------------------- */

/* Keeps what each tile counts of the elements that pass, then stores for every element the sum before its tile: two
 * passes, an input of either kind, a struct, three operators, scratch, values, a parameter. */
static const char sums_text[] =
    "#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)\n"
    "#include \"group/part_range.clh\"\n"
    "MCL_KERNEL(TILE_THREADS) sums_tiles(PARAMS_env PARAMS_in, ARRAY_PARAM(fold_type, sums), int32_t least)\n"
    "{\n"
    "    const env_type env = MAKE_env;\n"
    "    const input_in in = MAKE_in;\n"
    "    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;\n"
    "    const int count = tile_count(begin, in.count);\n"
    "    if (get_local_id(0) != 0) return;\n"
    "    fold_type sum = fold_identity(env);\n"
    "    for (int k = 0; k < count; ++k) {\n"
    "        const pair_type x = load_in(in, begin + k);\n"
    "        if (keep(env, x, begin + k) && x.key >= least) sum = fold(env, sum, fold_extract(env, x, begin + k));\n"
    "    }\n"
    "    ARRAY(fold_type, sums)[get_group_id(0)] = sum;\n"
    "}\n"
    "MCL_KERNEL(1) sums_fold(PARAMS_env ARRAY_PARAM(fold_type, sums), index_type count, PARAMS_out,\n"
    "                        pair_type first, __global int64_t *raw, int64_t addend)\n"
    "{\n"
    "    const env_type env = MAKE_env;\n"
    "    const output_out out = MAKE_out;\n"
    "    fold_type sum = first.key;\n"
    "    for (index_type k = 0; k < count; ++k) sum = fold(env, sum, ARRAY(fold_type, sums)[k]);\n"
    "    store_out(out, 0, sum);\n"
    "    raw[0] = addend + BONUS + FIXED + sizeof(index_type);\n"
    "}\n";

MCL_SOURCE(
    pair_source, typedef struct pair {
        int32_t key;
        float weight;
    } pair;)
static const mcl_type pair_type = MCL_TYPE(pair, pair_source);

static const mcl_tile_row sums_rows[] = {
    { .device = "Nobody's", .threads = 32, .items = 3, .parameters = { { "BONUS", 500 } } },
    { .threads = 64, .items = 5 },
    { .threads = 1, .items = 100 },
    { .parameters = { { "BONUS", 7 } } },
};

enum { SUMS_TILES, SUMS_FOLD };

static mcl_kernel sums_kernel(const mcl_op *fold, const mcl_op *keep)
{
    return (mcl_kernel){
        .name = "sums.cl",
        .text = sums_text,
        .operation = "sums",
        .passes = { [SUMS_TILES] = { "sums_tiles", "env in array int32_t" },
                    [SUMS_FOLD] = { "sums_fold", "env array index_type out pair pointer int64_t", 1 } },
        .types = { { "pair", &pair_type } },
        .operators = { { "fold", MCL_ROLE_FOLD, fold, &pair_type, MCL_INT64 },
                       { "keep", MCL_ROLE_PREDICATE, keep, &pair_type } },
        .inputs = { { .name = "in", .type = &pair_type } },
        .outputs = { { "out", MCL_INT64 } },
        .defines = { { "FIXED", 30 } },
        .rows = sums_rows,
        .row_count = 4,
        .index_bits = 32,
    };
}

static const mcl_op sum_of_keys = { .expression = "p + q", .identity = "0", .value = MCL_INT64, .extract = "x.key" };

enum { PAIRS = 1000 };

START_TEST(a_kernel_of_two_passes)
{
    test_device *const device = test_device_at(_i);
    pair pairs[PAIRS];
    int64_t expected = 40;
    const int32_t odd = 1;
    for (int k = 0; k < PAIRS; ++k) {
        pairs[k] = (pair){ (k * 7919) % 1000 - 500, (float)k };
        if ((pairs[k].key & 1) == odd && pairs[k].key >= -300 && k < 900) expected += pairs[k].key;
    }
    mcl_buffer *const in_buffer = ARRAY_OF(_i, pairs);
    mcl_buffer *const out_buffer = array_empty(_i, 24);
    mcl_op keep = { .expression = "(x.key & 1) == odd && i < 900", .binding_count = 1 };
    keep.bindings[0] = mcl_bind_value("odd", MCL_INT32, &odd);
    const mcl_kernel kernel = sums_kernel(&sum_of_keys, &keep);
    const mcl_input in = mcl_from_buffer(&pair_type, in_buffer, 0, PAIRS);
    const mcl_output out = mcl_to_buffer(MCL_INT64, out_buffer, 1, 1);
    const pair first = { 40, 0 };
    for (int threads = 0; threads <= 64; threads = threads ? threads * 64 : 1) {
        const mcl_options options = { .tile_threads = threads };
        mcl_tile tile;
        test_ok(mcl_kernel_tile(device->queue, &kernel, &options, &tile));
        if (threads) ck_assert_int_eq(tile.threads, threads);
        ck_assert_int_eq(mcl_tile_parameter(&tile, "BONUS", 0), 7);
        const int64_t groups = mcl_tile_groups(&tile, PAIRS);
        const size_t scratch[] = { (size_t)groups * 8 };
        const mcl_launch launches[] = {
            { SUMS_TILES, groups, { mcl_arg_input(&in), mcl_arg_scratch(0), mcl_arg_int32(-300) } },
            { SUMS_FOLD,
              1,
              { mcl_arg_scratch(0), mcl_arg_index(groups), mcl_arg_output(&out), mcl_arg_value(&pair_type, &first),
                mcl_arg_buffer(out_buffer, 0), mcl_arg_int64(100000000000) } },
        };
        int64_t results[3] = { 0 };
        test_ok(mcl_kernel_launch(device->queue, &kernel, launches, 2, scratch, 1, &options));
        ARRAY_READ(_i, out_buffer, results);
        ck_assert_int_eq(results[1], expected);
        ck_assert_int_eq(results[0], 100000000000 + 7 + 30 + 4);
    }
    mcl_buffer_release(in_buffer);
    mcl_buffer_release(out_buffer);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_kernel_of_two_passes, device);
}

int main(void)
{
    return test_main("kernel", add);
}
