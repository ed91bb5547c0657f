/* host_data.c: shared parts of random calls of host_data.h: arrays in host memory, room and wrong arguments. */
#include "fuzz.h"

#include <string.h>

/* ---- operands ------------------------------------------------------------------------------------------- */

static void backwards(sequence *of)
{
    const size_t size = of->of->type->size;
    unsigned char spare[MCL_VALUE_BYTES_MAX];

    for (int64_t low = 0, high = of->bound - 1; low < high; low++, high--) {
        memcpy(spare, of->data + (size_t)low * size, size);
        memcpy(of->data + (size_t)low * size, of->data + (size_t)high * size, size);
        memcpy(of->data + (size_t)high * size, spare, size);
    }
}

void host_keys_draw(call *c, int k, const order *by, int64_t count)
{
    const kind *of = by->of;
    sequence *keys = sequence_begin(c, k, of, count, 0);
    const int64_t shape = draw_below(&c->data, 100);
    fill how = (fill)draw_below(&c->data, FILL_COUNT + 1);

    if (of->traits & KIND_FLOAT && draw_chance(&c->data, 20)) how = FILL_ENDS;
    fill_elements(&c->data, of, how, keys->data, count);
    sequence_heat(c, keys);
    if (shape < 35) order_sort(by, of, keys->data, count, NULL);
    if (shape < 15) backwards(keys);
    sequence_finish_array(c, k);
}

void host_values_draw(call *c, int k, const kind *of, int64_t count)
{
    sequence *values = sequence_begin(c, k, of, count, 0);

    fill_elements(&c->data, of, FILL_ANY, values->data, count);
    sequence_finish_array(c, k);
}

void host_count_new(call *c)
{
    result_new(c, 0, &kind_int64, 1);
    if (c->result_memory[0]) c->result[0].host = NULL;
}

static unsigned char *image_of(const memory *of)
{
    return of ? of->seen + of->start : NULL;
}

void *host_input(const call *c, int k)
{
    return image_of(c->sequences[k].place);
}

void *host_output(const call *c, int k)
{
    return k < c->out_count && !c->left_out[k] ? image_of(c->out_memory[k]) : NULL;
}

int64_t *host_count(const call *c)
{
    return (int64_t *)(c->result_memory[0] ? (void *)image_of(c->result_memory[0]) : c->result[0].host);
}

/* ---- room ----------------------------------------------------------------------------------------------- */

enum { DEVICE_ENTRIES = 3, CHUNKS_MAX = 30, ROW_BYTES = 16, CHUNK_SHARE = 12 };

/* Draws the room. Most rooms force several chunks. Each entry has three channels with scratch, which together take
 * CHUNK_SHARE times the bytes of a chunk's rows. */
void host_room_draw(call *c, int64_t count, size_t kept_bytes)
{
    const int64_t rows = ROW_BYTES + count / draw_between(&c->data, 1, CHUNKS_MAX);
    const size_t needed = (size_t)count * kept_bytes;

    c->on_host.entries = (int)draw_between(&c->data, 1, DEVICE_ENTRIES);
    c->on_host.bytes = draw_chance(&c->data, 10) ? 0 : rows * (int64_t)(kept_bytes + ROW_BYTES) * CHUNK_SHARE;
    /* a bound table belongs to one context */
    c->on_host.has_other = draw_chance(&c->data, 15) && !c->ops[0].binding_count;
    if (draw_chance(&c->data, 50)) return;
    c->on_host.scratch_bytes = needed;
    c->scratch = memory_new(c, needed, 1);
    memory_any(c->scratch, c->scratch->start, needed);
}

/* ---- wrong arguments ------------------------------------------------------------------------------------ */

enum {
    RIGHT,
    NO_ROOM,
    NO_DEVICES,
    MANY_DEVICES,
    NO_CONTEXT,
    NEGATIVE_BYTES,
    NEGATIVE_COUNT,
    HUGE_COUNT,
    NO_TYPE,
    WIDE_TYPE,
    NO_KEYS,
    OVER_KEYS,
    SMALL_SCRATCH,
    WRONGS
};

static const char *const wrongs[WRONGS] = {
    "",
    "no room",
    "no devices",
    "65 devices",
    "a device without a context",
    "a negative budget",
    "a negative count",
    "a huge count",
    "no type of keys",
    "keys of 65 bytes",
    "no keys",
    "an output over the keys",
    "scratch that is a byte too small",
};

int spoil_host(call *c)
{
    const int wrong = (int)draw_between(&c->data, RIGHT + 1, WRONGS - 1);
    const int64_t count = c->sequences[0].count;

    if (wrong == NO_KEYS && count == 0) return 0;
    if (wrong == OVER_KEYS && (count < 2 || !host_output(c, 0) || c->out_room[0] == 0)) return 0;
    if (wrong == SMALL_SCRATCH && (!c->scratch || count == 0)) return 0;
    c->on_host.wrong = wrong;
    if (wrong != SMALL_SCRATCH) {
        refuse(c, wrongs[wrong]);
        return 1;
    }
    c->expect = EXPECT_EITHER; /* keys that fit on the device need no room */
    snprintf(c->spoiled, sizeof c->spoiled, "%s", wrongs[wrong]);
    return 1;
}

static void room_spoil(int wrong, host_call *made)
{
    if (wrong == NO_ROOM) made->given = NULL;
    if (wrong == NO_DEVICES) made->room.devices = NULL;
    if (wrong == MANY_DEVICES) made->room.device_count = 65;
    if (wrong == NO_CONTEXT) made->devices[made->room.device_count - 1].context = NULL;
    if (wrong == NEGATIVE_BYTES) made->devices[made->room.device_count - 1].bytes = -1;
    if (wrong == SMALL_SCRATCH) made->room.scratch_bytes--;
}

static void operands_spoil(int wrong, host_call *made)
{
    static const mcl_type wide = { .name = "wide", .size = MCL_VALUE_BYTES_MAX + 1 };

    if (wrong == NEGATIVE_COUNT) made->count = -1;
    if (wrong == HUGE_COUNT) made->count = INT64_MAX / 2;
    if (wrong == OVER_KEYS) made->out = (unsigned char *)(uintptr_t)made->keys + made->type->size;
    if (wrong == NO_TYPE) made->type = NULL;
    if (wrong == WIDE_TYPE) made->type = &wide;
    if (wrong == NO_KEYS) made->keys = NULL;
}

/* ---- the call ------------------------------------------------------------------------------------------- */

mcl_status host_begin(mcl_queue *queue, call *c, host_call *made)
{
    world *w = c->w;
    mcl_status status = MCL_OK;

    for (int k = 0; k < c->memory_count && status == MCL_OK; k++)
        status =
            mcl_buffer_read(queue, memory_buffer(c, &c->memories[k]), 0, c->memories[k].bytes, c->memories[k].seen);
    if (status == MCL_OK && c->on_host.has_other && !w->other) status = mcl_context_create(w->device, &w->other);
    if (status != MCL_OK) return status;
    *made = (host_call){ .room = { .device_count = c->on_host.entries + c->on_host.has_other },
                         .type = c->sequences[0].of->type,
                         .keys = host_input(c, 0),
                         .count = c->sequences[0].count,
                         .out = host_output(c, 0) };
    for (int k = 0; k < made->room.device_count; k++)
        made->devices[k] = (mcl_host_device){ k < c->on_host.entries ? w->context : w->other, c->on_host.bytes };
    made->room.devices = made->devices;
    made->given = &made->room;
    made->room.scratch = image_of(c->scratch);
    made->room.scratch_bytes = c->on_host.scratch_bytes;
    room_spoil(c->on_host.wrong, made);
    operands_spoil(c->on_host.wrong, made);
    return MCL_OK;
}

int host_grows(host_call *of, mcl_status status)
{
    if (status != MCL_ERROR_ARGUMENT || !strstr(mcl_last_error(), "expected enough for a chunk")) return 0;
    for (int k = 0; k < of->room.device_count; k++) of->devices[k].bytes *= 2;
    return 1;
}

mcl_status host_end(mcl_queue *queue, call *c, mcl_status status)
{
    for (int k = 0; k < c->memory_count; k++) {
        const memory *of = &c->memories[k];
        const mcl_status written = mcl_buffer_write(queue, of->buffer, 0, of->bytes, of->seen);
        if (written != MCL_OK) return written;
    }
    return status;
}
