// world.hpp: a pile of boxes that fall on a floor, without a window.
#ifndef WORLD_HPP
#define WORLD_HPP

#include "device.hpp"
#include "results.hpp"

// Times each step, and keeps contacts and states.
void run_world(const Device &device, int bodies, int steps, Results &results);

#endif
