/* no_guards.c: replaces the fuzzer's guarded memory (tests/fuzz/guarded.c) by none, since no kernel writes. */
#include "fuzz.h"

mcl_buffer *guarded_buffer(world *w, size_t bytes, int *host_slot)
{
    (void)w;
    (void)bytes;
    (void)host_slot;
    return NULL;
}

int guarded_release(world *w, int host_slot)
{
    (void)w;
    (void)host_slot;
    return 1;
}

void guarded_close(world *w)
{
    (void)w;
}
