/* spoil.c: makes one argument of a right call wrong. */
#include "fuzz.h"

#include <string.h>

static _Thread_local mcl_type wrong_type;

/* Returns a buffer of another context of the same device. */
static mcl_buffer *foreign_buffer(call *c)
{
    world *w = c->w;

    if (!w->other && mcl_context_create(w->device, &w->other) != MCL_OK) return NULL;
    if (!w->foreign && mcl_buffer_create(w->other, 1 << 20, NULL, &w->foreign) != MCL_OK) return NULL;
    return w->foreign;
}

static int64_t huge_number(call *c)
{
    static const int64_t numbers[] = { INT64_MAX, INT64_MAX - 1, INT64_C(1) << 60, INT64_C(1) << 40, INT64_MAX / 4 };

    return numbers[draw_below(&c->data, 5)];
}

static int64_t negative_number(call *c)
{
    static const int64_t numbers[] = { -1, INT64_MIN, -7, INT64_MIN / 8 };

    return numbers[draw_below(&c->data, 4)];
}

static const mcl_type *type_made_wrong(call *c, const mcl_type *type)
{
    wrong_type = *type;
    switch (draw_below(&c->data, 6)) {
    case 0:
        wrong_type.size = 0;
        break;
    case 1:
        wrong_type.size = 65;
        break;
    case 2:
        wrong_type.name = NULL;
        break;
    case 3:
        wrong_type.name = "1st";
        break;
    case 4:
        wrong_type.kind = (mcl_kind)9;
        break;
    default:
        wrong_type.member_count = -1, wrong_type.kind = MCL_KIND_STRUCT;
        break;
    }
    return &wrong_type;
}

/* ---- inputs --------------------------------------------------------------------------------------------- */

static int spoil_input(call *c)
{
    if (!c->in_count) return 0;
    const int k = (int)draw_below(&c->data, c->in_count);
    mcl_input *in = &c->in[k];
    const int is_array = !in->expression;

    if (!c->sequences[k].of) return 0;

    switch (draw_below(&c->data, 9)) {
    case 0:
        in->type = NULL;
        refuse(c, "an input without a type");
        return 1;
    case 1:
        memset(in, 0, sizeof *in);
        refuse(c, "an input of zeroes");
        return 1;
    case 2:
        in->count = negative_number(c);
        refuse(c, "an input of a negative count");
        return 1;
    case 3:
        if (!is_array) return 0;
        in->count = huge_number(c);
        refuse(c, "an input of a huge count");
        return 1;
    case 4:
        if (!is_array) return 0;
        in->offset = draw_chance(&c->data, 50) ? huge_number(c) : negative_number(c);
        refuse(c, "an input of an offset outside");
        return 1;
    case 5:
        if (!is_array || !foreign_buffer(c)) return 0;
        in->buffer = c->w->foreign;
        refuse(c, "an input of another context");
        return 1;
    case 6:
        in->type = type_made_wrong(c, in->type);
        refuse(c, "an input of a wrong type");
        return 1;
    case 7:
        if (is_array) return 0;
        in->binding_count = draw_chance(&c->data, 50) ? 99 : -1;
        refuse(c, "an input with a wrong number of bindings");
        return 1;
    default:
        if (!is_array || in->count == 0) return 0;
        in->buffer = NULL;
        refuse(c, "an input without a buffer");
        return 1;
    }
}

static int spoil_slot(call *c)
{
    for (int k = 0; k < c->in_count; k++) {
        mcl_input *in = &c->in[k];
        if (!in->count_slot) continue;
        in->count_slot_index = draw_chance(&c->data, 50) ? huge_number(c) : negative_number(c);
        if (c->sequences[k].slot_value < c->sequences[k].bound && c->sequences[k].slot_value >= 0)
            doubt(c, "a count slot outside its buffer");
        else
            doubt(c, "a count slot that is not looked at, outside its buffer");
        return 1;
    }
    return 0;
}

/* ---- outputs -------------------------------------------------------------------------------------------- */

static int spoil_output(call *c)
{
    if (!c->out_count) return 0;
    const int k = (int)draw_below(&c->data, c->out_count);
    mcl_output *out = &c->out[k];
    const int empty = out->capacity == 0 || !out->buffer;

    if (empty) return 0;
    switch (draw_below(&c->data, 8)) {
    case 0:
        out->type = NULL;
        refuse(c, "an output without a type");
        return 1;
    case 1:
        out->capacity = negative_number(c);
        refuse(c, "an output of a negative capacity");
        return 1;
    case 2:
        out->capacity = huge_number(c);
        refuse(c, "an output of a huge capacity");
        return 1;
    case 3:
        out->offset = draw_chance(&c->data, 50) ? huge_number(c) : negative_number(c);
        refuse(c, "an output of an offset outside");
        return 1;
    case 4:
        if (!foreign_buffer(c)) return 0;
        out->buffer = c->w->foreign;
        out->offset = 0;
        refuse(c, "an output of another context");
        return 1;
    case 5:
        out->type = type_made_wrong(c, out->type);
        refuse(c, "an output of a wrong type");
        return 1;
    case 6:
        memset(out, 0, sizeof *out);
        if (c->op->takes & MAY_LACK_OUTPUTS || c->may_lack >> k & 1)
            doubt(c, "an output that is not wanted");
        else
            refuse(c, "an output of zeroes");
        return 1;
    default:
        out->buffer = NULL;
        if (c->op->takes & MAY_LACK_OUTPUTS)
            doubt(c, "an output without a buffer");
        else
            refuse(c, "an output without a buffer");
        return 1;
    }
}

enum { STREAM_VIEWS = 2001 };

/* Returns a view of an array. It shows the elements in another order, so no output may replace them. */
static mcl_input view_of(stream *from, const mcl_input *array)
{
    mcl_input made;

    switch (draw_below(from, 4)) {
    case 0:
        made = mcl_from_reversed(array->type, array->buffer, array->offset, array->count);
        break;
    case 1:
        made = mcl_from_rotated(array->type, array->buffer, array->offset, array->count, draw_below(from, 3));
        break;
    case 2:
        made = mcl_from_shuffled(array->type, array->buffer, array->offset, array->count, draw(from));
        break;
    default:
        made = mcl_from_differences(array->type, array->buffer, array->offset, array->count);
    }
    made.count_slot = array->count_slot;
    made.count_slot_index = array->count_slot_index;
    made.count_slot_type = array->count_slot_type;
    return made;
}

/* Makes an output that begins where input k's array begins, or up to two elements after it. With shift 0 the input
 * becomes a view, or is an expression. Returns 0 where there is no room. */
static int lay_over(call *c, int k, mcl_output *out, int64_t shift, stream *from)
{
    mcl_input *in = &c->in[k];
    const mcl_binding *const table = &in->bindings[0]; /* of sequence_finish */
    mcl_buffer *const buffer = in->expression ? table->buffer : in->buffer;
    const int64_t begin = (int64_t)(c->sequences[k].place->start / in->type->size);

    if (begin + shift + out->capacity > (int64_t)(mcl_buffer_bytes(buffer) / in->type->size)) return 0;
    if (shift == 0 && !in->expression) *in = view_of(from, in);
    out->buffer = buffer;
    out->offset = begin + shift;
    return 1;
}

/* Puts an output over an input's range, where that lies inside the input's buffer. */
static int spoil_overlap(call *c)
{
    if (!c->out_count || !c->in_count) return 0;
    const int k = (int)draw_below(&c->data, c->in_count);
    const int to = (int)draw_below(&c->data, c->out_count);
    const mcl_input *in = &c->in[k];
    mcl_output *out = &c->out[to];
    stream own = stream_of(c->data.state, STREAM_VIEWS, 0);
    const int64_t shift = draw_below(&own, 2);

    for (int other = 0; other < c->out_count; other++) /* the shorter output may limit both */
        if (c->out[other].capacity < 2) return 0;
    if (!c->sequences[k].of || !c->sequences[k].place || !out->buffer || in->count < 2 || out->capacity < 2) return 0;
    if (in->type->size != out->type->size || c->sequences[k].place == c->out_memory[to]) return 0;
    if (!lay_over(c, k, out, shift, &own)) return 0;
    int is_empty = strcmp(c->op->name, "mcl_bulk_remove") == 0; /* there may be nothing to store */
    if (c->op->takes & STORES_WORK) is_empty |= c->numbers[1] == 0;
    if (c->op->takes & STORES_POINTS) is_empty |= c->numbers[2] == 0;
    for (int other = 0; other < c->in_count; other++) is_empty |= c->in[other].count < 2;
    if (c->op->takes & REPLACES_OWN && strcmp(in->expression ? in->expression : "", "table[i]") == 0) is_empty = 1;
    if (is_empty)
        doubt(c, "an output that overlaps an input");
    else
        refuse(c, "an output that overlaps an input");
    return 1;
}

static int spoil_result(call *c)
{
    if (!c->result_count) return 0;
    mcl_result *result = &c->result[draw_below(&c->data, c->result_count)];

    if (!result->host && !result->buffer) return 0;
    if (result->buffer && draw_chance(&c->data, 50)) {
        result->offset = draw_chance(&c->data, 50) ? huge_number(c) : negative_number(c);
        refuse(c, "a result outside its buffer");
    } else if (draw_chance(&c->data, 50)) {
        result->type = NULL;
        refuse(c, "a result without a type");
    } else {
        result->type = type_made_wrong(c, result->type);
        refuse(c, "a result of a wrong type");
    }
    return 1;
}

/* ---- operators ------------------------------------------------------------------------------------------ */

/* Replaces an operator's text by one that no compiler takes. */
static int spoil_text(call *c)
{
    if (!c->op_count || !c->op_given[0] || is_skipped_for(c, "builds") || !draw_chance(&c->data, 15)) return 0;
    c->ops[0] = *c->op_given[0];
    c->ops[0].expression = draw_chance(&c->data, 50) ? "p + " : "nothing_of_this_name(q)";
    c->op_given[0] = &c->ops[0];
    const int no_result = c->result_count && !c->result[0].host && !c->result[0].buffer;
    const int no_points = (c->op->takes & STORES_POINTS) && c->numbers[2] == 0;
    if (no_result || no_points)
        doubt(c, "an operator that does not compile"); /* the call may not need the operator */
    else
        refuse(c, "an operator that does not compile");
    return 1;
}

/* Gives an operator a role that is wrong for it. c->by, c->with and c->same tell its right role. */
static int spoil_role(call *c)
{
    static const mcl_op *const orders[] = { MCL_LESS, MCL_GREATER, MCL_EQUAL };
    static const mcl_op *const others[] = { MCL_ADD, MCL_EQUAL, MCL_MAX };
    const kind *of = c->by.of ? c->by.of : c->with.in;

    if (!c->op_count || !of || is_skipped_for(c, "roles")) return 0;
    if (c->by.of && of->traits & KIND_STRUCT && draw_chance(&c->data, 50)) {
        c->op_given[0] = MCL_LESS;
        refuse(c, "an order of numbers for structs");
        return 1;
    }
    if (c->with.in && of->traits & KIND_STRUCT && draw_chance(&c->data, 50)) {
        c->op_given[0] = MCL_ADD;
        refuse(c, "a sum of numbers for structs");
        return 1;
    }
    c->op_given[0] = c->by.of ? others[draw_below(&c->data, 3)] : orders[draw_below(&c->data, 3)];
    refuse(c, "an operator in a role that it cannot have");
    return 1;
}

static int spoil_operator(call *c)
{
    if (!c->op_count) return 0;
    const int k = (int)draw_below(&c->data, c->op_count);

    if (!c->op_given[k]) return 0;
    const mcl_op was = *c->op_given[k];
    c->ops[k] = was;
    switch (draw_below(&c->data, 4)) {
    case 0:
        c->op_given[k] = NULL;
        if (strstr(c->op->name, "by_key"))
            doubt(c, "no operator");
        else
            refuse(c, "no operator");
        return 1;
    case 1:
        c->ops[k].expression = NULL;
        break;
    case 2:
        if (c->number % 4 == 0)
            c->ops[k].role = (mcl_role)99; /* 0 would mean the role that the call needs */
        else if (c->number % 2)
            c->ops[k].role = was.role == MCL_ROLE_TEST ? MCL_ROLE_ORDER : MCL_ROLE_TEST;
        else
            c->ops[k].expression = "";
        break;
    default:
        c->ops[k].binding_count = draw_chance(&c->data, 50) ? 99 : -1;
        break;
    }
    c->op_given[k] = &c->ops[k];
    refuse(c, "an operator without an expression, with another role or with a wrong number of bindings");
    return 1;
}

/* ---- options -------------------------------------------------------------------------------------------- */

static int spoil_options(call *c)
{
    mcl_options *options = &c->options;

    if (!c->options_given) return 0;
    switch (draw_below(&c->data, 10)) {
    case 0:
        options->tile_threads = draw_chance(&c->data, 50) ? -1 : 1 << 20;
        break;
    case 1:
        options->tile_items = draw_chance(&c->data, 50) ? -1 : INT32_MAX;
        break;
    case 2:
        options->flags |= (unsigned)MCL_REPRODUCIBLE << draw_between(&c->data, 1, 26); /* a flag past the last one */
        break;
    case 3:
        options->wait_count = -1;
        break;
    case 4:
        options->wait = NULL, options->wait_count = 1;
        break;
    case 5:
        options->scratch = NULL, options->scratch_bytes = 256;
        break;
    case 6:
        if (!foreign_buffer(c)) return 0;
        options->scratch = c->w->foreign;
        options->scratch_bytes = 1 << 20;
        break;
    default:
        return 0;
    }
    refuse(c, "options that cannot be");
    return 1;
}

/* Sets an option that the operation does not take. */
static int spoil_untaken(call *c)
{
    static const int32_t some = 1;
    mcl_options *options = &c->options;

    if (!c->options_given || is_skipped_for(c, "options")) return 0;
    switch (draw_below(&c->data, 6)) {
    case 0:
        if (c->op->takes & TAKES_SORT || strcmp(c->op->name, "mcl_join_unsorted") == 0 ||
            strcmp(c->op->name, "mcl_join_columns") == 0)
            return 0;
        options->sort_method = MCL_SORT_MERGE;
        break;
    case 1:
        if (c->op->takes & TAKES_SORT) return 0;
        options->end_bit = 3;
        break;
    case 2:
        if (c->op->takes & TAKES_PASSES) return 0;
        options->passes = 1;
        break;
    case 3:
        if (c->op->takes & TAKES_APPEND) return 0;
        options->append = MCL_APPEND_GROUP_SCAN;
        break;
    case 4:
        if (c->op->takes & (TAKES_APPEND | TAKES_UNORDERED)) return 0;
        options->append_width = 8;
        break;
    default:
        if (c->op->takes & TAKES_INITIAL) return 0;
        options->initial = &some;
        break;
    }
    refuse(c, "an option that the operation does not take");
    c->statuses = 1u << -(int)MCL_ERROR_ARGUMENT;
    return 1;
}

static int spoil_queue(call *c)
{
    c->null_queue = 1;
    refuse(c, "no queue");
    return 1;
}

void spoil(call *c)
{
    static int (*const ways[])(call *) = { spoil_input,   spoil_input,   spoil_slot,    spoil_output,   spoil_output,
                                           spoil_overlap, spoil_overlap, spoil_result,  spoil_operator, spoil_role,
                                           spoil_text,    spoil_options, spoil_untaken, spoil_queue };
    static int (*const host_ways[])(call *) = { spoil_host, spoil_host, spoil_operator, spoil_role, spoil_text };
    const int on_host = (c->op->takes & ON_HOST) != 0;
    const int64_t count = (int64_t)(on_host ? sizeof host_ways / sizeof host_ways[0] : sizeof ways / sizeof ways[0]);

    if (is_skipped_for(c, "arguments")) return;
    for (int tries = 0; tries < 5; tries++)
        if ((on_host ? host_ways : ways)[draw_below(&c->data, count)](c)) return;
}
