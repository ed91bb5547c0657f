/* pieces.c: runs kernels of the device library's pieces on a device. */
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

pieces pieces_begin(int round, piece_text text)
{
    pieces at = { .device = test_round_device(round / 2), .serial = round % 2 };
    at.kernel = piece_kernel(text, at.serial);
    at.options = piece_tile(text, at.serial);
    ck_assert_ptr_nonnull(at.kernel.text);
    test_ok(mcl_kernel_tile(at.device->queue, &at.kernel, &at.options, &at.tile));
    at.size = at.tile.threads * at.tile.items;
    ck_assert_int_le(at.size, PIECES_TILE_MAX);
    ck_assert_int_le(at.tile.threads, PIECES_THREADS_MAX);
    return at;
}

void pieces_end(pieces *at)
{
    for (int k = 0; k < at->buffer_count; ++k) mcl_buffer_release(at->buffers[k]);
    at->buffer_count = 0;
}

int pieces_skip(int round, const char *what)
{
    const mcl_device_info *const info = &test_device_at(round / 2)->info;
    if (strcmp(info->vendor, "Mesa") != 0 || info->is_gpu || test_is_full()) return 0;
    return test_skip(round / 2, what, "its compiler takes minutes");
}

mcl_buffer *pieces_buffer(pieces *at, const void *data, int64_t count)
{
    const size_t bytes = (size_t)(count > 0 ? count : 1) * sizeof(int32_t);
    int32_t *const filled = malloc(bytes);
    ck_assert_int_lt(at->buffer_count, PIECES_BUFFERS);
    ck_assert_ptr_nonnull(filled);
    for (size_t k = 0; k < bytes / sizeof(int32_t); ++k) filled[k] = -7;
    if (data && count > 0) memcpy(filled, data, (size_t)count * sizeof(int32_t));
    mcl_buffer **const made = &at->buffers[at->buffer_count++];
    test_ok(mcl_buffer_create(at->device->context, bytes, filled, made));
    free(filled);
    return *made;
}

mcl_input pieces_input(pieces *at, const void *data, int64_t count)
{
    return mcl_from_buffer(MCL_INT32, pieces_buffer(at, data, count), 0, count);
}

mcl_output pieces_output(pieces *at, int64_t count)
{
    return mcl_to_buffer(MCL_INT32, pieces_buffer(at, NULL, count), 0, count);
}

void pieces_read(pieces *at, mcl_buffer *buffer, void *data, int64_t count)
{
    if (count > 0) test_ok(mcl_buffer_read(at->device->queue, buffer, 0, (size_t)count * sizeof(int32_t), data));
}

void pieces_run(pieces *at, mcl_launch launch)
{
    test_ok(mcl_kernel_launch(at->device->queue, &at->kernel, &launch, 1, NULL, 0, &at->options));
}

void pieces_same(const int32_t *got, const int32_t *expected, int64_t count, const char *what, int64_t size)
{
    for (int64_t k = 0; k < count; ++k)
        ck_assert_msg(got[k] == expected[k], "%s of %lld: number %lld is %d instead of %d", what, (long long)size,
                      (long long)k, (int)got[k], (int)expected[k]);
}

int64_t pieces_size(const pieces *at, int number)
{
    const int64_t sizes[] = { 1, at->size - 1, at->size, at->size + 1, 4 * at->size + at->size / 2, 0 };
    return sizes[number];
}
