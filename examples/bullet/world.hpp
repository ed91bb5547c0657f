// world.hpp: a pile of boxes that fall on a floor, without a window.
#ifndef WORLD_HPP
#define WORLD_HPP

#include "device.hpp"
#include "results.hpp"

// Arrays that differ little in their sums also where no run repeats another.
inline constexpr const char *SUMMED_NAMES[] = { "pairs of each step", "contacts of each step", "heights of bodies" };

// Times each step, and keeps contacts and states.
void run_world(const Device &device, int bodies, int steps, Results &results);

#endif
