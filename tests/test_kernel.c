/* test_kernel.c: users' kernels: the names that their texts get, tiles and parameters, launches, every error. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"
#include "support/devices.h"
#include "support/folder.h"

#include "program/program.h"

#include <stdio.h>
#include <string.h>

/* ---- a kernel with one of each ---------------------------------------------------------------------------- */

/* A kernel that counts the elements of each tile that pass, then stores for every element the sum before its tile. It
 * has two passes, an input of either kind, a struct, three operators, scratch, values and a parameter. */
static const char sums_text[] =
    "#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)\n"
    "#include \"pieces/part_range.clh\"\n"
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
                       { "keep", MCL_ROLE_TEST, keep, &pair_type } },
        .inputs = { { .name = "in", .type = &pair_type } },
        .outputs = { { "out", MCL_INT64 } },
        .defines = { { "FIXED", 30 } },
        .rows = sums_rows,
        .row_count = 4,
        .index_bits = 32,
    };
}

static const mcl_op sum_of_keys = {
    .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .extract = "x.key"
};

/* ---- running it ------------------------------------------------------------------------------------------- */

enum { PAIRS = 1000, LEAST = -300, KEPT_BEFORE = 900, FIRST_KEY = 40 };

/* One call of the kernel: its operands, and its expected results. */
typedef struct sums {
    int device;
    mcl_queue *queue;
    mcl_op keep;
    mcl_kernel kernel;
    mcl_input in;
    mcl_output out;
    pair first;
    mcl_buffer *pairs, *results;
    int64_t expected;
} sums;

static pair pair_at(int k)
{
    return (pair){ (k * 7919) % 1000 - 500, (float)k };
}

static int64_t plain_sum(int count)
{
    int64_t sum = FIRST_KEY;
    for (int k = 0; k < count; ++k) {
        const int32_t key = pair_at(k).key;
        if ((key & 1) == 1 && key >= LEAST && k < KEPT_BEFORE) sum += key;
    }
    return sum;
}

static void sums_open(sums *s, int device, int64_t count)
{
    pair pairs[PAIRS];
    const int32_t odd = 1;
    for (int k = 0; k < PAIRS; ++k) pairs[k] = pair_at(k);
    *s = (sums){ .device = device, .queue = test_device_at(device)->queue, .first = { FIRST_KEY, 0 } };
    /* (int32_t)i, since llvmpipe's compiler wrongly finds that no 64-bit i is below 900 */
    s->keep =
        (mcl_op){ .role = MCL_ROLE_TEST, .expression = "(x.key & 1) == odd && (int32_t)i < 900", .binding_count = 1 };
    s->keep.bindings[0] = mcl_binding_value("odd", MCL_INT32, &odd);
    s->kernel = sums_kernel(&sum_of_keys, &s->keep);
    s->pairs = ARRAY_OF(device, pairs);
    s->results = array_empty(device, 3 * sizeof(int64_t));
    s->in = mcl_from_buffer(&pair_type, s->pairs, 0, count);
    s->out = mcl_to_buffer(MCL_INT64, s->results, 1, 1);
    s->expected = plain_sum((int)count);
}

static void sums_close(sums *s)
{
    mcl_buffer_release(s->pairs);
    mcl_buffer_release(s->results);
}

static mcl_status sums_launch(const sums *s, const mcl_options *options)
{
    mcl_tile tile;
    const mcl_status status = mcl_kernel_tile(s->queue, &s->kernel, options, &tile);
    if (status != MCL_OK) return status;
    const int64_t groups = mcl_tile_groups(&tile, s->in.count);
    const size_t scratch[] = { (size_t)groups * sizeof(int64_t) };
    const mcl_launch launches[] = {
        { SUMS_TILES, groups, { mcl_argument_input(&s->in), mcl_argument_scratch(0), mcl_argument_int32(LEAST) } },
        { SUMS_FOLD,
          1,
          { mcl_argument_scratch(0), mcl_argument_index(groups), mcl_argument_output(&s->out),
            mcl_argument_value(&pair_type, &s->first), mcl_argument_buffer(s->results, 0),
            mcl_argument_int64(100000000000) } },
    };
    return mcl_kernel_launch(s->queue, &s->kernel, launches, 2, scratch, 1, options);
}

/* Checks the results. bonus: the parameter of the tile with which the kernel ran. */
static void sums_check(const sums *s, int bonus, int index_bytes)
{
    int64_t results[3] = { 0 };
    ARRAY_READ(s->device, s->results, results);
    ck_assert_int_eq(results[1], s->expected);
    ck_assert_int_eq(results[0], 100000000000 + bonus + 30 + index_bytes);
}

START_TEST(a_kernel_of_two_passes)
{
    sums s;
    sums_open(&s, _i, PAIRS);
    for (int threads = 0; threads <= 64; threads = threads ? threads * 64 : 1) {
        const mcl_options options = { .tile_threads = threads };
        mcl_tile tile;
        test_ok(mcl_kernel_tile(s.queue, &s.kernel, &options, &tile));
        /* there are fewer threads where the compiled kernels do not allow as many */
        if (threads) ck_assert(tile.threads <= threads && (tile.threads == 1) == (threads == 1));
        if (threads) ck_assert_int_eq(tile.items, threads == 1 ? 100 : 5);
        ck_assert_int_eq(tile.parameter_count, 1);
        ck_assert_int_eq(mcl_tile_parameter(&tile, "BONUS", 0), 7);
        ck_assert_int_eq(mcl_tile_parameter(&tile, "OTHER", 5), 5);
        ck_assert_int_eq(mcl_tile_groups(&tile, 0), 0);
        ck_assert_int_eq(mcl_tile_groups(&tile, (int64_t)tile.threads * tile.items + 1), 2);
        test_ok(sums_launch(&s, &options));
        sums_check(&s, 7, 4);
    }
    const mcl_options wide = { .flags = MCL_INDEX_64 };
    test_ok(sums_launch(&s, &wide));
    sums_check(&s, 7, 8);
    sums_close(&s);
}
END_TEST

START_TEST(inputs_of_every_form)
{
    const int64_t counts[] = { 77, 555 };
    sums s;
    sums_open(&s, _i, PAIRS);
    mcl_buffer *const slots = ARRAY_OF(_i, counts);
    s.in = mcl_with_count(s.in, slots, 1);
    s.expected = plain_sum(555);
    test_ok(sums_launch(&s, NULL));
    sums_check(&s, 7, 4);

    const mcl_binding bindings[] = { mcl_binding_buffer("pairs", &pair_type, s.pairs, 0) };
    const mcl_input form = mcl_from_expression(&pair_type, "pairs[i]", NULL, bindings, 1, 0);
    s.in = form;
    s.in.count = 600;
    s.kernel.inputs[0].form = &form;
    s.expected = plain_sum(600);
    test_ok(sums_launch(&s, NULL));
    sums_check(&s, 7, 4);

    s.in.count = 0;
    s.expected = FIRST_KEY;
    test_ok(sums_launch(&s, NULL));
    sums_check(&s, 7, 4);
    mcl_buffer_release(slots);
    sums_close(&s);
}
END_TEST

/* A slot's index counts elements of the slot's type. The neighbouring words hold other numbers. */
START_TEST(count_slots_of_every_type)
{
    const int32_t words[] = { 77, -1, 5, 444, 555, 0 };
    sums s;
    sums_open(&s, _i, PAIRS);
    mcl_buffer *const slots = ARRAY_OF(_i, words);
    const mcl_input counted[] = { mcl_with_count_of(s.in, MCL_INT32, slots, 3), mcl_with_count(s.in, slots, 2),
                                  mcl_with_count_of(s.in, MCL_UINT32, slots, 2) };
    for (int k = 0; k < 3; ++k) {
        s.in = counted[k];
        s.expected = plain_sum((const int[]){ 444, 555, 5 }[k]);
        test_ok(sums_launch(&s, NULL));
        sums_check(&s, 7, 4);
    }
    const mcl_argument scratch = mcl_argument_scratch(0), least = mcl_argument_int32(LEAST);
    const mcl_launch launches[] = { { SUMS_TILES, 1, { mcl_argument_input(&counted[0]), scratch, least } },
                                    { SUMS_TILES, 1, { mcl_argument_input(&counted[1]), scratch, least } } };
    test_fails(mcl_kernel_launch(s.queue, &s.kernel, launches, 2, &(size_t){ 4096 }, 1, NULL), MCL_ERROR_TYPE,
               "mcl_kernel_launch|argument 0 of launch 1|count slots of one type");
    mcl_buffer_release(slots);
    sums_close(&s);
}
END_TEST

/* ---- tiles and parameters of a device ----------------------------------------------------------------------- */

START_TEST(rows_name_devices_and_parameters)
{
    sums s;
    mcl_tile tile;
    char own[128];
    const mcl_device_info *const info = &test_device_at(_i)->info;
    sums_open(&s, _i, PAIRS);
    snprintf(own, sizeof own, "%s %s", info->vendor, info->architecture);
    const mcl_tile_row rows[] = {
        { .device = own, .element_bytes = 4, .threads = 1, .items = 3 },
        { .device = own, .parameters = { { "BONUS", 8 } } },
        { .device = own, .threads = 1, .items = 50 },
        { .device = "", .threads = 1, .items = 60, .parameters = { { "SHARE", 2 }, { "BONUS", 1 } } },
    };
    s.kernel.rows = rows;
    test_ok(mcl_kernel_tile(s.queue, &s.kernel, &(mcl_options){ .tile_threads = 1 }, &tile));
    ck_assert_int_eq(tile.items, 50); /* a row for elements of 8 bytes */
    ck_assert_int_eq(mcl_tile_parameter(&tile, "BONUS", 0), 8);
    ck_assert_int_eq(mcl_tile_parameter(&tile, "SHARE", 0), 2);
    test_ok(sums_launch(&s, NULL));
    sums_check(&s, 8, 4);
    s.kernel.element_bytes = 4;
    test_ok(mcl_kernel_tile(s.queue, &s.kernel, NULL, &tile)); /* takes the row of this mapping */
    ck_assert_int_eq(tile.threads, 1);
    ck_assert_int_eq(tile.items, 3);
    sums_close(&s);
}
END_TEST

static mcl_status load_rows(mcl_context *context, const char *rows)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 16];
    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    const mcl_status status = mcl_context_load_tuning(context, path);
    folder_remove(&f);
    return status;
}

/* The test looks only at tiles, so on a preparing queue nothing needs to run. */
START_TEST(a_file_comes_before_the_rows)
{
    sums s;
    mcl_tile tile;
    mcl_context *const context = test_context(_i);
    mcl_queue *queue = NULL;
    sums_open(&s, _i, PAIRS);
    test_ok(mcl_queue_create_preparing(context, &queue));
    test_ok(load_rows(context, "any \"\" any 64 9\n"
                               "\"other\" \"\" any 64 8 BONUS=3\n"
                               "\"sums\" \"\" 4 64 7\n"
                               "  \"sums\" \"\" any 1 70 BONUS=-11 # ours\n"));
    test_ok(mcl_kernel_tile(queue, &s.kernel, NULL, &tile));
    ck_assert_int_eq(tile.threads, 1);
    ck_assert_int_eq(tile.items, 70);
    ck_assert_int_eq(mcl_tile_parameter(&tile, "BONUS", 0), -11);
    s.kernel.operation = NULL;
    test_ok(mcl_kernel_tile(queue, &s.kernel, &(mcl_options){ .tile_threads = 1 }, &tile));
    ck_assert_int_eq(tile.items, 100);
    test_ok(load_rows(context, "\"sums\" \"\" any 1 70 SHARE=1\n"));
    s.kernel.operation = "sums";
    test_fails(mcl_kernel_tile(queue, &s.kernel, NULL, &tile), MCL_ERROR_ARGUMENT,
               "mcl_kernel_tile|\"sums\"|parameter SHARE|sums.cl");
    mcl_queue_release(queue);
    mcl_context_release(context);
    sums_close(&s);
}
END_TEST

/* ---- calls like any other ----------------------------------------------------------------------------------- */

START_TEST(warm_calls_build_and_allocate_nothing)
{
    mcl_memory_statistics before, after;
    sums s;
    sums_open(&s, _i, PAIRS);
    mcl_context *const context = mcl_queue_context(s.queue);
    test_ok(sums_launch(&s, NULL));
    const int programs = mcl__program_count(context);
    test_ok(mcl_context_memory(context, &before));
    test_ok(sums_launch(&s, NULL));
    test_ok(mcl_context_memory(context, &after));
    ck_assert_int_eq(mcl__program_count(context), programs);
    ck_assert_int_eq(after.allocations, before.allocations);
    sums_check(&s, 7, 4);

    /* a kernel with the same name and another text */
    char text[sizeof sums_text + 16];
    snprintf(text, sizeof text, "%s", sums_text);
    char *const addend = strstr(text, "BONUS + FIXED");
    memcpy(addend, "BONUS - FIXED", strlen("BONUS - FIXED"));
    s.kernel.text = text;
    test_ok(sums_launch(&s, NULL));
    ck_assert_int_eq(mcl__program_count(context), programs + 1);
    sums_check(&s, 7 - 60, 4);
    sums_close(&s);
}
END_TEST

START_TEST(options_prepare_and_events)
{
    sums s;
    mcl_queue *const queue = test_device_at(_i)->queue, *prepared = NULL;
    mcl_event *first = NULL, *done = NULL;
    sums_open(&s, _i, PAIRS);
    test_ok(mcl_queue_create_preparing(mcl_queue_context(queue), &prepared));
    s.queue = prepared;
    test_ok(sums_launch(&s, NULL));
    const size_t bytes = mcl_queue_scratch_bytes(prepared);
    ck_assert_uint_gt(bytes, 0);
    ck_assert_uint_eq(bytes % 256, 0);
    mcl_queue_release(prepared);

    s.queue = queue;
    const int64_t nothing[3] = { 0 };
    test_ok(mcl_buffer_write_async(queue, s.results, 0, sizeof nothing, nothing, &first));
    mcl_buffer *const scratch = array_empty(_i, bytes + 256);
    const mcl_options options = { .wait = &first,
                                  .wait_count = 1,
                                  .done = &done,
                                  .scratch = scratch,
                                  .scratch_offset = 256,
                                  .scratch_bytes = bytes };
    test_ok(sums_launch(&s, &options));
    ck_assert_ptr_nonnull(done);
    test_ok(mcl_event_wait(done));
    sums_check(&s, 7, 4);
    mcl_event_release(first);
    mcl_event_release(done);
    mcl_options less = options;
    less.scratch_bytes = 0;
    less.done = NULL;
    less.wait_count = 0;
    test_fails(sums_launch(&s, &less), MCL_ERROR_ARGUMENT, "mcl_kernel_launch|scratch");
    mcl_buffer_release(scratch);
    sums_close(&s);
}
END_TEST

/* ---- errors ------------------------------------------------------------------------------------------------- */

/* Makes one change. The library must then refuse the kernel's tile with the given words. */
#define REFUSED(change, status, words)                                                                                 \
    do {                                                                                                               \
        mcl_kernel changed = s.kernel;                                                                                 \
        mcl_tile tile;                                                                                                 \
        change;                                                                                                        \
        test_fails(mcl_kernel_tile(s.queue, &changed, NULL, &tile), status, words);                                    \
    } while (0)

START_TEST(kernels_that_cannot_be)
{
    sums s;
    mcl_tile_row rows[9] = { { .threads = 1, .items = 1 } };
    sums_open(&s, _i, PAIRS);
    test_fails(mcl_kernel_tile(NULL, &s.kernel, NULL, &(mcl_tile){ 0 }), MCL_ERROR_ARGUMENT, "queue is NULL");
    test_fails(mcl_kernel_tile(s.queue, NULL, NULL, &(mcl_tile){ 0 }), MCL_ERROR_ARGUMENT, "kernel is NULL");
    test_fails(mcl_kernel_tile(s.queue, &s.kernel, NULL, NULL), MCL_ERROR_ARGUMENT, "tile is NULL");
    REFUSED(changed.name = "two\nlines", MCL_ERROR_ARGUMENT, "mcl_kernel_tile|kernel has name|quotes");
    REFUSED(changed.text = "", MCL_ERROR_ARGUMENT, "mcl_kernel_tile|sums.cl has text");
    REFUSED(changed.index_bits = 16, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|index_bits 16|32, 64 or 0");
    REFUSED(changed.passes[0].name = NULL, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|no passes");
    REFUSED(changed.passes[0].name = "a b", MCL_ERROR_ARGUMENT, "mcl_kernel_tile|a pass named \"a b\"|C identifier");
    REFUSED(changed.passes[0].threads = -1, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|sums_tiles|threads -1");
    REFUSED(changed.passes[0].threads = 1 << 20, MCL_ERROR_UNSUPPORTED,
            "mcl_kernel_tile|sums_tiles|threads 1048576; expected at most ");
    REFUSED(changed.passes[0].arguments = "in out:nothing", MCL_ERROR_ARGUMENT,
            "mcl_kernel_tile|sums_tiles|\"out:nothing\"|array");
    REFUSED(changed.passes[0].arguments = "in env", MCL_ERROR_ARGUMENT, "mcl_kernel_tile|\"env\"|in front");
    REFUSED(changed.passes[0].arguments = "int8_t int8_t int8_t int8_t int8_t int8_t int8_t int8_t int8_t int8_t "
                                          "int8_t int8_t int8_t int8_t int8_t int8_t int8_t int8_t int8_t int8_t "
                                          "int8_t int8_t int8_t int8_t int8_t",
            MCL_ERROR_ARGUMENT, "mcl_kernel_tile|sums_tiles|more than 24 arguments");
    REFUSED(changed.passes[0].arguments = "in out:int32_t more:in", MCL_ERROR_ARGUMENT,
            "mcl_kernel_tile|sums_tiles|more:in twice|each operand once");
    REFUSED(changed.types[0].type = NULL, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|pair has type NULL");
    REFUSED(changed.types[0].name = "9", MCL_ERROR_ARGUMENT, "mcl_kernel_tile|a type named \"9\"");
    REFUSED(changed.outputs[0].type = NULL, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|out has type NULL");
    REFUSED(changed.inputs[0].type = NULL, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|in has type NULL");
    REFUSED(changed.operators[0].op = NULL, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|fold is NULL");
    REFUSED(changed.operators[0].op = MCL_ADD, MCL_ERROR_TYPE, "mcl_kernel_tile|fold is MCL_ADD|expected elements");
    REFUSED(changed.operators[0].role = (mcl_role)7, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|fold with role 7");
    REFUSED(changed.operators[1].element = NULL, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|keep has type NULL");
    REFUSED(changed.defines[0].name = "A-B", MCL_ERROR_ARGUMENT, "mcl_kernel_tile|a define named \"A-B\"");
    REFUSED(changed.row_count = -1, MCL_ERROR_ARGUMENT, "mcl_kernel_tile|row_count -1");
    REFUSED((changed.rows = rows, changed.row_count = 1, rows[0].items = -1), MCL_ERROR_ARGUMENT,
            "mcl_kernel_tile|row 0|items -1");
    rows[0] = (mcl_tile_row){ .device = "Nobody's", .parameters = { { "BONUS", 1 } } };
    REFUSED((changed.rows = rows, changed.row_count = 1), MCL_ERROR_ARGUMENT,
            "mcl_kernel_tile|no row|sums.cl|parameter BONUS|last row");
    rows[0].parameters[1].name = "B C";
    REFUSED((changed.rows = rows, changed.row_count = 1), MCL_ERROR_ARGUMENT,
            "mcl_kernel_tile|a parameter named \"B C\"");
    static const char *const names[] = { "A", "B", "C", "D", "E", "F", "G", "H", "I" };
    for (int k = 0; k < 9; ++k) rows[k] = (mcl_tile_row){ .parameters = { { names[k], k } } };
    REFUSED((changed.rows = rows, changed.row_count = 9), MCL_ERROR_ARGUMENT,
            "mcl_kernel_tile|more than 8 parameters|expected none like I");
    sums_close(&s);
}
END_TEST

START_TEST(texts_that_do_not_build)
{
    sums s;
    sums_open(&s, _i, PAIRS);
    /* Oclgrind counts the lines of the whole text, and NVIDIA's compilers write lines in other forms */
    const char *const vendor = test_device_at(_i)->info.vendor;
    const int has_lines = strcmp(vendor, "Oclgrind") != 0 && strcmp(vendor, "NVIDIA") != 0;
    const char *const at_line = has_lines ? "broken.cl:5|nonsense" : "broken.cl|nonsense";
    const mcl_kernel bare = { .name = "broken.cl", .passes = { { "broken", "" } } };
    s.kernel = bare;
    REFUSED(changed.text = "\n\nMCL_KERNEL(1) broken(void)\n{\n    nonsense;\n}\n", MCL_ERROR_BUILD, at_line);
    REFUSED(changed.text = "MCL_KERNEL(1) broken(void)\n{\n}\n#include \"pieces/no_such.clh\"\n", MCL_ERROR_BUILD,
            "broken.cl|line 4|pieces/no_such.clh");
    REFUSED(changed.text = "MCL_KERNEL(1) other(void)\n{\n}\n", MCL_ERROR_BUILD, "broken");
    sums_close(&s);
}
END_TEST

/* Makes one change to the first launch. The library must then refuse the launch with the given words. */
#define LAUNCH_REFUSED(change, status, words)                                                                          \
    do {                                                                                                               \
        mcl_launch launch = good;                                                                                      \
        change;                                                                                                        \
        test_fails(mcl_kernel_launch(s.queue, &s.kernel, &launch, 1, scratch, 1, NULL), status,                        \
                   "mcl_kernel_launch|" words);                                                                        \
    } while (0)

START_TEST(launches_that_cannot_be)
{
    sums s;
    const size_t scratch[] = { 8 };
    sums_open(&s, _i, PAIRS);
    const mcl_launch good = { 0, 1, { mcl_argument_input(&s.in), mcl_argument_scratch(0), mcl_argument_int32(0) } };
    mcl_input other = s.in;
    mcl_queue *const queue = s.queue;
    mcl_buffer *foreign = NULL;
    mcl_context *const context = test_context(_i);
    test_ok(mcl_buffer_create(context, 64, NULL, &foreign));
    LAUNCH_REFUSED(launch.pass = 2, MCL_ERROR_ARGUMENT, "launch 0 has pass 2|0 to 1");
    LAUNCH_REFUSED(launch.groups = -1, MCL_ERROR_ARGUMENT, "groups -1");
    LAUNCH_REFUSED(launch.arguments[2].kind = MCL_ARGUMENT_NONE, MCL_ERROR_ARGUMENT,
                   "argument 2 of launch 0 is missing|int32_t");
    LAUNCH_REFUSED(launch.arguments[3] = mcl_argument_int32(1), MCL_ERROR_ARGUMENT, "4 arguments|expected 3");
    LAUNCH_REFUSED(launch.arguments[0].kind = (mcl_argument_kind)1000000, MCL_ERROR_ARGUMENT,
                   "argument 0|of no kind|has in;");
    LAUNCH_REFUSED(launch.arguments[0] = mcl_argument_index(1), MCL_ERROR_ARGUMENT, "argument 0|an index|has in;");
    LAUNCH_REFUSED(launch.arguments[0] = mcl_argument_input(NULL), MCL_ERROR_ARGUMENT, "argument 0|NULL input");
    LAUNCH_REFUSED((other.type = MCL_INT64, launch.arguments[0] = mcl_argument_input(&other)), MCL_ERROR_TYPE,
                   "argument 0|int64_t|declared form");
    LAUNCH_REFUSED((other = s.in, other.count = PAIRS + 1, launch.arguments[0] = mcl_argument_input(&other)),
                   MCL_ERROR_ARGUMENT, "in has|count 1001");
    LAUNCH_REFUSED(launch.arguments[1] = mcl_argument_int32(1), MCL_ERROR_ARGUMENT, "argument 1|mcl_argument_scratch");
    LAUNCH_REFUSED(launch.arguments[1] = mcl_argument_scratch(1), MCL_ERROR_ARGUMENT, "argument 1|piece of scratch");
    LAUNCH_REFUSED(launch.arguments[1] = mcl_argument_buffer(foreign, 0), MCL_ERROR_ARGUMENT,
                   "argument 1|another context");
    LAUNCH_REFUSED(launch.arguments[1] = mcl_argument_buffer(s.pairs, PAIRS * 8 + 1), MCL_ERROR_ARGUMENT, "outside");
    LAUNCH_REFUSED(launch.arguments[2] = mcl_argument_int64(1), MCL_ERROR_TYPE, "argument 2|int64_t|has int32_t;");
    LAUNCH_REFUSED(launch.arguments[2] = mcl_argument_value(MCL_INT32, NULL), MCL_ERROR_ARGUMENT,
                   "argument 2|NULL value");
    test_fails(mcl_kernel_launch(queue, &s.kernel, &good, -1, scratch, 1, NULL), MCL_ERROR_ARGUMENT, "launch_count");
    test_fails(mcl_kernel_launch(queue, &s.kernel, NULL, 1, scratch, 1, NULL), MCL_ERROR_ARGUMENT, "launches is NULL");
    test_fails(mcl_kernel_launch(queue, &s.kernel, &good, 1, NULL, 1, NULL), MCL_ERROR_ARGUMENT, "scratch is NULL");
    test_fails(mcl_kernel_launch(queue, &s.kernel, &good, 1, scratch, 9, NULL), MCL_ERROR_ARGUMENT,
               "scratch_count is 9");
    mcl_buffer_release(foreign);
    mcl_context_release(context);
    sums_close(&s);
}
END_TEST

START_TEST(outputs_and_words_that_cannot_be)
{
    sums s;
    const size_t scratch[] = { 8 };
    sums_open(&s, _i, PAIRS);
    mcl_output out = s.out;
    const mcl_launch good = { 1,
                              1,
                              { mcl_argument_scratch(0), mcl_argument_index(1), mcl_argument_output(&out),
                                mcl_argument_value(&pair_type, &s.first), mcl_argument_buffer(s.results, 0),
                                mcl_argument_int64(1) } };
    LAUNCH_REFUSED(launch.arguments[1] = mcl_argument_index((int64_t)1 << 31), MCL_ERROR_ARGUMENT,
                   "argument 1|index_bits");
    LAUNCH_REFUSED(launch.arguments[2] = mcl_argument_output(NULL), MCL_ERROR_ARGUMENT, "argument 2|NULL output");
    LAUNCH_REFUSED(launch.arguments[4] = mcl_argument_buffer(s.results, 8), MCL_ERROR_ARGUMENT, "argument 4|offset 0");
    LAUNCH_REFUSED(launch.arguments[4] = mcl_argument_scratch(0), MCL_ERROR_ARGUMENT, "argument 4|scratch|pointer;");
    LAUNCH_REFUSED(launch.arguments[5] = mcl_argument_value(NULL, &s), MCL_ERROR_TYPE, "argument 5|without a type");
    LAUNCH_REFUSED(out.type = MCL_FLOAT, MCL_ERROR_TYPE, "argument 2|float|declared type");
    out = s.out;
    LAUNCH_REFUSED(out.capacity = 5, MCL_ERROR_ARGUMENT, "out has|capacity 5");
    sums_close(&s);
}
END_TEST

/* Two outputs overlap, and then an output and an input. The call is refused until the kernel declares that it allows
 * this. */
START_TEST(overlap_is_refused)
{
    static const char text[] = "MCL_KERNEL(1) twice(PARAMS_in, PARAMS_out, PARAMS_other)\n"
                               "{\n"
                               "    const input_in in = MAKE_in;\n"
                               "    const output_out out = MAKE_out;\n"
                               "    const output_other other = MAKE_other;\n"
                               "    store_out(out, 0, load_in(in, 0) * 2);\n"
                               "    store_other(other, 0, load_in(in, 0) * 2);\n"
                               "}\n";
    int32_t numbers[] = { 3, 4 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const buffer = ARRAY_OF(_i, numbers);
    mcl_kernel kernel = { .name = "twice.cl",
                          .text = text,
                          .passes = { { "twice", "in out other", 1 } },
                          .inputs = { { "in", MCL_INT32 } },
                          .outputs = { { "out", MCL_INT32 }, { "other", MCL_INT32 } } };
    const mcl_input in = ints(buffer, 1);
    const mcl_output same = ints_out(buffer, 1), next = mcl_to_buffer(MCL_INT32, buffer, 1, 1);
    mcl_launch launch = { 0, 1, { mcl_argument_input(&in), mcl_argument_output(&next), mcl_argument_output(&next) } };
    test_fails(mcl_kernel_launch(queue, &kernel, &launch, 1, NULL, 0, NULL), MCL_ERROR_ARGUMENT, "other overlaps out");
    launch.arguments[1] = mcl_argument_output(&same);
    test_fails(mcl_kernel_launch(queue, &kernel, &launch, 1, NULL, 0, NULL), MCL_ERROR_ARGUMENT, "out overlaps in");
    kernel.overlapping = 1;
    test_ok(mcl_kernel_launch(queue, &kernel, &launch, 1, NULL, 0, NULL));
    ARRAY_READ(_i, buffer, numbers);
    ck_assert_int_eq(numbers[0], 6);
    ck_assert_int_eq(numbers[1], 12);
    mcl_buffer_release(buffer);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_kernel_of_two_passes, device);
    test_add(tcase, inputs_of_every_form, device);
    test_add(tcase, count_slots_of_every_type, device);
    test_add(tcase, rows_name_devices_and_parameters, device);
    test_add(tcase, a_file_comes_before_the_rows, device);
    test_add(tcase, warm_calls_build_and_allocate_nothing, device);
    test_add(tcase, options_prepare_and_events, device);
    test_add(tcase, kernels_that_cannot_be, device);
    test_add(tcase, texts_that_do_not_build, device);
    test_add(tcase, launches_that_cannot_be, device);
    test_add(tcase, outputs_and_words_that_cannot_be, device);
    test_add(tcase, overlap_is_refused, device);
}

int main(void)
{
    return test_main("kernel", add);
}
