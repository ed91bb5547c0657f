// children.hpp: runs of this program in processes of their own, with Bullet's own primitives or with moderncl's.
#ifndef CHILDREN_HPP
#define CHILDREN_HPP

#include "results.hpp"

struct Options {
    const char *device = "opencl"; // as mcl_context_create takes it
    int bodies = 1000;
    int steps = 60;
    bool check = false;       // nothing is timed
    std::string folder = "."; // for Bullet's programs, results and logs
    std::string library;      // what is preloaded
};

// What a process does.
enum class Task { check, time, world };

// Runs a task here. Exit status of the process.
int run_task(const Options &options, Task task, const std::string &out);

// Runs a task in another process; preloaded: with the library. Throws std::runtime_error where the process fails.
Results run_child(const Options &options, Task task, bool preloaded);

#endif
