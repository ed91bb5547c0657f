/* seed.h: words made from a seed, so that neighbouring seeds have nothing in common. */
#ifndef MODERNCL_SEED_H
#define MODERNCL_SEED_H

#include <stdint.h>

/* The golden ratio's fraction: the step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
 * Generators, 2014). */
#define MCL__SEED_STEP UINT64_C(0x9E3779B97F4A7C15)

/* What a word of a seed is used for. Each use of a seed has a word of its own, so that uses do not depend on each
 * other. */
typedef enum mcl__seed_use { MCL__SEED_START = 1, MCL__SEED_GAMMA, MCL__SEED_SHUFFLE } mcl__seed_use;

/* Mixes a seed by the finaliser of SplitMix64. */
static inline uint64_t mcl__seed_word(uint64_t seed, mcl__seed_use use)
{
    uint64_t z = seed + MCL__SEED_STEP * (uint64_t)use;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns the step of a seed's own sequence. It is odd and has enough changes between neighbouring bits, as SplitMix64
 * requires. */
static inline uint64_t mcl__seed_gamma(uint64_t seed)
{
    enum { FEWEST_CHANGES = 24 };
    const uint64_t gamma = mcl__seed_word(seed, MCL__SEED_GAMMA) | 1;
    int changes = 0;
    for (uint64_t rest = gamma ^ gamma >> 1; rest; rest &= rest - 1) ++changes;
    return changes < FEWEST_CHANGES ? gamma ^ UINT64_C(0xAAAAAAAAAAAAAAAA) : gamma;
}

#endif
