/* test_queue_silence.c: warm calls that take each other's counts from the device do not wait, allocate, build or read
 * back. A layer between the library and its OpenCL driver checks this. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "support/arrays.h"

#include <moderncl/opencl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 20000 };

/* ---- the layer ------------------------------------------------------------------------------------------------- */

typedef enum noise {
    NOISE_FINISH,
    NOISE_WAIT,
    NOISE_READ,
    NOISE_MAP,
    NOISE_WRITE,
    NOISE_BUFFER,
    NOISE_SUB_BUFFER,
    NOISE_PROGRAM,
    NOISE_BUILD,
    NOISE_KERNEL,
    NOISE_LAUNCH,
    NOISE_COUNT
} noise;

static const char *const noise_names[NOISE_COUNT] = { "clFinish",
                                                      "clWaitForEvents",
                                                      "clEnqueueReadBuffer",
                                                      "clEnqueueMapBuffer",
                                                      "blocking clEnqueueWriteBuffer",
                                                      "clCreateBuffer",
                                                      "clCreateSubBuffer",
                                                      "clCreateProgramWithSource",
                                                      "clBuildProgram",
                                                      "clCreateKernel",
                                                      "clEnqueueNDRangeKernel" };
static int heard[NOISE_COUNT];

static cl_int CL_API_CALL hear_finish(cl_command_queue queue)
{
    heard[NOISE_FINISH]++;
    return clFinish(queue);
}

static cl_int CL_API_CALL hear_wait(cl_uint count, const cl_event *events)
{
    heard[NOISE_WAIT]++;
    return clWaitForEvents(count, events);
}

static cl_int CL_API_CALL hear_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                                    void *data, cl_uint count, const cl_event *events, cl_event *event)
{
    heard[NOISE_READ]++;
    return clEnqueueReadBuffer(queue, buffer, blocking, offset, size, data, count, events, event);
}

static cl_int CL_API_CALL hear_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                     size_t size, const void *data, cl_uint count, const cl_event *events,
                                     cl_event *event)
{
    heard[NOISE_WRITE] += blocking != 0;
    return clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, data, count, events, event);
}

static void *CL_API_CALL hear_map(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                  size_t offset, size_t size, cl_uint count, const cl_event *events, cl_event *event,
                                  cl_int *error)
{
    heard[NOISE_MAP]++;
    return clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, events, event, error);
}

static cl_mem CL_API_CALL hear_buffer(cl_context context, cl_mem_flags flags, size_t size, void *data, cl_int *error)
{
    heard[NOISE_BUFFER]++;
    return clCreateBuffer(context, flags, size, data, error);
}

static cl_mem CL_API_CALL hear_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                          const void *region, cl_int *error)
{
    heard[NOISE_SUB_BUFFER]++;
    return clCreateSubBuffer(buffer, flags, type, region, error);
}

static cl_program CL_API_CALL hear_program(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                           cl_int *error)
{
    heard[NOISE_PROGRAM]++;
    return clCreateProgramWithSource(context, count, texts, lengths, error);
}

static cl_int CL_API_CALL hear_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                     const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    heard[NOISE_BUILD]++;
    return clBuildProgram(program, count, devices, options, notify, user);
}

static cl_kernel CL_API_CALL hear_kernel(cl_program program, const char *name, cl_int *error)
{
    heard[NOISE_KERNEL]++;
    return clCreateKernel(program, name, error);
}

static cl_int CL_API_CALL hear_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                      const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
                                      const cl_event *events, cl_event *event)
{
    heard[NOISE_LAUNCH]++;
    return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event);
}

/* The names with their functions. A function pointer may be stored as a pointer to another type; programs with dlsym
 * rely on this too. */
static const struct {
    const char *name;
    void (*function)(void);
} layer[] = {
    { "clFinish", (void (*)(void))hear_finish },
    { "clWaitForEvents", (void (*)(void))hear_wait },
    { "clEnqueueReadBuffer", (void (*)(void))hear_read },
    { "clEnqueueWriteBuffer", (void (*)(void))hear_write },
    { "clEnqueueMapBuffer", (void (*)(void))hear_map },
    { "clCreateBuffer", (void (*)(void))hear_buffer },
    { "clCreateSubBuffer", (void (*)(void))hear_sub_buffer },
    { "clCreateProgramWithSource", (void (*)(void))hear_program },
    { "clBuildProgram", (void (*)(void))hear_build },
    { "clCreateKernel", (void (*)(void))hear_kernel },
    { "clEnqueueNDRangeKernel", (void (*)(void))hear_launch },
};

static void *load(const char *name, void *user)
{
    void *address = NULL;

    if (user != heard) return NULL;
    for (size_t k = 0; k < sizeof layer / sizeof layer[0]; k++) {
        if (strcmp(name, layer[k].name) != 0) continue;
        memcpy(&address, &layer[k].function, sizeof address);
        return address;
    }
    return dlsym(RTLD_DEFAULT, name);
}

/* ---- the chain --------------------------------------------------------------------------------------------------- */

typedef struct chain {
    mcl_queue *queue;
    mcl_buffer *slots; /* int64 counts: COUNT, then the counts of the calls */
    mcl_buffer *first;
    mcl_buffer *second;
    mcl_buffer *third;
} chain;

static mcl_input odd(mcl_buffer *slots, int64_t slot)
{
    return mcl_with_count(mcl_from_expression(MCL_INT32, "(int32_t)(i % 2)", NULL, NULL, 0, COUNT), slots, slot);
}

/* Searches in the chain's result first, as sorted keys and as offsets of objects, with its counts. */
static void run_searches(const chain *c, const mcl_options *options)
{
    const mcl_input kept = mcl_with_count(ints(c->first, COUNT), c->slots, 3);
    const mcl_work work = mcl_work_in_slot(COUNT, c->slots, 2);
    const mcl_output found = mcl_to_buffer(MCL_UINT8, c->second, 0, COUNT);

    test_ok(mcl_sorted_search(c->queue, kept, kept, MCL_LOWER,
                              mcl_found_matches(found, mcl_to_slot(MCL_INT64, c->slots, 4)), mcl_found_nothing(),
                              MCL_LESS, options));
    test_ok(mcl_load_balance_search(c->queue, work, kept, ints_out(c->second, COUNT), (mcl_output){ 0 }, options));
    test_ok(mcl_interval_expand(c->queue, work, ints(c->first, COUNT), kept, ints_out(c->second, COUNT), options));
}

/* Launches a user's kernel, which asks for its tile each time as a program would. */
static void run_own_kernel(const chain *c)
{
    static const mcl_kernel negate = {
        .name = "negate.cl",
        .text = "MCL_KERNEL(TILE_THREADS) negate(PARAMS_in, PARAMS_out)\n"
                "{\n"
                "    const input_in in = MAKE_in;\n"
                "    const output_out out = MAKE_out;\n"
                "    const index_type end = in.count, step = (index_type)get_num_groups(0) * TILE_THREADS;\n"
                "    for (index_type k = (index_type)get_global_id(0); k < end; k += step)\n"
                "        store_out(out, k, -load_in(in, k));\n"
                "}\n",
        .passes = { { "negate", "in out", 0 } },
        .inputs = { { "in", MCL_INT32, NULL, 0 } },
        .outputs = { { "out", MCL_INT32 } },
    };
    const mcl_input in = mcl_with_count(ints(c->first, COUNT), c->slots, 3);
    const mcl_output out = ints_out(c->third, COUNT);
    mcl_tile tile;
    test_ok(mcl_kernel_tile(c->queue, &negate, NULL, &tile));
    const mcl_launch launch = { 0,
                                mcl_tile_groups(&tile, COUNT),
                                { mcl_argument_input(&in), mcl_argument_output(&out) } };
    test_ok(mcl_kernel_launch(c->queue, &negate, &launch, 1, NULL, 0, NULL));
}

/* Makes the calls. Each takes the count that the call before has left on the device: COUNT, a half, a quarter, an
 * eighth. */
static void run_chain(const chain *c, unsigned flags)
{
    static const mcl_op nonzero = { .role = MCL_ROLE_TEST, .expression = "x" };
    const mcl_options options = { .flags = flags };

    test_ok(mcl_reduce(c->queue, odd(c->slots, 0), MCL_ADD, mcl_to_slot(MCL_INT64, c->slots, 1), &options));
    test_ok(mcl_scan(c->queue, odd(c->slots, 1), ints_out(c->first, COUNT), MCL_ADD, MCL_EXCLUSIVE,
                     mcl_to_slot(MCL_INT64, c->slots, 2), &options));
    test_ok(mcl_reduce(c->queue, odd(c->slots, 2), MCL_ADD, mcl_to_slot(MCL_INT64, c->slots, 3), &options));
    test_ok(mcl_compact(c->queue, odd(c->slots, 2), ints_out(c->second, COUNT), &nonzero,
                        mcl_to_slot(MCL_INT64, c->slots, 3), &options));
    test_ok(mcl_bulk_remove(c->queue, odd(c->slots, 0), mcl_with_count(ints(c->second, COUNT), c->slots, 3),
                            ints_out(c->third, COUNT), &options));
    test_ok(mcl_merge(c->queue, mcl_with_count(ints(c->first, COUNT), c->slots, 1),
                      mcl_with_count(ints(c->first, COUNT), c->slots, 2), ints_out(c->second, 2 * COUNT), MCL_LESS,
                      &options));
    test_ok(mcl_transform(c->queue, mcl_with_count(ints(c->second, COUNT), c->slots, 3), ints_out(c->first, COUNT),
                          &options));
    test_ok(mcl_sort(c->queue, mcl_with_count(ints(c->first, COUNT), c->slots, 3), ints_out(c->first, COUNT), MCL_LESS,
                     &options));
    run_own_kernel(c);
    run_searches(c, &options);
    test_ok(mcl_set_union(c->queue, mcl_with_count(ints(c->first, COUNT), c->slots, 3),
                          mcl_with_count(ints(c->first, COUNT), c->slots, 3), ints_out(c->second, 2 * COUNT), MCL_LESS,
                          mcl_to_slot(MCL_INT64, c->slots, 4), &options));
}

START_TEST(warm_calls_that_hand_counts_on_are_silent)
{
    chain c = { .queue = test_device_at(_i)->queue };
    int64_t counts[5] = { COUNT, -1, -1, -1, -1 };
    int32_t last = -1;
    int silent[NOISE_COUNT];

    if (strcmp(test_device_at(_i)->info.backend, "opencl") != 0) {
        test_skip(_i, "warm_calls_that_hand_counts_on_are_silent", "not an OpenCL device");
        return;
    }
    c.slots = ARRAY_OF(_i, counts);
    c.first = array_empty(_i, COUNT * sizeof(int32_t));
    c.second = array_empty(_i, 2 * COUNT * sizeof(int32_t));
    c.third = array_empty(_i, COUNT * sizeof(int32_t));
    for (unsigned flags = 0; flags <= MCL_DETERMINISTIC; flags += MCL_DETERMINISTIC) {
        run_chain(&c, flags);
        run_chain(&c, flags);
        test_ok(mcl_queue_finish(c.queue));
        memset(heard, 0, sizeof heard);
        for (int k = 0; k < 3; k++) run_chain(&c, flags);
        memcpy(silent, heard, sizeof silent);
        ck_assert_int_ge(silent[NOISE_LAUNCH], 24);
        for (int k = 0; k < NOISE_LAUNCH; k++)
            ck_assert_msg(silent[k] == 0, "%s was called %d times", noise_names[k], silent[k]);
        ARRAY_READ(_i, c.slots, counts);
        ck_assert_int_gt(heard[NOISE_READ], 0);
        for (int k = 0; k < 4; k++) ck_assert_int_eq(counts[k], COUNT >> k);
        ck_assert_int_eq(counts[4], counts[3]); /* every key matches itself */
        ck_assert_int_eq(counts[4], counts[3]); /* every key is in the union once, since both inputs are the same */
        test_ok(mcl_buffer_read(c.queue, c.first, (COUNT / 8 - 1) * sizeof last, sizeof last, &last));
        ck_assert_int_eq(last, (COUNT / 8 - 1) / 4);
        test_ok(mcl_buffer_read(c.queue, c.third, (COUNT / 8 - 1) * sizeof last, sizeof last, &last));
        ck_assert_int_eq(last, -((COUNT / 8 - 1) / 4));
    }
    mcl_buffer_release(c.slots);
    mcl_buffer_release(c.first);
    mcl_buffer_release(c.second);
    mcl_buffer_release(c.third);
}
END_TEST

static int has_command_buffers(int device)
{
    char extensions[8192] = "";
    const cl_device_id id = mcl_opencl_device(test_device_at(device)->context);
    return !test_is_opencl_1_2() &&
           clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS &&
           strstr(extensions, "cl_khr_command_buffer") != NULL;
}

/* A command buffer has the launches of a replay, or each is enqueued with no other command. */
START_TEST(a_replay_is_silent)
{
    int64_t counts[5] = { COUNT, -1, -1, -1, -1 };
    chain c = { .slots = ARRAY_OF(_i, counts) };
    mcl_recording *recording = NULL;

    c.first = array_empty(_i, COUNT * sizeof(int32_t));
    c.second = array_empty(_i, 2 * COUNT * sizeof(int32_t));
    c.third = array_empty(_i, COUNT * sizeof(int32_t));
    test_ok(mcl_queue_create(test_device_at(_i)->context, 0, &c.queue));
    test_ok(mcl_record_begin(c.queue));
    memset(heard, 0, sizeof heard);
    run_chain(&c, 0);
    ck_assert_int_eq(heard[NOISE_LAUNCH], 0);
    test_ok(mcl_record_end(c.queue, &recording));
    memset(heard, 0, sizeof heard);
    for (int k = 0; k < 3; k++) test_ok(mcl_replay(c.queue, recording, NULL));
    for (int k = 0; k < NOISE_LAUNCH; k++)
        ck_assert_msg(heard[k] == 0, "%s was called %d times", noise_names[k], heard[k]);
    ck_assert_int_eq(heard[NOISE_LAUNCH] == 0, has_command_buffers(_i));
    test_ok(mcl_buffer_read(c.queue, c.slots, 0, sizeof counts, counts));
    for (int k = 0; k < 4; k++) ck_assert_int_eq(counts[k], COUNT >> k);
    mcl_recording_release(recording);
    mcl_queue_release(c.queue);
    mcl_buffer_release(c.slots);
    mcl_buffer_release(c.first);
    mcl_buffer_release(c.second);
    mcl_buffer_release(c.third);
}
END_TEST

START_TEST(the_loader_is_fixed_once_opencl_is_in_use)
{
    (void)_i;
    test_fails(mcl_opencl_loader_set(load, heard), MCL_ERROR_ARGUMENT, "mcl_opencl_loader_set");
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, warm_calls_that_hand_counts_on_are_silent, device);
    if (strcmp(test_device_at(device)->info.backend, "opencl") != 0) return;
    test_add(tcase, a_replay_is_silent, device);
    test_add(tcase, the_loader_is_fixed_once_opencl_is_in_use, device);
}

int main(void)
{
    if (mcl_opencl_loader_set(load, heard) != MCL_OK) {
        fprintf(stderr, "%s\n", mcl_last_error());
        return 1;
    }
    return test_main("queue_silence", add);
}
