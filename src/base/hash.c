/* hash.c: a 64-bit hash for tables and file names, over words of 8 bytes. Where hashes are equal, callers compare the
 * content too. The exception is mcl__steps_run, where a mistake only leaves out a precaution. */
#include "base/base.h"

#include <string.h>

/* Mixes with the finaliser of MurmurHash3: a change of one input bit changes about half of the output's bits. */
static uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    x ^= x >> 33;
    return x;
}

uint64_t mcl__hash(const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    uint64_t hash = hash_mix((uint64_t)count + UINT64_C(0x9e3779b97f4a7c15));
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        hash = hash_mix(hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
    }
    uint64_t tail = 0;
    if (count) memcpy(&tail, next, count);
    return hash_mix(hash ^ tail);
}
