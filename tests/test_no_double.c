/* test_no_double.c: devices without double-precision arithmetic; MCL_FEATURES=double=0 makes every device look like one
 * without doubles. A call with doubles is refused before anything is enqueued. The sentence names function and
 * parameter. */
#include "support/arrays.h"

#include "device/device.h"

#include <string.h>

enum { COUNT = 64 };

/* ---- a backend that counts what is enqueued ---------------------------------------------------------------------- */

static const mcl__backend *driver;
static int enqueued;

static mcl_status count_launch(mcl_queue *queue, const mcl__launch *launch)
{
    enqueued++;
    return driver->launch(queue, launch);
}

static mcl_status count_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                             size_t pattern_bytes)
{
    enqueued++;
    return driver->fill(queue, to, offset, bytes, pattern, pattern_bytes);
}

static mcl_status count_begin(mcl_queue *queue, int wants_event)
{
    enqueued++;
    return driver->call_begin(queue, wants_event);
}

static mcl_status count_wait(mcl_queue *queue, mcl_event *const *events, int count)
{
    enqueued++;
    return driver->queue_wait(queue, events, count);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

typedef struct fixture {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *data; /* buffer for COUNT doubles or twice as many int32, all 0 */
    mcl_buffer *out;  /* content */
    mcl_event *done;  /* event of the options below, which stays NULL */
    unsigned char content[2 * COUNT * sizeof(double)];
} fixture;

static fixture begin(int device)
{
    static mcl__backend counting;
    static const unsigned char zero[COUNT * sizeof(double)];
    fixture f = { .context = test_context(device) };

    memset(f.content, 0x31, sizeof f.content);
    test_ok(mcl_queue_create(f.context, 0, &f.queue));
    test_ok(mcl_buffer_create(f.context, sizeof zero, zero, &f.data));
    test_ok(mcl_buffer_create(f.context, sizeof f.content, f.content, &f.out));
    driver = f.context->backend;
    counting = *driver;
    counting.launch = count_launch;
    counting.fill = count_fill;
    counting.call_begin = count_begin;
    counting.queue_wait = count_wait;
    f.context->backend = &counting;
    enqueued = 0;
    return f;
}

/* Checks that nothing has run, and releases the operands. */
static void end(fixture *f)
{
    unsigned char got[sizeof f->content];

    ck_assert_int_eq(enqueued, 0);
    ck_assert_ptr_null(f->done);
    test_ok(mcl_buffer_read(f->queue, f->out, 0, sizeof got, got));
    ck_assert_mem_eq(got, f->content, sizeof got);
    f->context->backend = driver;
    mcl_buffer_release(f->data);
    mcl_buffer_release(f->out);
    mcl_queue_release(f->queue);
    mcl_context_release(f->context);
}

static int skips(int device, const char *what)
{
    return test_device_at(device)->info.has_double ? test_skip(device, what, "has double") : 0;
}

#define UNSUPPORTED(call, words) test_fails(call, MCL_ERROR_UNSUPPORTED, words "|double|no double-precision arithmetic")

/* Return count elements of a type as an input and as an output. */
static mcl_input in_of(const fixture *f, const mcl_type *type)
{
    return mcl_from_buffer(type, f->data, 0, COUNT);
}
static mcl_output out_of(const fixture *f, const mcl_type *type)
{
    return mcl_to_buffer(type, f->out, 0, COUNT);
}

/* ---- every function ---------------------------------------------------------------------------------------------- */

START_TEST(the_device_is_said_to_have_none)
{
    mcl_device_info info;

    if (skips(_i, "the_device_is_said_to_have_none")) return;
    test_ok(mcl_context_info(test_device_at(_i)->context, &info));
    ck_assert_int_eq(info.has_double, 0);
}
END_TEST

START_TEST(a_call_without_doubles_is_counted_and_works)
{
    if (skips(_i, "a_call_without_doubles_is_counted_and_works")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done };

    test_ok(mcl_transform(f.queue, in_of(&f, MCL_FLOAT), out_of(&f, MCL_FLOAT), &options));
    ck_assert_int_gt(enqueued, 0);
    ck_assert_ptr_nonnull(f.done);
    mcl_event_release(f.done);
    /* zeros, as end expects */
    memset(f.content, 0, COUNT * sizeof(float));
    f.done = NULL;
    enqueued = 0;
    end(&f);
}
END_TEST

START_TEST(transform_refuses_doubles)
{
    if (skips(_i, "transform_refuses_doubles")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done };
    const double one = 1;
    const mcl_binding value = mcl_binding_value("y", MCL_DOUBLE, &one);
    const mcl_binding array = mcl_binding_buffer("y", MCL_DOUBLE, f.data, 0);
    const mcl_output out = out_of(&f, MCL_FLOAT);

    UNSUPPORTED(mcl_transform(f.queue, in_of(&f, MCL_DOUBLE), out_of(&f, MCL_DOUBLE), &options), "mcl_transform: in ");
    UNSUPPORTED(mcl_transform(f.queue, in_of(&f, MCL_DOUBLE), out, &options), "mcl_transform: in ");
    UNSUPPORTED(mcl_transform(f.queue, in_of(&f, MCL_FLOAT), out_of(&f, MCL_DOUBLE), &options), "mcl_transform: out ");
    UNSUPPORTED(mcl_transform(f.queue, mcl_from_constant(MCL_DOUBLE, &one, COUNT), out, &options),
                "mcl_transform: in ");
    UNSUPPORTED(mcl_transform(f.queue, mcl_from_counting(MCL_DOUBLE, &one, COUNT), out, &options),
                "mcl_transform: in ");
    UNSUPPORTED(mcl_transform(f.queue, mcl_from_step(MCL_DOUBLE, &one, &one, COUNT), out, &options),
                "mcl_transform: in ");
    UNSUPPORTED(
        mcl_transform(f.queue, mcl_from_expression(MCL_FLOAT, "(float)y", NULL, &value, 1, COUNT), out, &options),
        "mcl_transform: in's binding y ");
    UNSUPPORTED(
        mcl_transform(f.queue, mcl_from_expression(MCL_FLOAT, "(float)y[i]", NULL, &array, 1, COUNT), out, &options),
        "mcl_transform: in's binding y ");
    /* the refusal comes also where there is nothing to do */
    UNSUPPORTED(mcl_transform(f.queue, mcl_from_constant(MCL_DOUBLE, &one, 0), out_of(&f, MCL_DOUBLE), &options),
                "mcl_transform: in ");
    end(&f);
}
END_TEST

START_TEST(scatter_and_random_refuse_doubles)
{
    if (skips(_i, "scatter_and_random_refuse_doubles")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done, .flags = MCL_VALIDATE };
    const mcl_input values = in_of(&f, MCL_INT32);
    const mcl_input doubles = in_of(&f, MCL_DOUBLE);
    const mcl_output out = out_of(&f, MCL_INT32);
    const double low = 0;
    const double high = 1;

    UNSUPPORTED(mcl_scatter(f.queue, doubles, values, out_of(&f, MCL_DOUBLE), &options), "mcl_scatter: values ");
    UNSUPPORTED(mcl_scatter(f.queue, values, values, out_of(&f, MCL_DOUBLE), &options), "mcl_scatter: out ");
    UNSUPPORTED(mcl_scatter(f.queue, values, doubles, out, &options), "mcl_scatter: indices ");
    UNSUPPORTED(mcl_scatter_flagged(f.queue, doubles, values, values, out_of(&f, MCL_DOUBLE), &options),
                "mcl_scatter_flagged: values ");
    UNSUPPORTED(mcl_scatter_flagged(f.queue, values, doubles, values, out, &options), "mcl_scatter_flagged: indices ");
    UNSUPPORTED(mcl_scatter_flagged(f.queue, values, values, doubles, out, &options), "mcl_scatter_flagged: flags ");
    UNSUPPORTED(mcl_random(f.queue, out_of(&f, MCL_DOUBLE), 1, 0, &low, &high, &options), "mcl_random: out ");
    end(&f);
}
END_TEST

START_TEST(reduce_refuses_doubles)
{
    if (skips(_i, "reduce_refuses_doubles")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done };
    const mcl_input floats = in_of(&f, MCL_FLOAT);
    const mcl_op sum = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_DOUBLE, .extract = "x"
    };
    const mcl_op half = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .result = MCL_DOUBLE, .combine = "v * 0.5"
    };
    mcl_op scaled = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .extract = "x * (float)y", .binding_count = 1
    };
    const double two = 2;
    double host = 41;
    float small = 41;
    mcl_double_at place = { 41, 41 };

    scaled.bindings[0] = mcl_binding_value("y", MCL_DOUBLE, &two);
    UNSUPPORTED(mcl_reduce(f.queue, in_of(&f, MCL_DOUBLE), MCL_ADD, mcl_to_host(MCL_DOUBLE, &host), &options),
                "mcl_reduce: in ");
    UNSUPPORTED(mcl_reduce(f.queue, floats, MCL_ADD, mcl_to_host(MCL_DOUBLE, &host), &options), "mcl_reduce: result ");
    UNSUPPORTED(mcl_reduce(f.queue, floats, MCL_ADD, mcl_to_slot(MCL_DOUBLE, f.out, 0), &options),
                "mcl_reduce: result ");
    UNSUPPORTED(mcl_reduce(f.queue, floats, MCL_MAX_INDEX, mcl_to_host(MCL_DOUBLE_AT, &place), &options),
                "mcl_reduce: result ");
    UNSUPPORTED(mcl_reduce(f.queue, floats, &sum, mcl_to_host(MCL_FLOAT, &small), &options), "mcl_reduce: op ");
    UNSUPPORTED(mcl_reduce(f.queue, floats, &half, mcl_to_host(MCL_FLOAT, &small), &options), "mcl_reduce: op ");
    UNSUPPORTED(mcl_reduce(f.queue, floats, &scaled, mcl_to_host(MCL_FLOAT, &small), &options),
                "mcl_reduce: op's binding y ");
    ck_assert(host == 41 && small == 41 && place.value == 41 && place.index == 41);
    end(&f);
}
END_TEST

START_TEST(scan_refuses_doubles)
{
    if (skips(_i, "scan_refuses_doubles")) return;
    fixture f = begin(_i);
    const mcl_input floats = in_of(&f, MCL_FLOAT);
    const mcl_output out = out_of(&f, MCL_FLOAT);
    const mcl_op sum = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_DOUBLE };
    double host = 41;

    for (unsigned flags = 0; flags <= MCL_DETERMINISTIC; flags += MCL_DETERMINISTIC) {
        const mcl_options options = { .done = &f.done, .flags = flags };
        UNSUPPORTED(mcl_scan(f.queue, in_of(&f, MCL_DOUBLE), out_of(&f, MCL_DOUBLE), MCL_ADD, MCL_EXCLUSIVE,
                             mcl_to_nowhere(), &options),
                    "mcl_scan: in ");
        UNSUPPORTED(
            mcl_scan(f.queue, floats, out_of(&f, MCL_DOUBLE), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options),
            "mcl_scan: out ");
        UNSUPPORTED(mcl_scan(f.queue, floats, out, &sum, MCL_INCLUSIVE, mcl_to_nowhere(), &options), "mcl_scan: op ");
        UNSUPPORTED(mcl_scan(f.queue, floats, out, MCL_ADD, MCL_INCLUSIVE, mcl_to_host(MCL_DOUBLE, &host), &options),
                    "mcl_scan: total ");
        UNSUPPORTED(
            mcl_scan(f.queue, floats, out, MCL_ADD, MCL_INCLUSIVE, mcl_to_slot(MCL_DOUBLE, f.out, COUNT), &options),
            "mcl_scan: total ");
    }
    ck_assert(host == 41);
    end(&f);
}
END_TEST

START_TEST(compaction_and_bulk_work_refuse_doubles)
{
    if (skips(_i, "compaction_and_bulk_work_refuse_doubles")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done };
    const mcl_input numbers = in_of(&f, MCL_INT32);
    const mcl_input doubles = mcl_from_buffer(MCL_DOUBLE, f.data, 0, COUNT / 2);
    const mcl_output out = out_of(&f, MCL_INT32);
    const mcl_op keep = { .role = MCL_ROLE_TEST, .expression = "x > 3" };

    UNSUPPORTED(mcl_compact(f.queue, doubles, out_of(&f, MCL_DOUBLE), &keep, mcl_to_nowhere(), &options),
                "mcl_compact: in ");
    UNSUPPORTED(mcl_compact(f.queue, numbers, out_of(&f, MCL_DOUBLE), &keep, mcl_to_nowhere(), &options),
                "mcl_compact: out ");
    UNSUPPORTED(mcl_unique(f.queue, doubles, out_of(&f, MCL_DOUBLE), MCL_EQUAL, mcl_to_nowhere(), &options),
                "mcl_unique: in ");
    UNSUPPORTED(mcl_bulk_remove(f.queue, doubles, numbers, out, &options), "mcl_bulk_remove: in ");
    UNSUPPORTED(mcl_bulk_insert(f.queue, doubles, numbers, numbers, out, &options), "mcl_bulk_insert: a ");
    end(&f);
}
END_TEST

START_TEST(merge_refuses_doubles)
{
    if (skips(_i, "merge_refuses_doubles")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done, .flags = MCL_VALIDATE };
    const mcl_input keys = mcl_from_buffer(MCL_INT32, f.data, 0, COUNT / 2);
    const mcl_input doubles = mcl_from_buffer(MCL_DOUBLE, f.data, 0, COUNT / 2);
    const mcl_output out = out_of(&f, MCL_INT32);
    const mcl_output values = mcl_to_buffer(MCL_INT32, f.out, COUNT, COUNT);
    mcl_op biased = { .role = MCL_ROLE_ORDER, .expression = "p < q + (int32_t)y", .binding_count = 1 };
    const double zero = 0;

    biased.bindings[0] = mcl_binding_value("y", MCL_DOUBLE, &zero);
    UNSUPPORTED(mcl_merge(f.queue, doubles, doubles, out_of(&f, MCL_DOUBLE), MCL_LESS, &options), "mcl_merge: a ");
    UNSUPPORTED(mcl_merge(f.queue, keys, doubles, out, MCL_LESS, &options), "mcl_merge: b ");
    UNSUPPORTED(mcl_merge(f.queue, keys, keys, out_of(&f, MCL_DOUBLE), MCL_LESS, &options), "mcl_merge: out ");
    UNSUPPORTED(mcl_merge(f.queue, keys, keys, out, &biased, &options), "mcl_merge: before's binding y ");
    UNSUPPORTED(
        mcl_merge_pairs(f.queue, doubles, keys, doubles, keys, out_of(&f, MCL_DOUBLE), values, MCL_LESS, &options),
        "mcl_merge_pairs: a_keys ");
    UNSUPPORTED(mcl_merge_pairs(f.queue, keys, doubles, keys, doubles, out, values, MCL_LESS, &options),
                "mcl_merge_pairs: a_values ");
    UNSUPPORTED(mcl_merge_pairs(f.queue, keys, keys, keys, doubles, out, values, MCL_LESS, &options),
                "mcl_merge_pairs: b_values ");
    UNSUPPORTED(mcl_merge_pairs(f.queue, keys, keys, keys, keys, out, out_of(&f, MCL_DOUBLE), MCL_LESS, &options),
                "mcl_merge_pairs: out_values ");
    end(&f);
}
END_TEST

START_TEST(cuts_refuse_doubles)
{
    if (skips(_i, "cuts_refuse_doubles")) return;
    fixture f = begin(_i);
    const mcl_options options = { .done = &f.done, .flags = MCL_VALIDATE };
    const mcl_input keys = in_of(&f, MCL_INT32);
    const mcl_input doubles = in_of(&f, MCL_DOUBLE);
    const mcl_output out = out_of(&f, MCL_INT32);

    UNSUPPORTED(mcl_cut_search(f.queue, doubles, COUNT, 8, MCL_LOWER, out, &options), "mcl_cut_search: data ");
    UNSUPPORTED(mcl_cut_search(f.queue, keys, COUNT, 8, MCL_LOWER, out_of(&f, MCL_DOUBLE), &options),
                "mcl_cut_search: out ");
    UNSUPPORTED(mcl_cut_merge_path(f.queue, doubles, doubles, 8, 0, MCL_LOWER, out, MCL_LESS, &options),
                "mcl_cut_merge_path: a ");
    UNSUPPORTED(mcl_cut_merge_path(f.queue, keys, doubles, 8, 0, MCL_LOWER, out, MCL_LESS, &options),
                "mcl_cut_merge_path: b ");
    UNSUPPORTED(mcl_cut_merge_path(f.queue, doubles, keys, 8, 2, MCL_LOWER, out, MCL_LESS, &options),
                "mcl_cut_merge_path: a ");
    end(&f);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, the_device_is_said_to_have_none, device);
    test_add(tcase, a_call_without_doubles_is_counted_and_works, device);
    test_add(tcase, transform_refuses_doubles, device);
    test_add(tcase, scatter_and_random_refuse_doubles, device);
    test_add(tcase, reduce_refuses_doubles, device);
    test_add(tcase, scan_refuses_doubles, device);
    test_add(tcase, compaction_and_bulk_work_refuse_doubles, device);
    test_add(tcase, merge_refuses_doubles, device);
    test_add(tcase, cuts_refuse_doubles, device);
}

int main(void)
{
    return test_main("no_double", add);
}
