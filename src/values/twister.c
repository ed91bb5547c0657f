/* twister.c: the Mersenne Twister MT19937 on the host. M. Matsumoto, T. Nishimura, "Mersenne Twister" (1998). */
#include "moderncl/transform.h"

enum { WORDS = 624, MIDDLE = 397 };

void mcl_twister_seed(mcl_twister *twister, uint32_t seed)
{
    twister->state[0] = seed;
    for (uint32_t k = 1; k < WORDS; ++k) {
        const uint32_t last = twister->state[k - 1];
        twister->state[k] = UINT32_C(1812433253) * (last ^ (last >> 30)) + k;
    }
    twister->next = WORDS;
}

static void renew(mcl_twister *twister)
{
    uint32_t *state = twister->state;
    for (int k = 0; k < WORDS; ++k) {
        const uint32_t mixed = (state[k] & UINT32_C(0x80000000)) | (state[(k + 1) % WORDS] & UINT32_C(0x7fffffff));
        const uint32_t twist = mixed & 1 ? UINT32_C(0x9908b0df) : 0;
        state[k] = state[(k + MIDDLE) % WORDS] ^ (mixed >> 1) ^ twist;
    }
    twister->next = 0;
}

uint32_t mcl_twister_next(mcl_twister *twister)
{
    if (twister->next >= WORDS) renew(twister);
    uint32_t word = twister->state[twister->next++];
    word ^= word >> 11;
    word ^= (word << 7) & UINT32_C(0x9d2c5680);
    word ^= (word << 15) & UINT32_C(0xefc60000);
    return word ^ (word >> 18);
}

int32_t mcl_twister_int(mcl_twister *twister, int32_t low, int32_t high)
{
    /* numbers is at most 2^32, and the other factor at most 2^32 - 1. So the product fits in 64 bits. */
    const uint64_t numbers = (uint64_t)((int64_t)high - low + 1);
    return (int32_t)(low + (int64_t)(numbers * mcl_twister_next(twister) >> 32));
}

double mcl_twister_real(mcl_twister *twister, double low, double high)
{
    return low + (high - low) * (mcl_twister_next(twister) / 4294967296.0);
}
