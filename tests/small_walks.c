/* small_walks.c: memory for the walks, and their failures. */
#include "small_walks.h"

#include <stdlib.h>

enum { SMALL_LIMIT = 3000 };

char small_label[96];

int64_t small_count(int64_t count)
{
    return test_is_small() && count > SMALL_LIMIT ? SMALL_LIMIT : count;
}

void *small_memory(size_t bytes)
{
    void *const memory = calloc(1, bytes);

    if (!memory) abort();
    return memory;
}

void small_ok(const small_turn *turn, mcl_status status, const char *what)
{
    (void)turn;
    ck_assert_msg(status == MCL_OK, "%s: %s: %s", small_label, what, status == MCL_OK ? "" : mcl_last_error());
}

void small_expect(const small_turn *turn, mcl_buffer *buffer, const void *wanted, size_t bytes, const char *what)
{
    unsigned char *const got = small_memory(bytes + 1);
    size_t at = 0;

    array_read(turn->device, buffer, got, bytes);
    while (at < bytes && got[at] == ((const unsigned char *)wanted)[at]) at++;
    free(got);
    mcl_buffer_release(buffer);
    ck_assert_msg(at == bytes, "%s: %s differs at byte %zu of %zu", small_label, what, at, bytes);
}
