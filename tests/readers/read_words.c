/* read_words.c: reads the declaration of a user's kernel: names, one a line, then two lines for each pass, its name and
 * its arguments. */
#include "reader.h"

#include "moderncl/moderncl.h"
#include "call/kernel/kernel_check.h"
#include "quiet_device.h"

#include <stdlib.h>
#include <string.h>

static mcl_context *context;

static int count_words(const char *text)
{
    int count = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        text += strcspn(text, " ");
        ++count;
    }
    return count;
}

static void check_words(const mcl_pass *pass, const mcl__words *words, const mcl__pass *declared)
{
    const int takes_env = declared->arguments[0] == MCL__ENVIRONMENT;
    REQUIRE(words->count >= 0 && words->count <= MCL_ARGUMENTS_MAX);
    REQUIRE(words->count + takes_env == count_words(pass->arguments));
    const char *const end = pass->arguments + strlen(pass->arguments);
    for (int k = 0; k < words->count; ++k) {
        const mcl__word *const word = &words->list[k];
        REQUIRE(word->text >= pass->arguments && word->length > 0 && word->text + word->length <= end);
        REQUIRE(word->kind != MCL_ARGUMENT_NONE);
        REQUIRE((word->kind == MCL_ARGUMENT_VALUE) == (word->type != NULL));
        REQUIRE(word->operand >= 0 && word->operand <= 2); /* the kernel has one input and one output */
        REQUIRE((word->kind == MCL_ARGUMENT_INPUT || word->kind == MCL_ARGUMENT_OUTPUT) == (word->operand > 0));
        REQUIRE(declared->arguments[k + takes_env] != 0);
    }
}

static void check_program(mcl__kernel_plan *plan)
{
    const mcl_tile tile = { .threads = 128, .items = 7 };
    const mcl__spec *const spec = &plan->call.spec;
    mcl__text key = { 0 };
    mcl__text text = { 0 };
    mcl__kernel_describe(plan, &tile);
    mcl__spec_key(spec, &key);
    REQUIRE(!key.failed && key.length > 0);
    REQUIRE(mcl__source_assemble(&context->limits, context->dialect, spec, &text) == MCL_OK);
    REQUIRE(strlen(text.data) == text.length);
    REQUIRE(strstr(text.data, "void first()"));
    mcl__text_free(&text);
    mcl__text_free(&key);
}

static void check_names(const mcl_kernel *kernel)
{
    REQUIRE(!strpbrk(kernel->name, "\"\\\r"));
    REQUIRE(!kernel->types[0].name || reader_is_identifier(kernel->types[0].name));
    REQUIRE(!kernel->inputs[0].name || reader_is_identifier(kernel->inputs[0].name));
    REQUIRE(!kernel->outputs[0].name || reader_is_identifier(kernel->outputs[0].name));
    REQUIRE(!kernel->operators[0].name || reader_is_identifier(kernel->operators[0].name));
    REQUIRE(!kernel->defines[0].name || reader_is_identifier(kernel->defines[0].name));
}

/* Returns a line as a name. An empty line means that there is none. */
static const char *name_or_none(char **next)
{
    const char *const line = reader_line(next);
    return line[0] ? line : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mcl__kernel_plan call;
    mcl_queue queue = { 0 };
    char *const text = reader_text(data, size);
    char *next = text;
    mcl_kernel kernel = { .text = "void first() {}" };
    if (!context) context = quiet_context();
    queue.context = context;
    kernel.name = reader_line(&next);
    kernel.types[0].name = name_or_none(&next);
    kernel.types[0].type = MCL_INT32;
    kernel.inputs[0].name = name_or_none(&next);
    kernel.inputs[0].type = MCL_FLOAT;
    kernel.outputs[0].name = name_or_none(&next);
    kernel.outputs[0].type = MCL_INT64;
    kernel.operators[0].name = name_or_none(&next);
    kernel.operators[0].op = MCL_LESS;
    kernel.operators[0].element = MCL_INT32;
    kernel.defines[0].name = name_or_none(&next);
    for (int k = 0; k < MCL_PASSES_MAX && *next; ++k) {
        kernel.passes[k].name = name_or_none(&next);
        kernel.passes[k].arguments = reader_line(&next);
    }
    mcl__function_is("mcl_kernel_tile"); /* as the function does before it declares the kernel */
    if (mcl__kernel_declare(&call, "mcl_kernel_tile", &queue, &kernel, NULL) != MCL_OK) {
        REQUIRE(strncmp(mcl_last_error(), "mcl_kernel_tile: ", 17) == 0);
    } else {
        check_names(&kernel);
        for (int k = 0; k < MCL_PASSES_MAX && kernel.passes[k].name; ++k)
            check_words(&kernel.passes[k], &call.words[k], &call.passes[k]);
        check_program(&call);
    }
    free(text);
    return 0;
}
