/* seed.h: makes several words from one seed. The words of neighbouring seeds are unrelated. */
#ifndef MODERNCL_SEED_H
#define MODERNCL_SEED_H

#include <stdint.h>

/* The fraction of the golden ratio, which SplitMix64 uses as its step (Steele, Lea, Flood: Fast Splittable Pseudorandom
 * Number Generators, 2014). */
#define MCL__SEED_STEP UINT64_C(0x9E3779B97F4A7C15)

/* The uses of a seed. Each use has a word of its own, so that no use depends on another. */
typedef enum mcl__seed_use { MCL__SEED_START = 1, MCL__SEED_GAMMA, MCL__SEED_SHUFFLE } mcl__seed_use;

/* Mixes a seed and its use with the finaliser of SplitMix64. */
static inline uint64_t mcl__seed_word(uint64_t seed, mcl__seed_use use)
{
    uint64_t z = seed + MCL__SEED_STEP * (uint64_t)use;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns the step of the sequence that belongs to this seed. As SplitMix64 requires, the step is odd, and enough pairs
 * of its neighbouring bits differ. */
static inline uint64_t mcl__seed_gamma(uint64_t seed)
{
    enum { FEWEST_CHANGES = 24 };
    const uint64_t gamma = mcl__seed_word(seed, MCL__SEED_GAMMA) | 1;
    int changes = 0;
    for (uint64_t rest = gamma ^ gamma >> 1; rest; rest &= rest - 1) ++changes;
    return changes < FEWEST_CHANGES ? gamma ^ UINT64_C(0xAAAAAAAAAAAAAAAA) : gamma;
}

#endif
