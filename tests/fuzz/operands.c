/* operands.c: the inputs, outputs and results that a call gets. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int64_t draw_size(call *c)
{
    static const int64_t ends[] = { 0, 1, 2, 20, 300, 3000, 20000 };
    const int64_t which = draw_below(&c->data, 100);
    const int k = which < 3 ? 0 : which < 6 ? 1 : which < 30 ? 2 : which < 65 ? 3 : which < 95 ? 4 : 5;

    const int64_t size = draw_between(&c->data, ends[k], ends[k + 1] - (k < 2));
    return the_settings.size_most && size > the_settings.size_most ? the_settings.size_most : size;
}

/* ---- inputs --------------------------------------------------------------------------------------------- */

const unsigned char *element_at(const sequence *of, int64_t k)
{
    return of->data + (size_t)k * of->of->type->size;
}

static sequence *sequence_make(call *c, int k, const kind *of, int64_t bound)
{
    sequence *made = &c->sequences[k];

    memset(made, 0, sizeof *made);
    made->of = of;
    made->bound = bound;
    made->count = bound;
    made->data = calloc((size_t)bound + 1, of->type->size);
    if (!made->data) abort();
    if (k >= c->in_count) c->in_count = k + 1;
    return made;
}

/* Draws a type that counts may have. The type belongs to the program. It is drawn without the call's stream, so that a
 * seed's calls stay the same. */
static const kind *count_kind(const call *c)
{
    static const kind *const kinds[] = { &kind_int64, &kind_uint32, &kind_int32 };
    stream next = c->shape;

    return kinds[draw_below(&next, 3)];
}

void slot_type_draw(call *c, sequence *of)
{
    const kind *const taken = count_kind(c);

    of->slot_type = taken->type;
    if (taken == &kind_uint32) of->slot_value = (uint32_t)of->slot_value;
    if (taken == &kind_int32) of->slot_value = (int32_t)(uint32_t)of->slot_value;
}

void slot_give(call *c, sequence *of, mcl_input *input)
{
    const size_t size = of->slot_type->size;
    const uint32_t low = (uint32_t)of->slot_value;

    of->slot = memory_new(c, size, size);
    const void *const stored = size == sizeof low ? (const void *)&low : (const void *)&of->slot_value;
    memcpy(of->slot->before + of->slot->start, stored, size);
    *input = mcl_with_count_of(*input, of->slot_type, memory_buffer(c, of->slot), (int64_t)(of->slot->start / size));
}

sequence *sequence_begin(call *c, int k, const kind *of, int64_t bound, int may_have_slot)
{
    sequence *made = sequence_make(c, k, of, bound);

    if (!may_have_slot || !draw_chance(&c->data, 25)) return made;
    made->has_slot = 1;
    made->slot_value = draw_between(&c->data, 0, bound);
    if (draw_chance(&c->data, 10)) made->slot_value = -draw_between(&c->data, 1, 5);
    if (draw_chance(&c->data, 5)) made->slot_value = INT64_MIN;
    if (draw_chance(&c->data, 10)) made->slot_value = bound + draw_between(&c->data, 0, 3);
    if (draw_chance(&c->data, 5)) made->slot_value = INT64_MAX - draw_below(&c->data, 3);
    slot_type_draw(c, made);
    made->count = made->slot_value < 0 ? 0 : made->slot_value > bound ? bound : made->slot_value;
    return made;
}

sequence *sequence_follow(call *c, int k, const kind *of, int leader)
{
    const int64_t more = draw_chance(&c->data, 20) ? draw_between(&c->data, 0, 4) : 0;
    sequence *made = sequence_make(c, k, of, c->sequences[leader].bound + more);

    made->count = c->sequences[leader].count;
    if (!draw_chance(&c->data, 10)) return made;
    made->has_slot = 1; /* the slot is not looked at */
    made->slot_value = (int64_t)draw(&c->data) >> draw_below(&c->data, 60);
    slot_type_draw(c, made);
    return made;
}

static mcl_buffer *array_of(call *c, sequence *of, int64_t *offset)
{
    const size_t size = of->of->type->size;
    const size_t bytes = (size_t)of->bound * size;

    of->place = memory_new(c, bytes, size);
    if (bytes) memcpy(of->place->before + of->place->start, of->data, bytes);
    *offset = (int64_t)(of->place->start / size);
    return memory_buffer(c, of->place);
}

static void slot_finish(call *c, int k)
{
    sequence *of = &c->sequences[k];

    if (of->has_slot) slot_give(c, of, &c->in[k]);
}

void sequence_finish_array(call *c, int k)
{
    sequence *of = &c->sequences[k];
    int64_t offset = 0;
    mcl_buffer *buffer = array_of(c, of, &offset);

    c->in[k] = mcl_from_buffer(of->of->type, buffer, offset, of->bound);
    slot_finish(c, k);
}

/* Makes an array, or an expression that reads one. In an expression a half becomes a float, so halves get arrays. */
void sequence_finish(call *c, int k)
{
    sequence *of = &c->sequences[k];
    const int form = draw_chance(&c->shape, 15) && !(of->of->traits & KIND_HALF);
    const int shifted = draw_chance(&c->shape, 40);
    const int64_t shift = -draw_below(&c->data, 3);
    mcl_binding bindings[2];
    int64_t offset = 0;

    if (!form) {
        sequence_finish_array(c, k);
        return;
    }
    mcl_buffer *buffer = array_of(c, of, &offset);
    bindings[0] = mcl_binding_buffer("table", of->of->type, buffer, offset + (shifted ? shift : 0));
    bindings[1] = mcl_binding_value("shift", MCL_INT64, &shift);
    c->in[k] = mcl_from_expression(of->of->type, shifted ? "table[i - shift]" : "table[i]", NULL, bindings,
                                   shifted ? 2 : 1, of->bound);
    slot_finish(c, k);
}

enum { STREAM_HOT = 6000, STREAM_HUGE = 6001, HOT_PERCENT = 90 };

/* Makes most elements of a sequence equal. It draws from a separate stream, so that a seed's calls stay the same. */
void sequence_heat(call *c, sequence *of)
{
    const size_t size = of->of->type->size;
    stream own = stream_of(c->data.state, STREAM_HOT, (uint64_t)of->bound);
    unsigned char hot[MCL_VALUE_BYTES_MAX];

    if (of->bound < 2 || !draw_chance(&own, 10)) return;
    memcpy(hot, element_at(of, draw_below(&own, of->bound)), size);
    for (int64_t i = 0; i < of->bound; i++)
        if (draw_chance(&own, HOT_PERCENT)) memcpy(of->data + (size_t)i * size, hot, size);
    of->is_hot = 1;
}

int64_t rows_draw(call *c, int in, int k, const kind *of)
{
    const int64_t n = c->sequences[in].count;
    const int64_t length = draw_between(&c->data, 1, draw_chance(&c->data, 50) ? 40 : n + 1);
    sequence *offsets = sequence_begin(c, k, of, draw_between(&c->data, 0, n / length) + 1, 1);

    for (int64_t r = 0; r < offsets->bound; r++) integer_to(of, r * length, offsets->data + (size_t)r * of->type->size);
    sequence_finish(c, k);
    return length;
}

/* Returns segments. Rows are given by number and length. A call to be refused gets their offsets, where the fault may
 * be. */
mcl_segments segments_told(const call *c, int k, mcl_segment_kind by, int64_t row_length)
{
    const mcl_input *const in = &c->in[k];

    if (!row_length || c->expect == EXPECT_REFUSED) return (mcl_segments){ .input = *in, .kind = by };
    mcl_segments rows = mcl_segments_from_rows(in->count - 1, row_length);
    if (in->count_slot)
        rows.input = mcl_with_count_of(rows.input, in->count_slot_type, in->count_slot, in->count_slot_index);
    return rows;
}

/* Returns 1 where the input can be start, or start + i * step, of integers that stay in range. */
static int made_by_rule(call *c, int k, int form)
{
    sequence *of = &c->sequences[k];
    const kind *kind_of = of->of;
    const int64_t start = draw_between(&c->data, 0, 20);
    const int64_t step = form == FORM_STEP ? draw_between(&c->data, 0, 3) : form == FORM_COUNTING ? 1 : 0;
    const int64_t highest = start + step * of->bound;
    unsigned char first[MCL_VALUE_BYTES_MAX];
    unsigned char second[MCL_VALUE_BYTES_MAX];

    if (form == FORM_CONSTANT) {
        fill_elements(&c->data, kind_of, FILL_SMALL, first, 1);
        for (int64_t i = 0; i < of->bound; i++)
            memcpy(of->data + (size_t)i * kind_of->type->size, first, kind_of->type->size);
        c->in[k] = mcl_from_constant(kind_of->type, first, of->bound);
        return 1;
    }
    if (!(kind_of->traits & KIND_INTEGER) || (kind_of->type->size < 4 && highest > 100)) return 0;
    integer_to(kind_of, start, first);
    integer_to(kind_of, step, second);
    for (int64_t i = 0; i < of->bound; i++)
        integer_to(kind_of, start + i * step, of->data + (size_t)i * kind_of->type->size);
    c->in[k] = form == FORM_STEP ? mcl_from_step(kind_of->type, first, second, of->bound)
                                 : mcl_from_counting(kind_of->type, first, of->bound);
    return 1;
}

/* Returns 1 where the host gets a huge bound, and the device a smaller count. No memory has room for the bound. */
static int huge_draw(call *c, int k)
{
    sequence *of = &c->sequences[k];
    stream own = stream_of(c->data.state, STREAM_HUGE, (uint64_t)of->bound);

    if (k > 0 || !(c->op->takes & MAY_BE_HUGE) || (of->has_slot && of->slot_value > of->bound)) return 0;
    c->is_huge = draw_chance(&own, 10);
    if (!c->is_huge || of->has_slot) return c->is_huge;
    of->has_slot = 1;
    of->slot_value = of->count;
    slot_type_draw(c, of);
    return 1;
}

static void bound_raise(call *c, int k)
{
    static const int64_t ends[] = { INT64_C(0x7f000000), INT32_MAX, UINT32_MAX };
    stream own = stream_of(c->data.state, STREAM_HUGE, UINT64_MAX);

    c->in[k].count = ends[draw_below(&own, 3)] + draw_between(&own, -2, 2);
}

static void fill_or_rule(call *c, int k, fill how)
{
    sequence *of = &c->sequences[k];
    int form = draw_chance(&c->shape, 20) ? (int)draw_between(&c->shape, FORM_CONSTANT, FORM_STEP) : FORM_ARRAY;
    const int is_huge = huge_draw(c, k);

    fill_elements(&c->data, of->of, how, of->data, of->bound);
    if (is_huge) form = of->of->traits & KIND_INTEGER && of->of->type->size >= 4 ? FORM_COUNTING : FORM_CONSTANT;
    if (form != FORM_ARRAY && made_by_rule(c, k, form)) {
        if (is_huge) bound_raise(c, k);
        slot_finish(c, k);
        return;
    }
    sequence_heat(c, of);
    sequence_finish(c, k);
}

void input_any(call *c, int k, const kind *of, int64_t bound, fill how)
{
    sequence_begin(c, k, of, bound, 1);
    fill_or_rule(c, k, how);
}

void input_carried(call *c, int k, const kind *of, int leader)
{
    sequence_follow(c, k, of, leader);
    fill_or_rule(c, k, FILL_ANY);
}

/* ---- outputs -------------------------------------------------------------------------------------------- */

int64_t draw_room(call *c, int64_t needed)
{
    return needed + (draw_chance(&c->data, 25) ? draw_between(&c->data, 1, 9) : 0);
}

void output_new(call *c, int k, const kind *of, int64_t capacity, int in_place_of)
{
    const size_t size = of->type->size;
    memory *place = in_place_of >= 0 ? c->sequences[in_place_of].place : NULL;
    const char *const read = place ? c->in[in_place_of].expression : NULL;
    const int is_replaced = place && (!read || (c->op->takes & REPLACES_OWN && strcmp(read, "table[i]") == 0));

    if (!is_replaced || c->in[in_place_of].type->size != size) in_place_of = -1;
    if (in_place_of >= 0) capacity = c->in[in_place_of].count;
    if (in_place_of < 0) place = memory_new(c, (size_t)capacity * size, size);
    c->out[k] = mcl_to_buffer(of->type, memory_buffer(c, place), (int64_t)(place->start / size), capacity);
    c->out_memory[k] = place;
    c->out_kind[k] = of;
    c->out_room[k] = capacity;
    if (k >= c->out_count) c->out_count = k + 1;
}

enum { STREAM_LEFT_OUT = 2000 };

/* Decides which outputs are left out, which is a part of the program's text. */
void outputs_leave_out(call *c)
{
    stream own = stream_of(c->shape.state, STREAM_LEFT_OUT, 0);

    for (int k = 0; k < c->out_count; k++) {
        c->left_out[k] = draw_chance(&own, 12);
        if (c->left_out[k]) c->out[k].capacity = INT64_MAX;
    }
}

void outputs_take_away(call *c)
{
    for (int k = 0; k < c->out_count; k++)
        if (c->left_out[k]) c->out[k] = (mcl_output){ 0 };
}

int64_t output_capacity(const call *c, int k)
{
    return c->out[k].capacity;
}

void output_expect_at(call *c, int k, int64_t index, const void *element)
{
    const size_t size = c->out_kind[k]->type->size;

    if (index >= 0 && index < c->out[k].capacity && !c->left_out[k])
        memory_expect(c->out_memory[k], c->out_memory[k]->start + (size_t)index * size, element, size);
}

void output_expect(call *c, int k, const void *data, int64_t count)
{
    const size_t size = c->out_kind[k]->type->size;
    const int64_t kept = count < c->out[k].capacity ? count : c->out[k].capacity;

    if (c->left_out[k]) return;
    memory_expect(c->out_memory[k], c->out_memory[k]->start, data, (size_t)kept * size);
}

void output_any_at(call *c, int k, int64_t index, int64_t count)
{
    const size_t size = c->out_kind[k]->type->size;

    if (c->left_out[k]) return;
    memory_any(c->out_memory[k], c->out_memory[k]->start + (size_t)index * size, (size_t)count * size);
}

/* ---- results -------------------------------------------------------------------------------------------- */

void result_new(call *c, int k, const kind *of, int64_t numbers)
{
    const size_t size = of->type->size;
    const int64_t form = draw_below(&c->data, 5);
    void *host = &c->host[k][16];

    for (size_t byte = 0; byte < sizeof c->host[k]; byte++) c->host[k][byte] = (unsigned char)draw(&c->data);
    memcpy(c->host_before[k], c->host[k], sizeof c->host[k]);
    memcpy(c->host_expected[k], c->host[k], sizeof c->host[k]);
    c->result_kind[k] = of;
    c->result_numbers[k] = numbers;
    if (k >= c->result_count) c->result_count = k + 1;
    c->result[k] = mcl_to_nowhere();
    if (form == 0) return;
    c->result[k] = mcl_to_host(of->type, host);
    if (form <= 2) return;
    memory *slot = c->result_memory[k] = memory_new(c, (size_t)numbers * size, size);
    const int64_t offset = (int64_t)(slot->start / size);
    c->result[k] = form == 3 ? mcl_to_slot(of->type, memory_buffer(c, slot), offset)
                             : mcl_to_host_and_slot(of->type, host, memory_buffer(c, slot), offset);
}

void count_new(call *c, int k, int64_t numbers)
{
    result_new(c, k, count_kind(c), numbers);
}

void result_holds_bound(call *c, int k)
{
    const kind *const of = c->result_kind[k];
    const int64_t most = of == &kind_int32 ? INT32_MAX : of == &kind_uint32 ? UINT32_MAX : INT64_MAX;

    if (c->result[k].type && c->in[0].count > most) refuse(c, "a result that cannot hold the bound");
}

int result_on_host(const call *c, int k)
{
    return c->result[k].host != NULL;
}

void result_expect(call *c, int k, const void *data)
{
    const size_t bytes = c->result_kind[k]->type->size * (size_t)c->result_numbers[k];

    if (c->result[k].host) memcpy(&c->host_expected[k][16], data, bytes);
    if (c->result_memory[k]) memory_expect(c->result_memory[k], c->result_memory[k]->start, data, bytes);
}

void counts_expect(call *c, int k, const int64_t *counts)
{
    const kind *const of = c->result_kind[k];
    unsigned char stored[sizeof c->host[0]];

    for (int64_t i = 0; i < c->result_numbers[k]; i++) integer_to(of, counts[i], stored + (size_t)i * of->type->size);
    result_expect(c, k, stored);
}

void result_expect_count(call *c, int k, int64_t count)
{
    counts_expect(c, k, &count);
}

void expect_capacity(call *c, int k, int64_t count, int64_t capacity)
{
    if (result_on_host(c, k) && capacity > 0 && count > capacity) c->expect = EXPECT_CAPACITY;
}
