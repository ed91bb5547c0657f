/* device.c: random calls of device.h's reads, writes, fills and copies, and of a user's kernel. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { FROM, BYTES, TO, PATTERN, HOST_BYTES = 4096 };

/* Draws a range of bytes that may lie inside its buffer of limit bytes, or not. */
static void range_draw(call *c, int64_t limit, int64_t step)
{
    c->numbers[FROM] = draw_below(&c->data, limit / step + 1) * step;
    c->numbers[BYTES] = draw_below(&c->data, (limit - c->numbers[FROM]) / step + 1) * step;
    if (!draw_chance(&c->data, 10)) return;
    static const int64_t wrong[] = { INT64_MAX, -100000, INT64_MIN, INT64_C(1) << 40 };
    const int which = draw_chance(&c->data, 50) ? FROM : BYTES;
    c->numbers[which] = draw_chance(&c->data, 50) ? limit + (1 << 14) : wrong[draw_below(&c->data, 4)];
    refuse(c, "a range outside the buffer");
}

/* Draws the output of bytes. It is the whole buffer, so offsets count from the buffer's start. */
static int64_t buffer_draw(call *c)
{
    output_new(c, 0, &kind_uint8, draw_between(&c->data, 0, HOST_BYTES), -1);
    return c->out[0].capacity;
}

static _Thread_local unsigned char host_bytes[HOST_BYTES];

static void write_draw(call *c)
{
    range_draw(c, buffer_draw(c), 1);
    fill_elements(&c->data, &kind_uint8, FILL_ANY, host_bytes, HOST_BYTES);
    c->numbers[TO] = draw_below(&c->data, 2);
}

static mcl_status write_run(mcl_queue *queue, call *c)
{
    const size_t from = (size_t)c->numbers[FROM] + (size_t)c->out[0].offset;

    if (!c->numbers[TO]) return mcl_buffer_write(queue, c->out[0].buffer, from, (size_t)c->numbers[BYTES], host_bytes);
    const mcl_status status =
        mcl_buffer_write_async(queue, c->out[0].buffer, from, (size_t)c->numbers[BYTES], host_bytes, &c->done);
    return status;
}

static void write_reference(call *c)
{
    if (c->expect == EXPECT_REFUSED) return;
    for (int64_t k = 0; k < c->numbers[BYTES]; k++) output_expect_at(c, 0, c->numbers[FROM] + k, &host_bytes[k]);
}

static void fill_draw(call *c)
{
    static const int sizes[] = { 1, 2, 4, 8, 16 };

    c->numbers[PATTERN] = sizes[draw_below(&c->data, 5)];
    output_new(c, 0, &kind_uint64, draw_between(&c->data, 0, HOST_BYTES / 8), -1);
    range_draw(c, c->out[0].capacity * 8, c->numbers[PATTERN]);
    fill_elements(&c->data, &kind_uint8, FILL_ANY, c->values[0], 16);
    c->numbers[TO] = (int64_t)c->out_memory[0]->start;
    if (c->numbers[TO] % c->numbers[PATTERN] || c->expect == EXPECT_REFUSED) refuse(c, "a fill off its pattern's grid");
    if (c->expect == EXPECT_REFUSED || !draw_chance(&c->data, 8)) return;
    c->numbers[PATTERN] = draw_chance(&c->data, 50) ? 3 : 0;
    refuse(c, "a pattern of a wrong size");
}

static mcl_status fill_run(mcl_queue *queue, call *c)
{
    return mcl_buffer_fill(queue, c->out[0].buffer, (size_t)c->numbers[FROM] + (size_t)c->numbers[TO],
                           (size_t)c->numbers[BYTES], c->values[0], (size_t)c->numbers[PATTERN]);
}

static void fill_reference(call *c)
{
    if (c->expect == EXPECT_REFUSED) return;
    for (int64_t k = 0; k < c->numbers[BYTES]; k++)
        memory_expect(c->out_memory[0], c->out_memory[0]->start + (size_t)(c->numbers[FROM] + k),
                      &c->values[0][k % c->numbers[PATTERN]], 1);
}

static void copy_draw(call *c)
{
    const int64_t limit = buffer_draw(c);

    sequence_begin(c, 0, &kind_uint8, HOST_BYTES, 0);
    fill_elements(&c->data, &kind_uint8, FILL_ANY, c->sequences[0].data, HOST_BYTES);
    sequence_finish_array(c, 0);
    range_draw(c, limit, 1);
    c->numbers[TO] = draw_below(&c->data, c->expect == EXPECT_REFUSED ? 5 : HOST_BYTES - c->numbers[BYTES] + 1);
    if (c->expect == EXPECT_REFUSED || c->numbers[BYTES] < 2 || !draw_chance(&c->data, 10)) return;
    c->numbers[PATTERN] = 1;
    refuse(c, "ranges that overlap");
}

static mcl_status copy_run(mcl_queue *queue, call *c)
{
    const size_t to = (size_t)c->numbers[FROM] + (size_t)c->out[0].offset;
    const size_t bytes = (size_t)c->numbers[BYTES];

    if (c->numbers[PATTERN] && c->out[0].buffer)
        return mcl_buffer_copy(queue, c->out[0].buffer, to - 1, c->out[0].buffer, to, bytes);
    return mcl_buffer_copy(queue, c->in[0].buffer, (size_t)c->in[0].offset + (size_t)c->numbers[TO], c->out[0].buffer,
                           to, bytes);
}

static void copy_reference(call *c)
{
    if (c->expect == EXPECT_REFUSED) return;
    for (int64_t k = 0; k < c->numbers[BYTES]; k++)
        output_expect_at(c, 0, c->numbers[FROM] + k, element_at(&c->sequences[0], c->numbers[TO] + k));
}

/* ---- a kernel of one's own ------------------------------------------------------------------------------ */

static const char twice_text[] = "#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)\n"
                                 "#include \"pieces/part_range.clh\"\n"
                                 "MCL_KERNEL(TILE_THREADS) twice(PARAMS_in, PARAMS_out)\n"
                                 "{\n"
                                 "    const input_in in = MAKE_in;\n"
                                 "    const output_out out = MAKE_out;\n"
                                 "    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;\n"
                                 "    const int count = tile_count(begin, in.count);\n"
                                 "    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)\n"
                                 "        store_out(out, begin + k, load_in(in, begin + k) + load_in(in, begin + k));\n"
                                 "}\n";

static void kernel_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_INTEGER);

    input_any(c, 0, of, draw_size(c), FILL_ANY);
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), -1);
}

static mcl_status kernel_run(mcl_queue *queue, call *c)
{
    const mcl_kernel twice = { .name = "twice.cl",
                               .text = twice_text,
                               .passes = { { "twice", "in out", 0 } },
                               .inputs = { { "in", c->in[0].type, &c->in[0], 0 } },
                               .outputs = { { "out", c->out[0].type } } };
    mcl_launch launch = { .arguments = { mcl_argument_input(&c->in[0]), mcl_argument_output(&c->out[0]) } };
    mcl_tile tile;
    const mcl_status status = mcl_kernel_tile(queue, &twice, c->options_given, &tile);

    if (status != MCL_OK) return status;
    launch.groups = mcl_tile_groups(&tile, c->in[0].count);
    return mcl_kernel_launch(queue, &twice, &launch, 1, NULL, 0, c->options_given);
}

static void kernel_reference(call *c)
{
    const kind *of = c->sequences[0].of;
    unsigned char element[8];

    for (int64_t k = 0; k < c->sequences[0].count; k++) {
        const uint64_t x = (uint64_t)integer_of(of, element_at(&c->sequences[0], k));
        integer_to(of, (int64_t)(x + x), element);
        output_expect_at(c, 0, k, element);
    }
}

enum { PLAIN = NO_OPTIONS | NO_SPOILING };
const operation memory_operations[] = {
    { "mcl_buffer_write", PLAIN, write_draw, write_run, write_reference },
    { "mcl_buffer_fill", PLAIN, fill_draw, fill_run, fill_reference },
    { "mcl_buffer_copy", PLAIN, copy_draw, copy_run, copy_reference },
    { "mcl_kernel", NO_SPOILING, kernel_draw, kernel_run, kernel_reference },
    { NULL, 0, NULL, NULL, NULL },
};
