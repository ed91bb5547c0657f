// checks.hpp: Bullet's sort, scan, bound search and fill against plain loops, whoever serves them.
#ifndef CHECKS_HPP
#define CHECKS_HPP

#include "device.hpp"
#include "results.hpp"

// Keeps what the primitives give, and a failure of each that a loop does not confirm.
void check_primitives(const Device &device, Results &results);

// Times the sort of pairs and the scan alone, each until the device is done. Keeps the times of a number of runs.
void time_primitives(const Device &device, Results &results);

#endif
