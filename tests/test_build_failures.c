/* test_build_failures.c: builds and allocations that fail, by a layer between the library and its OpenCL driver. The
 * tests check what is tried again, what is remembered, and what the sentences name. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "support/arrays.h"
#include "support/folder.h"
#include "support/maps.h"
#include "support/sampler.h"

#include <moderncl/opencl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000, FOR_EVER = 1 << 30 };

/* ---- the layer ------------------------------------------------------------------------------------------------- */

static struct {
    int builds;         /* number of builds that the driver was asked for */
    int passing_builds; /* number of next builds that succeed */
    int failing_builds; /* number of builds after these that fail */
    cl_int build_error;
    const char *log; /* compiler's log of these builds */
    int failing_buffers;
} layer;

static void layer_fails(int builds, cl_int error, const char *log)
{
    layer.builds = layer.passing_builds = 0;
    layer.failing_builds = builds;
    layer.build_error = error;
    layer.log = log;
}

static cl_int CL_API_CALL fail_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                     const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    layer.builds++;
    if (layer.failing_builds == 0) layer.log = NULL;
    if (layer.failing_builds == 0 || layer.passing_builds > 0) {
        if (layer.passing_builds > 0) layer.passing_builds--;
        return clBuildProgram(program, count, devices, options, notify, user);
    }
    layer.failing_builds--;
    return layer.build_error;
}

static cl_int CL_API_CALL give_log(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                                   void *value, size_t *needed)
{
    if (what != CL_PROGRAM_BUILD_LOG || !layer.log)
        return clGetProgramBuildInfo(program, device, what, size, value, needed);
    if (needed) *needed = strlen(layer.log) + 1;
    if (value && size > strlen(layer.log)) memcpy(value, layer.log, strlen(layer.log) + 1);
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL fail_buffer(cl_context context, cl_mem_flags flags, size_t size, void *data, cl_int *error)
{
    if (layer.failing_buffers == 0) return clCreateBuffer(context, flags, size, data, error);
    layer.failing_buffers--;
    *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static void *load(const char *name, void *user)
{
    void (*function)(void) = NULL;
    void *address = NULL;

    if (user != &layer) return NULL;
    if (strcmp(name, "clBuildProgram") == 0) function = (void (*)(void))fail_build;
    if (strcmp(name, "clGetProgramBuildInfo") == 0) function = (void (*)(void))give_log;
    if (strcmp(name, "clCreateBuffer") == 0) function = (void (*)(void))fail_buffer;
    memcpy(&address, &function, sizeof address);
    return function ? address : dlsym(RTLD_DEFAULT, name);
}

static int is_opencl(int device)
{
    return strcmp(test_device_at(device)->info.backend, "opencl") == 0;
}

/* ---- builds ---------------------------------------------------------------------------------------------------- */

typedef struct fresh {
    mcl_context *context; /* probed context whose disk cache is off */
    mcl_queue *queue;
} fresh;

static fresh fresh_make(int device)
{
    fresh made = { test_context(device), NULL };
    mcl_device_info info;

    layer_fails(0, CL_SUCCESS, NULL);
    layer.failing_buffers = 0;
    test_ok(mcl_context_set_disk_cache(made.context, 0));
    test_ok(mcl_context_info(made.context, &info));
    test_ok(mcl_queue_create(made.context, 0, &made.queue));
    return made;
}

static void fresh_free(fresh *made)
{
    layer_fails(0, CL_SUCCESS, NULL);
    layer.failing_buffers = 0;
    mcl_queue_release(made->queue);
    mcl_context_release(made->context);
}

static mcl_status reduce(const fresh *made)
{
    const int32_t one = 1;
    int32_t sum = 0;
    const mcl_status status =
        mcl_reduce(made->queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL);

    if (status == MCL_OK) ck_assert_int_eq(sum, COUNT);
    return status;
}

static int told; /* number of failures that the log function got */

static void hear(mcl_status status, const char *sentence, void *user)
{
    (void)status;
    (void)sentence;
    (void)user;
    told++;
}

/* Build failures that the text does not cause. If the second attempt also fails, the call returns status, and a
 * sentence with the words. */
static const struct {
    cl_int error;
    const char *log;
    mcl_status status;
    const char *words;
} passing[] = {
    { CL_BUILD_PROGRAM_FAILURE, "", MCL_ERROR_BUILD,
      "mcl_reduce: |clBuildProgram gave CL_BUILD_PROGRAM_FAILURE|no log|POCL_CACHE_DIR" },
    { CL_BUILD_PROGRAM_FAILURE, " \n\t\n", MCL_ERROR_BUILD, "mcl_reduce: |clBuildProgram|no log" },
    { CL_BUILD_PROGRAM_FAILURE, "Device pthread-some cpu failed to build the program\n\n", MCL_ERROR_BUILD,
      "mcl_reduce: |clBuildProgram|no log|not the text" },
    { CL_INVALID_OPERATION, "", MCL_ERROR_BUILD, "mcl_reduce: |CL_INVALID_OPERATION|no log" },
    { CL_OUT_OF_HOST_MEMORY, "", MCL_ERROR_MEMORY, "mcl_reduce: |clBuildProgram|CL_OUT_OF_HOST_MEMORY" },
    { CL_OUT_OF_HOST_MEMORY, "half a log", MCL_ERROR_MEMORY, "mcl_reduce: |clBuildProgram" },
    { CL_OUT_OF_RESOURCES, "", MCL_ERROR_DEVICE, "mcl_reduce: |clBuildProgram|CL_OUT_OF_RESOURCES" },
};
enum { PASSING_COUNT = sizeof passing / sizeof passing[0] };

START_TEST(a_build_that_fails_without_a_log_is_tried_once_more)
{
    if (!is_opencl(_i)) return;
    for (int k = 0; k < PASSING_COUNT; k++) {
        fresh made = fresh_make(_i);
        told = 0;
        mcl_log_set(hear, NULL);
        layer_fails(1, passing[k].error, passing[k].log);
        const mcl_status status = reduce(&made);
        mcl_log_set(NULL, NULL);
        test_ok(status);
        ck_assert_int_ge(layer.builds, 2);
        ck_assert_int_eq(told, 0);
        fresh_free(&made);
    }
}
END_TEST

START_TEST(and_is_not_remembered_where_it_fails_twice)
{
    if (!is_opencl(_i)) return;
    for (int k = 0; k < PASSING_COUNT; k++) {
        fresh made = fresh_make(_i);
        layer_fails(FOR_EVER, passing[k].error, passing[k].log);
        test_fails(reduce(&made), passing[k].status, passing[k].words);
        ck_assert_int_eq(layer.builds, 2);
        ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_reduce: ", 12), 0);
        layer_fails(0, CL_SUCCESS, NULL);
        test_ok(reduce(&made));
        fresh_free(&made);
    }
}
END_TEST

START_TEST(a_build_that_the_compiler_rejects_is_not_tried_again)
{
    const char words[] = "mcl_reduce: |does not compile|error: no such thing";

    if (!is_opencl(_i)) return;
    fresh made = fresh_make(_i);
    layer_fails(1, CL_BUILD_PROGRAM_FAILURE, "error: no such thing\nDevice x failed to build the program\n");
    test_fails(reduce(&made), MCL_ERROR_BUILD, words);
    ck_assert_int_eq(layer.builds, 1);
    test_fails(reduce(&made), MCL_ERROR_BUILD, words);
    ck_assert_int_eq(layer.builds, 1);
    /* the sentence names the function once, and not the function that failed first */
    ck_assert_ptr_null(strstr(mcl_last_error() + 1, "mcl_reduce"));
    fresh_free(&made);
}
END_TEST

/* Returns a context's information as mcl_context_info does. It also runs the litmus kernels that the driver is known to
 * pass. */
static mcl_status probed_info(mcl_context *context, mcl_device_info *info)
{
    const char *const earlier = getenv("MCL_FEATURES");
    char *const kept = earlier ? strdup(earlier) : NULL;
    char all[256];

    ck_assert_int_lt(snprintf(all, sizeof all, "probe=1%s%s", kept ? "," : "", kept ? kept : ""), sizeof all);
    test_variable_set("MCL_FEATURES", all);
    const mcl_status status = mcl_context_info(context, info);
    test_variable_set("MCL_FEATURES", kept);
    free(kept);
    return status;
}

/* The probe's litmus kernels for words have one text. */
START_TEST(the_probe_compiles_a_text_once)
{
    mcl_device_info info;

    if (strcmp(test_device_at(_i)->info.vendor, "POCL") != 0) return;
    mcl_context *const context = test_context(_i);
    test_ok(mcl_context_set_disk_cache(context, 0));
    layer_fails(0, CL_SUCCESS, NULL);
    test_ok(probed_info(context, &info));
    ck_assert_int_eq(layer.builds, 1);
    mcl_context_release(context);
}
END_TEST

START_TEST(a_probe_that_fails_for_no_fault_of_its_text_is_not_kept_on_the_disk)
{
    folder f;
    mcl_device_info info;

    if (!is_opencl(_i)) return;
    folder_make(&f);
    char *const earlier = strdup(getenv("MCL_CACHE_DIR") ? getenv("MCL_CACHE_DIR") : "");
    setenv("MCL_CACHE_DIR", f.path, 1);
    mcl_context *context = test_context(_i);
    layer_fails(FOR_EVER, CL_BUILD_PROGRAM_FAILURE, "");
    test_ok(probed_info(context, &info));
    const int after_failure = folder_list(&f, NULL, 0);
    layer_fails(0, CL_SUCCESS, NULL);
    mcl_context_release(context);
    context = test_context(_i);
    test_ok(probed_info(context, &info));
    mcl_context_release(context);
    setenv("MCL_CACHE_DIR", earlier, 1);
    free(earlier);
    folder_remove(&f);
    ck_assert_int_eq(after_failure, 0);
    ck_assert_str_eq(info.status_word_path, test_device_at(_i)->info.status_word_path);
}
END_TEST

START_TEST(every_call_names_itself_where_a_build_fails)
{
    sampler s;
    int failures = 0;

    if (!is_opencl(_i)) return;
    fresh made = fresh_make(_i);
    test_ok(sampler_create(made.context, &s));
    for (int k = 0; k < sampler_entry_count; k++) {
        layer_fails(FOR_EVER, CL_BUILD_PROGRAM_FAILURE, "");
        const mcl_status status = sampler_entries[k].call(&s, made.queue, NULL);
        if (status == MCL_OK) continue;
        failures++;
        ck_assert_msg(status == MCL_ERROR_BUILD && strncmp(mcl_last_error(), "mcl_", 4) == 0 &&
                          strstr(mcl_last_error(), ": opencl: clBuildProgram"),
                      "%s: %s: %s", sampler_entries[k].name, mcl_status_name(status), mcl_last_error());
    }
    ck_assert_int_gt(failures, sampler_entry_count / 2);
    layer_fails(0, CL_SUCCESS, NULL);
    sampler_free(&s);
    fresh_free(&made);
}
END_TEST

START_TEST(calls_that_are_made_of_others_name_themselves)
{
    int32_t keys[4] = { 3, 1, 2, 4 };
    mcl_buffer *buffer = NULL;
    mcl_buffer *out = NULL;
    const char words[] = "clBuildProgram";

    if (!is_opencl(_i)) return;
    fresh made = fresh_make(_i);
    test_ok(mcl_buffer_create(made.context, sizeof keys, keys, &buffer));
    test_ok(mcl_buffer_create(made.context, 64, NULL, &out));
    const mcl_input in = mcl_from_buffer(MCL_INT32, buffer, 0, 4);
    const mcl_output rows = mcl_to_buffer(MCL_INT32, out, 0, 4);
    const mcl_output more = mcl_to_buffer(MCL_INT32, out, 8, 4);
    layer_fails(FOR_EVER, CL_BUILD_PROGRAM_FAILURE, "");
    test_fails(mcl_join_unsorted(made.queue, MCL_JOIN_INNER, in, in, rows, more, MCL_LESS, mcl_to_nowhere(), NULL),
               MCL_ERROR_BUILD, words);
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_join_unsorted: ", 19), 0);
    test_fails(mcl_join_columns(made.queue, MCL_JOIN_INNER, in, in, &(mcl_join_column){ in, rows, NULL }, 1, NULL, 0,
                                more, MCL_LESS, mcl_to_nowhere(), NULL),
               MCL_ERROR_BUILD, words);
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_join_columns: ", 18), 0);
    test_fails(mcl_join_gather(made.queue, in, in, NULL, rows, NULL), MCL_ERROR_BUILD, words);
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_join_gather: ", 17), 0);
    test_fails(mcl_sort_indices(made.queue, in, rows, MCL_LESS, NULL), MCL_ERROR_BUILD, words);
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_sort_indices: ", 18), 0);
    /* the next call has its own name again */
    test_fails(reduce(&made), MCL_ERROR_BUILD, words);
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_reduce: ", 12), 0);
    layer_fails(0, CL_SUCCESS, NULL);
    mcl_buffer_release(buffer);
    mcl_buffer_release(out);
    fresh_free(&made);
}
END_TEST

/* ---- calls that are refused -------------------------------------------------------------------------------------- */

enum { BLANK = 0x5a5a5a5a, ATTEMPTS = 60 };
static const size_t output_bytes = 2 * SAMPLER_COUNT * sizeof(int32_t), slot_bytes = sizeof(int64_t);
static int64_t host_count;

static void outputs_blank(const sampler *s, mcl_queue *queue)
{
    const int32_t blank = BLANK;
    test_ok(mcl_buffer_fill(queue, s->output, 0, output_bytes, &blank, sizeof blank));
    test_ok(mcl_buffer_fill(queue, s->values, 0, output_bytes, &blank, sizeof blank));
    test_ok(mcl_buffer_fill(queue, s->slots, slot_bytes, 3 * slot_bytes, &blank, sizeof blank));
    host_count = BLANK;
}

static int is_blank(mcl_queue *queue, mcl_buffer *buffer, size_t offset, size_t bytes)
{
    static int32_t data[2 * SAMPLER_COUNT];
    test_ok(mcl_buffer_read(queue, buffer, offset, bytes, data));
    for (size_t k = 0; k < bytes / sizeof *data; k++)
        if (data[k] != BLANK) return 0;
    return 1;
}

static int outputs_are_blank(const sampler *s, mcl_queue *queue)
{
    return is_blank(queue, s->output, 0, output_bytes) && is_blank(queue, s->values, 0, output_bytes) &&
           is_blank(queue, s->slots, slot_bytes, 3 * slot_bytes) && host_count == BLANK;
}

/* Makes the call again and again, each time with one more program that builds, until it has all of them. Returns the
 * number of attempts. */
static int refuse_each_program(sampler *s, const sampler_entry *entry, mcl_queue *queue, const mcl_options *options)
{
    int attempts = 0;
    for (mcl_status status = MCL_ERROR_BUILD; status != MCL_OK; attempts++) {
        ck_assert_msg(attempts < ATTEMPTS, "%s: %s", entry->name, mcl_last_error());
        outputs_blank(s, queue);
        layer_fails(FOR_EVER, CL_BUILD_PROGRAM_FAILURE, "");
        layer.passing_builds = attempts < ATTEMPTS / 2 ? attempts > 0 : attempts;
        status = entry->call(s, queue, options);
        layer_fails(0, CL_SUCCESS, NULL);
        if (status == MCL_OK) continue;
        ck_assert_msg(status == MCL_ERROR_BUILD, "%s: %s: %s", entry->name, mcl_status_name(status), mcl_last_error());
        ck_assert_msg(outputs_are_blank(s, queue), "%s has stored, and failed at attempt %d: %s", entry->name, attempts,
                      mcl_last_error());
    }
    return attempts;
}

static mcl_status join_to_the_host(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_input in = mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
    return mcl_join_unsorted(queue, MCL_JOIN_INNER, in, in, mcl_to_buffer(MCL_INT32, s->output, 0, SAMPLER_COUNT),
                             mcl_to_buffer(MCL_INT32, s->values, 0, SAMPLER_COUNT), MCL_LESS,
                             mcl_to_host(MCL_INT64, &host_count), options);
}

static mcl_status group_to_the_host(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_input in = mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
    const mcl_aggregate parts[] = { { in, MCL_MEAN, mcl_to_buffer(MCL_FLOAT, s->values, 0, SAMPLER_COUNT) } };
    return mcl_group_by(queue, in, mcl_to_buffer(MCL_INT32, s->output, 0, SAMPLER_COUNT), parts, 1,
                        mcl_to_host(MCL_INT64, &host_count), options);
}

static mcl_status decode_to_the_host(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_input in = mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
    const int32_t one = 1;
    return mcl_run_length_decode(queue, in, mcl_from_constant(MCL_INT32, &one, SAMPLER_COUNT),
                                 mcl_to_buffer(MCL_INT32, s->output, 0, SAMPLER_COUNT),
                                 mcl_to_host(MCL_INT64, &host_count), options);
}

static const sampler_entry host_entries[] = { { "join to the host", join_to_the_host, 0 },
                                              { "groups to the host", group_to_the_host, 0 },
                                              { "run-length decode to the host", decode_to_the_host, 0 } };
enum { HOST_ENTRIES = sizeof host_entries / sizeof host_entries[0] };

/* The queue has scratch. Without it steps would be measured first, and would find all of their programs then. */
START_TEST(a_call_whose_build_fails_has_stored_nothing)
{
    sampler s;
    int most = 0;

    if (!is_opencl(_i)) return;
    fresh made = fresh_make(_i);
    test_ok(sampler_create(made.context, &s));
    test_ok(mcl_queue_reserve(made.queue, (size_t)1 << 24));
    for (int k = 0; k < sampler_entry_count + HOST_ENTRIES; k++) {
        const sampler_entry *const entry = k < HOST_ENTRIES ? &host_entries[k] : &sampler_entries[k - HOST_ENTRIES];
        const int attempts = refuse_each_program(&s, entry, made.queue, NULL);
        if (attempts > most) most = attempts;
    }
    ck_assert_int_gt(most, 3);
    sampler_free(&s);
    fresh_free(&made);
}
END_TEST

/* The last column is sorted first, and each round stores the order. */
START_TEST(an_operator_of_a_later_step_that_does_not_compile_is_refused_first)
{
    static const mcl_op good = { .role = MCL_ROLE_ORDER, .expression = "p / 8 < q / 8" };
    static const mcl_op bad = { .role = MCL_ROLE_ORDER, .expression = "p <" };
    static const mcl_op *const firsts[] = { &good, &bad, &good, &bad };
    sampler s;

    fresh made = fresh_make(_i);
    test_ok(sampler_create(made.context, &s));
    const mcl_input in = mcl_from_buffer(MCL_INT32, s.sorted, 0, COUNT);
    const mcl_output out = mcl_to_buffer(MCL_INT32, s.output, 0, COUNT);
    for (int turn = 0; turn < 8; turn++) {
        const mcl_op *const first = firsts[turn % 4];
        const mcl_key_column keys[] = { { in, first }, { in, MCL_GREATER } };
        const mcl_column moved = { in, out };
        const mcl_options options = { .tile_threads = turn / 4 ? 32 : 1, .tile_items = turn / 4 ? 3 : 50 };
        outputs_blank(&s, made.queue);
        const mcl_status status = turn % 4 < 2 ? mcl_sort_columns_indices(made.queue, keys, 2, out, &options)
                                               : mcl_sort_columns(made.queue, keys, 2, &moved, 1, &options);
        if (first == &bad) test_fails(status, MCL_ERROR_BUILD, "does not compile");
        if (first == &good) test_ok(status);
        ck_assert_int_eq(outputs_are_blank(&s, made.queue), first == &bad);
    }
    sampler_free(&s);
    fresh_free(&made);
}
END_TEST

/* ---- texts that are cut off ------------------------------------------------------------------------------------ */

/* Returns 1, after a line that says so, for NVIDIA's OpenCL compiler, which counts the lines of the whole text. */
static int has_no_names_of_texts(int device)
{
    const mcl_device_info *const info = &test_device_at(device)->info;
    if (strcmp(info->vendor, "NVIDIA") != 0 || strcmp(info->backend, "opencl") != 0) return 0;
    return test_skip(device, "names of texts in compilers' messages", "this compiler reads no #line");
}

START_TEST(a_text_without_its_end_is_told_by_its_name)
{
    static const char *const cut[] = { "x > ", "x +", "x > /* of what", "(x" };
    const int32_t one = 1;
    int32_t sum = 0;

    if (has_no_names_of_texts(_i)) return;
    fresh made = fresh_make(_i);
    for (int k = 0; k < 4; k++) {
        const mcl_op op = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .extract = cut[k] };
        test_fails(
            mcl_reduce(made.queue, mcl_from_constant(MCL_INT32, &one, COUNT), &op, mcl_to_host(MCL_INT32, &sum), NULL),
            MCL_ERROR_BUILD, k == 2 ? "mcl_reduce: " : "mcl_reduce: |<fold: extract>");
        if (k == 2) continue; /* an open comment has no end at all */
        ck_assert_ptr_null(strstr(mcl_last_error(), "<generated>"));
        const mcl_input in = mcl_from_expression(MCL_INT32, "i +", NULL, NULL, 0, COUNT);
        test_fails(mcl_reduce(made.queue, in, MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL), MCL_ERROR_BUILD,
                   "mcl_reduce: |<in: input>");
        ck_assert_ptr_null(strstr(mcl_last_error(), "<generated>"));
    }
    fresh_free(&made);
}
END_TEST

START_TEST(a_source_is_told_by_the_name_of_what_it_belongs_to)
{
    const int32_t one = 1;
    int32_t sum = 0;
    const mcl_op op = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .source = "static int f(int x) { return x +; }"
    };
    const mcl_input in = mcl_from_expression(MCL_INT32, "g(i)", "static int g(int x) { return x +; }", NULL, 0, COUNT);
    if (has_no_names_of_texts(_i)) return;
    fresh made = fresh_make(_i);

    test_fails(
        mcl_reduce(made.queue, mcl_from_constant(MCL_INT32, &one, COUNT), &op, mcl_to_host(MCL_INT32, &sum), NULL),
        MCL_ERROR_BUILD, "mcl_reduce: |<fold: source>");
    test_fails(mcl_reduce(made.queue, in, MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL), MCL_ERROR_BUILD,
               "mcl_reduce: |<in: source>");
    fresh_free(&made);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------------------------- */

START_TEST(device_memory_that_is_not_there_is_told_by_the_public_function)
{
    int32_t keys[4] = { 3, 1, 2, 4 };
    mcl_buffer *buffer = NULL;
    mcl_buffer *target = NULL;
    mcl_buffer *refused = NULL;
    mcl_map *map = NULL;
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32 };

    if (!is_opencl(_i)) return;
    fresh made = fresh_make(_i);
    test_ok(mcl_context_set_memory_cache(made.context, 0));
    test_ok(mcl_buffer_create(made.context, sizeof keys, keys, &buffer));
    test_ok(mcl_buffer_create(made.context, sizeof keys, NULL, &target));
    const mcl_input in = mcl_from_buffer(MCL_INT32, buffer, 0, 4);
    const mcl_output out = mcl_to_buffer(MCL_INT32, target, 0, 4);
    layer.failing_buffers = FOR_EVER;
    test_fails(mcl_buffer_create(made.context, 4096, NULL, &refused), MCL_ERROR_MEMORY, "4096");
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_buffer_create: ", 19), 0);
    test_fails(mcl_sort_indices(made.queue, in, out, MCL_LESS, NULL), MCL_ERROR_MEMORY,
               "opencl: clCreateBuffer has no buffer of");
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_sort_indices: ", 18), 0);
    test_fails(mcl_queue_reserve(made.queue, 1 << 20), MCL_ERROR_MEMORY, "opencl: clCreateBuffer has no buffer of");
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_queue_reserve: ", 19), 0);
    test_fails(mcl_map_create(made.context, &config, &map), MCL_ERROR_MEMORY,
               "opencl: clCreateBuffer has no buffer of");
    ck_assert_int_eq(strncmp(mcl_last_error(), "mcl_map_create: ", 16), 0);
    layer.failing_buffers = 0;
    mcl_buffer_release(buffer);
    mcl_buffer_release(target);
    fresh_free(&made);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_build_that_fails_without_a_log_is_tried_once_more, device);
    test_add(tcase, and_is_not_remembered_where_it_fails_twice, device);
    test_add(tcase, a_build_that_the_compiler_rejects_is_not_tried_again, device);
    test_add(tcase, the_probe_compiles_a_text_once, device);
    test_add(tcase, a_probe_that_fails_for_no_fault_of_its_text_is_not_kept_on_the_disk, device);
    test_add(tcase, every_call_names_itself_where_a_build_fails, device);
    test_add(tcase, calls_that_are_made_of_others_name_themselves, device);
    test_add(tcase, a_call_whose_build_fails_has_stored_nothing, device);
    test_add(tcase, an_operator_of_a_later_step_that_does_not_compile_is_refused_first, device);
    test_add(tcase, a_text_without_its_end_is_told_by_its_name, device);
    test_add(tcase, a_source_is_told_by_the_name_of_what_it_belongs_to, device);
    test_add(tcase, device_memory_that_is_not_there_is_told_by_the_public_function, device);
}

int main(void)
{
    if (mcl_opencl_loader_set(load, &layer) != MCL_OK) {
        fprintf(stderr, "build_failures: %s\n", mcl_last_error());
        return 1;
    }
    return test_main("build_failures", add);
}
