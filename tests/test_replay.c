/* test_replay.c: compares replays of a recorded frame, on other data and counts, with the frame's calls. */
#include "support/arrays.h"

enum { COUNT = 3000, STEP = 97, SEGMENTS = (COUNT + STEP - 1) / STEP, ARRAYS = 27, ARRAY_COUNT = 2 * COUNT };
enum { SLOTS = 12 }; /* of int64 */
enum {
    ELEMENTS,
    OFFSETS,
    ODD,
    TOTAL,
    ROWS,
    RUNS,
    MEMBERS,
    SUM,
    PAIRS,
    DISTINCT,
    JOINED
}; /* number of int64 slots; the caller sets two of them */

/* The operands of the frame, except the data and the two counts that are set from outside. */
typedef struct frame {
    mcl_queue *queue;
    int tile_threads;
    mcl_buffer *data;
    mcl_buffer *slots;
    mcl_buffer *arrays[ARRAYS];
} frame;

static frame frame_make(int device, mcl_queue *queue, int tile_threads, mcl_buffer *data)
{
    frame f = { .queue = queue, .tile_threads = tile_threads, .data = data };
    f.slots = array_empty(device, SLOTS * sizeof(int64_t));
    for (int k = 0; k < ARRAYS; k++) f.arrays[k] = array_empty(device, ARRAY_COUNT * sizeof(int32_t));
    return f;
}

static void frame_free(frame *f)
{
    mcl_buffer_release(f->slots);
    for (int k = 0; k < ARRAYS; k++) mcl_buffer_release(f->arrays[k]);
}

/* Stores the counts of a run, and overwrites what the frame will write. */
static void frame_start(const frame *f, int64_t elements)
{
    const int64_t counts[SLOTS] = { elements, (elements + STEP - 1) / STEP };
    const int32_t nothing = -7;
    test_ok(mcl_buffer_write(f->queue, f->slots, 0, sizeof counts, counts));
    for (int k = 0; k < ARRAYS; k++)
        test_ok(mcl_buffer_fill(f->queue, f->arrays[k], 0, ARRAY_COUNT * sizeof nothing, &nothing, sizeof nothing));
}

static mcl_input counted(const frame *f, mcl_buffer *buffer, int slot)
{
    return mcl_with_count(ints(buffer, COUNT), f->slots, slot);
}

static mcl_input offsets(const frame *f)
{
    static const int32_t zero = 0;
    static const int32_t step = STEP;
    return mcl_with_count(mcl_from_step(MCL_INT32, &zero, &step, SEGMENTS), f->slots, OFFSETS);
}

static mcl_result slot(const frame *f, int index)
{
    return mcl_to_slot(MCL_INT64, f->slots, index);
}

static mcl_output array(const frame *f, int k)
{
    return ints_out(f->arrays[k], ARRAY_COUNT);
}

static const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };

static void sorts(const frame *f)
{
    const mcl_options options = { .tile_threads = f->tile_threads };
    const mcl_options merging = { .tile_threads = f->tile_threads, .sort_method = MCL_SORT_MERGE };
    const mcl_options radix = { .tile_threads = f->tile_threads, .sort_method = MCL_SORT_RADIX };
    const mcl_input data = counted(f, f->data, ELEMENTS);
    const mcl_input values = mcl_with_count(ints_counting(COUNT), f->slots, ELEMENTS);
    test_ok(mcl_sort(f->queue, data, array(f, 3), MCL_LESS, &radix));
    test_ok(mcl_sort(f->queue, counted(f, f->arrays[1], ODD), array(f, 4), MCL_GREATER, &merging));
    test_ok(mcl_sort_pairs(f->queue, data, values, array(f, 5), array(f, 6), MCL_LESS, &radix));
    test_ok(mcl_segmented_sort(f->queue, data, mcl_segments_from_offsets(offsets(f)), array(f, 7), MCL_LESS, MCL_STABLE,
                               NULL, &options));
}

/* Makes calls on sorted data, which array 3 has. */
static void relations(const frame *f)
{
    const int32_t zero = 0;
    const int32_t one = 1;
    const int32_t two = 2;
    const mcl_options options = { .tile_threads = f->tile_threads };
    const mcl_input ordered = counted(f, f->arrays[3], ELEMENTS);
    const mcl_input ones = mcl_with_count(mcl_from_constant(MCL_INT32, &one, COUNT), f->slots, ELEMENTS);
    const mcl_input even = mcl_from_step(MCL_INT32, &zero, &two, COUNT / 2);
    test_ok(
        mcl_join(f->queue, MCL_JOIN_INNER, ordered, even, array(f, 8), array(f, 9), MCL_LESS, slot(f, ROWS), &options));
    test_ok(mcl_join_unsorted(f->queue, MCL_JOIN_INNER, counted(f, f->data, ELEMENTS), even, array(f, 10), array(f, 11),
                              MCL_LESS, slot(f, PAIRS), &options));
    const mcl_join_column of_data[] = { { ints(f->data, COUNT), array(f, 24), NULL },
                                        { ints(f->data, COUNT), array(f, 25), &one } };
    const mcl_join_column of_even = { ints(f->data, COUNT), array(f, 26), &two };
    test_ok(mcl_join_columns(f->queue, MCL_JOIN_OUTER, counted(f, f->data, ELEMENTS), even, of_data, 2, &of_even, 1,
                             (mcl_output){ 0 }, MCL_LESS, slot(f, JOINED), &options));
    test_ok(mcl_reduce_by_key(f->queue, ordered, ones, array(f, 12), array(f, 13), MCL_ADD, MCL_EQUAL, slot(f, RUNS),
                              &options));
    test_ok(mcl_unique(f->queue, ordered, array(f, 14), MCL_EQUAL, slot(f, DISTINCT), &options));
    test_ok(mcl_set_union(f->queue, ordered, even, array(f, 15), MCL_LESS, slot(f, MEMBERS), &options));
    test_ok(mcl_merge(f->queue, ordered, counted(f, f->arrays[12], RUNS), array(f, 16), MCL_LESS, &options));
    test_ok(mcl_sorted_search_needles(f->queue, counted(f, f->arrays[12], RUNS), ordered, MCL_LOWER, array(f, 17),
                                      MCL_LESS, &options));
}

static void segments(const frame *f)
{
    const mcl_options options = { .tile_threads = f->tile_threads };
    const mcl_input data = counted(f, f->data, ELEMENTS);
    const mcl_work work = mcl_work_in_slot(COUNT, f->slots, ELEMENTS);
    test_ok(mcl_interval_move(f->queue, work, ints(f->data, COUNT), offsets(f), offsets(f), offsets(f), array(f, 18),
                              &options));
    test_ok(mcl_interval_expand(f->queue, work, offsets(f), offsets(f), array(f, 19), &options));
    test_ok(mcl_segmented_reduce(f->queue, data, mcl_segments_from_offsets(offsets(f)), array(f, 20), MCL_ADD,
                                 mcl_to_nowhere(), &options));
    test_ok(mcl_segmented_scan(f->queue, data, mcl_segments_from_offsets(offsets(f)), array(f, 21), MCL_ADD,
                               MCL_INCLUSIVE, &options));
}

static void own_kernel(const frame *f)
{
    static const mcl_kernel negate = {
        .name = "negate.cl",
        .text = "MCL_KERNEL(TILE_THREADS) negate(PARAMS_in, PARAMS_out, index_type shift)\n"
                "{\n"
                "    const input_in in = MAKE_in;\n"
                "    const output_out out = MAKE_out;\n"
                "    const index_type end = in.count, step = (index_type)get_num_groups(0) * TILE_THREADS;\n"
                "    for (index_type k = (index_type)get_global_id(0); k < end; k += step)\n"
                "        store_out(out, k, (int)shift - load_in(in, k));\n"
                "}\n",
        .passes = { { "negate", "in out index_type", 0 } },
        .inputs = { { "in", MCL_INT32, NULL, 0 } },
        .outputs = { { "out", MCL_INT32 } },
    };
    const mcl_options options = { .tile_threads = f->tile_threads };
    const mcl_input in = counted(f, f->data, ELEMENTS);
    const mcl_output out = array(f, 22);
    mcl_tile tile;
    test_ok(mcl_kernel_tile(f->queue, &negate, &options, &tile));
    const mcl_launch launch = { 0,
                                mcl_tile_groups(&tile, COUNT),
                                { mcl_argument_input(&in), mcl_argument_output(&out), mcl_argument_index(5) } };
    test_ok(mcl_kernel_launch(f->queue, &negate, &launch, 1, NULL, 0, &options));
}

/* Makes twenty-one calls, which pass counts on in slots. */
static void frame_run(const frame *f)
{
    const mcl_options options = { .tile_threads = f->tile_threads };
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, f->data, 0);
    const mcl_input tripled =
        mcl_with_count(mcl_from_expression(MCL_INT32, "3 * x[i]", NULL, &x, 1, COUNT), f->slots, ELEMENTS);
    const uint64_t pattern[2] = { 1, 2 };
    test_ok(mcl_transform(f->queue, tripled, array(f, 0), &options));
    test_ok(mcl_compact(f->queue, counted(f, f->arrays[0], ELEMENTS), array(f, 1), &odd, slot(f, ODD), &options));
    test_ok(mcl_scan(f->queue, counted(f, f->arrays[1], ODD), array(f, 2), MCL_ADD, MCL_EXCLUSIVE, slot(f, TOTAL),
                     &options));
    test_ok(mcl_reduce(f->queue, counted(f, f->data, ELEMENTS), MCL_ADD, slot(f, SUM), &options));
    sorts(f);
    relations(f);
    test_ok(mcl_buffer_fill(f->queue, f->arrays[23], 0, 512, pattern, sizeof pattern));
    segments(f);
    test_ok(mcl_buffer_copy(f->queue, f->slots, 0, f->arrays[23], 1024, SLOTS * sizeof(int64_t)));
    own_kernel(f);
}

static void frame_read(const frame *f, mcl_buffer *buffer, void *data, size_t bytes)
{
    test_ok(mcl_buffer_read(f->queue, buffer, 0, bytes, data));
}

static void frames_are_equal(const frame *a, const frame *b)
{
    static int32_t left[ARRAY_COUNT];
    static int32_t right[ARRAY_COUNT];
    int64_t counts[2][SLOTS];
    frame_read(a, a->slots, counts[0], sizeof counts[0]);
    frame_read(b, b->slots, counts[1], sizeof counts[1]);
    for (int k = 0; k < SLOTS; k++)
        ck_assert_msg(counts[0][k] == counts[1][k], "slot %d: %lld by the calls, %lld by the replay", k,
                      (long long)counts[0][k], (long long)counts[1][k]);
    for (int k = 0; k < ARRAYS; k++) {
        frame_read(a, a->arrays[k], left, sizeof left);
        frame_read(b, b->arrays[k], right, sizeof right);
        for (int i = 0; i < ARRAY_COUNT; i++)
            ck_assert_msg(left[i] == right[i], "%lld elements, array %d, element %d: %d by the calls, %d by the replay",
                          (long long)counts[0][ELEMENTS], k, i, (int)left[i], (int)right[i]);
    }
}

/* Checks sums, which show that the calls themselves did something. */
static void check_sum(const frame *f, const int32_t *data, int64_t count)
{
    int64_t counts[SLOTS];
    int64_t sum = 0;
    for (int64_t k = 0; k < count; k++) sum += data[k];
    frame_read(f, f->slots, counts, sizeof counts);
    ck_assert_int_eq(counts[SUM], sum);
}

static mcl_recording *frame_record(const frame *f)
{
    mcl_recording *recording = NULL;
    test_ok(mcl_record_begin(f->queue));
    frame_run(f);
    test_ok(mcl_record_end(f->queue, &recording));
    ck_assert_ptr_nonnull(recording);
    return recording;
}

/* Takes more of the queue's scratch than the frame, and fills it with other numbers. */
static void other_call(int device, mcl_queue *queue, int64_t count)
{
    const int32_t start = 1 << 20;
    mcl_buffer *out = array_empty(device, (size_t)count * sizeof(int32_t));
    test_ok(mcl_sort(queue, mcl_from_counting(MCL_INT32, &start, count), ints_out(out, count), MCL_GREATER, NULL));
    mcl_buffer_release(out);
}

static void replay_on_other_data(int device, int tile_threads, int flags)
{
    static int32_t data[COUNT];
    static const int64_t counts[] = { COUNT, 0, 1, STEP, 1234, COUNT - 1, COUNT };
    mcl_queue *queue = NULL;
    test_ok(mcl_queue_create(test_device_at(device)->context, flags, &queue));
    mcl_buffer *given = array_empty(device, sizeof data);
    frame direct = frame_make(device, queue, tile_threads, given);
    frame replayed = frame_make(device, queue, tile_threads, given);
    mcl_recording *recording = frame_record(&replayed);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        random_ints(data, COUNT, COUNT, 77 + k, 0);
        test_ok(mcl_buffer_write(queue, given, 0, sizeof data, data));
        frame_start(&direct, counts[k]);
        frame_run(&direct);
        frame_start(&replayed, counts[k]);
        test_ok(mcl_replay(queue, recording, NULL));
        if (k % 2) test_ok(mcl_replay(queue, recording, NULL)); /* replays the same data again */
        check_sum(&direct, data, counts[k]);
        frames_are_equal(&direct, &replayed);
        other_call(device, queue, (int64_t)COUNT * (1 + (int64_t)k * 3));
    }
    mcl_recording_release(recording);
    frame_free(&direct);
    frame_free(&replayed);
    mcl_buffer_release(given);
    mcl_queue_release(queue);
}

START_TEST(a_replay_of_single_work_items_gives_what_the_calls_give)
{
    replay_on_other_data(_i, 1, 0);
}
END_TEST

START_TEST(a_replay_of_groups_gives_what_the_calls_give)
{
    replay_on_other_data(_i, 32, 0);
}
END_TEST

START_TEST(a_replay_on_a_queue_with_times_gives_what_the_calls_give)
{
    replay_on_other_data(_i, 0, MCL_QUEUE_PROFILING);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_replay_of_single_work_items_gives_what_the_calls_give, device);
    test_add(tcase, a_replay_of_groups_gives_what_the_calls_give, device);
    test_add(tcase, a_replay_on_a_queue_with_times_gives_what_the_calls_give, device);
}

int main(void)
{
    return test_main("replay", add);
}
