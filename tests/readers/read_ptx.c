/* read_ptx.c: reads NVIDIA's assembler text, which gets launch bounds. */
#define _GNU_SOURCE /* memmem */
#include "reader.h"

#include "backends/opencl/opencl_internal.h"

#include <stdlib.h>
#include <string.h>

/* Checks that the text without the added lines is the given text. */
static void check_bounds(const mcl__text *given, const mcl__text *bound)
{
    static const char added[] = "\n.minnctapersm ";
    size_t from = 0;
    size_t k = 0;
    while (k < bound->length) {
        if (from < given->length && bound->data[k] == given->data[from] &&
            strncmp(bound->data + k, added, sizeof added - 1) != 0) {
            ++from;
            ++k;
            continue;
        }
        REQUIRE(strncmp(bound->data + k, added, sizeof added - 1) == 0);
        k += sizeof added - 1;
        const char *const number = bound->data + k;
        k += strspn(number, "0123456789");
        REQUIRE(bound->data + k > number && bound->data + k < number + 3);
    }
    REQUIRE(from == given->length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = reader_text(data, size);
    const mcl__text given = { .data = size > 0 ? text : NULL, .length = size, .capacity = size + 1 };
    mcl__text bound = { 0 };
    const int changed = mcl__opencl_ptx_bounds(&given, &bound);
    if (changed && !memmem(text, size, ".minnctapersm", 13)) check_bounds(&given, &bound);
    mcl__text_free(&bound);
    free(text);
    return 0;
}
