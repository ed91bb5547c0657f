/* options.c: draws the options of a call, with the caller's scratch, and writes a call in words. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH_ALIGNMENT = 256, STREAM_STEPS = 6002 };

static int draw_of(stream *from, const int *values, int count)
{
    return values[draw_below(from, count)];
}

static void tile_draw(const call *c, stream *from, mcl_options *options)
{
    static const int serial_items[] = { 1, 2, 3, 5, 7, 13, 31, 64, 100, 225, 512 };
    static const int group_items[] = { 1, 2, 3, 4, 5, 7, 11, 15, 31 };
    static const int group_threads[] = { 2, 3, 7, 31, 32, 33, 64, 100, 128, 256, 1000, 1024 };
    const int most = c->w->info.max_threads > 0 ? c->w->info.max_threads : 1;

    if (draw_chance(from, 40)) return;
    if (c->w->serial) {
        options->tile_threads = (int)draw_below(from, 2);
        if (draw_chance(from, 60)) options->tile_items = draw_of(from, serial_items, 11);
        return;
    }
    if (draw_chance(from, 70)) options->tile_threads = draw_of(from, group_threads, 12);
    if (options->tile_threads > most) options->tile_threads = most;
    if (draw_chance(from, 60)) options->tile_items = draw_of(from, group_items, 9);
}

/* Draws tiles. A huge bound gets no small tiles, since they would be billions. */
static void tiles_draw(call *c)
{
    stream own = stream_of(c->shape.state, STREAM_STEPS, 0);

    if (draw_chance(&own, 50)) tile_draw(c, &own, &c->steps); /* each further tile needs two more programs */
    tile_draw(c, &c->shape, &c->options);
    if (c->is_huge) c->options.tile_threads = c->options.tile_items = 0;
}

static void events_draw(call *c)
{
    if (draw_chance(&c->data, 10)) c->options.done = &c->done;
    if (!draw_chance(&c->data, 8)) return;
    if (mcl_event_record(c->w->queue, &c->wait[0]) != MCL_OK || mcl_event_record(c->w->queue, &c->wait[1]) != MCL_OK) {
        refuse(c, "events cannot be recorded");
        return;
    }
    c->options.wait = c->wait;
    c->options.wait_count = 2;
}

void options_draw(call *c)
{
    if (c->op->takes & NO_OPTIONS) return;
    tiles_draw(c);
    if (draw_chance(&c->shape, 12)) c->options.flags |= MCL_DETERMINISTIC;
    if (draw_chance(&c->shape, 12)) c->options.flags |= MCL_REPRODUCIBLE;
    if (draw_chance(&c->shape, 12)) c->options.flags |= MCL_INDEX_64;
    if (draw_chance(&c->shape, 8)) c->options.flags |= MCL_VALIDATE;
    if (c->op->takes & TAKES_PASSES) c->options.passes = (int)draw_below(&c->shape, 3);
    if (c->op->takes & TAKES_UNORDERED && draw_chance(&c->shape, 30)) c->options.flags |= MCL_UNORDERED;
    if (c->op->takes & TAKES_APPEND && (c->options.flags & MCL_UNORDERED || !(c->op->takes & TAKES_UNORDERED))) {
        c->options.append = (mcl_append)draw_below(&c->shape, 6);
        if (c->options.append == MCL_APPEND_SUB_GROUP_TILE) c->options.append_width = 1 << draw_below(&c->shape, 6);
    }
    events_draw(c);
    c->options_given = &c->options;
    if (c->number % 2) c->options.size = sizeof c->options;
}

void scratch_draw(call *c)
{
    /* Broken data write past scratch more often than right data, so they get the caller's scratch more often. */
    if (c->op->takes & (NO_OPTIONS | NO_SCRATCH) || c->spoiled[0]) return;
    if (!draw_chance(&c->data, c->broken ? 70 : 20)) return;
    mcl_event **done = c->options.done;
    c->options.done = NULL;
    const mcl_status status = c->op->run(c->w->prepared, c);
    c->options.done = done;
    if (status != MCL_OK) return;
    for (int k = 0; k < RESULTS_MAX; k++)
        if (memcmp(c->host[k], c->host_before[k], sizeof c->host[k]) != 0)
            refuse(c, "mcl_queue_create_preparing wrote a host result");
    size_t bytes = mcl_queue_scratch_bytes(c->w->prepared);
    if (bytes > (1u << 20)) return;
    const size_t less = draw_chance(&c->data, 85) ? 0 : draw_chance(&c->data, 50) ? 1 : SCRATCH_ALIGNMENT;
    if (less && bytes >= less) {
        /* less may be enough, since a queue that has its slots needs less than mcl_queue_create_preparing says */
        bytes -= less;
        c->expect = EXPECT_EITHER;
    }
    c->scratch = memory_new(c, bytes, SCRATCH_ALIGNMENT);
    c->options.scratch = memory_buffer(c, c->scratch);
    c->options.scratch_offset = c->scratch->start;
    c->options.scratch_bytes = bytes;
    if (bytes) memory_any(c->scratch, c->scratch->start, bytes);
}

/* ---- a call in words ------------------------------------------------------------------------------------ */

typedef struct writer {
    char *text;
    size_t capacity;
    size_t length;
} writer;

static void put(writer *to, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(to->text + to->length, to->capacity - to->length, format, arguments);
    va_end(arguments);
    if (length > 0) to->length += (size_t)length;
    if (to->length >= to->capacity) to->length = to->capacity - 1;
}

static void put_input(writer *to, const call *c, int k)
{
    const mcl_input *in = &c->in[k];
    const sequence *of = &c->sequences[k];

    put(to, "  in[%d]: %s, count %lld, offset %lld", k, in->type && in->type->name ? in->type->name : "no type",
        (long long)in->count, (long long)in->offset);
    if (in->expression) put(to, ", expression \"%s\" with %d bindings", in->expression, in->binding_count);
    if (in->count_slot) put(to, ", slot of %s holds %lld", of->slot_type->name, (long long)of->slot_value);
    if (!in->buffer && !in->expression) put(to, ", no buffer");
    if (of->is_hot) put(to, ", hot");
    if (in->type && of->data && of->of->traits & (KIND_INTEGER | KIND_STRUCT)) {
        put(to, ", begins");
        for (int64_t i = 0; i < of->bound && i < 8; i++)
            put(to, " %lld", (long long)integer_of(of->of, element_at(of, i)));
    }
    put(to, "\n");
}

static void put_options(writer *to, const call *c)
{
    const mcl_options *options = c->options_given;

    if (!options) {
        put(to, "  no options\n");
        return;
    }
    put(to, "  options: flags %u, tile %d x %d, passes %d, append %d of %d, sort_method %d, bits %d to %d%s%s%s",
        options->flags, options->tile_threads, options->tile_items, options->passes, (int)options->append,
        options->append_width, (int)options->sort_method, options->first_bit, options->end_bit,
        options->initial ? ", initial" : "", options->done ? ", done" : "", options->wait ? ", wait" : "");
    if (c->map || c->multimap)
        put(to, "; the map's other calls: tile %d x %d", c->steps.tile_threads, c->steps.tile_items);
    if (options->scratch) put(to, ", scratch of %zu from %zu", options->scratch_bytes, options->scratch_offset);
    put(to, "\n");
}

static void put_room(writer *to, const call *c)
{
    const host_drawn *room = &c->on_host;

    put(to, "  room: %d entries of %lld bytes%s, scratch of %zu bytes\n", room->entries, (long long)room->bytes,
        room->has_other ? " and one of another context" : "", room->scratch_bytes);
}

void call_print(const call *c, char *text, size_t capacity)
{
    writer to = { text, capacity, 0 };

    put(&to, "%s, numbers %lld %lld %lld %lld%s%s%s%s\n", c->op->name, (long long)c->numbers[0],
        (long long)c->numbers[1], (long long)c->numbers[2], (long long)c->numbers[3],
        c->broken ? ", data or operators are not what it expects" : "", c->spoiled[0] ? "; made wrong: " : "",
        c->spoiled, c->null_queue ? ", no queue" : "");
    if (c->is_forked || c->has_small_stack)
        put(&to, "  %s%s\n", c->is_forked ? " in a forked child first" : "",
            c->has_small_stack ? " on a stack of 64 KiB" : "");
    for (int k = 0; k < c->in_count; k++) put_input(&to, c, k);
    for (int k = 0; k < c->out_count; k++)
        put(&to, "  out[%d]: %s, capacity %lld, offset %lld%s\n", k,
            c->out[k].type && c->out[k].type->name ? c->out[k].type->name : "no type", (long long)c->out[k].capacity,
            (long long)c->out[k].offset, c->out[k].buffer ? "" : ", no buffer");
    for (int k = 0; k < c->result_count; k++)
        put(&to, "  result[%d]: %s%s%s\n", k, c->result[k].type ? c->result[k].type->name : "nowhere",
            c->result[k].host ? " host" : "", c->result[k].buffer ? " slot" : "");
    for (int k = 0; k < c->op_count; k++) {
        const mcl_op *op = c->op_given[k];
        put(&to, "  op[%d]: %s%s, identity %s, %d bindings\n", k, op && op->expression ? op->expression : "NULL",
            op == &c->ops[k] ? "" : " (built in)", op && op->identity ? op->identity : "none",
            op ? op->binding_count : 0);
    }
    if (c->op->takes & ON_HOST) put_room(&to, c);
    put_options(&to, c);
}
