/* guard.c: makes arrays between guard zones, and checks them. */
#include "guard.h"

#include "device/device.h"
#include "devices.h"

#include <stdlib.h>
#include <string.h>

/* Makes an array. after: number of elements of the zone after it. */
static void create(mcl_context *context, const element *kind, int64_t count, const unsigned char *data, int shift,
                   int64_t after, guarded *out)
{
    const size_t size = kind->type->size;

    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->first = GUARD_ELEMENTS + 1 + shift;
    out->count = count;
    out->bytes = (size_t)(out->first + count + after) * size;
    out->content = malloc(out->bytes);
    ck_assert_ptr_nonnull(out->content);
    for (size_t i = 0; i < out->bytes; i++) out->content[i] = (unsigned char)(0xA5u ^ (i * 29u));
    if (data && count) memcpy(out->content + (size_t)out->first * size, data, (size_t)count * size);
    test_ok(mcl_buffer_create(context, out->bytes, out->content, &out->buffer));
}

void guarded_create(mcl_context *context, const element *kind, int64_t count, const unsigned char *data, int shift,
                    guarded *out)
{
    create(context, kind, count, data, shift, GUARD_ELEMENTS, out);
}

void guarded_create_last(mcl_context *context, const element *kind, int64_t count, const unsigned char *data, int shift,
                         guarded *out)
{
    create(context, kind, count, data, shift, 0, out);
}

void guarded_free(guarded *array)
{
    mcl_buffer_release(array->buffer);
    free(array->content);
    memset(array, 0, sizeof *array);
}

void test_same_elements(const element *kind, const unsigned char *got, const unsigned char *expected, int64_t count,
                        const char *what)
{
    const size_t size = kind->type->size;
    char got_text[96];
    char expected_text[96];

    for (int64_t k = 0; k < count; k++) {
        if (element_same(kind, got + (size_t)k * size, expected + (size_t)k * size)) continue;
        kind->print(got + (size_t)k * size, got_text, sizeof got_text);
        kind->print(expected + (size_t)k * size, expected_text, sizeof expected_text);
        ck_abort_msg("%s: element %lld of %lld is %s instead of %s", what, (long long)k, (long long)count, got_text,
                     expected_text);
    }
}

static void expect_bytes(const guarded *array, const unsigned char *got, size_t from, size_t to, const char *what)
{
    const long long start = (long long)((size_t)array->first * array->kind->type->size);

    if (from == to || memcmp(got + from, array->content + from, to - from) == 0) return;
    for (size_t i = from; i < to; i++)
        if (got[i] != array->content[i])
            ck_abort_msg("%s: byte %lld from the start of its %lld elements of %zu bytes was written (%02x, was %02x)",
                         what, (long long)i - start, (long long)array->count, array->kind->type->size, got[i],
                         array->content[i]);
}

void guarded_expect(mcl_queue *queue, const guarded *array, const unsigned char *expected, int64_t written,
                    const char *what)
{
    const size_t size = array->kind->type->size;
    const size_t start = (size_t)array->first * size;
    const size_t end = start + (size_t)written * size;
    unsigned char *got = malloc(array->bytes);

    ck_assert_ptr_nonnull(got);
    test_ok(mcl_buffer_read(queue, array->buffer, 0, array->bytes, got));
    if (written) test_same_elements(array->kind, got + start, expected, written, what);
    expect_bytes(array, got, 0, start, what);
    expect_bytes(array, got, end, array->bytes, what);
    free(got);
}

void guarded_unchanged(mcl_queue *queue, const guarded *array, const char *what)
{
    guarded_expect(queue, array, NULL, 0, what);
}

void test_slots_are_zero(mcl_queue *queue, const char *what)
{
    static uint64_t words[MCL__SLOTS];

    if (!queue->slots) return;
    test_ok(mcl_buffer_read(queue, queue->slots, 0, sizeof words, words));
    for (int k = 0; k < MCL__SLOTS; k++)
        ck_assert_msg(words[k] == 0, "%s: slot %d is left as %llx", what, k, (unsigned long long)words[k]);
}
