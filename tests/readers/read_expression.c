/* read_expression.c: reads texts of types, operators and inputs: names and expressions, one a line. An empty line is
 * NULL where NULL is allowed. Texts that the checks accept are assembled. */
#include "reader.h"

#include "moderncl/moderncl.h"
#include "call/check/check.h"
#include "quiet_device.h"

#include <stdlib.h>
#include <string.h>

static mcl_context *context;

typedef struct texts {
    mcl_member member;
    mcl_type type;
    mcl_op fold;
    mcl_op order;
    mcl_input input;
} texts;

static const char *line_or_none(char **next)
{
    const char *const line = reader_line(next);
    return line[0] ? line : NULL;
}

static mcl_binding binding(const char *name, const mcl_type *type)
{
    return (mcl_binding){ .name = name, .type = type };
}

static void read_texts(char *next, texts *out)
{
    *out = (texts){ 0 };
    out->member.name = line_or_none(&next);
    out->member.offset = 4;
    out->type = (mcl_type){ .name = line_or_none(&next), .size = 8, .alignment = 4, .kind = MCL_KIND_STRUCT };
    out->type.source = line_or_none(&next);
    out->type.members = &out->member;
    out->type.member_count = out->member.name ? 1 : 0;
    out->fold.role = MCL_ROLE_FOLD;
    out->fold.expression = line_or_none(&next);
    out->fold.extract = line_or_none(&next);
    out->fold.identity = line_or_none(&next);
    out->fold.combine = line_or_none(&next);
    out->fold.source = line_or_none(&next);
    out->fold.bindings[0] = binding(line_or_none(&next), MCL_HALF);
    out->fold.bindings[1] = binding(line_or_none(&next), &out->type);
    out->fold.binding_count = out->fold.bindings[1].name ? 2 : out->fold.bindings[0].name ? 1 : 0;
    out->order.role = MCL_ROLE_ORDER;
    out->order.expression = line_or_none(&next);
    out->input.type = MCL_HALF;
    out->input.bindings[0] = binding(line_or_none(&next), MCL_INT8);
    out->input.binding_count = out->input.bindings[0].name ? 1 : 0;
    out->input.expression = next; /* all other lines are the expression */
}

static int is_accepted(const texts *given)
{
    mcl__function_is("mcl_reduce");
    const int accepted = mcl__check_type("type", context, &given->type) == MCL_OK &&
                         mcl__check_operator("op", context, MCL_ROLE_FOLD, &given->fold, NULL) == MCL_OK &&
                         mcl__check_operator("before", context, MCL_ROLE_ORDER, &given->order, NULL) == MCL_OK &&
                         mcl__check_input("a", context, &given->input, MCL__ANY_TYPE) == MCL_OK;
    if (!accepted) REQUIRE(strncmp(mcl_last_error(), "mcl_reduce: ", 12) == 0);
    return accepted;
}

static void check_accepted(const texts *given)
{
    REQUIRE(reader_is_identifier(given->type.name) && given->type.source);
    REQUIRE(!given->member.name || reader_is_identifier(given->member.name));
    for (int k = 0; k < given->fold.binding_count; ++k) REQUIRE(reader_is_identifier(given->fold.bindings[k].name));
    REQUIRE(!given->input.binding_count || reader_is_identifier(given->input.bindings[0].name));
}

static void assemble(const texts *given)
{
    mcl__spec spec = {
        .file = "kernels/fold/reduce.cl", .kernels = { "reduce_tiles" }, .tile = { 128, 7 }, .index_bits = 32
    };
    mcl__text text = { 0 };
    mcl__text key = { 0 };
    spec.types[0].name = "key";
    spec.types[0].type = &given->type;
    spec.ops[0].name = "fold";
    spec.ops[0].op = &given->fold;
    spec.ops[0].role = MCL_ROLE_FOLD;
    spec.ops[0].element = MCL_HALF;
    spec.ops[0].value = MCL_HALF;
    spec.ops[0].stored = &given->type;
    spec.ops[1].name = "before";
    spec.ops[1].op = &given->order;
    spec.ops[1].role = MCL_ROLE_ORDER;
    spec.ops[1].element = &given->type;
    spec.inputs[0].name = "a";
    spec.inputs[0].input = &given->input;
    spec.outputs[0].name = "out";
    spec.outputs[0].type = &given->type;
    mcl__spec_key(&spec, &key);
    REQUIRE(!key.failed);
    REQUIRE(mcl__source_assemble(&context->limits, context->dialect, &spec, &text) == MCL_OK);
    REQUIRE(strlen(text.data) == text.length);
    REQUIRE(strstr(text.data, given->input.expression) && strstr(text.data, given->fold.expression));
    REQUIRE(strstr(text.data, given->order.expression) && strstr(text.data, given->type.source));
    mcl__text_free(&key);
    mcl__text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = reader_text(data, size);
    texts given;
    if (!context) context = quiet_context();
    read_texts(text, &given);
    if (is_accepted(&given)) {
        check_accepted(&given);
        assemble(&given);
    }
    free(text);
    return 0;
}
