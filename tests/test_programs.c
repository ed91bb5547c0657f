/* test_programs.c: programs on a device: when they are built, and when they come from memory or disk. Other tests are
 * of MCL_DUMP_SOURCE, MCL_KERNEL_DIR and a context's tuning files. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"
#include "support/folder.h"

#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };

/* A variable that is set by setenv, with its earlier value. */
typedef struct variable {
    const char *name;
    char *earlier;
} variable;

static variable variable_set(const char *name, const char *value)
{
    const char *earlier = getenv(name);
    const variable kept = { name, earlier ? strdup(earlier) : NULL };

    setenv(name, value, 1);
    return kept;
}

static void variable_restore(variable *kept)
{
    if (kept->earlier)
        setenv(kept->name, kept->earlier, 1);
    else
        unsetenv(kept->name);
    free(kept->earlier);
}

/* Makes one reduction in a new context, and returns the number of programs that it made. */
static int reduce_afresh(int device, const char *extract)
{
    const mcl_op op = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .extract = extract };
    mcl_context *context = test_context(device);
    mcl_queue *queue = NULL;
    const int32_t one = 1;
    int32_t sum = 0;

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), &op, mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, COUNT);
    const int count = mcl__program_count(context);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return count;
}

START_TEST(a_program_is_made_once_for_a_context_and_counts_and_buffers_make_no_other)
{
    mcl_context *context = test_context(_i);
    mcl_queue *queues[2] = { NULL, NULL };
    const int32_t numbers[2] = { 1, 2 };

    test_ok(mcl_queue_create(context, 0, &queues[0]));
    test_ok(mcl_queue_create(context, 0, &queues[1]));
    int built = 0;
    for (int k = 0; k < 6; k++) {
        int32_t sum = 0;
        test_ok(mcl_reduce(queues[k % 2], mcl_from_constant(MCL_INT32, &numbers[k % 2], COUNT + k), MCL_ADD,
                           mcl_to_host(MCL_INT32, &sum), NULL));
        ck_assert_int_eq(sum, numbers[k % 2] * (COUNT + k));
        if (k == 0) built = mcl__program_count(context);
    }
    ck_assert_int_gt(built, 0);
    ck_assert_int_eq(mcl__program_count(context), built);
    mcl_queue_release(queues[0]);
    mcl_queue_release(queues[1]);
    mcl_context_release(context);
}
END_TEST

START_TEST(a_preparing_queue_builds_what_the_call_needs)
{
    mcl_context *context = test_context(_i);
    mcl_queue *prepare = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *out = NULL;
    const mcl_input in = ints_counting(COUNT);

    test_ok(mcl_queue_create_preparing(context, &prepare));
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, 2 * COUNT * sizeof(int32_t), NULL, &out));
    test_ok(mcl_merge(prepare, in, in, ints_out(out, 2 * COUNT), MCL_LESS, NULL));
    const int built = mcl__program_count(context);
    ck_assert_int_gt(built, 0);
    test_ok(mcl_merge(queue, in, in, ints_out(out, 2 * COUNT), MCL_LESS, NULL));
    test_ok(mcl_queue_finish(queue));
    ck_assert_int_eq(mcl__program_count(context), built);
    mcl_queue_release(prepare);
    mcl_queue_release(queue);
    mcl_buffer_release(out);
    mcl_context_release(context);
}
END_TEST

static void damage_all(const folder *f)
{
    char name[256];
    char path[FOLDER_PATH_BYTES + 256];

    ck_assert_int_gt(folder_list(f, name, sizeof name), 0);
    folder_file(f, name, path, sizeof path);
    file_write(path, "no program", 10);
}

START_TEST(programs_on_the_disk_are_found_again_and_bad_ones_are_built_anew)
{
    folder f;

    if (!test_device_at(_i)->context->keeps_binaries) {
        test_skip(_i, "programs_on_the_disk_are_found_again_and_bad_ones_are_built_anew",
                  "the driver has its own cache");
        return;
    }
    folder_make(&f);
    variable kept = variable_set("MCL_CACHE_DIR", f.path);
    reduce_afresh(_i, "x * 1");
    const int files = folder_list(&f, NULL, 0);
    ck_assert_int_gt(files, 0);
    reduce_afresh(_i, "x * 1");
    ck_assert_int_eq(folder_list(&f, NULL, 0), files);
    damage_all(&f);
    reduce_afresh(_i, "x * 1");
    ck_assert_int_eq(folder_list(&f, NULL, 0), files);
    reduce_afresh(_i, "1 * x");
    ck_assert_int_gt(folder_list(&f, NULL, 0), files);
    variable_restore(&kept);
    folder_remove(&f);
}
END_TEST

START_TEST(without_a_cache_folder_everything_works)
{
    variable kept = variable_set("MCL_CACHE_DIR", "");

    reduce_afresh(_i, "x + 0");
    variable_restore(&kept);
    kept = variable_set("MCL_CACHE_DIR", "/proc/moderncl");
    reduce_afresh(_i, "x + 0");
    variable_restore(&kept);
}
END_TEST

START_TEST(mcl_dump_source_writes_each_text)
{
    folder f;
    char name[256];
    char path[FOLDER_PATH_BYTES + 256];
    static char text[1 << 18];

    folder_make(&f);
    variable kept = variable_set("MCL_DUMP_SOURCE", f.path);
    const int built = reduce_afresh(_i, "(x * 7 - x * 6)");
    variable_restore(&kept);
    ck_assert_int_ge(folder_list(&f, name, sizeof name), 1);
    ck_assert_int_ge(built, 1);
    folder_file(&f, name, path, sizeof path);
    text[file_read(path, text, sizeof text - 1)] = 0;
    ck_assert_ptr_nonnull(strstr(text, "TILE_THREADS"));
    folder_remove(&f);
}
END_TEST

START_TEST(mcl_kernel_dir_takes_the_place_of_the_kernels_in_the_library)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];
    const char broken[] = "this_is_no_kernel at all;\n";
    mcl_context *context = test_context(_i);
    mcl_queue *queue = NULL;
    int32_t sum = 0;
    const int32_t one = 1;

    test_ok(mcl_queue_create(context, 0, &queue));
    folder_make(&f);
    folder_file(&f, "kernels/fold/reduce.cl", path, sizeof path);
    file_write(path, broken, strlen(broken));
    variable kept = variable_set("MCL_KERNEL_DIR", f.path);
    const mcl_status status =
        mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL);
    variable_restore(&kept);
    folder_remove(&f);
    test_fails(status, MCL_ERROR_BUILD, "this_is_no_kernel");
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* Returns 1 where the compiler stops a reduction whose kernel takes LOCAL_BYTES_MAX + more bytes of work-group
 * memory. */
static int stops_with(mcl_queue *queue, int more)
{
    static const mcl_options group = { .tile_threads = 32, .tile_items = 4 };
    folder f;
    char path[FOLDER_PATH_BYTES + 64], text[256];
    int32_t sum = 0;
    const int32_t one = 1;

    snprintf(
        text, sizeof text,
        "typedef struct { char bytes[LOCAL_BYTES_MAX + %d]; } store_of_the_test;\n"
        "MCL_KERNEL(TILE_THREADS) no_pass(void)\n{\n    MCL_SHARED(store_of_the_test, store);\n    (void)store;\n}\n",
        more);
    folder_make(&f);
    folder_file(&f, "kernels/fold/reduce.cl", path, sizeof path);
    file_write(path, text, strlen(text));
    variable kept = variable_set("MCL_KERNEL_DIR", f.path);
    const mcl_status status =
        mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), &group);
    variable_restore(&kept);
    folder_remove(&f);
    ck_assert_int_ne(status, MCL_OK); /* the text has no pass of that name */
    return strstr(mcl_last_error(), "negative") || strstr(mcl_last_error(), "more work-group memory");
}

START_TEST(work_group_memory_that_the_host_knows_nothing_of_stops_the_build)
{
    mcl_context *context = test_context(_i);
    mcl_queue *queue = NULL;

    test_ok(mcl_queue_create(context, 0, &queue));
    ck_assert_int_eq(stops_with(queue, 0), 0);
    ck_assert_int_eq(stops_with(queue, 1), 1);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* ---- what is told of builds -------------------------------------------------------------------------------------- */

typedef struct heard {
    int begun, ended, loaded; /* counts for the library's reduce.cl */
    double milliseconds;
    char log[4096];
} heard;

static void hear_build(const mcl_build *build, void *user)
{
    heard *const h = user;

    ck_assert_int_eq(strncmp(build->function, "mcl_", 4), 0);
    if (!strstr(build->program, "reduce.cl")) return;
    ck_assert_str_eq(build->function, "mcl_reduce");
    ck_assert_int_eq(build->status, MCL_OK);
    ck_assert(build->milliseconds >= 0);
    h->begun += build->step == MCL_BUILD_BEGINS;
    h->ended += build->step == MCL_BUILD_ENDS;
    h->loaded += build->step == MCL_BUILD_LOADED;
    h->milliseconds += build->milliseconds;
}

static void hear_log(mcl_status status, const char *sentence, void *user)
{
    heard *const h = user;

    if (status == MCL_OK) strncat(strncat(h->log, sentence, 255), "\n", 2);
}

/* Makes a reduction in a new context, and counts its builds. */
static void hear_reduce(int device, heard *h)
{
    mcl_context *const context = test_context(device);
    mcl_queue *queue = NULL;
    const int32_t one = 1;
    int32_t sum = 0;

    *h = (heard){ 0 };
    mcl_log_set(hear_log, h);
    test_ok(mcl_context_set_build_function(context, hear_build, h));
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < 2; k++)
        test_ok(
            mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    mcl_queue_release(queue);
    mcl_context_release(context);
    mcl_log_set(NULL, NULL);
}

START_TEST(each_program_is_told_as_it_is_compiled_or_loaded)
{
    folder f;
    heard h;
    const int keeps = test_device_at(_i)->context->keeps_binaries;

    folder_make(&f);
    variable kept = variable_set("MCL_CACHE_DIR", f.path);
    hear_reduce(_i, &h);
    ck_assert_int_eq(h.begun, 1);
    ck_assert_int_eq(h.ended, 1);
    ck_assert_int_eq(h.loaded, 0);
    ck_assert(h.milliseconds > 0);
    ck_assert_str_eq(h.log, "");
    variable logged = variable_set("MCL_LOG", "build");
    hear_reduce(_i, &h);
    variable_restore(&logged);
    variable_restore(&kept);
    folder_remove(&f);
    ck_assert_int_eq(h.begun, !keeps);
    ck_assert_int_eq(h.loaded, keeps);
    if (keeps) {
        ck_assert_ptr_nonnull(strstr(h.log, "mcl_reduce: has loaded kernels/fold/reduce.cl in "));
    } else {
        ck_assert_ptr_nonnull(strstr(h.log, "mcl_reduce: compiles kernels/fold/reduce.cl\n"));
        ck_assert_ptr_nonnull(strstr(h.log, "mcl_reduce: has compiled kernels/fold/reduce.cl in "));
        ck_assert_ptr_nonnull(strstr(h.log, " ms, or the driver had kept it\n"));
    }
    test_fails(mcl_context_set_build_function(NULL, hear_build, &h), MCL_ERROR_ARGUMENT,
               "mcl_context_set_build_function: context is NULL");
}
END_TEST

/* Returns the status of a reduction in a new context, with a variable set. */
static mcl_status reduce_with(int device, const char *name, const char *value)
{
    mcl_context *context = test_context(device);
    mcl_queue *queue = NULL;
    mcl_device_info info;
    const int32_t one = 1;
    int32_t sum = 0;

    test_ok(mcl_context_info(context, &info));
    test_ok(mcl_queue_create(context, 0, &queue));
    variable kept = variable_set(name, value);
    const mcl_status status =
        mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL);
    variable_restore(&kept);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

START_TEST(folders_that_are_not_there_are_told)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];

    test_fails(reduce_with(_i, "MCL_KERNEL_DIR", "/no/such/folder"), MCL_ERROR_ARGUMENT,
               "mcl_reduce: |MCL_KERNEL_DIR is /no/such/folder|no folder");
    test_fails(reduce_with(_i, "MCL_DUMP_SOURCE", "/no/such/folder"), MCL_ERROR_ARGUMENT,
               "mcl_reduce: |MCL_DUMP_SOURCE is /no/such/folder|cannot be written");
    folder_make(&f);
    folder_file(&f, "file", path, sizeof path);
    file_write(path, "", 0);
    test_fails(reduce_with(_i, "MCL_KERNEL_DIR", path), MCL_ERROR_ARGUMENT, "mcl_reduce: |MCL_KERNEL_DIR is ");
    test_fails(reduce_with(_i, "MCL_DUMP_SOURCE", path), MCL_ERROR_ARGUMENT, "mcl_reduce: |MCL_DUMP_SOURCE is ");
    test_ok(reduce_with(_i, "MCL_KERNEL_DIR", f.path)); /* missing files are files of the library */
    folder_remove(&f);
}
END_TEST

/* The library's text does not replace a file that exists and cannot be read. */
START_TEST(a_kernel_file_that_cannot_be_read_is_told)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];

    folder_make(&f);
    /* a folder in its place, since root may read any file */
    folder_file(&f, "kernels/fold/reduce.cl/x", path, sizeof path);
    test_fails(reduce_with(_i, "MCL_KERNEL_DIR", f.path), MCL_ERROR_BUILD,
               "mcl_reduce: |kernels/fold/reduce.cl cannot be read");
    folder_remove(&f);
}
END_TEST

START_TEST(build_options_that_are_too_long_are_refused)
{
    char options[600];
    mcl_context *context = NULL;

    memset(options, ' ', sizeof options);
    options[sizeof options - 1] = 0;
    variable kept = variable_set("MCL_BUILD_OPTIONS", options);
    const mcl_status status = mcl_context_create(test_device_at(_i)->info.id, &context);
    variable_restore(&kept);
    test_fails(status, MCL_ERROR_ARGUMENT, "MCL_BUILD_OPTIONS|599");
    ck_assert_ptr_null(context);
}
END_TEST

START_TEST(a_tuning_file_decides_the_tile)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];
    const char rows[] = "reduce \"\" any 32 3\nany.parts \"\" 5\n";
    int parts = 0;
    mcl_context *context = test_context(_i);
    int threads = 0;
    int items = 0;

    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    test_ok(mcl_context_load_tuning(context, path));
    test_ok(mcl_context_tile(context, "reduce", 4, &threads, &items));
    ck_assert_int_eq(threads, 32);
    ck_assert_int_eq(items, 3);
    test_ok(mcl_context_tuning_parameter(context, "any.parts", &parts));
    ck_assert_int_eq(parts, 5);
    mcl_context_release(context);
    variable kept = variable_set("MCL_TUNING_FILE", path);
    context = test_context(_i);
    variable_restore(&kept);
    test_ok(mcl_context_tile(context, "reduce", 4, &threads, &items));
    ck_assert_int_eq(threads, 32);
    mcl_context_release(context);
    folder_remove(&f);
}
END_TEST

START_TEST(the_tile_query_names_what_it_does_not_know)
{
    mcl_context *context = test_device_at(_i)->context;
    int threads;
    int items;

    test_fails(mcl_context_tile(context, "juggle", 4, &threads, &items), MCL_ERROR_ARGUMENT, "mcl_context_tile|juggle");
    test_fails(mcl_context_tile(context, "scan", 0, &threads, &items), MCL_ERROR_ARGUMENT,
               "mcl_context_tile|element_bytes");
    test_fails(mcl_context_tile(context, "scan", 4, NULL, &items), MCL_ERROR_ARGUMENT, "mcl_context_tile|threads");
    test_fails(mcl_context_load_tuning(context, "/no/such/file"), MCL_ERROR_ARGUMENT,
               "mcl_context_load_tuning|/no/such/file");
    for (int k = 0; mcl_operation_name(k); k++)
        test_ok(mcl_context_tile(context, mcl_operation_name(k), 4, &threads, &items));
    ck_assert_ptr_null(mcl_operation_name(-1));
    test_fails(mcl_context_tuning_parameter(context, "any.juggle", &threads), MCL_ERROR_ARGUMENT,
               "mcl_context_tuning_parameter|any.juggle");
    test_fails(mcl_context_tuning_parameter(context, NULL, &threads), MCL_ERROR_ARGUMENT, "tuning_parameter|name");
    test_fails(mcl_context_tuning_parameter(context, "any.parts", NULL), MCL_ERROR_ARGUMENT, "tuning_parameter|value");
    for (int k = 0; mcl_tuning_parameter_name(k); k++)
        test_ok(mcl_context_tuning_parameter(context, mcl_tuning_parameter_name(k), &threads));
    ck_assert_ptr_null(mcl_tuning_parameter_name(-1));
}
END_TEST

/* The sentence has the parameter's name from the header, whatever the program calls it. */
START_TEST(a_text_that_is_wrong_is_told_by_its_parameter)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *memory = NULL;
    const mcl_op fold = { .expression = "a + q" }, test = { .expression = "y > 3" };
    const mcl_input counting = mcl_from_expression(MCL_INT32, "i", NULL, NULL, 0, COUNT);
    const mcl_input bad = mcl_from_expression(MCL_INT32, "k", NULL, NULL, 0, COUNT);

    test_ok(mcl_buffer_create(test_device_at(_i)->context, COUNT * sizeof(int32_t), NULL, &memory));
    const mcl_output out = mcl_to_buffer(MCL_INT32, memory, 0, COUNT);
    const mcl_aggregate sum = { bad, MCL_ADD, out };
    test_fails(mcl_reduce(queue, counting, &fold, mcl_to_slot(MCL_INT32, memory, 0), NULL), MCL_ERROR_BUILD,
               "mcl_reduce: the expression of op has the unknown name a; a fold has p and q|\n    a + q\n    ^\n");
    test_fails(mcl_count_if(queue, counting, &test, mcl_to_slot(MCL_INT64, memory, 0), NULL), MCL_ERROR_BUILD,
               "mcl_count_if: the expression of test has the unknown name y; a test has x|\n    y > 3\n    ^\n");
    test_fails(mcl_sort(queue, bad, out, MCL_LESS, NULL), MCL_ERROR_BUILD,
               "mcl_sort: the expression of keys has the unknown name k");
    test_fails(mcl_group_by(queue, counting, (mcl_output){ 0 }, &sum, 1, mcl_to_nowhere(), NULL), MCL_ERROR_BUILD,
               "mcl_group_by: the expression of values has the unknown name k");
    mcl_buffer_release(memory);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_program_is_made_once_for_a_context_and_counts_and_buffers_make_no_other, device);
    test_add(tcase, a_preparing_queue_builds_what_the_call_needs, device);
    test_add(tcase, programs_on_the_disk_are_found_again_and_bad_ones_are_built_anew, device);
    test_add(tcase, without_a_cache_folder_everything_works, device);
    test_add(tcase, mcl_dump_source_writes_each_text, device);
    test_add(tcase, mcl_kernel_dir_takes_the_place_of_the_kernels_in_the_library, device);
    test_add(tcase, work_group_memory_that_the_host_knows_nothing_of_stops_the_build, device);
    test_add(tcase, a_kernel_file_that_cannot_be_read_is_told, device);
    test_add(tcase, folders_that_are_not_there_are_told, device);
    test_add(tcase, each_program_is_told_as_it_is_compiled_or_loaded, device);
    test_add(tcase, build_options_that_are_too_long_are_refused, device);
    test_add(tcase, a_tuning_file_decides_the_tile, device);
    test_add(tcase, a_text_that_is_wrong_is_told_by_its_parameter, device);
    test_add(tcase, the_tile_query_names_what_it_does_not_know, device);
}

int main(void)
{
    return test_main("programs", add);
}
